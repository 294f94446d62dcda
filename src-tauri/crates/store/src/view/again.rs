//! Work that content overtook: what was judged or written under an older version stays, names that version, and is
//! queued again; nothing else is.
//!
//! A changed prompt concerns the judgements of its responses where its question or inputs changed, or where its gold list
//! names a modality that they did not judge; a modality that left the gold list takes nothing away from them. It also
//! concerns the rubrics written for it. A changed rubric concerns the rubrics that were written from it, and no judge, who
//! never saw it. Guidelines concern what was judged under older ones, once the lead says that they do.
//!
//! Every task has an id that follows from what it replaces, so that asking twice adds nothing, and whoever has open work
//! on an item that asks for as much already gets no second task. A task on which no work was begun is given the newer
//! version instead.

use super::{LeadView, Submission};
use crate::content::{answers, guidelines, prompts, rubrics};
use crate::folder::Folder;
use crate::inbox::{Inbox, NewTask, Task, TaskKind, task_id};
use crate::journal::{NewStatement, payload};
use crate::{Result, StoreError};
use domain::{PersonName, PromptId, RubricDraft, Statement, StatementId, StatementKind, TaskId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The subject of an [`AskAgain`] statement.
const GUIDELINES: &str = "guidelines";

/// The payload of an `ask_again`: what was judged under older guidelines than these is to be judged again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskAgain {
    /// The guidelines.
    pub guidelines_version: u32,
}

/// The note of a judge's task that content made or changed: which judgements answer it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeNote {
    /// Those under these guidelines or later ones; 0: under any.
    #[serde(default, skip_serializing_if = "is_none")]
    pub guidelines: u32,
    /// Those under this version of the prompt or a later one; 0: under the task's own or a later one.
    #[serde(default, skip_serializing_if = "is_none")]
    pub since: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_none(version: &u32) -> bool {
    *version == 0
}

impl JudgeNote {
    /// The note in a task; none for another kind of note, and for none.
    pub fn read(note: &str) -> Option<Self> {
        serde_json::from_str(note).ok().filter(|note| *note != Self::default())
    }
    /// As it stands in a task: nothing where it says nothing.
    fn write(self) -> Result<String> {
        if self == Self::default() {
            return Ok(String::new());
        }
        serde_json::to_string(&self).map_err(StoreError::json("note"))
    }
}

/// Under which versions something was judged.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Under {
    #[serde(default)]
    guidelines_version: u32,
    #[serde(default)]
    prompt_version: u32,
}

impl Under {
    /// Those of a judgement; none where its content was removed on request.
    fn of(statement: &Statement) -> Result<Option<Self>> {
        if statement.payload.is_empty() { Ok(None) } else { payload(statement).map(Some) }
    }
}

/// Does this judgement answer the task? One whose content was removed on request does.
pub(super) fn answers_task(statement: &Statement, task: &Task) -> bool {
    Under::of(statement).is_ok_and(|under| is_answered_by(task, statement.id, under))
}

/// The same for a judgement that was given under these versions; none: its content was removed on request.
fn is_answered_by(task: &Task, judgement: StatementId, under: Option<Under>) -> bool {
    let Some(under) = under else { return true };
    let returned = task.returned().is_some_and(|returned| returned.statement == judgement);
    let note = JudgeNote::read(&task.note).unwrap_or_default();
    let since = if note.since > 0 { note.since } else { task.subject_version };
    let prompt = under.prompt_version == 0 || under.prompt_version >= since;
    prompt && !returned && under.guidelines_version >= note.guidelines
}

