//! The study's folder: its marker, its layout, and the only place where paths inside it are built.

use crate::{Result, StoreError, content, device, inbox::Inbox, place};
use domain::{JournalKind, PersonName, StudyId};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The newest container version that this code reads.
pub const CONTAINER_VERSION: u64 = 1;
const MARKER: &str = "study.assize";
const FOLDERS: [&str; 5] = ["content", "inbox", "journals", "blobs", "cache"];

/// Reserved: the key of a sealed study. There are none yet, so it can only be left out.
#[derive(Debug)]
#[non_exhaustive]
pub struct Key {}

#[derive(Serialize, Deserialize)]
struct Marker {
    container_version: u64,
    study: StudyId,
    name: String,
}

/// An open study folder. It opens no database by itself; the views do.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    study: StudyId,
    name: String,
}

/// The name of a journal file: `PERSON.DEVICE.KIND.sqlite`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JournalName {
    /// Whose statements.
    pub person: PersonName,
    /// Made on which device.
    pub device: String,
    /// Of which kind.
    pub kind: JournalKind,
}
impl JournalName {
    /// Reads a file name; anything else is none.
    pub fn parse(file: &str) -> Option<Self> {
        let mut parts = file.strip_suffix(".sqlite")?.split('.');
        let (person, device, kind) = (parts.next()?, parts.next()?, parts.next()?);
        let hex16 = device.len() == 16 && device.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if parts.next().is_some() || !hex16 {
            return None;
        }
        Some(Self { person: person.parse().ok()?, device: device.to_owned(), kind: kind.parse().ok()? })
    }
}
impl std::fmt::Display for JournalName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}.sqlite", self.person, self.device, self.kind)
    }
}

impl Folder {
    /// Makes a study at `path`, which must not exist or be an empty folder; `.assize` is up to the caller. The
    /// marker is written last, so that a study that was not finished is none.
    pub fn create(path: &Path, name: &str, key: Option<&Key>) -> Result<Self> {
        if key.is_some() {
            return Err(StoreError::KeyNotSupported);
        }
        place::refuse_network(path)?;
        match fs::read_dir(path) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    return Err(StoreError::Exists(path.to_owned()));
                }
            }
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(e) if e.kind() == ErrorKind::NotADirectory => {
                return Err(StoreError::Exists(path.to_owned()));
            }
            Err(e) => return Err(StoreError::io(path)(e)),
        }
        for folder in FOLDERS {
            let folder = path.join(folder);
            fs::create_dir_all(&folder).map_err(StoreError::io(&folder))?;
        }
        content::create(path)?;
        let marker = Marker {
            container_version: CONTAINER_VERSION,
            study: device::new_study()?,
            name: name.to_owned(),
        };
        write_marker(path, &marker)?;
        Self::open(path, None)
    }

    /// Makes the folder of a study that exists elsewhere, without content: what a package is unsealed into.
    pub(crate) fn create_bare(path: &Path, study: StudyId, name: &str) -> Result<Self> {
        place::refuse_network(path)?;
        for folder in FOLDERS {
            let folder = path.join(folder);
            fs::create_dir_all(&folder).map_err(StoreError::io(&folder))?;
        }
        write_marker(path, &Marker { container_version: CONTAINER_VERSION, study, name: name.to_owned() })?;
        Self::open(path, None)
    }

    /// Opens the study at `path`.
    pub fn open(path: &Path, key: Option<&Key>) -> Result<Self> {
        if key.is_some() {
            return Err(StoreError::KeyNotSupported);
        }
        let file = path.join(MARKER);
        let text = fs::read_to_string(&file).map_err(|_| StoreError::NotAStudy(path.to_owned()))?;
        // The version first: what else a newer marker holds is not known here.
        let any: serde_json::Value =
            serde_json::from_str(&text).map_err(|_| StoreError::NotAStudy(path.to_owned()))?;
        let found =
            any["container_version"].as_u64().ok_or_else(|| StoreError::NotAStudy(path.to_owned()))?;
        if found > CONTAINER_VERSION {
            return Err(StoreError::NewerContainer {
                path: path.to_owned(),
                found,
                known: CONTAINER_VERSION,
            });
        }
        let marker: Marker =
            serde_json::from_value(any).map_err(|_| StoreError::NotAStudy(path.to_owned()))?;
        place::refuse_network(path)?;
        let root = path.canonicalize().map_err(StoreError::io(path))?;
        // Empty folders are lost by some copies (git, zip); they hold nothing, so they are simply made again.
        for folder in FOLDERS {
            let folder = root.join(folder);
            fs::create_dir_all(&folder).map_err(StoreError::io(&folder))?;
        }
        Ok(Self { root, study: marker.study, name: marker.name })
    }

    /// The study's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }
    /// The study's id.
    pub fn study(&self) -> StudyId {
        self.study
    }
    /// The study's name, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The folder above that a cloud client seems to synchronise: worth a warning, since such a client can copy a
    /// database half-written.
    pub fn synced_by(&self) -> Option<String> {
        place::synced_by(&self.root)
    }
    /// Everyone who has an inbox, by name. No inbox is opened.
    pub fn people(&self) -> Result<Vec<PersonName>> {
        let mut people: Vec<PersonName> = list(&self.root.join("inbox"))?
            .iter()
            .filter_map(|file| file.strip_suffix(".sqlite")?.parse().ok())
            .collect();
        people.sort();
        Ok(people)
    }
    /// A person as their own inbox has them: display name and roles. Opens that one inbox.
    pub fn person(&self, person: &PersonName) -> Result<crate::Me> {
        Inbox::open(self, person)?.me()
    }

    /// Every journal file whose name satisfies `wanted`, sorted. No journal is opened.
    pub(crate) fn journals(&self, wanted: impl Fn(&JournalName) -> bool) -> Result<Vec<JournalName>> {
        let mut names: Vec<JournalName> = list(&self.root.join("journals"))?
            .iter()
            .filter_map(|file| JournalName::parse(file))
            .filter(|name| wanted(name))
            .collect();
        names.sort();
        Ok(names)
    }
    pub(crate) fn journal_path(&self, name: &JournalName) -> PathBuf {
        self.root.join("journals").join(name.to_string())
    }
    pub(crate) fn inbox_path(&self, person: &PersonName) -> PathBuf {
        self.root.join("inbox").join(format!("{person}.sqlite"))
    }
    /// `content/NAME.sqlite`; `name` is one of `study`, `responses`, `rubrics`, `audit`.
    pub(crate) fn content(&self, name: &'static str) -> PathBuf {
        self.root.join("content").join(format!("{name}.sqlite"))
    }
    /// Where a sighted session keeps numbers that it computed.
    pub(crate) fn kept_path(&self, session: &str) -> PathBuf {
        self.root.join("cache").join(format!("{session}.numbers"))
    }
    pub(crate) fn cache_path(&self, session: &str) -> PathBuf {
        self.root.join("cache").join(format!("{session}.sqlite"))
    }
    pub(crate) fn marker_path(&self) -> PathBuf {
        self.root.join(MARKER)
    }
}

