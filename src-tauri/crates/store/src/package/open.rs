//! Opening a package: unsealed into a folder that opens like any study, but holds only what its person may see, so that
//! nobody else can begin a session in it.
//!
//! Everything is written beside the folder first and takes its name only when it is whole. A later package for the
//! same person and role brings new content into the same folder; the work done there stays.

use super::seal::{PackageKey, Passphrase, unseal};
use super::{DESCRIPTION, PackageMark, journals_of, reviewed, rows, write};
use crate::folder::{Folder, JournalName};
use crate::journal::Journal;
use crate::{Blobs, Result, StoreError, lock, sqlite};
use domain::BlobHash;
use std::fs::{self, File};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The line that every age file begins with.
const MAGIC: &[u8] = b"age-encryption.org/v1\n";

/// Is this file a sealed package, by its first bytes?
pub fn is_package(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    path.is_file()
        && File::open(path).and_then(|mut f| f.read_exact(&mut start)).is_ok_and(|()| start == *MAGIC)
}

/// Unseals the package `file` into a folder below `parent`, or brings what is new in it into the one that is there: with
/// the passphrase, or with the device's key that it was sealed to. Answers the folder's path.
pub fn open_package(
    file: &Path,
    passphrase: Option<&Passphrase>,
    key: &PackageKey,
    parent: &Path,
) -> Result<PathBuf> {
    fs::create_dir_all(parent).map_err(StoreError::io(parent))?;
    let input = unseal(file, passphrase, Some(key))?;
    let staging =
        tempfile::Builder::new().prefix(".part-").tempdir_in(parent).map_err(StoreError::io(parent))?;
    let part = staging.path().join("study");
    let mark = unpack(file, input, &part)?;
    let target = parent.join(format!("{}.{}.{}.assize", mark.study, mark.person, mark.role));
    if target.join(DESCRIPTION).is_file() {
        renew(&target, &part, &mark)?;
    } else {
        fs::rename(&part, &target).map_err(StoreError::io(&target))?;
        File::open(parent).and_then(|f| f.sync_all()).map_err(StoreError::io(parent))?;
    }
    Ok(target)
}

fn unpack(file: &Path, input: impl Read, root: &Path) -> Result<PackageMark> {
    let fail = |e: std::io::Error| broken(file, e);
    let refuse = |why: String| StoreError::Refused(format!("{}: {why}", file.display()));
    let mut tar = tar::Archive::new(input);
    let mut entries = tar.entries().map_err(fail)?;
    let mark = description(file, entries.next())?;
    if mark.returned {
        return Err(refuse(format!(
            "this is the work of {} on its way back; its lead takes it in with assize merge",
            mark.person
        )));
    }
    let folder = Folder::create_bare(root, mark.study, &mark.name)?;
    let blobs = Blobs::of(folder.root());
    let inbox = format!("inbox/{}.sqlite", mark.person);
    for entry in entries {
        let mut entry = entry.map_err(fail)?;
        let name =
            entry_name(&entry).ok_or_else(|| refuse("it has an entry without a plain name".to_owned()))?;
        if name.starts_with("journals/") {
            let travelled = rows::read(rows::JOURNALS, &name, BufReader::new(&mut entry))?;
            allowed(&mark, &travelled.name)?;
            let mut journal = Journal::open_to_merge(&folder, travelled.name, travelled.public_key)?;
            journal.merge(&travelled.rows)?;
            sqlite::checkpoint(&journal.connection)?;
        } else if mark.role == domain::Role::Author && name.starts_with("reviewed/") {
            reviewed::keep(&folder, &name, &mut entry)?;
        } else if name.starts_with("blobs/") {
            let (hash, _) = blobs.put(&mut entry).map_err(|error| match error {
                StoreError::Io { source, .. } if source.raw_os_error().is_none() => broken(file, source),
                other => other,
            })?;
            if write::blob_entry(hash) != name {
                return Err(refuse(format!("{name} is not what its name says")));
            }
        } else if name == inbox || granted(mark.role).contains(&name.as_str()) {
            let path = root.join(&name);
            let mut out = File::create_new(&path).map_err(StoreError::io(&path))?;
            std::io::copy(&mut entry, &mut out).map_err(fail)?;
            out.sync_all().map_err(StoreError::io(&path))?;
        } else {
            return Err(refuse(format!("it holds {name}, which no {} may see", mark.role)));
        }
    }
    blobs.flush()?;
    put_mark(root, &mark)?;
    Ok(mark)
}

/// The content files of a role's package.
fn granted(role: domain::Role) -> &'static [&'static str] {
    match role {
        domain::Role::Judge => &["content/study.sqlite", "content/responses.sqlite"],
        domain::Role::Author => &["content/study.sqlite", "content/rubrics.sqlite"],
        domain::Role::Auditor | domain::Role::Lead => &[],
    }
}

