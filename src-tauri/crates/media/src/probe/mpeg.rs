//! MPEG audio (mp3, mp2): the frame headers are walked, which gives the length and whether the bit rate varies without
//! decoding; the first frame may be no sound but a table (Xing, Info, VBRI) that says what the encoder added.

use super::{AudioFacts, Probe, ProblemCode as Code, sniff::find};
use crate::worker::Input;
use std::io::{BufReader, Read, Seek};

/// One frame's header.
#[derive(Clone, Copy)]
pub(super) struct Header {
    layer: u8,
    bitrate: u32,
    pub(super) sample_rate: u32,
    pub(super) channels: u32,
    /// Bytes, with the header.
    pub(super) length: u64,
    pub(super) samples: u64,
    /// Between the header and the place of a Xing table.
    side: usize,
}

const BITRATES: [[u32; 15]; 5] = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448], // version 1, layer I
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],    // version 1, layer II
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],     // version 1, layer III
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],    // versions 2 and 2.5, layer I
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160], // versions 2 and 2.5, layers II and III
];

impl Header {
    /// The codec's name.
    pub(super) fn codec(&self) -> &'static str {
        match self.layer {
            1 => "mp1",
            2 => "mp2",
            _ => "mp3",
        }
    }
}

/// The header in the first four bytes of a frame.
pub(super) fn header(bytes: [u8; 4]) -> Option<Header> {
    let [sync, b1, b2, b3] = bytes;
    if sync != 0xff || b1 & 0xe0 != 0xe0 {
        return None;
    }
    let (version, layer) = (b1 >> 3 & 3, 4 - (b1 >> 1 & 3));
    if version == 1 || layer == 4 {
        return None;
    }
    let first = version == 3;
    let row = match (first, layer) {
        (true, layer) => usize::from(layer - 1),
        (false, 1) => 3,
        (false, _) => 4,
    };
    let bitrate = *BITRATES[row].get(usize::from(b2 >> 4))? * 1000;
    let halved = match version {
        3 => 0,
        2 => 1,
        _ => 2,
    };
    let sample_rate = [44_100_u32, 48_000, 32_000].get(usize::from(b2 >> 2 & 3))? >> halved;
    if bitrate == 0 {
        return None; // "free format", which nothing writes
    }
    let padding = u64::from(b2 >> 1 & 1);
    let (bitrate64, rate64) = (u64::from(bitrate), u64::from(sample_rate));
    let (samples, length) = match (layer, first) {
        (1, _) => (384, (12 * bitrate64 / rate64 + padding) * 4),
        (3, false) => (576, 72 * bitrate64 / rate64 + padding),
        _ => (1152, 144 * bitrate64 / rate64 + padding),
    };
    let mono = b3 >> 6 == 3;
    let side = match (first, mono) {
        (true, false) => 32,
        (true, true) | (false, false) => 17,
        (false, true) => 9,
    };
    Some(Header { layer, bitrate, sample_rate, channels: if mono { 1 } else { 2 }, length, samples, side })
}

/// What the table in the first frame says.
struct Told {
    frames: Option<u64>,
    delay: Option<u32>,
}

fn told(frame: &[u8], side: usize) -> Option<Told> {
    let be32 = |at: usize| frame.get(at..at + 4).map(|n| u32::from_be_bytes([n[0], n[1], n[2], n[3]]));
    if frame.get(36..40) == Some(b"VBRI") {
        return Some(Told { frames: be32(50).map(u64::from), delay: None });
    }
    let at = 4 + side;
    if !matches!(frame.get(at..at + 4)?, b"Xing" | b"Info") {
        return None;
    }
    let flags = be32(at + 4)?;
    let frames = if flags & 1 > 0 { be32(at + 8).map(u64::from) } else { None };
    // The flags say which of frames, bytes, seek table and quality come before what LAME added.
    let rest = at
        + 8
        + if flags & 1 > 0 { 4 } else { 0 }
        + if flags & 2 > 0 { 4 } else { 0 }
        + if flags & 4 > 0 { 100 } else { 0 }
        + if flags & 8 > 0 { 4 } else { 0 };
    let named = frame.get(rest..rest + 4).is_some_and(|name| name.iter().all(u8::is_ascii_alphanumeric));
    let delay = frame.get(rest + 21..rest + 23).filter(|_| named);
    Some(Told { frames, delay: delay.map(|n| u32::from(n[0]) << 4 | u32::from(n[1]) >> 4) })
}

