//! Assets: documents, waveforms, the sound card.

use domain::{BlobHash, Count};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Ask about an asset that the session may see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssetRequest {
    /// Its hash.
    pub blob: BlobHash,
    /// Its name or format, where bytes cannot tell (csv, txt, md).
    #[serde(default)]
    pub name: String,
}

/// Ask for a readable view of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentRequest {
    /// Its hash.
    pub blob: BlobHash,
    /// Its name or format, where bytes cannot tell (csv, txt, md).
    #[serde(default)]
    pub name: String,
    /// The encoding of a plain text, by a label of the WHATWG, where somebody chose one.
    #[serde(default)]
    pub encoding: Option<String>,
    /// Give a csv as the text that it is.
    #[serde(default)]
    pub source: bool,
}

/// Whether a document has pages that can be drawn, and why not. They are fetched like its bytes, under its hash with
/// `.pdf` after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PagesReply {
    /// Are they there?
    pub ready: bool,
    /// Why not: `no_office` where LibreOffice is not installed, `timeout`, `refused`.
    pub failure: Option<AssetFailure>,
}

/// A readable view of a document, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentReply {
    /// The view.
    pub view: Option<media::DocumentView>,
    /// Why there is none (`timeout`, `crashed`, `out_of_memory`, `refused` …) and a sentence.
    pub failure: Option<AssetFailure>,
}

/// Why an asset cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssetFailure {
    /// Code.
    pub code: String,
    /// Sentence.
    pub message: String,
}

/// Ask how a picture is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureRequest {
    /// The picture.
    pub blob: BlobHash,
    /// Which frame, page or part of it.
    #[serde(default)]
    pub wish: media::PictureWish,
}

/// How a picture is shown, or why it cannot be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureReply {
    /// What it is.
    pub view: Option<media::PictureView>,
    /// A PNG stands in for it, under its hash, a full stop and this; none: the bytes themselves are shown.
    pub key: Option<String>,
    /// Why it cannot be shown.
    pub failure: Option<AssetFailure>,
}

/// Ask for a waveform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaveformRequest {
    /// The sound.
    pub blob: BlobHash,
    /// How many columns (at most 4000).
    pub columns: u32,
}

/// A waveform, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaveformReply {
    /// Lowest and highest sample of each column, -1 to 1.
    pub columns: Vec<(f32, f32)>,
    /// Length, ms; none when unknown.
    pub duration_ms: Option<Count>,
    /// Why there is none.
    pub failure: Option<AssetFailure>,
}

/// Load a sound into the sound-card player and play from `at_ms`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SoundRequest {
    /// The sound.
    pub blob: BlobHash,
    /// From where.
    pub at_ms: Count,
    /// Play (true) or hold there (false).
    pub play: bool,
}

/// How the sound-card player stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SoundView {
    /// The sound that is loaded.
    pub blob: Option<BlobHash>,
    /// Where it is, ms.
    pub position_ms: Count,
    /// Length, ms.
    pub duration_ms: Count,
    /// Playing?
    pub playing: bool,
    /// Why it cannot play here (`no_device`, `undecodable`, `too_long` …).
    pub failure: Option<AssetFailure>,
}

/// What the app knows of an asset, or why it knows nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProbeReply {
    /// The probe.
    pub probe: Option<media::Probe>,
    /// Why there is none.
    pub failure: Option<AssetFailure>,
}
