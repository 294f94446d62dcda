//! What follows from curation: a settler's task from two who differ, the next version of an item that was revised, and its
//! curators' next tasks. Every task has an id that follows from its cause and every version a number that follows from the one
//! before, so that doing this again adds nothing.

use super::reviewing::{SettleNote, SettledReview};
use super::{Assignment, AuditorView, CurationSubject, LeadView};
use crate::content::import::atomically;
use crate::content::{answers, prompts, rubrics, samples};
use crate::inbox::{Inbox, NewTask, TaskKind};
use crate::journal::payload;
use crate::{Result, RubricSource, StandingSample, StoreError};
use domain::{
    CuratedItem, Curation, CurationDecision, CurationOutcome, ItemKind, PersonName, Prediction, PromptId,
    Role, SampleId, Statement, StatementId, StatementKind, curation_outcome,
};
use rusqlite::params;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// What was said of one version of an item, and who was asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CurationRound {
    /// Who was given it, settlers aside.
    pub curators: BTreeSet<PersonName>,
    /// Who was asked to settle it.
    pub settlers: BTreeSet<PersonName>,
    /// What people say, as it stands.
    pub given: Vec<(PersonName, StatementId, Curation)>,
}
impl CurationRound {
    /// How it stands.
    pub fn outcome(&self) -> CurationOutcome {
        let given: Vec<(StatementId, Curation)> =
            self.given.iter().map(|(_, id, said)| (*id, said.clone())).collect();
        curation_outcome(self.curators.len(), &given)
    }
}

impl AuditorView {
    /// Every sample as it stands, by key.
    pub fn samples(&self) -> Result<Vec<StandingSample>> {
        samples::all(&self.content.audit, &self.content.rubrics)
    }
    /// Every prediction that stands.
    pub fn each_prediction(&self, mut each: impl FnMut(Prediction) -> Result<()>) -> Result<()> {
        samples::predictions(&self.content.audit, &mut each)
    }
    /// The models that predictions are from.
    pub fn predicting_models(&self) -> Result<Vec<String>> {
        samples::models(&self.content.audit)
    }

    /// Every version of an item that was handed out to curate, with what was said of it, as assignments and statements tell it:
    /// an auditor opens no inbox of others. A third who was asked and did not speak yet is not among the settlers.
    pub fn stated_curation(&mut self) -> Result<BTreeMap<CurationSubject, CurationRound>> {
        let mut all = self.assigned_curation()?;
        let mut said: BTreeMap<CurationSubject, Vec<(PersonName, StatementId, Curation)>> = BTreeMap::new();
        self.each_standing(&StatementKind::Curation, |statement| {
            if let Some(subject) =
                CurationSubject::parse(&statement.subject).filter(|_| !statement.payload.is_empty())
            {
                let curation = payload(&statement)?;
                said.entry(subject).or_default().push((statement.person, statement.id, curation));
            }
            Ok(())
        })?;
        // In the order of versions, so that what a round decides is known before the next.
        let mut at = all.keys().next().cloned();
        while let Some(subject) = at {
            let next = all.get_mut(&subject).and_then(|round| {
                round.given = said.remove(&subject).unwrap_or_default();
                let third = round.given.iter().filter(|(_, _, said)| !said.settles.is_empty());
                round.settlers = third.map(|(person, ..)| person.clone()).collect();
                let goes_on = matches!(round.outcome(), CurationOutcome::Decided { revision: Some(_), .. });
                goes_on.then(|| round.curators.clone())
            });
            if let Some(curators) = next {
                let round = all.entry(subject.next()).or_default();
                if round.curators.is_empty() {
                    round.curators = curators;
                }
            }
            at = all
                .range((Bound::Excluded(subject), Bound::Unbounded))
                .next()
                .map(|(after, _)| after.clone());
        }
        Ok(all)
    }

    /// Who was given what to curate, by the assignments that stand; what was taken back is left out.
    fn assigned_curation(&mut self) -> Result<BTreeMap<CurationSubject, CurationRound>> {
        let mut assignments = Vec::new();
        self.each_standing(&StatementKind::Assignment, |statement| {
            assignments.push(statement);
            Ok(())
        })?;
        let mut all: BTreeMap<CurationSubject, CurationRound> = BTreeMap::new();
        for statement in assignments.into_iter().filter(|s| !s.payload.is_empty()) {
            let assignment: Assignment = payload(&statement)?;
            let Ok(person) = statement.subject.parse::<PersonName>() else { continue };
            if assignment.kind != TaskKind::Curate.name() {
                continue;
            }
            let mut handouts = assignment.handouts;
            for parent in &statement.parents {
                if let Some(before) = self.statement(*parent)?.filter(|s| !s.payload.is_empty()) {
                    handouts.extend(payload::<Assignment>(&before)?.handouts);
                }
            }
            for handout in handouts.into_iter().filter(|one| !assignment.released.contains(&one.subject)) {
                if let Some(subject) = CurationSubject::parse(&handout.subject) {
                    all.entry(subject).or_default().curators.insert(person.clone());
                }
            }
        }
        Ok(all)
    }

