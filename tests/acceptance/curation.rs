//! Curation of samples of an interaction benchmark: two people and a third, two rounds, the statistics at every step, and what
//! models make of the samples. Every number is worked out by hand from the rules that the invented people and models follow.

use crate::at_work::{demo, study};
use acceptance::{Host, Place};
use serde_json::{Value, json};
use std::{collections::BTreeMap, ffi::OsStr, fmt::Write, fs, path::Path};

const CONTEXTS: [&str; 5] =
    ["correct_guidance", "global_description", "local_description", "unrelated", "misleading"];

/// 24 that turn on an image, 24 on a text, 12 on both.
fn pattern(n: usize) -> &'static str {
    match n {
        0..24 => "vision",
        24..48 => "text",
        _ => "synergy",
    }
}
fn answer(n: usize) -> &'static str {
    if n.is_multiple_of(4) { "B" } else { "A" }
}
fn key(n: usize) -> String {
    format!("s{n:02}")
}

fn sample(n: usize) -> Value {
    let contexts: Vec<Value> = match pattern(n) {
        "vision" => {
            CONTEXTS.iter().map(|kind| json!({"kind": kind, "text": format!("{kind} of {n}")})).collect()
        }
        "text" => CONTEXTS.iter().map(|kind| json!({"kind": kind, "image": "images/one.png"})).collect(),
        _ => Vec::new(),
    };
    let mut sample = json!({
        "sample_id": key(n), "pattern": pattern(n), "level": n % 3 + 1, "task": format!("task {}", n % 6),
        "domain": if n.is_multiple_of(2) { "kitchen" } else { "garden" }, "question": format!("What is number {n}?"),
        "options": {"A": "one", "B": "two", "C": "three"}, "answer": answer(n), "contexts": contexts,
    });
    if pattern(n) != "text" {
        sample["image"] = json!("images/one.png");
    }
    if pattern(n) != "vision" {
        sample["text"] = json!(format!("A text about {n}."));
    }
    sample
}

fn samples(place: &Place) -> std::path::PathBuf {
    let image = fs::read(demo().join("input_files/p977763_1.png")).unwrap();
    place.write("bench/images/one.png", image);
    let lines: String = (0..60).map(|n| sample(n).to_string() + "\n").collect();
    place.write("bench/samples.jsonl", lines)
}

/// The variants of a sample.
fn variants(n: usize) -> Vec<Option<&'static str>> {
    if pattern(n) == "synergy" { vec![None] } else { CONTEXTS.iter().map(|kind| Some(*kind)).collect() }
}

/// What an invented model chooses; none where it is not asked.
fn choice(model: &str, n: usize, context: Option<&str>) -> Option<&'static str> {
    let wrong = if answer(n) == "A" { "B" } else { "A" };
    match (model, pattern(n)) {
        // Always right.
        ("right", _) => Some(answer(n)),
        // Misled by the misleading context; of both together it knows the even ones.
        ("misled", "synergy") => Some(if n.is_multiple_of(2) { answer(n) } else { wrong }),
        ("misled", _) => Some(if context == Some("misleading") { wrong } else { answer(n) }),
        // Always B of images; of texts it knows what it is led to; never asked of both together.
        ("stubborn", "vision") => Some("B"),
        ("stubborn", "text") => Some(if context == Some("correct_guidance") { answer(n) } else { "C" }),
        _ => None,
    }
}

fn predictions(place: &Place) -> Vec<std::path::PathBuf> {
    ["right", "misled", "stubborn"]
        .map(|model| {
            let mut lines = String::new();
            for n in 0..60 {
                for context in variants(n) {
                    if let Some(choice) = choice(model, n, context) {
                        let row = json!({"sample_id": key(n), "model": model, "context": context, "choice": choice});
                        let _ = writeln!(lines, "{row}");
                    }
                }
            }
            place.write(&format!("bench/predictions-{model}.jsonl"), lines)
        })
        .to_vec()
}

fn value(cell: &Value, what: &str) -> f64 {
    cell[what]["value"].as_f64().unwrap_or(f64::NAN)
}
fn near(found: f64, wanted: f64, why: &str) {
    assert!((found - wanted).abs() < 1e-12, "{why}: wanted {wanted}, found {found}");
}

