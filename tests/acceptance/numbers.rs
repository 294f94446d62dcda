//! Numbers as the screens, the report and the exports show them, against values worked out by hand and against each other.

use crate::at_work::demo;
use acceptance::{Host, Place, differs, fixtures, harness};
use serde_json::{Value, json};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

fn close(found: &Value, wanted: f64, what: &str) {
    let value = found.as_f64().unwrap_or_else(|| panic!("{what} is a number, not {found}"));
    assert!((value - wanted).abs() < 1e-9, "{what}: wanted {wanted}, found {value}");
}

/// Four prompts, one model, three people. The judge: correct, correct, incorrect, incorrect. ana: C C I C; ben: C I I C;
/// cai: C C I and nothing. A second judge: C I I I.
fn small(place: &Place) -> PathBuf {
    let keys = ["p1", "p2", "p3", "p4"];
    let prompts: Vec<Value> =
        keys.iter().map(|key| harness::prompt(key, "Text", &[("Text", "Answers.")])).collect();
    place.write("run/dataset.jsonl", harness::lines(&prompts));
    for (file, judge, scores) in
        [("m", "stub-judge", [1.0, 1.0, 0.0, 0.0]), ("m_rubric_scored", "other-judge", [1.0, 0.0, 0.0, 0.0])]
    {
        let rows: Vec<Value> = keys
            .iter()
            .zip(scores)
            .map(|(key, score)| {
                let mut row = harness::row(key, "m", &["Text"]);
                row["rubric_grades"][0]["score"] = json!(score);
                row["rubric_score"] = json!(score);
                row["rubric_judge_model"] = json!(judge);
                row
            })
            .collect();
        place.write(&format!("run/results/main/20260101_000000_{file}.jsonl"), harness::lines(&rows));
    }
    let said = [("ana", "CCIC"), ("ben", "CIIC"), ("cai", "CCI")];
    let lines: String = said
        .iter()
        .flat_map(|(person, all)| {
            all.chars().zip(keys).map(move |(c, key)| {
                format!("{person},{key},m,Text,{},,no,5\n", if c == 'C' { "correct" } else { "incorrect" })
            })
        })
        .collect();
    place.write(
        "run/human_verdicts.csv",
        format!("annotator,prompt_id,model,modality,verdict,comment,ai_assisted,seconds\n{lines}"),
    );
    place.write(
        "run/adjudications.csv",
        "prompt_id,model,modality,judge,human_majority,final,cause,note,adjudicator,date\n\
         p4,m,Text,incorrect,correct,incorrect,human_error,,lena,2026-01-02\n",
    );
    let study = place.study("small");
    place.import(&study, &[&place.path("run")]);
    study
}

