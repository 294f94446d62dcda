//! Disagreements of the judge with people, and of two people, settled one by one.

use super::{GoldMarkView, PromptView, ResponseView};
use domain::{Cause, Count, Modality, ResponseId, StatementId, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which of the four cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// Judge and people say correct.
    BothCorrect,
    /// Judge correct, people incorrect.
    JudgeOnly,
    /// Judge incorrect, people correct.
    HumanOnly,
    /// Both say incorrect.
    BothIncorrect,
}

/// A set of judged units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnitSet {
    /// Present, with a gradeable payload, and no evaluator error: the papers' set.
    #[default]
    Produced,
    /// The same, evaluator errors included.
    ProducedInclEvaluatorErrors,
    /// Every expected modality that has grades.
    AllExpected,
}

/// Which units to look at; the same for counts and cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct UnitFilter {
    /// The results folder; the main one (most verdicts) if none.
    pub folder: Option<String>,
    /// The set.
    pub set: UnitSet,
    /// A person's name, `majority` (the default), or `settled`: what auditors settled, else the majority.
    pub human: Option<String>,
    /// A person whose verdicts are compared in the judge's place; all units that both judged then count, whatever the set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Only this modality.
    pub modality: Option<Modality>,
    /// Only this model.
    pub model: Option<String>,
    /// Collapse threshold, 0.05 to 1; 1 (all criteria fully met) if none.
    pub collapse: Option<f64>,
    /// Only responses to the prompt with this key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Only what was graded by this criterion, named as in the figures by criterion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criterion: Option<String>,
    /// Only what was detected this way: `native`, `url`, `judge`, `absent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// Only prompts with this trait, named as in the figures by tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Only what was graded by this version of its prompt's rubric, named as in the figures by rubric version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rubric_version: Option<String>,
}

/// A 2×2 table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FourCells {
    /// Both correct.
    pub both_correct: Count,
    /// Judge correct, people incorrect.
    pub judge_only: Count,
    /// Judge incorrect, people correct.
    pub human_only: Count,
    /// Both incorrect.
    pub both_incorrect: Count,
}

/// Counts for the navigation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DisagreementCounts {
    /// The results folder in use.
    pub folder: String,
    /// All results folders.
    pub folders: Vec<String>,
    /// The four cells under the filter.
    pub cells: FourCells,
    /// By modality, under the rest of the filter.
    pub by_modality: Vec<ModalityCells>,
    /// Models there are.
    pub models: Vec<String>,
    /// People there are, without `majority`.
    pub people: Vec<String>,
    /// Units whose people are evenly split, left out.
    pub ties: Count,
    /// Disagreements under the filter that are settled.
    pub settled: Count,
    /// Disagreements under the filter.
    pub disagreements: Count,
    /// Percent agreement (fraction of 1) with interval under the filter.
    pub percent_agreement: agreement::Coefficient,
    /// Scott's π with interval under the filter.
    pub scott_pi: agreement::Coefficient,
    /// The same units where what auditors settled takes the place of the majority; none while nothing is settled, and where one
    /// person is compared.
    pub after: Option<AfterSettling>,
    /// Where two people are compared: the same for each of them; none while nothing is settled.
    pub after_each: Vec<AfterForPerson>,
    /// Why the two differ, as far as it is settled, in the order of the causes.
    pub causes: Vec<CauseCount>,
    /// Every two people who judged something in common under the filter, those with most in common first.
    pub pairs: Vec<PairCount>,
    /// Units in the table whose prompt's gold list is marked wrong. They count as any other.
    pub marked_gold: Count,
}

/// Agreement of one of two people after auditors have settled: their verdict against what is settled, else the other's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AfterForPerson {
    /// Who.
    pub person: String,
    /// The four cells, the person in the judge's place.
    pub cells: FourCells,
    /// Percent agreement (fraction of 1) with interval.
    pub percent_agreement: agreement::Coefficient,
    /// Scott's π with interval.
    pub scott_pi: agreement::Coefficient,
    /// How often what is settled bears the person out, where the two differ.
    pub right: Count,
    /// Of so many settled.
    pub settled: Count,
}

/// Two people who judged something in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairCount {
    /// One, the first by name.
    pub first: String,
    /// The other.
    pub second: String,
    /// Units that both judged.
    pub units: Count,
    /// Of these: where they differ.
    pub differ: Count,
    /// Of these: settled.
    pub settled: Count,
}

/// Agreement after auditors have settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AfterSettling {
    /// The four cells.
    pub cells: FourCells,
    /// Percent agreement (fraction of 1) with interval.
    pub percent_agreement: agreement::Coefficient,
    /// Scott's π with interval.
    pub scott_pi: agreement::Coefficient,
}

/// How often a cause was named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CauseCount {
    /// The cause.
    pub cause: Cause,
    /// Judge correct, people incorrect.
    pub judge_only: Count,
    /// Judge incorrect, people correct.
    pub human_only: Count,
    /// Of both: how often the judge was found right.
    pub judge_right: Count,
    /// Of both: how often the rubric was sent back.
    pub sent_back: Count,
}

