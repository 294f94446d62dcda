//! Import and export of files, one module per format: bytes in, domain types out. No store, no network.
//!
//! Reading is streaming: [`recognise`] says what a file is, [`read_file`] sends what it says to a [`Sink`] one
//! [`Event`] at a time and answers with a [`ReadReport`]. What a row got wrong is mended or reported by line, as
//! MMI-FORMAT's list of quirks (section 10) says; only a file that cannot be read at all is an error.
#![deny(missing_docs)]

mod error;
mod event;
mod read;
mod recognise;
mod shapes;

pub use error::FormatError;
pub use event::{Event, Flow, Media, Options, Position, ReadReport, Sink};
pub use read::read_file;
pub use recognise::{Format, HEAD, RunFile, recognise};
pub use shapes::{JudgeProfile, ManifestModel, Rating, RatingTable, RunManifest, Triple};
