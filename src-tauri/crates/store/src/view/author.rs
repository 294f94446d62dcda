//! What an author of rubrics sees: prompts, the rubrics handed out with them, their own revisions, and those they
//! review. This module can name no response: the file that holds them is never opened, and its path never built.

use super::session::{Session, open_content};
use super::{Changes, Readable};
use crate::content::{self, prompts, rubrics};
use crate::device::Device;
use crate::folder::Folder;
use crate::history::Record;
use crate::inbox::{Me, Task, TaskKind};
use crate::index::TaskCounts;
use crate::standing::Standing;
use crate::{Blobs, Result, StoreError};
use domain::{
    BlobHash, JournalKind, PersonName, Prompt, PromptId, Role, RubricDraft, Statement, StatementId,
    StatementKind, TaskId,
};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::PathBuf;

const DRAFT: &str = "rubric_revision";

/// An author's session.
pub struct AuthorView {
    pub(super) session: Session,
    pub(super) study: Connection,
    pub(super) rubrics: Connection,
    content_versions: (i64, i64),
}

/// One prompt to write a rubric for.
#[derive(Debug, Clone, PartialEq)]
pub struct AuthorItem {
    /// The task.
    pub task: Task,
    /// What is asked.
    pub prompt: Prompt,
    /// The rubric that was handed out with the prompt, to start from.
    pub handed_out: Option<RubricDraft>,
    /// The author's own revision as it stands: [`RubricDraft`] payloads.
    pub revision: Standing,
    /// What was handed in, as it stands: [`Submission`] payloads.
    pub submission: Standing,
    /// What they were typing, as they left it.
    pub draft: Option<String>,
}

/// A revision handed in for review: the payload of a `rubric_submission`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The revision.
    pub revision: StatementId,
    /// The task that it answers.
    pub task: TaskId,
    /// Version of the prompt that it was written for; 0 when an older version of the app did not say.
    #[serde(default)]
    pub prompt_version: u32,
    /// Version of the rubric that was handed out with the prompt; 0 when there was none.
    #[serde(default)]
    pub rubric_version: u32,
}

impl Folder {
    /// Opens an author's session.
    pub fn author(&self, person: &PersonName, device: &Device) -> Result<AuthorView> {
        let session = Session::open(self, person, device, Role::Author, JournalKind::Author)?;
        let study = open_content(self, "study", &content::STUDY, content::STUDY_TABLES)?;
        let rubrics = open_content(self, "rubrics", &content::RUBRICS, content::RUBRICS_TABLES)?;
        let mut view = AuthorView { session, study, rubrics, content_versions: (0, 0) };
        view.content_versions = view.content_versions()?;
        Ok(view)
    }
}

impl AuthorView {
    fn content_versions(&self) -> Result<(i64, i64)> {
        Ok((crate::sqlite::data_version(&self.study)?, crate::sqlite::data_version(&self.rubrics)?))
    }
    /// Who the author is.
    pub fn me(&self) -> &Me {
        &self.session.me
    }
    /// How many tasks of a kind there are, and how many are done.
    pub fn counts(&mut self, kind: TaskKind) -> Result<TaskCounts> {
        self.session.counts(kind)
    }
    /// Up to `limit` tasks after position `after` (0: from the start), optionally only the done or the open ones.
    pub fn tasks(&mut self, kind: TaskKind, done: Option<bool>, after: u64, limit: u32) -> Result<Vec<Task>> {
        self.session.tasks(kind, done, after, limit)
    }
    /// The next open task after position `after`, else the first open one; none when all is done.
    pub fn next_open(&mut self, kind: TaskKind, after: u64) -> Result<Option<Task>> {
        self.session.next_open(kind, after)
    }
    /// One item, whole.
    pub fn item(&mut self, task: TaskId) -> Result<AuthorItem> {
        let task = self.session.task(task, TaskKind::Author)?;
        let prompt = self.prompt(&task.subject, task.subject_version)?;
        Ok(AuthorItem {
            handed_out: rubrics::for_prompt(&self.rubrics, prompt.id)?,
            revision: self.session.standing(&StatementKind::RubricRevision, &task.subject)?,
            submission: self.session.standing(&StatementKind::RubricSubmission, &task.subject)?,
            draft: self.session.own.mine.draft(DRAFT, &task.subject)?,
            task,
            prompt,
        })
    }
    pub(super) fn prompt(&self, id: &str, version: u32) -> Result<Prompt> {
        let missing = || StoreError::NotFound { what: "prompt", id: id.to_owned() };
        let prompt: PromptId = id.parse().map_err(|_| missing())?;
        prompts::get(&self.study, prompt, (version > 0).then_some(version))?.ok_or_else(missing)
    }
    /// The newest guidelines: version and Markdown.
    pub fn guidelines(&self) -> Result<Option<(u32, String)>> {
        content::guidelines::latest(&self.study)
    }