/// Four cells of one modality.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModalityCells {
    /// The modality.
    pub modality: Modality,
    /// Its cells.
    pub cells: FourCells,
}

/// Ask for cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CasesRequest {
    /// Which units.
    pub filter: UnitFilter,
    /// Which cell; none = both kinds of disagreement.
    pub cell: Option<Cell>,
    /// Only those not settled.
    pub open_only: bool,
    /// Draw so many of each cell by `seed` instead of all.
    pub sample: Option<u32>,
    /// Seed of the draw.
    pub seed: Option<u32>,
    /// Continue after this cursor.
    pub after: Option<String>,
    /// At most so many rows (default 100, at most 1000).
    pub limit: Option<u32>,
}

/// A row of the list of cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseRow {
    /// The response.
    pub response: ResponseId,
    /// The modality.
    pub modality: Modality,
    /// The prompt's key.
    pub key: String,
    /// The model.
    pub model: String,
    /// The cell.
    pub cell: Cell,
    /// How it was settled.
    pub settled: Option<SettlementView>,
}

/// A settlement in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettlementView {
    /// The statement; none when it was imported from a file.
    pub statement: Option<StatementId>,
    /// What it is, finally.
    pub verdict: Verdict,
    /// Whose fault.
    pub cause: Cause,
    /// Note.
    pub note: String,
    /// Was the rubric sent back?
    pub send_rubric_back: bool,
    /// Who settled it.
    pub person: String,
    /// When, as far as known.
    pub made_at: String,
}

/// Ask for one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseRequest {
    /// The response.
    pub response: ResponseId,
    /// The modality.
    pub modality: Modality,
    /// Collapse threshold; 1 if none.
    #[serde(default)]
    pub collapse: Option<f64>,
}

/// A person's verdict, as an auditor sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PersonVerdict {
    /// Who.
    pub person: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The comment.
    pub comment: String,
    /// Marks.
    pub flags: domain::VerdictFlags,
    /// Where the comment points.
    pub anchors: Vec<domain::Anchor>,
    /// What an AI was asked for background knowledge.
    pub ai_asked: String,
    /// How it was perceived, if not by playing or seeing it in the app.
    pub perceived: String,
    /// Version of the guidelines it was given under; 0 when the study had none, or from a file.
    pub guidelines_version: u32,
    /// Version of the prompt it was given under; 0 when it is not known.
    pub prompt_version: u32,
    /// Are the guidelines or the prompt newer by now?
    pub outdated: bool,
    /// Seconds taken, if known.
    pub seconds: Option<f64>,
    /// What they played and saw of this modality and of the inputs, as the app measured it; what is not there was not opened.
    pub exposures: Vec<domain::Exposure>,
    /// From a file rather than given in the app?
    pub imported: bool,
}

/// A grade by the LLM judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GradeView {
    /// Criterion id.
    pub id: String,
    /// Its text as graded.
    pub criterion: String,
    /// Score, 0 to 1.
    pub score: f64,
    /// The judge's reason.
    pub explanation: String,
    /// The judge call failed.
    pub evaluator_error: bool,
    /// What the judge had before it (`gradeable`, `absent`, …).
    pub payload: String,
    /// The rubric that is handed out now has another criterion at this place, or none.
    pub other_rubric: bool,
}

/// One case, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseView {
    /// The row of the list.
    pub row: CaseRow,
    /// The prompt; none when the dataset has none of that key.
    pub prompt: Option<PromptView>,
    /// The response.
    pub response: ResponseView,
    /// Results folder.
    pub folder: String,
    /// People's verdicts.
    pub people: Vec<PersonVerdict>,
    /// Their majority; none when evenly split.
    pub majority: Option<Verdict>,
    /// The LLM judge's name.
    pub judge_model: String,
    /// Its verdict after collapse; none without grades.
    pub judge: Option<Verdict>,
    /// Mean criterion score; none without grades.
    pub mean: Option<f64>,
    /// The threshold used.
    pub collapse: f64,
    /// The grades of this modality, in order.
    pub grades: Vec<GradeView>,
    /// How the modality was detected: `native`, `url`, `judge`, `absent`.
    pub detected: String,
    /// The dataset now expects other modalities of this prompt than those the response was run and scored with.
    pub other_gold: bool,
    /// What an auditor marked wrong in the gold list of the prompt as it stands.
    pub marked_gold: Option<GoldMarkView>,
}

/// Settle a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettleRequest {
    /// The response.
    pub response: ResponseId,
    /// The modality.
    pub modality: Modality,
    /// What it is, finally.
    pub verdict: Verdict,
    /// Whose fault.
    pub cause: Cause,
    /// Note.
    #[serde(default)]
    pub note: String,
    /// Send the rubric back to its author?
    #[serde(default)]
    pub send_rubric_back: bool,
}

/// It is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settled {
    /// The statement.
    pub statement: StatementId,
}

/// Keep the draft of a settlement's note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaveSettlementDraftRequest {
    /// The response.
    pub response: ResponseId,
    /// The modality.
    pub modality: Modality,
    /// The note so far; none drops it.
    pub note: Option<String>,
}

/// A kept note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettlementDraft {
    /// The note so far.
    pub note: Option<String>,
}
