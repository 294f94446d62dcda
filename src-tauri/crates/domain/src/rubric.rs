//! Rubrics as their authors have them. Flat ones (MMI) are numbered criteria, each bound to one modality; structured
//! ones are in `structured_rubric`.

use crate::{BlobHash, Modality, PromptId, RehearsedAnswer, StructuredRubric, WritingForm};
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
    /// Which of the two forms is the rubric; the other one is kept, and counts for nothing.
    #[serde(default, skip_serializing_if = "WritingForm::is_flat")]
    pub form: WritingForm,
    /// The meta-rubric with its evidence and patches, if one was ever begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<StructuredRubric>,
    /// Questions of the sign-off list, numbered from 1, that the author has answered for the criteria as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sign_offs: Vec<u8>,
    /// What an answer must not say, as other systems wrote it with negative points: it is not graded, and never turned
    /// into its opposite.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Contradiction>,
    /// The rehearsal of the criteria: control answers that were reworded or judged. That of a structured rubric is its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rehearsal: Vec<RehearsedAnswer>,
}
impl RubricDraft {
    /// The structured rubric, where that is the form.
    pub fn as_structured(&self) -> Option<&StructuredRubric> {
        if self.form.is_flat() { None } else { self.structured.as_ref() }
    }
}

/// What a file says of a rubric beside its criteria.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BesideCriteria {
    /// The meta-rubric that the file holds, or that its checklist makes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<StructuredRubric>,
    /// What an answer must not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Contradiction>,
}
impl BesideCriteria {
    /// Does it say nothing?
    pub fn is_empty(&self) -> bool {
        self.structured.is_none() && self.contradictions.is_empty()
    }
    /// A draft to start from: in the form of the file, with all that it says.
    pub fn draft(self, criteria: Vec<Criterion>) -> RubricDraft {
        let form = if self.structured.is_some() { WritingForm::Structured } else { WritingForm::Flat };
        RubricDraft {
            criteria,
            form,
            structured: self.structured,
            contradictions: self.contradictions,
            ..RubricDraft::default()
        }
    }
}

/// How many questions the sign-off list has: what only a person can say of a rubric (MMI, appendix D).
pub const SIGN_OFF_QUESTIONS: u8 = 12;

/// A negative criterion of another system, kept as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contradiction {
    /// Its text: meeting it is bad.
    pub text: String,
    /// Its points or weight as a decimal number, below 0; a text, so that it stays as it was written.
    pub points: String,
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
