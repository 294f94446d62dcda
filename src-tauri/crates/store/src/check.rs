//! Is the study what people wrote? Chains, signatures, hashes, database pages, assets, and the indexes compared with
//! what the journals say now.

use crate::backup::content_schema;
use crate::folder::{Folder, JournalName};
use crate::inbox::{self, Inbox, TaskKind};
use crate::index::{self, Index};
use crate::journal::{self, Fault, Journal};
use crate::sqlite::{self, Access, Schema};
use crate::{Result, StoreError, blob, content, lock};
use domain::{BlobHash, JournalKind, PersonName, Role, StatementKind};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something is lost or was altered.
    Damage,
    /// Something is not as it should be, and nothing is lost.
    Warning,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The file, from the study's folder on.
    pub file: String,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub advice: String,
}

/// What a check looked at and found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Everything found, the worst first.
    pub problems: Vec<Problem>,
    /// Database files looked at.
    pub files: u64,
    /// Statements verified.
    pub statements: u64,
    /// Assets hashed.
    pub blobs: u64,
}
impl Report {
    /// Is anything lost or altered?
    pub fn is_damaged(&self) -> bool {
        self.problems.iter().any(|p| p.severity == Severity::Damage)
    }
    fn add(&mut self, severity: Severity, file: &str, what: impl Into<String>, advice: &str) {
        self.problems.push(Problem {
            severity,
            file: file.to_owned(),
            what: what.into(),
            advice: advice.to_owned(),
        });
    }
}

const RESTORE: &str = "put this file back from a backup, or from the package or device it came from";
const UPDATE: &str =
    "nothing to do: a lead's next session brings it up to date, and keeps a copy of it beside";
const REPAIR: &str = "run `assize check --repair`";

impl Folder {
    /// Looks at everything, changes nothing. Others may go on working meanwhile.
    pub fn check(&self) -> Result<Report> {
        let mut report = Report::default();
        self.check_content(&mut report)?;
        for person in self.people()? {
            let file = format!("inbox/{person}.sqlite");
            if self.pages(&file, &inbox::SCHEMA, &mut report)?.is_some()
                && let Err(e) = Inbox::open(self, &person).and_then(|inbox| inbox.me())
            {
                report.add(Severity::Damage, &file, e.to_string(), RESTORE);
            }
        }
        let mut sound = Vec::new();
        for name in self.journals(|_| true)? {
            if self.check_journal(&name, &mut report)? {
                sound.push(name);
            }
        }
        self.check_imports(&sound, &mut report)?;
        self.check_indexes(&sound, &mut report)?;
        report.problems.sort_by(|a, b| (a.severity, &a.file).cmp(&(b.severity, &b.file)));
        Ok(report)
    }

    /// Drops every index, under the study's lock; each is made anew from the journals. Nothing that people wrote is
    /// touched: what is damaged there is for [`Folder::check`] to name and for a backup to mend. Answers what a check
    /// finds afterwards.
    pub fn repair(&self) -> Result<Report> {
        lock::with(self.root(), || index::drop_all(self))?;
        self.check()
    }

    /// The pages and references of one database; none when it cannot be opened.
    fn pages(&self, file: &str, schema: &Schema, report: &mut Report) -> Result<Option<Connection>> {
        report.files += 1;
        let path = self.root().join(file);
        let connection = match sqlite::open(&path, schema, Access::Read) {
            Ok(connection) => connection,
            Err(e @ StoreError::NewerFile { .. }) => return Err(e),
            // Its own pages are looked at, and then what it says in today's form.
            Err(StoreError::OlderFile { found, known, .. }) => {
                let as_it_is = sqlite::open_as_it_is(&path, schema)?;
                let what = format!("made by an earlier version of Assize (form {found}, today's is {known})");
                report.add(Severity::Warning, file, what, UPDATE);
                for fault in faults(&as_it_is)? {
                    report.add(Severity::Damage, file, fault, RESTORE);
                }
                sqlite::in_todays_form(&as_it_is, schema)?
            }
            Err(e) if e.is_busy() || e.is_full() => return Err(e),
            Err(e) => {
                report.add(Severity::Damage, file, e.to_string(), RESTORE);
                return Ok(None);
            }
        };
        match faults(&connection) {
            Ok(faults) if faults.is_empty() => Ok(Some(connection)),
            Ok(faults) => {
                for fault in faults {
                    report.add(Severity::Damage, file, fault, RESTORE);
                }
                Ok(Some(connection))
            }
            Err(e) => {
                report.add(Severity::Damage, file, e.to_string(), RESTORE);
                Ok(None)
            }
        }
    }

