//! Events on a pipe: `u32` length of the JSON header, `u64` length of the bytes beside it (media only), both little
//! endian, then the two. The end of the stream between frames is its end; inside a frame it is an error.

use crate::Event;
use std::io::{self, Read, Write};

/// A header larger than this is no event of ours.
const LARGEST_HEADER: u32 = 1 << 30;
/// Nor are bytes beyond this.
const LARGEST_MEDIA: u64 = 4 << 30;

/// Writes one event.
pub fn write_event(event: &Event, output: &mut dyn Write) -> io::Result<()> {
    let header = serde_json::to_vec(event)?;
    let bytes: &[u8] = if let Event::Media(media) = event { &media.bytes } else { &[] };
    let length = u32::try_from(header.len())
        .ok()
        .filter(|length| *length <= LARGEST_HEADER)
        .ok_or_else(|| io::Error::other("the event is too large to be sent"))?;
    output.write_all(&length.to_le_bytes())?;
    output.write_all(&(bytes.len() as u64).to_le_bytes())?;
    output.write_all(&header)?;
    output.write_all(bytes)
}

/// Reads the next event; none at the end of the stream.
pub fn read_event(input: &mut dyn Read) -> io::Result<Option<Event>> {
    let mut lengths = [0_u8; 12];
    let mut held = 0;
    while held < lengths.len() {
        match input.read(&mut lengths[held..]) {
            Ok(0) if held == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => held += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let [a, b, c, d, rest @ ..] = lengths;
    let (header, media) = (u32::from_le_bytes([a, b, c, d]), u64::from_le_bytes(rest));
    if header > LARGEST_HEADER || media > LARGEST_MEDIA {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the frame is larger than any event"));
    }
    let mut event: Event = serde_json::from_slice(&exactly(input, u64::from(header))?)?;
    let bytes = exactly(input, media)?;
    if let Event::Media(media) = &mut event {
        media.bytes = bytes;
    }
    Ok(Some(event))
}

/// So many bytes; memory grows with what comes, not with what is promised.
fn exactly(input: &mut dyn Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
