//! What stands: the completion mark, which makes all rows of an import visible in one transaction of `audit`,
//! what follows from it, and the way back out of an import that was given up.

use crate::content::{Content, prompts, responses, rubrics, samples};
use crate::{Result, clock};
use rusqlite::{Connection, params};

/// Runs `work` in one `BEGIN IMMEDIATE` transaction of `connection`.
pub(crate) fn atomically(connection: &Connection, work: impl FnOnce() -> Result<()>) -> Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    match work().and_then(|()| Ok(connection.execute_batch("COMMIT")?)) {
        Ok(()) => Ok(()),
        Err(e) => {
            // The first error is the one to tell; SQLite undoes an unfinished transaction by itself anyway.
            let _ = connection.execute_batch("ROLLBACK");
            Err(e)
        }
    }
}

/// Sets the completion mark. The last row of a key wins: in file order, and a later import over an earlier one
/// (quirk Q15). A slot's response is that of its base file's standing row, else a variant's.
pub(super) fn complete(content: &Content, n: i64) -> Result<()> {
    let audit = &content.audit;
    atomically(audit, || {
        audit.execute("UPDATE judged SET state = 1 WHERE import = ?1 AND state = 0", [n])?;
        audit.execute(
            "UPDATE judged SET state = 2 WHERE id IN (
               SELECT id FROM (
                 SELECT j.id, row_number() OVER (PARTITION BY j.slot, j.file ORDER BY j.import DESC, j.offset DESC) AS place
                 FROM judged j
                 WHERE j.state = 1 AND j.slot IN (SELECT slot FROM judged WHERE import = ?1))
               WHERE place > 1)",
            [n],
        )?;
        audit.execute(
            "UPDATE slots SET response = (
               SELECT j.response FROM judged j JOIN run_files f ON f.id = j.file
               WHERE j.slot = slots.id AND j.state = 1 AND j.response IS NOT NULL
               ORDER BY f.variant <> '', j.import DESC, j.offset DESC LIMIT 1)
             WHERE id IN (SELECT slot FROM judged WHERE import = ?1)",
            [n],
        )?;
        last_of_a_key(
            audit,
            n,
            "human_verdicts",
            &["folder", "prompt_key", "run_name", "modality", "annotator"],
        )?;
        last_of_a_key(audit, n, "adjudications", &["folder", "prompt_key", "run_name", "modality"])?;
        audit.execute("UPDATE manifests SET state = 1 WHERE import = ?1 AND state = 0", [n])?;
        last_of_a_key(audit, n, "checklists", &["prompt_key"])?;
        last_of_a_key(audit, n, "check_grades", &["question", "model", "judge", "variant", "check_id"])?;
        audit.execute(
            "INSERT INTO prompt_heads (key, prompt, version)
             SELECT key, prompt, version FROM prompt_origins WHERE import = ?1
             ON CONFLICT (key) DO UPDATE SET version = excluded.version",
            [n],
        )?;
        audit.execute(
            "INSERT INTO sample_heads (key, sample, version)
             SELECT key, sample, version FROM sample_origins WHERE import = ?1 AND added = 1
             ON CONFLICT (key) DO UPDATE SET version = excluded.version",
            [n],
        )?;
        last_of_a_key(audit, n, "predictions", &["sample_key", "model", "context"])?;
        audit.execute("UPDATE imports SET completed_at = ?2 WHERE n = ?1", params![n, clock::now()])?;
        Ok(())
    })
}

/// Shows an import's rows of `table`, and of all rows with the same `key` the last one alone. Only keys of this import are
/// looked at, so that a small import into a large study costs little.
fn last_of_a_key(audit: &Connection, n: i64, table: &str, key: &[&str]) -> Result<()> {
    let same = |a: &str, b: &str| {
        key.iter().map(|column| format!("{a}.{column} = {b}.{column}")).collect::<Vec<_>>().join(" AND ")
    };
    audit.execute(&format!("UPDATE {table} SET state = 1 WHERE import = ?1 AND state = 0"), [n])?;
    audit.execute(
        &format!(
            "UPDATE {table} AS old SET state = 2 WHERE import = ?1 AND state = 1 AND EXISTS (
               SELECT 1 FROM {table} AS new WHERE {} AND new.state = 1
                 AND (new.import > old.import OR (new.import = old.import AND new.line > old.line)))",
            same("new", "old")
        ),
        [n],
    )?;
    let others = format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE import < ?1 OR import > ?1)");
    if audit.query_row(&others, [n], |row| row.get(0))? {
        // What of this import stands now is the last of its key.
        audit.execute(
            &format!(
                "UPDATE {table} SET state = 2 WHERE state = 1 AND (import, line) IN (
                   SELECT old.import, old.line FROM {table} AS new CROSS JOIN {table} AS old
                   WHERE new.import = ?1 AND new.state = 1 AND {} AND old.state = 1 AND old.import <> ?1)",
                same("old", "new")
            ),
            [n],
        )?;
    }
    Ok(())
}

