//! Checklists and verdicts on checks that were read from files, in `audit.sqlite`: who is blind opens neither.

use super::encode;
use crate::Result;
use domain::{Check, ImportedCheckGrade, MetaRubric};
use rusqlite::{Connection, OptionalExtension, params};

/// A checklist read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedChecklist {
    /// Its checks.
    pub checks: Vec<Check>,
    /// The meta-rubric that they compile from, if the file had it.
    pub meta_rubric: Option<MetaRubric>,
}

/// The checklist that stands for a prompt.
pub(crate) fn of_prompt(audit: &Connection, prompt_key: &str) -> Result<Option<ImportedChecklist>> {
    let row: Option<(String, Option<String>)> = audit
        .prepare_cached(
            "SELECT checks, meta_rubric FROM checklists WHERE prompt_key = ?1 AND state = 1
             ORDER BY import DESC, line DESC LIMIT 1",
        )?
        .query_row([prompt_key], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((checks, meta_rubric)) = row else { return Ok(None) };
    Ok(Some(ImportedChecklist {
        checks: encode::read_json("checks", &checks)?,
        meta_rubric: meta_rubric.map(|text| encode::read_json("meta-rubric", &text)).transpose()?,
    }))
}

/// Is there one, that stands or that this import brings?
pub(crate) fn is_there(audit: &Connection, prompt_key: &str, import: i64) -> Result<bool> {
    Ok(audit
        .prepare_cached("SELECT 1 FROM checklists WHERE prompt_key = ?1 AND (state = 1 OR import = ?2)")?
        .exists(params![prompt_key, import])?)
}

/// Every verdict on a check that stands, by question, model, judge and variant.
pub(crate) fn each_grade(
    audit: &Connection,
    each: &mut dyn FnMut(ImportedCheckGrade) -> Result<()>,
) -> Result<()> {
    let mut query = audit.prepare_cached(
        "SELECT question, model, judge, variant, check_id, verdict, explanation FROM check_grades
         WHERE state = 1 ORDER BY question, model, judge, variant, check_id",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let verdict: Option<String> = row.get(5)?;
        each(ImportedCheckGrade {
            question: row.get(0)?,
            model: row.get(1)?,
            judge: row.get(2)?,
            variant: row.get(3)?,
            check: row.get(4)?,
            verdict: verdict
                .map(|name| name.parse().map_err(|why: String| encode::damaged("verdict on a check", why)))
                .transpose()?,
            explanation: row.get(6)?,
        })?;
    }
    Ok(())
}