    fn check_content(&self, report: &mut Report) -> Result<()> {
        let mut open = BTreeMap::new();
        for name in ["study", "responses", "rubrics", "audit"] {
            // A package holds only the files that its person may see; a missing one is no fault by itself.
            let Some(schema) = content_schema(name) else { continue };
            if self.content(name).is_file()
                && let Some(connection) = self.pages(&format!("content/{name}.sqlite"), schema, report)?
            {
                open.insert(name, connection);
            }
        }
        if let Some(audit) = open.get("audit") {
            for path in content::incomplete_imports(audit)? {
                let what = format!("the import of {path} was not finished; its rows do not show");
                report.add(
                    Severity::Warning,
                    "content/audit.sqlite",
                    what,
                    "import it again: it goes on where it stopped",
                );
            }
        }
        let mut named: BTreeMap<BlobHash, String> = BTreeMap::new();
        if let (Some(study), Some(responses), Some(rubrics)) =
            (open.get("study"), open.get("responses"), open.get("rubrics"))
        {
            content::each_blob(study, responses, rubrics, &mut |hash, by| {
                named.entry(hash).or_insert_with(|| by.to_owned());
                Ok(())
            })?;
        }
        for (hash, by) in named {
            report.blobs += 1;
            match blob::verify(self.root(), hash) {
                Ok(()) => {}
                Err(e) => {
                    let file = blob::path(self.root(), hash);
                    let what = format!("{e} (it belongs to {by})");
                    report.add(Severity::Damage, &self.short(&file), what, RESTORE);
                }
            }
        }
        Ok(())
    }

    /// Are imported rows what leads stated that they were, and do those stand that follow?
    fn check_imports(&self, sound: &[JournalName], report: &mut Report) -> Result<()> {
        const FILE: &str = "content/audit.sqlite";
        // A damaged file is reported already.
        let path = self.content("audit");
        let audit = match sqlite::open(&path, &content::AUDIT, Access::Read) {
            Ok(audit) if path.is_file() => audit,
            Err(e) if e.is_busy() || e.is_full() => return Err(e),
            Err(StoreError::OlderFile { .. }) => {
                sqlite::in_todays_form(&sqlite::open_as_it_is(&path, &content::AUDIT)?, &content::AUDIT)?
            }
            _ => return Ok(()),
        };
        let mut found = BTreeSet::new();
        for name in sound.iter().filter(|name| name.kind == JournalKind::Lead) {
            let journal = Journal::open_to_read(self, name.clone())?;
            let mut last = 0;
            loop {
                let rows = journal.rows_after(last, 1_000)?;
                let Some(end) = rows.last() else { break };
                last = end.statement.seq;
                for row in &rows {
                    let statement = &row.statement;
                    if statement.kind == StatementKind::ImportSeal && !statement.payload.is_empty() {
                        let seal = journal::payload(statement)?;
                        found.extend(content::import::sealed::broken(&audit, &statement.subject, &seal)?);
                    }
                }
            }
        }
        found.extend(content::import::sealed::misplaced(&audit)?);
        for what in found {
            report.add(Severity::Damage, FILE, what, RESTORE);
        }
        Ok(())
    }

