//! Small files that are read whole: run manifests, `main_config.txt`; and triples, which are lines.

use crate::{
    Event, Format, FormatError, JudgeProfile, ManifestModel, Options, ReadReport, RunManifest, Sink, Triple,
    feed::{Feed, Notes},
    json::Json,
    lines::{Lines, is_blank},
    row_parts::score,
};
use sha2::{Digest, Sha256};
use std::io::{Read, Seek};

/// A document larger than this is none.
const LARGEST: u64 = 64 << 20;

/// Reads a document whole, without its BOM.
pub(crate) fn whole(input: impl Read, what: &'static str) -> Result<Vec<u8>, FormatError> {
    let mut bytes = Vec::new();
    input.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(FormatError::Broken { what, why: format!("it is larger than {LARGEST} bytes") });
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    Ok(bytes)
}

/// Parses a JSON document.
pub(crate) fn parsed<'a>(bytes: &'a [u8], what: &'static str) -> Result<Json<'a>, FormatError> {
    Json::parse(bytes).map_err(|fault| {
        let why = if fault.ended {
            "it ends inside a value".to_owned()
        } else {
            format!("it is no JSON at byte {}", fault.at + 1)
        };
        FormatError::Broken { what, why }
    })
}

/// Reads a `run_manifest.json` (MMI-FORMAT 2).
pub fn read_manifest(
    input: impl Read,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let bytes = whole(input, "the run manifest")?;
    let json = parsed(&bytes, "the run manifest")?;
    let text = |key: &str| json.get(key).map(Json::string).unwrap_or_default();
    let count = |key: &str| json.get(key).map_or(0, Json::count);
    let profile = |key: &str| {
        let profile = json.get(key);
        let of = |key: &str| profile.and_then(|p| p.get(key));
        JudgeProfile {
            enabled: of("enabled").is_some_and(Json::truth),
            provider: of("provider").map(Json::string).unwrap_or_default(),
            model: of("model").map(Json::string).unwrap_or_default(),
            fetch_remote_assets: of("fetch_remote_assets").is_some_and(Json::truth),
        }
    };
    let model = |model: &Json| {
        let text = |key: &str| model.get(key).map(Json::string).unwrap_or_default();
        ManifestModel {
            name: text("name"),
            provider: text("provider"),
            model_id: text("model_id"),
            resolved_model_version: text("resolved_model_version"),
        }
    };
    let manifest = RunManifest {
        schema_version: count("schema_version"),
        run_timestamp: text("run_timestamp"),
        config_name: text("config_name"),
        config_hash: text("config_hash"),
        dataset_revision: text("dataset_revision"),
        dataset_prompt_id_hash: text("dataset_prompt_id_hash"),
        prompt_count: count("prompt_count"),
        prompt_selection: text("prompt_selection"),
        harness_version: text("harness_version"),
        harness_commit: text("harness_commit"),
        models: json
            .get("models")
            .map(|models| models.items().iter().map(model).collect())
            .unwrap_or_default(),
        judge: profile("judge_profile"),
        rubric_judge: profile("rubric_profile"),
    };
    let mut feed = Feed::new(Format::RunManifest, options, bytes.len() as u64, sink);
    if manifest.schema_version != 1 {
        feed.warn(0, format!("schema_version is {}; only version 1 is known", manifest.schema_version));
    }
    feed.report.rows = 1;
    feed.send(Event::Manifest(Box::new(manifest)));
    Ok(feed.finish(bytes.len() as u64))
}

/// The hash that a manifest has of a dataset: SHA-256 of the sorted prompt ids joined with LF, as hex.
pub fn prompt_id_hash<'a>(ids: impl IntoIterator<Item = &'a str>) -> String {
    let mut ids: Vec<&str> = ids.into_iter().collect();
    ids.sort_unstable();
    hex::encode(Sha256::digest(ids.join("\n")))
}

/// Reads a `main_config.txt`: one word, the name of a results folder.
pub fn read_main_config(
    input: impl Read,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let bytes = whole(input, "main_config.txt")?;
    let text = String::from_utf8_lossy(&bytes);
    let folder = text.trim();
    if folder.is_empty() || folder.contains(['/', '\\', '\n']) || folder == ".." {
        return Err(FormatError::Broken {
            what: "main_config.txt",
            why: "it should hold the name of one results folder and nothing else".to_owned(),
        });
    }
    let mut feed = Feed::new(Format::MainConfig, options, bytes.len() as u64, sink);
    feed.report.rows = 1;
    feed.send(Event::MainConfig { folder: folder.to_owned() });
    Ok(feed.finish(bytes.len() as u64))
}

/// Reads finished judgements, one JSON object per line (`agreement --triples`).
pub fn read_triples<R: Read + Seek>(
    input: R,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let mut lines = Lines::new(input, options)?;
    let mut feed = Feed::new(Format::Triples, options, lines.total, sink);
    while let Some(line) = lines.next_line()? {
        feed.report.lines += 1;
        let number = line.number;
        if is_blank(line.bytes) && !line.too_long {
            feed.report.blank += 1;
        } else {
            let mut notes = Notes::default();
            match Json::parse(line.bytes)
                .map_err(|_| "the line is no JSON".to_owned())
                .and_then(|json| triple(&json, &mut notes))
            {
                Ok(triple) => {
                    feed.report.rows += 1;
                    feed.send(Event::Triple { line: number, triple });
                }
                Err(why) => feed.reject(number, why),
            }
            feed.notes(number, notes);
        }
        let next = lines.next;
        if !feed.reached(next, next.offset) {
            return Ok(feed.report);
        }
    }
    Ok(feed.finish(lines.next.offset))
}

fn triple(json: &Json, notes: &mut Notes) -> Result<Triple, String> {
    let text = |key: &str| {
        let text = json.get(key).map(Json::string).unwrap_or_default();
        if text.trim().is_empty() { Err(format!("{key} is missing")) } else { Ok(text) }
    };
    let scores = json.get("criterion_scores").map(Json::items).unwrap_or_default();
    if scores.is_empty() {
        return Err("criterion_scores is missing or empty".to_owned());
    }
    Ok(Triple {
        prompt_id: text("prompt_id")?,
        model: text("model")?,
        modality: text("modality")?.parse().map_err(|error| format!("modality: {error}"))?,
        human_verdict: text("human_verdict")?.parse().map_err(|error| format!("human_verdict: {error}"))?,
        criterion_scores: (1..)
            .zip(scores)
            .map(|(n, value)| score(&format!("criterion_scores, entry {n}"), Some(value), notes))
            .collect(),
    })
}
