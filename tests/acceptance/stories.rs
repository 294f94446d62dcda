//! The main job as people live it, one after the other, over the host: lead, author, judge, auditor, and the author
//! again; and what goes out comes in again.

use crate::at_work::demo;
use acceptance::{Host, Place};
use serde_json::{Value, json};
use std::path::Path;

fn code(failure: &Value) -> &str {
    failure["code"].as_str().unwrap_or_default()
}
fn kinds(host: &Host, request: &Value) -> Vec<String> {
    let rows = host.call("history", request)["rows"].as_array().unwrap().clone();
    rows.iter().map(|row| row["kind"].as_str().unwrap().to_owned()).collect()
}
/// The same verdict on every expected modality of an item.
fn verdicts(item: &Value, verdict: &str, comment: &str) -> Value {
    let expected = item["response"]["expected"].as_array().unwrap().iter();
    expected.map(|modality| json!({"modality": modality, "verdict": verdict, "comment": comment})).collect()
}

/// A lead makes the study, imports, adds people and hands out work, all through the host.
fn lead_begins(place: &Place, study: &Path) {
    let host = Host::start(place);
    host.call("create_study", &json!({"path": study, "name": "Story"}));
    assert_eq!(code(&host.refused("overview", &json!({}))), "no_session", "nobody is at work yet");
    host.call("begin_session", &json!({"person": "lead", "role": "lead"}));
    let steps = host.call("overview", &json!({}))["next_steps"].clone();
    assert_eq!(steps[0], "import", "an empty study asks for an import first");
    let job = host.call("start_import", &json!({"paths": [demo()]}));
    let done = host.wait(&job);
    assert_eq!(done["state"], "done", "the import ends well: {done}");
    for (name, role) in [("sam", "judge"), ("noor", "author"), ("lena", "auditor")] {
        host.call("add_person", &json!({"name": name, "display": "", "roles": [role]}));
    }
    for (kind, who) in [("judge", "sam"), ("author", "noor")] {
        let request = json!({"kind": kind, "people": [who], "share": 1.0, "overlap": 1, "seed": 2});
        let made = host.call("hand_out", &request)["value"]["tasks"][0].clone();
        assert!(made["added"].as_u64().unwrap() > 0, "{who} has work now");
        let again = host.call("hand_out", &request)["value"]["tasks"].clone();
        let more: u64 = again.as_array().unwrap().iter().map(|row| row["added"].as_u64().unwrap()).sum();
        assert_eq!(more, 0, "handing out the same again makes no second task");
    }
    // What a lead's import said of files and models stays the lead's when a judge sits down at the same window.
    host.call("begin_session", &json!({"person": "sam", "role": "judge"}));
    let seen = host.call("job", &job);
    assert!(
        !seen.to_string().contains("model-"),
        "a judge learns nothing of the run from its import: {seen}"
    );
    let seen = host.call("cancel_job", &job);
    assert!(!seen.to_string().contains("model-"), "nor by cancelling it: {seen}");
    host.stop();
}

fn author_writes(place: &Place, study: &Path) {
    let host = Host::as_person(place, study, "noor", "author");
    let item = host.call("author_item", &json!({}))["item"].clone();
    let task = &item["task"];
    let empty = json!({"criteria": []});
    let findings = host.call("lint_rubric", &json!({"task": task, "rubric": empty}))["findings"].clone();
    assert!(!findings.as_array().unwrap().is_empty(), "an empty rubric is found fault with");
    let refused = host.refused("save_rubric", &json!({"task": task, "rubric": empty, "submit": true}));
    assert_eq!(code(&refused), "lint_errors", "errors keep it from being handed in");
    assert!(refused["details"]["findings"].as_u64().unwrap() > 0, "and are counted");
    host.call("save_rubric", &json!({"task": task, "rubric": empty, "submit": false}));
    let rubric = item["handed_out"].clone();
    let saved = host.call("save_rubric", &json!({"task": task, "rubric": rubric, "submit": true}));
    assert!(saved["value"]["submission"].is_string(), "a sound rubric is handed in: {saved}");
    let now = host.call("author_item", &json!({"task": task}))["item"].clone();
    assert_eq!(
        (&now["state"], &now["revisions"]),
        (&json!("submitted"), &json!(2)),
        "both revisions are kept"
    );
    assert_eq!(
        kinds(&host, &json!({})),
        ["rubric_submission", "rubric_revision", "rubric_revision"],
        "the author's own history, newest first"
    );
    host.stop();
}

