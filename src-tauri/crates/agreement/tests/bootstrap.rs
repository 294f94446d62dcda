//! Intervals: explicit resamples exactly, drawn ones within the references' own spread over seeds; and the whole
//! result over the 1,499 triples of figure 16, with its sweep.
#![allow(clippy::unwrap_used)] // tests: a panic is the failure

mod support;

use agreement::{
    AgreementResult, Coefficient, GroupKey, JudgedUnit, Kind, Options, Resampling, Split, Table,
    judge_human_agreement, of_resample, percentile_interval,
};
use serde_json::Value;
use support::{fixture, triples};

fn near(found: f64, want: &Value, tolerance: f64, why: &str) {
    let want = want.as_f64().unwrap();
    assert!((found - want).abs() <= tolerance, "{why}: {found}, the reference has {want}");
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|n| usize::try_from(n.as_u64().unwrap()).unwrap()).collect()
}

#[test]
fn explicit_resamples() {
    let file = fixture("bootstrap_explicit.json");
    let rows: Vec<[Option<bool>; 2]> = file["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| match cell.as_str().unwrap() {
            "a" => [Some(true), Some(true)],
            "b" => [Some(true), Some(false)],
            "c" => [Some(false), Some(true)],
            _ => [Some(false), Some(false)],
        })
        .collect();
    let table = Table::of_flags(["correct", "incorrect"], &rows);
    let cluster = numbers(&file["cluster_of_unit"]);
    let members = |k: &usize| -> Vec<usize> { (0..rows.len()).filter(|unit| cluster[*unit] == *k).collect() };
    for (kind, name) in [(Kind::PercentAgreement, "percent_agreement"), (Kind::ScottPi, "scott_pi")] {
        for way in ["cluster", "unit"] {
            let resamples = file[format!("{way}_resamples")].as_array().unwrap();
            let expected = file[format!("{way}_{name}")].as_array().unwrap();
            let mut values = Vec::new();
            for (resample, want) in resamples.iter().zip(expected) {
                let drawn = numbers(resample);
                let units = if way == "cluster" { drawn.iter().flat_map(members).collect() } else { drawn };
                let found = of_resample(&table, &units, kind).unwrap();
                near(found, want, 1e-9, "a resample is a table of its own");
                values.push(found);
            }
            assert_eq!(values.len(), 200, "the file has 200 resamples of each sort");
            let [low, high] = percentile_interval(&mut values).unwrap();
            let want = &file[format!("{way}_ci95")][name];
            near(low, &want[0], 1e-9, "the lower end interpolates between order statistics");
            near(high, &want[1], 1e-9, "the upper end interpolates between order statistics");
        }
    }
}

fn figure16(options: &Options, collapse: f64) -> AgreementResult {
    let triples = triples();
    let units: Vec<JudgedUnit<'_>> = triples.units().collect();
    let by = [Split::single(GroupKey::Modality, triples.modality.iter().cloned())];
    judge_human_agreement(&units, &by, collapse, true, options)
}

const NO_INTERVAL: Options = Options { resamples: 0, seed: 1, resampling: Resampling::Clusters };

#[test]
fn figure_16_and_its_sweep() {
    let expected = fixture("figure16_expected.json");
    let result = figure16(&NO_INTERVAL, 1.0);
    let mut parts = vec![("overall".to_owned(), &result.numbers)];
    parts.extend(result.by.iter().map(|g| (g.group.modality.clone().unwrap(), &g.numbers)));
    let names: Vec<_> = parts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["overall", "text", "image", "audio", "video"], "modalities in their usual order");
    for (name, found) in parts {
        let want = &expected["collapse_all_ones"][&name];
        near(100.0 * found.percent_agreement.value.unwrap(), &want["percent_agreement"], 1e-9, &name);
        near(found.scott_pi.value.unwrap(), &want["scott_pi"], 1e-9, &name);
        near(found.cohen_kappa.value.unwrap(), &want["cohen_kappa"], 1e-9, &name);
        let counts = serde_json::to_value(&found.confusion).unwrap()["counts"].clone();
        let cells = serde_json::json!([[want["a"], want["b"]], [want["c"], want["d"]]]);
        assert_eq!(counts, cells, "{name}: the judge is the rows, the human the columns");
        let test = found.judge_as_test.as_ref().unwrap();
        let rate = want["a"].as_f64().unwrap() / (want["a"].as_f64().unwrap() + want["c"].as_f64().unwrap());
        assert!((test.sensitivity.value.unwrap() - rate).abs() < 1e-12, "of what people accept, found");
        let sweep = if name == "overall" {
            &expected["sweep_overall"]
        } else {
            &expected["sweep_by_modality"][&name]
        };
        let points = found.sweep.as_ref().unwrap();
        assert_eq!(points.len(), sweep.as_array().unwrap().len(), "every threshold is tried");
        for (point, want) in points.iter().zip(sweep.as_array().unwrap()) {
            near(point.threshold, &want["t"], 0.0, "thresholds are twentieths");
            near(
                100.0 * point.percent_agreement.unwrap(),
                &want["percent_agreement"],
                1e-9,
                "percent in the sweep",
            );
            near(point.scott_pi.unwrap(), &want["scott_pi"], 1e-9, "π in the sweep");
            near(point.cohen_kappa.unwrap(), &want["cohen_kappa"], 1e-9, "κ in the sweep");
            let cells = serde_json::to_value(point.counts).unwrap();
            let c = &want["cells"];
            assert_eq!(
                cells,
                serde_json::json!([[c["a"], c["b"]], [c["c"], c["d"]]]),
                "counts at {}",
                want["t"]
            );
            // Collapsing at the threshold is the same rule.
            if name == "overall" && (point.threshold - 0.8).abs() < 1e-12 {
                let collapsed = figure16(&NO_INTERVAL, 0.8).numbers;
                assert_eq!(
                    collapsed.scott_pi.value, point.scott_pi,
                    "--collapse 0.8 is the sweep's row at 0.80"
                );
            }
        }
    }
    let points = result.numbers.sweep.unwrap();
    let best = |of: fn(&agreement::SweepPoint) -> Option<f64>| {
        points.iter().max_by(|x, y| of(x).unwrap().total_cmp(&of(y).unwrap())).unwrap().threshold
    };
    near(best(|p| p.percent_agreement), &expected["best_percent_agreement"]["t"], 1e-12, "73.2 % at 0.80");
    near(best(|p| p.scott_pi), &expected["best_scott_pi"]["t"], 1e-12, "π 0.43 at 0.90");
}