/// Hands out the rubrics of completed imports whose rubrics are not handed out yet. Asked when an import
/// completes and, for one that was killed right then, whenever the lead's session opens.
pub(crate) fn hand_out_rubrics(content: &Content) -> Result<()> {
    let Content { audit, rubrics, .. } = content;
    let mut query =
        audit.prepare("SELECT n FROM imports WHERE completed_at IS NOT NULL AND published = 0 ORDER BY n")?;
    let waiting: Vec<i64> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for n in waiting {
        atomically(rubrics, || {
            let mut query = audit.prepare_cached(
                "SELECT prompt, version, rubric_version FROM prompt_origins
                 WHERE import = ?1 AND added = 1 AND rubric_version IS NOT NULL",
            )?;
            let mut rows = query.query([n])?;
            while let Some(row) = rows.next()? {
                rubrics::hand_out(rubrics, &row.get(0)?, row.get(1)?, row.get(2)?)?;
            }
            Ok(())
        })?;
        audit.execute("UPDATE imports SET published = 1 WHERE n = ?1", [n])?;
    }
    Ok(())
}

/// Removes everything an unfinished import wrote: first what blind people could open, last its own record, so
/// that a kill in between leaves something to do again.
pub(super) fn abandon(content: &Content, n: i64) -> Result<()> {
    let Content { study, responses, rubrics, audit, .. } = content;
    atomically(responses, || {
        let mut query = audit.prepare(
            "SELECT DISTINCT response FROM judged WHERE import = ?1 AND response IS NOT NULL
             EXCEPT SELECT response FROM judged WHERE import <> ?1 AND response IS NOT NULL",
        )?;
        let mut rows = query.query([n])?;
        while let Some(row) = rows.next()? {
            responses::remove(responses, &row.get(0)?)?;
        }
        Ok(())
    })?;
    let mut query = audit.prepare(
        "SELECT prompt, version, rubric_version FROM prompt_origins WHERE import = ?1 AND rubric_version IS NOT NULL
         EXCEPT SELECT prompt, version, rubric_version FROM prompt_origins WHERE import <> ?1",
    )?;
    let mut only_rubrics: Vec<([u8; 16], u32, u32)> = query
        .query_map([n], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    // One that the lead published meanwhile stays.
    let mut handed =
        rubrics.prepare("SELECT 1 FROM heads WHERE prompt = ?1 AND prompt_version = ?2 AND version = ?3")?;
    let mut kept = Vec::new();
    for (prompt, version, rubric) in only_rubrics.drain(..) {
        if !handed.exists(params![prompt, version, rubric])? {
            kept.push((prompt, version, rubric));
        }
    }
    let mut query =
        audit.prepare("SELECT sample, version FROM sample_origins WHERE import = ?1 AND added = 1")?;
    let only_samples: Vec<([u8; 16], u32)> =
        query.query_map([n], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    atomically(rubrics, || {
        only_samples.iter().try_for_each(|(sample, version)| samples::remove(rubrics, sample, *version))?;
        kept.iter()
            .try_for_each(|(prompt, version, rubric)| rubrics::remove(rubrics, prompt, *version, *rubric))
    })?;
    let mut query = audit.prepare(
        "SELECT prompt, version FROM prompt_origins WHERE import = ?1
         EXCEPT SELECT prompt, version FROM prompt_origins WHERE import <> ?1",
    )?;
    let only: Vec<([u8; 16], u32)> =
        query.query_map([n], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    atomically(study, || {
        only.iter().try_for_each(|(prompt, version)| prompts::remove(study, prompt, *version))
    })?;
    atomically(audit, || {
        for (prompt, version, rubric) in &kept {
            audit.execute(
                "DELETE FROM rubric_versions WHERE prompt = ?1 AND prompt_version = ?2 AND version = ?3",
                params![prompt, version, rubric],
            )?;
        }
        for (prompt, version) in &only {
            audit.execute(
                "DELETE FROM prompt_versions WHERE prompt = ?1 AND version = ?2",
                params![prompt, version],
            )?;
        }
        for sql in [
            "DELETE FROM cells WHERE judged IN (SELECT id FROM judged WHERE import = ?1)",
            "DELETE FROM judged_details WHERE judged IN (SELECT id FROM judged WHERE import = ?1)",
            "DELETE FROM judged WHERE import = ?1",
            "DELETE FROM human_verdicts WHERE import = ?1",
            "DELETE FROM verdict_details WHERE import = ?1",
            "DELETE FROM adjudications WHERE import = ?1",
            "DELETE FROM manifests WHERE import = ?1",
            "DELETE FROM checklists WHERE import = ?1",
            "DELETE FROM check_grades WHERE import = ?1",
            "DELETE FROM prompt_origins WHERE import = ?1",
            "DELETE FROM sample_origins WHERE import = ?1",
            "DELETE FROM predictions WHERE import = ?1",
            "DELETE FROM imports WHERE n = ?1",
        ] {
            audit.execute(sql, [n])?;
        }
        Ok(())
    })
}
