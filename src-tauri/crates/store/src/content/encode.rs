//! How domain values are written into columns: short, readable in any SQLite shell, one way each.

use crate::{Result, StoreError};
use domain::{AssetState, BlobHash, Modality, ModalityList, PromptId, ResponseId};
use rusqlite::Row;

/// A value in a content file that we did not write like that.
pub fn damaged(what: &'static str, why: impl std::fmt::Display) -> StoreError {
    StoreError::Damaged { file: "content".into(), what: format!("{what}: {why}") }
}

/// A modality list as names with commas, in order: `Text,Video`.
pub fn modalities(list: &ModalityList) -> String {
    names(list.iter())
}

/// Names with commas.
pub fn names(list: impl Iterator<Item = Modality>) -> String {
    let mut text = String::new();
    for modality in list {
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(modality.name());
    }
    text
}

/// Reads what [`modalities`] wrote.
pub fn read_modalities(text: &str) -> Result<ModalityList> {
    text.split(',').filter(|name| !name.is_empty()).map(read_modality).collect()
}

/// Reads one modality's name.
pub fn read_modality(name: &str) -> Result<Modality> {
    name.parse().map_err(|e: domain::ModalityError| damaged("modality", e.to_string()))
}

/// The name of a state.
pub const fn state(state: AssetState) -> &'static str {
    match state {
        AssetState::Ok => "ok",
        AssetState::Mismatch => "mismatch",
        AssetState::Missing => "missing",
        AssetState::ReferenceOnly => "reference_only",
        AssetState::Skipped => "skipped",
        AssetState::Failed => "failed",
    }
}

/// Reads what [`state`] wrote.
pub fn read_state(name: &str) -> Result<AssetState> {
    [
        AssetState::Ok,
        AssetState::Mismatch,
        AssetState::Missing,
        AssetState::ReferenceOnly,
        AssetState::Skipped,
        AssetState::Failed,
    ]
    .into_iter()
    .find(|s| state(*s) == name)
    .ok_or_else(|| damaged("asset state", format!("{name:?} is no state")))
}

/// A count as SQLite's signed 64 bits; larger ones do not occur in files that exist, and saturate.
pub fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A count read back; never negative by the tables' checks.
pub fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
}

/// A version or position read back.
pub fn small(row: &Row<'_>, column: usize) -> rusqlite::Result<u32> {
    Ok(u32::try_from(row.get::<_, i64>(column)?).unwrap_or(u32::MAX))
}

/// A prompt id read back.
pub fn prompt_id(row: &Row<'_>, column: usize) -> rusqlite::Result<PromptId> {
    row.get::<_, [u8; 16]>(column).map(PromptId::from_bytes)
}

/// A response id read back.
pub fn response_id(row: &Row<'_>, column: usize) -> rusqlite::Result<ResponseId> {
    row.get::<_, [u8; 16]>(column).map(ResponseId::from_bytes)
}

/// A blob's hash read back.
pub fn blob(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<BlobHash>> {
    Ok(row.get::<_, Option<[u8; 32]>>(column)?.map(BlobHash::from_bytes))
}

/// JSON text of a value that is ours.
pub fn json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|e| damaged("value to store", e.to_string()))
}

/// A value read from JSON text that we wrote.
pub fn read_json<T: serde::de::DeserializeOwned>(what: &'static str, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|e| damaged(what, e.to_string()))
}
