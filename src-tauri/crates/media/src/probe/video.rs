//! Containers of moving pictures: the boxes of ISO media are read by a parser of our own; the rest of what a player
//! needs comes from the player.

use super::{Probe, ProblemCode as Code, VideoFacts};
use crate::worker::Input;
use std::io::{Read, Seek, SeekFrom};

const MOOV: u64 = 128 << 20;

pub(super) fn video(probe: &mut Probe, input: &Input) {
    if probe.format == "webm" || probe.format == "mkv" {
        probe.problem(Code::UnknownCodec, "the tracks of Matroska are not read yet");
        probe.video = Some(unknown());
        return;
    }
    let moov = match moov(probe, input) {
        Ok(Some(moov)) => moov,
        Ok(None) => {
            probe.problem(Code::Truncated, "the index of the video (moov) is missing");
            probe.problem(Code::Undecodable, "without its index nothing plays");
            probe.video = Some(unknown());
            return;
        }
        Err(why) => {
            probe.problem(Code::Undecodable, &why);
            probe.video = Some(unknown());
            return;
        }
    };
    let mut facts = None;
    let mut audio_tracks = 0;
    for trak in boxes(&moov).filter(|(kind, _)| kind == b"trak").map(|(_, body)| body) {
        match inside(trak, &[b"mdia", b"hdlr"]).and_then(|hdlr| hdlr.get(8..12)) {
            Some(b"soun") => audio_tracks += 1,
            Some(b"vide") if facts.is_none() => facts = track(trak),
            _ => {}
        }
    }
    if facts.is_none() {
        probe.problem(Code::Undecodable, "the file holds no video track");
    }
    let mut facts = facts.unwrap_or_else(unknown);
    facts.audio_tracks = audio_tracks;
    probe.video = Some(facts);
}

fn unknown() -> VideoFacts {
    VideoFacts {
        codec: None,
        width: None,
        height: None,
        rotation: 0,
        fps: None,
        constant_frame_rate: None,
        frames: None,
        duration_ms: None,
        start_ms: None,
        audio_tracks: 0,
    }
}

/// The body of the `moov` box; notes a last box that ends behind the file.
fn moov(probe: &mut Probe, input: &Input) -> Result<Option<Vec<u8>>, String> {
    let bad = |e: std::io::Error| format!("cannot read the file: {e}");
    let mut from = input.open()?;
    let (length, mut at, mut found) = (input.length()?, 0_u64, None);
    while at + 8 <= length {
        from.seek(SeekFrom::Start(at)).map_err(bad)?;
        let mut head = [0_u8; 16];
        from.read_exact(&mut head[..8]).map_err(bad)?;
        let (size, body) = match u64::from(be32(&head, 0).unwrap_or(0)) {
            0 => (length - at, 8),
            1 if at + 16 <= length => {
                from.read_exact(&mut head[8..]).map_err(bad)?;
                let low = u64::from(be32(&head, 12).unwrap_or(0));
                (u64::from(be32(&head, 8).unwrap_or(0)) << 32 | low, 16)
            }
            size => (size, 8),
        };
        if size < body || at.saturating_add(size) > length {
            probe.problem(Code::Truncated, "the file ends before the container says");
            break;
        }
        if &head[4..8] == b"moov" && size < MOOV {
            let mut bytes = Vec::new();
            from.by_ref().take(size - body).read_to_end(&mut bytes).map_err(bad)?;
            found = Some(bytes);
        }
        at += size;
    }
    Ok(found)
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?).map(|n| u32::from_be_bytes([n[0], n[1], n[2], n[3]]))
}

/// The boxes in a body, up to the first that is broken.
fn boxes(mut body: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let size = be32(body, 0)? as usize;
        let kind = body.get(4..8)?.try_into().ok()?;
        let inner = body.get(8..size.max(8))?;
        body = body.get(size.max(8)..)?;
        Some((kind, inner))
    })
}

fn inside<'a>(body: &'a [u8], path: &[&[u8; 4]]) -> Option<&'a [u8]> {
    path.iter()
        .try_fold(body, |body, wanted| boxes(body).find(|(kind, _)| kind == *wanted).map(|(_, inner)| inner))
}

