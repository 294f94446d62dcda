//! The worker against jobs that misbehave: each ends in its typed failure, and the pool goes on.
#![allow(clippy::unwrap_used, reason = "a test may stop where it finds nothing")]

mod support;

use media::worker::{Cancel, Failure, Input, Job, Limits};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use support::pool;

fn fails(name: &str, limits: Limits) -> Failure {
    pool().call::<Value>(&Job::new(name, Value::Null, Input::Nothing).within(limits)).unwrap_err()
}

#[test]
fn each_way_to_misbehave_has_its_failure() {
    let limits = Limits { memory_bytes: 512 << 20, wall_ms: 10_000, reply_bytes: 1 << 20, ..Limits::LOOK };
    let failure = fails("panic", limits.clone());
    assert!(
        matches!(&failure, Failure::Crashed { code: Some(101), said, .. } if said.contains("as asked")),
        "a panic ends the child with its message: {failure:?}"
    );
    let failure = fails("abort", limits.clone());
    assert!(matches!(failure, Failure::Crashed { signal: Some(6), .. }), "abort raises SIGABRT: {failure:?}");
    let failure = fails("eat", limits.clone());
    assert_eq!(failure, Failure::OutOfMemory { limit_bytes: 512 << 20 }, "8 GiB do not fit in 512 MiB");
    let failure = fails("flood", limits.clone());
    assert_eq!(failure, Failure::TooMuchOutput { limit_bytes: 1 << 20 }, "it sends without end");
    let failure = fails("sleep", Limits { wall_ms: 300, ..limits.clone() });
    assert_eq!(failure, Failure::Timeout { after_ms: 300 }, "it never answers");
    let failure = fails("nobody", limits);
    assert!(matches!(failure, Failure::Refused { .. }), "there is no such handler: {failure:?}");
}

#[test]
fn a_worker_is_reused_after_an_answer_and_a_refusal_and_replaced_after_a_crash() {
    let pool = pool();
    let pid = || pool.look::<u32>("pid", &(), Input::Nothing).unwrap();
    let first = pid();
    assert!(pool.look::<Value>("nobody", &(), Input::Nothing).is_err(), "a refusal");
    assert_eq!(pid(), first, "an answer and a refusal leave the child alive");
    assert!(pool.look::<Value>("panic", &(), Input::Nothing).is_err(), "a crash");
    assert_ne!(pid(), first, "a dead child is replaced");
}

#[test]
fn printing_does_not_break_the_protocol_and_writing_is_impossible() {
    let pool = pool();
    let answer: Value = pool.look("print", &json!({"a": 1}), Input::Nothing).unwrap();
    assert_eq!(answer, json!({"a": 1}), "what a library prints goes to stderr");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("written");
    assert!(pool.look::<bool>("write", &path, Input::Nothing).is_err(), "files may grow to 0 bytes");
    assert_eq!(std::fs::metadata(&path).map_or(0, |found| found.len()), 0, "nothing was written");
}

#[test]
fn cancelling_and_breaking_off_end_the_job() {
    let pool = pool();
    let cancel = Cancel::new();
    let job = Job::new("sleep", Value::Null, Input::Nothing).cancelled_by(cancel.clone());
    std::thread::scope(|scope| {
        let run = scope.spawn(|| pool.call::<Value>(&job));
        cancel.cancel();
        assert_eq!(run.join().unwrap().unwrap_err(), Failure::Cancelled, "another thread cancelled");
    });
    let job = Job::new("flood", Value::Null, Input::Nothing);
    assert_eq!(pool.run(&job, |_| ControlFlow::Break(())), Err(Failure::Cancelled), "the reader broke off");
}

#[test]
fn bytes_reach_the_child_whole_and_empty_is_not_nothing() {
    let pool = pool();
    for size in [0_usize, 1, (3 << 20) + 7] {
        let length: u64 = pool.look("length", &(), Input::Bytes(vec![7; size])).unwrap();
        assert_eq!(length, size as u64, "as many bytes as were given");
    }
    let broken = media::worker::Pool::new(media::worker::Program::assize("/nowhere/assize"), 1);
    let failure = broken.look::<Value>("pid", &(), Input::Nothing).unwrap_err();
    assert!(matches!(failure, Failure::Unavailable { .. }), "there is no such program: {failure:?}");
}
