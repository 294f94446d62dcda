//! What a lead does: everything an auditor sees, and publishing: imports, people, assignments, rubrics, guidelines.
//!
//! Nothing needs two files at once. What follows from a statement (tasks from an assignment, an author's task from
//! a rubric sent back) has ids computed from that statement, and [`LeadView::catch_up`] makes whatever is missing
//! whenever a lead's session opens, so that a kill in between loses nothing.

use super::again::answers_task;
use super::{AuditorView, SentBack};
use crate::content::{Content, answers, audit, guidelines, import, rubrics};
use crate::device::Device;
use crate::folder::Folder;
use crate::inbox::{Inbox, Me, NewTask, Task, TaskKind, task_id};
use crate::index::TaskCounts;
use crate::journal::{Journal, NewStatement, payload};
use crate::sqlite::{self, Access};
use crate::{Begun, Import, ImportSource, Person, Result, RubricSource, StoreError};
use domain::{
    Criterion, JournalKind, PersonName, PromptId, Role, Settlement, Statement, StatementKind, TaskId,
};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::{Deref, DerefMut};

mod reservations;
#[cfg(test)]
mod tests;

pub use reservations::Expired;

/// A lead's session.
pub struct LeadView {
    auditor: AuditorView,
    device: Device,
    journal: Journal,
}

/// One thing to hand out: a response to judge, a prompt to write for, a rubric to review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handout {
    /// [`crate::Task::subject`].
    pub subject: String,
    /// Version of the prompt; 0 when there is none.
    pub version: u32,
}

/// The payload of an `assignment`. One that takes another's place hands out nothing: it takes back what was not done in
/// time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// What is to be done.
    pub kind: String,
    /// With what, in the person's order.
    pub handouts: Vec<Handout>,
    /// Until when it is theirs alone, RFC 3339 in UTC; what is not done then may be taken back. None: for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The subjects that are taken back, of the assignment that this one replaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub released: Vec<String>,
}

/// How far one person is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Who.
    pub person: Person,
    /// Responses to judge.
    pub judging: TaskCounts,
    /// Rubrics to write.
    pub authoring: TaskCounts,
    /// Rubrics of others to review.
    pub reviewing: TaskCounts,
    /// Items to curate.
    pub curating: TaskCounts,
    /// Responses to grade against a checklist.
    pub grading: TaskCounts,
}

/// Handouts in one statement, so that a statement stays small.
const HANDOUTS: usize = 2_000;

impl Folder {
    /// Enters the first person of a study, as its lead. Refused once there is anybody: then a lead does it.
    pub fn found(&self, person: &PersonName, display: &str, also: &[Role]) -> Result<()> {
        if let Some(first) = self.people()?.first() {
            return Err(StoreError::Refused(format!(
                "this study has people already; ask its lead ({first} is one of them)"
            )));
        }
        let mut roles = vec![Role::Lead];
        roles.extend(also.iter().copied().filter(|role| *role != Role::Lead));
        let content = Content::open(self.root(), Access::Write)?;
        let person = Person { name: person.clone(), display: display.to_owned(), roles };
        audit::put_person(&content.audit, &person)?;
        Inbox::create(self, &me(&person))?;
        sqlite::checkpoint(&content.audit)
    }

    /// Opens a lead's session, and makes whatever follows from statements and was not made yet.
    pub fn lead(&self, person: &PersonName, device: &Device) -> Result<LeadView> {
        let auditor = AuditorView::open(self, person, device, Role::Lead, Access::Write)?;
        let journal = Journal::open(self, person, device, JournalKind::Lead)?;
        let mut view = LeadView { auditor, device: device.clone(), journal };
        view.catch_up()?;
        Ok(view)
    }
}

fn me(person: &Person) -> Me {
    Me { person: person.name.clone(), display: person.display.clone(), roles: person.roles.clone() }
}

impl Deref for LeadView {
    type Target = AuditorView;
    fn deref(&self) -> &AuditorView {
        &self.auditor
    }
}
impl DerefMut for LeadView {
    fn deref_mut(&mut self) -> &mut AuditorView {
        &mut self.auditor
    }
}

