//! Exact bounds against scipy 1.12 (`scipy.stats.beta.ppf`) and against the binomial distribution itself, and plans against simulated studies.
#![allow(clippy::unwrap_used)] // tests: a panic is the failure

mod support;

use agreement::{
    Expected, Kind, Options, Planner, Reason, Resampling, Table, Weights, analytic_standard_error,
    audit_size, cluster_robust_standard_error, error_rate_bound, share_interval, table_agreement,
};
use support::{fixture, triples};

#[test]
fn bounds_on_an_error_rate() {
    for (errors, items, confidence, want) in [
        (0, 30, 0.95, 0.095_033_852_855_304_11),
        (1, 30, 0.95, 0.148_596_068_659_113_12),
        (3, 50, 0.9, 0.128_756_422_586_601_9),
        (17, 200, 0.99, 0.142_038_297_382_021_78),
        (29, 30, 0.95, 0.998_291_684_355_534_3),
        (120, 100_000, 0.95, 0.001_396_301_033_615_533_7),
    ] {
        let found = error_rate_bound(errors, items, confidence).unwrap();
        assert!((found - want).abs() < 1e-10, "{errors} of {items} at {confidence}: {found}, scipy {want}");
    }
    assert_eq!(error_rate_bound(5, 5, 0.95), Ok(1.0), "all wrong says nothing against a rate of 1");
}

/// Chance of at most `hits` among `n` at `p`, summed term by term; terms as logarithms, which do not underflow.
fn tail(hits: u64, n: u64, p: f64) -> f64 {
    let mut term = n as f64 * (-p).ln_1p();
    let mut sum = term.exp();
    for k in 1..=hits {
        term += ((n - k + 1) as f64 / k as f64).ln() + p.ln() - (-p).ln_1p();
        sum += term.exp();
    }
    sum
}

