//! Scores by checklists and on samples in the report, and agreement on single checks.

use super::{
    html::{Shown, count, ends, esc, or_reason, percent, two},
    plots::{self, Bar, Estimate},
    score_plots::{Point, Tiers, scatter, tier_bars},
};
use crate::wire;
use ::agreement::Coefficient;
use domain::Tier;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

fn under(row: &wire::GamutRow) -> String {
    let person = if row.by_person { " (a person)" } else { "" };
    format!("{}{person}, {}", row.judge, row.variant.replace('_', " "))
}

/// GAMUT's tables 1 to 3 with their plots; nothing where there are no scores by checklists.
pub(super) fn gamut(scores: &wire::GamutScores) -> String {
    let mut out = String::new();
    let mut judgings: BTreeMap<String, Vec<&wire::GamutRow>> = BTreeMap::new();
    for row in &scores.models {
        judgings.entry(under(row)).or_default().push(row);
    }
    if !scores.is_empty() {
        let [ac, v, c] = scores.rule.weights;
        let _ = writeln!(
            out,
            "<p>Scores by checklists, in per cent: a check that is met counts 1, in part {}, not at all 0, and one that the answer \
             contradicts {}; tiers weigh {ac}, {v} and {c}, and one without checks gives its weight to the others. An answer has a \
             score once every check has a verdict; intervals draw questions.</p>",
            scores.rule.partial,
            percent(Some(scores.rule.contradicts / 100.0)).trim_end_matches(".0"),
        );
    }
    for (name, rows) in &judgings {
        let mut table = Shown::new(
            format!("GAMUT score by model, judged by {name} (per cent)"),
            [
                "model",
                "score",
                "95 %",
                "AC",
                "V",
                "C",
                "meets",
                "partially",
                "missing",
                "contradicts",
                "scored",
                "evaluator errors",
                "open",
            ],
        );
        for row in rows {
            let tier =
                |tier: Tier| row.tiers.get(tier.code()).map_or_else(String::new, |of| percent(of.value));
            let mix = |of: fn(&wire::VerdictShares) -> f64| percent(row.mix.as_ref().map(of));
            table.rows.push(vec![
                if row.own_family { format!("{} *", row.model) } else { row.model.clone() },
                or_reason(&row.score, percent),
                ends(row.score.ci95, percent),
                tier(Tier::AnswerCritical),
                tier(Tier::Valuable),
                tier(Tier::Context),
                mix(|mix| mix.meets),
                mix(|mix| mix.partially),
                mix(|mix| mix.missing),
                mix(|mix| mix.contradicts),
                count(row.scored.get()),
                count(row.evaluator_errors.get()),
                count(row.unjudged.get() + row.stale.get()),
            ]);
        }
        out.push_str(&table.html());
        let estimates: Vec<Estimate> = rows
            .iter()
            .map(|row| Estimate {
                label: row.model.clone(),
                n: count(row.scored.get()),
                value: row.score.value,
                ci95: row.score.ci95,
            })
            .collect();
        out.push_str(&plots::forest(
            &format!("GAMUT score by model, {name}, with 95 % intervals"),
            &estimates,
            percent,
        ));
        let tiers: Vec<Tiers> = rows
            .iter()
            .map(|row| Tiers {
                label: row.model.clone(),
                values: Tier::ALL
                    .map(|tier| row.tiers.get(tier.code()).map_or((None, None), |of| (of.value, of.ci95))),
            })
            .collect();
        out.push_str(&tier_bars(
            &format!("GAMUT score by tier, {name}, with 95 % intervals (per cent)"),
            Tier::ALL.map(Tier::name),
            &tiers,
        ));
        let bars: Vec<Bar> = rows
            .iter()
            .filter_map(|row| {
                let mix = row.mix?;
                Some(Bar {
                    label: row.model.clone(),
                    n: count(row.verdicts.get()),
                    shares: [mix.meets, mix.partially, mix.missing, mix.contradicts],
                })
            })
            .collect();
        out.push_str(&plots::bars(
            &format!("Verdicts by model, {name}"),
            ["meets", "partially", "missing", "contradicts"],
            &bars,
        ));
    }
    if scores.models.iter().any(|row| row.own_family) {
        out.push_str("<p class=\"hint\">* the judge’s own family, going by the names.</p>\n");
    }
    out.push_str(&by_judge(scores));
    out.push_str(&differences(scores));
    out.push_str(&people(scores));
    if !scores.without_checklist.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"hint\">{} questions have grades and no checklist, so that nothing is computed for them.</p>",
            scores.without_checklist.len()
        );
    }
    out
}

