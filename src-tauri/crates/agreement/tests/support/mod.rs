//! Reading the reference files.
#![allow(dead_code)] // every test binary uses its own part

use agreement::{JudgedUnit, Level, Table, judged_correct};
use domain::Verdict;
use serde_json::Value;
use std::{collections::BTreeMap, path::PathBuf};

/// A file of tests/fixtures/agreement.
pub fn text(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/agreement").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A JSON file of tests/fixtures/agreement.
pub fn fixture(name: &str) -> Value {
    serde_json::from_str(&text(name)).unwrap()
}

/// A label as text.
pub fn label(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The table of a reference case.
pub fn table_of(case: &Value) -> Table {
    let level: Level = case["scale"].as_str().unwrap().parse().unwrap();
    let categories: Vec<String> = case["categories"].as_array().unwrap().iter().map(label).collect();
    let rows: Vec<Vec<Option<String>>> = case["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_array().unwrap().iter().map(|c| (!c.is_null()).then(|| label(c))).collect())
        .collect();
    Table::from_labels(level, Some(&categories), &rows).unwrap()
}

/// The judgements of figure 16, one entry a unit.
pub struct Triples {
    /// Which prompt.
    pub cluster: Vec<u32>,
    pub modality: Vec<String>,
    pub human: Vec<Verdict>,
    pub scores: Vec<Vec<f64>>,
}

impl Triples {
    /// As units to be collapsed.
    pub fn units(&self) -> impl Iterator<Item = JudgedUnit<'_>> {
        (0..self.cluster.len()).map(|at| JudgedUnit {
            cluster: self.cluster[at],
            scores: &self.scores[at],
            human: Some(self.human[at]),
        })
    }

    /// Judge and person at a threshold.
    pub fn table(&self, threshold: f64) -> Table {
        let rows: Vec<[Option<bool>; 2]> = self
            .units()
            .map(|unit| [judged_correct(unit.scores, threshold), unit.human.map(|v| v == Verdict::Correct)])
            .collect();
        Table::of_flags([Verdict::Correct.name(), Verdict::Incorrect.name()], &rows)
    }
}

/// figure16.jsonl; prompts are numbered in order of first sight.
pub fn triples() -> Triples {
    let mut prompts: BTreeMap<String, u32> = BTreeMap::new();
    let mut out =
        Triples { cluster: Vec::new(), modality: Vec::new(), human: Vec::new(), scores: Vec::new() };
    for line in text("figure16.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let next = u32::try_from(prompts.len()).unwrap();
        out.cluster.push(*prompts.entry(row["prompt_id"].as_str().unwrap().to_owned()).or_insert(next));
        out.modality.push(row["modality"].as_str().unwrap().to_owned());
        out.human.push(row["human_verdict"].as_str().unwrap().parse().unwrap());
        let scores = row["criterion_scores"].as_array().unwrap();
        out.scores.push(scores.iter().map(|s| s.as_f64().unwrap()).collect());
    }
    out
}
