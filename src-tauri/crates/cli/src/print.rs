//! Tables for people: fixed columns, percent with one decimal, coefficients with two, a dash for what is not
//! defined. Scripts use `--json`.

mod checklists;
mod curation;
mod packages;
mod qualification;

pub use curation::{criteria, curation};
pub use packages::{merged, packed};
pub use qualification::qualification;

use crate::args::ScoreTable;
use actions::{
    command_line::{AgreementReply, AssignedReport, FormatRow},
    figures::{self, percent, two as plain},
    files::CheckReport,
    wire::{ImportSummary, LossView, StudyScores},
};
use agreement::{AgreementResult, Coefficient, Numbers};
use domain::Modality;
use rubric::{
    compile::Diagnostic,
    lints::{LintReport, Severity},
};
use std::{collections::BTreeMap, fmt::Write};

/// Rows under a header, columns padded, the first one left, the others right.
fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for (column, cell) in cells.enumerate() {
            let gap = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
            let _ = if column == 0 { write!(text, "{cell}{gap}") } else { write!(text, "  {gap}{cell}") };
        }
        text.trim_end().to_owned() + "\n"
    };
    let mut out = line(&mut header.iter().copied());
    for row in rows {
        out += &line(&mut row.iter().map(String::as_str));
    }
    out
}

fn interval(coefficient: &Coefficient, show: fn(Option<f64>) -> String) -> String {
    figures::interval(coefficient.ci95, show).unwrap_or_default()
}

/// What an import did.
pub fn import(done: &ImportSummary) -> String {
    let mut out = String::new();
    for file in &done.files {
        let format = if file.format.is_empty() { "no known format" } else { &file.format };
        let added: Vec<String> = file.added.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
        let added = if added.is_empty() { "nothing new".to_owned() } else { added.join(", ") };
        let _ = writeln!(out, "{}  ({format}): {added}, {} unchanged", file.path, file.unchanged);
        for (word, notes) in [("rejected", &file.rejected), ("warning", &file.warnings)] {
            for note in notes.iter().take(20) {
                let place = if note.line.get() == 0 { String::new() } else { format!(" line {}", note.line) };
                let _ = writeln!(out, "  {word}{place}: {}", note.why);
            }
            if notes.len() > 20 {
                let _ = writeln!(out, "  … and {} more of these (--json lists all)", notes.len() - 20);
            }
        }
    }
    out
}

/// What can be exported.
pub fn formats(formats: &[FormatRow]) -> String {
    let rows: Vec<Vec<String>> =
        formats.iter().map(|format| vec![format.name.clone(), format.holds.clone()]).collect();
    table(&["format", "holds"], &rows)
}

/// What an export loses, one kind a line; nothing where nothing is lost.
pub fn losses(format: &str, losses: &[LossView]) -> String {
    let mut text = String::new();
    for loss in losses {
        let _ = writeln!(text, "{format} loses {} ({}): {}", loss.what, loss.count, loss.example);
    }
    text
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// What the compiler of meta-rubrics says.
pub fn diagnostics(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let place = diagnostic.item.as_deref().unwrap_or("meta-rubric");
        let severity = severity(diagnostic.severity);
        let _ = writeln!(out, "{place}: {severity} [{}] {}", diagnostic.code, diagnostic.message);
    }
    out
}

/// Findings of the lints.
pub fn lints(report: &LintReport) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        let place = [finding.prompt.as_deref(), finding.criterion.as_deref()];
        let place: Vec<&str> = place.into_iter().flatten().collect();
        let place = if place.is_empty() { "rubric".to_owned() } else { place.join(" #") };
        let severity = severity(finding.severity);
        let _ = writeln!(out, "{place}: {severity} [{}] {}", finding.rule, finding.message);
        if let Some(fix) = &finding.fix {
            let _ = writeln!(out, "    fix: {}", fix.label);
        }
    }
    let _ = writeln!(out, "{} findings (the lints know English only)", report.findings.len());
    out
}

