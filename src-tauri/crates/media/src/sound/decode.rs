//! Opening, seeking and decoding.
//!
//! HE-AAC is refused: symphonia decodes it at half its sampling rate without an error. So is AAC at 24 kHz and less
//! without a container, whose headers cannot tell.
//!
//! A packet that does not decode counts as silence of its length, so that what follows keeps its place: seeking and
//! decoding from the start then agree on every frame.

use super::{SoundFormat, edits};
use crate::worker::{Input, ReadSeek};
use serde::{Deserialize, Serialize};
use symphonia::core::{
    audio::{AudioBufferRef, SampleBuffer},
    codecs::{
        CODEC_TYPE_AAC, CODEC_TYPE_MP1, CODEC_TYPE_MP2, CODEC_TYPE_MP3, CODEC_TYPE_NULL, CODEC_TYPE_VORBIS,
        CodecType, Decoder, DecoderOptions,
    },
    errors::{Error, SeekErrorKind},
    formats::{FormatOptions, FormatReader, SeekMode, SeekTo, Track},
    io::{MediaSource, MediaSourceStream, MediaSourceStreamOptions},
    meta::MetadataOptions,
    probe::Hint,
    units::TimeBase,
};

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

/// What comes before samples.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Head {
    /// What the sound is.
    pub(crate) format: SoundFormat,
    /// How many frames the container promises.
    pub(crate) promised: Option<u64>,
}

/// A sound that is open for decoding.
pub(crate) struct Sound {
    reader: Box<dyn FormatReader>,
    decoder: Box<dyn Decoder>,
    track: u32,
    codec_type: CodecType,
    /// Does the container count in frames, so that a packet's time is its exact place?
    exact: bool,
    /// Frames that the container says to skip before the first that is heard.
    skipped: u64,
    /// What the container says that the sound is, where it does.
    declared: Option<SoundFormat>,
    /// The place of the next decoded frame, counted with `skipped`.
    at: u64,
    /// How many frames the container promises.
    pub(crate) promised: Option<u64>,
    /// Its codec's short name.
    pub(crate) codec: String,
    /// Packets that did not decode; silence stands for them.
    pub(crate) broken: u64,
    silence: Vec<f32>,
}

/// Opens what holds the sound; `gapless` leaves out what the encoder added.
fn reader(input: &Input, gapless: bool) -> Result<Box<dyn FormatReader>, String> {
    let source = Source(input.open()?, input.length().ok());
    let stream = MediaSourceStream::new(Box::new(source), MediaSourceStreamOptions::default());
    let options = FormatOptions { enable_gapless: gapless, ..FormatOptions::default() };
    symphonia::default::get_probe()
        .format(&Hint::default(), stream, &options, &MetadataOptions::default())
        .map(|probed| probed.format)
        .map_err(|e| format!("no sound can be read: {e}"))
}

/// The first sound in it.
fn track(reader: &dyn FormatReader) -> Result<&Track, String> {
    let sounds = |t: &&Track| t.codec_params.codec != CODEC_TYPE_NULL && t.codec_params.sample_rate.is_some();
    let found = reader.tracks().iter().find(sounds);
    found.ok_or_else(|| "the file holds no sound that can be decoded here".to_owned())
}

/// What one packet gave.
enum Step {
    /// It is in the decoder.
    Decoded,
    /// It did not decode; so many frames are missing.
    Broken(u64),
    End,
}

impl Sound {
    pub(crate) fn open(input: &Input) -> Result<Self, String> {
        let mut reader = reader(input, true)?;
        // Where no encoder says what it added, symphonia cuts at a length that it guesses from the first frames.
        let params = &track(&*reader)?.codec_params;
        let guessed = matches!(params.codec, CODEC_TYPE_MP1 | CODEC_TYPE_MP2 | CODEC_TYPE_MP3)
            && params.delay.is_none()
            && params.padding.is_none();
        if guessed {
            reader = self::reader(input, false)?;
        }
        let track = track(&*reader)?;
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
        let rate = params.sample_rate.unwrap_or(0);
        let skipped = edits::skipped_frames(input, rate);
        Ok(Self {
            track: track.id,
            reader,
            decoder,
            codec_type: params.codec,
            exact: params.time_base.is_none_or(|base| base == TimeBase::new(1, rate)),
            skipped,
            declared: params.channels.and_then(|channels| {
                Some(SoundFormat { sample_rate: rate, channels: u16::try_from(channels.count()).ok()? })
            }),
            at: 0,
            promised: params.n_frames.map(|frames| frames.saturating_sub(skipped)),
            codec,
            broken: 0,
            silence: Vec::new(),
        })
    }