    /// One version of an item; none where there is no such.
    pub fn curated_item(&self, subject: &CurationSubject) -> Result<Option<CuratedItem>> {
        if subject.kind == ItemKind::Sample {
            let Ok(id) = subject.item.parse::<SampleId>() else { return Ok(None) };
            let found = samples::get(&self.content.rubrics, id, subject.version)?;
            return Ok(found.map(|sample| CuratedItem::Sample { sample }));
        }
        let Ok(id) = subject.item.parse::<PromptId>() else { return Ok(None) };
        if subject.kind == ItemKind::Prompt {
            let found = prompts::get(&self.content.study, id, Some(subject.version))?;
            return Ok(found.map(|prompt| CuratedItem::Prompt { text: prompt.text }));
        }
        let Some(version) = answers::prompt_version(&self.content.audit, id)? else { return Ok(None) };
        let all = rubrics::versions(&self.content.rubrics, id)?;
        let found = all.into_iter().find(|r| r.prompt_version == version && r.version == subject.version);
        Ok(found.map(|rubric| CuratedItem::Rubric { criteria: rubric.criteria }))
    }
}

impl LeadView {
    /// Every version of an item that was handed out to curate, with what was said of it.
    pub fn curation(&mut self) -> Result<BTreeMap<CurationSubject, CurationRound>> {
        let mut all: BTreeMap<CurationSubject, CurationRound> = BTreeMap::new();
        for person in self.people()?.into_iter().filter(|p| p.roles.contains(&Role::Author)) {
            let inbox = match Inbox::open(self.folder(), &person.name) {
                Ok(inbox) => inbox,
                Err(StoreError::NoSuchPerson(_)) => continue,
                Err(e) => return Err(e),
            };
            inbox.each_task(TaskKind::Curate, |task| {
                if let Some(subject) = CurationSubject::parse(&task.subject) {
                    let round = all.entry(subject).or_default();
                    let list = if task.note.is_empty() { &mut round.curators } else { &mut round.settlers };
                    list.insert(person.name.clone());
                }
                Ok(())
            })?;
        }
        let mut said: Vec<Statement> = Vec::new();
        self.each_standing(&StatementKind::Curation, |statement| {
            said.push(statement);
            Ok(())
        })?;
        for statement in said.into_iter().filter(|s| !s.payload.is_empty()) {
            if let Some(round) =
                CurationSubject::parse(&statement.subject).and_then(|subject| all.get_mut(&subject))
            {
                round.given.push((statement.person.clone(), statement.id, payload(&statement)?));
            }
        }
        Ok(all)
    }

