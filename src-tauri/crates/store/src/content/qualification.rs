//! The quiz in `content/study.sqlite`, for whoever is to answer it; its key, known answers, and which jobs are hidden ones, in
//! `audit.sqlite`.
//!
//! Why a key apart and no hash of the answers in a newcomer's files: an item has a truth value and a handful of options, so that any
//! hash, however slow, is tried out in eight or ten steps. So whoever answers holds no key, and a quiz is marked where the key is,
//! when a lead's session takes it in.

use super::{Content, encode, responses};
use crate::{Result, StoreError};
use domain::{
    GoldAnswer, HiddenJob, HiddenJobKind, Modality, PersonName, Quiz, QuizKey, ResponseId, Verdict,
};
use rusqlite::{Connection, OptionalExtension, params};

/// One version of the quiz.
pub(crate) fn quiz(study: &Connection, version: u32) -> Result<Option<Quiz>> {
    let body = study
        .prepare_cached("SELECT body FROM quizzes WHERE version = ?1")?
        .query_row([version], |row| row.get::<_, String>(0))
        .optional()?;
    body.map(|body| encode::read_json("quiz", &body)).transpose()
}

/// The newest version of the quiz; 0 for none.
pub(crate) fn newest_quiz(study: &Connection) -> Result<u32> {
    Ok(study
        .prepare_cached("SELECT coalesce(max(version), 0) FROM quizzes")?
        .query_row([], |row| encode::small(row, 0))?)
}

/// Writes a version, unless it is there.
pub(crate) fn put_quiz(study: &Connection, version: u32, quiz: &Quiz) -> Result<()> {
    study
        .prepare_cached("INSERT OR IGNORE INTO quizzes (version, body) VALUES (?1, ?2)")?
        .execute(params![version, encode::json(quiz)?])?;
    Ok(())
}

/// The key of one version.
pub(crate) fn key(audit: &Connection, version: u32) -> Result<Option<QuizKey>> {
    let body = audit
        .prepare_cached("SELECT body FROM quiz_keys WHERE version = ?1")?
        .query_row([version], |row| row.get::<_, String>(0))
        .optional()?;
    body.map(|body| encode::read_json("key of the quiz", &body)).transpose()
}

/// Every key there is.
pub(crate) fn keys(audit: &Connection) -> Result<Vec<QuizKey>> {
    let mut query = audit.prepare_cached("SELECT body FROM quiz_keys ORDER BY version")?;
    let mut rows = query.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(encode::read_json("key of the quiz", &row.get::<_, String>(0)?)?);
    }
    Ok(all)
}

/// Publishes a quiz: its key first, so that no quiz can be answered that cannot be marked. The same again is the version that it is.
pub(crate) fn publish(content: &Content, quiz: &Quiz, answers: &QuizKey) -> Result<u32> {
    if let Some(why) = quiz.problem(answers) {
        return Err(StoreError::Refused(why));
    }
    let newest = newest_quiz(&content.study)?;
    if self::quiz(&content.study, newest)?.as_ref() == Some(quiz)
        && key(&content.audit, newest)?.as_ref() == Some(answers)
    {
        return Ok(newest);
    }
    let keyed: u32 = content
        .audit
        .prepare_cached("SELECT coalesce(max(version), 0) FROM quiz_keys")?
        .query_row([], |row| encode::small(row, 0))?;
    let version = newest.max(keyed) + 1;
    content
        .audit
        .prepare_cached("INSERT INTO quiz_keys (version, body) VALUES (?1, ?2)")?
        .execute(params![version, encode::json(answers)?])?;
    put_quiz(&content.study, version, quiz)?;
    Ok(version)
}

