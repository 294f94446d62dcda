//! What a judge sees: their tasks, the prompt and the whole response. This module can name no rubric, grade, model
//! or other person: the files that hold them are never opened, and their paths never built.

use super::session::{Session, open_content};
use super::{Changes, Readable};
use crate::content::{self, prompts, responses};
use crate::device::Device;
use crate::folder::Folder;
use crate::history::Record;
use crate::inbox::{Me, Task, TaskKind};
use crate::index::TaskCounts;
use crate::standing::Standing;
use crate::{Blobs, Result, StoreError};
use domain::{
    BlobHash, JournalKind, Judgement, JudgingRules, Modality, PersonName, Prompt, Response, ResponseId, Role,
    Statement, StatementId, StatementKind, TaskId,
};
use rusqlite::Connection;
use std::fs::File;
use std::path::PathBuf;

const DRAFT: &str = "judgement";
/// Kept where drafts are: no statement, and nobody else's.
const SNIPPETS: &str = "snippets";

/// A judge's session.
pub struct JudgeView {
    pub(super) session: Session,
    pub(super) study: Connection,
    responses: Connection,
    content_versions: (i64, i64),
}

/// One item to judge.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeItem {
    /// The task.
    pub task: Task,
    /// What was asked; none when the study has no such prompt (quirk Q17).
    pub prompt: Option<Prompt>,
    /// What came back.
    pub response: Response,
    /// The judge's own verdict as it stands: [`Judgement`] payloads.
    pub standing: Standing,
    /// What they were typing, as they left it.
    pub draft: Option<String>,
}

impl Folder {
    /// Opens a judge's session.
    pub fn judge(&self, person: &PersonName, device: &Device) -> Result<JudgeView> {
        let session = Session::open(self, person, device, Role::Judge, JournalKind::Judge)?;
        let study = open_content(self, "study", &content::STUDY, content::STUDY_TABLES)?;
        let responses = open_content(self, "responses", &content::RESPONSES, content::RESPONSES_TABLES)?;
        let mut view = JudgeView { session, study, responses, content_versions: (0, 0) };
        view.content_versions = view.content_versions()?;
        Ok(view)
    }
}

impl JudgeView {
    fn content_versions(&self) -> Result<(i64, i64)> {
        Ok((crate::sqlite::data_version(&self.study)?, crate::sqlite::data_version(&self.responses)?))
    }
    /// Who the judge is.
    pub fn me(&self) -> &Me {
        &self.session.me
    }
    /// How many tasks there are, and how many are done.
    pub fn counts(&mut self) -> Result<TaskCounts> {
        self.session.counts(TaskKind::Judge)
    }
    /// Up to `limit` tasks after position `after` (0: from the start), optionally only the done or the open ones.
    pub fn tasks(&mut self, done: Option<bool>, after: u64, limit: u32) -> Result<Vec<Task>> {
        self.session.tasks(TaskKind::Judge, done, after, limit)
    }
    /// The next open task after position `after`, else the first open one; none when all is done.
    pub fn next_open(&mut self, after: u64) -> Result<Option<Task>> {
        self.session.next_open(TaskKind::Judge, after)
    }
    /// Up to `limit` open tasks in the order they will be met: after position `after`, then from the start.
    pub fn open_ahead(&mut self, after: u64, limit: u32) -> Result<Vec<Task>> {
        let mut ahead = self.session.tasks(TaskKind::Judge, Some(false), after, limit)?;
        let missing = limit.saturating_sub(u32::try_from(ahead.len()).unwrap_or(limit));
        if missing > 0 && after > 0 {
            let start = self.session.tasks(TaskKind::Judge, Some(false), 0, missing)?;
            ahead.extend(start.into_iter().filter(|task| task.position <= after));
        }
        Ok(ahead)
    }
    /// One item, whole.
    pub fn item(&mut self, task: TaskId) -> Result<JudgeItem> {
        let task = self.session.task(task, TaskKind::Judge)?;
        let (prompt, response) = self.asked(&task)?;
        let standing = self.session.standing(&StatementKind::Judgement, &task.subject)?;
        let draft = self.session.own.mine.draft(DRAFT, &task.subject)?;
        Ok(JudgeItem { task, prompt, response, standing, draft })
    }
    /// What was asked, in the task's version, and what came back, with the modalities that are to be judged of it.
    fn asked(&self, task: &Task) -> Result<(Option<Prompt>, Response)> {
        let missing = || StoreError::NotFound { what: "response", id: task.subject.clone() };
        let id: ResponseId = task.subject.parse().map_err(|_| missing())?;
        let mut response = responses::get(&self.responses, id)?.ok_or_else(missing)?;
        let version = (task.subject_version > 0).then_some(task.subject_version);
        let prompt = match response.prompt {
            Some(prompt) => prompts::get(&self.study, prompt, version)?,
            None => None,
        };
        if let Some(prompt) = &prompt {
            response.expected = prompts::expected(&self.study, prompt, &response.expected)?;
        }
        Ok((prompt, response))
    }
    /// The rules of the newest guidelines, with their version; the defaults under version 0 when there are none.
    pub fn rules(&self) -> Result<(u32, JudgingRules)> {
        Ok(content::guidelines::latest(&self.study)?.map_or_else(Default::default, |(version, markdown)| {
            // Guidelines are refused before they are published when their head cannot be read.
            (version, JudgingRules::read(&markdown).map(|(rules, _)| rules).unwrap_or_default())
        }))
    }
    /// The judge's own comments to be used again, as they were kept.
    pub fn snippets(&self) -> Result<Option<String>> {
        self.session.own.mine.draft(SNIPPETS, "")
    }
    /// Keeps the judge's own comments to be used again.
    pub fn save_snippets(&mut self, body: &str) -> Result<()> {
        self.session.own.mine.save_draft(SNIPPETS, "", body)
    }
    /// The newest guidelines: version and Markdown.
    pub fn guidelines(&self) -> Result<Option<(u32, String)>> {
        content::guidelines::latest(&self.study)
    }

