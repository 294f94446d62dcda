//! Qualification: a newcomer and the quiz, jobs with a known answer hidden in the queue, jobs given twice, who is paused and shows it
//! again; and that nobody who is blind learns which job measures them.

use crate::at_work::{demo, study};
use acceptance::{Host, Place};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    path::Path,
};

/// Two items: the right answers are (true, 1) and (false, 0).
const QUIZ: &str = "# Small\nRead the guidelines first.\n\n## Practice\n### false: A verdict may be partial.\nHow many verdicts does a \
                    modality get?\n- [ ] two\n- [x] one\n> There is nothing in between.\n\n## Quiz\n### true: A link counts.\nWhat of a \
                    broken one?\n- [ ] it is correct\n- [x] it may be incorrect\n> ZEBRAKEY a link counts as returning it.\n### false: What is \
                    absent is skipped.\nWhat is it?\n- [x] incorrect\n- [ ] nothing\n> ZEBRAKEY what is absent is incorrect.\n";

fn assize(place: &Place, args: &[&OsStr]) -> Value {
    place.json(args.iter().copied())
}

fn qualify(place: &Place, study: &Path, what: &str, more: &[&str]) -> Value {
    let mut args: Vec<&OsStr> = vec!["qualify".as_ref(), what.as_ref(), study.as_os_str()];
    args.extend(more.iter().map(OsStr::new));
    assize(place, &args)
}

fn plan(place: &Place, study: &Path, plan: &Value) -> Value {
    let file = place.write("plan.json", plan.to_string());
    assize(place, &["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), file.as_os_str()])
}

/// The demo, with sam as its judge, eight responses whose text is said to be wrong, and rules of small numbers: two of two to
/// enter, three of four to stay. Answers the ids of the known responses, and how a judge meets them.
fn small(place: &Place) -> (std::path::PathBuf, BTreeSet<String>, BTreeSet<String>) {
    let study = study(place, "demo", &[&demo()]);
    plan(
        place,
        &study,
        &json!({"people": [{"name": "sam", "role": "judge"}, {"name": "ada", "role": "auditor"}]}),
    );
    let quiz = place.write("quiz.md", QUIZ);
    qualify(place, &study, "quiz", &[quiz.to_str().unwrap()]);
    let rules = json!({"entry_golds": 2, "window": 4, "keep_accuracy": 0.75, "quiz_pass": 0.9});
    let rules = place.write("rules.json", rules.to_string());
    let view = qualify(place, &study, "rules", &[rules.to_str().unwrap()]);
    assert_eq!(
        (&view["rules"]["entry_golds"], &view["rules"]["entry_accuracy"]),
        (&json!(2), &json!(0.95)),
        "what the file does not say is as it was: {view}"
    );
    let lead = Host::as_person(place, &study, "lead", "lead");
    let mut of_text: BTreeMap<String, String> = BTreeMap::new();
    for cell in ["both_correct", "judge_only", "human_only", "both_incorrect"] {
        let cases = lead.call("disagreement_cases", &json!({"cell": cell, "limit": 1000}));
        for row in cases["rows"].as_array().unwrap().iter().filter(|row| row["modality"] == "Text") {
            let asked = json!({"response": row["response"], "modality": "Text"});
            let case = lead.call("disagreement_case", &asked);
            if case["response"]["expected"] == json!(["Text"]) {
                of_text.insert(row["response"].as_str().unwrap().to_owned(), met(&case));
            }
        }
    }
    assert!(of_text.len() >= 12, "some of those judged for text alone stay work: {}", of_text.len());
    let all: BTreeSet<&String> = of_text.values().collect();
    assert_eq!(all.len(), of_text.len(), "a judge can be seen to meet each");
    let (known, faces): (BTreeSet<String>, BTreeSet<String>) = of_text.into_iter().take(8).unzip();
    let golds: Vec<Value> = known
        .iter()
        .map(|id| json!({"response": id, "modality": "Text", "verdict": "incorrect", "why": "ZEBRAGOLD decided by both authors"}))
        .collect();
    let view = lead.call("state_golds", &json!({"golds": golds}))["value"].clone();
    assert_eq!(view["golds"], json!({"Text": 8}), "what is known, by modality");
    lead.stop();
    (study, known, faces)
}

/// What a judge meets of a response, who is not told its id.
fn met(item: &Value) -> String {
    format!("{} {}", item["prompt"]["key"], item["response"]["text"])
}

fn of<'a>(view: &'a Value, person: &str) -> &'a Value {
    view["people"].as_array().unwrap().iter().find(|p| p["person"] == person).expect("the person")
}
fn text_of<'a>(view: &'a Value, person: &str) -> &'a Value {
    let all = of(view, person)["modalities"].as_array().unwrap();
    all.iter().find(|own| own["modality"] == "Text").expect("text")
}
/// State and reason for text.
fn stands(place: &Place, study: &Path) -> (String, String) {
    let view = qualify(place, study, "status", &[]);
    let own = text_of(&view, "sam");
    (own["state"].as_str().unwrap().to_owned(), own["reason"].as_str().unwrap().to_owned())
}

