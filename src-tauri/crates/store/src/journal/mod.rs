//! Journals: what one person stated on one device, in the order they stated it. Rows are numbered, each hashes the
//! one before, and the device signs each; so a row that was altered, removed or slipped in is found by
//! [`Journal::verify`]. [`Journal::append`] is the one door for a person's statements, [`Journal::merge`] the one
//! for rows that were made elsewhere.
//!
//! The chain goes through `payload_sha256`, so that one payload can be blanked on legal request and the rest still
//! verifies.

mod blank;
mod lift;
mod merge;
mod own;
mod row;
mod verify;

pub use lift::payload;
pub use merge::Merged;
pub(crate) use own::Own;
pub use row::SignedRow;
pub(crate) use row::parents_of;
pub(crate) use verify::{Fault, verify_alone};

use crate::device::{Device, random};
use crate::folder::{Folder, JournalName};
use crate::sqlite::{self, Access, Allowed, Schema};
use crate::{Result, StoreError, clock};
use domain::{BlobHash, JournalKind, PersonName, Statement, StatementId, StatementKind};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

pub(crate) const SCHEMA: Schema = Schema {
    name: "journal",
    application_id: 0x4153_5A01,
    migrations: &[include_str!("../../../../../schemas/sqlite/journal/0001_statements.sql")],
    disposable: false,
};
const READER: Allowed = Allowed { read: &["meta", "statements", "drafts"], write: &[] };
/// Triggers refuse everything but appending to `statements` and `meta`.
const WRITER: Allowed = Allowed { read: &[], write: &["meta", "statements", "drafts"] };

/// A statement that is about to be made.
#[derive(Debug, Clone)]
pub struct NewStatement {
    /// What it says.
    pub kind: StatementKind,
    /// Version of the payload's schema.
    pub schema_version: u32,
    /// What it is about.
    pub subject: String,
    /// What it replaces or retracts: the statements that stood when it was made.
    pub parents: Vec<StatementId>,
    /// JSON text, kept byte for byte.
    pub payload: String,
}

/// An open journal.
pub struct Journal {
    pub(crate) connection: Connection,
    path: PathBuf,
    name: JournalName,
    public_key: [u8; 32],
    /// The hash that row 1 continues.
    genesis: [u8; 32],
}

impl Journal {
    /// Opens the journal of this person on this device for writing, and makes it when there is none.
    pub(crate) fn open(
        folder: &Folder,
        person: &PersonName,
        device: &Device,
        kind: JournalKind,
    ) -> Result<Self> {
        let name = JournalName { person: person.clone(), device: device.id().to_owned(), kind };
        Self::open_to_write(folder, name, device.public_key())
    }

    /// Opens a journal for rows that come from elsewhere; `public_key` is its device's.
    pub fn open_to_merge(folder: &Folder, name: JournalName, public_key: [u8; 32]) -> Result<Self> {
        verify::key_fits(&public_key, &name)?;
        Self::open_to_write(folder, name, public_key)
    }

