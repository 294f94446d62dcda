//! Grading by people against a checklist: for those who may see both a response and its rubric.

use super::{Progress, PromptView, ResponseView};
use domain::{
    Check, CheckGrade, CheckVerdict, ChecklistGrade, Count, Extraction, ItemType, Modality, StatementId,
    TaskId, Tier,
};
use rubric::gamut::{ScoreRange, coherence::Incoherence};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A row of the grader's queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GradingTask {
    /// The task.
    pub task: TaskId,
    /// 1-based place in the queue.
    pub place: Count,
    /// The prompt's key.
    pub key: String,
    /// Start of the prompt's text (at most 120 characters).
    pub prompt: String,
    /// Graded?
    pub done: bool,
}

/// What a response is graded by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GradedBy {
    /// The checklist of a structured rubric that its author handed in.
    Structured,
    /// A checklist from a file.
    Imported,
    /// Numbered criteria, each a check.
    Criteria,
}

/// An element that a grader looks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SoughtElement {
    /// Its id.
    pub id: String,
    /// Its text.
    pub text: String,
    /// Other names of it, which do not count as a second one.
    pub aliases: Vec<String>,
}

/// An item whose verdicts follow from what is found: a list or a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SoughtItem {
    /// Its id.
    pub item: String,
    /// Its type: a strict list, a flexible list, or a process, of which the order counts as well.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// What its elements are.
    pub concept: String,
    /// Entries, options or steps, in the rubric's order.
    pub elements: Vec<SoughtElement>,
}

/// A verdict as it is being given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct VerdictDraft {
    /// Id of the check.
    pub check: String,
    /// Hash of its text when this was said: on other words it counts no more.
    pub text_sha256: String,
    /// The grader's own verdict; none where the computed one is to stand.
    pub verdict: Option<CheckVerdict>,
    /// Why it is another than the computed one; or a remark.
    pub reason: String,
}

/// A grading as it is being typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GradingDraft {
    /// Verdicts, remarks.
    pub verdicts: Vec<VerdictDraft>,
    /// What was found, by item; an item without an entry was not looked through yet.
    pub found: Vec<Extraction>,
    /// Time spent so far, in milliseconds.
    pub active_ms: Count,
}

/// Everything a grader needs for one response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GradingItem {
    /// The task.
    pub task: TaskId,
    /// 1-based place in the queue.
    pub place: Count,
    /// The task before it.
    pub previous: Option<TaskId>,
    /// The task after it.
    pub next: Option<TaskId>,
    /// The next open one.
    pub next_open: Option<TaskId>,
    /// What was asked.
    pub prompt: PromptView,
    /// What came back. The model is not named: a grader is to grade the answer.
    pub response: ResponseView,
    /// What it is graded by; none when the prompt has no rubric.
    pub by: Option<GradedBy>,
    /// Checks, in their order.
    pub checks: Vec<Check>,
    /// Modality of each check, where it is graded by criteria; else empty.
    pub modalities: Vec<Modality>,
    /// Lists and processes to look for.
    pub sought: Vec<SoughtItem>,
    /// The statement that holds the grades in force; none before, and none for a fork.
    pub statement: Option<StatementId>,
    /// The grader's own grades in force.
    pub grade: Option<ChecklistGrade>,
    /// Checks whose grade in force was given on other words.
    pub stale: Vec<String>,
    /// What they were typing, as they left it; else the grades in force, as they were typed.
    pub draft: Option<GradingDraft>,
}

/// One response to grade, or none when nothing is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GradingItemReply {
    /// The item.
    pub item: Option<GradingItem>,
    /// How far the grader is.
    pub progress: Progress,
}

/// Keep what is being typed; none drops it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaveGradingDraftRequest {
    /// The task.
    pub task: TaskId,
    /// The draft.
    pub draft: Option<GradingDraft>,
}

/// What follows from a draft?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WeighGradesRequest {
    /// The task.
    pub task: TaskId,
    /// The draft.
    pub draft: GradingDraft,
}

/// What follows from a draft for one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WeighedCheck {
    /// Its id.
    pub check: String,
    /// What follows from what was found; none where nothing does, and while the item was not looked through.
    pub computed: Option<CheckVerdict>,
    /// The verdict that counts: the grader's own, else the computed one.
    pub verdict: Option<CheckVerdict>,
    /// Is it the grader's own, another than the computed one, and without a reason?
    pub unexplained: bool,
}

/// The score of one tier, or of one modality.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WeighedPart {
    /// The tier's name, or the modality's.
    pub part: String,
    /// Checks with a verdict.
    pub judged: Count,
    /// Checks.
    pub checks: Count,
    /// The score; none until all are judged.
    pub score: Option<f64>,
}

/// What follows from a draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WeighedGrades {
    /// By check, in their order.
    pub checks: Vec<WeighedCheck>,
    /// Verdicts that cannot all be true (rules K1 to K6).
    pub incoherences: Vec<Incoherence>,
    /// The score: GAMUT's in [-1, 1], or MMI Value in [0, 1] where the response is graded by criteria.
    pub score: Option<f64>,
    /// What it can still become; none for MMI Value.
    pub range: Option<ScoreRange>,
    /// By tier, or by modality.
    pub parts: Vec<WeighedPart>,
}

/// State the grades of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubmitGradesRequest {
    /// The task.
    pub task: TaskId,
    /// The grading.
    pub draft: GradingDraft,
    /// Rules that the grader saw broken and lets stand.
    #[serde(default)]
    pub let_stand: Vec<String>,
}

/// It is stated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GradesSubmitted {
    /// The statement.
    pub statement: StatementId,
    /// The grades as they stand.
    pub grades: Vec<CheckGrade>,
    /// The next open task.
    pub next_open: Option<TaskId>,
    /// How far the grader is.
    pub progress: Progress,
}

/// The name of a tier in replies.
pub(crate) fn tier_name(tier: Tier) -> String {
    tier.code().to_owned()
}
