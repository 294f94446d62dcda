//! Which model gave which response, and all that files say about it: for auditors and leads.

use super::{encode, scores};
use crate::Result;
use domain::{
    Adjudication, Count, Failure, Grade, HumanVerdict, Modality, ModalityList, Presence, PromptId,
    ResponseId, RowAsset, StoredScores, VerdictDetails,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// The prompt and the run that a response belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The response.
    pub response: ResponseId,
    /// Prompt key.
    pub prompt_key: String,
    /// Results folder.
    pub folder: String,
    /// The run's timestamp.
    pub timestamp: String,
    /// `run_name`.
    pub run_name: String,
    /// Provider.
    pub provider: String,
    /// Model asked for.
    pub model: String,
}

/// One run, with how much of it there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Results folder.
    pub folder: String,
    /// The run's timestamp.
    pub timestamp: String,
    /// `run_name`.
    pub run_name: String,
    /// Provider.
    pub provider: String,
    /// Model asked for.
    pub model: String,
    /// Responses that stand.
    pub responses: Count,
}

/// One row that judges a response, wholly.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgingRecord {
    /// Results folder.
    pub folder: String,
    /// File name.
    pub file: String,
    /// Variant; empty for the base file.
    pub variant: String,
    /// Line in the file.
    pub line: u64,
    /// Expected modalities.
    pub expected: ModalityList,
    /// Detection flags.
    pub presence: Presence,
    /// Why the provider failed, if it did.
    pub failure: Option<Failure>,
    /// Was the presence judge asked?
    pub judge_used: bool,
    /// Presence judge.
    pub judge_model: String,
    /// Its reason.
    pub judge_reasoning: String,
    /// Rubric judge.
    pub rubric_judge_model: String,
    /// The row's own scores.
    pub stored: StoredScores,
    /// The assets as the run recorded them, by position.
    pub recorded: Vec<RowAsset>,
    /// Grades.
    pub grades: Vec<Grade>,
}

/// A verdict read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedVerdict {
    /// Results folder that it is about.
    pub folder: String,
    /// What it says.
    pub verdict: HumanVerdict,
    /// The file it was read from.
    pub source: String,
    /// Line there.
    pub line: u64,
}

/// A settlement read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedAdjudication {
    /// Results folder that it is about.
    pub folder: String,
    /// What it says.
    pub adjudication: Adjudication,
    /// The file it was read from.
    pub source: String,
    /// Line there.
    pub line: u64,
}

const ANSWER: &str = "SELECT s.response, s.prompt_key, r.folder, r.timestamp, r.run_name, r.provider, r.model
    FROM slots s JOIN runs r ON r.id = s.run";

fn read_answer(row: &Row<'_>) -> rusqlite::Result<Answer> {
    Ok(Answer {
        response: encode::response_id(row, 0)?,
        prompt_key: row.get(1)?,
        folder: row.get(2)?,
        timestamp: row.get(3)?,
        run_name: row.get(4)?,
        provider: row.get(5)?,
        model: row.get(6)?,
    })
}

/// Where a standing response comes from.
pub(crate) fn get(audit: &Connection, response: ResponseId) -> Result<Option<Answer>> {
    Ok(audit
        .prepare_cached(&format!("{ANSWER} WHERE s.response = ?1"))?
        .query_row([response.as_bytes()], read_answer)
        .optional()?)
}

/// The standing responses to a prompt, by folder, run and time.
pub(crate) fn to_prompt(audit: &Connection, prompt_key: &str) -> Result<Vec<Answer>> {
    let mut query = audit.prepare_cached(&format!(
        "{ANSWER} WHERE s.prompt_key = ?1 AND s.response IS NOT NULL ORDER BY r.folder, r.run_name, r.timestamp"
    ))?;
    Ok(query.query_map([prompt_key], read_answer)?.collect::<rusqlite::Result<_>>()?)
}

