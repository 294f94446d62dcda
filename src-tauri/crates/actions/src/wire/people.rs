//! Handing out work, and how far it is.

use super::{Balance, PersonTasks, Progress, WorkKind};
use domain::{Count, ItemKind, Modality, QualificationState, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Hand out work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HandOutRequest {
    /// What kind.
    pub kind: WorkKind,
    /// To whom.
    pub people: Vec<String>,
    /// Share of all items, above 0 to 1.
    pub share: f64,
    /// How many people get each item; no more than are named.
    pub overlap: u32,
    /// Which items, for curating; samples if none.
    #[serde(default)]
    pub items: Option<ItemKind>,
    /// Results folder, for judging and grading; the main one if none.
    #[serde(default)]
    pub folder: Option<String>,
    /// By what people's shares, and the draw, are kept alike; nothing but their number if empty.
    #[serde(default)]
    pub balance: Vec<Balance>,
    /// Seed of draw and order.
    #[serde(default)]
    pub seed: u32,
    /// Until when it is theirs alone: a day (`2026-12-15`, to its end) or a time (RFC 3339) in UTC. What is not done then
    /// goes back when work of this kind is next handed out. For good if none.
    #[serde(default)]
    pub until: Option<String>,
    /// Jobs with a known answer, mixed into each judge's work.
    #[serde(default)]
    pub golds: u32,
    /// Responses that each judge is given a second time, mixed into their work.
    #[serde(default)]
    pub repeats: u32,
}

/// Work of one kind that somebody does not get, because they are not qualified for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeldBack {
    /// Whom.
    pub person: String,
    /// For which modality.
    pub modality: Modality,
    /// Where they stand with it.
    pub state: QualificationState,
    /// Items that they do not get for it.
    pub items: Count,
    /// Why, and what would let them have it.
    pub why: String,
}

/// Hidden jobs that are mixed into somebody's work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MixedIn {
    /// Whose.
    pub person: String,
    /// With a known answer.
    pub golds: Count,
    /// Given a second time.
    pub repeats: Count,
}

/// Work was handed out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HandedOut {
    /// New tasks by person.
    pub tasks: Vec<PersonTasks>,
    /// Items that got fewer people than asked for, because nobody else may have them.
    pub short: Count,
    /// What was taken back before, because its time was over, by person.
    pub released: Vec<PersonTasks>,
    /// What people are not qualified for.
    pub held_back: Vec<HeldBack>,
    /// Hidden jobs, of whoever got any.
    pub mixed_in: Vec<MixedIn>,
}

/// What handing out would do; nothing is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HandOutPreview {
    /// Items of this kind.
    pub items: Count,
    /// Those that the share draws.
    pub drawn: Count,
    /// Drawn items that as many people have already as are wanted.
    pub full: Count,
    /// Drawn items that would get fewer people than asked for.
    pub short: Count,
    /// Person by person.
    pub people: Vec<PersonPreview>,
    /// What would be taken back before, because its time is over, by person.
    pub released: Vec<PersonTasks>,
    /// What people are not qualified for.
    pub held_back: Vec<HeldBack>,
    /// Hidden jobs, of whoever would get any.
    pub mixed_in: Vec<MixedIn>,
}

/// What one person would get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonPreview {
    /// The person.
    pub person: String,
    /// Drawn items that they have already.
    pub held: Count,
    /// What is new.
    pub added: Count,
    /// Drawn items that they must not get: they wrote, write or review the rubric, or judge the responses.
    pub barred: Count,
    /// What they would have in all, by modality and by language (`language en`).
    pub kinds: BTreeMap<String, Count>,
}

/// How far work is, and who waits for whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    /// Person by person.
    pub people: Vec<PersonProgress>,
    /// What keeps somebody from going on, the most items first.
    pub waits: Vec<Wait>,
}

/// How far one person is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonProgress {
    /// The name.
    pub person: String,
    /// How they are addressed.
    pub display: String,
    /// Roles.
    pub roles: Vec<Role>,
    /// Judging.
    pub judging: Progress,
    /// Writing rubrics.
    pub authoring: Progress,
    /// Reviewing rubrics.
    pub reviewing: Progress,
    /// Curating items.
    pub curating: Progress,
    /// Grading by checklist.
    pub grading: Progress,
    /// When the last thing arrived that they stated (RFC 3339); none while there is nothing.
    pub last_at: Option<String>,
    /// Open tasks whose time is over.
    pub expired: Count,
}

/// Why something waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// Responses that others have judged already lack this person's verdict.
    OtherVerdict,
    /// Rubrics that others handed in lack this person's review.
    Review,
    /// Rubrics are not handed in, so that nobody can review them.
    Rubric,
    /// Rubrics came back to this person to be revised.
    Revision,
    /// This person's own statements stand side by side; only they can decide.
    Fork,
    /// The time of work is over.
    Expired,
}

/// Somebody who is waited for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wait {
    /// Why.
    pub reason: WaitReason,
    /// Who has to act.
    pub person: String,
    /// How many items.
    pub items: Count,
    /// Who waits.
    pub blocks: Vec<String>,
}
