//! What is known of a file, by its content and never by its name.

mod shape;

pub use shape::{AudioFacts, DocumentFacts, ImageFacts, Kind, Probe, Problem, ProblemCode, VideoFacts};

use crate::worker::Registry;

pub(crate) fn register(registry: Registry) -> Registry {
    registry
}