    /// Keeps what is being typed.
    pub fn save_draft(&mut self, task: TaskId, body: &str) -> Result<()> {
        let task = self.session.task(task, TaskKind::Judge)?;
        self.session.own.mine.save_draft(DRAFT, &task.subject, body)
    }
    /// Drops what was being typed.
    pub fn drop_draft(&mut self, task: TaskId) -> Result<()> {
        let task = self.session.task(task, TaskKind::Judge)?;
        self.session.own.mine.drop_draft(DRAFT, &task.subject)
    }
    /// Gives a verdict on every expected modality; it is on disk when this returns. `expected`: the statements that
    /// the judge saw standing ([`Standing::ids`]).
    pub fn judge(
        &mut self,
        task: TaskId,
        judgement: &Judgement,
        expected: &[StatementId],
    ) -> Result<Statement> {
        let task = self.session.task(task, TaskKind::Judge)?;
        let (_, response) = self.asked(&task)?;
        if judgement.response != response.id {
            return Err(StoreError::NotAssigned {
                person: self.session.me.person.clone(),
                subject: judgement.response.to_string(),
            });
        }
        let mut given: Vec<Modality> = judgement.verdicts.iter().map(|v| v.modality).collect();
        let mut wanted: Vec<Modality> = response.expected.iter().collect();
        given.sort();
        wanted.sort();
        if given != wanted {
            return Err(StoreError::Refused(format!(
                "a response is judged wholly: one verdict for each of {}",
                response.expected.iter().map(Modality::name).collect::<Vec<_>>().join(", ")
            )));
        }
        let payload = serde_json::to_string(judgement).map_err(StoreError::json("judgement"))?;
        // The verdict is given; a draft that stays behind would only be shown again.
        self.session.state_instead_of(DRAFT, StatementKind::Judgement, &task.subject, payload, expected)
    }
    /// Takes back an own verdict; what it had replaced stands again.
    pub fn retract(&mut self, statement: StatementId) -> Result<Statement> {
        self.session.retract(statement)
    }
    /// Gives again a verdict that was taken back.
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
        self.session.own.newest_undoable()
    }
    /// The newest task with this subject.
    pub fn task_of(&mut self, subject: &str) -> Result<Option<Task>> {
        self.session.task_of(TaskKind::Judge, subject)
    }
    /// A task of one's own.
    pub fn task(&mut self, task: TaskId) -> Result<Task> {
        self.session.task(task, TaskKind::Judge)
    }
    /// The judge's own records about the task's response.
    pub fn history(&mut self, task: TaskId) -> Result<Vec<Record>> {
        let task = self.session.task(task, TaskKind::Judge)?;
        self.session.history(&task.subject)
    }

    /// May this session read the blob: is it an asset of a response, or an input of its prompt, in the judge's tasks?
    pub fn may_read(&mut self, blob: BlobHash) -> Result<bool> {
        for response in responses::naming(&self.responses, blob)? {
            if self.session.inbox.has(TaskKind::Judge, &response.to_string())? {
                return Ok(true);
            }
        }
        for prompt in prompts::naming(&self.study, blob)? {
            for response in responses::of_prompt(&self.responses, prompt)? {
                if self.session.inbox.has(TaskKind::Judge, &response.to_string())? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
    /// The path and format of a blob, if this session may read it. To others it does not exist.
    pub fn readable(&mut self, blob: &BlobHash) -> Result<Option<Readable>> {
        if !self.may_read(*blob)? {
            return Ok(None);
        }
        let format = match responses::format_of(&self.responses, *blob)? {
            Some(format) => Some(format),
            None => prompts::format_of(&self.study, *blob)?,
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
        files.extend(["study", "responses"].map(|name| self.session.folder.content(name)));
        files
    }
    /// Ends the session; its journal is whole in one file afterwards.
    pub fn close(self) -> Result<()> {
        self.session.close()
    }
}
