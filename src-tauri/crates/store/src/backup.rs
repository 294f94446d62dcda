//! A copy of a study that others may be working in. The copy is a study folder itself: it opens as it is.
//!
//! Each database is copied by SQLite's own backup, so that it is whole whatever is being written. Journals and
//! inboxes come before content: what a statement names was published before it was made, so a copy never holds a
//! statement about content that it lacks. Blobs come last, since rows name only blobs that are on disk, and blobs
//! are never removed without a month in the trash. The marker comes at the very end: a copy without it is none.

use crate::folder::Folder;
use crate::sqlite::{self, Schema};
use crate::{Result, StoreError, content, inbox, journal};
use std::fs::{self, File};
use std::path::Path;

/// What a backup holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backup {
    /// Database files.
    pub files: u64,
    /// Assets.
    pub blobs: u64,
    /// Bytes of the assets.
    pub bytes: u64,
}

impl Folder {
    /// Copies the study into `target`, a new folder (by habit `NAME.assize`). `progress` is told each file and can
    /// stop the copy with an error.
    pub fn backup(&self, target: &Path, mut progress: impl FnMut(&Backup) -> Result<()>) -> Result<Backup> {
        if target.exists() {
            return Err(StoreError::Exists(target.to_owned()));
        }
        let mut done = Backup::default();
        for folder in ["journals", "inbox", "content", "blobs", "cache"] {
            let folder = target.join(folder);
            fs::create_dir_all(&folder).map_err(StoreError::io(&folder))?;
        }
        let parts: [(&str, Option<&Schema>); 3] =
            [("journals", Some(&journal::SCHEMA)), ("inbox", Some(&inbox::SCHEMA)), ("content", None)];
        for (part, schema) in parts {
            let from = self.root().join(part);
            for entry in fs::read_dir(&from).map_err(StoreError::io(&from))? {
                let path = entry.map_err(StoreError::io(&from))?.path();
                let Some(name) = path.file_name().and_then(|n| n.to_str()) else { continue };
                let Some(stem) = name.strip_suffix(".sqlite") else { continue };
                let Some(schema) = schema.or_else(|| content_schema(stem)) else { continue };
                let connection = match sqlite::open_as_it_is(&path, schema) {
                    Ok(connection) => connection,
                    // Another program is just making it; there is nothing in it yet.
                    Err(StoreError::MissingFile(_)) => continue,
                    Err(e) => return Err(e),
                };
                sqlite::copy_to(&connection, &target.join(part).join(name))?;
                done.files += 1;
                progress(&done)?;
            }
        }
        self.copy_blobs(target, &mut done, &mut progress)?;
        let marker = target.join("study.assize");
        fs::copy(self.marker_path(), &marker).map_err(StoreError::io(&marker))?;
        File::open(&marker).and_then(|f| f.sync_all()).map_err(StoreError::io(&marker))?;
        File::open(target).and_then(|f| f.sync_all()).map_err(StoreError::io(target))?;
        Ok(done)
    }

    fn copy_blobs(
        &self,
        target: &Path,
        done: &mut Backup,
        progress: &mut impl FnMut(&Backup) -> Result<()>,
    ) -> Result<()> {
        for hash in crate::Blobs::of(self.root()).all() {
            let from = crate::blob::path(self.root(), hash);
            let to = crate::blob::path(target, hash);
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
            }
            done.bytes += fs::copy(&from, &to).map_err(StoreError::io(&from))?;
            File::open(&to).and_then(|f| f.sync_all()).map_err(StoreError::io(&to))?;
            done.blobs += 1;
            progress(done)?;
        }
        Ok(())
    }
}

/// The shape of `content/NAME.sqlite`.
pub(crate) fn content_schema(name: &str) -> Option<&'static Schema> {
    match name {
        "study" => Some(&content::STUDY),
        "responses" => Some(&content::RESPONSES),
        "rubrics" => Some(&content::RUBRICS),
        "audit" => Some(&content::AUDIT),
        _ => None,
    }
}