    /// Makes what follows from curation. Answers how many tasks are new.
    pub(super) fn curation_rounds(&mut self) -> Result<u64> {
        let rounds = self.curation()?;
        let mut wanted: BTreeMap<PersonName, Vec<NewTask>> = BTreeMap::new();
        let mut gone: BTreeSet<SampleId> = BTreeSet::new();
        for (subject, round) in &rounds {
            let task = |subject: &CurationSubject, cause, note| NewTask {
                kind: TaskKind::Curate,
                subject: subject.to_string(),
                subject_version: subject.version,
                cause,
                note,
            };
            match round.outcome() {
                CurationOutcome::Disputed => {
                    let first: Vec<SettledReview> = round
                        .given
                        .iter()
                        .filter(|(_, _, said)| said.settles.is_empty())
                        .map(|(person, id, _)| SettledReview { person: person.clone(), statement: *id })
                        .collect();
                    let Some(cause) = first.iter().map(|one| one.statement).max() else { continue };
                    // Whoever was asked before is asked again when the two say something else.
                    let third = match round.settlers.first() {
                        Some(third) => Some(third.clone()),
                        None => self.curation_settler(&round.curators)?,
                    };
                    if let Some(third) = third {
                        let note = serde_json::to_string(&SettleNote { settles: first })
                            .map_err(StoreError::json("note"))?;
                        wanted.entry(third).or_default().push(task(subject, cause, note));
                    }
                }
                CurationOutcome::Decided { cause, revision: Some(revision), .. } => {
                    let next = subject.next();
                    self.publish_revision(subject, &revision)?;
                    // Whoever was asked about it already goes on with what they were given.
                    let asked = rounds.get(&next).is_some_and(|round| !round.curators.is_empty());
                    if !asked {
                        for curator in &round.curators {
                            let new = task(&next, cause, String::new());
                            wanted.entry(curator.clone()).or_default().push(new);
                        }
                    }
                }
                CurationOutcome::Decided { decision: CurationDecision::Discard, .. }
                    if subject.kind == ItemKind::Sample =>
                {
                    gone.extend(subject.item.parse::<SampleId>().ok());
                }
                _ => {}
            }
        }
        samples::discard(&self.content().audit, &gone)?;
        let mut added = 0;
        for (person, tasks) in wanted {
            match Inbox::open_to_write(self.folder(), &person) {
                Ok(mut inbox) => added += inbox.add_tasks(&tasks)?,
                // What somebody says who has no inbox here waits for them.
                Err(StoreError::NoSuchPerson(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(added)
    }

    /// Who settles: of the authors who were not asked first the one with the fewest items to curate, then by name.
    fn curation_settler(&self, curators: &BTreeSet<PersonName>) -> Result<Option<PersonName>> {
        let mut able = Vec::new();
        for person in self.people()?.into_iter().filter(|p| p.roles.contains(&Role::Author)) {
            if curators.contains(&person.name) {
                continue;
            }
            match Inbox::open(self.folder(), &person.name) {
                Ok(inbox) => able.push((inbox.count(TaskKind::Curate)?, person.name)),
                Err(StoreError::NoSuchPerson(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(able.into_iter().min().map(|(_, name)| name))
    }

    /// Makes the revised item the next version, unless there is one: first where curators find it, last where it is said which
    /// version stands.
    fn publish_revision(&mut self, subject: &CurationSubject, revision: &CuratedItem) -> Result<()> {
        let next = subject.next().version;
        match revision {
            CuratedItem::Sample { sample } => {
                let Ok(id) = subject.item.parse::<SampleId>() else { return Ok(()) };
                if samples::standing(&self.content().audit, id)? != Some(subject.version) {
                    return Ok(());
                }
                let rubrics = &self.content().rubrics;
                atomically(rubrics, || samples::put(rubrics, id, next, sample))?;
                samples::stand(&self.content().audit, id, next)
            }
            CuratedItem::Rubric { criteria } => {
                let Ok(id) = subject.item.parse::<PromptId>() else { return Ok(()) };
                let Some(version) = answers::prompt_version(&self.content().audit, id)? else {
                    return Ok(());
                };
                let newest = rubrics::versions(&self.content().rubrics, id)?
                    .into_iter()
                    .filter(|rubric| rubric.prompt_version == version)
                    .map(|rubric| rubric.version)
                    .max();
                if newest == Some(subject.version) {
                    self.publish_next_rubric(id, version, next, criteria)?;
                }
                Ok(())
            }
            CuratedItem::Prompt { text } => {
                let Ok(id) = subject.item.parse::<PromptId>() else { return Ok(()) };
                self.publish_next_prompt(id, subject.version, text)
            }
        }
    }

    fn publish_next_rubric(
        &mut self,
        prompt: PromptId,
        prompt_version: u32,
        version: u32,
        criteria: &[domain::Criterion],
    ) -> Result<()> {
        let beside = domain::BesideCriteria::default();
        let rubrics = &self.content().rubrics;
        atomically(rubrics, || {
            let rubric = rubrics::Rubric {
                prompt,
                prompt_version,
                version,
                source: RubricSource::Published,
                criteria: criteria.to_vec(),
                beside: beside.clone(),
            };
            rubrics::put(rubrics, &rubric)?;
            rubrics::hand_out(rubrics, prompt.as_bytes(), prompt_version, version)
        })?;
        rubrics::know_version(&self.content().audit, prompt, prompt_version, version, criteria, &beside)
    }

    /// The prompt with another text as its next version; its rubric goes with it.
    fn publish_next_prompt(&mut self, id: PromptId, version: u32, text: &str) -> Result<()> {
        let content = self.content();
        if answers::prompt_version(&content.audit, id)? != Some(version) {
            return Ok(());
        }
        let Some(mut prompt) = prompts::get(&content.study, id, Some(version))? else { return Ok(()) };
        prompt.version = version + 1;
        text.clone_into(&mut prompt.text);
        if let Some(rubric) = rubrics::handed_out(&content.rubrics, id, version)? {
            let moved = rubrics::Rubric { prompt_version: prompt.version, version: 1, ..rubric };
            atomically(&content.rubrics, || {
                rubrics::put(&content.rubrics, &moved)?;
                rubrics::hand_out(&content.rubrics, id.as_bytes(), moved.prompt_version, 1)
            })?;
            let (version, criteria) = (moved.prompt_version, &moved.criteria);
            rubrics::know_version(&content.audit, id, version, 1, criteria, &moved.beside)?;
        }
        atomically(&content.study, || prompts::put(&content.study, &prompt))?;
        let hash = crate::content::import::prompt_content(
            text,
            &prompt.input_modalities,
            &prompt.gold,
            &prompt.inputs,
            Some(prompt.language.as_str()).filter(|language| *language != "und"),
        );
        atomically(&content.audit, || {
            content.audit.execute(
                "INSERT OR IGNORE INTO prompt_versions (prompt, version, content) VALUES (?1, ?2, ?3)",
                params![id.as_bytes(), prompt.version, hash],
            )?;
            content.audit.execute(
                "UPDATE prompt_heads SET version = ?2 WHERE prompt = ?1",
                params![id.as_bytes(), prompt.version],
            )?;
            Ok(())
        })?;
        Ok(())
    }
}
