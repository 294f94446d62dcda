//! The lines of a CSV file. A CSV reader finishes a record at the CR of a CRLF and passes over blank lines only when it
//! looks for the next record, so that the line it names is not the one that the record starts at. This reader sits
//! below it, remembers where the line ends are that the CSV reader has been given but has not yet passed, and
//! counts.

use crate::Position;
use std::{
    cell::RefCell,
    collections::VecDeque,
    io::{self, Read, Seek, SeekFrom},
    rc::Rc,
};

#[derive(Debug, Default)]
struct Ends {
    /// Where the input stands.
    at: u64,
    /// Line ends not yet passed: where, and is it an LF?
    ahead: VecDeque<(u64, bool)>,
    /// The line that the last place asked for is in.
    line: u64,
}

/// Asks for lines.
#[derive(Debug, Clone)]
pub(crate) struct Breaks(Rc<RefCell<Ends>>);
impl Breaks {
    /// The line that a byte is in. Bytes must be asked for in rising order.
    pub(crate) fn line_of(&self, byte: u64) -> u64 {
        let mut ends = self.0.borrow_mut();
        while let Some((_, is_lf)) = ends.ahead.pop_front_if(|(at, _)| *at < byte) {
            ends.line += u64::from(is_lf);
        }
        ends.line
    }
    /// The line that the next record starts at, when the CSV reader stands at `byte`: behind all line ends there.
    pub(crate) fn record_line(&self, byte: u64) -> u64 {
        self.line_of(byte);
        let mut ends = self.0.borrow_mut();
        let mut byte = byte;
        while let Some((_, is_lf)) = ends.ahead.pop_front_if(|(at, _)| *at == byte) {
            ends.line += u64::from(is_lf);
            byte += 1;
        }
        ends.line
    }
    /// Counting starts anew from a place that the input will be sought to.
    pub(crate) fn restart(&self, start: Position) {
        *self.0.borrow_mut() = Ends { at: start.offset, ahead: VecDeque::new(), line: start.line };
    }
}

/// An input whose line ends are noted.
#[derive(Debug)]
pub(crate) struct Noted<R> {
    input: R,
    ends: Breaks,
}
impl<R> Noted<R> {
    /// An input that stands at its start.
    pub(crate) fn new(input: R) -> (Self, Breaks) {
        let ends = Breaks(Rc::default());
        ends.restart(Position::default());
        (Self { input, ends: ends.clone() }, ends)
    }
}
impl<R: Read> Read for Noted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        let mut ends = self.ends.0.borrow_mut();
        let start = ends.at;
        let found = memchr::memchr2_iter(b'\n', b'\r', &buffer[..length]);
        ends.ahead.extend(found.map(|at| (start + at as u64, buffer[at] == b'\n')));
        ends.at += length as u64;
        Ok(length)
    }
}
impl<R: Seek> Seek for Noted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.input.seek(to)
    }
}
