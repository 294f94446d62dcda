//! A worker with the handlers of `media`, and a few that misbehave: for the tests of this crate.

use media::worker::{Registry, ServeError};

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
        .with("pid", |_, _, sink| sink.json(&std::process::id()))
        .with_reply("length", |(): (), input| input.length());
    media::worker::serve(registry)
}
