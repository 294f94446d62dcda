//! `docs/media.md`: what can be done with a file of each format, tried on a fixture. The test fails when the committed
//! table is stale; `ASSIZE_WRITE=1 cargo test -p media --test table` writes it.
#![allow(clippy::unwrap_used, reason = "a test may stop where it finds nothing")]
#![allow(clippy::assigning_clones, reason = "a table of words, made once")]

mod support;

use media::{
    PictureWish, Probe,
    probe::{Kind, ProblemCode},
    worker::{Failure, Frame, Job, Limits, Pool},
};
use std::{fmt::Write, ops::ControlFlow, path::PathBuf};
use support::{fixture, input, pool};

/// A fixture of each format.
const FORMATS: [(&str, &str); 34] = [
    ("png", "images/rgb8.png"),
    ("jpeg", "images/baseline.jpg"),
    ("gif", "images/animated.gif"),
    ("webp", "images/lossy.webp"),
    ("tiff", "images/two-page.tiff"),
    ("bmp", "images/rgb24.bmp"),
    ("svg", "images/letter.svg"),
    ("heic", "images/letter.heic"),
    ("avif", "images/letter.avif"),
    ("wav", "audio/s16-stereo.wav"),
    ("mp3", "audio/cbr.mp3"),
    ("ogg", "audio/vorbis.ogg"),
    ("flac", "audio/s16.flac"),
    ("m4a", "audio/aac-lc.m4a"),
    ("opus", "audio/stereo.opus"),
    ("aac", "audio/adts.aac"),
    ("mp4", "video/h264-25fps.mp4"),
    ("webm", "video/vp9-opus.webm"),
    ("mkv", "video/h264.mkv"),
    ("mov", "video/h264.mov"),
    ("avi", "video/mpeg4-mp3.avi"),
    ("ts", "video/h264.ts"),
    ("pdf", "documents/text.pdf"),
    ("docx", "documents/full.docx"),
    ("xlsx", "documents/sheets.xlsx"),
    ("pptx", "documents/slides.pptx"),
    ("csv", "documents/plain.csv"),
    ("txt", "documents/utf-8.txt"),
    ("html", "documents/page.html"),
    ("md", "documents/notes.md"),
    ("rtf", "documents/full.rtf"),
    ("odt", "documents/full.odt"),
    ("zip", "documents/plain.epub"),
    ("bin", "audio/speech.amr"),
];

/// What the web view plays with the GStreamer plugins that the package depends on: base, good, bad and libav. The story of sound
/// and video in the window (`tests/end-to-end/media.mjs`) plays one of each, and fails where this names one that it has not played.
const WEB_VIEW_PLAYS: [&str; 13] =
    ["wav", "mp3", "ogg", "flac", "m4a", "opus", "aac", "mp4", "webm", "mkv", "mov", "avi", "ts"];

struct Row {
    format: &'static str,
    kind: String,
    probed: String,
    shown: String,
    played: String,
    thumbnail: String,
    text: String,
    banner: String,
}

fn name_of(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap().replace('_', " ")
}

fn probed(probe: &Probe) -> String {
    let mut known = Vec::new();
    if let Some(facts) = &probe.image {
        known.push("size, orientation");
        if facts.duration_ms.is_some() {
            known.push("frames and their times");
        } else if facts.frames.is_some_and(|frames| frames > 1) {
            known.push("pages");
        }
        if facts.alpha.is_some() {
            known.push("alpha");
        }
    }
    if let Some(facts) = &probe.video {
        known.extend(facts.width.map(|_| "size, rate, frames, rotation"));
    }
    if let Some(facts) = &probe.audio {
        known.extend(facts.sample_rate.map(|_| "sound: codec, rate, channels, length"));
        known.extend(facts.encoder_delay.map(|_| "delay"));
    }
    if let Some(facts) = &probe.document {
        known.extend(facts.pages.map(|_| "pages"));
        known.extend(facts.sheets.map(|_| "sheets"));
        known.extend(facts.slides.map(|_| "slides"));
        known.extend(facts.encoding.as_ref().map(|_| "encoding"));
        known.push("password, programs, links");
    }
    for problem in &probe.problems {
        // A page with a script in it, or a picture elsewhere, is whole.
        let whole = matches!(
            problem.code,
            ProblemCode::UnknownCodec | ProblemCode::ActiveContent | ProblemCode::ExternalContent
        );
        assert!(whole, "nothing is wrong with {}: {problem:?}", probe.path);
    }
    if known.is_empty() { "kind only".to_owned() } else { known.join("; ") }
}

/// How a picture is shown, and what is said of it.
fn picture(pool: &Pool, name: &str) -> (String, String) {
    match media::picture(pool, input(name), PictureWish::default()) {
        Ok((view, _)) if view.original => ("as it is, by the web view".to_owned(), "–".to_owned()),
        Ok(_) => ("as a PNG made from it".to_owned(), "converted".to_owned()),
        Err(Failure::Refused { why }) => ("a named state".to_owned(), why),
        Err(other) => panic!("{name}: {other}"),
    }
}

