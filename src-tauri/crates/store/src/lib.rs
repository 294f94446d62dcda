//! What a study is on disk: content files, inboxes, journals of signed statements, one typed view per role,
//! disposable indexes, check, repair and backup.
//!
//! Blindness is which files are opened: [`Folder`] hands out one view per role, and a view builds the path of no
//! file that its role may not open. An authorizer on every connection is the second layer. The truth of what people
//! decided is in the journals alone; everything else about them is computed and can be thrown away.
//!
//! This is the only room that names `rusqlite`.
#![deny(missing_docs)]

mod backup;
mod blob;
mod check;
mod clock;
mod content;
mod device;
mod draft;
mod error;
mod folder;
mod history;
mod inbox;
mod index;
mod journal;
mod lock;
mod package;
mod place;
mod reach;
mod sqlite;
mod standing;
mod view;

pub use backup::Backup;
pub use blob::*;
pub use check::{Problem, Report, Severity};
pub use clock::now;
pub use content::*;
pub use device::Device;
pub use error::StoreError;
pub use folder::{CONTAINER_VERSION, Folder, JournalName, Key};
pub use history::Record;
pub use inbox::{Inbox, Me, NewTask, Task, TaskKind, task_id};
pub use index::TaskCounts;
pub use journal::{Journal, Merged, NewStatement, SignedRow, payload};
pub use package::{
    Fork, ForkVersion, MergedPackage, PackageKey, PackageMark, Packed, Passphrase, Returned, Seal,
    is_package, open_package, takes_passphrase,
};
pub use reach::{ReachedCell, ReachedFile, each_cell};
pub use standing::Standing;
pub use view::*;

/// What every fallible function of this room answers.
pub type Result<T> = std::result::Result<T, StoreError>;
