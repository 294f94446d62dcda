//! The guideline for people (MMI, appendix E) as behaviour: what a judgement must hold, what it may, and under which rules it
//! was given. Asked through the host as a judge's page does, and read again as an auditor does.

use crate::at_work::{demo, hand_out, study};
use acceptance::{Host, Place};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn at_work(place: &Place) -> PathBuf {
    let study = study(place, "study", &[&demo()]);
    hand_out(place, &study);
    study
}

/// Publishes from the command line; the guidelines in force.
fn guidelines(place: &Place, study: &Path, more: &[&str]) -> Value {
    let line = ["guidelines".as_ref(), study.as_os_str()].into_iter().chain(more.iter().map(AsRef::as_ref));
    place.json(line)
}

/// The first item of sam's queue for which this holds.
fn item(host: &Host, wanted: impl Fn(&Value) -> bool) -> Value {
    let rows = host.call("judge_queue", &json!({"limit": 1000}))["rows"].as_array().unwrap().clone();
    rows.iter()
        .map(|row| host.call("judge_item", &json!({"task": row["task"]}))["item"].clone())
        .find(wanted)
        .expect("the demo has such an item")
}
fn expects(item: &Value, modality: &str) -> bool {
    item["response"]["expected"].as_array().unwrap().iter().any(|m| m == modality)
}
fn blob_of(item: &Value, modality: &str) -> Option<String> {
    let assets = item["response"]["assets"].as_array().unwrap();
    let found = assets.iter().find(|a| a["modality"] == modality && a["state"] == "ok")?;
    found["blob"].as_str().map(str::to_owned)
}
/// The same on every expected modality.
fn all(item: &Value, given: &Value) -> Vec<Value> {
    let with = |modality: &Value| {
        let mut one = given.clone();
        one["modality"] = modality.clone();
        one
    };
    item["response"]["expected"].as_array().unwrap().iter().map(with).collect()
}
fn missing(host: &Host, request: &Value) -> Value {
    let refused = host.refused("submit_judgement", request);
    assert_eq!(refused["code"], "incomplete", "{refused}");
    refused["details"]["missing"].clone()
}

