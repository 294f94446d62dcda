//! Lines of a file of any size: split at LF only (quirk Q8), one CR dropped (Q2), a leading BOM dropped (Q1). One
//! buffer, reused; a line above the limit is passed over without being held.

use crate::{Options, Position};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

const BOM: &[u8] = b"\xEF\xBB\xBF";
/// A buffer larger than this is given back after use.
const KEPT: usize = 64 << 20;

/// One line.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// 1-based.
    pub(crate) number: u64,
    /// Where its text starts in the file.
    pub(crate) offset: u64,
    /// Its text; empty if it is too long.
    pub(crate) bytes: &'a [u8],
    /// It is above the limit.
    pub(crate) too_long: bool,
    /// An LF ended it (else the end of the file did).
    pub(crate) terminated: bool,
}

/// The lines of a file.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    buffer: Vec<u8>,
    max_line: u64,
    /// Where the next line starts.
    pub(crate) next: Position,
    /// Size of the file.
    pub(crate) total: u64,
}

impl<R: Read + Seek> Lines<R> {
    pub(crate) fn new(mut input: R, options: &Options) -> io::Result<Self> {
        let total = input.seek(SeekFrom::End(0))?;
        input.seek(SeekFrom::Start(options.start.offset))?;
        Ok(Self {
            input: BufReader::with_capacity(256 << 10, input),
            buffer: Vec::new(),
            max_line: options.max_line,
            next: options.start,
            total,
        })
    }

    /// The next line, or none at the end of the file.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        if self.buffer.capacity() > KEPT {
            self.buffer = Vec::new();
        }
        self.buffer.clear();
        let start = self.next;
        let (mut length, mut too_long, mut terminated) = (0_u64, false, false);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', chunk);
            let taken = end.map_or(chunk.len(), |n| n + 1);
            length += taken as u64;
            if length > self.max_line {
                too_long = true;
                self.buffer = Vec::new();
            } else {
                self.buffer.extend_from_slice(&chunk[..taken]);
            }
            self.input.consume(taken);
            if end.is_some() {
                terminated = true;
                break;
            }
        }
        if length == 0 {
            return Ok(None);
        }
        self.next = Position { offset: start.offset + length, line: start.line + 1 };
        let mut bytes = self.buffer.as_slice();
        if let Some(rest) = bytes.strip_suffix(b"\n") {
            bytes = rest.strip_suffix(b"\r").unwrap_or(rest);
        }
        let mut offset = start.offset;
        if offset == 0
            && let Some(rest) = bytes.strip_prefix(BOM)
        {
            bytes = rest;
            offset = BOM.len() as u64;
        }
        Ok(Some(Line { number: start.line, offset, bytes, too_long, terminated }))
    }
}

/// Is there nothing but ASCII white space?
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}
