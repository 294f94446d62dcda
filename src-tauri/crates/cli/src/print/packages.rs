//! Packages, what came back in them, and the report on what a person can reach.

use super::table;
use actions::wire::{LeakReport, LeakView, MergeReport, PackReport};
use domain::Count;
use std::{collections::BTreeMap, fmt::Write};

/// What was packed.
pub fn packed(done: &PackReport) -> String {
    let what = if done.returned {
        format!("{} statements of {} on their way back", done.statements, done.person)
    } else {
        format!(
            "{} tasks for {} as {}, with {} files and {} earlier statements",
            done.tasks, done.person, done.role, done.blobs, done.statements
        )
    };
    format!("{}: {what}\n", done.path)
}

/// What merging did.
pub fn merged(done: &MergeReport) -> String {
    let mut out = String::new();
    let new: u64 = done.merged.values().map(|n| n.get()).sum();
    let _ = writeln!(out, "{new} new statements, {} here already", done.already);
    if new > 0 {
        let rows: Vec<Vec<String>> =
            done.merged.iter().map(|(kind, n)| vec![kind.clone(), n.to_string()]).collect();
        out += &table(&["statement", "new"], &rows);
    }
    if done.queued_again.get() > 0 {
        let _ = writeln!(out, "{} tasks are queued again: what they are about changed", done.queued_again);
    }
    for held in &done.held {
        let journal = held.journal.as_ref().map_or_else(String::new, |journal| format!(" ({journal})"));
        let _ = writeln!(out, "not taken: {}{journal}: {}", held.file, held.reason);
    }
    for fork in &done.forks {
        let _ = writeln!(
            out,
            "\nfork: {} about {}: {} versions stand",
            fork.kind,
            fork.about,
            fork.versions.len()
        );
        for version in &fork.versions {
            let _ = writeln!(
                out,
                "  {} on device {} at {}: {}",
                version.person, version.device, version.made_at, version.summary
            );
        }
    }
    out
}

fn findings(out: &mut String, title: &str, all: &[LeakView]) {
    if all.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}");
    for finding in all {
        let _ = writeln!(out, "  {}\n    {}", finding.what, finding.place);
    }
}

/// The blindness report: it says what was opened and looked for, so that it can be handed on.
pub fn leaks(person: &str, report: &LeakReport) -> String {
    let counts = |of: &BTreeMap<String, Count>| -> String {
        let rows: Vec<String> = of.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
        if rows.is_empty() { "nothing".to_owned() } else { rows.join(", ") }
    };
    let mut out = format!("Blindness report for {person}\n\n");
    let _ = writeln!(out, "reached: {}", counts(&report.reached));
    let _ = writeln!(out, "looked for: {}", counts(&report.looked_for));
    let _ = writeln!(
        out,
        "Every file was read cell by cell and byte by byte, and every asset for what it says about itself."
    );
    findings(&mut out, "LEAKS: must not be reached, and are", &report.leaks);
    findings(&mut out, "Warnings: may give a model away, and cannot be kept back", &report.warnings);
    let _ = writeln!(out, "\n{} leaks, {} warnings", report.leaks.len(), report.warnings.len());
    out
}
