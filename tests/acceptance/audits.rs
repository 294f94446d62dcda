//! Audits of finished work: a seeded sample in its order, what it shows, what comes back to its person, and the larger sample that
//! follows by itself where the first does not suffice.

use crate::at_work::{demo, hand_out, study};
use acceptance::{Host, Place};
use serde_json::{Value, json};
use std::{collections::BTreeSet, ffi::OsStr, path::Path};

/// A judge says correct of everything.
fn judge_all(place: &Place, study: &Path, person: &str) -> u64 {
    let host = Host::as_person(place, study, person, "judge");
    let mut done = 0;
    loop {
        let item = host.call("judge_item", &json!({}))["item"].clone();
        if item.is_null() {
            break;
        }
        let verdicts: Value = item["response"]["expected"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| json!({"modality": m, "verdict": "correct", "comment": "As asked."}))
            .collect();
        host.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
        done += 1;
    }
    host.stop();
    done
}

/// Looks through a sample to its end; `wrong` pieces, by their place from 1 on, are returned. Answers the last reply.
fn look_through(lead: &Host, draw: &Value, wrong: &[u64]) -> Value {
    let mut last = Value::Null;
    loop {
        let item = lead.call("audit_item", &json!({"draw": draw}))["item"].clone();
        if item.is_null() {
            return last;
        }
        let place = item["place"].as_u64().unwrap();
        let accepted = !wrong.contains(&place);
        let feedback = if accepted { "" } else { "The sound stops after two seconds." };
        let request = json!({"draw": draw, "item": item["item"], "accepted": accepted, "feedback": feedback});
        last = lead.call("submit_audit", &request)["value"].clone();
    }
}

fn of(view: &Value, draw: &Value) -> Value {
    view["audits"].as_array().unwrap().iter().find(|audit| audit["draw"] == *draw).unwrap().clone()
}