/// Hands the quiz in, with both items right or only the first.
fn hand_in(place: &Place, study: &Path, right: bool) -> Value {
    let sam = Host::as_person(place, study, "sam", "judge");
    let open = sam.call("quiz", &json!({}))["open"].clone();
    assert!(!open.to_string().contains("ZEBRAKEY"), "the quiz holds no key: {open}");
    let second = json!({"item": "q2", "is_true": false, "choice": u32::from(!right)});
    let answers = json!([{"item": "q1", "is_true": true, "choice": 1}, second]);
    let request = json!({"task": open["task"], "answers": answers});
    let missing = json!({"task": open["task"], "answers": [answers[0]]});
    let refused = sam.refused("hand_in_quiz", &missing);
    assert_eq!((&refused["code"], &refused["details"]["item"]), (&json!("incomplete"), &json!("q2")));
    let after = sam.call("hand_in_quiz", &request)["value"].clone();
    assert!(after["open"].is_null(), "it is handed in");
    sam.refused("hand_in_quiz", &request);
    sam.stop();
    after
}

/// Judges every open response: known ones as `right` says, in the order in which they are met, others correct. Answers how many known
/// ones there were.
fn judge(place: &Place, study: &Path, faces: &BTreeSet<String>, right: &mut impl FnMut() -> bool) -> usize {
    let sam = Host::as_person(place, study, "sam", "judge");
    let mut count = 0;
    loop {
        let item = sam.call("judge_item", &json!({}))["item"].clone();
        if item.is_null() {
            break;
        }
        let is_known = faces.contains(&met(&item));
        count += usize::from(is_known);
        let verdict = if is_known && right() { "incorrect" } else { "correct" };
        let verdicts: Value = item["response"]["expected"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| json!({"modality": m, "verdict": verdict, "comment": "As I see it."}))
            .collect();
        sam.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
    }
    sam.stop();
    count
}

fn work(golds: u32, seed: u32, share: f64) -> Value {
    json!({"tasks": [{"kind": "judge", "who": ["sam"], "golds": golds, "seed": seed, "share": share}]})
}

/// A seed whose draw gives sam work besides the known jobs, holds other modalities back, and leaves work for later. Which
/// responses a share draws hangs on their ids, which are new in each study.
fn seed(place: &Place, study: &Path, golds: u32, share: f64) -> u32 {
    let lead = Host::as_person(place, study, "lead", "lead");
    let rehearse = |seed: u32, share: f64| {
        let request = json!({"kind": "judge", "people": ["sam"], "share": share, "overlap": 1, "golds": golds, "seed": seed});
        let reply = lead.raw("preview_hand_out", request.to_string().as_bytes()).unwrap();
        // A draw of nothing that sam may do is refused.
        let preview = if reply.status == 200 { reply.json() } else { Value::Null };
        let held = preview["held_back"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one["modality"] == "Image"));
        (preview["people"][0]["added"].as_u64().unwrap_or(0), held)
    };
    let (all, _) = rehearse(1, 1.0);
    let found = (1..500).find(|seed| {
        let (added, held) = rehearse(*seed, share);
        u64::from(golds) < added && added < all && held
    });
    lead.stop();
    found.unwrap()
}

