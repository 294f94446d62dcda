//! Disagreements settled: a seeded sample of each direction, the causes, and agreement before and after, on figure 16 and on the
//! demo; and two people who differ. Every figure is held against a calculation of its own, which is committed beside its output
//! (`tests/fixtures/agreement/settling.py`).

use crate::at_work::{demo, hand_out, study};
use acceptance::{Host, Place, differs, figures, fixtures};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, path::Path};

fn reference(name: &str) -> Value {
    let text = fs::read_to_string(fixtures().join("agreement/settling.json")).unwrap();
    let found = serde_json::from_str::<Value>(&text).unwrap()[name].clone();
    assert!(figures(&found) > 10, "the reference holds figures");
    found
}

/// Table and figures of a reply, as the reference writes them.
fn plain(view: &Value) -> Value {
    json!({"cells": view["cells"], "percent_agreement": view["percent_agreement"]["value"],
           "scott_pi": view["scott_pi"]["value"]})
}
fn same(wanted: &Value, found: &Value, why: &str) {
    assert!(wanted.is_object() && figures(wanted) >= 6, "{why}: the reference holds figures: {wanted}");
    assert_eq!(differs(wanted, found, why), None, "{why}");
}
fn causes(view: &Value) -> Value {
    let rows = view["causes"].as_array().unwrap().iter();
    rows.map(|row| {
        (
            row["cause"].as_str().unwrap().to_owned(),
            json!([row["judge_only"], row["human_only"], row["judge_right"]]),
        )
    })
    .collect::<serde_json::Map<_, _>>()
    .into()
}
fn rows(host: &Host, request: &Value) -> Vec<Value> {
    host.call("disagreement_cases", request)["rows"].as_array().unwrap().clone()
}
fn named(rows: &[Value]) -> BTreeSet<String> {
    rows.iter().map(|row| format!("{}{}", row["response"], row["modality"])).collect()
}

