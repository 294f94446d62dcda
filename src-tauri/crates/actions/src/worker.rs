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

/// One message of `read`. The bytes of an embedded medium follow its event as byte frames, `bytes` in all.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Said {
    /// An event, with the length of the bytes that follow (media only).
    Event { event: Event, bytes: u64 },
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

fn read(file: File, args: &ReadFile, sink: &mut dyn FrameSink) -> Result<(), String> {
    let mut broken = None;
    let report = formats::read_open(file, &args.format, &args.options, &mut |event: Event| {
        let sent = send(sink, event);
        match sent {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => {
                broken = Some(why);
                ControlFlow::Break(())
            }
        }
    })
    .map_err(|error| error.to_string())?;
    match broken {
        Some(why) => Err(why),
        None => sink.json(&Said::Report(Box::new(report))),
    }
}

fn send(sink: &mut dyn FrameSink, mut event: Event) -> Result<(), String> {
    let bytes = match &mut event {
        Event::Media(media) => std::mem::take(&mut media.bytes),
        _ => Vec::new(),
    };
    sink.json(&Said::Event { event, bytes: bytes.len() as u64 })?;
    if bytes.is_empty() { Ok(()) } else { sink.bytes(&bytes) }
}
