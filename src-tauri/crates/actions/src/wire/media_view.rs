//! Assets: documents, waveforms, the sound card.

use domain::BlobHash;
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

/// Ask for a waveform, whole or a stretch of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaveformRequest {
    /// The sound.
    pub blob: BlobHash,
    /// How many columns (at most 4000).
    pub columns: u32,
    /// From where, ms; none: the start.
    #[serde(default)]
    pub from_ms: Option<f64>,
    /// To where, ms; none: the end.
    #[serde(default)]
    pub to_ms: Option<f64>,
}

/// A waveform as far as it is known, or why there is none. A long sound is answered at once with a sketch, and whole
/// when asked again later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaveformReply {
    /// Lowest and highest sample of each column, -1 to 1.
    pub columns: Vec<(f32, f32)>,
    /// What the columns stand for begins here, ms.
    pub from_ms: f64,
    /// And ends here, ms.
    pub to_ms: f64,
    /// Length of the sound, ms: counted when whole, else what its container promises; none when unknown.
    pub duration_ms: Option<f64>,
    /// Decoded so far, ms; columns behind it are a sketch.
    pub decoded_ms: f64,
    /// Was all of it decoded?
    pub whole: bool,
    /// In hertz; 0 when unknown.
    pub sample_rate: u32,
    /// Why there is none.
    pub failure: Option<AssetFailure>,
}

/// Load a sound into the sound-card player, or change how it plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SoundRequest {
    /// The sound to hear.
    pub blob: BlobHash,
    /// From where; none: where it is (or where the clip beside it is).
    #[serde(default)]
    pub at_ms: Option<f64>,
    /// Play (true) or hold there (false).
    pub play: bool,
    /// A part that repeats, from and to, ms.
    #[serde(default)]
    pub repeat_ms: Option<(f64, f64)>,
    /// A clip to compare with: it runs silently beside, both are brought to the same loudness, and asking for it
    /// without a place changes over at once.
    #[serde(default)]
    pub beside: Option<BlobHash>,
    /// How loud, 0 to 1; none: as it decodes.
    #[serde(default)]
    pub volume: Option<f32>,
}

/// How the sound-card player stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SoundView {
    /// The sound that is heard.
    pub blob: Option<BlobHash>,
    /// Where it is, ms.
    pub position_ms: f64,
    /// Length, ms; 0 when unknown.
    pub duration_ms: f64,
    /// Playing?
    pub playing: bool,
    /// The clip that runs beside it.
    pub beside: Option<BlobHash>,
    /// What the comparison adds to its level, dB (never above 0).
    pub gain_db: f64,
    /// Why it cannot play here (`no_device`, `refused` …).
    pub failure: Option<AssetFailure>,
}

/// What the web view lacks for playing; empty when nothing is known to be missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlaybackCheck {
    /// Packages to install.
    pub missing: Vec<media::plugins::MissingPlugins>,
}

/// What the app knows of an asset, or why it knows nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProbeReply {
    /// The probe.
    pub probe: Option<media::Probe>,
    /// Why there is none.
    pub failure: Option<AssetFailure>,
}
