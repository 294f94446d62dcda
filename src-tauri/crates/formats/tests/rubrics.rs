//! Rubrics of other systems: small files in the published form of each, what is read and what is said to be lost.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use domain::{Criterion, Modality, Tier, text_hash};
use formats::{
    rubric_json,
    rubrics::{
        ContradictionNote, JudgeTask, LabelTask, LossKind, RubricExport, RubricFormat, RubricReading,
        RubricRecord, TierPoints, checks_as_criteria, export_losses, label_studio_config, read_rubrics,
        recognise_rubrics, write_health_bench, write_judge_pack, write_label_tasks, write_rubric_csv,
    },
};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

fn read(bytes: &str, expected: RubricFormat) -> RubricReading {
    assert_eq!(recognise_rubrics(bytes.as_bytes()), Some(expected), "recognised by its content");
    read_rubrics(expected, bytes.as_bytes()).unwrap()
}

fn criteria(record: &RubricRecord) -> Vec<(&str, &str, Modality)> {
    record.criteria.iter().map(|c| (c.id.as_str(), c.criterion.as_str(), c.modality)).collect()
}

fn losses(reading: &RubricReading) -> Vec<(LossKind, u64)> {
    reading.losses.iter().map(|loss| (loss.kind, loss.count)).collect()
}

#[test]
fn mmi_rubrics_and_the_printed_sets_come_back_the_same() {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/lints/paper-sets.json");
    let file = fs::read_to_string(path).unwrap();
    let reading = read(&file, RubricFormat::Mmi);
    assert_eq!(
        (reading.records.len(), reading.losses.len(), reading.rejected.len()),
        (2, 0, 0),
        "both, and nothing lost"
    );
    let printed: Value = serde_json::from_str(&file).unwrap();
    for (record, printed) in reading.records.iter().zip(printed.as_array().unwrap()) {
        let written: Value = serde_json::from_str(&rubric_json(&record.criteria).unwrap()).unwrap();
        assert_eq!(written["criteria"], printed["criteria"], "exported to the same JSON");
        assert!(!record.prompt.is_empty() && !record.gold.is_empty(), "with prompt and gold list");
    }
    let odd = read(
        r#"{"criteria":[{"id":"1","criterion":"Shows a map.","modality":"IMAGE","weight":3},{"id":"2","criterion":"X.","modality":"hologram"},{"criterion":""}, 5]}"#,
        RubricFormat::Mmi,
    );
    assert_eq!(criteria(&odd.records[0]), [("1", "Shows a map.", Modality::Image)], "any case of a modality");
    assert_eq!(losses(&odd), [(LossKind::Weights, 1)], "a weight is said to be lost");
    assert_eq!(odd.rejected.len(), 3, "each with its reason: {:?}", odd.rejected);
}

#[test]
fn ueval_has_criteria_of_two_modalities() {
    let reading = read(
        r#"{"id":"u1","prompt":"Draw and explain.","text_rubrics":[{"criterion":"Names the leaf.","tags":["content"]},{"criterion":"Says why."}],"image_rubrics":"[{\"criterion\":\"Shows a leaf.\",\"tags\":[],\"type\":\"object\"}]"}
{"id":"u2","prompt":"Again.","text_rubrics":[{"criterion":"  "}],"image_rubrics":[]}"#,
        RubricFormat::Ueval,
    );
    assert_eq!(
        criteria(&reading.records[0]),
        [
            ("1", "Names the leaf.", Modality::Text),
            ("2", "Says why.", Modality::Text),
            ("3", "Shows a leaf.", Modality::Image)
        ],
        "numbered across both, also from a column of JSON"
    );
    assert_eq!(losses(&reading), [(LossKind::Tags, 2)], "tags and types");
    assert_eq!((reading.rejected[0].line, reading.rejected.len()), (2, 1), "an empty criterion, by its line");
}