#[test]
fn accuracy_and_consistency_are_what_they_come_to_by_hand() {
    let place = Place::new();
    let study = place.study("bench");
    let file = samples(&place);
    let summary = place.import(&study, &[&file]);
    let report = &summary["files"][0];
    assert_eq!((&report["format"], &report["added"]["samples"]), (&json!("samples"), &json!(60)), "{report}");
    assert_eq!((&report["rejected"], &report["warnings"]), (&json!([]), &json!([])), "nothing is odd");
    let again = place.import(&study, &[&file]);
    assert_eq!(again["files"][0]["unchanged"], 60, "the same file again adds nothing: {again}");
    let bad = format!(
        "{}\n{}\n{}\n",
        json!({"sample_id": "b1", "pattern": "vision", "level": 1, "task": "t", "question": "q", "options": {"A": "x", "B": "y"}, "answer": "C", "image": "images/one.png"}),
        json!({"sample_id": "b2", "pattern": "vision", "level": 4, "task": "t", "question": "q", "options": {"A": "x", "B": "y"}, "answer": "A", "image": "images/one.png"}),
        json!({"sample_id": "b3", "pattern": "text", "level": 1, "task": "t", "question": "q", "options": {"A": "x", "B": "y"}, "answer": "A", "text": "t", "image": "/etc/passwd"}),
    );
    let bad = place.write("bench/bad.jsonl", bad);
    let (_, refused) = place.try_import(&study, &[&bad]);
    let why = refused["files"][0]["rejected"].to_string();
    for part in ["none of the options", "level is 1, 2 or 3", "the path is absolute"] {
        assert!(why.contains(part), "each bad row says what is wrong with it, {part:?}: {why}");
    }
    let files = predictions(&place);
    let files: Vec<&Path> = files.iter().map(std::path::PathBuf::as_path).collect();
    let summary = place.import(&study, &files);
    // 240 variants of one modality and 12 of both; the third model is not asked of both.
    for (at, rows) in [(0, 252), (1, 252), (2, 240)] {
        assert_eq!(summary["files"][at]["added"]["predictions"], rows, "{summary}");
    }
    let scores = place.scores(&study)["interaction"].clone();
    assert_eq!((&scores["samples"], &scores["discarded"]), (&json!(60), &json!(0)), "all of them");
    let of = |model: &str| scores["models"][model].clone();

    let right = of("right");
    for cell in [&right["overall"], &right["by_pattern"]["vision"], &right["by_pattern"]["text"]] {
        near(value(cell, "accuracy"), 1.0, "always right");
        near(value(cell, "consistency"), 1.0, "and so always the same");
    }
    assert!(right["by_pattern"]["synergy"]["consistency"].is_null(), "not asked of both together");

    let misled = of("misled");
    near(value(&misled["by_pattern"]["vision"], "accuracy"), 0.8, "four contexts of five");
    near(value(&misled["by_pattern"]["text"], "accuracy"), 0.8, "four contexts of five");
    near(value(&misled["by_pattern"]["synergy"], "accuracy"), 0.5, "six even ones of twelve");
    near(value(&misled["overall"], "accuracy"), 0.74, "(48 · 0.8 + 6) / 60");
    near(value(&misled["overall"], "consistency"), 0.0, "none of 48");
    near(value(&misled["by_context"]["misleading"], "accuracy"), 0.0, "never");
    near(value(&misled["by_context"]["unrelated"], "accuracy"), 1.0, "always");
    near(value(&misled["by_level"]["1"], "accuracy"), 0.74, "(16 · 0.8 + 2) / 20");
    near(value(&misled["by_task"]["task 0"], "accuracy"), 0.84, "(8 · 0.8 + 2) / 10: both of both are even");
    near(value(&misled["by_task"]["task 1"], "accuracy"), 0.64, "(8 · 0.8 + 0) / 10: both are odd");

    let stubborn = of("stubborn");
    near(value(&stubborn["by_pattern"]["vision"], "accuracy"), 0.25, "every fourth answer is B");
    near(value(&stubborn["by_pattern"]["vision"], "consistency"), 1.0, "always B");
    near(value(&stubborn["by_pattern"]["text"], "accuracy"), 0.2, "one context of five");
    near(value(&stubborn["by_pattern"]["text"], "consistency"), 0.0, "C, but once the answer");
    near(value(&stubborn["overall"], "accuracy"), 0.225, "(6 + 24 · 0.2) / 48");
    near(value(&stubborn["overall"], "consistency"), 0.5, "24 of 48");
    assert_eq!((&stubborn["not_asked"], &stubborn["missing"]), (&json!(12), &json!(0)), "12 were not asked");
    let ends = &stubborn["by_pattern"]["vision"]["accuracy"]["ci95"];
    let (low, high) = (ends[0].as_f64().unwrap(), ends[1].as_f64().unwrap());
    assert!(low < 0.25 && 0.25 < high && high < 0.6, "an interval round the share: {ends}");
    let text = place.text([
        OsStr::new("score"),
        study.as_os_str(),
        OsStr::new("--table"),
        OsStr::new("interaction"),
    ]);
    assert!(text.contains("misled") && text.contains("74.0"), "and as a table: {text}");
    place.check_clean(&study);
}

