//! Parts of the Agreement screen that are asked for one by one: by a key, people among each other, criteria, judges compared,
//! differences, plans.

use super::UnitFilter;
use agreement::{
    Coefficient, CriterionOutcome, Expected, GroupKey, JudgeComparison, Method, Numbers, Plan,
    RaterAgainstOthers, RaterEstimate, RaterPair,
};
use domain::{Count, Modality};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Ask for agreement by one key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgreementByRequest {
    /// Which units.
    #[serde(default)]
    pub filter: UnitFilter,
    /// By what.
    pub by: GroupKey,
    /// Resamples of the bootstrap; 10,000 if none, 0 = no interval.
    #[serde(default)]
    pub resamples: Option<u32>,
    /// Seed; 1 if none.
    #[serde(default)]
    pub seed: Option<u32>,
}

/// One group: the judge against people, and people among themselves on the same units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupRow {
    /// The group's label; empty for all units together.
    pub label: String,
    /// Judge (rows) and the chosen human (columns).
    pub judge_human: Numbers,
    /// All people, on those of the units that two or more judged: the ceiling.
    pub people: Numbers,
}

/// Agreement by one key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgreementBy {
    /// By what.
    pub by: GroupKey,
    /// Over all units.
    pub all: GroupRow,
    /// By group.
    pub groups: Vec<GroupRow>,
    /// Units that are in no group, because what they would be split by is not known.
    pub ungrouped: Count,
    /// How the intervals were made.
    pub method: Method,
}

/// Ask for who agrees with whom.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AgreementPeopleRequest {
    /// Which units.
    pub filter: UnitFilter,
    /// Resamples of the bootstrap; 10,000 if none, 0 = no interval.
    pub resamples: Option<u32>,
    /// Seed; 1 if none.
    pub seed: Option<u32>,
}

/// One rater in the Dawid–Skene model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelledRater {
    /// The rater.
    pub rater: String,
    /// What the model estimates.
    pub estimate: RaterEstimate,
}

/// What the Dawid–Skene model estimates, without the chances of single units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelModel {
    /// What this is, in words: a model's estimate.
    pub model: String,
    /// Estimated share of units that are correct.
    pub correct: f64,
    /// Per rater.
    pub raters: Vec<ModelledRater>,
    /// Steps taken.
    pub iterations: Count,
    /// False when the steps ran out first.
    pub converged: bool,
    /// What a reader has to know beside the numbers.
    pub notes: Vec<String>,
}

/// One person against what auditors settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgainstSettled {
    /// The rater.
    pub rater: String,
    /// The rater (rows) against the settled verdict (columns), over settled units alone. Settled units are mostly disputed
    /// ones, so that this is no estimate for all.
    pub numbers: Numbers,
}

/// Who agrees with whom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeopleAgreement {
    /// The raters: people by name, and `judge` last.
    pub raters: Vec<String>,
    /// All pairs; places in `raters`.
    pub pairs: Vec<RaterPair>,
    /// Each person against the commonest verdict of all other people.
    pub against_others: Vec<RaterAgainstOthers>,
    /// Each rater against what auditors settled.
    pub against_settled: Vec<AgainstSettled>,
    /// All people together.
    pub people: Numbers,
    /// The Dawid–Skene model over all raters.
    pub model: Option<LabelModel>,
    /// Why there is no such model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_model: Option<String>,
    /// How the intervals were made.
    pub method: Method,
}

/// Who graded criteria.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CriteriaGradedBy {
    /// LLM judges.
    #[default]
    Judge,
    /// People who graded responses against their checklists: the majority, or the filter's human.
    People,
}

/// Ask for criteria.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CriteriaRequest {
    /// Which results; set and collapse play no part, the human where people's grades are asked for.
    pub filter: UnitFilter,
    /// By whom they were graded.
    pub graded_by: CriteriaGradedBy,
    /// Only criteria with this outcome.
    pub outcome: Option<agreement::Outcome>,
    /// Continue after this place.
    pub after: Option<String>,
    /// At most so many rows (default 200, at most 1000).
    pub limit: Option<u32>,
}

/// What each criterion does to agreement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionEffectsView {
    /// The results folder in use.
    pub folder: String,
    /// Criteria by how often they alone stand against the person. Named `Modality: words`.
    #[serde(flatten)]
    pub effects: agreement::CriterionEffects,
}

/// How responses fare under one criterion of one prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionRow {
    /// The prompt's key.
    pub key: String,
    /// 1-based place in the rubric.
    pub index: Count,
    /// Modality it is about.
    pub modality: Option<Modality>,
    /// The text, with counts.
    pub outcome: CriterionOutcome,
}

/// Criteria and how many there are of each outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CriteriaView {
    /// Criteria that were graded at least once.
    pub graded: Count,
    /// Those that no response passes.
    pub never_passed: Count,
    /// Those that every response passes.
    pub never_failed: Count,
    /// Responses graded by a criterion, on average over criteria.
    pub responses_per_criterion: Option<f64>,
    /// The rows asked for, by prompt and place.
    pub rows: Vec<CriterionRow>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// Rows there are under the request.
    pub total: Count,
}

