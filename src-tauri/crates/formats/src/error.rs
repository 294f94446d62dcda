//! Why a file as a whole cannot be read or written. A bad row is no error but an event.

use std::io;

/// A file that cannot be read at all: nothing of it counts.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The operating system refused.
    #[error("cannot read the file: {0}")]
    Io(#[from] io::Error),
    /// The file is no whole instance of its format.
    #[error("{what} cannot be read: {why}")]
    Broken {
        /// What the file should be.
        what: &'static str,
        /// What is wrong and, where something can be done, what to do.
        why: String,
    },
    /// A format that is known and not taken.
    #[error("{0}")]
    Refused(String),
    /// The file has another form than was asked for.
    #[error("the file is not {wanted}: {why}")]
    Unlike {
        /// What was asked for.
        wanted: &'static str,
        /// What is missing.
        why: String,
    },
}