#[test]
fn thirty_without_an_error_state_their_bound_and_an_error_makes_it_grow() {
    let place = Place::new();
    let study = study(&place, "demo", &[&demo()]);
    hand_out(&place, &study);
    let finished = judge_all(&place, &study, "sam");
    assert!(finished > 60, "there is enough to draw from: {finished}");
    judge_all(&place, &study, "kim");

    let lead = Host::as_person(&place, &study, "lead", "lead");
    let view = lead.call("draw_audit", &json!({"person": "sam", "work": "judging", "items": 30, "seed": 5}))
        ["value"]
        .clone();
    let draw = view["audits"][0]["draw"].clone();
    let audit = of(&view, &draw);
    assert_eq!(
        (&audit["outcome"]["items"], &audit["outcome"]["verdict"]),
        (&json!(30), &json!("open")),
        "{audit}"
    );
    let drawn: u64 = audit["strata"].as_array().unwrap().iter().map(|s| s["drawn"].as_u64().unwrap()).sum();
    assert_eq!(drawn, 30, "from the strata together");
    for stratum in audit["strata"].as_array().unwrap() {
        let (of, n) = (stratum["finished"].as_f64().unwrap(), stratum["drawn"].as_f64().unwrap());
        let share = of * 30.0 / finished as f64;
        assert!((n - share).abs() < 1.0, "each stratum by its share: {stratum}");
    }
    // None is passed over.
    let first = lead.call("audit_item", &json!({"draw": draw}))["item"].clone();
    assert_eq!(first["place"], 1, "from the first");
    let other = lead.call("audits", &json!({}));
    assert_eq!(of(&other, &draw)["outcome"]["audited"], 0, "nothing is found yet");
    // Nor can the draw be taken back for another that pleases more.
    assert_eq!(lead.refused("undo", &json!({}))["code"], "nothing_to_undo", "a draw is not undone");
    let why = lead.refused("undo", &json!({"statement": draw}))["message"].to_string();
    assert!(why.contains("cannot be taken back"), "nor by its name: {why}");
    lead.refused("draw_audit", &json!({"person": "sam", "work": "judging", "items": 30, "seed": 6}));
    // Nor by name: the second piece is known once the first is done; with the first taken back it is out of reach again.
    let accept = |item: &Value| json!({"draw": draw, "item": item["item"], "accepted": true});
    lead.call("submit_audit", &accept(&first));
    let second = lead.call("audit_item", &json!({"draw": draw}))["item"].clone();
    assert_eq!((&second["place"], &second["previous"]), (&json!(2), &first["item"]), "in their order");
    assert_eq!(
        lead.call("undo", &json!({}))["value"]["kind"],
        "audit_finding",
        "what is found can be taken back"
    );
    for command in ["audit_item", "submit_audit"] {
        let why = lead.refused(command, &accept(&second))["message"].to_string();
        assert!(why.contains("in its order"), "{command}: a piece cannot be passed over: {why}");
    }
    let empty = json!({"draw": draw, "item": first["item"], "accepted": false});
    assert_eq!(lead.refused("submit_audit", &empty)["code"], "incomplete", "who returns says why");
    let end = look_through(&lead, &draw, &[]);
    let outcome = &end["audit"]["outcome"];
    let bound = outcome["at_most"]["value"].as_f64().unwrap();
    // 1 - 0.05^(1/30), Clopper and Pearson.
    assert!((bound - 0.095_033_852_855_304_19).abs() < 1e-12, "at most 9.5 % at 95 %: {bound}");
    assert_eq!((&outcome["verdict"], &end["escalated"]), (&json!("passed"), &Value::Null), "{outcome}");

    // The same seed draws the same; kim's work fails.
    let view = lead.call("draw_audit", &json!({"person": "kim", "work": "judging", "items": 30, "seed": 5}))
        ["value"]
        .clone();
    let draw =
        view["audits"].as_array().unwrap().iter().find(|a| a["person"] == "kim").unwrap()["draw"].clone();
    let second = json!({"person": "kim", "work": "judging", "items": 5});
    lead.refused("draw_audit", &second);
    let end = look_through(&lead, &draw, &[3]);
    let outcome = &end["audit"]["outcome"];
    assert_eq!(
        (&outcome["errors"], &outcome["verdict"], &outcome["needs"]),
        (&json!(1), &json!("enlarge"), &json!(46)),
        "{outcome}"
    );
    let larger = end["escalated"].clone();
    assert!(larger.is_string(), "the larger sample is drawn at once: {end}");
    let view = lead.call("audits", &json!({}));
    let audit = of(&view, &larger);
    assert_eq!(
        (&audit["escalates"], &audit["outcome"]["items"], &audit["outcome"]["audited"]),
        (&draw, &json!(46), &json!(30)),
        "16 more: {audit}"
    );
    let end = look_through(&lead, &larger, &[]);
    assert_eq!(
        (&end["audit"]["outcome"]["verdict"], &end["audit"]["outcome"]["errors"]),
        (&json!("passed"), &json!(1)),
        "46 with one error exclude 10 %"
    );
    // The plan says the same sizes.
    let plan = lead.call("plan_audit", &json!({"rate": 0.1}));
    let sizes: Vec<u64> =
        plan["sizes"].as_array().unwrap().iter().map(|s| s["items"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [29, 46, 61, 103], "for 0, 1, 2 and 5 errors");
    lead.stop();

    // What was returned is kim's to do again, with the reason; nothing else tells that anything was looked at.
    let kim = Host::as_person(&place, &study, "kim", "judge");
    let open = kim.call("judge_queue", &json!({"filter": "open"}));
    assert_eq!(open["total"], 1, "one came back");
    let item = kim.call("judge_item", &json!({}))["item"].clone();
    assert_eq!(item["returned"], "The sound stops after two seconds.", "and why");
    assert!(!item["judgement"].is_null(), "beside what was said");
    let all = kim.call("judge_queue", &json!({"filter": "done", "limit": 1000}));
    for row in all["rows"].as_array().unwrap() {
        let done = kim.call("judge_item", &json!({"task": row["task"]}))["item"].clone();
        assert!(done["returned"].is_null(), "what was accepted, or never drawn, looks alike: {done}");
    }
    let verdicts: Value = item["response"]["expected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| json!({"modality": m, "verdict": "incorrect", "comment": "It stops."}))
        .collect();
    kim.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
    assert_eq!(kim.call("judge_queue", &json!({"filter": "open"}))["total"], 0, "it is done again");
    kim.stop();
    for who in ["sam", "kim"] {
        let leaks =
            place.json([OsStr::new("leaks"), study.as_os_str(), OsStr::new("--for"), OsStr::new(who)]);
        let marks: BTreeSet<String> = leaks["leaks"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|leak| leak["where"].as_str().unwrap_or_default().contains("tasks"))
            .map(ToString::to_string)
            .collect();
        assert!(marks.is_empty(), "{who}: no task tells what was drawn: {marks:?}");
    }
    place.check_clean(&study);
}
