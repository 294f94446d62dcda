//! The import sink: what a reader found goes in here, row by row, in chunks.
//!
//! A chunk is written to `audit`, `responses`, `rubrics` and `study`, each in its own `BEGIN IMMEDIATE`
//! transaction and committed in that order; then the place in the file moves on, in `audit` again. SQLite is
//! atomic per file only, so a kill in between leaves a chunk half committed: the import resumes at the old place
//! and puts the same rows again, which changes nothing that is there. Rows become visible all at once with the
//! completion mark ([`Import::complete`]); until then `state` is 0 and nobody reads them.
//!
//! Why the transactions are held open while a chunk is filled instead of buffering rows: each `put` must answer
//! whether the row is new, and that depends on the rows before it. Only the lead writes content, so nobody else
//! waits for these locks; keep chunks small (some hundred rows, or a few seconds).

mod against;
mod checklists;
mod prompts;
mod rows;
mod samples;
pub(crate) mod sealed;
mod standing;
mod verdicts;

#[cfg(test)]
pub(crate) mod tests;

pub use against::{Keys, StandingPrompt, StandingRow};
pub(crate) use prompts::prompt_content;
pub use sealed::ImportSeal;
pub(crate) use standing::{atomically, hand_out_rubrics};

use super::{Content, encode};
use crate::blob::Blobs;
use crate::{Result, StoreError, clock};
use domain::{BlobHash, ImportId};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;
use std::collections::HashMap;

/// A file to import.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportSource {
    /// SHA-256 of the whole file.
    pub sha256: BlobHash,
    /// The format's name.
    pub format: String,
    /// What else makes it another import: `folder/file` for a run's rows (the same bytes under another folder
    /// are another run), the folder for a manifest, verdicts or adjudications, nothing for a dataset.
    pub scope: String,
    /// Where it lies, for the lead's eyes.
    pub path: String,
    /// The options it was given, for the record.
    pub options: Value,
}

/// The file that a result row comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct RunFile {
    /// Results folder, such as `demo`.
    pub folder: String,
    /// File name.
    pub file: String,
    /// `_rejudged`, `_rubric_scored`, … possibly stacked; empty for the base file.
    pub variant: String,
    /// The timestamp in the file's name.
    pub timestamp: String,
}

/// What became of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Put {
    /// It is new.
    Added,
    /// It says what is known already.
    Unchanged,
    /// It contradicts an earlier row of the same file, which stays.
    Conflict(String),
}

/// How an import begins.
pub enum Begun<'a> {
    /// This file was imported before; its report.
    AlreadyDone(Value),
    /// From the start.
    Fresh(Import<'a>),
    /// It was interrupted: read on from here.
    Resume {
        /// The import.
        import: Import<'a>,
        /// Byte offset to read on from.
        offset: u64,
        /// Lines before that offset.
        line: u64,
        /// The report as it was then.
        report: Value,
    },
}

/// An import under way. Dropping it undoes the chunk that was not committed; what was committed stays for
/// resuming.
pub struct Import<'a> {
    content: &'a Content,
    blobs: &'a Blobs,
    n: i64,
    in_chunk: bool,
    files: HashMap<RunFile, i64>,
    runs: HashMap<(String, String, String), i64>,
    #[cfg(test)]
    stop_before: Option<u32>,
}