    /// What the container says that the sound is.
    pub(crate) fn format(&self) -> Result<SoundFormat, String> {
        self.declared.ok_or_else(|| "nothing of the sound decodes".to_owned())
    }

    /// Can a place in it be reached without decoding everything before?
    pub(crate) fn is_seekable(&self) -> bool {
        self.exact && self.promised.is_some()
    }

    /// Is it uncompressed, so that a place is reached in no time?
    pub(crate) fn is_pcm(&self) -> bool {
        self.codec.starts_with("pcm")
    }

    /// Moves so that the next decoded frames hold `frame`, with what the codec needs to decode it as it would have
    /// come from the start. Frames before it may still come first. Behind the end is no error: nothing comes then.
    pub(crate) fn seek(&mut self, frame: u64) -> Result<(), String> {
        self.seek_before(frame, runway(self.codec_type))
    }

    /// [`Self::seek`] with `runway` frames for the decoder to settle.
    pub(crate) fn seek_before(&mut self, frame: u64, runway: u64) -> Result<(), String> {
        let wanted = frame + self.skipped;
        let ts = if self.exact { wanted.saturating_sub(runway) } else { 0 };
        // A place that lies just ahead is reached by decoding on.
        if wanted >= self.at && wanted - self.at <= runway {
            return Ok(());
        }
        match self.reader.seek(SeekMode::Accurate, SeekTo::TimeStamp { ts, track_id: self.track }) {
            Ok(reached) => {
                self.at = if self.exact { reached.actual_ts } else { 0 };
                self.decoder.reset();
                Ok(())
            }
            // Behind the end: everything that comes lies before the wanted frame and is passed over.
            Err(Error::SeekError(SeekErrorKind::OutOfRange) | Error::IoError(_)) => {
                self.at = u64::MAX;
                Ok(())
            }
            Err(e) => Err(format!("the sound cannot be sought in: {e}")),
        }
    }

    fn step(&mut self, any: bool) -> Result<Step, String> {
        if self.at == u64::MAX {
            return Ok(Step::End);
        }
        loop {
            let packet = match self.reader.next_packet() {
                Ok(packet) if packet.track_id() == self.track => packet,
                Ok(_) => continue,
                // The end of a file, whole or cut, is an error of reading here.
                Err(Error::IoError(_) | Error::ResetRequired) => return Ok(Step::End),
                Err(_) if any => return Ok(Step::End),
                Err(e) => return Err(format!("the sound is broken: {e}")),
            };
            if self.exact && packet.dur() > 0 {
                self.at = packet.ts();
            }
            match self.decoder.decode(&packet) {
                Ok(_) => return Ok(Step::Decoded),
                Err(Error::DecodeError(_) | Error::IoError(_)) => {
                    self.broken += 1;
                    let missing = if self.exact { packet.dur() } else { 0 };
                    if missing > 0 {
                        return Ok(Step::Broken(missing));
                    }
                }
                Err(e) => return Err(format!("the sound cannot be decoded: {e}")),
            }
        }
    }

