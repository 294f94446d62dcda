//! What all line readers share: sending events, counting, progress, and stopping when the sink says so.

use crate::{Event, Format, Options, Position, ReadReport, Sink};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// The most warnings that one row may give; a hostile row must not flood its reader.
const NOTES: usize = 20;

/// A sink with its report.
pub(crate) struct Feed<'a> {
    sink: &'a mut dyn Sink,
    pub(crate) report: ReadReport,
    every: u64,
    sent: u64,
    total: u64,
}

impl<'a> Feed<'a> {
    pub(crate) fn new(format: Format, options: &Options, total: u64, sink: &'a mut dyn Sink) -> Self {
        let report = ReadReport { format: Some(format), next: options.start, ..ReadReport::default() };
        Self { sink, report, every: options.progress_every, sent: options.start.offset, total }
    }
    /// Sends an event, unless the sink has stopped.
    pub(crate) fn send(&mut self, event: Event) {
        if !self.report.stopped && self.sink.event(event).is_break() {
            self.report.stopped = true;
        }
    }
    /// Rejects a row.
    pub(crate) fn reject(&mut self, line: u64, why: impl Into<String>) {
        self.report.rejected += 1;
        self.send(Event::Rejected { line, why: why.into() });
    }
    /// Warns.
    pub(crate) fn warn(&mut self, line: u64, why: impl Into<String>) {
        self.send(Event::Warning { line, why: why.into() });
    }
    /// Warns of bytes that are no text; each is read as U+FFFD.
    pub(crate) fn warn_of_bytes(&mut self, line: u64, bytes: &[u8]) {
        if let Err(error) = std::str::from_utf8(bytes) {
            let at = error.valid_up_to() + 1;
            self.warn(
                line,
                format!("the line is no UTF-8 (at its byte {at}); what is no text is read as U+FFFD"),
            );
        }
    }
    /// Sends what was noted about a row.
    pub(crate) fn notes(&mut self, line: u64, notes: Notes) {
        for why in notes.all {
            self.warn(line, why);
        }
        if notes.more > 0 {
            self.warn(line, format!("{} more remarks on this row", notes.more));
        }
        for name in notes.unknown {
            self.report.unknown_modality(&name);
        }
    }
    /// Everything up to `next` is sent; says so when it is time. Gives false when the sink has stopped.
    pub(crate) fn reached(&mut self, next: Position, bytes_done: u64) -> bool {
        if self.report.stopped {
            return false;
        }
        self.report.next = next;
        if bytes_done.saturating_sub(self.sent) >= self.every {
            self.progress(bytes_done);
        }
        !self.report.stopped
    }
    fn progress(&mut self, bytes_done: u64) {
        self.sent = bytes_done;
        let event = Event::Progress { next: self.report.next, bytes_done, bytes_total: self.total };
        self.send(event);
    }
    /// The file is read to its end.
    pub(crate) fn finish(mut self, bytes_done: u64) -> ReadReport {
        if !self.report.stopped {
            self.progress(bytes_done);
        }
        self.report
    }
}

/// Remarks on one row.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    all: Vec<String>,
    more: usize,
    unknown: Vec<String>,
}
impl Notes {
    pub(crate) fn add(&mut self, why: impl Into<String>) {
        if self.all.len() < NOTES {
            self.all.push(why.into());
        } else {
            self.more += 1;
        }
    }
    /// Notes a name that is none of the five modalities.
    pub(crate) fn unknown_modality(&mut self, field: &str, name: &str) {
        self.add(format!("{field}: {} is no modality and is left out of all scores", quoted(name)));
        if self.unknown.len() < NOTES {
            self.unknown.push(name.chars().take(80).collect());
        }
    }
}

/// A text for a message: quoted, cut to 80 characters, control characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(80).collect();
    if cut.len() < text.len() { format!("{cut:?}…") } else { format!("{cut:?}") }
}

/// The lines on which keys were last seen. Keys are hashed to 128 bits, so that neither many nor long ids cost memory.
#[derive(Debug, Default)]
pub(crate) struct Seen<V> {
    lines: HashMap<u128, V>,
}
impl<V> Seen<V> {
    /// Remembers a key; gives what was remembered before.
    pub(crate) fn insert(&mut self, key: &[&str], value: V) -> Option<V> {
        self.lines.insert(digest(&key), value)
    }
    /// What is remembered of a key.
    pub(crate) fn get(&self, key: &[&str]) -> Option<&V> {
        self.lines.get(&digest(&key))
    }
}

/// 128 bits of a value, the same in every run of this build; for telling things apart, not for keeping.
pub(crate) fn digest(value: &impl Hash) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        value.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    (half(1) << 64) | half(2)
}
