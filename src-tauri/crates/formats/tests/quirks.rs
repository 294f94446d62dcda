//! One test per quirk of MMI-FORMAT, section 10, that reading has to do with; each is read as its row there says.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it finds nothing")]

use domain::{JudgedRow, Modality, PayloadStatus, PromptRecord};
use formats::{Event, Media, Options, ReadReport, RunFile, read_dataset, read_rows};
use std::{io::Cursor, ops::ControlFlow};

#[derive(Default)]
struct Read {
    report: ReadReport,
    rows: Vec<JudgedRow>,
    prompts: Vec<PromptRecord>,
    media: Vec<Media>,
    rejected: Vec<(u64, String)>,
    warnings: Vec<(u64, String)>,
    superseded: Vec<(u64, u64)>,
}
impl Read {
    fn take(&mut self, event: Event) {
        match event {
            Event::Row(row) => self.rows.push(*row),
            Event::Prompt { record, .. } => self.prompts.push(record),
            Event::Media(media) => self.media.push(media),
            Event::Rejected { line, why } => self.rejected.push((line, why)),
            Event::Warning { line, why } => self.warnings.push((line, why)),
            Event::Superseded { line, by, .. } => self.superseded.push((line, by)),
            _ => {}
        }
    }
    fn warns_of(&self, text: &str) -> bool {
        self.warnings.iter().any(|(_, why)| why.contains(text))
    }
}
fn rows_with(bytes: &[u8], options: &Options) -> Read {
    let mut read = Read::default();
    let run =
        RunFile::new("results/r/20260101_000000_m.jsonl".as_ref(), "20260101_000000_m.jsonl", Some("m"));
    let report = read_rows(Cursor::new(bytes), &run, options, &mut |event| {
        read.take(event);
        ControlFlow::Continue(())
    });
    read.report = report.unwrap();
    read
}
fn rows(bytes: impl AsRef<[u8]>) -> Read {
    rows_with(bytes.as_ref(), &Options::default())
}
fn dataset(bytes: impl AsRef<[u8]>) -> Read {
    let mut read = Read::default();
    let report = read_dataset(Cursor::new(bytes.as_ref()), &Options::default(), &mut |event| {
        read.take(event);
        ControlFlow::Continue(())
    });
    read.report = report.unwrap();
    read
}
/// A row with some more keys.
fn row(id: &str, more: &str) -> String {
    let more = if more.is_empty() { String::new() } else { format!(", {more}") };
    format!(
        r#"{{"prompt_id": "{id}", "run_name": "m", "expected_modalities": ["Text"], "per_modality": {{"Text": {{"detected_native": true}}}}{more}}}"#
    )
}
/// The one row of a file of one line, whose only key beside the needed ones is given.
fn one(more: &str) -> (JudgedRow, Read) {
    let mut read = rows(row("p1", more));
    assert_eq!(read.rows.len(), 1, "the row is read: {:?}", read.rejected);
    (read.rows.remove(0), read)
}
fn prompt(id: &str, more: &str) -> String {
    format!(r#"{{"prompt_id": "{id}", "prompt_text": "Draw.", "output_modalities": "Image, Text"{more}}}"#)
}

#[test]
fn q01_a_bom_is_dropped_silently() {
    let read = rows(format!("\u{feff}{}\n", row("p1", "")));
    assert_eq!((read.rows.len(), read.warnings.len()), (1, 0), "row 1 is read and nothing is said");
    assert_eq!(read.rows[0].offset, 3, "the row starts behind the BOM");
    assert_eq!(dataset(format!("\u{feff}{}", prompt("p", ""))).prompts.len(), 1, "in datasets too");
}

#[test]
fn q02_crlf_and_blank_lines_are_accepted() {
    let read = rows(format!("{}\r\n\r\n  \n{}\r\n", row("p1", ""), row("p2", "")));
    assert_eq!(
        (read.rows.len(), read.report.blank, read.rejected.len()),
        (2, 2, 0),
        "blank lines are skipped"
    );
    assert_eq!(read.rows[1].line, 4, "blank lines are counted");
}

#[test]
fn q03_a_truncated_last_line_is_one_incomplete_row() {
    let text = format!("{}\n{}", row("p1", ""), row("p2", r#""response_text": "abc""#));
    let whole = rows(&text);
    assert_eq!((whole.rows.len(), whole.report.truncated_last), (2, false), "a missing LF alone is no fault");
    let read = rows(&text[..text.len() - 4]);
    assert_eq!(read.rows.len(), 1, "the rest is imported");
    assert!(read.report.truncated_last && read.rejected[0].1.contains("incomplete row"), "and it is said");
    assert_eq!(read.rejected[0].0, 2, "with its line");
}

#[test]
fn q04_a_row_glued_to_a_fragment_is_recovered() {
    let broken = row("p1", r#""response_text": "a long answer", "raw_response": {"a": "AAAA"}"#);
    for cut in 1..broken.len() {
        let read = rows(format!("{}{}\n{}\n", &broken[..cut], row("p2", ""), row("p3", "")));
        let keys: Vec<_> = read.rows.iter().map(|r| r.prompt_key.as_str()).collect();
        assert_eq!(keys, ["p2", "p3"], "cut at {cut}: the good row and the next are both read");
        assert_eq!(read.report.recovered, [1], "cut at {cut}: the line is reported");
    }
    let read = rows(format!("{}{}\n", broken, row("p2", "")));
    assert_eq!(read.rows.len(), 2, "two whole rows on one line are both read");
    let text = format!("{}{}", &broken[..20], row("p2", ""));
    let found = &rows(&text).rows[0];
    let (start, end) =
        (usize::try_from(found.offset).unwrap(), usize::try_from(found.offset + found.length).unwrap());
    assert_eq!(&text[start..end], row("p2", ""), "offset and length are those of the recovered row");
}

#[test]
fn q05_json_that_is_no_row_is_rejected_with_its_line() {
    let read = rows(format!(
        "[1]\n\"x\"\n{{\"run_name\": \"m\"}}\n{{\"prompt_id\": \"\"}}\nnot json\n{}\n",
        row("p", "")
    ));
    assert_eq!(read.report.no_id, [1, 2, 3, 4], "no object, or no prompt_id");
    assert_eq!(read.report.bad, [5], "no JSON");
    assert_eq!((read.rows.len(), read.rejected.len()), (1, 5), "the good row goes in");
}

#[test]
fn q06_bare_nan_and_infinity_are_read_and_score_0() {
    let grades = r#""raw_response": {"a": [NaN, -Infinity]}, "f1": NaN, "rubric_grades": [{"index": 1, "modality": "Text", "score": NaN}, {"index": 2, "modality": "Text", "score": Infinity}]"#;
    let (row, read) = one(grades);
    assert_eq!(row.grades.iter().map(|g| g.score).collect::<Vec<_>>(), [0.0, 0.0], "no number is 0");
    assert!(read.warns_of("grade 1: the score is no finite number"), "and is flagged");
    assert_eq!(row.stored.f1, None, "a stored score that is no number is none");
}

#[test]
fn q07_lone_surrogates_become_replacement_characters() {
    let (row, _) = one(r#""response_text": "a\ud83d b \ud83d\ude00""#);
    assert_eq!(row.response_text, "a\u{fffd} b 😀", "a lone one is replaced, a pair is a character");
}

#[test]
fn q08_line_separators_and_control_characters_stay_in_strings() {
    let text = "a\u{2028}b\u{2029}c\u{85}d\u{b}e\u{c}f\u{0}g\u{1c}";
    let (row, _) = one(&format!(r#""response_text": "{text}""#));
    assert_eq!(row.response_text, text, "they are data; lines end at LF only");
}

#[test]
fn q09_a_huge_raw_response_is_passed_over() {
    let huge = "A".repeat(120 << 20);
    let text = format!(
        "{}\n{}\n",
        row("p1", &format!(r#""response_text": "hi", "raw_response": {{"b": "{huge}"}}"#)),
        row("p2", "")
    );
    let read = rows(&text);
    assert_eq!(read.rows.len(), 2, "both rows are read");
    assert!(read.rows[0].length > 120 << 20, "its place in the file is kept");
    assert_eq!(read.rows[1].offset, read.rows[0].length + 1, "the next row starts right behind it");
    let read = rows_with(text.as_bytes(), &Options { max_line: 1 << 20, ..Options::default() });
    assert_eq!(read.rows.len(), 1, "a line above the limit is rejected, the rest goes in");
    assert!(read.rejected[0].1.contains("longer than"), "and it is said why");
}

#[test]
fn q10_what_older_rows_lack_gets_its_default() {
    let (row, read) = one("");
    assert!(row.assets.is_empty() && row.grades.is_empty() && row.judge_model.is_empty(), "empty");
    assert!(!row.judge_used && !row.rubric_used && row.failure.is_none(), "false");
    assert_eq!((row.stored.f1, row.stored.rubric_score), (None, None), "null");
    assert!(
        !row.presence.of(Modality::Text).via_judge && row.presence.of(Modality::Text).native,
        "flags as written"
    );
    assert!(read.warnings.is_empty(), "an old row is nothing odd");
}

#[test]
fn q12_unknown_modalities_are_left_out_and_reported() {
    let read = rows(
        r#"{"prompt_id": "p", "run_name": "m", "expected_modalities": ["Text", "Smell"], "per_modality": {"Smell": {"detected_native": true}}, "output_assets": [{"modality": "3D", "capture_status": "captured"}], "rubric_grades": [{"index": 1, "modality": "Smell", "score": 1}]}"#,
    );
    let row = &read.rows[0];
    assert_eq!(row.expected.as_slice(), [Modality::Text], "no sixth modality is invented");
    assert_eq!(
        row.assets[0].modality,
        Modality::Document,
        "an asset of an unknown kind is a document, as in the harness"
    );
    assert_eq!(
        (row.grades[0].modality, row.grades[0].modality_raw.as_str()),
        (None, "Smell"),
        "the raw name is kept"
    );
    assert_eq!(read.report.unknown_modalities["Smell"], 3, "and they are counted");
    assert_eq!(read.report.unknown_modalities["3D"], 1, "and they are counted");
}

#[test]
fn q13_case_and_space_of_modalities_are_mended() {
    let read = rows(
        r#"{"prompt_id": "p", "run_name": "m", "expected_modalities": ["text", " Video "], "per_modality": {"video": {"detected_native": true}}}"#,
    );
    assert_eq!(read.rows[0].expected.as_slice(), [Modality::Text, Modality::Video], "both are known");
    assert!(read.rows[0].presence.of(Modality::Video).native, "in per_modality too");
    assert_eq!(read.warnings.len(), 3, "each is reported");
    let read = dataset(r#"{"prompt_id": "p", "prompt_text": "t", "output_modalities": "text , VIDEO"}"#);
    assert_eq!(read.prompts[0].gold.as_slice(), [Modality::Text, Modality::Video], "in datasets too");
}

#[test]
fn q14_a_repeated_asset_id_is_reported_and_both_assets_kept() {
    let (row, read) = one(
        r#""output_assets": [{"asset_id": "a", "modality": "Image", "sha256": "AB"}, {"asset_id": "a", "modality": "Image", "sha256": "cd"}]"#,
    );
    assert_eq!(row.assets.len(), 2, "assets are known by their position");
    assert_eq!(row.assets[0].sha256, "ab", "hashes are lower case");
    assert_eq!(read.report.duplicate_asset_ids, ["p1"], "it is reported");
}

#[test]
fn q15_the_last_row_of_a_key_supersedes_the_others() {
    let text = [row("p1", ""), row("p2", ""), row("p1", ""), row("p1", "")].join("\n");
    let read = rows(text + "\n{\"prompt_id\": \"p1\", \"run_name\": \"m\", \"mod");
    assert_eq!(
        read.superseded,
        [(1, 3), (3, 4)],
        "each earlier row is named; a broken row supersedes nothing"
    );
    assert_eq!(read.report.superseded, 2, "and they are counted");
}

#[test]
fn q16_a_prompt_twice_is_one_or_a_conflict() {
    let text =
        [prompt("p1", ""), prompt("p2", ""), prompt("p1", ""), prompt("p2", r#", "input_files": "a.png""#)]
            .join("\n");
    let read = dataset(text);
    assert_eq!(read.prompts.len(), 2, "each key comes once");
    assert_eq!(read.report.repeated, ["p1"], "an identical one is dropped");
    assert_eq!(read.report.conflicting, ["p2"], "a different one is a conflict");
    assert_eq!(read.rejected[0].0, 4, "the first is kept, the later is rejected");
}

#[test]
fn q20_recorded_paths_are_rebased_or_refused() {
    let tail = formats::asset_tail;
    let home = Some("t_m_assets/p1/a.png".to_owned());
    for path in [
        "/home/x/results/r/t_m_assets/p1/a.png",
        "results/r/t_m_assets/p1/a.png",
        "C:\\runs\\t_m_assets\\p1\\a.png",
        "\\\\server\\share\\t_m_assets\\p1/a.png",
        "../../r/t_m_assets/./p1//a.png",
    ] {
        assert_eq!(tail(path), home, "{path} is rebased by its tail");
    }
    for path in [
        "",
        "/etc/passwd",
        "t_m_assets",
        "x_assets/",
        "t_m_assets/../../etc/passwd",
        "t_assets\\..\\x",
        "a_assets/C:x",
        "a_assets/x\u{0}y",
    ] {
        assert_eq!(tail(path), None, "{path:?} leads nowhere safe");
    }
    assert_eq!(
        tail("a_assets/b_assets/c").as_deref(),
        Some("a_assets/b_assets/c"),
        "the first such folder counts"
    );
    let (_, read) = one(r#""output_assets": [{"modality": "Image", "local_path": "/etc/passwd"}]"#);
    assert!(read.warns_of("counts as missing") && !read.warns_of("passwd"), "it is said, without the path");
}

#[cfg(unix)]
#[test]
fn q21_links_that_leave_the_folder_are_not_followed() {
    use formats::{PathRefusal, join_within};
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("in");
    std::fs::create_dir_all(folder.join("x_assets")).unwrap();
    std::fs::write(place.path().join("secret"), "s").unwrap();
    std::fs::write(folder.join("x_assets/a"), "a").unwrap();
    std::os::unix::fs::symlink(place.path().join("secret"), folder.join("x_assets/out")).unwrap();
    std::os::unix::fs::symlink(place.path(), folder.join("up")).unwrap();
    std::os::unix::fs::symlink(folder.join("x_assets/a"), folder.join("inside")).unwrap();
    assert!(join_within(&folder, "x_assets/a").is_ok(), "a plain file is found");
    assert!(join_within(&folder, "inside").is_ok(), "a link that stays inside is fine");
    assert_eq!(join_within(&folder, "x_assets/out"), Err(PathRefusal::Leaves), "a file link that leaves");
    assert_eq!(join_within(&folder, "up/secret"), Err(PathRefusal::Leaves), "a folder link that leaves");
    assert_eq!(join_within(&folder, "nothing"), Err(PathRefusal::Missing), "no such file");
    assert_eq!(join_within(&folder, "x_assets"), Err(PathRefusal::Missing), "a folder is no file");
    for (name, refusal) in [
        ("", PathRefusal::Empty),
        ("/etc/passwd", PathRefusal::Absolute),
        ("\\\\host\\share", PathRefusal::Absolute),
        ("C:\\x", PathRefusal::Drive),
        ("c:x", PathRefusal::Drive),
        ("../secret", PathRefusal::Leaves),
        ("a\\..\\..\\secret", PathRefusal::Leaves),
        ("a\u{0}b", PathRefusal::Control),
    ] {
        assert_eq!(join_within(&folder, name), Err(refusal), "{name:?} is refused by its name");
    }
}

#[test]
fn q29_q30_an_empty_text_is_filled_from_the_raw_response() {
    for (raw, text) in [
        (r#""plain""#, "plain"),
        (r#"{"text": "t"}"#, "t"),
        (r#"{"output_text": "o"}"#, "o"),
        (r#"{"content": [{"type": "text", "text": "a"}, {"type": "tool_use", "text": "no"}]}"#, "a"),
        (
            r#"{"output": [{"type": "reasoning", "content": [{"type": "text", "text": "no"}]}, {"type": "message", "content": [{"type": "output_text", "text": "out"}]}]}"#,
            "out",
        ),
        (r#"{"choices": [{"message": {"content": "c"}}]}"#, "c"),
        (r#"{"candidates": [{"content": {"parts": [{"text": "g"}]}}]}"#, "g"),
        (r#"[{"text": "l"}]"#, "l"),
        ("null", ""),
        ("17", ""),
    ] {
        let (row, _) = one(&format!(r#""raw_response": {raw}, "response_text": " ""#));
        assert_eq!(row.response_text.trim(), text, "from {raw}");
    }
    let (row, _) = one(r#""raw_response": "raw", "response_text": "own""#);
    assert_eq!(row.response_text, "own", "the row's own text comes first");
    let (row, _) = one(
        r#""raw_response": "raw", "response_text": "", "rubric_grades": [{"modality": "Text", "score": 0}]"#,
    );
    assert_eq!(
        row.grades[0].payload,
        PayloadStatus::Absent,
        "what is filled in for showing was not there to be graded"
    );
}

#[test]
fn q31_a_prompt_key_is_any_text() {
    for key in ["a/b", "ü ß", "P1", "p1", "..", "x".repeat(5000).as_str()] {
        assert_eq!(rows(row(key, "")).rows[0].prompt_key, key, "keys are opaque");
    }
    let read = rows(r#"{"prompt_id": 17, "run_name": "m", "per_modality": {}}"#);
    assert_eq!(read.rows[0].prompt_key, "17", "a number is turned into text");
    for (id, folder) in
        [("a/b c", "a_b_c"), ("..x_", "x"), ("///", "asset"), ("ü", "asset"), ("a_ü", "a"), ("a!?b", "a_b")]
    {
        assert_eq!(formats::safe_prompt_folder(id), folder, "the harness's folder of {id}");
    }
}

#[test]
fn q32_the_run_name_says_where_the_model_ends() {
    let of = |file: &str, run: Option<&str>| {
        let file = RunFile::new(format!("results/main/{file}").as_ref(), file, run);
        (file.timestamp, file.run_name, file.variant)
    };
    let text = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
    let time = "20260101_000000";
    assert_eq!(of("20260101_000000_m.jsonl", Some("m")), text(time, "m", ""), "the run itself");
    assert_eq!(of("20260101_000000_m_rejudged.jsonl", Some("m")), text(time, "m", "_rejudged"), "a variant");
    assert_eq!(
        of("20260101_000000_m_rejudged.jsonl", Some("m_rejudged")),
        text(time, "m_rejudged", ""),
        "a model whose name ends like a variant"
    );
    assert_eq!(
        of("20260101_000000_a_b_rejudged_rubric_scored.jsonl", Some("a/b")),
        text(time, "a/b", "_rejudged_rubric_scored"),
        "suffixes stack, and / is written as _"
    );
    assert_eq!(
        of("20260101_000000_m_rescored.jsonl", None),
        text(time, "m", "_rescored"),
        "without a row the name is a hint"
    );
    assert_eq!(of("other.jsonl", Some("m")), text("", "m", ""), "any other name is no obstacle");
}

#[test]
fn q35_scores_are_read_clamped_and_reported() {
    let (row, read) = one(
        r#""rubric_grades": [{"modality": "Text", "score": 1.5}, {"modality": "Text", "score": -1}, {"modality": "Text", "score": "0.5"}, {"modality": "Text", "score": "good"}, {"modality": "Text"}, {"modality": "Text", "score": null}, {"modality": "Text", "score": 1}]"#,
    );
    let scores: Vec<_> = row.grades.iter().map(|g| g.score).collect();
    assert_eq!(scores, [1.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0], "clamped, parsed, or 0");
    assert_eq!(read.warnings.len(), 6, "all but the last are reported");
    assert_eq!(row.grades[2].index, 3, "a missing index is the position");
}

#[test]
fn q36_a_missing_evaluator_error_is_false() {
    let (row, _) = one(
        r#""rubric_grades": [{"modality": "Image", "score": 0, "explanation": "The judge call failed"}]"#,
    );
    assert!(!row.grades[0].evaluator_error, "it is not inferred from the wording");
    assert_eq!(
        row.grades[0].payload,
        PayloadStatus::Absent,
        "a missing payload status follows from the assets"
    );
}

#[test]
fn q37_q39_q40_odd_expectations_are_kept() {
    let text = r#"{"prompt_id": "p", "run_name": "m", "expected_modalities": ["Video", "Text", "Video"], "per_modality": {}, "rubric_grades": [{"modality": "Audio", "score": 1}]}"#;
    let read = rows(text);
    assert_eq!(read.rows[0].expected.as_slice(), [Modality::Video, Modality::Text], "Q39: a set in order");
    assert_eq!(read.rows[0].grades[0].modality, Some(Modality::Audio), "Q37: an unexpected grade is kept");
    let read = rows(text.replace(r#"["Video", "Text", "Video"]"#, "[]"));
    assert!(read.rows[0].expected.is_empty(), "Q40: nothing expected is no fault of the row");
}

#[test]
fn q41_q42_numbers_booleans_and_order_are_read_by_meaning() {
    let read = rows(
        r#" { "zzz" : {"x":[1]}, "per_modality":{"Image":{"detected_native":1,"detected_via_url":0.0}}, "output_assets":[{"size_bytes":12.0,"modality":"Image"}], "is_error":0, "prompt_id":"p","run_name":"m","f1":1 } "#,
    );
    let row = &read.rows[0];
    assert!(
        row.presence.of(Modality::Image).native && !row.presence.of(Modality::Image).via_url,
        "1 is true, 0.0 false"
    );
    assert_eq!((row.assets[0].size_bytes, row.stored.f1), (12, Some(1.0)), "12.0 is 12, 1 is 1.0");
    assert_eq!(row.offset, 1, "the row is its object, without the space around it");
}

#[test]
fn q43_a_long_file_reports_progress_and_can_be_cancelled() {
    let text = (0..5000).map(|n| row(&format!("p{n}"), "") + "\n").collect::<String>();
    let run = RunFile::default();
    let options = Options { progress_every: 10_000, ..Options::default() };
    let (mut seen, mut places) = (0, Vec::new());
    let report = read_rows(Cursor::new(text.as_bytes()), &run, &options, &mut |event| {
        match event {
            Event::Row(_) => seen += 1,
            Event::Progress { next, .. } => places.push((next, seen)),
            _ => {}
        }
        if seen == 2000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert!(report.stopped && seen == 2000, "nothing comes after the answer Stop");
    assert!(places.len() > 10, "progress is sent on the way");
    assert!(places.iter().all(|(next, seen)| next.line == seen + 1), "progress stands behind all rows sent");
}

#[test]
fn q44_archives_are_known_and_refused() {
    for head in [&b"\x1f\x8b\x08"[..], b"PK\x03\x04", b"BZh9", b"\xfd7zXZ\0"] {
        let format = formats::recognise("run.zip".as_ref(), head).unwrap();
        assert_eq!(format, formats::Format::Archive, "an archive is known by its bytes");
        let file = tempfile::NamedTempFile::new().unwrap();
        let refused =
            formats::read_file(file.path(), &format, &Options::default(), &mut |_| ControlFlow::Continue(()));
        assert!(refused.unwrap_err().to_string().contains("unpack it"), "the refusal says what to do");
    }
}

#[test]
fn dataset_rubrics_are_read_in_every_form() {
    let criteria = r#"{"criteria": [{"id": "7", "criterion": " Is blue. ", "modality": " IMAGE "}, {"criterion": "Is red.", "modality": "text", "weight": 3}]}"#;
    let quoted = serde_json::to_string(criteria).unwrap();
    let list = serde_json::to_string(&criteria[13..criteria.len() - 1]).unwrap();
    for (form, warned) in [(quoted.as_str(), false), (criteria, true), (list.as_str(), true)] {
        let read = dataset(prompt("p", &format!(r#", "rubrics": {form}"#)));
        let found: Vec<_> = read.prompts[0]
            .criteria
            .iter()
            .map(|c| (c.id.as_str(), c.criterion.as_str(), c.modality))
            .collect();
        assert_eq!(found, [("7", "Is blue.", Modality::Image), ("2", "Is red.", Modality::Text)], "{form}");
        assert_eq!(
            !read.warnings.is_empty(),
            warned,
            "an unusual form is reported, the usual one is not: {form}"
        );
    }
    for (form, warned) in [
        ("null", false),
        ("\"\"", false),
        ("\" \"", false),
        ("NaN", false),
        (r#""{\"criteria\": []}""#, false),
        (r#""1. Is blue.""#, true),
        (r#""{\"a\": 1}""#, true),
    ] {
        let read = dataset(prompt("p", &format!(r#", "rubrics": {form}"#)));
        assert!(read.prompts[0].criteria.is_empty(), "{form} gives no criteria");
        assert_eq!(!read.warnings.is_empty(), warned, "{form}");
    }
    let odd = r#", "rubrics": {"criteria": [{"criterion": null, "modality": "text"}, {"criterion": "a", "modality": "smell"}, {"criterion": "b", "modality": "audio"}]}"#;
    let read = dataset(prompt("p", odd));
    assert_eq!(read.prompts[0].criteria.len(), 1, "a criterion without text or modality is left out");
    assert!(read.warns_of("not in output_modalities"), "one outside the gold list is reported");
}

#[test]
fn dataset_rows_are_rejected_one_by_one() {
    let bad = [
        r#"{"prompt_text": "t", "output_modalities": "Text"}"#,
        r#"{"prompt_id": "a", "output_modalities": "Text"}"#,
        r#"{"prompt_id": "a", "prompt_text": "t"}"#,
        r#"{"prompt_id": "a", "prompt_text": "t", "output_modalities": ""}"#,
        r#"{"prompt_id": "a", "prompt_text": "t", "output_modalities": "Smell"}"#,
        r#"{"prompt_id": "a", "prompt_text": "t", "output_modalities": "Text", "input_files": "../x.png"}"#,
        r#"{"prompt_id": "a", "prompt_text": "t", "output_modalities": "Text", "input_files": "C:\\x.png"}"#,
        "[]",
        "{",
    ];
    let read = dataset(format!(
        "{}\n{}\n",
        bad.join("\n"),
        prompt("p", r#", "input_files": "a.png\n\n nested/b.jpg ""#)
    ));
    assert_eq!(
        read.rejected.iter().map(|(line, _)| *line).collect::<Vec<_>>(),
        (1..=9).collect::<Vec<_>>(),
        "each with its line"
    );
    assert_eq!(
        read.prompts[0].input_files,
        ["a.png", "nested/b.jpg"],
        "the good row goes in, its names trimmed"
    );
}

#[test]
fn embedded_media_in_json_are_unpacked_and_named() {
    let more = r#", "input_files": "a.jpg\nb.png\nc.wav", "input_images": [{"bytes": "Zm9v", "path": "x/b.png"}, {"bytes": "YmFy", "path": null}, null], "input_audio": {"bytes": [1, 2, 255], "path": ""}, "input_video": {"bytes": null, "path": "v.mp4"}"#;
    let read = dataset(prompt("p", more));
    let found: Vec<_> = read.media.iter().map(|m| (m.name.as_deref().unwrap(), m.bytes.as_slice())).collect();
    assert_eq!(
        found,
        [("b.png", &b"foo"[..]), ("a.jpg", b"bar"), ("c.wav", &[1, 2, 255])],
        "by path first, then by kind and order; a mere path is no payload"
    );
}
