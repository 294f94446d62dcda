//! Structured authoring (GAMUT): what a meta-rubric compiles to, conversions, and two revisions side by side. Nothing here
//! can name a response, a verdict or a grade.

use super::LintSeverity;
use domain::{
    Check, CheckVerdict, Count, Criterion, Item, ItemType, RehearsedAnswer, StatementId, StructuredRubric,
    TaskId, Tier, WritingForm,
};
use rubric::{
    compare::CheckChange,
    gamut::{
        Leverage,
        controls::{ControlKind, Separation},
    },
    patches::UnplacedWhy,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Compile a structured rubric as it is typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompileRubricRequest {
    /// The rubric.
    pub rubric: StructuredRubric,
}

/// The checklist that a structured rubric comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompiledRubric {
    /// Did it compile? With any error there are no checks at all.
    pub compiles: bool,
    /// All checks in their order, the suppressed ones in their place among them.
    pub checks: Vec<CompiledCheck>,
    /// What each tier weighs, the weightiest first.
    pub tiers: Vec<TierWeight>,
    /// What is wrong or worth knowing, in the order of the items.
    pub diagnostics: Vec<RubricDiagnostic>,
    /// Patches that have lost their check.
    pub unplaced: Vec<UnplacedPatch>,
}

/// One check of a compiled rubric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompiledCheck {
    /// The check as it is asked.
    pub check: Check,
    /// Its words and tier as the compiler made them, where a patch changed either.
    pub compiled: Option<CheckWords>,
    /// Hash of its words as the compiler made them, which a patch is made on; none for an added check.
    pub compiled_sha256: Option<String>,
    /// Positions of the patches that are about it.
    pub patches: Vec<u32>,
    /// Was one of them made when the check had other words?
    pub outdated: bool,
    /// Is it suppressed by a patch, and so not asked?
    pub suppressed: bool,
    /// How much it moves the score of an answer that says nothing else; none while it is suppressed.
    pub leverage: Option<Leverage>,
}

/// The words and the tier of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckWords {
    /// Its text.
    pub text: String,
    /// Its tier.
    pub tier: Tier,
}

/// What a tier weighs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TierWeight {
    /// The tier.
    pub tier: Tier,
    /// How many checks it has.
    pub checks: Count,
    /// Its share of the score, in [0, 1]; a tier without checks gives its own to the others.
    pub share: f64,
}

/// What is wrong with a structured rubric, or worth knowing, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricDiagnostic {
    /// How bad.
    pub severity: LintSeverity,
    /// The code, such as `FL-08`.
    pub code: String,
    /// 0-based position of the item; none when it is about the whole.
    pub item: Option<u32>,
    /// Field of the item, as files name it; empty when it is about the item as a whole.
    pub field: String,
    /// 0-based position in the field, when it is about one element of it.
    pub element: Option<u32>,
    /// What is wrong and what to do.
    pub message: String,
    /// A conversion that mends it.
    pub fix: Option<Conversion>,
}

/// A patch that has no place any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnplacedPatch {
    /// 0-based position of the patch.
    pub patch: u32,
    /// Why.
    pub why: UnplacedWhy,
}

/// How an item is converted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Conversion {
    /// Into another type.
    Type {
        /// The type.
        to: ItemType,
    },
    /// Into a strict list of the elements that every answer needs and a flexible list of the rest.
    Split {
        /// Ids of those elements.
        core: Vec<String>,
        /// Id of the new item.
        rest_id: String,
    },
    /// Its insights become items of their own.
    Insights,
}

/// Convert an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConvertItemRequest {
    /// The item as it is.
    pub item: Item,
    /// How.
    pub how: Conversion,
}

/// What an item became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConvertedItem {
    /// What stands in its place; none when the conversion would drop elements.
    pub items: Option<Vec<Item>>,
}

/// Compare two revisions of a structured rubric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompareChecklistsRequest {
    /// The task.
    pub task: TaskId,
    /// The earlier revision; none for the one in force.
    #[serde(default)]
    pub before: Option<StatementId>,
    /// The later revision; none for `rubric`.
    #[serde(default)]
    pub after: Option<StatementId>,
    /// The rubric as it is being written.
    #[serde(default)]
    pub rubric: Option<StructuredRubric>,
}

/// Two revisions side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChecklistComparison {
    /// Own revisions, the newest first.
    pub revisions: Vec<ChecklistRevision>,
    /// The earlier of the two; none when there is no revision yet.
    pub before: Option<StatementId>,
    /// The later one; none for what is being written.
    pub after: Option<StatementId>,
    /// Does the earlier one compile?
    pub before_compiles: bool,
    /// Does the later one?
    pub after_compiles: bool,
    /// All checks of both: in the later order, each that is gone after the one it followed.
    pub checks: Vec<ComparedWords>,
}

/// One revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChecklistRevision {
    /// The statement.
    pub revision: StatementId,
    /// 1-based number in the order in which they were made.
    pub number: Count,
    /// When (RFC 3339, UTC) by the writer's clock.
    pub made_at: String,
    /// Is it in force?
    pub in_force: bool,
    /// Was it handed in?
    pub handed_in: bool,
    /// Its form.
    pub form: WritingForm,
    /// How many checks it has; 0 when it does not compile or is flat.
    pub checks: Count,
}

/// One check of either revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedWords {
    /// Its id.
    pub id: String,
    /// What became of it.
    pub change: CheckChange,
    /// As the earlier revision has it.
    pub before: Option<CheckWords>,
    /// As the later one has it.
    pub after: Option<CheckWords>,
    /// Are verdicts on the earlier one stale? Those on the same words under the same id stand.
    pub stale: bool,
}

/// Rehearse a structured rubric on control answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RehearseRubricRequest {
    /// The rubric.
    pub rubric: StructuredRubric,
}

/// Rehearse numbered criteria on control answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RehearseCriteriaRequest {
    /// The criteria; an empty one has no control.
    pub criteria: Vec<Criterion>,
    /// Control answers that were reworded or judged.
    #[serde(default)]
    pub rehearsal: Vec<RehearsedAnswer>,
}

/// Control answers, and what they tell of the checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rehearsal {
    /// The checks that are asked.
    pub checks: Vec<Check>,
    /// A good answer, and for each check one that fails it.
    pub controls: Vec<RehearsalAnswer>,
    /// How each check did on the verdicts given, in the order of `checks`.
    pub separation: Vec<Separation>,
}

/// A control answer, and what was found in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RehearsalAnswer {
    /// What it is like.
    pub kind: ControlKind,
    /// The check that it is made to fail; none for the good one.
    pub fails: Option<String>,
    /// The draft, made by rule.
    pub draft: String,
    /// Its text: the author's, else the draft.
    pub text: String,
    /// The verdict that the draft is made for, by check.
    pub expected: Vec<CheckVerdict>,
    /// The verdict that was given and still stands, by check.
    pub given: Vec<Option<CheckVerdict>>,
}