fn judge_judges(place: &Place, study: &Path) {
    let host = Host::as_person(place, study, "sam", "judge");
    let item = host.call("judge_item", &json!({}))["item"].clone();
    let task = &item["task"];
    let refused = host.refused("submit_judgement", &json!({"task": task, "verdicts": []}));
    assert_eq!(
        (code(&refused), &refused["details"]["missing"]),
        ("incomplete", &json!("verdict")),
        "no verdict yet"
    );
    let bare = verdicts(&item, "incorrect", "  ");
    let refused = host.refused("submit_judgement", &json!({"task": task, "verdicts": bare}));
    assert_eq!(
        (code(&refused), &refused["details"]["missing"], &refused["details"]["modality"]),
        ("incomplete", &json!("comment"), &item["response"]["expected"][0]),
        "incorrect needs a comment, and it is said where"
    );
    let said = verdicts(&item, "incorrect", "It answers something else.");
    host.call("submit_judgement", &json!({"task": task, "verdicts": said}));
    assert_eq!(host.call("judge_item", &json!({}))["progress"]["done"], 1, "one is done");
    let undone = host.call("undo", &json!({}));
    assert_eq!(
        (&undone["value"]["kind"], &undone["value"]["task"]),
        (&json!("judgement"), task),
        "it is taken back"
    );
    let back = host.call("judge_item", &json!({"task": task}))["item"].clone();
    assert_eq!(back["judgement"], Value::Null, "no verdict is in force");
    assert_eq!(
        back["draft"]["cards"][0]["comment"], "It answers something else.",
        "what was typed is handed back"
    );
    host.call(
        "submit_judgement",
        &json!({"task": task, "verdicts": verdicts(&item, "correct", "It answers.")}),
    );
    let now = host.call("judge_item", &json!({"task": task}))["item"].clone();
    assert_eq!(now["judgement"]["verdicts"][0]["verdict"], "correct", "given again, otherwise");
    assert_eq!(now["draft"], Value::Null, "and no draft is left");
    assert_eq!(kinds(&host, &json!({})), ["judgement", "retraction", "judgement"], "nothing was overwritten");
    host.stop();
}

/// Settles a disagreement that the judge lost by the rubric's fault; the prompt's key and the response's text.
fn auditor_settles(place: &Place, study: &Path) -> (String, String) {
    let host = Host::as_person(place, study, "lena", "auditor");
    let request = json!({"cell": "human_only", "open_only": true});
    let cases = host.call("disagreement_cases", &request);
    let case = cases["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            host.call("disagreement_case", &json!({"response": row["response"], "modality": row["modality"]}))
        })
        .find(|case| case["response"]["text"].as_str().unwrap().len() > 40)
        .expect("a case with an answer in words");
    let row = &case["row"];
    let settlement = json!({
        "response": row["response"], "modality": row["modality"], "verdict": "correct",
        "cause": "rubric_too_strict", "note": "Note of the auditor.", "send_rubric_back": true,
    });
    host.call("settle", &settlement);
    let left = host.call("disagreement_cases", &request);
    assert_eq!(
        left["total"].as_u64().unwrap() + 1,
        cases["total"].as_u64().unwrap(),
        "one disagreement less is open"
    );
    host.call("undo", &json!({}));
    assert_eq!(host.call("disagreement_cases", &request)["total"], cases["total"], "undo opens it again");
    host.call("settle", &settlement);
    let prompt = case["prompt"]["id"].clone();
    let own = kinds(&host, &json!({"prompt": prompt, "person": "lena", "limit": 500}));
    let count = |all: &[String], kind: &str| all.iter().filter(|found| *found == kind).count();
    assert_eq!(
        (count(&own, "settlement"), count(&own, "retraction")),
        (2, 1),
        "the prompt's history has all of it: {own:?}"
    );
    let all = kinds(&host, &json!({"prompt": prompt, "limit": 500}));
    assert!(count(&all, "imported_verdict") > 0, "with the verdicts that came from files: {all:?}");
    let everything = kinds(&host, &json!({"limit": 500}));
    for kind in
        ["assignment", "judgement", "retraction", "rubric_revision", "rubric_submission", "settlement"]
    {
        assert!(
            everything.iter().any(|found| found == kind),
            "{kind} is in the whole history: {everything:?}"
        );
    }
    host.stop();
    (row["key"].as_str().unwrap().to_owned(), case["response"]["text"].as_str().unwrap().to_owned())
}

