//! AAC: what its configuration says, in mp4 and in ADTS frames.

use super::{AudioFacts, Probe, ProblemCode as Code, mpeg};
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

struct Bits<'a>(&'a [u8], usize);

impl Bits<'_> {
    fn take(&mut self, count: usize) -> Option<u32> {
        let mut value = 0;
        for _ in 0..count {
            let byte = self.0.get(self.1 / 8)?;
            value = value << 1 | u32::from(byte >> (7 - self.1 % 8) & 1);
            self.1 += 1;
        }
        Some(value)
    }
    fn object_type(&mut self) -> Option<u32> {
        match self.take(5)? {
            31 => Some(32 + self.take(6)?),
            other => Some(other),
        }
    }
    fn rate(&mut self) -> Option<u32> {
        match self.take(4)? {
            15 => self.take(24),
            index => RATES.get(index as usize).copied(),
        }
    }
}

/// `AudioSpecificConfig` (ISO 14496-3, 1.6.2.1): object type 5 or 29 says HE-AAC outright, a mark behind the rest says
/// it to those who look.
fn audio_specific(bytes: &[u8]) -> Option<Config> {
    let mut bits = Bits(bytes, 0);
    let mut object = bits.object_type()?;
    let mut rate = bits.rate();
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
        rate = bits.rate();
        object = bits.object_type()?;
    }
    if object == 2 && !spectral_band {
        // Frame length, core coder and extension flags, then the mark.
        bits.take(3)?;
        if bits.take(11) == Some(0x2b7) && bits.object_type() == Some(5) && bits.take(1) == Some(1) {
            spectral_band = true;
            rate = bits.rate().or(rate);
        }
    }
    Some(Config { codec: "aac", sample_rate: rate, channels, spectral_band })
}

/// ADTS: the frames are counted. A rate of 24 kHz and less may be half of what is meant: the headers cannot tell.
pub(super) fn adts(probe: &mut Probe, input: &Input) -> AudioFacts {
    let mut facts = AudioFacts { codec: Some("aac".to_owned()), ..AudioFacts::default() };
    let Ok(from) = input.open() else { return facts };
    let mut from = BufReader::new(from);
    mpeg::skip_tags(&mut from);
    let (mut frames, mut rate, mut whole) = (0_u64, 0_u32, true);
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
        if head[0] != 0xff || head[1] & 0xf6 != 0xf0 {
            probe.problem(Code::Undecodable, "something that is no AAC frame stands in the file");
            break;
        }
        let length = u64::from(head[3] & 3) << 11 | u64::from(head[4]) << 3 | u64::from(head[5]) >> 5;
        let body = length.saturating_sub(7);
        if std::io::copy(&mut from.by_ref().take(body), &mut std::io::sink()).unwrap_or(0) < body {
            whole = false;
            break;
        }
        if frames == 0 {
            rate = RATES.get(usize::from(head[2] >> 2 & 15)).copied().unwrap_or(0);
            facts.channels = Some(u32::from(head[2] & 1) << 2 | u32::from(head[3] >> 6)).filter(|n| *n > 0);
        }
        frames += u64::from(head[6] & 3) + 1;
    }
    if !whole {
        probe.problem(Code::Truncated, "the last frame of the sound is cut off");
    }
    if rate > 0 {
        facts.duration_ms = Some(frames * 1024 * 1000 / u64::from(rate));
        if rate > 24_000 {
            facts.sample_rate = Some(rate);
        } else {
            probe.problem(
                Code::HalfRate,
                "the sampling rate may be twice what is written: HE-AAC cannot be told apart",
            );
        }
    }
    facts
}
