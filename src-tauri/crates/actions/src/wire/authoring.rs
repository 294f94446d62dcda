//! Authoring: rubrics. Nothing here can name a response, a verdict or a grade.

use super::{Progress, PromptView};
use domain::{Count, Modality, RubricDraft, StatementId, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a rubric task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RubricState {
    /// Nothing written yet.
    Open,
    /// Revisions, not handed in.
    Begun,
    /// Handed in.
    Submitted,
    /// Sent back by an auditor.
    SentBack,
}

/// A row of the author's queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuthorTask {
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
    /// How it stands.
    pub state: RubricState,
    /// Is there a draft?
    pub draft: bool,
}

/// Why a rubric came back: the failed criteria and the cause, never the response (nor the auditor's note, which is written over it).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SentBackNote {
    /// The modality in dispute.
    pub modality: Modality,
    /// The cause's code.
    pub cause: String,
    /// Criteria of that modality that the LLM judge had not counted as met.
    pub failed_criteria: Vec<domain::Criterion>,
}

/// Everything an author needs for one prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuthorItem {
    /// The task.
    pub task: TaskId,
    /// 1-based place in the queue.
    pub place: Count,
    /// Progress of the queue.
    pub progress: Progress,
    /// The task before.
    pub previous: Option<TaskId>,
    /// The task after.
    pub next: Option<TaskId>,
    /// The next that is not handed in.
    pub next_open: Option<TaskId>,
    /// The prompt.
    pub prompt: PromptView,
    /// How it stands.
    pub state: RubricState,
    /// The rubric in force: the author's newest revision, else the one handed out, else empty.
    pub rubric: RubricDraft,
    /// The revision behind `rubric`; none when it was handed out.
    pub revision: Option<StatementId>,
    /// How many revisions the author has made.
    pub revisions: Count,
    /// The draft, newer than `rubric`.
    pub draft: Option<RubricDraft>,
    /// The rubric that was handed out with the prompt (imported with the dataset), if any.
    pub handed_out: Option<RubricDraft>,
    /// Why it came back.
    pub sent_back: Vec<SentBackNote>,
    /// What an auditor marked wrong in the prompt's gold list, where that is why it came.
    pub marked_gold: Option<super::MarkedGoldNote>,
    /// What is wrong with the rubric that was handed in, where it came back.
    pub returned: Option<String>,
    /// What reviewers said, if it came back from them.
    pub reviewed: Option<super::ReviewedView>,
    /// Lints of what is shown (the draft if there is one).
    pub findings: Vec<LintFinding>,
}

/// Reply of `author_item`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuthorItemReply {
    /// The item; none when there is no such task or nothing is open.
    pub item: Option<AuthorItem>,
    /// Progress of the queue.
    pub progress: Progress,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LintSeverity {
    /// Must be mended before the rubric is handed in.
    Error,
    /// Should be mended, or dismissed with a reason.
    Warning,
    /// Good to know.
    Info,
}

/// A finding on a rubric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LintFinding {
    /// Rule id.
    pub rule: String,
    /// How bad.
    pub severity: LintSeverity,
    /// 0-based position of the criterion; none when it is about a modality or the whole.
    pub criterion: Option<u32>,
    /// The modality it is about.
    pub modality: Option<Modality>,
    /// Where in the criterion: first character (UTF-16 code unit), and length.
    pub span: Option<(u32, u32)>,
    /// What is wrong.
    pub message: String,
    /// Why it matters: a sentence of the guideline.
    pub why: String,
    /// A fix that one key applies.
    pub fix: Option<LintFix>,
    /// What a dismissal of this finding names: it holds until this changes.
    pub text_sha256: domain::BlobHash,
}

/// A fix: the whole rubric's criteria as they would be after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LintFix {
    /// What it does, in a few words.
    pub label: String,
    /// The criteria after it.
    pub criteria: Vec<domain::Criterion>,
    /// The criterion (0-based, after the fix) to put the cursor in.
    pub focus: Option<u32>,
}

/// Lint a rubric as it is being typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LintRequest {
    /// The task.
    pub task: TaskId,
    /// The rubric.
    pub rubric: RubricDraft,
}

/// Findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LintReply {
    /// In the order of the criteria.
    pub findings: Vec<LintFinding>,
    /// What each criterion is for; none for an empty one.
    pub parts: Vec<Option<rubric::lints::Part>>,
    /// The criteria in their canonical order, where it is another one.
    pub ordered: Option<Vec<domain::Criterion>>,
    /// Lints that the author dismissed, and that would speak otherwise: by which dismissal, about what.
    pub kept: Vec<KeptLint>,
}

/// A dismissed lint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptLint {
    /// 0-based position of the criterion; none when it is about a modality or the whole.
    pub criterion: Option<u32>,
    /// What it says.
    pub message: String,
    /// The dismissal, with its reason.
    pub dismissal: domain::LintDismissal,
}

/// Keep a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaveRubricDraftRequest {
    /// The task.
    pub task: TaskId,
    /// The draft; none drops it.
    pub draft: Option<RubricDraft>,
}

/// Save a revision, and hand it in if `submit`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaveRubricRequest {
    /// The task.
    pub task: TaskId,
    /// The rubric.
    pub rubric: RubricDraft,
    /// Hand it in?
    pub submit: bool,
}

/// It is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricSaved {
    /// The revision.
    pub revision: StatementId,
    /// The submission, if it was handed in.
    pub submission: Option<StatementId>,
    /// The next task that is not handed in.
    pub next_open: Option<TaskId>,
    /// Progress of the queue.
    pub progress: Progress,
}
