//! Samples of an interaction benchmark from files that are not as they should be: each bad row is refused by its line and file,
//! with what is wrong with it, and the good ones are taken in.

use crate::at_work::demo;
use acceptance::Place;
use serde_json::{Value, json};
use std::fs;

/// A good sample of a pattern, to be spoilt.
fn good(key: &str, pattern: &str) -> Value {
    let kinds = ["correct_guidance", "global_description", "local_description", "unrelated", "misleading"];
    let context = |kind: &str| match pattern {
        "vision" => json!({"kind": kind, "text": format!("{kind} in words")}),
        _ => json!({"kind": kind, "image": "images/one.png"}),
    };
    let mut sample = json!({"sample_id": key, "pattern": pattern, "level": 2, "task": "counting", "question": "How many?",
                            "options": {"A": "one", "B": "two"}, "answer": "A"});
    if pattern != "text" {
        sample["image"] = json!("images/one.png");
    }
    if pattern != "vision" {
        sample["text"] = json!("Two trains leave.");
    }
    if pattern != "synergy" {
        sample["contexts"] = kinds.map(context).to_vec().into();
    }
    sample
}

/// A good sample with one thing done to it.
fn spoilt(pattern: &str, spoil: impl Fn(&mut Value)) -> String {
    let mut sample = good("spoilt", pattern);
    spoil(&mut sample);
    sample.to_string()
}

fn without(name: &'static str) -> String {
    spoilt("vision", |sample| {
        sample.as_object_mut().unwrap().remove(name);
    })
}

