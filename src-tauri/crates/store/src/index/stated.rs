//! What stands about a subject: computed again from all statements about it whenever one more comes.

use super::tasks::mark_done;
use crate::journal::{self, Journal};
use crate::standing::{Fate, Node, fates};
use crate::{Result, StoreError};
use domain::{Statement, StatementId, StatementKind, TaskId};
use rusqlite::{Connection, params};
use std::collections::{BTreeSet, HashMap};

/// Takes in one statement; what it changes, [`settle`] finds.
pub(super) fn insert_node(
    connection: &Connection,
    journal: &str,
    s: &Statement,
    parents: &str,
) -> Result<()> {
    #[derive(serde::Deserialize)]
    struct Submission {
        task: Option<TaskId>,
    }
    let answers = if matches!(
        s.kind,
        StatementKind::RubricSubmission
            | StatementKind::Review
            | StatementKind::Curation
            | StatementKind::ChecklistGrade
            | StatementKind::QuizAttempt
    ) {
        journal::payload::<Submission>(s).ok().and_then(|p| p.task)
    } else {
        None
    };
    connection
        .prepare_cached(
            "INSERT INTO nodes (id, journal, seq, kind, subject, person, parents, answers, live)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            s.id.as_bytes(),
            journal,
            i64::try_from(s.seq).unwrap_or(i64::MAX),
            s.kind.name(),
            s.subject,
            s.person.as_str(),
            parents,
            answers.as_ref().map(TaskId::as_bytes),
        ])?;
    Ok(())
}

struct Known {
    id: StatementId,
    journal: String,
    seq: i64,
    kind: String,
    person: String,
    parents: Vec<StatementId>,
}

/// Computes again what stands about `subject`, and the counts and tasks that follow.
pub(super) fn settle(
    connection: &Connection,
    subject: &str,
    fresh: &HashMap<StatementId, Statement>,
    by_name: &HashMap<String, &Journal>,
) -> Result<()> {
    let mut known = Vec::new();
    {
        let mut statement = connection
            .prepare_cached("SELECT id, journal, seq, kind, person, parents FROM nodes WHERE subject = ?")?;
        let mut rows = statement.query([subject])?;
        while let Some(row) = rows.next()? {
            known.push(Known {
                id: StatementId::from_bytes(row.get(0)?),
                journal: row.get(1)?,
                seq: row.get(2)?,
                kind: row.get(3)?,
                person: row.get(4)?,
                parents: journal::parents_of(row.get_ref(5)?.as_str()?)?,
            });
        }
    }
    let nodes: Vec<Node<'_>> = known
        .iter()
        .map(|k| Node { id: k.id, kind: &k.kind, person: &k.person, parents: &k.parents })
        .collect();
    let fates = fates(&nodes);
    let mut before = HashMap::new();
    {
        let kinds: BTreeSet<&str> = known.iter().map(|k| k.kind.as_str()).collect();
        let mut statement =
            connection.prepare_cached("SELECT person, id, body FROM heads WHERE kind = ? AND subject = ?")?;
        for kind in kinds {
            let mut rows = statement.query(params![kind, subject])?;
            while let Some(row) = rows.next()? {
                let id = StatementId::from_bytes(row.get(1)?);
                before.insert(id, (kind, row.get::<_, String>(0)?, row.get::<_, String>(2)?));
            }
        }
    }
    let mut after = BTreeSet::new();
    for (k, fate) in known.iter().zip(&fates) {
        let live = matches!(fate, Fate::Stands | Fate::Replaced);
        connection
            .prepare_cached("UPDATE nodes SET live = ?2 WHERE id = ?1 AND live <> ?2")?
            .execute(params![k.id.as_bytes(), live])?;
        if *fate != Fate::Stands {
            connection
                .prepare_cached("DELETE FROM heads WHERE kind = ? AND subject = ? AND person = ? AND id = ?")?
                .execute(params![k.kind, subject, k.person, k.id.as_bytes()])?;
            continue;
        }
        after.insert((k.kind.as_str(), k.person.as_str()));
        if before.contains_key(&k.id) {
            continue;
        }
        // New, or standing again after what replaced it was taken back.
        let body = if let Some(statement) = fresh.get(&k.id) {
            serde_json::to_string(statement)
        } else {
            let journal = by_name.get(&k.journal);
            let Some(row) = journal.map(|j| j.at(k.seq.unsigned_abs())).transpose()?.flatten() else {
                return Err(StoreError::NotFound { what: "statement", id: k.id.to_string() });
            };
            serde_json::to_string(&row)
        };
        connection
            .prepare_cached("INSERT INTO heads (kind, subject, person, id, body) VALUES (?, ?, ?, ?, ?)")?
            .execute(params![
                k.kind,
                subject,
                k.person,
                k.id.as_bytes(),
                body.map_err(StoreError::json("statement"))?
            ])?;
    }
    let before: BTreeSet<(&str, &str)> =
        before.values().map(|(kind, person, _)| (*kind, person.as_str())).collect();
    for (keys, delta) in [(after.difference(&before), 1), (before.difference(&after), -1)] {
        for (kind, person) in keys {
            connection
                .prepare_cached(
                    "INSERT INTO tallies (kind, person, n) VALUES (?1, ?2, ?3)
                     ON CONFLICT (kind, person) DO UPDATE SET n = n + ?3",
                )?
                .execute(params![kind, person, delta])?;
        }
    }
    mark_done(connection, subject)
}
