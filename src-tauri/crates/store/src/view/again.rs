//! Work that content overtook: what was judged or written under an older version stays, names that version, and is
//! queued again; nothing else is.
//!
//! A changed prompt (its text, inputs or gold list) concerns the judgements of its responses and the rubrics written for
//! it; a changed rubric concerns the rubrics that were written from it; guidelines concern what was judged under older
//! ones, once the lead says that it does. Every task has an id that follows from what it replaces, so that asking
//! twice adds nothing.

use super::{LeadView, Submission};
use crate::content::{answers, guidelines, rubrics};
use crate::inbox::{Inbox, NewTask, Task, TaskKind};
use crate::journal::{NewStatement, payload};
use crate::{Result, StoreError};
use domain::{PersonName, PromptId, RubricDraft, Statement, StatementKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The subject of an [`AskAgain`] statement.
const GUIDELINES: &str = "guidelines";

/// The payload of an `ask_again`: what was judged under older guidelines than these is to be judged again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskAgain {
    /// The guidelines.
    pub guidelines_version: u32,
}

/// The note of a judge's task that guidelines made: done by a judgement under these or later ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeNote {
    /// The guidelines.
    pub guidelines: u32,
}

/// Under which versions something was judged.
#[derive(Deserialize)]
struct Under {
    #[serde(default)]
    guidelines_version: u32,
    #[serde(default)]
    prompt_version: u32,
}

/// Does this judgement answer the task? One whose content was removed on request does.
pub(super) fn answers_task(statement: &Statement, task: &Task) -> bool {
    if statement.payload.is_empty() {
        return true;
    }
    let Ok(under) = payload::<Under>(statement) else { return false };
    let returned = task.returned().is_some_and(|returned| returned.statement == statement.id);
    let guidelines = serde_json::from_str::<JudgeNote>(&task.note).map_or(0, |note| note.guidelines);
    let prompt = under.prompt_version == 0 || under.prompt_version >= task.subject_version;
    prompt && !returned && under.guidelines_version >= guidelines
}

/// New tasks by person, to be added with one opening of each inbox.
type Wanted = BTreeMap<PersonName, Vec<NewTask>>;

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
        let mut wanted = Wanted::new();
        self.judged_prompts(&mut wanted)?;
        self.judged_guidelines(&mut wanted)?;
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

    /// Judgements of responses whose prompt has a later version than they name.
    fn judged_prompts(&mut self, wanted: &mut Wanted) -> Result<()> {
        for (key, _, version) in answers::changed_prompts(&self.content().audit)? {
            for answer in self.answers_to(&key)? {
                let subject = answer.response.to_string();
                for statement in self.standing(&StatementKind::Judgement, &subject)? {
                    if statement.payload.is_empty() {
                        continue;
                    }
                    let under = payload::<Under>(&statement)?.prompt_version;
                    if under > 0 && under < version {
                        wanted.entry(statement.person.clone()).or_default().push(NewTask {
                            kind: TaskKind::Judge,
                            subject: subject.clone(),
                            subject_version: version,
                            cause: statement.id,
                            note: String::new(),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Judgements under older guidelines than the lead wants.
    fn judged_guidelines(&mut self, wanted: &mut Wanted) -> Result<()> {
        let mut newest: Option<(u32, Statement)> = None;
        for statement in self.standing(&StatementKind::AskAgain, GUIDELINES)? {
            let asked = payload::<AskAgain>(&statement)?.guidelines_version;
            if newest.as_ref().is_none_or(|(version, _)| asked > *version) {
                newest = Some((asked, statement));
            }
        }
        let Some((version, cause)) = newest else { return Ok(()) };
        if guidelines::current(&self.content().study)?.is_none_or(|now| now.version < version) {
            return Ok(());
        }
        let note =
            serde_json::to_string(&JudgeNote { guidelines: version }).map_err(StoreError::json("note"))?;
        let mut outdated = Vec::new();
        self.each_standing(&StatementKind::Judgement, |statement| {
            if !statement.payload.is_empty() && payload::<Under>(&statement)?.guidelines_version < version {
                outdated.push((statement.person, statement.subject));
            }
            Ok(())
        })?;
        for (person, subject) in outdated {
            let subject_version = match subject.parse().ok().map(|id| self.answer(id)).transpose()?.flatten()
            {
                Some(answer) => answers::prompt_with_key(&self.content().audit, &answer.prompt_key)?
                    .map_or(0, |(_, version)| version),
                None => 0,
            };
            wanted.entry(person).or_default().push(NewTask {
                kind: TaskKind::Judge,
                subject,
                subject_version,
                cause: cause.id,
                note: note.clone(),
            });
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
