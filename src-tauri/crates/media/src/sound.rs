//! Sound in the worker: decoded by symphonia to samples (streamed, for playback) or to the peaks of a waveform. Neither
//! holds the whole file.
//!
//! HE-AAC is refused: symphonia decodes it at half its sampling rate without an error. So is AAC at 24 kHz and less
//! without a container, whose headers cannot tell.

use crate::worker::{FrameSink, Input, ReadSeek, Registry};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use symphonia::core::{
    audio::SampleBuffer,
    codecs::{CODEC_TYPE_AAC, CODEC_TYPE_NULL, Decoder, DecoderOptions},
    errors::Error,
    formats::{FormatOptions, FormatReader},
    io::{MediaSource, MediaSourceStream, MediaSourceStreamOptions},
    meta::MetadataOptions,
    probe::Hint,
};

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
}

pub(crate) fn register(registry: Registry) -> Registry {
    registry
        .with_reply("peaks", |args: PeaksArgs, input| peaks(input, args.columns.clamp(1, 1 << 16) as usize))
        .with("pcm", |args, input, sink| {
            let args = PcmArgs::deserialize(args).map_err(|e| format!("wrong arguments: {e}"))?;
            pcm(input, args.from_frame, sink)
        })
}

struct Source(Box<dyn ReadSeek>, Option<u64>);

impl std::io::Read for Source {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(to)
    }
}
impl std::io::Seek for Source {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}
impl MediaSource for Source {
    fn is_seekable(&self) -> bool {
        true
    }
    fn byte_len(&self) -> Option<u64> {
        self.1
    }
}

/// A sound that is open for decoding.
pub(crate) struct Sound {
    reader: Box<dyn FormatReader>,
    decoder: Box<dyn Decoder>,
    track: u32,
    /// How many frames the container promises.
    pub(crate) promised: Option<u64>,
    /// Its codec's short name.
    pub(crate) codec: String,
    /// Packets that did not decode and were passed over.
    pub(crate) broken: u64,
}

impl Sound {
    pub(crate) fn open(input: &Input) -> Result<Self, String> {
        let source = Source(input.open()?, input.length().ok());
        let stream = MediaSourceStream::new(Box::new(source), MediaSourceStreamOptions::default());
        let probed = symphonia::default::get_probe()
            .format(&Hint::default(), stream, &FormatOptions::default(), &MetadataOptions::default())
            .map_err(|e| format!("no sound can be read: {e}"))?;
        let reader = probed.format;
        let track = reader
            .tracks()
            .iter()
            .find(|t| t.codec_params.codec != CODEC_TYPE_NULL && t.codec_params.sample_rate.is_some())
            .ok_or("the file holds no sound that can be decoded here")?;
        let params = track.codec_params.clone();
        if params.codec == CODEC_TYPE_AAC {
            refuse_he_aac(params.extra_data.as_deref(), params.sample_rate)?;
        }
        let codec = symphonia::default::get_codecs()
            .get_codec(params.codec)
            .map_or_else(|| "unknown".to_owned(), |codec| codec.short_name.to_owned());
        let decoder = symphonia::default::get_codecs()
            .make(&params, &DecoderOptions::default())
            .map_err(|e| format!("the sound cannot be decoded here: {e}"))?;
        Ok(Self { track: track.id, reader, decoder, promised: params.n_frames, codec, broken: 0 })
    }

    /// Decodes on, and hands interleaved samples to `take` until it says `false` or the file ends.
    pub(crate) fn decode(
        &mut self,
        mut take: impl FnMut(SoundFormat, &[f32]) -> Result<bool, String>,
    ) -> Result<Option<SoundFormat>, String> {
        let mut found: Option<SoundFormat> = None;
        let mut buffer: Option<SampleBuffer<f32>> = None;
        loop {
            let packet = match self.reader.next_packet() {
                Ok(packet) if packet.track_id() == self.track => packet,
                Ok(_) => continue,
                // The end of a file, whole or cut, is an error of reading here.
                Err(Error::IoError(_) | Error::ResetRequired) => return Ok(found),
                Err(e) => {
                    return if found.is_some() {
                        Ok(found)
                    } else {
                        Err(format!("the sound is broken: {e}"))
                    };
                }
            };
            let decoded = match self.decoder.decode(&packet) {
                Ok(decoded) => decoded,
                Err(Error::DecodeError(_) | Error::IoError(_)) => {
                    self.broken += 1;
                    continue;
                }
                Err(e) => return Err(format!("the sound cannot be decoded: {e}")),
            };
            let spec = *decoded.spec();
            let channels = u16::try_from(spec.channels.count()).map_err(|e| e.to_string())?;
            let format = SoundFormat { sample_rate: spec.rate, channels };
            if found.is_some_and(|before| before != format) {
                return Err("the rate or the channels change within the sound".to_owned());
            }
            found = Some(format);
            if buffer.as_ref().is_none_or(|b| b.capacity() < decoded.capacity() * usize::from(channels)) {
                buffer = Some(SampleBuffer::new(decoded.capacity() as u64, spec));
            }
            let Some(samples) = &mut buffer else { continue };
            samples.copy_interleaved_ref(decoded);
            if !take(format, samples.samples())? {
                return Ok(found);
            }
        }
    }
}

