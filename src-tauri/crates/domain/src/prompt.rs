//! Prompts: what was asked, with which inputs, and which modalities the answer must have.

use crate::{BesideCriteria, BlobHash, Criterion, ModalityList, PromptId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A prompt as a study holds it, in one version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Prompt {
    /// Opaque id.
    pub id: PromptId,
    /// Version of this content, from 1.
    pub version: u32,
    /// The benchmark's own key, such as `p204117`: an opaque string, any characters.
    pub key: String,
    /// What is asked, or a transcript of it when the input has no text.
    pub text: String,
    /// BCP-47 tag of the text; `und` when not known.
    pub language: String,
    /// Modalities of the input.
    pub input_modalities: ModalityList,
    /// Modalities that the answer must have (the gold list), in order.
    pub gold: ModalityList,
    /// Input files, in order.
    pub inputs: Vec<InputAsset>,
}

/// One input file of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputAsset {
    /// The name in the dataset, for display only; never a path.
    pub name: String,
    /// The bytes, or none when the file was not found (quirk Q48).
    pub blob: Option<BlobHash>,
    /// Size in bytes, 0 when missing.
    pub bytes: u64,
    /// What the content is, as the worker's probe calls it (`png`, `mp3`, `docx` …); `bin` when unknown.
    pub format: String,
}

/// A prompt as a dataset file gives it, before ids and blobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptRecord {
    /// `prompt_id`.
    pub key: String,
    /// `prompt_text`.
    pub text: String,
    /// `input_modalities`, unknown names dropped (each with a warning).
    pub input_modalities: ModalityList,
    /// `output_modalities`.
    pub gold: ModalityList,
    /// `input_files`: relative names, in order, already checked against the rules of MMI-FORMAT 1.1.
    pub input_files: Vec<String>,
    /// The rubric, if the dataset has one.
    pub criteria: Vec<Criterion>,
    /// What a rubric file says beside its criteria.
    #[serde(default, skip_serializing_if = "BesideCriteria::is_empty")]
    pub beside: BesideCriteria,
    /// `language`, a BCP-47 tag; none where the dataset does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}
