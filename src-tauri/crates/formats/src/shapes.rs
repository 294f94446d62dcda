//! Shapes of files that no other room has a noun for.

use domain::{Modality, Verdict};
use serde::{Deserialize, Serialize};

/// One finished judgement of `agreement --triples`: a human verdict beside the judge's scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Triple {
    /// Prompt key.
    pub prompt_id: String,
    /// Model.
    pub model: String,
    /// Modality.
    pub modality: Modality,
    /// What the person said.
    pub human_verdict: Verdict,
    /// The judge's scores, one per criterion, each in [0, 1]. Never empty.
    pub criterion_scores: Vec<f64>,
}

/// A model of a `run_manifest.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestModel {
    /// The `run_name` of its rows.
    pub name: String,
    /// Provider.
    pub provider: String,
    /// Model id asked for.
    pub model_id: String,
    /// The version that answered, if the provider said.
    pub resolved_model_version: String,
}

/// A judge of a `run_manifest.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgeProfile {
    /// Was it used?
    pub enabled: bool,
    /// Provider.
    pub provider: String,
    /// Model.
    pub model: String,
    /// Were linked assets fetched? (Rubric judge only.)
    pub fetch_remote_assets: bool,
}

/// A `run_manifest.json` (MMI-FORMAT 2). It may describe a later run than an older file beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunManifest {
    /// `schema_version`, 1.
    pub schema_version: u64,
    /// `YYYYMMDD_HHMMSS`, UTC.
    pub run_timestamp: String,
    /// Name of the configuration: the folder's name.
    pub config_name: String,
    /// Hash over models, judges and settings.
    pub config_hash: String,
    /// `dataset_revision`.
    pub dataset_revision: String,
    /// SHA-256 of the sorted prompt ids; compare with [`crate::prompt_id_hash`], show a difference, never block.
    pub dataset_prompt_id_hash: String,
    /// Rows expected per model.
    pub prompt_count: u64,
    /// `full`, `sample`, `prompt_ids`, `max_prompts:<n>`.
    pub prompt_selection: String,
    /// `harness_version`.
    pub harness_version: String,
    /// `harness_commit`.
    pub harness_commit: String,
    /// Models that were asked for; one may have no file.
    pub models: Vec<ManifestModel>,
    /// Presence judge.
    pub judge: JudgeProfile,
    /// Rubric judge.
    pub rubric_judge: JudgeProfile,
}

/// What a rater said of a unit: a number where the text is one, else the text.
#[derive(Debug, Clone, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Rating {
    /// A finite number.
    Number(f64),
    /// Anything else.
    Text(String),
}

/// A units × raters table (`agreement --table`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RatingTable {
    /// Names of the raters; `1`, `2`, … where the file has none.
    pub raters: Vec<String>,
    /// Names of the units, if the file has them.
    pub units: Option<Vec<String>>,
    /// One row per unit, each as long as `raters`; none = missing.
    pub rows: Vec<Vec<Option<Rating>>>,
    /// The declared scale, in order.
    pub categories: Option<Vec<Rating>>,
    /// The declared level: `nominal`, `ordinal`, `interval`.
    pub level: Option<String>,
    /// The category that the indices of prevalence and bias count; the first one if none is named.
    pub positive: Option<Rating>,
}
