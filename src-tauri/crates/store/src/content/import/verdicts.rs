//! Human verdicts, adjudications and run manifests read from files: content, not statements of a journal.

use super::{Import, Put};
use crate::Result;
use crate::content::encode;
use domain::{Adjudication, HumanVerdict, VerdictDetails};
use rusqlite::{OptionalExtension, params};
use serde_json::Value;

impl Import<'_> {
    /// Takes a verdict on a response of a run in `folder`. For a repeated (annotator, prompt, model, modality)
    /// the last row wins, within a file and between files.
    pub fn put_verdict(&mut self, line: u64, folder: &str, verdict: &HumanVerdict) -> Result<Put> {
        self.chunk()?;
        let audit = &self.content.audit;
        let line = encode::signed(line);
        for table in ["human_verdicts", "verdict_details"] {
            audit
                .prepare_cached(&format!("DELETE FROM {table} WHERE import = ?1 AND line = ?2"))?
                .execute(params![self.n, line])?;
        }
        let details = if verdict.details == VerdictDetails::default() {
            None
        } else {
            Some(encode::json(&verdict.details)?)
        };
        let known = audit
            .prepare_cached(
                "SELECT verdict, comment, ai_assisted, seconds,
                   (SELECT details FROM verdict_details d WHERE d.import = v.import AND d.line = v.line)
                 FROM human_verdicts v
                 WHERE folder = ?1 AND prompt_key = ?2 AND run_name = ?3 AND modality = ?4 AND annotator = ?5
                   AND ((import = ?6 AND line < ?7) OR (import <> ?6 AND state = 1))
                 ORDER BY import = ?6 DESC, line DESC LIMIT 1",
            )?
            .query_row(
                params![
                    folder,
                    verdict.prompt_key,
                    verdict.model,
                    verdict.modality.name(),
                    verdict.annotator,
                    self.n,
                    line
                ],
                |row| {
                    Ok(row.get::<_, String>(0)? == verdict.verdict.name()
                        && row.get::<_, String>(1)? == verdict.comment
                        && row.get::<_, bool>(2)? == verdict.ai_assisted
                        && row.get::<_, Option<f64>>(3)? == verdict.seconds
                        && row.get::<_, Option<String>>(4)? == details)
                },
            )
            .optional()?;
        if known == Some(true) {
            return Ok(Put::Unchanged);
        }
        audit
            .prepare_cached(
                "INSERT INTO human_verdicts (import, line, state, folder, prompt_key, run_name, modality, annotator,
                   verdict, comment, ai_assisted, seconds)
                 VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?
            .execute(params![
                self.n,
                line,
                folder,
                verdict.prompt_key,
                verdict.model,
                verdict.modality.name(),
                verdict.annotator,
                verdict.verdict.name(),
                verdict.comment,
                verdict.ai_assisted,
                verdict.seconds,
            ])?;
        if let Some(details) = details {
            audit
                .prepare_cached("INSERT INTO verdict_details (import, line, details) VALUES (?1, ?2, ?3)")?
                .execute(params![self.n, line, details])?;
        }
        Ok(Put::Added)
    }

    /// Takes a settlement made elsewhere. The last row of a (prompt, model, modality) wins.
    pub fn put_adjudication(&mut self, line: u64, folder: &str, settled: &Adjudication) -> Result<Put> {
        self.chunk()?;
        let audit = &self.content.audit;
        let (line, body) = (encode::signed(line), encode::json(settled)?);
        audit
            .prepare_cached("DELETE FROM adjudications WHERE import = ?1 AND line = ?2")?
            .execute(params![self.n, line])?;
        let known: Option<String> = audit
            .prepare_cached(
                "SELECT body FROM adjudications
                 WHERE folder = ?1 AND prompt_key = ?2 AND run_name = ?3 AND modality = ?4
                   AND ((import = ?5 AND line < ?6) OR (import <> ?5 AND state = 1))
                 ORDER BY import = ?5 DESC, line DESC LIMIT 1",
            )?
            .query_row(
                params![folder, settled.prompt_key, settled.model, settled.modality.name(), self.n, line],
                |row| row.get(0),
            )
            .optional()?;
        if known.as_ref() == Some(&body) {
            return Ok(Put::Unchanged);
        }
        audit
            .prepare_cached(
                "INSERT INTO adjudications (import, line, state, folder, prompt_key, run_name, modality, body)
                 VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                self.n,
                line,
                folder,
                settled.prompt_key,
                settled.model,
                settled.modality.name(),
                body
            ])?;
        Ok(Put::Added)
    }

    /// Takes a folder's run manifest. It belongs to the run with its timestamp, which need not be the newest
    /// (quirk Q33).
    pub fn put_manifest(&mut self, folder: &str, timestamp: &str, manifest: &Value) -> Result<Put> {
        self.chunk()?;
        let audit = &self.content.audit;
        let body = encode::json(manifest)?;
        let known = audit
            .prepare_cached("SELECT 1 FROM manifests WHERE folder = ?1 AND body = ?2 AND state = 1")?
            .exists(params![folder, body])?;
        if known {
            return Ok(Put::Unchanged);
        }
        audit
            .prepare_cached(
                "INSERT OR REPLACE INTO manifests (import, state, folder, timestamp, body) VALUES (?1, 0, ?2, ?3, ?4)",
            )?
            .execute(params![self.n, folder, timestamp, body])?;
        Ok(Put::Added)
    }
}
