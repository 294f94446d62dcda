//! What is fuzzed: each parser of ours that meets bytes of others, as one function from bytes to how they were taken. A panic,
//! a broken promise (the assertions), an endless loop or memory without bound is a find. The example `fuzz` changes
//! inputs and runs them, the test `fuzz_corpus` replays what was found.

use formats::{Event, Format, FormatError, Options, ReadReport, RunFile};
use media::worker::Input;
use serde_json::json;
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    io::Cursor,
    ops::ControlFlow,
    path::Path,
};

/// A target: its name, which is its corpus's folder too, and what takes the bytes. Inputs that are taken in the same way
/// give the same number, so that the one that is new is known.
pub type Target = (&'static str, fn(&[u8]) -> u64);

/// All of them.
pub const TARGETS: [Target; 12] = [
    ("rows", rows),
    ("dataset", dataset),
    ("sheets", sheets),
    ("rubrics", rubrics),
    ("documents", documents),
    ("names", names),
    ("frames", frames),
    ("boxes", boxes),
    ("streams", streams),
    ("office", office),
    ("text", text),
    ("pdf", pdf),
];

/// How bytes were taken: kinds and reasons, without what they are about.
#[derive(Default)]
struct Way(DefaultHasher, u32);

impl Way {
    /// The words of a message; numbers and what stands in quotes differ with every input.
    fn say(&mut self, message: &str) {
        self.1 += 1;
        if self.1 < 64 {
            let words = message.split('"').step_by(2).flat_map(str::chars);
            words.filter(|c| c.is_ascii_alphabetic() || *c == ' ').for_each(|c| c.hash(&mut self.0));
        }
    }
    fn event(&mut self, event: &Event) {
        there_and_back(event);
        let value = serde_json::to_value(event).unwrap_or_default();
        let kind = value.as_object().and_then(|object| object.keys().next().cloned());
        self.say(&kind.unwrap_or_else(|| value.to_string()));
        if let Event::Rejected { why, .. } | Event::Warning { why, .. } = event {
            self.say(why);
        }
    }
    fn end(&mut self, end: &Result<ReadReport, FormatError>) {
        match end {
            Ok(_) => self.say("read"),
            Err(error) => self.say(&error.to_string()),
        }
    }
    fn number(self) -> u64 {
        self.0.finish()
    }
}

/// Events as they cross the worker's pipe and back: what is sent is what arrives.
fn there_and_back(event: &Event) {
    let sent = serde_json::to_value(event).expect("an event can be sent");
    let back: Event = serde_json::from_value(sent.clone()).expect("what was sent can be read");
    assert_eq!(
        serde_json::to_value(&back).expect("so can what came"),
        sent,
        "an event arrives as it was sent"
    );
}

fn reads(
    bytes: &[u8],
    way: &mut Way,
    read: impl FnOnce(Cursor<&[u8]>, &mut dyn formats::Sink) -> Result<ReadReport, FormatError>,
) {
    let mut take = |event: Event| {
        way.event(&event);
        ControlFlow::Continue(())
    };
    let end = read(Cursor::new(bytes), &mut take);
    way.end(&end);
}

/// Result rows: our own JSON, Python's NaN, blobs in rows, repairs.
fn rows(bytes: &[u8]) -> u64 {
    let run = RunFile { folder: "main".to_owned(), file_name: "m.jsonl".to_owned(), ..RunFile::default() };
    let mut way = Way::default();
    reads(bytes, &mut way, |input, sink| formats::read_rows(input, &run, &Options::default(), sink));
    way.number()
}

/// Datasets.
fn dataset(bytes: &[u8]) -> u64 {
    let mut way = Way::default();
    reads(bytes, &mut way, |input, sink| formats::read_dataset(input, &Options::default(), sink));
    way.number()
}

/// Verdicts, adjudications and ratings in CSV.
fn sheets(bytes: &[u8]) -> u64 {
    let mut way = Way::default();
    reads(bytes, &mut way, |input, sink| formats::read_verdicts(input, &Options::default(), sink));
    reads(bytes, &mut way, |input, sink| formats::read_adjudications(input, &Options::default(), sink));
    way.say(&formats::read_ratings(bytes).map_or_else(|error| error.to_string(), |_| "ratings".to_owned()));
    let cell = String::from_utf8_lossy(bytes);
    let guarded = formats::guard(&cell);
    assert!(!guarded.starts_with(['=', '@', '+', '\t', '\r']), "no program takes the cell for a formula");
    assert_eq!(formats::unguard(&guarded), cell, "the guard against formulas can be undone");
    way.number()
}

/// Rubrics of other systems: read, linted, compiled, and written in every form.
fn rubrics(bytes: &[u8]) -> u64 {
    use formats::rubrics::{TierPoints, export_losses, write_health_bench, write_rubric_csv};
    let mut way = Way::default();
    let Some(format) = formats::rubrics::recognise_rubrics(bytes) else {
        way.say("no rubric");
        return way.number();
    };
    way.say(format.name());
    let reading = match formats::rubrics::read_rubrics(format, bytes) {
        Ok(reading) => reading,
        Err(error) => {
            way.say(&error.to_string());
            return way.number();
        }
    };
    for bad in &reading.rejected {
        way.say(&bad.why);
    }
    for record in &reading.records {
        assert!(record.contradictions.iter().all(|note| note.points < 0.0), "a note has negative points");
        let criteria = record.criteria.iter().map(|criterion| rubric::lints::LintCriterion {
            id: criterion.id.clone(),
            criterion: criterion.criterion.clone(),
            modality: criterion.modality.lower().to_owned(),
            has_weight: false,
        });
        let input = rubric::lints::LintInput { criteria: criteria.collect(), ..Default::default() };
        for finding in rubric::lints::lint(&input).findings {
            way.say(&finding.rule);
        }
        if let Some(meta_rubric) = &record.meta_rubric {
            let compiled =
                rubric::compile::compile_json(&serde_json::to_vec(meta_rubric).unwrap_or_default());
            compiled.diagnostics.iter().for_each(|found| way.say(&found.code));
        }
    }
    for form in [formats::rubrics::RubricExport::Mmi, formats::rubrics::RubricExport::HealthBench] {
        way.say(&format!("{:?}", export_losses(&reading.records, form).len()));
    }
    let points = TierPoints { answer_critical: 6.0, valuable: 3.0, context: 1.0 };
    let (mut lines, mut table) = (Vec::new(), Vec::new());
    write_health_bench(&reading.records, &points, &mut lines).expect("memory can be written to");
    write_rubric_csv(&reading.records, &mut table).expect("memory can be written to");
    let rows = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
    assert_eq!(rows, reading.records.len(), "one line for each rubric");
    way.number()
}

/// Manifests, finished judgements, the bare word of `main_config.txt`, and which of all it is.
fn documents(bytes: &[u8]) -> u64 {
    let mut way = Way::default();
    for name in ["main_config.txt", "20260101_000000_m_rejudged.jsonl", "x_summary.json", ""] {
        let format: Option<Format> = formats::recognise(Path::new(name), bytes);
        way.say(&format!("{format:?}"));
    }
    reads(bytes, &mut way, |input, sink| formats::read_manifest(input, &Options::default(), sink));
    reads(bytes, &mut way, |input, sink| formats::read_triples(input, &Options::default(), sink));
    reads(bytes, &mut way, |input, sink| formats::read_main_config(input, &Options::default(), sink));
    way.number()
}

/// Names and addresses of others: whatever they are, no path leaves its folder.
fn names(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let mut way = Way::default();
    let root = Path::new("/root/of/all");
    match formats::join_within(root, &text) {
        Ok(path) => {
            assert!(path.starts_with(root), "{text:?} stays below its folder");
            let up = path.components().any(|part| part == std::path::Component::ParentDir);
            assert!(!up, "{text:?} goes nowhere up");
            way.say("within");
        }
        Err(refusal) => way.say(&format!("{refusal:?}")),
    }
    match formats::check_input_name(&text) {
        Ok(()) => {
            let up = text.split(['/', '\\']).any(|part| part == "..");
            assert!(
                !up && !text.starts_with(['/', '\\']) && !text.contains('\0'),
                "{text:?} stays in its folder"
            );
        }
        Err(refusal) => way.say(&format!("{refusal:?}")),
    }
    let folder = formats::safe_prompt_folder(&text);
    assert!(!folder.contains('/') && folder != "..", "{text:?} becomes the name of a folder: {folder:?}");
    if let Some(tail) = formats::asset_tail(&text) {
        way.say(if formats::join_within(root, &tail).is_ok() { "tail" } else { "bad tail" });
    }
    for link in formats::links(&text) {
        way.say(&format!("{link:?}").chars().take(8).collect::<String>());
    }
    way.say(&format!("{:?}{:?}", formats::classify_url(&text), formats::mime_modality(&text, &text)));
    way.number()
}

/// Frames of both pipes, and ranges that a player asks for.
fn frames(bytes: &[u8]) -> u64 {
    let mut way = Way::default();
    way.say(&"x".repeat(media::fuzz::frames(bytes).min(8)));
    way.say(if media::fuzz::range(bytes) { "part" } else { "none" });
    way.number()
}

fn job(name: &str, args: &serde_json::Value, bytes: &[u8], way: &mut Way) {
    match media::fuzz::job(name, args, &Input::Bytes(bytes.to_vec())) {
        Ok(answer) => way.say(&answer.split(['{', '}', '[', ']']).take(6).collect::<String>()),
        Err(why) => way.say(&why),
    }
}

/// The boxes of ISO media, and what a file is.
fn boxes(bytes: &[u8]) -> u64 {
    let mut way = Way::default();
    job("format", &json!({"name": "a.mp4"}), bytes, &mut way);
    let film = [b"\0\0\0\x10ftypisom\0\0\0\0".as_slice(), bytes].concat();
    job("probe", &json!({"name": "a.mp4"}), &film, &mut way);
    way.number()
}

/// Streams of packets and pages: MPEG-TS, Ogg, Matroska, MPEG audio and AAC.
fn streams(bytes: &[u8]) -> u64 {
    let mut way = Way::default();
    job("probe", &json!({"name": "a.ts"}), bytes, &mut way);
    way.say(&"x".repeat(media::fuzz::tables(bytes).min(32)));
    way.number()
}

/// The XML of Word and PowerPoint.
fn office(bytes: &[u8]) -> u64 {
    let mut way = Way::default();
    job("document", &json!({"name": "a.docx"}), &media::fuzz::docx(bytes), &mut way);
    way.number()
}

/// Text, csv and Markdown in any encoding.
fn text(bytes: &[u8]) -> u64 {
    let mut way = Way::default();
    for name in ["a.csv", "a.txt", "a.md"] {
        job("document", &json!({ "name": name }), bytes, &mut way);
    }
    way.number()
}

/// The table of objects that a broken PDF is given anew.
fn pdf(bytes: &[u8]) -> u64 {
    let mut way = Way::default();
    match media::fuzz::mended(bytes) {
        Some(mended) => {
            assert!(mended.starts_with(bytes), "what was there stays as it was");
            way.say(&String::from_utf8_lossy(&mended[bytes.len()..]));
        }
        None => way.say("nothing to mend"),
    }
    way.number()
}
