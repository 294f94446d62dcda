//! Reference values made with published packages and by exact fractions (tests/fixtures/agreement), for every
//! metric that a result has a key for.
#![allow(clippy::unwrap_used)] // tests: a panic is the failure

mod support;

use agreement::{Kind, Level, Table, Weights, analytic_standard_error, coefficient};
use serde_json::Value;
use support::{fixture, label, table_of};

/// The metric's name in the references, its coefficient, and the level it is computed at.
const METRICS: [(&str, Kind, Option<Level>); 20] = [
    ("percent_agreement", Kind::PercentAgreement, None),
    ("scott_pi", Kind::ScottPi, None),
    ("cohen_kappa", Kind::CohenKappa(Weights::Identity), None),
    ("cohen_kappa_linear", Kind::CohenKappa(Weights::Linear), None),
    ("cohen_kappa_quadratic", Kind::CohenKappa(Weights::Quadratic), None),
    ("fleiss_kappa", Kind::FleissKappa(Weights::Identity), None),
    ("fleiss_kappa_linear", Kind::FleissKappa(Weights::Linear), None),
    ("fleiss_kappa_quadratic", Kind::FleissKappa(Weights::Quadratic), None),
    ("krippendorff_alpha_nominal", Kind::KrippendorffAlpha, Some(Level::Nominal)),
    ("krippendorff_alpha_ordinal", Kind::KrippendorffAlpha, Some(Level::Ordinal)),
    ("krippendorff_alpha_interval", Kind::KrippendorffAlpha, Some(Level::Interval)),
    ("gwet_ac1", Kind::GwetAc(Weights::Identity), None),
    ("gwet_ac2_linear", Kind::GwetAc(Weights::Linear), None),
    ("gwet_ac2_quadratic", Kind::GwetAc(Weights::Quadratic), None),
    ("brennan_prediger", Kind::BrennanPrediger(Weights::Identity), None),
    ("brennan_prediger_linear", Kind::BrennanPrediger(Weights::Linear), None),
    ("brennan_prediger_quadratic", Kind::BrennanPrediger(Weights::Quadratic), None),
    ("pabak", Kind::Pabak, None),
    ("prevalence_index", Kind::Pabak, None),
    ("bias_index", Kind::Pabak, None),
];

/// Checks one group of expectations; gives how many values and how many standard errors were compared.
fn check(id: &str, case: &Value, expected: &Value, errors: &mut Vec<String>) -> (usize, usize) {
    let table = table_of(case);
    let (mut values, mut ses) = (0, 0);
    for (name, kind, level) in METRICS {
        let Some(want) = expected.get(name) else { continue };
        let found = match name {
            "prevalence_index" | "bias_index" => index_of(case, &table, name),
            _ => {
                let table = level.map_or_else(|| table.clone(), |l| table.at_level(l).unwrap());
                let found = coefficient(&table, kind);
                // Where a unit has one rating, the packages' error of percent agreement is too large (README of
                // the references) and no corrected one is given; PABAK's is that of Brennan and Prediger.
                let single = expected["brennan_prediger"]["units_with_one_rating"].as_u64().is_some();
                let source = if name == "pabak" { &expected["brennan_prediger"] } else { want };
                if let Some(se) = source.get("se_ratio").or(source.get("se")).and_then(Value::as_f64)
                    && !(name == "percent_agreement" && single)
                {
                    let own = analytic_standard_error(&table, kind);
                    let tolerance = want["se_tol"].as_f64().unwrap_or(1e-7);
                    ses += 1;
                    if own.is_none_or(|own| (own - se).abs() > tolerance) {
                        errors.push(format!("{id} {name}: standard error {own:?}, the reference has {se}"));
                    }
                }
                found.ok()
            }
        };
        values += 1;
        let want = want["value"].as_f64();
        let same = match (found, want) {
            (Some(found), Some(want)) => (found - want).abs() <= 1e-9,
            (None, None) => true,
            _ => false,
        };
        if !same {
            errors.push(format!("{id} {name}: {found:?}, the reference has {want:?}"));
        }
    }
    (values, ses)
}

/// The indices of a whole result, with the positive label first.
fn index_of(case: &Value, table: &Table, name: &str) -> Option<f64> {
    let options = agreement::Options { resamples: 0, ..agreement::Options::default() };
    let numbers = agreement::table_agreement(table, None, &[], &options).numbers;
    // The references count the named positive label as a; a result counts the first category as a.
    let first = case["positive"].is_null() || label(&case["positive"]) == label(&case["categories"][0]);
    let found = if name == "prevalence_index" { numbers.prevalence } else { numbers.bias };
    found.map(|value| if first { value } else { -value })
}

#[test]
fn every_reference_case() {
    let cases = fixture("cases.json");
    let mut errors = Vec::new();
    let (mut values, mut ses) = (0, 0);
    for case in cases["cases"].as_array().unwrap() {
        let (v, s) = check(case["id"].as_str().unwrap(), case, &case["expected"], &mut errors);
        values += v;
        ses += s;
    }
    assert!(errors.is_empty(), "values are exact to 1e-9, errors to their tolerance:\n{}", errors.join("\n"));
    assert!(values > 600, "the file has over 600 values that a result has a key for, {values} were compared");
    assert!(ses > 400, "the file has over 400 standard errors, {ses} were compared");
}

#[test]
fn every_case_from_issue_threads() {
    let issues = fixture("issues.json");
    let mut errors = Vec::new();
    let mut values = 0;
    for test in issues["tests"].as_array().unwrap().iter().filter(|t| t["data"].is_array()) {
        values += check(test["id"].as_str().unwrap(), test, &test["right"], &mut errors).0;
    }
    assert!(errors.is_empty(), "what packages got wrong is right here:\n{}", errors.join("\n"));
    assert!(values >= 45, "the threads state at least 45 such values, {values} were compared");
}

#[test]
fn interval_alpha_takes_any_number_of_values() {
    // fast-krippendorff#38: 2,400 pairs of real-valued scores, where the peer builds units × values × values.
    let thousandths = |n: i64| format!("{}", n as f64 / 1000.0);
    let rows: Vec<Vec<Option<String>>> = (0..2400_i64)
        .map(|i| {
            let x = (7919 * i) % 2500 - 1250;
            let y = x + (104_729 * i) % 101 - 50;
            vec![Some(thousandths(x)), Some(thousandths(y))]
        })
        .collect();
    let table = Table::from_labels(Level::Interval, None, &rows).unwrap();
    let alpha = coefficient(&table, Kind::KrippendorffAlpha).unwrap();
    assert!(
        (alpha - 0.999_184_599_482_353_3).abs() < 1e-9,
        "as R's irr gives and exact fractions do: {alpha}"
    );
}