/// Refuses a journal that is not the person's own, of a kind that their role writes.
pub(super) fn allowed(mark: &PackageMark, name: &JournalName) -> Result<()> {
    if name.person == mark.person && journals_of(mark.role).contains(&name.kind) {
        Ok(())
    } else {
        Err(StoreError::Refused(format!(
            "{name} does not belong into a package of {} as {}",
            mark.person, mark.role
        )))
    }
}

/// Why a sealed file could not be read on. What age cannot verify it does not give out: without an error of the system, a
/// piece of the file is missing, or is not what was sealed.
pub(super) fn broken(file: &Path, error: std::io::Error) -> StoreError {
    if error.raw_os_error().is_some() {
        return StoreError::io(file)(error);
    }
    StoreError::Damaged {
        file: file.to_owned(),
        what: "it was cut off or altered on the way; ask for it once more".to_owned(),
    }
}

/// The first entry.
pub(super) fn description<R: Read>(
    file: &Path,
    first: Option<std::io::Result<tar::Entry<'_, R>>>,
) -> Result<PackageMark> {
    const LONGEST: u64 = 1 << 20;
    let damaged = |what: &str| StoreError::Damaged { file: file.to_owned(), what: what.to_owned() };
    let none = || damaged("it was unsealed, but is no work package of Assize");
    let mut entry = first.ok_or_else(none)?.map_err(|e| broken(file, e))?;
    if entry_name(&entry).as_deref() != Some(DESCRIPTION) {
        return Err(none());
    }
    let mut text = Vec::new();
    entry.by_ref().take(LONGEST).read_to_end(&mut text).map_err(|e| broken(file, e))?;
    PackageMark::read(&text)
}

/// A plain file with a name of lower-case letters, digits and `. _ - /`; none for anything else.
pub(super) fn entry_name<R: Read>(entry: &tar::Entry<'_, R>) -> Option<String> {
    let name = std::str::from_utf8(&entry.path_bytes()).ok()?.to_owned();
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
    };
    (entry.header().entry_type().is_file() && name.split('/').all(plain)).then_some(name)
}

fn put_mark(root: &Path, mark: &PackageMark) -> Result<()> {
    let path = root.join(DESCRIPTION);
    let fail = StoreError::io(&path);
    let text = serde_json::to_vec_pretty(mark).map_err(StoreError::json(DESCRIPTION))?;
    let mut part = tempfile::NamedTempFile::new_in(root).map_err(StoreError::io(&path))?;
    part.write_all(&text).and_then(|()| part.as_file().sync_all()).map_err(StoreError::io(&path))?;
    part.persist(&path).map(drop).map_err(|e| fail(e.error))
}

/// Brings what is new in `part` into the folder `target`: journal rows, and, when it is the later package, content.
fn renew(target: &Path, part: &Path, mark: &PackageMark) -> Result<()> {
    let here = Folder::open(target, None)?;
    let fresh = Folder::open(part, None)?;
    for name in fresh.journals(|_| true)? {
        let from = Journal::open_to_read(&fresh, name.clone())?;
        let mut into = Journal::open_to_merge(&here, name, *from.public_key())?;
        let mut last = 0;
        loop {
            let rows = from.rows_after(last, 1_000)?;
            let Some(end) = rows.last() else { break };
            last = end.statement.seq;
            into.merge(&rows)?;
        }
        sqlite::checkpoint(&into.connection)?;
    }
    let known = here.package()?;
    if known.is_some_and(|known| known.made_at >= mark.made_at) {
        return Ok(());
    }
    lock::with(target, || {
        // Blobs before the rows that name them.
        let blobs = Blobs::of(part);
        for hash in blobs.all() {
            move_blob(part, target, hash)?;
        }
        Blobs::of(target).flush()?;
        let mut names: Vec<String> = granted(mark.role).iter().map(|name| (*name).to_owned()).collect();
        names.push(format!("inbox/{}.sqlite", mark.person));
        for name in names {
            let (from, to) = (part.join(&name), target.join(&name));
            for suffix in ["-wal", "-shm"] {
                let _ = fs::remove_file(sqlite::beside(&to, suffix));
            }
            fs::rename(&from, &to).map_err(StoreError::io(&to))?;
        }
        // What others stated is brought anew with every package.
        let (from, to) = (part.join(reviewed::FOLDER), target.join(reviewed::FOLDER));
        if to.is_dir() {
            fs::remove_dir_all(&to).map_err(StoreError::io(&to))?;
        }
        if from.is_dir() {
            fs::rename(&from, &to).map_err(StoreError::io(&to))?;
        }
        crate::index::drop_all(&here)?;
        put_mark(target, mark)
    })
}

fn move_blob(part: &Path, target: &Path, hash: BlobHash) -> Result<()> {
    let (from, to) = (crate::blob::path(part, hash), crate::blob::path(target, hash));
    if to.is_file() {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
    }
    fs::rename(&from, &to).map_err(StoreError::io(&to))
}
