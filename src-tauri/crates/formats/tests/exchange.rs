//! CSV in and out, ratings, triples, links, evidence, exports; and that no byte of a file can bring a reader down.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it finds nothing")]

use domain::{
    Adjudication, Anchor, AnchorPlace, Cause, Criterion, HumanVerdict, Modality, PayloadStatus, PromptRecord,
    RowAsset, Verdict, VerdictDetails, VerdictFlags,
};
use formats::{
    Cell, Event, FormatError, Options, Rating, ReadReport, Table, TableForm, classify_url, guard, links,
    mime_modality, payload_status, read_adjudications, read_dataset, read_ratings, read_triples,
    read_verdicts, rubric_json, unguard, write_adjudications, write_dataset, write_verdicts,
};
use proptest::prelude::*;
use std::{io::Cursor, ops::ControlFlow};

fn collect(
    read: impl FnOnce(&mut dyn formats::Sink) -> Result<ReadReport, FormatError>,
) -> (ReadReport, Vec<Event>) {
    let mut events = Vec::new();
    let report = read(&mut |event: Event| {
        if !matches!(event, Event::Progress { .. }) {
            events.push(event);
        }
        ControlFlow::Continue(())
    });
    (report.unwrap(), events)
}
fn verdicts(text: &[u8]) -> (ReadReport, Vec<Event>) {
    collect(|sink| read_verdicts(Cursor::new(text), &Options::default(), sink))
}

#[test]
fn verdicts_are_read_by_column_and_rejected_by_line() {
    let text = "\u{feff}Verdict,model,prompt_id,annotator,MODALITY,comment,ai_assisted,seconds,extra\r\n\
        \" CORRECT \",m,p1,ana, video,\"two\nlines, \"\"quoted\"\"\",Yes,1.5,x\r\n\
        incorrect,m,p1,ana,Smell,,no,,\r\n\
        maybe,m,p1,ana,Text,,no,,\r\n\
        correct,m,p1\r\n\
        \r\n\
        correct,m,p1,ana,Text,,perhaps,,\r\n\
        correct,m,p1,ana,Text,,no,-4,\r\n\
        correct,,p1,ana,Text,,no,4,\r\n\
        incorrect,m,p1,ana,Video,,,,\r\n";
    let (report, events) = verdicts(text.as_bytes());
    let Event::Verdict { line: 2, verdict } = &events[0] else {
        panic!("the first row is a verdict: {events:?}")
    };
    assert_eq!(
        (verdict.verdict, verdict.modality),
        (Verdict::Correct, Modality::Video),
        "trimmed, without case"
    );
    assert_eq!(verdict.comment, "two\nlines, \"quoted\"", "comments hold commas, quotes and newlines");
    assert_eq!((verdict.ai_assisted, verdict.seconds), (true, Some(1.5)), "declared help and time");
    let rejected: Vec<u64> = events
        .iter()
        .filter_map(|event| match event {
            Event::Rejected { line, .. } => Some(*line),
            _ => None,
        })
        .collect();
    assert_eq!(rejected, [4, 5, 6, 8, 9, 10], "each bad row with the line it starts at");
    assert_eq!((report.rows, report.superseded), (2, 1), "the last row of a key wins");
    assert!(
        matches!(events.last(), Some(Event::Superseded { line: 2, by: 11, .. })),
        "and the earlier one is named: {events:?}"
    );
}

