//! The one way to open a database file: engine version asserted, WAL, `synchronous=FULL`, foreign keys, untrusted
//! schema, defensive mode, busy timeout, an allow-list authorizer, and migrations that happen wholly or not at all.
//!
//! Why own migrations: they are a loop over numbered SQL, and the crates for it do not resolve with this `rusqlite`.

use crate::{Result, StoreError, lock};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, OpenFlags, TransactionBehavior, config::DbConfig};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Below this, SQLite can lose committed writes in WAL mode.
const OLDEST_ENGINE: i32 = 3_051_003;
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// The shape of one kind of file: a mark in its header, and numbered SQL that brings it up to date.
pub(crate) struct Schema {
    /// What the file is, for messages.
    pub name: &'static str,
    /// `PRAGMA application_id`: a file of another kind is refused.
    pub application_id: i32,
    /// `migrations[n]` leads from version n to n + 1. Only ever appended to.
    pub migrations: &'static [&'static str],
    /// Can it be rebuilt, so that it needs neither backup nor durability?
    pub disposable: bool,
}
impl Schema {
    fn version(&self) -> u32 {
        u32::try_from(self.migrations.len()).unwrap_or(u32::MAX)
    }
}

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reading a file that must exist, in this version.
    Read,
    /// Reading and writing; the file is made when missing and migrated when old.
    Write,
}

/// Tables that an authorized connection may touch; everything else is denied.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    /// Readable tables.
    pub read: &'static [&'static str],
    /// Tables that may be written; they are readable as well.
    pub write: &'static [&'static str],
}

/// Opens `path`. Every connection of the store is made here.
pub(crate) fn open(path: &Path, schema: &Schema, access: Access) -> Result<Connection> {
    if rusqlite::version_number() < OLDEST_ENGINE {
        return Err(StoreError::EngineTooOld { found: rusqlite::version().to_owned() });
    }
    let flags = match access {
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    };
    if access == Access::Read && !path.is_file() {
        return Err(StoreError::MissingFile(path.to_owned()));
    }
    // No URI flag: a file name is never read as an address.
    let mut connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(StoreError::sqlite(path))?;
    set_up(&connection, schema, access).map_err(StoreError::sqlite(path))?;
    bring_up_to_date(&mut connection, path, schema, access)?;
    Ok(connection)
}

/// Opens a file for reading as it is, also one of an earlier version: for copying it.
pub(crate) fn open_as_it_is(path: &Path, schema: &Schema) -> Result<Connection> {
    match open(path, schema, Access::Read) {
        Err(StoreError::OlderFile { .. }) => {
            let connection = Connection::open_with_flags(
                path,
                OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )
            .map_err(StoreError::sqlite(path))?;
            set_up(&connection, schema, Access::Read).map_err(StoreError::sqlite(path))?;
            Ok(connection)
        }
        opened => opened,
    }
}

/// A copy in memory of an open file of an earlier version, brought up to date there: for looking at it without changing it.
pub(crate) fn in_todays_form(file: &Connection, schema: &Schema) -> Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    rusqlite::backup::Backup::new(file, &mut connection)?.run_to_completion(1_000, Duration::ZERO, None)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    migrate(&mut connection, schema)?;
    Ok(connection)
}

/// A database in memory, of the same shape, for comparing.
pub(crate) fn open_in_memory(schema: &Schema) -> Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    migrate(&mut connection, schema)?;
    Ok(connection)
}

fn set_up(connection: &Connection, schema: &Schema, access: Access) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    // A plan does not depend on bound values. Otherwise SQLite plans statements anew whenever other values are bound to them,
    // which is most of what a row costs.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.set_prepared_statement_cache_capacity(64);
    if access == Access::Write {
        connection.pragma_update(None, "synchronous", if schema.disposable { "NORMAL" } else { "FULL" })?;
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if mode != "wal" {
            connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        }
    } else {
        connection.pragma_update(None, "query_only", true)?;
    }
    Ok(())
}

