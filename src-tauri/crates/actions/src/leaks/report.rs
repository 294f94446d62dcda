//! The blindness report: what was opened, what was looked for, what was found, in words that can be handed on.

use crate::wire::{LeakReport, LeakView};
use domain::{Count, counted};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write, path::Path};

/// The report on `person`. `about`: the study's name and the package that was looked into, which then head it together
/// with when and by what it was made, and the hash of the package.
pub fn report_text(person: &str, report: &LeakReport, about: Option<(&str, Option<&Path>)>) -> String {
    let counts = |of: &BTreeMap<String, Count>| -> String {
        let rows: Vec<String> = of.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
        if rows.is_empty() { "nothing".to_owned() } else { rows.join(", ") }
    };
    let mut out = format!("Blindness report for {person}\n\n");
    if let Some((study, package)) = about {
        let _ = writeln!(out, "study: {study}");
        match package {
            Some(path) => {
                let hash = std::fs::read(path).map(|bytes| hex::encode(Sha256::digest(bytes)));
                let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
                let _ = writeln!(out, "looked at: the package {name}");
                let _ = writeln!(out, "SHA-256 of the package: {}", hash.unwrap_or_default());
            }
            None => {
                let _ = writeln!(out, "looked at: every file that a session of {person} opens");
            }
        }
        let _ = writeln!(out, "made: {} by Assize {}", store::now(), env!("CARGO_PKG_VERSION"));
        let verdict = if report.leaks.is_empty() { "CLEAN" } else { "NOT CLEAN" };
        let _ = writeln!(
            out,
            "result: {verdict}, {}, {}\n",
            counted(report.leaks.len(), "leak", "leaks"),
            counted(report.warnings.len(), "warning", "warnings")
        );
    }
    let _ = writeln!(out, "reached: {}", counts(&report.reached));
    let _ = writeln!(out, "looked for: {}", counts(&report.looked_for));
    let _ = writeln!(
        out,
        "Every file was read cell by cell and byte by byte, and every asset for what it says about itself."
    );
    findings(&mut out, "LEAKS: must not be reached, and are", &report.leaks);
    findings(&mut out, "Warnings: may give a model away, and cannot be kept back", &report.warnings);
    let leaks = counted(report.leaks.len(), "leak", "leaks");
    let _ = writeln!(out, "\n{leaks}, {}", counted(report.warnings.len(), "warning", "warnings"));
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
