//! Media: everything with a codec. The worker (a child process for untrusted bytes), what is known of a file, pictures,
//! sound, documents, playback and the loopback media server.
//!
//! What parses a file runs in the worker, as a handler of [`registry`]; the parent asks through [`worker::Pool`]. The
//! two exceptions parse nothing: [`serve`] hands out bytes as they are, and [`playback`] plays samples that a worker
//! decoded.
#![deny(missing_docs)]

mod ask;
pub mod document;
pub mod picture;
pub mod playback;
pub mod probe;
pub mod serve;
pub mod sound;
pub mod traces;
pub mod worker;

pub use ask::{document, peaks, probe, sniff, thumbnail};
pub use document::DocumentView;
pub use probe::Probe;
pub use sound::Waveform;

/// The handlers of this room, by name: what `assize worker` answers with, before `actions` adds its own.
pub fn registry() -> worker::Registry {
    let registry = worker::Registry::new();
    let registry = probe::register(registry);
    let registry = document::register(registry);
    let registry = picture::register(registry);
    let registry = traces::register(registry);
    sound::register(registry)
}
