//! Ogg (RFC 3533): codec, rate and size from the first packet of each stream, the length from the places that pages say. A file
//! may be a chain of several such sets of streams, which are heard one after another.

use super::{AudioFacts, Kind, Probe, ProblemCode as Code, VideoFacts, whole};
use crate::worker::Input;
use std::io::{BufReader, Read};

fn le16(from: &[u8], at: usize) -> Option<u16> {
    from.get(at..at + 2).map(|n| u16::from_le_bytes([n[0], n[1]]))
}

fn le32(from: &[u8], at: usize) -> Option<u32> {
    from.get(at..at + 4).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]))
}

fn be(from: &[u8], at: usize, bytes: usize) -> Option<u32> {
    Some(from.get(at..at + bytes)?.iter().fold(0, |all, byte| all << 8 | u32::from(*byte)))
}

/// What the file says of its sound, and of its pictures in `probe.video`; none where it has no sound.
pub(super) fn ogg(probe: &mut Probe, input: &Input) -> Option<AudioFacts> {
    let links = links(input).unwrap_or_default();
    let first = links.first()?;
    let sound = first.sound.as_ref().map(|stream| sound(&stream.packet));
    if let Some(stream) = &first.picture {
        probe.kind = Kind::Video;
        let facts = picture(stream);
        if facts.frames.is_none() {
            probe.problem(Code::Undecodable, "no picture of the film is in the file");
        }
        probe.video = Some(VideoFacts { audio_tracks: u32::from(sound.is_some()), ..facts });
    }
    let mut all = links.iter().flat_map(|link| [&link.sound, &link.picture]).flatten();
    if all.any(|stream| !stream.finished) {
        probe.problem(Code::Truncated, "the last page of the file is missing");
    }
    let mut sound = sound?;
    // Each link at a rate of its own.
    let lasts = |stream: &Stream| {
        let rate = u64::from(self::sound(&stream.packet).sample_rate.filter(|rate| *rate > 0)?);
        let skip = u64::from(if is_opus(&stream.packet) { le16(&stream.packet, 10).unwrap_or(0) } else { 0 });
        let frames = stream.end?.saturating_sub(skip);
        Some((frames.saturating_mul(1000) + rate / 2) / rate)
    };
    let streams = links.iter().filter_map(|link| link.sound.as_ref());
    let count = streams.clone().count();
    if count > 1 && probe.format == "ogg" {
        let why =
            format!("{count} sounds follow each other in the file; the sound card plays the first alone");
        probe.problem(Code::LengthMismatch, &why);
    }
    sound.duration_ms = streams.filter_map(lasts).reduce(u64::saturating_add);
    Some(sound)
}

fn is_opus(packet: &[u8]) -> bool {
    packet.starts_with(b"OpusHead")
}

/// What the first packet of a sound says.
fn sound(packet: &[u8]) -> AudioFacts {
    let mut facts = AudioFacts::default();
    if is_opus(packet) {
        facts.codec = Some("opus".to_owned());
        facts.channels = packet.get(9).map(|n| u32::from(*n));
        facts.sample_rate = Some(48_000); // always (RFC 7845)
        facts.encoder_delay = le16(packet, 10).map(u32::from);
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
        let info = be(packet, 27, 3);
        facts.sample_rate = info.map(|info| info >> 4);
        facts.channels = info.map(|info| (info >> 1 & 7) + 1);
    } else if packet.starts_with(b"Speex   ") {
        facts.codec = Some("speex".to_owned());
        facts.sample_rate = le32(packet, 36);
        facts.channels = le32(packet, 48);
    }
    facts
}

