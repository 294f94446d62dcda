//! Extract, then compute: a judge says what was found, the verdict follows.
//!
//! One judge asked for a direct label called a third of reversed orders right, and all of them when asked to list the
//! steps it matched (COMPILER, "Extract, then compute"). What is computed is shown, and may be overridden with a
//! reason; nothing here computes `contradicts` from silence.

use domain::{Check, CheckKind, CheckVerdict};
use std::collections::{HashMap, HashSet};

pub use domain::{Extraction, FoundOption};

/// The verdict on a check of the extraction's item, for checks whose verdict follows from what was found: thresholds,
/// sequences, single entries, options and steps. None for other kinds and other items.
pub fn computed(check: &Check, found: &Extraction) -> Option<CheckVerdict> {
    if check.provenance.item != found.item {
        return None;
    }
    let entries = &check.provenance.entries;
    match check.kind {
        CheckKind::Baseline | CheckKind::Coverage => Some(threshold(check.n?, entries, &found.options)),
        CheckKind::Sequence | CheckKind::FullSequence => Some(sequence(entries, &found.steps)),
        CheckKind::Option | CheckKind::ListEntry => Some(threshold(1, entries, &found.options)),
        CheckKind::Step | CheckKind::OptionalStep => {
            let stated = entries.iter().any(|step| found.steps.contains(step));
            Some(if stated { CheckVerdict::Meets } else { CheckVerdict::Missing })
        }
        CheckKind::Fact | CheckKind::RelatedEntity | CheckKind::Aspect | CheckKind::MetaInsight => None,
    }
}

/// At least `n` of `options`: met by precise ones; partial only where imprecise ones make up the number, never for
/// one too few.
pub fn threshold(n: u32, options: &[String], found: &[FoundOption]) -> CheckVerdict {
    let listed: HashSet<&str> = options.iter().map(String::as_str).collect();
    let mut precise = HashMap::new();
    for option in found.iter().filter(|option| listed.contains(option.id.as_str())) {
        *precise.entry(option.id.as_str()).or_insert(false) |= !option.imprecise;
    }
    let wanted = usize::try_from(n).unwrap_or(usize::MAX);
    if precise.values().filter(|precise| **precise).count() >= wanted {
        CheckVerdict::Meets
    } else if precise.len() >= wanted {
        CheckVerdict::Partial
    } else {
        CheckVerdict::Missing
    }
}

/// Steps in order: missing with fewer than two of them, contradicted when any two are reversed. Steps left out and
/// steps that the sequence has not do not matter.
pub fn sequence(order: &[String], found: &[String]) -> CheckVerdict {
    let place: HashMap<&str, usize> = order.iter().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
    let mut seen = HashSet::new();
    let places: Vec<usize> =
        found.iter().filter_map(|id| place.get(id.as_str()).copied()).filter(|at| seen.insert(*at)).collect();
    if places.len() < 2 {
        CheckVerdict::Missing
    } else if places.is_sorted() {
        CheckVerdict::Meets
    } else {
        CheckVerdict::Contradicts
    }
}
