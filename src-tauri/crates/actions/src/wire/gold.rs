//! Gold lists that auditors mark wrong.

use domain::{Modality, ResponseId, StatementId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mark on a gold list, in force, as auditors and leads see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldMarkView {
    /// The statement.
    pub statement: StatementId,
    /// Modalities that are in the list and should not be.
    pub extra: Vec<Modality>,
    /// Modalities that are missing from it.
    pub lacking: Vec<Modality>,
    /// Why.
    pub reason: String,
    /// Who marked it.
    pub person: String,
    /// When.
    pub made_at: String,
}

/// Mark the gold list of a response's prompt wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MarkGoldRequest {
    /// The response whose disagreement showed it.
    pub response: ResponseId,
    /// The modalities that should not be in the list, or are missing from it; none = the list is right after all.
    pub wrong: Vec<Modality>,
    /// Why. Authors get the modalities, not these words.
    #[serde(default)]
    pub reason: String,
}

/// What an author gets of a gold list that is marked wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MarkedGoldNote {
    /// Modalities that are in the list and should not be.
    pub extra: Vec<Modality>,
    /// Modalities that are missing from it.
    pub lacking: Vec<Modality>,
    /// The cause's code.
    pub cause: String,
}
