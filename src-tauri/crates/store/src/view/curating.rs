//! What an author sees of an item that they curate: a prompt, a sample or a rubric in the version of the task and, for who
//! settles two that differ, what those two say. Journals of other people are opened for these alone.

use super::session::Session;
use super::{AuthorView, SettleNote};
use crate::content::{prompts, rubrics, samples};
use crate::inbox::{Task, TaskKind};
use crate::journal::{Journal, payload};
use crate::package::reviewed;
use crate::standing::Standing;
use crate::{Result, StoreError};
use domain::{
    BlobHash, CuratedItem, Curation, CurationDecision, ItemKind, JournalKind, PersonName, Prompt, PromptId,
    SampleId, Statement, StatementId, StatementKind, TaskId,
};

/// One version of an item: what a curation is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CurationSubject {
    /// What it is.
    pub kind: ItemKind,
    /// Its opaque id: of a prompt for a prompt or rubric, of a sample for a sample.
    pub item: String,
    /// The version: of a rubric its own.
    pub version: u32,
}
impl CurationSubject {
    /// Reads `<kind>/<item>/<version>`.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once('/')?;
        let (item, version) = rest.split_once('/')?;
        let version = version.parse().ok().filter(|version| *version > 0)?;
        Some(Self { kind: kind.parse().ok()?, item: item.to_owned(), version })
    }
    /// The same item in its next version.
    #[must_use]
    pub fn next(&self) -> Self {
        Self { version: self.version + 1, ..self.clone() }
    }
}
impl std::fmt::Display for CurationSubject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}/{}", self.kind, self.item, self.version)
    }
}

/// What somebody says of an item, and who.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenCuration {
    /// The statement.
    pub statement: StatementId,
    /// Who.
    pub person: PersonName,
    /// What.
    pub curation: Curation,
}

/// An item to curate.
#[derive(Debug, Clone, PartialEq)]
pub struct CurationItem {
    /// The task.
    pub task: Task,
    /// Which version of what.
    pub subject: CurationSubject,
    /// The content.
    pub item: CuratedItem,
    /// The prompt that a prompt or a rubric belongs to.
    pub prompt: Option<Prompt>,
    /// What differs; empty for one of the first two people.
    pub settles: Vec<GivenCuration>,
    /// The person's own word as it stands: [`Curation`] payloads.
    pub mine: Standing,
    /// What they were typing, as they left it.
    pub draft: Option<String>,
    /// Has the item gone on to a later version, so that this one is closed?
    pub is_closed: bool,
}

impl AuthorView {
    /// One item to curate, whole.
    pub fn curation_item(&mut self, task: TaskId) -> Result<CurationItem> {
        let task = self.session.task(task, TaskKind::Curate)?;
        let missing = || StoreError::NotFound { what: "item", id: task.subject.clone() };
        let subject = CurationSubject::parse(&task.subject).ok_or_else(missing)?;
        let (item, prompt, newest) = self.curated(&subject)?.ok_or_else(missing)?;
        let mut settles = Vec::new();
        if let Ok(note) = serde_json::from_str::<SettleNote>(&task.note) {
            for one in note.settles {
                let all = self.statements_of(&one.person, JournalKind::Review, &task.subject)?;
                if let Some(statement) = all.iter().find(|s| s.id == one.statement) {
                    let curation = payload::<Curation>(statement)?;
                    settles.push(GivenCuration { statement: one.statement, person: one.person, curation });
                }
            }
        }
        Ok(CurationItem {
            mine: self.session.own_reviews(&StatementKind::Curation, &task.subject)?,
            draft: self.session.review_draft(&StatementKind::Curation, &task.subject)?,
            is_closed: newest > subject.version,
            subject,
            item,
            prompt,
            settles,
            task,
        })
    }

    /// The content of one version, its prompt, and the newest version that there is here.
    fn curated(&self, subject: &CurationSubject) -> Result<Option<(CuratedItem, Option<Prompt>, u32)>> {
        if subject.kind == ItemKind::Sample {
            let Ok(id) = subject.item.parse::<SampleId>() else { return Ok(None) };
            let found = samples::get(&self.rubrics, id, subject.version)?;
            let newest = samples::newest(&self.rubrics, id)?;
            return Ok(found.map(|sample| (CuratedItem::Sample { sample }, None, newest)));
        }
        let Ok(id) = subject.item.parse::<PromptId>() else { return Ok(None) };
        if subject.kind == ItemKind::Prompt {
            let newest = prompts::get(&self.study, id, None)?.map_or(0, |prompt| prompt.version);
            let found = prompts::get(&self.study, id, Some(subject.version))?;
            return Ok(
                found.map(|prompt| (CuratedItem::Prompt { text: prompt.text.clone() }, Some(prompt), newest))
            );
        }
        let versions = rubrics::versions(&self.rubrics, id)?;
        let Some(newest) = versions.iter().map(|rubric| rubric.prompt_version).max() else { return Ok(None) };
        let of = || versions.iter().filter(|rubric| rubric.prompt_version == newest);
        let last = of().map(|rubric| rubric.version).max().unwrap_or(0);
        let Some(rubric) = of().find(|rubric| rubric.version == subject.version) else { return Ok(None) };
        let prompt = prompts::get(&self.study, id, Some(newest))?;
        Ok(Some((CuratedItem::Rubric { criteria: rubric.criteria.clone() }, prompt, last)))
    }

