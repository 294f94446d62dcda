//! Ways into parsers that are private to this room, for fuzzing (`actions/fuzz`) and for the test that replays what it
//! found. Not for the app: a parser that runs here runs in the process that asks.

use crate::{
    probe::mpeg_ts,
    serve,
    worker::{self, FrameSink, Input, Json},
};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

/// A sink that takes everything, and keeps the last value.
#[derive(Default)]
struct Drain(Vec<u8>);

impl FrameSink for Drain {
    fn json(&mut self, value: &dyn Json) -> Result<(), String> {
        self.0 = value.to_json().map_err(|e| e.to_string())?;
        Ok(())
    }
    fn bytes(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }
}

/// Runs a job of this room: its last answer, or why it refused.
pub fn job(name: &str, args: &serde_json::Value, input: &Input) -> Result<String, String> {
    let mut drain = Drain::default();
    crate::registry().answer(name, args, input, &mut drain).unwrap_or(Ok(()))?;
    Ok(String::from_utf8_lossy(&drain.0).into_owned())
}

/// Reads the frames of a worker's pipe to the end; how many there were.
pub fn frames(bytes: &[u8]) -> usize {
    worker::read_all_frames(bytes)
}

/// Reads a `Range` header, which must name bytes of the file if it names any.
pub fn range(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let parts = [0, 1, 1000, u64::MAX].map(|length| (length, serve::part(text, length)));
    for (length, part) in parts {
        if let Some((start, end)) = part {
            assert!(start < end && end <= length, "{text:?} names bytes of a file of {length}");
        }
    }
    parts.iter().any(|(_, part)| part.is_some())
}

/// How many programs and streams a table of a transport stream names; its checksum, which no change at random keeps, is not
/// looked at.
pub fn tables(bytes: &[u8]) -> usize {
    mpeg_ts::named(bytes)
}

/// A PDF with its table of objects made anew.
pub fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    crate::document::mended(bytes)
}

/// A Word document with these bytes as its text, everything else as it should be.
pub fn docx(xml: &[u8]) -> Vec<u8> {
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let relations =
        br#"<Relationships><Relationship Id="rId1" Target="https://example.org"/></Relationships>"#;
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [
        ("[Content_Types].xml", b"<Types/>".as_slice()),
        ("word/_rels/document.xml.rels", relations),
        ("word/document.xml", xml),
    ] {
        // Written to memory: it does not fail, and what it would leave out is refused as no document.
        let _ = zip.start_file(name, stored).map(|()| zip.write_all(bytes));
    }
    zip.finish().map(Cursor::into_inner).unwrap_or_default()
}