/// The results tables.
pub fn scores(scores: &StudyScores, only: Option<ScoreTable>) -> String {
    let interaction = scores
        .interaction
        .as_ref()
        .filter(|_| only.is_none_or(|table| table == ScoreTable::Interaction))
        .map_or_else(String::new, curation::interaction);
    if scores.runs.is_empty() && scores.gamut.is_none() && !interaction.is_empty() {
        return interaction;
    }
    if scores.runs.is_empty() && scores.gamut.is_none() {
        return "No responses yet: `assize import STUDY RUN` brings them in.\n".to_owned();
    }
    let mut out = interaction;
    for (folder, runs) in &scores.runs {
        let mut rows: Vec<(String, &rubric::scores::RunFigures)> = runs
            .files
            .values()
            .map(|file| {
                let variant = if file.variant.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", file.variant.trim_start_matches('_'))
                };
                (format!("{}{variant}", file.run_name), &file.scores)
            })
            .collect();
        rows.push(("overall".to_owned(), &runs.overall));
        if only.is_none_or(|table| table == ScoreTable::Presence) {
            let _ = writeln!(out, "{folder}: modality presence (lenient; MPS = mean F1)\n");
            let lines: Vec<Vec<String>> = rows
                .iter()
                .map(|(name, run)| {
                    vec![
                        name.clone(),
                        run.rows.to_string(),
                        percent(run.mps),
                        percent(run.recall),
                        percent(run.precision),
                        percent(run.f1_strict),
                        percent(run.pass_rate),
                        percent(run.input_failure_rate),
                    ]
                })
                .collect();
            out += &table(
                &["model", "rows", "MPS", "recall", "precision", "F1 strict", "pass rate", "input failures"],
                &lines,
            );
            out.push('\n');
        }
        if only.is_none_or(|table| table == ScoreTable::Mmi) {
            let _ = writeln!(out, "{folder}: MMI Value\n");
            let lines: Vec<Vec<String>> = rows
                .iter()
                .map(|(name, run)| {
                    let value = &run.mmi_value;
                    let mut cells = vec![
                        name.clone(),
                        value.rows.to_string(),
                        percent(value.all),
                        percent(value.excl_document),
                    ];
                    cells.extend(Modality::ALL.iter().map(|m| percent(*value.by_modality.of(*m))));
                    cells.push(run.evaluator_error_grades.to_string());
                    cells
                })
                .collect();
            out += &table(
                &[
                    "model",
                    "rows",
                    "all",
                    "excl. doc",
                    "text",
                    "image",
                    "audio",
                    "video",
                    "document",
                    "evaluator errors",
                ],
                &lines,
            );
            out.push('\n');
        }
    }
    if let Some(gamut) = scores.gamut.as_ref().filter(|_| only.is_none_or(|table| table == ScoreTable::Gamut))
    {
        out += &checklists::scores(gamut);
    }
    out
}

fn numbers_row(name: String, numbers: &Numbers) -> Vec<String> {
    vec![
        name,
        numbers.pairable_units.to_string(),
        percent(numbers.percent_agreement.value),
        interval(&numbers.percent_agreement, percent),
        plain(numbers.scott_pi.value),
        interval(&numbers.scott_pi, plain),
        plain(numbers.cohen_kappa.value),
        plain(numbers.gwet_ac1.value),
        plain(numbers.krippendorff_alpha.value),
    ]
}

/// Why there is a dash in rows of [`numbers_row`]: each reason once, with the rows and figures that it is about.
fn reasons<'a>(rows: impl IntoIterator<Item = (&'a str, &'a Numbers)>) -> String {
    let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, numbers) in rows {
        let mut own: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (figure, coefficient) in [
            ("% agree", &numbers.percent_agreement),
            ("π", &numbers.scott_pi),
            ("κ", &numbers.cohen_kappa),
            ("AC1", &numbers.gwet_ac1),
            ("α", &numbers.krippendorff_alpha),
        ] {
            if let Some(reason) = &coefficient.undefined {
                own.entry(reason).or_default().push(figure);
            }
        }
        for (reason, figures) in own {
            by_reason.entry(reason).or_default().push(format!("{} of {name}", figures.join(", ")));
        }
    }
    let mut out = String::new();
    for (reason, about) in by_reason {
        let _ = writeln!(out, "–  {reason}: {}", about.join("; "));
    }
    if out.is_empty() { out } else { format!("\n{out}") }
}

