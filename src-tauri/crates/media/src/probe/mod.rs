//! What is known of a file, by its content and never by its name. Runs in the worker.
//!
//! Containers are read by hand where what can still be read of a broken one counts (ISO media, MPEG streams, GIF); by a
//! library where the format is deep (Matroska, PDF, zip). Then as much is decoded as tells whether it does.

mod aac;
mod active;
mod audio;
mod avi;
mod bits;
mod boxes;
mod document;
mod image;
mod iso;
mod matroska;
pub(crate) mod moving;
mod mpeg;
pub(crate) mod mpeg_ts;
mod ogg;
mod shape;
mod sniff;
mod timing;

pub use shape::{AudioFacts, DocumentFacts, ImageFacts, Kind, Probe, Problem, ProblemCode, VideoFacts};
pub use sniff::is_picture;
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
    /// Decode nothing, only read heads.
    #[serde(default)]
    pub(crate) heads_only: bool,
}

pub(crate) fn register(registry: Registry) -> Registry {
    registry
        .with_reply("format", |args: ProbeArgs, input| format_of(input, &args.name))
        .with_reply("probe", |args: ProbeArgs, input| probe(input, &args))
}

fn probe(input: &Input, args: &ProbeArgs) -> Result<Probe, String> {
    let name = args.name.as_str();
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
        heads_only: args.heads_only,
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
        Kind::Image => image::image(&mut probe, input),
        Kind::Audio => audio::audio(&mut probe, input),
        Kind::Video => match format {
            "webm" | "mkv" => matroska::video(&mut probe, input),
            "avi" => avi::video(&mut probe, input),
            "ts" => mpeg_ts::video(&mut probe, input),
            _ => iso::video(&mut probe, input),
        },
        Kind::Document | Kind::Text => document::document(&mut probe, input),
        Kind::Unknown => unknown(&mut probe, input),
    }
    Ok(probe)
}

/// A container of moving pictures that holds none: a sound, or nothing at all.
fn no_picture(probe: &mut Probe) {
    if probe.audio.is_some() {
        probe.kind = Kind::Audio;
        probe.video = None;
    } else {
        probe.problem(ProblemCode::Undecodable, "the file holds neither pictures nor sound");
    }
}

/// Nothing is known of it; a zip at least says whether it opens.
fn unknown(probe: &mut Probe, input: &Input) {
    if probe.format != "zip" {
        return;
    }
    if let Ok(Ok(mut zip)) = input.open().map(zip::ZipArchive::new) {
        let locked =
            (0..zip.len().min(10_000)).any(|at| zip.by_index_raw(at).is_ok_and(|file| file.encrypted()));
        if locked {
            probe.problem(ProblemCode::Encrypted, "the archive needs a password");
        }
    } else {
        probe.problem(ProblemCode::Truncated, "the index at the end of the archive is missing");
        probe.problem(ProblemCode::Undecodable, "the archive cannot be read");
    }
}

/// The nearest whole number; what is less than 0 or no number is 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
fn whole(number: f64) -> u64 {
    number.round() as u64
}

/// [`whole`], at most what 32 bits hold.
fn whole32(number: f64) -> u32 {
    u32::try_from(whole(number)).unwrap_or(u32::MAX)
}

impl Probe {
    /// Notes what is wrong, each kind once.
    fn problem(&mut self, code: ProblemCode, message: &str) {
        if !self.has(code) {
            self.problems.push(Problem { code, message: message.to_owned() });
        }
    }

    fn has(&self, code: ProblemCode) -> bool {
        self.problems.iter().any(|known| known.code == code)
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
