//! Qualification: the quiz for judges; who stands where, and how it is set up, for auditors and leads alone.

use agreement::{Coefficient, GoldAccuracy, QualificationReason};
pub use domain::QualificationRules;
use domain::{
    Count, KeyedAnswer, Modality, PromptId, QualificationMove, QualificationState, QuizAnswer, QuizItem,
    QuizResult, ResponseId, StatementId, TaskId, Verdict,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One practice item with its answer: practice is teaching, and holds nothing back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PracticeView {
    /// What is asked.
    pub item: QuizItem,
    /// What is right, and why.
    pub answer: KeyedAnswer,
}

/// The quiz that is to be handed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenQuiz {
    /// The task.
    pub task: TaskId,
    /// Which attempt it is, from 1.
    pub attempt: Count,
    /// Version of the quiz.
    pub version: u32,
    /// Its title.
    pub title: String,
    /// What to know before (Markdown).
    pub introduction: String,
    /// To practise on.
    pub practice: Vec<PracticeView>,
    /// What counts.
    pub items: Vec<QuizItem>,
    /// What was answered so far.
    pub draft: QuizDraft,
}

/// Answers as they are being given: one for each item at most.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct QuizDraft {
    /// To what counts; a part that is open is none.
    pub answers: Vec<QuizDraftAnswer>,
    /// What was tried in practice, in that order.
    pub practised: Vec<QuizAnswer>,
}

/// One item as it is being answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuizDraftAnswer {
    /// The item.
    pub item: String,
    /// First part.
    pub is_true: Option<bool>,
    /// Second part.
    pub choice: Option<u32>,
}

/// An attempt of one's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnAttempt {
    /// Which one, from 1.
    pub attempt: Count,
    /// When it was handed in (RFC 3339, UTC).
    pub handed_in: String,
    /// What came of it; none until a lead's session has marked it.
    pub result: Option<QuizResult>,
}

/// A judge's quiz.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuizView {
    /// What is to be handed in; none while there is nothing.
    pub open: Option<OpenQuiz>,
    /// What was handed in, oldest first.
    pub attempts: Vec<OwnAttempt>,
}

/// Keep a quiz as it is being answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaveQuizDraftRequest {
    /// The task.
    pub task: TaskId,
    /// The answers so far.
    pub draft: QuizDraft,
}

/// Hand the quiz in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HandInQuizRequest {
    /// The task.
    pub task: TaskId,
    /// One for each item.
    pub answers: Vec<QuizAnswer>,
    /// What was tried in practice before.
    #[serde(default)]
    pub practised: Vec<QuizAnswer>,
}

/// What a study's quiz is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuizSummary {
    /// Version.
    pub version: u32,
    /// Title.
    pub title: String,
    /// Items that count.
    pub items: Count,
    /// Practice items.
    pub practice: Count,
}

/// Somebody's attempt, marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptView {
    /// The statement.
    pub statement: StatementId,
    /// When (RFC 3339, UTC).
    pub made_at: String,
    /// Version of the quiz.
    pub version: u32,
    /// What comes of it, by the rules that stand.
    pub result: QuizResult,
    /// Items of which one part or both are wrong.
    pub wrong: Vec<String>,
    /// Practice items tried before.
    pub practised: Count,
}

/// A decision by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeView {
    /// What.
    pub change: QualificationMove,
    /// Why.
    pub reason: String,
    /// By whom.
    pub by: String,
    /// When (RFC 3339, UTC).
    pub made_at: String,
}

/// Where somebody stands with one modality.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModalityQualification {
    /// Which.
    pub modality: Modality,
    /// Where they stand.
    pub state: QualificationState,
    /// Why.
    pub reason: QualificationReason,
    /// Is the quiz passed, or not asked for?
    pub quiz_passed: bool,
    /// Known jobs answered since learning, being admitted, or recertifying began.
    pub since: Count,
    /// The rolling window: the last of these.
    pub window: GoldAccuracy,
    /// Every known job that was answered.
    pub all: GoldAccuracy,
    /// Known jobs that are handed out and open.
    pub open_golds: Count,
    /// Jobs given twice, and answered twice.
    pub repeated: Count,
    /// How often the second answer was the first, with the exact interval.
    pub retest: Coefficient,
    /// Responses judged since the last good window, while somebody is not live: to be looked at again.
    pub doubted: Count,
    /// Decisions by hand, oldest first.
    pub changes: Vec<ChangeView>,
}

/// Where somebody stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PersonQualification {
    /// Who.
    pub person: String,
    /// How they are addressed.
    pub display: String,
    /// Quizzes handed in, oldest first.
    pub attempts: Vec<AttemptView>,
    /// By modality.
    pub modalities: Vec<ModalityQualification>,
}

/// Who stands where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualificationView {
    /// What the study asks for; none while it asks for nothing, and nobody is held back.
    pub rules: Option<QualificationRules>,
    /// When that was stated (RFC 3339, UTC); empty while nothing is asked for.
    pub rules_since: String,
    /// What it would ask for, if nothing else was said.
    pub defaults: QualificationRules,
    /// Its quiz.
    pub quiz: Option<QuizSummary>,
    /// Responses with a known answer, by modality.
    pub golds: BTreeMap<String, Count>,
    /// Everyone who judges, or did.
    pub people: Vec<PersonQualification>,
}

/// Publish a quiz.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PublishQuizRequest {
    /// The quiz with its answers, Markdown or JSON; the one that the app brings along if none.
    pub text: Option<String>,
}

/// Give people the quiz.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GiveQuizRequest {
    /// Whom; every judge who has not passed it if empty.
    #[serde(default)]
    pub people: Vec<String>,
}

/// One answer to be known, or no longer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldRow {
    /// The response.
    pub response: ResponseId,
    /// Which modality.
    pub modality: Modality,
    /// What is right; none to withdraw it.
    pub verdict: Option<Verdict>,
    /// Why, or where it is from.
    #[serde(default)]
    pub why: String,
}

/// Say which answers are known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StateGoldsRequest {
    /// These.
    pub golds: Vec<GoldRow>,
    /// And every case that auditors settled.
    pub settled: bool,
    /// Results folder of the settled cases; the main one if none.
    pub folder: Option<String>,
}

/// Decide by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeQualificationRequest {
    /// Whom.
    pub person: String,
    /// For which modality.
    pub modality: Modality,
    /// What.
    pub change: QualificationMove,
    /// Why.
    pub reason: String,
}

/// What stands behind a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QualificationItems {
    /// Known jobs that were answered.
    Golds,
    /// Jobs given twice.
    Repeats,
    /// Work since the last good window.
    Doubted,
}

/// Ask for what stands behind a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QualificationItemsRequest {
    /// Whose.
    pub person: String,
    /// Which modality.
    pub modality: Modality,
    /// What.
    pub items: QualificationItems,
}

/// One job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QualificationItem {
    /// The statement.
    pub statement: StatementId,
    /// When (RFC 3339, UTC).
    pub made_at: String,
    /// The response; of a repeat, the one that it shows.
    pub response: ResponseId,
    /// Its prompt; none where the study has no such prompt.
    pub prompt: Option<PromptId>,
    /// Start of the prompt's text.
    pub asked: String,
    /// What they say.
    pub verdict: Verdict,
    /// Why they say so.
    pub comment: String,
    /// What is known, or what they said before; none for work in doubt.
    pub against: Option<Verdict>,
    /// Why that is known.
    pub why: String,
    /// Does it count into the rolling window now?
    pub in_window: bool,
}

/// What stands behind a number, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QualificationItemsView {
    /// The jobs.
    pub rows: Vec<QualificationItem>,
}
