//! Checklists: imported, scored by evaluators' grades, and graded by people who may see both rubric and response. Every
//! figure here is worked out by hand.

use acceptance::{Host, Place, harness};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn close(found: &Value, wanted: f64, what: &str) {
    let value = found.as_f64().unwrap_or_else(|| panic!("{what} is a number, not {found}"));
    assert!((value - wanted).abs() < 1e-9, "{what}: wanted {wanted}, found {value}");
}

/// Ten checks. AC: m1.fact, m3.step.s1, m3.step.s2, m3.seq.required; V: m2.base.2, m3.step.s3, m3.seq.full; C: the
/// three options of m2.
fn ten_checks(fact: &str) -> Value {
    json!({"schema": "metarubric/1", "id": "q1", "question": "How is it made?", "items": [
        {"id": "m1", "type": "simple", "tier": "AC", "text": fact},
        {"id": "m2", "type": "flexible_list", "tier": "V", "concept": "ways to keep it warm", "baselines": [2], "pool": [
            {"id": "p1", "text": "a cosy"}, {"id": "p2", "text": "a flask"}, {"id": "p3", "text": "hot water"}]},
        {"id": "m3", "type": "process", "tier": "AC", "concept": "making it", "steps": [
            {"id": "s1", "text": "Fill the pot"}, {"id": "s2", "text": "Heat it"},
            {"id": "s3", "text": "Stir", "required": false}]}]})
}

fn one_check() -> Value {
    json!({"schema": "metarubric/1", "id": "q2", "question": "What is it?", "items": [
        {"id": "m1", "type": "simple", "tier": "AC", "text": "States that it is a pot."}]})
}

fn lines(values: &[Value]) -> String {
    values.iter().map(|value| value.to_string() + "\n").collect()
}

fn grades(question: &str, model: &str, variant: &str, said: &[(&str, Value)]) -> Vec<Value> {
    said.iter()
        .map(|(check, verdict)| {
            json!({"question_id": question, "model": model, "judge": "maker-b-judge", "variant": variant, "check_id": check,
                   "verdict": verdict, "explanation": "as read"})
        })
        .collect()
}

const CHECKS: [&str; 10] = [
    "m1.fact",
    "m2.base.2",
    "m2.opt.p1",
    "m2.opt.p2",
    "m2.opt.p3",
    "m3.step.s1",
    "m3.step.s2",
    "m3.step.s3",
    "m3.seq.required",
    "m3.seq.full",
];

