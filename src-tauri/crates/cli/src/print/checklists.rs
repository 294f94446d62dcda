//! Scores by checklists (GAMUT), as tables.

use super::{interval, percent, table};
use actions::wire::{GamutRow, GamutScores, VerdictShares};
use std::fmt::Write;

/// Model by model under each judge; multimodal against text alone; criteria that people graded.
pub fn scores(scores: &GamutScores) -> String {
    let mut out = String::new();
    let mut at = 0;
    while let Some(first) = scores.models.get(at) {
        let same = |row: &&GamutRow| {
            (&row.judge, row.by_person, &row.variant) == (&first.judge, first.by_person, &first.variant)
        };
        let own: Vec<&GamutRow> = scores.models[at..].iter().take_while(same).collect();
        at += own.len();
        let who = if first.by_person { " (a person)" } else { "" };
        let _ = writeln!(out, "GAMUT score by {}{who}, {}\n", first.judge, first.variant.replace('_', " "));
        let rows: Vec<Vec<String>> = own.iter().map(|row| cells(row)).collect();
        let header = [
            "model",
            "scored",
            "score",
            "95 %",
            "AC",
            "V",
            "C",
            "meets",
            "partially",
            "missing",
            "contradicts",
            "evaluator errors",
        ];
        out += &table(&header, &rows);
        if own.iter().any(|row| row.own_family) {
            out += "* the judge's own family\n";
        }
        out.push('\n');
    }
    out + &differences(scores) + &people(scores) + &waiting(scores)
}

fn cells(row: &GamutRow) -> Vec<String> {
    let mut cells = vec![
        format!("{}{}", row.model, if row.own_family { " *" } else { "" }),
        row.scored.to_string(),
        percent(row.score.value),
        interval(&row.score, percent),
    ];
    cells.extend(["AC", "V", "C"].map(|tier| percent(row.tiers.get(tier).and_then(|score| score.value))));
    let share = |of: fn(&VerdictShares) -> f64| percent(row.mix.as_ref().map(of));
    cells.extend([
        share(|mix| mix.meets),
        share(|mix| mix.partially),
        share(|mix| mix.missing),
        share(|mix| mix.contradicts),
        row.evaluator_errors.to_string(),
    ]);
    cells
}

fn differences(scores: &GamutScores) -> String {
    if scores.differences.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = scores
        .differences
        .iter()
        .map(|row| {
            vec![
                row.model.clone(),
                row.judge.clone(),
                row.questions.to_string(),
                percent(row.multimodal.value),
                percent(row.text_only.value),
                percent(row.difference.value),
                interval(&row.difference, percent),
            ]
        })
        .collect();
    let header = ["model", "judge", "questions", "multimodal", "text only", "difference", "95 %"];
    format!("GAMUT score, multimodal against text alone\n\n{}\n", table(&header, &rows))
}

fn people(scores: &GamutScores) -> String {
    if scores.people.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = scores
        .people
        .iter()
        .map(|row| {
            vec![
                row.model.clone(),
                row.judge.clone(),
                row.responses.to_string(),
                percent(row.value.value),
                interval(&row.value, percent),
                percent(row.collapsed.value),
            ]
        })
        .collect();
    let header = ["model", "person", "responses", "value", "95 %", "collapsed"];
    format!("MMI Value of criteria graded by people\n\n{}\n", table(&header, &rows))
}

fn waiting(scores: &GamutScores) -> String {
    let without = &scores.without_checklist;
    if without.is_empty() {
        return String::new();
    }
    let some: Vec<&str> = without.iter().take(5).map(String::as_str).collect();
    format!("Questions with grades and without a checklist: {} ({})\n", without.len(), some.join(", "))
}
