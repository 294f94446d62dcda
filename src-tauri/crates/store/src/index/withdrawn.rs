//! Tasks that the lead took back: a reservation that expired leaves the inbox, and the index follows.

use crate::Result;
use crate::inbox::{Inbox, TaskKind};
use rusqlite::Connection;
use std::collections::HashSet;

/// Drops the tasks of a kind that the inbox no longer has; others may have got their places since.
pub(super) fn forget(index: &Connection, inbox: &Inbox, kind: TaskKind) -> Result<()> {
    let mut statement = index.prepare_cached("SELECT id FROM tasks WHERE kind = ?")?;
    let known: Vec<[u8; 16]> =
        statement.query_map([kind.name()], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    if known.is_empty() {
        return Ok(());
    }
    let mut there = HashSet::new();
    inbox.each_task(kind, |task| {
        there.insert(*task.id.as_bytes());
        Ok(())
    })?;
    for id in known.iter().filter(|id| !there.contains(*id)) {
        index.prepare_cached("DELETE FROM tasks WHERE id = ?")?.execute([id])?;
    }
    Ok(())
}
