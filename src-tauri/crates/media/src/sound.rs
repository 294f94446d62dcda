//! sound in the worker.
use crate::worker::Registry;
pub(crate) fn register(registry: Registry) -> Registry {
    registry
}