/// What the invented people say in the first round: of the two, and of the third.
fn first_round(n: usize) -> ([&'static str; 2], &'static str) {
    match n {
        36..42 => (["discard", "discard"], ""),
        42..44 => (["retain", "discard"], "retain"),
        44..46 => (["retain", "discard"], "discard"),
        46..50 => (["revise", "revise"], ""),
        50..54 => (["revise", "retain"], "revise"),
        54..57 => (["revise", "revise other"], "revise"),
        57..60 => (["retain", "revise"], "retain"),
        _ => (["retain", "retain"], ""),
    }
}
/// In the second, of the eleven that were revised.
fn second_round(n: usize) -> ([&'static str; 2], &'static str) {
    match n {
        55 => (["retain", "discard"], "discard"),
        56 => (["discard", "discard"], ""),
        _ => (["retain", "retain"], ""),
    }
}

/// Does every open task of a person by these rules. Answers how many.
fn work(place: &Place, study: &Path, person: &str, rule: &dyn Fn(usize, bool) -> &'static str) -> usize {
    let host = Host::as_person(place, study, person, "author");
    let mut done = 0;
    loop {
        let item = host.call("curation_item", &json!({}))["item"].clone();
        if item.is_null() {
            break;
        }
        let n: usize = item["key"].as_str().unwrap()[1..].parse().unwrap();
        let settles = !item["settles"].as_array().unwrap().is_empty();
        let said = rule(n, settles);
        let (decision, words) = said.split_once(' ').unwrap_or((said, ""));
        let mut request =
            json!({"task": item["task"], "decision": decision, "note": format!("{person} says so")});
        if decision == "revise" {
            let mut revised = item["item"].clone();
            revised["sample"]["question"] = json!(format!("Which one is number {n}{words}?"));
            request["revision"] = revised;
        }
        host.call("submit_curation", &request);
        done += 1;
    }
    host.stop();
    done
}

/// The set as a lead sees it; opening the session makes what follows. An auditor, who opens no inbox of others, sees the same at
/// every step but for what a third has still to do.
fn stands(place: &Place, study: &Path) -> Value {
    let view = place.json([OsStr::new("curation"), study.as_os_str()]);
    let without_people = |view: &Value| {
        let mut view = view.clone();
        assert!(view.as_object_mut().unwrap().remove("by_person").is_some(), "there are people");
        view
    };
    assert_eq!(without_people(&stated(place, study)), without_people(&view), "from what is stated");
    view
}

/// The set as an auditor sees it.
fn stated(place: &Place, study: &Path) -> Value {
    let ada = Host::as_person(place, study, "ada", "auditor");
    let view = ada.call("curation", &json!({}));
    ada.stop();
    view
}

/// Holds the statistics against the states of all items, by all groups.
fn states_are(view: &Value, state: &dyn Fn(usize) -> &'static str, step: &str) {
    let count = |group: &dyn Fn(usize) -> bool| -> Value {
        let mut counts = BTreeMap::from(
            ["items", "open", "disputed", "retained", "discarded", "revised"].map(|name| (name, 0)),
        );
        for n in (0..60).filter(|n| group(*n)) {
            *counts.get_mut("items").unwrap() += 1;
            *counts.get_mut(state(n)).unwrap() += 1;
        }
        json!(counts)
    };
    assert_eq!(view["counts"], count(&|_| true), "{step}: all");
    let groups: [(&str, &dyn Fn(usize) -> String); 4] = [
        ("by_task", &|n| format!("task {}", n % 6)),
        ("by_level", &|n| (n % 3 + 1).to_string()),
        ("by_pattern", &|n| pattern(n).to_owned()),
        ("by_domain", &|n| if n.is_multiple_of(2) { "kitchen".to_owned() } else { "garden".to_owned() }),
    ];
    for (name, of) in groups {
        let rows = view[name].as_array().unwrap();
        assert_eq!(
            rows.iter().map(|row| row["counts"]["items"].as_u64().unwrap()).sum::<u64>(),
            60,
            "{step}: {name}"
        );
        for row in rows {
            let label = row["label"].as_str().unwrap();
            assert_eq!(row["counts"], count(&|n| of(n) == label), "{step}: {name} {label}");
        }
    }
}

fn person(view: &Value, name: &str) -> Value {
    let rows = view["by_person"].as_array().unwrap();
    rows.iter().find(|row| row["person"] == name).cloned().unwrap_or(Value::Null)
}
fn decisions(retain: u64, revise: u64, discard: u64) -> Value {
    json!({"retain": retain, "revise": revise, "discard": discard})
}
fn settled(decision: &str) -> &'static str {
    match decision {
        "retain" => "retained",
        "discard" => "discarded",
        _ => "revised",
    }
}
fn word(said: &str) -> &str {
    said.split(' ').next().unwrap_or_default()
}

#[test]
fn sixty_samples_go_round_two_people_and_a_third() {
    let place = Place::new();
    let study = place.study("bench");
    let file = samples(&place);
    place.import(&study, &[&file]);
    let plan = json!({
        "people": [{"name": "ann", "role": "author"}, {"name": "ben", "role": "author"}, {"name": "cem", "role": "author"},
                   {"name": "ada", "role": "auditor"}],
        "tasks": [{"kind": "curate", "who": ["ann", "ben"], "overlap": 2, "seed": 7}],
    });
    let plan = place.write("plan.json", plan.to_string());
    let assigned =
        place.json([OsStr::new("assign"), study.as_os_str(), OsStr::new("--plan"), plan.as_os_str()]);
    assert_eq!(assigned["tasks"][0]["added"], 60, "{assigned}");

    let view = stands(&place, &study);
    assert_eq!((&view["items"], &view["in_set"]), (&json!("sample"), &json!(60)), "what is curated");
    states_are(&view, &|_| "open", "handed out");
    assert!(view["agreement"].is_null(), "nobody has spoken");

    // The first of the two sees nothing of the other, before or after.
    assert_eq!(work(&place, &study, "ann", &|n, _| first_round(n).0[0]), 60, "all of ann's");
    let view = stands(&place, &study);
    states_are(&view, &|_| "open", "one has spoken");
    assert_eq!(person(&view, "ann")["decisions"], decisions(43, 11, 6), "36 + 4 + 3, 4 + 4 + 3, 6");
    assert_eq!(person(&view, "ben")["open"], 60, "ben has said nothing");
    let ben = Host::as_person(&place, &study, "ben", "author");
    let item = ben.call("curation_item", &json!({}))["item"].clone();
    assert!(!item.to_string().contains("ann"), "what ann says is not ben's to see: {item}");
    let own = ben.call("curation", &json!({}));
    assert_eq!((&own["decisions"], &own["rows"]), (&decisions(0, 0, 0), &json!([])), "nor in the statistics");
    assert!(!own.to_string().contains("ann"), "nor is her name: {own}");
    let unchanged = json!({"task": item["task"], "decision": "revise", "revision": item["item"]});
    ben.refused("submit_curation", &unchanged);
    let mut broken = item["item"].clone();
    broken["sample"]["answer"] = json!("Z");
    ben.refused("submit_curation", &json!({"task": item["task"], "decision": "revise", "revision": broken}));
    let mut foreign = item["item"].clone();
    foreign["sample"]["image"] = json!({"name": "x", "blob": "ab".repeat(32), "bytes": 1, "format": "png"});
    ben.refused("submit_curation", &json!({"task": item["task"], "decision": "revise", "revision": foreign}));
    let silent = json!({"task": item["task"], "decision": "discard"});
    assert_eq!(ben.refused("submit_curation", &silent)["code"], "incomplete", "to discard one says why");
    ben.stop();
    assert_eq!(work(&place, &study, "ben", &|n, _| first_round(n).0[1]), 60, "all of ben's");

    // The lead's session makes the third's tasks, and the second round of what both revised alike.
    let after_two = |n: usize| -> &'static str {
        let [a, b] = first_round(n).0;
        match (a == b, word(a)) {
            (false, _) => "disputed",
            (true, "revise") => "open",
            (true, same) => settled(same),
        }
    };
    let view = stands(&place, &study);
    states_are(&view, &after_two, "both have spoken");
    assert_eq!(view["counts"]["disputed"], 14, "4 + 4 + 3 + 3");
    assert_eq!(view["decisions"], decisions(83, 21, 16), "of both, by hand");
    assert_eq!(person(&view, "ben")["decisions"], decisions(40, 10, 10), "36 + 4, 4 + 3 + 3, 6 + 4");
    assert_eq!(person(&view, "cem")["open"], 14, "the third has what differs");
    near(value(&view["agreement"], "percent_agreement"), 49.0 / 60.0, "36 + 6 + 4, and 3 that both revise");
    let rounds = view["by_round"].as_array().unwrap();
    assert_eq!((&rounds[0]["items"], &rounds[1]["items"]), (&json!(60), &json!(4)), "four have gone on");

    assert_eq!(
        work(&place, &study, "cem", &|n, settles| {
            assert!(settles, "the third only settles");
            first_round(n).1
        }),
        14,
        "all of cem's"
    );
    let goes_round = |n: usize| (46..57).contains(&n);
    let after_third = |n: usize| -> &'static str {
        let ([a, _], third) = first_round(n);
        if goes_round(n) { "open" } else { settled(word(if third.is_empty() { a } else { third })) }
    };
    let view = stands(&place, &study);
    states_are(&view, &after_third, "the third has settled");
    assert_eq!(
        (&view["counts"]["retained"], &view["counts"]["discarded"], &view["counts"]["open"]),
        (&json!(41), &json!(8), &json!(11)),
        "36 + 2 + 3, 6 + 2, 4 + 4 + 3"
    );
    assert_eq!(person(&view, "cem")["settled"], decisions(5, 7, 2), "2 + 3, 4 + 3, 2");
    near(value(&view["agreement"], "percent_agreement"), 49.0 / 60.0, "who settles is none of the two");

    // Second round: the item as it was revised, by the same two.
    let ann = Host::as_person(&place, &study, "ann", "author");
    let item = ann.call("curation_item", &json!({}))["item"].clone();
    let asked = item["item"]["sample"]["question"].as_str().unwrap();
    assert!(asked.starts_with("Which one is number"), "the revised question is asked: {asked}");
    assert_eq!(item["version"], 2, "in its second version");
    let old = ann.call("curation_queue", &json!({"limit": 1000}));
    let closed =
        old["rows"].as_array().unwrap().iter().find(|row| row["key"] == item["key"]).unwrap().clone();
    let late = json!({"task": closed["task"], "decision": "retain"});
    ann.refused("submit_curation", &late);
    ann.stop();
    assert_eq!(work(&place, &study, "ann", &|n, _| second_round(n).0[0]), 11, "all eleven");
    assert_eq!(work(&place, &study, "ben", &|n, _| second_round(n).0[1]), 11, "all eleven");
    let view = stands(&place, &study);
    let after_second = |n: usize| -> &'static str {
        let [a, b] = second_round(n).0;
        if !goes_round(n) {
            after_third(n)
        } else if a == b {
            settled(a)
        } else {
            "disputed"
        }
    };
    states_are(&view, &after_second, "second round");
    near(value(&view["agreement"], "percent_agreement"), 59.0 / 71.0, "and ten of eleven more");
    assert_eq!(work(&place, &study, "cem", &|n, _| second_round(n).1), 1, "one is left");
    let view = stands(&place, &study);
    let end = |n: usize| if n == 55 { "discarded" } else { after_second(n) };
    states_are(&view, &end, "the end");
    assert_eq!(
        (&view["counts"]["retained"], &view["counts"]["discarded"]),
        (&json!(50), &json!(10)),
        "36 + 2 + 3 + 9, 6 + 2 + 1 + 1"
    );
    assert_eq!(view["by_round"][1]["decisions"], decisions(19, 0, 3), "10 + 9 retain, 1 + 2 discard");

    // What is discarded does not count.
    let files = predictions(&place);
    let files: Vec<&Path> = files.iter().map(std::path::PathBuf::as_path).collect();
    place.import(&study, &files);
    let scores = place.scores(&study)["interaction"].clone();
    assert_eq!((&scores["samples"], &scores["discarded"]), (&json!(50), &json!(10)), "as curated");
    near(
        value(&scores["models"]["stubborn"]["overall"], "accuracy"),
        0.23,
        "(6 + 16 · 0.2) / 40: eight texts are gone",
    );
    assert_eq!(
        stated(&place, &study),
        stands(&place, &study),
        "once all have spoken an auditor sees what the lead does"
    );
    // Nothing of the models, nor of what others say, can be reached by a curator.
    for who in ["ann", "ben", "cem"] {
        let leaks =
            place.json([OsStr::new("leaks"), study.as_os_str(), OsStr::new("--for"), OsStr::new(who)]);
        assert_eq!(leaks["leaks"], json!([]), "{who}: {leaks}");
    }
    place.check_clean(&study);
}