fn by_judge(scores: &wire::GamutScores) -> String {
    let own: Vec<&wire::GamutRow> = scores.models.iter().filter(|row| row.variant == "multimodal").collect();
    let judges: BTreeSet<&str> = own.iter().map(|row| row.judge.as_str()).collect();
    let models: BTreeSet<&str> = own.iter().map(|row| row.model.as_str()).collect();
    if judges.len() < 2 {
        return String::new();
    }
    let mut table =
        Shown::new("GAMUT score by model and judge (per cent; * the judge’s own family)", ["model"]);
    table.heads.extend(judges.iter().map(|judge| (*judge).to_owned()));
    for model in models {
        let mut cells = vec![model.to_owned()];
        for judge in &judges {
            let row = own.iter().find(|row| row.model == model && row.judge == *judge);
            cells.push(row.map_or_else(String::new, |row| {
                format!("{}{}", percent(row.score.value), if row.own_family { " *" } else { "" })
            }));
        }
        table.rows.push(cells);
    }
    table.html()
}

fn differences(scores: &wire::GamutScores) -> String {
    let mut table = Shown::new(
        "Image and text against text alone, over the questions with a score in both (per cent)",
        ["model", "judge", "multimodal", "text only", "difference", "95 %", "questions"],
    );
    table.words = vec![1];
    for row in &scores.differences {
        table.rows.push(vec![
            row.model.clone(),
            row.judge.clone(),
            percent(row.multimodal.value),
            percent(row.text_only.value),
            percent(row.difference.value),
            ends(row.difference.ci95, percent),
            count(row.questions.get()),
        ]);
    }
    table.html()
}

fn people(scores: &wire::GamutScores) -> String {
    let mut table = Shown::new(
        "MMI Value of criteria that people graded (per cent)",
        ["model", "person", "value", "95 %", "all met", "95 %", "responses"],
    );
    table.words = vec![1];
    for row in &scores.people {
        table.rows.push(vec![
            row.model.clone(),
            row.judge.clone(),
            or_reason(&row.value, percent),
            ends(row.value.ci95, percent),
            percent(row.collapsed.value),
            ends(row.collapsed.ci95, percent),
            count(row.responses.get()),
        ]);
    }
    table.html()
}

/// What samples are split by.
type Groups = fn(&wire::InteractionModel) -> &BTreeMap<String, wire::InteractionCell>;

/// MIBench's table 1 and what it splits by, with the plot of consistency.
pub(super) fn interaction(scores: &wire::InteractionScores) -> String {
    let mut out = format!(
        "<p>{} samples count{}. Accuracy is the mean over samples of the share of their variants that are answered right; \
         consistency is the share of samples whose variants are all answered the same. Intervals draw samples ({}).</p>\n",
        count(scores.samples.get()),
        if scores.discarded.get() > 0 {
            format!("; curation discarded {}, which do not", count(scores.discarded.get()))
        } else {
            String::new()
        },
        esc(&scores.method.interval),
    );
    let cell = |of: Option<&Coefficient>| {
        of.map_or_else(String::new, |of| {
            let ends = of.ci95.map_or_else(String::new, |_| format!(" ({})", ends(of.ci95, percent)));
            format!("{}{ends}", or_reason(of, percent))
        })
    };
    let mut table = Shown::new(
        "Accuracy and consistency by model (per cent, with 95 % intervals)",
        ["model", "vision", "text", "synergy", "overall", "same, vision", "same, text", "unanswered"],
    );
    for (model, own) in &scores.models {
        let by = |pattern: &str| own.by_pattern.get(pattern);
        let accuracy = |pattern: &str| cell(by(pattern).map(|of| &of.accuracy));
        let same = |pattern: &str| cell(by(pattern).and_then(|of| of.consistency.as_ref()));
        table.rows.push(vec![
            model.clone(),
            accuracy("vision"),
            accuracy("text"),
            accuracy("synergy"),
            cell(Some(&own.overall.accuracy)),
            same("vision"),
            same("text"),
            count(own.missing.get()),
        ]);
    }
    out.push_str(&table.html());
    let points: Vec<Point> = scores
        .models
        .iter()
        .filter_map(|(model, own)| {
            let same = |pattern: &str| own.by_pattern.get(pattern)?.consistency.as_ref()?.value;
            Some(Point { label: model.clone(), x: same("vision")?, y: same("text")? })
        })
        .collect();
    out.push_str(&scatter(
        "Consistency on samples that turn on vision, and on those that turn on text (per cent)",
        ["same answers, vision", "same answers, text"],
        &points,
    ));
    let splits: [(&str, Groups); 4] = [
        ("level", |own| &own.by_level),
        ("pattern and level", |own| &own.by_pattern_and_level),
        ("task", |own| &own.by_task),
        ("context", |own| &own.by_context),
    ];
    for (name, of) in splits {
        // Groups down and models across: there are many tasks and few models.
        let groups: BTreeSet<&str> =
            scores.models.values().flat_map(|own| of(own).keys().map(String::as_str)).collect();
        let mut table = Shown::new(format!("Accuracy by {name} (per cent)"), [name]);
        table.heads.extend(scores.models.keys().cloned());
        for group in groups {
            let mut cells = vec![group.replace('_', " ")];
            cells.extend(scores.models.values().map(|own| cell(of(own).get(group).map(|of| &of.accuracy))));
            table.rows.push(cells);
        }
        out.push_str(&table.html());
    }
    out
}