#[test]
fn evaluators_grades_become_the_scores_of_the_paper() {
    let place = Place::new();
    let mut all = grades(
        "q1",
        "maker-a-one",
        "multimodal",
        &[
            ("m1.fact", json!("meets")),
            ("m3.step.s1", json!("meets")),
            ("m3.step.s2", json!("missing")),
            ("m3.seq.required", json!("missing")),
            ("m2.base.2", json!("meets")),
            ("m3.step.s3", json!("partially")),
            ("m3.seq.full", json!("contradicts")),
            ("m2.opt.p1", json!("meets")),
            ("m2.opt.p2", json!("meets")),
            ("m2.opt.p3", json!("missing")),
            ("m9.fact", json!("meets")),
        ],
    );
    all.extend(grades("q2", "maker-a-one", "multimodal", &[("m1.fact", json!("meets"))]));
    let silent: Vec<(&str, Value)> = CHECKS.iter().map(|check| (*check, json!("missing"))).collect();
    all.extend(grades("q1", "maker-a-one", "text_only", &silent));
    all.extend(grades("q2", "maker-a-one", "text_only", &[("m1.fact", json!("meets"))]));
    all.extend(grades("q2", "two", "multimodal", &[("m1.fact", Value::Null)]));
    all.extend(grades("q9", "two", "multimodal", &[("m1.fact", json!("meets"))]));
    all.push(
        json!({"question_id": "q1", "model": "two", "judge": "j", "check_id": "m1.fact", "verdict": "yes"}),
    );
    // The grades come first: what they are about may come later.
    let grades_file = place.write("grades.jsonl", lines(&all));
    let rubrics = place.write("rubrics.jsonl", lines(&[ten_checks("States that it boils."), one_check()]));
    let study = place.study("gamut");
    let first = place.import(&study, &[&grades_file]);
    let file = &first["files"][0];
    assert_eq!((&file["format"], &file["added"]["check_grades"]), (&json!("check_grades"), &json!(25)));
    assert_eq!(file["rejected"][0]["line"], 26, "a word that is no verdict is rejected with its line");
    let warned: Vec<&str> =
        file["warnings"].as_array().unwrap().iter().map(|w| w["why"].as_str().unwrap()).collect();
    assert_eq!(warned.len(), 3, "q1, q2 and q9 have no checklist yet: {warned:?}");
    let second = place.import(&study, &[&rubrics]);
    assert_eq!(second["files"][0]["format"], "meta_rubrics");
    assert_eq!(second["files"][0]["added"]["checklists"], 2, "both are kept, with their tiers: {second}");
    let again = place.import(&study, &[&grades_file, &rubrics]);
    let unchanged: Vec<&Value> =
        again["files"].as_array().unwrap().iter().map(|file| &file["added"]).collect();
    assert!(unchanged.iter().all(|added| **added == json!({})), "twice is once: {again}");

    let gamut = place.scores(&study)["gamut"].clone();
    let row = |model: &str, variant: &str| {
        let all = gamut["models"].as_array().unwrap();
        let found = all.iter().find(|row| row["model"] == model && row["variant"] == variant);
        found.unwrap_or_else(|| panic!("a row of {model}, {variant}: {gamut}")).clone()
    };
    let one = row("maker-a-one", "multimodal");
    // q1: AC 2/4, V (1 + 0.5 - 2)/4, C 2/3; q2 has Answer-Critical checks alone.
    let (q1, q2) = (0.6 * 0.5 + 0.3 * -0.125 + 0.1 * 2.0 / 3.0, 1.0);
    close(&one["score"]["value"], f64::midpoint(q1, q2), "the mean over the questions");
    close(&one["tiers"]["AC"]["value"], 0.75, "Answer-Critical over both");
    close(&one["tiers"]["V"]["value"], -0.125, "Valuable over the one that has it");
    close(&one["tiers"]["C"]["value"], 2.0 / 3.0, "Context");
    for (verdict, times) in [("meets", 6.0), ("partially", 1.0), ("missing", 3.0), ("contradicts", 1.0)] {
        close(&one["mix"][verdict], times / 11.0, verdict);
    }
    assert_eq!((&one["questions"], &one["scored"], &one["unknown"]), (&json!(2), &json!(2), &json!(1)));
    let ends: Vec<f64> =
        one["score"]["ci95"].as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect();
    assert!(
        (ends[0] - q1).abs() < 1e-9 && (ends[1] - q2).abs() < 1e-9,
        "two questions, resampled: one or the other twice, or both: {ends:?}"
    );
    assert_eq!(one["own_family"], true, "maker-a-one and maker-b-judge begin with the same word");
    let two = row("two", "multimodal");
    assert_eq!(
        (&two["score"]["value"], &two["evaluator_errors"], &two["scored"]),
        (&Value::Null, &json!(1), &json!(0)),
        "an evaluator's failure is counted apart, and no score is made up for it"
    );
    assert!(two["score"]["undefined"].is_string(), "and the reason is said");
    let difference = &gamut["differences"][0];
    close(&difference["difference"]["value"], q1 / 2.0, "q1 loses all of it, q2 nothing");
    close(&difference["text_only"]["value"], 0.5, "text alone");
    assert_eq!(gamut["without_checklist"], json!(["q9"]), "its grades wait for a checklist");
    let answers = gamut["responses"].as_array().unwrap();
    let of_q1 = answers.iter().find(|a| a["question"] == "q1" && a["variant"] == "multimodal").unwrap();
    close(&of_q1["score"], q1, "per response");
    assert_eq!(of_q1["verdicts"], json!({"contradicts": 1, "meets": 5, "missing": 3, "partially": 1}));
    let text = place.text(["score".as_ref(), study.as_os_str(), "--table".as_ref(), "gamut".as_ref()]);
    assert!(text.contains("66.5") && text.contains("multimodal against text alone"), "as tables: {text}");
    place.check_clean(&study);
}

/// A run of one model on q1, with the checklist of ten.
fn graded_study(place: &Place) -> PathBuf {
    place.write(
        "run/dataset.jsonl",
        harness::lines(&[
            harness::prompt("q1", "Text", &[]),
            harness::prompt("q3", "Text", &[("Text", "Names it."), ("Text", "Dates it.")]),
        ]),
    );
    let rows = [harness::row("q1", "m", &["Text"]), harness::row("q3", "m", &["Text"])];
    place.write("run/results/main/20260101_000000_m.jsonl", harness::lines(&rows));
    place.write("run/rubric.json", ten_checks("States that it boils.").to_string());
    let study = place.study("graded");
    place.import(&study, &[&place.path("run")]);
    study
}

