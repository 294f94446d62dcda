//! Which format a file has, by what is in it. The name is asked only for what a harness writes nowhere else (the
//! run's time and variant), and for `main_config.txt`, whose content is a bare word.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// How many first bytes [`recognise`] wants to see; fewer are fine.
pub const HEAD: usize = 256 << 10;

/// A format that can be recognised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "snake_case")]
pub enum Format {
    /// An MMI dataset, one prompt per line.
    DatasetJsonl,
    /// An MMI dataset with embedded media.
    DatasetParquet,
    /// Result rows.
    ResultRows(RunFile),
    /// `run_manifest.json`.
    RunManifest,
    /// A summary: known, nothing to import (its figures are recomputed).
    Summary,
    /// Human verdicts (CSV).
    HumanVerdicts,
    /// Adjudications (CSV).
    Adjudications,
    /// Finished judgements, one per line.
    Triples,
    /// `main_config.txt`.
    MainConfig,
    /// An archive (gzip, zip …): known and refused; unpack it first (quirk Q44).
    Archive,
}

/// What the place of a result file says of its run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFile {
    /// The results folder: name of the folder that the file is in.
    pub folder: String,
    /// Name of the file.
    pub file_name: String,
    /// `YYYYMMDD_HHMMSS` from the file name; empty if it has none.
    pub timestamp: String,
    /// `run_name` of the first row.
    pub run_name: String,
    /// Empty for the run itself, else its suffixes, stacked as in the name: `_rejudged`, `_rubric_scored` …
    pub variant: String,
}

/// The format of a file, from its path and first bytes; none if it is none that is known.
pub fn recognise(path: &Path, head: &[u8]) -> Option<Format> {
    let _ = (path, head);
    None
}
