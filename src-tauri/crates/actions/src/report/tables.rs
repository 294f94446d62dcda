//! The tables of the report, from the same figures as the screens.

use super::{
    facts::Facts,
    html::{Shown, count, ends, or_reason, percent, three, two},
    plots::{self, Bar, Estimate},
};
use crate::{
    units::{self, Computation, Unit},
    wire::{self, UnitSet},
};
use ::agreement::{AgreementResult, Coefficient, Numbers, SweepPoint};
use domain::Modality;
use std::{collections::BTreeMap, fmt::Write as _};

const AGREEMENT: [&str; 9] =
    ["", "n", "agree %", "95 %", "Scott’s π", "95 %", "Cohen’s κ", "Gwet’s AC1", "Krippendorff’s α"];

fn row(label: String, numbers: &Numbers) -> Vec<String> {
    vec![
        label,
        count(numbers.pairable_units.get()),
        or_reason(&numbers.percent_agreement, percent),
        ends(numbers.percent_agreement.ci95, percent),
        or_reason(&numbers.scott_pi, two),
        ends(numbers.scott_pi.ci95, two),
        or_reason(&numbers.cohen_kappa, two),
        or_reason(&numbers.gwet_ac1, two),
        or_reason(&numbers.krippendorff_alpha, two),
    ]
}

pub(super) fn by_modality(result: &AgreementResult) -> String {
    let mut table = Shown::new("Judge and the majority of people, by modality", AGREEMENT);
    for group in &result.by {
        table.rows.push(row(group.group.modality.clone().unwrap_or_default(), &group.numbers));
    }
    table.rows.push(row("overall".to_owned(), &result.numbers));
    table.total = true;
    table.html()
}

pub(super) fn judge_as_test(result: &AgreementResult) -> String {
    let mut table = Shown::new(
        "The judge as a test of correctness, people as the reference",
        [
            "",
            "true pos.",
            "false pos.",
            "true neg.",
            "false neg.",
            "sensitivity",
            "specificity",
            "prevalence",
            "bias",
        ],
    );
    let mut push = |label: String, numbers: &Numbers| {
        if let Some(test) = &numbers.judge_as_test {
            table.rows.push(vec![
                label,
                count(test.tp.get()),
                count(test.fp.get()),
                count(test.tn.get()),
                count(test.fn_.get()),
                or_reason(&test.sensitivity, two),
                or_reason(&test.specificity, two),
                two(numbers.prevalence),
                two(numbers.bias),
            ]);
        }
    };
    for group in &result.by {
        push(group.group.modality.clone().unwrap_or_default(), &group.numbers);
    }
    push("overall".to_owned(), &result.numbers);
    table.total = true;
    table.html()
}

/// The coefficients of two raters on two labels, by name.
fn named(numbers: &Numbers) -> Vec<(&'static str, &Coefficient)> {
    let mut all = vec![
        ("Percent agreement", &numbers.percent_agreement),
        ("Scott’s π", &numbers.scott_pi),
        ("Cohen’s κ", &numbers.cohen_kappa),
        ("Fleiss’ κ", &numbers.fleiss_kappa),
        ("Krippendorff’s α", &numbers.krippendorff_alpha),
        ("Gwet’s AC1", &numbers.gwet_ac1),
        ("Brennan–Prediger", &numbers.brennan_prediger),
        ("PABAK", &numbers.pabak),
    ];
    if let Some(test) = &numbers.judge_as_test {
        all.extend([("Sensitivity", &test.sensitivity), ("Specificity", &test.specificity)]);
    }
    all
}

pub(super) fn coefficients(numbers: &Numbers) -> String {
    let mut table = Shown::new(
        "All coefficients, judge and the majority of people",
        ["", "value", "95 %", "std. error", "undefined resamples"],
    );
    for (name, coefficient) in named(numbers) {
        table.rows.push(vec![
            name.to_owned(),
            or_reason(coefficient, three),
            ends(coefficient.ci95, two),
            three(coefficient.se),
            count(coefficient.undefined_resamples.map_or(0, domain::Count::get)),
        ]);
    }
    table.html()
}

pub(super) fn estimates(numbers: &Numbers) -> Vec<Estimate> {
    named(numbers)
        .into_iter()
        .map(|(name, c)| Estimate { label: name.to_owned(), n: String::new(), value: c.value, ci95: c.ci95 })
        .collect()
}

fn plain(how: &Computation) -> Computation {
    Computation { by: Vec::new(), sweep: false, ..how.clone() }
}

pub(super) fn by_model(all: &[Unit], set: UnitSet, how: &Computation) -> String {
    let mut table = Shown::new("Judge and the majority of people, by model", AGREEMENT);
    for model in units::models(all) {
        let own: Vec<Unit> = all.iter().filter(|unit| *unit.model == *model).cloned().collect();
        let (result, _) = units::judge_human(&own, set, units::MAJORITY, &plain(how));
        table.rows.push(row(model, &result.numbers));
    }
    table.html()
}

