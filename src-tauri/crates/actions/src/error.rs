//! Errors as they cross to the UI and to scripts: `{code, message, details}`. A code exists only where somebody
//! acts on it; nobody matches on text. Every room's own errors are mapped here, once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What somebody can act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The request is not of the command's shape, or a value in it is out of range.
    BadRequest,
    /// No such command.
    NoCommand,
    /// No study is open.
    NoStudy,
    /// No session has begun.
    NoSession,
    /// The session's role may not do this.
    NotAllowed,
    /// There is no such thing (any more).
    NotFound,
    /// The folder is no study.
    NotAStudy,
    /// The study was made by a newer version of the app.
    TooNew,
    /// The study lies where SQLite is not safe.
    UnsafePlace,
    /// There is something at that path already.
    Exists,
    /// Another process holds the study's lock or is writing; try again.
    Busy,
    /// A verdict or comment is missing; `details.modality` says where.
    Incomplete,
    /// Error-level lints stand; `details.findings` counts them.
    LintErrors,
    /// Nothing is left to undo.
    NothingToUndo,
    /// The item was changed meanwhile; it is to be read again.
    Stale,
    /// The work was cancelled.
    Cancelled,
    /// A file is damaged; `assize check` says more.
    Damaged,
    /// The disk is full or not writable.
    Disk,
    /// The worker process cannot be started.
    NoWorker,
    /// The package is sealed: its passphrase is wanted.
    Sealed,
    /// The passphrase does not open the package.
    WrongPassphrase,
    /// Nothing could be imported.
    NothingImported,
    /// Which results folder is meant? `details.folders` lists them.
    WhichFolder,
    /// Anything else.
    Internal,
}

/// An error that crosses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// What somebody can act on.
    pub code: Code,
    /// Names the thing, what is wrong and what to do.
    pub message: String,
    /// Parameters of the message.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub details: serde_json::Value,
}

impl Failure {
    /// An error without details.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: serde_json::Value::Null }
    }
    /// The same, naming what it is about.
    #[must_use]
    pub fn about(mut self, what: &str) -> Self {
        if !self.message.contains(what) {
            self.message = format!("{what}: {}", self.message);
        }
        self
    }
    /// The same with details.
    #[must_use]
    pub fn with(mut self, details: serde_json::Value) -> Self {
        self.details = details;
        self
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        let code = match error.kind() {
            std::io::ErrorKind::NotFound => Code::NotFound,
            std::io::ErrorKind::StorageFull
            | std::io::ErrorKind::PermissionDenied
            | std::io::ErrorKind::ReadOnlyFilesystem
            | std::io::ErrorKind::QuotaExceeded => Code::Disk,
            std::io::ErrorKind::AlreadyExists => Code::Exists,
            _ => Code::Internal,
        };
        Self::new(code, error.to_string())
    }
}

impl From<store::StoreError> for Failure {
    fn from(error: store::StoreError) -> Self {
        use store::StoreError as E;
        let code = match &error {
            E::NotAStudy(_) => Code::NotAStudy,
            E::NewerContainer { .. } | E::NewerFile { .. } => Code::TooNew,
            E::NetworkFolder { .. } => Code::UnsafePlace,
            E::Exists(_) => Code::Exists,
            E::NoSuchPerson(_) | E::NotFound { .. } | E::MissingFile(_) | E::BlobMissing(_) => Code::NotFound,
            E::NoRole { .. } | E::NotAssigned { .. } => Code::NotAllowed,
            E::Stale { .. } => Code::Stale,
            E::Refused(_) => Code::BadRequest,
            E::Locked(_) => Code::Busy,
            E::Sealed(_) => Code::Sealed,
            E::WrongPassphrase(_) => Code::WrongPassphrase,
            E::Io { source, .. } if !error.is_full() => {
                Failure::from(std::io::Error::from(source.kind())).code
            }
            E::ChainBroken { .. } | E::BlobAltered(_) => Code::Damaged,
            _ if error.is_full() => Code::Disk,
            _ if error.is_busy() => Code::Busy,
            _ if error.is_damage() => Code::Damaged,
            _ => Code::Internal,
        };
        Self::new(code, error.to_string())
    }
}

impl From<media::worker::Failure> for Failure {
    fn from(failure: media::worker::Failure) -> Self {
        let code = match &failure {
            media::worker::Failure::Unavailable { .. } => Code::NoWorker,
            media::worker::Failure::Cancelled => Code::Cancelled,
            _ => Code::BadRequest,
        };
        Self::new(code, failure.to_string())
    }
}
