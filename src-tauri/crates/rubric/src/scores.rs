//! Scores of a judged run: modality presence (MMI 3.4.2), MMI Value (MMI 3.4.1) and the collapse of criterion
//! scores to one verdict that is compared with people.
//!
//! Everything starts from [`ScoredRow`], a borrowed slice of a result row, so that whoever holds rows in a database
//! need not rebuild a full `JudgedRow` with its assets and prose to score it. A run is folded row by row into
//! [`RunScores`]; the order of rows does not matter beyond rounding.

mod collapse;
mod figures;
mod presence;
mod run;
mod stored;

pub use collapse::{AgreementSet, Collapse, collapse, mmi_value, mmi_value_without};
pub use figures::{
    BinaryFigures, ByModality, MmiValueFigures, ModalityPresenceFigures, PresenceFigures, RunFigures,
};
pub use presence::{PresenceScores, Strictness, detected, presence_scores};
pub use run::RunScores;
pub use stored::{ScoreDifference, TOLERANCE, differing_scores};

use domain::{JudgedRow, Modality, PayloadStatus, Presence};

/// What a score needs of one grade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredGrade {
    /// The criterion's modality; none when it is none of the five (quirk Q12), and then it counts nowhere.
    pub modality: Option<Modality>,
    /// Score in [0, 1].
    pub score: f64,
    /// The judge call failed or the artefact could not be sent: the zero is not the response's.
    pub evaluator_error: bool,
    /// What the judge had before it.
    pub payload: PayloadStatus,
}

impl ScoredGrade {
    /// The score, held inside [0, 1]; what is no number counts as 0 (quirks Q6, Q35).
    pub fn bounded(&self) -> f64 {
        if self.score.is_finite() { self.score.clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// The grades of one modality, summed up: enough for every score, and small enough to be kept beside each row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GradedUnit {
    /// How many criteria were graded; at least 1.
    pub criteria: u32,
    /// Mean of their scores, in [0, 1].
    pub mean: f64,
    /// The lowest score.
    pub min: f64,
    /// How many of them are zeros of the evaluator.
    pub evaluator_errors: u32,
    /// Had the judge something to grade?
    pub gradeable: bool,
}

/// The grades of a row, one by one or summed up by modality.
#[derive(Debug, Clone, Copy)]
pub enum Grades<'a> {
    /// Each grade, in any order.
    Each(&'a [ScoredGrade]),
    /// Sums, by [`Modality::index`].
    Summed(&'a [Option<GradedUnit>; 5]),
}

impl Grades<'_> {
    /// The grades of one modality, summed up; none without a grade.
    pub fn of(&self, modality: Modality) -> Option<GradedUnit> {
        let all = match self {
            Self::Summed(units) => return units[modality.index()],
            Self::Each(all) => all,
        };
        let mut unit = GradedUnit { criteria: 0, mean: 0.0, min: 1.0, evaluator_errors: 0, gradeable: false };
        let mut sum = 0.0;
        for grade in all.iter().filter(|g| g.modality == Some(modality)) {
            let score = grade.bounded();
            unit.criteria += 1;
            sum += score;
            unit.min = unit.min.min(score);
            unit.gradeable |= grade.payload == PayloadStatus::Gradeable;
            unit.evaluator_errors += u32::from(grade.evaluator_error);
        }
        unit.mean = sum / f64::from(unit.criteria.max(1));
        (unit.criteria > 0).then_some(unit)
    }
    /// How many grades there are, of whatever modality.
    pub fn count(&self) -> u64 {
        match self {
            Self::Each(all) => all.len() as u64,
            Self::Summed(units) => units.iter().flatten().map(|unit| u64::from(unit.criteria)).sum(),
        }
    }
    /// How many of them are zeros of the evaluator.
    pub fn evaluator_errors(&self) -> u64 {
        match self {
            Self::Each(all) => all.iter().filter(|g| g.evaluator_error).count() as u64,
            Self::Summed(units) => units.iter().flatten().map(|unit| u64::from(unit.evaluator_errors)).sum(),
        }
    }
}

/// What a score needs of one result row.
#[derive(Debug, Clone, Copy)]
pub struct ScoredRow<'a> {
    /// Expected modalities, as the row itself states them (quirk Q18); repeats do not count twice.
    pub expected: &'a [Modality],
    /// Detection flags.
    pub presence: Presence,
    /// Did the provider call fail?
    pub failed: bool,
    /// The kind of failure, when there was one.
    pub error_type: Option<&'a str>,
    /// Grades.
    pub grades: Grades<'a>,
}

impl ScoredRow<'_> {
    /// Is `modality` expected of this row?
    pub fn expects(&self, modality: Modality) -> bool {
        self.expected.contains(&modality)
    }
}

/// The scoring part of each grade of a full row.
pub fn grades_of(row: &JudgedRow) -> Vec<ScoredGrade> {
    row.grades
        .iter()
        .map(|g| ScoredGrade {
            modality: g.modality,
            score: g.score,
            evaluator_error: g.evaluator_error,
            payload: g.payload,
        })
        .collect()
}

/// The scoring part of a full row, over grades taken with [`grades_of`].
pub fn scored_row<'a>(row: &'a JudgedRow, grades: &'a [ScoredGrade]) -> ScoredRow<'a> {
    ScoredRow {
        expected: row.expected.as_slice(),
        presence: row.presence,
        failed: row.failure.is_some(),
        error_type: row.failure.as_ref().map(|f| f.kind.as_str()),
        grades: Grades::Each(grades),
    }
}