fn one_agreement(result: &AgreementResult) -> String {
    let mut named: Vec<(String, &Numbers)> = Vec::new();
    for group in &result.by {
        let agreement::Group { modality, model, annotator, tag, detection_route, rubric_version } =
            &group.group;
        let names = [modality, model, annotator, tag, detection_route, rubric_version];
        let name: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
        named.push((name.join(" "), &group.numbers));
    }
    named.push(("overall".to_owned(), &result.numbers));
    let rows: Vec<_> = named.iter().map(|(name, numbers)| numbers_row(name.clone(), numbers)).collect();
    let mut out = table(&["", "N", "% agree", "95 %", "π", "95 %", "κ", "AC1", "α"], &rows);
    out += &reasons(named.iter().map(|(name, numbers)| (name.as_str(), *numbers)));
    if let Some(sweep) = &result.numbers.sweep {
        let rows: Vec<Vec<String>> = sweep
            .iter()
            .map(|point| {
                vec![
                    format!("{:.2}", point.threshold),
                    percent(point.percent_agreement),
                    plain(point.scott_pi),
                ]
            })
            .collect();
        let _ = write!(out, "\n{}", table(&["threshold", "% agree", "π"], &rows));
        let best = |value: fn(&agreement::SweepPoint) -> Option<f64>| {
            sweep
                .iter()
                .filter_map(|point| Some((value(point)?, point.threshold)))
                .max_by(|a, b| a.0.total_cmp(&b.0))
        };
        if let (Some((percent_max, at)), Some((pi_max, pi_at))) =
            (best(|p| p.percent_agreement), best(|p| p.scott_pi))
        {
            let _ = writeln!(
                out,
                "\nmaximum: {} % at {at:.2}; π {} at {pi_at:.2}",
                percent(Some(percent_max)),
                plain(Some(pi_max))
            );
        }
    }
    if result.method.resamples.get() > 0 {
        let _ = writeln!(
            out,
            "\n95 %: {}, {} resamples, seed {}",
            result.method.interval, result.method.resamples, result.method.seed
        );
    }
    out
}

/// Agreement.
pub fn agreement(reply: &AgreementReply) -> String {
    match reply {
        AgreementReply::One(result) => one_agreement(result),
        AgreementReply::Study(study) => {
            let mut out = format!("results folder: {}\n", study.folder);
            for (set, people) in &study.sets {
                for (person, entry) in people {
                    let ties = if entry.ties.get() > 0 {
                        format!(", {} ties left out", entry.ties)
                    } else {
                        String::new()
                    };
                    let _ = write!(
                        out,
                        "\njudge and {person}, set {set}{ties}\n\n{}",
                        one_agreement(&entry.result)
                    );
                }
            }
            for (pair, result) in &study.human_human {
                let _ = write!(out, "\n{}\n\n{}", pair.replace('|', " and "), one_agreement(result));
            }
            if let Some(checks) = &study.checks {
                let judge = format!("{} and people", checks.judge);
                let mut named = vec![
                    (judge.as_str(), &checks.judge_human),
                    ("people among themselves", &checks.among_people),
                ];
                named.retain(|(_, numbers)| numbers.pairable_units.get() > 0);
                let rows: Vec<_> =
                    named.iter().map(|(name, numbers)| numbers_row((*name).to_owned(), numbers)).collect();
                let head = ["", "N", "% agree", "95 %", "π", "95 %", "κ", "AC1", "α"];
                let _ = write!(
                    out,
                    "\nsingle checks ({} of them), met or unmet\n\n{}{}",
                    checks.total,
                    table(&head, &rows),
                    reasons(named)
                );
            }
            out
        }
    }
}

/// What `check` found.
pub fn check(report: &CheckReport) -> String {
    let mut out = String::new();
    for problem in &report.problems {
        let _ = writeln!(out, "{}: {}: {}", problem.severity, problem.file, problem.what);
        if !problem.advice.is_empty() {
            let _ = writeln!(out, "    {}", problem.advice);
        }
    }
    let _ = writeln!(
        out,
        "{} statements and {} blobs verified, {} problems",
        report.statements,
        report.blobs,
        report.problems.len()
    );
    out
}

/// Tasks that were made.
pub fn assigned(report: &AssignedReport) -> String {
    let rows: Vec<Vec<String>> = report
        .tasks
        .iter()
        .map(|row| vec![row.person.clone(), row.kind.clone(), row.added.to_string()])
        .collect();
    let mut out = table(&["person", "kind", "new tasks"], &rows);
    if report.released.get() > 0 {
        let _ = writeln!(out, "{} tasks were taken back before: their time was over", report.released);
    }
    if report.short.get() > 0 {
        let why = if report.held_back.is_empty() {
            "who writes a rubric does not judge its responses"
        } else {
            "who is not qualified for an item does not get it, and who writes a rubric does not judge its responses"
        };
        let _ = writeln!(out, "{} items have fewer people than asked for: {why}", report.short);
    }
    for held in &report.held_back {
        let _ = writeln!(out, "{} items of {} held back: {}", held.items, held.modality, held.why);
    }
    out
}

/// What is known of files.
pub fn probes(probes: &[media::Probe]) -> String {
    probes
        .iter()
        .filter_map(|probe| serde_json::to_string_pretty(probe).ok())
        .map(|text| text + "\n")
        .collect()
}

/// Guidelines as their file says them.
pub fn guidelines(shown: &actions::wire::Guidelines) -> String {
    let end = if shown.markdown.ends_with('\n') { "" } else { "\n" };
    format!("{}{}{end}", shown.rules.head(), shown.markdown)
}
