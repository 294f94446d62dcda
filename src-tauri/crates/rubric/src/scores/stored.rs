//! A row carries the scores that the harness computed; ours are the ones shown, and a difference is reported
//! (quirk Q11).

use super::{ScoredRow, Strictness, mmi_value, presence_scores};
use domain::StoredScores;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two scores this close are the same (quirk Q41).
pub const TOLERANCE: f64 = 1e-9;

/// One score on which the file and our arithmetic differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreDifference {
    /// The row's key: `precision`, `recall`, `f1`, `f1_strict` or `rubric_score`.
    pub key: String,
    /// What the file says.
    pub stored: f64,
    /// What follows from the row's flags and grades; none when nothing does.
    pub computed: Option<f64>,
}

/// The stored scores that do not follow from the row. A score the row does not carry is no difference.
pub fn differing_scores(row: &ScoredRow<'_>, stored: &StoredScores) -> Vec<ScoreDifference> {
    let lenient = presence_scores(row, Strictness::Lenient);
    let strict = presence_scores(row, Strictness::Strict);
    [
        ("precision", stored.precision, Some(lenient.precision)),
        ("recall", stored.recall, Some(lenient.recall)),
        ("f1", stored.f1, Some(lenient.f1)),
        ("f1_strict", stored.f1_strict, Some(strict.f1)),
        ("rubric_score", stored.rubric_score, mmi_value(row)),
    ]
    .into_iter()
    .filter_map(|(key, stored, computed)| {
        let stored = stored?;
        let same = computed.is_some_and(|c| (c - stored).abs() <= TOLERANCE);
        (!same).then(|| ScoreDifference { key: key.to_owned(), stored, computed })
    })
    .collect()
}
