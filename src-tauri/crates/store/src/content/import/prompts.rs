//! Prompts and their rubrics from a dataset file.

use super::{Import, Put};
use crate::Result;
use crate::content::{RubricSource, encode, keys::ContentHash, prompts, rubrics};
use domain::{BlobHash, InputAsset, ModalityList, Prompt, PromptId, PromptRecord};
use rusqlite::{OptionalExtension, params};

struct Origin {
    version: u32,
    rubric_version: Option<u32>,
    line: u64,
}

impl Import<'_> {
    /// Takes a prompt with its inputs (their blobs are on disk already). A prompt that the study has with other
    /// content gets a new version; one that this file gave before with other content is a conflict, and the
    /// first stays (quirk Q16).
    pub fn put_prompt(&mut self, line: u64, record: &PromptRecord, inputs: &[InputAsset]) -> Result<Put> {
        for input in inputs {
            self.need_blob(input.blob)?;
        }
        self.chunk()?;
        let id = self.prompt_id(&record.key);
        let version = self.prompt_version(
            id,
            prompt_content(
                &record.text,
                &record.input_modalities,
                &record.gold,
                inputs,
                record.language.as_deref(),
            ),
        )?;
        let rubric_version = if record.criteria.is_empty() && record.beside.is_empty() {
            None
        } else {
            Some(self.rubric_version(id, version, record)?)
        };

        if let Some(own) = self.own_origin(id)?
            && own.line != line
        {
            return Ok(if (own.version, own.rubric_version) == (version, rubric_version) {
                Put::Unchanged
            } else {
                Put::Conflict(format!(
                    "line {} gives prompt {:?} with other content; that one is kept",
                    own.line,
                    record.key.chars().take(80).collect::<String>()
                ))
            });
        }
        let added = self.standing(id)? != Some((version, rubric_version));
        self.content
            .audit
            .prepare_cached(
                "INSERT OR REPLACE INTO prompt_origins (import, prompt, version, rubric_version, key, line, added)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                self.n,
                id.as_bytes(),
                version,
                rubric_version,
                record.key,
                encode::signed(line),
                added
            ])?;
        prompts::put(
            &self.content.study,
            &Prompt {
                id,
                version,
                key: record.key.clone(),
                text: record.text.clone(),
                language: record.language.clone().unwrap_or_else(|| "und".to_owned()),
                input_modalities: record.input_modalities.clone(),
                gold: record.gold.clone(),
                inputs: inputs.to_vec(),
            },
        )?;
        if let Some(rubric_version) = rubric_version {
            rubrics::put(
                &self.content.rubrics,
                &rubrics::Rubric {
                    prompt: id,
                    prompt_version: version,
                    version: rubric_version,
                    source: RubricSource::Dataset,
                    criteria: record.criteria.clone(),
                    beside: record.beside.clone(),
                },
            )?;
        }
        Ok(if added { Put::Added } else { Put::Unchanged })
    }

    /// The id of the prompt with this key.
    pub(super) fn prompt_id(&self, key: &str) -> PromptId {
        PromptId::from_bytes(self.content.secret.id("prompt", &[key.as_bytes()]))
    }

    fn own_origin(&self, id: PromptId) -> Result<Option<Origin>> {
        Ok(self
            .content
            .audit
            .prepare_cached(
                "SELECT version, rubric_version, line FROM prompt_origins WHERE import = ?1 AND prompt = ?2",
            )?
            .query_row(params![self.n, id.as_bytes()], |row| {
                Ok(Origin {
                    version: encode::small(row, 0)?,
                    rubric_version: row.get(1)?,
                    line: encode::unsigned(row, 2)?,
                })
            })
            .optional()?)
    }

    /// The version and rubric that the newest completed import gave this prompt.
    fn standing(&self, id: PromptId) -> Result<Option<(u32, Option<u32>)>> {
        Ok(self
            .content
            .audit
            .prepare_cached(
                "SELECT o.version, o.rubric_version FROM prompt_origins o JOIN imports i ON i.n = o.import
                 WHERE o.prompt = ?1 AND i.completed_at IS NOT NULL ORDER BY o.import DESC LIMIT 1",
            )?
            .query_row(params![id.as_bytes()], |row| Ok((encode::small(row, 0)?, row.get(1)?)))
            .optional()?)
    }

    /// The version with this content: a known one, or the next.
    fn prompt_version(&self, id: PromptId, content: [u8; 32]) -> Result<u32> {
        let audit = &self.content.audit;
        let known = audit
            .prepare_cached("SELECT version FROM prompt_versions WHERE prompt = ?1 AND content = ?2")?
            .query_row(params![id.as_bytes(), content], |row| encode::small(row, 0))
            .optional()?;
        if let Some(version) = known {
            return Ok(version);
        }
        Ok(audit
            .prepare_cached(
                "INSERT INTO prompt_versions (prompt, version, content) VALUES (?1,
                   (SELECT coalesce(max(version), 0) + 1 FROM prompt_versions WHERE prompt = ?1), ?2)
                 RETURNING version",
            )?
            .query_row(params![id.as_bytes(), content], |row| encode::small(row, 0))?)
    }

    fn rubric_version(&self, id: PromptId, prompt_version: u32, record: &PromptRecord) -> Result<u32> {
        rubrics::version_of(&self.content.audit, id, prompt_version, &record.criteria, &record.beside)
    }
}

/// What tells one version of a prompt from another.
pub(crate) fn prompt_content(
    text: &str,
    input_modalities: &ModalityList,
    gold: &ModalityList,
    inputs: &[InputAsset],
    language: Option<&str>,
) -> [u8; 32] {
    let mut hash = ContentHash::default()
        .part(text.as_bytes())
        .part(encode::modalities(input_modalities).as_bytes())
        .part(encode::modalities(gold).as_bytes());
    for input in inputs {
        hash = hash
            .part(input.name.as_bytes())
            .optional(input.blob.as_ref().map(|b| BlobHash::as_bytes(b).as_slice()))
            .part(input.format.as_bytes());
    }
    // A prompt without one has the hash that it had before languages were read.
    if let Some(language) = language {
        hash = hash.part(b"language").part(language.as_bytes());
    }
    hash.finish()
}
