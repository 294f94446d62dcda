//! The tasks of an inbox in the index: taken in as they come, counted, and marked as done by what stands.

use super::{Index, withdrawn};
use crate::inbox::{self, Inbox, Task, TaskKind, read_task};
use crate::{Result, StoreError};
use domain::TaskId;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::collections::BTreeSet;

/// How many tasks of one kind there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskCounts {
    /// All of them.
    pub total: u64,
    /// Those that are done.
    pub done: u64,
}

impl Index {
    pub(super) fn take_in_tasks(&mut self, inbox: &Inbox, kinds: &[TaskKind]) -> Result<()> {
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
        for (kind, subject) in &subjects {
            if *kind == TaskKind::Quiz || stated(subject)? {
                mark_done(&transaction, subject)?;
            }
        }
        transaction.execute("INSERT OR REPLACE INTO inbox_seen (one, revision) VALUES (1, ?)", [revision])?;
        transaction.commit()?;
        Ok(())
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
}

/// Takes in the tasks of a kind behind a position. `subjects` gets those of tasks that are new or changed, with their kind.
fn take_in_kind(
    index: &Connection,
    inbox: &Inbox,
    kind: TaskKind,
    after: i64,
    subjects: &mut BTreeSet<(TaskKind, String)>,
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
            subjects.insert((kind, task.subject));
        }
        Ok(())
    })
}

/// A judge's task is done when a verdict stands that was given under the task's version of the prompt or a later one (or
/// since the version that the task's note names, from which on a verdict says as much), and, where the task's note names
/// guidelines, under those or later ones, and that is not the one which an audit returned; an author's or reviewer's when a
/// submission or review that names the task was not taken back; a quiz's when it was handed in, or when its note says that it is over.
pub(super) fn mark_done(connection: &Connection, subject: &str) -> Result<()> {
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
