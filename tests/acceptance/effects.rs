//! Whose criterion: the ranked criteria of figure 16 and of the demo against a calculation of its own, which is committed beside its
//! output (`tests/fixtures/agreement/effects.py`).

use crate::at_work::{demo, study};
use acceptance::{Place, differs, figures, fixtures};
use serde_json::Value;
use std::{collections::BTreeMap, ffi::OsStr, fs};

fn reference(name: &str) -> Value {
    let text = fs::read_to_string(fixtures().join("agreement/effects.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()[name].clone()
}

/// The same figures throughout; criteria of equal rank may stand in either order of their names.
fn same(wanted: &Value, found: &Value) {
    assert!(figures(wanted) > 500, "the reference holds figures");
    let by_name = |all: &Value| -> BTreeMap<String, Value> {
        let rows = all["criteria"].as_array().unwrap().iter();
        rows.map(|row| (row["criterion"].as_str().unwrap().to_owned(), plain(row))).collect()
    };
    let (of_wanted, of_found) = (by_name(wanted), by_name(found));
    assert_eq!(
        of_wanted.keys().collect::<Vec<_>>(),
        of_found.keys().collect::<Vec<_>>(),
        "the same criteria"
    );
    for (name, row) in &of_wanted {
        assert_eq!(differs(row, &of_found[name], name), None, "each criterion");
    }
    let rank = |all: &Value| -> Vec<i64> {
        let rows = all["criteria"].as_array().unwrap().iter();
        rows.map(|row| row["alone_against_person"].as_i64().unwrap()).collect()
    };
    assert_eq!(rank(wanted), rank(found), "ranked by the disagreements in which each stands alone");
    let mut whole = wanted.clone();
    whole.as_object_mut().unwrap().remove("criteria");
    assert_eq!(differs(&plain(&whole), &plain(found), ""), None, "and over all of them");
}

/// Coefficients as their values.
fn plain(row: &Value) -> Value {
    let mut row = row.clone();
    if let Some(map) = row.as_object_mut() {
        for (name, value) in map.iter_mut() {
            if ["percent_agreement", "scott_pi", "percent_agreement_dropped", "scott_pi_dropped"]
                .contains(&name.as_str())
                && value.is_object()
            {
                *value = value["value"].clone();
            }
        }
    }
    row
}

#[test]
fn criteria_of_figure_16_rank_as_computed_apart() {
    let place = Place::new();
    let file = fixtures().join("agreement/figure16.jsonl");
    let found = place.json([OsStr::new("criteria"), OsStr::new("--triples"), file.as_os_str()]);
    same(&reference("figure16"), &found);
    // A place in the list stands for many prompts, so that what the others choose is known for each.
    for row in found["criteria"].as_array().unwrap() {
        assert!(row["agree_dropped_left_out"].is_u64(), "measured on prompts that did not choose it: {row}");
    }
}

#[test]
fn criteria_of_the_demo_rank_as_computed_apart() {
    let place = Place::new();
    let study = study(&place, "demo", &[&demo()]);
    let found = place.json([OsStr::new("criteria"), study.as_os_str()]);
    same(&reference("demo"), &found);
    let first = &found["criteria"][0];
    assert_eq!(first["alone_against_person"], 2, "one criterion alone decides two: {first}");
    assert!(
        first["agree_dropped_left_out"].is_null(),
        "it is of one prompt, so that nobody else could choose"
    );
    let text = place.text([OsStr::new("criteria"), study.as_os_str()]);
    assert!(text.contains("60 of 74 agree"), "and as a table: {text}");
}
