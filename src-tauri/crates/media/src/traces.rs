//! What a file says beside what it shows: the texts in EXIF, XMP, ID3, PDF and Office properties, comments, names inside
//! archives, and what was appended after its end. For finding what must not be there; nothing is interpreted, so that
//! a form that no parser knows is still read.
//!
//! A container that is understood is taken apart, and its metadata yield every readable run from 3 characters on; all
//! other bytes yield runs of 10, which compressed data hardly ever hold by chance.

mod container;
mod markup;
mod pdf;
mod runs;
mod tagged;

use crate::worker::{Failure, Input, Pool, Registry};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::{Read, Seek, SeekFrom};

/// A text in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// Where: `JPEG APP1`, `PNG tEXt`, `docProps/app.xml` …
    pub place: String,
    /// The text.
    pub text: String,
    /// Is it what the file shows, rather than what it says about itself?
    pub shown: bool,
}

/// What was found in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Traces {
    /// Every readable text.
    pub texts: Vec<Trace>,
    /// What could not be read, and why: what is encrypted, and what is longer than is looked through.
    pub unread: Vec<String>,
}

/// Files up to this size are read whole; of larger ones both ends, where metadata lie.
const WHOLE: u64 = 64 << 20;
const END: u64 = 8 << 20;
/// No more text than this is given back, in bytes.
const MOST: usize = 4 << 20;

/// Every readable text in a file.
pub fn traces(pool: &Pool, input: Input) -> Result<Traces, Failure> {
    pool.look("traces", &(), input)
}

pub(crate) fn register(registry: Registry) -> Registry {
    registry.with_reply("traces", |(): (), input: &Input| {
        let bytes = read(input).map_err(|error| error.to_string())?;
        Ok::<_, String>(of_bytes(&bytes))
    })
}

fn read(input: &Input) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut file = input.open()?;
    let size = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    if size <= WHOLE {
        file.read_to_end(&mut bytes)?;
    } else {
        (&mut file).take(END).read_to_end(&mut bytes)?;
        file.seek(SeekFrom::End(-i64::try_from(END)?))?;
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Every readable text in these bytes.
pub fn of_bytes(bytes: &[u8]) -> Traces {
    let mut out = Out::default();
    container::take_apart(bytes, "", 0, &mut out);
    out.found
}

/// Collects traces up to [`MOST`] bytes.
#[derive(Default)]
pub(crate) struct Out {
    found: Traces,
    bytes: usize,
}
impl Out {
    fn text(&mut self, place: &str, mut text: String, shown: bool) {
        let room = MOST - self.bytes;
        if text.len() > room {
            self.unread(format!("{place}: more text than is looked through"));
            text.truncate(text.floor_char_boundary(room));
        }
        if text.is_empty() {
            return;
        }
        self.bytes += text.len();
        self.found.texts.push(Trace { place: place.to_owned(), text, shown });
    }
    /// The readable runs of some bytes, as one text.
    fn runs(&mut self, place: &str, bytes: &[u8], shortest: usize) {
        self.text(place, runs::readable(bytes, shortest), false);
    }
    /// Says once what cannot be looked through.
    fn unread(&mut self, what: String) {
        if !self.found.unread.contains(&what) {
            self.found.unread.push(what);
        }
    }
}

#[cfg(test)]
mod tests;
