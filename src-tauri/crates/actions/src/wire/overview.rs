//! The lead's overview, people and work.

use super::Progress;
use domain::{Count, PromptId, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The overview.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overview {
    /// Prompts.
    pub prompts: Count,
    /// Prompts with a rubric.
    pub prompts_with_rubric: Count,
    /// Result files, by folder.
    pub folders: Vec<FolderView>,
    /// Responses.
    pub responses: Count,
    /// Verdicts by people in force: one per person, response and modality.
    pub verdicts: Count,
    /// Disagreements of the main folder (judge against the majority), and how many are settled.
    pub disagreements: Progress,
    /// Percent agreement with the majority in the main folder.
    pub percent_agreement: Option<agreement::Coefficient>,
    /// Scott's π of the same.
    pub scott_pi: Option<agreement::Coefficient>,
    /// People and their work.
    pub people: Vec<PersonWork>,
    /// What to do next, most useful first: codes `import`, `add_people`, `hand_out_judging`,
    /// `hand_out_authoring`, `settle`, `mend_gold`, `see_results`.
    pub next_steps: Vec<String>,
    /// Imports that did not finish, by path: importing again resumes them.
    pub unfinished_imports: Vec<String>,
    /// Facts about imports that a lead should know (coverage, missing files, conflicts).
    pub import_notes: Vec<String>,
}

/// A results folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FolderView {
    /// Its name.
    pub folder: String,
    /// Models in it.
    pub models: Vec<String>,
    /// Responses in it.
    pub responses: Count,
    /// Rows expected by its manifest, over all models; none without a manifest.
    pub expected_rows: Option<Count>,
    /// Verdicts by people on it.
    pub verdicts: Count,
}

/// A person and their work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonWork {
    /// The name.
    pub person: String,
    /// How they are addressed.
    pub display: String,
    /// Roles; empty for a person known only from an imported file.
    pub roles: Vec<Role>,
    /// Judging tasks.
    pub judging: Progress,
    /// Authoring tasks.
    pub authoring: Progress,
    /// Reviewing tasks.
    pub reviewing: Progress,
    /// Items to curate.
    pub curating: Progress,
    /// Grading tasks.
    pub grading: Progress,
    /// Verdicts imported from files under this name.
    pub imported_verdicts: Count,
}

/// Add a person, or give one further roles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AddPersonRequest {
    /// Name: 1 to 64 of a-z, 0-9, _ and -.
    pub name: String,
    /// How they are addressed; the name if empty.
    #[serde(default)]
    pub display: String,
    /// Roles to hold (added to those held).
    pub roles: Vec<Role>,
}

/// What kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkKind {
    /// Judging responses.
    Judge,
    /// Writing rubrics.
    Author,
    /// Reviewing rubrics that were handed in.
    Review,
    /// Curating items: each is retained, revised or discarded.
    Curate,
    /// Grading responses against their checklists.
    Grade,
}

/// By what people's shares are kept alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Balance {
    /// Each modality that is expected.
    Modality,
    /// The prompt's language.
    Language,
}

/// New tasks of one person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonTasks {
    /// The person.
    pub person: String,
    /// How many are new.
    pub added: Count,
}

/// Search prompts (auditor, lead).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PromptsRequest {
    /// In key or text, without case.
    pub search: String,
    /// Continue after this cursor.
    pub after: Option<String>,
    /// At most so many rows (default 100, at most 1000).
    pub limit: Option<u32>,
}

/// A prompt in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptRow {
    /// Opaque id.
    pub id: PromptId,
    /// Key.
    pub key: String,
    /// Start of the text.
    pub text: String,
    /// Responses to it.
    pub responses: Count,
}
