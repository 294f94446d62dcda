//! Sound in the worker: decoded by symphonia to samples (streamed, for playback), to the levels of a waveform, to a
//! spectrogram, to its loudness. None of them holds the whole sound.
//!
//! All of them speak of *frames* (one sample of every channel) on one timeline: frame 0 is the first that a listener
//! hears, since an encoder's delay and padding are cut off where the file names them. A seek lands on the very frame.

mod decode;
mod edits;
mod levels;
mod loudness;
mod spectrogram;

pub(crate) use decode::{Head, Sound};
pub(crate) use levels::{
    BASE, Buckets, LevelsArgs, LevelsHead, LevelsTail, NOTHING, RangeArgs, Span, joined,
};
pub(crate) use spectrogram::SpectrogramArgs;

use crate::worker::{FrameSink, Input, Registry};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a decoded sound is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SoundFormat {
    /// In hertz.
    pub sample_rate: u32,
    /// Samples of all channels follow each other, frame by frame.
    pub channels: u16,
}

/// The peaks of a waveform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Waveform {
    /// What the sound is.
    pub format: SoundFormat,
    /// How many frames were decoded: the length is `frames / sample_rate` seconds.
    pub frames: u64,
    /// Lowest and highest sample of each column over all channels, -1 to 1.
    pub columns: Vec<(f32, f32)>,
}

/// How loud a sound is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Loudness {
    /// Integrated loudness, LUFS (EBU R 128); none for silence and for sounds under 0.4 s.
    pub lufs: Option<f64>,
    /// The largest sample, 0 to 1 (over 1 for floating-point files that clip).
    pub peak: f64,
}

/// How strong each pitch is over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrogram {
    /// What the sound is: the highest row ends at half its sampling rate.
    pub format: SoundFormat,
    /// Rows of a column, evenly on the mel scale.
    pub rows: u32,
    /// Columns one after the other, each from the lowest row up: 0 is 96 dB below a full-scale sine, 255 is one.
    pub cells: Vec<u8>,
}

/// Arguments of the job `peaks`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PeaksArgs {
    /// How many columns.
    pub(crate) columns: u32,
}

/// Arguments of the job `pcm`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PcmArgs {
    /// The first frame that is wanted.
    pub(crate) from_frame: u64,
    /// The frame after the last that is wanted; none: to the end.
    #[serde(default)]
    pub(crate) until_frame: Option<u64>,
}

pub(crate) fn register(registry: Registry) -> Registry {
    let registry = registry
        .with_reply("peaks", |args: PeaksArgs, input| {
            levels::peaks(input, args.columns.clamp(1, 1 << 16) as usize)
        })
        .with_reply("loudness", |(): (), input| loudness::loudness(input))
        .with("pcm", |args, input, sink| {
            let args = PcmArgs::deserialize(args).map_err(|e| format!("wrong arguments: {e}"))?;
            pcm(input, &args, sink)
        });
    spectrogram::register(levels::register(registry))
}

/// Sends a [`Head`], then interleaved samples as little-endian `f32`.
fn pcm(input: &Input, args: &PcmArgs, sink: &mut dyn FrameSink) -> Result<(), String> {
    let mut sound = Sound::open(input)?;
    if args.from_frame > 0 {
        sound.seek(args.from_frame)?;
    }
    let mut said = false;
    let promised = sound.promised;
    let found = sound.decode_at(|format, at, samples| {
        if !said {
            sink.json(&Head { format, promised })?;
            said = true;
        }
        let channels = u64::from(format.channels);
        let frames = samples.len() as u64 / channels;
        let first = args.from_frame.saturating_sub(at).min(frames);
        let end = args.until_frame.map_or(frames, |until| until.saturating_sub(at).min(frames));
        if first < end {
            let range =
                usize::try_from(first * channels).unwrap_or(0)..usize::try_from(end * channels).unwrap_or(0);
            let bytes: Vec<u8> = samples[range].iter().flat_map(|sample| sample.to_le_bytes()).collect();
            sink.bytes(&bytes)?;
        }
        Ok(args.until_frame.is_none_or(|until| at + frames < until))
    })?;
    match found {
        Some(_) => Ok(()),
        // Sought behind the end: the sound is there, and nothing of it is left to hear.
        None if args.from_frame > 0 => sink.json(&Head { format: sound.format()?, promised }),
        None => Err("nothing of the sound decodes".to_owned()),
    }
}