/// Every answer that is known now, by response and modality.
pub(crate) fn golds(audit: &Connection) -> Result<Vec<GoldAnswer>> {
    let mut query = audit.prepare_cached(
        "SELECT response, modality, verdict, why FROM gold_answers g
         WHERE version = (SELECT max(version) FROM gold_answers n WHERE n.response = g.response AND n.modality = g.modality)
           AND verdict IS NOT NULL ORDER BY response, modality",
    )?;
    let mut rows = query.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let verdict: String = row.get(2)?;
        all.push(GoldAnswer {
            response: encode::response_id(row, 0)?,
            modality: encode::read_modality(&row.get::<_, String>(1)?)?,
            verdict: verdict.parse().map_err(|e: String| encode::damaged("known answer", e))?,
            why: row.get(3)?,
        });
    }
    Ok(all)
}

/// Says that an answer is known, or that it no longer is. What is so already adds nothing. Answers whether it is new.
pub(crate) fn put_gold(
    audit: &Connection,
    response: ResponseId,
    modality: Modality,
    verdict: Option<Verdict>,
    why: &str,
) -> Result<bool> {
    let last: Option<(u32, Option<String>, String)> = audit
        .prepare_cached(
            "SELECT version, verdict, why FROM gold_answers WHERE response = ?1 AND modality = ?2
             ORDER BY version DESC LIMIT 1",
        )?
        .query_row(params![response.as_bytes(), modality.name()], |row| {
            Ok((encode::small(row, 0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    let said = verdict.map(|verdict| verdict.name().to_owned());
    let version = match last {
        Some((_, known, because)) if known == said && because == why => return Ok(false),
        None if said.is_none() => return Ok(false),
        Some((version, ..)) => version + 1,
        None => 1,
    };
    audit
        .prepare_cached(
            "INSERT INTO gold_answers (response, modality, version, verdict, why) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![response.as_bytes(), modality.name(), version, said, why])?;
    Ok(true)
}

/// Every job that measures its person, by person.
pub(crate) fn hidden_jobs(audit: &Connection) -> Result<Vec<HiddenJob>> {
    let mut query = audit.prepare_cached(
        "SELECT person, response, kind, original FROM hidden_jobs ORDER BY person, response",
    )?;
    let mut rows = query.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let person: String = row.get(0)?;
        let kind = match row.get_ref(2)?.as_str().unwrap_or_default() {
            "repeat" => HiddenJobKind::Repeat,
            _ => HiddenJobKind::Gold,
        };
        all.push(HiddenJob {
            person: person.parse().map_err(|e: String| encode::damaged("person", e))?,
            response: encode::response_id(row, 1)?,
            kind,
            original: encode::response_id(row, 3)?,
        });
    }
    Ok(all)
}

/// Is this a job that measures its person?
pub(crate) fn is_hidden(audit: &Connection, person: &PersonName, response: ResponseId) -> Result<bool> {
    Ok(audit
        .prepare_cached("SELECT 1 FROM hidden_jobs WHERE person = ?1 AND response = ?2")?
        .exists(params![person.as_str(), response.as_bytes()])?)
}

/// Marks a job, and, of a repeat, lays what it shows under its own id beside the other responses, where nothing tells it from
/// them.
pub(crate) fn hide(content: &Content, job: &HiddenJob) -> Result<()> {
    content
        .audit
        .prepare_cached(
            "INSERT OR IGNORE INTO hidden_jobs (person, response, kind, original) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![
            job.person.as_str(),
            job.response.as_bytes(),
            job.kind.name(),
            job.original.as_bytes()
        ])?;
    if job.kind == HiddenJobKind::Repeat {
        let lost = || StoreError::NotFound { what: "response", id: job.original.to_string() };
        let shown = responses::get(&content.responses, job.original)?.ok_or_else(lost)?;
        let prompt = shown.prompt.ok_or_else(lost)?;
        responses::put(&content.responses, prompt, &domain::Response { id: job.response, ..shown })?;
    }
    Ok(())
}

/// The id under which somebody is given a response again.
pub(crate) fn repeat_id(content: &Content, person: &PersonName, original: ResponseId) -> ResponseId {
    ResponseId::from_bytes(content.secret.id("repeat", &[person.as_str().as_bytes(), original.as_bytes()]))
}
