//! How a job in the worker can end badly: always one of these, never a panic in the app.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a job gave no result. The file is at fault in all but [`Failure::Cancelled`] and [`Failure::Unavailable`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(tag = "failure", rename_all = "snake_case")]
pub enum Failure {
    /// The worker answered nothing for longer than its limit and was ended.
    #[error("no result within {after_ms} ms")]
    Timeout {
        /// The limit that was passed.
        after_ms: u64,
    },
    /// The worker asked for more memory than it may have.
    #[error("needs more than {limit_bytes} bytes of memory")]
    OutOfMemory {
        /// The limit that was passed.
        limit_bytes: u64,
    },
    /// The worker died: a panic, a stack overflow, a signal.
    #[error("the parser crashed ({}): {said}", ending(*.signal, *.code))]
    Crashed {
        /// The signal that ended it, on Unix.
        signal: Option<i32>,
        /// Its exit status, if it ended by itself.
        code: Option<i32>,
        /// The end of what it said on stderr.
        said: String,
    },
    /// The worker was ended because it tried what no parser does: to reach the network, to start a program.
    #[error("the parser tried what no file needs and was ended (a connection, another program)")]
    Forbidden,
    /// The worker sent more than it may.
    #[error("the result is larger than {limit_bytes} bytes")]
    TooMuchOutput {
        /// The limit that was passed.
        limit_bytes: u64,
    },
    /// The handler looked at the file and refused it, with a reason.
    #[error("{why}")]
    Refused {
        /// The handler's reason.
        why: String,
    },
    /// The worker did not keep to the protocol.
    #[error("the worker broke the protocol: {why}")]
    Protocol {
        /// What was wrong.
        why: String,
    },
    /// The caller no longer wanted the result.
    #[error("cancelled")]
    Cancelled,
    /// The worker could not be started at all.
    #[error("the worker could not be started: {why}")]
    Unavailable {
        /// What the system said.
        why: String,
    },
}

fn ending(signal: Option<i32>, code: Option<i32>) -> String {
    match (signal, code) {
        (Some(signal), _) => format!("signal {signal}"),
        (None, Some(code)) => format!("exit status {code}"),
        (None, None) => "no exit status".to_owned(),
    }
}
