//! Content that changes while packages are out: the gold list, the guidelines, the rubric. What comes back is kept and says
//! under which versions it was made, and only what it does not answer any more is queued again.

use acceptance::{Host, Place, harness};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    path::{Path, PathBuf},
};

const RUBRIC: &str = "The text names the river that flows through the city.";

/// A prompt of the study: its key, gold list, words and criterion.
type Asked<'a> = (&'a str, &'a str, &'a str, &'a str);

fn write(place: &Place, name: &str, prompts: &[Asked<'_>]) -> PathBuf {
    let lines: Vec<Value> = prompts
        .iter()
        .map(|(key, gold, words, criterion)| {
            let all: Vec<(&str, &str)> = gold.split(',').map(|modality| (modality, *criterion)).collect();
            let mut prompt = harness::prompt(key, gold, &all);
            prompt["prompt_text"] = json!(words);
            prompt
        })
        .collect();
    place.write(&format!("{name}/dataset.jsonl"), harness::lines(&lines))
}

/// Six prompts with one answer each; j1 judges all of them, a1 writes for all of them, ada grades.
const BEFORE: [Asked<'static>; 6] = [
    ("p0", "Text", "Question 0", RUBRIC),
    ("p1", "Text,Image", "Question 1", RUBRIC),
    ("p2", "Text,Image", "Question 2", RUBRIC),
    ("p3", "Text", "Question 3", RUBRIC),
    ("p4", "Text", "Question 4", RUBRIC),
    ("p5", "Text", "Question 5", RUBRIC),
];

fn study(place: &Place, tasks: &Value) -> PathBuf {
    write(place, "run", &BEFORE);
    let rows: Vec<Value> = BEFORE
        .iter()
        .map(|(key, gold, ..)| harness::row(key, "alder", &gold.split(',').collect::<Vec<_>>()))
        .collect();
    place.write("run/results/main/20260612_093010_alder.jsonl", harness::lines(&rows));
    let study = place.study("work");
    place.import(&study, &[&place.path("run")]);
    let plan = json!({"people": [
        {"name": "j1", "role": "judge"}, {"name": "a1", "role": "author"}, {"name": "ada", "role": "auditor"},
    ], "tasks": tasks});
    let plan = place.write("plan.json", plan.to_string());
    place.json([OsStr::new("assign"), study.as_os_str(), OsStr::new("--plan"), plan.as_os_str()]);
    study
}

fn pack(place: &Place, study: &Path, person: &str, role: &str) -> PathBuf {
    let file = place.path(&format!("{person}.assizepack"));
    let options = ["--for", person, "--role", role, "-o"].map(OsStr::new);
    place.text([OsStr::new("pack"), study.as_os_str()].into_iter().chain(options).chain([file.as_os_str()]));
    file
}
fn give_back(device: &Place, file: &Path, to: &Path) -> PathBuf {
    device.text([OsStr::new("pack"), file.as_os_str(), OsStr::new("-o"), to.as_os_str()]);
    to.to_owned()
}
fn merge(place: &Place, study: &Path, file: &Path) -> Value {
    place.json([OsStr::new("merge"), study.as_os_str(), file.as_os_str()])
}

/// The open items of a judge, by prompt.
fn open(host: &Host) -> BTreeMap<String, Value> {
    let rows = host.call("judge_queue", &json!({"filter": "open"}))["rows"].as_array().unwrap().clone();
    let found: Vec<(String, Value)> = rows
        .iter()
        .map(|row| {
            let item = host.call("judge_item", &json!({"task": row["task"]}))["item"].clone();
            (item["prompt"]["key"].as_str().unwrap().to_owned(), item)
        })
        .collect();
    let by_key: BTreeMap<String, Value> = found.iter().cloned().collect();
    assert_eq!(by_key.len(), found.len(), "no item is queued twice: {rows:?}");
    by_key
}
fn judge(host: &Host, item: &Value) {
    let verdicts: Vec<Value> = item["response"]["expected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|modality| json!({"modality": modality, "verdict": "correct", "comment": "as it seems to me"}))
        .collect();
    host.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
}
fn progress(host: &Host) -> (u64, u64) {
    let found = host.call("judge_item", &json!({}))["progress"].clone();
    (found["done"].as_u64().unwrap(), found["total"].as_u64().unwrap())
}
/// What the lead sees of a person's work of a kind: done, of how many.
fn work(lead: &Host, person: &str, kind: &str) -> (u64, u64) {
    let people = lead.call("work", &json!({}))["people"].as_array().unwrap().clone();
    let found = people.iter().find(|one| one["person"] == person).unwrap()[kind].clone();
    (found["done"].as_u64().unwrap(), found["total"].as_u64().unwrap())
}
/// The table of verdicts: (prompt, modality) to the row, by the names of columns.
fn verdicts(place: &Place, study: &Path) -> BTreeMap<(String, String), BTreeMap<String, String>> {
    let table =
        place.text([OsStr::new("export"), study.as_os_str(), OsStr::new("--as"), OsStr::new("verdicts")]);
    let mut lines = table.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().unwrap();
    lines
        .map(|row| {
            let row: BTreeMap<String, String> = head.iter().cloned().zip(row).collect();
            ((row["prompt_id"].clone(), row["modality"].clone()), row)
        })
        .collect()
}
fn names<'a>(of: impl IntoIterator<Item = &'a String>) -> Vec<&'a str> {
    of.into_iter().map(String::as_str).collect()
}

