//! What a revision of a rubric would do to grades that are stored. For those who see everything.

use domain::{Count, Criterion, Modality, PromptId, ResponseId, StatementId};
use rubric::{gamut::ScoreRange, revisions::ComparedCriterion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Ask what a revision would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricImpactRequest {
    /// The prompt.
    pub prompt: PromptId,
    /// The revision, or the submission that names it; the one that was handed in last if none.
    #[serde(default)]
    pub revision: Option<StatementId>,
}

/// The LLM judge's collapsed verdict in one modality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImpactVerdict {
    /// The modality.
    pub modality: Modality,
    /// Correct under all grades?
    pub before: bool,
    /// Correct under those that stay; none where none stays.
    pub after: Option<bool>,
}

/// What becomes of the grades of one response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResponseImpact {
    /// The response.
    pub response: ResponseId,
    /// The model, by its run name.
    pub model: String,
    /// Results folder.
    pub folder: String,
    /// Grades that stay.
    pub stays: Count,
    /// Grades that become stale.
    pub stale: Count,
    /// Criteria that wait to be graded.
    pub waits: Count,
    /// MMI Value of the response under all grades; none where it is not defined.
    pub before: Option<f64>,
    /// The same on the grades that stay; none where nothing of an expected modality stays.
    pub after: Option<f64>,
    /// The judge's verdicts.
    pub verdicts: Vec<ImpactVerdict>,
}

/// What becomes of one judge's grades of checks of one answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GradingImpact {
    /// The model.
    pub model: String,
    /// Who judged.
    pub judge: String,
    /// Is that a person who graded in this study?
    pub by_person: bool,
    /// The way of asking.
    pub variant: String,
    /// Verdicts that stay.
    pub stays: Count,
    /// Verdicts that become stale: their check has other words, or is gone.
    pub stale: Count,
    /// Checks that wait to be judged.
    pub waits: Count,
    /// The score under the checklist in force; none while a check has no verdict.
    pub before: Option<f64>,
    /// The score on the verdicts that stay; none while a check waits.
    pub after: Option<f64>,
    /// What it can become once those that wait are judged.
    pub range: Option<ScoreRange>,
}

/// What a revision would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RubricImpact {
    /// The prompt's key.
    pub key: String,
    /// Whose revision; empty for one that nobody stated.
    pub author: String,
    /// The criteria that were graded, in their order.
    pub before: Vec<Criterion>,
    /// The criteria of the revision.
    pub after: Vec<Criterion>,
    /// Both side by side.
    pub changes: Vec<ComparedCriterion>,
    /// By response.
    pub responses: Vec<ResponseImpact>,
    /// Checks of a structured revision beside those in force; empty for a flat one.
    pub checks: Vec<super::ComparedWords>,
    /// What becomes of grades by checks, by answer and judge.
    pub gradings: Vec<GradingImpact>,
    /// Verdicts of people on these responses. They were given without the rubric: none becomes stale.
    pub human_verdicts: Count,
}
