//! Everything a user can do, in one place: the command table ([`for_each_command`]), its request and reply types
//! ([`wire`]), its error codes ([`Code`]). The window, the loopback host and the command line call the same
//! functions; none of them holds a rule. Wire shapes stop here, domain types go down.
#![deny(missing_docs)]

mod app;
mod error;
pub mod files;
mod handlers;
mod table;
pub mod wire;

pub use app::{App, Settings};
pub use error::{Code, Failure};
pub use table::{AUTHOR, Allowed, COMMANDS, Command, EVERY_ROLE, JUDGE, LEAD, SIGHTED, Shape, call, dispatch};
