//! A worker with the handlers of `media`, and many that misbehave: for the tests of this crate.
#![allow(unconditional_recursion, reason = "one of them is to use the stack up")]

use media::worker::{Registry, ServeError};
use std::{io::Write, net::TcpStream, process::Command};

/// Uses the stack up.
fn deep(n: u64) -> u64 {
    let here = std::hint::black_box([n; 64]);
    deep(n + 1).wrapping_add(here[0])
}

fn main() -> Result<(), ServeError> {
    let registry: Registry = media::registry()
        .with("sleep", |_, _, _| {
            loop {
                std::thread::sleep(std::time::Duration::from_secs(1));
            }
        })
        .with("panic", |_, _, _| panic!("as asked"))
        .with("abort", |_, _, _| std::process::abort())
        .with("eat", |_, _, _| Err(format!("got {} bytes", vec![1_u8; 8 << 30].len())))
        .with("flood", |_, _, sink| {
            loop {
                sink.bytes(&vec![0; 1 << 16])?;
            }
        })
        .with("print", |args, _, sink| {
            println!("this is no frame");
            sink.json(args)
        })
        .with("write", |args, _, sink| {
            let path = args.as_str().unwrap_or_default();
            std::fs::write(path, "x").map_err(|e| e.to_string())?;
            sink.json(&true)
        })
        .with("open", |args, _, sink| {
            let bytes = std::fs::read(args.as_str().unwrap_or_default()).map_err(|e| e.to_string())?;
            sink.json(&bytes.len())
        })
        .with("list", |args, _, sink| {
            let folder = std::fs::read_dir(args.as_str().unwrap_or_default()).map_err(|e| e.to_string())?;
            sink.json(&folder.count())
        })
        .with("overwrite", |_, input, sink| {
            input.file()?.write_all(b"x").map_err(|e| e.to_string())?;
            sink.json(&true)
        })
        .with("connect", |args, _, sink| {
            TcpStream::connect(args.as_str().unwrap_or_default()).map_err(|e| e.to_string())?;
            sink.json(&true)
        })
        .with("run", |_, _, sink| {
            let ended = Command::new("/bin/true").status().map_err(|e| e.to_string())?;
            sink.json(&ended.success())
        })
        .with("kill", |args, _, sink| {
            // Not to be found in the standard library: the shell's builtin would be another program.
            let pid = args
                .as_i64()
                .and_then(|pid| i32::try_from(pid).ok())
                .and_then(rustix::process::Pid::from_raw);
            let pid = pid.ok_or("no process")?;
            rustix::process::kill_process(pid, rustix::process::Signal::TERM).map_err(|e| e.to_string())?;
            sink.json(&true)
        })
        .with("hoard", |_, input, sink| {
            let mut files = Vec::new();
            for _ in 0..10_000 {
                files.push(input.file()?);
            }
            sink.json(&files.len())
        })
        .with("threads", |_, _, sink| {
            let add = || (0..1_000_u64).sum::<u64>();
            let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(add)).collect();
            sink.json(&threads.into_iter().filter_map(|thread| thread.join().ok()).sum::<u64>())
        })
        .with("spin", |_, _, sink| {
            let mut n = 0_u64;
            while std::hint::black_box(n) < u64::MAX {
                n += 1;
            }
            sink.json(&n)
        })
        .with("recurse", |_, _, sink| sink.json(&deep(1)))
        .with("empty", |_, _, sink| {
            loop {
                sink.bytes(&[])?;
                sink.json(&0)?;
            }
        })
        .with("pid", |_, _, sink| sink.json(&std::process::id()))
        .with_reply("length", |(): (), input| input.length());
    media::worker::serve(registry)
}
