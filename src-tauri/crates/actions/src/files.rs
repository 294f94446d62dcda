//! Shapes that only the command line writes (`--json`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `assize check --json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckReport {
    /// What is wrong; empty when all is well.
    pub problems: Vec<CheckProblem>,
    /// Statements whose chain, hash and signature were verified.
    pub statements: domain::Count,
    /// Blobs whose bytes were hashed.
    pub blobs: domain::Count,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckProblem {
    /// `damage` or `warning`.
    pub severity: String,
    /// The file.
    pub file: String,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub advice: String,
}
