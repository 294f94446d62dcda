//! A gold list that an auditor marks wrong: the modalities that an answer must have are not those that the prompt asks for.

use crate::{Modality, PromptId, ResponseId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// "The gold list of this prompt is wrong": the payload of a `gold_mark`; subject = prompt id. A later one takes the place of an
/// earlier one, of whomever. It changes no score: the list is content, and counts as it is until the dataset brings another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldMark {
    /// The prompt.
    pub prompt: PromptId,
    /// The version whose list is meant; a later version has a list of its own.
    pub prompt_version: u32,
    /// The modalities that should not be in the list, or are missing from it; none = the list is right after all.
    pub wrong: Vec<Modality>,
    /// Why, for auditors and leads. It may be written over a response, so that no author gets it.
    #[serde(default)]
    pub reason: String,
    /// The response whose disagreement showed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<ResponseId>,
}

/// What a rubric's author gets of a [`GoldMark`]: which modalities; no word of an auditor, no response. The cause is
/// [`crate::Cause::WrongGold`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarkedGold {
    /// The modalities that should not be in the list, or are missing from it.
    pub wrong: Vec<Modality>,
}
