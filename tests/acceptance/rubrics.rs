//! Rubrics round their writing: files of other systems in and out, revisions and their comparison, precedents, reviews by two
//! and a third, and what a revision does to stored grades.

use crate::at_work::{demo, study};
use acceptance::{Host, Place, fixtures};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::Path,
};

fn export(place: &Place, study: &Path, form: &str) -> (String, String) {
    let done = place.run([OsStr::new("export"), study.as_os_str(), OsStr::new("--as"), OsStr::new(form)]);
    assert!(done.status.success(), "{form} is written: {}", String::from_utf8_lossy(&done.stderr));
    (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap())
}

#[test]
fn the_printed_sets_of_mmi_come_back_as_they_were() {
    let place = Place::new();
    let study = place.study("printed");
    let file = fixtures().join("lints/paper-sets.json");
    let summary = place.import(&study, &[&file]);
    let report = &summary["files"][0];
    assert_eq!(report["format"], "rubrics_mmi", "recognised by its content: {report}");
    assert_eq!(report["added"]["rubrics"], 2, "both sets");
    assert_eq!((&report["rejected"], &report["warnings"]), (&json!([]), &json!([])), "nothing is lost");
    let findings = place.json([OsStr::new("lint"), study.as_os_str()])["findings"].clone();
    let errors: Vec<&Value> =
        findings.as_array().unwrap().iter().filter(|f| f["severity"] == "error").collect();
    assert!(errors.is_empty(), "no finding is an error: {errors:?}");
    let (written, losses) = export(&place, &study, "mmi");
    let (written, printed): (Value, Value) = (
        serde_json::from_str(&written).unwrap(),
        serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap(),
    );
    assert_eq!(written, printed, "exported to the same JSON");
    assert_eq!(losses, "", "and nothing is lost on the way out");
    let again = place.import(&study, &[&file]);
    assert_eq!(again["files"][0]["unchanged"], 2, "importing it again adds nothing: {again}");
    // What the CSV says is the same set once more.
    let csv = place.write("sets.csv", export(&place, &study, "csv").0);
    let back = place.study("back");
    place.import(&back, &[&csv]);
    let (from_csv, _) = export(&place, &back, "mmi");
    let from_csv: Value = serde_json::from_str(&from_csv).unwrap();
    let criteria = |all: &Value| -> Vec<Value> {
        all.as_array().unwrap().iter().map(|rubric| rubric["criteria"].clone()).collect()
    };
    assert_eq!(criteria(&from_csv), criteria(&printed), "through CSV and back");
    let lines = export(&place, &study, "healthbench");
    assert_eq!(lines.0.lines().count(), 2, "one prompt a line");
    assert!(lines.1.contains("modalities"), "what HealthBench has no place for is said: {}", lines.1);
    place.check_clean(&study);
}

#[test]
fn negative_points_are_said_to_be_lost_and_never_turned_round() {
    let place = Place::new();
    let study = place.study("health");
    let row = json!({"prompt_id": "h1", "prompt": [{"role": "user", "content": "My head aches."}],
        "rubrics": [{"criterion": "Advises rest.", "points": 5, "tags": []},
                    {"criterion": "Recommends ten aspirins.", "points": -8, "tags": []}]});
    let file = place.write("health.jsonl", row.to_string());
    let dry =
        place.json([OsStr::new("import"), study.as_os_str(), file.as_os_str(), OsStr::new("--dry-run")]);
    let said = dry["files"][0]["warnings"].to_string();
    assert!(said.contains("negative criteria"), "what is lost is said before anything is imported: {said}");
    assert!(said.contains("-8") && said.contains("Recommends ten aspirins."), "each by its words: {said}");
    assert!(export(&place, &study, "mmi").0.contains("[]"), "a dry run changes nothing");
    place.import(&study, &[&file]);
    let (written, _) = export(&place, &study, "mmi");
    assert!(written.contains("Advises rest."), "the positive one is a criterion");
    assert!(!written.contains("aspirin"), "the negative one is none, in whatever words: {written}");
    let unknown = place.write(
        "unknown.json",
        r#"{"prompt_id":"nobody","criteria":[{"id":"1","criterion":"Names it.","modality":"text"}]}"#,
    );
    let (_, summary) = place.try_import(&study, &[&unknown]);
    let why = summary["files"][0]["rejected"][0]["why"].as_str().unwrap();
    assert!(why.contains("no prompt \"nobody\""), "a rubric for an unknown prompt has nowhere to go: {why}");
}