/// Every standing response (of one folder), by slot.
pub(crate) fn each(
    audit: &Connection,
    folder: Option<&str>,
    each: &mut dyn FnMut(Answer) -> Result<()>,
) -> Result<()> {
    let mut query = audit.prepare_cached(&format!(
        "{ANSWER} WHERE (?1 IS NULL OR r.folder = ?1) AND s.response IS NOT NULL ORDER BY s.id"
    ))?;
    let mut rows = query.query([folder])?;
    while let Some(row) = rows.next()? {
        each(read_answer(row)?)?;
    }
    Ok(())
}

/// The runs that have responses.
pub(crate) fn runs(audit: &Connection) -> Result<Vec<Run>> {
    let mut query = audit.prepare_cached(
        "SELECT r.folder, r.timestamp, r.run_name, r.provider, r.model,
           (SELECT count(*) FROM slots s WHERE s.run = r.id AND s.response IS NOT NULL) AS n
         FROM runs r WHERE n > 0 ORDER BY r.folder, r.run_name, r.timestamp",
    )?;
    let runs = query.query_map([], |row| {
        Ok(Run {
            folder: row.get(0)?,
            timestamp: row.get(1)?,
            run_name: row.get(2)?,
            provider: row.get(3)?,
            model: row.get(4)?,
            responses: Count::from(row.get::<_, i64>(5)?),
        })
    })?;
    Ok(runs.collect::<rusqlite::Result<_>>()?)
}

const JUDGING: &str =
    "SELECT f.folder, f.file, f.variant, j.line, j.expected, j.native, j.via_url, j.via_judge, j.failed,
      d.error_type, d.error_message, d.judge_used, d.judge_model, d.judge_reasoning, d.rubric_judge,
      d.stored_scores, d.recorded_assets, d.grades, s.prompt_key, r.run_name, r.timestamp
    FROM judged j JOIN run_files f ON f.id = j.file JOIN judged_details d ON d.judged = j.id
    JOIN slots s ON s.id = j.slot JOIN runs r ON r.id = s.run";

fn read_judging(row: &Row<'_>) -> Result<JudgingRecord> {
    let failed: bool = row.get(8)?;
    let text = |column: usize| -> rusqlite::Result<String> { row.get(column) };
    Ok(JudgingRecord {
        folder: text(0)?,
        file: text(1)?,
        variant: text(2)?,
        line: encode::unsigned(row, 3)?,
        expected: encode::read_modalities(&text(4)?)?,
        presence: scores::read_presence(row, 5)?,
        failure: failed.then_some(Failure { kind: text(9)?, message: text(10)? }),
        judge_used: row.get(11)?,
        judge_model: text(12)?,
        judge_reasoning: text(13)?,
        rubric_judge_model: text(14)?,
        stored: encode::read_json("stored scores", &text(15)?)?,
        recorded: encode::read_json("recorded assets", &text(16)?)?,
        grades: encode::read_json("grades", &text(17)?)?,
    })
}

/// Every row that judges a response and stands: the base file's first, then variants.
pub(crate) fn judgings(audit: &Connection, response: ResponseId) -> Result<Vec<JudgingRecord>> {
    let mut query = audit.prepare_cached(&format!(
        "{JUDGING} WHERE j.state = 1 AND j.slot IN (SELECT id FROM slots WHERE response = ?1)
         ORDER BY f.variant <> '', f.file"
    ))?;
    let mut rows = query.query([response.as_bytes()])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read_judging(row)?);
    }
    Ok(all)
}

/// Every judging of one variant (base files when empty), with where it belongs, for export.
pub(crate) fn each_judging(
    audit: &Connection,
    judging: scores::Judging<'_>,
    each: &mut dyn FnMut(&str, &str, &str, JudgingRecord) -> Result<()>,
) -> Result<()> {
    for file in scores::files(audit, judging.folder)?.iter().filter(|f| f.variant == judging.variant) {
        let mut query =
            audit.prepare_cached(&format!("{JUDGING} WHERE j.file = ?1 AND j.state = 1 ORDER BY j.id"))?;
        let mut rows = query.query([file.id])?;
        while let Some(row) = rows.next()? {
            let text = |column: usize| row.get::<_, String>(column);
            each(&text(18)?, &text(19)?, &text(20)?, read_judging(row)?)?;
        }
    }
    Ok(())
}

