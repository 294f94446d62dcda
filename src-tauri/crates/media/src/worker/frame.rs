//! The frames on the two pipes: one type byte, a little-endian `u32` length, the payload.

use std::io::{self, Read, Write};

/// What a job sends: any number of these, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Frame {
    /// One JSON value, as text.
    Json(Vec<u8>),
    /// Raw bytes: a picture, samples.
    Bytes(Vec<u8>),
}

/// Type bytes of the protocol.
pub(super) mod kind {
    /// Parent to child, once: the limits.
    pub(in super::super) const LIMITS: u8 = b'L';
    /// Parent to child: a request.
    pub(in super::super) const REQUEST: u8 = b'R';
    /// Parent to child, before a request: its input as an open file, which travels with the frame. Unix only.
    pub(in super::super) const FILE: u8 = b'O';
    /// Parent to child, before a request: bytes of its input.
    pub(in super::super) const INPUT: u8 = b'I';
    /// Child to parent: a JSON value.
    pub(in super::super) const JSON: u8 = b'J';
    /// Child to parent: raw bytes.
    pub(in super::super) const BYTES: u8 = b'B';
    /// Child to parent: the job is done.
    pub(in super::super) const END: u8 = b'E';
    /// Child to parent: the handler refused, with its reason.
    pub(in super::super) const REFUSED: u8 = b'F';
}

/// The longest payload of one frame; more goes in several.
pub(super) const MAX_FRAME: usize = 64 << 20;

pub(super) fn write(to: &mut dyn Write, kind: u8, payload: &[u8]) -> io::Result<()> {
    if payload.len() > MAX_FRAME {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a frame over 64 MiB"));
    }
    let length = u32::try_from(payload.len()).map_err(io::Error::other)?;
    let mut head = [kind, 0, 0, 0, 0];
    head[1..].copy_from_slice(&length.to_le_bytes());
    to.write_all(&head)?;
    to.write_all(payload)
}

/// The next frame, or `None` at a clean end of the stream. `allowed` bounds the payload before anything is allocated.
pub(super) fn read(from: &mut dyn Read, allowed: usize) -> io::Result<Option<(u8, Vec<u8>)>> {
    let mut kind = [0_u8; 1];
    if from.read(&mut kind)? == 0 {
        return Ok(None);
    }
    let mut length = [0_u8; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > allowed.min(MAX_FRAME) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a frame of {length} bytes")));
    }
    let mut payload = Vec::with_capacity(length.min(1 << 20));
    if from.take(length as u64).read_to_end(&mut payload)? < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some((kind[0], payload)))
}

/// Reads frames until the end or the first that is broken; how many there were.
pub(crate) fn read_all(mut bytes: &[u8]) -> usize {
    std::iter::from_fn(|| read(&mut bytes, MAX_FRAME).ok().flatten()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_comes_back_as_it_went_and_a_cut_one_is_an_error() {
        let mut wire = Vec::new();
        write(&mut wire, kind::JSON, b"{}").unwrap();
        write(&mut wire, kind::END, b"").unwrap();
        let mut rest = wire.as_slice();
        assert_eq!(
            read(&mut rest, 10).unwrap(),
            Some((kind::JSON, b"{}".to_vec())),
            "written first, read first"
        );
        assert_eq!(
            read(&mut rest, 10).unwrap(),
            Some((kind::END, vec![])),
            "an empty payload is a frame too"
        );
        assert_eq!(read(&mut rest, 10).unwrap(), None, "the stream ends between frames");
        assert!(read(&mut &wire[..6], 10).is_err(), "the stream ends inside a payload");
        assert!(read(&mut &wire[..3], 10).is_err(), "the stream ends inside a head");
        assert!(read(&mut wire.as_slice(), 1).is_err(), "two bytes are more than the one allowed");
    }
}