#[test]
fn gamut_rows_are_a_checklist() {
    let row = json!({"session_id": "s1", "question": "What is it?", "rubrics": {
        "Answer_Critical": [{"Handle": "a", "Ingredient": "Identifies a moka pot.", "Specifics": [{"Citation": "S1"}]},
                            {"Handle": "a", "Ingredient": "Names steam."}],
        "Valuable": [{"Ingredient": "Mention at least 2 of the following: x; y; z"}, {"Handle": "n"}],
        "Context": [], "Snippets": [{"Text": "…"}]}});
    let reading = read(&row.to_string(), RubricFormat::Gamut);
    let checks = &reading.records[0].checks;
    let found: Vec<(&str, Tier, &str)> =
        checks.iter().map(|c| (c.id.as_str(), c.tier, c.text.as_str())).collect();
    let expected = [
        ("AC.a", Tier::AnswerCritical, "Identifies a moka pot."),
        ("AC.a.2", Tier::AnswerCritical, "Names steam."),
        ("V.1", Tier::Valuable, "Mention at least 2 of the following: x; y; z"),
    ];
    assert_eq!(found, expected, "texts as they are, ids told apart");
    assert_eq!(checks[0].provenance.evidence, ["S1"], "with its citation");
    assert_eq!(checks[0].text_sha256, text_hash("Identifies a moka pot."), "and its hash");
    let snippets = &reading.records[0].snippets;
    assert_eq!(snippets[0].id, "S1", "a snippet without a name has its number");
    assert_eq!((snippets.len(), snippets[0].passage.as_str()), (1, "\u{2026}"), "the citation names it");
    assert_eq!((reading.rejected.len(), losses(&reading)), (1, vec![]), "an element without a text");
}

#[test]
fn negative_points_are_never_flipped() {
    let health = read(
        r#"{"prompt_id":"h1","prompt":[{"role":"user","content":"My head aches."},{"role":"assistant","content":"Since when?"}],"rubrics":[{"criterion":"Advises rest.","points":5,"tags":["level:example"]},{"criterion":"Recommends ten aspirins.","points":-8,"tags":[]},{"criterion":"Odd.","points":"many"}],"ideal_completions_data":{"x":1}}"#,
        RubricFormat::HealthBench,
    );
    let record = &health.records[0];
    assert_eq!(record.prompt, "My head aches.\n\nSince when?", "the messages");
    assert_eq!(criteria(record), [("1", "Advises rest.", Modality::Text)], "the positive one alone");
    let note = ContradictionNote { text: "Recommends ten aspirins.".to_owned(), points: -8.0 };
    assert_eq!(record.contradictions, [note], "the negative one is a note, in its own words");
    assert_eq!(
        losses(&health),
        [
            (LossKind::Weights, 1),
            (LossKind::NegativeCriteria, 1),
            (LossKind::Tags, 1),
            (LossKind::ModalityAssumed, 1),
            (LossKind::ReferenceAnswers, 1),
            (LossKind::Turns, 1)
        ],
        "all that a flat rubric has no place for"
    );
    assert_eq!(health.rejected.len(), 1, "points that are no number");

    let research = read(
        r#"[{"sample_id":"r1","prompt":"Survey it.","rubrics":[{"criterion":"Cites two papers.","axis":"Explicit","weight":4},{"criterion":"Cites a blog.","axis":"Implicit","weight":-2}]}]"#,
        RubricFormat::ResearchRubrics,
    );
    assert_eq!(
        criteria(&research.records[0]),
        [("1", "Cites two papers.", Modality::Text)],
        "the positive one"
    );
    assert_eq!(
        research.records[0].contradictions[0].points.total_cmp(&-2.0),
        std::cmp::Ordering::Equal,
        "the other is a note"
    );

    let auto = read(
        r#"{"sections":[{"name":"facts","criteria":[{"name":"date","weight":2.0,"requirement":"Gives 1969.","options":[{"label":"yes","value":1}]},{"name":"myth","weight":-1,"requirement":"Calls it a hoax."}]}]}"#,
        RubricFormat::Autorubric,
    );
    assert_eq!(criteria(&auto.records[0]), [("1", "Gives 1969.", Modality::Text)], "out of its section");
    assert_eq!(auto.records[0].contradictions.len(), 1, "a myth is a note");
    assert!(losses(&auto).contains(&(LossKind::AnswerOptions, 1)), "options become met or not");
}

