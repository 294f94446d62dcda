//! Responses as a blind person may see them: no model, no run, no file names of the run.

use crate::{BlobHash, Modality, ModalityList, PromptId, ResponseId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One response, in the form that `content/responses.sqlite` keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    /// Opaque id.
    pub id: ResponseId,
    /// The prompt it answers; none when the dataset has no such prompt (quirk Q17).
    pub prompt: Option<PromptId>,
    /// The modalities that were expected when the response was made (quirk Q18).
    pub expected: ModalityList,
    /// The prose a user would have seen; may be empty.
    pub text: String,
    /// Did the provider fail, so that there is no answer at all?
    pub failed: bool,
    /// Everything else that came back, in order.
    pub assets: Vec<Asset>,
}

/// One asset of a response, under a neutral name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Asset {
    /// 0-based position in the response: the key (asset ids repeat, quirk Q14).
    pub position: u32,
    /// The modality that the harness recorded.
    pub modality: Modality,
    /// What became of the bytes.
    pub state: AssetState,
    /// The bytes, if the study has them.
    pub blob: Option<BlobHash>,
    /// Size in bytes, 0 when there are none.
    pub bytes: u64,
    /// What the content is (`png`, `mp4`, `html` …), decided by its bytes; `bin` when unknown.
    pub format: String,
    /// The address, for an asset that is a link in the prose; shown as text, never fetched by itself.
    pub link: Option<String>,
}

/// What became of an asset's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssetState {
    /// The bytes are here and match what was recorded.
    Ok,
    /// The bytes are here; size or SHA-256 differ from what the run recorded (quirk Q23).
    Mismatch,
    /// The run says it captured the bytes, but the file is missing (quirk Q22).
    Missing,
    /// Only a reference was returned.
    ReferenceOnly,
    /// No bytes came.
    Skipped,
    /// Fetching failed.
    Failed,
}
