//! Audits of finished work: what was drawn, what auditors find, and the tasks of what they return. Draws and findings are in
//! audit journals, which no judge or author opens; a piece that is returned comes back to its person with the feedback, and
//! nothing says that others were looked at.

use super::{AuditorView, LeadView, Submission};
use crate::content::answers;
use crate::inbox::{Inbox, NewTask, Task, TaskKind};
use crate::journal::payload;
use crate::standing::Standing;
use crate::{Result, StoreError};
use domain::{
    AuditDraw, AuditFinding, AuditedWork, PersonName, PromptId, Statement, StatementId, StatementKind,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The subject of a finding.
pub fn finding_subject(draw: StatementId, item: StatementId) -> String {
    format!("{draw}/{item}")
}

/// What an audit returned, as its person gets it: in the note of their task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReturnedWork {
    /// The own statement that is to be made anew.
    pub statement: StatementId,
    /// What is wrong with it.
    pub feedback: String,
}

/// The wrapper that tells such a note from others.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReturnedTask {
    returned: ReturnedWork,
}

/// What an audit said, from the note of a task.
pub fn returned_note(note: &str) -> Option<ReturnedWork> {
    serde_json::from_str::<ReturnedTask>(note).ok().map(|task| task.returned)
}

impl Task {
    /// What an audit said, if it made this task.
    pub fn returned(&self) -> Option<ReturnedWork> {
        returned_note(&self.note)
    }
}

impl AuditorView {
    /// Everything that was drawn, oldest first.
    pub fn audit_draws(&mut self) -> Result<Vec<(Statement, AuditDraw)>> {
        let mut all = Vec::new();
        self.each_standing(&StatementKind::AuditDraw, |statement| {
            if !statement.payload.is_empty() {
                let draw = payload::<AuditDraw>(&statement)?;
                all.push((statement, draw));
            }
            Ok(())
        })?;
        all.sort_by(|(a, _), (b, _)| (&a.made_at, a.id).cmp(&(&b.made_at, b.id)));
        Ok(all)
    }

    /// What is found of one piece, of whomever.
    pub fn finding(&mut self, draw: StatementId, item: StatementId) -> Result<Standing> {
        let heads = self.index()?.heads(&StatementKind::AuditFinding, &finding_subject(draw, item))?;
        Ok(Standing { heads })
    }

    /// What a person finished and that stands: judgements, or rubrics that were handed in. Jobs that measure them are no work.
    pub fn finished_work(&mut self, person: &PersonName, work: AuditedWork) -> Result<Vec<Statement>> {
        let kind = match work {
            AuditedWork::Judging => StatementKind::Judgement,
            AuditedWork::Authoring => StatementKind::RubricSubmission,
        };
        let measuring = self.measuring()?;
        let mut all = Vec::new();
        self.each_standing(&kind, |statement| {
            let measures = measuring.contains(&(statement.person.clone(), statement.subject.clone()));
            if statement.person == *person && !statement.payload.is_empty() && !measures {
                all.push(statement);
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// A statement of whomever, as it was made.
    pub fn statement(&mut self, id: StatementId) -> Result<Option<Statement>> {
        self.look_around()?;
        for journal in self.own.all().into_iter().chain(&self.others) {
            if let Some(statement) = journal.find(id)? {
                return Ok(Some(statement));
            }
        }
        Ok(None)
    }

    /// States what was drawn. Draws add up.
    pub fn draw_audit(&mut self, draw: &AuditDraw) -> Result<Statement> {
        let text = serde_json::to_string(draw).map_err(StoreError::json("draw"))?;
        // A subject of its own for each draw, so that none takes another's place.
        let subject =
            format!("{}/{}", draw.person, draw.items.first().map_or_else(String::new, ToString::to_string));
        let statement = self.own.state(StatementKind::AuditDraw, &subject, text, &[], &[])?;
        self.behind = true;
        Ok(statement)
    }

    /// States what is found of one piece. `expected`: the findings about it that the auditor saw standing.
    pub fn find(&mut self, finding: &AuditFinding, expected: &[StatementId]) -> Result<Statement> {
        let subject = finding_subject(finding.draw, finding.item);
        let text = serde_json::to_string(finding).map_err(StoreError::json("finding"))?;
        let others = self.statements_of_others(&subject)?;
        let statement = self.own.state(StatementKind::AuditFinding, &subject, text, expected, &others)?;
        self.behind = true;
        Ok(statement)
    }
}

impl LeadView {
    /// Makes the tasks of what audits returned. Answers how many are new.
    pub(super) fn returned_work(&mut self) -> Result<u64> {
        let mut found = Vec::new();
        self.each_standing(&StatementKind::AuditFinding, |statement| {
            if !statement.payload.is_empty() {
                let finding = payload::<AuditFinding>(&statement)?;
                if !finding.accepted {
                    found.push((statement.id, finding));
                }
            }
            Ok(())
        })?;
        let mut wanted: BTreeMap<PersonName, Vec<NewTask>> = BTreeMap::new();
        for (cause, finding) in found {
            let Some(audited) = self.statement(finding.item)? else { continue };
            let (kind, version) = match audited.kind {
                StatementKind::Judgement => {
                    let answer =
                        audited.subject.parse().ok().map(|id| self.answer(id)).transpose()?.flatten();
                    let key = answer.map(|answer| answer.prompt_key).unwrap_or_default();
                    let version =
                        answers::prompt_with_key(&self.content().audit, &key)?.map_or(0, |(_, v)| v);
                    (TaskKind::Judge, version)
                }
                StatementKind::RubricSubmission => {
                    let made = payload::<Submission>(&audited)?;
                    let now = audited.subject.parse::<PromptId>().ok();
                    let now = now.map(|id| answers::prompt_version(&self.content().audit, id)).transpose()?;
                    (TaskKind::Author, now.flatten().unwrap_or(made.prompt_version))
                }
                _ => continue,
            };
            let returned = ReturnedWork { statement: finding.item, feedback: finding.feedback };
            let note = serde_json::to_string(&ReturnedTask { returned }).map_err(StoreError::json("note"))?;
            let task = NewTask { kind, subject: audited.subject, subject_version: version, cause, note };
            wanted.entry(audited.person).or_default().push(task);
        }
        let mut added = 0;
        for (person, tasks) in wanted {
            match Inbox::open_to_write(self.folder(), &person) {
                Ok(mut inbox) => added += inbox.add_tasks(&tasks)?,
                // Somebody who has no inbox here gets nothing back.
                Err(StoreError::NoSuchPerson(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(added)
    }
}