#[test]
fn each_malformed_sample_is_refused_by_file_and_line() {
    let place = Place::new();
    let study = place.study("bench");
    place.write("bench/images/one.png", fs::read(demo().join("input_files/p977763_1.png")).unwrap());
    let bad: Vec<(String, &str)> = vec![
        (without("sample_id"), "sample_id is missing"),
        (without("pattern"), "pattern is missing"),
        (without("level"), "level is missing"),
        (without("task"), "task is missing"),
        (without("question"), "question is missing"),
        (without("options"), "options is missing"),
        (without("answer"), "answer is missing"),
        (without("image"), "lacks what it turns on"),
        (spoilt("text", |s| s["text"] = json!("")), "lacks what it turns on"),
        (spoilt("synergy", |s| s["text"] = json!(null)), "lacks what it turns on"),
        (spoilt("vision", |s| s["pattern"] = json!("audio")), "\"audio\" is no pattern; write vision, text, synergy"),
        (spoilt("vision", |s| s["level"] = json!(4)), "level is 1, 2 or 3, not \"4\""),
        (spoilt("vision", |s| s["level"] = json!("reasoning")), "level is 1, 2 or 3, not \"reasoning\""),
        (spoilt("vision", |s| s["level"] = json!(1.5)), "level is 1, 2 or 3"),
        (spoilt("vision", |s| s["question"] = json!("  ")), "question is missing"),
        (spoilt("vision", |s| s["question"] = json!(["How", "many?"])), "question is no text"),
        (spoilt("vision", |s| s["task"] = json!({"name": "counting"})), "task is no text"),
        (spoilt("vision", |s| s["options"] = json!(["one", "two"])), "options is no object"),
        (spoilt("vision", |s| s["options"] = json!({"A": "one"})), "fewer than two options"),
        (spoilt("vision", |s| s["options"] = json!({"A": "one", "B": ""})), "the option B is empty"),
        (spoilt("vision", |s| s["options"] = json!({"A": "one", "B": ["two"]})), "the option \"B\" is no text"),
        (spoilt("vision", |s| s["answer"] = json!("C")), "none of the options"),
        (spoilt("vision", |s| s["answer"] = json!("a")), "none of the options"),
        (spoilt("vision", |s| s["image"] = json!("../secret.png")), "image:"),
        (spoilt("vision", |s| s["image"] = json!("/etc/passwd")), "image: the path is absolute"),
        (spoilt("vision", |s| s["image"] = json!(["images/one.png"])), "image is no text"),
        (spoilt("vision", |s| s["contexts"] = json!({"kind": "unrelated"})), "contexts is no list"),
        (spoilt("vision", |s| s["contexts"][1] = json!("a text")), "entry 2 of contexts: it is no object"),
        (spoilt("vision", |s| s["contexts"][0]["kind"] = json!("helpful")), "entry 1 of contexts: \"helpful\" is no kind of context"),
        (spoilt("vision", |s| s["contexts"][2]["kind"] = json!(null)), "entry 3 of contexts: kind is missing"),
        (spoilt("vision", |s| s["contexts"][4]["kind"] = json!("unrelated")), "the context unrelated comes twice"),
        (spoilt("vision", |s| s["contexts"][0]["image"] = json!("images/one.png")), "holds one of an image and a text"),
        (spoilt("vision", |s| s["contexts"][0]["text"] = json!("")), "holds one of an image and a text"),
        (
            spoilt("vision", |s| s["contexts"][0] = json!({"kind": "correct_guidance", "image": "images/one.png"})),
            "contexts are of the other",
        ),
        (
            spoilt("text", |s| s["contexts"][0] = json!({"kind": "correct_guidance", "text": "a hint"})),
            "contexts are of the other",
        ),
        (
            spoilt("synergy", |s| s["contexts"] = json!([{"kind": "unrelated", "text": "x"}])),
            "a sample of pattern synergy has no contexts",
        ),
        (spoilt("text", |s| s["contexts"][0]["image"] = json!("C:\\x.png")), "entry 1 of contexts: image:"),
        (r#"{"sample_id":"cut","pattern":"vision","level":1,"task":"#.to_owned(), "the line is no JSON"),
        (r#"["sample_id","question"]"#.to_owned(), "the line is no object"),
        ("null".to_owned(), "the line is no object"),
        (
            r#"{"sample_id":"twice","pattern":"text","text":"t","level":1,"task":"t","question":"q","options":{"A":"x","A":"y","B":"z"},"answer":"A"}"#
                .to_owned(),
            "the option \"A\" comes twice",
        ),
    ];
    // A good one first, in the middle and last; blank lines count as lines.
    let mut lines = vec![good("g1", "vision").to_string(), String::new()];
    let mut wanted = Vec::new();
    for (at, (line, why)) in bad.iter().enumerate() {
        if at == bad.len() / 2 {
            lines.push(good("g2", "text").to_string());
        }
        lines.push(line.clone());
        wanted.push((lines.len() as u64, *why));
    }
    lines.push(good("g3", "synergy").to_string());
    let again = spoilt("vision", |s| {
        s["sample_id"] = json!("g1");
        s["question"] = json!("Other words?");
    });
    lines.push(again);
    wanted.push((lines.len() as u64, "came before with other content"));
    let file = place.write("bench/samples.jsonl", lines.join("\n"));
    let (_, summary) = place.try_import(&study, &[&file]);
    let report = &summary["files"][0];
    assert_eq!(report["path"].as_str().unwrap(), file.to_str().unwrap(), "the file is named");
    assert_eq!(
        (&report["format"], &report["added"]["samples"]),
        (&json!("samples"), &json!(3)),
        "the good ones are taken in: {report}"
    );
    let rejected = report["rejected"].as_array().unwrap();
    for (line, why) in &wanted {
        let of_line: Vec<&Value> = rejected.iter().filter(|note| note["line"] == *line).collect();
        assert_eq!(of_line.len(), 1, "line {line} is refused once: {rejected:#?}");
        let said = of_line[0]["why"].as_str().unwrap();
        assert!(said.contains(why), "line {line} says what is wrong: wanted {why:?}, found {said:?}");
    }
    assert_eq!(rejected.len(), wanted.len(), "and no other line is");
    place.check_clean(&study);
}

#[test]
fn what_is_odd_is_taken_in_with_a_remark() {
    let place = Place::new();
    let study = place.study("bench");
    place.write("bench/images/one.png", fs::read(demo().join("input_files/p977763_1.png")).unwrap());
    place.write("bench/images/broken.png", b"this is no picture");
    let mut few = good("few", "vision");
    few["contexts"] = json!([{"kind": "unrelated", "text": "x"}, {"kind": "misleading", "text": "y"}]);
    let mut bare = good("bare", "vision");
    bare.as_object_mut().unwrap().remove("contexts");
    let mut gone = good("gone", "synergy");
    gone["image"] = json!("images/gone.png");
    let mut broken = good("broken", "synergy");
    broken["image"] = json!("images/broken.png");
    let lines = [few, bare, gone, good("whole", "text"), broken].map(|sample| sample.to_string()).join("\n");
    let file = place.write("bench/samples.jsonl", lines);
    let summary = place.import(&study, &[&file]);
    let report = &summary["files"][0];
    assert_eq!((&report["added"]["samples"], &report["rejected"]), (&json!(5), &json!([])), "{report}");
    let of = |line: u64| -> Vec<&str> {
        let notes = report["warnings"].as_array().unwrap().iter();
        notes.filter(|note| note["line"] == line).map(|note| note["why"].as_str().unwrap()).collect()
    };
    assert!(
        matches!(*of(1), [why] if why.contains("contexts are missing: correct_guidance, global_description, local_description")),
        "which of the five it lacks: {:?}",
        of(1)
    );
    assert!(matches!(*of(2), [why] if why.contains("unrelated, misleading")), "all five: {:?}", of(2));
    assert!(
        matches!(*of(3), [why] if why.contains("\"images/gone.png\" is missing")),
        "the image: {:?}",
        of(3)
    );
    assert_eq!(of(4), Vec::<&str>::new(), "a whole one has no remark");
    assert!(
        matches!(*of(5), [why] if why.contains("the image \"images/broken.png\" is")),
        "a file that is no picture: {:?}",
        of(5)
    );
    place.check_clean(&study);
}

/// A prediction of `g1`, a sample with all five contexts, with one thing done to it.
fn predicted(spoil: impl Fn(&mut Value)) -> String {
    let mut said = json!({"sample_id": "g1", "model": "m", "context": "unrelated", "choice": "A"});
    spoil(&mut said);
    said.to_string()
}

#[test]
fn each_malformed_prediction_is_refused_and_each_that_cannot_count_is_named() {
    let place = Place::new();
    let study = place.study("bench");
    place.write("bench/images/one.png", fs::read(demo().join("input_files/p977763_1.png")).unwrap());
    let samples = [good("g1", "vision"), good("g2", "synergy")].map(|sample| sample.to_string()).join("\n");
    place.import(&study, &[&place.write("bench/samples.jsonl", samples)]);
    let refused: Vec<(String, &str)> = vec![
        (predicted(|p| p["sample_id"] = json!(null)), "sample_id is missing"),
        (predicted(|p| p["model"] = json!("  ")), "model is missing"),
        (predicted(|p| p["model"] = json!(["m"])), "model is no text"),
        (predicted(|p| p["context"] = json!("helpful")), "\"helpful\" is no kind of context"),
        (predicted(|p| p["choice"] = json!({"A": 1})), "choice is no text"),
        (r#"{"sample_id":"g1","model":"m","#.to_owned(), "the line is no JSON"),
        ("[]".to_owned(), "the line is no object"),
    ];
    let named: Vec<(String, &str)> = vec![
        (predicted(|p| p["sample_id"] = json!("elsewhere")), "the study has no sample \"elsewhere\" yet"),
        (predicted(|p| p["context"] = json!(null)), "\"g1\" is asked with its contexts"),
        (
            predicted(|p| {
                p["sample_id"] = json!("g2");
                p["model"] = json!("n");
            }),
            "\"g2\" has no context unrelated",
        ),
        (predicted(|p| p["choice"] = json!("a")), "the choice \"a\" is none of the options of \"g1\" (A, B)"),
        (
            predicted(|p| {
                p["model"] = json!("n");
                p["choice"] = json!("A.");
            }),
            "the choice \"A.\" is none of the options",
        ),
    ];
    let mut lines = vec![predicted(|p| p["context"] = json!("misleading")), String::new()];
    let mut wanted = [Vec::new(), Vec::new()];
    for (kind, rows) in [refused, named].into_iter().enumerate() {
        for (line, why) in rows {
            lines.push(line);
            wanted[kind].push((lines.len() as u64, why));
        }
    }
    // A choice that is not there is an answer that was not given, and nothing odd; an unknown sample is named once.
    lines.push(predicted(|p| {
        p["context"] = json!("local_description");
        p["choice"] = json!(null);
    }));
    lines.push(predicted(|p| {
        p["sample_id"] = json!("elsewhere");
        p["context"] = json!("misleading");
    }));
    let file = place.write("bench/predictions.jsonl", lines.join("\n"));
    let summary = place.import(&study, &[&file]);
    let report = &summary["files"][0];
    assert_eq!(
        (&report["format"], &report["added"]["predictions"]),
        (&json!("predictions"), &json!(8)),
        "what is no row is refused, what cannot count is kept: {report}"
    );
    for (notes, wanted) in [("rejected", &wanted[0]), ("warnings", &wanted[1])] {
        let found: Vec<(u64, &str)> = report[notes]
            .as_array()
            .unwrap()
            .iter()
            .map(|note| (note["line"].as_u64().unwrap(), note["why"].as_str().unwrap()))
            .collect();
        assert_eq!(found.len(), wanted.len(), "{notes}: no other line: {found:#?}");
        for (line, why) in wanted {
            let said = found.iter().find(|(at, _)| at == line).map(|(_, said)| *said);
            assert!(
                said.is_some_and(|said| said.contains(why)),
                "line {line}: wanted {why:?}, found {said:?}"
            );
        }
    }
    place.check_clean(&study);
}

#[test]
fn a_file_whose_every_row_lacks_a_field_is_still_known_for_what_it_is() {
    let place = Place::new();
    let study = place.study("bench");
    let lines = [without("question"), without("question")].join("\n");
    let file = place.write("bench/samples.jsonl", lines);
    let (_, summary) = place.try_import(&study, &[&file]);
    let report = &summary["files"][0];
    assert_eq!(report["format"], "samples", "not an unknown file: {report}");
    let lines: Vec<u64> =
        report["rejected"].as_array().unwrap().iter().map(|note| note["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 2], "each row by its line");
}
