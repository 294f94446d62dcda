//! The index of one session: what stands, and which tasks are done, kept up as journals grow, so that pages and
//! counts cost nothing however long the journals are. Disposable: when it is missing, damaged or no longer fits the
//! journals it is made anew from them.

use crate::folder::Folder;
use crate::inbox::{Inbox, TaskKind};
use crate::journal::Journal;
use crate::sqlite::{self, Access, Schema};
use crate::{Result, StoreError};
use domain::{PersonName, Statement, StatementKind, TaskId};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

mod stated;
mod tasks;
mod withdrawn;

use stated::{insert_node, settle};
pub use tasks::TaskCounts;

pub(crate) const SCHEMA: Schema = Schema {
    name: "index",
    application_id: 0x4153_5A03,
    migrations: &[include_str!("../../../../schemas/sqlite/cache/0001_index.sql")],
    disposable: true,
};
/// Rows taken in per transaction.
const CHUNK: u32 = 5_000;

pub(crate) struct Index {
    connection: Connection,
    /// None for one in memory.
    path: Option<PathBuf>,
}

impl Index {
    /// Opens the index of a session, such as `ann.judge` or `auditor`; a damaged one is dropped.
    pub fn open(folder: &Folder, session: &str) -> Result<Self> {
        let path = folder.cache_path(session);
        match Self::open_file(&path) {
            Err(e) if e.is_damage() || matches!(e, StoreError::NewerFile { .. }) => {
                drop_file(&path)?;
                Self::open_file(&path)
            }
            other => other,
        }
    }
    fn open_file(path: &Path) -> Result<Self> {
        let connection = sqlite::open(path, &SCHEMA, Access::Write)?;
        Ok(Self { connection, path: Some(path.to_owned()) })
    }
    /// A copy in memory of the index as it lies on disk, for comparing: the file is not touched.
    pub fn open_as_it_is(folder: &Folder, session: &str) -> Result<Self> {
        let file = sqlite::open(&folder.cache_path(session), &SCHEMA, Access::Read)?;
        let mut connection = sqlite::open_in_memory(&SCHEMA)?;
        rusqlite::backup::Backup::new(&file, &mut connection)?.run_to_completion(
            1_000,
            std::time::Duration::ZERO,
            None,
        )?;
        Ok(Self { connection, path: None })
    }
    /// Takes in what is new; false when the index does not fit the journals.
    pub fn catch_up_in_memory(
        &mut self,
        journals: &[&Journal],
        inbox: Option<(&Inbox, &[TaskKind])>,
    ) -> Result<bool> {
        self.take_in(journals, inbox)
    }
    /// One that is built only to compare.
    pub fn in_memory() -> Result<Self> {
        Ok(Self { connection: sqlite::open_in_memory(&SCHEMA)?, path: None })
    }

    /// Takes in what the journals have that the index has not. `inbox` with the kinds of task this session does.
    pub fn refresh(&mut self, journals: &[&Journal], inbox: Option<(&Inbox, &[TaskKind])>) -> Result<()> {
        match self.take_in(journals, inbox) {
            Err(e) if e.is_damage() && self.path.is_some() => self.start_over()?,
            Err(e) => return Err(e),
            Ok(true) => return Ok(()),
            Ok(false) => self.clear()?,
        }
        if self.take_in(journals, inbox)? {
            Ok(())
        } else {
            Err(StoreError::Refused(
                "the journals change in a way that no journal may; run a check".to_owned(),
            ))
        }
    }

    /// False when the index does not fit the journals.
    fn take_in(&mut self, journals: &[&Journal], inbox: Option<(&Inbox, &[TaskKind])>) -> Result<bool> {
        let by_name: HashMap<String, &Journal> =
            journals.iter().map(|j| (j.name().to_string(), *j)).collect();
        if self.sources()?.keys().any(|name| !by_name.contains_key(name)) {
            return Ok(false);
        }
        for journal in journals {
            if !self.take_in_journal(journal, &by_name)? {
                return Ok(false);
            }
        }
        if let Some((inbox, kinds)) = inbox {
            self.take_in_tasks(inbox, kinds)?;
        }
        Ok(true)
    }

