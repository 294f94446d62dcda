//! A rubric file as events, for an import into a study.

use super::{RubricFormat, read_rubrics};
use crate::{Event, Format, FormatError, Options, Position, ReadReport, RubricFile, Sink};
use std::io::Read;

/// A rubric file is read whole: no more than this many bytes of it.
pub const LARGEST_RUBRIC_FILE: u64 = 256 << 20;

/// Reads a rubric file, sending each rubric, what is rejected, and what is lost. It is read whole, so that a resumed reading
/// begins anew.
pub fn send_rubrics(
    input: impl Read,
    format: RubricFormat,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let mut bytes = Vec::new();
    input.take(LARGEST_RUBRIC_FILE + 1).read_to_end(&mut bytes)?;
    let size = bytes.len() as u64;
    if size > LARGEST_RUBRIC_FILE {
        return Err(FormatError::Refused(format!(
            "a rubric file may have up to {} MiB; split it",
            LARGEST_RUBRIC_FILE >> 20
        )));
    }
    let reading = read_rubrics(format, &bytes)?;
    let mut report = ReadReport {
        format: Some(Format::Rubrics(RubricFile { rubrics: format })),
        rows: reading.records.len() as u64,
        rejected: reading.rejected.len() as u64,
        next: options.start,
        ..ReadReport::default()
    };
    let lost = reading.losses.into_iter().map(Event::Lost);
    let rejected = reading.rejected.into_iter().map(|bad| Event::Rejected { line: bad.line, why: bad.why });
    let rubrics =
        (1..).zip(reading.records).map(|(line, record)| Event::Rubric { line, record: Box::new(record) });
    for event in lost.chain(rejected).chain(rubrics) {
        if sink.event(event).is_break() {
            report.stopped = true;
            return Ok(report);
        }
    }
    report.next = Position { offset: size, line: report.rows + 1 };
    report.stopped =
        sink.event(Event::Progress { next: report.next, bytes_done: size, bytes_total: size }).is_break();
    Ok(report)
}
