//! The small tables of `content/audit.sqlite`: the study secret, people, what was imported.

use super::{encode, keys::Secret};
use crate::Result;
use domain::{BlobHash, Count, ImportId, PersonName, Role};
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

/// The study's secret.
pub(crate) fn secret(audit: &Connection) -> Result<Secret> {
    Ok(Secret::new(audit.query_row("SELECT secret FROM meta", [], |row| row.get(0))?))
}

/// A person of the study, as the lead entered them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Name inside the study.
    pub name: PersonName,
    /// How the person is addressed on screen.
    pub display: String,
    /// What they do here.
    pub roles: Vec<Role>,
}

/// Everyone, by name.
pub(crate) fn people(audit: &Connection) -> Result<Vec<Person>> {
    let mut query = audit.prepare_cached("SELECT name, display, roles FROM people ORDER BY name")?;
    let mut rows = query.query([])?;
    let mut people = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        people.push(Person {
            name: name.parse().map_err(|e: String| encode::damaged("person", e))?,
            display: row.get(1)?,
            roles: encode::read_json("roles", &row.get::<_, String>(2)?)?,
        });
    }
    Ok(people)
}

/// Enters a person, or changes how they are addressed and what they do.
pub(crate) fn put_person(audit: &Connection, person: &Person) -> Result<()> {
    audit
        .prepare_cached(
            "INSERT INTO people (name, display, roles) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET display = excluded.display, roles = excluded.roles",
        )?
        .execute(params![person.name.as_str(), person.display, encode::json(&person.roles)?])?;
    Ok(())
}

/// One file that was imported, or whose import was begun.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// Its id.
    pub id: ImportId,
    /// SHA-256 of the file.
    pub sha256: BlobHash,
    /// The format's name.
    pub format: String,
    /// What the file belongs to, as [`super::ImportSource::scope`].
    pub scope: String,
    /// Where it lay.
    pub path: String,
    /// The importer's report, as far as it came.
    pub report: serde_json::Value,
    /// When it was begun, RFC 3339.
    pub begun_at: String,
    /// When it was finished; none while nothing of it shows.
    pub completed_at: Option<String>,
    /// Bytes read so far.
    pub offset: Count,
}

/// All imports, in the order they were begun.
pub(crate) fn imports(audit: &Connection) -> Result<Vec<Imported>> {
    let mut query = audit.prepare_cached(
        "SELECT id, sha256, format, scope, path, report, begun_at, completed_at, offset FROM imports ORDER BY n",
    )?;
    let mut rows = query.query([])?;
    let mut imports = Vec::new();
    while let Some(row) = rows.next()? {
        imports.push(Imported {
            id: ImportId::from_bytes(row.get(0)?),
            sha256: BlobHash::from_bytes(row.get(1)?),
            format: row.get(2)?,
            scope: row.get(3)?,
            path: row.get(4)?,
            report: encode::read_json("import report", &row.get::<_, String>(5)?)?,
            begun_at: row.get(6)?,
            completed_at: row.get(7)?,
            offset: Count::from(row.get::<_, i64>(8)?),
        });
    }
    Ok(imports)
}

/// A hash of which imports are complete: while it is the same, nothing that imports bring has changed.
pub(crate) fn imports_hash(audit: &Connection) -> Result<[u8; 32]> {
    let mut query = audit.prepare_cached("SELECT id, completed_at IS NOT NULL FROM imports ORDER BY n")?;
    let mut rows = query.query([])?;
    let mut hash = Sha256::new();
    while let Some(row) = rows.next()? {
        hash.update(row.get::<_, [u8; 16]>(0)?);
        hash.update([u8::from(row.get::<_, bool>(1)?)]);
    }
    Ok(hash.finalize().into())
}