/// What a judgement must have been given under to say all that is asked now.
#[derive(Debug, Clone, Copy, Default)]
struct Asked {
    /// The prompt's version that stands; 0 where it has one only.
    version: u32,
    /// The version from which on a judgement says as much.
    since: u32,
    /// The guidelines under which everything is judged again, with the statement that says so.
    guidelines: Option<(u32, StatementId)>,
}
impl Asked {
    fn guidelines_version(self) -> u32 {
        self.guidelines.map_or(0, |(version, _)| version)
    }
    fn is_met(self, under: Under) -> bool {
        (under.prompt_version == 0 || under.prompt_version >= self.since)
            && under.guidelines_version >= self.guidelines_version()
    }
    fn note(self) -> JudgeNote {
        let since = if self.since < self.version { self.since } else { 0 };
        JudgeNote { guidelines: self.guidelines_version(), since }
    }
    /// The version and note of a task that is to ask for as much; none where it does, or where it carries another note.
    fn renews(self, task: &Task) -> Option<(u32, JudgeNote)> {
        let note = match task.note.as_str() {
            "" => JudgeNote::default(),
            other => JudgeNote::read(other)?,
        };
        if self.is_asked_by(task) {
            return None;
        }
        let since = if task.subject_version < self.version { self.note().since } else { note.since };
        let guidelines = note.guidelines.max(self.guidelines_version());
        Some((task.subject_version.max(self.version), JudgeNote { guidelines, since }))
    }
    /// Does a task ask for as much?
    fn is_asked_by(self, task: &Task) -> bool {
        task.subject_version >= self.version
            && JudgeNote::read(&task.note).unwrap_or_default().guidelines >= self.guidelines_version()
    }
}

/// What is asked of each judgement.
struct AskedOfAll {
    /// By response: the version of its prompt, and the one from which on a judgement says as much.
    changed: BTreeMap<String, (u32, u32)>,
    /// By prompt, the same prompts' versions.
    prompts: BTreeMap<String, u32>,
    /// Under which guidelines everything is judged again.
    guidelines: Option<(u32, StatementId)>,
}
impl AskedOfAll {
    fn of(&self, response: &str) -> Asked {
        let (version, since) = self.changed.get(response).copied().unwrap_or_default();
        Asked { version, since, guidelines: self.guidelines }
    }
}

/// New tasks by person, to be added with one opening of each inbox.
type Wanted = BTreeMap<PersonName, Vec<NewTask>>;
/// Who judged what: the statements that stand, each with what it was given under; none where that was removed on request.
type Given = BTreeMap<(PersonName, String), Vec<(StatementId, Option<Under>)>>;

/// Inboxes that are asked person by person: each is opened once.
struct Inboxes<'a> {
    folder: &'a Folder,
    last: Option<(PersonName, Option<Inbox>)>,
}
impl Inboxes<'_> {
    /// A person's judging tasks about a response, in order; none of somebody who has no inbox here.
    fn tasks_about(&mut self, person: &PersonName, response: &str) -> Result<Vec<Task>> {
        if self.last.as_ref().is_none_or(|(last, _)| last != person) {
            let inbox = match Inbox::open(self.folder, person) {
                Ok(inbox) => Some(inbox),
                Err(StoreError::NoSuchPerson(_)) => None,
                Err(e) => return Err(e),
            };
            self.last = Some((person.clone(), inbox));
        }
        match &self.last {
            Some((_, Some(inbox))) => inbox.tasks_about(TaskKind::Judge, response),
            _ => Ok(Vec::new()),
        }
    }
}

impl LeadView {
    /// Publishes guidelines, and has everything judged again that was judged under older ones.
    pub fn publish_guidelines_and_ask_again(&mut self, markdown: &str) -> Result<u32> {
        let guidelines_version = self.publish_guidelines(markdown)?;
        let payload =
            serde_json::to_string(&AskAgain { guidelines_version }).map_err(StoreError::json("ask again"))?;
        self.append(&NewStatement {
            kind: StatementKind::AskAgain,
            schema_version: 1,
            subject: GUIDELINES.to_owned(),
            parents: Vec::new(),
            payload,
        })?;
        self.catch_up()?;
        Ok(guidelines_version)
    }

