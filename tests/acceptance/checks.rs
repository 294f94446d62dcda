//! Agreement on single checks where people graded them, and scores by checklists and on samples as they go out and come back. Every
//! figure is worked out by hand from the table below.

use acceptance::{Host, Place, differs, harness};
use serde_json::{Value, json};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

fn close(found: &Value, wanted: f64, what: &str) {
    let value = found.as_f64().unwrap_or_else(|| panic!("{what} is a number, not {found}"));
    assert!((value - wanted).abs() < 1e-9, "{what}: wanted {wanted}, found {value}");
}

/// Prompt, model; scores of the judge; what ada and bea say.
type Row = (&'static str, &'static str, [f64; 2], [&'static str; 2], [&'static str; 2]);

/// Prompt, model; what the judge scores, ada and bea say of its two criteria.
///
/// | | judge | ada | bea |
/// |---|---|---|---|
/// | q3 m | met, not | met, not | met, not |
/// | q3 n | met, met | met, in part | met, met |
/// | q4 m | not, not | met, not | not, not |
/// | q4 n | met, half | met, not | met, not |
const TABLE: [Row; 4] = [
    ("q3", "m", [1.0, 0.0], ["meets", "missing"], ["meets", "missing"]),
    ("q3", "n", [1.0, 1.0], ["meets", "partial"], ["meets", "meets"]),
    ("q4", "m", [0.0, 0.0], ["meets", "missing"], ["missing", "missing"]),
    ("q4", "n", [1.0, 0.5], ["meets", "missing"], ["meets", "missing"]),
];
const TEXTS: [&str; 2] = ["Names it.", "Dates it."];

