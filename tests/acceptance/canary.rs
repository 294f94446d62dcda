//! Blindness, from outside. A study carries marker strings in everything that a judge or an author must not see; no
//! command they may call, with no filter or wrong input, and no file that their session opens yields one.

use crate::at_work::{ask, demo, hand_out, study};
use acceptance::{Host, Place};
use actions::{Allowed, COMMANDS};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const RUBRIC: &str = "CANARYRUBRIC";
const GRADE: &str = "CANARYGRADE";
const MODEL: &str = "CANARYMODEL";
const RUN: &str = "CANARYRUN";
const VERDICT: &str = "CANARYVERDICT";
const ADJUDICATION: &str = "CANARYADJUDICATION";
const FOREIGN: &str = "CANARYFOREIGN";
const CHECKS: &str = "CANARYCHECKS";
const RESPONSE: &str = "CANARYRESPONSE";
/// Why an answer is right that is known: of the quiz, and of a job; and why a lead decided about somebody.
const KNOWN: &str = "CANARYKNOWN";
/// What must never reach a judge.
const FROM_JUDGES: [&str; 9] = [RUBRIC, GRADE, MODEL, RUN, VERDICT, ADJUDICATION, FOREIGN, CHECKS, KNOWN];
/// What must never reach an author.
const FROM_AUTHORS: [&str; 9] = [RESPONSE, GRADE, MODEL, RUN, VERDICT, ADJUDICATION, FOREIGN, CHECKS, KNOWN];

