//! What is fuzzed: each parser of ours that meets bytes of others, as one function from bytes to nothing. A panic, a broken
//! promise (the assertions), an endless loop or memory without bound is a find. Also compiled into a test of `actions`,
//! which replays what was found.

use formats::{Event, Format, Options, RunFile};
use media::worker::Input;
use serde_json::json;
use std::{io::Cursor, ops::ControlFlow, path::Path};

/// A target: its name, which is its corpus's folder too, and what takes the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 9] = [
    ("rows", rows),
    ("dataset", dataset),
    ("sheets", sheets),
    ("documents", documents),
    ("names", names),
    ("frames", frames),
    ("boxes", boxes),
    ("office", office),
    ("text", text),
];

fn run() -> RunFile {
    RunFile { folder: "main".to_owned(), file_name: "m.jsonl".to_owned(), ..RunFile::default() }
}

/// Events as they cross the worker's pipe and back: what is sent is what arrives.
fn there_and_back(event: &Event) {
    let mut wire = Vec::new();
    formats::write_event(event, &mut wire).expect("an event can be sent");
    let back = formats::read_event(&mut wire.as_slice()).expect("it can be read").expect("it is there");
    assert_eq!(
        serde_json::to_value(event).expect("JSON"),
        serde_json::to_value(&back).expect("JSON"),
        "an event arrives as it was sent"
    );
}

/// Result rows: our own JSON, Python's NaN, blobs in rows, repairs.
pub fn rows(bytes: &[u8]) {
    let mut take = |event: Event| {
        there_and_back(&event);
        ControlFlow::Continue(())
    };
    let _ = formats::read_rows(Cursor::new(bytes), &run(), &Options::default(), &mut take);
}

/// Datasets.
pub fn dataset(bytes: &[u8]) {
    let mut take = |event: Event| {
        there_and_back(&event);
        ControlFlow::Continue(())
    };
    let _ = formats::read_dataset(Cursor::new(bytes), &Options::default(), &mut take);
}

/// Verdicts, adjudications and ratings in CSV.
pub fn sheets(bytes: &[u8]) {
    let mut ignore = |_: Event| ControlFlow::Continue(());
    let _ = formats::read_verdicts(Cursor::new(bytes), &Options::default(), &mut ignore);
    let _ = formats::read_adjudications(Cursor::new(bytes), &Options::default(), &mut ignore);
    let _ = formats::read_ratings(bytes);
    let cell = String::from_utf8_lossy(bytes);
    assert_eq!(formats::unguard(&formats::guard(&cell)), cell, "the guard against formulas can be undone");
}

/// Manifests, finished judgements, the bare word of `main_config.txt`, and which of all it is.
pub fn documents(bytes: &[u8]) {
    let mut ignore = |_: Event| ControlFlow::Continue(());
    for name in ["main_config.txt", "20260101_000000_m_rejudged.jsonl", "x_summary.json", ""] {
        let _ = formats::recognise(Path::new(name), bytes);
    }
    let _ = formats::read_manifest(Cursor::new(bytes), &Options::default(), &mut ignore);
    let _ = formats::read_triples(Cursor::new(bytes), &Options::default(), &mut ignore);
    let _ = formats::read_main_config(Cursor::new(bytes), &Options::default(), &mut ignore);
    let _: Option<Format> = serde_json::from_slice(bytes).ok();
}

/// Names and addresses of others: whatever they are, no path leaves its folder.
pub fn names(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let root = Path::new("/root/of/all");
    if let Ok(path) = formats::join_within(root, &text) {
        assert!(path.starts_with(root), "{text:?} stays below its folder");
        assert!(
            path.components().all(|part| part != std::path::Component::ParentDir),
            "{text:?} goes nowhere up"
        );
    }
    if formats::check_input_name(&text).is_ok() {
        assert!(!text.contains(['/', '\\', '\0']), "{text:?} is a name, not a path");
    }
    let _ = (formats::asset_tail(&text), formats::safe_prompt_folder(&text), formats::links(&text));
    let _ = (formats::classify_url(&text), formats::mime_modality(&text, &text));
}

/// Frames of both pipes, and ranges that a player asks for.
pub fn frames(bytes: &[u8]) {
    media::fuzz::frames(bytes);
    media::fuzz::range(bytes);
    let mut rest = bytes;
    while let Ok(Some(event)) = formats::read_event(&mut rest) {
        there_and_back(&event);
    }
}

fn job(name: &str, args: &serde_json::Value, bytes: &[u8]) {
    media::fuzz::job(name, args, &Input::Bytes(bytes.to_vec()));
}

/// The boxes of ISO media, and what a file is.
pub fn boxes(bytes: &[u8]) {
    job("format", &json!({"name": "a.mp4"}), bytes);
    let film = [b"\0\0\0\x10ftypisom\0\0\0\0".as_slice(), bytes].concat();
    media::fuzz::film(&film);
}

/// The XML of Word and PowerPoint.
pub fn office(bytes: &[u8]) {
    media::fuzz::office(bytes);
}

/// Text, csv and Markdown in any encoding.
pub fn text(bytes: &[u8]) {
    for name in ["a.csv", "a.txt", "a.md"] {
        job("document", &json!({ "name": name }), bytes);
    }
}
