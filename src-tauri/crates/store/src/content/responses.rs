//! Responses with their assets, in `content/responses.sqlite`: what a judge may see of a model's answer.

use super::encode;
use crate::Result;
use domain::{Asset, BlobHash, PromptId, Response, ResponseId};
use rusqlite::{Connection, OptionalExtension, params};

/// One response. Its `prompt` is always given, since the id follows from the key; whether the study has that
/// prompt (quirk Q17) is seen when it is looked up.
pub(crate) fn get(responses: &Connection, id: ResponseId) -> Result<Option<Response>> {
    let row = responses
        .prepare_cached("SELECT prompt, expected, text, failed FROM responses WHERE id = ?1")?
        .query_row(params![id.as_bytes()], |row| {
            Ok((
                encode::prompt_id(row, 0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, bool>(3)?,
            ))
        })
        .optional()?;
    let Some((prompt, expected, text, failed)) = row else { return Ok(None) };
    let mut query = responses.prepare_cached(
        "SELECT position, modality, state, blob, bytes, format, link FROM assets
         WHERE response = ?1 ORDER BY position",
    )?;
    let mut rows = query.query(params![id.as_bytes()])?;
    let mut assets = Vec::new();
    while let Some(row) = rows.next()? {
        assets.push(Asset {
            position: encode::small(row, 0)?,
            modality: encode::read_modality(&row.get::<_, String>(1)?)?,
            state: encode::read_state(&row.get::<_, String>(2)?)?,
            blob: encode::blob(row, 3)?,
            bytes: encode::unsigned(row, 4)?,
            format: row.get(5)?,
            link: row.get(6)?,
        });
    }
    Ok(Some(Response {
        id,
        prompt: Some(prompt),
        expected: encode::read_modalities(&expected)?,
        text,
        failed,
        assets,
    }))
}

/// The responses of which an asset is this blob.
pub(crate) fn naming(responses: &Connection, blob: BlobHash) -> Result<Vec<ResponseId>> {
    let mut query = responses.prepare_cached("SELECT DISTINCT response FROM assets WHERE blob = ?1")?;
    let ids = query.query_map(params![blob.as_bytes()], |row| encode::response_id(row, 0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// All responses to a prompt, by id.
pub(crate) fn of_prompt(responses: &Connection, prompt: PromptId) -> Result<Vec<ResponseId>> {
    let mut query = responses.prepare_cached("SELECT id FROM responses WHERE prompt = ?1 ORDER BY id")?;
    let ids = query.query_map(params![prompt.as_bytes()], |row| encode::response_id(row, 0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// The format of an asset with this blob, whichever response names it.
pub(crate) fn format_of(responses: &Connection, blob: BlobHash) -> Result<Option<String>> {
    Ok(responses
        .prepare_cached("SELECT format FROM assets WHERE blob = ?1 LIMIT 1")?
        .query_row(params![blob.as_bytes()], |row| row.get(0))
        .optional()?)
}

/// Writes a response, unless it is there: its id names its content.
pub(crate) fn put(responses: &Connection, prompt: PromptId, response: &Response) -> Result<()> {
    let new = responses
        .prepare_cached(
            "INSERT OR IGNORE INTO responses (id, prompt, expected, text, failed) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            response.id.as_bytes(),
            prompt.as_bytes(),
            encode::modalities(&response.expected),
            response.text,
            response.failed,
        ])?;
    if new == 0 {
        return Ok(());
    }
    let mut insert = responses.prepare_cached(
        "INSERT INTO assets (response, position, modality, state, blob, bytes, format, link)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for asset in &response.assets {
        insert.execute(params![
            response.id.as_bytes(),
            asset.position,
            asset.modality.name(),
            encode::state(asset.state),
            asset.blob.as_ref().map(BlobHash::as_bytes),
            encode::signed(asset.bytes),
            asset.format,
            asset.link,
        ])?;
    }
    Ok(())
}

/// Removes a response that only an abandoned import brought.
pub(crate) fn remove(responses: &Connection, id: &[u8; 16]) -> Result<()> {
    responses.prepare_cached("DELETE FROM assets WHERE response = ?1")?.execute(params![id])?;
    responses.prepare_cached("DELETE FROM responses WHERE id = ?1")?.execute(params![id])?;
    Ok(())
}
