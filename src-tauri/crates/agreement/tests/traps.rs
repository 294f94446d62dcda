//! The known traps of the metrics page, one row each, and the shape in which they are written.
#![allow(clippy::unwrap_used)] // tests: a panic is the failure

use agreement::{Kind, Level, Options, Reason, Table, Weights, coefficient, table_agreement};

const PERCENT: Kind = Kind::PercentAgreement;
const KAPPA: Kind = Kind::CohenKappa(Weights::Identity);
const AC1: Kind = Kind::GwetAc(Weights::Identity);

fn pairs(counts: &[(&str, &str, usize)], categories: &[&str]) -> Table {
    let rows: Vec<Vec<Option<&str>>> =
        counts.iter().flat_map(|(a, b, n)| std::iter::repeat_n(vec![Some(*a), Some(*b)], *n)).collect();
    let categories: Vec<String> = categories.iter().map(ToString::to_string).collect();
    Table::from_labels(Level::Nominal, Some(&categories), &rows).unwrap()
}

/// `None` = undefined. Printed figures have four places.
fn expect(what: &str, table: &Table, percent: f64, values: [Option<f64>; 4]) {
    let all = [KAPPA, Kind::ScottPi, AC1, Kind::KrippendorffAlpha];
    assert_eq!(coefficient(table, PERCENT), Ok(percent), "{what}: percent agreement is exact");
    for (kind, want) in all.into_iter().zip(values) {
        match (coefficient(table, kind), want) {
            (Ok(found), Some(want)) => {
                assert!((found - want).abs() < 5e-5, "{what}, {kind:?}: {found}, not {want}");
            }
            (Err(_), None) => {}
            (found, want) => panic!("{what}, {kind:?}: {found:?}, the table says {want:?}"),
        }
    }
}

#[test]
fn known_traps() {
    let pass_fail = ["pass", "fail"];
    let rare = pairs(&[("pass", "pass", 9), ("fail", "pass", 1)], &pass_fail);
    expect("a judge that always passes", &rare, 0.9, [Some(0.0), Some(-0.0526), Some(0.8895), Some(0.0)]);
    let paradox = pairs(&[("pass", "pass", 90), ("pass", "fail", 5), ("fail", "pass", 5)], &pass_fail);
    expect(
        "high agreement, low κ",
        &paradox,
        0.9,
        [Some(-0.0526), Some(-0.0526), Some(0.8895), Some(-0.0474)],
    );
    let same = pairs(&[("pass", "pass", 10)], &pass_fail);
    expect("one label of two declared", &same, 1.0, [None, None, Some(1.0), None]);
    let single = pairs(&[("pass", "pass", 10)], &["pass"]);
    expect("one label of one declared", &single, 1.0, [None, None, None, None]);
    let text = pairs(&[("Aa", "BB", 1), ("BB", "Aa", 1), ("Aa", "Aa", 1), ("BB", "BB", 1)], &["Aa", "BB"]);
    expect("labels that hash alike", &text, 0.5, [Some(0.0), Some(0.0), Some(0.0), Some(0.125)]);
    let three = Table::from_labels(
        Level::Nominal,
        None,
        &[
            vec![Some("1"), Some("1"), None],
            vec![Some("1"), None, Some("1")],
            vec![Some("2"), None, Some("2")],
        ],
    );
    let alpha = coefficient(&three.unwrap(), Kind::KrippendorffAlpha);
    assert_eq!(alpha, Ok(1.0), "raters that miss units but agree where they meet have α = 1");
}

#[test]
fn nothing_judged_twice_is_undefined_everywhere() {
    let rows = [[Some(true), None], [None, Some(false)]];
    let table = Table::of_flags(["pass", "fail"], &rows);
    for kind in [PERCENT, KAPPA, Kind::ScottPi, AC1, Kind::KrippendorffAlpha, Kind::Pabak] {
        assert_eq!(coefficient(&table, kind), Err(Reason::NothingPairable), "{kind:?} needs a pair");
    }
    let json = serde_json::to_value(table_agreement(&table, None, &[], &Options::default())).unwrap();
    let scott = serde_json::json!({"value": null, "undefined": "no unit was judged by two people"});
    assert_eq!(json["scott_pi"], scott, "null with the reason beside it");
    assert_eq!(json["prevalence"], serde_json::Value::Null, "an index is a number or null");
    assert_eq!(json["undefined"], "no unit was judged by two people", "with the reason beside it too");
    assert!(json.get("cohen_kappa_linear").is_none(), "weighted κ is for scales with an order");
}

#[test]
fn labels_compare_after_nfc_and_by_case() {
    let table = pairs(&[("caf\u{e9}", "cafe\u{301}", 3), ("Aa", "aa", 1)], &["caf\u{e9}", "Aa", "aa"]);
    assert_eq!(coefficient(&table, PERCENT), Ok(0.75), "é in two spellings is one label, Aa and aa are two");
}

#[test]
fn bad_tables_are_refused_with_the_place() {
    let rows = vec![vec![Some("1"), Some("x")]];
    let message = |level, categories: Option<&[String]>| {
        Table::from_labels(level, categories, &rows).unwrap_err().to_string()
    };
    assert!(message(Level::Interval, None).contains("\"x\" is not a finite number"), "it names the label");
    assert!(message(Level::Ordinal, None).contains("order must be declared"), "it says what to do");
    let declared = ["1".to_owned()];
    assert!(message(Level::Nominal, Some(&declared)).starts_with("unit 1, rater 2"), "it names the cell");
    let ragged = [vec![Some("1"), None], vec![Some("1")]];
    let error = Table::from_labels(Level::Nominal, None, &ragged).unwrap_err().to_string();
    assert!(error.starts_with("unit 2 has 1 cells"), "it names the row: {error}");
}
