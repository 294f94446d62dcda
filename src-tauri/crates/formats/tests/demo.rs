//! The demo study is read whole and must come to the reference figures that ship with it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it finds nothing")]

use domain::{AssetState, PromptRecord};
use formats::{Event, Format, HEAD, Options, ReadReport, join_within, prompt_id_hash, read_file, recognise};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs,
    io::Read,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

fn demo(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../assets/demo").join(path)
}
fn golden() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/mmi-demo/golden.json");
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}
fn format_of(path: &Path) -> Option<Format> {
    let mut head = Vec::new();
    fs::File::open(path).unwrap().take(HEAD as u64).read_to_end(&mut head).unwrap();
    recognise(path, &head)
}
fn read(path: &Path) -> (ReadReport, Vec<Event>) {
    let format = format_of(path).unwrap();
    let mut events = Vec::new();
    let report = read_file(path, &format, &Options::default(), &mut |event| {
        events.push(event);
        ControlFlow::Continue(())
    });
    (report.unwrap(), events)
}
fn prompts(events: &[Event]) -> Vec<PromptRecord> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::Prompt { record, .. } => Some(record.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn both_datasets_hold_the_prompts_and_criteria_of_the_reference() {
    let golden = golden();
    let (report, lines) = read(&demo("dataset.jsonl"));
    let (_, columns) = read(&demo("dataset.parquet"));
    let jsonl = prompts(&lines);
    assert_eq!(Some(jsonl.len() as u64), golden["dataset"]["prompts"].as_u64(), "every prompt is read");
    let criteria: usize = jsonl.iter().map(|p| p.criteria.len()).sum();
    assert_eq!(Some(criteria as u64), golden["dataset"]["criteria"].as_u64(), "every criterion is read");
    let hash = prompt_id_hash(jsonl.iter().map(|p| p.key.as_str()));
    assert_eq!(
        Some(hash.as_str()),
        golden["dataset"]["prompt_id_hash"].as_str(),
        "the manifest's hash is ours"
    );
    assert_eq!(
        (report.rejected, report.repeated.len(), report.conflicting.len()),
        (0, 0, 0),
        "nothing is odd"
    );
    assert_eq!(jsonl, prompts(&columns), "parquet gives the same prompts as JSONL");
    let media: Vec<_> = columns
        .iter()
        .filter_map(|event| match event {
            Event::Media(media) => Some(media),
            _ => None,
        })
        .collect();
    assert!(!media.is_empty(), "the parquet file carries media");
    for medium in media {
        let name = medium.name.as_deref().expect("each medium of the demo belongs to an input file");
        let file = fs::read(demo("input_files").join(name)).unwrap();
        assert!(file == medium.bytes, "the embedded {name} is the file of that name");
    }
}

#[test]
fn every_result_file_comes_to_its_import_report() {
    let golden = golden();
    for (folder, run) in golden["runs"].as_object().unwrap() {
        for (name, expected) in run["files"].as_object().unwrap() {
            let path = demo("results").join(folder).join(name);
            let Some(Format::ResultRows(file)) = format_of(&path) else { panic!("{name} is a result file") };
            assert_eq!(&file.folder, folder, "the folder is the parent's name");
            for (key, ours) in
                [("variant", &file.variant), ("timestamp", &file.timestamp), ("run_name", &file.run_name)]
            {
                assert_eq!(Some(ours.as_str()), expected[key].as_str(), "{name}: {key}");
            }
            let (report, events) = read(&path);
            let expected = &expected["import_report"];
            let ours = serde_json::json!({
                "lines": report.lines, "blank": report.blank, "bad": report.bad, "recovered": report.recovered,
                "truncated_last": report.truncated_last, "no_id": report.no_id, "rows_parsed": report.rows,
                "superseded": report.superseded, "run_names": report.run_names,
                "unknown_modalities": report.unknown_modalities,
            });
            for (key, value) in ours.as_object().unwrap() {
                assert_eq!(value, &expected[key], "{folder}/{name}: {key}");
            }
            let (states, doubled) = winners(&events, path.parent().unwrap());
            assert_eq!(
                serde_json::json!(states),
                expected["asset_states"],
                "{name}: what became of the assets"
            );
            assert_eq!(
                serde_json::json!(doubled),
                expected["duplicate_asset_id_rows"],
                "{name}: doubled asset ids"
            );
        }
    }
}

/// States of the assets of the rows that count, and the prompts whose rows use an asset id twice.
fn winners(events: &[Event], folder: &Path) -> (BTreeMap<String, u64>, Vec<String>) {
    let mut rows: Vec<&domain::JudgedRow> = Vec::new();
    for event in events {
        if let Event::Row(row) = event {
            rows.retain(|earlier| earlier.prompt_key != row.prompt_key);
            rows.push(row);
        }
    }
    let (mut states, mut doubled) = (BTreeMap::new(), Vec::new());
    for row in rows {
        let mut ids: Vec<_> = row.assets.iter().map(|a| &a.asset_id).collect();
        ids.sort();
        ids.dedup();
        if ids.len() < row.assets.len() {
            doubled.push(row.prompt_key.clone());
        }
        for asset in &row.assets {
            let state = match (asset.capture_status.as_str(), &asset.tail) {
                ("captured", Some(tail)) => {
                    match join_within(folder, tail).map(|path| fs::read(path).unwrap()) {
                        Ok(bytes)
                            if hex::encode(Sha256::digest(&bytes)) == asset.sha256
                                && bytes.len() as u64 == asset.size_bytes =>
                        {
                            "ok".to_owned()
                        }
                        Ok(_) => format!("{:?}", AssetState::Mismatch),
                        Err(_) => format!("{:?}", AssetState::Missing),
                    }
                }
                (status, _) => status.to_owned(),
            };
            *states.entry(state).or_insert(0) += 1;
        }
    }
    (states, doubled)
}

#[test]
fn every_other_file_is_known_by_its_content() {
    for (file, format) in [
        ("human_verdicts.csv", Format::HumanVerdicts),
        ("adjudications.csv", Format::Adjudications),
        ("main_config.txt", Format::MainConfig),
        ("dataset.jsonl", Format::DatasetJsonl),
        ("dataset.parquet", Format::DatasetParquet),
        ("results/demo/run_manifest.json", Format::RunManifest),
        ("results/demo/20260612_093015_summary.json", Format::Summary),
        ("results/demo/20260613_081500_rejudged_summary.json", Format::Summary),
        ("results/demo/20260614_101010_rubric_scored_summary.json", Format::Summary),
    ] {
        assert_eq!(format_of(&demo(file)), Some(format), "{file}");
    }
    for file in [
        "../../tests/fixtures/mmi-demo/golden.json",
        "input_files/p951287.csv",
        "input_files/p962215.txt",
        "input_files/p745530.mp3",
    ] {
        assert_eq!(format_of(&demo(file)), None, "{file} is no file of a study");
    }
    let (report, events) = read(&demo("human_verdicts.csv"));
    assert_eq!(report.rejected, 0, "every verdict of the demo is sound");
    assert!(
        report.rows > 300 && events.len() as u64 > report.rows,
        "verdicts and a closing progress are sent"
    );
    let (report, _) = read(&demo("adjudications.csv"));
    assert_eq!((report.rows > 0, report.rejected), (true, 0), "every adjudication of the demo is sound");
    let (_, events) = read(&demo("results/demo/run_manifest.json"));
    let Some(Event::Manifest(manifest)) = events.first() else { panic!("a manifest is sent") };
    assert_eq!((manifest.models.len(), manifest.prompt_count), (3, 24), "the manifest is read whole");
}

#[test]
fn events_cross_a_pipe_unchanged() {
    for file in ["dataset.parquet", "results/demo/20260612_093015_model-c.jsonl", "human_verdicts.csv"] {
        let (_, events) = read(&demo(file));
        assert!(events.len() > 3, "{file} has something to send");
        for mut event in events {
            // Bytes go beside the event, not in its JSON.
            if let Event::Media(media) = &mut event {
                media.bytes.clear();
            }
            let sent = serde_json::to_vec(&event).unwrap();
            let back: Event = serde_json::from_slice(&sent).unwrap();
            assert!(back == event, "{file}: what is read from the pipe is what was written");
        }
    }
}

#[test]
fn reading_can_stop_and_go_on() {
    for file in [
        "dataset.jsonl",
        "dataset.parquet",
        "human_verdicts.csv",
        "results/demo/20260612_093015_model-a.jsonl",
    ] {
        let path = demo(file);
        let format = format_of(&path).unwrap();
        let kept = |event: &Event| !matches!(event, Event::Progress { .. });
        let whole: Vec<_> = read(&path).1.into_iter().filter(kept).collect();
        let mut options = Options { progress_every: 1, ..Options::default() };
        let (mut all, mut open, mut readings) = (Vec::new(), Vec::new(), 0);
        loop {
            readings += 1;
            let mut steps = 0;
            let mut next = options.start;
            let report = read_file(&path, &format, &options, &mut |event| {
                if let Event::Progress { next: reached, .. } = event {
                    all.append(&mut open);
                    next = reached;
                    steps += 1;
                    return if steps == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
                }
                open.push(event);
                ControlFlow::Continue(())
            })
            .unwrap();
            options.start = next;
            if !report.stopped {
                break;
            }
        }
        assert!(readings > 2, "{file} was read in several goes");
        assert!(all == whole, "{file}: the goes together give what one reading gives");
    }
}

#[test]
fn a_row_that_is_written_is_read_back_the_same() {
    let mut rows = 0;
    for name in ["model-a", "model-b", "model-c", "model-b_rejudged", "model-c_rubric_scored"] {
        let path = demo(&format!("results/demo/20260612_093015_{name}.jsonl"));
        for event in read(&path).1 {
            let Event::Row(row) = event else { continue };
            let mut line = Vec::new();
            formats::write_row(&row, &mut line).unwrap();
            assert!(line.is_ascii() && line.ends_with(b"\n"), "one line of ASCII");
            let mut back = None;
            let run = formats::RunFile::new(
                &path,
                path.file_name().unwrap().to_str().unwrap(),
                Some(&row.run_name),
            );
            formats::read_rows(std::io::Cursor::new(line), &run, &Options::default(), &mut |event| {
                if let Event::Row(row) = event {
                    back = Some(*row);
                }
                ControlFlow::Continue(())
            })
            .unwrap();
            let mut back = back.expect("it is a row again");
            (back.line, back.offset, back.length) = (row.line, row.offset, row.length);
            assert_eq!(back, *row, "everything that was read of {name} is there again");
            rows += 1;
        }
    }
    assert!(rows > 100, "all five files were tried: {rows} rows");
}