/// Is there a waveform to draw?
fn is_drawn(pool: &Pool, name: &str) -> bool {
    media::peaks(pool, input(name), 100).is_ok_and(|wave| !wave.columns.is_empty())
}

/// Does the sound card get samples?
fn decodes(pool: &Pool, name: &str) -> bool {
    let mut bytes = 0;
    let job = Job::new("pcm", serde_json::json!({"from_frame": 0}), input(name)).within(Limits::STREAM);
    let done = pool.run(&job, |frame| {
        if let Frame::Bytes(part) = frame {
            bytes += part.len();
        }
        ControlFlow::Continue(())
    });
    done.is_ok() && bytes > 0
}

fn row(pool: &Pool, format: &'static str, name: &str) -> Row {
    let probe = media::probe(pool, &fixture(name), name).unwrap();
    assert_eq!(probe.format, format, "{name}, by its bytes");
    let none = || "–".to_owned();
    let mut row = Row {
        format,
        kind: name_of(probe.kind),
        probed: probed(&probe),
        shown: none(),
        played: none(),
        thumbnail: none(),
        text: none(),
        banner: none(),
    };
    let web_view = WEB_VIEW_PLAYS.contains(&format);
    match probe.kind {
        Kind::Image => {
            (row.shown, row.banner) = picture(pool, name);
            if media::thumbnail(pool, input(name), 32).is_ok_and(|png| png.starts_with(b"\x89PNG")) {
                row.thumbnail = "yes".to_owned();
            }
        }
        Kind::Audio => {
            if is_drawn(pool, name) { "waveform" } else { "a player" }.clone_into(&mut row.shown);
            row.played = match (decodes(pool, name), web_view) {
                (true, true) => "sound card, web view",
                (true, false) => "sound card",
                (false, true) => "web view",
                (false, false) => "–",
            }
            .to_owned();
        }
        Kind::Video => {
            row.shown = if web_view { "by the web view" } else { "–" }.to_owned();
            row.played = match format {
                // Of a transport stream the web view knows no length.
                "ts" => "web view, without seeking",
                _ if web_view => "web view",
                _ => "–",
            }
            .to_owned();
        }
        Kind::Document | Kind::Text => {
            if media::text(pool, input(name), name).is_ok_and(|text| !text.text.trim().is_empty()) {
                row.text = "yes".to_owned();
            }
            match media::document(pool, input(name), name, media::Reading::default()) {
                Ok(view) => {
                    row.shown = if format == "pdf" { "pages" } else { "readable view" }.to_owned();
                    let missing: Vec<String> = view.not_shown.iter().map(name_of).collect();
                    if format != "pdf" && !missing.is_empty() {
                        row.banner = missing.join(", ");
                    }
                }
                Err(failure) => (row.shown, row.banner) = ("a named state".to_owned(), failure.to_string()),
            }
        }
        Kind::Unknown => "a named state".clone_into(&mut row.shown),
    }
    row
}

fn table() -> String {
    let pool = pool();
    let mut out = "\
# What is done with each format

Tried on a fixture of each (`tests/fixtures/media`) by `src-tauri/crates/media/tests/table.rs`, which also writes this page
(`ASSIZE_WRITE=1 cargo test -p media --test table`) and fails when it is stale. What the probe says of all fixtures is compared with ffprobe,
identify, exiftool, pdfinfo and LibreOffice by `answers.rs` beside it; that the window plays what is said here to be played by the
web view is tried by `tests/end-to-end`.

* **probed**: what is known of it, besides size, hash, and what is wrong with it. *Kind only*: nothing else is.
* **shown**: how the window shows it. *A named state* says in words that it cannot, and a verdict can record it.
* **played**: by the sound card, to the sample; by the web view, with GStreamer's plugins base, good, bad and libav.
* **thumbnail**: `assize media thumb` makes a PNG of it; the window draws those of a PDF's pages and the pictures along a film itself.
  **text**: `assize media text` gives its words. A page that cannot be read stays
  empty, and what is left out is said on standard error; a file of which nothing can be read is an error.
* **banner**: what stands above it: that it is not shown as it is, or what of it is not shown. For this fixture.

| format | kind | probed | shown | played | thumbnail | text | banner |
|---|---|---|---|---|---|---|---|
"
    .to_owned();
    for (format, name) in FORMATS {
        let r = row(&pool, format, name);
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            r.format, r.kind, r.probed, r.shown, r.played, r.thumbnail, r.text, r.banner
        )
        .unwrap();
    }
    out + "
Orientation by EXIF is applied everywhere: 1 to 8 in JPEG by the web view, elsewhere by converting. A picture of more than 67 million pixels
or a side over 16,384 is shown reduced to 4,096 pixels; parts of it are shown in all their pixels. A picture that decodes to more than
512 MiB is not decoded, and that is said. A moving picture plays in the web view as it is; held, it is one frame of it. A colour profile
goes along with a converted picture, except for CMYK, which is converted plainly.
"
}

#[test]
fn the_table_in_the_docs_is_what_is_found() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/media.md");
    let fresh = table();
    if std::env::var_os("ASSIZE_WRITE").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == fresh,
        "docs/media.md is stale: ASSIZE_WRITE=1 cargo test -p media --test table\n{fresh}"
    );
}
