//! Guidelines, in `content/study.sqlite`: a new text is a new version, and a judgement names the one it was given
//! under.

use super::encode;
use crate::Result;
use rusqlite::{Connection, OptionalExtension, params};

/// One version of the guidelines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guidelines {
    /// From 1.
    pub version: u32,
    /// The text.
    pub markdown: String,
}

/// The newest version, if the study has guidelines.
pub(crate) fn current(study: &Connection) -> Result<Option<Guidelines>> {
    Ok(study
        .prepare_cached("SELECT version, markdown FROM guidelines ORDER BY version DESC LIMIT 1")?
        .query_row([], |row| Ok(Guidelines { version: encode::small(row, 0)?, markdown: row.get(1)? }))
        .optional()?)
}

/// The newest version's number and text.
pub(crate) fn latest(study: &Connection) -> Result<Option<(u32, String)>> {
    Ok(current(study)?.map(|now| (now.version, now.markdown)))
}

/// Writes one version.
pub(crate) fn put(study: &Connection, guidelines: &Guidelines) -> Result<()> {
    study.execute(
        "INSERT INTO guidelines (version, markdown) VALUES (?1, ?2)",
        params![guidelines.version, guidelines.markdown],
    )?;
    Ok(())
}

/// Publishes a new version and answers with its number; the current text again is the current version.
pub(crate) fn publish(study: &Connection, markdown: &str) -> Result<u32> {
    let version = match current(study)? {
        Some(now) if now.markdown == markdown => return Ok(now.version),
        Some(now) => now.version + 1,
        None => 1,
    };
    put(study, &Guidelines { version, markdown: markdown.to_owned() })?;
    Ok(version)
}
