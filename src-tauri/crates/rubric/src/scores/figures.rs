//! The shape of a run's scores, as `assize score --json` prints them.
//!
//! A figure that is not defined is `null`, and its path stands in `undefined` with the reason; never NaN, never 0 or
//! 1 as a stand-in.

use domain::Modality;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One entry per modality, always all five.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
#[schemars(rename = "ByModalityOf{T}")]
pub struct ByModality<T> {
    /// Prose.
    pub text: T,
    /// Pictures.
    pub image: T,
    /// Sound.
    pub audio: T,
    /// Moving pictures.
    pub video: T,
    /// Files.
    pub document: T,
}

impl<T> ByModality<T> {
    /// Makes each entry from its modality.
    pub fn from_fn(mut make: impl FnMut(Modality) -> T) -> Self {
        Self {
            text: make(Modality::Text),
            image: make(Modality::Image),
            audio: make(Modality::Audio),
            video: make(Modality::Video),
            document: make(Modality::Document),
        }
    }
    /// The entry of one modality.
    pub const fn of(&self, modality: Modality) -> &T {
        match modality {
            Modality::Text => &self.text,
            Modality::Image => &self.image,
            Modality::Audio => &self.audio,
            Modality::Video => &self.video,
            Modality::Document => &self.document,
        }
    }
    /// The entry of one modality, to change.
    pub const fn of_mut(&mut self, modality: Modality) -> &mut T {
        match modality {
            Modality::Text => &mut self.text,
            Modality::Image => &mut self.image,
            Modality::Audio => &mut self.audio,
            Modality::Video => &mut self.video,
            Modality::Document => &mut self.document,
        }
    }
}

/// Presence of one modality over a whole run (MMI 5.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModalityPresenceFigures {
    /// Rows that expect it.
    pub expected: u64,
    /// Rows that have it (Text only where it is expected).
    pub detected: u64,
    /// Rows with both.
    pub tp: u64,
    /// `tp / detected`; undefined when never detected.
    pub precision: Option<f64>,
    /// `tp / expected`; undefined when never expected.
    pub recall: Option<f64>,
    /// `2 tp / (expected + detected)`; undefined when neither ever was.
    pub f1: Option<f64>,
}

/// Presence per modality, counted both ways.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PresenceFigures {
    /// Native, URL or judge detection.
    pub lenient: ByModality<ModalityPresenceFigures>,
    /// Native detection only.
    pub strict: ByModality<ModalityPresenceFigures>,
}

/// MMI Value and its variants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MmiValueFigures {
    /// Rows that have a grade of an expected modality.
    pub rows: u64,
    /// Mean over those rows.
    pub all: Option<f64>,
    /// Mean over the rows that keep a modality when `Document` is left out.
    pub excl_document: Option<f64>,
    /// Mean over the rows that expect the modality and have grades of it. Columns do not average to the total.
    pub by_modality: ByModality<Option<f64>>,
}

/// How often every criterion of a modality scored 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BinaryFigures {
    /// Rows where all criteria scored 1.
    pub correct: u64,
    /// Rows with grades of the modality.
    pub graded: u64,
    /// `correct / graded`.
    pub rate: Option<f64>,
}

/// Scores of one run, or of several runs taken together. Means are over rows, failed ones included.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunFigures {
    /// Rows.
    pub rows: u64,
    /// Rows whose provider call failed.
    pub errors: u64,
    /// Mean lenient precision.
    pub precision: Option<f64>,
    /// Mean lenient recall.
    pub recall: Option<f64>,
    /// Mean lenient F1.
    pub f1: Option<f64>,
    /// Mean strict precision.
    pub precision_strict: Option<f64>,
    /// Mean strict recall.
    pub recall_strict: Option<f64>,
    /// Mean strict F1.
    pub f1_strict: Option<f64>,
    /// Modality presence score: mean lenient F1 (the paper prints it times 100).
    pub mps: Option<f64>,
    /// Share of rows with every expected modality (lenient).
    pub pass_rate: Option<f64>,
    /// Share of rows with every expected modality (strict).
    pub pass_rate_strict: Option<f64>,
    /// Share of rows whose provider call failed.
    pub input_failure_rate: Option<f64>,
    /// Presence per modality.
    pub per_modality: PresenceFigures,
    /// MMI Value.
    pub mmi_value: MmiValueFigures,
    /// Collapsed verdicts per modality.
    pub binary: ByModality<BinaryFigures>,
    /// Grades that are zeros of the evaluator, not of the response.
    pub evaluator_error_grades: u64,
    /// Grades.
    pub criteria_graded: u64,
    /// Why a figure is `null`, by its path (`per_modality.strict.Audio.precision`); left out when all are defined.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub undefined: BTreeMap<String, String>,
}
