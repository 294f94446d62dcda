//! Content: what the lead publishes. Four files, one per circle of people who may open it: `study` (everyone),
//! `responses` (judges), `rubrics` (authors), `audit` (auditors and leads alone). What a row may say is decided by
//! which file it is in; see the heads of `schemas/sqlite/*`.
//!
//! Content is versioned, never edited. Imports write all four files and become visible in one transaction of
//! `audit` ([`import`]); nothing here is ever read through an import that has no completion mark.

pub(crate) mod answers;
pub(crate) mod audit;
pub(crate) mod cells;
pub(crate) mod checklists;
pub(crate) mod encode;
pub(crate) mod guidelines;
pub(crate) mod import;
pub(crate) mod keys;
pub(crate) mod packed;
pub(crate) mod prompts;
pub(crate) mod qualification;
pub(crate) mod responses;
pub(crate) mod rubrics;
pub(crate) mod samples;
pub(crate) mod scores;

pub use answers::{Answer, ImportedAdjudication, ImportedVerdict, JudgingRecord, Run};
pub use audit::{Imported, Person};
pub use cells::{AgreementCell, CellVerdict};
pub use checklists::ImportedChecklist;
pub use guidelines::Guidelines;
pub use import::{Begun, Import, ImportSeal, ImportSource, Keys, Put, RunFile, StandingPrompt, StandingRow};
pub use rubrics::{Rubric, RubricSource};
pub use samples::StandingSample;
pub use scores::{Cell, JudgedFile, Judging, ScoreRow};

use crate::sqlite::{self, Access, Schema};
use crate::{Result, StoreError};
use domain::BlobHash;
use keys::Secret;
use rusqlite::{Connection, params};
use std::path::Path;

macro_rules! sql {
    ($path:literal) => {
        include_str!(concat!("../../../../../schemas/sqlite/", $path))
    };
}

/// `content/study.sqlite`.
pub(crate) const STUDY: Schema = Schema {
    name: "study file",
    application_id: 0x4153_5A11,
    migrations: &[sql!("study/0001_start.sql"), sql!("study/0002_quizzes.sql")],
    disposable: false,
};
/// `content/responses.sqlite`.
pub(crate) const RESPONSES: Schema = Schema {
    name: "responses file",
    application_id: 0x4153_5A12,
    migrations: &[sql!("responses/0001_start.sql")],
    disposable: false,
};
/// `content/rubrics.sqlite`.
pub(crate) const RUBRICS: Schema = Schema {
    name: "rubrics file",
    application_id: 0x4153_5A13,
    migrations: &[
        sql!("rubrics/0001_start.sql"),
        sql!("rubrics/0002_samples.sql"),
        sql!("rubrics/0003_beside.sql"),
    ],
    disposable: false,
};
/// `content/audit.sqlite`.
pub(crate) const AUDIT: Schema = Schema {
    name: "audit file",
    application_id: 0x4153_5A14,
    migrations: &[
        sql!("audit/0001_start.sql"),
        sql!("audit/0002_samples.sql"),
        sql!("audit/0003_checklists.sql"),
        sql!("audit/0004_verdict_details.sql"),
        sql!("audit/0005_qualification.sql"),
    ],
    disposable: false,
};

/// Tables of the study file that a blind session may read.
pub(crate) const STUDY_TABLES: &[&str] = &["prompts", "inputs", "guidelines", "quizzes"];
/// Tables of the responses file that a judge may read.
pub(crate) const RESPONSES_TABLES: &[&str] = &["responses", "assets"];
/// Tables of the rubrics file that an author may read.
pub(crate) const RUBRICS_TABLES: &[&str] = &["rubrics", "heads", "samples", "sample_assets"];

/// How much of each file a session may keep in memory, in KiB; it takes what it reads and no more.
const CACHE_KIB: i64 = 32 << 10;

/// The four files, open: only auditors and leads have one of these.
pub(crate) struct Content {
    pub study: Connection,
    pub responses: Connection,
    pub rubrics: Connection,
    pub audit: Connection,
    pub secret: Secret,
}

