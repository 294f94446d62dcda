//! A curated set, what models make of it, and criteria by what they do to agreement.

use super::{percent, plain, table};
use actions::wire::{
    CriterionEffectsView, CurationView, DecisionCounts, InteractionCell, InteractionScores, StateCounts,
};
use std::fmt::Write;

/// Table 1 of the paper: model × accuracy by pattern, and consistency.
pub fn interaction(scores: &InteractionScores) -> String {
    let accuracy = |cell: Option<&InteractionCell>| percent(cell.and_then(|cell| cell.accuracy.value));
    let consistency = |cell: Option<&InteractionCell>| {
        percent(cell.and_then(|cell| cell.consistency.as_ref()).and_then(|found| found.value))
    };
    let rows: Vec<Vec<String>> = scores
        .models
        .iter()
        .map(|(name, model)| {
            let of = |pattern: &str| model.by_pattern.get(pattern);
            vec![
                name.clone(),
                accuracy(of("vision")),
                accuracy(of("text")),
                accuracy(of("synergy")),
                accuracy(Some(&model.overall)),
                consistency(of("vision")),
                consistency(of("text")),
                model.missing.to_string(),
            ]
        })
        .collect();
    let header = ["model", "vision", "text", "synergy", "overall", "same: vision", "same: text", "missing"];
    let mut out = table(&header, &rows);
    let _ = writeln!(
        out,
        "{} samples ({} discarded); accuracy in percent, and the share of samples answered the same throughout",
        scores.samples, scores.discarded
    );
    out
}

fn states(label: &str, counts: &StateCounts) -> Vec<String> {
    let all = [counts.items, counts.retained, counts.discarded, counts.revised, counts.disputed, counts.open];
    std::iter::once(label.to_owned()).chain(all.map(|count| count.to_string())).collect()
}
fn decisions(counts: &DecisionCounts) -> [String; 3] {
    [counts.retain, counts.revise, counts.discard].map(|count| count.to_string())
}

/// How a set stands.
pub fn curation(set: &CurationView) -> String {
    let mut rows = vec![states("all", &set.counts)];
    rows.extend(set.by_task.iter().map(|task| states(&task.label, &task.counts)));
    let header = [set.items.name(), "items", "retained", "discarded", "revised", "disputed", "open"];
    let mut out = table(&header, &rows);
    let people: Vec<Vec<String>> = set
        .by_person
        .iter()
        .map(|own| {
            let mut row = vec![own.person.clone()];
            row.extend(decisions(&own.decisions));
            row.extend(decisions(&own.settled));
            row.push(own.open.to_string());
            row
        })
        .collect();
    let header = [
        "person",
        "retain",
        "revise",
        "discard",
        "settled retain",
        "settled revise",
        "settled discard",
        "open",
    ];
    out += "\n";
    out += &table(&header, &people);
    let rounds: Vec<Vec<String>> = set
        .by_round
        .iter()
        .map(|round| {
            let mut row = vec![round.round.to_string(), round.items.to_string()];
            row.extend(decisions(&round.decisions));
            row
        })
        .collect();
    out += "\n";
    out += &table(&["round", "items", "retain", "revise", "discard"], &rounds);
    if let Some(found) = &set.agreement {
        let value = percent(found.numbers.percent_agreement.value);
        let _ = writeln!(
            out,
            "\nThe first two agree on {value} % of {} looked at by both",
            found.numbers.pairable_units
        );
    }
    out
}

/// Criteria that alone stand against the person, with what dropping each would do.
pub fn criteria(found: &CriterionEffectsView) -> String {
    let effects = &found.effects;
    let or_dash = |count: Option<domain::Count>| count.map_or_else(|| "–".to_owned(), |n| n.to_string());
    let rows: Vec<Vec<String>> = effects
        .criteria
        .iter()
        .filter(|row| row.alone_against_person.get() > 0)
        .take(40)
        .map(|row| {
            let name: String = row.criterion.chars().take(60).collect();
            vec![
                name,
                row.units.to_string(),
                row.alone_against_person.to_string(),
                row.alone_with_person.to_string(),
                row.agree.to_string(),
                row.agree_dropped.to_string(),
                or_dash(row.agree_dropped_left_out),
                plain(Some(row.threshold.threshold)),
                or_dash(row.threshold.agree_left_out),
            ]
        })
        .collect();
    let header = [
        "criterion",
        "units",
        "alone against",
        "alone with",
        "agree",
        "dropped",
        "left out",
        "threshold",
        "left out",
    ];
    let mut out = table(&header, &rows);
    let _ = writeln!(
        out,
        "{} of {} agree; at threshold {} {} of them, {} where the other prompts choose it",
        effects.agree,
        effects.units,
        plain(Some(effects.threshold.threshold)),
        effects.threshold.agree,
        or_dash(effects.threshold.agree_left_out)
    );
    out
}