/// The names of the files in a folder; a missing folder is empty.
fn list(folder: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(StoreError::io(folder)(e)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(StoreError::io(folder))?;
        names.extend(entry.file_name().into_string().ok());
    }
    Ok(names)
}

fn write_marker(root: &Path, marker: &Marker) -> Result<()> {
    let path = root.join(MARKER);
    let fresh = root.join("study.assize.new");
    let text = serde_json::to_string_pretty(marker).map_err(StoreError::json(MARKER))? + "\n";
    let mut file = File::create(&fresh).map_err(StoreError::io(&fresh))?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(StoreError::io(&fresh))?;
    fs::rename(&fresh, &path).map_err(StoreError::io(&path))?;
    File::open(root).and_then(|folder| folder.sync_all()).map_err(StoreError::io(root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_opens_again_as_it_was_made() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let path = place.path().join("demo.assize");
        let made = Folder::create(&path, "Demo", None).expect("makes a study");
        let opened = Folder::open(&path, None).expect("opens it");
        assert_eq!(made.study(), opened.study(), "the id is in the marker");
        assert_eq!(opened.name(), "Demo", "so is the name");
        assert!(opened.people().expect("lists").is_empty(), "a new study has nobody");
        assert!(
            matches!(Folder::create(&path, "Demo", None), Err(StoreError::Exists(_))),
            "an existing study is never overwritten"
        );
        assert!(
            matches!(Folder::open(&path, Some(&Key {})), Err(StoreError::KeyNotSupported)),
            "a key must not be ignored: the user would believe the study sealed"
        );
    }

    #[test]
    fn a_newer_container_is_refused_and_named() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let marker = r#"{"container_version": 2, "something": "new"}"#;
        fs::write(place.path().join(MARKER), marker).expect("writes");
        assert!(
            matches!(Folder::open(place.path(), None), Err(StoreError::NewerContainer { found: 2, .. })),
            "even though the rest of a newer marker cannot be read"
        );
        fs::write(place.path().join(MARKER), "{}").expect("writes");
        assert!(
            matches!(Folder::open(place.path(), None), Err(StoreError::NotAStudy(_))),
            "no version, no study"
        );
    }

    #[test]
    fn only_whole_names_are_journals() {
        assert!(JournalName::parse("ann.0123456789abcdef.judge.sqlite").is_some(), "the form that we write");
        for name in [
            "ann.0123456789abcdef.judge.sqlite-wal",
            "ann.0123456789abcdef.boss.sqlite",
            "ann.0123456789ABCDEF.judge.sqlite",
            "ann.x.0123456789abcdef.judge.sqlite",
            "../ann.0123456789abcdef.judge.sqlite",
        ] {
            assert_eq!(JournalName::parse(name), None, "{name} is something else");
        }
    }
}
