//! A kill at any moment loses nothing that was acknowledged.

use crate::at_work::{ask, demo, hand_out, study};
use acceptance::{Host, Place};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    fs,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// A small deterministic source of numbers.
struct Lots(u64);
impl Lots {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

/// What the host acknowledged: comments of judgements, and of drafts that no judgement followed, by task.
#[derive(Default, Clone)]
struct Acknowledged {
    judged: HashMap<String, String>,
    drafts: HashMap<String, String>,
    /// Comments of drafts that were sent after the last acknowledged one: each may have been written, though its answer
    /// was lost.
    sent: HashMap<String, Vec<String>>,
}

fn verdicts(item: &Value, comment: &str) -> Value {
    let all = item["response"]["expected"].as_array().expect("modalities").iter();
    all.map(|modality| json!({"modality": modality, "verdict": "incorrect", "comment": comment})).collect()
}

/// Types and submits until the host is gone.
fn work(host: &Host, round: u64, known: &Mutex<Acknowledged>) {
    for n in 0.. {
        let Some((200, body)) = ask(host, "judge_item", &json!({})) else { return };
        let item = serde_json::from_slice::<Value>(&body).expect("JSON")["item"].clone();
        if item.is_null() {
            return;
        }
        let task = item["task"].as_str().expect("a task").to_owned();
        let comment = format!("round {round}, item {n}");
        let draft = json!({"task": task, "draft": {"cards": verdicts(&item, &comment), "active_ms": 5}});
        known.lock().unwrap().sent.entry(task.clone()).or_default().push(comment.clone());
        let Some((200, _)) = ask(host, "save_judgement_draft", &draft) else { return };
        {
            let mut known = known.lock().unwrap();
            known.drafts.insert(task.clone(), comment.clone());
            known.sent.remove(&task);
        }
        let submit = json!({"task": task, "verdicts": verdicts(&item, &comment), "active_ms": 9});
        let Some((200, _)) = ask(host, "submit_judgement", &submit) else { return };
        let mut known = known.lock().unwrap();
        known.drafts.remove(&task);
        known.judged.insert(task, comment);
    }
}

#[test]
fn fifty_kills_lose_no_acknowledged_verdict() {
    let place = Place::new();
    let study = study(&place, "study", &[&demo()]);
    hand_out(&place, &study);
    let known = Arc::new(Mutex::new(Acknowledged::default()));
    let mut lots = Lots(0x5eed);
    for round in 0..50 {
        let host = Host::as_person(&place, &study, "sam", "judge");
        let seen = known.lock().unwrap().clone();
        for (task, comment) in &seen.judged {
            let item = host.call("judge_item", &json!({"task": task}))["item"].clone();
            let kept = item["judgement"]["verdicts"][0]["comment"].as_str();
            assert_eq!(kept, Some(comment.as_str()), "round {round}: an acknowledged verdict is there");
        }
        for (task, comment) in &seen.drafts {
            let item = host.call("judge_item", &json!({"task": task}))["item"].clone();
            // The submit after the draft may have been written though its answer was lost.
            let draft = item["draft"]["cards"][0]["comment"]
                .as_str()
                .or(item["judgement"]["verdicts"][0]["comment"].as_str());
            let later = seen.sent.get(task).is_some_and(|sent| sent.iter().any(|one| draft == Some(one)));
            assert!(
                draft == Some(comment.as_str()) || later,
                "round {round}: {comment:?} was typed and saved, not {draft:?}"
            );
        }
        if host.call("judge_item", &json!({}))["item"].is_null() {
            // All is judged: undo makes room for the next rounds.
            for _ in 0..20 {
                let task =
                    host.call("undo", &json!({}))["value"]["task"].as_str().expect("a task").to_owned();
                let mut known = known.lock().unwrap();
                known.judged.remove(&task);
                known.drafts.remove(&task);
            }
        }
        let stop = Duration::from_millis(lots.next(120));
        let gone = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let pid = host.pid().to_string();
            let gone = &gone;
            scope.spawn(move || {
                std::thread::sleep(stop);
                let _ = std::process::Command::new("kill").args(["-KILL", &pid]).status();
                gone.store(true, Ordering::SeqCst);
            });
            while !gone.load(Ordering::SeqCst) {
                work(&host, round, &known);
            }
        });
        host.kill();
    }
    let judged = known.lock().unwrap().judged.len();
    assert!(judged > 10, "the loop did work between its kills: {judged} verdicts");
    let report = place.check(&study).1;
    assert_eq!(report["problems"], json!([]), "every chain verifies after fifty kills");
}

/// A run large enough to be killed in the middle: the demo's rows under many prompt ids.
fn large_run(place: &Place) -> std::path::PathBuf {
    let rows = fs::read_to_string(demo().join("results/demo/20260612_093015_model-a.jsonl")).unwrap();
    let mut out = String::new();
    for copy in 0..120 {
        for row in rows.lines() {
            let mut row: Value = serde_json::from_str(row).unwrap();
            row["prompt_id"] = json!(format!("{}-{copy}", row["prompt_id"].as_str().unwrap()));
            row["raw_response"] = json!("x".repeat(2_000));
            row["output_assets"] = json!([]);
            out += &(row.to_string() + "\n");
        }
    }
    place.write("run/results/large/20260701_000000_model-a.jsonl", out);
    place.path("run")
}

fn figures(place: &Place, study: &Path) -> Value {
    json!([place.scores(study), place.agreement(study)])
}

#[test]
fn an_import_that_is_killed_resumes_and_ends_as_one_that_was_not() {
    let place = Place::new();
    let run = large_run(&place);
    let whole = study(&place, "whole", &[&run]);
    let study = study(&place, "killed", &[]);
    let mut lots = Lots(77);
    let mut cut = 0;
    for _ in 0..12 {
        let mut child = place
            .command()
            .args(["import".as_ref(), study.as_os_str(), run.as_os_str()])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("starts");
        std::thread::sleep(Duration::from_millis(20 + lots.next(500)));
        if child.try_wait().expect("asks").is_none() {
            child.kill().expect("kills");
            cut += 1;
        }
        child.wait().expect("ends");
        let seen = place.scores(&study)["runs"]["large"]["overall"]["rows"].clone();
        assert!(
            seen.is_null() || seen == 2_880,
            "rows of an import show all at once or not at all, not {seen}"
        );
    }
    assert!(cut > 0, "at least one import was really cut off");
    place.import(&study, &[&run]);
    assert_eq!(
        figures(&place, &study),
        figures(&place, &whole),
        "resumed, it says what an undisturbed import says"
    );
    let report = place.check(&study).1;
    let damage: Vec<&Value> =
        report["problems"].as_array().unwrap().iter().filter(|p| p["severity"] == "damage").collect();
    assert!(damage.is_empty(), "nothing is damaged: {damage:?}");
    assert!(study.join("study.assize").is_file(), "the study is where it was");
}
