//! The parent's questions: each runs one job in a worker and gives a typed answer or a typed failure.

use crate::{
    document::{DocumentArgs, DocumentText, DocumentView},
    picture::{PictureView, PictureWish, ThumbnailArgs},
    probe::{Probe, ProbeArgs, Problem, ProblemCode},
    sound::{Loudness, PeaksArgs, SoundFormat, Spectrogram, SpectrogramArgs, Waveform},
    worker::{Failure, Frame, Input, Job, Limits, Pool},
};
use std::{ops::ControlFlow, path::Path};

/// The format by content: `png`, `mp4`, `docx`, …, `bin`. The name decides only among csv, md and txt.
pub fn sniff(pool: &Pool, input: Input, name: &str) -> Result<String, Failure> {
    pool.look("format", &ProbeArgs { name: name.to_owned(), heads_only: false }, input)
}

/// What is known of a file. However broken it is, that is a result; `Err` only where no worker can be started.
pub fn probe(pool: &Pool, path: &Path, name: &str) -> Result<Probe, Failure> {
    let input = Input::Path(path.to_owned());
    let asked: Result<Probe, Failure> =
        pool.look("probe", &ProbeArgs { name: name.to_owned(), heads_only: false }, input.clone());
    let failure = match asked {
        Ok(probe) => return Ok(Probe { path: name.to_owned(), ..probe }),
        Err(failure @ Failure::Unavailable { .. }) => return Err(failure),
        Err(failure) => failure,
    };
    let code = match &failure {
        Failure::Timeout { .. } | Failure::OutOfMemory { .. } | Failure::TooMuchOutput { .. } => {
            ProblemCode::Limit
        }
        Failure::Refused { .. } => ProblemCode::Unreadable,
        _ => ProblemCode::Undecodable,
    };
    let problem = Problem { code, message: failure.to_string() };
    // What breaks a decoder may have a sound head.
    let heads = ProbeArgs { name: name.to_owned(), heads_only: true };
    if let Ok(mut probe) = pool.look::<Probe>("probe", &heads, input.clone()) {
        probe.problems.push(problem);
        return Ok(Probe { path: name.to_owned(), ..probe });
    }
    let format = sniff(pool, input, name).unwrap_or_else(|_| "bin".to_owned());
    Ok(Probe {
        path: name.to_owned(),
        bytes: std::fs::metadata(path).map_or(0, |found| found.len()),
        sha256: None,
        kind: crate::probe::kind_of(&format),
        format,
        problems: vec![problem],
        image: None,
        audio: None,
        video: None,
        document: None,
        heads_only: false,
    })
}

/// How a document is to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The encoding of a plain text, by a label of the WHATWG, where somebody chose one.
    pub encoding: Option<String>,
    /// Give a csv as the text that it is.
    pub source: bool,
}

/// A readable view of a document, and what it leaves out. For a PDF, whose pages the window draws, only the latter.
pub fn document(pool: &Pool, input: Input, name: &str, how: Reading) -> Result<DocumentView, Failure> {
    let Reading { encoding, source } = how;
    pool.look("document", &DocumentArgs { name: name.to_owned(), encoding, source }, input)
}

/// The text of a document of any kind, for search and for the command line.
pub fn text(pool: &Pool, input: Input, name: &str) -> Result<DocumentText, Failure> {
    pool.look("text", &DocumentArgs { name: name.to_owned(), ..DocumentArgs::default() }, input)
}

/// The waveform of a sound in at most `columns` columns.
pub fn peaks(pool: &Pool, input: Input, columns: u32) -> Result<Waveform, Failure> {
    let args = serde_json::json!(PeaksArgs { columns });
    pool.call(&Job::new("peaks", args, input).within(Limits::STREAM))
}

/// How loud a sound is.
pub fn loudness(pool: &Pool, input: Input) -> Result<Loudness, Failure> {
    pool.call(&Job::new("loudness", serde_json::json!(()), input).within(Limits::STREAM))
}

/// The pitches of the stretch between two frames of a sound, in `columns` columns of `rows` rows.
pub fn spectrogram(
    pool: &Pool,
    input: Input,
    frames: std::ops::Range<u64>,
    columns: u32,
    rows: u32,
) -> Result<Spectrogram, Failure> {
    let args = SpectrogramArgs { from_frame: frames.start, until_frame: frames.end, columns, rows };
    let job = Job::new("spectrogram", serde_json::json!(args), input).within(Limits::STREAM);
    let (mut format, mut cells) = (None::<SoundFormat>, Vec::new());
    pool.run(&job, |frame| {
        match frame {
            Frame::Json(text) => format = serde_json::from_slice(&text).ok(),
            Frame::Bytes(bytes) => cells.extend_from_slice(&bytes),
        }
        ControlFlow::Continue(())
    })?;
    let format = format.ok_or_else(|| Failure::Protocol { why: "no answer came".to_owned() })?;
    Ok(Spectrogram { format, rows, cells })
}

/// The captions inside a video as WebVTT; none where it has no track of them.
pub fn captions(pool: &Pool, input: Input) -> Result<Option<String>, Failure> {
    pool.look("captions", &(), input)
}

/// An upright PNG whose longest side is at most `longest` pixels.
pub fn thumbnail(pool: &Pool, input: Input, longest: u32) -> Result<Vec<u8>, Failure> {
    pool.bytes(&Job::new("thumbnail", serde_json::json!(ThumbnailArgs { longest }), input))
}

/// How a picture is shown, and the PNG that stands in for it where the web view does not get the bytes themselves.
pub fn picture(
    pool: &Pool,
    input: Input,
    wish: PictureWish,
) -> Result<(PictureView, Option<Vec<u8>>), Failure> {
    let (mut view, mut png) = (None, Vec::new());
    pool.run(&Job::new("picture", serde_json::json!(wish), input), |frame| {
        match frame {
            Frame::Json(text) => view = Some(text),
            Frame::Bytes(bytes) => png.extend_from_slice(&bytes),
        }
        ControlFlow::Continue(())
    })?;
    let bad = |why: String| Failure::Protocol { why };
    let view = view.ok_or_else(|| bad("no answer came".to_owned()))?;
    let view: PictureView =
        serde_json::from_slice(&view).map_err(|e| bad(format!("an unexpected answer: {e}")))?;
    let png = (!view.original).then_some(png);
    Ok((view, png))
}