#[test]
fn a_modality_that_was_added_is_judged_again_and_one_that_left_is_not() {
    let place = Place::new();
    let study = study(&place, &json!([{"kind": "judge", "who": ["j1"], "seed": 1}]));
    let file = pack(&place, &study, "j1", "judge");
    let device = Place::new();
    let host = Host::as_person(&device, &file, "j1", "judge");
    for (key, item) in open(&host) {
        if key != "p5" {
            judge(&host, &item);
        }
    }
    assert_eq!(progress(&host), (5, 6));
    host.stop();
    let back = give_back(&device, &file, &place.path("first.back"));

    // Meanwhile, at home.
    let newer = write(
        &place,
        "newer",
        &[
            ("p0", "Text,Audio", "Question 0", RUBRIC),
            ("p1", "Text", "Question 1", RUBRIC),
            ("p2", "Text,Audio", "Question 2", RUBRIC),
            ("p3", "Text", "Question 3, put otherwise", RUBRIC),
            ("p4", "Text", "Question 4", "The text states the year in which the bridge was opened."),
            ("p5", "Text,Image", "Question 5", RUBRIC),
        ],
    );
    place.import(&study, &[&newer]);
    let done = merge(&place, &study, &back);
    assert_eq!(done["merged"], json!({"judgement": 5}), "returned work is kept: {done}");
    assert_eq!(
        done["queued_again"], 3,
        "p0 and p2 lack a verdict on the sound, p3 was another question: {done}"
    );
    assert_eq!(merge(&place, &study, &back)["queued_again"], 0, "the same again queues nothing");

    let lead = Host::as_person(&place, &study, "lead", "lead");
    assert_eq!(
        work(&lead, "j1", "judging"),
        (2, 6),
        "p1, which asks for less, and p4, whose rubric changed, are done"
    );
    let records = lead.call("history", &json!({"kind": "judgement"}))["rows"].as_array().unwrap().clone();
    let marks: BTreeMap<&str, (&Value, &Value)> = records
        .iter()
        .map(|row| {
            let about = row["about"].as_str().unwrap();
            (&about[..2], (&row["under"]["prompt_version"], &row["under"]["outdated"]))
        })
        .collect();
    assert_eq!(marks["p3"], (&json!(1), &json!(true)), "the record names the version it was made under");
    assert_eq!(
        marks["p4"],
        (&json!(1), &json!(false)),
        "which still stands for p4: judges never saw its rubric"
    );
    lead.stop();
    let table = verdicts(&place, &study);
    assert_eq!(
        table[&("p1".into(), "Image".into())]["prompt_version"],
        "1",
        "also what left the gold list is kept"
    );
    assert_eq!(table.len(), 7, "five judgements, two of them of two modalities: {table:?}");

    let host = Host::as_person(&place, &study, "j1", "judge");
    let now = open(&host);
    assert_eq!(names(now.keys()), ["p0", "p2", "p3", "p5"], "what is open, once each");
    let expected = |key: &str| now[key]["response"]["expected"].clone();
    assert_eq!(expected("p0"), json!(["Text", "Audio"]), "what is asked for now is judged");
    assert_eq!(expected("p2"), json!(["Text", "Audio"]));
    assert_eq!(
        expected("p5"),
        json!(["Text", "Image"]),
        "and what was not begun is begun in the new version"
    );
    assert_eq!(now["p3"]["prompt"]["text"], "Question 3, put otherwise");
    let stands = &now["p0"]["judgement"];
    assert_eq!(
        (&stands["prompt_version"], &stands["verdicts"][0]["verdict"], &now["p0"]["prompt"]["version"]),
        (&json!(1), &json!("correct"), &json!(2)),
        "the verdict that stands is shown, with its version"
    );
    let partial = json!({"task": now["p0"]["task"], "verdicts": stands["verdicts"]});
    let refused = host.refused("submit_judgement", &partial);
    assert_eq!(refused["details"]["modality"], "Audio", "judged wholly or not at all: {refused}");
    judge(&host, &now["p0"]);
    assert_eq!(progress(&host), (3, 6));
    host.stop();

    // The rest in a newer package: it asks for the same.
    let file = pack(&place, &study, "j1", "judge");
    let host = Host::as_person(&device, &file, "j1", "judge");
    let away = open(&host);
    assert_eq!(
        names(away.keys()),
        ["p2", "p3", "p5"],
        "the package on the same device was brought up to date"
    );
    assert_eq!(
        away["p2"]["response"]["expected"],
        json!(["Text", "Audio"]),
        "without the older version in it"
    );
    for item in away.values() {
        judge(&host, item);
    }
    assert_eq!(progress(&host), (6, 6));
    host.stop();
    let back = give_back(&device, &file, &place.path("second.back"));
    let done = merge(&place, &study, &back);
    assert_eq!(
        (&done["merged"], &done["queued_again"], &done["forks"]),
        (&json!({"judgement": 3}), &json!(0), &json!([])),
        "{done}"
    );
    let lead = Host::as_person(&place, &study, "lead", "lead");
    assert_eq!(work(&lead, "j1", "judging"), (6, 6), "everything is judged once more where it had to be");
    lead.stop();
    let table = verdicts(&place, &study);
    assert_eq!(
        table[&("p0".into(), "Audio".into())]["prompt_version"],
        "2",
        "the new verdict names its version"
    );
    assert_eq!(table.len(), 10, "6 texts, the image of p1 that left, that of p5, two sounds: {table:?}");
    place.check_clean(&study);
}

