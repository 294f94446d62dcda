//! Boxes: the length, four letters and a body of which ISO media and HEIF are made.

use crate::worker::{Input, ReadSeek};
use std::io::{Read, Seek, SeekFrom};

pub(super) fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?).map(|n| u32::from_be_bytes([n[0], n[1], n[2], n[3]]))
}

pub(super) fn be64(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from(be32(bytes, at)?) << 32 | u64::from(be32(bytes, at.checked_add(4)?)?))
}

/// The boxes in a body, up to the first that is broken.
pub(super) fn children(mut body: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let size = be32(body, 0)? as usize;
        let kind = body.get(4..8)?.try_into().ok()?;
        let inner = body.get(8..size.max(8))?;
        body = body.get(size.max(8)..)?;
        Some((kind, inner))
    })
}

/// The first box at the end of a path.
pub(super) fn inside<'a>(body: &'a [u8], path: &[&[u8; 4]]) -> Option<&'a [u8]> {
    path.iter().try_fold(body, |body, wanted| {
        children(body).find(|(kind, _)| kind == *wanted).map(|(_, inner)| inner)
    })
}

/// The body of a box that was met, not read yet.
pub(super) struct Body<'a> {
    from: &'a mut dyn ReadSeek,
    start: u64,
    length: u64,
}

impl Body<'_> {
    pub(super) fn length(&self) -> u64 {
        self.length
    }
    pub(super) fn read(self) -> Result<Vec<u8>, String> {
        let bad = |e: std::io::Error| format!("cannot read the file: {e}");
        let mut bytes = Vec::new();
        self.from.seek(SeekFrom::Start(self.start)).map_err(bad)?;
        self.from.take(self.length).read_to_end(&mut bytes).map_err(bad)?;
        Ok(bytes)
    }
}

/// Meets each box of a file, without reading those that `meet` leaves alone. `false`: the file ends inside a box.
pub(super) fn top_level(
    input: &Input,
    mut meet: impl FnMut(&[u8; 4], Body<'_>) -> Result<(), String>,
) -> Result<bool, String> {
    let bad = |e: std::io::Error| format!("cannot read the file: {e}");
    let mut from = input.open()?;
    let (length, mut at) = (input.length()?, 0_u64);
    while at + 8 <= length {
        from.seek(SeekFrom::Start(at)).map_err(bad)?;
        let mut head = [0_u8; 16];
        from.read_exact(&mut head[..8]).map_err(bad)?;
        let (size, body) = match u64::from(be32(&head, 0).unwrap_or(0)) {
            0 => (length - at, 8),
            1 if at + 16 <= length => {
                from.read_exact(&mut head[8..]).map_err(bad)?;
                (be64(&head, 8).unwrap_or(0), 16)
            }
            size => (size, 8),
        };
        let kind = [head[4], head[5], head[6], head[7]];
        // Behind the last box other bytes may stand, such as an archive that reads the file from its end.
        if at > 0 && !kind.iter().all(|letter| matches!(letter, b' '..=b'~' | 0xa9)) {
            return Ok(true);
        }
        if size < body || at.saturating_add(size) > length {
            return Ok(false);
        }
        meet(&kind, Body { from: &mut *from, start: at + body, length: size - body })?;
        at += size;
    }
    // Fewer than 8 bytes left over are no box, but nothing is missing either.
    Ok(true)
}
