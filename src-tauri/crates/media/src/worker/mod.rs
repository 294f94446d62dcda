//! The worker: every untrusted byte is parsed in a child process, so that a hostile file can end a child and never
//! the app.
//!
//! The child is the command-line binary run as `assize worker` (no WebKit in it), which calls [`serve`] with a
//! [`Registry`] of named handlers. The set is open: `media` brings its own ([`crate::registry`]) and `actions` adds
//! the parsing of imports, so this room needs to know none of the formats. The parent calls through a [`Pool`].
//!
//! Choices: a process instead of a thread, because a stack overflow or a failed allocation cannot be caught; limits
//! and a sandbox that the child puts on itself before it reads the first request; the input as a file that the parent
//! opened, so that the child may open none; plain blocking calls with threads, because every caller waits for one answer anyway; frames instead of lines, because pictures and
//! sound are not text. The wall clock counts only while the parent waits for the child, so a slow reader of a stream
//! is not taken for a slow worker.

mod channel;
mod failure;
mod frame;
mod limits;
mod pool;
mod process;
mod sandbox;
mod serve;

pub use failure::Failure;
pub use frame::Frame;
pub(crate) use frame::read_all as read_all_frames;
pub use limits::Limits;
pub use pool::{Pool, Program};
pub use process::{Cancel, Job, Worker};
pub use sandbox::{Held, Sandbox};
pub(crate) use serve::without_panic;
pub use serve::{FrameSink, Input, Json, ReadSeek, Registry, ServeError, serve, serve_if_asked};
