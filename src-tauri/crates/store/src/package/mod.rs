//! Work packages: what one person in one role may see, in one sealed file, and their work on its way back.
//!
//! A package is a tar archive inside an [age](https://age-encryption.org) file. What goes out holds `package.json`, the
//! person's own journals as signed rows, `content/` and `inbox/` built anew from the rows that the person's tasks need,
//! and the blobs that those rows name. What comes back holds `package.json` and journals alone. Nothing is ever made by
//! deleting from a copy, so nothing granted to others can be left over in unused pages; entries are in the order of
//! their names, without times or owners.
//!
//! Journals travel as rows, never as databases, so that merging parses no foreign database file, and drafts, which
//! are nobody else's business, stay at home.
//!
//! An author who reviews gets the rubrics to review, and the reviews to settle, as single signed rows in `reviewed/`; nobody
//! else's journal is in a package.
//!
//! `ticket` is made from the study's secret, the person and the role: only a package that this study's lead made (or
//! its return) carries it. `key` is the study's public age key, to which work can be sealed on its way back without
//! any passphrase; its private half follows from the study's secret, which only leads and auditors can read.

mod merge;
mod open;
mod reduce;
pub(crate) mod reviewed;
mod rows;
mod seal;
mod write;

pub use merge::{Fork, ForkVersion, MergedPackage, Returned};
pub use open::{is_package, open_package};
pub use seal::{PackageKey, Passphrase, Seal, takes_passphrase};
pub use write::Packed;

use crate::folder::Folder;
use crate::{Result, StoreError};
use domain::{JournalKind, PersonName, Role, StudyId};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

/// The newest package version that this code reads.
const VERSION: u32 = 1;
/// The name of the description, in the package and in the folder that it is unsealed into.
const DESCRIPTION: &str = "package.json";

/// What a package is: its first entry, kept in the folder that it is unsealed into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackageMark {
    /// Version of the package's form.
    pub package_version: u32,
    /// The study.
    pub study: StudyId,
    /// The study's name.
    pub name: String,
    /// For whom.
    pub person: PersonName,
    /// In which role.
    pub role: Role,
    /// When it was packed, RFC 3339: of two packages for one person the later has the newer content.
    pub made_at: String,
    /// Proves that the study's lead made it.
    pub ticket: String,
    /// The study's public age key.
    pub key: String,
    /// Is it work on its way back, without content?
    pub returned: bool,
}

impl PackageMark {
    fn read(text: &[u8]) -> Result<Self> {
        // The version first: what else a newer description holds is not known here.
        #[derive(Deserialize)]
        struct Version {
            package_version: u32,
        }
        let json = StoreError::json(DESCRIPTION);
        let found = serde_json::from_slice::<Version>(text).map_err(json)?.package_version;
        if found > VERSION {
            return Err(StoreError::Refused(format!(
                "the package was made by a newer version of Assize (package version {found}, this one reads up to \
                 {VERSION}); update Assize"
            )));
        }
        serde_json::from_slice(text).map_err(StoreError::json(DESCRIPTION))
    }
}

/// The journals that a role writes; none for a role that no package is made for.
pub(crate) const fn journals_of(role: Role) -> &'static [JournalKind] {
    match role {
        Role::Judge => &[JournalKind::Judge],
        Role::Author => &[JournalKind::Author, JournalKind::Review],
        Role::Auditor | Role::Lead => &[],
    }
}

impl Folder {
    fn mark_path(&self) -> PathBuf {
        self.root().join(DESCRIPTION)
    }
    /// The package that this folder was unsealed from; none for a study of one's own.
    pub fn package(&self) -> Result<Option<PackageMark>> {
        let path = self.mark_path();
        match fs::read(&path) {
            Ok(text) => PackageMark::read(&text).map(Some),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(StoreError::io(&path)(e)),
        }
    }
}

#[cfg(test)]
mod tests;
