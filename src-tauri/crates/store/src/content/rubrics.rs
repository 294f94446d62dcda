//! Rubrics handed out for work or review, in `content/rubrics.sqlite`. A version never changes; `heads` names the
//! one that is handed out, so that what an unfinished import brought is not.

use super::{encode, keys::ContentHash};
use crate::Result;
use domain::{BesideCriteria, Criterion, PromptId, RubricDraft};
use rusqlite::{Connection, OptionalExtension, params};

/// Where a rubric came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RubricSource {
    /// A dataset file.
    Dataset,
    /// The lead published it.
    Published,
}
impl RubricSource {
    /// The name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dataset => "dataset",
            Self::Published => "published",
        }
    }
}

/// A rubric as it is handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rubric {
    /// The prompt.
    pub prompt: PromptId,
    /// The prompt's version that it belongs to.
    pub prompt_version: u32,
    /// Its own version, from 1.
    pub version: u32,
    /// Where it came from.
    pub source: RubricSource,
    /// Its criteria, in order.
    pub criteria: Vec<Criterion>,
    /// What its file says beside them.
    pub beside: BesideCriteria,
}

/// The rubric handed out for the newest version of a prompt that has one, as a draft to start from.
pub(crate) fn for_prompt(rubrics: &Connection, prompt: PromptId) -> Result<Option<RubricDraft>> {
    Ok(newest(rubrics, prompt)?.map(|rubric| rubric.beside.draft(rubric.criteria)))
}

/// The rubric handed out for the newest version of a prompt that has one.
pub(crate) fn newest(rubrics: &Connection, prompt: PromptId) -> Result<Option<Rubric>> {
    let newest = rubrics
        .prepare_cached("SELECT max(prompt_version) FROM heads WHERE prompt = ?1")?
        .query_row(params![prompt.as_bytes()], |row| row.get::<_, Option<u32>>(0))?;
    match newest {
        Some(newest) => handed_out(rubrics, prompt, newest),
        None => Ok(None),
    }
}