/// The bound is by its definition where the chance of so few errors is what the confidence leaves, and the size of an audit is the
/// least that suffices: for every number of errors in samples of up to 120, and some larger ones.
#[test]
fn every_bound_is_where_the_binomial_tail_meets_its_level() {
    let mut checked = 0;
    for items in (1..=120).chain([150, 200, 299, 300, 473, 1000]) {
        for errors in (0..items).filter(|errors| items <= 120 || *errors <= 30) {
            for confidence in [0.8, 0.95, 0.99] {
                let bound = error_rate_bound(errors, items, confidence).unwrap();
                let left = tail(errors, items, bound);
                let level = 1.0 - confidence;
                assert!(
                    (left - level).abs() < 1e-8,
                    "{errors} of {items} at {confidence}: {bound} leaves {left}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 20_000, "{checked} bounds");
    for rate in [0.01, 0.02, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5] {
        for errors in 0..=12 {
            let size = audit_size(rate, errors, 0.95).unwrap();
            assert!(tail(errors, size, rate) <= 0.05 + 1e-12, "{size} with {errors} suffice for {rate}");
            let fewer = size - 1;
            assert!(fewer <= errors || tail(errors, fewer, rate) > 0.05, "and {fewer} do not");
        }
    }
}

#[test]
fn two_sided_intervals_of_a_share() {
    for (hits, items, want) in [
        (5, 5, [0.478_176_249_895_018_56, 1.0]),
        (0, 12, [0.0, 0.264_648_469_397_071_17]),
        (7, 20, [0.153_909_204_784_541_2, 0.592_188_534_532_832_8]),
        (1062, 1499, [0.684_739_668_133_427_6, 0.731_385_339_141_626_1]),
    ] {
        let found = share_interval(hits, items, 0.95).unwrap();
        for (found, want) in found.into_iter().zip(want) {
            assert!((found - want).abs() < 1e-10, "{hits} of {items}: {found}, scipy has {want}");
        }
    }
}

#[test]
fn audits_are_as_large_as_they_must_be() {
    for (rate, errors, items) in [(0.05, 0, 59), (0.1, 0, 29), (0.05, 2, 124), (0.01, 1, 473)] {
        assert_eq!(audit_size(rate, errors, 0.95), Ok(items), "the first size whose bound is at most {rate}");
    }
}

#[test]
fn nonsense_is_refused_with_the_reason() {
    assert_eq!(error_rate_bound(0, 0, 0.95), Err(Reason::EmptySample));
    assert_eq!(error_rate_bound(3, 2, 0.95), Err(Reason::MoreHitsThanItems));
    assert_eq!(error_rate_bound(0, 10, 1.0), Err(Reason::NoConfidence));
    assert_eq!(error_rate_bound(0, 10, f64::NAN), Err(Reason::NoConfidence));
    assert_eq!(audit_size(0.0, 0, 0.95), Err(Reason::NoRate));
}

#[test]
fn cluster_robust_errors_and_the_design_effect() {
    let triples = triples();
    let table = triples.table(1.0);
    let file = fixture("bootstrap.json");
    let analytic = &file["sets"]["overall"]["analytic"];
    for (kind, name, alone) in [
        (Kind::ScottPi, "scott_pi", "delta_divisor_n"),
        (Kind::PercentAgreement, "percent_agreement", "binomial"),
    ] {
        let of = |key: &str| analytic[format!("se_{name}")][key].as_f64().unwrap();
        let found = analytic_standard_error(&table, kind).unwrap();
        assert!((found - of(alone)).abs() < 1e-9, "{name} over independent units: {found}");
        let robust = cluster_robust_standard_error(&table, &triples.cluster, kind).unwrap();
        assert!((robust - of("cluster_sandwich")).abs() < 1e-9, "{name} over prompts: {robust}");
        let planner = Planner::of_pilot(kind, &table, &triples.cluster, 0.95).unwrap();
        let effect = planner.plan(0.05).unwrap().design_effect;
        let want = analytic[format!("design_effect_{name}")].as_f64().unwrap();
        assert!(
            (effect - want).abs() < 1e-9,
            "{name}: the design effect is {effect}, the reference has {want}"
        );
    }
    let each: Vec<u32> = (0..).take(table.units()).collect();
    for kind in
        [Kind::FleissKappa(Weights::Identity), Kind::GwetAc(Weights::Identity), Kind::KrippendorffAlpha]
    {
        let (a, b) =
            (analytic_standard_error(&table, kind), cluster_robust_standard_error(&table, &each, kind));
        assert!((a.unwrap() - b.unwrap()).abs() < 1e-12, "{kind:?}: clusters of one unit change nothing");
    }
}

#[test]
fn a_plan_reproduces_its_pilot() {
    let triples = triples();
    let table = triples.table(1.0);
    let planner = Planner::of_pilot(Kind::ScottPi, &table, &triples.cluster, 0.95).unwrap();
    // 2 × 1.959964 × the cluster-robust error of the reference.
    let width = planner.width(1499);
    assert!((width - 2.0 * 1.959_963_985 * 0.026_765_999_9).abs() < 1e-8, "as wide as it is: {width}");
    let plan = planner.plan(width / 2.0).unwrap();
    assert_eq!(plan.units.get(), 4 * 1499, "half the width takes four times the units");
    assert_eq!(plan.clusters.get(), 4 * 893, "and four times the prompts");
    assert!(plan.note.is_none(), "that many are enough for the formula");
}

#[test]
fn plans_hold_in_simulated_studies() {
    // Agreement 0.8 where one says correct of 60 % and the other of 50 %, by hand: both 0.45, first alone 0.15, second
    // alone 0.05, neither 0.35; π = (0.8 - 0.505) / 0.495.
    let expected = Expected { agreement: 0.8, first: 0.6, second: 0.5 };
    let planner = Planner::of_expected(Kind::ScottPi, expected, 1.0, 1.0, 0.95).unwrap();
    let plan = planner.plan(0.2).unwrap();
    assert!((plan.value - 0.295 / 0.495).abs() < 1e-9, "π as expected: {}", plan.value);
    assert!(plan.width <= 0.2 && planner.width(plan.units.get() - 1) > 0.2, "the fewest units that do");
    // A study of exactly these shares has the bootstrap interval that was planned.
    let units = usize::try_from(plan.units.get()).unwrap();
    let share = |p: f64| p * units as f64;
    let cell = |at: usize| match at as f64 + 0.5 {
        x if x < share(0.45) => [Some(true), Some(true)],
        x if x < share(0.60) => [Some(true), Some(false)],
        x if x < share(0.65) => [Some(false), Some(true)],
        _ => [Some(false), Some(false)],
    };
    let rows: Vec<_> = (0..units).map(cell).collect();
    let options = Options { resamples: 20_000, seed: 4, resampling: Resampling::Units };
    let result = table_agreement(&Table::of_flags(["yes", "no"], &rows), None, &[], &options);
    let [low, high] = result.numbers.scott_pi.ci95.unwrap();
    assert!(
        (high - low - 0.2).abs() < 0.008,
        "{units} units: planned 0.2, the bootstrap gives {}",
        high - low
    );
    let twice = Planner::of_expected(Kind::ScottPi, expected, 2.0, 1.5, 0.95).unwrap().plan(0.2).unwrap();
    assert!(
        (twice.units.get() as f64 / plan.units.get() as f64 - 1.5).abs() < 0.01,
        "the design effect multiplies"
    );
    assert_eq!(twice.clusters.get(), twice.units.get().div_ceil(2), "two units a prompt");
}

#[test]
fn impossible_plans_say_why() {
    let of = |agreement, first, second| {
        let expected = Expected { agreement, first, second };
        Planner::of_expected(Kind::ScottPi, expected, 1.0, 1.0, 0.95)
    };
    assert_eq!(of(0.9, 0.9, 0.2).unwrap_err(), Reason::NoSuchTable, "margins this far apart cannot agree");
    assert_eq!(of(1.0, 0.5, 0.5).unwrap_err(), Reason::NoVariance, "perfect agreement has no width");
    assert_eq!(of(0.8, 0.6, 0.5).unwrap().plan(0.0).unwrap_err(), Reason::NoWidth);
}
