//! What an import is held against while it is put: prompts for rows, rows for prompts. Nothing is changed by it.

use super::{Import, RunFile};
use crate::Result;
use crate::content::{answers, encode, prompts, rubrics};
use domain::{Criterion, Grade, ModalityList};
use rusqlite::{Connection, OptionalExtension, Params, params};

/// A prompt as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingPrompt {
    /// The modalities that an answer must contain, by the dataset of today.
    pub gold: ModalityList,
    /// The rubric that is handed out; empty without one.
    pub criteria: Vec<Criterion>,
}

/// A judged row as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingRow {
    /// Where it is from: `folder/file`.
    pub file: String,
    /// Its line there.
    pub line: u64,
    /// The modalities it was scored by.
    pub expected: ModalityList,
    /// Its grades.
    pub grades: Vec<Grade>,
}

/// Some keys and how many there are in all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    /// The first of them, in order.
    pub first: Vec<String>,
    /// All of them.
    pub total: u64,
}

/// Keys that are named one by one.
const NAMED: u64 = 10;

impl Import<'_> {
    /// Does any prompt stand?
    pub fn has_prompts(&self) -> Result<bool> {
        Ok(self
            .content
            .audit
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM prompt_heads)")?
            .query_row([], |row| row.get(0))?)
    }

    /// The prompt with this key as it stands.
    pub fn standing_prompt(&self, key: &str) -> Result<Option<StandingPrompt>> {
        let Some((id, version)) = answers::prompt_with_key(&self.content.audit, key)? else {
            return Ok(None);
        };
        let Some(prompt) = prompts::get(&self.content.study, id, Some(version))? else { return Ok(None) };
        let criteria =
            rubrics::handed_out(&self.content.rubrics, id, version)?.map_or_else(Vec::new, |r| r.criteria);
        Ok(Some(StandingPrompt { gold: prompt.gold, criteria }))
    }

    /// The judged rows of a prompt that stand, of all files.
    pub fn standing_rows(&self, key: &str) -> Result<Vec<StandingRow>> {
        let mut query = self.content.audit.prepare_cached(
            "SELECT f.folder || '/' || f.file, j.line, j.expected, d.grades
             FROM slots s JOIN judged j ON j.slot = s.id JOIN run_files f ON f.id = j.file
             JOIN judged_details d ON d.judged = j.id
             WHERE s.prompt_key = ?1 AND j.state = 1 ORDER BY f.folder, f.file",
        )?;
        let mut rows = query.query([key])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push(StandingRow {
                file: row.get(0)?,
                line: encode::unsigned(row, 1)?,
                expected: encode::read_modalities(&row.get::<_, String>(2)?)?,
                grades: encode::read_json("grades", &row.get::<_, String>(3)?)?,
            });
        }
        Ok(all)
    }

    /// The modalities expected of a model's response to a prompt in a results folder, if there is one.
    pub fn expected_of(&self, folder: &str, key: &str, run_name: &str) -> Result<Option<ModalityList>> {
        let expected: Option<String> = self
            .content
            .audit
            .prepare_cached(
                "SELECT j.expected FROM runs r JOIN slots s ON s.run = r.id JOIN judged j ON j.slot = s.id
                 WHERE r.folder = ?1 AND r.run_name = ?2 AND s.prompt_key = ?3 AND j.state = 1
                   AND s.response IS NOT NULL ORDER BY j.id DESC LIMIT 1",
            )?
            .query_row(params![folder, run_name, key], |row| row.get(0))
            .optional()?;
        expected.map(|list| encode::read_modalities(&list)).transpose()
    }

    /// The prompts that stand and have no row in this file.
    pub fn prompts_without_row(&self, file: &RunFile) -> Result<Keys> {
        keys(
            &self.content.audit,
            "SELECT key FROM prompt_heads WHERE key NOT IN (
               SELECT s.prompt_key FROM run_files f JOIN judged j ON j.file = f.id JOIN slots s ON s.id = j.slot
               WHERE f.folder = ?1 AND f.file = ?2 AND (j.state = 1 OR j.import = ?3))",
            params![file.folder, file.file, self.n],
        )
    }

    /// For each results file that stands, as `folder/file`: the prompts of its rows that neither stand nor come with
    /// this import. Files without any are left out.
    pub fn rows_without_prompt(&self) -> Result<Vec<(String, Keys)>> {
        let audit = &self.content.audit;
        let mut query =
            audit.prepare_cached("SELECT id, folder || '/' || file FROM run_files ORDER BY folder, file")?;
        let files: Vec<(i64, String)> =
            query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
        let mut all = Vec::new();
        for (file, name) in files {
            let found = keys(
                audit,
                "SELECT DISTINCT s.prompt_key AS key FROM judged j JOIN slots s ON s.id = j.slot
                 WHERE j.file = ?1 AND j.state = 1
                   AND s.prompt_key NOT IN (SELECT key FROM prompt_heads)
                   AND s.prompt_key NOT IN (SELECT key FROM prompt_origins WHERE import = ?2)",
                params![file, self.n],
            )?;
            if found.total > 0 {
                all.push((name, found));
            }
        }
        Ok(all)
    }
}

fn keys(audit: &Connection, all: &str, with: impl Params + Clone) -> Result<Keys> {
    let total = audit
        .prepare_cached(&format!("SELECT count(*) FROM ({all})"))?
        .query_row(with.clone(), |row| encode::unsigned(row, 0))
        .optional()?
        .unwrap_or(0);
    let mut query = audit.prepare_cached(&format!("SELECT key FROM ({all}) ORDER BY key LIMIT {NAMED}"))?;
    let first = query.query_map(with, |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(Keys { first, total })
}
