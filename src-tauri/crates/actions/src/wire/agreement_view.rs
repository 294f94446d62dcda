//! Agreement figures.

use super::UnitFilter;
use domain::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Ask for the Agreement screen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AgreementRequest {
    /// Which units.
    pub filter: UnitFilter,
    /// Draw single units for the intervals, as if they were independent, and not prompts?
    pub independent: bool,
    /// Resamples of the bootstrap; 10,000 if none, 0 = no interval.
    pub resamples: Option<u32>,
    /// Seed; 1 if none.
    pub seed: Option<u32>,
}

/// Agreement of the LLM judge with one person or the majority.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeHuman {
    /// The person, or `majority`.
    pub human: String,
    /// Units whose people are evenly split, left out (majority only).
    pub ties: Count,
    /// The figures, with `by` modality.
    pub result: agreement::AgreementResult,
}

/// Agreement between two people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HumanHuman {
    /// The first.
    pub a: String,
    /// The second.
    pub b: String,
    /// The figures.
    pub result: agreement::AgreementResult,
}

/// The Agreement screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgreementView {
    /// The results folder in use.
    pub folder: String,
    /// All results folders.
    pub folders: Vec<String>,
    /// Models there are.
    pub models: Vec<String>,
    /// People there are.
    pub people: Vec<String>,
    /// The figures under the filter: by modality, and with the sweep.
    pub chosen: JudgeHuman,
    /// The same by model.
    pub by_model: Vec<NamedResult>,
    /// Each person, and the majority.
    pub by_person: Vec<JudgeHuman>,
    /// Pairs of people, over all expected modalities.
    pub human_human: Vec<HumanHuman>,
}

/// Figures under a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NamedResult {
    /// The name.
    pub name: String,
    /// The figures.
    pub result: agreement::AgreementResult,
}
