//! Edits of a compiled checklist by hand: kept apart as named patches, so that the meta-rubric and its checklist
//! cannot drift apart unseen.

use crate::Tier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One edit, by whom, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChecklistPatch {
    /// Id of the check: the one that is edited, or the one that is added.
    pub check: String,
    /// What is done to it.
    pub edit: ChecklistEdit,
    /// `text_sha256` of the check that the edit was made on; absent for an added one. Another hash now means that the
    /// edit was made on other words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_text_sha256: Option<String>,
    /// Who made it.
    pub author: String,
    /// Why.
    pub reason: String,
}

/// What a patch does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChecklistEdit {
    /// Other words.
    Reword {
        /// The new text.
        text: String,
    },
    /// Another tier.
    Retier {
        /// The new tier.
        tier: Tier,
    },
    /// Not asked.
    Suppress,
    /// A check that no item makes.
    Add {
        /// Its text.
        text: String,
        /// Its tier.
        tier: Tier,
        /// The check it stands after; at the end when that is absent or gone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
}
