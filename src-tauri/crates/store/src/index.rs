//! The index of one session: what stands, and which tasks are done, kept up as journals grow, so that pages and
//! counts cost nothing however long the journals are. Disposable: when it is missing, damaged or no longer fits the
//! journals it is made anew from them.

use crate::folder::Folder;
use crate::inbox::{self, Inbox, Task, TaskKind, read_task};
use crate::journal::{self, Journal};
use crate::sqlite::{self, Access, Schema};
use crate::standing::{Fate, Node, fates};
use crate::{Result, StoreError};
use domain::{PersonName, Statement, StatementId, StatementKind, TaskId};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

mod withdrawn;

pub(crate) const SCHEMA: Schema = Schema {
    name: "index",
    application_id: 0x4153_5A03,
    migrations: &[include_str!("../../../../schemas/sqlite/cache/0001_index.sql")],
    disposable: true,
};
/// Rows taken in per transaction.
const CHUNK: u32 = 5_000;

/// How many tasks of one kind there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskCounts {
    /// All of them.
    pub total: u64,
    /// Those that are done.
    pub done: u64,
}

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

    fn take_in_tasks(&mut self, inbox: &Inbox, kinds: &[TaskKind]) -> Result<()> {
        let revision = inbox.revision()?;
        let seen: Option<i64> =
            self.connection.query_row("SELECT revision FROM inbox_seen", [], |r| r.get(0)).optional()?;
        if seen == Some(revision) {
            return Ok(());
        }
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut subjects = BTreeSet::new();
        // In a long queue most is known: what came since lies behind it, unless something was changed or taken back.
        let only_added = seen.is_some_and(|seen| inbox::only_added(seen, revision));
        for kind in kinds {
            if only_added {
                let last = transaction
                    .prepare_cached("SELECT coalesce(max(position), 0) FROM tasks WHERE kind = ?")?
                    .query_row([kind.name()], |row| row.get(0))?;
                take_in_kind(&transaction, inbox, *kind, last, &mut subjects)?;
                let known: i64 = transaction
                    .prepare_cached("SELECT coalesce(sum(n), 0) FROM task_counts WHERE kind = ?")?
                    .query_row([kind.name()], |row| row.get(0))?;
                if known.unsigned_abs() == inbox.count(*kind)? {
                    continue;
                }
            }
            withdrawn::forget(&transaction, inbox, *kind)?;
            take_in_kind(&transaction, inbox, *kind, 0, &mut subjects)?;
        }
        // A new task is open; only what somebody stated something about can be done, or a quiz whose note says that it is over.
        let stated = |subject: &str| -> Result<bool> {
            Ok(transaction
                .prepare_cached("SELECT 1 FROM nodes WHERE subject = ? LIMIT 1")?
                .exists([subject])?)
        };
        for subject in &subjects {
            if subject.starts_with("quiz/") || stated(subject)? {
                mark_done(&transaction, subject)?;
            }
        }
        transaction.execute("INSERT OR REPLACE INTO inbox_seen (one, revision) VALUES (1, ?)", [revision])?;
        transaction.commit()?;
        Ok(())
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

    /// Counts of tasks.
    pub fn counts(&self, kind: TaskKind) -> Result<TaskCounts> {
        let mut statement =
            self.connection.prepare_cached("SELECT done, n FROM task_counts WHERE kind = ?")?;
        let mut rows = statement.query([kind.name()])?;
        let mut counts = TaskCounts::default();
        while let Some(row) = rows.next()? {
            let n = row.get::<_, i64>(1)?.unsigned_abs();
            counts.total += n;
            if row.get(0)? {
                counts.done += n;
            }
        }
        Ok(counts)
    }
    /// Up to `limit` tasks after `position` (0 for the first page), optionally only the done or the open ones.
    pub fn tasks(&self, kind: TaskKind, done: Option<bool>, after: u64, limit: u32) -> Result<Vec<Task>> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let columns = "SELECT id, kind, subject, version, position, cause, note, done FROM tasks";
        let order = "ORDER BY position LIMIT ?3";
        let read = |sql: &str, done: Option<bool>| -> Result<Vec<Task>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = match done {
                Some(done) => statement.query_map(params![kind.name(), after, limit, done], read_task)?,
                None => statement.query_map(params![kind.name(), after, limit], read_task)?,
            };
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        };
        match done {
            None => read(&format!("{columns} WHERE kind = ?1 AND position > ?2 {order}"), None),
            some => read(&format!("{columns} WHERE kind = ?1 AND done = ?4 AND position > ?2 {order}"), some),
        }
    }
    /// The next open task after `position`, else the first open one of all.
    pub fn next_open(&self, kind: TaskKind, after: u64) -> Result<Option<Task>> {
        let next = self.tasks(kind, Some(false), after, 1)?;
        Ok(match next.into_iter().next() {
            Some(task) => Some(task),
            None => self.tasks(kind, Some(false), 0, 1)?.into_iter().next(),
        })
    }
    /// One task with its state.
    pub fn task(&self, id: TaskId) -> Result<Task> {
        self.connection
            .prepare_cached(
                "SELECT id, kind, subject, version, position, cause, note, done FROM tasks WHERE id = ?",
            )?
            .query_row([id.as_bytes()], read_task)
            .optional()?
            .ok_or_else(|| StoreError::NotFound { what: "task", id: id.to_string() })
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

/// Takes in the tasks of a kind behind a position. `subjects` gets those of tasks that are new or changed.
fn take_in_kind(
    index: &Connection,
    inbox: &Inbox,
    kind: TaskKind,
    after: i64,
    subjects: &mut BTreeSet<String>,
) -> Result<()> {
    let mut insert = index.prepare_cached(
        "INSERT INTO tasks (id, kind, subject, version, position, cause, note, done)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)
         ON CONFLICT (id) DO UPDATE SET version = excluded.version, note = excluded.note
         WHERE version <> excluded.version OR note <> excluded.note",
    )?;
    inbox.each_task_after(kind, after, |task| {
        let changed = insert.execute(params![
            task.id.as_bytes(),
            task.kind.name(),
            task.subject,
            task.subject_version,
            i64::try_from(task.position).unwrap_or(i64::MAX),
            task.cause.as_bytes(),
            task.note
        ])?;
        if changed > 0 {
            subjects.insert(task.subject);
        }
        Ok(())
    })
}

fn read_body(body: &str) -> Result<Statement> {
    serde_json::from_str(body).map_err(StoreError::json("a statement in the index"))
}

fn insert_node(connection: &Connection, journal: &str, s: &Statement, parents: &str) -> Result<()> {
    #[derive(serde::Deserialize)]
    struct Submission {
        task: Option<TaskId>,
    }
    let answers = if matches!(
        s.kind,
        StatementKind::RubricSubmission
            | StatementKind::Review
            | StatementKind::Curation
            | StatementKind::ChecklistGrade
            | StatementKind::QuizAttempt
    ) {
        journal::payload::<Submission>(s).ok().and_then(|p| p.task)
    } else {
        None
    };
    connection
        .prepare_cached(
            "INSERT INTO nodes (id, journal, seq, kind, subject, person, parents, answers, live)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            s.id.as_bytes(),
            journal,
            i64::try_from(s.seq).unwrap_or(i64::MAX),
            s.kind.name(),
            s.subject,
            s.person.as_str(),
            parents,
            answers.as_ref().map(TaskId::as_bytes),
        ])?;
    Ok(())
}

