//! Taking one payload out of a journal, when the law asks for it. The row stays, with its hash and signature.

use super::{SCHEMA, row};
use crate::folder::{Folder, JournalName};
use crate::sqlite::{self, Access};
use crate::{Result, StoreError, lock};
use domain::StatementId;
use rusqlite::TransactionBehavior;

impl Folder {
    /// Blanks the payload of one statement, under the study's lock, and drops the indexes that may hold a copy.
    /// Cannot be undone. The pages that held it are overwritten.
    pub fn blank(&self, journal: &JournalName, statement: StatementId) -> Result<()> {
        let path = self.journal_path(journal);
        if !path.is_file() {
            return Err(StoreError::NotFound { what: "journal", id: journal.to_string() });
        }
        lock::with(self.root(), || {
            let mut connection = sqlite::open(&path, &SCHEMA, Access::Write)?;
            connection.pragma_update(None, "secure_delete", true)?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if row::by_id(&transaction, statement)?.is_none() {
                return Err(StoreError::NotFound { what: "statement", id: statement.to_string() });
            }
            let trigger: String = transaction.query_row(
                "SELECT sql FROM sqlite_schema WHERE name = 'statements_do_not_change'",
                [],
                |r| r.get(0),
            )?;
            transaction.execute_batch("DROP TRIGGER statements_do_not_change")?;
            transaction.execute("UPDATE statements SET payload = '' WHERE id = ?", [statement.as_bytes()])?;
            transaction.execute_batch(&trigger)?;
            transaction.commit()?;
            sqlite::checkpoint(&connection)?;
            crate::index::drop_all(self)
        })
    }
}
