//! What every test of this crate needs: a pool on the example worker, and the fixtures.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test uses a part of it, and stops where it finds nothing"
)]

use media::worker::{Input, Pool, Program};
use std::path::PathBuf;

/// Cargo builds the examples of a package before its tests, beside them: `target/debug/examples/worker`.
pub fn program() -> Program {
    let test = std::env::current_exe().unwrap();
    let debug = test.ancestors().nth(2).unwrap();
    Program::new(debug.join("examples/worker"), [])
}

pub fn pool() -> Pool {
    Pool::new(program(), 2)
}

pub fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/media").join(name)
}

pub fn input(name: &str) -> Input {
    Input::Path(fixture(name))
}
