//! Sound. What a container or the frames' headers say is taken from there; then as much is decoded as fits in a few
//! seconds, to see whether it does and whether it is as long as it was said to be.

use super::{AudioFacts, Probe, ProblemCode as Code, aac, iso, mpeg};
use crate::{sound::Sound, worker::Input};
use std::{
    io::{Read, Seek, SeekFrom},
    time::{Duration, Instant},
};

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
            let half = probe.problems.iter().any(|p| p.code == Code::HalfRate);
            if half || probe.has(Code::Truncated) { facts } else { decode(probe, input, facts) }
        }
        "wav" => wav(probe, input),
        "opus" => ogg(probe, input),
        "ogg" => {
            let facts = ogg(probe, input);
            if facts.codec.as_deref() == Some("speex") {
                probe.problem(Code::UnknownCodec, "Speex is not decoded here");
                facts
            } else {
                decode(probe, input, facts)
            }
        }
        "flac" => {
            let facts = flac(input);
            decode(probe, input, facts)
        }
        _ => decode(probe, input, AudioFacts::default()),
    };
    probe.audio = Some(facts);
}

/// Fills what is not known yet from the decoder, and compares what decodes with what was said.
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
            let why = format!("{} ms decode; the container says {said} ms", ms(frames));
            probe.problem(Code::LengthMismatch, &why);
            if ms(frames) < said {
                probe.problem(Code::Truncated, "the sound ends before the container says");
            }
            facts.duration_ms = Some(ms(frames));
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
    while from.seek(SeekFrom::Start(at)).is_ok() && from.read_exact(&mut head).is_ok() {
        let mut length = u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]]));
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

fn pcm(probe: &mut Probe, input: &Input, mut facts: AudioFacts, format: &[u8; 40], bytes: u64) -> AudioFacts {
    let le16 = |at: usize| u16::from_le_bytes([format[at], format[at + 1]]);
    // An extensible format names its codec in the first bytes of a GUID.
    let tag = if le16(0) == 0xfffe { le16(24) } else { le16(0) };
    let rate = u32::from_le_bytes([format[4], format[5], format[6], format[7]]);
    let frame = u64::from(le16(12));
    if !matches!(tag, 1 | 3 | 6 | 7) || rate == 0 || frame == 0 {
        return decode(probe, input, facts);
    }
    facts.codec = Some("pcm".to_owned());
    facts.sample_rate = Some(rate);
    facts.channels = Some(u32::from(le16(2)));
    let frames = bytes / frame;
    facts.duration_ms = Some((frames.saturating_mul(1000) + u64::from(rate) / 2) / u64::from(rate));
    facts.variable_bitrate = Some(false);
    facts
}

/// Ogg: codec, rate and channels from the first packet, the length from the last page's place (RFC 3533, RFC 7845).
fn ogg(probe: &mut Probe, input: &Input) -> AudioFacts {
    let mut facts = AudioFacts::default();
    let head = input.head(4096).unwrap_or_default();
    let le16 = |from: &[u8], at: usize| from.get(at..at + 2).map(|n| u16::from_le_bytes([n[0], n[1]]));
    let le32 =
        |from: &[u8], at: usize| from.get(at..at + 4).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]));
    let (mut serial, mut packet) = (None, &head[..0]);
    for (own, first) in first_packets(&head) {
        if first.starts_with(b"\x80theora") {
            probe
                .problem(Code::UnknownCodec, "the moving picture beside the sound (Theora) is not read here");
        } else if packet.is_empty() {
            (serial, packet) = (Some(own), first);
        }
    }
    let mut skip = 0;
    if packet.starts_with(b"OpusHead") {
        facts.codec = Some("opus".to_owned());
        facts.channels = packet.get(9).map(|n| u32::from(*n));
        facts.sample_rate = Some(48_000); // always (RFC 7845)
        skip = le16(packet, 10).unwrap_or(0);
        facts.encoder_delay = Some(u32::from(skip));
    } else if packet.starts_with(b"\x01vorbis") {
        facts.codec = Some("vorbis".to_owned());
        facts.channels = packet.get(11).map(|n| u32::from(*n));
        facts.sample_rate = le32(packet, 12);
        let rates = (le32(packet, 16), le32(packet, 20), le32(packet, 24));
        facts.variable_bitrate =
            Some(!matches!(rates, (Some(a), Some(b), Some(c)) if a == b && b == c && a > 0));
    } else if packet.starts_with(b"\x7fFLAC") {
        facts.codec = Some("flac".to_owned());
        // The head of FLAC (13 bytes in) and of its first block (4) stand before rate and channels.
        let info = packet.get(27..30).map(|n| u32::from(n[0]) << 16 | u32::from(n[1]) << 8 | u32::from(n[2]));
        facts.sample_rate = info.map(|info| info >> 4);
        facts.channels = info.map(|info| (info >> 1 & 7) + 1);
    } else if packet.starts_with(b"Speex   ") {
        facts.codec = Some("speex".to_owned());
        facts.sample_rate = le32(packet, 36);
        facts.channels = le32(packet, 48);
    }
    let Ok((end, finished)) = last_place(input, serial) else { return facts };
    if let (Some(rate), Some(end)) = (facts.sample_rate.filter(|rate| *rate > 0), end) {
        let frames = end.saturating_sub(u64::from(skip));
        facts.duration_ms = Some((frames.saturating_mul(1000) + u64::from(rate) / 2) / u64::from(rate));
    }
    if facts.codec.is_some() && !finished {
        probe.problem(Code::Truncated, "the last page of the sound is missing");
    }
    facts
}

/// The first packet of each stream, which says what it is: their pages stand before all others.
fn first_packets(head: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut at = 0_usize;
    std::iter::from_fn(move || {
        let page = head.get(at..)?;
        if !page.starts_with(b"OggS") || page.get(5)? & 2 == 0 {
            return None;
        }
        let segments = usize::from(*page.get(26)?);
        let length: usize = page.get(27..27 + segments)?.iter().map(|n| usize::from(*n)).sum();
        at += 27 + segments + length;
        let serial = u32::from_le_bytes([page[14], page[15], page[16], page[17]]);
        Some((serial, page.get(27 + segments..27 + segments + length)?))
    })
}

/// The place that the last page of a stream says, and whether that page says that it is the last.
fn last_place(input: &Input, serial: Option<u32>) -> Result<(Option<u64>, bool), String> {
    const TAIL: u64 = 256 << 10; // a page has at most 65,307 bytes
    let size = input.length()?;
    let mut from = input.open()?;
    from.seek(SeekFrom::Start(size.saturating_sub(TAIL))).map_err(|e| e.to_string())?;
    let mut tail = Vec::new();
    from.take(TAIL).read_to_end(&mut tail).map_err(|e| e.to_string())?;
    let (mut place, mut finished) = (None, false);
    for at in (0..tail.len().saturating_sub(26)).filter(|at| tail[*at..].starts_with(b"OggS")) {
        let page = &tail[at..];
        if Some(u32::from_le_bytes([page[14], page[15], page[16], page[17]])) != serial {
            continue;
        }
        let segments = page.get(27..27 + usize::from(page[26]));
        let body: Option<usize> = segments.map(|table| table.iter().map(|n| usize::from(*n)).sum());
        let whole = body.is_some_and(|body| page.len() >= 27 + usize::from(page[26]) + body);
        let mut number = [0_u8; 8];
        number.copy_from_slice(&page[6..14]);
        let at = u64::from_le_bytes(number);
        if whole && at != u64::MAX {
            place = Some(at);
            finished = page[5] & 4 > 0;
        }
    }
    Ok((place, finished))
}
