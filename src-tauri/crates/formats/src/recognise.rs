//! Which format a file has, by what is in it. The name is asked only for what a harness writes nowhere else (the
//! run's time and variant), and for `main_config.txt`, whose content is a bare word.

use crate::json::{Json, Scanner};
use crate::rubrics::RubricFormat;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How many first bytes [`recognise`] wants to see; fewer are fine.
pub const HEAD: usize = 256 << 10;

/// A format that can be recognised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "snake_case")]
pub enum Format {
    /// An MMI dataset, one prompt per line.
    DatasetJsonl,
    /// An MMI dataset with embedded media.
    DatasetParquet,
    /// Result rows.
    ResultRows(RunFile),
    /// `run_manifest.json`.
    RunManifest,
    /// A summary: known, nothing to import (its figures are recomputed).
    Summary,
    /// Human verdicts (CSV).
    HumanVerdicts,
    /// Adjudications (CSV).
    Adjudications,
    /// Finished judgements, one per line.
    Triples,
    /// Samples of an interaction benchmark, one per line.
    Samples,
    /// What models predict of samples, one per line.
    Predictions,
    /// Verdicts on the checks of checklists, one per line.
    CheckGrades,
    /// A file of rubrics without responses; [`recognise`] leaves it to [`crate::rubrics::recognise_rubrics`], which wants to
    /// see the whole of it.
    Rubrics(RubricFile),
    /// `main_config.txt`.
    MainConfig,
    /// An archive (gzip, zip …): known and refused; unpack it first (quirk Q44).
    Archive,
}

/// Which rubric format a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RubricFile {
    /// The format.
    pub rubrics: RubricFormat,
}

/// What the place of a result file says of its run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFile {
    /// The results folder: name of the folder that the file is in.
    pub folder: String,
    /// Name of the file.
    pub file_name: String,
    /// `YYYYMMDD_HHMMSS` from the file name; empty if it has none.
    pub timestamp: String,
    /// `run_name` of the first row.
    pub run_name: String,
    /// Empty for the run itself, else its suffixes, stacked as in the name: `_rejudged`, `_rubric_scored` …
    pub variant: String,
}

