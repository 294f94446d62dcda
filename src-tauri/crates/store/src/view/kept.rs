//! Numbers that one sighted session keeps beside its index: disposable, in a file that no other session opens. What they are is the
//! caller's business; the store says what they were computed from.

use super::AuditorView;
use crate::{Result, StoreError, content::audit};
use sha2::{Digest, Sha256};

impl AuditorView {
    /// A hash of everything that numbers can be computed from: which imports are complete, and where each journal ends. Numbers
    /// that were computed under the same hash need not be computed again.
    pub fn state(&mut self) -> Result<[u8; 32]> {
        let mut hash = Sha256::new();
        hash.update(audit::imports_hash(&self.content.audit)?);
        for (journal, last, end) in self.journal_ends()? {
            hash.update(journal.as_bytes());
            hash.update(last.to_le_bytes());
            hash.update(end);
        }
        Ok(hash.finalize().into())
    }

    /// What was kept last; none when nothing was, or when it cannot be read.
    pub fn kept(&self) -> Option<Vec<u8>> {
        std::fs::read(&self.kept).ok()
    }

    /// Keeps it in place of what was kept before.
    pub fn keep(&self, bytes: &[u8]) -> Result<()> {
        let part = self.kept.with_extension("numbers-part");
        std::fs::write(&part, bytes).map_err(StoreError::io(&part))?;
        std::fs::rename(&part, &self.kept).map_err(StoreError::io(&self.kept))
    }
}