pub(super) fn mpeg(probe: &mut Probe, input: &Input) -> AudioFacts {
    let mut facts = AudioFacts::default();
    let (Ok(file), Ok(size)) = (input.open(), input.length()) else { return facts };
    let mut from = BufReader::with_capacity(1 << 16, file);
    let mut at = skip_tags(&mut from);
    let (mut frames, mut samples, mut first): (u64, u64, Option<Header>) = (0, 0, None);
    let (mut table, mut varies, mut stray, mut cut, mut tags) = (None, false, 0_u64, false, 0);
    while at + 4 <= size {
        let mut bytes = [0_u8; 4];
        if from.read_exact(&mut bytes).is_err() {
            break;
        }
        let like_first =
            |h: &Header| first.is_none_or(|f| (f.layer, f.sample_rate) == (h.layer, h.sample_rate));
        let Some(found) = header(bytes).filter(like_first) else {
            // Tags behind the sound; or between two, where files were joined.
            if tags < MOST_TAGS && tag(bytes).is_some() {
                tags += 1;
                let _ = from.seek(std::io::SeekFrom::Start(at));
                let next = skip_tags(&mut from);
                if next > at {
                    at = next;
                    continue;
                }
                if from.seek(std::io::SeekFrom::Start(at + 4)).is_err() {
                    break;
                }
            }
            stray += 1;
            at += 1;
            if from.seek_relative(-3).is_err() {
                break;
            }
            continue;
        };
        if at + found.length > size {
            cut = true;
            break;
        }
        if first.is_none() {
            let mut frame = vec![0_u8; usize::try_from(found.length).unwrap_or(4).max(4)];
            frame[..4].copy_from_slice(&bytes);
            if from.read_exact(&mut frame[4..]).is_err() {
                break;
            }
            table = told(&frame, found.side);
            first = Some(found);
            at += found.length;
            if table.is_none() {
                (frames, samples) = (1, found.samples);
            }
            continue;
        }
        varies |= frames > 0 && first.is_some_and(|f| f.bitrate != found.bitrate);
        if frames == 0 {
            first = Some(found);
        }
        (frames, samples) = (frames + 1, samples + found.samples);
        at += found.length;
        if from.seek_relative(found.length.cast_signed() - 4).is_err() {
            break;
        }
    }
    let Some(first) = first else {
        probe.problem(Code::Undecodable, "no frame of MPEG audio is in the file");
        return facts;
    };
    let ms =
        |samples: u64| (samples * 1000 + u64::from(first.sample_rate) / 2) / u64::from(first.sample_rate);
    facts.codec = Some(first.codec().to_owned());
    facts.sample_rate = Some(first.sample_rate);
    facts.channels = Some(first.channels);
    facts.duration_ms = Some(ms(samples));
    facts.variable_bitrate = Some(varies);
    facts.encoder_delay = table.as_ref().and_then(|table| table.delay);
    if cut {
        probe.problem(Code::Truncated, "the last frame of the sound is cut off");
    }
    if let Some(said) = table.and_then(|table| table.frames)
        && said.abs_diff(frames) > 2
    {
        let says = ms(said * first.samples);
        let mut why = format!("the frames last {} ms; the file's own table says {says} ms", ms(samples));
        if frames > said {
            why += ", and the sound card plays no more";
        }
        probe.problem(Code::LengthMismatch, &why);
        if frames < said {
            probe.problem(Code::Truncated, "the sound ends before its table says");
        }
    }
    if stray > 4096 {
        probe.problem(Code::Undecodable, &format!("{stray} bytes among the frames are no sound"));
    }
    facts
}

/// More tags in a row are passed over as what they are then: bytes.
const MOST_TAGS: usize = 100;
/// More zeros are not passed over.
const MOST_ZEROS: u64 = 16 << 20;

/// Tags that stand around the frames.
enum Tag {
    /// ID3, version 2.
    Id3,
    /// ID3, version 1: always 128 bytes.
    Old,
    Ape,
}

fn tag(start: [u8; 4]) -> Option<Tag> {
    match &start {
        b"APET" => Some(Tag::Ape),
        [b'I', b'D', b'3', _] => Some(Tag::Id3),
        [b'T', b'A', b'G', _] => Some(Tag::Old),
        _ => None,
    }
}

