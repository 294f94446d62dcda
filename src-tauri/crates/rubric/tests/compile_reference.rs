//! The compiler against reference checklists (`tests/fixtures/gamut`): every id, tier, kind, text, hash, provenance and
//! diagnostic.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use rubric::{
    compile::{Compiled, compile_json},
    lints::Severity,
};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

fn fixture(name: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/gamut").join(name);
    serde_json::from_str(&fs::read_to_string(path).expect("fixture")).expect("JSON")
}

fn compile(meta_rubric: &Value) -> Compiled {
    compile_json(meta_rubric.to_string().as_bytes())
}

fn counts(compiled: &Compiled) -> Value {
    let [critical, valuable, context] = compiled.counts();
    json!({"AC": critical, "V": valuable, "C": context, "total": compiled.checks.len()})
}

/// The notices that the reference files were made before: they are looked at on their own.
fn is_later_notice(code: &str) -> bool {
    matches!(code, "FL-12" | "FL-13" | "CK-03")
}

#[test]
fn whole_checklists_are_exact() {
    let notices = [
        ("01-moka-pot.json", vec!["FL-13"]), // "keep the gasket and filter plate clean"
        ("02-monarch-caterpillar.json", vec![]),
        ("04-qr-code.json", vec![]),
        ("paper-jollof-rice-reconstruction.json", vec!["FL-13"]), // "ginger and garlic"
        ("paper-tang-sancai-reconstruction.json", vec![]),
    ];
    for (name, notices) in notices {
        let case = fixture(name);
        let compiled = compile(&case["meta_rubric"]);
        let expected = &case["expected"];
        let wanted = expected["checks"].as_array().expect("checks");
        for (check, wanted) in compiled.checks.iter().zip(wanted) {
            let mut check = serde_json::to_value(check).unwrap();
            // The files write an absent list of verdicts by leaving it out, as this does; the order of keys is free.
            assert_eq!(check, *wanted, "{name}: {}", wanted["id"]);
            assert!(check.as_object_mut().unwrap().remove("provenance").is_some(), "each check says whence");
        }
        assert_eq!(compiled.checks.len(), wanted.len(), "{name}: no check more, none fewer");
        assert_eq!(counts(&compiled), expected["counts"], "{name}: counts by tier");
        let (later, known): (Vec<_>, Vec<_>) =
            compiled.diagnostics.iter().partition(|d| is_later_notice(&d.code));
        let known: Vec<Value> = known
            .iter()
            .map(|d| json!({"level": d.severity, "code": d.code, "item": d.item, "message": d.message}))
            .collect();
        assert_eq!(Value::Array(known), expected["diagnostics"], "{name}: diagnostics, word for word");
        assert_eq!(later.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), notices, "{name}: notices");
    }
}

#[test]
fn edge_cases_are_exact() {
    let cases = fixture("edge-cases.json");
    for case in cases.as_array().expect("cases") {
        let (label, expected) = (&case["label"], &case["expect"]);
        let compiled = compile(&case["meta_rubric"]);
        let checks: Vec<Value> = compiled.checks.iter().map(|c| json!([c.id, c.tier, c.kind, c.n])).collect();
        assert_eq!(Value::Array(checks), expected["checks"], "{label}: checks");
        assert_eq!(counts(&compiled), expected["counts"], "{label}: counts");
        // The cases list what is wrong or doubtful, not what is merely good to know (most have an empty tier).
        let found: Vec<Value> = compiled
            .diagnostics
            .iter()
            .filter(|d| d.severity != Severity::Info)
            .map(|d| json!([d.severity, d.code]))
            .collect();
        assert_eq!(Value::Array(found), expected["diagnostics"], "{label}: diagnostics");
        let failed = expected["diagnostics"].as_array().unwrap().iter().any(|d| d[0] == "error");
        assert_eq!(compiled.succeeded(), !failed, "{label}: an error is a failure");
    }
}

#[test]
fn the_separator_of_an_enumeration_is_its_own() {
    let cases = fixture("edge-cases.json");
    let case = cases.as_array().unwrap().iter().find(|c| c["label"] == "semicolon in an option").unwrap();
    let compiled = compile(&case["meta_rubric"]);
    assert_eq!(
        compiled.checks[0].text,
        "Mentions at least 1 of the following things: (a) salt, coarse; (b) pepper. Options outside this list neither help nor hurt.",
        "a comma inside the enumeration"
    );
    assert_eq!(
        compiled.checks[1].text, "Mentions, as one of the things: salt; coarse.",
        "and what the author wrote outside of it"
    );
}