    /// Keeps what is being typed.
    pub fn save_draft(&mut self, task: TaskId, body: &str) -> Result<()> {
        let task = self.session.task(task, TaskKind::Author)?;
        self.session.own.mine.save_draft(DRAFT, &task.subject, body)
    }
    /// Drops what was being typed.
    pub fn drop_draft(&mut self, task: TaskId) -> Result<()> {
        let task = self.session.task(task, TaskKind::Author)?;
        self.session.own.mine.drop_draft(DRAFT, &task.subject)
    }
    /// States the rubric as it is now. `expected`: the revisions that the author saw standing ([`Standing::ids`]).
    pub fn revise(
        &mut self,
        task: TaskId,
        rubric: &RubricDraft,
        expected: &[StatementId],
    ) -> Result<Statement> {
        let task = self.session.task(task, TaskKind::Author)?;
        let payload = serde_json::to_string(rubric).map_err(StoreError::json("rubric"))?;
        let statement =
            self.session.state(StatementKind::RubricRevision, &task.subject, payload, expected)?;
        // The revision is kept; a draft that stays behind would only be shown again.
        let _ = self.session.own.mine.drop_draft(DRAFT, &task.subject);
        Ok(statement)
    }
    /// Hands in a revision, which ends the task. `expected`: the submissions that the author saw standing.
    pub fn submit(
        &mut self,
        task: TaskId,
        revision: StatementId,
        expected: &[StatementId],
    ) -> Result<Statement> {
        let task = self.session.task(task, TaskKind::Author)?;
        let stands = self.session.standing(&StatementKind::RubricRevision, &task.subject)?;
        if !stands.ids().contains(&revision) {
            return Err(StoreError::Stale { subject: task.subject, current: stands.ids() });
        }
        if stands.is_fork() {
            return Err(StoreError::Refused(
                "this rubric was changed on two devices; choose one version before handing it in".to_owned(),
            ));
        }
        let prompt = self.prompt(&task.subject, task.subject_version)?;
        let rubric_version = rubrics::newest(&self.rubrics, prompt.id)?.map_or(0, |rubric| rubric.version);
        let made = Submission { revision, task: task.id, prompt_version: prompt.version, rubric_version };
        let payload = serde_json::to_string(&made).map_err(StoreError::json("submission"))?;
        self.session.state(StatementKind::RubricSubmission, &task.subject, payload, expected)
    }
    /// Takes back an own revision or submission; what it had replaced stands again.
    pub fn retract(&mut self, statement: StatementId) -> Result<Statement> {
        self.session.retract(statement)
    }
    /// States again what was taken back.
    pub fn redo(&mut self, statement: StatementId) -> Result<Statement> {
        self.session.redo(statement)
    }
    /// Own records, newest first: up to `limit` of those before `before` (none: from the newest).
    pub fn recent(&self, before: Option<StatementId>, limit: usize) -> Result<Vec<Record>> {
        self.session.recent(before, limit)
    }
    /// The own statement with this id, if there is one.
    pub fn own_statement(&self, id: StatementId) -> Result<Option<Statement>> {
        self.session.own_statement(id)
    }
    /// The newest own statement that stands: what "undo" takes back.
    pub fn newest_undoable(&self) -> Result<Option<Statement>> {
        self.session.newest_undoable()
    }
    /// The newest task with this subject.
    pub fn task_of(&mut self, subject: &str) -> Result<Option<Task>> {
        self.session.task_of(TaskKind::Author, subject)
    }
    /// A task of one's own.
    pub fn task(&mut self, task: TaskId) -> Result<Task> {
        self.session.task(task, TaskKind::Author)
    }
    /// The author's own records about the task's prompt.
    pub fn history(&mut self, task: TaskId) -> Result<Vec<Record>> {
        let task = self.session.task(task, TaskKind::Author)?;
        self.session.history(&task.subject)
    }

    /// Every rubric of the study that is accepted, with its prompt's key: those that came with the dataset, and those that
    /// reviewers accepted. What a prompt's author is still writing is not among them.
    pub fn each_accepted(&self, mut each: impl FnMut(&str, rubrics::Rubric) -> Result<()>) -> Result<()> {
        for rubric in rubrics::all_newest(&self.rubrics)? {
            let prompt = prompts::get(&self.study, rubric.prompt, Some(rubric.prompt_version))?;
            if let Some(prompt) = prompt {
                each(&prompt.key, rubric)?;
            }
        }
        Ok(())
    }

    /// May this session read the blob: is it an input of a prompt, or an image of a sample, in the author's tasks?
    pub fn may_read(&mut self, blob: BlobHash) -> Result<bool> {
        for prompt in prompts::naming(&self.study, blob)? {
            let prompt = prompt.to_string();
            if self.session.inbox.has(TaskKind::Author, &prompt)?
                || self.session.inbox.has_below(TaskKind::Review, &prompt)?
                || self.curates_prompt(&prompt)?
            {
                return Ok(true);
            }
        }
        self.curates(blob)
    }
    /// The path and format of a blob, if this session may read it. To others it does not exist.
    pub fn readable(&mut self, blob: &BlobHash) -> Result<Option<Readable>> {
        if !self.may_read(*blob)? {
            return Ok(None);
        }
        let format = match prompts::format_of(&self.study, *blob)? {
            Some(format) => Some(format),
            None => self.sample_format(*blob)?,
        };
        let path = Blobs::of(self.session.folder.root()).path(blob);
        Ok(format.filter(|_| path.is_file()).map(|format| Readable { path, format }))
    }
    /// The blob's bytes, if this session may read them. To others it does not exist.
    pub fn blob(&mut self, blob: BlobHash) -> Result<File> {
        if !self.may_read(blob)? {
            return Err(StoreError::BlobMissing(blob));
        }
        Blobs::of(self.session.folder.root()).open(&blob)
    }

    /// What other programs changed since this was last asked.
    pub fn changes(&mut self) -> Result<Changes> {
        let mut changes = self.session.changes()?;
        let now = self.content_versions()?;
        changes.content = now != self.content_versions;
        self.content_versions = now;
        Ok(changes)
    }
    /// The database files that this session holds open, besides its own index.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = self.session.files();
        files.extend(["study", "rubrics"].map(|name| self.session.folder.content(name)));
        files
    }
    /// Ends the session; its journal is whole in one file afterwards.
    pub fn close(self) -> Result<()> {
        self.session.close()
    }
}
