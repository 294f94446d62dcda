//! The cases that a rubric author can read (`tests/rubric-specs/compiler.md`).
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use rubric::{compile::compile_json, lints::Severity};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

#[test]
fn each_case_is_as_written() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/rubric-specs/compiler.md");
    let spec = fs::read_to_string(path).expect("spec");
    let cases: Vec<&str> = spec.split("\n## ").skip(1).collect();
    assert!(cases.len() >= 10, "the cases were read");
    for case in cases {
        let title = case.lines().next().unwrap();
        let fenced = case.split("```json\n").nth(1).and_then(|rest| rest.split("\n```").next());
        let items: Value = serde_json::from_str(fenced.expect(title)).expect(title);
        let file = json!({"schema": "metarubric/1", "id": "case", "question": title, "items": items});
        let compiled = compile_json(file.to_string().as_bytes());
        let rows: Vec<String> = compiled
            .checks
            .iter()
            .map(|check| {
                let demoted = if check.provenance.demoted_from.is_some() { "→" } else { "" };
                format!(
                    "| {} | {demoted}{} | {:?} | {} |",
                    check.id, check.tier, check.provenance.rule, check.text
                )
            })
            .collect();
        let written: Vec<&str> = case.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
        assert_eq!(rows, written, "{title}");
        let found: Vec<String> = compiled
            .diagnostics
            .iter()
            .filter(|d| d.severity != Severity::Info)
            .map(|d| format!("{} {}", d.code, d.item.as_deref().unwrap_or("-")))
            .collect();
        let written = case.lines().find_map(|line| line.strip_prefix("Diagnostics: ")).unwrap_or_default();
        assert_eq!(found.join(", "), written, "{title}");
        assert!(!rows.is_empty() || !found.is_empty(), "{title}: something was compared");
    }
}
