//! What is known of a file, by its content and never by its name. Runs in the worker.

mod parts;
mod shape;
mod sniff;
mod video;

pub use shape::{AudioFacts, DocumentFacts, ImageFacts, Kind, Probe, Problem, ProblemCode, VideoFacts};
pub(crate) use sniff::{format_of, kind_of};

use crate::worker::{Input, Registry};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::Read;

/// Arguments of the jobs `probe` and `format`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ProbeArgs {
    /// The file's name.
    pub(crate) name: String,
}

pub(crate) fn register(registry: Registry) -> Registry {
    registry
        .with_reply("format", |args: ProbeArgs, input| format_of(input, &args.name))
        .with_reply("probe", |args: ProbeArgs, input| probe(input, &args.name))
}

fn probe(input: &Input, name: &str) -> Result<Probe, String> {
    let format = format_of(input, name)?;
    let mut probe = Probe {
        path: name.to_owned(),
        bytes: input.length()?,
        sha256: Some(hash(input)?),
        kind: kind_of(format),
        format: format.to_owned(),
        problems: Vec::new(),
        image: None,
        audio: None,
        video: None,
        document: None,
    };
    if probe.bytes == 0 {
        probe.problem(ProblemCode::Empty, "the file has no bytes");
        return Ok(probe);
    }
    if sniff::suffix_lies(name, format) {
        probe.problem(
            ProblemCode::SuffixMismatch,
            &format!("the name ends like another format; the bytes are {format}"),
        );
    }
    match probe.kind {
        Kind::Image => parts::image(&mut probe, input),
        Kind::Audio => parts::audio(&mut probe, input),
        Kind::Video => video::video(&mut probe, input),
        Kind::Document | Kind::Text => parts::document(&mut probe, input),
        Kind::Unknown => {}
    }
    Ok(probe)
}

impl Probe {
    fn problem(&mut self, code: ProblemCode, message: &str) {
        if self.problems.iter().all(|known| known.code != code) {
            self.problems.push(Problem { code, message: message.to_owned() });
        }
    }
}

fn hash(input: &Input) -> Result<String, String> {
    let mut from = input.open()?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0_u8; 1 << 16];
    loop {
        match from.read(&mut buffer).map_err(|e| format!("cannot read the file: {e}"))? {
            0 => return Ok(hex::encode(hasher.finalize())),
            n => hasher.update(&buffer[..n]),
        }
    }
}
