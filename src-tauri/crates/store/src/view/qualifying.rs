//! How people are qualified, as leads and auditors see it: rules, quizzes handed in, known answers, hidden jobs, and decisions by
//! hand. Where somebody stands follows from these and is kept nowhere.

use super::{AuditorView, Handout, LeadView};
use crate::content::qualification;
use crate::inbox::{Inbox, NewTask, Task, TaskKind};
use crate::journal::{NewStatement, payload};
use crate::{Result, StoreError};
use domain::{
    GoldAnswer, HiddenJob, Modality, PersonName, QualificationChange, QualificationRules, Quiz, QuizAttempt,
    QuizKey, QuizResult, ResponseId, Statement, StatementId, StatementKind, Verdict,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// The subject of [`QualificationRules`].
const RULES: &str = "qualification";

/// The note of a quiz's task that follows from an attempt: what came of that one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuizNote {
    /// The own attempt.
    pub attempt: StatementId,
    /// What came of it.
    pub result: QuizResult,
    /// Is there nothing more to hand in?
    pub over: bool,
}

impl QuizNote {
    /// The note of a task, if an attempt made it.
    pub fn of(task: &Task) -> Option<Self> {
        serde_json::from_str(&task.note).ok()
    }
}

/// The subject of an attempt.
fn attempt_subject(version: u32, attempt: u32) -> String {
    format!("quiz/{version}/{attempt}")
}

/// Which attempt a subject is of, from 1.
fn attempt_of(subject: &str) -> u32 {
    subject.rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or(1)
}

impl AuditorView {
    /// The newest quiz with its key; its version.
    pub fn quiz(&self) -> Result<Option<(u32, Quiz, QuizKey)>> {
        let version = qualification::newest_quiz(&self.content.study)?;
        let Some(quiz) = qualification::quiz(&self.content.study, version)? else { return Ok(None) };
        let key = qualification::key(&self.content.audit, version)?.unwrap_or_default();
        Ok(Some((version, quiz, key)))
    }
    /// The key of a version of the quiz.
    pub fn quiz_key(&self, version: u32) -> Result<Option<QuizKey>> {
        qualification::key(&self.content.audit, version)
    }
    /// Every key that there ever was.
    pub fn quiz_keys(&self) -> Result<Vec<QuizKey>> {
        qualification::keys(&self.content.audit)
    }

    /// The rules that stand, with their statement; none in a study that asks for nothing. Of several that were stated side by
    /// side, the newest.
    pub fn qualification_rules(&mut self) -> Result<Option<(Statement, QualificationRules)>> {
        let heads = self.index()?.heads(&StatementKind::QualificationRules, RULES)?;
        let newest = heads
            .into_iter()
            .filter(|statement| !statement.payload.is_empty())
            .max_by(|a, b| (&a.made_at, a.id).cmp(&(&b.made_at, b.id)));
        let Some(statement) = newest else { return Ok(None) };
        let rules = payload(&statement)?;
        Ok(Some((statement, rules)))
    }

    /// Every decision by hand, oldest first.
    pub fn qualification_changes(&mut self) -> Result<Vec<(Statement, QualificationChange)>> {
        self.all_of(&StatementKind::QualificationChange)
    }
    /// Every quiz that was handed in, oldest first.
    pub fn quiz_attempts(&mut self) -> Result<Vec<(Statement, QuizAttempt)>> {
        self.all_of(&StatementKind::QuizAttempt)
    }

    fn all_of<T: serde::de::DeserializeOwned>(
        &mut self,
        kind: &StatementKind,
    ) -> Result<Vec<(Statement, T)>> {
        let mut all = Vec::new();
        self.each_standing(kind, |statement| {
            if !statement.payload.is_empty() {
                let said = payload(&statement)?;
                all.push((statement, said));
            }
            Ok(())
        })?;
        all.sort_by(|(a, _): &(Statement, T), (b, _)| {
            (&a.made_at, &a.device, a.seq).cmp(&(&b.made_at, &b.device, b.seq))
        });
        Ok(all)
    }

    /// Every answer that is known now.
    pub fn gold_answers(&self) -> Result<Vec<GoldAnswer>> {
        qualification::golds(&self.content.audit)
    }
    /// Every job that measures its person.
    pub fn hidden_jobs(&self) -> Result<Vec<HiddenJob>> {
        qualification::hidden_jobs(&self.content.audit)
    }
    /// Does this job measure its person, so that what they say of it is no annotation?
    pub fn is_hidden_job(&self, person: &PersonName, response: ResponseId) -> Result<bool> {
        qualification::is_hidden(&self.content.audit, person, response)
    }
    /// Person and response of every job that measures its person.
    pub(super) fn measuring(&self) -> Result<HashSet<(PersonName, String)>> {
        Ok(self.hidden_jobs()?.into_iter().map(|job| (job.person, job.response.to_string())).collect())
    }
}

impl LeadView {
    /// States what the study asks for, in place of what it asked for before.
    pub fn state_qualification_rules(&mut self, rules: &QualificationRules) -> Result<Statement> {
        let before = self.standing(&StatementKind::QualificationRules, RULES)?;
        self.append(&NewStatement {
            kind: StatementKind::QualificationRules,
            schema_version: 1,
            subject: RULES.to_owned(),
            parents: before.iter().map(|statement| statement.id).collect(),
            payload: serde_json::to_string(rules).map_err(StoreError::json("qualification rules"))?,
        })
    }

