//! What a session or a package reaches, file by file and cell by cell, whatever form the files have: for proving that
//! nothing is in it that must not be. Reads only; what a file holds beyond the form that it should have is told too.

use crate::backup::content_schema;
use crate::folder::{Folder, JournalName};
use crate::package::journals_of;
use crate::sqlite::{self, Schema};
use crate::view::LeadView;
use crate::{Blobs, Result, StoreError, inbox, index, journal};
use domain::{BlobHash, PersonName, Role};
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file that is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachedFile {
    /// From the study's folder on.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    /// May this role have such a file at all?
    pub granted: bool,
}

/// One value of a database.
#[derive(Debug, Clone)]
pub struct ReachedCell<'a> {
    /// Table.
    pub table: &'a str,
    /// Column.
    pub column: &'a str,
    /// What tells the row from others: its first column.
    pub row: &'a str,
    /// The value, bytes as hexadecimal digits.
    pub text: &'a str,
}

impl Folder {
    /// The files that a session of `person` as `role` opens in this study.
    pub fn reached_by_session(&self, person: &PersonName, role: Role) -> Result<Vec<ReachedFile>> {
        let granted = |name: &str| granted_to(person, role, name);
        Ok(self.all_files()?.into_iter().filter(|file| granted(&file.name) && !is_blob(&file.name)).collect())
    }

    /// Every file in the folder, as of a package for `person` in `role`.
    pub fn reached_in_package(&self, person: &PersonName, role: Role) -> Result<Vec<ReachedFile>> {
        let mut all = self.all_files()?;
        all.retain(|file| !(is_blob(&file.name) && granted_to(person, role, &file.name)));
        for file in &mut all {
            file.granted = granted_to(person, role, &file.name);
        }
        Ok(all)
    }

    fn all_files(&self) -> Result<Vec<ReachedFile>> {
        let mut all = Vec::new();
        for entry in walkdir::WalkDir::new(self.root()).follow_links(false).sort_by_file_name() {
            let entry = entry.map_err(|e| StoreError::io(self.root())(e.into()))?;
            let Ok(name) = entry.path().strip_prefix(self.root()) else { continue };
            if !entry.file_type().is_dir() {
                let name = name.to_string_lossy().replace('\\', "/");
                all.push(ReachedFile { name, path: entry.path().to_owned(), granted: true });
            }
        }
        Ok(all)
    }

    /// The blobs of this folder.
    pub fn blobs(&self) -> Blobs {
        Blobs::of(self.root())
    }
    /// Where a blob is, or would be.
    pub fn blob_path(&self, hash: &BlobHash) -> PathBuf {
        Blobs::of(self.root()).path(hash)
    }
}

/// May this person hold this file, in this role?
fn granted_to(person: &PersonName, role: Role, name: &str) -> bool {
    let beside = ["-wal", "-shm", "-journal"];
    let plain = beside.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let content: &[&str] = match role {
        Role::Judge => &["content/study.sqlite", "content/responses.sqlite"],
        Role::Author => &["content/study.sqlite", "content/rubrics.sqlite"],
        Role::Auditor | Role::Lead => &[],
    };
    let own_journal = plain
        .strip_prefix("journals/")
        .and_then(JournalName::parse)
        .is_some_and(|name| name.person == *person && journals_of(role).contains(&name.kind));
    let reviewed = role == Role::Author
        && name.strip_prefix("reviewed/").is_some_and(|file| file.strip_suffix(".rows").is_some());
    content.contains(&plain)
        || own_journal
        || reviewed
        || ["study.assize", "study.lock", "package.json"].contains(&plain)
        || plain == format!("inbox/{person}.sqlite")
        || plain == format!("cache/{person}.{role}.sqlite")
        || (is_blob(plain) && plain.len() == 73)
}

fn is_blob(name: &str) -> bool {
    name.starts_with("blobs/")
}

