//! The demo study's result files, read with the smallest reader that can, against the figures in `golden.json`,
//! which were made by an independent program. What a harness file may look like is the concern of `formats`.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use domain::{Detection, Modality, PayloadStatus, Presence, StoredScores};
use rubric::scores::{AgreementSet, Grades, RunScores, ScoredGrade, ScoredRow, collapse, differing_scores};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::PathBuf};

struct Row {
    key: String,
    expected: Vec<Modality>,
    presence: Presence,
    error_type: Option<String>,
    grades: Vec<ScoredGrade>,
    stored: StoredScores,
}

impl Row {
    fn scored(&self) -> ScoredRow<'_> {
        ScoredRow {
            expected: &self.expected,
            presence: self.presence,
            failed: self.error_type.is_some(),
            error_type: self.error_type.as_deref(),
            grades: Grades::Each(&self.grades),
        }
    }
}

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn golden() -> Value {
    let text =
        fs::read_to_string(repository().join("tests/fixtures/mmi-demo/golden.json")).expect("golden figures");
    serde_json::from_str(&text).expect("golden figures are JSON")
}

/// The rows of a file, in order; the last complete row of a prompt wins.
fn rows(folder: &str, file: &str) -> Vec<Row> {
    let path = repository().join("assets/demo/results").join(folder).join(file);
    let mut kept = Vec::<Row>::new();
    for line in fs::read_to_string(path).expect("result file").lines() {
        // A line may be glued to the torn start of another: the row is what parses from its last `{"prompt_id"`.
        let start = line.rfind(r#"{"prompt_id""#).unwrap_or(0);
        let Ok(value) = serde_json::from_str::<Value>(line).or_else(|_| serde_json::from_str(&line[start..]))
        else {
            continue;
        };
        let row = row(&value);
        kept.retain(|earlier| earlier.key != row.key);
        kept.push(row);
    }
    kept
}

fn row(value: &Value) -> Row {
    let mut presence = Presence::default();
    for modality in Modality::ALL {
        let flag = |name: &str| value["per_modality"][modality.name()][name].as_bool().unwrap_or_default();
        presence.0[modality.index()] = Detection {
            native: flag("detected_native"),
            via_url: flag("detected_via_url"),
            via_judge: flag("detected_via_judge"),
        };
    }
    let list = |name: &str| value[name].as_array().cloned().unwrap_or_default();
    let failed = value["is_error"].as_bool().unwrap_or_default();
    Row {
        key: value["prompt_id"].as_str().expect("prompt_id").to_owned(),
        expected: list("expected_modalities").iter().map(|m| m.as_str().unwrap().parse().unwrap()).collect(),
        presence,
        error_type: failed.then(|| value["error_type"].as_str().unwrap_or_default().to_owned()),
        grades: list("rubric_grades").iter().map(grade).collect(),
        stored: StoredScores {
            precision: value["precision"].as_f64(),
            recall: value["recall"].as_f64(),
            f1: value["f1"].as_f64(),
            f1_strict: value["f1_strict"].as_f64(),
            rubric_score: value["rubric_score"].as_f64(),
        },
    }
}

fn grade(value: &Value) -> ScoredGrade {
    ScoredGrade {
        modality: value["modality"].as_str().and_then(|m| m.parse().ok()),
        score: value["score"].as_f64().unwrap_or_default(),
        evaluator_error: value["evaluator_error"].as_bool().unwrap_or_default(),
        payload: match value["payload_status"].as_str() {
            Some("gradeable") => PayloadStatus::Gradeable,
            Some("absent") => PayloadStatus::Absent,
            Some("reference_only") => PayloadStatus::ReferenceOnly,
            Some("skipped") => PayloadStatus::Skipped,
            Some("capture_failed") => PayloadStatus::CaptureFailed,
            other => panic!("payload status {other:?} is not in the demo study"),
        },
    }
}

/// Every leaf of `wanted` is at the same path in `got`, numbers within 1e-9.
fn same(path: &str, wanted: &Value, got: &Value, wrong: &mut Vec<String>) {
    match (wanted, got) {
        (Value::Object(fields), Value::Object(_)) => {
            for (key, wanted) in fields {
                same(&format!("{path}/{key}"), wanted, &got[key], wrong);
            }
        }
        (Value::Number(a), Value::Number(b))
            if (a.as_f64().unwrap_or(f64::NAN) - b.as_f64().unwrap_or(f64::NAN)).abs() <= 1e-9 => {}
        (Value::Null, Value::Null) => {}
        _ => wrong.push(format!("{path}: wanted {wanted}, got {got}")),
    }
}

const KEYS: [&str; 17] = [
    "rows",
    "errors",
    "precision",
    "recall",
    "f1",
    "precision_strict",
    "recall_strict",
    "f1_strict",
    "mps",
    "pass_rate",
    "pass_rate_strict",
    "input_failure_rate",
    "per_modality",
    "mmi_value",
    "binary",
    "evaluator_error_grades",
    "criteria_graded",
];

fn compare(name: &str, wanted: &Value, scores: &RunScores) -> Vec<String> {
    let got = serde_json::to_value(scores.figures()).expect("figures are JSON");
    let mut wrong = Vec::new();
    for key in KEYS {
        assert!(
            !wanted[key].is_null(),
            "{name}: golden.json has {key}, so that comparing it means something"
        );
        same(&format!("{name}/{key}"), &wanted[key], &got[key], &mut wrong);
    }
    let kinds = serde_json::to_value(scores.error_types()).expect("counts are JSON");
    assert_eq!(kinds, wanted["error_types"], "{name}: failures are counted by kind");
    wrong
}

#[test]
fn every_run_and_each_folder_gives_the_reference_figures() {
    let golden = golden();
    let mut files = 0;
    for (folder, wanted) in golden["runs"].as_object().expect("folders") {
        let mut overall = RunScores::new();
        for (file, wanted) in wanted["files"].as_object().expect("files") {
            let mut scores = RunScores::new();
            for row in rows(folder, file) {
                scores.push(&row.scored());
            }
            assert_eq!(
                compare(file, wanted, &scores),
                Vec::<String>::new(),
                "{file} gives its reference figures"
            );
            if wanted["variant"] == "" {
                overall.merge(&scores);
            }
            files += 1;
        }
        let wrong = compare(folder, &wanted["overall"], &overall);
        assert_eq!(
            wrong,
            Vec::<String>::new(),
            "{folder}: base files taken together give the overall figures"
        );
    }
    assert_eq!(files, 6, "the demo study has six result files, so all were read");
}

#[test]
fn each_unit_collapses_as_in_the_reference() {
    let golden = golden();
    let mut units = 0;
    for (folder, runs) in golden["runs"].as_object().expect("folders") {
        for (file, wanted) in runs["files"].as_object().expect("files") {
            let rows: BTreeMap<String, Row> =
                rows(folder, file).into_iter().map(|row| (row.key.clone(), row)).collect();
            let ours =
                rows.values().flat_map(|r| Modality::ALL.map(|m| collapse(&r.scored(), m))).flatten().count();
            let wanted = wanted["collapse"].as_array().expect("collapse");
            assert_eq!(ours, wanted.len(), "{file}: the same units have grades");
            for unit in wanted {
                let row = &rows[unit["prompt_id"].as_str().unwrap()];
                let got = collapse(&row.scored(), unit["modality"].as_str().unwrap().parse().unwrap())
                    .expect("a unit of the reference has grades");
                let place = format!("{file} {} {}", row.key, got.modality);
                assert_eq!(
                    u64::from(got.correct(1.0)),
                    unit["judge"].as_u64().unwrap(),
                    "{place}: all criteria at 1"
                );
                assert!((got.mean - unit["mean"].as_f64().unwrap()).abs() <= 1e-9, "{place}: mean score");
                assert_eq!(u64::from(got.criteria), unit["criteria"].as_u64().unwrap(), "{place}: criteria");
                let errors = unit["evaluator_errors"].as_u64().unwrap();
                assert_eq!(u64::from(got.evaluator_errors), errors, "{place}: evaluator errors");
                assert_eq!(got.gradeable, unit["gradeable"].as_bool().unwrap(), "{place}: gradeable");
                assert_eq!(
                    got.present_lenient,
                    unit["produced"].as_bool().unwrap(),
                    "{place}: present, lenient"
                );
                assert_eq!(
                    got.present_strict,
                    unit["produced_strict"].as_bool().unwrap(),
                    "{place}: present, strict"
                );
                units += 1;
            }
        }
    }
    assert!(units >= 105, "three base runs of 35 units each were compared");
}

#[test]
fn stored_scores_follow_from_flags_and_grades_and_a_forged_one_is_named() {
    for file in
        ["20260612_093015_model-a.jsonl", "20260612_093015_model-b.jsonl", "20260612_093015_model-c.jsonl"]
    {
        for mut row in rows("demo", file) {
            assert_eq!(
                differing_scores(&row.scored(), &row.stored),
                vec![],
                "{} was not tampered with",
                row.key
            );
            row.stored.recall = Some(row.stored.recall.unwrap() + 1e-6);
            let differences = differing_scores(&row.scored(), &row.stored);
            assert_eq!(differences.len(), 1, "{}: exactly the forged score differs", row.key);
            assert_eq!(differences[0].key, "recall", "{}: and it is named", row.key);
        }
    }
}

#[test]
fn sets_for_agreement_nest_and_differ_on_the_demo() {
    let mut sizes = [0_usize; 3];
    for file in
        ["20260612_093015_model-a.jsonl", "20260612_093015_model-b.jsonl", "20260612_093015_model-c.jsonl"]
    {
        for row in rows("demo", file) {
            for unit in Modality::ALL.into_iter().filter_map(|m| collapse(&row.scored(), m)) {
                for (size, set) in sizes.iter_mut().zip(AgreementSet::ALL) {
                    *size += usize::from(unit.is_in(set));
                }
            }
        }
    }
    // 105 graded units; by the tables of golden.json 32+13+8+13+14 = 80 of them are present (detected among expected,
    // lenient), of which four have nothing gradeable and two have evaluator errors.
    assert_eq!(sizes, [74, 76, 105], "present and gradeable; with evaluator errors; everything graded");
}
