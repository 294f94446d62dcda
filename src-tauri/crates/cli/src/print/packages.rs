//! Packages, and what came back in them.

use super::table;
use actions::wire::{MergeReport, PackReport};
use std::fmt::Write;

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
