//! A row of a harness result file: what the model returned and what the LLM judge made of it.

use crate::{Modality, ModalityList};
use serde::{Deserialize, Serialize};

/// How a modality was detected in a response.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Detection {
    /// Returned as such.
    pub native: bool,
    /// A link in the prose.
    pub via_url: bool,
    /// The presence judge named it.
    pub via_judge: bool,
}
impl Detection {
    /// Present at all (lenient)?
    pub const fn lenient(self) -> bool {
        self.native || self.via_url || self.via_judge
    }
    /// Present natively (strict)?
    pub const fn strict(self) -> bool {
        self.native
    }
}

/// Detection of all five modalities, indexed by [`Modality::index`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Presence(pub [Detection; 5]);
impl Presence {
    /// Detection of one modality.
    pub const fn of(&self, modality: Modality) -> Detection {
        self.0[modality.index()]
    }
}

/// Why the provider gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// `timeout`, `provider_error`, …
    pub kind: String,
    /// The provider's message; may name the model, so no blind person sees it.
    pub message: String,
}

/// What the LLM judge had before it when it graded (MMI-FORMAT 7.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PayloadStatus {
    /// There was something to grade.
    Gradeable,
    /// Nothing was returned.
    Absent,
    /// A reference only.
    ReferenceOnly,
    /// No bytes came.
    Skipped,
    /// Fetching failed.
    CaptureFailed,
    /// It was captured but could not be sent to the judge (an evaluator error).
    Unsendable,
}

/// One grade: one criterion, scored by the LLM judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grade {
    /// 1-based position in the rubric.
    pub index: u32,
    /// The criterion's id.
    pub id: String,
    /// The criterion's text as it was graded.
    pub criterion: String,
    /// Its modality; none for a name that is none of the five (kept in `modality_raw`, quirk Q12).
    pub modality: Option<Modality>,
    /// The modality's name as written.
    pub modality_raw: String,
    /// Score in [0, 1]; what was missing, not a number or out of range is mended (quirks Q6, Q35).
    pub score: f64,
    /// The judge's reason.
    pub explanation: String,
    /// The judge call failed or the artefact could not be sent.
    pub evaluator_error: bool,
    /// What the judge had before it; recomputed from the assets where an old row does not say.
    pub payload: PayloadStatus,
    /// Names of inputs that could not be attached.
    #[serde(default)]
    pub input_media_skipped: Vec<String>,
}

/// One `output_assets` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowAsset {
    /// `asset_id`; not unique.
    pub asset_id: String,
    /// Recorded modality; an unknown name is read as `Document`, as the harness does, and reported.
    pub modality: Modality,
    /// `source_type`.
    pub source_type: String,
    /// `delivery`.
    pub delivery: String,
    /// `mime_type`.
    pub mime_type: String,
    /// The path below the results folder, rebased by its `*_assets` tail (`<x>_assets/<prompt>/<file>`), already
    /// refused if it climbs; none when there is no usable path (quirk Q20).
    pub tail: Option<String>,
    /// `source_url`, as recorded.
    pub source_url: String,
    /// Recorded SHA-256, lower-case hex; empty when none.
    pub sha256: String,
    /// Recorded size in bytes.
    pub size_bytes: u64,
    /// `captured`, `reference_only`, `skipped`, `failed`.
    pub capture_status: String,
    /// Error text.
    pub error: String,
}

/// The scores that the row itself carries, to be compared with ours (quirk Q11).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredScores {
    /// Lenient precision.
    pub precision: Option<f64>,
    /// Lenient recall.
    pub recall: Option<f64>,
    /// Lenient F1.
    pub f1: Option<f64>,
    /// Strict F1.
    pub f1_strict: Option<f64>,
    /// MMI Value of the prompt.
    pub rubric_score: Option<f64>,
}

/// One result row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedRow {
    /// 1-based line in the file.
    pub line: u64,
    /// Byte offset of the row in the file.
    pub offset: u64,
    /// Length of the row in bytes.
    pub length: u64,
    /// `prompt_id`.
    pub prompt_key: String,
    /// `run_name`.
    pub run_name: String,
    /// `provider`.
    pub provider: String,
    /// `model`.
    pub model: String,
    /// `expected_modalities`, the five only.
    pub expected: ModalityList,
    /// Detection flags.
    pub presence: Presence,
    /// Was the presence judge asked?
    pub judge_used: bool,
    /// Presence judge.
    pub judge_model: String,
    /// Its reason.
    pub judge_reasoning: String,
    /// Set when the provider failed.
    pub failure: Option<Failure>,
    /// Prose; filled from `raw_response` when empty (quirks Q29, Q30).
    pub response_text: String,
    /// Assets, in order.
    pub assets: Vec<RowAsset>,
    /// Were criteria graded?
    pub rubric_used: bool,
    /// Rubric judge.
    pub rubric_judge_model: String,
    /// Grades.
    pub grades: Vec<Grade>,
    /// The row's own scores.
    pub stored: StoredScores,
}
