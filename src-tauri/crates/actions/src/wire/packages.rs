//! Work packages out and back, and the proof of what they hold.

use domain::{Count, Role, StatementId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Pack what a person may see in a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackRequest {
    /// For whom.
    pub person: String,
    /// Judge or author.
    pub role: Role,
    /// The file to write; `.assizepack` is added if missing.
    pub path: String,
    /// Seals it, unless a key does.
    #[serde(default)]
    pub passphrase: String,
    /// The public key (`age1…`) of the device that opens it.
    #[serde(default)]
    pub key: Option<String>,
}

/// Pack the work done in a package, to go back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReturnRequest {
    /// The file to write; `.assizepack` is added if missing.
    pub path: String,
    /// Seals it; without one it is sealed to the study's key, which its lead has.
    #[serde(default)]
    pub passphrase: String,
}

/// A package that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackReport {
    /// The file.
    pub path: String,
    /// For whom, or by whom.
    pub person: String,
    /// In which role.
    pub role: Role,
    /// Is it work on its way back?
    pub returned: bool,
    /// Tasks in it.
    pub tasks: Count,
    /// Statements of the person in it.
    pub statements: Count,
    /// Assets in it.
    pub blobs: Count,
    /// Size in bytes.
    pub bytes: Count,
}

/// Open a sealed package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenPackageRequest {
    /// The file.
    pub path: String,
    /// Its passphrase; not needed where it is sealed to this device's key.
    #[serde(default)]
    pub passphrase: String,
}

/// A file that the app was asked to open, by a double click or another start of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileToOpen {
    /// The file; none when there is none, or it was told already.
    pub path: Option<String>,
}

/// This device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceKey {
    /// Its id, as statements name it.
    pub device: String,
    /// Its public key (`age1…`), to which packages can be sealed for it alone.
    pub key: String,
}

/// What files are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileWish {
    /// One package, to open.
    Package,
    /// Packages, to take in.
    Packages,
    /// Where to write a package.
    SavePackage,
}

/// Ask the user for files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChooseFilesRequest {
    /// What for.
    pub wish: FileWish,
    /// The name to begin with, when a file is written.
    #[serde(default)]
    pub name: String,
}

/// Files that the user chose; none when there is no dialog or it was dismissed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChosenFiles {
    /// The files.
    pub paths: Vec<String>,
    /// Does this host have dialogs at all?
    pub has_dialogs: bool,
}

/// What a study that was unsealed from a package is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackageView {
    /// For whom.
    pub person: String,
    /// In which role.
    pub role: Role,
    /// When it was packed (RFC 3339).
    pub made_at: String,
}

/// Take work in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MergeRequest {
    /// The packages, in any order.
    pub paths: Vec<String>,
    /// Opens those that are sealed to a passphrase.
    #[serde(default)]
    pub passphrase: String,
}

/// What merging did: `assize merge --json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MergeReport {
    /// Statements that are new, by kind.
    pub merged: BTreeMap<String, Count>,
    /// Statements that were there already.
    pub already: Count,
    /// What was not taken in, with the reason; nothing of it was.
    pub held: Vec<HeldView>,
    /// Statements of the packages' people that stand side by side although one should.
    pub forks: Vec<ForkView>,
    /// Tasks that are queued again, because what they are about changed meanwhile.
    pub queued_again: Count,
}

/// What was not taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeldView {
    /// The package.
    pub file: String,
    /// The journal; none when the package as a whole was not taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    /// Why.
    pub reason: String,
}

/// Statements made without knowledge of each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForkView {
    /// Their kind.
    pub kind: String,
    /// Their subject.
    pub subject: String,
    /// What that is, in words.
    pub about: String,
    /// The versions, each with its author.
    pub versions: Vec<ForkVersionView>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForkVersionView {
    /// The statement.
    pub statement: StatementId,
    /// Who.
    pub person: String,
    /// On which device.
    pub device: String,
    /// When (RFC 3339).
    pub made_at: String,
    /// What it says, in a line.
    pub summary: String,
    /// What it says, wholly.
    pub payload: serde_json::Value,
}

/// Forks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Forks {
    /// All of them.
    pub forks: Vec<ForkView>,
}

/// Publish guidelines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PublishGuidelinesRequest {
    /// The text; empty for the guidelines that the app brings along, under rules of the study's own.
    pub markdown: String,
    /// What the study asks of every verdict; none: what the text's own head says.
    #[serde(default)]
    pub rules: Option<domain::JudgingRules>,
    /// Is everything to be judged again that was judged under older ones?
    #[serde(default)]
    pub ask_again: bool,
}

/// Look for what a person must not reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeaksRequest {
    /// Whom.
    pub person: String,
    /// Look into this package, made from the study, instead of the person's sessions.
    #[serde(default)]
    pub package: Option<String>,
    /// Opens the package, unless this device's key does.
    #[serde(default)]
    pub passphrase: String,
}

/// What a person's session or package reaches, and what in it should not be there: `assize leaks --json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeakReport {
    /// What must not be reached and is.
    pub leaks: Vec<LeakView>,
    /// What may give a model away and cannot be kept back, such as its name in its own words.
    pub warnings: Vec<LeakView>,
    /// What is reached, by kind.
    pub reached: BTreeMap<String, Count>,
    /// What was looked for: how many texts of each kind.
    pub looked_for: BTreeMap<String, Count>,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct LeakView {
    /// What is reached: `model name: …`, `rubric text: …`.
    pub what: String,
    /// Where.
    #[serde(rename = "where")]
    pub place: String,
    /// `leak` or `warning`.
    pub severity: String,
}
