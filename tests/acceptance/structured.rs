//! Structured rubrics over the host: written as a draft, saved in revisions, compared, refused while they do not compile,
//! handed in; and hidden from judges as criteria are.

use crate::at_work::{demo, hand_out, study};
use acceptance::{Host, Place};
use serde_json::{Value, json};

/// A statement at AC and a flexible list at V, whose three options are checks at C.
fn rubric() -> Value {
    json!({"criteria": [], "form": "structured", "structured": {
        "meta_rubric": {"schema": "metarubric/1", "id": "own", "question": "Why?", "items": [
            {"id": "m1", "type": "simple", "tier": "AC", "text": "States that the kettle whistles at the boil."},
            {"id": "m2", "type": "flexible_list", "tier": "V", "concept": "uses of steam", "baselines": [2],
             "pool": [{"id": "p1", "text": "heating"}, {"id": "p2", "text": "turbines", "evidence": ["x1"]},
                      {"id": "p3", "text": "cleaning"}]}]},
        "snippets": [{"id": "x1", "address": "https://example.org/steam", "passage": "It drives turbines.", "read_on": "2026-01-31"}]}})
}

#[test]
fn a_structured_rubric_is_written_compared_and_handed_in() {
    let place = Place::new();
    let study = study(&place, "structured", &[&demo()]);
    hand_out(&place, &study);
    let host = Host::as_person(&place, &study, "noor", "author");
    let task = host.call("author_item", &json!({}))["item"]["task"].clone();

    let first = rubric();
    host.call("save_rubric_draft", &json!({"task": task, "draft": first}));
    let item = host.call("author_item", &json!({"task": task}))["item"].clone();
    assert_eq!(item["draft"]["structured"], first["structured"], "the draft comes back as it was typed");
    host.call("save_rubric", &json!({"task": task, "rubric": first, "submit": false}));

    // The second revision: one option reworded, one gone, a new one, and the statement in another tier.
    let mut second = first.clone();
    let items = &mut second["structured"]["meta_rubric"]["items"];
    items[0]["tier"] = json!("V");
    items[1]["pool"] = json!([{"id": "p1", "text": "heating rooms"}, {"id": "p2", "text": "turbines"}, {"id": "p4", "text": "cooking"}]);
    let compared = host.call("compare_checklists", &json!({"task": task, "rubric": second["structured"]}));
    let changes: Vec<(&str, &str, bool)> = compared["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| (c["id"].as_str().unwrap(), c["change"].as_str().unwrap(), c["stale"].as_bool().unwrap()))
        .collect();
    assert_eq!(
        changes,
        [
            ("m1.fact", "same", false),
            ("m2.base.2", "changed", true),
            ("m2.opt.p1", "changed", true),
            ("m2.opt.p2", "same", false),
            ("m2.opt.p3", "gone", true),
            ("m2.opt.p4", "new", false),
        ],
        "by id and hash: another tier alone makes no verdict stale"
    );
    assert_eq!(compared["checks"][0]["after"]["tier"], "V", "the tier that it moved to is told");

    let mut broken = second.clone();
    broken["structured"]["meta_rubric"]["items"][1]["baselines"] = json!([3]);
    let refused = host.refused("save_rubric", &json!({"task": task, "rubric": broken, "submit": true}));
    assert_eq!(refused["code"], "lint_errors", "a rubric that does not compile is not handed in");
    assert_eq!(
        (&refused["details"]["rule"], &refused["details"]["item"], &refused["details"]["field"]),
        (&json!("FL-08"), &json!(1), &json!("baselines")),
        "and the place of its first error is told"
    );
    let saved = host.call("save_rubric", &json!({"task": task, "rubric": second, "submit": true}));
    assert!(saved["value"]["submission"].is_string(), "without it, it is handed in: {saved}");

    let compared = host.call("compare_checklists", &json!({"task": task}));
    let lines: Vec<(u64, bool, bool, u64)> = compared["revisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| {
            let number = r["number"].as_u64().unwrap();
            let checks = r["checks"].as_u64().unwrap();
            (number, r["in_force"].as_bool().unwrap(), r["handed_in"].as_bool().unwrap(), checks)
        })
        .collect();
    assert_eq!(lines, [(2, true, true, 5), (1, false, false, 5)], "both revisions, the newest first");
    let other = json!({"task": task, "before": "00000000000000000000000000000000"});
    assert_eq!(
        host.refused("compare_checklists", &other)["code"],
        "not_found",
        "one of no one's is no revision"
    );
    let history = host.call("history", &json!({"kind": "rubric_revision"}))["rows"][0].clone();
    assert_eq!(history["summary"], "2 items, structured", "History says what it is");
    host.stop();

    let leaks = place.json(["leaks".as_ref(), study.as_os_str(), "--for".as_ref(), "sam".as_ref()]);
    assert_eq!(leaks["leaks"], json!([]), "no session or file of a judge holds a word of it");
}