struct Known {
    id: StatementId,
    journal: String,
    seq: i64,
    kind: String,
    person: String,
    parents: Vec<StatementId>,
}

/// Computes again what stands about `subject`, and the counts and tasks that follow.
fn settle(
    connection: &Connection,
    subject: &str,
    fresh: &HashMap<StatementId, Statement>,
    by_name: &HashMap<String, &Journal>,
) -> Result<()> {
    let mut known = Vec::new();
    {
        let mut statement = connection
            .prepare_cached("SELECT id, journal, seq, kind, person, parents FROM nodes WHERE subject = ?")?;
        let mut rows = statement.query([subject])?;
        while let Some(row) = rows.next()? {
            known.push(Known {
                id: StatementId::from_bytes(row.get(0)?),
                journal: row.get(1)?,
                seq: row.get(2)?,
                kind: row.get(3)?,
                person: row.get(4)?,
                parents: journal::parents_of(row.get_ref(5)?.as_str()?)?,
            });
        }
    }
    let nodes: Vec<Node<'_>> = known
        .iter()
        .map(|k| Node { id: k.id, kind: &k.kind, person: &k.person, parents: &k.parents })
        .collect();
    let fates = fates(&nodes);
    let mut before = HashMap::new();
    {
        let kinds: BTreeSet<&str> = known.iter().map(|k| k.kind.as_str()).collect();
        let mut statement =
            connection.prepare_cached("SELECT person, id, body FROM heads WHERE kind = ? AND subject = ?")?;
        for kind in kinds {
            let mut rows = statement.query(params![kind, subject])?;
            while let Some(row) = rows.next()? {
                let id = StatementId::from_bytes(row.get(1)?);
                before.insert(id, (kind, row.get::<_, String>(0)?, row.get::<_, String>(2)?));
            }
        }
    }
    let mut after = BTreeSet::new();
    for (k, fate) in known.iter().zip(&fates) {
        let live = matches!(fate, Fate::Stands | Fate::Replaced);
        connection
            .prepare_cached("UPDATE nodes SET live = ?2 WHERE id = ?1 AND live <> ?2")?
            .execute(params![k.id.as_bytes(), live])?;
        if *fate != Fate::Stands {
            connection
                .prepare_cached("DELETE FROM heads WHERE kind = ? AND subject = ? AND person = ? AND id = ?")?
                .execute(params![k.kind, subject, k.person, k.id.as_bytes()])?;
            continue;
        }
        after.insert((k.kind.as_str(), k.person.as_str()));
        if before.contains_key(&k.id) {
            continue;
        }
        // New, or standing again after what replaced it was taken back.
        let body = if let Some(statement) = fresh.get(&k.id) {
            serde_json::to_string(statement)
        } else {
            let journal = by_name.get(&k.journal);
            let Some(row) = journal.map(|j| j.at(k.seq.unsigned_abs())).transpose()?.flatten() else {
                return Err(StoreError::NotFound { what: "statement", id: k.id.to_string() });
            };
            serde_json::to_string(&row)
        };
        connection
            .prepare_cached("INSERT INTO heads (kind, subject, person, id, body) VALUES (?, ?, ?, ?, ?)")?
            .execute(params![
                k.kind,
                subject,
                k.person,
                k.id.as_bytes(),
                body.map_err(StoreError::json("statement"))?
            ])?;
    }
    let before: BTreeSet<(&str, &str)> =
        before.values().map(|(kind, person, _)| (*kind, person.as_str())).collect();
    for (keys, delta) in [(after.difference(&before), 1), (before.difference(&after), -1)] {
        for (kind, person) in keys {
            connection
                .prepare_cached(
                    "INSERT INTO tallies (kind, person, n) VALUES (?1, ?2, ?3)
                     ON CONFLICT (kind, person) DO UPDATE SET n = n + ?3",
                )?
                .execute(params![kind, person, delta])?;
        }
    }
    mark_done(connection, subject)
}

