//! AAC: what its configuration says, in mp4 and in ADTS frames.

use super::{AudioFacts, Probe, ProblemCode as Code, bits::Bits, mpeg};
use crate::worker::Input;
use std::io::{BufReader, Read};

const RATES: [u32; 13] =
    [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];

/// What an elementary stream of MPEG-4 says of itself.
pub(super) struct Config {
    pub(super) codec: &'static str,
    /// Of the sound that comes out, in hertz.
    pub(super) sample_rate: Option<u32>,
    pub(super) channels: Option<u32>,
    /// HE-AAC: half of the spectrum is made up by the decoder, at twice the rate of the rest.
    pub(super) spectral_band: bool,
}

/// The configuration in the body of an `esds` box (ISO 14496-1, 7.2.6).
pub(super) fn config_in_esds(esds: &[u8]) -> Option<Config> {
    let (kind, body) = descriptor(esds.get(4..)?)?;
    let decoder = match kind {
        3 => {
            let flags = *body.get(2)?;
            let skip = 3
                + if flags & 0x80 > 0 { 2 } else { 0 }
                + if flags & 0x40 > 0 { usize::from(*body.get(3)?) + 1 } else { 0 }
                + if flags & 0x20 > 0 { 2 } else { 0 };
            descriptor(body.get(skip..)?)?.1
        }
        4 => body,
        _ => return None,
    };
    match decoder.first()? {
        0x40 | 0x66..=0x68 => {}
        0x69 | 0x6b => {
            return Some(Config { codec: "mp3", sample_rate: None, channels: None, spectral_band: false });
        }
        _ => return None,
    }
    let (_, specific) = descriptor(decoder.get(13..)?)?;
    audio_specific(specific)
}

/// One descriptor: its tag and body.
fn descriptor(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let (mut length, mut at) = (0_usize, 1);
    loop {
        let byte = *bytes.get(at)?;
        length = length << 7 | usize::from(byte & 0x7f);
        at += 1;
        if byte & 0x80 == 0 || at > 4 {
            break;
        }
    }
    // A body that is cut is read as far as it goes.
    let end = at.checked_add(length)?.min(bytes.len());
    Some((*bytes.first()?, bytes.get(at..end)?))
}

/// What kind of object it is.
fn object_type(bits: &mut Bits<'_>) -> Option<u32> {
    match bits.take(5)? {
        31 => Some(32 + bits.take(6)?),
        other => Some(other),
    }
}

fn rate(bits: &mut Bits<'_>) -> Option<u32> {
    match bits.take(4)? {
        15 => bits.take(24),
        index => RATES.get(index as usize).copied(),
    }
}

/// `AudioSpecificConfig` (ISO 14496-3, 1.6.2.1): object type 5 or 29 says HE-AAC outright, a mark behind the rest says
/// it to those who look.
fn audio_specific(bytes: &[u8]) -> Option<Config> {
    let mut bits = Bits(bytes, 0);
    let mut object = object_type(&mut bits)?;
    let mut sample_rate = rate(&mut bits);
    let layout = bits.take(4)?;
    let mut channels = match layout {
        1..=6 => Some(layout),
        7 => Some(8),
        _ => None,
    };
    let mut spectral_band = false;
    if matches!(object, 5 | 29) {
        spectral_band = true;
        if object == 29 {
            channels = Some(2); // parametric stereo
        }
        sample_rate = rate(&mut bits);
        object = object_type(&mut bits)?;
    }
    if object == 2 && !spectral_band {
        // Frame length, core coder and extension flags, then the mark.
        bits.take(3)?;
        if bits.take(11) == Some(0x2b7) && object_type(&mut bits) == Some(5) && bits.take(1) == Some(1) {
            spectral_band = true;
            sample_rate = rate(&mut bits).or(sample_rate);
        }
    }
    Some(Config { codec: "aac", sample_rate, channels, spectral_band })
}

/// The head of a frame of ADTS.
pub(super) struct AdtsHead {
    /// In bytes, with the head.
    pub(super) length: usize,
    pub(super) samples: u64,
    pub(super) sample_rate: u32,
    /// None where the frame's body says it.
    pub(super) channels: Option<u32>,
}

/// The head in the first seven bytes of a frame (ISO 13818-7, 6.2).
pub(super) fn adts_head(bytes: &[u8]) -> Option<AdtsHead> {
    let head = bytes.get(..7)?;
    if head[0] != 0xff || head[1] & 0xf6 != 0xf0 {
        return None;
    }
    let length = usize::from(head[3] & 3) << 11 | usize::from(head[4]) << 3 | usize::from(head[5]) >> 5;
    Some(AdtsHead {
        length: Some(length).filter(|length| *length >= 7)?,
        samples: 1024 * (u64::from(head[6] & 3) + 1),
        sample_rate: *RATES.get(usize::from(head[2] >> 2 & 15))?,
        channels: Some(u32::from(head[2] & 1) << 2 | u32::from(head[3] >> 6)).filter(|n| *n > 0),
    })
}

/// The rate by what the heads of the frames say: 24 kHz and less may be half of what is meant, which they cannot tell.
pub(super) fn whole_rate(probe: &mut Probe, rate: u32) -> Option<u32> {
    if rate <= 24_000 {
        probe.problem(
            Code::HalfRate,
            "the sampling rate may be twice what is written: HE-AAC cannot be told apart",
        );
    }
    Some(rate).filter(|rate| *rate > 24_000)
}

/// ADTS: the frames are counted.
pub(super) fn adts(probe: &mut Probe, input: &Input) -> AudioFacts {
    let mut facts = AudioFacts { codec: Some("aac".to_owned()), ..AudioFacts::default() };
    let Ok(from) = input.open() else { return facts };
    let mut from = BufReader::new(from);
    mpeg::skip_tags(&mut from);
    let (mut samples, mut rate, mut whole) = (0_u64, 0_u32, true);
    loop {
        let mut head = [0_u8; 7];
        match from.read(&mut head[..1]) {
            Ok(1) => {}
            _ => break,
        }
        if from.read_exact(&mut head[1..]).is_err() {
            whole = false;
            break;
        }
        let Some(frame) = adts_head(&head) else {
            if [&b"TAG"[..], b"APETAGE", b"ID3"].iter().any(|tag| head.starts_with(tag)) {
                break; // tags behind the sound
            }
            probe.problem(Code::Undecodable, "something that is no AAC frame stands in the file");
            break;
        };
        let body = frame.length as u64 - 7;
        if std::io::copy(&mut from.by_ref().take(body), &mut std::io::sink()).unwrap_or(0) < body {
            whole = false;
            break;
        }
        if samples == 0 {
            (rate, facts.channels) = (frame.sample_rate, frame.channels);
        }
        samples += frame.samples;
    }
    if !whole {
        probe.problem(Code::Truncated, "the last frame of the sound is cut off");
    }
    if rate > 0 {
        facts.duration_ms = Some(samples * 1000 / u64::from(rate));
        facts.sample_rate = whole_rate(probe, rate);
    }
    facts
}