const VERDICT: &str =
    "SELECT v.folder, v.annotator, v.prompt_key, v.run_name, v.modality, v.verdict, v.comment,
      v.ai_assisted, v.seconds, i.path, v.line, d.details
    FROM human_verdicts v JOIN imports i ON i.n = v.import
    LEFT JOIN verdict_details d ON d.import = v.import AND d.line = v.line";

fn read_verdict(row: &Row<'_>) -> Result<ImportedVerdict> {
    Ok(ImportedVerdict {
        folder: row.get(0)?,
        verdict: HumanVerdict {
            annotator: row.get(1)?,
            prompt_key: row.get(2)?,
            model: row.get(3)?,
            modality: encode::read_modality(&row.get::<_, String>(4)?)?,
            verdict: row.get::<_, String>(5)?.parse().map_err(|e: String| encode::damaged("verdict", e))?,
            comment: row.get(6)?,
            ai_assisted: row.get(7)?,
            seconds: row.get(8)?,
            details: match row.get::<_, Option<String>>(11)? {
                Some(details) => encode::read_json("verdict details", &details)?,
                None => VerdictDetails::default(),
            },
        },
        source: row.get(9)?,
        line: encode::unsigned(row, 10)?,
    })
}

/// The verdicts from files on one slot that stand, by modality and person.
pub(crate) fn imported_verdicts(audit: &Connection, of: &Answer) -> Result<Vec<ImportedVerdict>> {
    let mut query = audit.prepare_cached(&format!(
        "{VERDICT} WHERE v.folder = ?1 AND v.prompt_key = ?2 AND v.run_name = ?3 AND v.state = 1
         ORDER BY v.modality, v.annotator"
    ))?;
    let mut rows = query.query(params![of.folder, of.prompt_key, of.run_name])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read_verdict(row)?);
    }
    Ok(all)
}

/// Every verdict from files that stands (of one folder).
pub(crate) fn each_imported_verdict(
    audit: &Connection,
    folder: Option<&str>,
    each: &mut dyn FnMut(ImportedVerdict) -> Result<()>,
) -> Result<()> {
    let mut query = audit.prepare_cached(&format!(
        "{VERDICT} WHERE v.state = 1 AND (?1 IS NULL OR v.folder = ?1) ORDER BY v.import, v.line"
    ))?;
    let mut rows = query.query([folder])?;
    while let Some(row) = rows.next()? {
        each(read_verdict(row)?)?;
    }
    Ok(())
}

/// How many verdicts from files each annotator has standing.
pub(crate) fn imported_tally(audit: &Connection) -> Result<Vec<(String, Count)>> {
    let mut query = audit.prepare_cached(
        "SELECT annotator, count(*) FROM human_verdicts WHERE state = 1 GROUP BY annotator ORDER BY annotator",
    )?;
    let tally = query.query_map([], |row| Ok((row.get(0)?, Count::from(row.get::<_, i64>(1)?))))?;
    Ok(tally.collect::<rusqlite::Result<_>>()?)
}

/// The settlements from files that stand: of one slot, or all (of one folder).
pub(crate) fn imported_adjudications(
    audit: &Connection,
    folder: Option<&str>,
    of: Option<(&Answer, Option<Modality>)>,
) -> Result<Vec<ImportedAdjudication>> {
    let mut query = audit.prepare_cached(
        "SELECT a.folder, a.body, i.path, a.line FROM adjudications a JOIN imports i ON i.n = a.import
         WHERE a.state = 1 AND (?1 IS NULL OR a.folder = ?1) AND (?2 IS NULL OR a.prompt_key = ?2)
           AND (?3 IS NULL OR a.run_name = ?3) AND (?4 IS NULL OR a.modality = ?4)
         ORDER BY a.import, a.line",
    )?;
    let folder = of.map(|(answer, _)| answer.folder.as_str()).or(folder);
    let mut rows = query.query(params![
        folder,
        of.map(|(answer, _)| answer.prompt_key.as_str()),
        of.map(|(answer, _)| answer.run_name.as_str()),
        of.and_then(|(_, modality)| modality).map(Modality::name),
    ])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(ImportedAdjudication {
            folder: row.get(0)?,
            adjudication: encode::read_json("adjudication", &row.get::<_, String>(1)?)?,
            source: row.get(2)?,
            line: encode::unsigned(row, 3)?,
        });
    }
    Ok(all)
}

