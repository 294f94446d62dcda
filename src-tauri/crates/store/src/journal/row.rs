//! One row of a journal: how it is read, written and hashed.

use crate::folder::JournalName;
use crate::{Result, StoreError};
use domain::{BlobHash, Statement, StatementId, StatementKind};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const COLUMNS: &str = "seq, id, kind, schema_version, subject, person, device, made_at, parents, payload, \
                       payload_sha256, prev_sha256, signature";

/// A statement with what proves it: as it lies in a journal and as it travels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SignedRow {
    /// The statement.
    pub statement: Statement,
    /// Its parents as the text that was hashed.
    pub parents: String,
    /// The hash of the row before.
    #[serde(with = "hex")]
    pub prev_sha256: [u8; 32],
    /// The device's Ed25519 signature of this row's hash.
    #[serde(with = "hex")]
    pub signature: [u8; 64],
}

impl SignedRow {
    /// The row's hash: SHA-256 over a tag and every field but `payload` (which stands there by its hash) and
    /// `signature`. Numbers are 8 bytes, little-endian; texts and bytes follow their length, so that no two
    /// different rows give the same bytes.
    pub fn sha256(&self) -> [u8; 32] {
        let s = &self.statement;
        let mut hash = Sha256::new();
        hash.update(b"assize statement 1\n");
        hash.update(s.seq.to_le_bytes());
        hash.update(s.id.as_bytes());
        field(&mut hash, s.kind.name().as_bytes());
        hash.update(u64::from(s.schema_version).to_le_bytes());
        field(&mut hash, s.subject.as_bytes());
        field(&mut hash, s.person.as_str().as_bytes());
        field(&mut hash, s.device.as_bytes());
        field(&mut hash, s.made_at.as_bytes());
        field(&mut hash, self.parents.as_bytes());
        hash.update(s.payload_sha256.as_bytes());
        hash.update(self.prev_sha256);
        hash.finalize().into()
    }
    /// Does the payload have its hash? A blank payload was taken out on request, and proves nothing.
    pub fn payload_is_whole(&self) -> bool {
        let hash: [u8; 32] = Sha256::digest(self.statement.payload.as_bytes()).into();
        hash == *self.statement.payload_sha256.as_bytes()
    }
}

fn field(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// What row 1 continues: the journal itself, so that no row can move to another journal, person or study.
pub(super) fn genesis(study: &[u8; 16], name: &JournalName, public_key: &[u8; 32]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"assize journal 1\n");
    hash.update(study);
    field(&mut hash, name.person.as_str().as_bytes());
    field(&mut hash, name.device.as_bytes());
    field(&mut hash, name.kind.name().as_bytes());
    hash.update(public_key);
    hash.finalize().into()
}

/// Parents as they are written and hashed.
pub(super) fn parents_text(parents: &[StatementId]) -> Result<String> {
    serde_json::to_string(parents).map_err(StoreError::json("parents"))
}
/// Parents as they were written.
pub(crate) fn parents_of(text: &str) -> Result<Vec<StatementId>> {
    serde_json::from_str(text).map_err(StoreError::json("parents of a statement"))
}

fn read(row: &Row<'_>) -> rusqlite::Result<SignedRow> {
    let wrong = |column, e: Box<dyn std::error::Error + Send + Sync>| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, e)
    };
    let parents: String = row.get(8)?;
    let statement = Statement {
        seq: row.get::<_, i64>(0)?.unsigned_abs(),
        id: StatementId::from_bytes(row.get(1)?),
        kind: StatementKind::from(row.get_ref(2)?.as_str()?),
        schema_version: row.get(3)?,
        subject: row.get(4)?,
        person: row.get_ref(5)?.as_str()?.parse().map_err(|e: String| wrong(5, e.into()))?,
        device: row.get(6)?,
        made_at: row.get(7)?,
        parents: parents_of(&parents).map_err(|e| wrong(8, e.into()))?,
        payload: row.get(9)?,
        payload_sha256: BlobHash::from_bytes(row.get(10)?),
    };
    Ok(SignedRow { statement, parents, prev_sha256: row.get(11)?, signature: row.get(12)? })
}

/// SQLite's row numbers are signed; no journal comes near the end of either.
fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

pub(super) fn insert(connection: &Connection, row: &SignedRow) -> rusqlite::Result<()> {
    let s = &row.statement;
    connection
        .prepare_cached(&format!("INSERT INTO statements ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"))?
        .execute(params![
            number(s.seq),
            s.id.as_bytes(),
            s.kind.name(),
            s.schema_version,
            s.subject,
            s.person.as_str(),
            s.device,
            s.made_at,
            row.parents,
            s.payload,
            s.payload_sha256.as_bytes(),
            row.prev_sha256,
            row.signature,
        ])?;
    Ok(())
}

pub(super) fn last(connection: &Connection) -> Result<Option<SignedRow>> {
    let sql = format!("SELECT {COLUMNS} FROM statements ORDER BY seq DESC LIMIT 1");
    Ok(connection.prepare_cached(&sql)?.query_row([], read).optional()?)
}

pub(super) fn at(connection: &Connection, seq: u64) -> Result<Option<SignedRow>> {
    let sql = format!("SELECT {COLUMNS} FROM statements WHERE seq = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([number(seq)], read).optional()?)
}

pub(super) fn after(connection: &Connection, seq: u64, limit: u32) -> Result<Vec<SignedRow>> {
    let sql = format!("SELECT {COLUMNS} FROM statements WHERE seq > ? ORDER BY seq LIMIT ?");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params![number(seq), limit], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The newest `limit` statements older than (`made_at`, `seq`), newest first.
pub(super) fn before(connection: &Connection, made_at: &str, seq: u64, limit: u32) -> Result<Vec<Statement>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM statements WHERE made_at < ?1 OR (made_at = ?1 AND seq < ?2) ORDER BY seq DESC LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows =
        statement.query_map(params![made_at, number(seq), limit], |row| read(row).map(|r| r.statement))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn about(connection: &Connection, subject: &str) -> Result<Vec<Statement>> {
    let sql = format!("SELECT {COLUMNS} FROM statements WHERE subject = ? ORDER BY seq");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([subject], |row| read(row).map(|r| r.statement))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn by_id(connection: &Connection, id: StatementId) -> Result<Option<Statement>> {
    let sql = format!("SELECT {COLUMNS} FROM statements WHERE id = ?");
    let found = connection.prepare_cached(&sql)?.query_row([id.as_bytes()], read).optional()?;
    Ok(found.map(|row| row.statement))
}