#[test]
fn guidelines_leave_verdicts_as_they_are_unless_the_study_asks_for_them_again() {
    let place = Place::new();
    let study = study(&place, &json!([{"kind": "judge", "who": ["j1"], "seed": 1}]));
    let publish = |text: &str, again: bool| {
        let file = place.write("guidelines.md", text);
        let mut args = vec![OsStr::new("guidelines"), study.as_os_str(), file.as_os_str()];
        args.extend(again.then_some(OsStr::new("--ask-again")));
        place.json(args)
    };
    let file = pack(&place, &study, "j1", "judge");
    let device = Place::new();
    let host = Host::as_person(&device, &file, "j1", "judge");
    let items = open(&host);
    judge(&host, &items["p0"]);
    judge(&host, &items["p1"]);
    host.stop();
    assert_eq!(publish("# Judge\nA typo less.", false)["version"], 1);
    let done = merge(&place, &study, &give_back(&device, &file, &place.path("first.back")));
    assert_eq!((&done["merged"]["judgement"], &done["queued_again"]), (&json!(2), &json!(0)), "{done}");
    let under = |key: &str, modality: &str| {
        verdicts(&place, &study)[&(key.to_owned(), modality.to_owned())]["guidelines_version"].clone()
    };
    assert_eq!(under("p1", "Image"), "0", "given under those that the app brings along");

    // While the package is out, what is asked of everybody changes.
    let host = Host::as_person(&device, &file, "j1", "judge");
    judge(&host, &items["p2"]);
    host.stop();
    assert_eq!(publish("# Judge\nOtherwise than before.", true)["version"], 2);
    let lead = Host::as_person(&place, &study, "lead", "lead");
    assert_eq!(
        work(&lead, "j1", "judging"),
        (2, 8),
        "what was judged stays done, and is asked for once more"
    );
    let done = merge(&place, &study, &give_back(&device, &file, &place.path("second.back")));
    assert_eq!(
        (&done["merged"]["judgement"], &done["already"], &done["queued_again"]),
        (&json!(1), &json!(2), &json!(1)),
        "what comes back late is kept, and open again: {done}"
    );
    assert_eq!(work(&lead, "j1", "judging"), (2, 8), "its task is there already, once");
    let records = lead.call("history", &json!({"kind": "judgement"}))["rows"].as_array().unwrap().clone();
    assert!(
        records.iter().all(|row| row["under"]["guidelines_version"] == 0 && row["under"]["outdated"] == true),
        "every record says under which guidelines it was made: {records:?}"
    );
    lead.stop();

    let host = Host::as_person(&place, &study, "j1", "judge");
    let now = open(&host);
    assert_eq!(now.len(), 6, "each response is open once: {:?}", names(now.keys()));
    judge(&host, &now["p2"]);
    judge(&host, &now["p0"]);
    assert_eq!(progress(&host), (4, 8));
    host.stop();
    assert_eq!(
        (under("p0", "Text"), under("p1", "Text")),
        ("2".to_owned(), "0".to_owned()),
        "each as it was given"
    );
    place.check_clean(&study);
}