/// Object types 5 and 29 are HE-AAC; a sync extension (0x2b7) after plain AAC says the same.
fn refuse_he_aac(config: Option<&[u8]>, rate: Option<u32>) -> Result<(), String> {
    let refused = Err("HE-AAC cannot be decoded faithfully here".to_owned());
    match config {
        Some(config @ [first, _, ..]) => {
            if matches!(first >> 3, 5 | 29) {
                return refused;
            }
            // 11 bits of mark, 5 of object type 5, and a bit that says whether the extension is in use.
            let bits = config.iter().skip(2).take(8).fold(0_u64, |bits, b| (bits << 8) | u64::from(*b));
            let extension = (0..48).any(|shift| (bits >> shift) & 0x1_ffff == (0x2b7 << 6 | 5 << 1 | 1));
            if extension { refused } else { Ok(()) }
        }
        _ if rate.is_some_and(|rate| rate <= 24_000) => refused,
        _ => Ok(()),
    }
}

fn pcm(input: &Input, from_frame: u64, sink: &mut dyn FrameSink) -> Result<(), String> {
    let mut sound = Sound::open(input)?;
    let mut said = false;
    let mut skip: Option<u64> = None;
    let found = sound.decode(|format, samples| {
        if !said {
            sink.json(&format)?;
            said = true;
        }
        let left = skip.get_or_insert(from_frame * u64::from(format.channels));
        let passed = usize::try_from(*left).unwrap_or(usize::MAX).min(samples.len());
        *left -= passed as u64;
        let wanted = &samples[passed..];
        if !wanted.is_empty() {
            let bytes: Vec<u8> = wanted.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            sink.bytes(&bytes)?;
        }
        Ok(true)
    })?;
    found.map(|_| ()).ok_or_else(|| "nothing of the sound decodes".to_owned())
}

/// Peaks in one pass with memory for `2 × columns` buckets: when they are full, neighbours are joined.
fn peaks(input: &Input, columns: usize) -> Result<Waveform, String> {
    let mut sound = Sound::open(input)?;
    let (mut buckets, mut width, mut filled, mut frames) = (Vec::<(f32, f32)>::new(), 64_u64, 0_u64, 0_u64);
    let most = (columns * 8).max(4096);
    let format = sound
        .decode(|format, samples| {
            for frame in samples.chunks_exact(usize::from(format.channels.max(1))) {
                if filled == 0 {
                    if buckets.len() == most {
                        buckets = buckets.chunks(2).map(joined).collect();
                        width *= 2;
                    }
                    buckets.push((f32::INFINITY, f32::NEG_INFINITY));
                }
                if let Some(last) = buckets.last_mut() {
                    for sample in frame {
                        *last = (last.0.min(*sample), last.1.max(*sample));
                    }
                }
                filled = (filled + 1) % width;
                frames += 1;
            }
            Ok(true)
        })?
        .ok_or("nothing of the sound decodes")?;
    let columns = columns.min(buckets.len());
    let columns = (0..columns)
        .map(|at| {
            joined(&buckets[at * buckets.len() / columns..((at + 1) * buckets.len()).div_ceil(columns)])
        })
        .collect();
    Ok(Waveform { format, frames, columns })
}

fn joined(buckets: &[(f32, f32)]) -> (f32, f32) {
    buckets.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |all, one| (all.0.min(one.0), all.1.max(one.1)))
}
