//! What fixes make of a criterion (`tests/rubric-specs/lint-fixes.md`), and that they never make it worse.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use rubric::lints::{Edit, Finding, LintInput, Rule, lint};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::PathBuf};

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests")
}

fn findings(criterion: &str, modality: &str, context: &Value) -> Vec<Finding> {
    let file = json!({"prompt": context["prompt"], "output_modalities": context["gold"],
        "criteria": [{"id": "1", "criterion": criterion, "modality": modality}]});
    let input: LintInput = serde_json::from_value(file).expect("any case is an acceptable FILE");
    lint(&input).findings
}

fn shown(edit: &Edit) -> String {
    match edit {
        Edit::Text { text, .. } => text.clone(),
        Edit::Modality { modality, .. } => format!("tagged {}", modality.lower()),
        Edit::Delete { .. } => "deleted".to_owned(),
        Edit::Split { parts, .. } => {
            let parts = parts.iter().map(|part| format!("{} {}", part.modality.lower(), part.text));
            parts.collect::<Vec<_>>().join(" // ")
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn each_fix_of_the_spec_is_as_written() {
    let spec = fs::read_to_string(tests().join("rubric-specs/lint-fixes.md")).expect("spec");
    let mut wrong = Vec::new();
    let mut cases = 0;
    for line in spec.lines().filter(|l| l.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [rule, modality, criterion, fixed] = cells[..] else { panic!("four cells in {line}") };
        cases += 1;
        let found = findings(criterion, modality, &json!({}));
        let Some(finding) = found.iter().find(|f| f.rule == rule) else {
            wrong.push(format!("{rule} is silent on {criterion}"));
            continue;
        };
        let made = finding.fix.as_ref().map_or("none".to_owned(), |fix| shown(&fix.edit));
        if made != fixed {
            wrong.push(format!("{rule}: {criterion} -> {made} instead of {fixed}"));
        }
        let silenced = match finding.fix.as_ref().map(|fix| &fix.edit) {
            Some(Edit::Text { text, .. }) => {
                !findings(text, modality, &json!({})).iter().any(|f| f.rule == rule)
            }
            Some(Edit::Modality { modality, .. }) => {
                !findings(criterion, modality.lower(), &json!({})).iter().any(|f| f.rule == rule)
            }
            _ => true,
        };
        if !silenced {
            wrong.push(format!("{rule} still speaks of {made}"));
        }
    }
    assert!(cases > 20, "the table was read");
    assert_eq!(wrong, Vec::<String>::new(), "every row is as written");
}

/// Over the labelled cases: how many findings of each rule come with a fix, and that a new text settles its finding.
#[test]
fn a_new_text_settles_the_finding_it_is_for() {
    let cases = fs::read_to_string(tests().join("fixtures/lints/lint-cases.jsonl")).expect("lint cases");
    let mut tally = BTreeMap::<String, (u32, u32)>::new();
    let mut wrong = Vec::new();
    for line in cases.lines().filter(|l| !l.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).expect("case");
        let (Some(criterion), Some(modality)) = (case["criterion"].as_str(), case["modality"].as_str())
        else {
            continue;
        };
        let context = &case["context"];
        for finding in findings(criterion, modality, context) {
            let count = tally.entry(finding.rule.clone()).or_default();
            count.0 += 1;
            let Some(fix) = &finding.fix else { continue };
            count.1 += 1;
            let Edit::Text { text, .. } = &fix.edit else { continue };
            if !finding_needs_more(&finding.rule)
                && findings(text, modality, context).iter().any(|f| f.rule == finding.rule)
            {
                wrong.push(format!("{}: {criterion} -> {text}", finding.rule));
            }
            assert!(
                text.ends_with(['.', '?', '"', '\u{201d}']) || !criterion.ends_with('.'),
                "{}: {text}",
                finding.rule
            );
        }
    }
    for (rule, (found, fixed)) in &tally {
        println!("{rule:<20} {found:>5} findings {fixed:>5} fixes");
    }
    assert_eq!(wrong, Vec::<String>::new(), "a text that is offered is one the rule accepts");
    for rule in ["prompt-reference", "input-reference", "cross-modality", "negative-form"] {
        let (found, fixed) = tally[rule];
        assert_eq!(found, fixed, "{rule}: every finding has a fix");
    }
    let without: Vec<&str> = Rule::all()
        .iter()
        .map(|rule| rule.id)
        .filter(|id| tally.get(*id).is_some_and(|t| t.1 == 0))
        .collect();
    // Which of too many, and which of two, only the author knows; a measurement is no text.
    let expected = ["criteria-count", "measurable"];
    assert_eq!(without, expected, "the rules that offer nothing on a criterion alone");
}

/// Fixes of these mend one place of possibly several.
fn finding_needs_more(rule: &str) -> bool {
    matches!(rule, "weight-leak" | "instruction-form" | "question-form" | "exact-speech")
}
