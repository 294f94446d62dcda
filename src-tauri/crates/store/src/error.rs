//! Everything that can go wrong with a study on disk. `actions` maps these to codes; nobody matches on the text.

use domain::{BlobHash, PersonName, Role, StatementId};
use std::path::{Path, PathBuf};

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The database engine said no; see [`StoreError::is_full`] and [`StoreError::is_busy`].
    #[error("{}: {source}", file.display())]
    Sqlite {
        /// The file.
        file: PathBuf,
        /// What the engine said.
        source: rusqlite::Error,
    },
    /// The database engine said no, in a place that does not know its file.
    #[error("the study's files: {0}")]
    Engine(#[from] rusqlite::Error),
    /// The file system said no.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder holds no study.
    #[error("{}: no Assize study (it has no readable study.assize)", .0.display())]
    NotAStudy(PathBuf),
    /// A study must not be made over something else.
    #[error("{}: there is already something here; choose another name", .0.display())]
    Exists(PathBuf),
    /// The folder was made by a newer version.
    #[error("{}: made by a newer version of Assize (container version {found}, this one reads up to {known}); update Assize", path.display())]
    NewerContainer {
        /// The study.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// The newest version known here.
        known: u64,
    },
    /// One file was made by a newer version.
    #[error("{}: written by a newer version of Assize (schema {found}, this one reads up to {known}); update Assize", file.display())]
    NewerFile {
        /// The file.
        file: PathBuf,
        /// Its schema version.
        found: u32,
        /// The newest version known here.
        known: u32,
    },
    /// A file of an older version was opened for reading only.
    #[error("{}: from an older version of Assize (schema {found}, wanted {known}); let the lead open the study once", file.display())]
    OlderFile {
        /// The file.
        file: PathBuf,
        /// Its schema version.
        found: u32,
        /// The version wanted.
        known: u32,
    },
    /// A file that must be there is not.
    #[error("{}: missing or not finished", .0.display())]
    MissingFile(PathBuf),
    /// A file is not what its name says.
    #[error("{}: {what}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The engine could lose committed writes.
    #[error("SQLite {found} is too old: at least 3.51.3 is needed")]
    EngineTooOld {
        /// Its version.
        found: String,
    },
    /// SQLite is not safe there.
    #[error("{}: lies on a network file system ({filesystem}), where a study can lose data; use a local disk", path.display())]
    NetworkFolder {
        /// The study.
        path: PathBuf,
        /// The file system's name.
        filesystem: String,
    },
    /// Reserved: sealed studies come later.
    #[error("this version of Assize cannot open or make sealed studies; leave the key out")]
    KeyNotSupported,
    /// Nobody of that name has an inbox here.
    #[error("this study has no person {0}")]
    NoSuchPerson(PersonName),
    /// The person does not hold the role.
    #[error("{person} is not {role} in this study")]
    NoRole {
        /// Who.
        person: PersonName,
        /// The role asked for.
        role: Role,
    },
    /// Something asked for is not in the files that this session may open.
    #[error("there is no {what} {id} here")]
    NotFound {
        /// Kind of thing.
        what: &'static str,
        /// Which one.
        id: String,
    },
    /// The item is not among the person's tasks.
    #[error("{subject} is not among the tasks of {person}")]
    NotAssigned {
        /// Who.
        person: PersonName,
        /// What they tried to state something about.
        subject: String,
    },
    /// A statement was made on an outdated picture of the item.
    #[error("{subject} was changed meanwhile; look at it again")]
    Stale {
        /// What it is about.
        subject: String,
        /// The statements that stand now.
        current: Vec<StatementId>,
    },
    /// A statement cannot be taken, for a reason that the person can act on.
    #[error("{0}")]
    Refused(String),
    /// Rows that do not continue a journal's chain.
    #[error("{journal}: row {seq} does not continue the journal: {reason}")]
    ChainBroken {
        /// The journal's file name.
        journal: String,
        /// The row.
        seq: u64,
        /// Why.
        reason: String,
    },
    /// Rows that begin later than the journal ends: ask for the missing ones first.
    #[error("{journal}: rows {have} to {next} are missing in between", have = have + 1, next = next - 1)]
    Gap {
        /// The journal's file name.
        journal: String,
        /// The last row here.
        have: u64,
        /// The first row offered.
        next: u64,
    },
    /// A package wants its passphrase.
    #[error("{}: this package is sealed; give its passphrase (ASSIZE_PASSPHRASE)", .0.display())]
    Sealed(PathBuf),
    /// It does not open with this one.
    #[error("{}: the passphrase does not open this package", .0.display())]
    WrongPassphrase(PathBuf),
    /// A blob's bytes are not there.
    #[error("the file with SHA-256 {0} is missing from the study")]
    BlobMissing(BlobHash),
    /// A blob's bytes do not have its hash.
    #[error("the file with SHA-256 {0} was altered on disk")]
    BlobAltered(BlobHash),
    /// Maintenance is going on.
    #[error("{}: another program is repairing or migrating this study; try again in a moment", .0.display())]
    Locked(PathBuf),
    /// A JSON text that the store wrote or was given cannot be read.
    #[error("{what}: {source}")]
    Json {
        /// Which text.
        what: String,
        /// Why.
        source: serde_json::Error,
    },
}

impl From<rusqlite::types::FromSqlError> for StoreError {
    fn from(error: rusqlite::types::FromSqlError) -> Self {
        Self::Engine(error.into())
    }
}

impl StoreError {
    /// An I/O error with its path.
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
    /// An engine error with its file.
    pub(crate) fn sqlite(file: &Path) -> impl FnOnce(rusqlite::Error) -> Self {
        let file = file.to_owned();
        move |source| Self::Sqlite { file, source }
    }
    /// A JSON error with the name of the text.
    pub(crate) fn json(what: &str) -> impl FnOnce(serde_json::Error) -> Self {
        let what = what.to_owned();
        move |source| Self::Json { what, source }
    }

    fn engine_code(&self) -> Option<rusqlite::ErrorCode> {
        match self {
            Self::Sqlite { source, .. } | Self::Engine(source) => source.sqlite_error_code(),
            _ => None,
        }
    }
    /// Is the disk full? Nothing was written then.
    pub fn is_full(&self) -> bool {
        match self {
            Self::Io { source, .. } => source.kind() == std::io::ErrorKind::StorageFull,
            other => other.engine_code() == Some(rusqlite::ErrorCode::DiskFull),
        }
    }
    /// Was another program writing for longer than we wait? Nothing was written then.
    pub fn is_busy(&self) -> bool {
        matches!(
            self.engine_code(),
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
        )
    }
    /// Is a file damaged, as far as the engine can tell?
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. })
            || matches!(
                self.engine_code(),
                Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase)
            )
    }
}