#[test]
fn a_newcomer_fails_the_quiz_passes_enters_is_paused_and_recertifies() {
    let place = Place::new();
    let (study, known, faces) = small(&place);
    assert_eq!(stands(&place, &study), ("learning".to_owned(), "quiz_open".to_owned()));

    // Nobody works before the quiz is passed; a rehearsal says the same.
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let request =
        json!({"kind": "judge", "people": ["sam"], "share": 1.0, "overlap": 1, "golds": 2, "seed": 1});
    for command in ["hand_out", "preview_hand_out"] {
        let refused = lead.refused(command, &request);
        let why = refused["message"].as_str().unwrap();
        assert!(why.contains("has not passed the quiz"), "{command}: {why}");
        assert_eq!(refused["details"]["held_back"][0]["state"], "learning", "{refused}");
    }
    lead.stop();

    // The quiz: one of two items is right, which is not nine tenths; what came of it arrives with the next attempt.
    qualify(&place, &study, "give", &[]);
    let after = hand_in(&place, &study, false);
    assert!(after["attempts"][0]["result"].is_null(), "nothing is known before a lead's session marks it");
    let view = qualify(&place, &study, "status", &[]);
    let attempt = &of(&view, "sam")["attempts"][0];
    assert_eq!(
        (&attempt["result"]["right"], &attempt["result"]["needed"]),
        (&json!(1), &json!(2)),
        "{attempt}"
    );
    assert_eq!(attempt["wrong"], json!(["q2"]), "the lead sees what was wrong");
    let sam = Host::as_person(&place, &study, "sam", "judge");
    let quiz = sam.call("quiz", &json!({}));
    assert_eq!(quiz["attempts"][0]["result"], json!({"right": 1, "of": 2, "needed": 2, "passed": false}));
    assert_eq!(quiz["open"]["attempt"], 2, "and there is another attempt");
    assert_eq!(sam.refused("undo", &json!({}))["code"], "nothing_to_undo", "a quiz is not taken back");
    sam.stop();
    hand_in(&place, &study, true);
    assert_eq!(stands(&place, &study), ("learning".to_owned(), "few_golds".to_owned()));
    let sam = Host::as_person(&place, &study, "sam", "judge");
    let quiz = sam.call("quiz", &json!({}));
    assert_eq!(
        (&quiz["attempts"][1]["result"]["passed"], &quiz["open"]),
        (&json!(true), &Value::Null),
        "passed on the second try: {quiz}"
    );
    sam.stop();

    // To enter it takes two known jobs for text; of other modalities none are known.
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let few = json!({"kind": "judge", "people": ["sam"], "share": 1.0, "overlap": 1, "golds": 1, "seed": 1});
    let why = lead.refused("hand_out", &few)["message"].as_str().unwrap().to_owned();
    assert!(why.contains("mix in 1 more"), "{why}");
    let preview = lead.call("preview_hand_out", &request);
    assert_eq!(preview["mixed_in"], json!([{"person": "sam", "golds": 2, "repeats": 0}]), "{preview}");
    let text = preview["held_back"].as_array().unwrap().iter().any(|held| held["modality"] == "Text");
    assert!(!text, "text may be handed out with them: {preview}");
    lead.stop();
    let handed = plan(&place, &study, &work(2, seed(&place, &study, 2, 0.3), 0.3));
    let held = handed["held_back"].as_array().unwrap();
    assert!(
        held.iter().any(|one| one["modality"] == "Image" && one["why"].as_str().unwrap().contains("sam")),
        "the command line says what is held back, too: {handed}"
    );
    assert_eq!(judge(&place, &study, &faces, &mut || true), 2, "two known jobs were among the work");
    assert_eq!(stands(&place, &study), ("live".to_owned(), "golds_right".to_owned()));
    let view = qualify(&place, &study, "status", &[]);
    let own = text_of(&view, "sam");
    assert_eq!((&own["window"]["answered"], &own["window"]["right"]), (&json!(2), &json!(2)));
    // Two of two: 0.025^(1/2) to 1 (Clopper and Pearson).
    let low = own["window"]["accuracy"]["ci95"][0].as_f64().unwrap();
    assert!((low - 0.158_113_883_008_419).abs() < 1e-9, "the exact interval: {low}");
    assert_eq!(own["doubted"], 0, "nothing is in doubt");
    assert_eq!(own["retest"]["value"], Value::Null, "nothing was given twice");

    // Two of four are below three quarters.
    plan(&place, &study, &work(2, seed(&place, &study, 2, 0.6), 0.6));
    assert_eq!(judge(&place, &study, &faces, &mut || false), 2, "two more");
    assert_eq!(stands(&place, &study), ("paused".to_owned(), "below_mark".to_owned()));
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let ask = |items: &str| {
        lead.call("qualification_items", &json!({"person": "sam", "modality": "Text", "items": items}))["rows"].clone()
    };
    let golds = ask("golds");
    let right: Vec<bool> =
        golds.as_array().unwrap().iter().map(|row| row["verdict"] == row["against"]).collect();
    assert_eq!(right, [true, true, false, false], "the number opens its jobs: {golds}");
    assert!(golds.as_array().unwrap().iter().all(|row| row["in_window"] == true), "all four are the window");
    let doubted = ask("doubted");
    let view = lead.call("qualification", &json!({}));
    let counted = text_of(&view, "sam")["doubted"].as_u64().unwrap();
    assert_eq!(counted, doubted.as_array().unwrap().len() as u64, "the number opens its jobs, too");
    assert!(counted > 0, "what was done in that window is to be looked at again");
    let hidden =
        doubted.as_array().unwrap().iter().any(|row| known.contains(row["response"].as_str().unwrap()));
    assert!(!hidden, "known jobs are no work");
    for command in ["hand_out", "preview_hand_out"] {
        let why = lead.refused(command, &request)["message"].as_str().unwrap().to_owned();
        assert!(why.contains("sam is paused for Text"), "{command}: {why}");
    }
    lead.refused(
        "change_qualification",
        &json!({"person": "sam", "modality": "Text", "change": "recertify", "reason": " "}),
    );
    lead.stop();

    // Recertifying: the quiz again, and two known jobs from then on.
    qualify(&place, &study, "change", &["sam", "Text", "recertify", "--reason", "We talked about links."]);
    assert_eq!(stands(&place, &study), ("recertify".to_owned(), "quiz_open".to_owned()));
    hand_in(&place, &study, true);
    assert_eq!(stands(&place, &study), ("recertify".to_owned(), "few_golds".to_owned()));
    plan(&place, &study, &work(2, 3, 1.0));
    assert_eq!(judge(&place, &study, &faces, &mut || true), 2, "two more");
    assert_eq!(stands(&place, &study), ("live".to_owned(), "golds_right".to_owned()));
    let view = qualify(&place, &study, "status", &[]);
    let own = text_of(&view, "sam");
    assert_eq!(
        (&own["window"]["answered"], &own["all"]["answered"], &own["all"]["right"]),
        (&json!(2), &json!(6), &json!(4))
    );
    place.check_clean(&study);
}