#[test]
fn a_rubric_concerns_who_writes_and_grades_and_no_judge() {
    let place = Place::new();
    let study = study(
        &place,
        &json!([
            {"kind": "judge", "who": ["j1"], "seed": 1}, {"kind": "author", "who": ["a1"], "seed": 2},
            {"kind": "grade", "who": ["ada"], "seed": 3},
        ]),
    );
    let ada = Host::as_person(&place, &study, "ada", "auditor");
    loop {
        let item = ada.call("grading_item", &json!({}))["item"].clone();
        if item.is_null() {
            break;
        }
        let verdicts: Vec<Value> = item["checks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|check| json!({"check": check["id"], "text_sha256": check["text_sha256"], "verdict": "meets", "reason": ""}))
            .collect();
        let draft = json!({"verdicts": verdicts, "found": [], "active_ms": 100});
        ada.call("submit_grades", &json!({"task": item["task"], "draft": draft}));
    }
    ada.stop();
    let mut returned = Vec::new();
    let mut devices = Vec::new();
    for (person, role) in [("j1", "judge"), ("a1", "author")] {
        let file = pack(&place, &study, person, role);
        let device = Place::new();
        let host = Host::as_person(&device, &file, person, role);
        if role == "judge" {
            for item in open(&host).values() {
                judge(&host, item);
            }
        } else {
            loop {
                let item = host.call("author_item", &json!({}))["item"].clone();
                if item.is_null() {
                    break;
                }
                let request = json!({"task": item["task"], "rubric": item["rubric"], "submit": true});
                host.call("save_rubric", &request);
            }
        }
        host.stop();
        returned.push(give_back(&device, &file, &place.path(&format!("{person}.back"))));
        devices.push(device);
    }
    let lead = Host::as_person(&place, &study, "lead", "lead");
    assert_eq!(work(&lead, "ada", "grading"), (6, 6), "graded, before anything changes");
    lead.stop();

    // p3 has one criterion of other words.
    let mut after = BEFORE;
    after[3].3 = "The text states the year in which the bridge was opened.";
    place.import(&study, &[&write(&place, "newer", &after)]);
    let mut queued = 0;
    for file in &returned {
        let done = merge(&place, &study, file);
        assert_eq!(done["held"], json!([]), "{done}");
        queued += done["queued_again"].as_u64().unwrap();
    }
    assert_eq!(queued, 1, "the author of p3's rubric, nobody else, is asked by what came back");
    let lead = Host::as_person(&place, &study, "lead", "lead");
    assert_eq!(work(&lead, "j1", "judging"), (6, 6), "judges never saw the rubric: their verdicts stay");
    assert_eq!(work(&lead, "a1", "authoring"), (6, 7), "one rubric was written from other words");
    assert_eq!(work(&lead, "ada", "grading"), (6, 7), "and one response was graded by them");
    let records =
        lead.call("history", &json!({"kind": "rubric_submission"}))["rows"].as_array().unwrap().clone();
    let outdated: BTreeSet<&str> = records
        .iter()
        .filter(|row| row["under"]["outdated"] == true)
        .map(|row| row["about"].as_str().unwrap())
        .collect();
    assert_eq!(outdated, BTreeSet::from(["p3"]), "the record says so");
    lead.stop();
    let ada = Host::as_person(&place, &study, "ada", "auditor");
    let item = ada.call("grading_item", &json!({}))["item"].clone();
    assert_eq!(item["prompt"]["key"], "p3", "it is open again");
    assert_eq!(
        item["stale"].as_array().unwrap().len(),
        1,
        "with the grade that was given on other words: {item}"
    );
    ada.stop();
    place.check_clean(&study);
}
