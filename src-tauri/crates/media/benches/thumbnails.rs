//! 200 thumbnails of JPEGs of 12 megapixels, through the worker pool, against `vipsthumbnail` over the same files in the
//! same run. The JPEGs are made with ImageMagick. `cargo bench -p media --bench thumbnails`.
//!
//! Both write PNG with a longest side of 512 pixels, vips with its quickest compression. Ours goes through the worker's pipe and back.
#![allow(clippy::unwrap_used, reason = "a bench may stop where it finds nothing")]

use media::worker::{Input, Pool, Program};
use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

const FILES: usize = 200;
/// So many of them are different; the rest are copies, which costs the decoders the same.
const DIFFERENT: usize = 8;
const ROUNDS: usize = 3;

fn main() -> ExitCode {
    match media::worker::serve_if_asked(&media::registry()) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => {}
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(files) = make(folder.path()) else {
        println!("thumbnails: ImageMagick's convert is missing, so there is nothing to measure");
        return ExitCode::SUCCESS;
    };
    let bytes: u64 = files.iter().map(|path| path.metadata().unwrap().len()).sum();
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    println!(
        "{FILES} JPEGs of 4000 × 3000, {:.1} MB each, {cores} cores; best of {ROUNDS} rounds",
        bytes as f64 / 1e6 / FILES as f64
    );
    let (mut one, mut all, mut vips) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        one.push(ours(&files, 1));
        all.push(ours(&files, cores.clamp(2, 8)));
        vips.extend(peer(&files, folder.path()));
    }
    let best = |times: &[Duration]| times.iter().min().copied();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0 / FILES as f64;
    let (one, all) = (best(&one).unwrap(), best(&all).unwrap());
    println!("assize, one worker          {:6.2} s, {:5.1} ms each", one.as_secs_f64(), ms(one));
    println!("assize, the app's pool      {:6.2} s, {:5.1} ms each", all.as_secs_f64(), ms(all));
    let Some(vips) = best(&vips) else {
        println!("vipsthumbnail is missing: no ratio");
        return ExitCode::SUCCESS;
    };
    println!("vipsthumbnail, one process  {:6.2} s, {:5.1} ms each", vips.as_secs_f64(), ms(vips));
    let ratio = |time: Duration| time.as_secs_f64() / vips.as_secs_f64();
    println!("ratio: one worker {:.2}, the app's pool {:.2} of vipsthumbnail's time", ratio(one), ratio(all));
    ExitCode::SUCCESS
}

fn make(folder: &Path) -> Option<Vec<PathBuf>> {
    let mut files = Vec::new();
    for n in 0..FILES {
        let path = folder.join(format!("{n}.jpg"));
        if n < DIFFERENT {
            let made = Command::new("convert")
                .args(["-size", "4000x3000", "-seed", &n.to_string(), "plasma:fractal", "-attenuate", "0.15"])
                .args(["+noise", "Gaussian", "-quality", "88"])
                .arg(&path)
                .stderr(Stdio::null())
                .status();
            if !made.is_ok_and(|status| status.success()) {
                return None;
            }
        } else {
            std::fs::copy(&files[n % DIFFERENT], &path).unwrap();
        }
        files.push(path);
    }
    Some(files)
}

fn ours(files: &[PathBuf], workers: usize) -> Duration {
    let pool = Pool::new(Program::new(std::env::current_exe().unwrap(), ["worker".into()]), workers);
    let next = AtomicUsize::new(0);
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    media::thumbnail(&pool, Input::Path(path.clone()), 512).unwrap();
                }
            });
        }
    });
    began.elapsed()
}

fn peer(files: &[PathBuf], folder: &Path) -> Option<Duration> {
    let out = folder.join("out");
    std::fs::create_dir_all(&out).unwrap();
    let began = Instant::now();
    let status = Command::new("vipsthumbnail")
        .args(["--size", "512", "-o"])
        .arg(out.join("%s.png[compression=1]"))
        .args(files)
        .status()
        .ok()?;
    let took = began.elapsed();
    status.success().then_some(took)
}