#[test]
fn prompts_and_rubrics_go_the_same_way() {
    let place = Place::new();
    let study = study(&place, "demo", &[&demo()]);
    let plan = json!({
        "people": [{"name": "ann", "role": "author"}, {"name": "ben", "role": "author"}],
        "tasks": [{"kind": "curate", "items": "prompt", "who": ["ann", "ben"], "overlap": 2},
                  {"kind": "curate", "items": "rubric", "who": ["ann", "ben"], "overlap": 2}],
    });
    let plan = place.write("plan.json", plan.to_string());
    place.json([OsStr::new("assign"), study.as_os_str(), OsStr::new("--plan"), plan.as_os_str()]);
    for who in ["ann", "ben"] {
        let host = Host::as_person(&place, &study, who, "author");
        loop {
            let item = host.call("curation_item", &json!({}))["item"].clone();
            if item.is_null() {
                break;
            }
            let mut request = json!({"task": item["task"], "decision": "retain"});
            let mut revised = item["item"].clone();
            // One prompt and its rubric are revised, by both to the same words, and then retained.
            if item["key"] == "p790019" && !item.to_string().contains("as revised") {
                if revised["kind"] == "prompt" {
                    revised["text"] = json!("A question as revised.");
                } else {
                    revised["criteria"][0]["criterion"] = json!("Says it as revised.");
                }
                request = json!({"task": item["task"], "decision": "revise", "revision": revised});
            }
            host.call("submit_curation", &request);
        }
        host.stop();
    }
    let of = |items: &str| {
        place.json([OsStr::new("curation"), study.as_os_str(), OsStr::new("--items"), OsStr::new(items)])
    };
    let prompts = of("prompt");
    let total = prompts["counts"]["items"].as_u64().unwrap();
    assert_eq!(prompts["counts"]["open"], 1, "the revised prompt goes round: {}", prompts["counts"]);
    assert_eq!(prompts["counts"]["retained"].as_u64().unwrap(), total - 1, "all others stay");
    assert_eq!(of("rubric")["counts"]["open"], 1, "and so does the revised rubric");
    let ann = Host::as_person(&place, &study, "ann", "author");
    let open = ann.call("curation_queue", &json!({"filter": "open", "limit": 1000}));
    let shown: Vec<String> = open["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| ann.call("curation_item", &json!({"task": row["task"]}))["item"]["item"].to_string())
        .collect();
    assert_eq!(shown.len(), 2, "the prompt and the rubric");
    assert!(shown.iter().all(|item| item.contains("as revised")), "each as it was revised: {shown:?}");
    ann.stop();
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let found = lead.call("prompts", &json!({"search": "A question as revised."}));
    assert_eq!(found["rows"][0]["key"], "p790019", "the revised prompt is the one that stands: {found}");
    lead.stop();
    place.check_clean(&study);
}