#[test]
fn drawn_resamples_agree_with_the_references() {
    let file = fixture("bootstrap.json");
    for (way, resampling) in [("cluster_by_prompt", Resampling::Clusters), ("iid", Resampling::Units)] {
        for seed in [1, 2, 77] {
            let result = figure16(&Options { resamples: 10_000, seed, resampling }, 1.0);
            let mut parts = vec![("overall".to_owned(), &result.numbers)];
            parts.extend(result.by.iter().map(|g| (g.group.modality.clone().unwrap(), &g.numbers)));
            for (name, found) in parts {
                let want = &file["sets"][&name][way];
                let check = |metric: &str, found: &Coefficient| {
                    let ends = found.ci95.unwrap();
                    let tolerance = &want[format!("mc_error_B10000_{metric}")]["suggested_tolerance"];
                    for (end, value) in ends.into_iter().enumerate() {
                        // Agreement of single units moves in steps of 1 / n: where the quantile lies between two
                        // steps the reference's own runs end on either, and both are right.
                        let runs = want["runs"].as_array().unwrap().iter();
                        let ends = runs
                            .chain([&want["pooled"]])
                            .map(|run| run[metric]["ci95"][end].as_f64().unwrap());
                        let gap = ends.map(|end| (value - end).abs()).fold(f64::INFINITY, f64::min);
                        assert!(
                            gap <= tolerance[end].as_f64().unwrap(),
                            "{way} {name} {metric} end {end} seed {seed}: {value}, {gap} from the references"
                        );
                    }
                };
                check("percent_agreement", &found.percent_agreement);
                check("scott_pi", &found.scott_pi);
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_result() {
    let options = Options { resamples: 500, ..Options::default() };
    let (first, second) = (figure16(&options, 1.0), figure16(&options, 1.0));
    assert_eq!(first, second, "randomness comes from the seed alone");
    let other = figure16(&Options { seed: 2, ..options }, 1.0);
    assert_ne!(first.numbers.scott_pi.ci95, other.numbers.scott_pi.ci95, "and the seed does matter");
    assert_eq!(first.method.interval, "cluster bootstrap by prompt, percentile", "the result says how");
    assert_eq!(first.method.seed.get(), 1, "the seed is stored with the result");
}

#[test]
fn undefined_resamples_are_counted() {
    // One disagreement among 3 units: a third of the resamples or so miss it, and their π is 0/0.
    let rows = [[Some(true), Some(true)], [Some(true), Some(true)], [Some(true), Some(false)]];
    let table = Table::of_flags(["pass", "fail"], &rows);
    let options = Options { resamples: 3000, ..Options::default() };
    let result = agreement::table_agreement(&table, None, &[], &options).numbers;
    let missing = f64::from(u32::try_from(result.scott_pi.undefined_resamples.unwrap().get()).unwrap());
    // (2/3)³ = 0.296 of 3000, standard deviation 25.
    assert!((missing - 889.0).abs() < 125.0, "resamples without the odd unit have no π: {missing}");
    assert_eq!(result.percent_agreement.undefined_resamples, None, "percent agreement is always defined");
    assert!(result.notes[0].contains("Only 3 units"), "small n says so");
}
