//! Figures: what `assize` computes from whole studies against references that were computed by other programs.

use acceptance::{Place, differs, figures, fixtures, root};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}
fn demo() -> PathBuf {
    root().join("assets/demo")
}
fn same(wanted: &Value, found: &Value, at: &str) {
    assert_eq!(differs(wanted, found, at), None, "every figure is the reference's to 1e-9");
}

/// Keys of a run that the command line has under the same name.
const RUN_KEYS: [&str; 17] = [
    "rows",
    "errors",
    "precision",
    "recall",
    "f1",
    "precision_strict",
    "recall_strict",
    "f1_strict",
    "mps",
    "pass_rate",
    "pass_rate_strict",
    "input_failure_rate",
    "per_modality",
    "mmi_value",
    "binary",
    "evaluator_error_grades",
    "criteria_graded",
];

fn check_scores(golden: &Value, scores: &Value) -> usize {
    let mut compared = 0;
    let mut compare = |wanted: &Value, found: &Value, at: &str| {
        for key in RUN_KEYS {
            assert!(!wanted[key].is_null(), "the reference has {at}/{key}");
            same(&wanted[key], &found[key], &format!("{at}/{key}"));
            compared += figures(&wanted[key]);
        }
    };
    for (folder, run) in golden["runs"].as_object().unwrap() {
        let found = &scores["runs"][folder];
        compare(&run["overall"], &found["overall"], folder);
        for (file, wanted) in run["files"].as_object().unwrap() {
            compare(wanted, &found["files"][file], &format!("{folder}/{file}"));
        }
    }
    compared
}

/// One table of two raters.
fn check_pair(wanted: &Value, found: &Value, at: &str) {
    let counts = &found["confusion"]["counts"];
    let seen = json!({
        "n": found["units"], "both_correct": counts[0][0], "judge_only": counts[0][1],
        "human_only": counts[1][0], "both_incorrect": counts[1][1],
        "percent": found["percent_agreement"]["value"], "scott_pi": found["scott_pi"]["value"],
        "cohen_kappa": found["cohen_kappa"]["value"],
    });
    for key in seen.as_object().unwrap().keys() {
        same(&wanted[key], &seen[key], &format!("{at}/{key}"));
    }
}

fn check_agreement(place: &Place, study: &Path, golden: &Value) -> usize {
    let mut compared = 0;
    let found = place.agreement(study);
    let wanted = &golden["agreement"];
    for (set, people) in wanted["sets"].as_object().unwrap() {
        for (person, groups) in people.as_object().unwrap() {
            let result = &found["sets"][set][person];
            for (group, wanted) in groups.as_object().unwrap() {
                let by = result["by"].as_array().unwrap();
                let one = if group == "overall" {
                    result
                } else {
                    by.iter().find(|one| one["modality"] == *group).unwrap_or(&Value::Null)
                };
                check_pair(wanted, one, &format!("{set}/{person}/{group}"));
                compared += 8;
            }
        }
    }
    for (pair, wanted) in wanted["human_human"].as_object().unwrap() {
        check_pair(wanted, &found["human_human"][pair], pair);
        compared += 8;
    }
    let args = ["--human", "majority", "--sweep", "--resamples", "0"].map(OsStr::new);
    let sweep = place.json([OsStr::new("agreement"), study.as_os_str()].into_iter().chain(args));
    for (threshold, wanted) in wanted["threshold_sweep_majority_produced"].as_object().unwrap() {
        let at: f64 = threshold.parse().unwrap();
        let points = sweep["sweep"].as_array().unwrap();
        let point =
            points.iter().find(|point| (point["threshold"].as_f64().unwrap() - at).abs() < 1e-9).unwrap();
        same(&wanted["percent"], &point["percent_agreement"], threshold);
        same(&wanted["scott_pi"], &point["scott_pi"], threshold);
        compared += 2;
    }
    compared
}

