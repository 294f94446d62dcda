//! Curation: two people look at an item, a third settles, what is revised goes round again. Nothing here can name a response, a
//! verdict or a grade.

use super::{Progress, PromptView};
use domain::{Count, CuratedItem, Curation, CurationDecision, ItemKind, StatementId, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A row of the curator's queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CurationTask {
    /// The task.
    pub task: TaskId,
    /// 1-based place in the queue.
    pub place: Count,
    /// What it is.
    pub kind: ItemKind,
    /// The key of the sample or prompt.
    pub key: String,
    /// Start of what it asks (at most 120 characters).
    pub text: String,
    /// The version of the item.
    pub version: u32,
    /// Has the person said what is to become of it?
    pub done: bool,
    /// Is it there to settle two who differ?
    pub settles: bool,
    /// What the person says of it.
    pub decision: Option<CurationDecision>,
}

/// What another person says, to be settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GivenCurationView {
    /// Who.
    pub person: String,
    /// What they say.
    pub curation: Curation,
}

/// What a curator is typing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CurationDraft {
    /// Chosen, but not stated yet.
    pub decision: Option<CurationDecision>,
    /// The item as revised so far; none while nothing is changed.
    pub revision: Option<CuratedItem>,
    /// Why.
    pub note: String,
}

/// Everything a curator needs for one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurationItemView {
    /// The task.
    pub task: TaskId,
    /// 1-based place in the queue.
    pub place: Count,
    /// The task before.
    pub previous: Option<TaskId>,
    /// The task after.
    pub next: Option<TaskId>,
    /// The next that is not done.
    pub next_open: Option<TaskId>,
    /// The key of the sample or prompt.
    pub key: String,
    /// The version of the item.
    pub version: u32,
    /// The item.
    pub item: CuratedItem,
    /// The prompt that a prompt or rubric belongs to.
    pub prompt: Option<PromptView>,
    /// What differs; empty for one of the first two people.
    pub settles: Vec<GivenCurationView>,
    /// The word in force of the person, if any.
    pub mine: Option<Curation>,
    /// The draft, newer than `mine`.
    pub draft: Option<CurationDraft>,
    /// Has the item gone on to its next round? Then nothing more is said of this one.
    pub is_closed: bool,
}

/// Reply of `curation_item`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurationItemReply {
    /// The item; none when there is no such task or nothing is open.
    pub item: Option<CurationItemView>,
    /// Progress of the queue.
    pub progress: Progress,
}

/// Keep a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaveCurationDraftRequest {
    /// The task.
    pub task: TaskId,
    /// The draft.
    pub draft: CurationDraft,
}

/// Say what is to become of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubmitCurationRequest {
    /// The task.
    pub task: TaskId,
    /// The decision.
    pub decision: CurationDecision,
    /// The whole item as revised; with `revise` alone.
    #[serde(default)]
    pub revision: Option<CuratedItem>,
    /// Why.
    #[serde(default)]
    pub note: String,
}

/// It is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CurationSubmitted {
    /// The statement.
    pub curation: StatementId,
    /// The next that is not done.
    pub next_open: Option<TaskId>,
    /// Progress of the queue.
    pub progress: Progress,
}

/// Ask for the statistics of a set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CurationRequest {
    /// Which items; those that there are if none.
    pub items: Option<ItemKind>,
}

/// How an item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemState {
    /// Somebody is still to speak.
    Open,
    /// People differ; a third is to settle.
    Disputed,
    /// It stays.
    Retained,
    /// It goes.
    Discarded,
    /// It was revised, and its next round has not begun.
    Revised,
}

/// How many items stand how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateCounts {
    /// All of them.
    pub items: Count,
    /// Somebody is still to speak.
    pub open: Count,
    /// A third is to settle.
    pub disputed: Count,
    /// They stay.
    pub retained: Count,
    /// They go.
    pub discarded: Count,
    /// Revised, before their next round.
    pub revised: Count,
}

/// How many items of one label stand how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelledStates {
    /// The task, domain, pattern or level.
    pub label: String,
    /// Its items.
    pub counts: StateCounts,
}

/// How often each decision was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionCounts {
    /// It stays as it is.
    pub retain: Count,
    /// It stays as revised.
    pub revise: Count,
    /// It goes.
    pub discard: Count,
}

/// What one person did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonCuration {
    /// Who.
    pub person: String,
    /// As one of the first two.
    pub decisions: DecisionCounts,
    /// As the third.
    pub settled: DecisionCounts,
    /// Given to them and not done.
    pub open: Count,
}

/// What happened in one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RoundCuration {
    /// 1 for the first.
    pub round: Count,
    /// Items that were looked at.
    pub items: Count,
    /// What people said, settlers aside.
    pub decisions: DecisionCounts,
    /// How its items came out.
    pub outcomes: StateCounts,
}

/// One item in the list of a lead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CurationRow {
    /// The key of the sample or prompt.
    pub key: String,
    /// The task of a sample.
    pub task: String,
    /// 1 for the first.
    pub round: Count,
    /// How it stands.
    pub state: ItemState,
    /// Who says what in this round, and whether they settle.
    pub given: Vec<CurationWord>,
}

/// One person's word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CurationWord {
    /// Who.
    pub person: String,
    /// What.
    pub decision: CurationDecision,
    /// Do they settle?
    pub settles: bool,
    /// Why.
    pub note: String,
}

/// The set as it stands. A curator gets what they said themselves; a lead everything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurationView {
    /// Which items.
    pub items: ItemKind,
    /// The kinds of item that are handed out.
    pub kinds: Vec<ItemKind>,
    /// Samples that stand, handed out or not; 0 for other items.
    pub in_set: Count,
    /// All items that are handed out, by how they stand in their newest round.
    pub counts: StateCounts,
    /// By domain; empty where none is named.
    pub by_domain: Vec<LabelledStates>,
    /// By task.
    pub by_task: Vec<LabelledStates>,
    /// By pattern.
    pub by_pattern: Vec<LabelledStates>,
    /// By level.
    pub by_level: Vec<LabelledStates>,
    /// What was said, over all rounds, settlers aside.
    pub decisions: DecisionCounts,
    /// By person.
    pub by_person: Vec<PersonCuration>,
    /// By round.
    pub by_round: Vec<RoundCuration>,
    /// How far the first two agree on their decisions, over items and rounds that two spoke of; none for a curator.
    pub agreement: Option<agreement::AgreementResult>,
    /// Every item, by key.
    pub rows: Vec<CurationRow>,
}