/// Two models on two prompts with two criteria each, graded by two people.
fn graded(place: &Place) -> PathBuf {
    let criteria = TEXTS.map(|text| ("Text", text));
    let prompts = ["q3", "q4"].map(|key| harness::prompt(key, "Text", &criteria));
    place.write("run/dataset.jsonl", harness::lines(&prompts));
    for model in ["m", "n"] {
        let rows: Vec<Value> = TABLE
            .iter()
            .filter(|row| row.1 == model)
            .map(|(key, _, scores, ..)| {
                let mut row = harness::row(key, model, &["Text"]);
                row["response_text"] = json!(format!("{key} by {model}"));
                row["rubric_grades"] = (1..)
                    .zip(TEXTS.iter().zip(scores))
                    .map(|(place, (text, score))| harness::grade(place, "Text", text, *score))
                    .collect();
                row["rubric_score"] = json!(f64::midpoint(scores[0], scores[1]));
                row
            })
            .collect();
        place.write(&format!("run/results/main/20260101_000000_{model}.jsonl"), harness::lines(&rows));
    }
    let study = place.study("graded");
    place.import(&study, &[&place.path("run")]);
    let plan = place.write(
        "plan.json",
        json!({"people": [{"name": "ada", "role": "auditor"}, {"name": "bea", "role": "auditor"}],
               "tasks": [{"kind": "grade", "who": ["ada", "bea"], "overlap": 2}]})
        .to_string(),
    );
    place.json(["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), plan.as_os_str()]);
    for person in ["ada", "bea"] {
        let host = Host::as_person(place, &study, person, "auditor");
        for _ in TABLE {
            let item = host.call("grading_item", &json!({}))["item"].clone();
            let text = item["response"]["text"].as_str().unwrap();
            let row = TABLE.iter().find(|row| text == format!("{} by {}", row.0, row.1)).unwrap();
            let said = if person == "ada" { row.3 } else { row.4 };
            let verdicts: Vec<Value> = item["checks"]
                .as_array()
                .unwrap()
                .iter()
                .zip(said)
                .map(|(check, verdict)| {
                    json!({"check": check["id"], "text_sha256": check["text_sha256"], "verdict": verdict,
                           "reason": if verdict == "partial" { "the decade alone" } else { "" }})
                })
                .collect();
            host.call("submit_grades", &json!({"task": item["task"], "draft": {"verdicts": verdicts}}));
        }
        assert_eq!(host.call("grading_item", &json!({}))["item"], Value::Null, "{person} has graded all");
        host.stop();
    }
    study
}

#[test]
fn peoples_verdicts_on_checks_are_held_against_the_judge_and_each_other() {
    let place = Place::new();
    let study = graded(&place);
    let host = Host::as_person(&place, &study, "lead", "auditor");
    let view = host.call("agreement_checks", &json!({"resamples": 500}));
    assert_eq!(
        (&view["people"], &view["judges"], &view["total"], &view["ties"], &view["stale"]),
        (&json!(["ada", "bea"]), &json!(["stub-judge"]), &json!(4), &json!(2), &json!(0)),
        "four criteria; on two checks of responses ada and bea differ: {view}"
    );
    let both = &view["judge_human"];
    assert_eq!(both["pairable_units"], 6, "the two even splits are left out");
    assert_eq!(
        both["confusion"]["counts"],
        json!([[3, 0], [0, 3]]),
        "where ada and bea agree, so does the judge"
    );
    close(&both["scott_pi"]["value"], 1.0, "wholly");
    let among = &view["among_people"];
    close(&among["percent_agreement"]["value"], 0.75, "six of eight");
    close(&among["fleiss_kappa"]["value"], 0.5, "each says met of half of them");
    let ends: Vec<f64> = among["percent_agreement"]["ci95"]
        .as_array()
        .unwrap()
        .iter()
        .map(|end| end.as_f64().unwrap())
        .collect();
    // Both prompts have three of four, whichever is drawn.
    assert!(ends.iter().all(|end| (end - 0.75).abs() < 1e-9), "prompts are drawn: {ends:?}");

    let view = host.call("agreement_checks", &json!({"filter": {"human": "ada"}, "resamples": 0}));
    let both = &view["judge_human"];
    assert_eq!(both["confusion"]["counts"], json!([[3, 1], [1, 3]]), "judge in rows, ada in columns");
    close(&both["percent_agreement"]["value"], 0.75, "against ada alone");
    close(&both["scott_pi"]["value"], 0.5, "half of chance's remainder");
    assert!(view.get("verdicts").is_none(), "criteria have a score, and no fourth verdict to compare");
    let row = |key: &str, check: &str| {
        let rows = view["rows"].as_array().unwrap();
        rows.iter().find(|row| row["key"] == key && row["check"] == check).unwrap().clone()
    };
    let named = row("q3", "1");
    close(&named["judge_human"]["percent_agreement"]["value"], 1.0, "all say that q3 is named");
    assert!(named["judge_human"]["scott_pi"]["undefined"].is_string(), "π has nothing to tell apart there");
    let dated = row("q3", "2");
    close(&dated["judge_human"]["percent_agreement"]["value"], 0.5, "one of two");
    // One of two: the exact interval reaches from 0.0126 to 0.9874.
    let low = dated["judge_human"]["percent_agreement"]["ci95"][0].as_f64().unwrap();
    assert!((low - (1.0 - 0.975_f64.sqrt())).abs() < 1e-9, "the exact interval of one in two: {low}");
    assert_eq!(dated["people_units"], 2, "both people on both responses");
    close(&dated["people_agreement"]["value"], 0.5, "bea says met of n, ada in part");
    let item = dated["items"].as_array().unwrap().iter().find(|item| item["model"] == "n").unwrap();
    assert_eq!(
        (&item["judge"], &item["people"][0]),
        (
            &json!({"met": true, "score": 1.0}),
            &json!({"person": "ada", "verdict": "partial", "reason": "the decade alone"})
        ),
        "the items behind the number"
    );
    let one =
        host.call("agreement_checks", &json!({"filter": {"model": "m", "prompt": "q4"}, "resamples": 0}));
    assert_eq!((&one["total"], &one["judge_human"]["pairable_units"]), (&json!(2), &json!(1)), "filtered");

    // Criteria that tell nothing apart, by whom they were graded.
    for (by, wanted) in [("people", [4, 2, 2]), ("judge", [4, 1, 1])] {
        let found = host.call("agreement_criteria", &json!({"graded_by": by}));
        assert_eq!(
            [&found["graded"], &found["never_passed"], &found["never_failed"]],
            [&json!(wanted[0]), &json!(wanted[1]), &json!(wanted[2])],
            "by {by}: {found}"
        );
    }
    host.stop();
    let csv = place
        .text(["export", "--as", "check_agreement"].map(OsStr::new).into_iter().chain([study.as_os_str()]));
    let last = csv.lines().last().unwrap();
    assert!(last.starts_with("overall,,,,,6,3,0,0,3,1,"), "the whole stands last: {csv}");
    place.check_clean(&study);
}

fn write_checklists(place: &Place) {
    let rubrics = [
        json!({"schema": "metarubric/1", "id": "g1", "question": "How is it made?", "items": [
            {"id": "a", "type": "simple", "tier": "AC", "text": "States that it boils."},
            {"id": "b", "type": "simple", "tier": "V", "text": "Names the pot."}]}),
        json!({"schema": "metarubric/1", "id": "g2", "question": "What is it?", "items": [
            {"id": "a", "type": "simple", "tier": "AC", "text": "States that it is a pot."}]}),
    ];
    place.write("gamut/rubrics.jsonl", rubrics.map(|rubric| rubric.to_string() + "\n").concat());
    let mut grades = String::new();
    for (question, check, by) in [
        ("g1", "a.fact", ["meets", "contradicts", "missing"]),
        ("g1", "b.fact", ["partially", "missing", "missing"]),
        ("g2", "a.fact", ["meets", "meets", "meets"]),
    ] {
        for ((judge, variant), verdict) in
            [("maker-one", "multimodal"), ("other", "multimodal"), ("maker-one", "text_only")]
                .into_iter()
                .zip(by)
        {
            let grade = json!({"question_id": question, "model": "maker-two", "judge": judge, "variant": variant,
                               "check_id": check, "verdict": verdict, "explanation": "=as read"});
            grades += &(grade.to_string() + "\n");
        }
    }
    place.write("gamut/grades.jsonl", grades);
}

fn write_samples(place: &Place) {
    let kinds = ["correct_guidance", "unrelated"];
    let sample = |n: usize, pattern: &str| {
        let mut sample = json!({"sample_id": format!("s{n}"), "pattern": pattern, "level": n % 3 + 1,
            "task": format!("task {}", n % 2), "question": "Which?", "options": {"A": "one", "B": "two"}, "answer": "A",
            "text": "It is one."});
        let contexts = kinds.map(|kind| json!({"kind": kind, "image": "one.png"}));
        if pattern == "text" {
            sample["contexts"] = json!(contexts);
        } else {
            sample["image"] = json!("one.png");
        }
        if pattern == "vision" {
            sample["contexts"] = json!(kinds.map(|kind| json!({"kind": kind, "text": "It is two."})));
            sample.as_object_mut().unwrap().remove("text");
        }
        sample
    };
    let samples: Vec<Value> = (0..6).map(|n| sample(n, ["vision", "text", "synergy"][n % 3])).collect();
    place.write("bench/samples.jsonl", samples.iter().map(|s| s.to_string() + "\n").collect::<String>());
    place.write("bench/one.png", fs::read(crate::at_work::demo().join("input_files/p977763_1.png")).unwrap());
    let mut lines = String::new();
    for (n, sample) in samples.iter().enumerate() {
        let contexts: Vec<Value> = match sample["contexts"].as_array() {
            Some(contexts) => contexts.iter().map(|context| context["kind"].clone()).collect(),
            None => vec![Value::Null],
        };
        for (at, context) in contexts.iter().enumerate() {
            // Right on even samples; on odd ones right only under the first context.
            let choice = if n % 2 == 0 || at == 0 { "A" } else { "B" };
            let said = json!({"sample_id": format!("s{n}"), "model": "maker-two", "context": context, "choice": choice});
            lines += &(said.to_string() + "\n");
        }
    }
    place.write("bench/predictions.jsonl", lines);
}

fn report(place: &Place, study: &Path) -> String {
    let page = place.path("report.html");
    place.text(["report".as_ref(), study.as_os_str(), "-o".as_ref(), page.as_os_str()]);
    fs::read_to_string(page).unwrap()
}

#[test]
fn checklists_samples_and_peoples_grades_come_back_from_the_dataset_folder() {
    let place = Place::new();
    let study = graded(&place);
    write_checklists(&place);
    write_samples(&place);
    for folder in ["gamut", "bench"] {
        place.import(&study, &[&place.path(folder)]);
    }
    let folder = place.path("dataset");
    let args = ["export", "--as", "huggingface", "--files", "-o"].map(OsStr::new);
    place.text([args[0], study.as_os_str(), args[1], args[2], args[3], args[4], folder.as_os_str()]);
    let fresh = place.study("fresh");
    let summary = place.import(&fresh, &[&folder.join("mmi")]);
    for file in summary["files"].as_array().unwrap() {
        assert_eq!(file["rejected"], json!([]), "every row is read again: {file}");
    }
    let (wanted, found) = (place.scores(&study), place.scores(&fresh));
    assert_eq!(wanted["gamut"]["models"].as_array().unwrap().len(), 3, "two judges and two ways: {wanted}");
    assert_eq!(wanted["gamut"]["people"].as_array().unwrap().len(), 4, "two people on two models");
    close(
        &wanted["interaction"]["models"]["maker-two"]["overall"]["accuracy"]["value"],
        10.0 / 12.0,
        "of samples",
    );
    assert_eq!(differs(&wanted, &found, "scores"), None, "the scores are the same");
    let checks = |study: &Path| {
        let host = Host::as_person(&place, study, "lead", "auditor");
        let mut view = host.call("agreement_checks", &json!({"resamples": 200}));
        host.stop();
        // Opaque ids and reasons are the first study's own.
        for row in view["rows"].as_array_mut().unwrap() {
            for item in row["items"].as_array_mut().unwrap() {
                item.as_object_mut().unwrap().remove("response");
                for said in item["people"].as_array_mut().unwrap() {
                    said.as_object_mut().unwrap().remove("reason");
                }
            }
        }
        view
    };
    assert_eq!(differs(&checks(&study), &checks(&fresh), "checks"), None, "agreement on checks is the same");
    for table in ["check_grades", "gamut", "gamut_responses", "interaction", "predictions", "people_value"] {
        let text = |study: &Path| {
            place.text(["export".as_ref(), study.as_os_str(), "--as".as_ref(), table.as_ref()])
        };
        let (wanted, found) = (text(&study), text(&fresh));
        assert!(wanted.lines().count() > 1, "{table} holds something");
        assert_eq!(wanted, found, "{table} is the same");
    }
    place.check_clean(&fresh);
    let dictionary = fs::read_to_string(folder.join("dictionary.csv")).unwrap();
    for line in dictionary.lines().skip(1) {
        assert!(!line.ends_with(",,"), "every column has a type and a meaning: {line}");
    }

    let html = report(&place, &study);
    for words in [
        "GAMUT score by tier",
        "Image and text against text alone",
        "Consistency on samples",
        "Single checks",
    ] {
        assert!(html.contains(words), "the page has {words:?}");
    }
    // A study without results of runs has a report too, of what it has.
    let alone = place.study("alone");
    place.import(&alone, &[&place.path("gamut"), &place.path("bench")]);
    let html = report(&place, &alone);
    assert!(html.contains("GAMUT score by model, judged by maker-one, multimodal"), "scores by checklists");
    assert!(
        html.contains("Accuracy and consistency by model") && html.contains("SHA-256 over all records"),
        "samples"
    );
    assert!(!html.contains("id=\"agreement\""), "and nothing of runs that it has not");
}

#[test]
fn a_table_on_screen_is_kept_as_a_file() {
    let place = Place::new();
    let study = graded(&place);
    let host = Host::as_person(&place, &study, "lead", "auditor");
    let table = |rows: Value| {
        json!({"name": "By model / π", "form": "csv", "rows": rows,
               "columns": [{"name": "model", "numeric": false}, {"name": "n", "numeric": true}, {"name": "n", "numeric": true}]})
    };
    let rows = json!([{"texts": ["=m", "1", "–"], "numbers": [null, 0.123_456_789, null]}]);
    let done = host.call("save_table", &table(rows));
    let text = fs::read_to_string(done["path"].as_str().unwrap()).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("model,n,n 2"), "two columns of one name are told apart");
    let line = lines.next().unwrap();
    assert!(
        line.ends_with(",0.123456789,") && line.contains("=m"),
        "unrounded, and empty where there is none: {line}"
    );
    let short = json!([{"texts": ["m"], "numbers": [null]}]);
    assert_eq!(host.refused("save_table", &table(short))["code"], "bad_request", "a row that is too short");
    host.stop();
}