#[test]
fn the_demo_gives_every_figure_of_its_reference_and_importing_again_adds_nothing() {
    let place = Place::new();
    let golden = read(&fixtures().join("mmi-demo/golden.json"));
    let study = place.study("demo");
    place.import(&study, &[&demo()]);
    let scores = place.scores(&study);
    assert!(check_scores(&golden, &scores) > 400, "the reference's tables are wholly compared");
    assert!(check_agreement(&place, &study, &golden) > 300, "and so is agreement");

    let dump = place.dump(&study);
    let again = place.import(&study, &[&demo()]);
    for file in again["files"].as_array().unwrap() {
        assert_eq!(file["added"], json!({}), "a file that is in already adds nothing: {file}");
    }
    assert_eq!(place.dump(&study), dump, "and changes nothing");
    place.check_clean(&study);
}

#[test]
fn the_order_of_files_does_not_matter() {
    let place = Place::new();
    let ordered = place.study("ordered");
    place.import(&ordered, &[&demo()]);
    let odd = place.study("odd");
    let results = demo().join("results/demo");
    let variants: Vec<PathBuf> = fs::read_dir(&results)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.to_string_lossy();
            name.ends_with("_rejudged.jsonl") || name.ends_with("_rubric_scored.jsonl")
        })
        .collect();
    assert_eq!(variants.len(), 2, "the demo has two variants");
    for variant in &variants {
        place.import(&odd, &[variant]);
    }
    place.import(&odd, &[&results]);
    let verdicts = demo().join("human_verdicts.csv");
    place.import(&odd, &[&verdicts]);
    place.import(&odd, &[&demo().join("adjudications.csv")]);
    place.import(&odd, &[&demo().join("results/demo-interrupted")]);
    place.import(&odd, &[&demo().join("dataset.jsonl")]);
    same(&place.dump(&ordered), &place.dump(&odd), "variants, results, verdicts, dataset");
}

#[test]
fn verdicts_that_come_before_the_runs_wait_or_are_refused_and_the_end_is_the_same() {
    let place = Place::new();
    let study = place.study("verdicts-first");
    let before = place.dump(&study);
    let verdicts = place.write("verdicts.csv", fs::read(demo().join("human_verdicts.csv")).unwrap());
    let (succeeded, summary) = place.try_import(&study, &[&verdicts]);
    assert!(!succeeded, "verdicts of no results folder cannot go in");
    let why = summary["files"][0]["rejected"][0]["why"].as_str().unwrap();
    assert!(why.contains("--folder"), "it is said how to name the folder: {why}");
    assert_eq!(place.dump(&study), before, "and the study is as it was");
    place.import(&study, &[&demo().join("results")]);
    let args =
        ["import".as_ref(), study.as_os_str(), verdicts.as_os_str(), "--folder".as_ref(), "demo".as_ref()];
    place.json(args);
    let golden = read(&fixtures().join("mmi-demo/golden.json"));
    assert!(check_agreement(&place, &study, &golden) > 300, "agreement is the reference's without a dataset");
}

/// Names of all blobs: their hashes.
fn blobs(study: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in fs::read_dir(study.join("blobs")).unwrap() {
        let folder = folder.unwrap().path();
        if folder.is_dir() {
            for file in fs::read_dir(folder).unwrap() {
                found.insert(file.unwrap().file_name().to_string_lossy().into_owned());
            }
        }
    }
    found
}

