//! GAMUT in the results: scores by checklists, of evaluators and of people.

use agreement::{Coefficient, Method};
use domain::{CheckVerdict, Count};
use rubric::gamut::{ScoreRange, ScoringRule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Ask for scores by checklists.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GamutRequest {
    /// λ, μ and the weights; those of the paper if none.
    pub rule: Option<ScoringRule>,
    /// Resamples of the bootstrap; 10,000 if none, 0 = no interval.
    pub resamples: Option<u32>,
    /// Seed; 1 if none.
    pub seed: Option<u32>,
    /// Also every scored response?
    pub responses: bool,
}

/// Shares of the four verdicts; they add up to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictShares {
    /// Met.
    pub meets: f64,
    /// Met in part.
    pub partially: f64,
    /// Not said.
    pub missing: f64,
    /// Said otherwise.
    pub contradicts: f64,
}

/// One model under one judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GamutRow {
    /// The model (`run_name`).
    pub model: String,
    /// Who judged: an evaluator, or a person.
    pub judge: String,
    /// Is the judge a person who graded in this study?
    pub by_person: bool,
    /// `multimodal`, `text_only`, or another way of asking.
    pub variant: String,
    /// Are model and judge of one family, going by their names?
    pub own_family: bool,
    /// Answers that were graded at least in part.
    pub questions: Count,
    /// Of those, answers with a score: every check has a verdict.
    pub scored: Count,
    /// Mean score over the scored answers, in [-1, 1], with its interval.
    pub score: Coefficient,
    /// The same by tier (`AC`, `V`, `C`), over the answers that have the tier and are fully judged in it.
    pub tiers: BTreeMap<String, Coefficient>,
    /// Shares over all verdicts that count; none without one.
    pub mix: Option<VerdictShares>,
    /// Verdicts that count.
    pub verdicts: Count,
    /// Checks on which the evaluator failed; they have no verdict.
    pub evaluator_errors: Count,
    /// Checks that nobody judged.
    pub unjudged: Count,
    /// Verdicts that were given on other words than the check has now; they do not count.
    pub stale: Count,
    /// Verdicts on checks that the checklist has not; they do not count.
    pub unknown: Count,
}

/// One answer under one judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GamutResponse {
    /// The question: the prompt's key.
    pub question: String,
    /// The model.
    pub model: String,
    /// Who judged.
    pub judge: String,
    /// The way of asking.
    pub variant: String,
    /// The score; none while a check has no verdict.
    pub score: Option<f64>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// What it can still become.
    pub range: Option<ScoreRange>,
    /// By tier that has checks.
    pub tiers: BTreeMap<String, Option<f64>>,
    /// How often each verdict was given.
    pub verdicts: BTreeMap<String, Count>,
    /// Checks without a verdict because the evaluator failed.
    pub evaluator_errors: Count,
}

/// A model asked in two ways, over the questions that have a score in both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GamutDifference {
    /// The model.
    pub model: String,
    /// Who judged.
    pub judge: String,
    /// Questions with a score in both.
    pub questions: Count,
    /// Mean score with image and text.
    pub multimodal: Coefficient,
    /// Mean score with text alone.
    pub text_only: Coefficient,
    /// Mean of `multimodal - text_only` over these questions, with its interval.
    pub difference: Coefficient,
}

/// Criteria that a person graded, as MMI Value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeopleValue {
    /// The model.
    pub model: String,
    /// The person.
    pub judge: String,
    /// Responses graded.
    pub responses: Count,
    /// MMI Value of the verdicts (meets 1, partial λ, else 0), over responses.
    pub value: Coefficient,
    /// Share of expected modalities with every criterion met.
    pub collapsed: Coefficient,
    /// Verdicts given on other words than the criterion has now; they do not count.
    pub stale: Count,
}

/// Scores by checklists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GamutScores {
    /// λ, μ and the weights.
    pub rule: ScoringRule,
    /// By model and judge; one judge after the other, each by falling score.
    pub models: Vec<GamutRow>,
    /// Multimodal against text alone, where a judge graded both.
    pub differences: Vec<GamutDifference>,
    /// MMI Value from criteria that people graded.
    pub people: Vec<PeopleValue>,
    /// Every answer, if asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub responses: Vec<GamutResponse>,
    /// Questions with grades and without a checklist; their grades wait for one.
    pub without_checklist: Vec<String>,
    /// How the intervals were made.
    pub method: Method,
}
impl GamutScores {
    /// Is there nothing to show?
    pub fn is_empty(&self) -> bool {
        self.models.is_empty() && self.people.is_empty() && self.without_checklist.is_empty()
    }
}

/// The name of a verdict as GAMUT's tables have it.
pub(crate) const fn verdict_name(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Partial => "partially",
        other => other.name(),
    }
}
