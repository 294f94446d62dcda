//! The study's lock. Only migration, repair and the collection of blobs take it; daily work never waits for it.

use crate::{Result, StoreError};
use std::path::Path;

/// Runs `work` while no other program migrates, repairs or collects in the study at `root`. Answers
/// [`StoreError::Locked`] at once when one does.
pub(crate) fn with<T>(root: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let path = root.join("study.lock");
    let file = std::fs::OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(StoreError::io(&path))?;
    let mut lock = fd_lock::RwLock::new(file);
    let guard = lock.try_write().map_err(|_| StoreError::Locked(root.to_owned()))?;
    let done = work();
    drop(guard);
    done
}
