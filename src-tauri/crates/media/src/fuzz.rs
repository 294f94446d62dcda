//! Ways into parsers that are private to this room, for `fuzz/` and for the test that replays what it found. Not for
//! the app: a parser that runs here runs in the process that asks.

use crate::{
    document, probe, serve,
    worker::{self, FrameSink, Input, Json},
};

/// A sink that takes everything.
struct Drain;

impl FrameSink for Drain {
    fn json(&mut self, value: &dyn Json) -> Result<(), String> {
        value.to_json().map(drop).map_err(|e| e.to_string())
    }
    fn bytes(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }
}

/// Runs a job of this room.
pub fn job(name: &str, args: &serde_json::Value, input: &Input) {
    // A refusal is as good as an answer.
    let _ = crate::registry().answer(name, args, input, &mut Drain);
}

/// Reads the frames of a worker's pipe to the end.
pub fn frames(bytes: &[u8]) {
    worker::read_all_frames(bytes);
}

/// Reads a `Range` header; the range must lie in the file.
pub fn range(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for length in [0, 1, 1000, u64::MAX] {
        if let Some((start, end)) = serve::part(text, length) {
            assert!(start < end && end <= length, "{text:?} names bytes of a file of {length}");
        }
    }
}

/// Reads the boxes of a video, whatever its head says it is.
pub fn film(bytes: &[u8]) {
    probe::film(&Input::Bytes(bytes.to_vec()));
}

/// Reads bytes as the XML of a Word document and of a slide.
pub fn office(bytes: &[u8]) {
    document::words(bytes);
}