impl<'a> Import<'a> {
    /// Begins or resumes the import of a file.
    pub(crate) fn begin(content: &'a Content, blobs: &'a Blobs, source: &ImportSource) -> Result<Begun<'a>> {
        standing::hand_out_rubrics(content)?;
        let id = id(content, source);
        content.audit.execute(
            // Not OR IGNORE: that would use up a number each time, and the order of imports is told by it.
            "INSERT INTO imports (id, sha256, format, scope, path, options, begun_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM imports WHERE id = ?1)",
            params![
                id.as_bytes(),
                source.sha256.as_bytes(),
                source.format,
                source.scope,
                source.path,
                encode::json(&source.options)?,
                clock::now(),
            ],
        )?;
        let (n, offset, line, report, done) = content.audit.query_row(
            "SELECT n, offset, line, report, completed_at IS NOT NULL FROM imports WHERE id = ?1",
            params![id.as_bytes()],
            |row| {
                Ok((
                    row.get(0)?,
                    encode::unsigned(row, 1)?,
                    encode::unsigned(row, 2)?,
                    row.get::<_, String>(3)?,
                    row.get::<_, bool>(4)?,
                ))
            },
        )?;
        let report = encode::read_json("import report", &report)?;
        if done {
            return Ok(Begun::AlreadyDone(report));
        }
        let import = Self {
            content,
            blobs,
            n,
            in_chunk: false,
            files: HashMap::new(),
            runs: HashMap::new(),
            #[cfg(test)]
            stop_before: None,
        };
        Ok(if offset == 0 && line == 0 {
            Begun::Fresh(import)
        } else {
            Begun::Resume { import, offset, line, report }
        })
    }

    /// The four files in the order of writing.
    fn connections(&self) -> [&'a Connection; 4] {
        let Content { audit, responses, rubrics, study, .. } = self.content;
        [audit, responses, rubrics, study]
    }

    /// Opens the chunk's transactions, if they are not open.
    fn chunk(&mut self) -> Result<()> {
        if !self.in_chunk {
            for connection in self.connections() {
                connection.execute_batch("BEGIN IMMEDIATE")?;
            }
            self.in_chunk = true;
        }
        Ok(())
    }

    /// Puts what came since the last call on disk; reading goes on at `offset`, after `line` lines. `report` is
    /// the importer's report so far, given back on resuming.
    pub fn commit_chunk(&mut self, offset: u64, line: u64, report: &Value) -> Result<()> {
        self.blobs.flush()?;
        if self.in_chunk {
            for connection in self.connections() {
                self.step()?;
                connection.execute_batch("COMMIT")?;
            }
            self.in_chunk = false;
        }
        self.step()?;
        self.content
            .audit
            .prepare_cached("UPDATE imports SET offset = ?2, line = ?3, report = ?4 WHERE n = ?1")?
            .execute(params![self.n, encode::signed(offset), encode::signed(line), encode::json(report)?])?;
        Ok(())
    }

    /// Everything is read: commits the last chunk and sets the completion mark. From here on all rows of the
    /// file show, all at once.
    pub fn complete(mut self, offset: u64, line: u64, report: &Value) -> Result<()> {
        self.commit_chunk(offset, line, report)?;
        self.step()?;
        standing::complete(self.content, self.n)?;
        self.step()?;
        standing::hand_out_rubrics(self.content)
    }

    /// Gives the import up and removes what it wrote.
    pub fn abandon(mut self) -> Result<()> {
        self.roll_back();
        standing::abandon(self.content, self.n)
    }

    fn roll_back(&mut self) {
        for connection in self.connections() {
            if !connection.is_autocommit() {
                // Nothing is lost when this fails: SQLite undoes an unfinished transaction by itself.
                let _ = connection.execute_batch("ROLLBACK");
            }
        }
        self.in_chunk = false;
    }

    /// Refuses a row that names a blob which is not on disk.
    fn need_blob(&self, blob: Option<BlobHash>) -> Result<()> {
        match blob {
            Some(hash) if !self.blobs.exists(&hash) => Err(StoreError::BlobMissing(hash)),
            _ => Ok(()),
        }
    }

    /// A place where a test can stop the import, as a kill would.
    #[cfg(test)]
    fn step(&mut self) -> Result<()> {
        match &mut self.stop_before {
            Some(0) => Err(StoreError::Refused("stopped by the test".to_owned())),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
    #[cfg(not(test))]
    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "only a test stops here")]
    fn step(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Drop for Import<'_> {
    fn drop(&mut self) {
        self.roll_back();
    }
}

fn id(content: &Content, source: &ImportSource) -> ImportId {
    let parts: [&[u8]; 3] = [source.sha256.as_bytes(), source.format.as_bytes(), source.scope.as_bytes()];
    ImportId::from_bytes(content.secret.id("import", &parts))
}

/// The report of a file whose import is complete.
pub(crate) fn report(content: &Content, source: &ImportSource) -> Result<Option<Value>> {
    let report: Option<String> = content
        .audit
        .prepare_cached("SELECT report FROM imports WHERE id = ?1 AND completed_at IS NOT NULL")?
        .query_row(params![id(content, source).as_bytes()], |row| row.get(0))
        .optional()?;
    report.map(|report| encode::read_json("import report", &report)).transpose()
}

/// The results folders in which every one of these (prompt key, `run_name`) pairs has a response.
pub(crate) fn folders_holding(audit: &Connection, pairs: &[(String, String)]) -> Result<Vec<String>> {
    let mut folders = folders(audit)?;
    let mut query = audit.prepare_cached(
        "SELECT 1 FROM runs r JOIN slots s ON s.run = r.id
         WHERE r.folder = ?1 AND r.run_name = ?2 AND s.prompt_key = ?3 AND s.response IS NOT NULL LIMIT 1",
    )?;
    for (prompt_key, run_name) in pairs {
        let mut left = Vec::new();
        for folder in folders {
            if query.query_row(params![folder, run_name, prompt_key], |_| Ok(())).optional()?.is_some() {
                left.push(folder);
            }
        }
        folders = left;
        if folders.is_empty() {
            break;
        }
    }
    Ok(folders)
}

/// The results folders of the study, by name.
pub(crate) fn folders(audit: &Connection) -> Result<Vec<String>> {
    let mut query = audit.prepare_cached(
        "SELECT DISTINCT folder FROM run_files f
         WHERE EXISTS (SELECT 1 FROM judged j WHERE j.file = f.id AND j.state = 1) ORDER BY folder",
    )?;
    Ok(query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}
