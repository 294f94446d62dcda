//! The rules over labelled cases (`tests/fixtures/lints`): precision and recall per rule, and the two rubrics that
//! MMI prints.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use rubric::lints::{Finding, LintInput, Rule, RuleClass, Severity, lint};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::PathBuf};

fn fixture(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/lints").join(name);
    fs::read_to_string(path).expect("lint fixture")
}

/// The case as a FILE of `assize lint`.
fn input(case: &Value) -> LintInput {
    let context = &case["context"];
    let criteria = if context["criteria"].is_array() {
        context["criteria"].clone()
    } else {
        let mut criterion = json!({"id": "1", "criterion": case["criterion"], "modality": case["modality"]});
        if let Some(weight) = context.get("weight").or_else(|| case.get("weight")) {
            criterion["weight"] = weight.clone();
        }
        json!([criterion])
    };
    let file =
        json!({"prompt": context["prompt"], "output_modalities": context["gold"], "criteria": criteria});
    serde_json::from_value(file).expect("any case is an acceptable FILE")
}

fn fires(case: &Value, rule: &str) -> bool {
    lint(&input(case)).findings.iter().any(|f| f.rule == rule)
}

#[derive(Default)]
struct Tally {
    hit: u32,
    missed: u32,
    false_alarm: u32,
    silent: u32,
}

impl Tally {
    fn precision(&self) -> f64 {
        f64::from(self.hit) / f64::from((self.hit + self.false_alarm).max(1))
    }
    fn recall(&self) -> f64 {
        f64::from(self.hit) / f64::from((self.hit + self.missed).max(1))
    }
    fn add(&mut self, other: &Self) {
        self.hit += other.hit;
        self.missed += other.missed;
        self.false_alarm += other.false_alarm;
        self.silent += other.silent;
    }
}

/// Precision and recall of each rule over the cases of a fixture, printed; and of each class.
fn aims_hold(name: &str) {
    let mut tallies = BTreeMap::<String, Tally>::new();
    let mut wrong = Vec::new();
    for line in fixture(name).lines().filter(|l| !l.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).expect("case");
        let rule = case["rule"].as_str().expect("rule");
        let (expected, fired) = (case["expect"] == "flag", fires(&case, rule));
        let tally = tallies.entry(rule.to_owned()).or_default();
        match (expected, fired) {
            (true, true) => tally.hit += 1,
            (true, false) => tally.missed += 1,
            (false, true) => tally.false_alarm += 1,
            (false, false) => tally.silent += 1,
        }
        if expected != fired {
            wrong.push(format!("{} [{}] {}", case["id"], case["modality"], case["criterion"]));
        }
    }
    let (mut mechanical, mut heuristic) = (Tally::default(), Tally::default());
    println!("{name}\n{:<20} {:>9} {:>7} {:>6}", "rule", "precision", "recall", "cases");
    for rule in Rule::all() {
        let tally = tallies.get(rule.id).unwrap_or_else(|| panic!("{} has cases", rule.id));
        let cases = tally.hit + tally.missed + tally.false_alarm + tally.silent;
        println!("{:<20} {:>9.2} {:>7.2} {cases:>6}", rule.id, tally.precision(), tally.recall());
        match rule.class {
            RuleClass::Mechanical => mechanical.add(tally),
            RuleClass::Heuristic => heuristic.add(tally),
        }
    }
    println!("class i  {:.3} {:.3}", mechanical.precision(), mechanical.recall());
    println!("class ii {:.3} {:.3}", heuristic.precision(), heuristic.recall());
    println!("{}", wrong.join("\n"));
    assert_eq!(tallies.len(), Rule::all().len(), "every rule has cases, and every case has a rule");
    assert!(mechanical.precision() >= 0.90, "class i is precise enough to be taken at its word");
    assert!(mechanical.recall() >= 0.90, "class i finds what it is for");
    assert!(
        heuristic.precision() >= 0.80,
        "class ii is right more often than an author tires of dismissing it"
    );
    assert!(heuristic.recall() >= 0.80, "class ii finds most of what it is for");
}

#[test]
fn precision_and_recall_per_rule() {
    aims_hold("lint-cases.jsonl");
}

/// The same kind of cases in the words of other annotators, written before the rules were last changed.
#[test]
fn precision_and_recall_per_rule_in_other_words() {
    aims_hold("fresh-cases.jsonl");
}

fn paper_sets() -> Vec<LintInput> {
    serde_json::from_str(&fixture("paper-sets.json")).expect("the printed sets are FILEs")
}

#[test]
fn the_printed_sets_have_no_error() {
    let sets = paper_sets();
    assert_eq!(sets.len(), 2, "MMI prints two sets");
    for set in sets {
        assert!(
            set.prompt.is_some() && set.gold.is_some(),
            "prompt and gold list were read, so every rule ran"
        );
        let errors: Vec<Finding> =
            lint(&set).findings.into_iter().filter(|f| f.severity == Severity::Error).collect();
        assert_eq!(errors, vec![], "the published criteria are well-formed");
    }
}

#[test]
fn each_case_of_the_spec_holds() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/rubric-specs/lints.md");
    let mut wrong = Vec::new();
    let mut cases = 0;
    for line in fs::read_to_string(path).expect("spec").lines().filter(|l| l.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [rule, expect, modality, criterion, why] = cells[..] else { panic!("five cells in {line}") };
        assert!(Rule::all().iter().any(|r| r.id == rule), "{rule} is a rule, so that the case can fail");
        cases += 1;
        let fired = fires(&json!({"criterion": criterion, "modality": modality}), rule);
        if fired != (expect == "flag") {
            wrong.push(format!("{rule} should {expect} [{modality}] {criterion} ({why})"));
        }
    }
    assert!(cases > 60, "the table was read");
    assert_eq!(wrong, Vec::<String>::new(), "every row is as written");
}

/// Criteria that no word list was made from: the aims of LINTS hold on them, and every miss is printed.
#[test]
fn the_aims_hold_on_fresh_wording() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/rubric-specs/lints-fresh.md");
    let (mut mechanical, mut heuristic) = (Tally::default(), Tally::default());
    for line in fs::read_to_string(path).expect("spec").lines().filter(|l| l.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [rule, expect, modality, criterion] = cells[..] else { panic!("four cells in {line}") };
        let known = Rule::all().iter().find(|r| r.id == rule).unwrap_or_else(|| panic!("{rule} is a rule"));
        let fired = fires(&json!({"criterion": criterion, "modality": modality}), rule);
        let tally = match known.class {
            RuleClass::Mechanical => &mut mechanical,
            RuleClass::Heuristic => &mut heuristic,
        };
        match (expect == "flag", fired) {
            (true, true) => tally.hit += 1,
            (true, false) => tally.missed += 1,
            (false, true) => tally.false_alarm += 1,
            (false, false) => tally.silent += 1,
        }
        if fired != (expect == "flag") {
            println!("{rule} should {expect} [{modality}] {criterion}");
        }
    }
    println!("class i  {:.3} {:.3}", mechanical.precision(), mechanical.recall());
    println!("class ii {:.3} {:.3}", heuristic.precision(), heuristic.recall());
    assert!(mechanical.precision() >= 0.90 && mechanical.recall() >= 0.90, "class i holds on other words");
    assert!(heuristic.precision() >= 0.80 && heuristic.recall() >= 0.80, "class ii holds on other words");
}