#[test]
fn the_judge_pack_holds_what_a_judge_is_shown_and_no_more() {
    let place = Place::new();
    let study = study(&place, "pack", &[&demo()]);
    let (pack, _) = export(&place, &study, "judge-pack");
    let first: Value = serde_json::from_str(pack.lines().next().unwrap()).unwrap();
    let keys: BTreeSet<&str> = first.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        BTreeSet::from(["prompt", "expected_modalities", "input_files", "modality", "criterion", "payload"]),
        "the fields of MMI's judge"
    );
    for model in ["model-a", "model-b", "model-c"] {
        assert!(!pack.contains(model), "no name of a model: {model}");
    }
    let (tasks, _) = export(&place, &study, "label-studio");
    let tasks: Value = serde_json::from_str(&tasks).unwrap();
    assert_eq!(
        tasks.as_array().unwrap().len(),
        pack.lines().count(),
        "one task per criterion and response, too"
    );
}

/// A study of two prompts with authors `names`, each with the tasks of `plan`.
fn written(place: &Place, names: &[&str], tasks: &Value) -> std::path::PathBuf {
    let prompt = |key: &str, text: &str, criteria: &Value| {
        json!({"prompt_id": key, "prompt_text": text, "output_modalities": "Text", "input_modalities": "Text",
               "rubrics": json!({"criteria": criteria}).to_string()})
        .to_string()
    };
    let rivers = json!([
        {"id": "1", "criterion": "Names the Thames as the river through London.", "modality": "text"},
        {"id": "2", "criterion": "States that the Seine flows through Paris.", "modality": "text"},
    ]);
    let empty = json!([]);
    let rows = [
        prompt("p000001", "Which river flows through London?", &rivers),
        prompt("p000002", "What is the capital of Peru?", &empty),
    ];
    let dataset = place.write("dataset.jsonl", rows.join("\n"));
    let study = study(place, "written", &[&dataset]);
    let people: Vec<Value> = names.iter().map(|name| json!({"name": name, "role": "author"})).collect();
    assign(place, &study, &json!({"people": people, "tasks": tasks}));
    study
}