/// The rubric handed out for a prompt's version, if there is one.
pub(crate) fn handed_out(
    rubrics: &Connection,
    prompt: PromptId,
    prompt_version: u32,
) -> Result<Option<Rubric>> {
    let row = rubrics
        .prepare_cached(
            "SELECT r.version, r.source, r.criteria, r.beside FROM heads h
             JOIN rubrics r ON r.prompt = h.prompt AND r.prompt_version = h.prompt_version AND r.version = h.version
             WHERE h.prompt = ?1 AND h.prompt_version = ?2",
        )?
        .query_row(params![prompt.as_bytes(), prompt_version], |row| {
            Ok((
                encode::small(row, 0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, Option<String>>(3)?,
            ))
        })
        .optional()?;
    let Some((version, source, criteria, beside)) = row else { return Ok(None) };
    Ok(Some(Rubric {
        prompt,
        prompt_version,
        version,
        source: self::source(&source)?,
        criteria: encode::read_json("criteria", &criteria)?,
        beside: read_beside(beside)?,
    }))
}

/// The rubric handed out for the newest version of every prompt that has one.
pub(crate) fn all_newest(rubrics: &Connection) -> Result<Vec<Rubric>> {
    let heads = rubrics
        .prepare_cached("SELECT prompt, max(prompt_version) FROM heads GROUP BY prompt ORDER BY prompt")?
        .query_map([], |row| Ok((encode::prompt_id(row, 0)?, encode::small(row, 1)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut all = Vec::with_capacity(heads.len());
    for (prompt, prompt_version) in heads {
        all.extend(handed_out(rubrics, prompt, prompt_version)?);
    }
    Ok(all)
}

/// Every version for every version of a prompt, oldest first, also those that are not handed out any more.
pub(crate) fn versions(rubrics: &Connection, prompt: PromptId) -> Result<Vec<Rubric>> {
    let mut query = rubrics.prepare_cached(
        "SELECT prompt_version, version, source, criteria, beside FROM rubrics WHERE prompt = ?1 ORDER BY prompt_version, version",
    )?;
    let mut rows = query.query(params![prompt.as_bytes()])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(Rubric {
            prompt,
            prompt_version: encode::small(row, 0)?,
            version: encode::small(row, 1)?,
            source: source(&row.get::<_, String>(2)?)?,
            criteria: encode::read_json("criteria", &row.get::<_, String>(3)?)?,
            beside: read_beside(row.get(4)?)?,
        });
    }
    Ok(all)
}

fn read_beside(text: Option<String>) -> Result<BesideCriteria> {
    text.map_or_else(|| Ok(BesideCriteria::default()), |text| encode::read_json("beside", &text))
}

fn source(name: &str) -> Result<RubricSource> {
    [RubricSource::Dataset, RubricSource::Published]
        .into_iter()
        .find(|s| s.name() == name)
        .ok_or_else(|| encode::damaged("rubric source", name))
}

/// Writes a version, unless it is there. It is not handed out before [`hand_out`].
pub(crate) fn put(rubrics: &Connection, rubric: &Rubric) -> Result<()> {
    rubrics
        .prepare_cached(
            "INSERT OR IGNORE INTO rubrics (prompt, prompt_version, version, source, criteria, beside)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            rubric.prompt.as_bytes(),
            rubric.prompt_version,
            rubric.version,
            rubric.source.name(),
            encode::json(&rubric.criteria)?,
            (!rubric.beside.is_empty()).then(|| encode::json(&rubric.beside)).transpose()?,
        ])?;
    Ok(())
}

/// Makes a version the one that is handed out.
pub(crate) fn hand_out(
    rubrics: &Connection,
    prompt: &[u8; 16],
    prompt_version: u32,
    version: u32,
) -> Result<()> {
    rubrics
        .prepare_cached(
            "INSERT INTO heads (prompt, prompt_version, version) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET version = excluded.version",
        )?
        .execute(params![prompt, prompt_version, version])?;
    Ok(())
}

/// Removes a version that only an abandoned import brought.
pub(crate) fn remove(
    rubrics: &Connection,
    prompt: &[u8; 16],
    prompt_version: u32,
    version: u32,
) -> Result<()> {
    rubrics
        .prepare_cached("DELETE FROM rubrics WHERE prompt = ?1 AND prompt_version = ?2 AND version = ?3")?
        .execute(params![prompt, prompt_version, version])?;
    Ok(())
}

fn content_of(criteria: &[Criterion], beside: &BesideCriteria) -> Result<[u8; 32]> {
    let mut hash = ContentHash::default();
    for criterion in criteria {
        hash = hash
            .part(criterion.id.as_bytes())
            .part(criterion.criterion.as_bytes())
            .part(criterion.modality.name().as_bytes());
    }
    if !beside.is_empty() {
        hash = hash.part(encode::json(beside)?.as_bytes());
    }
    Ok(hash.finish())
}

/// Takes note of a version whose number is given. A content that an earlier version had keeps that one's entry.
pub(crate) fn know_version(
    audit: &Connection,
    prompt: PromptId,
    prompt_version: u32,
    version: u32,
    criteria: &[Criterion],
    beside: &BesideCriteria,
) -> Result<()> {
    audit
        .prepare_cached(
            "INSERT OR IGNORE INTO rubric_versions (prompt, prompt_version, version, content)
             VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![prompt.as_bytes(), prompt_version, version, content_of(criteria, beside)?])?;
    Ok(())
}

/// The version of this rubric for this version of the prompt: a known one, or the next. Written to `audit`.
pub(crate) fn version_of(
    audit: &Connection,
    prompt: PromptId,
    prompt_version: u32,
    criteria: &[Criterion],
    beside: &BesideCriteria,
) -> Result<u32> {
    let content = content_of(criteria, beside)?;
    let known = audit
        .prepare_cached(
            "SELECT version FROM rubric_versions WHERE prompt = ?1 AND prompt_version = ?2 AND content = ?3",
        )?
        .query_row(params![prompt.as_bytes(), prompt_version, content], |row| encode::small(row, 0))
        .optional()?;
    if let Some(version) = known {
        return Ok(version);
    }
    Ok(audit
        .prepare_cached(
            "INSERT INTO rubric_versions (prompt, prompt_version, version, content) VALUES (?1, ?2,
               (SELECT coalesce(max(version), 0) + 1 FROM rubric_versions WHERE prompt = ?1 AND prompt_version = ?2),
               ?3)
             RETURNING version",
        )?
        .query_row(params![prompt.as_bytes(), prompt_version, content], |row| encode::small(row, 0))?)
}