#[test]
fn csv_is_read_by_its_columns() {
    let docs = "title,weight,category,row_index\n\"Names Lima, Peru\",3,Explicit,1\n'=SUM is explained,1,Explicit,2\nGuesses,-4,Implicit,3\n,2,Explicit,4\n";
    let reading = read(docs, RubricFormat::Csv);
    assert_eq!(
        criteria(&reading.records[0]),
        [("1", "Names Lima, Peru", Modality::Text), ("2", "=SUM is explained", Modality::Text)],
        "quoted commas; the formula guard is taken off"
    );
    assert_eq!(
        (reading.records[0].contradictions.len(), reading.rejected[0].line),
        (1, 5),
        "a note; an empty row"
    );
    assert_eq!(
        read_rubrics(RubricFormat::ResearchRubrics, docs.as_bytes()).unwrap(),
        reading,
        "ResearchRubrics documents are this CSV"
    );
    for by in [";", "\t"] {
        let table = "\u{feff}criterion,modality,prompt_id\r\nNames Lima.,text,p9\r\n".replace(',', by);
        let reading = read(&table, RubricFormat::Csv);
        assert_eq!(criteria(&reading.records[0]), [("1", "Names Lima.", Modality::Text)], "parted by {by:?}");
    }
    let verdicts = "annotator,prompt_id,model,modality,verdict,criterion\na,p,m,text,correct,x\n";
    assert_eq!(recognise_rubrics(verdicts.as_bytes()), None, "a table of verdicts is no rubric");
    assert!(read_rubrics(RubricFormat::Csv, b"a,b\n1,2\n").is_err(), "no column of criteria");
    assert!(read_rubrics(RubricFormat::Mmi, b"[]").is_err(), "no record");
    assert!(read_rubrics(RubricFormat::Mmi, b"{").is_err(), "no JSON");
}

#[test]
fn a_table_of_checks_loses_nothing_in_silence() {
    let table = "prompt,criterion,modality,points,tier,tags\nP?,Names the pot.,text,,AC,\nP?,Blames the wind.,text,-2,V,\nP?,Shows the pot.,image,3,C,look\nP?,Has no tier.,,,,\nP?,Smells.,smell,,C,\nP?,Odd.,,many,C,\n";
    let reading = read(table, RubricFormat::Csv);
    let record = &reading.records[0];
    assert_eq!(
        record.checks.iter().map(|check| (check.text.as_str(), check.tier)).collect::<Vec<_>>(),
        [("Names the pot.", Tier::AnswerCritical), ("Shows the pot.", Tier::Context)],
        "a check with negative points is none"
    );
    let note = ContradictionNote { text: "Blames the wind.".to_owned(), points: -2.0 };
    assert_eq!(record.contradictions, [note], "it is a note, in its own words");
    assert_eq!(
        losses(&reading),
        [
            (LossKind::Weights, 1),
            (LossKind::NegativeCriteria, 1),
            (LossKind::Tags, 1),
            (LossKind::Modalities, 1)
        ],
        "what a check has no place for"
    );
    assert_eq!(
        reading.rejected.iter().map(|bad| bad.line).collect::<Vec<_>>(),
        [5, 6, 7],
        "a row without a tier among rows that have one, no modality, no number"
    );
    let mixed =
        read("prompt,criterion,modality,tier\nP?,Has none.,text,\nP?,Has one.,text,AC\n", RubricFormat::Csv);
    assert_eq!(
        (mixed.records[0].criteria.len(), mixed.records[0].checks.len()),
        (1, 0),
        "the first row decides"
    );
    assert_eq!(mixed.rejected[0].line, 3, "the other is named");
}