    fn open_to_write(folder: &Folder, name: JournalName, public_key: [u8; 32]) -> Result<Self> {
        let path = folder.journal_path(&name);
        let mut connection = sqlite::open(&path, &SCHEMA, Access::Write)?;
        sqlite::authorize(&mut connection, WRITER)?;
        connection
            .execute(
                "INSERT INTO meta (one, study, person, device, kind, public_key)
                 SELECT 1, ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM meta)",
                params![
                    folder.study().as_bytes(),
                    name.person.as_str(),
                    name.device,
                    name.kind.name(),
                    public_key
                ],
            )
            .map_err(StoreError::sqlite(&path))?;
        let journal = Self::from_connection(connection, path, name, folder)?;
        if journal.public_key != public_key {
            return Err(StoreError::Damaged {
                file: journal.path,
                what: "this journal belongs to another device's key".to_owned(),
            });
        }
        Ok(journal)
    }

    /// Opens a journal for reading.
    pub(crate) fn open_to_read(folder: &Folder, name: JournalName) -> Result<Self> {
        let path = folder.journal_path(&name);
        let mut connection = sqlite::open(&path, &SCHEMA, Access::Read)?;
        sqlite::authorize(&mut connection, READER)?;
        Self::from_connection(connection, path, name, folder)
    }

    fn from_connection(
        connection: Connection,
        path: PathBuf,
        name: JournalName,
        folder: &Folder,
    ) -> Result<Self> {
        let meta = connection
            .query_row("SELECT study, person, device, kind, public_key FROM meta", [], |r| {
                Ok((
                    r.get::<_, [u8; 16]>(0)?,
                    r.get::<_, String>(1)?,
                    r.get::<_, String>(2)?,
                    r.get::<_, String>(3)?,
                    r.get::<_, [u8; 32]>(4)?,
                ))
            })
            .optional()
            .map_err(StoreError::sqlite(&path))?;
        let Some((study, person, device, kind, public_key)) = meta else {
            return Err(StoreError::MissingFile(path));
        };
        let damaged = |what: &str| StoreError::Damaged { file: path.clone(), what: what.to_owned() };
        if study != *folder.study().as_bytes() {
            return Err(damaged("this journal belongs to another study"));
        }
        if person != name.person.as_str() || device != name.device || kind != name.kind.name() {
            return Err(damaged(
                "this journal was renamed: it was written by another person, device or kind",
            ));
        }
        let genesis = row::genesis(&study, &name, &public_key);
        Ok(Self { connection, path, name, public_key, genesis })
    }

    /// Whose journal it is.
    pub fn name(&self) -> &JournalName {
        &self.name
    }
    /// Its file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
    /// The public key that its rows are signed with.
    pub fn public_key(&self) -> &[u8; 32] {
        &self.public_key
    }

    /// Appends one statement, signed by `device`, in one transaction; it is on disk when this returns. `guard` runs
    /// inside that transaction, before the row is written, and can call it off: what it reads cannot change under it.
    pub(crate) fn append(
        &mut self,
        device: &Device,
        new: &NewStatement,
        guard: impl FnOnce(&Connection) -> Result<()>,
    ) -> Result<Statement> {
        if device.id() != self.name.device {
            return Err(StoreError::Refused(format!("{} is written by another device", self.name)));
        }
        if new.payload.is_empty() {
            return Err(StoreError::Refused("a statement without a payload says nothing".to_owned()));
        }
        let file = self.path.clone();
        let genesis = self.genesis;
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StoreError::sqlite(&file))?;
        guard(&transaction)?;
        let last = row::last(&transaction)?;
        let prev_sha256 = last.as_ref().map_or(genesis, SignedRow::sha256);
        let statement = Statement {
            seq: last.map_or(1, |last| last.statement.seq + 1),
            id: StatementId::from_bytes(random()?),
            kind: new.kind.clone(),
            schema_version: new.schema_version,
            subject: new.subject.clone(),
            person: self.name.person.clone(),
            device: self.name.device.clone(),
            made_at: clock::now(),
            parents: new.parents.clone(),
            payload: new.payload.clone(),
            payload_sha256: BlobHash::from_bytes(Sha256::digest(new.payload.as_bytes()).into()),
        };
        let parents = row::parents_text(&statement.parents)?;
        let mut signed = SignedRow { statement, parents, prev_sha256, signature: [0; 64] };
        signed.signature = device.sign(&signed.sha256());
        row::insert(&transaction, &signed).map_err(StoreError::sqlite(&file))?;
        transaction.commit().map_err(StoreError::sqlite(&file))?;
        Ok(signed.statement)
    }

    /// The last row's number (0 when there is none) and the hash that the next row continues.
    pub(crate) fn tail(&self) -> Result<(u64, [u8; 32])> {
        Ok(row::last(&self.connection)?.map_or((0, self.genesis), |last| (last.statement.seq, last.sha256())))
    }
    /// The hash that the row after `seq` must continue; none when there is no row `seq`.
    pub(crate) fn hash_at(&self, seq: u64) -> Result<Option<[u8; 32]>> {
        if seq == 0 {
            return Ok(Some(self.genesis));
        }
        Ok(row::at(&self.connection, seq)?.map(|row| row.sha256()))
    }
    /// Row number `seq`.
    pub(crate) fn at(&self, seq: u64) -> Result<Option<Statement>> {
        Ok(row::at(&self.connection, seq)?.map(|row| row.statement))
    }
    /// Up to `limit` rows after row `seq`, with what proves them.
    pub fn rows_after(&self, seq: u64, limit: u32) -> Result<Vec<SignedRow>> {
        row::after(&self.connection, seq, limit)
    }
    /// The newest `limit` statements older than (`made_at`, `seq`), newest first.
    pub(crate) fn rows_before(&self, made_at: &str, seq: u64, limit: u32) -> Result<Vec<Statement>> {
        row::before(&self.connection, made_at, seq, limit)
    }
    /// Every statement about `subject`, in order.
    pub fn about(&self, subject: &str) -> Result<Vec<Statement>> {
        row::about(&self.connection, subject)
    }
    /// The statement with this id.
    pub fn find(&self, id: StatementId) -> Result<Option<Statement>> {
        row::by_id(&self.connection, id)
    }
    /// A number that differs when another program has written since.
    pub(crate) fn data_version(&self) -> Result<i64> {
        sqlite::data_version(&self.connection)
    }
}
impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Journal").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