/// The manifests that stand, as (folder, timestamp, JSON text).
pub(crate) fn manifests(audit: &Connection) -> Result<Vec<(String, String, serde_json::Value)>> {
    let mut query = audit.prepare_cached(
        "SELECT folder, timestamp, body FROM manifests WHERE state = 1 ORDER BY folder, import",
    )?;
    let mut rows = query.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push((row.get(0)?, row.get(1)?, encode::read_json("manifest", &row.get::<_, String>(2)?)?));
    }
    Ok(all)
}

/// The version of a prompt that stands.
pub(crate) fn prompt_version(audit: &Connection, prompt: PromptId) -> Result<Option<u32>> {
    Ok(audit
        .prepare_cached("SELECT version FROM prompt_heads WHERE prompt = ?1")?
        .query_row([prompt.as_bytes()], |row| encode::small(row, 0))
        .optional()?)
}

/// The prompts that stand in a later version than their first, as (key, id, version).
pub(crate) fn changed_prompts(audit: &Connection) -> Result<Vec<(String, PromptId, u32)>> {
    let mut query = audit
        .prepare_cached("SELECT key, prompt, version FROM prompt_heads WHERE version > 1 ORDER BY key")?;
    let changed =
        query.query_map([], |row| Ok((row.get(0)?, encode::prompt_id(row, 1)?, encode::small(row, 2)?)))?;
    Ok(changed.collect::<rusqlite::Result<_>>()?)
}

/// The prompt with this key that stands, with its version.
pub(crate) fn prompt_with_key(audit: &Connection, key: &str) -> Result<Option<(PromptId, u32)>> {
    Ok(audit
        .prepare_cached("SELECT prompt, version FROM prompt_heads WHERE key = ?1")?
        .query_row([key], |row| Ok((encode::prompt_id(row, 0)?, encode::small(row, 1)?)))
        .optional()?)
}

/// Up to `limit` prompts that stand after `key`, as (key, id, version).
pub(crate) fn prompt_page(
    audit: &Connection,
    after: &str,
    limit: u32,
) -> Result<Vec<(String, PromptId, u32)>> {
    let mut query = audit.prepare_cached(
        "SELECT key, prompt, version FROM prompt_heads WHERE key > ?1 ORDER BY key LIMIT ?2",
    )?;
    let page = query.query_map(params![after, limit], |row| {
        Ok((row.get(0)?, encode::prompt_id(row, 1)?, encode::small(row, 2)?))
    })?;
    Ok(page.collect::<rusqlite::Result<_>>()?)
}

/// How many prompts and responses stand.
pub(crate) fn counts(audit: &Connection) -> Result<(Count, Count)> {
    Ok(audit.query_row(
        "SELECT (SELECT count(*) FROM prompt_heads), (SELECT count(*) FROM slots WHERE response IS NOT NULL)",
        [],
        |row| Ok((Count::from(row.get::<_, i64>(0)?), Count::from(row.get::<_, i64>(1)?))),
    )?)
}

/// How many responses and verdicts from files stand in a results folder.
pub(crate) fn folder_counts(audit: &Connection, folder: &str) -> Result<(Count, Count)> {
    Ok(audit
        .prepare_cached(
            "SELECT (SELECT count(*) FROM runs r JOIN slots s ON s.run = r.id
                     WHERE r.folder = ?1 AND s.response IS NOT NULL),
                    (SELECT count(*) FROM human_verdicts WHERE folder = ?1 AND state = 1)",
        )?
        .query_row([folder], |row| {
            Ok((Count::from(row.get::<_, i64>(0)?), Count::from(row.get::<_, i64>(1)?)))
        })?)
}
