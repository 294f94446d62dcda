//! The worker against jobs that misbehave: each ends in its typed failure, and the pool goes on.
#![allow(clippy::unwrap_used, reason = "a test may stop where it finds nothing")]

mod support;

use media::worker::{Cancel, Failure, Held, Input, Job, Limits, Pool};
use serde::Serialize;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use support::{fixture, input, pool};

fn fails(name: &str, limits: Limits) -> Failure {
    pool().call::<Value>(&Job::new(name, Value::Null, Input::Nothing).within(limits)).unwrap_err()
}

/// The reason of a refusal.
fn refused(pool: &Pool, name: &str, args: &impl Serialize, input: Input) -> String {
    match pool.look::<Value>(name, args, input) {
        Err(Failure::Refused { why }) => why,
        other => panic!("{name} is refused, not {other:?}"),
    }
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
    let failure = fails("empty", Limits { reply_bytes: 1 << 12, ..limits.clone() });
    assert_eq!(
        failure,
        Failure::TooMuchOutput { limit_bytes: 1 << 12 },
        "small frames count by their heads too"
    );
    let failure = fails("spin", Limits { wall_ms: 300, ..limits.clone() });
    assert_eq!(failure, Failure::Timeout { after_ms: 300 }, "it computes without end");
    let failure = fails("recurse", limits.clone());
    assert!(
        matches!(failure, Failure::Crashed { signal: Some(6 | 11), .. }),
        "the stack is used up: {failure:?}"
    );
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
fn printing_does_not_break_the_protocol() {
    let answer: Value = pool().look("print", &json!({"a": 1}), Input::Nothing).unwrap();
    assert_eq!(answer, json!({"a": 1}), "what a library prints goes to stderr");
}

#[cfg(unix)]
#[test]
fn a_worker_writes_nothing_and_its_input_least_of_all() {
    let pool = pool();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("written");
    refused(&pool, "write", &path, Input::Nothing);
    assert_eq!(std::fs::metadata(&path).map_or(0, |found| found.len()), 0, "nothing was written");
    std::fs::write(&path, "whole").unwrap();
    refused(&pool, "overwrite", &(), Input::Path(path.clone()));
    assert_eq!(std::fs::read(&path).unwrap(), b"whole", "what it was given to read is as it was");
}

#[cfg(unix)]
#[test]
fn a_worker_holds_as_many_files_as_it_may() {
    let pool = pool();
    let why = refused(&pool, "hoard", &(), input("tone.mp3"));
    assert!(why.contains("Too many open files"), "32 are enough for anything: {why}");
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_and_not_waited_for() {
    let pool = pool();
    let folder = tempfile::tempdir().unwrap();
    let why = refused(&pool, "length", &(), Input::Path(folder.path().to_owned()));
    assert!(why.contains("no regular file"), "a folder: {why}");
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success(), "a named pipe can be made here");
    let why = refused(&pool, "length", &(), Input::Path(pipe));
    assert!(why.contains("no regular file"), "a pipe that nobody writes to: {why}");
}

/// What the two layers forbid, on a kernel that has them (any since 5.13).
#[cfg(target_os = "linux")]
mod sandboxed {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_worker_says_that_all_layers_hold() {
        let sandbox = pool().sandbox().unwrap();
        assert_eq!(sandbox.limits, Held::Wholly, "limits need nothing of the kernel: {sandbox:?}");
        assert_eq!(sandbox.seccomp, Held::Wholly, "filters of system calls: {sandbox:?}");
        assert_ne!(sandbox.landlock, Held::Not, "closed to all files: {sandbox:?}");
    }

    #[test]
    fn a_worker_opens_no_file_but_the_one_it_was_given() {
        let pool = pool();
        for path in ["/etc/shadow", "/etc/passwd", "/proc/self/environ", "/proc/self/maps"] {
            let why = refused(&pool, "open", &path, Input::Nothing);
            assert!(why.contains("not permitted") || why.contains("denied"), "{path} stays closed: {why}");
        }
        let beside = fixture("tone.mp3");
        refused(&pool, "open", &beside, input("tone.wav"));
        refused(&pool, "list", &beside.parent().unwrap(), input("tone.wav"));
        let length: u64 = pool.look("length", &(), input("tone.wav")).unwrap();
        assert_eq!(length, std::fs::metadata(fixture("tone.wav")).unwrap().len(), "its own it reads");
    }

    #[test]
    fn a_worker_that_reaches_out_is_ended_and_the_next_job_served() {
        let pool = pool();
        let canary = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        canary.set_nonblocking(true).unwrap();
        let address = canary.local_addr().unwrap().to_string();
        let parent = std::process::id();
        for (job, args) in
            [("connect", json!(address)), ("run", Value::Null), ("kill", json!(parent)), ("kill", json!(1))]
        {
            let failure = pool.call::<Value>(&Job::new(job, args, Input::Nothing)).unwrap_err();
            assert_eq!(failure, Failure::Forbidden, "{job} is what no parser does");
            let sum: u64 = pool.look("threads", &(), Input::Nothing).unwrap();
            assert_eq!(sum, 4 * 499_500, "threads are allowed, and the pool goes on");
        }
        assert!(canary.accept().is_err(), "nobody came");
    }

    #[test]
    fn a_worker_has_no_file_but_its_three_pipes_and_its_input() {
        // A file that this process would hand down to any child.
        let leak = rustix::io::dup(std::fs::File::open(fixture("tone.mp3")).unwrap()).unwrap();
        let pool = pool();
        let pid: u32 = pool.look("pid", &(), Input::Nothing).unwrap();
        let mut open: Vec<String> = std::fs::read_dir(format!("/proc/{pid}/fd"))
            .unwrap()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        open.sort();
        drop(leak);
        assert_eq!(open.len(), 4, "standard input, output and error, and where replies go: {open:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_died_unasked_is_not_asked() {
    let pool = pool();
    let first: i32 = pool.look("pid", &(), Input::Nothing).unwrap();
    let ended = std::process::Command::new("kill").args(["-9", &first.to_string()]).status().unwrap();
    assert!(ended.success(), "it was alive");
    while std::fs::read_to_string(format!("/proc/{first}/stat")).is_ok_and(|stat| !stat.contains(") Z")) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let second: i32 = pool.look("pid", &(), Input::Nothing).unwrap();
    assert_ne!(second, first, "another one answers, and the caller sees no failure");
}

#[test]
fn long_jobs_leave_room_for_a_look_and_no_more_workers_live_than_may() {
    let pool = pool();
    let cancel = Cancel::new();
    let long =
        || Job::new("sleep", Value::Null, Input::Nothing).within(Limits::STREAM).cancelled_by(cancel.clone());
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..3).map(|_| scope.spawn(|| pool.call::<Value>(&long()))).collect();
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..20 {
            seen.insert(pool.look::<u32>("pid", &(), Input::Nothing).unwrap());
        }
        assert!(seen.len() <= 2, "looks are served by the place that is left: {seen:?}");
        cancel.cancel();
        for run in runs {
            assert_eq!(run.join().unwrap().unwrap_err(), Failure::Cancelled, "also the one that waited");
        }
    });
    assert!(pool.look::<u32>("pid", &(), Input::Nothing).is_ok(), "all places are free again");
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
