//! What must hold of any table.
#![allow(clippy::unwrap_used)] // tests: a panic is the failure

use agreement::{Kind, Level, Options, Table, Weights, coefficient, table_agreement};
use proptest::prelude::*;

const Q: u16 = 4;
const KINDS: [Kind; 11] = [
    Kind::PercentAgreement,
    Kind::ScottPi,
    Kind::CohenKappa(Weights::Identity),
    Kind::FleissKappa(Weights::Identity),
    Kind::KrippendorffAlpha,
    Kind::GwetAc(Weights::Identity),
    Kind::BrennanPrediger(Weights::Identity),
    Kind::CohenKappa(Weights::Quadratic),
    Kind::CongerKappa(Weights::Identity),
    Kind::PercentAgreementPooledPairs,
    Kind::PercentAgreementAllRaters,
];

fn table(level: Level, raters: usize, cells: &[Option<u16>]) -> Table {
    let categories = (0..Q).map(|c| (c * c).to_string()).collect();
    Table::from_codes(level, categories, raters, cells).unwrap()
}

fn cells() -> impl Strategy<Value = (usize, Vec<Option<u16>>)> {
    (2_usize..5, 1_usize..25).prop_flat_map(|(raters, units)| {
        let cell = prop_oneof![4 => (0..Q).prop_map(Some), 1 => Just(None)];
        (Just(raters), prop::collection::vec(cell, raters * units))
    })
}

fn level() -> impl Strategy<Value = Level> {
    prop_oneof![Just(Level::Nominal), Just(Level::Ordinal), Just(Level::Interval), Just(Level::Ratio)]
}

/// Same value to rounding, or both undefined.
fn same(a: &Table, b: &Table, kind: Kind) -> bool {
    match (coefficient(a, kind), coefficient(b, kind)) {
        (Ok(x), Ok(y)) => (x - y).abs() < 1e-9,
        (Err(x), Err(y)) => x == y,
        _ => false,
    }
}

proptest! {
    #[test]
    fn relabelling_changes_nothing_on_a_nominal_scale((raters, cells) in cells(), shift in 1..Q) {
        let renamed: Vec<_> = cells.iter().map(|c| c.map(|c| (c + shift) % Q)).collect();
        let (a, b) = (table(Level::Nominal, raters, &cells), table(Level::Nominal, raters, &renamed));
        for kind in KINDS {
            prop_assert!(same(&a, &b, kind), "names carry no meaning: {:?}", kind);
        }
    }

    #[test]
    fn turning_the_scale_round_changes_nothing((raters, cells) in cells()) {
        let turned: Vec<_> = cells.iter().map(|c| c.map(|c| Q - 1 - c)).collect();
        let (a, b) = (table(Level::Ordinal, raters, &cells), table(Level::Ordinal, raters, &turned));
        for kind in KINDS {
            prop_assert!(same(&a, &b, kind), "distances stay: {:?}", kind);
        }
    }

    #[test]
    fn order_of_units_and_raters_changes_nothing((raters, cells) in cells(), level in level()) {
        let rows = cells.chunks(raters);
        let upside: Vec<_> = rows.clone().rev().flatten().copied().collect();
        let swapped: Vec<_> = rows.flat_map(|row| row.iter().rev()).copied().collect();
        let a = table(level, raters, &cells);
        for other in [table(level, raters, &upside), table(level, raters, &swapped)] {
            for kind in KINDS {
                prop_assert!(same(&a, &other, kind), "order carries no meaning: {:?}", kind);
            }
        }
        let options = Options { resamples: 40, ..Options::default() };
        let reversed = table(level, raters, &upside);
        let (x, y) = (table_agreement(&a, None, &[], &options), table_agreement(&reversed, None, &[], &options));
        prop_assert_eq!(x.numbers.gwet_ac1.ci95, y.numbers.gwet_ac1.ci95, "not even for an interval");
    }

    #[test]
    fn values_are_finite_and_at_most_one((raters, cells) in cells(), level in level()) {
        let a = table(level, raters, &cells);
        for kind in KINDS {
            if let Ok(value) = coefficient(&a, kind) {
                prop_assert!(value.is_finite() && value <= 1.0 + 1e-12, "{:?} is {}", kind, value);
            }
        }
    }

    #[test]
    fn a_unit_judged_once_says_nothing((raters, cells) in cells(), level in level(), label in 0..Q) {
        let mut more = cells.clone();
        more.push(Some(label));
        more.extend(vec![None; raters - 1]);
        let (a, b) = (table(level, raters, &cells), table(level, raters, &more));
        for kind in [KINDS[0], KINDS[1], KINDS[2], KINDS[4], KINDS[9]] {
            prop_assert!(same(&a, &b, kind), "{:?} is over pairable units", kind);
        }
    }

    #[test]
    fn counting_and_one_pass_give_the_same((raters, cells) in cells(), level in level()) {
        // 40 categories and up to 4 raters are too many rows to count in an array: the other way is taken.
        let few = table(level, raters, &cells);
        let spread: Vec<_> = cells.iter().map(|c| c.map(|c| c * 10)).collect();
        let labels = (0..40_u16).map(|c| (if c % 10 == 0 { (c / 10) * (c / 10) } else { 100 + c }).to_string());
        let many = Table::from_codes(level, labels.collect(), raters, &spread).unwrap();
        for kind in [KINDS[0], KINDS[1], KINDS[2], KINDS[3], KINDS[4], KINDS[8]] {
            prop_assert!(same(&few, &many, kind), "categories that never occur change nothing: {:?}", kind);
        }
    }

    #[test]
    fn numbers_are_read_as_labels_are((raters, cells) in cells()) {
        let categories = [0.0, 1.0, 4.0, 9.0];
        let value = |cell: &Option<u16>| cell.map_or(f64::NAN, |c| categories[usize::from(c)]);
        let values: Vec<f64> = cells.iter().map(value).collect();
        let read = Table::from_numbers(Level::Interval, &categories, raters, &values).unwrap();
        prop_assert_eq!(&read, &table(Level::Interval, raters, &cells), "NaN is missing");
        let gapless: Vec<f64> = cells.iter().map(|c| c.map_or(f64::NAN, |c| f64::from(c) - 1.0)).collect();
        let read = Table::from_numbers(Level::Nominal, &[-1.0, 0.0, 1.0, 2.0], raters, &gapless).unwrap();
        prop_assert!(same(&read, &table(Level::Nominal, raters, &cells), Kind::KrippendorffAlpha), "by value");
        prop_assert!(Table::from_numbers(Level::Nominal, &[0.0, 1.0], 1, &[0.5]).is_err(), "0.5 is undeclared");
    }

    #[test]
    fn every_result_is_json_without_nan((raters, cells) in cells(), level in level()) {
        let options = Options { resamples: 30, ..Options::default() };
        let result = table_agreement(&table(level, raters, &cells), None, &[], &options);
        // A NaN is written as null, which does not read back as the same value.
        let text = serde_json::to_string(&result).unwrap();
        let back: agreement::AgreementResult = serde_json::from_str(&text).unwrap();
        let c = &back.numbers.krippendorff_alpha;
        prop_assert_eq!(c.value.is_none(), c.undefined.is_some(), "null exactly when a reason is given");
        prop_assert!(!text.contains("[null"), "ends of intervals are numbers");
    }
}
