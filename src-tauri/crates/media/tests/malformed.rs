//! Files that are broken or hostile, made here out of the fixtures and of nothing: each through every job of the worker.
//! None may harm more than its worker, each ends in an answer or a typed failure, and the worker keeps to its limits.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it finds nothing")]
#![allow(clippy::format_collect, reason = "inputs, made once")]

#[path = "malformed/bombs.rs"]
mod bombs;
#[path = "malformed/broken.rs"]
mod broken;
mod support;

use media::worker::{Failure, Input, Job, Limits, Pool};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// A file that is made when its turn comes: all of them at once would be large.
pub struct Case {
    name: String,
    bytes: Box<dyn Fn() -> Vec<u8> + Send + Sync>,
}

impl Case {
    fn new(name: impl Into<String>, bytes: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self { name: name.into(), bytes: Box::new(bytes) }
    }
}

/// As the app has them, but for a shorter clock.
const LIMITS: Limits = Limits { wall_ms: 15_000, ..Limits::LOOK };

/// How a job begins that was asked with other arguments than it takes.
const WRONG: &str = "wrong arguments";

/// Arguments of every job: each takes what it knows.
fn args(name: &str) -> Value {
    json!({
        "name": name, "columns": 64, "rows": 16, "longest": 64, "frame": 0, "from_frame": 0, "until_frame": 4_800,
        "sketch": false, "source": false,
    })
}

/// What became of one job on one file.
fn ran(pool: &Pool, job: &str, name: &str, path: &Path) -> Result<(), Failure> {
    let run = |args| {
        let job = Job::new(job, args, Input::Path(path.to_owned())).within(LIMITS);
        pool.run(&job, |_| ControlFlow::Continue(()))
    };
    match run(args(name)) {
        // Some take no arguments at all.
        Err(Failure::Refused { why }) if why.starts_with(WRONG) => run(Value::Null),
        end => end,
    }
}

/// Does the end say something of the file, as it should, and not of the worker or of this test?
fn is_about_the_file(end: &Result<(), Failure>) -> bool {
    match end {
        Err(Failure::Refused { why }) => !why.starts_with(WRONG),
        Err(Failure::Protocol { .. } | Failure::Unavailable { .. } | Failure::Cancelled) => false,
        Ok(()) | Err(_) => true,
    }
}

/// What the jobs came to.
#[derive(Default)]
struct Ends {
    /// How often each job ended how.
    counts: BTreeMap<(String, String), usize>,
    /// Ends that may not be.
    wrong: Vec<String>,
}

impl Ends {
    fn add(&mut self, job: &str, case: &str, end: &Result<(), Failure>, took: Duration) {
        let how = match end {
            Ok(()) => "answered".to_owned(),
            Err(failure) => serde_json::to_value(failure).unwrap()["failure"].as_str().unwrap().to_owned(),
        };
        let line = format!("{job} {case}: {end:?} after {took:?}");
        // Twice the clock: a job that dies in a worker that was used runs once more in a fresh one.
        if !is_about_the_file(end) || took > Duration::from_millis(2 * LIMITS.wall_ms + 5_000) {
            self.wrong.push(line);
        } else if !matches!(end, Ok(()) | Err(Failure::Refused { .. })) {
            println!("{line}");
        }
        *self.counts.entry((job.to_owned(), how)).or_default() += 1;
    }
}

#[test]
fn no_broken_file_harms_more_than_its_worker() {
    let cases: Vec<Case> = broken::cases().into_iter().chain(bombs::cases()).collect();
    assert!(cases.len() >= 300, "the corpus is large: {}", cases.len());
    let registry = media::registry();
    let jobs: Vec<&str> = registry.names().collect();
    let folder = tempfile::tempdir().unwrap();
    let pool = support::pool();
    let (next, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let ends: Mutex<Ends> = Mutex::default();
    let hand = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let path = folder.path().join(&case.name);
            std::fs::write(&path, (case.bytes)()).unwrap();
            for job in &jobs {
                let began = Instant::now();
                let end = ran(&pool, job, &case.name, &path);
                ends.lock().unwrap().add(job, &case.name, &end, began.elapsed());
            }
            std::fs::remove_file(&path).unwrap();
        }
    };
    let (hands, largest) = std::thread::scope(|scope| {
        let watch = scope.spawn(|| largest_child(&done));
        // As many as the pool has workers.
        let hands = [scope.spawn(hand), scope.spawn(hand)].map(|hand| hand.join().is_ok());
        done.store(true, Ordering::Relaxed);
        (hands, watch.join().unwrap())
    });
    assert_eq!(hands, [true, true], "the app's side never panics");
    let Ends { counts, wrong } = ends.into_inner().unwrap();
    println!("{} files, largest worker {} MiB\n{counts:#?}", cases.len(), largest >> 20);
    assert!(wrong.is_empty(), "each job ends in time and says something of its file:\n{}", wrong.join("\n"));
    assert!(largest > 1 << 20, "the workers were looked at while they ran");
    assert!(largest <= LIMITS.memory_bytes, "no worker held more than it may: {largest} bytes");
    let whole = ran(&pool, "probe", "tone.mp3", &support::fixture("tone.mp3"));
    assert_eq!(whole, Ok(()), "after all that, a good file is served as before");
}

/// The most memory that any child of this process held at once, in bytes, until `done`.
fn largest_child(done: &AtomicBool) -> u64 {
    let mut largest = 0;
    while !done.load(Ordering::Relaxed) {
        for pid in children() {
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kib = peak.and_then(|text| text.trim().strip_suffix(" kB")?.parse::<u64>().ok());
            largest = largest.max(kib.unwrap_or(0) << 10);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    largest
}

fn children() -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>())
        .collect()
}
