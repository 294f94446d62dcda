//! A person's own journals of one kind: the one of this device, which is written, and those of their other devices,
//! which are read. What they may state, change and take back is decided here, for all roles alike.

use super::lift::SCHEMA_VERSION;
use super::{Journal, NewStatement};
use crate::device::Device;
use crate::folder::Folder;
use crate::standing::Standing;
use crate::{Result, StoreError};
use domain::{JournalKind, PersonName, Statement, StatementId, StatementKind};
use std::path::PathBuf;

pub(crate) struct Own {
    folder: Folder,
    device: Device,
    pub mine: Journal,
    /// The same person's journals of other devices.
    pub elsewhere: Vec<Journal>,
}

impl Own {
    pub fn open(folder: &Folder, person: &PersonName, device: &Device, kind: JournalKind) -> Result<Self> {
        let mine = Journal::open(folder, person, device, kind)?;
        let mut own = Self { folder: folder.clone(), device: device.clone(), mine, elsewhere: Vec::new() };
        own.look_around()?;
        Ok(own)
    }

    fn person(&self) -> &PersonName {
        &self.mine.name().person
    }

    /// Opens journals of this person that came since (a merged package, another device on a shared disk).
    pub fn look_around(&mut self) -> Result<bool> {
        let mine = self.mine.name().clone();
        let names = self.folder.journals(|n| n.person == mine.person && n.kind == mine.kind && *n != mine)?;
        let before = self.elsewhere.len();
        for name in names {
            if self.elsewhere.iter().any(|j| *j.name() == name) {
                continue;
            }
            match Journal::open_to_read(&self.folder, name) {
                Ok(journal) => self.elsewhere.push(journal),
                // Another program is just making it.
                Err(StoreError::MissingFile(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(self.elsewhere.len() != before)
    }

    /// All of them, this device's first.
    pub fn all(&self) -> Vec<&Journal> {
        std::iter::once(&self.mine).chain(&self.elsewhere).collect()
    }

    /// The files, for checks of what a session opens.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.all().iter().map(|j| j.path().to_owned()).collect()
    }

    /// Every own statement about `subject`.
    pub fn about(&self, subject: &str) -> Result<Vec<Statement>> {
        let mut all = Vec::new();
        for journal in self.all() {
            all.extend(journal.about(subject)?);
        }
        Ok(all)
    }

    /// What stands of `kind` about `subject`.
    pub fn standing(&self, kind: &StatementKind, subject: &str) -> Result<Standing> {
        Ok(Standing::of(kind, &self.about(subject)?))
    }

    /// The own statement with this id.
    pub fn find(&self, id: StatementId) -> Result<Statement> {
        for journal in self.all() {
            if let Some(statement) = journal.find(id)? {
                return Ok(statement);
            }
        }
        Err(StoreError::NotFound { what: "own statement", id: id.to_string() })
    }

    /// Own statements, newest first: up to `limit` of those before `before` (none: from the newest).
    pub fn recent(&self, before: Option<StatementId>, limit: usize) -> Result<Vec<Statement>> {
        self.older_than(before.map(|id| self.find(id)).transpose()?.as_ref(), limit)
    }

    /// Own statements, newest first: up to `limit` of those before a statement, which may stand in a journal of another
    /// kind: then what was made in the same moment counts as older in journals of a lesser kind.
    pub fn older_than(&self, last: Option<&Statement>, limit: usize) -> Result<Vec<Statement>> {
        // Behind every time of display.
        let (mut made_at, mut device, mut seq) = ("~".to_owned(), String::new(), 0);
        if let Some(last) = last {
            (made_at, device) = (last.made_at.clone(), last.device.clone());
            seq = match self.find(last.id) {
                Ok(own) => own.seq,
                Err(StoreError::NotFound { .. }) if self.mine.name().kind < kind_of(last) => {
                    i64::MAX.unsigned_abs()
                }
                Err(StoreError::NotFound { .. }) => 0,
                Err(e) => return Err(e),
            };
        }
        let mut all = Vec::new();
        let count = u32::try_from(limit).unwrap_or(u32::MAX);
        for journal in self.all() {
            let own = journal.name().device.as_str();
            // Within one moment the order is that of devices, then of the journal.
            let from = match own.cmp(device.as_str()) {
                std::cmp::Ordering::Less => i64::MAX.unsigned_abs(),
                std::cmp::Ordering::Equal => seq,
                std::cmp::Ordering::Greater => 0,
            };
            all.extend(journal.rows_before(&made_at, from, count)?);
        }
        all.sort_by(|a, b| (&b.made_at, &b.device, b.seq).cmp(&(&a.made_at, &a.device, a.seq)));
        all.truncate(limit);
        Ok(all)
    }

    /// The newest own statement that stands, retractions and drawn samples aside: what "undo" takes back.
    pub fn newest_undoable(&self) -> Result<Option<Statement>> {
        let mut before = None;
        loop {
            let page = self.recent(before, 50)?;
            let Some(last) = page.last() else { return Ok(None) };
            before = Some(last.id);
            for statement in page {
                if !matches!(
                    statement.kind,
                    StatementKind::Retraction | StatementKind::AuditDraw | StatementKind::QuizAttempt
                ) && self.standing(&statement.kind, &statement.subject)?.ids().contains(&statement.id)
                {
                    return Ok(Some(statement));
                }
            }
        }
    }

    /// States something over what stands. `expected` is what the person saw standing; when that has changed,
    /// nothing is written and [`StoreError::Stale`] tells what stands now. `others`: statements of other people that
    /// count as well (auditors settle together).
    pub fn state(
        &mut self,
        kind: StatementKind,
        subject: &str,
        payload: String,
        expected: &[StatementId],
        others: &[Statement],
    ) -> Result<Statement> {
        self.state_instead_of(None, kind, subject, payload, expected, others)
    }

    /// The same; the draft of this kind about the subject goes in the same transaction, so that it is written once to disk.
    pub fn state_instead_of(
        &mut self,
        draft: Option<&str>,
        kind: StatementKind,
        subject: &str,
        payload: String,
        expected: &[StatementId],
        others: &[Statement],
    ) -> Result<Statement> {
        let mut beside = others.to_vec();
        for journal in &self.elsewhere {
            beside.extend(journal.about(subject)?);
        }
        let stating = kind.clone();
        let new = NewStatement {
            kind,
            schema_version: SCHEMA_VERSION,
            subject: subject.to_owned(),
            parents: expected.to_vec(),
            payload,
        };
        self.mine.append(&self.device, &new, |transaction| {
            let mut all = super::row::about(transaction, subject)?;
            all.extend(beside);
            let mut now = Standing::of(&stating, &all).ids();
            let mut seen = expected.to_vec();
            now.sort();
            seen.sort();
            if now != seen {
                return Err(StoreError::Stale { subject: subject.to_owned(), current: now });
            }
            draft.map_or(Ok(()), |draft| crate::draft::drop(transaction, draft, subject))
        })
    }

    /// Takes back an own statement: what it had replaced stands again.
    pub fn retract(&mut self, id: StatementId) -> Result<Statement> {
        let target = self.find(id)?;
        if target.kind == StatementKind::Retraction {
            return Err(StoreError::Refused(
                "a retraction cannot be taken back; state what you mean again".to_owned(),
            ));
        }
        if target.kind == StatementKind::QuizAttempt {
            return Err(StoreError::Refused("a quiz that was handed in is not taken back".to_owned()));
        }
        let mut beside = Vec::new();
        for journal in &self.elsewhere {
            beside.extend(journal.about(&target.subject)?);
        }
        let person = self.person().clone();
        let new = NewStatement {
            kind: StatementKind::Retraction,
            schema_version: SCHEMA_VERSION,
            subject: target.subject.clone(),
            parents: vec![id],
            payload: "{}".to_owned(),
        };
        self.mine.append(&self.device, &new, |transaction| {
            let mut all = super::row::about(transaction, &target.subject)?;
            all.extend(beside);
            let gone = |s: &Statement| {
                s.kind == StatementKind::Retraction && s.parents.contains(&id) && s.person == person
            };
            if all.iter().any(gone) {
                Err(StoreError::Refused(format!("statement {id} was taken back already")))
            } else {
                Ok(())
            }
        })
    }

    /// States again what was taken back, over what stands now.
    pub fn redo(&mut self, id: StatementId, others: &[Statement]) -> Result<Statement> {
        let target = self.find(id)?;
        let mut all = self.about(&target.subject)?;
        let taken_back = all.iter().any(|s| s.kind == StatementKind::Retraction && s.parents.contains(&id));
        if !taken_back || target.kind == StatementKind::Retraction {
            return Err(StoreError::Refused(format!(
                "statement {id} was not taken back, so it cannot be redone"
            )));
        }
        if target.payload.is_empty() {
            return Err(StoreError::Refused(format!("the content of statement {id} was removed on request")));
        }
        all.extend_from_slice(others);
        let heads = Standing::of(&target.kind, &all).ids();
        self.state(target.kind, &target.subject, target.payload, &heads, others)
    }

    pub fn close(self) -> Result<()> {
        crate::sqlite::checkpoint(&self.mine.connection)
    }
}

/// The kind of journal that an author's statement stands in.
fn kind_of(statement: &Statement) -> JournalKind {
    if statement.subject.contains('/') { JournalKind::Review } else { JournalKind::Author }
}
