//! A rubric sent back by a settlement, as its author sees it: it travels in the note of the author's task.
//! The auditor's own note stays behind: it was written while looking at the response, which authors never see.

use crate::inbox::{Task, TaskKind};
use crate::{Result, StoreError};
use domain::{Cause, Criterion, Modality};
use serde::{Deserialize, Serialize};

/// What failed and why, never the response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentBack {
    /// The modality that was in dispute.
    pub modality: Modality,
    /// The cause that the auditor named.
    pub cause: Cause,
    /// The criteria of that modality that the judge had not counted as met.
    pub criteria: Vec<Criterion>,
}

impl Task {
    /// The case behind an author's task, if a settlement caused it.
    pub fn sent_back(&self) -> Result<Option<SentBack>> {
        if self.kind != TaskKind::Author
            || self.note.is_empty()
            || self.reviewed().is_some()
            || self.returned().is_some()
            || self.marked_gold().is_some()
        {
            return Ok(None);
        }
        serde_json::from_str(&self.note).map(Some).map_err(StoreError::json("the note of a task"))
    }
}
