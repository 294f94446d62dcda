//! Scores of an interaction benchmark: accuracy and consistency.

use agreement::Coefficient;
use domain::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Accuracy and consistency over some samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InteractionCell {
    /// Samples that the model was asked.
    pub samples: Count,
    /// Mean share of a sample's variants that are answered right; the interval draws samples.
    pub accuracy: Coefficient,
    /// Share of samples whose variants are all answered the same; none where that is not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<Coefficient>,
}

/// One model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InteractionModel {
    /// Over all samples; consistency over those that turn on one modality.
    pub overall: InteractionCell,
    /// By what a sample turns on: `vision`, `text`, `synergy`.
    pub by_pattern: BTreeMap<String, InteractionCell>,
    /// By level: `1`, `2`, `3`.
    pub by_level: BTreeMap<String, InteractionCell>,
    /// By task.
    pub by_task: BTreeMap<String, InteractionCell>,
    /// Under each context: the share of samples answered right.
    pub by_context: BTreeMap<String, InteractionCell>,
    /// By level within each pattern: `vision/1`.
    pub by_pattern_and_level: BTreeMap<String, InteractionCell>,
    /// Variants without a prediction, which count as not right.
    pub missing: Count,
    /// Samples that the model was asked nothing of; they are left out.
    pub not_asked: Count,
}

/// All models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InteractionScores {
    /// Samples that count.
    pub samples: Count,
    /// Samples that curation discarded; they do not count.
    pub discarded: Count,
    /// By model.
    pub models: BTreeMap<String, InteractionModel>,
    /// How the intervals came about.
    pub method: agreement::Method,
}