fn assign(place: &Place, study: &Path, plan: &Value) -> Value {
    let plan = place.write("plan.json", plan.to_string());
    place.json(["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), plan.as_os_str()])
}

fn verdict(item: &Value, check: &str, verdict: &str, reason: &str) -> Value {
    let found = item["checks"].as_array().unwrap().iter().find(|one| one["id"] == check).unwrap();
    json!({"check": check, "text_sha256": found["text_sha256"], "verdict": verdict, "reason": reason})
}

/// The item of this prompt, among ada's tasks.
fn item_of(ada: &Host, key: &str) -> Value {
    let rows = ada.call("grading_queue", &json!({}))["rows"].as_array().unwrap().clone();
    let row = rows.iter().find(|row| row["key"] == key).expect("a task for it");
    ada.call("grading_item", &json!({"task": row["task"]}))["item"].clone()
}

#[test]
fn a_person_grades_by_what_was_found() {
    let place = Place::new();
    let study = graded_study(&place);
    let plan =
        json!({"people": [{"name": "ada", "role": "auditor"}], "tasks": [{"kind": "grade", "who": ["ada"]}]});
    assert_eq!(
        assign(&place, &study, &plan)["tasks"][0],
        json!({"person": "ada", "kind": "grade", "added": 2})
    );
    let ada = Host::as_person(&place, &study, "ada", "auditor");
    let item = item_of(&ada, "q1");
    assert_eq!((&item["by"], item["checks"].as_array().unwrap().len()), (&json!("imported"), 10));
    assert!(!item.to_string().contains("\"m\""), "a grader is not told which model answered: {item}");
    let task = item["task"].clone();

    // One option by its name and one only roughly; the steps in the wrong order.
    let found = json!([
        {"item": "m2", "options": [{"id": "p1"}, {"id": "p2", "imprecise": true}]},
        {"item": "m3", "steps": ["s2", "s1"]}]);
    let mut draft = json!({"found": found, "verdicts": []});
    ada.call("save_grading_draft", &json!({"task": task, "draft": draft}));
    let weighed = ada.call("weigh_grades", &json!({"task": task, "draft": draft}));
    let computed: Vec<&str> = weighed["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| check["computed"].as_str().unwrap_or("-"))
        .collect();
    let wanted = [
        "-",
        "partial",
        "meets",
        "partial",
        "missing",
        "meets",
        "meets",
        "missing",
        "contradicts",
        "contradicts",
    ];
    assert_eq!(computed, wanted, "verdicts follow from what was found, in the order of the checklist");
    let refused = ada.refused("submit_grades", &json!({"task": task, "draft": draft}));
    assert_eq!(refused["details"], json!({"check": "m1.fact", "missing": "verdict"}), "what blocks is named");

    draft["verdicts"] = json!([verdict(&item, "m1.fact", "meets", "")]);
    let weighed = ada.call("weigh_grades", &json!({"task": task, "draft": draft}));
    // AC (3 - 2)/5, V (0.5 - 2)/4, C 1.5/3.
    close(&weighed["score"], 0.6 * 0.2 + 0.3 * -0.375 + 0.1 * 0.5, "the score as it is typed");

    let say = |base: (&str, &str), option: (&str, &str)| {
        json!([
            verdict(&item, "m1.fact", "meets", ""),
            verdict(&item, "m2.base.2", base.0, base.1),
            verdict(&item, "m2.opt.p2", option.0, option.1),
        ])
    };
    draft["verdicts"] = say(("meets", ""), ("missing", "it is a bottle"));
    let refused = ada.refused("submit_grades", &json!({"task": task, "draft": draft}));
    assert_eq!(
        refused["details"],
        json!({"check": "m2.base.2", "missing": "reason"}),
        "another verdict needs a reason"
    );
    draft["verdicts"] = say(("meets", "it says two"), ("missing", "it is a bottle"));
    let weighed = ada.call("weigh_grades", &json!({"task": task, "draft": draft}));
    assert_eq!(weighed["incoherences"][0]["rule"], "K2", "two are said to be there, and one is");
    let refused = ada.refused("submit_grades", &json!({"task": task, "draft": draft}));
    assert_eq!(refused["details"]["missing"], "coherence", "it is shown before the verdicts are locked");
    let done = ada.call("submit_grades", &json!({"task": task, "draft": draft, "let_stand": ["K2"]}));
    assert_eq!(done["value"]["progress"], json!({"done": 1, "total": 2}));
    let base = &done["value"]["grades"][1];
    assert_eq!(
        (&base["verdict"], &base["computed"], &base["reason"]),
        (&json!("meets"), &json!("partial"), &json!("it says two")),
        "what was computed stands beside what was said"
    );

    // Taken back, it is as it was typed: verdicts that followed follow again.
    let undone = ada.call("undo", &json!({}));
    assert_eq!(undone["value"]["task"], task, "undo is a retraction, and leads back to the response");
    let back = ada.call("grading_item", &json!({"task": task}))["item"].clone();
    assert!(back["grade"].is_null(), "nothing stands");
    let own: Vec<(&str, &Value)> = back["draft"]["verdicts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|said| (said["check"].as_str().unwrap(), &said["verdict"]))
        .filter(|(_, verdict)| !verdict.is_null())
        .collect();
    assert_eq!(
        own,
        [("m1.fact", &json!("meets")), ("m2.base.2", &json!("meets")), ("m2.opt.p2", &json!("missing"))],
        "the grader's own verdicts, and no others"
    );
    draft["verdicts"] = say(("meets", "it says two"), ("partial", ""));
    ada.call("submit_grades", &json!({"task": task, "draft": draft}));

    // A flat rubric: its criteria are the checks, and what they come to is MMI Value.
    let flat = item_of(&ada, "q3");
    assert_eq!((&flat["by"], &flat["modalities"]), (&json!("criteria"), &json!(["Text", "Text"])));
    let draft = json!({"verdicts": [verdict(&flat, "1", "meets", ""), verdict(&flat, "2", "partial", "the decade alone")]});
    let weighed = ada.call("weigh_grades", &json!({"task": flat["task"], "draft": draft}));
    close(&weighed["score"], 0.75, "one whole and one half");
    ada.call("submit_grades", &json!({"task": flat["task"], "draft": draft}));
    assert_eq!(ada.call("grading_item", &json!({}))["item"], Value::Null, "all are graded");
    let history = ada.call("history", &json!({"kind": "checklist_grade"}));
    assert_eq!(history["rows"][0]["summary"], "2 checks: 1 meets, 1 partial, 0 missing, 0 contradicts");
    ada.stop();

    let scores = place.scores(&study)["gamut"].clone();
    let row = &scores["models"][0];
    assert_eq!((&row["judge"], &row["by_person"], &row["model"]), (&json!("ada"), &json!(true), &json!("m")));
    // The baseline is met now: V (1 - 2)/4; p2 is partial again.
    close(&row["score"]["value"], 0.6 * 0.2 + 0.3 * -0.25 + 0.1 * 0.5, "the person's score");
    close(&scores["people"][0]["value"]["value"], 0.75, "MMI Value of what people said");
    close(&scores["people"][0]["collapsed"]["value"], 0.0, "not every criterion is met");
    place.check_clean(&study);

    // Other words of a check make the verdict on it stale, and nothing else.
    let changed = place.write("changed.json", ten_checks("States that it whistles.").to_string());
    place.import(&study, &[&changed]);
    let row = place.scores(&study)["gamut"]["models"][0].clone();
    assert_eq!((&row["stale"], &row["scored"], &row["verdicts"]), (&json!(1), &json!(0), &json!(9)));
    let ada = Host::as_person(&place, &study, "ada", "auditor");
    assert_eq!(item_of(&ada, "q1")["stale"], json!(["m1.fact"]), "the grader is told which");
}

#[test]
fn who_judges_blind_is_never_given_the_checklist() {
    let place = Place::new();
    let study = graded_study(&place);
    let plan = json!({
        "people": [{"name": "kim", "role": "judge"}, {"name": "kim", "role": "auditor"},
                   {"name": "ada", "role": "auditor"}, {"name": "ada", "role": "judge"}, {"name": "ada", "role": "author"}],
        "tasks": [{"kind": "judge", "who": ["kim"]}, {"kind": "grading", "who": ["ada"]}]});
    assign(&place, &study, &plan);
    let short = |kind: &str, who: &str| {
        let report = assign(&place, &study, &json!({"tasks": [{"kind": kind, "who": [who]}]}));
        (report["tasks"][0]["added"].clone(), report["short"].clone())
    };
    assert_eq!(short("grade", "kim"), (json!(0), json!(2)), "kim judges both responses blind");
    assert_eq!(short("judge", "ada"), (json!(0), json!(2)), "ada has seen both rubrics");
    assert_eq!(short("author", "ada"), (json!(0), json!(2)), "and both responses");
    let plan = place.write("bad.json", json!({"tasks": [{"kind": "grade", "who": ["kim2"]}]}).to_string());
    let done = place.run(["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), plan.as_os_str()]);
    assert!(!done.status.success(), "nobody of that name");
}
