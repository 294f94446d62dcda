//! One typed view per role. A view opens only the files that its role may open.

mod auditor;
mod author;
mod judge;
mod lead;
