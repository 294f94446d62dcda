//! Home: studies, people, sessions, jobs.

use domain::{Count, Role, StudyId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The app itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AppFacts {
    /// Version of the app.
    pub version: String,
    /// Is the demo study's source shipped beside the app?
    pub demo_available: bool,
    /// Should the demo study be opened at once?
    pub start_with_demo: bool,
    /// Things the user should know at start, such as a missing playback plug-in and the package that has it.
    pub warnings: Vec<AppWarning>,
    /// Where the loopback media server listens (`http://127.0.0.1:PORT/TOKEN`); sound and video come from
    /// there as `<media_base>/<sha256>`.
    pub media_base: String,
    /// What holds the processes that parse files; none where no worker can be started.
    pub sandbox: Option<media::worker::Sandbox>,
}

/// A thing the user should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AppWarning {
    /// Code, such as `no_worker`.
    pub code: String,
    /// What is wrong.
    pub message: String,
}

/// A study that was opened before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecentStudy {
    /// Folder.
    pub path: String,
    /// Name.
    pub name: String,
    /// When it was last opened (RFC 3339).
    pub opened_at: String,
    /// Is the folder still there?
    pub exists: bool,
}

/// Recent studies, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecentStudies {
    /// The studies.
    pub studies: Vec<RecentStudy>,
    /// A good folder for a new study.
    pub suggested_folder: String,
}

/// Make a new study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CreateStudyRequest {
    /// Folder; `.assize` is added if missing.
    pub path: String,
    /// Name; the folder's name if none.
    pub name: Option<String>,
}

/// Open a study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenStudyRequest {
    /// Folder.
    pub path: String,
}

/// A person one can be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonChoice {
    /// The name inside the study.
    pub name: String,
}

/// Ask for a person's roles; opens that person's inbox and no other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonRequest {
    /// The name.
    pub person: String,
}

/// A person's roles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonRoles {
    /// The name.
    pub person: String,
    /// How they are addressed.
    pub display: String,
    /// What they may be.
    pub roles: Vec<Role>,
}

/// Begin a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BeginSessionRequest {
    /// Who.
    pub person: String,
    /// As what.
    pub role: Role,
}

/// The open study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StudyView {
    /// Id.
    pub id: StudyId,
    /// Name.
    pub name: String,
    /// Folder.
    pub path: String,
    /// The package that it was unsealed from, if it was.
    pub package: Option<super::PackageView>,
    /// Who can open it here.
    pub people: Vec<PersonChoice>,
    /// Warnings about where it lies (a synced folder, say).
    pub warnings: Vec<String>,
}

/// The session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionView {
    /// Who.
    pub person: String,
    /// How they are addressed.
    pub display: String,
    /// As what.
    pub role: Role,
}

/// Where the app stands: no study, a study, or a study with a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// The open study.
    pub study: Option<StudyView>,
    /// The session in it.
    pub session: Option<SessionView>,
}

/// Start an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartImportRequest {
    /// Files and folders.
    pub paths: Vec<String>,
    /// Where input files are, if not beside the dataset in `input_files`.
    #[serde(default)]
    pub input_files: Option<String>,
    /// The results folder that verdict and adjudication files belong to.
    #[serde(default)]
    pub folder: Option<String>,
    /// Parse and report only.
    #[serde(default)]
    pub dry_run: bool,
}

/// A study made from a harness run, in one step: made, imported, and left open for its lead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StudyFromRunRequest {
    /// Folder of the new study.
    pub path: String,
    /// Name.
    pub name: Option<String>,
    /// What to import.
    pub sources: Vec<String>,
}

/// A job was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobStarted {
    /// Ask for it with `job`.
    pub job: Count,
}

/// Ask for, or cancel, a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobRequest {
    /// The job.
    pub job: Count,
}

/// How a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// At work.
    Running,
    /// Done; `import` holds what it did.
    Done,
    /// Cancelled; what was not finished is invisible and resumes when it is started again.
    Cancelled,
    /// Failed; `error` says why.
    Failed,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobView {
    /// The job.
    pub job: Count,
    /// How it stands.
    pub state: JobState,
    /// What it is doing, such as the file's name.
    pub doing: String,
    /// Bytes done.
    pub done: Count,
    /// Bytes in all.
    pub total: Count,
    /// What an import did (so far, while it runs).
    pub import: Option<ImportSummary>,
    /// Why it failed.
    pub error: Option<crate::Failure>,
}

/// What an import did (CLI.md).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportSummary {
    /// File by file.
    pub files: Vec<ImportedFile>,
}

/// What happened to one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedFile {
    /// The file.
    pub path: String,
    /// What it was recognised as; empty when it is no known format.
    pub format: String,
    /// How many of each kind were added: `prompts`, `rubrics`, `responses`, `gradings`, `grades`, `verdicts`,
    /// `adjudications`, `manifests`, `assets`, `samples`, `predictions`.
    pub added: std::collections::BTreeMap<String, Count>,
    /// How many were there already.
    pub unchanged: Count,
    /// Rows that were refused.
    pub rejected: Vec<LineNote>,
    /// What one should know.
    pub warnings: Vec<LineNote>,
}

/// A note on a line of a file; line 0 is the file as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineNote {
    /// 1-based line, or record for a file without lines.
    pub line: Count,
    /// What and why.
    pub why: String,
}

/// A folder that the user chose; none when there is no dialog or it was dismissed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChosenFolder {
    /// The folder.
    pub path: Option<String>,
    /// Does this host have dialogs at all?
    pub has_dialogs: bool,
}
