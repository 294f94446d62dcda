//! Modality presence of one row (MMI 3.4.2).
//!
//! Choice: a failed provider call is scored as if nothing had been detected, whatever its flags say; the harness
//! writes such rows with empty flags, so both readings agree on its own files.

use super::ScoredRow;
use domain::Modality;

/// Which detections count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// Native, by URL or by the presence judge.
    Lenient,
    /// Native only.
    Strict,
}

/// Precision, recall, F1 and pass of one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PresenceScores {
    /// Share of the detected modalities that were expected; 1 when nothing was detected.
    pub precision: f64,
    /// Share of the expected modalities that were detected; 0 when nothing is expected.
    pub recall: f64,
    /// Harmonic mean of the two; 0 when both are 0.
    pub f1: f64,
    /// Every expected modality is present, and at least one is expected.
    pub pass: bool,
}

/// Does `modality` count as detected in the row? Text that is not expected never does; a failed row detects nothing.
pub fn detected(row: &ScoredRow<'_>, modality: Modality, strictness: Strictness) -> bool {
    if row.failed || (modality == Modality::Text && !row.expects(Modality::Text)) {
        return false;
    }
    let detection = row.presence.of(modality);
    match strictness {
        Strictness::Lenient => detection.lenient(),
        Strictness::Strict => detection.strict(),
    }
}

/// Presence arithmetic of one row.
pub fn presence_scores(row: &ScoredRow<'_>, strictness: Strictness) -> PresenceScores {
    let (mut expected, mut found, mut both) = (0_u32, 0_u32, 0_u32);
    for modality in Modality::ALL {
        let is_expected = row.expects(modality);
        let is_found = detected(row, modality, strictness);
        expected += u32::from(is_expected);
        found += u32::from(is_found);
        both += u32::from(is_expected && is_found);
    }
    let precision = if found == 0 { 1.0 } else { f64::from(both) / f64::from(found) };
    let recall = if expected == 0 { 0.0 } else { f64::from(both) / f64::from(expected) };
    let sum = precision + recall;
    let f1 = if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum };
    PresenceScores { precision, recall, f1, pass: expected > 0 && both == expected }
}
