//! What a worker process answers: the jobs of `media`, and reading files of `formats`. Both rooms are strangers to
//! each other; this is the one place that knows them.

use formats::{Event, Format, Options, ReadReport};
use media::worker::{FrameSink, Input, Registry};
use serde::{Deserialize, Serialize};
use std::{fs::File, ops::ControlFlow, path::PathBuf};

/// Arguments of `recognise`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Recognise {
    /// The path as the user named it (its folder's and file's names tell the run).
    pub path: PathBuf,
}

/// Arguments of `read`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReadFile {
    pub format: Format,
    pub options: Options,
}

/// One message of `read`. The bytes of an embedded medium follow it as byte frames, `bytes` in all.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Said {
    /// Events, one after the other: a message each would cost more than most of them do.
    Events(Vec<Event>),
    /// A medium, with the length of the bytes that follow.
    Media { media: formats::Media, bytes: u64 },
    /// The end.
    Report(Box<ReadReport>),
}

/// All handlers: what `assize worker` serves.
pub fn worker_registry() -> Registry {
    media::registry()
        .with_reply("recognise", |args: Recognise, input: &Input| {
            if let Some(format) = formats::recognise(&args.path, &input.head(formats::HEAD as u64)?) {
                return Ok(Some(format));
            }
            let rubrics =
                formats::rubrics::recognise_rubrics(&input.head(formats::rubrics::LARGEST_RUBRIC_FILE)?);
            Ok(rubrics.map(|rubrics| formats::Format::Rubrics(formats::RubricFile { rubrics })))
        })
        .with_reply("ratings", |(): (), input: &Input| {
            formats::read_ratings(input.open()?).map_err(|error| error.to_string())
        })
        .with("read", |args, input, sink| {
            let args = ReadFile::deserialize(args).map_err(|error| format!("wrong arguments: {error}"))?;
            read(input.file()?, &args, sink)
        })
}

/// A message has about so much of a file at most.
const BATCH: u64 = 64 << 10;

/// What an event stands for in the file, in bytes, roughly.
fn weight(event: &Event) -> u64 {
    match event {
        Event::Row(row) => row.length.clamp(256, BATCH),
        Event::Prompt { .. } | Event::Sample { .. } => 4 << 10,
        Event::Rubric { .. } | Event::Manifest(_) => BATCH,
        _ => 256,
    }
}

/// Events on their way.
struct Batch<'s> {
    sink: &'s mut dyn FrameSink,
    events: Vec<Event>,
    weight: u64,
}

impl Batch<'_> {
    fn take(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Media(mut media) => {
                self.send()?;
                let bytes = std::mem::take(&mut media.bytes);
                self.sink.json(&Said::Media { media, bytes: bytes.len() as u64 })?;
                if bytes.is_empty() { Ok(()) } else { self.sink.bytes(&bytes) }
            }
            event => {
                self.weight += weight(&event);
                // Who reads along is told at once how far it is.
                let is_due = self.weight >= BATCH || matches!(event, Event::Progress { .. });
                self.events.push(event);
                if is_due { self.send() } else { Ok(()) }
            }
        }
    }

    fn send(&mut self) -> Result<(), String> {
        self.weight = 0;
        if self.events.is_empty() {
            return Ok(());
        }
        self.sink.json(&Said::Events(std::mem::take(&mut self.events)))
    }
}

fn read(file: File, args: &ReadFile, sink: &mut dyn FrameSink) -> Result<(), String> {
    let mut broken = None;
    let mut batch = Batch { sink, events: Vec::new(), weight: 0 };
    let report =
        formats::read_open(file, &args.format, &args.options, &mut |event: Event| match batch.take(event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => {
                broken = Some(why);
                ControlFlow::Break(())
            }
        });
    // What was read before a file turned out to be broken counts as it did when it was sent at once.
    let sent = batch.send();
    let report = report.map_err(|error| error.to_string())?;
    match broken.or(sent.err()) {
        Some(why) => Err(why),
        None => batch.sink.json(&Said::Report(Box::new(report))),
    }
}
