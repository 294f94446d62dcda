//! The shape of a probe, as the command line prints it. A part that does not apply is left out; what cannot be known
//! is `null`, with a problem that says why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is known of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Probe {
    /// The path as given.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 in lower-case hex; `null` where the file could not be read.
    pub sha256: Option<String>,
    /// What it is, by its content.
    pub kind: Kind,
    /// png, jpeg, mp4, …; `bin` where nothing is recognised.
    pub format: String,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// For a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<ImageFacts>,
    /// For sound, also in a video.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audio: Option<AudioFacts>,
    /// For a video.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video: Option<VideoFacts>,
    /// For a document or a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<DocumentFacts>,
    /// Only heads are read, nothing is decoded: a second look at what broke the first.
    #[serde(skip)]
    pub(crate) heads_only: bool,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A picture.
    Image,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
    /// A document with pages, sheets or slides.
    Document,
    /// Plain text of any kind.
    Text,
    /// None of these.
    Unknown,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// Which.
    pub code: ProblemCode,
    /// In words.
    pub message: String,
}

/// What can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// The bytes end before the container says, or its index is missing.
    Truncated,
    /// The name's ending says something else than the bytes.
    SuffixMismatch,
    /// It does not decode.
    Undecodable,
    /// It needs a password.
    Encrypted,
    /// It holds scripts, macros or actions.
    ActiveContent,
    /// It has no bytes.
    Empty,
    /// The decoded length is unlike the container's.
    LengthMismatch,
    /// Its index is broken and was made anew from what it lists.
    Damaged,
    /// A limit of the worker was met.
    Limit,
    /// Nothing here can read the codec, so a value is unknown.
    UnknownCodec,
    /// The file could not be opened.
    Unreadable,
    /// It names content outside itself that other programs load on opening; here nothing is loaded.
    ExternalContent,
    /// HE-AAC, which the decoder here would give at half its sampling rate; only the web view plays it.
    HalfRate,
}

/// A picture.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImageFacts {
    /// Before the orientation is applied.
    pub width: Option<u32>,
    /// Before the orientation is applied.
    pub height: Option<u32>,
    /// EXIF's 1 to 8.
    pub orientation: u8,
    /// How many pictures the file holds: frames where it moves, pages of a TIFF, else one.
    pub frames: Option<u32>,
    /// Has it a channel of transparency?
    pub alpha: Option<bool>,
    /// Where it moves: one round of all frames, in milliseconds, as the file says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Where it moves: how many rounds it plays; 0 is without end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loops: Option<u32>,
    /// The name of its colour profile, if one is embedded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icc: Option<String>,
}

/// Sound.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AudioFacts {
    /// mp3, aac, vorbis, opus, flac, pcm, …
    pub codec: Option<String>,
    /// In hertz.
    pub sample_rate: Option<u32>,
    /// 1 is mono.
    pub channels: Option<u32>,
    /// In milliseconds.
    pub duration_ms: Option<u64>,
    /// Does the bit rate vary? `null` where the codec does not say.
    pub variable_bitrate: Option<bool>,
    /// Samples of each channel that the encoder put before the sound, where the file says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoder_delay: Option<u32>,
}

/// Moving pictures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VideoFacts {
    /// h264, hevc, vp8, vp9, av1, …
    pub codec: Option<String>,
    /// Coded size.
    pub width: Option<u32>,
    /// Coded size.
    pub height: Option<u32>,
    /// Degrees clockwise to show it upright.
    pub rotation: u32,
    /// Frames per second.
    pub fps: Option<f64>,
    /// Do all frames last equally long?
    pub constant_frame_rate: Option<bool>,
    /// How many.
    pub frames: Option<u64>,
    /// In milliseconds.
    pub duration_ms: Option<u64>,
    /// When the first frame shows, in milliseconds.
    pub start_ms: Option<u64>,
    /// How many tracks of sound.
    pub audio_tracks: u32,
}

/// A document or a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentFacts {
    /// Of a PDF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    /// Of a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheets: Option<u32>,
    /// Of a presentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slides: Option<u32>,
    /// Does it need a password?
    pub encrypted: bool,
    /// Links to places outside the document, where it has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<u32>,
    /// Of plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}
