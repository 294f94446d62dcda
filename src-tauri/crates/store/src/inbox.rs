//! Inboxes: who a person is, and the tasks handed to them, in their order. Only the lead writes one; only its
//! person and the lead open it.
//!
//! A task's id follows from its cause, so that making the tasks of a statement again adds nothing: that is how what
//! follows from a statement survives a crash between two files.

use crate::folder::Folder;
use crate::sqlite::{self, Access, Allowed, Schema};
use crate::{Result, StoreError};
use domain::{PersonName, Role, StatementId, StudyId, TaskId};
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use sha2::{Digest, Sha256};
use std::str::FromStr;

pub(crate) const SCHEMA: Schema = Schema {
    name: "inbox",
    application_id: 0x4153_5A02,
    migrations: &[include_str!("../../../../schemas/sqlite/inbox/0001_tasks.sql")],
    disposable: false,
};

/// A person, as their inbox has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Me {
    /// The name in files.
    pub person: PersonName,
    /// How they are addressed.
    pub display: String,
    /// What they may be in a session.
    pub roles: Vec<Role>,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TaskKind {
    /// Judge a response; subject = response id.
    Judge,
    /// Write a rubric; subject = prompt id.
    Author,
    /// Review a rubric; subject = `<prompt id>/<author>`.
    Review,
    /// Curate an item; subject = `<kind of item>/<item id>/<version>`.
    Curate,
    /// Grade a response against its checklist; subject = response id. For who may see rubrics: an auditor.
    Grade,
    /// Hand in the guidelines quiz, or read what came of it; subject = `quiz/<version>/<attempt>`.
    Quiz,
}
impl TaskKind {
    /// What somebody in a role finds in their inbox: the kinds that the role's session, its index and its packages hold.
    pub(crate) const fn of(role: Role) -> &'static [Self] {
        match role {
            Role::Judge => &[Self::Judge, Self::Quiz],
            Role::Author => &[Self::Author, Self::Review, Self::Curate],
            // Sighted sessions read inboxes, and keep no index of one.
            Role::Auditor | Role::Lead => &[],
        }
    }
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Judge => "judge",
            Self::Author => "author",
            Self::Review => "review",
            Self::Curate => "curate",
            Self::Grade => "grade",
            Self::Quiz => "quiz",
        }
    }
}
impl FromStr for TaskKind {
    type Err = String;
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        [Self::Judge, Self::Author, Self::Review, Self::Curate, Self::Grade, Self::Quiz]
            .into_iter()
            .find(|k| k.name() == text)
            .ok_or_else(|| format!("{text:?} is no kind of task"))
    }
}

/// A task to be handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTask {
    /// What is to be done.
    pub kind: TaskKind,
    /// With what.
    pub subject: String,
    /// Version of the subject when the task was made; 0 when it has none.
    pub subject_version: u32,
    /// The statement that it follows from.
    pub cause: StatementId,
    /// JSON for the person, such as what was sent back and why; empty for none.
    pub note: String,
}

/// A task with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its id.
    pub id: TaskId,
    /// What is to be done.
    pub kind: TaskKind,
    /// With what.
    pub subject: String,
    /// Version of the subject when the task was made; 0 when it has none.
    pub subject_version: u32,
    /// 1-based place among the person's tasks of this kind; the key of pages.
    pub position: u64,
    /// The statement that it follows from.
    pub cause: StatementId,
    /// JSON for the person; empty for none.
    pub note: String,
    /// Is it done?
    pub done: bool,
}

/// The part of an inbox's revision that counts additions; the part above it counts what was changed or taken back.
const ADDITIONS: i64 = (1 << 32) - 1;

/// Were tasks only added, each behind those of its kind, between two revisions of an inbox?
pub(crate) const fn only_added(before: i64, now: i64) -> bool {
    before >> 32 == now >> 32 && before <= now
}

/// The id of the task that `cause` makes for `person`: the same however often it is made.
pub fn task_id(
    study: StudyId,
    person: &PersonName,
    kind: TaskKind,
    subject: &str,
    cause: StatementId,
) -> TaskId {
    let mut hash = Sha256::new();
    hash.update(b"assize task 1\n");
    hash.update(study.as_bytes());
    hash.update(cause.as_bytes());
    for part in [person.as_str(), kind.name(), subject] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let digest: [u8; 32] = hash.finalize().into();
    let mut id = [0_u8; 16];
    id.copy_from_slice(&digest[..16]);
    TaskId::from_bytes(id)
}

/// An open inbox.
pub struct Inbox {
    connection: Connection,
    study: StudyId,
    person: PersonName,
}