    fn take_in_journal(&mut self, journal: &Journal, by_name: &HashMap<String, &Journal>) -> Result<bool> {
        let name = journal.name().to_string();
        let seen: Option<(i64, [u8; 32])> = self
            .connection
            .prepare_cached("SELECT last_seq, last_sha256 FROM sources WHERE journal = ?")?
            .query_row([&name], |r| Ok((r.get(0)?, r.get(1)?)))
            .optional()?;
        let mut last = 0;
        if let Some((seq, hash)) = seen {
            last = seq.unsigned_abs();
            if journal.hash_at(last)? != Some(hash) {
                return Ok(false);
            }
        }
        loop {
            let rows = journal.rows_after(last, CHUNK)?;
            let Some(end) = rows.last() else { return Ok(true) };
            last = end.statement.seq;
            let end_hash = end.sha256();
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // Another program may have been quicker; then this chunk is read again from where it stopped.
            let now: Option<i64> = transaction
                .prepare_cached("SELECT last_seq FROM sources WHERE journal = ?")?
                .query_row([&name], |r| r.get(0))
                .optional()?;
            let first = rows.first().map_or(1, |r| r.statement.seq);
            if now.unwrap_or(0).unsigned_abs() + 1 != first {
                last = now.unwrap_or(0).unsigned_abs();
                continue;
            }
            let mut fresh = HashMap::new();
            let mut subjects = BTreeSet::new();
            for row in rows {
                let s = row.statement;
                insert_node(&transaction, &name, &s, &row.parents)?;
                subjects.insert(s.subject.clone());
                fresh.insert(s.id, s);
            }
            for subject in &subjects {
                settle(&transaction, subject, &fresh, by_name)?;
            }
            transaction
                .prepare_cached(
                    "INSERT INTO sources (journal, last_seq, last_sha256) VALUES (?1, ?2, ?3)
                     ON CONFLICT (journal) DO UPDATE SET last_seq = ?2, last_sha256 = ?3",
                )?
                .execute(params![name, i64::try_from(last).unwrap_or(i64::MAX), end_hash])?;
            transaction.commit()?;
        }
    }