fn assign(place: &Place, study: &Path, plan: &Value) -> Value {
    let plan = place.write("plan.json", plan.to_string());
    place.json(["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), plan.as_os_str()])
}

fn rubric(texts: &[&str]) -> Value {
    let criteria: Vec<Value> = (1..)
        .zip(texts)
        .map(|(n, text): (u32, &&str)| json!({"id": n.to_string(), "criterion": text, "modality": "Text"}))
        .collect();
    json!({"criteria": criteria})
}

/// The task of an author for a prompt, by its key: the newest.
fn task_for(host: &Host, key: &str) -> Value {
    let rows = host.call("author_queue", &json!({}))["rows"].clone();
    let own: Vec<&Value> = rows.as_array().unwrap().iter().filter(|row| row["key"] == key).collect();
    own.last().unwrap_or_else(|| panic!("a task for {key} in {rows}"))["task"].clone()
}

#[test]
fn revisions_are_kept_and_compared_by_their_words() {
    let place = Place::new();
    let study = written(&place, &["ann"], &json!([{"kind": "author", "who": ["ann"], "seed": 1}]));
    let host = Host::as_person(&place, &study, "ann", "author");
    let task = task_for(&host, "p000001");
    let first = rubric(&[
        "Names the Thames as the river through London.",
        "Says how long the Thames is.",
        "Names one bridge.",
    ]);
    host.call("save_rubric", &json!({"task": task, "rubric": first, "submit": false}));
    let second = rubric(&[
        "Names one bridge.",
        "Names the Thames as the river through London.",
        "States that the Thames is 346 kilometres long.",
        "Names the North Sea as its mouth.",
    ]);
    host.call("save_rubric", &json!({"task": task, "rubric": second, "submit": true}));
    let rows = host.call("rubric_revisions", &json!({"task": task}))["rows"].clone();
    let told: Vec<(u64, bool, bool)> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["number"].as_u64().unwrap(),
                row["handed_in"].as_bool().unwrap(),
                row["in_force"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [(2, true, true), (1, false, false), (0, false, false)],
        "newest first, the handed-out one last"
    );
    let compared = host.call(
        "compare_rubrics",
        &json!({"before": rows[1]["rubric"]["criteria"], "after": rows[0]["rubric"]["criteria"]}),
    );
    let changes: Vec<(&str, Option<u64>, Option<u64>)> = compared["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["change"].as_str().unwrap(), row["before"].as_u64(), row["after"].as_u64()))
        .collect();
    assert_eq!(
        changes,
        [
            ("moved", Some(2), Some(0)),
            ("same", Some(0), Some(1)),
            ("changed", Some(1), Some(2)),
            ("new", None, Some(3)),
        ],
        "by their words, whatever their numbers"
    );
    host.stop();
}

#[test]
fn an_author_finds_precedents_templates_and_files_without_a_response() {
    let place = Place::new();
    let study = written(&place, &["ann"], &json!([{"kind": "author", "who": ["ann"], "seed": 1}]));
    let host = Host::as_person(&place, &study, "ann", "author");
    let task = task_for(&host, "p000002");
    let found = host.call("precedents", &json!({"task": task, "search": "the Seine flows"}));
    assert_eq!(found["rows"][0]["key"], "p000001", "an accepted criterion of another prompt: {found}");
    assert!(
        found["rows"][0]["criterion"]["criterion"].as_str().unwrap().contains("Seine"),
        "both words are in this one: {found}"
    );
    let own = host.call("precedents", &json!({"task": task_for(&host, "p000001"), "search": "river Thames"}));
    assert_eq!(own["total"], 0, "those of the prompt itself are no precedents: {own}");
    let file = json!({"text": "criterion,modality,points\nNames Lima as the capital.,text,2\nNames Cusco.,text,-3\n", "task": task});
    let view = host.call("read_rubric_file", &file);
    let record = &view["records"][0];
    assert_eq!(record["criteria"].as_array().unwrap().len(), 1, "the negative one is no criterion: {view}");
    assert_eq!(record["contradictions"], json!([{"text": "Names Cusco.", "points": "-3"}]), "it is a note");
    let kinds: Vec<&str> =
        view["losses"].as_array().unwrap().iter().map(|l| l["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["weights", "negative_criteria"], "what is lost is listed");
    let mut draft = rubric(&["Names Lima as the capital."]);
    draft["contradictions"] = record["contradictions"].clone();
    let out = |form: &str| {
        host.call("preview_rubric_export", &json!({"task": task, "rubric": draft, "form": form}))
    };
    let health: Value = serde_json::from_str(out("health_bench")["text"].as_str().unwrap()).unwrap();
    assert_eq!(
        health["rubrics"][1],
        json!({"criterion": "Names Cusco.", "points": -3.0, "tags": []}),
        "with its sign"
    );
    let mmi = out("mmi");
    assert_eq!(mmi["losses"][0]["kind"], "contradiction_notes", "MMI has no place for it: {mmi}");
    assert!(!mmi["text"].as_str().unwrap().contains("Cusco"), "and it is not turned into a criterion");
    let done = host.call("export_rubric", &json!({"task": task, "rubric": draft, "form": "csv"}));
    assert!(Path::new(done["path"].as_str().unwrap()).is_file(), "the file is there: {done}");
    assert_eq!(
        host.refused("read_rubric_file", &json!({"task": task, "text": "hello"}))["code"],
        "bad_request"
    );
    host.stop();
}

#[test]
fn two_review_a_third_settles_and_the_rubric_goes_round_until_it_is_accepted() {
    let place = Place::new();
    let names = ["ann", "ben", "cem", "dee"];
    let study = written(&place, &names, &json!([{"kind": "author", "who": ["ann"], "seed": 1}]));
    let lead_sees = |place: &Place| Host::as_person(place, &study, "lead", "lead").stop();
    let ann = Host::as_person(&place, &study, "ann", "author");
    let task = task_for(&ann, "p000002");
    let first = rubric(&["Names Lima as the capital.", "Says how many people live there."]);
    ann.call("save_rubric", &json!({"task": task, "rubric": first, "submit": true}));
    ann.stop();
    let review =
        json!({"tasks": [{"kind": "review", "who": ["ann", "ben", "cem"], "overlap": 2, "seed": 1}]});
    let handed = assign(&place, &study, &review);
    let of = |name: &str| {
        handed["tasks"].as_array().unwrap().iter().find(|row| row["person"] == name).unwrap()["added"].clone()
    };
    assert_eq!((of("ann"), of("ben"), of("cem")), (json!(0), json!(1), json!(1)), "nobody reviews their own");

    // Two say different things, neither seeing the other's.
    let say = |name: &str, decision: &str, comments: Value, note: &str| {
        let host = Host::as_person(&place, &study, name, "author");
        let item = host.call("review_item", &json!({}))["item"].clone();
        let request = json!({"task": item["task"], "decision": decision, "comments": comments, "note": note});
        let done = host.call("submit_review", &request);
        host.stop();
        (item, done)
    };
    let criterion = first["criteria"][1].clone();
    let (item, _) = say("ben", "accept", json!([]), "");
    assert_eq!(
        (&item["author"], &item["round"]),
        (&json!("ann"), &json!(1)),
        "ann's rubric, for the first time"
    );
    assert_eq!(item["settles"], json!([]), "ben is told nothing of others");
    let cem = Host::as_person(&place, &study, "cem", "author");
    let item = cem.call("review_item", &json!({}))["item"].clone();
    let bare = json!({"task": item["task"], "decision": "revise"});
    assert_eq!(
        cem.refused("submit_review", &bare)["code"],
        "incomplete",
        "what is to be changed must be said"
    );
    assert!(!item.to_string().contains("ben"), "nor is cem told of ben");
    cem.stop();
    let comment = json!([{"criterion": criterion, "comment": "Which number counts?"}]);
    say("cem", "revise", comment, "");

    // The one author who has nothing to do with it settles.
    lead_sees(&place);
    let comment = json!([{"criterion": criterion, "comment": "Settle the number."}]);
    let (item, _) = say("dee", "revise", comment, "Nearly there.");
    let both: BTreeMap<&str, &str> = item["settles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|given| (given["person"].as_str().unwrap(), given["review"]["decision"].as_str().unwrap()))
        .collect();
    assert_eq!(both, BTreeMap::from([("ben", "accept"), ("cem", "revise")]), "dee sees what the two said");

    // The author gets it back with what the third said, and hands it in again.
    lead_sees(&place);
    lead_sees(&place);
    let ann = Host::as_person(&place, &study, "ann", "author");
    let again = task_for(&ann, "p000002");
    assert_ne!(again, task, "a task of its own, made once");
    let item = ann.call("author_item", &json!({"task": again}))["item"].clone();
    let said = &item["reviewed"];
    assert_eq!(
        (&said["decision"], &said["round"]),
        (&json!("revise"), &json!(1)),
        "after the first round: {said}"
    );
    assert_eq!(said["comments"][0]["comment"], "Settle the number.", "the comment on the criterion");
    assert!(!said.to_string().contains("dee") && !said.to_string().contains("cem"), "not who said it");
    let second = rubric(&["Names Lima as the capital.", "States that about ten million people live there."]);
    ann.call("save_rubric", &json!({"task": again, "rubric": second, "submit": true}));
    ann.stop();

    // The first two are asked again; both accept; the rubric is handed out, and is a precedent for others.
    lead_sees(&place);
    for name in ["ben", "cem"] {
        let (item, _) = say(name, "accept", json!([]), "");
        assert_eq!(item["round"], 2, "{name} reviews the second round");
        assert_eq!(
            item["rubric"]["criteria"][1]["criterion"], second["criteria"][1]["criterion"],
            "what is new"
        );
    }
    lead_sees(&place);
    let ann = Host::as_person(&place, &study, "ann", "author");
    let found = ann.call("precedents", &json!({"task": task_for(&ann, "p000001"), "search": "people live"}));
    assert_eq!(found["rows"][0]["key"], "p000002", "the accepted rubric is handed out: {found}");
    assert_eq!(
        ann.call("author_queue", &json!({"filter": "open"}))["total"],
        1,
        "and nothing more is asked of ann"
    );
    ann.stop();

    // Every round is in History, and a reviewer takes their own back.
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let rows = lead.call("history", &json!({"kind": "review"}))["rows"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 5, "two, the third, and two again: {rows}");
    lead.stop();
    let ben = Host::as_person(&place, &study, "ben", "author");
    let own = ben.call("history", &json!({}))["rows"].clone();
    assert_eq!(own.as_array().unwrap().len(), 2, "ben's own, and nobody else's: {own}");
    let undone = ben.call("undo", &json!({}));
    assert_eq!(undone["value"]["kind"], "review", "the newest of ben's is taken back");
    assert_eq!(ben.call("review_queue", &json!({"filter": "open"}))["total"], 1, "and is to be given again");
    ben.stop();
    place.check_clean(&study);
}

#[test]
fn a_revision_says_which_grades_become_stale_and_what_the_scores_would_be() {
    let place = Place::new();
    let study = study(&place, "impact", &[&demo()]);
    assign(
        &place,
        &study,
        &json!({"people": [{"name": "ann", "role": "author"}, {"name": "lena", "role": "auditor"}],
                "tasks": [{"kind": "author", "who": ["ann"], "seed": 1}]}),
    );
    let key = "p992650";
    let ann = Host::as_person(&place, &study, "ann", "author");
    let task = task_for(&ann, key);
    let mut revised = ann.call("author_item", &json!({"task": task}))["item"]["handed_out"].clone();
    let criteria = revised["criteria"].as_array_mut().unwrap();
    let gone = criteria.remove(0)["criterion"].as_str().unwrap().to_owned();
    let kept: Vec<String> = criteria.iter().map(|c| c["criterion"].as_str().unwrap().to_owned()).collect();
    criteria.push(json!({"id": "0", "criterion": "States something that nobody graded.", "modality": criteria[0]["modality"]}));
    for (n, criterion) in criteria.iter_mut().enumerate() {
        criterion["id"] = json!((n + 1).to_string());
    }
    ann.call("save_rubric", &json!({"task": task, "rubric": revised, "submit": false}));
    ann.refused("rubric_impact", &json!({"prompt": "00000000000000000000000000000000"}));
    ann.stop();

    let lena = Host::as_person(&place, &study, "lena", "auditor");
    let prompt = lena.call("prompts", &json!({"search": key}))["rows"][0]["id"].clone();
    let records = lena.call("history", &json!({"prompt": prompt, "kind": "rubric_revision"}))["rows"].clone();
    let impact = lena.call("rubric_impact", &json!({"prompt": prompt, "revision": records[0]["statement"]}));
    let responses = impact["responses"].as_array().unwrap();
    assert!(!responses.is_empty(), "the demo's models were graded");
    for response in responses {
        let model = response["model"].as_str().unwrap();
        let row = row_of(model, key);
        let grades = row["rubric_grades"].as_array().unwrap();
        let of = |wanted: &dyn Fn(&str) -> bool| {
            grades.iter().filter(|g| wanted(g["rubric"].as_str().unwrap())).count()
        };
        assert_eq!(
            response["stale"],
            of(&|text| text == gone),
            "{model}: those of the criterion that is gone"
        );
        assert_eq!(response["stays"], of(&|text| kept.iter().any(|k| k == text)), "{model}: all others");
        assert_eq!(response["waits"], 1, "{model}: the new one waits for a grade");
        for (field, counts) in [
            ("before", Box::new(|_: &str| true) as Box<dyn Fn(&str) -> bool>),
            ("after", Box::new(|text: &str| text != gone)),
        ] {
            let wanted = value(&row, &*counts);
            let found = response[field].as_f64();
            match (wanted, found) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-9, "{model}, {field}: {b} is {a}"),
                (wanted, found) => assert_eq!(wanted, found, "{model}, {field}"),
            }
        }
    }
    assert!(impact["human_verdicts"].as_u64().unwrap() > 0, "verdicts of people are counted: none is stale");
    lena.stop();
}

/// The base row of a model for a prompt in the demo's files.
fn row_of(model: &str, key: &str) -> Value {
    for entry in fs::read_dir(demo().join("results/demo")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(&format!("_{model}.jsonl")) {
            continue;
        }
        let rows = fs::read_to_string(&path).unwrap();
        let found = rows
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .rfind(|row| row["prompt_id"] == key);
        return found.unwrap_or_else(|| panic!("{name} has a row for {key}"));
    }
    panic!("{model} has a file");
}

/// MMI Value of a row by its definition, on the grades whose text counts.
fn value(row: &Value, counts: &dyn Fn(&str) -> bool) -> Option<f64> {
    let mut by: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for grade in row["rubric_grades"].as_array().unwrap() {
        if counts(grade["rubric"].as_str().unwrap()) {
            let modality = grade["modality"].as_str().unwrap().to_lowercase();
            by.entry(modality).or_default().push(grade["score"].as_f64().unwrap());
        }
    }
    let expected: Vec<String> = row["expected_modalities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m.as_str().unwrap().to_lowercase())
        .collect();
    by.retain(|modality, _| expected.contains(modality));
    let means: Vec<f64> =
        by.values().map(|scores| scores.iter().sum::<f64>() / scores.len() as f64).collect();
    (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
}