/// Draws twenty of both directions, or all there are, settles them by a rule, and holds every figure against the reference: of each
/// direction the first so many are found to be the person's error, the rest the judge's, and every fifth goes back to its author.
fn settle_a_sample(place: &Place, study: &Path, name: &str, seed: u64) {
    let wanted = reference(name);
    let rule = &wanted["by_rule"];
    let numbers = |list: &Value| -> [u64; 2] { [0, 1].map(|at| list[at].as_u64().unwrap()) };
    let (each, right) = (numbers(&rule["drawn"]), numbers(&rule["right"]));
    let lena = Host::as_person(place, study, "lead", "lead");
    let before = lena.call("disagreement_counts", &json!({}));
    same(&wanted["before"], &plain(&before), "before");
    assert!(before["after"].is_null(), "nothing is settled, so that there is no after");
    assert_eq!(before["causes"], json!([]), "and no cause");

    let draw = |seed: u64| rows(&lena, &json!({"sample": 20, "seed": seed, "limit": 1000}));
    let drawn = draw(seed);
    let of = |cell: &str| drawn.iter().filter(|row| row["cell"] == cell).count() as u64;
    assert_eq!([of("judge_only"), of("human_only")], each, "twenty of each direction, or all there are");
    assert_eq!(drawn.len() as u64, each[0] + each[1], "and of no other cell");
    assert_eq!(drawn, draw(seed), "the same seed draws the same");
    if each == [20, 20] {
        assert_ne!(named(&drawn), named(&draw(seed + 1)), "another draws others");
    }
    let (mut seen, mut sent_back) = ([0_u64; 2], [0_u64; 2]);
    for (at, row) in drawn.iter().enumerate() {
        let direction = usize::from(row["cell"] == "human_only");
        let judge_is_right = seen[direction] < right[direction];
        seen[direction] += 1;
        let judge_says = if direction == 0 { "correct" } else { "incorrect" };
        let people_say = if direction == 0 { "incorrect" } else { "correct" };
        let back = at.is_multiple_of(5);
        sent_back[usize::from(judge_is_right)] += u64::from(back);
        lena.call(
            "settle",
            &json!({"response": row["response"], "modality": row["modality"],
                    "verdict": if judge_is_right { judge_says } else { people_say },
                    "cause": if judge_is_right { "human_error" } else { "judge_error" }, "send_rubric_back": back}),
        );
    }
    let after = lena.call("disagreement_counts", &json!({}));
    assert_eq!(after["cells"], before["cells"], "what people said is not changed by it");
    assert_eq!(after["people"], before["people"], "who settles is no annotator");
    let pairs = |view: &Value| -> Vec<Value> {
        let rows = view["pairs"].as_array().unwrap().iter();
        rows.map(|pair| json!([pair["first"], pair["second"], pair["units"], pair["differ"]])).collect()
    };
    assert_eq!(pairs(&after), pairs(&before), "and nobody's counterpart");
    assert_eq!(after["settled"], json!(each[0] + each[1]), "progress");
    assert_eq!(causes(&after), rule["causes"], "each cause by direction, and how often the judge was right");
    let back = |name: &str| {
        let rows = after["causes"].as_array().unwrap().iter();
        rows.filter(|row| row["cause"] == name).map(|row| row["sent_back"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!([back("judge_error"), back("human_error")], sent_back, "and what went back");
    same(&rule["after"], &plain(&after["after"]), "after");
    let open = rows(&lena, &json!({"open_only": true, "limit": 1000}));
    assert!(named(&open).is_disjoint(&named(&drawn)), "what is settled is not open");
    lena.stop();
}

#[test]
fn forty_cases_of_figure_16_are_settled() {
    let place = Place::new();
    let study = study(&place, "figure16", &[&fixtures().join("agreement/figure16.jsonl")]);
    // The reference is held against the paper's own table (MMI, figure 16), so that it is no mirror of the app.
    let paper = fs::read_to_string(fixtures().join("agreement/figure16_expected.json")).unwrap();
    let paper: Value = serde_json::from_str(&paper).unwrap();
    let overall = &paper["collapse_all_ones"]["overall"];
    let cells = reference("figure16")["before"]["cells"].clone();
    for (name, cell) in
        [("both_correct", "a"), ("judge_only", "b"), ("human_only", "c"), ("both_incorrect", "d")]
    {
        assert!(cells[name].is_u64() && cells[name] == overall[cell], "{name}: {cells} against {overall}");
    }
    settle_a_sample(&place, &study, "figure16", 7);
    place.check_clean(&study);
}

/// The demo's run without its own twelve settlements.
fn unsettled(place: &Place) -> std::path::PathBuf {
    let run = demo();
    let sources = [run.join("dataset.jsonl"), run.join("results/demo"), run.join("human_verdicts.csv")];
    let sources: Vec<&Path> = sources.iter().map(std::path::PathBuf::as_path).collect();
    study(place, "demo", &sources)
}

#[test]
fn the_demo_is_settled_too() {
    let place = Place::new();
    let study = unsettled(&place);
    settle_a_sample(&place, &study, "demo", 3);
    place.check_clean(&study);
}

#[test]
fn what_came_settled_counts_like_what_is_settled_here() {
    let place = Place::new();
    let study = study(&place, "demo", &[&demo()]);
    let wanted = reference("demo");
    let lead = Host::as_person(&place, &study, "lead", "auditor");
    let found = lead.call("disagreement_counts", &json!({}));
    same(&wanted["before"], &plain(&found), "before");
    same(&wanted["by_file"]["after"], &plain(&found["after"]), "after the twelve of the file");
    assert_eq!(causes(&found), wanted["by_file"]["causes"], "their causes, by direction");
    lead.stop();
}

#[test]
fn two_people_who_differ_are_settled_at_the_same_desk() {
    let place = Place::new();
    let study = study(&place, "demo", &[&demo()]);
    let wanted = reference("demo")["pairs"].as_array().unwrap().clone();
    assert!(wanted.len() >= 2, "the demo has three people");
    let lead = Host::as_person(&place, &study, "lead", "auditor");
    let found = lead.call("disagreement_counts", &json!({}))["pairs"].as_array().unwrap().clone();
    let mut open = None;
    for pair in &wanted {
        let (first, second) = (&pair["first"], &pair["second"]);
        let row = found.iter().find(|row| row["first"] == *first && row["second"] == *second).unwrap();
        for name in ["units", "differ", "settled"] {
            assert_eq!(row[name], pair[name], "{first} and {second}: {name}");
        }
        let filter = json!({"first": first, "human": second});
        let view = lead.call("disagreement_counts", &filter);
        same(&pair["before"], &plain(&view), "two people before");
        assert!(view["after"].is_null(), "of the judge nothing is said");
        assert_eq!(
            view["after_each"].as_array().unwrap().len(),
            if pair["settled"] == 0 { 0 } else { 2 },
            "after, once something is settled"
        );
        for (at, own) in view["after_each"].as_array().unwrap().iter().enumerate() {
            assert_eq!(own["person"], [first, second][at].clone(), "each of the two");
            same(&pair["after"][at], &plain(own), "against what is settled, else the other");
            assert_eq!((&own["right"], &own["settled"]), (&pair["right"][at], &pair["settled"]), "borne out");
        }
        let sample = rows(&lead, &json!({"filter": filter, "sample": 3, "seed": 11, "limit": 1000}));
        let of = |cell: &str| sample.iter().filter(|row| row["cell"] == cell).count() as u64;
        let all = |cell: &str| view["cells"][cell].as_u64().unwrap();
        for cell in ["judge_only", "human_only"] {
            assert_eq!(of(cell), all(cell).min(3), "{cell}: three of each direction, or all there are");
        }
        assert_eq!(sample, rows(&lead, &json!({"filter": filter, "sample": 3, "seed": 11, "limit": 1000})));
        let unsettled = rows(&lead, &json!({"filter": filter, "open_only": true, "limit": 1000}));
        open = open.or_else(|| unsettled.first().map(|row| (filter.clone(), row.clone(), view.clone())));
    }

    // One more is settled, in favour of the first: of both it says what it must, and of everybody's verdicts it changes nothing.
    let (filter, case, before) = open.expect("two people differ where nothing is settled");
    let first_says = if case["cell"] == "judge_only" { "correct" } else { "incorrect" };
    let people = |row: &Value| {
        let case = lead
            .call("disagreement_case", &json!({"response": row["response"], "modality": row["modality"]}));
        case["people"].as_array().unwrap().iter().map(|p| p["person"].clone()).collect::<Vec<_>>()
    };
    let spoke = people(&case);
    lead.call(
        "settle",
        &json!({"response": case["response"], "modality": case["modality"], "verdict": first_says, "cause": "human_error"}),
    );
    let after = lead.call("disagreement_counts", &filter);
    assert_eq!(after["cells"], before["cells"], "what they said stays");
    assert_eq!(after["people"], before["people"], "who settles is no annotator");
    assert_eq!(people(&case), spoke, "nor one of those who judged the case");
    let settled = |view: &Value| view["settled"].as_u64().unwrap();
    assert_eq!(settled(&after), settled(&before) + 1, "one more is settled");
    let right = |view: &Value, at: usize| view["after_each"][at]["right"].as_u64().unwrap_or(0);
    assert_eq!(right(&after, 0), right(&before, 0) + 1, "it bears the first out");
    assert_eq!(right(&after, 1), right(&before, 1), "and the second not");
    lead.stop();
    place.check_clean(&study);
}

#[test]
fn a_wrong_gold_list_reaches_its_author_without_the_response() {
    let place = Place::new();
    let study = unsettled(&place);
    hand_out(&place, &study);
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let case = rows(&lead, &json!({"cell": "human_only", "limit": 1})).remove(0);
    let ask = json!({"response": case["response"], "modality": case["modality"]});
    let shown = lead.call("disagreement_case", &ask);
    assert!(shown["marked_gold"].is_null(), "nothing is marked");
    let gold = shown["prompt"]["gold"].as_array().unwrap().clone();
    let all = ["Text", "Image", "Audio", "Video", "Document"];
    let extra = gold[0].as_str().unwrap();
    let lacking = *all.iter().find(|m| !gold.contains(&json!(m))).unwrap();
    let figures = |host: &Host| {
        let view = host.call("disagreement_counts", &json!({}));
        (plain(&view), view["marked_gold"].clone())
    };
    let before = figures(&lead);
    assert_eq!(before.1, 0, "no unit of a marked prompt");
    let reason = "OVERRESPONSE the answer shows that sound is meant";
    let mark = json!({"response": case["response"], "wrong": [lacking, extra], "reason": reason});
    let silent = json!({"response": case["response"], "wrong": [extra]});
    assert_eq!(lead.refused("mark_gold", &silent)["code"], "incomplete", "a mark says why");
    let nothing = json!({"response": case["response"], "wrong": []});
    assert_eq!(lead.refused("mark_gold", &nothing)["code"], "incomplete", "there is no mark to take off");
    lead.call("mark_gold", &mark);
    let marked = lead.call("disagreement_case", &ask)["marked_gold"].clone();
    assert_eq!(
        (&marked["extra"], &marked["lacking"], &marked["reason"], &marked["person"]),
        (&json!([extra]), &json!([lacking]), &json!(reason), &json!("lead")),
        "which way each is wrong, why, and by whom"
    );
    let after = figures(&lead);
    assert_eq!(after.0, before.0, "the list counts as it is until the dataset brings another");
    assert!(after.1.as_u64().unwrap() > 0, "and how many units that concerns is said");
    let steps = lead.call("overview", &json!({}))["next_steps"].clone();
    assert!(steps.as_array().unwrap().contains(&json!("mend_gold")), "the lead's next step: {steps}");
    lead.stop();

    let noor = Host::as_person(&place, &study, "noor", "author");
    let queue = noor.call("author_queue", &json!({"limit": 1000}));
    let task =
        queue["rows"].as_array().unwrap().iter().rfind(|row| row["key"] == case["key"]).unwrap().clone();
    assert_eq!(task["state"], "sent_back", "it is hers to look at again: {task}");
    let item = noor.call("author_item", &json!({"task": task["task"]}))["item"].clone();
    assert_eq!(
        item["marked_gold"],
        json!({"extra": [extra], "lacking": [lacking], "cause": "wrong_gold"}),
        "which modalities, and the cause"
    );
    assert_eq!(item["sent_back"], json!([]), "no criterion is said to have failed");
    let whole = item.to_string();
    for hidden in ["OVERRESPONSE", case["response"].as_str().unwrap(), case["model"].as_str().unwrap()] {
        assert!(!whole.contains(hidden), "never the response, nor words written over it: {hidden}");
    }
    let others = queue["rows"].as_array().unwrap().iter().filter(|row| row["state"] == "sent_back").count();
    assert_eq!(others, 1, "one task, of this prompt alone");
    noor.stop();
    let leaks = place.json(["leaks".as_ref(), study.as_os_str(), "--for".as_ref(), "noor".as_ref()]);
    assert_eq!(leaks["leaks"], json!([]), "and the scanner finds nothing: {leaks}");

    // Opening the study again makes no second task; right after all takes the mark off.
    let lead = Host::as_person(&place, &study, "lead", "lead");
    lead.call("mark_gold", &nothing);
    assert!(lead.call("disagreement_case", &ask)["marked_gold"].is_null(), "it counts as right again");
    assert_eq!(figures(&lead).1, 0, "and no unit is of a marked prompt");
    let undone = lead.call("undo", &json!({}));
    assert_eq!(undone["value"]["kind"], "gold_mark", "which can be taken back");
    assert!(!lead.call("disagreement_case", &ask)["marked_gold"].is_null(), "so that the mark stands again");
    lead.stop();
    let noor = Host::as_person(&place, &study, "noor", "author");
    assert_eq!(
        noor.call("author_queue", &json!({"limit": 1000}))["total"],
        queue["total"],
        "what follows is made once"
    );
    noor.stop();
    place.check_clean(&study);
}
