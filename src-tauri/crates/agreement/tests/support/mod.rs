//! Reading the reference files.
#![allow(dead_code)] // every test binary uses its own part

use agreement::{Level, Table};
use serde_json::Value;
use std::path::PathBuf;

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