pub(super) fn by_person(all: &[Unit], set: UnitSet, how: &Computation) -> String {
    let mut table = Shown::new("Judge and each person", AGREEMENT);
    for person in units::people(all) {
        let (result, _) = units::judge_human(all, set, &person, &plain(how));
        table.rows.push(row(person, &result.numbers));
    }
    table.html()
}

pub(super) fn human_human(all: &[Unit], how: &Computation) -> String {
    let mut table = Shown::new("People pair by pair, over every output that both judged", AGREEMENT);
    for (a, b, result) in units::pairs(all, &plain(how)).into_values() {
        table.rows.push(row(format!("{a} – {b}"), &result.numbers));
    }
    if table.rows.is_empty() {
        return "<p>No two people have judged the same output.</p>\n".to_owned();
    }
    table.html()
}

pub(super) fn sweep(points: &[SweepPoint]) -> String {
    let mut table = Shown::new("Threshold sweep", ["threshold", "agree %", "Scott’s π", "Cohen’s κ"]);
    for point in points {
        table.rows.push(vec![
            format!("{:.2}", point.threshold),
            percent(point.percent_agreement),
            two(point.scott_pi),
            two(point.cohen_kappa),
        ]);
    }
    let best = |of: fn(&SweepPoint) -> Option<f64>| {
        points.iter().filter_map(|p| Some((of(p)?, p.threshold))).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let mut out = table.html();
    if let (Some((agree, at)), Some((pi, pi_at))) = (best(|p| p.percent_agreement), best(|p| p.scott_pi)) {
        let _ = writeln!(
            out,
            "<p>Agreement is highest, {} %, at {at:.2}; π is highest, {}, at {pi_at:.2}. A threshold picked on these outputs \
             flatters itself on them.</p>",
            percent(Some(agree)),
            two(Some(pi))
        );
    }
    out
}

pub(super) fn causes(settled: &BTreeMap<&'static str, u64>) -> String {
    let mut table = Shown::new("Settled cases by cause", ["cause", "cases"]);
    let mut rows: Vec<(&&str, &u64)> = settled.iter().collect();
    rows.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    for (cause, n) in rows {
        table.rows.push(vec![cause.replace('_', " "), count(*n)]);
    }
    table.html()
}

/// The base files of a folder with their names, best F1 first, and the whole at the end.
fn runs(
    runs: &wire::FolderScores,
    by: fn(&rubric::scores::RunFigures) -> Option<f64>,
) -> Vec<(&str, &str, &rubric::scores::RunFigures)> {
    let mut files: Vec<_> = runs
        .files
        .iter()
        .filter(|(_, file)| file.variant.is_empty())
        .map(|(file, scored)| (file.as_str(), scored.run_name.as_str(), &scored.scores))
        .collect();
    files.sort_by(|a, b| by(b.2).unwrap_or(-1.0).total_cmp(&by(a.2).unwrap_or(-1.0)));
    if files.len() > 1 {
        files.push(("", "all models", &runs.overall));
    }
    files
}

fn interval(details: &wire::ResultDetails, file: &str, path: &str) -> Option<[f64; 2]> {
    let found = if file.is_empty() {
        Some(&details.overall)
    } else {
        details.files.iter().find(|details| details.file == file)
    };
    found.and_then(|details| details.ci95.get(path).copied())
}

pub(super) fn presence(scores: &wire::FolderScores, details: &wire::ResultDetails) -> String {
    let mut table = Shown::new(
        "Modality presence by model (lenient; per cent; sorted by F1)",
        [
            "model",
            "rows",
            "F1 = MPS",
            "95 %",
            "recall",
            "95 %",
            "precision",
            "95 %",
            "pass rate",
            "F1 strict",
            "pass strict",
            "input failure",
        ],
    );
    for (file, model, run) in runs(scores, |run| run.f1) {
        let ci = |path: &str| ends(interval(details, file, path), percent);
        table.rows.push(vec![
            model.to_owned(),
            count(run.rows),
            percent(run.f1),
            ci("f1"),
            percent(run.recall),
            ci("recall"),
            percent(run.precision),
            ci("precision"),
            percent(run.pass_rate),
            percent(run.f1_strict),
            percent(run.pass_rate_strict),
            percent(run.input_failure_rate),
        ]);
        table.total = file.is_empty();
    }
    table.html()
}

pub(super) fn presence_by_modality(scores: &wire::FolderScores) -> String {
    let mut out = String::new();
    for (name, of) in [
        ("F1", (|f: &rubric::scores::ModalityPresenceFigures| f.f1) as fn(&_) -> Option<f64>),
        ("recall", |f| f.recall),
        ("precision", |f| f.precision),
    ] {
        let mut table = Shown::new(
            format!(
                "Presence by model and output modality: {name} (lenient; per cent; – where it is not defined)"
            ),
            ["model", "Text", "Image", "Audio", "Video", "Document"],
        );
        for (file, model, run) in runs(scores, |run| run.f1) {
            let mut cells = vec![model.to_owned()];
            cells.extend(Modality::ALL.map(|modality| percent(of(run.per_modality.lenient.of(modality)))));
            table.rows.push(cells);
            table.total = file.is_empty();
        }
        out += &table.html();
    }
    out
}

pub(super) fn mmi_value(scores: &wire::FolderScores, details: &wire::ResultDetails) -> String {
    let mut table = Shown::new(
        "MMI Value by model (per cent)",
        ["model", "rows", "all", "95 %", "excl. document", "Text", "Image", "Audio", "Video", "Document"],
    );
    for (file, model, run) in runs(scores, |run| run.mmi_value.all) {
        let value = &run.mmi_value;
        let mut cells = vec![
            model.to_owned(),
            count(value.rows),
            percent(value.all),
            ends(interval(details, file, "mmi_value.all"), percent),
            percent(value.excl_document),
        ];
        cells.extend(Modality::ALL.map(|modality| percent(*value.by_modality.of(modality))));
        table.rows.push(cells);
        table.total = file.is_empty();
    }
    table.html()
}

/// One score of every model with its interval, highest first.
pub(super) fn by_score(
    scores: &wire::FolderScores,
    details: &wire::ResultDetails,
    path: &str,
) -> Vec<Estimate> {
    let of: fn(&rubric::scores::RunFigures) -> Option<f64> =
        if path == "mps" { |run| run.mps } else { |run| run.mmi_value.all };
    runs(scores, of)
        .into_iter()
        .map(|(file, model, run)| Estimate {
            label: model.to_owned(),
            n: count(run.rows),
            value: of(run),
            ci95: interval(details, file, path),
        })
        .collect()
}

pub(super) fn routes_plot(details: &wire::ResultDetails) -> String {
    let mut bars = Vec::new();
    let mut table = Shown::new(
        "How expected modalities came back, each response by its strictest route",
        ["model", "modality", "expected", "native", "link", "presence judge", "absent"],
    );
    table.words = vec![1];
    for file in &details.files {
        for routes in &file.routes {
            let counts = routes.counts;
            let all = counts.expected.get();
            let each = [counts.native, counts.url, counts.judge, counts.absent];
            bars.push(Bar {
                label: format!("{} · {}", file.model, routes.modality),
                n: count(all),
                shares: each.map(|n| n.get() as f64 / all.max(1) as f64),
            });
            let mut cells = vec![file.model.clone(), routes.modality.to_string(), count(all)];
            cells.extend(each.map(|n| count(n.get())));
            table.rows.push(cells);
        }
    }
    plots::bars(
        "How expected modalities came back",
        ["native", "by a link", "presence judge only", "not detected"],
        &bars,
    ) + &table.html()
}

pub(super) fn grid(details: &wire::ResultDetails) -> String {
    let outputs: std::collections::BTreeSet<&str> =
        details.grid.iter().map(|cell| cell.outputs.as_str()).collect();
    let inputs: std::collections::BTreeSet<&str> =
        details.grid.iter().map(|cell| cell.inputs.as_str()).collect();
    let mut table = Shown::new("Prompts by inputs (rows) and expected outputs (columns)", ["inputs"]);
    table.heads.extend(outputs.iter().map(|name| (*name).to_owned()));
    for input in inputs {
        let mut cells = vec![input.to_owned()];
        for output in &outputs {
            let found = details.grid.iter().find(|cell| cell.inputs == input && cell.outputs == *output);
            cells.push(found.map_or_else(String::new, |cell| count(cell.prompts.get())));
        }
        table.rows.push(cells);
    }
    table.html()
}

pub(super) fn exclusions(facts: &Facts) -> String {
    let mut table = Shown::new(
        "Outputs that the comparison with the majority leaves out, each by the first reason that holds",
        ["reason", "outputs"],
    );
    for (reason, n) in &facts.exclusions {
        table.rows.push(vec![(*reason).to_owned(), count(*n)]);
    }
    table.rows.push(vec!["compared".to_owned(), count(facts.compared)]);
    table.total = true;
    let mut out = table.html();
    let mut table = Shown::new("Rows of files that were refused at import", ["file", "format", "rows"]);
    table.words = vec![1];
    for (format, path, n) in &facts.refused {
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        table.rows.push(vec![name.to_owned(), format.clone(), count(*n)]);
    }
    if table.rows.is_empty() {
        out.push_str("<p>No row of an imported file was refused.</p>\n");
    }
    out.push_str(&table.html());
    out
}
