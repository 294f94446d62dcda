//! What a completed import brought, as one hash: a lead's session states it, signed and chained, so that a row that is
//! altered, added or removed by hand afterwards is found by a check. Hashed is what was read from the file, and which
//! run, file and response it belongs to; not which row stands, which follows from the rows and is checked apart.

use crate::content::keys::ContentHash;
use crate::{Result, StoreError};
use domain::ImportId;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

/// How rows are hashed; a later form leaves seals of this one as they are.
const FORM: u32 = 1;

/// The payload of an `import_seal`; its subject is the import's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportSeal {
    /// How rows are hashed.
    pub form: u32,
    /// How many rows there are.
    pub rows: u64,
    /// SHA-256 over them, in hexadecimal digits.
    pub sha256: String,
}

/// Rows that came after the first seals were stated: an import without any has the seal that it had.
const LATER: &str = "details of a verdict";

/// Queries that give every row of an import, in an order that does not depend on how they lie in the file.
const ROWS: [(&str, &str); 9] = [
    ("import", "SELECT sha256, format, scope FROM imports WHERE n = ?1"),
    (
        "verdict",
        "SELECT line, folder, prompt_key, run_name, modality, annotator, verdict, comment, ai_assisted, seconds
         FROM human_verdicts WHERE import = ?1 ORDER BY line",
    ),
    (
        "adjudication",
        "SELECT line, folder, prompt_key, run_name, modality, body FROM adjudications WHERE import = ?1 ORDER BY line",
    ),
    (LATER, "SELECT line, details FROM verdict_details WHERE import = ?1 ORDER BY line"),
    ("manifest", "SELECT folder, timestamp, body FROM manifests WHERE import = ?1 ORDER BY folder"),
    (
        "prompt",
        "SELECT prompt, version, rubric_version, key, line FROM prompt_origins WHERE import = ?1 ORDER BY prompt",
    ),
    (
        "row",
        "SELECT j.offset, j.line, j.response, j.content, j.failed, j.expected, j.native, j.via_url, j.via_judge,
                f.folder, f.file, f.timestamp, f.variant, s.prompt_key, r.folder, r.timestamp, r.run_name, r.provider, r.model
         FROM judged j JOIN run_files f ON f.id = j.file JOIN slots s ON s.id = j.slot JOIN runs r ON r.id = s.run
         WHERE j.import = ?1 ORDER BY f.folder, f.file, j.offset",
    ),
    (
        "grades of a modality",
        "SELECT f.folder, f.file, j.offset, c.modality, c.grades, c.mean, c.min, c.evaluator_errors, c.gradeable
         FROM cells c JOIN judged j ON j.id = c.judged JOIN run_files f ON f.id = j.file
         WHERE j.import = ?1 ORDER BY f.folder, f.file, j.offset, c.modality",
    ),
    (
        "grades",
        "SELECT f.folder, f.file, j.offset, d.length, d.error_type, d.error_message, d.judge_used, d.judge_model,
                d.judge_reasoning, d.rubric_used, d.rubric_judge, d.stored_scores, d.recorded_assets, d.grades
         FROM judged_details d JOIN judged j ON j.id = d.judged JOIN run_files f ON f.id = j.file
         WHERE j.import = ?1 ORDER BY f.folder, f.file, j.offset",
    ),
];

/// The seal of the import with number `n` as its rows are now.
fn seal(audit: &Connection, n: i64) -> Result<ImportSeal> {
    let mut hash = ContentHash::default();
    let mut count = 0;
    for (kind, sql) in ROWS {
        if kind != LATER {
            hash = hash.part(kind.as_bytes());
        }
        let mut query = audit.prepare_cached(sql)?;
        let columns = query.column_count();
        let mut rows = query.query([n])?;
        while let Some(row) = rows.next()? {
            count += 1;
            if kind == LATER {
                hash = hash.part(kind.as_bytes());
            }
            for column in 0..columns {
                hash = match row.get_ref(column)? {
                    ValueRef::Null => hash.part(b"n"),
                    ValueRef::Integer(value) => hash.part(b"i").part(&value.to_le_bytes()),
                    ValueRef::Real(value) => hash.part(b"r").part(&value.to_bits().to_le_bytes()),
                    ValueRef::Text(bytes) => hash.part(b"t").part(bytes),
                    ValueRef::Blob(bytes) => hash.part(b"b").part(bytes),
                };
            }
        }
    }
    Ok(ImportSeal { form: FORM, rows: count, sha256: hex::encode(hash.finish()) })
}