#[test]
fn a_sheet_can_be_resumed_at_any_record() {
    for end in ["\n", "\r\n"] {
        let row = |n: u32| format!("ana,p{n},m,Text,correct,\"a\nb\"{end}{end}");
        let rows: String = (0..5).map(row).collect();
        let text = format!("annotator,prompt_id,model,modality,verdict,comment{end}{rows}");
        let mut places = Vec::new();
        let options = Options { progress_every: 1, ..Options::default() };
        read_verdicts(Cursor::new(&text), &options, &mut |event: Event| {
            if let Event::Progress { next, .. } = event {
                places.push(next);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        places.dedup();
        let whole = verdicts(text.as_bytes()).1;
        assert_eq!((places.len(), whole.len()), (5, 5), "one place behind each record");
        for (read, start) in (1..).zip(places) {
            let options = Options { start, ..Options::default() };
            let (_, rest) = collect(|sink| read_verdicts(Cursor::new(&text), &options, sink));
            assert_eq!(rest, whole[read..], "from {start:?} on, with the same line numbers");
        }
    }
}

#[test]
fn a_table_without_the_columns_is_refused() {
    let read =
        read_verdicts(Cursor::new(b"a,b\n1,2\n"), &Options::default(), &mut |_| ControlFlow::Continue(()));
    assert!(matches!(read, Err(FormatError::Unlike { .. })), "it is no table of verdicts");
}

#[test]
fn a_cause_is_read_without_case_and_a_tie_is_no_majority() {
    let text = "prompt_id,model,modality,judge,human_majority,final,cause,note,adjudicator,date\n\
        p,m,text,Correct,,incorrect, Judge_Error ,n,lena,2026-06-17\np,m,Text,correct,correct,correct,nonsense,,,\n";
    let (report, events) = collect(|sink| read_adjudications(Cursor::new(text), &Options::default(), sink));
    let Event::Adjudication { adjudication, .. } = &events[0] else { panic!("the first row is sound") };
    assert_eq!(
        (adjudication.cause, adjudication.human_majority),
        (Cause::JudgeError, None),
        "read by meaning"
    );
    assert_eq!(report.rejected, 1, "an unknown cause is rejected");
}

#[test]
fn ratings_are_read_from_csv_and_json() {
    let table = read_ratings(&b"unit,a,b\nu1,1,x\nu2,,2.5\n"[..]).unwrap();
    assert_eq!(
        (table.raters, table.units),
        (vec!["a".into(), "b".into()], Some(vec!["u1".into(), "u2".into()])),
        "header and units"
    );
    assert_eq!(
        table.rows,
        [[Some(Rating::Number(1.0)), Some(Rating::Text("x".into()))], [None, Some(Rating::Number(2.5))]],
        "an empty cell is missing"
    );
    let table = read_ratings(&b"r1,r2\nyes,\n"[..]).unwrap();
    assert_eq!((table.units, table.rows.len()), (None, 1), "without unit names every column is a rater");
    let table = read_ratings(
        &br#"{"data": [[1, null], ["a", true]], "categories": [1, 2, "a"], "level": "ordinal"}"#[..],
    )
    .unwrap();
    assert_eq!(table.rows[0], [Some(Rating::Number(1.0)), None], "null is missing");
    assert_eq!(
        (table.categories.unwrap().len(), table.level.as_deref()),
        (3, Some("ordinal")),
        "the declared scale"
    );
    let table = read_ratings(&b"prompt_id,a,b\np1,1,1\n"[..]).unwrap();
    assert_eq!((table.raters.len(), table.rows.len()), (2, 1), "an id is no rating");
    let table = read_ratings(&b"ann_id,ben_id\n1,1\n"[..]).unwrap();
    assert_eq!((table.raters.len(), table.units), (2, None), "unless all columns are named alike");
    let table =
        read_ratings(&br#"{"data": [["n", "y"]], "categories": ["n", "y"], "positive": "y"}"#[..]).unwrap();
    assert_eq!(table.positive, Some(Rating::Text("y".into())), "what counts as positive");
    for (bad, why) in [
        (&b"a;b\n1;1\n"[..], "separated by ';'; separate them by commas"),
        (b"a\tb\n1\t1\n", "separated by '\\t'"),
        (b"[[1,2],[1,1]]", "put it into an object"),
    ] {
        let error = read_ratings(bad).unwrap_err().to_string();
        assert!(error.contains(why), "what is wrong and what to do: {error}");
    }
    for bad in [&b"a,b\n1\n"[..], b"{\"data\": [[1],[1,2]]}", b"{\"data\": 1}", b"{\"data\": [1]}", b"{"] {
        assert!(read_ratings(bad).is_err(), "{:?} is no table", String::from_utf8_lossy(bad));
    }
}

#[test]
fn triples_are_read_and_rejected_by_line() {
    let text = r#"{"prompt_id": "p", "model": "m", "modality": "image", "human_verdict": "correct", "criterion_scores": [1, 0.5]}
{"prompt_id": "p", "model": "m", "modality": "image", "human_verdict": "correct", "criterion_scores": []}
{"prompt_id": "p", "model": "m", "modality": "smell", "human_verdict": "correct", "criterion_scores": [1]}
nothing
"#;
    let (report, events) = collect(|sink| read_triples(Cursor::new(text), &Options::default(), sink));
    let Event::Triple { triple, .. } = &events[0] else { panic!("the first line is sound") };
    assert_eq!(
        (triple.modality, triple.criterion_scores.as_slice()),
        (Modality::Image, &[1.0, 0.5][..]),
        "as written"
    );
    assert_eq!((report.rows, report.rejected), (1, 3), "the others are rejected");
}

#[test]
fn links_count_as_the_harness_counts_them() {
    for (url, modality) in [
        ("https://youtube.com.evil.test/x", Some(Modality::Video)),
        ("https://a.test/CLIP.MP4", Some(Modality::Video)),
        ("https://a.test/clip.mp4?x=1", Some(Modality::Video)),
        ("https://a.test/clip.mp4>", None),
        ("https://a.test/a.pdf#page=2", None),
        ("https://a.test/?to=docs.google.com/x", Some(Modality::Document)),
        ("https://a.test/a.mp3?next=b.mp4", Some(Modality::Video)),
        ("https://open.spotify.com/x", Some(Modality::Audio)),
        ("https://imgur.com", None),
        ("https://a.test/a.docx", Some(Modality::Document)),
        ("https://a.test/mp4", None),
    ] {
        assert_eq!(classify_url(url), modality, "{url}");
    }
    let text = "See [it](https://a.test/a.png), http://b.test/b.pdf. httpx https:// and \"https://youtu.be/x\"!\u{3000}https://c.test/c.wav;";
    let found: Vec<_> = links(text).into_iter().map(|link| link.url).collect();
    assert_eq!(
        found,
        ["https://a.test/a.png", "http://b.test/b.pdf", "https://youtu.be/x", "https://c.test/c.wav"],
        "brackets, quotes and white space end an address, trailing marks are cut"
    );
}

#[test]
fn evidence_follows_mime_and_capture() {
    for (mime, hint, modality) in [
        ("IMAGE/PNG; q=1", "", Some(Modality::Image)),
        ("text/plain; charset=utf-8", "", Some(Modality::Document)),
        ("application/vnd.ms-excel", "", Some(Modality::Document)),
        ("text/html", "", None),
        ("text/html", "video", Some(Modality::Video)),
        ("", "Smell", None),
    ] {
        assert_eq!(mime_modality(mime, hint), modality, "{mime} with hint {hint}");
    }
    let asset = |status: &str, mime: &str| RowAsset {
        asset_id: String::new(),
        modality: Modality::Image,
        source_type: String::new(),
        delivery: String::new(),
        mime_type: mime.into(),
        tail: Some("x_assets/a".into()),
        source_url: String::new(),
        sha256: String::new(),
        size_bytes: 1,
        capture_status: status.into(),
        error: String::new(),
    };
    let status = |assets: &[RowAsset]| payload_status(Modality::Image, "", assets);
    assert_eq!(status(&[]), PayloadStatus::Absent, "nothing returned");
    assert_eq!(status(&[asset("skipped", "")]), PayloadStatus::Skipped, "no bytes came");
    assert_eq!(
        status(&[asset("skipped", ""), asset("reference_only", "")]),
        PayloadStatus::ReferenceOnly,
        "a link"
    );
    assert_eq!(
        status(&[asset("reference_only", ""), asset("failed", "")]),
        PayloadStatus::CaptureFailed,
        "a dead link"
    );
    assert_eq!(
        status(&[asset("failed", ""), asset("captured", "image/png")]),
        PayloadStatus::Gradeable,
        "bytes held"
    );
    assert_eq!(
        status(&[asset("captured", "")]),
        PayloadStatus::Unsendable,
        "without a MIME type it cannot be sent"
    );
    assert_eq!(payload_status(Modality::Text, " \n", &[]), PayloadStatus::Absent, "blank text is none");
}

#[test]
fn tables_come_in_three_forms() {
    let mut table = Table::new(["model", "f1"]);
    table.rows.push(vec!["=a|b, \"c\"".into(), 0.1.into()]);
    table.rows.push(vec!["-3".into(), Cell::from(f64::NAN)]);
    let form = |form| {
        let mut out = Vec::new();
        table.write(form, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(
        form(TableForm::Csv),
        "model,f1\r\n\"'=a|b, \"\"c\"\"\",0.1\r\n'-3,\r\n",
        "RFC 4180, guarded; NaN is missing"
    );
    assert_eq!(
        form(TableForm::Markdown),
        "| model | f1 |\n| --- | ---: |\n| =a\\|b, \"c\" | 0.1 |\n| -3 |  |\n",
        "cells stay cells"
    );
    assert_eq!(
        form(TableForm::Json),
        "{\"columns\":[\"model\",\"f1\"],\"rows\":[[\"=a|b, \\\"c\\\"\",0.1],[\"-3\",null]]}\n",
        "NaN is null"
    );
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC*", "['=+@\t\r\n,\"-]{0,4}[a-z😀\u{2028}]{0,3}"]
}
fn any_name() -> impl Strategy<Value = String> {
    "[a-zü0-9'=-]{1,8}".prop_filter("names are not blank", |name| !name.trim().is_empty())
}
fn any_modality() -> impl Strategy<Value = Modality> {
    proptest::sample::select(Modality::ALL.to_vec())
}

fn any_details() -> impl Strategy<Value = VerdictDetails> {
    let marks = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let versions = (proptest::option::of(1_u32..9), proptest::option::of(0_u32..9));
    (marks, versions, any_text(), any_text(), proptest::option::of((0_u64..900, "\\PC{1,30}\\w"))).prop_map(
        |(
            (broken_link, cannot_show, doubt, misaligned),
            (prompt_version, guidelines_version),
            ai_asked,
            perceived,
            quote,
        )| {
            let anchors = quote.into_iter().map(|(start, quote)| Anchor {
                asset: None,
                at: AnchorPlace::Text { start: start.into(), end: (start + 5).into(), quote },
            });
            VerdictDetails {
                flags: VerdictFlags { ai_background: false, broken_link, cannot_show, doubt, misaligned },
                anchors: anchors.collect(),
                ai_asked,
                perceived,
                prompt_version,
                guidelines_version,
            }
        },
    )
}

#[test]
fn a_table_without_more_than_mmi_asks_for_has_mmis_columns() {
    let plain = HumanVerdict {
        annotator: "ann".into(),
        prompt_key: "p1".into(),
        model: "m".into(),
        modality: Modality::Text,
        verdict: Verdict::Correct,
        comment: String::new(),
        ai_assisted: true,
        seconds: None,
        details: VerdictDetails {
            flags: VerdictFlags { ai_background: true, ..VerdictFlags::default() },
            ..VerdictDetails::default()
        },
    };
    let mut file = Vec::new();
    write_verdicts([&plain], &mut file).unwrap();
    let head = "annotator,prompt_id,model,modality,verdict,comment,ai_assisted,seconds\r\n";
    assert!(String::from_utf8(file).unwrap().starts_with(head), "nothing is added where nothing is said");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_formula_guard_can_be_undone(text in any_text()) {
        let cell = guard(&text);
        prop_assert_eq!(unguard(&cell), &text, "nothing is lost on the way back");
        prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']), "no cell is a formula");
    }

    #[test]
    fn verdicts_come_back_as_they_were(
        annotator in any_name(), key in any_name(), model in any_name(), comment in any_text(),
        modality in any_modality(), correct: bool, ai_assisted: bool, seconds in proptest::option::of(0.0..1e6),
        details in any_details(),
    ) {
        let verdict = HumanVerdict {
            annotator, prompt_key: key, model, modality, verdict: Verdict::from_bool(correct), comment, ai_assisted, seconds,
            details,
        };
        let mut file = Vec::new();
        write_verdicts([&verdict], &mut file).unwrap();
        let (_, events) = verdicts(&file);
        prop_assert_eq!(events, vec![Event::Verdict { line: 2, verdict }], "export and import are inverse");
    }

    #[test]
    fn adjudications_come_back_as_they_were(
        key in any_name(), model in any_name(), note in any_text(), modality in any_modality(),
        judge: bool, majority: Option<bool>, finally: bool, cause in proptest::sample::select(Cause::ALL.to_vec()),
    ) {
        let adjudication = Adjudication {
            prompt_key: key, model, modality, judge: Verdict::from_bool(judge),
            human_majority: majority.map(Verdict::from_bool), verdict: Verdict::from_bool(finally), cause, note,
            adjudicator: "lena".into(), date: "2026-06-17".into(),
        };
        let mut file = Vec::new();
        write_adjudications([&adjudication], &mut file).unwrap();
        let (_, events) = collect(|sink| read_adjudications(Cursor::new(&file), &Options::default(), sink));
        prop_assert_eq!(events, vec![Event::Adjudication { line: 2, adjudication }], "export and import are inverse");
    }

    #[test]
    fn datasets_come_back_as_they_were(
        key in any_name(), text in any_text(), files in proptest::collection::vec("[a-z]{1,5}\\.(png|mp3|docx)", 0..4),
        gold in proptest::collection::vec(any_modality(), 1..4), input in proptest::collection::vec(any_modality(), 0..3),
        criteria in proptest::collection::vec(("[1-9a-z]{1,3}", "[^\\s]\\PC{0,20}[^\\s]", any_modality()), 0..4),
        language in proptest::option::of("(en|pt-BR|zh-Hant-TW)"),
    ) {
        let record = PromptRecord {
            key, text, input_modalities: input.into_iter().collect(), gold: gold.into_iter().collect(), input_files: files,
            criteria: criteria.into_iter().map(|(id, criterion, modality)| Criterion { id, criterion: criterion.trim().to_owned(), modality }).collect(),
            beside: domain::BesideCriteria::default(),
            language,
        };
        let mut file = Vec::new();
        write_dataset([&record], &mut file).unwrap();
        prop_assert!(file.is_ascii(), "the harness splits lines at some other characters, so there are none");
        let (_, events) = collect(|sink| read_dataset(Cursor::new(&file), &Options::default(), sink));
        let Some(Event::Prompt { record: back, .. }) = events.first() else {
            return Err(TestCaseError::fail(format!("a prompt is read: {events:?}")));
        };
        prop_assert_eq!(back, &record, "export and import are inverse");
        let rubric: serde_json::Value = serde_json::from_str(&rubric_json(&record.criteria).unwrap()).unwrap();
        prop_assert_eq!(rubric["criteria"].as_array().unwrap().len(), record.criteria.len(), "a rubric is JSON");
    }
}

/// A generator of places and bytes; the same in every run.
struct Lcg(u64);
impl Lcg {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

#[test]
fn no_mutation_of_the_demo_brings_a_reader_down() {
    let demo = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../assets/demo");
    let place = tempfile::tempdir().unwrap();
    let mut random = Lcg(1);
    let mut read = 0;
    for (file, times) in [
        ("dataset.jsonl", 200),
        ("dataset.parquet", 200),
        ("human_verdicts.csv", 200),
        ("adjudications.csv", 200),
        ("main_config.txt", 50),
        ("results/demo/run_manifest.json", 200),
        ("results/demo-interrupted/20260610_180000_model-a.jsonl", 100),
    ] {
        let whole = std::fs::read(demo.join(file)).unwrap();
        let format = formats::recognise(&demo.join(file), &whole).unwrap();
        for _ in 0..times {
            let mut bytes = whole.clone();
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] = u8::try_from(random.below(256)).unwrap(),
                    1 => bytes.truncate(at + 1),
                    2 => drop(bytes.drain(at..bytes.len().min(at + 9))),
                    _ => bytes.insert(at, b"{}[]\",:\\\n0N"[random.below(11)]),
                }
                if bytes.is_empty() {
                    bytes.push(0);
                }
            }
            let path = place.path().join("file");
            std::fs::write(&path, &bytes).unwrap();
            let _ = formats::recognise(&path, &bytes);
            let (mut last, mut ordered) = (0, true);
            let report = formats::read_file(&path, &format, &Options::default(), &mut |event| {
                if let Event::Progress { bytes_done, .. } = event {
                    ordered &= bytes_done >= last;
                    last = bytes_done;
                }
                ControlFlow::Continue(())
            });
            assert!(ordered, "progress goes forward");
            read += u32::from(report.is_ok());
        }
    }
    assert!(read > 500, "most mutations leave a file that can still be read, row by row");
}

#[test]
fn a_table_has_a_latex_form_and_lines_of_json() {
    let mut table = Table::new(["model_id", "share"]);
    table.rows.push(vec!["a_b & 50 % \\ {x}".into(), 0.25.into()]);
    table.rows.push(vec!["c".into(), Cell::Missing]);
    let write = |form| {
        let mut out = Vec::new();
        table.write(form, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(
        write(TableForm::Latex),
        "\\begin{tabular}{lr}\n\\toprule\nmodel\\_id & share \\\\\n\\midrule\n\
         a\\_b \\& 50 \\% \\textbackslash{} \\{x\\} & 0.25 \\\\\nc &  \\\\\n\\bottomrule\n\\end{tabular}\n",
        "text is printed as it is, numbers are set right"
    );
    assert_eq!(
        write(TableForm::Jsonl),
        "{\"model_id\":\"a_b & 50 % \\\\ {x}\",\"share\":0.25}\n{\"model_id\":\"c\",\"share\":null}\n",
        "one object a line, columns in order, missing is null"
    );
}
