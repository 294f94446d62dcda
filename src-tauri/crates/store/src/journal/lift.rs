//! Payloads as this version reads them. Bytes are never rewritten: an old schema version is lifted here, when read.

use crate::{Result, StoreError};
use domain::{Statement, StatementKind};
use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// The newest schema version of every payload that this code writes.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// The statement's payload, in its newest form. Fails when it was blanked, or is of a version not known here.
pub fn payload<T: DeserializeOwned>(statement: &Statement) -> Result<T> {
    if statement.payload.is_empty() {
        return Err(StoreError::Refused(format!(
            "the content of statement {} was removed on request",
            statement.id
        )));
    }
    let text = lift(&statement.kind, statement.schema_version, &statement.payload)?;
    serde_json::from_str(&text).map_err(StoreError::json(&format!("statement {}", statement.id)))
}

/// From `version` to [`SCHEMA_VERSION`], step by step. There is one version so far, so there are no steps.
fn lift<'a>(kind: &StatementKind, version: u32, payload: &'a str) -> Result<Cow<'a, str>> {
    if version == SCHEMA_VERSION {
        Ok(Cow::Borrowed(payload))
    } else {
        Err(StoreError::Refused(format!(
            "a {} statement has payload version {version}, this version of Assize reads {SCHEMA_VERSION}",
            kind.name()
        )))
    }
}