/// Agreement on single checks, pooled, and the checks on which judge and people differ most.
pub(super) fn checks(found: &wire::ChecksAgreement) -> String {
    if found.total.get() == 0 {
        return String::new();
    }
    let mut out = String::from("<h3>Single checks</h3>\n");
    let _ = writeln!(
        out,
        "<p>{} ({}) graded responses by their checklists, {} checks in all. A check counts as met where the verdict is “meets”, and \
         a criterion where the judge’s score is 1.{}{}</p>",
        if found.people.len() == 1 {
            "One person".to_owned()
        } else {
            format!("{} people", found.people.len())
        },
        esc(&found.people.join(", ")),
        count(found.total.get()),
        match found.ties.get() {
            0 => String::new(),
            ties => format!(" Even splits of people ({}) are left out.", count(ties)),
        },
        match found.stale.get() {
            0 => String::new(),
            stale => format!(" {} verdicts on words that have changed since are left out.", count(stale)),
        },
    );
    let mut table = Shown::new(
        "Agreement on single checks, all together",
        ["", "n", "agree %", "95 %", "Scott’s π", "95 %", "Fleiss’ κ", "95 %", "Gwet’s AC1"],
    );
    let mut push = |name: String, numbers: &::agreement::Numbers| {
        if numbers.pairable_units.get() == 0 {
            return;
        }
        table.rows.push(vec![
            name,
            count(numbers.pairable_units.get()),
            or_reason(&numbers.percent_agreement, percent),
            ends(numbers.percent_agreement.ci95, percent),
            if numbers.raters.get() == 2 { or_reason(&numbers.scott_pi, two) } else { String::new() },
            if numbers.raters.get() == 2 { ends(numbers.scott_pi.ci95, two) } else { String::new() },
            or_reason(&numbers.fleiss_kappa, two),
            ends(numbers.fleiss_kappa.ci95, two),
            or_reason(&numbers.gwet_ac1, two),
        ]);
    };
    push(format!("{} and people, met or unmet", found.judge), &found.judge_human);
    if let Some(verdicts) = &found.verdicts {
        push(format!("{} and people, all four verdicts", found.judge), verdicts);
    }
    push("people among themselves".to_owned(), &found.among_people);
    out.push_str(&table.html());
    let mut table = Shown::new(
        "Checks on which judge and people differ, most often first (at most 20)",
        ["prompt", "check", "responses", "judge alone", "people alone", "agree %", "95 %"],
    );
    table.words = vec![1];
    let differing = |row: &wire::CheckedRow| -> [u64; 2] {
        let of = |at: usize, other: usize| {
            let counts = row.judge_human.as_ref().map(|both| &both.confusion.counts);
            counts.and_then(|counts| counts.get(at)?.get(other)).map_or(0, |n| n.get())
        };
        [of(0, 1), of(1, 0)]
    };
    let mut rows: Vec<&wire::CheckedRow> =
        found.rows.iter().filter(|row| differing(row).iter().sum::<u64>() > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(differing(row).iter().sum::<u64>()));
    for row in rows.into_iter().take(20) {
        let Some(both) = &row.judge_human else { continue };
        let [judge, people] = differing(row);
        table.rows.push(vec![
            row.key.clone(),
            row.text.clone(),
            count(both.confusion.counts.iter().flatten().map(|n| n.get()).sum()),
            count(judge),
            count(people),
            percent(both.percent_agreement.value),
            ends(both.percent_agreement.ci95, percent),
        ]);
    }
    out.push_str(&table.html());
    out
}