impl Inbox {
    /// Makes an inbox, or gives an existing one this display name and these roles. Lead only.
    pub(crate) fn create(folder: &Folder, me: &Me) -> Result<Self> {
        let mut inbox = Self::open_with(folder, &me.person, Access::Write)?;
        let roles = serde_json::to_string(&me.roles).map_err(StoreError::json("roles"))?;
        let transaction = inbox.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute(
            "INSERT INTO me (one, study, person, display, roles) VALUES (1, ?1, ?2, ?3, ?4)
             ON CONFLICT (one) DO UPDATE SET display = excluded.display, roles = excluded.roles",
            params![folder.study().as_bytes(), me.person.as_str(), me.display, roles],
        )?;
        transaction.commit()?;
        Ok(inbox)
    }
    /// Opens an inbox for reading.
    pub(crate) fn open(folder: &Folder, person: &PersonName) -> Result<Self> {
        let path = folder.inbox_path(person);
        if !path.is_file() {
            return Err(StoreError::NoSuchPerson(person.clone()));
        }
        let mut inbox = Self::open_with(folder, person, Access::Read)?;
        sqlite::authorize(&mut inbox.connection, Allowed { read: &["me", "tasks"], write: &[] })?;
        Ok(inbox)
    }
    /// Opens an inbox for handing out tasks. Lead only.
    pub(crate) fn open_to_write(folder: &Folder, person: &PersonName) -> Result<Self> {
        if !folder.inbox_path(person).is_file() {
            return Err(StoreError::NoSuchPerson(person.clone()));
        }
        Self::open_with(folder, person, Access::Write)
    }
    fn open_with(folder: &Folder, person: &PersonName, access: Access) -> Result<Self> {
        let connection = sqlite::open(&folder.inbox_path(person), &SCHEMA, access)?;
        Ok(Self { connection, study: folder.study(), person: person.clone() })
    }

    /// Who the person is.
    pub fn me(&self) -> Result<Me> {
        let me = self
            .connection
            .query_row("SELECT study, person, display, roles FROM me", [], |r| {
                Ok((
                    r.get::<_, [u8; 16]>(0)?,
                    r.get::<_, String>(1)?,
                    r.get::<_, String>(2)?,
                    r.get::<_, String>(3)?,
                ))
            })
            .optional()?;
        let Some((study, person, display, roles)) = me else {
            return Err(StoreError::NoSuchPerson(self.person.clone()));
        };
        if study != *self.study.as_bytes() || person != self.person.as_str() {
            return Err(StoreError::Refused(format!(
                "the inbox of {} was renamed or comes from another study",
                self.person
            )));
        }
        let roles = serde_json::from_str(&roles).map_err(StoreError::json("roles"))?;
        Ok(Me { person: self.person.clone(), display, roles })
    }

