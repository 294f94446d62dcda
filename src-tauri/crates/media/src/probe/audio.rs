//! Sound. What a container or the frames' headers say is taken from there; then as much is decoded as fits in a few
//! seconds, to see whether it does and whether it is as long as it was said to be.

use super::{AudioFacts, Kind, Probe, ProblemCode as Code, aac, iso, mpeg, ogg};
use crate::{sound::Sound, worker::Input};
use std::{
    io::{Read, Seek, SeekFrom},
    time::{Duration, Instant},
};

/// What decodes here in boxes; the web view plays some others too, Opus among them.
const DECODED_HERE: [&str; 6] = ["aac", "alac", "flac", "mp3", "pcm", "vorbis"];

/// How long is decoded at most. A longer sound is as long as its headers say, and nothing is claimed beyond that.
const PATIENCE: Duration = Duration::from_secs(4);

pub(super) fn audio(probe: &mut Probe, input: &Input) {
    let facts = match probe.format.as_str() {
        "mp3" => {
            let facts = mpeg::mpeg(probe, input);
            decode(probe, input, facts)
        }
        "aac" => aac::adts(probe, input),
        "m4a" => {
            let facts = iso::audio(probe, input).unwrap_or_default();
            let elsewhere = facts.codec.as_deref().is_some_and(|codec| !DECODED_HERE.contains(&codec));
            if elsewhere {
                if facts.codec.as_deref() != Some("opus") {
                    let why = format!("{} is not decoded here", facts.codec.as_deref().unwrap_or_default());
                    probe.problem(Code::UnknownCodec, &why);
                }
                facts
            } else if probe.has(Code::HalfRate) || probe.has(Code::Truncated) {
                facts
            } else {
                decode(probe, input, facts)
            }
        }
        "wav" => wav(probe, input),
        "opus" => ogg::ogg(probe, input).unwrap_or_default(),
        "ogg" => match ogg::ogg(probe, input) {
            // A picture without sound.
            None if probe.kind == Kind::Video => return,
            Some(facts) if facts.codec.as_deref() == Some("speex") => {
                probe.problem(Code::UnknownCodec, "Speex is not decoded here");
                facts
            }
            facts => decode(probe, input, facts.unwrap_or_default()),
        },
        "flac" => {
            let facts = flac(input);
            decode(probe, input, facts)
        }
        _ => decode(probe, input, AudioFacts::default()),
    };
    probe.audio = Some(facts);
}

/// Fills what is not known yet from the decoder, and compares what decodes with what was said. Of files that were joined the
/// decoder gives the first: they are as long as all of them, which was told already.
fn decode(probe: &mut Probe, input: &Input, mut facts: AudioFacts) -> AudioFacts {
    if probe.heads_only {
        return facts;
    }
    let mut sound = match Sound::open(input) {
        Ok(sound) => sound,
        Err(why) => {
            probe.problem(Code::Undecodable, &why);
            return facts;
        }
    };
    let codec = if sound.codec.starts_with("pcm") { "pcm".to_owned() } else { sound.codec.clone() };
    facts.codec.get_or_insert(codec);
    let (began, mut samples, mut all) = (Instant::now(), 0_u64, true);
    let decoded = sound.decode(|_, part| {
        samples += part.len() as u64;
        all = began.elapsed() < PATIENCE;
        Ok(all)
    });
    let format = match decoded {
        Ok(Some(format)) => format,
        Ok(None) => {
            probe.problem(Code::Undecodable, "nothing of the sound decodes");
            return facts;
        }
        Err(why) => {
            probe.problem(Code::Undecodable, &why);
            return facts;
        }
    };
    facts.sample_rate.get_or_insert(format.sample_rate);
    facts.channels.get_or_insert(u32::from(format.channels));
    let rate = u64::from(format.sample_rate.max(1));
    let frames = samples / u64::from(format.channels.max(1));
    let ms = |frames: u64| frames.saturating_mul(1000).saturating_add(rate / 2) / rate;
    let said = facts.duration_ms.or_else(|| sound.promised.map(ms));
    if all {
        if let Some(said) = said
            && said.abs_diff(ms(frames)) > 200
        {
            let joined = ms(frames) < said && probe.has(Code::LengthMismatch) && !probe.has(Code::Truncated);
            let why = format!("{} ms decode; the container says {said} ms", ms(frames));
            probe.problem(Code::LengthMismatch, &why);
            if !joined {
                if ms(frames) < said {
                    probe.problem(Code::Truncated, "the sound ends before the container says");
                }
                facts.duration_ms = Some(ms(frames));
            }
        }
        facts.duration_ms.get_or_insert(ms(frames));
    } else {
        facts.duration_ms = said;
        if said.is_none() {
            probe.problem(
                Code::Limit,
                "the sound is too long to be decoded for its length, which nothing else says",
            );
        }
    }
    if sound.broken > 0 {
        probe.problem(Code::Undecodable, &format!("{} packets do not decode", sound.broken));
    }
    facts
}

