//! Flat rubrics (MMI): numbered criteria, each bound to one modality. Structured ones are in
//! `meta_rubric`.

use crate::{BlobHash, Modality, PromptId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Criterion {
    /// Its id inside the rubric; in MMI the number across all modalities, as text. Ids may repeat in files.
    pub id: String,
    /// The requirement.
    pub criterion: String,
    /// The one modality it is about.
    pub modality: Modality,
}

/// A rubric as its author has it now: what a revision statement holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricDraft {
    /// Criteria, in order across all modalities.
    pub criteria: Vec<Criterion>,
    /// Lints that the author dismissed, with the reason.
    #[serde(default)]
    pub dismissals: Vec<LintDismissal>,
    /// Gold modalities that the author says are wrong.
    #[serde(default)]
    pub gold_flags: Vec<GoldFlag>,
}

/// A dismissed lint: the data for tuning it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LintDismissal {
    /// Rule id, such as `question-form`.
    pub rule: String,
    /// SHA-256 of the criterion's text it was dismissed on; a changed text brings the lint back.
    pub text_sha256: BlobHash,
    /// Why, in the author's words.
    pub reason: String,
}

/// "This gold list is wrong", for one modality.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldFlag {
    /// The modality that should not be, or is missing from, the gold list.
    pub modality: Modality,
    /// Why.
    pub reason: String,
}

/// Where a rubric revision belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricSubject {
    /// The prompt.
    pub prompt: PromptId,
    /// The prompt's version it was written for.
    pub prompt_version: u32,
}
