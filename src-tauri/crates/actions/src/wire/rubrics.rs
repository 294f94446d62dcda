//! Round the writing of a rubric: its revisions, files of other systems, templates, precedents. Nothing here can name a
//! response, a verdict or a grade.

use super::{CheckWords, LineNote, RubricDiagnostic};
use domain::{
    Contradiction, Count, Criterion, Modality, RubricDraft, StatementId, StructuredRubric, TaskId,
    WritingForm,
};
use rubric::{lints::Part, revisions::ComparedCriterion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something about one task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OfTask {
    /// The task.
    pub task: TaskId,
}

/// One revision of a rubric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RevisionRow {
    /// The statement; none for the rubric that was handed out with the prompt.
    pub statement: Option<StatementId>,
    /// Its number, from 1; 0 for the one handed out.
    pub number: Count,
    /// When (RFC 3339, UTC); empty for the one handed out.
    pub made_at: String,
    /// Was it handed in, and not taken back?
    pub handed_in: bool,
    /// Is it the one in force?
    pub in_force: bool,
    /// Was it taken back?
    pub taken_back: bool,
    /// The rubric.
    pub rubric: RubricDraft,
}

/// Revisions of a rubric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricRevisions {
    /// Newest first; the rubric that was handed out is the last.
    pub rows: Vec<RevisionRow>,
}

/// Compare two rubrics.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompareRubricsRequest {
    /// The earlier criteria.
    pub before: Vec<Criterion>,
    /// The later ones.
    pub after: Vec<Criterion>,
}

/// Two rubrics side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedRubrics {
    /// Every criterion of both, in the later order.
    pub rows: Vec<ComparedCriterion>,
}

/// A criterion to start from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TemplateRow {
    /// The kind of output, as people call it.
    pub kind: String,
    /// Its modality.
    pub modality: Modality,
    /// What it is for.
    pub part: Part,
    /// Its text; `___` stands for what only the author knows.
    pub text: String,
    /// Does the prompt name this kind?
    pub suggested: bool,
}

/// Criteria to start from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionTemplates {
    /// By modality as in the gold list; in each those first whose kind the prompt names.
    pub rows: Vec<TemplateRow>,
}

/// Search accepted criteria of the study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PrecedentsRequest {
    /// The task: criteria of its own prompt are left out.
    pub task: TaskId,
    /// What to search for.
    pub search: String,
    /// Only of this modality.
    #[serde(default)]
    pub modality: Option<Modality>,
    /// At most so many (default 20, at most 1000).
    #[serde(default)]
    pub limit: Option<u32>,
}

/// An accepted criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Precedent {
    /// The prompt's key.
    pub key: String,
    /// The criterion.
    pub criterion: Criterion,
    /// Share of the searched words that it has, above 0 and up to 1.
    pub found: f64,
}

/// Accepted criteria, closest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Precedents {
    /// The closest.
    pub rows: Vec<Precedent>,
    /// How many have a searched word at all.
    pub total: Count,
}

/// What a format has no place for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LossView {
    /// Its code, such as `negative_criteria`.
    pub kind: String,
    /// What it is, in words.
    pub what: String,
    /// How many criteria, checks or records it concerns.
    pub count: Count,
    /// One of them.
    pub example: String,
}

/// Read a rubric file, without keeping anything of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadRubricFileRequest {
    /// The task it is for.
    pub task: TaskId,
    /// What is in the file.
    pub text: String,
}

/// One rubric of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FiledRubric {
    /// The key in the file; empty if it has none.
    pub key: String,
    /// Start of the prompt in the file; empty if it has none.
    pub prompt: String,
    /// Is it for the prompt of the task: by its key, or by the words of the prompt?
    pub fits: bool,
    /// The form that it has in the file: a meta-rubric or a checklist with tiers is structured.
    pub form: WritingForm,
    /// As numbered criteria; the checks of a checklist as criteria of text. Empty when its meta-rubric does not compile.
    pub criteria: Vec<Criterion>,
    /// As a meta-rubric; items that were criteria have no tier yet. None when there is nothing to make it from.
    pub structured: Option<StructuredRubric>,
    /// The checks of a structured rubric; none while it does not compile.
    pub checks: Vec<CheckWords>,
    /// What the compiler says of a structured rubric.
    pub diagnostics: Vec<RubricDiagnostic>,
    /// What an answer must not say, in the file's own words.
    pub contradictions: Vec<Contradiction>,
}

/// What a rubric file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricFileView {
    /// The format that was recognised.
    pub format: String,
    /// Its rubrics; those that fit the prompt first.
    pub records: Vec<FiledRubric>,
    /// What would be lost by taking it, in whatever form.
    pub losses: Vec<LossView>,
    /// What would be lost besides by taking it as numbered criteria.
    pub losses_flat: Vec<LossView>,
    /// What would be lost besides by taking it as a meta-rubric.
    pub losses_structured: Vec<LossView>,
    /// What cannot be taken, with the reason.
    pub rejected: Vec<LineNote>,
}

/// A form that a rubric can be written in by its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RubricForm {
    /// MMI rubric JSON.
    Mmi,
    /// CSV, one criterion a line.
    Csv,
    /// JSONL in the form of HealthBench.
    HealthBench,
}

/// A form that the rubrics of a study can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StudyRubricForm {
    /// MMI rubric JSON.
    Mmi,
    /// CSV, one criterion a line.
    Csv,
    /// JSONL in the form of HealthBench.
    HealthBench,
    /// Tasks of Label Studio, one per criterion and response.
    LabelStudio,
    /// The labelling interface of those tasks.
    LabelStudioConfig,
    /// What an LLM judge is shown, one line per criterion and response.
    JudgePack,
}

/// Write the rubrics in force of a study in another form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StudyRubricsRequest {
    /// The form.
    pub form: StudyRubricForm,
}

/// What writing the rubrics of a study would lose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StudyRubricLosses {
    /// By kind; empty when nothing is lost.
    pub losses: Vec<LossView>,
}

/// Write a rubric in another form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricExportRequest {
    /// The task.
    pub task: TaskId,
    /// The rubric as it is on screen.
    pub rubric: RubricDraft,
    /// The form.
    pub form: RubricForm,
}

/// A rubric as it would be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricExportView {
    /// A name for the file.
    pub name: String,
    /// What would be in it.
    pub text: String,
    /// What it would lose.
    pub losses: Vec<LossView>,
}
