//! Files that are broken or hostile, made here out of the fixtures and of nothing: each through every job of the worker.
//! None may harm more than its worker, each ends in an answer or a typed failure, and the worker keeps to its limits.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it finds nothing")]

#[path = "malformed/bombs.rs"]
mod bombs;
#[path = "malformed/broken.rs"]
mod broken;
mod support;

use media::worker::{Failure, Input, Job, Limits};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    path::PathBuf,
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

/// Arguments of every job: each takes what it knows.
fn args(name: &str) -> Value {
    json!({
        "name": name, "columns": 64, "longest": 64, "from_frame": 0, "page": 0, "zoom": 0, "from": 0, "count": 16, "level": 0,
    })
}

/// What became of one job on one file.
fn ran(pool: &media::worker::Pool, job: &str, case: &str, path: PathBuf) -> Result<(), Failure> {
    let job = Job::new(job, args(case), Input::Path(path)).within(LIMITS);
    pool.run(&job, |_| ControlFlow::Continue(()))
}

#[test]
fn no_broken_file_harms_more_than_its_worker() {
    let cases: Vec<Case> = broken::cases().into_iter().chain(bombs::cases()).collect();
    assert!(cases.len() >= 300, "the corpus is large: {}", cases.len());
    let jobs: Vec<String> = media::registry().names().map(str::to_owned).collect();
    let folder = tempfile::tempdir().unwrap();
    let pool = support::pool();
    let (next, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let ends: Mutex<BTreeMap<(String, String), usize>> = Mutex::default();
    let wrong: Mutex<Vec<String>> = Mutex::default();
    let largest = std::thread::scope(|scope| {
        let watch = scope.spawn(|| largest_child(&done));
        let hands: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // The name says nothing of where it lies: `a/b` is a name here.
                        let path = folder.path().join(case.name.replace('/', "_"));
                        std::fs::write(&path, (case.bytes)()).unwrap();
                        for job in &jobs {
                            let began = Instant::now();
                            let end = ran(&pool, job, &case.name, path.clone());
                            let took = began.elapsed();
                            let how = match &end {
                                Ok(()) => "answered".to_owned(),
                                Err(failure) => {
                                    let kind = serde_json::to_value(failure).unwrap();
                                    kind["failure"].as_str().unwrap().to_owned()
                                }
                            };
                            if !matches!(end, Ok(()) | Err(Failure::Refused { .. })) {
                                println!("{job} {}: {end:?} after {took:?}", case.name);
                            }
                            *ends.lock().unwrap().entry((job.clone(), how)).or_default() += 1;
                            // Twice the clock: a job that dies in a worker that was used runs once more in a fresh one.
                            let late = took > Duration::from_millis(2 * LIMITS.wall_ms + 5_000);
                            let untyped = matches!(
                                end,
                                Err(Failure::Protocol { .. }
                                    | Failure::Unavailable { .. }
                                    | Failure::Cancelled)
                            );
                            if late || untyped {
                                wrong
                                    .lock()
                                    .unwrap()
                                    .push(format!("{job} {}: {end:?} after {took:?}", case.name));
                            }
                        }
                        std::fs::remove_file(&path).unwrap();
                    }
                })
            })
            .collect();
        for hand in hands {
            hand.join().expect("the app's side never panics");
        }
        done.store(true, Ordering::Relaxed);
        watch.join().unwrap()
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(
        wrong.is_empty(),
        "each job ends in time and in a way that is about the file:\n{}",
        wrong.join("\n")
    );
    let ends = ends.into_inner().unwrap();
    println!("{} files, largest worker {} MiB\n{ends:#?}", cases.len(), largest >> 20);
    assert!(largest > 1 << 20, "the workers were looked at while they ran");
    assert!(largest <= LIMITS.memory_bytes, "no worker held more than it may: {largest} bytes");
    for job in &jobs {
        let answered = ends.get(&(job.clone(), "answered".to_owned())).copied().unwrap_or(0);
        assert!(answered > 0, "{job} gives an answer to some of them: else its arguments are wrong above");
    }
    let whole = support::fixture("tone.mp3");
    assert_eq!(
        ran(&pool, "probe", "tone.mp3", whole),
        Ok(()),
        "after all that, a good file is served as before"
    );
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
