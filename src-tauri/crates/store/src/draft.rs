//! What a person is typing: kept beside their statements, overwritten and dropped at will, never shown to others.

use crate::Result;
use crate::journal::Journal;
use rusqlite::{Connection, OptionalExtension, params};

impl Journal {
    /// Keeps `body` (JSON text) as the draft of this kind about `subject`.
    pub(crate) fn save_draft(&mut self, kind: &str, subject: &str, body: &str) -> Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO drafts (kind, subject, body) VALUES (?1, ?2, ?3)
                 ON CONFLICT (kind, subject) DO UPDATE SET body = excluded.body",
            )?
            .execute(params![kind, subject, body])?;
        Ok(())
    }
    /// The draft, if there is one.
    pub(crate) fn draft(&self, kind: &str, subject: &str) -> Result<Option<String>> {
        Ok(self
            .connection
            .prepare_cached("SELECT body FROM drafts WHERE kind = ?1 AND subject = ?2")?
            .query_row(params![kind, subject], |row| row.get(0))
            .optional()?)
    }
    /// Drops the draft; none is fine.
    pub(crate) fn drop_draft(&mut self, kind: &str, subject: &str) -> Result<()> {
        drop(&self.connection, kind, subject)
    }
}

/// Drops a draft in whatever transaction is open.
pub(crate) fn drop(connection: &Connection, kind: &str, subject: &str) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM drafts WHERE kind = ?1 AND subject = ?2")?
        .execute(params![kind, subject])?;
    Ok(())
}
