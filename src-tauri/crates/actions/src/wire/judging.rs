//! Judging: the blind side. Nothing here can name a rubric, a grade, a model or another person.

use super::{PromptView, ResponseView};
use domain::{
    Anchor, CommentRule, Count, Judgement, JudgingRules, Modality, ModalityNote, ModalityVerdict,
    StatementId, TaskId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which tasks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskFilter {
    /// All.
    #[default]
    All,
    /// Those without a statement in force.
    Open,
    /// Those with one.
    Done,
}

/// Ask for the queue, in its own order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct QueueRequest {
    /// Which tasks.
    pub filter: TaskFilter,
    /// Continue after this cursor.
    pub after: Option<String>,
    /// At most so many rows (default 100, at most 1000).
    pub limit: Option<u32>,
}

/// A row of the judge's queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeTask {
    /// The task.
    pub task: TaskId,
    /// 1-based place in the queue.
    pub place: Count,
    /// Start of the prompt's text (at most 120 characters).
    pub prompt: String,
    /// Modalities to judge.
    pub expected: Vec<Modality>,
    /// Judged?
    pub done: bool,
    /// Is there a draft?
    pub draft: bool,
}

/// How far a person is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// Done.
    pub done: Count,
    /// In all.
    pub total: Count,
}

/// Ask for one task; without a task, the first open one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TaskRequest {
    /// The task.
    pub task: Option<TaskId>,
}

/// Everything a judge needs for one response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeItem {
    /// The task.
    pub task: TaskId,
    /// 1-based place in the queue.
    pub place: Count,
    /// Progress of the queue.
    pub progress: Progress,
    /// The task before, in the queue's order.
    pub previous: Option<TaskId>,
    /// The task after.
    pub next: Option<TaskId>,
    /// The next one that is not judged (after this one, then from the start).
    pub next_open: Option<TaskId>,
    /// The open tasks that come next, at most three: what to fetch ahead.
    pub ahead: Vec<TaskId>,
    /// The prompt.
    pub prompt: PromptView,
    /// The response.
    pub response: ResponseView,
    /// The verdicts in force.
    pub judgement: Option<Judgement>,
    /// The statements in force: what a new judgement takes the place of.
    pub standing: Vec<StatementId>,
    /// The draft, newer than the verdicts in force.
    pub draft: Option<JudgementDraft>,
    /// When a comment is needed.
    pub comment_rule: CommentRule,
    /// What is wrong with the judgement in force, where it came back.
    pub returned: Option<String>,
    /// How much of each sound and video that is judged must have been played, percent; 0 = none.
    pub least_played_percent: u8,
    /// How many of each document's pages must have been seen, percent; 0 = none.
    pub least_pages_percent: u8,
    /// How far down the response's text must have been in view, percent.
    pub least_text_percent: u8,
    /// How long each expected picture must have been in view, seconds.
    pub least_picture_seconds: u8,
    /// Version of the guidelines; 0 when there are none.
    pub guidelines_version: u32,
}

/// Reply of `judge_item`: none when there is no such task, or nothing is left to judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeItemReply {
    /// The item.
    pub item: Option<JudgeItem>,
    /// Progress of the queue.
    pub progress: Progress,
}

/// A card as it is being filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CardDraft {
    /// Which modality.
    pub modality: Modality,
    /// The verdict, if chosen.
    pub verdict: Option<domain::Verdict>,
    /// The comment so far.
    #[serde(default)]
    pub comment: String,
    /// Marks.
    #[serde(default)]
    pub flags: domain::VerdictFlags,
    /// Where the comment points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anchors: Vec<Anchor>,
    /// What an AI was asked for background knowledge.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ai_asked: String,
    /// How it was perceived, if not by playing or seeing it here.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub perceived: String,
}

/// A judgement as it is being filled in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgementDraft {
    /// The cards; one of a modality that was not asked for has no verdict.
    pub cards: Vec<CardDraft>,
    /// Active time so far, ms.
    #[serde(default)]
    pub active_ms: Count,
    /// Idle time so far, ms.
    #[serde(default)]
    pub idle_ms: Count,
    /// What was played and seen so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exposures: Vec<domain::Exposure>,
}

/// Keep a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaveJudgementDraftRequest {
    /// The task.
    pub task: TaskId,
    /// The draft; none drops it.
    pub draft: Option<JudgementDraft>,
}

/// Kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Saved {}

/// Give verdicts on a response, wholly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubmitJudgementRequest {
    /// The task.
    pub task: TaskId,
    /// One verdict for every expected modality.
    pub verdicts: Vec<ModalityVerdict>,
    /// Remarks on modalities that were not asked for.
    #[serde(default)]
    pub noted: Vec<ModalityNote>,
    /// Active time, ms.
    #[serde(default)]
    pub active_ms: Count,
    /// Idle time, ms.
    #[serde(default)]
    pub idle_ms: Count,
    /// What was played and seen of the assets, and by what.
    #[serde(default)]
    pub exposures: Vec<domain::Exposure>,
    /// The guidelines that the judge had before them; refused as stale when others are in force. None: whichever are.
    #[serde(default)]
    pub guidelines_version: Option<u32>,
    /// The statements that the judge saw in force; refused as stale when others are. None: whichever are.
    #[serde(default)]
    pub replaces: Option<Vec<StatementId>>,
}

/// A judge's own comments to be used again, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Snippets {
    /// The texts; at most 50 of at most 1000 characters.
    pub texts: Vec<String>,
}

/// It is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Submitted {
    /// The statement.
    pub statement: StatementId,
    /// The next open task.
    pub next_open: Option<TaskId>,
    /// Progress of the queue.
    pub progress: Progress,
}

/// The study's guidelines for judges or authors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guidelines {
    /// Version; 0 when the study has none of its own and the built-in ones are shown.
    pub version: u32,
    /// Markdown, without the head that says the rules.
    pub markdown: String,
    /// What the study asks of every verdict.
    pub rules: JudgingRules,
}