    /// Queues again what content overtook. Answers how many tasks are new.
    pub(super) fn queue_again(&mut self) -> Result<u64> {
        let asked = self.asked()?;
        let given = self.given(&asked)?;
        self.renew_open(&asked, &given)?;
        let mut wanted = Wanted::new();
        for (person, task, is_asked) in self.overtaken(&asked, given)? {
            if !is_asked {
                wanted.entry(person).or_default().push(task);
            }
        }
        self.written_rubrics(&mut wanted)?;
        let mut added = 0;
        for (person, tasks) in wanted {
            match Inbox::open_to_write(self.folder(), &person) {
                Ok(mut inbox) => added += inbox.add_tasks(&tasks)?,
                // Statements of somebody who has no inbox here wait for them.
                Err(StoreError::NoSuchPerson(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(added)
    }

    /// How many first tasks of a person are open although the person judged what they are about: before content changed.
    pub(super) fn overtaken_first(&mut self, people: &[PersonName]) -> Result<Vec<u64>> {
        let asked = self.asked()?;
        let given = self.given(&asked)?;
        let mut inboxes = Inboxes { folder: self.folder(), last: None };
        let mut open = vec![0; people.len()];
        for ((person, subject), heads) in given {
            let Some(at) = people.iter().position(|other| *other == person) else { continue };
            let tasks = inboxes.tasks_about(&person, &subject)?;
            let Some(first) = tasks.first() else { continue };
            open[at] += u64::from(!heads.iter().any(|(id, under)| is_answered_by(first, *id, *under)));
        }
        Ok(open)
    }

    /// Judged items that content overtook and that are open in a task which was there before they were judged: so many
    /// were judged away from here while the lead changed the content.
    pub fn open_again(&mut self) -> Result<BTreeSet<(PersonName, String)>> {
        let asked = self.asked()?;
        let given = self.given(&asked)?;
        let overtaken = self.overtaken(&asked, given)?;
        Ok(overtaken
            .into_iter()
            .filter(|(.., is_asked)| *is_asked)
            .map(|(person, task, _)| (person, task.subject))
            .collect())
    }

    /// What is asked of judgements beyond what every one of them says.
    fn asked(&mut self) -> Result<AskedOfAll> {
        let mut changed = BTreeMap::new();
        let mut prompts = BTreeMap::new();
        for (key, prompt, version) in answers::changed_prompts(&self.content().audit)? {
            let since = prompts::judged_since(&self.content().study, prompt, version)?;
            for answer in self.answers_to(&key)? {
                changed.insert(answer.response.to_string(), (version, since));
            }
            prompts.insert(prompt.to_string(), version);
        }
        Ok(AskedOfAll { changed, prompts, guidelines: self.asked_again()? })
    }

    /// The judgements that may say less: of responses whose prompt changed, or all where guidelines ask for it.
    fn given(&mut self, asked: &AskedOfAll) -> Result<Given> {
        let mut given = Given::new();
        let mut take = |statement: Statement| -> Result<()> {
            let under = Under::of(&statement)?;
            given.entry((statement.person, statement.subject)).or_default().push((statement.id, under));
            Ok(())
        };
        if asked.guidelines.is_some() {
            self.each_standing(&StatementKind::Judgement, take)?;
        } else {
            for subject in asked.changed.keys() {
                for statement in self.standing(&StatementKind::Judgement, subject)? {
                    take(statement)?;
                }
            }
        }
        Ok(given)
    }

    /// The newest guidelines under which everything is to be judged again.
    fn asked_again(&mut self) -> Result<Option<(u32, StatementId)>> {
        let mut newest: Option<(u32, StatementId)> = None;
        for statement in self.standing(&StatementKind::AskAgain, GUIDELINES)? {
            let asked = payload::<AskAgain>(&statement)?.guidelines_version;
            if newest.is_none_or(|(version, _)| asked > version) {
                newest = Some((asked, statement.id));
            }
        }
        let now = guidelines::current(&self.content().study)?.map_or(0, |now| now.version);
        Ok(newest.filter(|(version, _)| *version <= now))
    }

    /// The judgements that say less than is asked now, as tasks to judge again; true where their person has a task, other
    /// than the one named, that asks for as much.
    fn overtaken(&self, all: &AskedOfAll, given: Given) -> Result<Vec<(PersonName, NewTask, bool)>> {
        let guidelines = all.guidelines;
        let mut inboxes = Inboxes { folder: self.folder(), last: None };
        let mut overtaken = Vec::new();
        for ((person, subject), heads) in given {
            let asked = all.of(&subject);
            let is_met =
                |(_, under): &(StatementId, Option<Under>)| under.is_none_or(|under| asked.is_met(under));
            let Some((first, under)) = heads.first().filter(|_| !heads.iter().any(is_met)) else { continue };
            let by_guidelines =
                guidelines.filter(|(version, _)| under.is_some_and(|u| u.guidelines_version < *version));
            let version = if asked.version > 0 { asked.version } else { self.version_asked(&subject)? };
            let task = NewTask {
                kind: TaskKind::Judge,
                subject_version: version,
                cause: by_guidelines.map_or(*first, |(_, statement)| statement),
                note: asked.note().write()?,
                subject,
            };
            let own = task_id(self.folder().study(), &person, task.kind, &task.subject, task.cause);
            let tasks = inboxes.tasks_about(&person, &task.subject)?;
            let is_asked = tasks.iter().any(|other| other.id != own && asked.is_asked_by(other));
            overtaken.push((person, task, is_asked));
        }
        Ok(overtaken)
    }

    /// The version in which the prompt of a response stands; 0 where the study has none.
    fn version_asked(&self, response: &str) -> Result<u32> {
        Ok(match response.parse().ok().map(|id| self.answer(id)).transpose()?.flatten() {
            Some(answer) => answers::prompt_with_key(&self.content().audit, &answer.prompt_key)?
                .map_or(0, |(_, version)| version),
            None => 0,
        })
    }

    /// Has open tasks ask for what is asked now: nobody begins work that is overtaken already.
    fn renew_open(&mut self, all: &AskedOfAll, given: &Given) -> Result<()> {
        if all.prompts.is_empty() && all.guidelines.is_none() {
            return Ok(());
        }
        for person in self.people()? {
            let inbox = Inbox::open(self.folder(), &person.name)?;
            let mut renewed: Vec<(TaskId, u32, String)> = Vec::new();
            inbox.each_task(TaskKind::Judge, |task| {
                let Some((version, note)) = all.of(&task.subject).renews(&task) else { return Ok(()) };
                let heads = given.get(&(person.name.clone(), task.subject.clone()));
                let is_done = |(id, under): &(StatementId, Option<Under>)| is_answered_by(&task, *id, *under);
                if !heads.is_some_and(|heads| heads.iter().any(is_done)) {
                    renewed.push((task.id, version, note.write()?));
                }
                Ok(())
            })?;
            let mut authoring = Vec::new();
            inbox.each_task(TaskKind::Author, |task| {
                let version = all.prompts.get(&task.subject).copied();
                authoring
                    .extend(version.filter(|version| task.subject_version < *version).map(|v| (task, v)));
                Ok(())
            })?;
            for (task, version) in authoring {
                if !self.is_answered(&task.subject, task.id)? {
                    renewed.push((task.id, version, task.note));
                }
            }
            if !renewed.is_empty() {
                Inbox::open_to_write(self.folder(), &person.name)?.renew(&renewed)?;
            }
        }
        Ok(())
    }

    /// Rubrics handed in for an older version of the prompt, or written from an older rubric.
    fn written_rubrics(&mut self, wanted: &mut Wanted) -> Result<()> {
        let mut handed_in = Vec::new();
        self.each_standing(&StatementKind::RubricSubmission, |statement| {
            handed_in.push(statement);
            Ok(())
        })?;
        for statement in handed_in.into_iter().filter(|s| !s.payload.is_empty()) {
            let made = payload::<Submission>(&statement)?;
            let Ok(prompt) = statement.subject.parse::<PromptId>() else { continue };
            let Some(version) = answers::prompt_version(&self.content().audit, prompt)? else { continue };
            if made.prompt_version == 0 || !self.is_overtaken(&statement, &made, prompt, version)? {
                continue;
            }
            wanted.entry(statement.person.clone()).or_default().push(NewTask {
                kind: TaskKind::Author,
                subject: statement.subject,
                subject_version: version,
                cause: statement.id,
                note: String::new(),
            });
        }
        Ok(())
    }

    fn is_overtaken(
        &mut self,
        statement: &Statement,
        made: &Submission,
        prompt: PromptId,
        version: u32,
    ) -> Result<bool> {
        if made.prompt_version < version {
            return Ok(true);
        }
        let Some(now) = rubrics::newest(&self.content().rubrics, prompt)? else { return Ok(false) };
        if (now.prompt_version, now.version) == (version, made.rubric_version) || now.prompt_version < version
        {
            return Ok(false);
        }
        // Publishing what they wrote asks nothing new of its author.
        let revisions = self.standing(&StatementKind::RubricRevision, &statement.subject)?;
        let own =
            revisions.iter().find(|revision| revision.id == made.revision && !revision.payload.is_empty());
        Ok(match own {
            Some(revision) => payload::<RubricDraft>(revision)?.criteria != now.criteria,
            None => true,
        })
    }
}
