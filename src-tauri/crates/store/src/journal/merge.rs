//! Rows that were made elsewhere: copied after the last known one, exactly once, in any order of arrival.

use super::{Journal, SignedRow, row, verify};
use crate::{Result, StoreError};
use rusqlite::TransactionBehavior;

/// What merging did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Rows that are new here.
    pub added: u64,
    /// Rows that were here already.
    pub known: u64,
}

impl Journal {
    /// Copies `rows` (of this journal, in order of `seq`) that are not here yet. All or nothing: a row that does not
    /// continue the chain, or differs from the one already here, refuses them all with the reason; rows that
    /// begin too late answer [`StoreError::Gap`], for the caller to hold them and ask for what is missing.
    pub fn merge(&mut self, rows: &[SignedRow]) -> Result<Merged> {
        let mut merged = Merged::default();
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (mut have, mut hash) =
            row::last(&transaction)?.map_or((0, self.genesis), |last| (last.statement.seq, last.sha256()));
        for row in rows {
            let seq = row.statement.seq;
            let broken = |reason: &str| StoreError::ChainBroken {
                journal: self.name.to_string(),
                seq,
                reason: reason.to_owned(),
            };
            if seq <= have {
                let here = row::at(&transaction, seq)?.ok_or_else(|| broken("there is no row 0"))?;
                // The hash covers everything but a payload, which one side may have blanked.
                if here.sha256() != row.sha256() {
                    return Err(broken("another row with this number is here already"));
                }
                merged.known += 1;
                continue;
            }
            if seq > have + 1 {
                return Err(StoreError::Gap { journal: self.name.to_string(), have, next: seq });
            }
            if let Some(fault) = verify::fault(row, &self.name, &self.public_key, have, &hash) {
                return Err(broken(&fault));
            }
            row::insert(&transaction, row)?;
            (have, hash) = (seq, row.sha256());
            merged.added += 1;
        }
        transaction.commit()?;
        Ok(merged)
    }
}
