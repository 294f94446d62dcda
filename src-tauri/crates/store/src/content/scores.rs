//! What scores and agreement are computed from: narrow rows, streamed file by file, so that 500,000 judged rows
//! cost one pass and no memory. Only rows that stand are read.

use super::encode;
use crate::Result;
use domain::{Count, Detection, Modality, ModalityList, Presence, ResponseId};
use rusqlite::{Connection, Row};
use std::collections::HashMap;

/// A result file of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedFile {
    pub(crate) id: i64,
    /// Results folder.
    pub folder: String,
    /// File name.
    pub file: String,
    /// `_rejudged`, …; empty for the base file. `overall` and agreement use base files unless told otherwise.
    pub variant: String,
    /// The timestamp in its name.
    pub timestamp: String,
    /// Rows that stand.
    pub rows: Count,
}

/// The grades of one modality in one row, summed up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// How many criteria were graded; at least 1.
    pub grades: u32,
    /// Mean of their scores, in [0, 1].
    pub mean: f64,
    /// The lowest score.
    pub min: f64,
    /// How many of them are zero because the evaluator failed.
    pub evaluator_errors: u32,
    /// Had the judge something to grade, for every one of them?
    pub gradeable: bool,
}

/// One row of a result file, as scores need it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreRow {
    /// Prompt key.
    pub prompt_key: String,
    /// `run_name`.
    pub run_name: String,
    /// The response that stands in its slot.
    pub response: Option<ResponseId>,
    /// Line in the file.
    pub line: u64,
    /// Did the provider fail?
    pub failed: bool,
    /// The row's own expected modalities (quirk Q18).
    pub expected: ModalityList,
    /// Detection flags.
    pub presence: Presence,
    /// Grades per modality, also of those that are not expected (quirk Q37), by [`Modality::index`].
    pub cells: [Option<Cell>; 5],
}

/// Which judgings to read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Judging<'a> {
    /// One results folder, or all.
    pub folder: Option<&'a str>,
    /// The variant; the base files when empty.
    pub variant: &'a str,
}

/// The result files, by folder and name.
pub(crate) fn files(audit: &Connection, folder: Option<&str>) -> Result<Vec<JudgedFile>> {
    let mut query = audit.prepare_cached(
        "SELECT f.id, f.folder, f.file, f.variant, f.timestamp,
           (SELECT count(*) FROM judged j WHERE j.file = f.id AND j.state = 1) AS n
         FROM run_files f WHERE (?1 IS NULL OR f.folder = ?1) AND n > 0 ORDER BY f.folder, f.file",
    )?;
    let files = query.query_map([folder], |row| {
        Ok(JudgedFile {
            id: row.get(0)?,
            folder: row.get(1)?,
            file: row.get(2)?,
            variant: row.get(3)?,
            timestamp: row.get(4)?,
            rows: Count::from(row.get::<_, i64>(5)?),
        })
    })?;
    Ok(files.collect::<rusqlite::Result<_>>()?)
}

/// The rows of one file that stand, in the order they were read.
pub(crate) fn rows(
    audit: &Connection,
    file: &JudgedFile,
    each: &mut dyn FnMut(ScoreRow) -> Result<()>,
) -> Result<()> {
    walk(audit, file.id, &mut |_, row| each(row))
}

/// Which rubric judge graded each row of one file that stands, by line.
pub(crate) fn judges(audit: &Connection, file: &JudgedFile) -> Result<Vec<(u64, String)>> {
    let mut query = audit.prepare_cached(
        "SELECT j.line, d.rubric_judge FROM judged j JOIN judged_details d ON d.judged = j.id
         WHERE j.file = ?1 AND j.state = 1 AND d.rubric_judge <> '' ORDER BY j.id",
    )?;
    let mut rows = query.query([file.id])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push((encode::unsigned(row, 0)?, row.get(1)?));
    }
    Ok(all)
}

/// As [`rows`], with the number of the run.
pub(super) fn walk(
    audit: &Connection,
    file: i64,
    each: &mut dyn FnMut(i64, ScoreRow) -> Result<()>,
) -> Result<()> {
    let mut query = audit.prepare_cached(
        "SELECT j.id, s.prompt_key, s.run, s.response, j.line, j.failed, j.expected, j.native, j.via_url, j.via_judge,
           c.modality, c.grades, c.mean, c.min, c.evaluator_errors, c.gradeable
         FROM judged j JOIN slots s ON s.id = j.slot LEFT JOIN cells c ON c.judged = j.id
         WHERE j.file = ?1 AND j.state = 1 ORDER BY j.id",
    )?;
    let runs = run_names(audit)?;
    let mut rows = query.query([file])?;
    let mut open: Option<(i64, i64, ScoreRow)> = None;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        if open.as_ref().is_none_or(|(last, ..)| *last != id) {
            if let Some((_, run, done)) = open.take() {
                each(run, done)?;
            }
            open = Some((id, row.get(2)?, read_row(row, &runs)?));
        }
        if let (Some((_, _, current)), Some(modality)) = (&mut open, row.get::<_, Option<u8>>(10)?)
            && let Some(cell) = current.cells.get_mut(usize::from(modality))
        {
            *cell = Some(Cell {
                grades: encode::small(row, 11)?,
                mean: row.get(12)?,
                min: row.get(13)?,
                evaluator_errors: encode::small(row, 14)?,
                gradeable: row.get(15)?,
            });
        }
    }
    match open {
        Some((_, run, done)) => each(run, done),
        None => Ok(()),
    }
}

fn read_row(row: &Row<'_>, runs: &HashMap<i64, RunKey>) -> Result<ScoreRow> {
    Ok(ScoreRow {
        prompt_key: row.get(1)?,
        run_name: runs.get(&row.get(2)?).map(|run| run.run_name.clone()).unwrap_or_default(),
        response: row.get::<_, Option<[u8; 16]>>(3)?.map(ResponseId::from_bytes),
        line: encode::unsigned(row, 4)?,
        failed: row.get(5)?,
        expected: encode::read_modalities(row.get_ref(6)?.as_str().unwrap_or_default())?,
        presence: read_presence(row, 7)?,
        cells: [None; 5],
    })
}

/// Presence from three columns of names: native, link, judge.
pub(super) fn read_presence(row: &Row<'_>, first: usize) -> Result<Presence> {
    let list = |column| encode::read_modalities(row.get_ref(column)?.as_str().unwrap_or_default());
    let (native, url, judge) = (list(first)?, list(first + 1)?, list(first + 2)?);
    Ok(Presence(Modality::ALL.map(|m| Detection {
        native: native.contains(m),
        via_url: url.contains(m),
        via_judge: judge.contains(m),
    })))
}

/// What tells one run from another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct RunKey {
    pub folder: String,
    pub run_name: String,
    pub timestamp: String,
}

impl RunKey {
    /// Is it a later run of the same model in the same folder?
    pub fn is_newer_than(&self, other: &Self) -> bool {
        self.folder == other.folder && self.run_name == other.run_name && self.timestamp > other.timestamp
    }
}

pub(super) fn run_names(audit: &Connection) -> Result<HashMap<i64, RunKey>> {
    let mut query = audit.prepare_cached("SELECT id, folder, run_name, timestamp FROM runs")?;
    let runs = query.query_map([], |row| {
        Ok((row.get(0)?, RunKey { folder: row.get(1)?, run_name: row.get(2)?, timestamp: row.get(3)? }))
    })?;
    Ok(runs.collect::<rusqlite::Result<_>>()?)
}