fn author_gets_it_back(place: &Place, study: &Path, key: &str, answer: &str) {
    // The lead's next session makes the task that follows from the settlement.
    Host::as_person(place, study, "lead", "lead").stop();
    let host = Host::as_person(place, study, "noor", "author");
    let queue = host.call("author_queue", &json!({"limit": 1000}))["rows"].as_array().unwrap().clone();
    let task = queue.iter().find(|row| row["key"] == key && row["state"] == "sent_back");
    let task = &task.expect("the rubric came back")["task"];
    let item = host.call("author_item", &json!({"task": task}))["item"].clone();
    let note = &item["sent_back"][0];
    assert_eq!(note["cause"], "rubric_too_strict", "with the cause");
    assert!(!note["failed_criteria"].as_array().unwrap().is_empty(), "and the criteria that failed: {note}");
    let text = item.to_string();
    let start = serde_json::to_string(&answer[..answer.char_indices().nth(40).unwrap().0]).unwrap();
    assert!(!text.contains(start.trim_matches('"')), "but nothing of the response");
    assert!(!text.contains("Note of the auditor") && !text.contains("model-"), "nor the note, nor the model");
    host.call("save_rubric", &json!({"task": task, "rubric": item["rubric"], "submit": true}));
    let now = host.call("author_item", &json!({"task": task}))["item"]["state"].clone();
    assert_eq!(now, "submitted", "handed in again, it is done");
    host.stop();
}

#[test]
fn the_main_job_from_an_empty_folder_to_a_rubric_sent_back() {
    let place = Place::new();
    let study = place.path("story.assize");
    lead_begins(&place, &study);
    author_writes(&place, &study);
    judge_judges(&place, &study);
    let (key, answer) = auditor_settles(&place, &study);
    author_gets_it_back(&place, &study, &key, &answer);
    place.check_clean(&study);

    // What was exported says the same in a study that has never seen these people.
    let out = place.path("verdicts.csv");
    place.text([
        "export".as_ref(),
        study.as_os_str(),
        "--as".as_ref(),
        "verdicts".as_ref(),
        "-o".as_ref(),
        out.as_os_str(),
    ]);
    let fresh = place.study("fresh");
    place.import(&fresh, &[&demo().join("dataset.jsonl"), &demo().join("results")]);
    let args = ["import".as_ref(), fresh.as_os_str(), out.as_os_str(), "--folder".as_ref(), "demo".as_ref()];
    let file = place.json(args)["files"][0].clone();
    assert_eq!(file["rejected"], json!([]), "every exported verdict is read again: {file}");
    let (wanted, found) = (place.agreement(&study), place.agreement(&fresh));
    assert!(wanted["sets"]["all_expected"]["sam"].is_object(), "sam's own verdict is among them");
    assert_eq!(wanted, found, "and agreement is the same");
}