    /// Decodes on, and hands each packet's planes, with the place of its first frame, to `take` until it says `false` or
    /// the sound ends. What the container says to skip is not handed on; a packet that it cuts comes with how many
    /// frames of it to leave out.
    pub(crate) fn decode_planes(
        &mut self,
        mut take: impl FnMut(SoundFormat, u64, usize, &Planes<'_>) -> Result<bool, String>,
    ) -> Result<Option<SoundFormat>, String> {
        let mut found: Option<SoundFormat> = None;
        loop {
            let step = self.step(found.is_some())?;
            let silence;
            let (planes, format) = match step {
                Step::End => return Ok(found),
                Step::Broken(missing) => {
                    let Some(format) = found.or(self.declared) else { continue };
                    silence = usize::try_from(missing).unwrap_or(0).min(1 << 20);
                    self.silence.resize(silence, 0.0);
                    (Planes::Silence(&self.silence[..silence], format.channels), format)
                }
                Step::Decoded => {
                    let decoded = self.decoder.last_decoded();
                    let spec = *decoded.spec();
                    let channels = u16::try_from(spec.channels.count()).map_err(|e| e.to_string())?;
                    (Planes::Decoded(decoded), SoundFormat { sample_rate: spec.rate, channels })
                }
            };
            if found.is_some_and(|before| before != format) {
                return Err("the rate or the channels change within the sound".to_owned());
            }
            found = Some(format);
            let frames = planes.frames();
            let begins = self.at;
            let next = begins + frames as u64;
            let leave_out =
                usize::try_from(self.skipped.saturating_sub(begins)).unwrap_or(usize::MAX).min(frames);
            let go_on = leave_out == frames
                || take(format, (begins + leave_out as u64) - self.skipped, leave_out, &planes)?;
            drop(planes);
            self.at = next;
            if !go_on {
                return Ok(found);
            }
        }
    }

    /// [`Self::decode_planes`] with the samples of all channels interleaved.
    pub(crate) fn decode_at(
        &mut self,
        mut take: impl FnMut(SoundFormat, u64, &[f32]) -> Result<bool, String>,
    ) -> Result<Option<SoundFormat>, String> {
        let mut buffer: Option<SampleBuffer<f32>> = None;
        let mut silence = Vec::new();
        self.decode_planes(|format, at, leave_out, planes| {
            let left_out = leave_out * usize::from(format.channels);
            match planes {
                Planes::Silence(plane, channels) => {
                    silence.resize(plane.len() * usize::from(*channels), 0.0);
                    take(format, at, &silence[left_out..])
                }
                Planes::Decoded(decoded) => {
                    let wanted = decoded.capacity() * usize::from(format.channels);
                    let buffer = match &mut buffer {
                        Some(buffer) if buffer.capacity() >= wanted => buffer,
                        other => other.insert(SampleBuffer::new(decoded.capacity() as u64, *decoded.spec())),
                    };
                    buffer.copy_interleaved_ref(decoded.clone());
                    take(format, at, &buffer.samples()[left_out..])
                }
            }
        })
    }

    /// [`Self::decode_at`] without the place.
    pub(crate) fn decode(
        &mut self,
        mut take: impl FnMut(SoundFormat, &[f32]) -> Result<bool, String>,
    ) -> Result<Option<SoundFormat>, String> {
        self.decode_at(|format, _, samples| take(format, samples))
    }
}

/// The samples of one packet, channel by channel.
pub(crate) enum Planes<'a> {
    Decoded(AudioBufferRef<'a>),
    /// For a packet that did not decode: the same plane for each channel.
    Silence(&'a [f32], u16),
}

impl Planes<'_> {
    pub(crate) fn frames(&self) -> usize {
        match self {
            Self::Decoded(decoded) => decoded.frames(),
            Self::Silence(plane, _) => plane.len(),
        }
    }
}

/// How many frames before a place a decoder must begin to give the same samples as from the start.
fn runway(codec: CodecType) -> u64 {
    match codec {
        // The bit reservoir reaches back 511 bytes, at the smallest rates over several frames; and the filters overlap.
        CODEC_TYPE_MP1 | CODEC_TYPE_MP2 | CODEC_TYPE_MP3 => 12 * 1152,
        // Blocks overlap by half; the longest has 8192 frames.
        CODEC_TYPE_VORBIS => 2 * 8192,
        CODEC_TYPE_AAC => 4 * 1024,
        // PCM and FLAC: a packet needs none before it.
        _ => 0,
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