#[test]
fn the_parts_of_agreement_say_what_can_be_worked_out_by_hand() {
    let place = Place::new();
    let study = small(&place);
    let host = Host::as_person(&place, &study, "lead", "auditor");
    // The majority: C C I C. The judge agrees on three of four; pooled, 5 of 8 say correct, so that chance is 34/64.
    let pi = (0.75 - 34.0 / 64.0) / (1.0 - 34.0 / 64.0);
    for (by, label) in [
        ("modality", "Text"),
        ("model", "m"),
        ("detection_route", "native"),
        ("rubric_version", "version 1"),
        ("tag", "inputs Text"),
        ("tag", "one in, one out"),
    ] {
        let view = host.call("agreement_by", &json!({"by": by, "resamples": 0}));
        let groups = view["groups"].as_array().unwrap();
        let group = groups.iter().find(|group| group["label"] == label);
        let group = group.unwrap_or_else(|| panic!("{by} has a group {label}: {view}"));
        for row in [group, &view["all"]] {
            close(&row["judge_human"]["percent_agreement"]["value"], 0.75, by);
            close(&row["judge_human"]["scott_pi"]["value"], pi, by);
            // Units: all three agree, one pair of three, all three, the two who said something: (1 + 1/3 + 1 + 1) / 4.
            close(&row["people"]["percent_agreement"]["value"], 10.0 / 12.0, by);
        }
        assert_eq!(view["ungrouped"], 0, "every unit has a {by}");
    }
    let view = host.call("agreement_by", &json!({"by": "annotator", "resamples": 0}));
    for (at, (person, judge, others)) in
        [("ana", 0.75, 1.0), ("ben", 0.5, 0.75), ("cai", 1.0, 1.0)].into_iter().enumerate()
    {
        let group = &view["groups"][at];
        assert_eq!(group["label"], person, "people by name");
        close(&group["judge_human"]["percent_agreement"]["value"], judge, person);
        // ana: p2 is a tie of the others; ben: ana and cai agree wherever both speak; cai: p2 is a tie.
        close(&group["people"]["percent_agreement"]["value"], others, person);
    }

    let people = host.call("agreement_people", &json!({"resamples": 0}));
    assert_eq!(people["raters"], json!(["ana", "ben", "cai", "judge"]), "people by name, the judge last");
    let pair = |first: u64, second: u64| {
        let all = people["pairs"].as_array().unwrap();
        all.iter().find(|pair| pair["first"] == first && pair["second"] == second).unwrap().clone()
    };
    for (first, second, units, agree) in [
        (0, 1, 4, 0.75),
        (0, 2, 3, 1.0),
        (1, 2, 3, 2.0 / 3.0),
        (0, 3, 4, 0.75),
        (1, 3, 4, 0.5),
        (2, 3, 3, 1.0),
    ] {
        let pair = pair(first, second);
        assert_eq!(pair["units"], units, "units of {first} and {second}");
        close(&pair["percent_agreement"]["value"], agree, "a cell of the heat map");
    }
    assert_eq!(people["against_others"][0]["ties"], 1, "the others are split on p2");
    assert_eq!(people["against_settled"].as_array().unwrap().len(), 3, "cai did not judge the settled case");
    close(
        &people["against_settled"][0]["numbers"]["percent_agreement"]["value"],
        0.0,
        "ana on the settled case",
    );
    close(&people["against_settled"][2]["numbers"]["percent_agreement"]["value"], 1.0, "the judge on it");
    assert!(people["model"]["model"].as_str().unwrap().contains("model"), "the estimate is called a model");

    let criteria = host.call("agreement_criteria", &json!({"outcome": "never_passed"}));
    assert_eq!(
        (&criteria["graded"], &criteria["never_passed"], &criteria["never_failed"], &criteria["total"]),
        (&json!(4), &json!(2), &json!(2), &json!(2)),
        "p3 and p4 are passed by nobody, p1 and p2 failed by nobody"
    );
    assert_eq!(criteria["rows"][0]["key"], "p3", "by prompt");
    // None of one: the exact interval reaches from 0 to 0.975.
    close(&criteria["rows"][0]["outcome"]["pass_rate"]["ci95"][1], 0.975, "one response says little");

    let judges = host.call("agreement_judges", &json!({"resamples": 0}));
    let pair = &judges["comparison"]["pairs"][0];
    let sign = if pair["first"] == "stub-judge" { 1.0 } else { -1.0 };
    close(&pair["mean_difference"]["value"], sign * 0.25, "0.5 less 0.25");
    assert_eq!(pair["answers"], 4, "both scored all four");

    let difference = host.call(
        "agreement_difference",
        &json!({"coefficient": "percent_agreement", "first": {}, "second": {"human": "settled"}, "resamples": 500}),
    );
    close(
        &difference["difference"]["difference"]["value"],
        -0.25,
        "settling p4 for the judge: 3 of 4, then 4 of 4",
    );
    assert_eq!(difference["judgings"], json!(["rubric_scored"]), "the other judging can be chosen");
    let difference = host.call(
        "agreement_difference",
        &json!({"coefficient": "percent_agreement", "first": {"judging": "rubric_scored"}, "second": {}, "resamples": 0}),
    );
    close(&difference["difference"]["difference"]["value"], -0.25, "the second judge agrees on two of four");

    let plan = host.call(
        "agreement_plan",
        &json!({"coefficient": "percent_agreement", "width": 0.1, "audit_errors": 0, "audit_items": 30,
                "from": {"expected": {"shares": {"agreement": 0.5, "first": 0.5, "second": 0.5},
                                      "units_per_prompt": 2.0, "design_effect": 1.0}}}),
    );
    // Half of units agree: variance 1/4, so that 2 · 1.96 · sqrt(1/4 / n) ≤ 0.1 from n = 385 on.
    assert_eq!((&plan["plan"]["units"], &plan["plan"]["clusters"]), (&json!(385), &json!(193)), "{plan}");
    close(&plan["error_rate"]["value"], 1.0 - 0.05_f64.powf(1.0 / 30.0), "0 errors in 30: 9.5 %");
    host.stop();
}

