//! Shapes that several commands share.

use domain::{Asset, Count, InputAsset, Modality, PromptId, StatementId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request without fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Nothing {}

/// A keyset page: ask for the next one with `after` = `next`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PageOf{T}")]
pub struct Page<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// Where the next page begins; none at the end.
    pub next: Option<String>,
    /// How many rows there are in all, under the same filter.
    pub total: Count,
}

/// What a write made stale: the UI refreshes from that alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stale {
    /// Study, people, session.
    Session,
    /// The overview's counts.
    Overview,
    /// The judge's queue and counts.
    JudgeQueue,
    /// The author's queue and counts.
    AuthorQueue,
    /// The grader's queue and counts.
    Grading,
    /// Disagreements: counts and cases.
    Disagreements,
    /// Agreement figures.
    Agreement,
    /// Results tables.
    Results,
    /// Histories.
    History,
}

/// A write's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WrittenOf{T}")]
pub struct Written<T> {
    /// What was written.
    pub value: T,
    /// What it made stale.
    pub stale: Vec<Stale>,
}

/// A prompt as every role may see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PromptView {
    /// Opaque id.
    pub id: PromptId,
    /// Version shown.
    pub version: u32,
    /// The benchmark's key, such as `p204117`.
    pub key: String,
    /// What is asked.
    pub text: String,
    /// BCP-47 tag; `und` when not known.
    pub language: String,
    /// Modalities of the input.
    pub input_modalities: Vec<Modality>,
    /// Modalities that the answer must have, in order.
    pub gold: Vec<Modality>,
    /// Input files, in order.
    pub inputs: Vec<InputAsset>,
}

/// A response as a judge may see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResponseView {
    /// Modalities that are to be judged, in order.
    pub expected: Vec<Modality>,
    /// The prose; may be empty.
    pub text: String,
    /// The provider failed: there is no answer at all.
    pub failed: bool,
    /// Everything else that came back, in order.
    pub assets: Vec<Asset>,
}

/// One record about an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryEntry {
    /// The statement; none for a record that was imported from a file.
    pub statement: Option<StatementId>,
    /// `judgement`, `rubric_revision`, `rubric_submission`, `settlement`, `checklist_grade`, `assignment`, `retraction`,
    /// `imported_verdict`, `imported_settlement`, or a kind of a later version.
    pub kind: String,
    /// What it is about, in words a person can read: `p204117 · model-a · Text`, `p204117`.
    pub about: String,
    /// Who.
    pub person: String,
    /// When (RFC 3339, UTC) by the writer's clock; empty when a file did not say.
    pub made_at: String,
    /// What it says, in one line.
    pub summary: String,
    /// The statements it replaces or takes back.
    pub replaces: Vec<StatementId>,
    /// Is it in force (not replaced, not taken back)?
    pub in_force: bool,
    /// Could the session's own person take it back now?
    pub can_undo: bool,
    /// The payload, pretty JSON.
    pub detail: String,
    /// Which versions of content it was made under; none for what depends on none.
    #[serde(default)]
    pub under: Option<MadeUnder>,
}

/// The versions of content that a judgement or a rubric was made under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MadeUnder {
    /// Version of the prompt; 0 where it had none.
    pub prompt_version: u32,
    /// Of a judgement: version of the guidelines, 0 for the built-in ones.
    pub guidelines_version: Option<u32>,
    /// Of a rubric that was handed in: version of the rubric that it was written from, 0 for none.
    pub rubric_version: Option<u32>,
    /// Is any of it newer by now?
    pub outdated: bool,
}

/// Ask for records.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HistoryRequest {
    /// Only about this prompt (auditor, lead).
    pub prompt: Option<PromptId>,
    /// Only by this person (auditor, lead); a judge or author sees their own whatever this says.
    pub person: Option<String>,
    /// Only of this kind.
    pub kind: Option<String>,
    /// Continue after this cursor.
    pub after: Option<String>,
    /// At most so many rows (default 50, at most 500).
    pub limit: Option<u32>,
}

/// Take back one of one's own statements; without an id, the newest that is in force.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct UndoRequest {
    /// The statement.
    pub statement: Option<StatementId>,
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Undone {
    /// The retraction.
    pub retraction: StatementId,
    /// What was taken back.
    pub statement: StatementId,
    /// Its kind.
    pub kind: String,
    /// Its subject (response id, prompt id or `<response id>/<Modality>`).
    pub subject: String,
    /// The task to show again, for a judge or author.
    pub task: Option<domain::TaskId>,
}

/// Is anything changed since `since`? Ask with the last token.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChangesRequest {
    /// The last token; empty at first.
    pub since: String,
}

/// Answer to [`ChangesRequest`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Changes {
    /// The token now.
    pub token: String,
    /// What may be stale; empty when nothing changed.
    pub stale: Vec<Stale>,
}

/// Open a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenLinkRequest {
    /// An http or https address.
    pub url: String,
}
