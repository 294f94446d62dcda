//! Reservations: work that is somebody's until a day, and free for others again when it was not done by then. What was
//! done in time stays; what comes back late is kept like any other statement.

use super::{Assignment, LeadView};
use crate::folder::Folder;
use crate::inbox::{Inbox, TaskKind, task_id};
use crate::index::Index;
use crate::journal::{NewStatement, payload};
use crate::{Result, StoreError};
use domain::{PersonName, Statement, StatementId, StatementKind};
use std::collections::HashSet;

/// Work of one assignment that was not done in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expired {
    /// Whose.
    pub person: PersonName,
    /// What was to be done.
    pub kind: TaskKind,
    /// With what.
    pub subjects: Vec<String>,
    /// The assignment.
    pub assignment: StatementId,
    /// When it ended, RFC 3339 in UTC.
    pub until: String,
}

impl LeadView {
    /// What is not done although its time is over at `now` (RFC 3339 in UTC, as [`crate::now`] writes it).
    pub fn expired(&mut self, now: &str) -> Result<Vec<Expired>> {
        let mut over = Vec::new();
        self.each_standing(&StatementKind::Assignment, |statement| {
            if statement.payload.is_empty() {
                return Ok(());
            }
            let assignment: Assignment = payload(&statement)?;
            if assignment.until.as_deref().is_some_and(|until| until < now) {
                over.push((statement, assignment));
            }
            Ok(())
        })?;
        let folder = self.folder().clone();
        let mut all = Vec::new();
        for (statement, assignment) in over {
            let person: PersonName = statement.subject.parse().map_err(StoreError::Refused)?;
            let kind: TaskKind = assignment.kind.parse().map_err(StoreError::Refused)?;
            let there = tasks_of(&folder, &person, kind, &statement)?;
            let index = self.auditor.index()?;
            let mut subjects = Vec::new();
            for handout in &assignment.handouts {
                if there.contains(&handout.subject)
                    && !is_done(index, &folder, &person, kind, &handout.subject, &statement)?
                {
                    subjects.push(handout.subject.clone());
                }
            }
            if !subjects.is_empty() {
                let until = assignment.until.unwrap_or_default();
                all.push(Expired { person, kind, subjects, assignment: statement.id, until });
            }
        }
        Ok(all)
    }

    /// The people from whom something was taken back.
    pub(super) fn taken_back_from(&mut self) -> Result<HashSet<PersonName>> {
        let mut people = HashSet::new();
        self.each_standing(&StatementKind::Assignment, |statement| {
            if !statement.payload.is_empty() && !payload::<Assignment>(&statement)?.released.is_empty() {
                people.extend(statement.subject.parse::<PersonName>());
            }
            Ok(())
        })?;
        Ok(people)
    }

    /// Takes back what is not done although its time is over, so that others may get it. Answers what that was.
    pub fn release_expired(&mut self, kind: TaskKind, now: &str) -> Result<Vec<Expired>> {
        let mut expired = self.expired(now)?;
        expired.retain(|one| one.kind == kind);
        for one in &expired {
            let assignment = Assignment {
                kind: one.kind.name().to_owned(),
                handouts: Vec::new(),
                until: None,
                released: one.subjects.clone(),
            };
            let statement = self.append(&NewStatement {
                kind: StatementKind::Assignment,
                schema_version: 1,
                subject: one.person.to_string(),
                parents: vec![one.assignment],
                payload: serde_json::to_string(&assignment).map_err(StoreError::json("assignment"))?,
            })?;
            withdraw(self.folder(), &one.person, one.kind, &assignment, &statement)?;
        }
        Ok(expired)
    }
}

fn tasks_of(
    folder: &Folder,
    person: &PersonName,
    kind: TaskKind,
    cause: &Statement,
) -> Result<HashSet<String>> {
    let mut there = HashSet::new();
    Inbox::open(folder, person)?.each_task(kind, |task| {
        if task.cause == cause.id {
            there.insert(task.subject);
        }
        Ok(())
    })?;
    Ok(there)
}

fn is_done(
    index: &Index,
    folder: &Folder,
    person: &PersonName,
    kind: TaskKind,
    subject: &str,
    cause: &Statement,
) -> Result<bool> {
    if kind == TaskKind::Judge {
        let heads = index.heads(&StatementKind::Judgement, subject)?;
        return Ok(heads.iter().any(|statement| statement.person == *person));
    }
    index.is_answered(subject, task_id(folder.study(), person, kind, subject, cause.id))
}

/// Takes back from the inbox what `statement`, which replaces an assignment, says. Doing it again changes nothing.
pub(super) fn withdraw(
    folder: &Folder,
    person: &PersonName,
    kind: TaskKind,
    assignment: &Assignment,
    statement: &Statement,
) -> Result<()> {
    if assignment.released.is_empty() {
        return Ok(());
    }
    let mut inbox = Inbox::open_to_write(folder, person)?;
    for parent in &statement.parents {
        inbox.withdraw(kind, &assignment.released, *parent)?;
    }
    Ok(())
}