/// What the first packet of Theora says (its specification, 6.2), and the place of its last page: the number of the last frame
/// that stands on its own, and how many follow it. Its frames last equally long, always.
fn picture(stream: &Stream) -> VideoFacts {
    let packet = &stream.packet;
    let mut facts = VideoFacts {
        codec: Some("theora".to_owned()),
        width: be(packet, 14, 3).filter(|wide| *wide > 0),
        height: be(packet, 17, 3).filter(|tall| *tall > 0),
        ..VideoFacts::default()
    };
    let shift = be(packet, 40, 2).map_or(0, |word| word >> 5 & 31);
    // Versions before 3.2.1 count from 0.
    let counts_from_0 = packet.get(7..10).is_some_and(|version| version < [3, 2, 1].as_slice());
    let frames = stream.end.map(|end| (end >> shift) + (end & ((1 << shift) - 1)) + u64::from(counts_from_0));
    facts.frames = frames.filter(|frames| *frames > 0);
    if let (Some(times @ 1..), Some(over @ 1..)) = (be(packet, 22, 4), be(packet, 26, 4)) {
        let fps = f64::from(times) / f64::from(over);
        (facts.fps, facts.constant_frame_rate, facts.start_ms) = (Some(fps), Some(true), Some(0));
        facts.duration_ms = facts.frames.map(|frames| whole(frames as f64 / fps * 1000.0));
    }
    facts
}

/// One of the streams that are heard or seen together.
struct Stream {
    serial: u32,
    /// The first packet, which says what it is.
    packet: Vec<u8>,
    /// The place that the last page says which says one.
    end: Option<u64>,
    /// Does that page say that it is the last?
    finished: bool,
}

/// A link of the chain: the first stream of each kind.
#[derive(Default)]
struct Link {
    sound: Option<Stream>,
    picture: Option<Stream>,
}

/// Walks the pages from front to end.
fn links(input: &Input) -> Result<Vec<Link>, String> {
    /// More bytes that belong to no page are not passed over.
    const STRAY: u64 = 16 << 20;
    let (mut from, size) = (BufReader::with_capacity(1 << 16, input.open()?), input.length()?);
    let (mut links, mut beginning, mut at, mut stray) = (Vec::<Link>::new(), false, 0_u64, 0_u64);
    let mut head = [0_u8; 27];
    while at + 27 <= size && stray < STRAY && from.read_exact(&mut head).is_ok() {
        if !head.starts_with(b"OggS\0") {
            (at, stray) = (at + 1, stray + 1);
            from.seek_relative(-26).map_err(|e| e.to_string())?;
            continue;
        }
        let mut segments = vec![0_u8; usize::from(head[26])];
        if from.read_exact(&mut segments).is_err() {
            break;
        }
        let body: u64 = segments.iter().map(|length| u64::from(*length)).sum();
        at += 27 + segments.len() as u64 + body;
        if at > size {
            break;
        }
        let serial = u32::from_le_bytes([head[14], head[15], head[16], head[17]]);
        if head[5] & 2 > 0 {
            // First pages stand before all others of their link.
            if !beginning && links.len() < 10_000 {
                links.push(Link::default());
            }
            beginning = true;
            let mut packet = Vec::new();
            (&mut from).take(body).read_to_end(&mut packet).map_err(|e| e.to_string())?;
            if let Some(link) = links.last_mut() {
                let film = packet.starts_with(b"\x80theora");
                let place = if film { &mut link.picture } else { &mut link.sound };
                // Captions and the list of what is where (Skeleton) are neither.
                let known = film || sound(&packet).codec.is_some();
                if known && place.is_none() {
                    *place = Some(Stream { serial, packet, end: None, finished: false });
                }
            }
            continue;
        }
        beginning = false;
        if let Some(link) = links.last_mut() {
            let streams = [&mut link.sound, &mut link.picture].into_iter().flatten();
            for stream in streams.filter(|stream| stream.serial == serial) {
                let place = head[6..14].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
                if place != u64::MAX {
                    stream.end = Some(place);
                }
                stream.finished |= head[5] & 4 > 0;
            }
        }
        from.seek_relative(body.cast_signed()).map_err(|e| e.to_string())?;
    }
    Ok(links)
}