    /// Hands out tasks in the order given, after those already there. What was handed out before is left as it is.
    /// Answers how many are new.
    pub fn add_tasks(&mut self, tasks: &[NewTask]) -> Result<u64> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut added = 0;
        for task in tasks {
            let id = task_id(self.study, &self.person, task.kind, &task.subject, task.cause);
            added += transaction
                .prepare_cached(
                    "INSERT INTO tasks (id, kind, subject, subject_version, position, cause, note)
                     SELECT ?1, ?2, ?3, ?4,
                            (SELECT coalesce(max(position), 0) + 1 FROM tasks WHERE kind = ?2), ?5, ?6
                     WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE id = ?1)",
                )?
                .execute(params![
                    id.as_bytes(),
                    task.kind.name(),
                    task.subject,
                    task.subject_version,
                    task.cause.as_bytes(),
                    task.note
                ])?;
        }
        if added > 0 {
            transaction.execute("UPDATE me SET revision = revision + 1", [])?;
        }
        transaction.commit()?;
        Ok(added as u64)
    }

    /// Takes back tasks that `cause` made: those with these subjects. Answers how many were here.
    pub(crate) fn withdraw(
        &mut self,
        kind: TaskKind,
        subjects: &[String],
        cause: StatementId,
    ) -> Result<u64> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut gone = 0;
        for subject in subjects {
            let id = task_id(self.study, &self.person, kind, subject, cause);
            gone +=
                transaction.prepare_cached("DELETE FROM tasks WHERE id = ?1")?.execute([id.as_bytes()])?;
        }
        if gone > 0 {
            transaction.execute("UPDATE me SET revision = (revision | ?1) + 1", [ADDITIONS])?;
        }
        transaction.commit()?;
        Ok(gone as u64)
    }

    /// Gives tasks a later version of what they are about, and the note that goes with it, while their work is not begun.
    /// Answers how many changed.
    pub(crate) fn renew(&mut self, tasks: &[(TaskId, u32, String)]) -> Result<u64> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut renewed = 0;
        for (id, version, note) in tasks {
            renewed += transaction
                .prepare_cached("UPDATE tasks SET subject_version = ?2, note = ?3 WHERE id = ?1")?
                .execute(params![id.as_bytes(), version, note])?;
        }
        if renewed > 0 {
            transaction.execute("UPDATE me SET revision = (revision | ?1) + 1", [ADDITIONS])?;
        }
        transaction.commit()?;
        Ok(renewed as u64)
    }

    /// Changes whenever tasks were added, changed or taken back; see [`only_added`].
    pub(crate) fn revision(&self) -> Result<i64> {
        Ok(self.connection.query_row("SELECT revision FROM me", [], |r| r.get(0))?)
    }
    /// How many tasks of a kind there are.
    pub fn count(&self, kind: TaskKind) -> Result<u64> {
        let n: i64 =
            self.connection
                .query_row("SELECT count(*) FROM tasks WHERE kind = ?", [kind.name()], |r| r.get(0))?;
        Ok(n.unsigned_abs())
    }
    /// The tasks of a kind whose subject an earlier one has too, in order.
    pub(crate) fn repeated(&self, kind: TaskKind) -> Result<Vec<Task>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, kind, subject, subject_version, position, cause, note, 0 FROM tasks WHERE kind = ?1
             AND EXISTS (SELECT 1 FROM tasks earlier WHERE earlier.subject = tasks.subject
                         AND earlier.kind = tasks.kind AND earlier.position < tasks.position)
             ORDER BY position",
        )?;
        let rows = statement.query_map([kind.name()], read_task)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
    /// Has the person a task of this kind with this subject?
    pub fn has(&self, kind: TaskKind, subject: &str) -> Result<bool> {
        Ok(self
            .connection
            .prepare_cached("SELECT 1 FROM tasks WHERE subject = ?1 AND kind = ?2 LIMIT 1")?
            .exists(params![subject, kind.name()])?)
    }
    /// The tasks of this kind with this subject, in order, as handed out.
    pub(crate) fn tasks_about(&self, kind: TaskKind, subject: &str) -> Result<Vec<Task>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, kind, subject, subject_version, position, cause, note, 0 FROM tasks
             WHERE subject = ?1 AND kind = ?2 ORDER BY position",
        )?;
        let rows = statement.query_map(params![subject, kind.name()], read_task)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
    /// The newest task of this kind with this subject.
    pub(crate) fn id_of(&self, kind: TaskKind, subject: &str) -> Result<Option<TaskId>> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT id FROM tasks WHERE subject = ?1 AND kind = ?2 ORDER BY position DESC LIMIT 1",
            )?
            .query_row(params![subject, kind.name()], |row| row.get(0).map(TaskId::from_bytes))
            .optional()?)
    }
    /// Has the person a task of this kind whose subject is `<above>/…`?
    pub(crate) fn has_below(&self, kind: TaskKind, above: &str) -> Result<bool> {
        // A range on the index: '0' is the character after '/'.
        Ok(self
            .connection
            .prepare_cached("SELECT 1 FROM tasks WHERE kind = ?3 AND subject > ?1 AND subject < ?2 LIMIT 1")?
            .exists(params![format!("{above}/"), format!("{above}0"), kind.name()])?)
    }
    /// One task, as handed out (`done` is not known here and false).
    pub fn task(&self, id: TaskId) -> Result<Task> {
        self.connection
            .prepare_cached(
                "SELECT id, kind, subject, subject_version, position, cause, note, 0 FROM tasks WHERE id = ?",
            )?
            .query_row([id.as_bytes()], read_task)
            .optional()?
            .ok_or_else(|| StoreError::NotFound { what: "task", id: id.to_string() })
    }
    /// Every task of a kind, in order, as handed out.
    pub fn each_task(&self, kind: TaskKind, each: impl FnMut(Task) -> Result<()>) -> Result<()> {
        self.each_task_after(kind, 0, each)
    }
    /// Every task of a kind behind a position, in order, as handed out.
    pub(crate) fn each_task_after(
        &self,
        kind: TaskKind,
        after: i64,
        mut each: impl FnMut(Task) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, kind, subject, subject_version, position, cause, note, 0 FROM tasks
             WHERE kind = ? AND position > ? ORDER BY position",
        )?;
        let mut rows = statement.query(params![kind.name(), after])?;
        while let Some(row) = rows.next()? {
            each(read_task(row)?)?;
        }
        Ok(())
    }
    pub(crate) fn data_version(&self) -> Result<i64> {
        sqlite::data_version(&self.connection)
    }
}

/// `id, kind, subject, version, position, cause, note, done`.
pub(crate) fn read_task(row: &Row<'_>) -> rusqlite::Result<Task> {
    let kind = row.get_ref(1)?.as_str()?.parse().map_err(|e: String| {
        rusqlite::Error::FromSqlConversionFailure(1, rusqlite::types::Type::Text, e.into())
    })?;
    Ok(Task {
        id: TaskId::from_bytes(row.get(0)?),
        kind,
        subject: row.get(2)?,
        subject_version: row.get(3)?,
        position: row.get::<_, i64>(4)?.unsigned_abs(),
        cause: StatementId::from_bytes(row.get(5)?),
        note: row.get(6)?,
        done: row.get(7)?,
    })
}
