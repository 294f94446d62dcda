//! AVI: its main header and those of its streams.

use super::{
    AudioFacts, Probe, ProblemCode as Code, VideoFacts,
    timing::{self, Run},
    whole,
};
use crate::worker::Input;
use std::io::{Read, Seek, SeekFrom};

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]))
}

/// The chunks of a list, up to the first that is broken; a list's kind is its first four bytes.
fn chunks(mut body: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let kind = body.get(..4)?.try_into().ok()?;
        let size = le32(body, 4)? as usize;
        let inner = body.get(8..8_usize.checked_add(size)?)?;
        body = body.get(8 + size + (size & 1)..).unwrap_or_default();
        Some((kind, inner))
    })
}

pub(super) fn video(probe: &mut Probe, input: &Input) {
    let mut facts = VideoFacts::default();
    let head = input.head(1 << 20).unwrap_or_default();
    if let (Some(said), Ok(size)) = (le32(&head, 4), input.length())
        && u64::from(said) + 8 > size
    {
        probe.problem(Code::Truncated, "the file ends before the container says");
    }
    let lists = chunks(head.get(12..).unwrap_or_default());
    let Some(hdrl) =
        lists.filter(|(kind, _)| kind == b"LIST").find_map(|(_, body)| body.strip_prefix(b"hdrl"))
    else {
        probe.problem(Code::Undecodable, "the headers of the AVI are missing");
        probe.video = Some(facts);
        return;
    };
    let streams =
        chunks(hdrl).filter(|(kind, _)| kind == b"LIST").filter_map(|(_, body)| body.strip_prefix(b"strl"));
    for (number, stream) in streams.enumerate() {
        let part = |wanted: &[u8; 4]| chunks(stream).find(|(kind, _)| kind == wanted).map(|(_, body)| body);
        let (Some(strh), Some(strf)) = (part(b"strh"), part(b"strf")) else { continue };
        match strh.get(..4) {
            Some(b"vids") if facts.codec.is_none() => {
                let runs = shown(input, number).unwrap_or_default();
                picture(&mut facts, strh, strf, &runs);
            }
            Some(b"auds") => {
                facts.audio_tracks += 1;
                if probe.audio.is_none() {
                    probe.audio = Some(sound(strh, strf));
                }
            }
            _ => {}
        }
    }
    let picture = facts.codec.is_some();
    probe.video = Some(facts);
    if !picture {
        super::no_picture(probe);
    }
}

/// Frames as they show, from the index at the end (`idx1`): an empty chunk shows the frame before it once more. None
/// without an index.
fn shown(input: &Input, number: usize) -> Option<Vec<Run>> {
    let mut from = input.open().ok()?;
    let (length, mut at) = (input.length().ok()?, 12_u64);
    let mut head = [0_u8; 8];
    loop {
        if at + 8 > length {
            return None;
        }
        from.seek(SeekFrom::Start(at)).ok()?;
        from.read_exact(&mut head).ok()?;
        let size = u64::from(le32(&head, 4)?);
        if head.starts_with(b"idx1") {
            let mut index = Vec::new();
            from.take(size.min(256 << 20)).read_to_end(&mut index).ok()?;
            let mut runs: Vec<Run> = Vec::new();
            let [tens, ones] = format!("{number:02}").into_bytes()[..] else { return None };
            for entry in index.chunks_exact(16).filter(|entry| entry[..2] == [tens, ones] && entry[2] == b'd')
            {
                match runs.last_mut() {
                    Some((1, ticks)) if le32(entry, 12) == Some(0) => *ticks += 1,
                    _ => runs.push((1, 1)),
                }
            }
            return Some(runs);
        }
        at += 8 + size + (size & 1);
    }
}

/// A codec by its four letters.
pub(super) fn codec(name: &[u8]) -> String {
    match name.to_ascii_uppercase().as_slice() {
        b"H264" | b"AVC1" | b"X264" => "h264".to_owned(),
        b"XVID" | b"DIVX" | b"DX50" | b"FMP4" | b"MP4V" => "mpeg4".to_owned(),
        b"MJPG" => "mjpeg".to_owned(),
        other => String::from_utf8_lossy(other).trim_matches(['\0', ' ']).to_ascii_lowercase(),
    }
}

fn picture(facts: &mut VideoFacts, strh: &[u8], strf: &[u8], shown: &[Run]) {
    let name = strf.get(16..20).unwrap_or_default();
    facts.codec = Some(codec(name));
    facts.width = le32(strf, 4);
    facts.height = le32(strf, 8).map(|tall| tall.cast_signed().unsigned_abs());
    let (scale, rate) = (le32(strh, 20).unwrap_or(0), le32(strh, 24).unwrap_or(0));
    let frames = le32(strh, 32).map(u64::from).filter(|frames| *frames > 0);
    facts.frames = frames;
    if scale > 0 && rate > 0 {
        let fps = f64::from(rate) / f64::from(scale);
        facts.fps = Some(fps);
        facts.constant_frame_rate = Some(true);
        facts.duration_ms = frames.map(|frames| whole(frames as f64 / fps * 1000.0));
        if let Some(found) = timing::cadence(shown) {
            // Its clock counts frames, so that nothing is rounded.
            let even = shown.split_last().is_some_and(|(_, rest)| rest.iter().all(|(_, ticks)| *ticks == 1));
            (facts.frames, facts.constant_frame_rate) = (Some(found.frames), Some(even));
            facts.duration_ms = Some(whole(found.ticks as f64 / fps * 1000.0));
        }
        facts.start_ms = le32(strh, 28).map(|start| whole(f64::from(start) / fps * 1000.0));
    }
}

fn sound(strh: &[u8], strf: &[u8]) -> AudioFacts {
    let le16 = |at: usize| strf.get(at..at + 2).map(|n| u16::from_le_bytes([n[0], n[1]]));
    let codec = match le16(0) {
        Some(1 | 3 | 6 | 7) => "pcm",
        Some(0x55) => "mp3",
        Some(0x50) => "mp2",
        Some(0xff | 0x1610) => "aac",
        Some(0x2000) => "ac3",
        _ => "unknown",
    };
    let (scale, rate, length) = (le32(strh, 20), le32(strh, 24), le32(strh, 32));
    let length = length.zip(scale).zip(rate).filter(|((length, _), rate)| *rate > 0 && *length > 0);
    AudioFacts {
        codec: Some(codec.to_owned()),
        channels: le16(2).map(u32::from),
        sample_rate: le32(strf, 4),
        duration_ms: length
            .map(|((length, scale), rate)| u64::from(length) * u64::from(scale) * 1000 / u64::from(rate)),
        ..AudioFacts::default()
    }
}