    /// Does the journal verify? Its rows are counted.
    fn check_journal(&self, name: &JournalName, report: &mut Report) -> Result<bool> {
        let file = format!("journals/{name}");
        if self.pages(&file, &journal::SCHEMA, report)?.is_none() {
            return Ok(false);
        }
        let checked = Journal::open_to_read(self, name.clone())
            .and_then(|journal| Ok((journal.check_key()?, journal.tail()?.0, journal.verify()?)));
        match checked {
            Ok(((), rows, faults)) => {
                report.statements += rows;
                let mut sound = true;
                for fault in faults {
                    match fault {
                        Fault::Broken { seq, reason } => {
                            sound = false;
                            report.add(Severity::Damage, &file, format!("statement {seq}: {reason}"), RESTORE);
                        }
                        Fault::Blanked { seq } => report.add(
                            Severity::Warning,
                            &file,
                            format!("statement {seq}: its content was removed; its hash and signature still verify"),
                            "nothing to do when it was removed on request; otherwise put it back from a backup",
                        ),
                    }
                }
                Ok(sound)
            }
            Err(e) => {
                report.add(Severity::Damage, &file, e.to_string(), RESTORE);
                Ok(false)
            }
        }
    }

    /// Each index against one made anew in memory from the journals that it says it was made from.
    fn check_indexes(&self, sound: &[JournalName], report: &mut Report) -> Result<()> {
        let cache = self.root().join("cache");
        let Ok(entries) = std::fs::read_dir(&cache) else { return Ok(()) };
        for entry in entries {
            let path = entry.map_err(StoreError::io(&cache))?.path();
            let Some(session) =
                path.file_name().and_then(|n| n.to_str()).and_then(|n| n.strip_suffix(".sqlite"))
            else {
                continue;
            };
            report.files += 1;
            let file = self.short(&path);
            match self.compare_index(session, sound) {
                Ok(None) => {}
                Ok(Some(what)) => report.add(Severity::Warning, &file, what, REPAIR),
                Err(e) => report.add(Severity::Warning, &file, e.to_string(), REPAIR),
            }
        }
        Ok(())
    }

    fn compare_index(&self, session: &str, sound: &[JournalName]) -> Result<Option<String>> {
        let mut kept = Index::open_as_it_is(self, session)?;
        let mut journals = Vec::new();
        for name in kept.journals()? {
            match JournalName::parse(&name) {
                Some(name) if sound.contains(&name) => journals.push(Journal::open_to_read(self, name)?),
                // The journal's own damage is reported already, and the index follows it.
                _ => return Ok(None),
            }
        }
        let journals: Vec<&Journal> = journals.iter().collect();
        let (inbox, kinds) = self.inbox_of(session)?;
        let tasks = inbox.as_ref().map(|inbox| (inbox, kinds));
        // First caught up, so that only what is wrong differs, not what is merely new.
        if !kept.catch_up_in_memory(&journals, tasks)? {
            return Ok(Some("the index does not fit the journals".to_owned()));
        }
        let mut fresh = Index::in_memory()?;
        fresh.refresh(&journals, tasks)?;
        let (kept, fresh) = (kept.contents()?, fresh.contents()?);
        Ok(fresh
            .iter()
            .find(|(table, rows)| kept.get(*table) != Some(rows))
            .map(|(table, _)| format!("the index differs from the journals in its {table}")))
    }

    /// The inbox that a session's index also follows: that of `PERSON.ROLE`.
    fn inbox_of(&self, session: &str) -> Result<(Option<Inbox>, &'static [TaskKind])> {
        let parsed = session.split_once('.').and_then(|(person, role)| {
            Some((person.parse::<PersonName>().ok()?, role.parse::<Role>().ok()?))
        });
        match parsed {
            Some((person, role @ (Role::Judge | Role::Author))) => {
                Ok((Some(Inbox::open(self, &person)?), TaskKind::of(role)))
            }
            _ => Ok((None, &[])),
        }
    }

    fn short(&self, path: &Path) -> String {
        let short: PathBuf = path.strip_prefix(self.root()).unwrap_or(path).to_owned();
        short.to_string_lossy().into_owned()
    }
}

/// What SQLite itself finds wrong.
fn faults(connection: &Connection) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut statement = connection.prepare("PRAGMA integrity_check(20)")?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    for row in rows {
        let row = row?;
        if row != "ok" {
            faults.push(row);
        }
    }
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        faults.push(format!(
            "a row of {} names a row of {} that is not there",
            row.get::<_, String>(0)?,
            row.get::<_, String>(2)?
        ));
        if faults.len() >= 20 {
            break;
        }
    }
    Ok(faults)
}
