//! Gold lists that auditors mark wrong. The mark is in an audit journal, which no judge or author opens; the authors of the
//! prompt's rubric get a task that names the modalities and the cause, and nothing else of it.

use super::{AuditorView, LeadView};
use crate::content::answers;
use crate::inbox::{Inbox, NewTask, Task, TaskKind};
use crate::journal::payload;
use crate::standing::Standing;
use crate::{Result, StoreError};
use domain::{GoldMark, MarkedGold, PromptId, Statement, StatementId, StatementKind};
use serde::{Deserialize, Serialize};

/// The wrapper that tells such a note from others. It does not say "gold": that word marks a job whose answer is known.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoldTask {
    expected: MarkedGold,
}

impl Task {
    /// What is wrong with the gold list, if a mark on it made this task.
    pub fn marked_gold(&self) -> Option<MarkedGold> {
        if self.kind != TaskKind::Author {
            return None;
        }
        serde_json::from_str::<GoldTask>(&self.note).ok().map(|task| task.expected)
    }
}

impl AuditorView {
    /// What is marked of a prompt's gold list, of whomever: [`GoldMark`] payloads.
    pub fn gold_mark(&mut self, prompt: PromptId) -> Result<Standing> {
        let heads = self.index()?.heads(&StatementKind::GoldMark, &prompt.to_string())?;
        Ok(Standing { heads })
    }

    /// Every gold list that is marked wrong in the version that stands, by prompt.
    pub fn gold_marks(&mut self) -> Result<Vec<(Statement, GoldMark)>> {
        let mut all = Vec::new();
        self.each_standing(&StatementKind::GoldMark, |statement| {
            if !statement.payload.is_empty() {
                let mark = payload::<GoldMark>(&statement)?;
                all.push((statement, mark));
            }
            Ok(())
        })?;
        let mut standing = Vec::with_capacity(all.len());
        for (statement, mark) in all {
            let now = answers::prompt_version(&self.content.audit, mark.prompt)?;
            if !mark.wrong.is_empty() && now == Some(mark.prompt_version) {
                standing.push((statement, mark));
            }
        }
        Ok(standing)
    }

    /// Marks a gold list wrong, or right after all. `expected`: the marks that the auditor saw standing.
    pub fn mark_gold(&mut self, mark: &GoldMark, expected: &[StatementId]) -> Result<Statement> {
        let subject = mark.prompt.to_string();
        let text = serde_json::to_string(mark).map_err(StoreError::json("mark"))?;
        let others = self.statements_of_others(&subject)?;
        let statement = self.own.state(StatementKind::GoldMark, &subject, text, expected, &others)?;
        self.behind = true;
        Ok(statement)
    }
}

impl LeadView {
    /// Makes the authors' tasks of gold lists that are marked wrong. Answers how many are new.
    pub(super) fn marked_gold(&mut self) -> Result<u64> {
        let mut added = 0;
        for (statement, mark) in self.gold_marks()? {
            let expected = MarkedGold { wrong: mark.wrong };
            let note = serde_json::to_string(&GoldTask { expected }).map_err(StoreError::json("note"))?;
            for author in self.authors_of(mark.prompt)? {
                let task = NewTask {
                    kind: TaskKind::Author,
                    subject: mark.prompt.to_string(),
                    subject_version: mark.prompt_version,
                    cause: statement.id,
                    note: note.clone(),
                };
                match Inbox::open_to_write(self.folder(), &author) {
                    Ok(mut inbox) => added += inbox.add_tasks(&[task])?,
                    // Somebody who has no inbox here gets nothing.
                    Err(StoreError::NoSuchPerson(_)) => {}
                    Err(e) => return Err(e),
                }
            }
        }
        Ok(added)
    }
}