impl LeadView {
    /// Begins, resumes or recognises the import of a file.
    pub fn begin_import(&self, source: &ImportSource) -> Result<Begun<'_>> {
        Import::begin(&self.auditor.content, &self.auditor.blobs, source)
    }

    /// The report of a file whose import is complete.
    pub fn import_report(&self, source: &ImportSource) -> Result<Option<serde_json::Value>> {
        import::report(&self.auditor.content, source)
    }

    /// States what completed imports brought, of those that no lead stated yet, so that a check finds what is altered by
    /// hand afterwards. Doing it again changes nothing. Answers how many were new.
    pub fn seal_imports(&mut self) -> Result<u64> {
        let mut known = HashSet::new();
        self.each_standing(&StatementKind::ImportSeal, |statement| {
            known.insert(statement.subject);
            Ok(())
        })?;
        let open = import::sealed::unsealed(&self.auditor.content.audit, |id| known.contains(id))?;
        let n = open.len() as u64;
        for (id, seal) in open {
            self.append(&NewStatement {
                kind: StatementKind::ImportSeal,
                schema_version: 1,
                subject: id.to_string(),
                parents: Vec::new(),
                payload: serde_json::to_string(&seal).map_err(StoreError::json("import seal"))?,
            })?;
        }
        Ok(n)
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.auditor.folder
    }
    pub(crate) fn content(&self) -> &Content {
        &self.auditor.content
    }
    /// After rows came from elsewhere: the index is to be brought up to date before it is asked.
    pub(crate) fn behind(&mut self) {
        self.auditor.behind = true;
    }
    /// See [`crate::index::Index::forks`].
    pub(crate) fn fork_heads(&mut self) -> Result<Vec<Vec<Statement>>> {
        self.auditor.index()?.forks()
    }

    /// Enters a person, or changes how they are addressed and what they do.
    pub fn add_person(&mut self, name: &PersonName, display: &str, roles: &[Role]) -> Result<()> {
        let person = Person { name: name.clone(), display: display.to_owned(), roles: roles.to_vec() };
        audit::put_person(&self.auditor.content.audit, &person)?;
        Inbox::create(&self.auditor.folder, &me(&person))?;
        Ok(())
    }

    /// Hands tasks to a person in this order: states it, then fills the inbox. Answers how many tasks are new. `until`:
    /// see [`Assignment::until`].
    pub fn assign(
        &mut self,
        kind: TaskKind,
        person: &PersonName,
        handouts: &[Handout],
        until: Option<&str>,
    ) -> Result<u64> {
        let mut inbox = Inbox::open_to_write(&self.auditor.folder, person)?;
        let mut added = 0;
        for handouts in handouts.chunks(HANDOUTS) {
            let assignment = Assignment {
                kind: kind.name().to_owned(),
                handouts: handouts.to_vec(),
                until: until.map(str::to_owned),
                released: Vec::new(),
            };
            let payload = serde_json::to_string(&assignment).map_err(StoreError::json("assignment"))?;
            let new = NewStatement {
                kind: StatementKind::Assignment,
                schema_version: 1,
                subject: person.to_string(),
                // Assignments add up; none takes another's place.
                parents: Vec::new(),
                payload,
            };
            let statement = self.append(&new)?;
            added += inbox.add_tasks(&tasks(kind, &assignment, &statement))?;
        }
        self.auditor.behind = true;
        if kind == TaskKind::Judge && added > 0 {
            // A courtesy to who opens a long queue; without it their session makes the index itself.
            let _ = super::session::make_index(&self.auditor.folder, person, Role::Judge);
        }
        Ok(added)
    }

    pub(super) fn append(&mut self, new: &NewStatement) -> Result<Statement> {
        self.auditor.behind = true;
        self.journal.append(&self.device, new, |_| Ok(()))
    }

    /// The subjects of the tasks of a kind that a person has, so that nothing is handed out twice.
    pub fn subjects_of(&self, kind: TaskKind, person: &PersonName) -> Result<HashSet<String>> {
        let mut subjects = HashSet::new();
        Inbox::open(&self.auditor.folder, person)?.each_task(kind, |task| {
            subjects.insert(task.subject);
            Ok(())
        })?;
        Ok(subjects)
    }

    /// Every task of a kind that a person has, in order, as handed out.
    pub fn each_task_of(
        &self,
        kind: TaskKind,
        person: &PersonName,
        each: impl FnMut(Task) -> Result<()>,
    ) -> Result<()> {
        Inbox::open(&self.auditor.folder, person)?.each_task(kind, each)
    }
    /// Was this task of an author or reviewer answered?
    pub fn is_answered(&mut self, subject: &str, task: TaskId) -> Result<bool> {
        self.auditor.index()?.is_answered(subject, task)
    }

    /// Publishes guidelines; a new text is a new version.
    pub fn publish_guidelines(&mut self, markdown: &str) -> Result<u32> {
        guidelines::publish(&self.auditor.content.study, markdown)
    }

    /// Hands out a rubric for a version of a prompt; another content is a new version. Answers with its version.
    pub fn publish_rubric(
        &mut self,
        prompt: PromptId,
        prompt_version: u32,
        criteria: &[Criterion],
    ) -> Result<u32> {
        let Content { rubrics, audit, .. } = &self.auditor.content;
        let beside = domain::BesideCriteria::default();
        let version = rubrics::version_of(audit, prompt, prompt_version, criteria, &beside)?;
        import::atomically(rubrics, || {
            let rubric = rubrics::Rubric {
                prompt,
                prompt_version,
                version,
                source: RubricSource::Published,
                criteria: criteria.to_vec(),
                beside,
            };
            rubrics::put(rubrics, &rubric)?;
            rubrics::hand_out(rubrics, prompt.as_bytes(), prompt_version, version)
        })?;
        Ok(version)
    }

    /// How far everyone is.
    pub fn progress(&mut self) -> Result<Vec<Progress>> {
        let people = self.people()?;
        let folder = self.auditor.folder.clone();
        let late = self.taken_back_from()?;
        let names: Vec<PersonName> = people.iter().map(|person| person.name.clone()).collect();
        let overtaken = self.overtaken_first(&names)?;
        let index = self.auditor.index()?;
        let judged = index.tally(&StatementKind::Judgement)?;
        let mut all = Vec::new();
        for (person, overtaken) in people.into_iter().zip(overtaken) {
            let inbox = Inbox::open(&folder, &person.name)?;
            let total = inbox.count(TaskKind::Judge)?;
            // One judges only what one has a task for, so the tally counts first tasks; those that ask again for the
            // same response are looked at one by one.
            let again = inbox.repeated(TaskKind::Judge)?;
            let first = total - (again.len() as u64).min(total);
            let mut done =
                judged.iter().find(|(name, _)| *name == person.name).map_or(0, |(_, n)| *n).min(first);
            done -= overtaken.min(done);
            if late.contains(&person.name) {
                // What was judged may have been taken back, so that the tally says too much.
                let again: HashSet<TaskId> = again.iter().map(|task| task.id).collect();
                done = 0;
                inbox.each_task(TaskKind::Judge, |task| {
                    if !again.contains(&task.id) {
                        let heads = index.heads(&StatementKind::Judgement, &task.subject)?;
                        done += u64::from(
                            heads.iter().any(|s| s.person == person.name && answers_task(s, &task)),
                        );
                    }
                    Ok(())
                })?;
            }
            for task in again {
                let heads = index.heads(&StatementKind::Judgement, &task.subject)?;
                done += u64::from(heads.iter().any(|s| s.person == person.name && answers_task(s, &task)));
            }
            let mut authoring = TaskCounts { total: inbox.count(TaskKind::Author)?, done: 0 };
            inbox.each_task(TaskKind::Author, |task| {
                authoring.done += u64::from(index.is_answered(&task.subject, task.id)?);
                Ok(())
            })?;
            let mut reviewing = TaskCounts { total: inbox.count(TaskKind::Review)?, done: 0 };
            inbox.each_task(TaskKind::Review, |task| {
                reviewing.done += u64::from(index.is_answered(&task.subject, task.id)?);
                Ok(())
            })?;
            let mut curating = TaskCounts { total: inbox.count(TaskKind::Curate)?, done: 0 };
            inbox.each_task(TaskKind::Curate, |task| {
                curating.done += u64::from(index.is_answered(&task.subject, task.id)?);
                Ok(())
            })?;
            let mut grading = TaskCounts { total: inbox.count(TaskKind::Grade)?, done: 0 };
            inbox.each_task(TaskKind::Grade, |task| {
                grading.done += u64::from(index.is_answered(&task.subject, task.id)?);
                Ok(())
            })?;
            all.push(Progress {
                person,
                judging: TaskCounts { total, done },
                authoring,
                reviewing,
                curating,
                grading,
            });
        }
        Ok(all)
    }

    /// Makes whatever follows from statements and completed imports and was not made yet: inboxes, tasks of
    /// assignments, authors' tasks of rubrics sent back and of gold lists marked wrong. Doing it again changes nothing.
    /// Answers how many tasks are new.
    pub fn catch_up(&mut self) -> Result<u64> {
        import::hand_out_rubrics(&self.auditor.content)?;
        let folder = self.auditor.folder.clone();
        let here = folder.people()?;
        for person in self.people()?.iter().filter(|p| !here.contains(&p.name)) {
            Inbox::create(&folder, &me(person))?;
        }
        let mut added = 0;
        self.auditor.look_around()?;
        self.seal_imports()?;
        let mut assignments = Vec::new();
        self.auditor.index()?.each_head(&StatementKind::Assignment, |statement| {
            assignments.push(statement);
            Ok(())
        })?;
        for statement in assignments.iter().filter(|s| !s.payload.is_empty()) {
            added += fill(&folder, statement)?;
        }
        Ok(added
            + self.send_back()?
            + self.marked_gold()?
            + self.review_rounds()?
            + self.curation_rounds()?
            + self.returned_work()?
            + self.quiz_results()?
            + self.queue_again()?)
    }

    /// Makes the authors' tasks of rubrics that settlements send back.
    fn send_back(&mut self) -> Result<u64> {
        let mut cases = Vec::new();
        self.auditor.each_settlement(|statement, settlement, answer| {
            if let (true, Some(answer)) = (settlement.send_rubric_back, answer) {
                cases.push((statement, settlement, answer));
            }
            Ok(())
        })?;
        let mut added = 0;
        for (statement, settlement, answer) in cases {
            let found = answers::prompt_with_key(&self.auditor.content.audit, &answer.prompt_key)?;
            let Some((prompt, version)) = found else { continue };
            let note = serde_json::to_string(&self.sent_back(&settlement)?)
                .map_err(StoreError::json("sent back"))?;
            for author in self.authors_of(prompt)? {
                let task = NewTask {
                    kind: TaskKind::Author,
                    subject: prompt.to_string(),
                    subject_version: version,
                    cause: statement.id,
                    note: note.clone(),
                };
                added += Inbox::open_to_write(&self.auditor.folder, &author)?.add_tasks(&[task])?;
            }
        }
        Ok(added)
    }

    fn sent_back(&self, settlement: &Settlement) -> Result<SentBack> {
        let judgings = self.judgings(settlement.response)?;
        let grades = judgings.first().map(|base| base.grades.as_slice()).unwrap_or_default();
        let criteria = grades
            .iter()
            .filter(|grade| grade.modality == Some(settlement.modality) && grade.score < 1.0)
            .map(|grade| Criterion {
                id: grade.id.clone(),
                criterion: grade.criterion.clone(),
                modality: settlement.modality,
            })
            .collect();
        Ok(SentBack { modality: settlement.modality, cause: settlement.cause, criteria })
    }

    /// Who writes the rubric of a prompt: everyone with a task for it, else, for a rubric that came with the
    /// dataset, the first author.
    pub(super) fn authors_of(&self, prompt: PromptId) -> Result<Vec<PersonName>> {
        let mut authors = Vec::new();
        for person in self.people()?.into_iter().filter(|p| p.roles.contains(&Role::Author)) {
            authors.push(person.name);
        }
        let subject = prompt.to_string();
        let mut own = Vec::new();
        for author in &authors {
            if Inbox::open(&self.auditor.folder, author)?.has(TaskKind::Author, &subject)? {
                own.push(author.clone());
            }
        }
        if own.is_empty() {
            authors.truncate(1);
            own = authors;
        }
        Ok(own)
    }

    /// Ends the session; what it wrote is whole in its files afterwards.
    pub fn close(self) -> Result<()> {
        sqlite::checkpoint(&self.journal.connection)?;
        self.auditor.close()
    }
}

