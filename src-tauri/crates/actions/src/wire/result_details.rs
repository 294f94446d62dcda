//! What stands behind the results tables: intervals, detection routes, and the grid of inputs and outputs.

use domain::{Count, Modality};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Ask for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ResultDetailsRequest {
    /// The results folder; the main one if none.
    pub folder: Option<String>,
    /// Which judging: empty for the base files, or a variant such as `rejudged`.
    pub judging: Option<String>,
    /// Resamples of the bootstrap; 10,000 if none, 0 = no interval.
    pub resamples: Option<u32>,
    /// Seed; 1 if none.
    pub seed: Option<u32>,
}

/// How one modality came back where it was expected, each response by its strictest route.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RouteCounts {
    /// Rows that expect it.
    pub expected: Count,
    /// Returned natively.
    pub native: Count,
    /// Not natively, but by a link.
    pub url: Count,
    /// Found by the presence judge alone.
    pub judge: Count,
    /// Not at all.
    pub absent: Count,
}

/// The routes of one modality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModalityRoutes {
    /// The modality.
    pub modality: Modality,
    /// By route.
    pub counts: RouteCounts,
}

/// Figures of one file, or of all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileDetails {
    /// The file's name; empty for all files together.
    pub file: String,
    /// The model; empty for all files together.
    pub model: String,
    /// 95 % intervals by the path of the figure, such as `f1` or `mmi_value.by_modality.Text`; lower end first.
    pub ci95: BTreeMap<String, [f64; 2]>,
    /// How many resamples left a figure undefined, by its path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub undefined_resamples: BTreeMap<String, Count>,
    /// By modality that was expected at least once.
    pub routes: Vec<ModalityRoutes>,
}

/// Prompts with one combination of inputs and of outputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GridCell {
    /// Input modalities, such as `Text + Image`.
    pub inputs: String,
    /// Expected output modalities.
    pub outputs: String,
    /// Prompts.
    pub prompts: Count,
    /// Responses of all models to them.
    pub rows: Count,
    /// Mean F1 of presence (lenient) over these responses.
    pub f1: Option<f64>,
    /// Mean MMI Value over those of them that have one.
    pub mmi_value: Option<f64>,
}

/// Details of the results of one folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResultDetails {
    /// The folder.
    pub folder: String,
    /// By file of the judging.
    pub files: Vec<FileDetails>,
    /// All files together.
    pub overall: FileDetails,
    /// Inputs by outputs, over the prompts of the dataset.
    pub grid: Vec<GridCell>,
    /// How the intervals were made.
    pub method: agreement::Method,
}

/// Write the report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportRequest {
    /// The results folder; the main one if none.
    pub folder: Option<String>,
    /// Resamples of the bootstrap; 10,000 if none, 0 = no interval.
    pub resamples: Option<u32>,
    /// Seed; 1 if none.
    pub seed: Option<u32>,
    /// Collapse threshold; 1 (all criteria fully met) if none.
    pub collapse: Option<f64>,
    /// The file; a new one beside the study if none.
    pub path: Option<String>,
}