    fn sources(&self) -> Result<BTreeMap<String, i64>> {
        let mut statement = self.connection.prepare_cached("SELECT journal, last_seq FROM sources")?;
        let rows = statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
    /// Each journal with the number and the hash of its last row, by name.
    pub fn journal_ends(&self) -> Result<Vec<(String, u64, [u8; 32])>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT journal, last_seq, last_sha256 FROM sources ORDER BY journal")?;
        let rows =
            statement.query_map([], |r| Ok((r.get(0)?, r.get::<_, i64>(1)?.unsigned_abs(), r.get(2)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
    fn clear(&mut self) -> Result<()> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for table in ["sources", "nodes", "heads", "tallies", "tasks", "task_counts", "inbox_seen"] {
            transaction.execute(&format!("DELETE FROM {table}"), [])?;
        }
        transaction.commit()?;
        Ok(())
    }
    fn start_over(&mut self) -> Result<()> {
        let Some(path) = self.path.clone() else { return self.clear() };
        self.connection = sqlite::open_in_memory(&SCHEMA)?;
        drop_file(&path)?;
        *self = Self::open_file(&path)?;
        Ok(())
    }

    /// What stands of `kind` about `subject`, of all people.
    pub fn heads(&self, kind: &StatementKind, subject: &str) -> Result<Vec<Statement>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT body FROM heads WHERE kind = ? AND subject = ? ORDER BY person, id")?;
        let mut rows = statement.query(params![kind.name(), subject])?;
        let mut heads = Vec::new();
        while let Some(row) = rows.next()? {
            heads.push(read_body(row.get_ref(0)?.as_str()?)?);
        }
        Ok(heads)
    }
    /// Everything of `kind` that stands, by subject and person, one after the other.
    pub fn each_head(
        &self,
        kind: &StatementKind,
        mut each: impl FnMut(Statement) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT body FROM heads WHERE kind = ? ORDER BY kind, subject, person, id")?;
        let mut rows = statement.query([kind.name()])?;
        while let Some(row) = rows.next()? {
            each(read_body(row.get_ref(0)?.as_str()?)?)?;
        }
        Ok(())
    }
    /// The statements that stand side by side although one should: of one person about one subject, and, of
    /// settlements, of whomever. Assignments, what is asked again and seals of imports add up, so that they are none.
    pub fn forks(&self) -> Result<Vec<Vec<Statement>>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT kind, subject, CASE WHEN kind IN ('settlement', 'audit_finding', 'gold_mark', 'qualification_rules') THEN NULL ELSE person END AS who FROM heads
             WHERE kind NOT IN ('assignment', 'ask_again', 'import_seal', 'audit_draw', 'qualification_change') GROUP BY kind, subject, who HAVING count(*) > 1 ORDER BY 1, 2, 3",
        )?;
        let mut rows = statement.query([])?;
        let mut forks = Vec::new();
        while let Some(row) = rows.next()? {
            let kind = StatementKind::from(row.get_ref(0)?.as_str()?);
            let who: Option<String> = row.get(2)?;
            let mut heads = self.heads(&kind, row.get_ref(1)?.as_str()?)?;
            heads.retain(|head| who.as_ref().is_none_or(|who| head.person.as_str() == who));
            forks.push(heads);
        }
        Ok(forks)
    }
    /// How many subjects each person has something of `kind` standing about.
    pub fn tally(&self, kind: &StatementKind) -> Result<Vec<(PersonName, u64)>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT person, n FROM tallies WHERE kind = ? AND n > 0 ORDER BY person")?;
        let mut rows = statement.query([kind.name()])?;
        let mut tally = Vec::new();
        while let Some(row) = rows.next()? {
            let person: String = row.get(0)?;
            let person = person.parse().map_err(StoreError::Refused)?;
            tally.push((person, row.get::<_, i64>(1)?.unsigned_abs()));
        }
        Ok(tally)
    }

    /// Does a submission or review that stands, or stood before another of the same person, answer this task?
    pub fn is_answered(&self, subject: &str, task: TaskId) -> Result<bool> {
        Ok(self
            .connection
            .prepare_cached("SELECT 1 FROM nodes WHERE subject = ?1 AND answers = ?2 AND live")?
            .exists(params![subject, task.as_bytes()])?)
    }

    /// Everything it holds, as text in a fixed order: two indexes of the same journals are equal.
    pub fn contents(&self) -> Result<BTreeMap<&'static str, Vec<String>>> {
        let mut all = BTreeMap::new();
        for (table, sql) in [
            ("sources", "SELECT journal || ' ' || last_seq || ' ' || hex(last_sha256) FROM sources"),
            ("nodes", "SELECT hex(id) || ' ' || journal || ' ' || seq || ' ' || kind || ' ' || subject || ' ' || person
                       || ' ' || parents || ' ' || coalesce(hex(answers), '') || ' ' || live FROM nodes"),
            ("heads", "SELECT kind || ' ' || subject || ' ' || person || ' ' || hex(id) || ' ' || body FROM heads"),
            ("tallies", "SELECT kind || ' ' || person || ' ' || n FROM tallies WHERE n <> 0"),
            ("tasks", "SELECT hex(id) || ' ' || kind || ' ' || subject || ' ' || position || ' ' || done || ' ' || version || ' ' || note FROM tasks"),
            ("task_counts", "SELECT kind || ' ' || done || ' ' || n FROM task_counts WHERE n <> 0"),
        ] {
            let mut statement = self.connection.prepare(&format!("{sql} ORDER BY 1"))?;
            let rows = statement.query_map([], |r| r.get(0))?;
            all.insert(table, rows.collect::<rusqlite::Result<_>>()?);
        }
        Ok(all)
    }
    /// The journals it was made from.
    pub fn journals(&self) -> Result<Vec<String>> {
        Ok(self.sources()?.into_keys().collect())
    }
}

fn read_body(body: &str) -> Result<Statement> {
    serde_json::from_str(body).map_err(StoreError::json("a statement in the index"))
}

fn drop_file(path: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        let file = sqlite::beside(path, suffix);
        match std::fs::remove_file(&file) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(StoreError::io(&file)(e)),
            _ => {}
        }
    }
    Ok(())
}

/// Drops every index of the study, and numbers that were kept; each is made anew by the next session that wants it.
pub(crate) fn drop_all(folder: &Folder) -> Result<()> {
    let cache = folder.root().join("cache");
    for entry in std::fs::read_dir(&cache).map_err(StoreError::io(&cache))? {
        let path = entry.map_err(StoreError::io(&cache))?.path();
        if path.extension().is_some_and(|e| e == "sqlite" || e == "numbers") {
            drop_file(&path)?;
        }
    }
    Ok(())
}