    /// Statements about a subject in another person's journals of one kind.
    pub(super) fn statements_of(
        &self,
        person: &PersonName,
        kind: JournalKind,
        subject: &str,
    ) -> Result<Vec<Statement>> {
        let folder = &self.session.folder;
        let mut statements = Vec::new();
        for name in folder.journals(|n| n.person == *person && n.kind == kind)? {
            statements.extend(Journal::open_to_read(folder, name)?.about(subject)?);
        }
        statements.extend(reviewed::about(folder, person, kind, subject)?);
        Ok(statements)
    }

    /// Says what is to become of an item. `expected`: the own words on it that the person saw standing.
    pub fn curate(
        &mut self,
        task: TaskId,
        decision: CurationDecision,
        revision: Option<CuratedItem>,
        note: String,
        expected: &[StatementId],
    ) -> Result<Statement> {
        let item = self.curation_item(task)?;
        if item.is_closed {
            return Err(StoreError::Refused(
                "this item has gone on to its next round; what was said of this one stands".to_owned(),
            ));
        }
        check_revision(&item.item, decision, revision.as_ref())?;
        let curation = Curation {
            task,
            decision,
            revision,
            note,
            settles: item.settles.iter().map(|given| given.statement).collect(),
        };
        let body = serde_json::to_string(&curation).map_err(StoreError::json("curation"))?;
        let statement =
            self.session.state_review(StatementKind::Curation, &item.task.subject, body, expected)?;
        // It is kept; a draft that stays behind would only be shown again.
        let _ = self.session.drop_review_draft(&StatementKind::Curation, &item.task.subject);
        Ok(statement)
    }

    /// Keeps what is being typed about an item.
    pub fn save_curation_draft(&mut self, task: TaskId, body: &str) -> Result<()> {
        let task = self.session.task(task, TaskKind::Curate)?;
        self.session.save_review_draft(&StatementKind::Curation, &task.subject, body)
    }

    /// The newest task to curate this subject.
    pub fn curation_task_of(&mut self, subject: &str) -> Result<Option<Task>> {
        self.session.task_of(TaskKind::Curate, subject)
    }

    /// What people call the item of a subject: the key of its sample or prompt.
    pub fn curated_key(&mut self, subject: &str) -> Result<Option<String>> {
        let Some(subject) = CurationSubject::parse(subject) else { return Ok(None) };
        Ok(self.curated(&subject)?.and_then(|(item, prompt, _)| match item {
            CuratedItem::Sample { sample } => Some(sample.key),
            _ => prompt.map(|prompt| prompt.key),
        }))
    }

    /// Does the author curate a sample with this image?
    pub(super) fn curates(&mut self, blob: BlobHash) -> Result<bool> {
        for (sample, version) in samples::naming(&self.rubrics, blob)? {
            if has_task(&self.session, ItemKind::Sample, &sample.to_string(), version)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
    /// Does the author curate this prompt or its rubric, in any version?
    pub(super) fn curates_prompt(&self, prompt: &str) -> Result<bool> {
        for kind in [ItemKind::Prompt, ItemKind::Rubric] {
            if self.session.inbox.has_below(TaskKind::Curate, &format!("{kind}/{prompt}"))? {
                return Ok(true);
            }
        }
        Ok(false)
    }
    /// The format of a sample's image.
    pub(super) fn sample_format(&self, blob: BlobHash) -> Result<Option<String>> {
        samples::format_of(&self.rubrics, blob)
    }
}

fn has_task(session: &Session, kind: ItemKind, item: &str, version: u32) -> Result<bool> {
    let subject = CurationSubject { kind, item: item.to_owned(), version };
    session.inbox.has(TaskKind::Curate, &subject.to_string())
}

/// Only what is revised has a revision, of the same kind, sound, and other than what is there.
fn check_revision(
    item: &CuratedItem,
    decision: CurationDecision,
    revision: Option<&CuratedItem>,
) -> Result<()> {
    let refuse = |why: &str| Err(StoreError::Refused(why.to_owned()));
    match (decision, revision) {
        (CurationDecision::Revise, None) => refuse("say how it is revised"),
        (CurationDecision::Revise, Some(revised)) if revised == item => {
            refuse("nothing is changed yet; retain it, or change something")
        }
        (CurationDecision::Revise, Some(CuratedItem::Sample { sample })) => {
            let CuratedItem::Sample { sample: before } = item else {
                return refuse("this item is no sample");
            };
            if sample.key != before.key {
                return refuse("a sample keeps its key");
            }
            // Nobody names a blob that the item did not have: what a session may open follows from its tasks.
            if sample.images().any(|image| before.images().all(|known| known.blob != image.blob)) {
                return refuse("a revision shows no image that the sample did not have");
            }
            sample.fault().map_or(Ok(()), |why| refuse(&why))
        }
        (CurationDecision::Revise, Some(CuratedItem::Prompt { text })) if text.trim().is_empty() => {
            refuse("a prompt asks something; discard it instead")
        }
        (CurationDecision::Revise, Some(CuratedItem::Rubric { criteria })) if criteria.is_empty() => {
            refuse("a rubric has criteria; discard it instead")
        }
        (CurationDecision::Revise, Some(revised)) if revised.kind() != item.kind() => {
            refuse("a revision is of the same kind as the item")
        }
        (CurationDecision::Retain | CurationDecision::Discard, Some(_)) => {
            refuse("only what is revised is changed")
        }
        _ => Ok(()),
    }
}
