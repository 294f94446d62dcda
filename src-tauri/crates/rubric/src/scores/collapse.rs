//! MMI Value of one row (MMI 3.4.1), and the collapse of one (row, modality) to a verdict (MMI 5.4).
//!
//! Choice: only grades of *expected* modalities count (quirk Q37). A grade of another modality is kept and shown by
//! the caller, and enters neither the value nor any set for agreement.

use super::{ScoredRow, Strictness, detected};
use domain::Modality;

/// How far below a threshold a score may lie and still reach it: rounding, never judgement.
const SLACK: f64 = 1e-9;

/// Which (row, modality) units take part in judge-human agreement.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AgreementSet {
    /// Present (lenient), with a gradeable payload and no evaluator error.
    Produced,
    /// Present (lenient), and gradeable or with an evaluator error.
    ProducedInclEvaluatorErrors,
    /// Everything that has grades.
    AllExpected,
}

impl AgreementSet {
    /// All three, in the order they are printed.
    pub const ALL: [Self; 3] = [Self::Produced, Self::ProducedInclEvaluatorErrors, Self::AllExpected];

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Produced => "produced",
            Self::ProducedInclEvaluatorErrors => "produced_incl_evaluator_errors",
            Self::AllExpected => "all_expected",
        }
    }
}

/// One graded (row, modality): what the judge said of it, condensed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collapse {
    /// The modality.
    pub modality: Modality,
    /// How many criteria were graded; at least 1.
    pub criteria: u32,
    /// Mean score.
    pub mean: f64,
    /// Lowest score.
    pub min: f64,
    /// Present natively, by URL or by the presence judge.
    pub present_lenient: bool,
    /// Present natively.
    pub present_strict: bool,
    /// Did the judge have something to grade?
    pub gradeable: bool,
    /// How many grades are zeros of the evaluator.
    pub evaluator_errors: u32,
}

impl Collapse {
    /// Correct iff every criterion scored at least `threshold` (the paper's collapse is at 1).
    pub fn correct(&self, threshold: f64) -> bool {
        self.min >= threshold - SLACK
    }
    /// Correct iff the mean criterion score is at least `threshold` (the paper's sweep).
    pub fn mean_reaches(&self, threshold: f64) -> bool {
        self.mean >= threshold - SLACK
    }
    /// Does this unit belong to the set?
    pub const fn is_in(&self, set: AgreementSet) -> bool {
        match set {
            AgreementSet::Produced => self.present_lenient && self.gradeable && self.evaluator_errors == 0,
            AgreementSet::ProducedInclEvaluatorErrors => {
                self.present_lenient && (self.gradeable || self.evaluator_errors > 0)
            }
            AgreementSet::AllExpected => true,
        }
    }
}

/// Condenses the grades of one modality of a row; none when it is not expected or has no grade.
pub fn collapse(row: &ScoredRow<'_>, modality: Modality) -> Option<Collapse> {
    if !row.expects(modality) {
        return None;
    }
    let unit = row.grades.of(modality)?;
    Some(Collapse {
        modality,
        criteria: unit.criteria,
        mean: unit.mean,
        min: unit.min,
        present_lenient: detected(row, modality, Strictness::Lenient),
        present_strict: detected(row, modality, Strictness::Strict),
        gradeable: unit.gradeable,
        evaluator_errors: unit.evaluator_errors,
    })
}

/// MMI Value of one row: the mean over its graded expected modalities of the mean score within each; none without
/// such a grade.
pub fn mmi_value(row: &ScoredRow<'_>) -> Option<f64> {
    mean_of_modalities(row, None)
}

/// The same without one modality's criteria (the paper leaves `Document` out); none when nothing is left.
pub fn mmi_value_without(row: &ScoredRow<'_>, left_out: Modality) -> Option<f64> {
    mean_of_modalities(row, Some(left_out))
}

fn mean_of_modalities(row: &ScoredRow<'_>, left_out: Option<Modality>) -> Option<f64> {
    let (mut sum, mut graded) = (0.0, 0_u32);
    for modality in Modality::ALL.into_iter().filter(|m| Some(*m) != left_out) {
        if let Some(unit) = collapse(row, modality) {
            sum += unit.mean;
            graded += 1;
        }
    }
    (graded > 0).then(|| sum / f64::from(graded))
}