/// Every completed import that `is_sealed` does not know, with its seal.
pub(crate) fn unsealed(
    audit: &Connection,
    is_sealed: impl Fn(&str) -> bool,
) -> Result<Vec<(ImportId, ImportSeal)>> {
    let mut query = audit.prepare("SELECT n, id FROM imports WHERE completed_at IS NOT NULL ORDER BY n")?;
    let all: Vec<(i64, [u8; 16])> =
        query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    let mut open = Vec::new();
    for (n, id) in all {
        let id = ImportId::from_bytes(id);
        if !is_sealed(&id.to_string()) {
            open.push((id, seal(audit, n)?));
        }
    }
    Ok(open)
}

/// What is wrong with a sealed import; none while its rows are those that were sealed.
pub(crate) fn broken(audit: &Connection, subject: &str, sealed: &ImportSeal) -> Result<Option<String>> {
    if sealed.form != FORM {
        return Ok(None);
    }
    let id: ImportId = subject.parse().map_err(|_| {
        StoreError::Refused(format!("a seal of an import names {subject:?}, which is no import's id"))
    })?;
    let found: Option<(i64, String)> = audit
        .prepare_cached("SELECT n, path FROM imports WHERE id = ?1 AND completed_at IS NOT NULL")?
        .query_row(params![id.as_bytes()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((n, path)) = found else {
        return Ok(Some(format!("import {id}, with {} rows, was removed by hand", sealed.rows)));
    };
    let now = seal(audit, n)?;
    Ok((now != *sealed).then(|| match now.rows.cmp(&sealed.rows) {
        std::cmp::Ordering::Less => {
            format!("{} rows of the import of {path} were removed by hand", sealed.rows - now.rows)
        }
        std::cmp::Ordering::Greater => {
            format!("{} rows were added by hand to the import of {path}", now.rows - sealed.rows)
        }
        std::cmp::Ordering::Equal => format!("rows of the import of {path} were altered by hand"),
    }))
}

/// Which rows stand follows from the rows: the newest of a key does. What says otherwise, in words.
pub(crate) fn misplaced(audit: &Connection) -> Result<Vec<String>> {
    const COMPLETE: &str = "import IN (SELECT n FROM imports WHERE completed_at IS NOT NULL)";
    let mut wrong = Vec::new();
    for (what, table, key, order) in [
        (
            "verdicts",
            "human_verdicts",
            "folder, prompt_key, run_name, modality, annotator",
            "import DESC, line DESC",
        ),
        ("settlements", "adjudications", "folder, prompt_key, run_name, modality", "import DESC, line DESC"),
        ("graded rows", "judged", "slot, file", "import DESC, offset DESC"),
    ] {
        let sql = format!(
            "SELECT count(*) FROM (SELECT state, row_number() OVER (PARTITION BY {key} ORDER BY {order}) AS place
             FROM {table} WHERE {COMPLETE}) WHERE (place = 1) <> (state = 1)"
        );
        let n: u64 = audit.query_row(&sql, [], |row| row.get::<_, i64>(0))?.unsigned_abs();
        if n > 0 {
            wrong.push(format!("which imported {what} stand was altered by hand ({n} of them)"));
        }
    }
    let n: u64 = audit
        .query_row(
            "SELECT count(*) FROM slots WHERE response IS NOT (
               SELECT j.response FROM judged j JOIN run_files f ON f.id = j.file
               WHERE j.slot = slots.id AND j.state = 1 AND j.response IS NOT NULL
               ORDER BY f.variant <> '', j.import DESC, j.offset DESC LIMIT 1)",
            [],
            |row| row.get::<_, i64>(0),
        )?
        .unsigned_abs();
    if n > 0 {
        wrong.push(format!("which response belongs to which run was altered by hand ({n} of them)"));
    }
    Ok(wrong)
}
