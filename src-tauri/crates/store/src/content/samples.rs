//! Samples of an interaction benchmark, in `content/rubrics.sqlite`, where those who curate find them; which version of each
//! stands, and what models predict of them, in `audit.sqlite`. A version never changes.

use super::encode;
use crate::Result;
use domain::{BlobHash, ContextKind, Prediction, Sample, SampleId};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeSet;

/// A sample as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingSample {
    /// Its id.
    pub id: SampleId,
    /// The version that stands.
    pub version: u32,
    /// What it is.
    pub sample: Sample,
    /// Did curation discard it, as far as a lead's session has seen? Then it does not count.
    pub is_discarded: bool,
}

fn sample_id(row: &Row<'_>, column: usize) -> rusqlite::Result<SampleId> {
    row.get::<_, [u8; 16]>(column).map(SampleId::from_bytes)
}

/// One version of a sample.
pub(crate) fn get(rubrics: &Connection, id: SampleId, version: u32) -> Result<Option<Sample>> {
    let body = rubrics
        .prepare_cached("SELECT body FROM samples WHERE id = ?1 AND version = ?2")?
        .query_row(params![id.as_bytes(), version], |row| row.get::<_, String>(0))
        .optional()?;
    body.map(|body| encode::read_json("sample", &body)).transpose()
}

/// The newest version there is, handed out or not; 0 for none.
pub(crate) fn newest(rubrics: &Connection, id: SampleId) -> Result<u32> {
    Ok(rubrics
        .prepare_cached("SELECT coalesce(max(version), 0) FROM samples WHERE id = ?1")?
        .query_row(params![id.as_bytes()], |row| encode::small(row, 0))?)
}

/// Writes a version, unless it is there.
pub(crate) fn put(rubrics: &Connection, id: SampleId, version: u32, sample: &Sample) -> Result<()> {
    let new = rubrics
        .prepare_cached("INSERT OR IGNORE INTO samples (id, version, body) VALUES (?1, ?2, ?3)")?
        .execute(params![id.as_bytes(), version, encode::json(sample)?])?;
    if new == 0 {
        return Ok(());
    }
    let mut insert = rubrics.prepare_cached(
        "INSERT INTO sample_assets (sample, version, position, blob, format) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (position, image) in sample.images().enumerate() {
        if let Some(blob) = &image.blob {
            insert.execute(params![
                id.as_bytes(),
                version,
                encode::signed(position as u64),
                blob.as_bytes(),
                image.format
            ])?;
        }
    }
    Ok(())
}

/// Removes a version that only an abandoned import brought.
pub(crate) fn remove(rubrics: &Connection, id: &[u8; 16], version: u32) -> Result<()> {
    for sql in [
        "DELETE FROM sample_assets WHERE sample = ?1 AND version = ?2",
        "DELETE FROM samples WHERE id = ?1 AND version = ?2",
    ] {
        rubrics.prepare_cached(sql)?.execute(params![id, version])?;
    }
    Ok(())
}

/// The samples, with their versions, of which an image is this blob.
pub(crate) fn naming(rubrics: &Connection, blob: BlobHash) -> Result<Vec<(SampleId, u32)>> {
    let mut query = rubrics.prepare_cached("SELECT sample, version FROM sample_assets WHERE blob = ?1")?;
    let found =
        query.query_map(params![blob.as_bytes()], |row| Ok((sample_id(row, 0)?, encode::small(row, 1)?)))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// The format of an image with this blob, whichever sample names it.
pub(crate) fn format_of(rubrics: &Connection, blob: BlobHash) -> Result<Option<String>> {
    Ok(rubrics
        .prepare_cached("SELECT format FROM sample_assets WHERE blob = ?1 LIMIT 1")?
        .query_row(params![blob.as_bytes()], |row| row.get(0))
        .optional()?)
}

/// The version of a sample that stands.
pub(crate) fn standing(audit: &Connection, id: SampleId) -> Result<Option<u32>> {
    Ok(audit
        .prepare_cached("SELECT version FROM sample_heads WHERE sample = ?1")?
        .query_row(params![id.as_bytes()], |row| encode::small(row, 0))
        .optional()?)
}

/// Makes a version the one that stands.
pub(crate) fn stand(audit: &Connection, id: SampleId, version: u32) -> Result<()> {
    audit
        .prepare_cached("UPDATE sample_heads SET version = ?2 WHERE sample = ?1")?
        .execute(params![id.as_bytes(), version])?;
    Ok(())
}

/// Says which samples are discarded, by their ids; all others are not.
pub(crate) fn discard(audit: &Connection, gone: &BTreeSet<SampleId>) -> Result<()> {
    let before = audit
        .prepare_cached("SELECT sample FROM sample_heads WHERE discarded = 1")?
        .query_map([], |row| sample_id(row, 0))?
        .collect::<rusqlite::Result<BTreeSet<_>>>()?;
    let mut update = audit.prepare_cached("UPDATE sample_heads SET discarded = ?2 WHERE sample = ?1")?;
    for id in before.symmetric_difference(gone) {
        update.execute(params![id.as_bytes(), gone.contains(id)])?;
    }
    Ok(())
}

/// Every sample as it stands, by its key.
pub(crate) fn all(audit: &Connection, rubrics: &Connection) -> Result<Vec<StandingSample>> {
    let heads = audit
        .prepare_cached("SELECT sample, version, discarded FROM sample_heads ORDER BY key")?
        .query_map([], |row| Ok((sample_id(row, 0)?, encode::small(row, 1)?, row.get::<_, bool>(2)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut samples = Vec::with_capacity(heads.len());
    for (id, version, is_discarded) in heads {
        if let Some(sample) = get(rubrics, id, version)? {
            samples.push(StandingSample { id, version, sample, is_discarded });
        }
    }
    Ok(samples)
}

/// Every prediction that stands, by sample, model and context.
pub(crate) fn predictions(audit: &Connection, each: &mut dyn FnMut(Prediction) -> Result<()>) -> Result<()> {
    let mut query = audit.prepare_cached(
        "SELECT sample_key, model, context, choice FROM predictions WHERE state = 1
         ORDER BY sample_key, model, context",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let context: String = row.get(2)?;
        let context = if context.is_empty() {
            None
        } else {
            Some(context.parse::<ContextKind>().map_err(|why| encode::damaged("context", why))?)
        };
        each(Prediction { sample_key: row.get(0)?, model: row.get(1)?, context, choice: row.get(3)? })?;
    }
    Ok(())
}

/// The models that predictions are from.
pub(crate) fn models(audit: &Connection) -> Result<Vec<String>> {
    let mut query =
        audit.prepare_cached("SELECT DISTINCT model FROM predictions WHERE state = 1 ORDER BY model")?;
    Ok(query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}