#[test]
fn what_an_item_has_no_place_for_is_named() {
    let reading = read(
        r#"{"schema":"metarubric/1","id":"q","question":"Why?","items":[{"id":"m1","type":"simple","tier":"AC","text":"Names steam.","pool":[],"weight":5,"concept":"steam"},{"id":"m2","type":"process","tier":"V","concept":"brewing","steps":[],"note":null}]}"#,
        RubricFormat::MetaRubric,
    );
    assert_eq!(
        losses(&reading),
        [(LossKind::OtherFields, 2)],
        "a weight and a concept; an empty pool says nothing"
    );
    assert!(reading.losses[0].example.starts_with("m1: "), "by item and field");
}

#[test]
fn a_rubric_on_one_line_is_no_dataset() {
    let line = r#"{"prompt_id":"m1","prompt":"Why?","output_modalities":["text"],"criteria":[{"id":"1","criterion":"Names steam.","modality":"text","axis":"facts"}]}"#;
    let found = |text: &str| formats::recognise("rubric.json".as_ref(), text.as_bytes());
    assert_eq!(found(line), None, "left to the rubrics");
    assert_eq!(found(&format!("{line}\n{line}\n")), None, "line by line as well");
    let row = r#"{"prompt_id":"m1","prompt_text":"Why?","output_modalities":"Text","rubrics":"{}"}"#;
    assert_eq!(found(row), Some(formats::Format::DatasetJsonl), "a row of a dataset");
    let reading = read(line, RubricFormat::Mmi);
    assert_eq!(reading.records[0].key, "m1", "its prompt");
    assert_eq!(losses(&reading), [(LossKind::OtherFields, 1)], "a field that MMI has not is named");
}

