//! How long the two things take that a person waits for. `cargo bench -p agreement`.

use agreement::{Kind, Level, Options, Table, coefficient, table_agreement};
use std::time::{Duration, Instant};

/// The median of several runs.
fn timed(runs: usize, mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[runs / 2]
}

/// A stream of well mixed bits; what the labels are does not matter here.
fn mixed(at: u64) -> u64 {
    let z = at.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (z ^ (z >> 31)).wrapping_mul(0x94D0_49BB_1331_11EB) >> 20
}

fn main() {
    let rows: Vec<[Option<bool>; 2]> = (0..1499)
        .map(|at| {
            let judge = mixed(at) % 100 < 53;
            let human = if mixed(at + 5000) % 100 < 71 { judge } else { !judge };
            [Some(judge), Some(human)]
        })
        .collect();
    let clusters: Vec<u32> = (0..1499_u32).map(|at| at * 893 / 1499).collect();
    let table = Table::of_flags(["correct", "incorrect"], &rows);
    let bootstrap = timed(9, || {
        let result = table_agreement(&table, Some(&clusters), &[], &Options::default());
        assert!(result.numbers.scott_pi.ci95.is_some(), "there is an interval");
    });
    println!("all coefficients, 10,000 cluster resamples, 893 clusters, 2 x 2: {bootstrap:?}");

    for (raters, units, labels) in [(2, 1_000_000, 2), (5, 1_000_000, 5)] {
        let cells: Vec<Option<u16>> = (0..raters * units)
            .map(|at| {
                let draw = mixed(at);
                (!draw.is_multiple_of(5)).then(|| u16::try_from((draw >> 8) % labels).unwrap_or(0))
            })
            .collect();
        let categories = (0..labels).map(|c| c.to_string()).collect();
        let raters = usize::try_from(raters).unwrap_or(2);
        let Ok(table) = Table::from_codes(Level::Nominal, categories, raters, &cells) else { return };
        let alpha = timed(5, || {
            assert!(coefficient(&table, Kind::KrippendorffAlpha).is_ok(), "α is defined");
        });
        println!("nominal alpha, {raters} raters x {units} units, {labels} values, 20 % missing: {alpha:?}");
    }
}