/// What the head of a FLAC says (RFC 9639, 8.2), however broken the blocks after it are.
fn flac(input: &Input) -> AudioFacts {
    let mut head = Vec::new();
    if let Ok(mut from) = input.open() {
        mpeg::skip_tags(&mut from);
        let _ = from.take(42).read_to_end(&mut head);
    }
    let info = head.get(8..42).filter(|_| head.get(4).is_some_and(|kind| kind.trailing_zeros() >= 7));
    let Some(info) = info else { return AudioFacts::default() };
    let number = |bytes: &[u8]| bytes.iter().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
    let packed = number(&info[10..18]);
    let (rate, channels, frames) = (packed >> 44, (packed >> 41 & 7) + 1, packed & 0xf_ffff_ffff);
    if rate == 0 {
        return AudioFacts::default();
    }
    AudioFacts {
        codec: Some("flac".to_owned()),
        sample_rate: u32::try_from(rate).ok(),
        channels: u32::try_from(channels).ok(),
        // 0 stands for a length that was not known when the file was written.
        duration_ms: (frames > 0).then(|| (frames * 1000 + rate / 2) / rate),
        ..AudioFacts::default()
    }
}

/// RIFF: the length of PCM is that of its data. Other codecs in it are decoded.
fn wav(probe: &mut Probe, input: &Input) -> AudioFacts {
    let mut facts = AudioFacts::default();
    let Ok((mut from, size)) = input.open().and_then(|from| Ok((from, input.length()?))) else {
        return facts;
    };
    let (mut at, mut format, mut long) = (12_u64, None, None);
    let mut head = [0_u8; 8];
    let said = from.read_exact(&mut head).ok().map(|()| le32(head, 4));
    while from.seek(SeekFrom::Start(at)).is_ok() && from.read_exact(&mut head).is_ok() {
        let mut length = u64::from(le32(head, 4));
        let mut body = [0_u8; 40];
        match &head[..4] {
            b"fmt " => {
                let kept = usize::try_from(length).unwrap_or(40).min(40);
                if from.read_exact(&mut body[..kept]).is_ok() && kept >= 16 {
                    format = Some(body);
                }
            }
            b"ds64" => {
                let end =
                    if from.read_exact(&mut body[..16]).is_ok() { body[8..16].try_into().ok() } else { None };
                long = end.map(u64::from_le_bytes);
            }
            b"data" => {
                // A program that writes into a pipe does not know the length and leaves all bits set.
                let unknown = length == u64::from(u32::MAX);
                length = long.filter(|_| unknown).unwrap_or(length);
                let here = size.saturating_sub(at + 8);
                let streamed = unknown && long.is_none();
                // One that was ended before it came back to write the lengths leaves them 0.
                if length == 0 && here > 0 && said == Some(0) {
                    length = here;
                    probe.problem(Code::LengthMismatch, "the file says that no sound is in it, and there is");
                }
                if length > here && !streamed {
                    probe.problem(Code::Truncated, "the file ends before the sound does");
                    probe.problem(
                        Code::LengthMismatch,
                        &format!("{here} bytes of sound are there; the container says {length}"),
                    );
                }
                return match format {
                    Some(format) => pcm(probe, input, facts, &format, length.min(here)),
                    None => decode(probe, input, facts),
                };
            }
            _ => {}
        }
        at = at.saturating_add(8).saturating_add(length).saturating_add(length & 1);
    }
    probe.problem(Code::Truncated, "the file ends before its sound begins");
    if let Some(format) = format {
        facts = pcm(probe, input, facts, &format, 0);
    }
    facts
}

fn le32(bytes: [u8; 8], at: usize) -> u32 {
    bytes[at..].iter().take(4).rev().fold(0, |all, byte| all << 8 | u32::from(*byte))
}

/// Codecs of RIFF that are no PCM, by the numbers that Microsoft gave them.
fn coded(tag: u16) -> Option<&'static str> {
    Some(match tag {
        0x02 => "adpcm_ms",
        0x11 => "adpcm_ima_wav",
        0x31 => "gsm_ms",
        0x50 => "mp2",
        0x55 => "mp3",
        0xff | 0x1610 => "aac",
        0x161 => "wmav2",
        0x2000 => "ac3",
        _ => return None,
    })
}

fn pcm(probe: &mut Probe, input: &Input, mut facts: AudioFacts, format: &[u8; 40], bytes: u64) -> AudioFacts {
    let le16 = |at: usize| u16::from_le_bytes([format[at], format[at + 1]]);
    // An extensible format names its codec in the first bytes of a GUID.
    let tag = if le16(0) == 0xfffe { le16(24) } else { le16(0) };
    let rate = u32::from_le_bytes([format[4], format[5], format[6], format[7]]);
    let (channels, frame) = (u32::from(le16(2)), u64::from(le16(12)));
    facts.sample_rate = Some(rate).filter(|rate| *rate > 0);
    facts.channels = Some(channels).filter(|channels| *channels > 0);
    if !matches!(tag, 1 | 3 | 6 | 7) || rate == 0 || frame == 0 {
        facts.codec = coded(tag).map(str::to_owned);
        let mut facts = decode(probe, input, facts);
        // What does not decode here lasts as long as its head says.
        let each = u64::from(u32::from_le_bytes([format[8], format[9], format[10], format[11]]));
        if facts.duration_ms.is_none() && coded(tag).is_some() && each > 0 {
            facts.duration_ms = Some(bytes.saturating_mul(1000) / each);
        }
        return facts;
    }
    facts.codec = Some("pcm".to_owned());
    let frames = bytes / frame;
    facts.duration_ms = Some((frames.saturating_mul(1000) + u64::from(rate) / 2) / u64::from(rate));
    facts.variable_bitrate = Some(false);
    facts
}