/// The form that a file of this name has; none for what is no database.
fn schema_of(name: &str) -> Option<&'static Schema> {
    let stem = name.strip_suffix(".sqlite")?;
    match stem.split_once('/')? {
        ("content", name) => content_schema(name),
        ("inbox", _) => Some(&inbox::SCHEMA),
        ("journals", _) => Some(&journal::SCHEMA),
        ("cache", _) => Some(&index::SCHEMA),
        _ => None,
    }
}

/// Tells every value of the database `file` to `each`. Answers what it has beyond its form: tables, columns and
/// indexes, by name. A file that is no database has no values.
pub fn each_cell(
    file: &ReachedFile,
    mut each: impl FnMut(&ReachedCell<'_>) -> Result<()>,
) -> Result<Vec<String>> {
    let Some(schema) = schema_of(&file.name) else { return Ok(Vec::new()) };
    let fail = |e: rusqlite::Error| StoreError::sqlite(&file.path)(e);
    let connection = open(&file.path).map_err(fail)?;
    let expected = form(&sqlite::open_in_memory(schema)?).map_err(fail)?;
    let found = form(&connection).map_err(fail)?;
    let mut beyond = Vec::new();
    for (name, (sql, columns)) in &found {
        match expected.get(name) {
            None => beyond.push(name.clone()),
            Some((_, known)) if columns.iter().any(|c| !known.contains(c)) => {
                let more: Vec<&str> = columns.difference(known).map(String::as_str).collect();
                beyond.push(format!("{name} ({})", more.join(", ")));
            }
            Some((known, _)) if known != sql => beyond.push(format!("{name}, which has another form")),
            Some(_) => {}
        }
        if let Some(table) = name.strip_prefix("table ") {
            cells(&connection, table, &mut each)?;
        }
    }
    Ok(beyond)
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(connection)
}

/// Kind and name of everything in the schema, with its text and, of a table, its columns.
type Form = BTreeMap<String, (String, BTreeSet<String>)>;

fn form(connection: &Connection) -> rusqlite::Result<Form> {
    let mut query = connection
        .prepare("SELECT type || ' ' || name, coalesce(sql, ''), type, name FROM sqlite_schema ORDER BY 1")?;
    let mut rows = query.query([])?;
    let mut form = Form::new();
    while let Some(row) = rows.next()? {
        let mut columns = BTreeSet::new();
        if row.get_ref(2)?.as_str()? == "table" {
            let mut of = connection.prepare("SELECT name FROM pragma_table_xinfo(?)")?;
            let names = of.query_map([row.get::<_, String>(3)?], |r| r.get(0))?;
            columns = names.collect::<rusqlite::Result<_>>()?;
        }
        let sql: String = row.get(1)?;
        form.insert(row.get(0)?, (sql.split_whitespace().collect::<Vec<_>>().join(" "), columns));
    }
    Ok(form)
}

fn cells(
    connection: &Connection,
    table: &str,
    each: &mut impl FnMut(&ReachedCell<'_>) -> Result<()>,
) -> Result<()> {
    let mut query = connection.prepare(&format!("SELECT * FROM \"{}\"", table.replace('"', "\"\"")))?;
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let text = |n: usize| -> Result<String> {
            Ok(match row.get_ref(n)? {
                ValueRef::Null => String::new(),
                ValueRef::Integer(n) => n.to_string(),
                ValueRef::Real(x) => x.to_string(),
                ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                ValueRef::Blob(bytes) => match std::str::from_utf8(bytes) {
                    Ok(text) if bytes.len() > 32 => text.to_owned(),
                    _ => hex::encode(bytes),
                },
            })
        };
        let first = text(0)?;
        for (n, column) in columns.iter().enumerate() {
            let text = if n == 0 { first.clone() } else { text(n)? };
            each(&ReachedCell { table, column, row: &first, text: &text })?;
        }
    }
    Ok(())
}

impl LeadView {
    /// Does the file hold the study's secret, from which opaque ids follow?
    pub fn holds_secret(&self, path: &Path) -> Result<bool> {
        let bytes = std::fs::read(path).map_err(StoreError::io(path))?;
        Ok(self.content().secret.is_in(&bytes))
    }
    /// The study's folder.
    pub fn study_folder(&self) -> Folder {
        self.folder().clone()
    }
}