fn user_version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn bring_up_to_date(connection: &mut Connection, path: &Path, schema: &Schema, access: Access) -> Result<()> {
    let found = user_version(connection).map_err(StoreError::sqlite(path))?;
    let known = schema.version();
    if found > 0 {
        let id: i32 = connection
            .pragma_query_value(None, "application_id", |row| row.get(0))
            .map_err(StoreError::sqlite(path))?;
        if id != schema.application_id {
            return Err(StoreError::Damaged {
                file: path.to_owned(),
                what: format!("this is no {} of an Assize study", schema.name),
            });
        }
    }
    match (found, access) {
        _ if found == known => Ok(()),
        _ if found > known => Err(StoreError::NewerFile { file: path.to_owned(), found, known }),
        (0, Access::Read) => Err(StoreError::MissingFile(path.to_owned())),
        (_, Access::Read) => Err(StoreError::OlderFile { file: path.to_owned(), found, known }),
        (0, Access::Write) => migrate(connection, schema).map_err(|e| with_file(e, path)),
        (_, Access::Write) if schema.disposable => {
            migrate(connection, schema).map_err(|e| with_file(e, path))
        }
        (_, Access::Write) => {
            // Files lie one level below the study's folder, which is what the lock is for.
            let root = path.parent().and_then(Path::parent).unwrap_or(path);
            lock::with(root, || {
                let copy = beside(path, &format!(".before-{known}"));
                copy_to(connection, &copy)?;
                migrate(connection, schema).map_err(|e| with_file(e, path))
            })
        }
    }
}

/// All missing migrations in one transaction.
fn migrate(connection: &mut Connection, schema: &Schema) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Asked again inside: another process may have been quicker.
    let found = user_version(&transaction)?;
    for sql in schema.migrations.iter().skip(found as usize) {
        transaction.execute_batch(sql)?;
    }
    transaction.pragma_update(None, "application_id", schema.application_id)?;
    if found < schema.version() {
        transaction.pragma_update(None, "user_version", schema.version())?;
    }
    transaction.commit()?;
    Ok(())
}

fn with_file(error: StoreError, path: &Path) -> StoreError {
    match error {
        StoreError::Engine(source) => StoreError::Sqlite { file: path.to_owned(), source },
        other => other,
    }
}

/// `path` with `suffix` after its name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}

/// A consistent copy of an open database, by SQLite's own backup; fsynced.
pub(crate) fn copy_to(connection: &Connection, target: &Path) -> Result<()> {
    if target.exists() {
        std::fs::remove_file(target).map_err(StoreError::io(target))?;
    }
    connection.backup("main", target, None::<fn(_)>).map_err(StoreError::sqlite(target))?;
    std::fs::File::open(target).and_then(|f| f.sync_all()).map_err(StoreError::io(target))
}

/// From here on the connection may only do what `allowed` lists.
pub(crate) fn authorize(connection: &mut Connection, allowed: Allowed) -> Result<()> {
    let hook = move |context: AuthContext<'_>| decide(&context, allowed);
    connection.authorizer(Some(hook)).map_err(StoreError::from)
}

fn decide(context: &AuthContext<'_>, allowed: Allowed) -> Authorization {
    let writes = |table: &str| allowed.write.contains(&table);
    let reads = |table: &str| allowed.read.contains(&table) || writes(table);
    let ok = match context.action {
        AuthAction::Select
        | AuthAction::Transaction { .. }
        | AuthAction::Savepoint { .. }
        | AuthAction::Recursive
        // Asking what changed, and the checkpoint on closing.
        | AuthAction::Pragma { pragma_name: "data_version", pragma_value: None }
        | AuthAction::Pragma { pragma_name: "wal_checkpoint", .. } => true,
        AuthAction::Function { function_name } => function_name != "load_extension",
        AuthAction::Read { table_name, .. } => reads(table_name),
        AuthAction::Insert { table_name }
        | AuthAction::Delete { table_name }
        | AuthAction::Update { table_name, .. } => writes(table_name),
        _ => false,
    };
    if ok { Authorization::Allow } else { Authorization::Deny }
}

/// A number that differs when another connection has committed since.
pub(crate) fn data_version(connection: &Connection) -> Result<i64> {
    Ok(connection.pragma_query_value(None, "data_version", |row| row.get(0))?)
}

/// Empties the write-ahead log into the file, so that a closed folder can be copied. A reader elsewhere may hold
/// some of it back; then the next one to close does it.
pub(crate) fn checkpoint(connection: &Connection) -> Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(StoreError::from)
}