#[test]
fn a_comment_is_required_until_the_study_relaxes_it() {
    let place = Place::new();
    let study = at_work(&place);
    let built_in = guidelines(&place, &study, &[]);
    assert_eq!((&built_in["version"], &built_in["rules"]["comments"]), (&json!(0), &json!("always")));
    let host = Host::as_person(&place, &study, "sam", "judge");
    let first = item(&host, |_| true);
    assert_eq!(first["comment_rule"], "always", "the guideline's default");
    let bare = all(&first, &json!({"verdict": "correct"}));
    assert_eq!(missing(&host, &json!({"task": first["task"], "verdicts": bare})), "comment");

    // Relaxed from the command line while the judge's session is open: the text stays the app's own.
    let relaxed = guidelines(&place, &study, &["--comments", "incorrect"]);
    assert_eq!((&relaxed["version"], &relaxed["markdown"]), (&json!(1), &built_in["markdown"]));
    let under_old = json!({"task": first["task"], "verdicts": bare, "guidelines_version": 0});
    let stale = host.refused("submit_judgement", &under_old);
    assert_eq!(stale["code"], "stale", "who saw other guidelines is told: {stale}");
    let now = host.call("judge_item", &json!({"task": first["task"]}))["item"].clone();
    assert_eq!((&now["comment_rule"], &now["guidelines_version"]), (&json!("incorrect"), &json!(1)));
    let wrong = all(&first, &json!({"verdict": "incorrect", "comment": " "}));
    assert_eq!(missing(&host, &json!({"task": first["task"], "verdicts": wrong})), "comment");
    host.call("submit_judgement", &json!({"task": first["task"], "verdicts": bare, "guidelines_version": 1}));
    let given = host.call("judge_item", &json!({"task": first["task"]}))["item"]["judgement"].clone();
    assert_eq!(given["guidelines_version"], 1, "a verdict names the version it was given under");

    let back = guidelines(&place, &study, &["--comments", "always"]);
    assert_eq!((&back["version"], &back["rules"]["comments"]), (&json!(2), &json!("always")), "and back");
    let bad = place.write("bad.md", "---\ncomments: sometimes\n---\n# Judge\n");
    let out = place.run(["guidelines".as_ref(), study.as_os_str(), bad.as_os_str()]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(!out.status.success() && said.contains("line 2") && said.contains("sometimes"), "{said}");
    assert_eq!(guidelines(&place, &study, &[])["version"], 2, "what cannot be read is not published");
    host.stop();
}

#[test]
fn places_are_part_of_the_verdict_and_the_auditor_sees_them() {
    let place = Place::new();
    let study = at_work(&place);
    let host = Host::as_person(&place, &study, "sam", "judge");
    let item = item(&host, |item| expects(item, "Image") && blob_of(item, "Image").is_some());
    let (task, image) = (&item["task"], blob_of(&item, "Image").unwrap());
    let boxed =
        json!({"asset": image, "at": {"kind": "box", "frame": 1, "x": 4, "y": 6, "width": 20, "height": 10}});
    let given =
        |anchors: Value| all(&item, &json!({"verdict": "incorrect", "comment": "Here.", "anchors": anchors}));
    let foreign = json!({"asset": "ab".repeat(32), "at": {"kind": "time", "from_ms": 1, "to_ms": 2}});
    let flat =
        json!({"asset": image, "at": {"kind": "box", "frame": 1, "x": 4, "y": 6, "width": 0, "height": 1}});
    let nowhere = json!({"at": {"kind": "cells", "sheet": 1, "cells": "B4"}});
    for (anchor, why) in [(foreign, "has not got"), (flat, "marks no box"), (nowhere, "names no asset")] {
        let refused =
            host.refused("submit_judgement", &json!({"task": task, "verdicts": given(json!([anchor]))}));
        assert_eq!(refused["code"], "bad_request", "{refused}");
        assert!(refused["message"].as_str().unwrap().contains(why), "{refused}");
    }
    let card = json!({"modality": "Image", "verdict": null, "comment": "Hm", "anchors": [boxed]});
    host.call("save_judgement_draft", &json!({"task": task, "draft": {"cards": [card]}}));
    let kept = host.call("judge_item", &json!({"task": task}))["item"]["draft"]["cards"][0].clone();
    assert_eq!(kept["anchors"], json!([boxed]), "a draft keeps them");
    host.call("submit_judgement", &json!({"task": task, "verdicts": given(json!([boxed]))}));
    let standing = host.call("judge_item", &json!({"task": task}))["item"].clone();
    assert_eq!(standing["judgement"]["verdicts"][0]["anchors"], json!([boxed]));
    let summary = host.call("history", &json!({}))["rows"][0].clone();
    assert!(summary["summary"].as_str().unwrap().contains("place"), "history tells of them: {summary}");
    let about = format!("{} · item {}", item["prompt"]["key"].as_str().unwrap(), item["place"]);
    assert_eq!(summary["about"], json!(about), "and which of the prompt's responses it was");
    host.call("undo", &json!({}));
    let back = host.call("judge_item", &json!({"task": task}))["item"].clone();
    assert_eq!(back["draft"]["cards"][0]["anchors"], json!([boxed]), "what is taken back comes back whole");
    host.call("submit_judgement", &json!({"task": task, "verdicts": given(json!([boxed]))}));
    host.stop();

    let lead = Host::as_person(&place, &study, "lead", "auditor");
    let cases =
        lead.call("history", &json!({"person": "sam", "kind": "judgement", "limit": 10}))["rows"].clone();
    let detail: Value = serde_json::from_str(cases[0]["detail"].as_str().unwrap()).unwrap();
    let case = json!({"response": detail["response"], "modality": "Image"});
    let sam = |lead: &Host| {
        let people = lead.call("disagreement_case", &case)["people"].as_array().unwrap().clone();
        people.into_iter().find(|person| person["person"] == "sam").expect("sam's verdict")
    };
    let seen = sam(&lead);
    assert_eq!((&seen["anchors"], &seen["outdated"]), (&json!([boxed]), &json!(false)), "{seen}");
    lead.stop();
    guidelines(&place, &study, &["--comments", "never"]);
    let lead = Host::as_person(&place, &study, "lead", "auditor");
    let seen = sam(&lead);
    assert_eq!(
        (&seen["guidelines_version"], &seen["outdated"]),
        (&json!(0), &json!(true)),
        "work under older guidelines is kept, and marked with their version"
    );
    lead.stop();
    place.check_clean(&study);
}

#[test]
fn help_of_an_ai_is_declared_and_what_was_not_asked_for_may_be_noted() {
    let place = Place::new();
    let study = at_work(&place);
    let host = Host::as_person(&place, &study, "sam", "judge");
    let item = item(&host, |item| !expects(item, "Text") && item["response"]["text"] != "");
    let task = &item["task"];
    let flags = json!({"ai_background": true});
    let silent = all(&item, &json!({"verdict": "correct", "comment": "So it is.", "flags": flags}));
    assert_eq!(missing(&host, &json!({"task": task, "verdicts": silent})), "ai_asked");
    let asked = "When was the old bridge built?";
    let told =
        all(&item, &json!({"verdict": "correct", "comment": "So it is.", "flags": flags, "ai_asked": asked}));
    for (noted, why) in [
        (json!([{"modality": item["response"]["expected"][0], "comment": "x"}]), "is expected"),
        (json!([{"modality": "Text", "comment": " "}]), "without a word"),
        (json!([{"modality": "Text", "comment": "x"}, {"modality": "Text", "comment": "y"}]), "twice"),
    ] {
        let request = json!({"task": task, "verdicts": told, "noted": noted});
        let refused = host.refused("submit_judgement", &request);
        assert!(refused["message"].as_str().unwrap().contains(why), "{refused}");
    }
    let noted = json!([{"modality": "Text", "comment": "It only says what it made."}]);
    host.call(
        "submit_judgement",
        &json!({"task": task, "verdicts": told, "noted": noted, "active_ms": 9000, "idle_ms": 400}),
    );
    let given = host.call("judge_item", &json!({"task": task}))["item"]["judgement"].clone();
    assert_eq!((&given["verdicts"][0]["ai_asked"], &given["noted"]), (&json!(asked), &noted));
    assert_eq!((&given["active_ms"], &given["idle_ms"]), (&json!(9000), &json!(400)), "apart");
    host.stop();
}

#[test]
fn a_study_may_ask_for_what_must_have_been_played_or_seen() {
    let place = Place::new();
    let study = at_work(&place);
    guidelines(&place, &study, &["--comments", "never", "--least-played", "80", "--least-pages", "100"]);
    let host = Host::as_person(&place, &study, "sam", "judge");
    let item = item(&host, |item| expects(item, "Audio") && blob_of(item, "Audio").is_some());
    assert_eq!((&item["least_played_percent"], &item["least_pages_percent"]), (&json!(80), &json!(100)));
    let (task, sound) = (&item["task"], blob_of(&item, "Audio").unwrap());
    let others: Vec<Value> = item["response"]["assets"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|asset| !asset["blob"].is_null() && asset["blob"] != json!(sound))
        .map(|asset| json!({"asset": asset["blob"], "played_ms": 10, "length_ms": 10, "pages": [1], "page_count": 1}))
        .collect();
    let request = |played: u64, given: &Value| {
        let heard = json!({"asset": sound, "engines": ["web_view"], "played_ms": played, "length_ms": 10_000,
                           "played": [[0, played]]});
        let exposures: Vec<Value> = others.iter().cloned().chain([heard]).collect();
        json!({"task": task, "verdicts": all(&item, given), "exposures": exposures})
    };
    let plain = json!({"verdict": "correct"});
    assert_eq!(missing(&host, &json!({"task": task, "verdicts": all(&item, &plain)})), "exposure", "unheard");
    let refused = host.refused("submit_judgement", &request(7_999, &plain));
    assert_eq!(
        (&refused["details"]["missing"], &refused["details"]["modality"]),
        (&json!("exposure"), &json!("Audio")),
        "79.99 % of ten seconds are less than 80 %"
    );
    // Who cannot hear it says how they perceived it.
    host.call(
        "submit_judgement",
        &request(0, &json!({"verdict": "correct", "perceived": "I read its transcript."})),
    );
    let given = host.call("judge_item", &json!({"task": task}))["item"]["judgement"].clone();
    assert_eq!(given["verdicts"][0]["perceived"], "I read its transcript.");
    host.call("submit_judgement", &request(8_000, &plain));
    let given = host.call("judge_item", &json!({"task": task}))["item"]["judgement"].clone();
    let heard = given["exposures"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["asset"] == json!(sound))
        .unwrap()
        .clone();
    assert_eq!(heard["played"], json!([[0, 8000]]), "which stretches were played is in the judgement");
    host.stop();
}

#[test]
fn a_study_may_ask_for_how_long_a_picture_and_how_far_a_text_was_in_view() {
    let place = Place::new();
    let study = at_work(&place);
    guidelines(&place, &study, &["--comments", "never", "--least-text", "90", "--least-picture", "2"]);
    let host = Host::as_person(&place, &study, "sam", "judge");
    let item = item(&host, |item| {
        expects(item, "Image")
            && expects(item, "Text")
            && blob_of(item, "Image").is_some()
            && item["response"]["text"] != ""
    });
    assert_eq!((&item["least_text_percent"], &item["least_picture_seconds"]), (&json!(90), &json!(2)));
    let (task, picture) = (&item["task"], blob_of(&item, "Image").unwrap());
    // Other pictures of the same answer were looked at.
    let others: Vec<Value> = item["response"]["assets"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|asset| !asset["blob"].is_null() && asset["blob"] != json!(picture))
        .map(|asset| json!({"asset": asset["blob"], "visible_ms": 9000}))
        .collect();
    let request = |ms: u64, percent: u64, given: &Value| {
        let seen = [
            json!({"asset": picture, "visible_ms": ms, "enlarged_ms": 400}),
            json!({"asset": null, "scrolled_percent": percent}),
        ];
        let exposures: Vec<Value> = others.iter().cloned().chain(seen).collect();
        json!({"task": task, "verdicts": all(&item, given), "exposures": exposures})
    };
    let plain = json!({"verdict": "correct"});
    for (ms, percent, modality) in [(1_999, 100, "Image"), (2_000, 89, "Text")] {
        let refused = host.refused("submit_judgement", &request(ms, percent, &plain));
        assert_eq!(
            (&refused["details"]["missing"], &refused["details"]["modality"]),
            (&json!("exposure"), &json!(modality)),
            "{ms} ms and {percent} %"
        );
    }
    // Who uses a screen reader says so, and is not held up.
    host.call(
        "submit_judgement",
        &request(0, 0, &json!({"verdict": "correct", "perceived": "By a screen reader."})),
    );
    host.call("submit_judgement", &request(2_000, 90, &plain));
    let given = host.call("judge_item", &json!({"task": task}))["item"]["judgement"].clone();
    let seen = given["exposures"].as_array().unwrap();
    let of = |asset: Value| seen.iter().find(|one| one["asset"] == asset).unwrap().clone();
    assert_eq!(of(json!(picture))["enlarged_ms"], 400, "how long of it enlarged is in the judgement");
    assert_eq!(of(Value::Null)["scrolled_percent"], 90, "and how far the text was in view");
    let refused =
        place.run(["guidelines".as_ref(), study.as_os_str(), "--least-picture".as_ref(), "61".as_ref()]);
    assert_eq!(refused.status.code(), Some(2), "nobody is held at a picture for longer than a minute");
    host.stop();
}

#[test]
fn two_windows_of_one_person_do_not_overwrite_each_other() {
    let place = Place::new();
    let study = at_work(&place);
    let host = Host::as_person(&place, &study, "sam", "judge");
    let other = Host::as_person(&place, &study, "sam", "judge");
    let seen = item(&host, |_| true);
    assert_eq!(seen["standing"], json!([]), "nothing is said yet");
    let ahead = seen["ahead"].as_array().unwrap();
    assert!(ahead.len() == 3 && ahead[0] == seen["next_open"], "three items are fetched ahead: {ahead:?}");
    let given = |why: &str| all(&seen, &json!({"verdict": "correct", "comment": why}));
    other.call(
        "submit_judgement",
        &json!({"task": seen["task"], "verdicts": given("elsewhere"), "replaces": []}),
    );
    let stale = host.refused(
        "submit_judgement",
        &json!({"task": seen["task"], "verdicts": given("here"), "replaces": seen["standing"]}),
    );
    assert_eq!(stale["code"], "stale", "{stale}");
    let now = host.call("judge_item", &json!({"task": seen["task"]}))["item"].clone();
    assert_eq!(now["judgement"]["verdicts"][0]["comment"], "elsewhere", "the open session sees it");
    host.call(
        "submit_judgement",
        &json!({"task": seen["task"], "verdicts": given("here"), "replaces": now["standing"]}),
    );

    assert_eq!(host.call("judge_snippets", &json!({}))["texts"], json!([]));
    host.call("save_judge_snippets", &json!({"texts": ["Too short.", "Boats are missing."]}));
    assert_eq!(
        other.call("judge_snippets", &json!({}))["texts"][1],
        "Boats are missing.",
        "own comments are kept"
    );
    let long = "x".repeat(1001);
    let refused = host.refused("save_judge_snippets", &json!({"texts": [long]}));
    assert_eq!(refused["code"], "bad_request");
    host.stop();
    other.stop();
    let kim = Host::as_person(&place, &study, "kim", "judge");
    assert_eq!(kim.call("judge_snippets", &json!({}))["texts"], json!([]), "nobody else sees them");
    kim.stop();
}