    /// States a decision by hand.
    pub fn change_qualification(&mut self, change: &QualificationChange) -> Result<Statement> {
        self.append(&NewStatement {
            kind: StatementKind::QualificationChange,
            schema_version: 1,
            subject: format!("{}/{}", change.person, change.modality),
            // They add up; none takes another's place.
            parents: Vec::new(),
            payload: serde_json::to_string(change).map_err(StoreError::json("qualification change"))?,
        })
    }

    /// Publishes a quiz; another content is a new version. Answers with its version.
    pub fn publish_quiz(&mut self, quiz: &Quiz, key: &QuizKey) -> Result<u32> {
        qualification::publish(self.content(), quiz, key)
    }

    /// Gives somebody the newest quiz. Nothing, if they have one to hand in. Answers whether it is new.
    pub fn give_quiz(&mut self, person: &PersonName) -> Result<bool> {
        let version = qualification::newest_quiz(&self.content().study)?;
        if version == 0 {
            return Err(StoreError::Refused("there is no quiz yet; publish one first".to_owned()));
        }
        let tasks = self.quiz_tasks(person)?;
        for task in &tasks {
            let over = QuizNote::of(task).is_some_and(|note| note.over);
            if !over && !self.is_answered(&task.subject, task.id)? {
                return Ok(false);
            }
        }
        let attempt = tasks.iter().map(|task| attempt_of(&task.subject)).max().unwrap_or(0) + 1;
        let handout = Handout { subject: attempt_subject(version, attempt), version };
        Ok(self.assign(TaskKind::Quiz, person, &[handout], None)? > 0)
    }

    fn quiz_tasks(&self, person: &PersonName) -> Result<Vec<Task>> {
        let mut tasks = Vec::new();
        self.each_task_of(TaskKind::Quiz, person, |task| {
            tasks.push(task);
            Ok(())
        })?;
        Ok(tasks)
    }

    /// Says that an answer is known, or, without a verdict, that it no longer is. Answers whether that is new.
    pub fn state_gold(
        &mut self,
        response: ResponseId,
        modality: Modality,
        verdict: Option<Verdict>,
        why: &str,
    ) -> Result<bool> {
        qualification::put_gold(&self.content().audit, response, modality, verdict, why)
    }

    /// Marks jobs as such that measure their person: before they are handed out.
    pub fn hide_jobs(&mut self, jobs: &[HiddenJob]) -> Result<()> {
        jobs.iter().try_for_each(|job| qualification::hide(self.content(), job))
    }
    /// The id under which somebody is given a response again; see [`Self::hide_jobs`].
    pub fn repeat_id(&self, person: &PersonName, original: ResponseId) -> ResponseId {
        qualification::repeat_id(self.content(), person, original)
    }

    /// Marks the quizzes that were handed in, and lays what came of each into its person's inbox: with the next attempt, while they
    /// have any left. Done once for each attempt, by the rules of that day.
    pub(super) fn quiz_results(&mut self) -> Result<u64> {
        let attempts = self.quiz_attempts()?;
        if attempts.is_empty() {
            return Ok(0);
        }
        let rules = self.qualification_rules()?.map_or_else(QualificationRules::default, |(_, rules)| rules);
        let newest = qualification::newest_quiz(&self.content().study)?;
        let mut by_person: BTreeMap<PersonName, Vec<(Statement, QuizAttempt)>> = BTreeMap::new();
        for (statement, attempt) in attempts {
            by_person.entry(statement.person.clone()).or_default().push((statement, attempt));
        }
        let mut added = 0;
        for (person, attempts) in by_person {
            let tasks = match self.quiz_tasks(&person) {
                Err(StoreError::NoSuchPerson(_)) => continue,
                tasks => tasks?,
            };
            let mut new = Vec::new();
            for (statement, attempt) in attempts {
                if tasks.iter().any(|task| task.cause == statement.id) {
                    continue;
                }
                let Some(key) = self.quiz_key(attempt.version)? else { continue };
                let result = key.result(&attempt.answers, rules.quiz_pass);
                let number = attempt_of(&statement.subject);
                // Attempts are counted from the last time that a lead gave the quiz.
                let given = tasks
                    .iter()
                    .filter(|task| task.note.is_empty())
                    .map(|task| attempt_of(&task.subject))
                    .filter(|first| *first <= number)
                    .max()
                    .unwrap_or(1);
                let over = result.passed || number - given + 1 >= rules.quiz_attempts;
                // What is over has the attempt's own subject: it was answered.
                let (subject, version) = if over {
                    (statement.subject.clone(), attempt.version)
                } else {
                    (attempt_subject(newest, number + 1), newest)
                };
                new.push(NewTask {
                    kind: TaskKind::Quiz,
                    subject,
                    subject_version: version,
                    cause: statement.id,
                    note: serde_json::to_string(&QuizNote { attempt: statement.id, result, over })
                        .map_err(StoreError::json("note"))?,
                });
            }
            if !new.is_empty() {
                added += Inbox::open_to_write(self.folder(), &person)?.add_tasks(&new)?;
            }
        }
        Ok(added)
    }
}
