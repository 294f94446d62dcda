//! What a reviewer needs of other people, in an author's package: the rubrics that they review and, where they settle, the
//! reviews that differ. Single rows out of others' journals, each with its signature, which holds for a row alone; their
//! journals stay at home. They lie beside the journals in a folder of their own, and never travel back.

use super::open::broken;
use super::rows::{self, Travelled};
use crate::folder::{Folder, JournalName};
use crate::inbox::{Task, TaskKind};
use crate::journal::{self, Journal};
use crate::view::SettleNote;
use crate::{Result, StoreError};
use domain::{JournalKind, PersonName, Statement, StatementId};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

/// The folder, and how its entries begin.
pub(crate) const FOLDER: &str = "reviewed";

/// What is wanted of one person's journals of one kind.
#[derive(Default)]
struct Wanted {
    subjects: BTreeSet<String>,
    statements: BTreeSet<StatementId>,
}

/// The entries that these tasks need, by name.
pub(super) fn of_tasks(folder: &Folder, tasks: &[Task]) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut wanted: BTreeMap<(PersonName, JournalKind), Wanted> = BTreeMap::new();
    for task in tasks.iter().filter(|task| task.kind == TaskKind::Review) {
        let Some((prompt, author)) = task.subject.split_once('/') else { continue };
        let author: PersonName = author.parse().map_err(StoreError::Refused)?;
        wanted.entry((author, JournalKind::Author)).or_default().subjects.insert(prompt.to_owned());
        if let Ok(note) = serde_json::from_str::<SettleNote>(&task.note) {
            for one in note.settles {
                wanted.entry((one.person, JournalKind::Review)).or_default().statements.insert(one.statement);
            }
        }
    }
    let mut entries = BTreeMap::new();
    for ((person, kind), wanted) in wanted {
        for name in folder.journals(|name| name.person == person && name.kind == kind)? {
            let journal = match Journal::open_to_read(folder, name) {
                Ok(journal) => journal,
                Err(StoreError::MissingFile(_)) => continue,
                Err(e) => return Err(e),
            };
            let mut text = Vec::new();
            let rows = rows::write(&journal, &mut text, |statement| {
                wanted.subjects.contains(&statement.subject) || wanted.statements.contains(&statement.id)
            })?;
            if rows > 0 {
                entries.insert(rows::entry_name(FOLDER, journal.name()), text);
            }
        }
    }
    Ok(entries)
}

/// Keeps an entry of a package that is being unsealed, once each row is seen to be signed by whom it names.
pub(super) fn keep(folder: &Folder, name: &str, mut entry: impl Read) -> Result<()> {
    let mut text = Vec::new();
    entry.read_to_end(&mut text).map_err(|e| broken(Path::new(name), e))?;
    read(name, &text)?;
    let path = folder.root().join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(StoreError::io(parent))?;
    }
    fs::write(&path, text).map_err(StoreError::io(&path))
}

fn read(name: &str, text: &[u8]) -> Result<Travelled> {
    let travelled = rows::read(FOLDER, name, BufReader::new(text))?;
    for row in &travelled.rows {
        journal::verify_alone(row, &travelled.name, &travelled.public_key)?;
    }
    Ok(travelled)
}

/// What a package brought of other people's statements about a subject.
pub(crate) fn about(
    folder: &Folder,
    person: &PersonName,
    kind: JournalKind,
    subject: &str,
) -> Result<Vec<Statement>> {
    let place = folder.root().join(FOLDER);
    let entries = match fs::read_dir(&place) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(StoreError::io(&place)(e)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(StoreError::io(&place))?;
        let Ok(file) = entry.file_name().into_string() else { continue };
        let journal =
            file.strip_suffix(".rows").and_then(|stem| JournalName::parse(&format!("{stem}.sqlite")));
        if journal.is_some_and(|journal| journal.person == *person && journal.kind == kind) {
            names.push(file);
        }
    }
    names.sort();
    let mut found = Vec::new();
    for file in names {
        let path = place.join(&file);
        let text = fs::read(&path).map_err(StoreError::io(&path))?;
        let rows = read(&format!("{FOLDER}/{file}"), &text)?.rows;
        found.extend(rows.into_iter().map(|row| row.statement).filter(|s| s.subject == subject));
    }
    Ok(found)
}
