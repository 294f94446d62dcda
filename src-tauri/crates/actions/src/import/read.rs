//! Reading a file through a worker: its events, one by one, as if it were read here.

use crate::worker::{ReadFile, Said};
use formats::{Event, Format, Options, ReadReport};
use media::worker::{Cancel, Failure, Frame, Input, Job, Limits, Pool};
use std::{ops::ControlFlow, path::Path};

/// A worker that reads a file of any size: memory for one huge row, time for all of them.
const LIMITS: Limits = Limits {
    memory_bytes: 4 << 30,
    cpu_seconds: 24 * 3_600,
    open_files: 32,
    wall_ms: 24 * 3_600_000,
    reply_bytes: 1 << 44,
};

/// Reads `path`, handing each event to `take`, which may break off.
pub(super) fn file(
    pool: &Pool,
    path: &Path,
    format: &Format,
    options: Options,
    cancel: &Cancel,
    mut take: impl FnMut(Event) -> ControlFlow<()>,
) -> Result<ReadReport, Failure> {
    let args = serde_json::to_value(ReadFile { format: format.clone(), options })
        .map_err(|error| Failure::Protocol { why: error.to_string() })?;
    let job =
        Job::new("read", args, Input::Path(path.to_owned())).within(LIMITS).cancelled_by(cancel.clone());
    let mut report = None;
    let mut waiting: Option<(formats::Media, u64)> = None;
    let mut broken = None;
    pool.run(&job, |frame| match frame {
        Frame::Json(text) => match serde_json::from_slice(&text) {
            Ok(Said::Media { media, bytes }) if bytes > 0 => {
                waiting = Some((media, bytes));
                ControlFlow::Continue(())
            }
            Ok(Said::Media { media, .. }) => take(Event::Media(media)),
            Ok(Said::Events(events)) => events.into_iter().try_for_each(&mut take),
            Ok(Said::Report(end)) => {
                report = Some(*end);
                ControlFlow::Continue(())
            }
            Err(error) => {
                broken = Some(error.to_string());
                ControlFlow::Break(())
            }
        },
        Frame::Bytes(bytes) => {
            let Some((media, wanted)) = &mut waiting else { return ControlFlow::Continue(()) };
            media.bytes.extend_from_slice(&bytes);
            if (media.bytes.len() as u64) < *wanted {
                return ControlFlow::Continue(());
            }
            waiting.take().map_or(ControlFlow::Continue(()), |(media, _)| take(Event::Media(media)))
        }
    })
    .map_err(|failure| match (failure, broken) {
        (Failure::Cancelled, Some(why)) => Failure::Protocol { why },
        (failure, _) => failure,
    })?;
    report.ok_or_else(|| Failure::Protocol { why: "the reading ended without a report".to_owned() })
}
