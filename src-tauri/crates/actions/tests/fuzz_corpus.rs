//! Replays what fuzzing found, and the seeds it began with: inputs that once broke a parser never do again.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it finds nothing")]

#[path = "../fuzz/targets.rs"]
mod targets;

use std::{collections::BTreeSet, path::PathBuf};

#[test]
fn no_input_that_was_found_breaks_its_parser_again() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let names: BTreeSet<&str> = targets::TARGETS.iter().map(|(name, _)| *name).collect();
    // Meta-rubrics are replayed by `rubric`'s own tests.
    for folder in std::fs::read_dir(root.join("tests/fixtures/fuzz")).unwrap().flatten() {
        let name = folder.file_name().into_string().unwrap();
        assert!(name == "meta-rubric" || names.contains(name.as_str()), "{name} belongs to a target");
    }
    for (name, run) in targets::TARGETS {
        let mut replayed = 0;
        for input in std::fs::read_dir(root.join("tests/fixtures/fuzz").join(name)).unwrap().flatten() {
            println!("{}", input.path().display());
            run(&std::fs::read(input.path()).unwrap());
            replayed += 1;
        }
        assert!(replayed > 1, "{name} has something to replay");
    }
}
