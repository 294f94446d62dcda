//! Result rows: one run file's row becomes a response (for the blind) and a judged row (for the audit).

use super::{Import, Put, RunFile};
use crate::Result;
use crate::content::{encode, keys::ContentHash, responses};
use domain::{Asset, BlobHash, Detection, JudgedRow, Modality, PayloadStatus, Response, ResponseId};
use rusqlite::{OptionalExtension, params};

impl Import<'_> {
    /// Takes a result row with its assets as the study holds them (their blobs are on disk already). A base
    /// file's row makes a response; a variant's row is another judging of the response that stands in its slot,
    /// and makes a response only where there is none. Links stay only on assets that are links in the prose.
    pub fn put_row(&mut self, from: &RunFile, row: &JudgedRow, assets: Vec<Asset>) -> Result<Put> {
        for asset in &assets {
            self.need_blob(asset.blob)?;
        }
        self.chunk()?;
        let file = self.file(from)?;
        let run = self.run(from, row)?;
        let (slot, standing) = self.slot(run, &row.prompt_key)?;
        let mut response = self.response(from, row, assets);
        let content = row_content(row, response.id)?;
        let before = self.forget(file, row.offset)?;
        if self.known(slot, file, row.offset)?.is_some_and(|known| known == content) {
            return Ok(Put::Unchanged);
        }
        let own = from.variant.is_empty() || standing.is_none();
        if own {
            let prompt = self.prompt_id(&row.prompt_key);
            response.prompt = Some(prompt);
            responses::put(&self.content.responses, prompt, &response)?;
        }
        let judged = self.write(before, (file, slot), row, own.then_some(response.id), content)?;
        self.write_cells(judged, row)?;
        self.write_details(judged, row)?;
        Ok(Put::Added)
    }

    fn response(&self, from: &RunFile, row: &JudgedRow, mut assets: Vec<Asset>) -> Response {
        for asset in &mut assets {
            let recorded = row.assets.get(asset.position as usize);
            if recorded.is_none_or(|a| a.delivery != "external_url") {
                asset.link = None;
            }
        }
        let mut hash = ContentHash::default()
            .part(encode::modalities(&row.expected).as_bytes())
            .part(row.response_text.as_bytes())
            .part(&[u8::from(row.failure.is_some())]);
        for asset in &assets {
            hash = hash
                .part(&asset.position.to_le_bytes())
                .part(asset.modality.name().as_bytes())
                .part(encode::state(asset.state).as_bytes())
                .optional(asset.blob.as_ref().map(|b| BlobHash::as_bytes(b).as_slice()))
                .part(asset.format.as_bytes())
                .optional(asset.link.as_ref().map(String::as_bytes));
        }
        let id = self.content.secret.id(
            "response",
            &[
                from.folder.as_bytes(),
                from.timestamp.as_bytes(),
                row.run_name.as_bytes(),
                row.prompt_key.as_bytes(),
                &hash.finish(),
            ],
        );
        Response {
            id: ResponseId::from_bytes(id),
            prompt: None,
            expected: row.expected.clone(),
            text: row.response_text.clone(),
            failed: row.failure.is_some(),
            assets,
        }
    }

    fn file(&mut self, from: &RunFile) -> Result<i64> {
        if let Some(id) = self.files.get(from) {
            return Ok(*id);
        }
        let audit = &self.content.audit;
        audit
            .prepare_cached(
                "INSERT OR IGNORE INTO run_files (folder, file, timestamp, variant) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![from.folder, from.file, from.timestamp, from.variant])?;
        let id = audit
            .prepare_cached("SELECT id FROM run_files WHERE folder = ?1 AND file = ?2")?
            .query_row(params![from.folder, from.file], |row| row.get(0))?;
        self.files.insert(from.clone(), id);
        Ok(id)
    }

    fn run(&mut self, from: &RunFile, row: &JudgedRow) -> Result<i64> {
        let key = (from.folder.clone(), from.timestamp.clone(), row.run_name.clone());
        if let Some(id) = self.runs.get(&key) {
            return Ok(*id);
        }
        let audit = &self.content.audit;
        audit
            .prepare_cached(
                "INSERT OR IGNORE INTO runs (folder, timestamp, run_name, provider, model)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![key.0, key.1, key.2, row.provider, row.model])?;
        let id = audit
            .prepare_cached("SELECT id FROM runs WHERE folder = ?1 AND timestamp = ?2 AND run_name = ?3")?
            .query_row(params![key.0, key.1, key.2], |row| row.get(0))?;
        self.runs.insert(key, id);
        Ok(id)
    }

    /// The slot of a prompt in a run, and the response that stands in it.
    fn slot(&self, run: i64, prompt_key: &str) -> Result<(i64, Option<[u8; 16]>)> {
        let audit = &self.content.audit;
        let mut find =
            audit.prepare_cached("SELECT id, response FROM slots WHERE prompt_key = ?1 AND run = ?2")?;
        let found =
            find.query_row(params![prompt_key, run], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        if let Some(found) = found {
            return Ok(found);
        }
        audit
            .prepare_cached("INSERT INTO slots (prompt_key, run) VALUES (?1, ?2)")?
            .execute(params![prompt_key, run])?;
        Ok((audit.last_insert_rowid(), None))
    }

    /// Removes what this import wrote for the same row before it was interrupted; its number is used again.
    fn forget(&self, file: i64, offset: u64) -> Result<Option<i64>> {
        let audit = &self.content.audit;
        let old: Option<i64> = audit
            .prepare_cached("SELECT id FROM judged WHERE import = ?1 AND file = ?2 AND offset = ?3")?
            .query_row(params![self.n, file, encode::signed(offset)], |row| row.get(0))
            .optional()?;
        if let Some(old) = old {
            audit.prepare_cached("DELETE FROM cells WHERE judged = ?1")?.execute([old])?;
            audit.prepare_cached("DELETE FROM judged_details WHERE judged = ?1")?.execute([old])?;
            audit.prepare_cached("DELETE FROM judged WHERE id = ?1")?.execute([old])?;
        }
        Ok(old)
    }

    /// The content of the row that this one would follow: an earlier one of this file's import, else the one
    /// that stands.
    fn known(&self, slot: i64, file: i64, offset: u64) -> Result<Option<[u8; 32]>> {
        Ok(self
            .content
            .audit
            .prepare_cached(
                "SELECT content FROM judged
                 WHERE slot = ?1 AND file = ?2 AND ((import = ?3 AND offset < ?4) OR (import <> ?3 AND state = 1))
                 ORDER BY import = ?3 DESC, offset DESC LIMIT 1",
            )?
            .query_row(params![slot, file, self.n, encode::signed(offset)], |row| row.get(0))
            .optional()?)
    }

    fn write(
        &self,
        id: Option<i64>,
        (file, slot): (i64, i64),
        row: &JudgedRow,
        response: Option<ResponseId>,
        content: [u8; 32],
    ) -> Result<i64> {
        let detected = |how: fn(Detection) -> bool| {
            encode::names(Modality::ALL.into_iter().filter(|m| how(row.presence.of(*m))))
        };
        let audit = &self.content.audit;
        audit
            .prepare_cached(
                "INSERT INTO judged (id, file, slot, import, offset, line, state, response, content, failed, expected,
                   native, via_url, via_judge)
                 VALUES (?13, ?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                file,
                slot,
                self.n,
                encode::signed(row.offset),
                encode::signed(row.line),
                response.as_ref().map(ResponseId::as_bytes),
                content,
                row.failure.is_some(),
                encode::modalities(&row.expected),
                detected(|d| d.native),
                detected(|d| d.via_url),
                detected(|d| d.via_judge),
                id,
            ])?;
        Ok(audit.last_insert_rowid())
    }

    fn write_cells(&self, judged: i64, row: &JudgedRow) -> Result<()> {
        let mut insert = self.content.audit.prepare_cached(
            "INSERT INTO cells (judged, modality, grades, mean, min, evaluator_errors, gradeable)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?;
        for modality in Modality::ALL {
            let grades: Vec<_> = row.grades.iter().filter(|g| g.modality == Some(modality)).collect();
            if grades.is_empty() {
                continue;
            }
            let scores = grades.iter().map(|g| if g.score.is_finite() { g.score } else { 0.0 });
            insert.execute(params![
                judged,
                encode::signed(modality.index() as u64),
                encode::signed(grades.len() as u64),
                scores.clone().sum::<f64>() / grades.len() as f64,
                scores.fold(f64::INFINITY, f64::min),
                encode::signed(grades.iter().filter(|g| g.evaluator_error).count() as u64),
                grades.iter().all(|g| g.payload == PayloadStatus::Gradeable),
            ])?;
        }
        Ok(())
    }

    fn write_details(&self, judged: i64, row: &JudgedRow) -> Result<()> {
        let (error_type, error_message) =
            row.failure.as_ref().map_or(("", ""), |f| (f.kind.as_str(), f.message.as_str()));
        self.content
            .audit
            .prepare_cached(
                "INSERT INTO judged_details (judged, length, error_type, error_message, judge_used, judge_model,
                   judge_reasoning, rubric_used, rubric_judge, stored_scores, recorded_assets, grades)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                judged,
                encode::signed(row.length),
                error_type,
                error_message,
                row.judge_used,
                row.judge_model,
                row.judge_reasoning,
                row.rubric_used,
                row.rubric_judge_model,
                encode::json(&row.stored)?,
                encode::json(&row.assets)?,
                encode::json(&row.grades)?,
            ])?;
        Ok(())
    }
}

/// What a row says, wherever in the file it stands.
fn row_content(row: &JudgedRow, response: ResponseId) -> Result<[u8; 32]> {
    let placeless = JudgedRow { line: 0, offset: 0, length: 0, ..row.clone() };
    Ok(ContentHash::default().part(response.as_bytes()).part(encode::json(&placeless)?.as_bytes()).finish())
}
