//! Our answers for `benches/peers/run`: reads `{id: {"scale","categories","data"}}` and prints
//! `{id: {coefficient: {"value"} or {"value": null, "undefined"}}}`. `cargo run -p agreement --example answers -- FILE`.
#![allow(clippy::unwrap_used)] // a tool for the documentation: a panic is the failure

use agreement::{Coefficient, Kind, Level, Table, Weights, coefficient, light_kappa};
use serde_json::{Map, Value};

const KINDS: [(&str, Kind); 13] = [
    ("percent_agreement", Kind::PercentAgreement),
    ("scott_pi", Kind::ScottPi),
    ("cohen_kappa", Kind::CohenKappa(Weights::Identity)),
    ("cohen_kappa_linear", Kind::CohenKappa(Weights::Linear)),
    ("cohen_kappa_quadratic", Kind::CohenKappa(Weights::Quadratic)),
    ("fleiss_kappa", Kind::FleissKappa(Weights::Identity)),
    ("fleiss_kappa_linear", Kind::FleissKappa(Weights::Linear)),
    ("fleiss_kappa_quadratic", Kind::FleissKappa(Weights::Quadratic)),
    ("conger_kappa", Kind::CongerKappa(Weights::Identity)),
    ("gwet_ac1", Kind::GwetAc(Weights::Identity)),
    ("gwet_ac2_linear", Kind::GwetAc(Weights::Linear)),
    ("gwet_ac2_quadratic", Kind::GwetAc(Weights::Quadratic)),
    ("brennan_prediger", Kind::BrennanPrediger(Weights::Identity)),
];
const LEVELS: [(&str, Level); 4] = [
    ("nominal", Level::Nominal),
    ("ordinal", Level::Ordinal),
    ("interval", Level::Interval),
    ("ratio", Level::Ratio),
];

fn label(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn main() {
    let file = std::env::args().nth(1).unwrap();
    let cases: Map<String, Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut all = Map::new();
    for (id, case) in cases {
        let categories: Vec<String> = case["categories"].as_array().unwrap().iter().map(label).collect();
        let cell = |cell: &Value| (!cell.is_null()).then(|| label(cell));
        let rows: Vec<Vec<Option<String>>> = case["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_array().unwrap().iter().map(cell).collect())
            .collect();
        let level: Level = case["scale"].as_str().unwrap().parse().unwrap();
        let table = Table::from_labels(level, Some(&categories), &rows).unwrap();
        let mut answers = Map::new();
        let mut say = |name: String, value| {
            answers.insert(name, serde_json::to_value(Coefficient::from(value)).unwrap());
        };
        for (name, kind) in KINDS {
            say(name.to_owned(), coefficient(&table, kind));
        }
        for (name, level) in LEVELS {
            if let Ok(table) = table.at_level(level) {
                say(format!("krippendorff_alpha_{name}"), coefficient(&table, Kind::KrippendorffAlpha));
            }
        }
        say("light_kappa".to_owned(), light_kappa(&table));
        all.insert(id, Value::Object(answers));
    }
    println!("{}", Value::Object(all));
}
