//! Prompts with their input assets, in `content/study.sqlite`. Every version that was ever published stays; which
//! one is current is said by the task (blind sessions) or by `audit.sqlite` (auditor, lead).

use super::encode;
use crate::Result;
use domain::{BlobHash, InputAsset, ModalityList, Prompt, PromptId};
use rusqlite::{Connection, OptionalExtension, params};

/// One version of a prompt, or the newest.
pub(crate) fn get(study: &Connection, id: PromptId, version: Option<u32>) -> Result<Option<Prompt>> {
    let version = match version {
        Some(version) => version,
        None => study
            .prepare_cached("SELECT coalesce(max(version), 0) FROM prompts WHERE id = ?1")?
            .query_row(params![id.as_bytes()], |row| encode::small(row, 0))?,
    };
    let row = study
        .prepare_cached(
            "SELECT key, text, language, input_modalities, gold FROM prompts WHERE id = ?1 AND version = ?2",
        )?
        .query_row(params![id.as_bytes(), version], |row| {
            Ok((
                row.get::<_, String>(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, String>(3)?,
                row.get::<_, String>(4)?,
            ))
        })
        .optional()?;
    let Some((key, text, language, input_modalities, gold)) = row else { return Ok(None) };
    let mut inputs = study.prepare_cached(
        "SELECT name, blob, bytes, format FROM inputs WHERE prompt = ?1 AND version = ?2 ORDER BY position",
    )?;
    let inputs = inputs
        .query_map(params![id.as_bytes(), version], |row| {
            Ok(InputAsset {
                name: row.get(0)?,
                blob: encode::blob(row, 1)?,
                bytes: encode::unsigned(row, 2)?,
                format: row.get(3)?,
            })
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(Some(Prompt {
        id,
        version,
        key,
        text,
        language,
        input_modalities: encode::read_modalities(&input_modalities)?,
        gold: encode::read_modalities(&gold)?,
        inputs,
    }))
}

/// What is judged of a response to this prompt: what was expected of it when it was made, changed as the gold list has
/// changed since the prompt's oldest version that is here.
pub(crate) fn expected(study: &Connection, now: &Prompt, response: &ModalityList) -> Result<ModalityList> {
    let oldest: Option<String> = study
        .prepare_cached("SELECT gold FROM prompts WHERE id = ?1 AND version < ?2 ORDER BY version LIMIT 1")?
        .query_row(params![now.id.as_bytes(), now.version], |row| row.get(0))
        .optional()?;
    Ok(match oldest {
        Some(gold) => response.changed_like(&encode::read_modalities(&gold)?, &now.gold),
        None => response.clone(),
    })
}

/// The oldest version of a prompt from which on a judgement says all that `version` asks: the same question with the same
/// inputs, and every modality of its gold list. What left the gold list takes nothing away from a judgement.
pub(crate) fn judged_since(study: &Connection, id: PromptId, version: u32) -> Result<u32> {
    let Some(now) = get(study, id, Some(version))? else { return Ok(version) };
    let mut since = version;
    while since > 1 {
        let Some(before) = get(study, id, Some(since - 1))? else { break };
        let same_question = (&before.text, &before.inputs, &before.input_modalities)
            == (&now.text, &now.inputs, &now.input_modalities);
        if !same_question || !now.gold.iter().all(|modality| before.gold.contains(modality)) {
            break;
        }
        since -= 1;
    }
    Ok(since)
}

/// The prompts of which an input is this blob.
pub(crate) fn naming(study: &Connection, blob: BlobHash) -> Result<Vec<PromptId>> {
    let mut query = study.prepare_cached("SELECT DISTINCT prompt FROM inputs WHERE blob = ?1")?;
    let ids = query.query_map(params![blob.as_bytes()], |row| encode::prompt_id(row, 0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// The format of an input with this blob, whichever prompt names it.
pub(crate) fn format_of(study: &Connection, blob: BlobHash) -> Result<Option<String>> {
    Ok(study
        .prepare_cached("SELECT format FROM inputs WHERE blob = ?1 LIMIT 1")?
        .query_row(params![blob.as_bytes()], |row| row.get(0))
        .optional()?)
}

/// Writes one version, unless it is there: a version never changes.
pub(crate) fn put(study: &Connection, prompt: &Prompt) -> Result<()> {
    let new = study
        .prepare_cached(
            "INSERT OR IGNORE INTO prompts (id, version, key, text, language, input_modalities, gold)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            prompt.id.as_bytes(),
            prompt.version,
            prompt.key,
            prompt.text,
            prompt.language,
            encode::modalities(&prompt.input_modalities),
            encode::modalities(&prompt.gold),
        ])?;
    if new == 0 {
        return Ok(());
    }
    let mut insert = study.prepare_cached(
        "INSERT INTO inputs (prompt, version, position, name, blob, bytes, format)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (position, input) in prompt.inputs.iter().enumerate() {
        insert.execute(params![
            prompt.id.as_bytes(),
            prompt.version,
            encode::signed(position as u64),
            input.name,
            input.blob.as_ref().map(BlobHash::as_bytes),
            encode::signed(input.bytes),
            input.format,
        ])?;
    }
    Ok(())
}

/// Removes a version that only an abandoned import brought.
pub(crate) fn remove(study: &Connection, id: &[u8; 16], version: u32) -> Result<()> {
    study
        .prepare_cached("DELETE FROM inputs WHERE prompt = ?1 AND version = ?2")?
        .execute(params![id, version])?;
    study
        .prepare_cached("DELETE FROM prompts WHERE id = ?1 AND version = ?2")?
        .execute(params![id, version])?;
    Ok(())
}
