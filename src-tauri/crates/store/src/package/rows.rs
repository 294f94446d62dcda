//! A journal on its way: one line that says whose it is, then one line for each signed row.

use super::open::broken;
use crate::folder::JournalName;
use crate::journal::{Journal, SignedRow};
use crate::{Result, StoreError};
use domain::Statement;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Read, Write};
use std::path::Path;

/// The folder of whole journals.
pub(super) const JOURNALS: &str = "journals";
/// A page of rows.
const PAGE: u32 = 1_000;
/// A line longer than this is no row: the longest text that a person types is far below it.
const LONGEST: u64 = 64 << 20;

#[derive(Serialize, Deserialize)]
struct Head {
    journal: String,
    #[serde(with = "hex")]
    public_key: [u8; 32],
}

/// A journal as it came.
#[derive(Debug, Clone)]
pub(super) struct Travelled {
    pub name: JournalName,
    pub public_key: [u8; 32],
    pub rows: Vec<SignedRow>,
}

/// The rows of the journal that are wanted, as text. Answers how many there are.
pub(super) fn write(
    journal: &Journal,
    out: &mut Vec<u8>,
    wanted: impl Fn(&Statement) -> bool,
) -> Result<u64> {
    let text = StoreError::json;
    let head = Head { journal: journal.name().to_string(), public_key: *journal.public_key() };
    serde_json::to_writer(&mut *out, &head).map_err(text("journal"))?;
    out.write_all(b"\n").map_err(StoreError::io(journal.path()))?;
    let (mut last, mut count) = (0, 0);
    loop {
        let rows = journal.rows_after(last, PAGE)?;
        let Some(end) = rows.last() else { return Ok(count) };
        last = end.statement.seq;
        for row in rows.iter().filter(|row| wanted(&row.statement)) {
            count += 1;
            serde_json::to_writer(&mut *out, row).map_err(text("statement"))?;
            out.write_all(b"\n").map_err(StoreError::io(journal.path()))?;
        }
    }
}

/// Reads back an entry of a folder of the package. Nothing in it is believed yet.
pub(super) fn read(folder: &str, entry: &str, input: impl BufRead) -> Result<Travelled> {
    let fail = |e: std::io::Error| broken(Path::new(entry), e);
    let refuse = |why: &str| StoreError::Refused(format!("{entry}: {why}"));
    let mut lines = Lines { input, line: Vec::new() };
    let head: Head = match lines.read().map_err(fail)? {
        Some(line) => serde_json::from_slice(line).map_err(StoreError::json(entry))?,
        None => return Err(refuse("an empty journal")),
    };
    let name = JournalName::parse(&head.journal).ok_or_else(|| refuse("it names no journal"))?;
    if entry != entry_name(folder, &name) {
        return Err(refuse("it is another journal than its name says"));
    }
    let mut rows = Vec::new();
    while let Some(line) = lines.read().map_err(fail)? {
        rows.push(serde_json::from_slice(line).map_err(StoreError::json(entry))?);
    }
    Ok(Travelled { name, public_key: head.public_key, rows })
}

/// The entry's name in a folder of a package.
pub(super) fn entry_name(folder: &str, name: &JournalName) -> String {
    let file = name.to_string();
    format!("{folder}/{}.rows", file.strip_suffix(".sqlite").unwrap_or(&file))
}

struct Lines<R> {
    input: R,
    line: Vec<u8>,
}
impl<R: BufRead> Lines<R> {
    fn read(&mut self) -> std::io::Result<Option<&[u8]>> {
        self.line.clear();
        let read = self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        if self.line.pop() != Some(b'\n') {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "a line that does not end"));
        }
        Ok(Some(&self.line))
    }
}