#[test]
fn what_measures_a_judge_is_no_annotation_and_can_be_told_by_nobody() {
    let place = Place::new();
    let (study, known, faces) = small(&place);
    qualify(
        &place,
        &study,
        "change",
        &["sam", "Text", "admit", "--reason", "ZEBRAWHY known from another study"],
    );
    let none = place.write("none.json", json!({"quiz": false}).to_string());
    qualify(&place, &study, "rules", &[none.to_str().unwrap()]);
    let before = place.agreement(&study);
    let finished = |lead: &Host| {
        let view = lead.call("audits", &json!({}));
        let work = view["work"].as_array().unwrap();
        work.iter().find(|row| row["person"] == "sam").map_or(0, |row| row["finished"].as_u64().unwrap())
    };

    // Nine known jobs are asked for, and eight are known.
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let request = json!({"kind": "judge", "people": ["sam"], "share": 1.0, "overlap": 1, "golds": 9, "repeats": 2, "seed": 4});
    let done = lead.call("hand_out", &request)["value"].clone();
    assert_eq!(done["mixed_in"], json!([{"person": "sam", "golds": 8, "repeats": 2}]), "{done}");
    let added = done["tasks"][0]["added"].as_u64().unwrap();
    lead.stop();
    let sam = Host::as_person(&place, &study, "sam", "judge");
    let queue = sam.call("judge_queue", &json!({"limit": 1000}));
    assert_eq!(queue["total"].as_u64(), Some(added), "all are in one queue");
    let fields: BTreeSet<Vec<String>> = queue["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_object().unwrap().keys().cloned().collect())
        .collect();
    assert_eq!(fields.len(), 1, "every row has the same form");
    let mut ids = BTreeSet::new();
    let mut shown: Vec<String> = Vec::new();
    for row in queue["rows"].as_array().unwrap() {
        let item = sam.call("judge_item", &json!({"task": row["task"]}))["item"].clone();
        assert!(ids.insert(row["task"].as_str().unwrap().to_owned()), "no task comes twice");
        shown.push(format!("{} {}", item["prompt"]["key"], item["response"]));
    }
    let different: BTreeSet<&String> = shown.iter().collect();
    assert!(shown.len() - different.len() >= 2, "two are the same answer again");
    sam.stop();

    // A package holds no more than a session.
    let package = place.path("sam.assizepack");
    assize(
        &place,
        &[
            "pack".as_ref(),
            study.as_os_str(),
            "--for".as_ref(),
            "sam".as_ref(),
            "--role".as_ref(),
            "judge".as_ref(),
            "-o".as_ref(),
            package.as_os_str(),
        ],
    );
    for more in [vec![], vec![OsStr::new("--package"), package.as_os_str()]] {
        let mut args: Vec<&OsStr> =
            vec!["leaks".as_ref(), study.as_os_str(), "--for".as_ref(), "sam".as_ref()];
        args.extend(more);
        let found = assize(&place, &args);
        let told: Vec<&Value> = found["leaks"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|leak| {
                let text = leak.to_string();
                ["known", "measure", "tasks", "quiz", "ZEBRA"].iter().any(|word| text.contains(word))
            })
            .collect();
        assert!(told.is_empty(), "nothing tells what measures sam: {told:?}");
        assert!(
            found["looked_for"]["a known answer"].as_u64().unwrap_or(0) >= 3,
            "it was looked for: {found}"
        );
        let warned = found["warnings"].to_string();
        assert!(warned.contains("2 answers are given twice"), "what cannot be hidden is said: {warned}");
    }

    // Judged wholly: known jobs wrongly but for two, everything else the same way.
    let mut nth = 0;
    let count = judge(&place, &study, &faces, &mut || {
        nth += 1;
        nth <= 2
    });
    assert_eq!(count, 8, "all known jobs were met");
    let view = qualify(&place, &study, "status", &[]);
    let own = text_of(&view, "sam");
    assert_eq!((&own["all"]["right"], &own["state"]), (&json!(2), &json!("paused")), "{own}");
    let repeated: u64 = of(&view, "sam")["modalities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["repeated"].as_u64().unwrap())
        .sum();
    assert!(repeated >= 2, "both were answered twice");
    for own in of(&view, "sam")["modalities"].as_array().unwrap() {
        let n = own["repeated"].as_u64().unwrap();
        if n > 0 {
            assert_eq!(own["retest"]["value"], 1.0, "sam says correct of everything: {own}");
        }
    }
    let lead = Host::as_person(&place, &study, "lead", "lead");
    assert_eq!(finished(&lead), added - 10, "ten of these jobs are no work");
    let units = |view: &Value| view.to_string().matches("sam").count();
    let people = lead.call("agreement_people", &json!({"resamples": 0}));
    assert!(units(&people) > 0, "sam's own work counts");
    for id in &known {
        let case = lead.call("disagreement_case", &json!({"response": id, "modality": "Text"}));
        let said = case["people"].as_array().unwrap().iter().any(|one| one["person"] == "sam");
        assert!(!said, "what measures sam is no verdict: {case}");
    }
    lead.stop();
    let after = place.agreement(&study);
    assert_ne!(before, after, "the rest of the work is");
    // The same responses are nobody else's ordinary work either.
    plan(&place, &study, &json!({"people": [{"name": "kim", "role": "judge"}]}));
    let lead = Host::as_person(&place, &study, "lead", "lead");
    lead.call("state_qualification_rules", &json!({"quiz": false, "entry_golds": 1, "entry_accuracy": 0.5}));
    for modality in ["Text", "Image", "Audio", "Video", "Document"] {
        let admit =
            json!({"person": "kim", "modality": modality, "change": "admit", "reason": "trained here"});
        lead.call("change_qualification", &admit);
    }
    lead.call("hand_out", &json!({"kind": "judge", "people": ["kim"], "share": 1.0, "overlap": 1}));
    lead.stop();
    let kim = Host::as_person(&place, &study, "kim", "judge");
    let queue = kim.call("judge_queue", &json!({"limit": 1000}));
    for row in queue["rows"].as_array().unwrap() {
        let item = kim.call("judge_item", &json!({"task": row["task"]}))["item"].clone();
        assert!(!faces.contains(&met(&item)), "a known answer is nobody's work");
    }
    kim.stop();
    place.check_clean(&study);
}