/// The format of a file, from its path and first bytes ([`HEAD`] of them); none if it is none that is known.
pub fn recognise(path: &Path, head: &[u8]) -> Option<Format> {
    if head.starts_with(b"PAR1") {
        return Some(Format::DatasetParquet);
    }
    if ARCHIVES.iter().any(|(at, magic)| head.get(*at..).is_some_and(|rest| rest.starts_with(magic))) {
        return Some(Format::Archive);
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if text.trim_ascii_start().starts_with(b"{") {
        return of_json(path, &name, text);
    }
    // A result file whose first line is a fragment still holds rows further down.
    if let Some(format) = text.split(|b| *b == b'\n').skip(1).find_map(|line| of_row(path, &name, line)) {
        return Some(format);
    }
    of_sheet(text).or_else(|| {
        let word = std::str::from_utf8(text).ok()?.trim();
        let bare = !word.is_empty() && word.len() <= 255 && !word.contains(['\n', '/', '\\']);
        (bare && name == "main_config.txt").then_some(Format::MainConfig)
    })
}

/// gzip, zip (three beginnings), bzip2, xz, zstd, 7z, rar, tar: where and what.
const ARCHIVES: [(usize, &[u8]); 10] = [
    (0, b"\x1F\x8B"),
    (0, b"PK\x03\x04"),
    (0, b"PK\x05\x06"),
    (0, b"PK\x07\x08"),
    (0, b"BZh"),
    (0, b"\xFD7zXZ\0"),
    (0, b"\x28\xB5\x2F\xFD"),
    (0, b"7z\xBC\xAF\x27\x1C"),
    (0, b"Rar!\x1A\x07"),
    (257, b"ustar"),
];

fn of_json(path: &Path, name: &str, text: &[u8]) -> Option<Format> {
    let whole = outline(text);
    let has = |key: &str| whole.iter().any(|(k, _)| k == key);
    if has("run_timestamp") && (has("config_name") || has("config_hash")) {
        return Some(Format::RunManifest);
    }
    if let Some(format) = text.split(|b| *b == b'\n').find_map(|line| of_row(path, name, line)) {
        return Some(format);
    }
    let is_summary = |value: &Json| value.get("_total").is_some() || value.get("_overall").is_some();
    let cut = text.windows(8).any(|w| w == b"\"_total\"") && name.ends_with("_summary.json");
    (whole.iter().any(|(_, value)| is_summary(value)) || cut).then_some(Format::Summary)
}

/// What the row on a line belongs to.
fn of_row(path: &Path, name: &str, line: &[u8]) -> Option<Format> {
    let members = outline(line);
    let has = |key: &str| members.iter().any(|(k, _)| k == key);
    if has("human_verdict") && has("criterion_scores") {
        return Some(Format::Triples);
    }
    // Also where a field is forgotten: then the row is refused by its line, not the file as unknown.
    let of_sample = ["pattern", "level", "question", "options", "answer", "contexts"];
    if has("sample_id") && of_sample.iter().filter(|key| has(key)).count() >= 2 {
        return Some(Format::Samples);
    }
    if has("sample_id") && has("model") && has("choice") {
        return Some(Format::Predictions);
    }
    if has("question_id") && has("check_id") && has("verdict") {
        return Some(Format::CheckGrades);
    }
    if !has("prompt_id") {
        return None;
    }
    let result = ["run_name", "per_modality", "expected_modalities", "raw_response", "response_text"];
    if result.iter().filter(|key| has(key)).count() >= 2 {
        let run_name = members.iter().find(|(k, _)| k == "run_name").map(|(_, v)| v.string());
        return Some(Format::ResultRows(RunFile::new(path, name, run_name.as_deref())));
    }
    // A rubric with its prompt and gold list, on one line, is no row of a dataset: its criteria stand in it, not in "rubrics".
    let is_row = has("prompt_text") || (has("output_modalities") && !has("criteria"));
    is_row.then_some(Format::DatasetJsonl)
}

/// The members of an object, as far as the text goes; large ones are passed over.
fn outline(text: &[u8]) -> Vec<(String, Json<'_>)> {
    let mut scanner = Scanner::new(text);
    let (mut members, mut first) = (Vec::new(), true);
    if scanner.enter_object().is_err() {
        return members;
    }
    while let Ok(Some(key)) = scanner.key(&mut first) {
        let Ok(value) = scanner.value() else {
            members.push((key.into_owned(), Json::Null)); // cut by the end of the head; the key counts
            break;
        };
        members.push((key.into_owned(), value));
    }
    members
}

fn of_sheet(text: &[u8]) -> Option<Format> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
    let header = reader.byte_headers().ok()?;
    let has = |column: &str| {
        header.iter().any(|name| String::from_utf8_lossy(name).trim().eq_ignore_ascii_case(column))
    };
    if !["prompt_id", "model", "modality"].iter().all(|column| has(column)) {
        None
    } else if has("judge") && has("final") && has("cause") {
        Some(Format::Adjudications)
    } else {
        (has("annotator") && has("verdict")).then_some(Format::HumanVerdicts)
    }
}

impl RunFile {
    /// Takes a result file's name apart: `<timestamp>_<model><variant>.jsonl`. The run name of its rows says where the
    /// model ends and the variant begins (quirk Q32); without one the known suffixes are taken for a variant.
    pub fn new(path: &Path, file_name: &str, run_name: Option<&str>) -> Self {
        let folder = path
            .parent()
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
        let (timestamp, rest) = match stem.split_at_checked(15) {
            Some((time, rest)) if is_timestamp(time) => (time, rest.strip_prefix('_').unwrap_or(rest)),
            _ => ("", stem),
        };
        let safe = run_name.unwrap_or_default().replace(['/', ' '], "_");
        let after = rest.strip_prefix(safe.as_str()).filter(|_| !safe.is_empty());
        let variant = match after {
            Some(after) if variant_of(after) == after => after,
            _ => variant_of(rest),
        };
        let model = rest.strip_suffix(variant).unwrap_or(rest);
        Self {
            folder,
            file_name: file_name.to_owned(),
            timestamp: timestamp.to_owned(),
            run_name: run_name.filter(|name| !name.is_empty()).unwrap_or(model).to_owned(),
            variant: variant.to_owned(),
        }
    }
}

fn is_timestamp(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, b)| if at == 8 { b == b'_' } else { b.is_ascii_digit() })
}

/// The known suffixes at the end of a name, stacked as they are.
fn variant_of(name: &str) -> &str {
    let mut rest = name;
    while let Some(shorter) =
        ["_rejudged", "_rescored", "_rubric_scored"].iter().find_map(|suffix| rest.strip_suffix(suffix))
    {
        rest = shorter;
    }
    &name[rest.len()..]
}
