//! Media: everything with a codec. The worker (a child process for untrusted bytes), what is known of a file, pictures,
//! sound, documents, playback and the loopback media server.
//!
//! What parses a file runs in the worker, as a handler of [`registry`]; the parent asks through [`worker::Pool`]. The
//! exceptions parse nothing in the parent: [`serve`] hands out bytes as they are, [`playback`] plays samples that a worker
//! decoded, and [`pages`] lets LibreOffice print a document in a process of its own.
#![deny(missing_docs)]

mod ask;
mod captions;
pub mod document;
#[doc(hidden)]
pub mod fuzz;
pub mod pages;
pub mod picture;
pub mod playback;
pub mod plugins;
pub mod probe;
pub mod serve;
pub mod sound;
pub mod traces;
pub mod waveforms;
pub mod worker;

pub use ask::{
    Reading, captions, document, loudness, peaks, picture, probe, sniff, spectrogram, text, thumbnail,
};
pub use document::{DocumentText, DocumentView};
pub use picture::{Part, PictureView, PictureWish};
pub use probe::{Probe, is_picture};
pub use sound::{Loudness, Spectrogram, Waveform};

/// The handlers of this room, by name: what `assize worker` answers with, before `actions` adds its own.
pub fn registry() -> worker::Registry {
    let registry = worker::Registry::new();
    let registry = probe::register(registry);
    let registry = document::register(registry);
    let registry = picture::register(registry);
    let registry = captions::register(registry);
    let registry = traces::register(registry);
    sound::register(registry)
}
