//! Does a journal still say what was written and signed?

use super::{Journal, SignedRow};
use crate::device::device_id;
use crate::folder::JournalName;
use crate::{Result, StoreError};
use domain::StatementKind;
use ed25519_dalek::{Signature, VerifyingKey};

/// A row that is not as it was signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The row cannot be trusted.
    Broken {
        /// Its number.
        seq: u64,
        /// What is wrong.
        reason: String,
    },
    /// The payload was taken out; all else verifies.
    Blanked {
        /// Its number.
        seq: u64,
    },
}

/// Is this the key of the device in the journal's name?
pub(super) fn key_fits(public_key: &[u8; 32], name: &JournalName) -> Result<VerifyingKey> {
    let key = VerifyingKey::from_bytes(public_key)
        .map_err(|_| StoreError::Refused(format!("{name}: its public key is none")))?;
    if device_id(&key) == name.device {
        Ok(key)
    } else {
        Err(StoreError::Refused(format!("{name}: its public key is not that of the device in its name")))
    }
}

/// Refuses a row that its device did not sign, or that names another journal. What came before it is not known here.
pub(crate) fn verify_alone(row: &SignedRow, name: &JournalName, public_key: &[u8; 32]) -> Result<()> {
    let before = row.statement.seq.saturating_sub(1);
    match fault(row, name, public_key, before, &row.prev_sha256) {
        None => Ok(()),
        Some(why) => Err(StoreError::Refused(format!("{name}, row {}: {why}", row.statement.seq))),
    }
}

/// Why `row` cannot follow row `have` with hash `hash`; none when it can. A blank payload is no fault.
pub(super) fn fault(
    row: &SignedRow,
    name: &JournalName,
    public_key: &[u8; 32],
    have: u64,
    hash: &[u8; 32],
) -> Option<String> {
    let s = &row.statement;
    let fault = if s.seq != have + 1 {
        "a row before it is missing"
    } else if row.prev_sha256 != *hash {
        "it does not continue the row before: that one or this one was altered"
    } else if s.person != name.person || s.device != name.device {
        "it names another person or device than its journal"
    } else if super::parents_of(&row.parents).ok().as_ref() != Some(&s.parents) {
        "its parents are not those that were signed"
    } else if s.kind == StatementKind::Retraction && s.parents.len() != 1 {
        "a retraction takes back exactly one statement"
    } else if !s.payload.is_empty() && !row.payload_is_whole() {
        "its payload was altered"
    } else {
        let key = match key_fits(public_key, name) {
            Ok(key) => key,
            Err(e) => return Some(e.to_string()),
        };
        match key.verify_strict(&row.sha256(), &Signature::from_bytes(&row.signature)) {
            Ok(()) => return None,
            Err(_) => "its signature does not fit: it was altered or made by another device",
        }
    };
    Some(fault.to_owned())
}

impl Journal {
    /// Is its public key that of the device in its name?
    pub(crate) fn check_key(&self) -> Result<()> {
        key_fits(&self.public_key, &self.name).map(|_| ())
    }
    /// Reads every row and tells each that is not as it was signed.
    pub(crate) fn verify(&self) -> Result<Vec<Fault>> {
        let mut faults = Vec::new();
        let (mut have, mut hash) = (0, self.genesis);
        loop {
            let rows = self.rows_after(have, 1000)?;
            if rows.is_empty() {
                return Ok(faults);
            }
            for row in &rows {
                let seq = row.statement.seq;
                if let Some(reason) = fault(row, &self.name, &self.public_key, have, &hash) {
                    faults.push(Fault::Broken { seq, reason });
                } else if row.statement.payload.is_empty() {
                    faults.push(Fault::Blanked { seq });
                }
                (have, hash) = (seq, row.sha256());
            }
        }
    }
}