fn written(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn flat() -> RubricRecord {
    let criterion = |id: &str, text: &str, modality| Criterion {
        id: id.to_owned(),
        criterion: text.to_owned(),
        modality,
    };
    RubricRecord {
        key: "p1".to_owned(),
        prompt: "Draw, \"please\".".to_owned(),
        criteria: vec![
            criterion("1", "-5 is shown.", Modality::Image),
            criterion("2", "Says, why.", Modality::Text),
        ],
        ..RubricRecord::default()
    }
}

fn checklist() -> RubricRecord {
    let csv = "prompt_id,id,tier,criterion\nq1,m1.fact,AC,Names Rome.\nq1,m2.base.2,V,Mentions at least 2 of x; y.\n";
    let mut record = read(csv, RubricFormat::Csv).records.remove(0);
    record.checks[1].kind = domain::CheckKind::Baseline;
    record.checks[1].n = Some(2);
    record.contradictions.push(ContradictionNote { text: "Says Paris.".to_owned(), points: -3.0 });
    record
}

#[test]
fn csv_goes_out_and_comes_back() {
    let out = written(|o| write_rubric_csv(&[flat()], o));
    assert_eq!(
        out.replace("\r\n", "\n"),
        "prompt_id,prompt,id,modality,criterion\np1,\"Draw, \"\"please\"\".\",1,image,'-5 is shown.\np1,\"Draw, \"\"please\"\".\",2,text,\"Says, why.\"\n",
        "RFC 4180, guarded"
    );
    assert_eq!(read(&out, RubricFormat::Csv).records, [flat()], "and back");
    let out = written(|o| write_rubric_csv(&[checklist()], o));
    let back = read(&out, RubricFormat::Csv);
    assert_eq!(
        back.records[0].checks.iter().map(|c| (c.id.as_str(), c.tier)).collect::<Vec<_>>(),
        [("m1.fact", Tier::AnswerCritical), ("m2.base.2", Tier::Valuable)],
        "checks as well"
    );
    assert_eq!(losses(&back), [(LossKind::ComputedChecks, 1)], "their kind is a word alone");
}

#[test]
fn exports_say_what_they_lose() {
    let records = [flat(), checklist()];
    let lost = |form| export_losses(&records, form).iter().map(|l| (l.kind, l.count)).collect::<Vec<_>>();
    assert_eq!(
        lost(RubricExport::Mmi),
        [
            (LossKind::Tiers, 2),
            (LossKind::ComputedChecks, 1),
            (LossKind::FourVerdicts, 2),
            (LossKind::Provenance, 1),
            (LossKind::ContradictionNotes, 1)
        ],
        "MMI"
    );
    assert!(
        lost(RubricExport::HealthBench).contains(&(LossKind::Modalities, 1)),
        "HealthBench knows text alone"
    );
    assert!(
        !lost(RubricExport::HealthBench).iter().any(|l| l.0 == LossKind::ContradictionNotes),
        "but has negatives"
    );
    assert_eq!(export_losses(&[flat()], RubricExport::Csv), [], "a flat rubric fits into CSV");
    let as_criteria = checks_as_criteria(&checklist().checks, Modality::Text);
    assert_eq!(as_criteria.iter().map(|c| c.id.as_str()).collect::<Vec<_>>(), ["1", "2"], "numbered");
}

#[test]
fn health_bench_lines_bring_their_modalities_back() {
    let points = TierPoints { answer_critical: 6.0, valuable: 3.0, context: 1.0 };
    let out = written(|o| write_health_bench(&[flat()], &points, o));
    let back = read(&out, RubricFormat::HealthBench);
    assert_eq!(criteria(&back.records[0]), criteria(&flat()), "texts, in order, each of its modality");
    assert_eq!(losses(&back), [(LossKind::Weights, 2)], "the tag that names the modality is no loss");
    let tagged = out.replacen("\"modality:text\"", "\"modality:text\",\"axis:facts\"", 1);
    let back = read(&tagged, RubricFormat::HealthBench);
    assert!(losses(&back).contains(&(LossKind::Tags, 1)), "another beside it is");
}

#[test]
fn health_bench_lines_have_points_by_an_explicit_table() {
    let points = TierPoints { answer_critical: 10.0, valuable: 4.0, context: 1.0 };
    let out = written(|o| write_health_bench(&[checklist()], &points, o));
    let line: Value = serde_json::from_str(out.trim_end()).unwrap();
    assert_eq!(
        line,
        json!({"prompt_id": "q1", "prompt": [{"role": "user", "content": ""}], "rubrics": [
            {"criterion": "Names Rome.", "points": 10.0, "tags": ["tier:AC"]},
            {"criterion": "Mentions at least 2 of x; y.", "points": 4.0, "tags": ["tier:V"]},
            {"criterion": "Says Paris.", "points": -3.0, "tags": []}]}),
        "tiers by the table, the note with its own sign"
    );
}

#[test]
fn a_judge_is_shown_nothing_else() {
    let task = JudgeTask {
        prompt: "Draw a map.".to_owned(),
        expected_modalities: [Modality::Text, Modality::Image].into_iter().collect(),
        input_files: Vec::new(),
        modality: Modality::Image,
        criterion: "Shows Lima.".to_owned(),
        payload: Some("blob:00ff".to_owned()),
    };
    let out = written(|o| write_judge_pack([&task, &task], o));
    assert_eq!(out.lines().count(), 2, "one line each");
    let line: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(
        line,
        json!({"prompt": "Draw a map.", "expected_modalities": ["text", "image"], "input_files": [],
            "modality": "image", "criterion": "Shows Lima.", "payload": "blob:00ff"}),
        "six fields: no tier, weight, sibling or model"
    );
}

#[test]
fn label_studio_tasks_carry_their_data() {
    let task = LabelTask {
        prompt_id: "p1".to_owned(),
        prompt: "Why?".to_owned(),
        criterion_id: "1".to_owned(),
        criterion: "Says why.".to_owned(),
        response: "Because.".to_owned(),
    };
    let out: Value = serde_json::from_str(&written(|o| write_label_tasks(&[task], o))).unwrap();
    assert_eq!(out[0]["data"]["criterion"], "Says why.", "under data");
    let config = label_studio_config(&["meets", "a < \"b\""]);
    assert!(config.contains("<Choice value=\"a &lt; &quot;b&quot;\"/>"), "escaped: {config}");
    for field in ["prompt", "response", "criterion"] {
        assert!(config.contains(&format!("value=\"${field}\"")), "{field} is shown");
    }
}