#[test]
fn the_parquet_dataset_alone_gives_the_same_prompts_and_media() {
    let place = Place::new();
    let from_lines = place.study("lines");
    place.import(&from_lines, &[&demo().join("dataset.jsonl")]);
    // Away from the media folder, so that what is embedded is all there is.
    let alone = place.write("alone/dataset.parquet", fs::read(demo().join("dataset.parquet")).unwrap());
    let embedded = place.study("embedded");
    place.import(&embedded, &[&alone]);
    let dataset = |study: &Path| {
        let text =
            place.text(["export".as_ref(), study.as_os_str(), "--as".as_ref(), "mmi_dataset".as_ref()]);
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(dataset(&embedded), dataset(&from_lines), "prompts and rubrics are the same");
    assert_eq!(dataset(&embedded).len(), 24, "all prompts of the demo");
    let (embedded, from_lines) = (blobs(&embedded), blobs(&from_lines));
    assert!(!embedded.is_empty(), "the parquet file has media");
    assert_eq!(embedded, from_lines, "embedded media are the files, byte for byte");
}

#[test]
fn a_generated_study_gives_what_was_summed_while_it_was_written() {
    let place = Place::new();
    let source = fixtures().join("generated");
    let expected = read(&source.join("expected.json"));
    let study = place.study("generated");
    place.import(&study, &[&source]);
    let scores = place.scores(&study);
    let files = scores["runs"]["large"]["files"].as_object().unwrap();
    for (model, wanted) in expected["models"].as_object().unwrap() {
        let found = files.values().find(|file| file["run_name"] == *model).unwrap();
        for key in [
            "rows",
            "mps",
            "precision",
            "recall",
            "pass_rate",
            "input_failure_rate",
            "f1_strict",
            "precision_strict",
            "recall_strict",
            "pass_rate_strict",
        ] {
            same(&wanted[key], &found[key], &format!("{model}/{key}"));
        }
        same(&wanted["mmi_all"], &found["mmi_value"]["all"], "mmi_all");
        same(&wanted["mmi_excl_document"], &found["mmi_value"]["excl_document"], "mmi_excl_document");
        same(&wanted["mmi_by_modality"], &found["mmi_value"]["by_modality"], "mmi_by_modality");
        same(&wanted["binary"], &found["binary"], "binary");
    }
    let agreement = place.agreement(&study);
    let wanted = expected["agreement_native_produced"].as_object().unwrap();
    assert!(!wanted.is_empty(), "the generator had annotators");
    for (person, wanted) in wanted {
        let found = &agreement["sets"]["produced_incl_evaluator_errors"][person];
        check_pair(wanted, found, person);
    }
}

#[test]
fn figure_16_comes_out_as_printed() {
    let place = Place::new();
    let triples = fixtures().join("agreement/figure16.jsonl");
    let args = ["agreement", "--triples"].map(OsStr::new).into_iter().chain([triples.as_os_str()]);
    let args: Vec<&OsStr> =
        args.chain(["--by", "modality", "--sweep", "--resamples", "0"].map(OsStr::new)).collect();
    let text = place.text(&args);
    for (group, percent, pi) in [
        ("Text", "70.9", "0.34"),
        ("Image", "66.5", "0.28"),
        ("Audio", "73.6", "0.45"),
        ("Video", "74.4", "0.31"),
        ("overall", "70.8", "0.41"),
    ] {
        let line = text.lines().find(|line| line.starts_with(group)).unwrap_or_default();
        let cells: Vec<&str> = line.split_whitespace().collect();
        assert!(cells.contains(&percent) && cells.contains(&pi), "{group}: {percent} and {pi} in {line:?}");
    }
    assert!(text.contains("maximum: 73.2 % at 0.80; π 0.43 at 0.90"), "the sweep's maxima: {text}");

    let found = place.json(&args);
    let rounded = |value: &Value, places: i32| {
        let scale = 10_f64.powi(places);
        (value["value"].as_f64().unwrap() * scale).round() / scale
    };
    let best = |key: &str| {
        let points = found["sweep"].as_array().unwrap();
        let best = points.iter().max_by(|a, b| a[key].as_f64().unwrap().total_cmp(&b[key].as_f64().unwrap()));
        let best = best.unwrap();
        (best[key].as_f64().unwrap(), best["threshold"].as_f64().unwrap())
    };
    same(
        &json!([0.708, 0.41]),
        &json!([rounded(&found["percent_agreement"], 3), rounded(&found["scott_pi"], 2)]),
        "JSON",
    );
    let (percent, at) = best("percent_agreement");
    let (pi, pi_at) = best("scott_pi");
    same(
        &json!([0.732, 0.8, 0.43, 0.9]),
        &json!([(percent * 1000.0).round() / 1000.0, at, (pi * 100.0).round() / 100.0, pi_at]),
        "the maxima in JSON",
    );
}
