//! Reviews of rubrics. Nothing here can name a response, a verdict or a grade.

use super::{KeptLint, LintFinding, Progress, PromptView};
use domain::{
    Check, Count, Modality, Review, ReviewComment, ReviewDecision, RubricDraft, StatementId, TaskId,
};
use rubric::lints::Part;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What reviewers said of a rubric, as its author gets it: not who said it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewedView {
    /// What was decided: `revise` or `send_back`.
    pub decision: ReviewDecision,
    /// How often the rubric was handed in before.
    pub round: Count,
    /// On single criteria; on checks of a structured rubric, each with its id and text.
    pub comments: Vec<ReviewComment>,
    /// On the whole.
    pub notes: Vec<String>,
}

/// A row of the reviewer's queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewTask {
    /// The task.
    pub task: TaskId,
    /// 1-based place in the queue.
    pub place: Count,
    /// The prompt's key.
    pub key: String,
    /// Start of the prompt's text (at most 120 characters).
    pub prompt: String,
    /// Gold modalities.
    pub gold: Vec<Modality>,
    /// Whose rubric.
    pub author: String,
    /// Is it reviewed?
    pub done: bool,
    /// Is it there to settle two reviews that differ?
    pub settles: bool,
}

/// A review of another person that is to be settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GivenReviewView {
    /// Who.
    pub person: String,
    /// What they say.
    pub review: Review,
}

/// What a reviewer is typing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReviewDraft {
    /// Chosen, but not stated yet.
    pub decision: Option<ReviewDecision>,
    /// On single criteria.
    pub comments: Vec<ReviewComment>,
    /// On the whole.
    pub note: String,
}

/// Everything a reviewer needs for one rubric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewItemView {
    /// The task.
    pub task: TaskId,
    /// 1-based place in the queue.
    pub place: Count,
    /// The task before.
    pub previous: Option<TaskId>,
    /// The task after.
    pub next: Option<TaskId>,
    /// The next that is not reviewed.
    pub next_open: Option<TaskId>,
    /// The prompt.
    pub prompt: PromptView,
    /// Whose rubric.
    pub author: String,
    /// How often it was handed in, this time included.
    pub round: Count,
    /// The rubric that was handed in; none when its author took it back.
    pub rubric: Option<RubricDraft>,
    /// Lints of it.
    pub findings: Vec<LintFinding>,
    /// Lints that its author dismissed, with the reason.
    pub kept: Vec<KeptLint>,
    /// The checklist that a structured rubric compiles to, patches applied; empty for a flat one.
    pub checks: Vec<Check>,
    /// What each criterion is for.
    pub parts: Vec<Option<Part>>,
    /// The reviews that differ; empty for one of the first reviewers.
    pub settles: Vec<GivenReviewView>,
    /// The review in force of the person, if any.
    pub mine: Option<Review>,
    /// The draft, newer than `mine`.
    pub draft: Option<ReviewDraft>,
}

/// Reply of `review_item`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewItemReply {
    /// The item; none when there is no such task or nothing is open.
    pub item: Option<ReviewItemView>,
    /// Progress of the queue.
    pub progress: Progress,
}

/// Keep a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaveReviewDraftRequest {
    /// The task.
    pub task: TaskId,
    /// The draft.
    pub draft: ReviewDraft,
}

/// Say what is to become of a rubric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubmitReviewRequest {
    /// The task.
    pub task: TaskId,
    /// The decision.
    pub decision: ReviewDecision,
    /// On single criteria; empty ones are left out.
    #[serde(default)]
    pub comments: Vec<ReviewComment>,
    /// On the whole.
    #[serde(default)]
    pub note: String,
}

/// It is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewSubmitted {
    /// The statement.
    pub review: StatementId,
    /// The next that is not reviewed.
    pub next_open: Option<TaskId>,
    /// Progress of the queue.
    pub progress: Progress,
}