/// A judge's task is done when a verdict stands that was given under the task's version of the prompt or a later one (or
/// since the version that the task's note names, from which on a verdict says as much), and, where the task's note names
/// guidelines, under those or later ones, and that is not the one which an audit returned; an author's or reviewer's when a
/// submission or review that names the task was not taken back; a quiz's when it was handed in, or when its note says that it is over.
fn mark_done(connection: &Connection, subject: &str) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE tasks SET done = CASE kind
                WHEN 'judge' THEN EXISTS (
                    SELECT 1 FROM heads WHERE heads.kind = 'judgement' AND heads.subject = ?1
                    AND CASE WHEN json_valid(heads.body ->> '$.payload') THEN
                        (coalesce(heads.body ->> '$.payload' ->> '$.prompt_version', 0) = 0
                         OR heads.body ->> '$.payload' ->> '$.prompt_version'
                          >= CASE WHEN json_valid(tasks.note) THEN coalesce(tasks.note ->> '$.since', tasks.version) ELSE tasks.version END)
                        AND lower(hex(heads.id))
                         <> CASE WHEN json_valid(tasks.note) THEN coalesce(tasks.note ->> '$.returned.statement', '') ELSE '' END
                        AND coalesce(heads.body ->> '$.payload' ->> '$.guidelines_version', 0)
                         >= CASE WHEN json_valid(tasks.note) THEN coalesce(tasks.note ->> '$.guidelines', 0) ELSE 0 END
                        ELSE 1 END)
                WHEN 'quiz' THEN coalesce(CASE WHEN json_valid(tasks.note) THEN tasks.note ->> '$.over' END, 0)
                    OR EXISTS (SELECT 1 FROM nodes
                               WHERE nodes.subject = ?1 AND nodes.answers = tasks.id AND nodes.live)
                ELSE EXISTS (SELECT 1 FROM nodes
                             WHERE nodes.subject = ?1 AND nodes.answers = tasks.id AND nodes.live) END
             WHERE subject = ?1",
        )?
        .execute([subject])?;
    Ok(())
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