/// The demo with markers: two prompts, one model.
fn marked(place: &Place) -> PathBuf {
    let keep = ["p790019", "p992650"];
    let mut dataset = String::new();
    for line in fs::read_to_string(demo().join("dataset.jsonl")).unwrap().lines() {
        let mut prompt: Value = serde_json::from_str(line).unwrap();
        if keep.contains(&prompt["prompt_id"].as_str().unwrap()) {
            let mut rubric: Value = serde_json::from_str(prompt["rubrics"].as_str().unwrap()).unwrap();
            for criterion in rubric["criteria"].as_array_mut().unwrap() {
                criterion["criterion"] =
                    json!(format!("{RUBRIC} {}", criterion["criterion"].as_str().unwrap()));
            }
            prompt["rubrics"] = json!(rubric.to_string());
            dataset += &(prompt.to_string() + "\n");
        }
    }
    let folder = format!("run/results/{RUN}folder");
    let mut rows = String::new();
    for line in fs::read_to_string(demo().join("results/demo/20260612_093015_model-a.jsonl")).unwrap().lines()
    {
        let mut row: Value = serde_json::from_str(line).unwrap();
        if !keep.contains(&row["prompt_id"].as_str().unwrap()) {
            continue;
        }
        row["run_name"] = json!(MODEL);
        row["model"] = json!(format!("{MODEL}-1"));
        row["provider"] = json!(format!("{MODEL}provider"));
        row["error_message"] = json!(format!("{MODEL} says no"));
        row["judge_reasoning"] = json!(GRADE);
        row["rubric_judge_model"] = json!(format!("{GRADE}judge"));
        row["response_text"] =
            json!(format!("{RESPONSE} {}", row["response_text"].as_str().unwrap_or_default()));
        for grade in row["rubric_grades"].as_array_mut().unwrap() {
            grade["rubric"] = json!(format!("{RUBRIC} {}", grade["rubric"].as_str().unwrap()));
            grade["explanation"] = json!(format!("{GRADE} because"));
        }
        for asset in row["output_assets"].as_array_mut().unwrap() {
            let path = asset["local_path"].as_str().unwrap();
            let tail = path.split_once("_assets/").map_or("", |(_, tail)| tail).to_owned();
            if !tail.is_empty() {
                let from = demo().join("results/demo/20260612_093015_model-a_assets").join(&tail);
                if let Ok(bytes) = fs::read(from) {
                    place.write(&format!("{folder}/20260612_093015_{MODEL}_assets/{tail}"), bytes);
                }
            }
            asset["local_path"] =
                json!(format!("/srv/{RUN}/{RUN}folder/20260612_093015_{MODEL}_assets/{tail}"));
            asset["metadata"] = json!({"tool_name": MODEL});
        }
        row["tool_calls"] = json!([{"tool_name": MODEL}]);
        rows += &(row.to_string() + "\n");
    }
    place.write("run/dataset.jsonl", dataset);
    place.write(&format!("{folder}/20260612_093015_{MODEL}.jsonl"), rows);
    place.write(
        "run/human_verdicts.csv",
        format!(
            "annotator,prompt_id,model,modality,verdict,comment,ai_assisted,seconds\n\
             {VERDICT}amara,p992650,{MODEL},Text,correct,{VERDICT} fine,no,3\n"
        ),
    );
    place.write(
        "run/adjudications.csv",
        format!(
            "prompt_id,model,modality,judge,human_majority,final,cause,note,adjudicator,date\n\
             p992650,{MODEL},Text,incorrect,correct,correct,judge_error,{ADJUDICATION},{ADJUDICATION}lena,2026-06-17\n"
        ),
    );
    // An evaluator's grades of checks. The checklist itself is no secret from authors.
    let check_grades = json!({"question_id": "p992650", "model": MODEL, "judge": format!("{CHECKS}judge"),
        "check_id": format!("{CHECKS}.fact"), "verdict": "meets", "explanation": format!("{CHECKS} as it says")});
    place.write("run/check_grades.jsonl", check_grades.to_string());
    let inputs = demo().join("input_files");
    let study = study(place, "study", &[]);
    let run = place.path("run");
    let summary = place.json([
        "import".as_ref(),
        study.as_os_str(),
        run.as_os_str(),
        "--input-files".as_ref(),
        inputs.as_os_str(),
    ]);
    let rejected: Vec<&Value> = summary["files"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|file| file["rejected"].as_array().unwrap())
        .collect();
    assert!(rejected.is_empty(), "the marked study is imported whole: {rejected:?}");
    hand_out(place, &study);
    let plan = json!({"tasks": [{"kind": "curate", "items": "prompt", "who": ["noor"]},
                                {"kind": "curate", "items": "rubric", "who": ["noor"]}]});
    let plan = place.write("curation.json", plan.to_string());
    place.json(["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), plan.as_os_str()]);
    // What other people state: another judge's verdict, an author's rubric, an auditor's settlement.
    // How the others are addressed is theirs, too.
    let lead = Host::as_person(place, &study, "lead", "lead");
    for (name, role) in [("kim", "judge"), ("ada", "auditor")] {
        let person = json!({"name": name, "display": format!("{FOREIGN} {name}"), "roles": [role]});
        lead.call("add_person", &person);
    }
    lead.stop();
    let kim = Host::as_person(place, &study, "kim", "judge");
    // Not the one that the disagreement is about: a second voice would make it a tie.
    let rows = kim.call("judge_queue", &json!({}))["rows"].as_array().unwrap().clone();
    let items: Vec<Value> = rows
        .iter()
        .map(|row| kim.call("judge_item", &json!({"task": row["task"]}))["item"].clone())
        .collect();
    let item =
        items.iter().find(|item| item["prompt"]["key"] == "p790019").expect("the other response").clone();
    let verdicts: Value = item["response"]["expected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| json!({"modality": m, "verdict": "incorrect", "comment": FOREIGN}))
        .collect();
    kim.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
    let next = kim.call("judge_item", &json!({}))["item"].clone();
    kim.call(
        "save_judgement_draft",
        &json!({"task": next["task"], "draft": {"cards": [{"modality": next["response"]["expected"][0], "verdict": "correct", "comment": FOREIGN}]}}),
    );
    kim.stop();
    // What an auditor found by the rubric.
    let lead = Host::as_person(place, &study, "lead", "lead");
    lead.call("hand_out", &json!({"kind": "grade", "people": ["ada"], "share": 1.0, "overlap": 1}));
    lead.stop();
    let ada = Host::as_person(place, &study, "ada", "auditor");
    let item = ada.call("grading_item", &json!({}))["item"].clone();
    let verdicts: Vec<Value> = item["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| {
            json!({"check": check["id"], "text_sha256": check["text_sha256"], "verdict": "partial",
                   "reason": format!("{CHECKS} in part")})
        })
        .collect();
    assert!(!verdicts.is_empty(), "there is a rubric to grade by");
    ada.call("submit_grades", &json!({"task": item["task"], "draft": {"verdicts": verdicts}}));
    let next = ada.call("grading_item", &json!({}))["item"]["task"].clone();
    let draft = json!({"verdicts": [{"check": "1", "text_sha256": "", "verdict": null, "reason": CHECKS}]});
    ada.call("save_grading_draft", &json!({"task": next, "draft": draft}));
    ada.stop();
    let lead = Host::as_person(place, &study, "lead", "auditor");
    let case = lead.call("disagreement_cases", &json!({"cell": "human_only"}))["rows"][0].clone();
    assert!(!case.is_null(), "the marked study has a disagreement to settle");
    lead.call(
        "settle",
        &json!({"response": case["response"], "modality": case["modality"], "verdict": "correct", "cause": "judge_error",
                "note": ADJUDICATION, "send_rubric_back": true}),
    );
    let mark = json!({"response": case["response"], "wrong": ["Video"], "reason": format!("{ADJUDICATION} over {RESPONSE}")});
    lead.call("mark_gold", &mark);
    lead.stop();
    // A quiz whose key says why, jobs with known answers, and a decision about the judge under test.
    let quiz = format!(
        "# Quiz\n## Quiz\n### true: A link counts.\nWhat of a broken one?\n- [x] it may be incorrect\n- [ ] it is correct\n> {KNOWN} as the \
         guidelines say\n"
    );
    let lead = Host::as_person(place, &study, "lead", "lead");
    lead.call("publish_quiz", &json!({"text": quiz}));
    lead.call("state_qualification_rules", &json!({"entry_golds": 1}));
    lead.call("give_quiz", &json!({"people": ["sam"]}));
    let gold = json!({"response": case["response"], "modality": case["modality"], "verdict": "correct", "why": KNOWN});
    lead.call("state_golds", &json!({"golds": [gold]}));
    lead.call(
        "change_qualification",
        &json!({"person": "sam", "modality": "Text", "change": "admit", "reason": KNOWN}),
    );
    lead.stop();
    // The lead's next session makes the author's task of what was sent back.
    Host::as_person(place, &study, "lead", "lead").stop();
    study
}

fn clean(reply: &[u8], hidden: &[&str], what: &str) {
    let text = String::from_utf8_lossy(reply);
    for marker in hidden {
        assert!(!text.contains(marker), "{what} yields {marker}: {}", &text[..text.len().min(600)]);
    }
}

/// Every command that `role` may call is in `cases`, and none of them yields a marker, however it is asked.
fn every_command(host: &Host, role: domain_role::Role, hidden: &[&str], cases: &[(&str, Vec<Value>)]) {
    let told: BTreeSet<&str> = cases.iter().map(|(name, _)| *name).collect();
    for command in COMMANDS {
        let may = match command.allowed {
            Allowed::Anyone => true,
            Allowed::Roles(roles) => roles.iter().any(|r| r.name() == role),
        };
        if may {
            assert!(
                told.contains(command.name),
                "a new command that {role} may call needs a case here: {}",
                command.name
            );
        }
        // What the role may not call is refused, with a request of any shape.
        if !may {
            for request in
                [json!({}), json!({"response": "00000000000000000000000000000000", "modality": "Text"})]
            {
                let (status, body) = ask(host, command.name, &request).expect("an answer");
                assert_eq!(status, 400, "{} is not for {role}", command.name);
                clean(&body, hidden, command.name);
            }
        }
    }
    for (name, requests) in cases {
        for request in requests {
            if let Some((_, body)) = ask(host, name, request) {
                clean(&body, hidden, &format!("{name} {request}"));
            }
        }
    }
}

/// Roles by their names on the wire.
mod domain_role {
    pub type Role = &'static str;
}

/// Requests that make no sense to any command.
fn nonsense() -> Vec<Value> {
    vec![
        json!({}),
        json!(null),
        json!([]),
        json!({"task": "ffffffffffffffffffffffffffffffff"}),
        json!({"blob": "ff".repeat(32), "columns": 10, "at_ms": 0, "play": false}),
        json!({"after": "' OR 1=1 --", "limit": 4_000_000_000_u32, "filter": "done"}),
        json!({"statement": "00000000000000000000000000000000"}),
    ]
}

fn queue() -> Vec<Value> {
    let mut all = nonsense();
    for filter in ["all", "open", "done"] {
        for limit in [1, 2, 1000] {
            all.push(json!({"filter": filter, "limit": limit}));
            all.push(json!({"filter": filter, "limit": limit, "after": "1"}));
        }
    }
    all
}

/// The requests for commands that every session may call.
fn common(study: &Path, people: &[&str]) -> Vec<(&'static str, Vec<Value>)> {
    let kinds = [
        "judgement",
        "rubric_revision",
        "settlement",
        "imported_verdict",
        "assignment",
        "quiz_attempt",
        "qualification_rules",
        "qualification_change",
    ];
    let mut history = nonsense();
    history.extend(kinds.map(|kind| json!({"kind": kind, "limit": 500})));
    history.extend(people.iter().map(|person| json!({"person": person})));
    vec![
        ("app_facts", nonsense()),
        ("recent_studies", nonsense()),
        ("standing", nonsense()),
        ("choose_folder", nonsense()),
        ("choose_files", vec![json!({"wish": "package"}), json!({"wish": "save_package", "name": "x"})]),
        ("device_key", nonsense()),
        ("file_to_open", nonsense()),
        ("job", vec![json!({"job": 1})]),
        ("cancel_job", vec![json!({"job": 1})]),
        ("changes", vec![json!({"since": ""}), json!({"since": "0"})]),
        ("history", history),
        ("guidelines", nonsense()),
        ("undo", vec![json!({"statement": "00000000000000000000000000000000"})]),
        ("document", nonsense()),
        ("document_pages", nonsense()),
        ("probe", nonsense()),
        ("picture", nonsense()),
        ("waveform", nonsense()),
        ("sound_load", nonsense()),
        ("sound", nonsense()),
        ("sound_stop", nonsense()),
        ("playback_check", nonsense()),
        ("open_link", vec![json!({"url": "file:///etc/passwd"}), json!({"url": "javascript:1"})]),
        ("pack_to_return", vec![json!({"path": study.join("out")}), json!({"path": ""})]),
        // Those that open something else are asked for in a wrong way: the session under test goes on.
        ("create_study", vec![json!({"path": study})]),
        ("open_study", vec![json!({"path": "/nowhere"})]),
        ("open_package", vec![json!({"path": "/nowhere", "passphrase": "x"})]),
        ("open_demo", Vec::new()),
        ("study_from_run", vec![json!({"path": study, "sources": []})]),
        ("close_study", Vec::new()),
        ("end_session", Vec::new()),
        ("begin_session", Vec::new()),
        ("person_roles", people.iter().map(|person| json!({"person": person})).collect()),
    ]
}

fn assets(item: &Value) -> Vec<Value> {
    let all = item["response"]["assets"]
        .as_array()
        .into_iter()
        .flatten()
        .chain(item["prompt"]["inputs"].as_array().into_iter().flatten());
    all.filter(|asset| !asset["blob"].is_null())
        .map(|asset| json!({"blob": asset["blob"], "name": "", "columns": 50, "at_ms": 0, "play": false}))
        .collect()
}

/// Structured rubrics, whole and broken.
fn structured() -> Vec<Value> {
    let mut all = nonsense();
    all.push(json!({"rubric": {"meta_rubric": {"items": []}}}));
    all.push(json!({"rubric": {"meta_rubric": {"items": [
        {"id": "m1", "type": "simple", "tier": "AC", "text": "States that it is so."},
        {"id": "m2", "type": "process", "concept": "brewing", "steps": []}]}}}));
    all
}

/// Conversions, possible and not.
fn conversions() -> Vec<Value> {
    let item = json!({"id": "m1", "type": "strict_list", "tier": "AC", "concept": "parts",
        "entries": [{"id": "e1", "text": "lid"}, {"id": "e2", "text": "base"}]});
    let mut all = nonsense();
    for how in [
        json!({"kind": "type", "to": "simple"}),
        json!({"kind": "type", "to": "process"}),
        json!({"kind": "split", "core": ["e1"], "rest_id": "m2"}),
        json!({"kind": "insights"}),
    ] {
        all.push(json!({"item": item, "how": how}));
    }
    all
}

/// Every path of the study that a process and its workers opened, by strace.
fn opened(log: &Path, study: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(log).expect("the trace");
    let root = study.canonicalize().unwrap().display().to_string() + "/";
    text.lines()
        .filter(|line| !line.contains("= -1"))
        .filter_map(|line| line.split('"').nth(1)?.strip_prefix(&root).map(str::to_owned))
        .collect()
}

/// Ends a watched session, and looks at what it opened: none of `files`, nothing of another person's, and nothing with
/// one of `markers` in it.
fn nothing_hidden_was_opened(
    host: Host,
    log: &Path,
    study: &Path,
    person: &str,
    files: &[&str],
    markers: &[&str],
) -> BTreeSet<String> {
    host.stop();
    let opened = opened(log, study);
    assert!(opened.contains("content/study.sqlite"), "the trace shows what was opened: {opened:?}");
    for file in &opened {
        let foreign = ["inbox", "journals"].iter().any(|folder| {
            file.strip_prefix(&format!("{folder}/"))
                .is_some_and(|own| !own.starts_with(&format!("{person}.")))
        });
        assert!(!foreign, "another person's file was opened: {file}");
        assert!(!files.iter().any(|hidden| file.starts_with(hidden)), "a hidden file was opened: {file}");
        // Gone again: a draft's or a database's file of the moment.
        let bytes = fs::read(study.join(file)).unwrap_or_default();
        clean(&bytes, markers, &format!("the opened file {file}"));
    }
    opened
}

#[test]
fn a_judge_meets_no_marker() {
    let place = Place::new();
    let study = marked(&place);
    let log = place.path("judge.trace");
    let host = Host::watched(&place, &study, "sam", "judge", &log);
    let mut cases = common(&study, &["kim", "noor", "lead"]);
    let mut items = nonsense();
    let rows = host.call("judge_queue", &json!({}))["rows"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 2, "both responses are sam's to judge");
    let mut of_assets = Vec::new();
    for row in &rows {
        let item = host.call("judge_item", &json!({"task": row["task"]}))["item"].clone();
        assert!(
            item["response"]["text"].as_str().unwrap().contains(RESPONSE),
            "the judge sees the whole response"
        );
        of_assets.extend(assets(&item));
        items.push(json!({"task": row["task"]}));
    }
    assert!(of_assets.len() > 3, "the responses have assets, which are asked about too");
    for (name, requests) in &mut cases {
        if ["document", "document_pages", "probe", "picture", "waveform", "sound_load"].contains(name) {
            requests.extend(of_assets.clone());
        }
    }
    let task = rows[0]["task"].clone();
    let mut drafts = nonsense();
    drafts.push(json!({"task": task, "draft": {"cards": [], "active_ms": 1}}));
    let mut submits = nonsense();
    submits.push(json!({"task": task, "verdicts": []}));
    submits.push(json!({"task": task, "verdicts": [{"modality": "Text", "verdict": "incorrect"}]}));
    cases.extend([
        ("judge_queue", queue()),
        ("judge_item", items),
        ("save_judgement_draft", drafts),
        ("judge_snippets", nonsense()),
        ("save_judge_snippets", vec![json!({"texts": ["mine"]}), json!({"texts": [1]}), json!(null)]),
        ("submit_judgement", submits),
    ]);
    let quiz = host.call("quiz", &json!({}))["open"].clone();
    assert_eq!(
        quiz["items"].as_array().unwrap().len(),
        1,
        "there is a quiz, so that what it holds is looked at"
    );
    let draft = json!({"answers": [{"item": "q1", "is_true": true, "choice": 0}], "practised": []});
    let answers = json!([{"item": "q1", "is_true": false, "choice": 0}]);
    cases.extend([
        ("quiz", nonsense()),
        (
            "save_quiz_draft",
            vec![
                json!(null),
                json!({"task": task, "draft": draft}),
                json!({"task": quiz["task"], "draft": draft}),
            ],
        ),
        (
            "hand_in_quiz",
            vec![
                json!(null),
                json!({"task": task, "answers": answers}),
                json!({"task": quiz["task"], "answers": []}),
                json!({"task": quiz["task"], "answers": answers}),
                json!({"task": quiz["task"], "answers": answers}),
            ],
        ),
        ("quiz", nonsense()),
    ]);
    every_command(&host, "judge", &FROM_JUDGES, &cases);
    let hidden = ["content/rubrics.sqlite", "content/audit.sqlite"];
    let opened = nothing_hidden_was_opened(host, &log, &study, "sam", &hidden, &FROM_JUDGES);
    assert!(opened.iter().any(|file| file.starts_with("blobs/")), "assets were opened, too: {opened:?}");
}

#[test]
fn an_author_meets_no_response() {
    let place = Place::new();
    let study = marked(&place);
    let log = place.path("author.trace");
    let host = Host::watched(&place, &study, "noor", "author", &log);
    let mut cases = common(&study, &["kim", "sam", "lead"]);
    let rows = host.call("author_queue", &json!({}))["rows"].as_array().unwrap().clone();
    assert_eq!(
        rows.len(),
        4,
        "two prompts to write for, one rubric that was sent back, one gold list that is wrong"
    );
    let mut items = nonsense();
    let mut of_assets = Vec::new();
    let (mut sent_back, mut marked) = (0, 0);
    for row in &rows {
        let item = host.call("author_item", &json!({"task": row["task"]}))["item"].clone();
        sent_back += item["sent_back"].as_array().unwrap().len();
        marked += usize::from(item["marked_gold"]["lacking"] == json!(["Video"]));
        of_assets.extend(assets(&item));
        items.push(json!({"task": row["task"]}));
    }
    assert_eq!(
        (sent_back, marked),
        (1, 1),
        "the author sees why a rubric came back, and what is wrong with a gold list"
    );
    for (name, requests) in &mut cases {
        if ["document", "document_pages", "probe", "picture", "waveform", "sound_load"].contains(name) {
            requests.extend(of_assets.clone());
        }
    }
    let task = rows[0]["task"].clone();
    let rubric = json!({"criteria": [{"id": "1", "criterion": "Is it nice?", "modality": "Text"}]});
    let mut drafts = nonsense();
    drafts.push(json!({"task": task, "draft": rubric}));
    let mut saves = nonsense();
    saves.push(json!({"task": task, "rubric": rubric, "submit": true}));
    saves.push(json!({"task": task, "rubric": rubric, "submit": false}));
    let mut lints = nonsense();
    lints.push(json!({"task": task, "rubric": rubric}));
    let mut comparisons = nonsense();
    comparisons.push(json!({"task": task}));
    comparisons.push(json!({"task": task, "rubric": {"meta_rubric": {"items": []}}}));
    comparisons.push(json!({"task": task, "before": "00000000000000000000000000000000"}));
    cases.extend([
        ("author_queue", queue()),
        ("author_item", items),
        ("lint_rubric", lints),
        ("save_rubric_draft", drafts),
        ("save_rubric", saves),
        ("compile_rubric", structured()),
        ("convert_item", conversions()),
        ("compare_checklists", comparisons),
        ("rehearse_rubric", structured()),
        ("rehearse_criteria", vec![json!({"criteria": rubric["criteria"]}), json!({"criteria": []})]),
    ]);
    let with_nonsense = |more: Vec<Value>| nonsense().into_iter().chain(more).collect::<Vec<_>>();
    let of_task = with_nonsense(vec![json!({"task": task})]);
    let criteria = rubric["criteria"].clone();
    let found = host.call("precedents", &json!({"task": task, "search": RUBRIC, "limit": 1000}));
    assert!(
        found["total"].as_u64().unwrap() > 0,
        "there are precedents, so that what they hold is looked at"
    );
    let forms =
        ["mmi", "csv", "health_bench"].map(|form| json!({"task": task, "rubric": rubric, "form": form}));
    let file = json!({"task": task, "text": json!({"criteria": criteria}).to_string()});
    let curated: Vec<Value> = host.call("curation_queue", &json!({"limit": 1000}))["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!({"task": row["task"]}))
        .collect();
    assert_eq!(curated.len(), 4, "two prompts and two rubrics to curate");
    let decisions = ["accept", "revise", "send_back"]
        .map(|decision| json!({"task": task, "decision": decision, "note": "x"}));
    cases.extend([
        ("rubric_revisions", of_task.clone()),
        ("criterion_templates", of_task),
        ("compare_rubrics", with_nonsense(vec![json!({"before": criteria, "after": []})])),
        (
            "precedents",
            with_nonsense(vec![
                json!({"task": task, "search": RUBRIC, "limit": 1000}),
                json!({"task": task, "search": RESPONSE, "limit": 1000}),
                json!({"task": task, "search": "the of a", "modality": "Text"}),
            ]),
        ),
        ("read_rubric_file", with_nonsense(vec![file, json!({"task": task, "text": "criterion,id\nx,1"})])),
        ("preview_rubric_export", with_nonsense(forms.to_vec())),
        ("export_rubric", with_nonsense(forms.to_vec())),
        ("review_queue", queue()),
        ("review_item", with_nonsense(vec![json!({"task": task})])),
        ("save_review_draft", with_nonsense(vec![json!({"task": task, "draft": {"note": "x"}})])),
        ("submit_review", with_nonsense(decisions.to_vec())),
        ("curation_queue", queue()),
        ("curation_item", with_nonsense(curated.clone())),
        ("save_curation_draft", with_nonsense(vec![json!({"task": task, "draft": {"note": "x"}})])),
        (
            "submit_curation",
            with_nonsense(
                curated
                    .iter()
                    .map(|of| json!({"task": of["task"], "decision": "retain"}))
                    .chain([json!({"task": task, "decision": "discard", "note": "x"})])
                    .collect(),
            ),
        ),
        (
            "curation",
            with_nonsense(["sample", "prompt", "rubric"].map(|items| json!({"items": items})).to_vec()),
        ),
    ]);
    every_command(&host, "author", &FROM_AUTHORS, &cases);
    let hidden = ["content/responses.sqlite", "content/audit.sqlite"];
    nothing_hidden_was_opened(host, &log, &study, "noor", &hidden, &FROM_AUTHORS);
}

/// Every file below a folder, with its bytes.
fn all_files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut all, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                all.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn a_package_holds_no_marker_in_any_byte() {
    let place = Place::new();
    let study = marked(&place);
    for (person, role, hidden, own, seen) in [
        ("sam", "judge", &FROM_JUDGES, "responses", RESPONSE),
        ("noor", "author", &FROM_AUTHORS, "rubrics", RUBRIC),
    ] {
        let file = place.path(&format!("{person}.assizepack"));
        let packed = place.json([
            "pack".as_ref(),
            study.as_os_str(),
            "--for".as_ref(),
            person.as_ref(),
            "--role".as_ref(),
            role.as_ref(),
            "-o".as_ref(),
            file.as_os_str(),
        ]);
        assert!(packed["tasks"].as_u64().unwrap() >= 2, "there is work in the package: {packed}");
        let sealed = fs::read(&file).unwrap();
        assert!(
            sealed.starts_with(b"age-encryption.org/v1\n"),
            "it is an age file, which other tools open too"
        );
        assert!(
            !String::from_utf8_lossy(&sealed).contains("CANARY"),
            "nothing of it can be read while sealed"
        );
        // Unsealed on a device that has never met the study.
        let away = Place::new();
        let folder = PathBuf::from(away.json(["open".as_ref(), file.as_os_str()])["path"].as_str().unwrap());
        let files = all_files(&folder);
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        let inbox = format!("inbox/{person}.sqlite");
        let granted = [
            format!("content/{own}.sqlite"),
            "content/study.sqlite".to_owned(),
            inbox,
            "package.json".to_owned(),
            "study.assize".to_owned(),
        ];
        for name in &names {
            assert!(
                granted.iter().any(|g| g == name) || name.starts_with("blobs/"),
                "{role}: nothing but what the role is granted: {name} in {names:?}"
            );
        }
        assert!(granted.iter().all(|g| names.contains(&g.as_str())), "{role}: all of it: {names:?}");
        for (name, bytes) in &files {
            clean(bytes, hidden, &format!("{role}'s package, {name}"));
        }
        assert!(
            files.iter().any(|(_, bytes)| String::from_utf8_lossy(bytes).contains(seen)),
            "{role}: what is theirs to see is there, so that a search would find what is not"
        );
        // Only that person can begin a session in it, in that role alone.
        let host = Host::start(&away);
        host.call("open_package", &json!({"path": file, "passphrase": acceptance::PASSPHRASE}));
        for (other, as_role) in [("lead", "lead"), ("kim", "judge"), (person, "auditor"), (person, "lead")] {
            host.refused("begin_session", &json!({"person": other, "role": as_role}));
        }
        let standing = host.call("begin_session", &json!({"person": person, "role": role}));
        assert_eq!(standing["study"]["package"]["person"], person, "the window knows that it is a package");
        let wrong = host.refused("open_package", &json!({"path": file, "passphrase": "guessed"}));
        assert_eq!(wrong["code"], "wrong_passphrase", "another passphrase opens nothing");
        host.stop();
    }
}