#[test]
fn every_number_opens_its_items() {
    let place = Place::new();
    let study = small(&place);
    let host = Host::as_person(&place, &study, "lead", "auditor");
    let keys = |filter: Value, cell: Value| -> Vec<String> {
        let found = host.call("disagreement_cases", &json!({"filter": filter, "cell": cell}));
        let rows = found["rows"].as_array().unwrap();
        rows.iter().map(|row| row["key"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(keys(json!({}), Value::Null), ["p4"], "judge and majority differ on one");
    assert_eq!(keys(json!({"human": "settled"}), Value::Null), [""; 0], "and on none after settling");
    assert_eq!(
        keys(json!({"first": "ana", "human": "ben"}), Value::Null),
        ["p2"],
        "two people differ on one"
    );
    assert_eq!(
        keys(json!({"first": "ana", "human": "ben"}), json!("both_correct")),
        ["p1", "p4"],
        "and say correct of two"
    );
    let effects = host.call("criterion_effects", &json!({}));
    let criterion = &effects["criteria"][0]["criterion"];
    assert!(criterion.is_string(), "the criterion has a name: {effects}");
    for (filter, wanted) in [
        (json!({"criterion": criterion}), 1),
        (json!({"criterion": "Text: Sings."}), 0),
        (json!({"route": "native"}), 1),
        (json!({"route": "url"}), 0),
        (json!({"tag": "inputs Text"}), 1),
        (json!({"tag": "inputs Image"}), 0),
        (json!({"rubric_version": "version 1"}), 1),
        (json!({"rubric_version": "version 2"}), 0),
        (json!({"prompt": "p4"}), 1),
        (json!({"prompt": "p1"}), 0),
    ] {
        let what = filter.to_string();
        assert_eq!(keys(filter, Value::Null).len(), wanted, "disagreements under {what}");
    }
    let counts = host.call("disagreement_counts", &json!({"first": "ana", "human": "ben"}));
    close(
        &counts["percent_agreement"]["value"],
        0.75,
        "the figures of the navigation are those of the two people",
    );
    host.stop();
}

#[test]
fn a_table_says_what_is_positive_and_why_a_number_is_missing() {
    let place = Place::new();
    let table = place.path("ratings.json");
    let figures = |table: &str| {
        fs::write(place.path("ratings.json"), table).unwrap();
        let args = ["agreement", "--resamples", "0", "--table"].map(OsStr::new);
        place.json(args.into_iter().chain([place.path("ratings.json").as_os_str()]))
    };
    let data =
        r#""data": [["no", "no"], ["no", "no"], ["no", "yes"], ["yes", "yes"]], "categories": ["no", "yes"]"#;
    let first = figures(&format!("{{{data}}}"));
    close(&first["prevalence"], 0.25, "two less one of four, the first category counting");
    close(&first["bias"], 0.25, "the first rater alone says no once");
    let named = figures(&format!("{{{data}, \"positive\": \"yes\"}}"));
    close(&named["prevalence"], -0.25, "the label that is named counts");
    close(&named["bias"], -0.25, "and for the bias too");
    assert_eq!(named["scott_pi"], first["scott_pi"], "nothing else is touched");

    fs::write(&table, "prompt_id,ann,ben\np1,yes,yes\np2,yes,yes\n").unwrap();
    let text = place.text(["agreement".as_ref(), "--table".as_ref(), table.as_os_str()]);
    let reason = text.lines().find(|line| line.starts_with('–')).unwrap_or_default();
    assert!(reason.contains("0/0") && reason.contains("π, κ"), "a dash comes with its reason:\n{text}");
}

#[test]
fn figure_16_is_a_study_too() {
    let place = Place::new();
    let triples = fixtures().join("agreement/figure16.jsonl");
    let study = place.study("figure16");
    let summary = place.import(&study, &[&triples]);
    assert_eq!(summary["files"][0]["added"]["verdicts"], 1499, "every judgement is a verdict: {summary}");
    let again = place.import(&study, &[&triples]);
    assert_eq!(again["files"][0]["added"], json!({}), "imported again it adds nothing");
    let ask = |source: &[&OsStr]| {
        let args = ["--by", "modality", "--sweep", "--resamples", "0"].map(OsStr::new);
        place.json([OsStr::new("agreement")].into_iter().chain(source.iter().copied()).chain(args))
    };
    let of_study = ask(&[study.as_os_str(), OsStr::new("--human"), OsStr::new("majority")]);
    let of_file = ask(&[OsStr::new("--triples"), triples.as_os_str()]);
    assert_eq!(differs(&of_file, &of_study, "study"), None, "the study says what the file says");
    let expected: Value =
        serde_json::from_slice(&fs::read(fixtures().join("agreement/figure16_expected.json")).unwrap())
            .unwrap();
    let host = Host::as_person(&place, &study, "lead", "auditor");
    let view = host.call("agreement", &json!({"resamples": 0}));
    let by = view["chosen"]["result"]["by"].as_array().unwrap();
    assert_eq!(by.len(), 4, "four modalities: {view}");
    for group in by {
        let name = group["modality"].as_str().unwrap().to_lowercase();
        let wanted = &expected["collapse_all_ones"][&name];
        assert_eq!(group["pairable_units"], wanted["n"], "units of {name}");
        close(&group["scott_pi"]["value"], wanted["scott_pi"].as_f64().unwrap(), &name);
        assert_eq!(group["judge_as_test"]["tp"], wanted["a"], "both correct, {name}");
    }
    host.stop();
    place.check_clean(&study);
}

/// The demo with a verdict and a settlement of its own.
fn demo_at_work(place: &Place) -> PathBuf {
    let study = place.study("demo");
    place.import(&study, &[&demo()]);
    crate::at_work::hand_out(place, &study);
    let kim = Host::as_person(place, &study, "kim", "judge");
    let item = kim.call("judge_item", &json!({}))["item"].clone();
    let verdicts: Vec<Value> = item["response"]["expected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|modality| json!({"modality": modality, "verdict": "incorrect", "comment": "Not what was asked."}))
        .collect();
    kim.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
    kim.stop();
    let lead = Host::as_person(place, &study, "lead", "auditor");
    let case = lead.call("disagreement_cases", &json!({"open_only": true}))["rows"][0].clone();
    lead.call(
        "settle",
        &json!({"response": case["response"], "modality": case["modality"], "verdict": "correct",
                "cause": "subjective", "note": "=1+1", "send_rubric_back": false}),
    );
    lead.stop();
    study
}

#[test]
fn the_dataset_folder_gives_the_same_numbers_in_a_fresh_study() {
    let place = Place::new();
    let study = demo_at_work(&place);
    let folder = place.path("dataset");
    let args = ["export", "--as", "huggingface", "--files", "-o"].map(OsStr::new);
    let args = [args[0], study.as_os_str(), args[1], args[2], args[3], args[4], folder.as_os_str()];
    place.text(args);
    let fresh = place.study("fresh");
    let summary = place.import(&fresh, &[&folder.join("mmi")]);
    for file in summary["files"].as_array().unwrap() {
        assert_eq!(file["rejected"], json!([]), "every row is read again: {file}");
    }
    assert_eq!(place.scores(&study), place.scores(&fresh), "the scores are the same");
    let (wanted, found) = (place.agreement(&study), place.agreement(&fresh));
    assert!(wanted["sets"]["all_expected"]["kim"].is_object(), "the verdict given here is among them");
    assert_eq!(wanted, found, "agreement is the same");
    // Settlements and grades too, whatever ids this study's secret gives.
    for table in ["settlements", "grades", "rubrics"] {
        let lines = |study: &Path| {
            let text = place.text(["export".as_ref(), study.as_os_str(), "--as".as_ref(), table.as_ref()]);
            let mut lines: Vec<String> = text
                .lines()
                .map(|line| line.trim_end_matches("file").trim_end_matches("assize").to_owned())
                .collect();
            lines.sort_unstable();
            lines
        };
        assert_eq!(lines(&study), lines(&fresh), "{table} are the same");
    }
    place.check_clean(&fresh);

    let card = fs::read_to_string(folder.join("README.md")).unwrap();
    assert!(card.starts_with("---\npretty_name: \"demo\"\n"), "a card with its head: {}", &card[..80]);
    let dictionary = fs::read_to_string(folder.join("dictionary.csv")).unwrap();
    for line in dictionary.lines().skip(1) {
        assert!(!line.ends_with(",,"), "every column has a type and a meaning: {line}");
    }
    for (table, ending) in [("verdicts", "parquet"), ("grades", "jsonl"), ("presence", "csv")] {
        let file = folder.join("data").join(ending).join(format!("{table}.{ending}"));
        assert!(fs::metadata(&file).unwrap().len() > 100, "{} holds something", file.display());
    }
    let parquet = fs::read(folder.join("data/parquet/verdicts.parquet")).unwrap();
    assert_eq!((&parquet[..4], &parquet[parquet.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]), "it is Parquet");

    // A folder that holds something is never written into.
    let refused = place.run(args);
    assert!(!refused.status.success(), "the folder is there now");
}

#[test]
fn the_report_holds_the_numbers_and_reaches_out_to_nothing() {
    let place = Place::new();
    let study = demo_at_work(&place);
    let page = place.path("report.html");
    let args = ["report".as_ref(), study.as_os_str(), "-o".as_ref(), page.as_os_str()];
    place.text(args);
    let html = fs::read_to_string(&page).unwrap();
    for from_elsewhere in ["<script", "<link", "<img", "<iframe", "@import", "src=", "http://", "https://"] {
        assert!(!html.contains(from_elsewhere), "a page of its own has no {from_elsewhere}");
    }
    assert!(html.contains("default-src 'none'"), "and would not be let reach out");
    // The figures are those of the command line.
    let args = ["--human", "majority", "--set", "produced"].map(OsStr::new);
    let result = place.json([OsStr::new("agreement"), study.as_os_str()].into_iter().chain(args));
    let percent = |value: &Value| format!("{:.1}", value.as_f64().unwrap() * 100.0);
    let agree = &result["percent_agreement"];
    let headline = format!(
        "{} ({} to {})",
        percent(&agree["value"]),
        percent(&agree["ci95"][0]),
        percent(&agree["ci95"][1])
    );
    assert!(html.contains(&headline), "the headline is {headline}");
    let scores = place.scores(&study);
    for file in
        scores["runs"]["demo"]["files"].as_object().unwrap().values().filter(|file| file["variant"] == "")
    {
        let row = format!("<th scope=\"row\">{}</th>", file["run_name"].as_str().unwrap());
        assert!(html.contains(&row), "every model is in the tables: {row}");
        assert!(html.contains(&format!("<td class=\"n\">{}</td>", percent(&file["f1"]))), "with its F1");
    }
    for words in
        ["seed 1", "given in Assize", "settled by auditors", "read from files", "SHA-256 over all records"]
    {
        assert!(html.contains(words), "the page says {words:?}");
    }
    let again = place.path("again.html");
    place.text(["report".as_ref(), study.as_os_str(), "-o".as_ref(), again.as_os_str()]);
    let stable = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.contains("Written ")).map(str::to_owned).collect()
    };
    assert_eq!(stable(&html), stable(&fs::read_to_string(&again).unwrap()), "the same study, the same page");
}

#[test]
fn kept_numbers_follow_every_verdict() {
    let place = Place::new();
    let study = place.study("demo");
    place.import(&study, &[&demo()]);
    crate::at_work::hand_out(&place, &study);
    // The command line computes from the records alone, since what it kept is removed; the screen takes what it kept where nothing came.
    let computed = || {
        for entry in fs::read_dir(study.join("cache")).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with("lead.lead.") {
                fs::remove_file(&path).unwrap();
            }
        }
        let args = ["--human", "majority", "--set", "produced", "--sweep"].map(OsStr::new);
        place.json([OsStr::new("agreement"), study.as_os_str()].into_iter().chain(args))
    };
    let shown = || {
        let lead = Host::as_person(&place, &study, "lead", "auditor");
        let first = lead.call("agreement", &json!({}));
        let again = lead.call("agreement", &json!({}));
        assert_eq!(differs(&first, &again, "again"), None, "asked again, the same");
        lead.stop();
        again
    };
    let before = shown();
    assert_eq!(differs(&computed(), &before["chosen"]["result"], "at first"), None, "computed at first");
    // A session that stays open all the while has to follow what others state as well.
    let open = Host::as_person(&place, &study, "lead", "auditor");
    let in_open =
        |filter: Value| open.call("agreement", &json!({"filter": filter}))["chosen"]["result"].clone();
    let settled = || {
        let args = ["--human", "settled", "--set", "produced", "--sweep"].map(OsStr::new);
        place.json([OsStr::new("agreement"), study.as_os_str()].into_iter().chain(args))
    };
    let kim = Host::as_person(&place, &study, "kim", "judge");
    for _ in 0..4 {
        let item = kim.call("judge_item", &json!({}))["item"].clone();
        let verdicts: Vec<Value> = item["response"]["expected"]
            .as_array()
            .unwrap()
            .iter()
            .map(|modality| json!({"modality": modality, "verdict": "incorrect", "comment": "Not what was asked."}))
            .collect();
        kim.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
        let now = shown();
        assert_eq!(differs(&computed(), &now["chosen"]["result"], "then"), None, "and after each verdict");
        assert_eq!(differs(&computed(), &in_open(json!({})), "open"), None, "in the open session too");
        assert_eq!(
            now["by_person"].as_array().unwrap().len(),
            before["by_person"].as_array().unwrap().len() + 1,
            "kim is among the people"
        );
    }
    kim.call("undo", &json!({}));
    kim.stop();
    assert_eq!(differs(&computed(), &shown()["chosen"]["result"], "undone"), None, "taking back counts too");
    assert_eq!(differs(&computed(), &in_open(json!({})), "open"), None, "and in the open session");
    let before = in_open(json!({"human": "settled"}));
    assert_eq!(differs(&settled(), &before, "before"), None, "what is settled, as files have it");
    let case = open.call("disagreement_cases", &json!({"open_only": true}))["rows"][0].clone();
    open.call(
        "settle",
        &json!({"response": case["response"], "modality": case["modality"],
                "verdict": if case["cell"] == "judge_only" { "correct" } else { "incorrect" }, "cause": "human_error", "note": "The judge is right.", "send_rubric_back": false}),
    );
    let after = in_open(json!({"human": "settled"}));
    assert_eq!(differs(&settled(), &after, "settled"), None, "a settlement counts at once");
    assert!(differs(&before, &after, "moved").is_some(), "and does change what stands");
    open.stop();
    let kept = study.join("cache/lead.auditor.numbers");
    assert!(kept.is_file(), "what was computed is kept");
    fs::write(&kept, b"{\"form\": \"of another program\"}").unwrap();
    assert_eq!(
        differs(&computed(), &shown()["chosen"]["result"], "spoilt"),
        None,
        "what is spoilt is computed again"
    );
}