impl Content {
    /// Opens the content of the study at `root`.
    pub fn open(root: &Path, access: Access) -> Result<Self> {
        let open = |name: &str, schema| -> Result<Connection> {
            let connection = sqlite::open(&file(root, name), schema, access)?;
            connection.set_prepared_statement_cache_capacity(128);
            // In KiB. A million verdicts and their index do not fit SQLite's usual two MiB.
            connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
            Ok(connection)
        };
        let audit = open("audit", &AUDIT)?;
        let secret = audit::secret(&audit)?;
        Ok(Self {
            study: open("study", &STUDY)?,
            responses: open("responses", &RESPONSES)?,
            rubrics: open("rubrics", &RUBRICS)?,
            audit,
            secret,
        })
    }
}

fn file(root: &Path, name: &str) -> std::path::PathBuf {
    root.join("content").join(format!("{name}.sqlite"))
}

/// Makes the four files of a new study, with its secret. Doing it again changes nothing.
pub(crate) fn create(root: &Path) -> Result<()> {
    let folder = root.join("content");
    std::fs::create_dir_all(&folder).map_err(StoreError::io(&folder))?;
    for (name, schema) in [("study", &STUDY), ("responses", &RESPONSES), ("rubrics", &RUBRICS)] {
        sqlite::checkpoint(&sqlite::open(&file(root, name), schema, Access::Write)?)?;
    }
    let audit = sqlite::open(&file(root, "audit"), &AUDIT, Access::Write)?;
    let mut secret = [0_u8; 32];
    getrandom::fill(&mut secret).map_err(|e| StoreError::io(root)(std::io::Error::other(e.to_string())))?;
    audit.execute("INSERT OR IGNORE INTO meta (one, secret) VALUES (1, ?1)", params![secret])?;
    sqlite::checkpoint(&audit)
}

/// Every blob that content names, with who names it; for checking.
pub(crate) fn each_blob(
    study: &Connection,
    responses: &Connection,
    rubrics: &Connection,
    each: &mut dyn FnMut(BlobHash, &str) -> Result<()>,
) -> Result<()> {
    for (connection, sql, what) in [
        (study, "SELECT blob, prompt FROM inputs WHERE blob IS NOT NULL ORDER BY blob", "input of prompt"),
        (
            responses,
            "SELECT blob, response FROM assets WHERE blob IS NOT NULL ORDER BY blob",
            "asset of response",
        ),
        (rubrics, "SELECT blob, sample FROM sample_assets ORDER BY blob", "image of sample"),
    ] {
        let mut query = connection.prepare(sql)?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let owner = hex::encode(row.get::<_, [u8; 16]>(1)?);
            each(BlobHash::from_bytes(row.get(0)?), &format!("{what} {owner}"))?;
        }
    }
    Ok(())
}

/// The files whose import was begun and not finished.
pub(crate) fn incomplete_imports(audit: &Connection) -> Result<Vec<String>> {
    let mut query = audit.prepare("SELECT path FROM imports WHERE completed_at IS NULL ORDER BY n")?;
    Ok(query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two files as they were before there were samples.
    const OLD: [(&str, Schema); 2] = [
        ("rubrics", Schema { migrations: &[sql!("rubrics/0001_start.sql")], name: RUBRICS.name, ..RUBRICS }),
        ("audit", Schema { migrations: &[sql!("audit/0001_start.sql")], name: AUDIT.name, ..AUDIT }),
    ];

    #[test]
    fn a_study_from_before_samples_is_brought_up_to_date() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let root = place.path().join("old.assize");
        let folder = root.join("content");
        std::fs::create_dir_all(&folder).expect("a folder");
        for (name, schema) in &OLD {
            let old = sqlite::open(&file(&root, name), schema, Access::Write).expect("the old form");
            if *name == "audit" {
                old.execute("INSERT INTO meta (one, secret) VALUES (1, ?1)", params![[7_u8; 32]])
                    .expect("its secret");
            }
            sqlite::checkpoint(&old).expect("whole in one file");
        }
        create(&root).expect("what is missing is made, and what is old is brought up to date");
        let content = Content::open(&root, Access::Read).expect("a reader finds the form that it knows");
        assert!(content.secret.is_in(&[7; 32]), "what was there stays");
        let all = samples::all(&content.audit, &content.rubrics).expect("the new tables are there");
        assert!(all.is_empty(), "and empty");
        for (name, schema) in [("rubrics", &RUBRICS), ("audit", &AUDIT)] {
            let version = schema.migrations.len();
            let copy = folder.join(format!("{name}.sqlite.before-{version}"));
            assert!(copy.is_file(), "a copy of the old file lies beside it: {}", copy.display());
        }
    }
}