/// Does the file begin with a tag that stands before sound of more than one kind?
pub(super) fn begins_with_tag(head: &[u8]) -> bool {
    head.starts_with(b"ID3") || head.starts_with(b"APETAGEX")
}

/// Passes over tags, and the zeros between them, from where the reader stands; gives where the sound begins.
pub(super) fn skip_tags(from: &mut (impl Read + Seek)) -> u64 {
    let mut at = from.stream_position().unwrap_or(0);
    for _ in 0..MOST_TAGS {
        let mut head = [0_u8; 32];
        let ok = from.seek(std::io::SeekFrom::Start(at)).is_ok();
        let read = if ok { fill(from, &mut head) } else { 0 };
        let length = match tag([head[0], head[1], head[2], head[3]]) {
            Some(Tag::Id3) if read >= 10 => {
                let size = head[6..10].iter().fold(0_u64, |size, b| size << 7 | u64::from(b & 0x7f));
                10 + size + if head[5] & 0x10 > 0 { 10 } else { 0 }
            }
            Some(Tag::Old) => 128,
            // Its size counts what stands behind a head, and stands in a foot as well.
            Some(Tag::Ape) if read == 32 && head.starts_with(b"APETAGEX") => {
                let size = u32::from_le_bytes([head[12], head[13], head[14], head[15]]);
                let is_head = head[23] & 0x20 > 0;
                32 + if is_head { u64::from(size) } else { 0 }
            }
            None if read == head.len() && head[0] == 0 => {
                let _ = from.seek(std::io::SeekFrom::Start(at));
                zeros(from)
            }
            _ => break,
        };
        at += length;
    }
    let _ = from.seek(std::io::SeekFrom::Start(at));
    at
}

/// How many zeros stand here, at most [`MOST_ZEROS`] or a little more.
fn zeros(from: &mut impl Read) -> u64 {
    let (mut count, mut buffer) = (0_u64, vec![1; 1 << 16]);
    while count < MOST_ZEROS {
        let read = fill(from, &mut buffer);
        let run = buffer[..read].iter().take_while(|byte| **byte == 0).count();
        count += run as u64;
        if run < buffer.len() {
            break;
        }
    }
    count
}

/// Reads as much as there is; how much that was.
fn fill(from: &mut impl Read, to: &mut [u8]) -> usize {
    let mut filled = 0;
    while let Some(rest) = to.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match from.read(rest) {
            Ok(read @ 1..) => filled += read,
            _ => break,
        }
    }
    filled
}

/// How many channels a frame has that begins with these bytes; none if no frame does.
pub(super) fn channels(bytes: [u8; 4]) -> Option<u32> {
    header(bytes).map(|found| found.channels)
}

/// Does a sound begin here? For telling mp3 from other bytes: two frames that follow each other, or one with nothing but a
/// tag behind it.
pub(super) fn begins(head: &[u8]) -> bool {
    let at = |from: usize| head.get(from..from + 4).and_then(|n| header([n[0], n[1], n[2], n[3]]));
    let Some(first) = at(0) else { return false };
    let Ok(next) = usize::try_from(first.length) else { return false };
    match at(next) {
        Some(second) => (second.layer, second.sample_rate) == (first.layer, first.sample_rate),
        None => match head.get(next..) {
            // The file ends within the frame. Layers I and II begin like too much else.
            None => first.layer == 3,
            Some([] | [b'T', b'A', b'G', ..]) => true,
            Some(_) => find(&head[..head.len().min(256)], b"Xing").is_some(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{begins, channels};

    #[test]
    fn one_head_of_a_frame_is_not_enough() {
        // Layer III, 32 kbit/s at 44.1 kHz, mono: 104 bytes.
        let frame = [b"\xff\xfb\x10\xc4".to_vec(), vec![0; 100]].concat();
        assert_eq!(channels([0xff, 0xfb, 0x10, 0xc4]), Some(1), "mono");
        assert!(begins(&frame), "one frame that ends the file");
        assert!(begins(&frame[..64]), "one that is cut");
        assert!(begins(&[frame.clone(), frame.clone()].concat()), "two that follow each other");
        assert!(!begins(&[frame, vec![0x55; 100]].concat()), "other bytes follow");
        // Layer I with a checksum: the mark of UTF-16 and a letter.
        assert!(!begins(b"\xff\xfeA\0n\0d\0"), "and nothing of the frame");
    }
}
