//! Checklists and verdicts on their checks, read from files.

use super::{Import, Put};
use crate::Result;
use crate::content::{checklists, encode};
use domain::{Check, ImportedCheckGrade, MetaRubric};
use rusqlite::{OptionalExtension, params};

impl Import<'_> {
    /// Takes the checklist of a prompt, with the meta-rubric that it compiles from if there is one. The last one of a
    /// prompt wins, within a file and between files.
    pub fn put_checklist(
        &mut self,
        line: u64,
        prompt_key: &str,
        checks: &[Check],
        meta_rubric: Option<&MetaRubric>,
    ) -> Result<Put> {
        self.chunk()?;
        let audit = &self.content.audit;
        let (line, checks) = (encode::signed(line), encode::json(checks)?);
        let meta_rubric = meta_rubric.map(encode::json).transpose()?;
        audit
            .prepare_cached("DELETE FROM checklists WHERE import = ?1 AND line = ?2")?
            .execute(params![self.n, line])?;
        let known: Option<(String, Option<String>)> = audit
            .prepare_cached(
                "SELECT checks, meta_rubric FROM checklists
                 WHERE prompt_key = ?1 AND ((import = ?2 AND line < ?3) OR (import <> ?2 AND state = 1))
                 ORDER BY import = ?2 DESC, line DESC LIMIT 1",
            )?
            .query_row(params![prompt_key, self.n, line], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        if known.is_some_and(|known| known == (checks.clone(), meta_rubric.clone())) {
            return Ok(Put::Unchanged);
        }
        audit
            .prepare_cached(
                "INSERT INTO checklists (import, line, state, prompt_key, checks, meta_rubric)
                 VALUES (?1, ?2, 0, ?3, ?4, ?5)",
            )?
            .execute(params![self.n, line, prompt_key, checks, meta_rubric])?;
        Ok(Put::Added)
    }

    /// Takes a verdict on a check. The last one of a (question, model, judge, variant, check) wins, within a file and
    /// between files.
    pub fn put_check_grade(&mut self, line: u64, grade: &ImportedCheckGrade) -> Result<Put> {
        self.chunk()?;
        let audit = &self.content.audit;
        let line = encode::signed(line);
        audit
            .prepare_cached("DELETE FROM check_grades WHERE import = ?1 AND line = ?2")?
            .execute(params![self.n, line])?;
        let known: Option<(Option<String>, String)> = audit
            .prepare_cached(
                "SELECT verdict, explanation FROM check_grades
                 WHERE question = ?1 AND model = ?2 AND judge = ?3 AND variant = ?4 AND check_id = ?5
                   AND ((import = ?6 AND line < ?7) OR (import <> ?6 AND state = 1))
                 ORDER BY import = ?6 DESC, line DESC LIMIT 1",
            )?
            .query_row(
                params![grade.question, grade.model, grade.judge, grade.variant, grade.check, self.n, line],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?;
        let verdict = grade.verdict.map(domain::CheckVerdict::name);
        if known.is_some_and(|(said, why)| said.as_deref() == verdict && why == grade.explanation) {
            return Ok(Put::Unchanged);
        }
        audit
            .prepare_cached(
                "INSERT INTO check_grades (import, line, state, question, model, judge, variant, check_id, verdict, explanation)
                 VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                self.n,
                line,
                grade.question,
                grade.model,
                grade.judge,
                grade.variant,
                grade.check,
                verdict,
                grade.explanation,
            ])?;
        Ok(Put::Added)
    }

    /// Has the study a checklist for this prompt, also one that this import brings?
    pub fn has_checklist(&self, prompt_key: &str) -> Result<bool> {
        checklists::is_there(&self.content.audit, prompt_key, self.n)
    }
}
