//! Packing: what goes out to a person, and what comes back from them.

use super::reduce::reduce;
use super::seal::{PackageKey, Passphrase, Seal, seal};
use super::{DESCRIPTION, PackageMark, VERSION, journals_of, rows};
use crate::folder::{Folder, JournalName};
use crate::journal::Journal;
use crate::view::LeadView;
use crate::{Result, StoreError, blob, clock};
use domain::{BlobHash, PersonName, Role};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// What was packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// What the package is.
    pub mark: PackageMark,
    /// Tasks in it.
    pub tasks: u64,
    /// Statements of the person in it.
    pub statements: u64,
    /// Assets in it.
    pub blobs: u64,
    /// Size of the sealed file, in bytes.
    pub bytes: u64,
}

impl LeadView {
    /// Packs exactly what `person` may see as `role` into the file `path`, sealed to a passphrase or a key.
    pub fn pack(&mut self, person: &PersonName, role: Role, to: Seal<'_>, path: &Path) -> Result<Packed> {
        let folder = self.folder().clone();
        let staging = tempfile::Builder::new()
            .prefix("package-")
            .tempdir_in(folder.root().join("cache"))
            .map_err(StoreError::io(folder.root()))?;
        let made = reduce(&folder, self.content(), person, role, staging.path())?;
        let mark = PackageMark {
            package_version: VERSION,
            study: folder.study(),
            name: folder.name().to_owned(),
            person: person.clone(),
            role,
            made_at: clock::now(),
            ticket: self.ticket(person, role),
            key: self.package_key()?.public(),
            returned: false,
        };
        let (journals, statements) = journals(&folder, person, role)?;
        let bytes = seal(path, &to, |out| {
            let mut tar = tar::Builder::new(out);
            put(&mut tar, DESCRIPTION, &description(&mark)?)?;
            for (name, text) in &journals {
                put(&mut tar, name, text)?;
            }
            for (name, text) in &made.reviewed {
                put(&mut tar, name, text)?;
            }
            for (name, file) in &made.files {
                put_file(&mut tar, name, file)?;
            }
            for hash in &made.blobs {
                let file = blob::path(folder.root(), *hash);
                if !file.is_file() {
                    return Err(StoreError::BlobMissing(*hash));
                }
                put_file(&mut tar, &blob_entry(*hash), &file)?;
            }
            tar.finish().map_err(StoreError::io(path))
        })?;
        Ok(Packed { mark, tasks: made.tasks, statements, blobs: made.blobs.len() as u64, bytes })
    }

    /// What proves that a package was made by this study's lead.
    pub(super) fn ticket(&self, person: &PersonName, role: Role) -> String {
        let parts = [person.as_str().as_bytes(), role.name().as_bytes()];
        hex::encode(self.content().secret.id("package", &parts))
    }
    /// Opens work that was sealed for the study.
    pub fn package_key(&self) -> Result<PackageKey> {
        PackageKey::of(&self.content().secret)
    }
}

impl Folder {
    /// Packs the work done in this folder, which was unsealed from a package, into the file `path`: sealed to the
    /// passphrase, or, without one, to the study's key.
    pub fn pack_to_return(&self, passphrase: Option<&Passphrase>, path: &Path) -> Result<Packed> {
        let Some(mark) = self.package()? else {
            return Err(StoreError::Refused(format!(
                "{}: this study was not unsealed from a package; name a person and a role to pack for",
                self.root().display()
            )));
        };
        let mark = PackageMark { made_at: clock::now(), returned: true, ..mark };
        let (journals, statements) = journals(self, &mark.person, mark.role)?;
        let to = passphrase.map_or(Seal::Key(&mark.key), Seal::Passphrase);
        let bytes = seal(path, &to, |out| {
            let mut tar = tar::Builder::new(out);
            put(&mut tar, DESCRIPTION, &description(&mark)?)?;
            for (name, text) in &journals {
                put(&mut tar, name, text)?;
            }
            tar.finish().map_err(StoreError::io(path))
        })?;
        Ok(Packed { mark, tasks: 0, statements, blobs: 0, bytes })
    }
}

/// The person's journals of the role, by entry, and how many statements they hold.
fn journals(folder: &Folder, person: &PersonName, role: Role) -> Result<(BTreeMap<String, Vec<u8>>, u64)> {
    let kinds = journals_of(role);
    let wanted = |name: &JournalName| name.person == *person && kinds.contains(&name.kind);
    let (mut all, mut statements) = (BTreeMap::new(), 0);
    for name in folder.journals(wanted)? {
        let entry = rows::entry_name(rows::JOURNALS, &name);
        let journal = match Journal::open_to_read(folder, name) {
            Ok(journal) => journal,
            // Another program is just making it.
            Err(StoreError::MissingFile(_)) => continue,
            Err(e) => return Err(e),
        };
        let mut text = Vec::new();
        let rows = rows::write(&journal, &mut text, |_| true)?;
        // A journal that was only opened says nothing.
        if rows > 0 {
            statements += rows;
            all.insert(entry, text);
        }
    }
    Ok((all, statements))
}

fn description(mark: &PackageMark) -> Result<Vec<u8>> {
    serde_json::to_vec_pretty(mark).map_err(StoreError::json(DESCRIPTION))
}

pub(super) fn blob_entry(hash: BlobHash) -> String {
    let name = hash.to_string();
    format!("blobs/{}/{name}", &name[..2])
}

fn header(size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o600);
    // No time, no owner: they would tell when and by whom each asset came.
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header.set_entry_type(tar::EntryType::Regular);
    header
}
fn put(tar: &mut tar::Builder<&mut dyn Write>, name: &str, bytes: &[u8]) -> Result<()> {
    tar.append_data(&mut header(bytes.len() as u64), name, bytes).map_err(StoreError::io(Path::new(name)))
}
fn put_file(tar: &mut tar::Builder<&mut dyn Write>, name: &str, path: &Path) -> Result<()> {
    let fail = StoreError::io(path);
    let file = File::open(path).map_err(StoreError::io(path))?;
    let size = file.metadata().map_err(StoreError::io(path))?.len();
    tar.append_data(&mut header(size), name, file.take(size)).map_err(fail)
}
