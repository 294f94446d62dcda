//! Results: presence and MMI Value, and files that go out.

use domain::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Ask for the results.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ResultsRequest {
    /// Which judging makes `overall`: empty for the base files, or a variant such as `rejudged`.
    pub judging: Option<String>,
}

/// Scores of a study: `{"runs": {FOLDER: {"files": {FILE: …}, "overall": …}}}` (CLI.md).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StudyScores {
    /// By results folder.
    pub runs: BTreeMap<String, FolderScores>,
    /// Accuracy and consistency on the samples of an interaction benchmark; none where the study has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interaction: Option<super::InteractionScores>,
    /// Scores by checklists (GAMUT), where there are grades of checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gamut: Option<super::GamutScores>,
}

/// Scores of one results folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FolderScores {
    /// By file; variants are entries of their own.
    pub files: BTreeMap<String, FileScores>,
    /// Over the files of the judging asked for.
    pub overall: rubric::scores::RunFigures,
}

/// Scores of one result file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileScores {
    /// The model (`run_name`).
    pub run_name: String,
    /// `rejudged`, `rubric_scored` …; empty for a base file.
    pub variant: String,
    /// The run's time stamp.
    pub timestamp: String,
    /// The scores.
    #[serde(flatten)]
    pub scores: rubric::scores::RunFigures,
}

/// What can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportWhat {
    /// Every person's verdict in force, one line each.
    Verdicts,
    /// Every grade of the LLM judge, one line each.
    Grades,
    /// The presence table, by model.
    Presence,
    /// Presence by model and modality.
    PresenceByModality,
    /// The MMI Value table.
    MmiValue,
    /// Judge–human agreement, by modality and overall.
    Agreement,
    /// The threshold sweep.
    Sweep,
    /// Agreement between people.
    HumanHuman,
    /// Settlements in force.
    Settlements,
    /// Rubrics in force, one criterion a line.
    Rubrics,
    /// Prompts that stand.
    Prompts,
    /// Every row of every result file, with its scores.
    Responses,
    /// How expected modalities came back.
    Routes,
    /// Prompts by inputs and expected outputs.
    InputsByOutputs,
    /// Every verdict on a check, by evaluators and people.
    CheckGrades,
    /// Agreement of judge and people check by check.
    CheckAgreement,
    /// GAMUT scores by model and judge.
    Gamut,
    /// GAMUT scores with image and text against text alone.
    GamutTextOnly,
    /// GAMUT scores of every answer.
    GamutResponses,
    /// MMI Value of criteria that people graded.
    PeopleValue,
    /// Accuracy and consistency on samples.
    Interaction,
    /// Every prediction on a sample.
    Predictions,
}

/// The form of an exported table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportForm {
    /// Comma-separated values.
    #[default]
    Csv,
    /// One JSON object a line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
    /// A Markdown table.
    Markdown,
    /// A LaTeX tabular.
    Latex,
}

/// Export a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExportRequest {
    /// What.
    pub what: ExportWhat,
    /// In which form.
    #[serde(default)]
    pub form: ExportForm,
    /// The file; a new one beside the study if none.
    #[serde(default)]
    pub path: Option<String>,
}

/// It is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exported {
    /// The file.
    pub path: String,
    /// Lines, without the header.
    pub rows: Count,
}

/// Write the whole study as a dataset folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ExportDatasetRequest {
    /// The folder, which must not be there yet or be empty; a new one beside the study if none.
    pub path: Option<String>,
    /// Copy input files and assets into it?
    pub files: bool,
}

/// Keep a plot as a file beside the study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SavePlotRequest {
    /// The file's name without ending.
    pub name: String,
    /// The drawing, as SVG.
    pub svg: String,
    /// The same as PNG, in hexadecimal digits; then that is what is written.
    #[serde(default)]
    pub png: Option<String>,
}

/// A column of a table on screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SavedColumn {
    /// Its head.
    pub name: String,
    /// Are its cells numbers?
    pub numeric: bool,
}

/// A row of a table on screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SavedRow {
    /// What each cell shows.
    pub texts: Vec<String>,
    /// The number behind each cell, unrounded; none where there is none.
    pub numbers: Vec<Option<f64>>,
}

/// Keep a table that is on screen as a file beside the study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SaveTableRequest {
    /// The file's name without ending.
    pub name: String,
    /// Columns.
    pub columns: Vec<SavedColumn>,
    /// Rows, a cell for each column.
    pub rows: Vec<SavedRow>,
    /// In which form.
    #[serde(default)]
    pub form: ExportForm,
}
