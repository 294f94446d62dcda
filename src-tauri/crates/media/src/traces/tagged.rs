//! Tags that say how long they are: read by their lengths, so that a text ends where its tag does and takes in no letter of
//! what stands behind it.

use super::Out;
use super::container::SHORT;

/// A number of four bytes, lowest first, and what follows it.
fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((usize::try_from(u32::from_le_bytes(*number)).ok()?, rest))
}

/// The comments of Vorbis, Opus and FLAC: who wrote the file, then how many comments, each with its length.
pub(super) fn vorbis(bytes: &[u8], place: &str, out: &mut Out) {
    let Some((writer, rest)) = length(bytes).and_then(|(n, rest)| rest.split_at_checked(n)) else { return };
    out.runs(place, writer, SHORT);
    let Some((count, mut rest)) = length(rest) else { return };
    for _ in 0..count {
        let Some((comment, after)) = length(rest).and_then(|(n, rest)| rest.split_at_checked(n)) else {
            return;
        };
        out.runs(place, comment, SHORT);
        rest = after;
    }
}

/// The comments of an Ogg stream, wherever they begin.
pub(super) fn ogg(bytes: &[u8], place: &str, out: &mut Out) {
    for mark in [b"\x03vorbis".as_slice(), b"OpusTags", b"\x81theora"] {
        if let Some(start) = memchr::memmem::find(bytes, mark) {
            vorbis(&bytes[start + mark.len()..], place, out);
        }
    }
}

/// The frames of an ID3 tag.
pub(super) fn id3(bytes: &[u8], place: &str, out: &mut Out) {
    let Some(version) = bytes.get(3) else { return };
    let (name, size, head) = if *version == 2 { (3, 3, 6) } else { (4, 4, 10) };
    let bits = if *version == 4 { 7 } else { 8 };
    let mut rest = bytes.get(10..).unwrap_or_default();
    while let Some((frame, after)) = rest.split_at_checked(head) {
        let length = frame[name..name + size].iter().fold(0_usize, |n, b| (n << bits) | usize::from(*b));
        if frame[0] == 0 {
            return;
        }
        let data = &after[..length.min(after.len())];
        out.runs(place, data, SHORT);
        rest = &after[data.len()..];
    }
}

/// Comments of a GIF picture: pieces of up to 255 bytes, each with its length.
pub(super) fn gif(bytes: &[u8], place: &str, out: &mut Out) {
    for start in memchr::memmem::find_iter(bytes, b"\x21\xFE") {
        let mut rest = &bytes[start + 2..];
        let mut text = Vec::new();
        while let Some((length, after)) = rest.split_first().filter(|(length, _)| **length > 0) {
            let Some((piece, after)) = after.split_at_checked(usize::from(*length)) else { break };
            text.extend(piece);
            rest = after;
        }
        out.runs(place, &text, SHORT);
    }
}

/// Elements of Matroska that hold others.
const HOLDERS: [u32; 16] = [
    0x1A45_DFA3, // the head
    0x1853_8067, // segment
    0x1549_A966, // about it
    0x1654_AE6B, // tracks
    0xAE,
    0x1043_A770, // chapters
    0x45B9,
    0xB6,
    0x80,
    0x1254_C367, // tags
    0x7373,
    0x67C8,
    0x63C0,
    0x1941_A469, // attachments
    0x61A7,
    0xE0, // a picture track's form
];
/// Elements that hold what is shown, or other files: read as bytes are elsewhere.
const DATA: [u32; 3] = [0x1F43_B675, 0x465C, 0x63A2];
/// Deeper than any file nests its tags.
const DEEPEST: u32 = 12;

/// The elements of Matroska.
pub(super) fn matroska(bytes: &[u8], place: &str, out: &mut Out) {
    elements(bytes, place, 0, out);
}

fn elements(bytes: &[u8], place: &str, depth: u32, out: &mut Out) {
    let mut rest = bytes;
    while let Some((id, data, after)) = element(rest) {
        if HOLDERS.contains(&id) && depth < DEEPEST {
            elements(data, place, depth + 1, out);
        } else if !DATA.contains(&id) {
            out.runs(place, data, SHORT);
        }
        rest = after;
    }
}

/// One element: its number, what it holds, and what follows. One of unknown length goes on to the end.
fn element(bytes: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let wide = usize::try_from(bytes.first()?.leading_zeros()).ok()? + 1;
    if wide > 4 {
        return None;
    }
    let (id, rest) = bytes.split_at_checked(wide)?;
    let id = id.iter().fold(0_u32, |n, b| (n << 8) | u32::from(*b));
    let first = *rest.first()?;
    let wide = usize::try_from(first.leading_zeros()).ok()? + 1;
    if wide > 8 {
        return None;
    }
    let (size, rest) = rest.split_at_checked(wide)?;
    let mark = 1_u64 << (7 * wide);
    let size = size.iter().fold(0_u64, |n, b| (n << 8) | u64::from(*b)) & (mark - 1);
    let unknown = size == mark - 1;
    let length = usize::try_from(size).ok().filter(|_| !unknown).unwrap_or(rest.len()).min(rest.len());
    let (data, after) = rest.split_at(length);
    Some((id, data, after))
}
