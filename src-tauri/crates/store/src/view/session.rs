//! What the views of judges and authors share: one person, their inbox, their journals of one kind, their index.

use super::Changes;
use crate::device::Device;
use crate::folder::Folder;
use crate::history::{Record, records};
use crate::inbox::{Inbox, Me, Task, TaskKind};
use crate::index::{Index, TaskCounts};
use crate::journal::{Journal, Own};
use crate::sqlite::{self, Access, Allowed, Schema};
use crate::standing::Standing;
use crate::{Result, StoreError};
use domain::{JournalKind, PersonName, Role, Statement, StatementId, StatementKind, TaskId};
use rusqlite::Connection;
use std::path::PathBuf;

pub(super) struct Session {
    pub folder: Folder,
    pub me: Me,
    pub inbox: Inbox,
    pub own: Own,
    /// An author's reviews: a journal of their own, because authors open each other's revisions and not each other's
    /// reviews.
    reviews: Option<Own>,
    index: Index,
    kinds: &'static [TaskKind],
    inbox_version: i64,
    journal_versions: Vec<i64>,
    /// The index lags behind a statement that is already on disk.
    behind: bool,
}

impl Session {
    pub fn open(
        folder: &Folder,
        person: &PersonName,
        device: &Device,
        role: Role,
        journal: JournalKind,
    ) -> Result<Self> {
        let inbox = Inbox::open(folder, person)?;
        let me = inbox.me()?;
        if !me.roles.contains(&role) {
            return Err(StoreError::NoRole { person: person.clone(), role });
        }
        let own = Own::open(folder, person, device, journal)?;
        let reviews = match role {
            Role::Author => Some(Own::open(folder, person, device, JournalKind::Review)?),
            _ => None,
        };
        let index = Index::open(folder, &format!("{person}.{role}"))?;
        let mut session = Self {
            folder: folder.clone(),
            me,
            inbox,
            own,
            reviews,
            index,
            kinds: TaskKind::of(role),
            inbox_version: 0,
            journal_versions: Vec::new(),
            behind: true,
        };
        session.inbox_version = session.inbox.data_version()?;
        session.journal_versions = session.journal_versions()?;
        session.catch_up()?;
        Ok(session)
    }

    fn journal_versions(&self) -> Result<Vec<i64>> {
        self.journals().iter().map(|j| j.data_version()).collect()
    }

    /// Every journal of this session.
    fn journals(&self) -> Vec<&Journal> {
        let mut all = self.own.all();
        all.extend(self.reviews.iter().flat_map(Own::all));
        all
    }
    /// The journals that a statement of one's own stands in.
    fn holder(&mut self, id: StatementId) -> &mut Own {
        match (self.own.find(id), &mut self.reviews) {
            (Err(StoreError::NotFound { .. }), Some(reviews)) => reviews,
            _ => &mut self.own,
        }
    }

    /// The index, up to date with everything this session wrote.
    pub fn index(&mut self) -> Result<&Index> {
        if self.behind {
            self.catch_up()?;
        }
        Ok(&self.index)
    }
    fn catch_up(&mut self) -> Result<()> {
        let mut journals = self.own.all();
        journals.extend(self.reviews.iter().flat_map(Own::all));
        self.index.refresh(&journals, Some((&self.inbox, self.kinds)))?;
        self.behind = false;
        Ok(())
    }
    /// After a statement: it is on disk, so that an index that cannot be written now is no failure of it.
    fn stated(&mut self) {
        self.behind = true;
        let _ = self.catch_up();
    }

    pub fn changes(&mut self) -> Result<Changes> {
        let inbox = self.inbox.data_version()?;
        let mut came = self.own.look_around()?;
        if let Some(reviews) = &mut self.reviews {
            came |= reviews.look_around()?;
        }
        let journals = self.journal_versions()?;
        let changes = Changes {
            content: false,
            tasks: inbox != self.inbox_version,
            statements: came || journals != self.journal_versions,
        };
        (self.inbox_version, self.journal_versions) = (inbox, journals);
        if changes.tasks || changes.statements {
            self.behind = true;
        }
        Ok(changes)
    }