fn track(trak: &[u8]) -> Option<VideoFacts> {
    let mut facts = unknown();
    let mdhd = inside(trak, &[b"mdia", b"mdhd"])?;
    let (scale, duration) = if mdhd.first() == Some(&1) {
        (be32(mdhd, 20)?, u64::from(be32(mdhd, 24)?) << 32 | u64::from(be32(mdhd, 28)?))
    } else {
        (be32(mdhd, 12)?, u64::from(be32(mdhd, 16)?))
    };
    let stbl = inside(trak, &[b"mdia", b"minf", b"stbl"])?;
    let stsd = inside(stbl, &[b"stsd"])?;
    let entry = stsd.get(8..)?;
    let name = entry.get(4..8)?;
    facts.codec = Some(match name {
        b"avc1" | b"avc3" => "h264".to_owned(),
        b"hvc1" | b"hev1" => "hevc".to_owned(),
        b"av01" => "av1".to_owned(),
        b"vp09" => "vp9".to_owned(),
        b"vp08" => "vp8".to_owned(),
        b"mp4v" => "mpeg4".to_owned(),
        other => String::from_utf8_lossy(other).trim().to_owned(),
    });
    // SampleEntry (8 of head, 8) and 16 bytes of VisualSampleEntry stand before the size.
    let size = be32(entry, 32)?;
    (facts.width, facts.height) = (Some(size >> 16), Some(size & 0xffff));
    facts.rotation = inside(trak, &[b"tkhd"]).and_then(rotation).unwrap_or(0);
    let stts = inside(stbl, &[b"stts"])?;
    let entries = stts.get(8..)?.chunks_exact(8).map(|e| (be32(e, 0).unwrap_or(0), be32(e, 4).unwrap_or(0)));
    let all: Vec<(u32, u32)> = entries.take(be32(stts, 4)? as usize).collect();
    let frames: u64 = all.iter().map(|(count, _)| u64::from(*count)).sum();
    // A table of four entries can say more ticks than 64 bits hold.
    let ticks = all
        .iter()
        .fold(0_u64, |ticks, (count, delta)| ticks.saturating_add(u64::from(*count) * u64::from(*delta)));
    facts.frames = (frames > 0).then_some(frames);
    if scale > 0 {
        let ticks = if ticks > 0 { ticks } else { duration };
        facts.duration_ms =
            Some(u64::try_from(u128::from(ticks) * 1000 / u128::from(scale)).unwrap_or(u64::MAX));
        facts.fps = (ticks > 0 && frames > 0).then(|| frames as f64 * f64::from(scale) / ticks as f64);
        facts.start_ms = Some(start(trak, stbl, scale));
    }
    // The last frame's own length is often rounded to the end of the file.
    let steady = all.split_last().is_none_or(|((count, delta), rest)| {
        rest.windows(2).all(|pair| pair[0].1 == pair[1].1)
            && rest.last().is_none_or(|r| r.1 == *delta || *count == 1)
    });
    facts.constant_frame_rate = (frames > 0).then_some(steady);
    Some(facts)
}

/// Degrees clockwise, from the matrix of the track header.
fn rotation(tkhd: &[u8]) -> Option<u32> {
    let at = if tkhd.first() == Some(&1) { 52 } else { 40 };
    let (a, b) = (be32(tkhd, at)?.cast_signed(), be32(tkhd, at + 4)?.cast_signed());
    Some(match (a.signum(), b.signum()) {
        (0, 1) => 90,
        (-1, 0) => 180,
        (0, -1) => 270,
        _ => 0,
    })
}

/// When the first frame shows: its composition offset less where the edit list begins.
fn start(trak: &[u8], stbl: &[u8], scale: u32) -> u64 {
    let offset =
        inside(stbl, &[b"ctts"]).and_then(|ctts| be32(ctts, 12)).map_or(0, |n| i64::from(n.cast_signed()));
    let edit = inside(trak, &[b"edts", b"elst"])
        .filter(|elst| elst.first() == Some(&0))
        .and_then(|elst| be32(elst, 12))
        .map_or(0, |n| i64::from(n.cast_signed()).max(0));
    u64::try_from((offset - edit).max(0)).unwrap_or(0) * 1000 / u64::from(scale)
}
