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

/// A study with prompts of their own for an author, `noor`, from these files.
fn imported(place: &Place, name: &str, files: &[(&str, String)]) -> std::path::PathBuf {
    let paths: Vec<std::path::PathBuf> =
        files.iter().map(|(file, text)| place.write(file, text.clone())).collect();
    let paths: Vec<&std::path::Path> = paths.iter().map(std::path::PathBuf::as_path).collect();
    let study = study(place, name, &paths);
    let plan = json!({"people": [{"name": "noor", "role": "author"}], "tasks": [{"kind": "author", "who": ["noor"], "seed": 1}]});
    let plan = place.write("plan.json", plan.to_string());
    place.json(["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), plan.as_os_str()]);
    study
}

/// A row as GAMUT releases them: two checks, one of them with a citation.
fn gamut_row() -> Value {
    json!({"session_id": "s1", "question": "What is the pot?", "rubrics": {
        "Answer_Critical": [{"Handle": "a", "Ingredient": "Identifies a moka pot.", "Specifics": [{"Citation": "S1"}]}],
        "Valuable": [], "Context": [{"Handle": "b", "Ingredient": "Names steam."}],
        "Snippets": [{"Handle": "S1", "URL": "https://example.org/moka", "Text": "It is a moka pot."}]}})
}

#[test]
fn what_a_file_knows_of_a_rubric_reaches_its_author() {
    let place = Place::new();
    let meta = json!({"schema": "metarubric/1", "id": "m", "question": "Why does it whistle?", "items": [
        {"id": "m1", "type": "simple", "tier": "V", "text": "States that steam drives it."}]});
    let health = json!({"prompt_id": "h1", "prompt": [{"role": "user", "content": "My head aches."}],
        "rubrics": [{"criterion": "Advises rest.", "points": 5, "tags": []},
                    {"criterion": "Recommends ten aspirins.", "points": -8, "tags": []}]});
    let study = imported(
        &place,
        "files",
        &[
            ("gamut.jsonl", gamut_row().to_string()),
            ("meta.json", meta.to_string()),
            ("health.jsonl", health.to_string()),
        ],
    );
    let host = Host::as_person(&place, &study, "noor", "author");
    let rows = host.call("author_queue", &json!({}))["rows"].clone();
    let rubric_for = |start: &str| {
        let row =
            rows.as_array().unwrap().iter().find(|row| row["prompt"].as_str().unwrap().starts_with(start));
        let task = row.unwrap_or_else(|| panic!("{start} in {rows}"))["task"].clone();
        host.call("author_item", &json!({"task": task}))["item"]["rubric"].clone()
    };
    let rows_of_gamut = rubric_for("What is the pot?");
    assert_eq!(rows_of_gamut["form"], "structured", "rows of a checklist are gone on with as such");
    let items: Vec<(&str, &str, &str)> = rows_of_gamut["structured"]["meta_rubric"]["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            (item["type"].as_str().unwrap(), item["tier"].as_str().unwrap(), item["text"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        items,
        [("simple", "AC", "Identifies a moka pot."), ("simple", "C", "Names steam.")],
        "each check is an item of simple knowledge at its tier"
    );
    assert_eq!(
        rows_of_gamut["structured"]["snippets"],
        json!([{"id": "S1", "address": "https://example.org/moka", "passage": "It is a moka pot.", "read_on": ""}]),
        "with the passages that they rest on"
    );
    let of_meta = rubric_for("Why does it whistle?");
    assert_eq!(of_meta["structured"]["meta_rubric"]["items"][0]["id"], "m1", "a meta-rubric is itself");
    let flat = rubric_for("My head aches.");
    assert_eq!(flat["criteria"].as_array().unwrap().len(), 1, "criteria stay criteria");
    assert_eq!(
        flat["contradictions"],
        json!([{"text": "Recommends ten aspirins.", "points": "-8"}]),
        "negative points are a note to their author, in the file's own words"
    );
    host.stop();
    place.check_clean(&study);
}

/// Every format that a rubric may come in: what it is read as, in which form, how much it holds, and what it loses.
#[test]
fn a_file_of_every_format_is_read_in_its_own_form() {
    let place = Place::new();
    let prompt = json!({"prompt_id": "p1", "prompt_text": "Why?", "output_modalities": "Text", "input_modalities": "Text", "rubrics": ""});
    let study = imported(&place, "formats", &[("dataset.jsonl", prompt.to_string())]);
    let host = Host::as_person(&place, &study, "noor", "author");
    let task = host.call("author_item", &json!({}))["item"]["task"].clone();
    let meta = json!({"question": "Q?", "items": [{"id": "m1", "type": "strict_list", "tier": "AC", "concept": "parts",
        "entries": [{"id": "e1", "text": "lid"}, {"id": "e2", "text": "spout"}]}]});
    let files = [
        (json!({"criteria": [{"id": "1", "criterion": "Names it.", "modality": "text"}]}).to_string(), "mmi", "flat", 1, vec![]),
        (gamut_row().to_string(), "gamut", "structured", 2, vec![]),
        (meta.to_string(), "metarubric", "structured", 1, vec![]),
        (
            json!({"prompt": "Q?", "text_rubrics": [{"criterion": "Names it.", "tags": ["x"]}],
                   "image_rubrics": [{"criterion": "Shows it.", "tags": [], "type": "y"}]}).to_string(),
            "ueval", "flat", 2, vec!["tags"],
        ),
        (
            json!({"prompt_id": "h", "prompt": [{"role": "user", "content": "Q?"}], "rubrics": [
                {"criterion": "Names it.", "points": 5, "tags": ["a"]}, {"criterion": "Lies.", "points": -8, "tags": []}]}).to_string(),
            "healthbench", "flat", 1, vec!["weights", "negative_criteria", "tags", "modality_assumed"],
        ),
        (
            json!({"rubric": {"criteria": [{"name": "n", "weight": 2.0, "requirement": "Names it."}, {"name": "o", "weight": -1.0, "requirement": "Lies."}]}})
                .to_string(),
            "autorubric", "flat", 1, vec!["weights", "negative_criteria", "modality_assumed", "names"],
        ),
        (
            json!({"prompt": "Q?", "rubrics": [{"criterion": "Names it.", "axis": "Explicit", "weight": 4.0}]}).to_string(),
            "researchrubrics", "flat", 1, vec!["weights", "tags", "modality_assumed"],
        ),
        ("criterion,modality\nNames it.,text\n".to_owned(), "csv", "flat", 1, vec![]),
        ("criterion,tier,id\nNames it.,AC,a\n".to_owned(), "csv", "structured", 1, vec![]),
    ];
    for (text, format, form, size, losses) in files {
        let view = host.call("read_rubric_file", &json!({"task": task, "text": text}));
        let record = &view["records"][0];
        let lost: Vec<&str> =
            view["losses"].as_array().unwrap().iter().map(|l| l["kind"].as_str().unwrap()).collect();
        assert_eq!((&view["format"], &record["form"]), (&json!(format), &json!(form)), "recognised: {text}");
        assert_eq!(lost, losses, "what {format} loses: {view}");
        assert_eq!(
            record["structured"]["meta_rubric"]["items"].as_array().unwrap().len(),
            size,
            "as a meta-rubric: {view}"
        );
        assert!(!record["criteria"].as_array().unwrap().is_empty(), "and as criteria: {view}");
        let flat_losses = view["losses_flat"].as_array().unwrap().len();
        assert_eq!(flat_losses > 0, form == "structured", "criteria have no tiers: {view}");
    }
    let broken = json!({"question": "Q?", "items": [{"id": "m1", "type": "flexible_list", "tier": "AC", "concept": "parts",
        "baselines": [9], "pool": [{"id": "e1", "text": "lid"}, {"id": "e2", "text": "spout"}]}, {"id": "m2", "type": "riddle"}]});
    let view = host.call("read_rubric_file", &json!({"task": task, "text": broken.to_string()}));
    let record = &view["records"][0];
    assert_eq!(record["criteria"], json!([]), "what does not compile has no criteria");
    let codes: Vec<&str> =
        record["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["FL-07", "MR-03"], "but is taken as it is, with what is wrong in it");
    assert_eq!(
        record["structured"]["meta_rubric"]["items"].as_array().unwrap().len(),
        1,
        "an unknown type is left out"
    );
    host.stop();
}