/// By which scores judges are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JudgedScores {
    /// The MMI Value of a response, by rubric judges of runs.
    #[default]
    MmiValue,
    /// The GAMUT score of an answer, by evaluators of checklists.
    Gamut,
}

/// Ask for judges compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JudgesRequest {
    /// Which results; only folder, model and prompt play a part.
    pub filter: UnitFilter,
    /// By which scores; by those that several judges gave if none, MMI Value first.
    pub scores: Option<JudgedScores>,
    /// Resamples of the bootstrap; 2,000 if none, 0 = no interval.
    pub resamples: Option<u32>,
    /// Seed; 1 if none.
    pub seed: Option<u32>,
}

/// Rubric judges of the same responses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgesView {
    /// By which scores.
    pub scores: JudgedScores,
    /// The scores that several judges gave.
    pub choices: Vec<JudgedScores>,
    /// The judges, each with the family that is read off its name.
    pub judges: Vec<NamedFamily>,
    /// The models, each with the family that is read off its name.
    pub models: Vec<NamedFamily>,
    /// The comparison, of the score of each response; none with fewer than two judges.
    pub comparison: Option<JudgeComparison>,
}

/// A name with the family that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedFamily {
    /// The name.
    pub name: String,
    /// The first word of the name; none if it has no letters.
    pub family: Option<String>,
}

/// A coefficient that can be compared or planned for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CoefficientName {
    /// Percent agreement.
    PercentAgreement,
    /// Scott's π.
    #[default]
    ScottPi,
    /// Cohen's κ.
    CohenKappa,
    /// Krippendorff's α.
    KrippendorffAlpha,
    /// Gwet's AC1.
    GwetAc1,
    /// Brennan and Prediger's coefficient.
    BrennanPrediger,
}

/// One side of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ComparedSide {
    /// A person, `majority` (the default) or `settled`.
    pub human: Option<String>,
    /// Which judging's grades: a variant such as `rejudged`; the base files if none.
    pub judging: Option<String>,
    /// The set; that of the filter if none.
    pub set: Option<super::UnitSet>,
    /// Collapse threshold; that of the filter if none.
    pub collapse: Option<f64>,
    /// Only this model.
    pub model: Option<String>,
    /// Only what was graded by this version of its prompt's rubric; that of the filter if none.
    pub rubric_version: Option<String>,
}

/// Ask for a difference.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DifferenceRequest {
    /// Which units, for both sides.
    pub filter: UnitFilter,
    /// Of what.
    pub coefficient: CoefficientName,
    /// The first side.
    pub first: ComparedSide,
    /// The second side.
    pub second: ComparedSide,
    /// Also list the rubric versions there are? It takes a look at every grade.
    pub list_rubric_versions: bool,
    /// Resamples of the bootstrap; 10,000 if none, 0 = no interval.
    pub resamples: Option<u32>,
    /// Seed; 1 if none.
    pub seed: Option<u32>,
}

/// What can be on a side of a comparison, and the difference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DifferenceView {
    /// Judgings there are besides the base files.
    pub judgings: Vec<String>,
    /// Rubric versions that anything was graded by, if asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rubric_versions: Vec<String>,
    /// Units of the first side.
    pub first_units: Count,
    /// Units of the second side.
    pub second_units: Count,
    /// The difference, first less second.
    pub difference: agreement::Difference,
}

/// What a plan starts from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanFrom {
    /// The units under the filter, as a pilot.
    #[default]
    Pilot,
    /// Expected shares.
    Expected {
        /// The shares.
        shares: Expected,
        /// Judged units a prompt has on average.
        units_per_prompt: f64,
        /// By how much the variance is larger than with independent units.
        design_effect: f64,
    },
}

/// Ask how many units are needed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanRequest {
    /// The pilot's units.
    #[serde(default)]
    pub filter: UnitFilter,
    /// Which coefficient.
    #[serde(default)]
    pub coefficient: CoefficientName,
    /// From what.
    #[serde(default)]
    pub from: PlanFrom,
    /// Wanted width of the interval, upper end less lower end.
    pub width: f64,
    /// Confidence; 0.95 if none.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// Errors found in an audit sample.
    #[serde(default)]
    pub audit_errors: Option<u32>,
    /// Items of the audit sample.
    #[serde(default)]
    pub audit_items: Option<u32>,
}

/// A plan, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanView {
    /// The plan.
    pub plan: Option<Plan>,
    /// Why there is no plan.
    pub undefined: Option<String>,
    /// Widths at other numbers of units.
    pub widths: Vec<PlannedWidth>,
    /// The error rate of the audited work is at most this, with the confidence (exact, one-sided).
    pub error_rate: Coefficient,
}

/// How wide the interval is over so many units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedWidth {
    /// Units judged twice.
    pub units: Count,
    /// Width of the interval.
    pub width: f64,
}