fn tasks(kind: TaskKind, assignment: &Assignment, cause: &Statement) -> Vec<NewTask> {
    assignment
        .handouts
        .iter()
        .map(|handout| NewTask {
            kind,
            subject: handout.subject.clone(),
            subject_version: handout.version,
            cause: cause.id,
            note: String::new(),
        })
        .collect()
}

/// Fills the inbox from an assignment, if it is not full yet: tasks are added wholly or not at all, so the last one
/// tells.
fn fill(folder: &Folder, statement: &Statement) -> Result<u64> {
    let assignment: Assignment = payload(statement)?;
    let person: PersonName = statement.subject.parse().map_err(StoreError::Refused)?;
    let kind: TaskKind = assignment.kind.parse().map_err(StoreError::Refused)?;
    reservations::withdraw(folder, &person, kind, &assignment, statement)?;
    let Some(last) = assignment.handouts.last() else { return Ok(0) };
    let id = task_id(folder.study(), &person, kind, &last.subject, statement.id);
    match Inbox::open(folder, &person)?.task(id) {
        Ok(_) => Ok(0),
        Err(StoreError::NotFound { .. }) => {
            Inbox::open_to_write(folder, &person)?.add_tasks(&tasks(kind, &assignment, statement))
        }
        Err(e) => Err(e),
    }
}
