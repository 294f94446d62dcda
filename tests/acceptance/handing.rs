//! Handing out: what it refuses, what it says before it does anything, reservations that end, and who waits for whom.

use acceptance::{Host, Place, harness};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Six prompts, one answer each; two judges and an author.
fn study(place: &Place) -> PathBuf {
    let keys: Vec<String> = (0..6).map(|n| format!("p{n}")).collect();
    let criteria = [("text", "The text names the river that flows through the city.")];
    let prompts: Vec<Value> = keys.iter().map(|key| harness::prompt(key, "Text", &criteria)).collect();
    place.write("run/dataset.jsonl", harness::lines(&prompts));
    let rows: Vec<Value> = keys.iter().map(|key| harness::row(key, "alder", &["Text"])).collect();
    place.write("run/results/main/20260612_093010_alder.jsonl", harness::lines(&rows));
    let study = place.study("work");
    place.import(&study, &[&place.path("run")]);
    assign(
        place,
        &study,
        &json!({"people": [
            {"name": "j1", "role": "judge"}, {"name": "j2", "role": "judge"}, {"name": "a1", "role": "author"},
        ]}),
    );
    study
}

fn try_assign(place: &Place, study: &Path, plan: &Value) -> (bool, String) {
    let plan = place.write("plan.json", plan.to_string());
    let done = place.run(["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), plan.as_os_str()]);
    (done.status.success(), String::from_utf8([done.stdout, done.stderr].concat()).unwrap())
}
fn assign(place: &Place, study: &Path, plan: &Value) {
    let (done, said) = try_assign(place, study, plan);
    assert!(done, "{plan}: {said}");
}
fn judge(host: &Host, most: usize) -> usize {
    for done in 0..most {
        let item = host.call("judge_item", &json!({}))["item"].clone();
        if item.is_null() {
            return done;
        }
        let verdicts = json!([{"modality": "Text", "verdict": "correct", "comment": "as it seems to me"}]);
        host.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
    }
    most
}
fn waits(work: &Value, reason: &str) -> Vec<(String, u64, Value)> {
    let rows = work["waits"].as_array().unwrap().iter().filter(|row| row["reason"] == reason);
    rows.map(|row| {
        (row["person"].as_str().unwrap().to_owned(), row["items"].as_u64().unwrap(), row["blocks"].clone())
    })
    .collect()
}

#[test]
fn a_plan_that_cannot_be_carried_out_is_refused_and_changes_nothing() {
    let place = Place::new();
    let study = study(&place);
    for (plan, said) in [
        (json!({}), "no people and no tasks"),
        (json!({"people": [], "tasks": []}), "no people and no tasks"),
        (json!({"tasks": [{"kind": "judge", "who": ["j1", "j2"], "overlap": 3}]}), "3 people, but 2"),
        (json!({"tasks": [{"kind": "judge", "who": []}]}), "name at least one person"),
        (json!({"tasks": [{"kind": "judge", "who": ["j1"], "until": "2020-01-01"}]}), "over already"),
        (json!({"tasks": [{"kind": "judge", "who": ["j1"], "until": "soon"}]}), "no time in UTC"),
        (json!({"tasks": [{"kind": "judge", "who": ["j1"], "overlap": 0}]}), "at least one person"),
        (json!({"tasks": [{"kind": "judge", "who": ["j1", "j1"]}]}), "named twice"),
        (json!({"tasks": [{"kind": "judge", "who": ["j1"], "share": 0}]}), "share"),
        (json!({"people": [{"name": "No Name", "role": "judge"}]}), "person's name"),
        (
            json!({"tasks": [{"kind": "judge", "who": ["j1"]}, {"kind": "judge", "who": ["a1"]}]}),
            "a1 is not judge",
        ),
        (
            json!({"tasks": [{"kind": "judge", "who": ["j1"]}, {"kind": "judge", "who": ["nobody"]}]}),
            "nobody is not judge",
        ),
        (
            json!({"tasks": [{"kind": "judge", "who": ["j1"]}, {"kind": "judge", "who": ["j2"], "until": "2020-01-01"}]}),
            "entry 2",
        ),
        // The first entry could be carried out; the second is wrong, so that neither is.
        (
            json!({"people": [{"name": "new", "role": "judge"}], "tasks": [
                {"kind": "judge", "who": ["j1"]}, {"kind": "judge", "who": ["j1"], "overlap": 2},
            ]}),
            "entry 2",
        ),
    ] {
        let (done, text) = try_assign(&place, &study, &plan);
        assert!(!done && text.contains(said), "{plan} is refused with {said:?}: {text}");
    }
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let work = lead.call("work", &json!({}));
    let total: u64 =
        work["people"].as_array().unwrap().iter().map(|p| p["judging"]["total"].as_u64().unwrap()).sum();
    assert_eq!(total, 0, "nobody got anything: {work}");
    assert!(work["people"].as_array().unwrap().iter().all(|p| p["person"] != "new"), "and nobody was added");
    lead.stop();
}

#[test]
fn what_would_be_handed_out_is_said_before_it_is() {
    let place = Place::new();
    let study = study(&place);
    assign(&place, &study, &json!({"tasks": [{"kind": "judge", "who": ["j1"], "share": 0.5, "seed": 2}]}));
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let request = json!({"kind": "judge", "people": ["j1", "j2"], "share": 1.0, "overlap": 2, "seed": 2});
    let preview = lead.call("preview_hand_out", &request);
    assert_eq!((&preview["items"], &preview["drawn"]), (&json!(6), &json!(6)), "{preview}");
    let of = |name: &str, what: &str| {
        preview["people"].as_array().unwrap().iter().find(|p| p["person"] == name).unwrap()[what].clone()
    };
    assert_eq!((of("j1", "held"), of("j1", "added")), (json!(3), json!(3)), "j1 has three of six");
    assert_eq!((of("j2", "held"), of("j2", "added")), (json!(0), json!(6)), "j2 gets all");
    assert_eq!(of("j2", "kinds")["Text"], 6, "all of them text");
    let before = lead.call("work", &json!({}));
    assert_eq!(before, lead.call("work", &json!({})), "looking changes nothing");
    let done = lead.call("hand_out", &request)["value"].clone();
    for name in ["j1", "j2"] {
        let row = done["tasks"].as_array().unwrap().iter().find(|t| t["person"] == name).unwrap();
        assert_eq!(row["added"], of(name, "added"), "what is handed out is what was said: {done}");
    }
    let after = lead.call("preview_hand_out", &request);
    assert_eq!(after["full"], 6, "afterwards nobody is wanted any more: {after}");
    lead.refused("preview_hand_out", &json!({"kind": "judge", "people": ["j1"], "share": 1.0, "overlap": 2}));
    lead.stop();
}

#[test]
fn a_reservation_that_ends_goes_to_others_and_late_work_is_kept() {
    let place = Place::new();
    let study = study(&place);
    // Long enough to judge two items, short enough to wait for.
    let until = acceptance::seconds_from_now(6);
    assign(&place, &study, &json!({"tasks": [{"kind": "judge", "who": ["j1"], "seed": 3, "until": until}]}));
    let file = place.path("j1.assizepack");
    place.text([
        "pack".as_ref(),
        study.as_os_str(),
        "--for".as_ref(),
        "j1".as_ref(),
        "--role".as_ref(),
        "judge".as_ref(),
        "-o".as_ref(),
        file.as_os_str(),
    ]);
    let here = Host::as_person(&place, &study, "j1", "judge");
    assert_eq!(judge(&here, 2), 2, "two are judged in time");
    here.stop();
    let lead = Host::as_person(&place, &study, "lead", "lead");
    while acceptance::seconds_from_now(0) <= until {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let work = lead.call("work", &json!({}));
    assert_eq!(waits(&work, "expired"), [("j1".to_owned(), 4, json!([]))], "four are over: {work}");
    let request = json!({"kind": "judge", "people": ["j2"], "share": 1.0, "overlap": 1, "seed": 3});
    let preview = lead.call("preview_hand_out", &request);
    assert_eq!(preview["released"], json!([{"person": "j1", "added": 4}]), "it says so before: {preview}");
    let both = json!({"kind": "judge", "people": ["j1", "j2"], "share": 1.0, "overlap": 1, "seed": 3});
    let done = lead.call("hand_out", &both)["value"].clone();
    assert_eq!(done["released"], json!([{"person": "j1", "added": 4}]), "they go back: {done}");
    assert_eq!(
        done["tasks"],
        json!([{"person": "j1", "added": 1}, {"person": "j2", "added": 3}]),
        "shared evenly"
    );
    lead.stop();
    // Another device of j1 did all six meanwhile, in the package: late, and kept, nothing twice.
    let away = Place::new();
    let host = Host::as_person(&away, &file, "j1", "judge");
    assert_eq!(judge(&host, 9), 6, "the package has all six");
    host.stop();
    let back = place.path("back.assizepack");
    away.text(["pack".as_ref(), file.as_os_str(), "-o".as_ref(), back.as_os_str()]);
    let merged = place.json(["merge".as_ref(), study.as_os_str(), back.as_os_str()]);
    assert_eq!(merged["merged"]["judgement"], 6, "what comes late is kept: {merged}");
    assert_eq!(
        merged["forks"].as_array().unwrap().len(),
        2,
        "the two judged here, too, stand twice: {merged}"
    );
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let preview = lead.call("preview_hand_out", &both);
    assert_eq!(preview["full"], 6, "nobody gets again what j1 has judged: {preview}");
    lead.stop();
    place.check_clean(&study);
}

#[test]
fn who_waits_for_whom_is_said() {
    let place = Place::new();
    let study = study(&place);
    assign(
        &place,
        &study,
        &json!({"tasks": [
            {"kind": "judge", "who": ["j1", "j2"], "overlap": 2, "seed": 1},
        ]}),
    );
    let host = Host::as_person(&place, &study, "j1", "judge");
    assert_eq!(judge(&host, 4), 4);
    host.stop();
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let work = lead.call("work", &json!({}));
    assert_eq!(
        waits(&work, "other_verdict"),
        [("j2".to_owned(), 4, json!(["j1"]))],
        "j1's four wait for j2's verdict: {work}"
    );
    let j1 = work["people"].as_array().unwrap().iter().find(|p| p["person"] == "j1").unwrap();
    assert_eq!(j1["judging"], json!({"done": 4, "total": 6}));
    assert!(j1["last_at"].as_str().unwrap().ends_with('Z'), "when j1 was last heard of: {j1}");
    lead.stop();
}

#[test]
fn languages_are_shared_evenly_by_what_the_dataset_says_and_else_by_script() {
    let place = Place::new();
    let prompts: Vec<Value> = (0..12)
        .map(|n| {
            let mut prompt = harness::prompt(&format!("p{n}"), "Text", &[]);
            match n % 3 {
                0 => prompt["language"] = json!("pt-BR"),
                1 => prompt["prompt_text"] = json!(format!("Вопрос номер {n} про мост.")),
                _ => {}
            }
            prompt
        })
        .collect();
    place.write("run/dataset.jsonl", harness::lines(&prompts));
    let rows: Vec<Value> = (0..12).map(|n| harness::row(&format!("p{n}"), "alder", &["Text"])).collect();
    place.write("run/results/main/20260612_093010_alder.jsonl", harness::lines(&rows));
    let study = place.study("work");
    place.import(&study, &[&place.path("run")]);
    assign(
        &place,
        &study,
        &json!({"people": [{"name": "j1", "role": "judge"}, {"name": "j2", "role": "judge"}]}),
    );
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let request = json!({"kind": "judge", "people": ["j1", "j2"], "share": 1.0, "overlap": 1, "seed": 5, "balance": ["language"]});
    let preview = lead.call("preview_hand_out", &request);
    for person in preview["people"].as_array().unwrap() {
        let kinds = &person["kinds"];
        assert_eq!(
            (&kinds["language pt-BR"], &kinds["language und-Cyrl"], &kinds["language und-Latn"]),
            (&json!(2), &json!(2), &json!(2)),
            "two of each four: {preview}"
        );
    }
    lead.stop();
    let back = place.text(["export".as_ref(), study.as_os_str(), "--as".as_ref(), "mmi_dataset".as_ref()]);
    assert_eq!(
        back.matches("\"language\": \"pt-BR\"").count() + back.matches("\"language\":\"pt-BR\"").count(),
        4,
        "and goes out again"
    );
    place.check_clean(&study);
}