    pub fn counts(&mut self, kind: TaskKind) -> Result<TaskCounts> {
        self.index()?.counts(kind)
    }
    pub fn tasks(&mut self, kind: TaskKind, done: Option<bool>, after: u64, limit: u32) -> Result<Vec<Task>> {
        self.index()?.tasks(kind, done, after, limit)
    }
    pub fn next_open(&mut self, kind: TaskKind, after: u64) -> Result<Option<Task>> {
        self.index()?.next_open(kind, after)
    }
    /// An own task of this kind.
    pub fn task(&mut self, id: TaskId, kind: TaskKind) -> Result<Task> {
        let task = self.index()?.task(id)?;
        if task.kind == kind {
            Ok(task)
        } else {
            Err(StoreError::NotFound { what: "task", id: id.to_string() })
        }
    }

    pub fn state(
        &mut self,
        kind: StatementKind,
        subject: &str,
        payload: String,
        expected: &[StatementId],
    ) -> Result<Statement> {
        let statement = self.own.state(kind, subject, payload, expected, &[])?;
        self.stated();
        Ok(statement)
    }
    /// States what takes the place of a draft about the same subject.
    pub fn state_instead_of(
        &mut self,
        draft: &str,
        kind: StatementKind,
        subject: &str,
        payload: String,
        expected: &[StatementId],
    ) -> Result<Statement> {
        let statement = self.own.state_instead_of(Some(draft), kind, subject, payload, expected, &[])?;
        self.stated();
        Ok(statement)
    }
    /// States a review or a curation; `expected`: the own ones about it that the person saw standing.
    pub fn state_review(
        &mut self,
        kind: StatementKind,
        subject: &str,
        payload: String,
        expected: &[StatementId],
    ) -> Result<Statement> {
        let reviews = self
            .reviews
            .as_mut()
            .ok_or_else(|| StoreError::Refused("only authors review rubrics".to_owned()))?;
        let statement = reviews.state(kind, subject, payload, expected, &[])?;
        self.stated();
        Ok(statement)
    }
    pub fn own_reviews(&self, kind: &StatementKind, subject: &str) -> Result<Standing> {
        match &self.reviews {
            Some(reviews) => reviews.standing(kind, subject),
            None => Ok(Standing::default()),
        }
    }
    pub fn save_review_draft(&mut self, kind: &StatementKind, subject: &str, body: &str) -> Result<()> {
        match &mut self.reviews {
            Some(reviews) => reviews.mine.save_draft(kind.name(), subject, body),
            None => Ok(()),
        }
    }
    pub fn drop_review_draft(&mut self, kind: &StatementKind, subject: &str) -> Result<()> {
        match &mut self.reviews {
            Some(reviews) => reviews.mine.drop_draft(kind.name(), subject),
            None => Ok(()),
        }
    }
    pub fn review_draft(&self, kind: &StatementKind, subject: &str) -> Result<Option<String>> {
        match &self.reviews {
            Some(reviews) => reviews.mine.draft(kind.name(), subject),
            None => Ok(None),
        }
    }
    pub fn retract(&mut self, id: StatementId) -> Result<Statement> {
        let statement = self.holder(id).retract(id)?;
        self.stated();
        Ok(statement)
    }
    pub fn redo(&mut self, id: StatementId) -> Result<Statement> {
        let statement = self.holder(id).redo(id, &[])?;
        self.stated();
        Ok(statement)
    }
    pub fn standing(&self, kind: &StatementKind, subject: &str) -> Result<Standing> {
        self.own.standing(kind, subject)
    }
    /// Own records, newest first.
    pub fn recent(&self, before: Option<StatementId>, limit: usize) -> Result<Vec<Record>> {
        let last = match before {
            Some(id) => Some(
                self.own_statement(id)?
                    .ok_or_else(|| StoreError::NotFound { what: "own statement", id: id.to_string() })?,
            ),
            None => None,
        };
        let mut newest: Vec<(&Own, Statement)> = Vec::new();
        for own in std::iter::once(&self.own).chain(&self.reviews) {
            newest
                .extend(own.older_than(last.as_ref(), limit)?.into_iter().map(|statement| (own, statement)));
        }
        newest.sort_by(|(x, a), (y, b)| {
            let kind = |own: &Own| own.mine.name().kind;
            (&b.made_at, &b.device, kind(y), b.seq).cmp(&(&a.made_at, &a.device, kind(x), a.seq))
        });
        newest.truncate(limit);
        let mut all = Vec::new();
        for (own, statement) in newest {
            let about = records(own.about(&statement.subject)?);
            all.extend(about.into_iter().find(|record| record.statement.id == statement.id));
        }
        Ok(all)
    }
    /// The newest own statement that stands: what "undo" takes back.
    pub fn newest_undoable(&self) -> Result<Option<Statement>> {
        let mut newest = self.own.newest_undoable()?;
        if let Some(review) = self.reviews.as_ref().map(Own::newest_undoable).transpose()?.flatten()
            && newest.as_ref().is_none_or(|other| other.made_at < review.made_at)
        {
            newest = Some(review);
        }
        Ok(newest)
    }
    /// The own statement with this id, if there is one.
    pub fn own_statement(&self, id: StatementId) -> Result<Option<Statement>> {
        for own in std::iter::once(&self.own).chain(&self.reviews) {
            match own.find(id) {
                Ok(statement) => return Ok(Some(statement)),
                Err(StoreError::NotFound { .. }) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(None)
    }
    /// The newest task of this kind with this subject.
    pub fn task_of(&mut self, kind: TaskKind, subject: &str) -> Result<Option<Task>> {
        match self.inbox.id_of(kind, subject)? {
            Some(id) => self.task(id, kind).map(Some),
            None => Ok(None),
        }
    }
    pub fn history(&self, subject: &str) -> Result<Vec<Record>> {
        Ok(records(self.own.about(subject)?))
    }
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = self.own.paths();
        files.extend(self.reviews.iter().flat_map(Own::paths));
        files.push(self.folder.inbox_path(&self.me.person));
        files
    }
    pub fn close(self) -> Result<()> {
        if let Some(reviews) = self.reviews {
            reviews.close()?;
        }
        self.own.close()
    }
}

/// Brings the index of a session up to date that nobody has begun yet: from the journals and the inbox that it would open.
pub(super) fn make_index(folder: &Folder, person: &PersonName, role: Role) -> Result<()> {
    let inbox = Inbox::open(folder, person)?;
    let own = crate::package::journals_of(role);
    let mut journals = Vec::new();
    for name in folder.journals(|name| name.person == *person && own.contains(&name.kind))? {
        journals.push(Journal::open_to_read(folder, name)?);
    }
    let mut index = Index::open(folder, &format!("{person}.{role}"))?;
    index.refresh(&journals.iter().collect::<Vec<_>>(), Some((&inbox, TaskKind::of(role))))
}

/// A content file, for a session that may read these tables and nothing else of it.
pub(super) fn open_content(
    folder: &Folder,
    name: &'static str,
    schema: &Schema,
    tables: &'static [&'static str],
) -> Result<Connection> {
    let path = folder.content(name);
    let mut connection = match sqlite::open(&path, schema, Access::Read) {
        // A package from before an update has no lead who could bring it up to date; the study's own folder has.
        Err(StoreError::OlderFile { .. }) if folder.package()?.is_some() => {
            sqlite::checkpoint(&sqlite::open(&path, schema, Access::Write)?)?;
            sqlite::open(&path, schema, Access::Read)?
        }
        other => other?,
    };
    sqlite::authorize(&mut connection, Allowed { read: tables, write: &[] })?;
    Ok(connection)
}
