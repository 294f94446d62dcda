//! The difference of two coefficients over the same prompts: two judges, two versions of a rubric, before and after
//! settling. Both are computed on every resample of the prompts, so that what they have in common cancels.

use crate::{
    Coefficient, Kind, Method, Options, Table,
    bootstrap::Clusters,
    rows::{Rows, UNRATED},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A table with the prompt of each of its units; the prompts' numbers mean the same in both tables of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Clustered<'t> {
    /// The ratings.
    pub table: &'t Table,
    /// `clusters[unit]` is the prompt; units beyond its end are left out.
    pub clusters: &'t [u32],
}

/// Two coefficients and their difference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// Of the first table.
    pub first: Coefficient,
    /// Of the second table.
    pub second: Coefficient,
    /// First less second, with a paired interval; undefined when either is.
    pub difference: Coefficient,
    /// How the intervals were made.
    pub method: Method,
}

/// Compares one coefficient of two tables by a paired cluster bootstrap. The tables need not hold the same units, nor
/// all prompts.
pub fn difference(kind: Kind, first: Clustered<'_>, second: Clustered<'_>, options: &Options) -> Difference {
    let count = |of: Clustered<'_>| {
        let (rows, mut units) = Rows::with_units(of.table);
        for unit in units.iter_mut().skip(of.clusters.len()) {
            *unit = UNRATED;
        }
        (rows, units)
    };
    let (a, a_units) = count(first);
    let (b, b_units) = count(second);
    let values = [&a, &b].map(|rows| kind.value(&rows.tally()));
    let between = match values {
        [Ok(a), Ok(b)] => Ok(a - b),
        [Err(why), _] | [_, Err(why)] => Err(why),
    };
    let mut out = [values[0], values[1], between].map(Coefficient::from);
    if options.resamples > 0 {
        let clusters =
            Clusters::paired([&a_units, first.clusters], [&b_units, second.clusters], a.distinct.len());
        let intervals = clusters.paired_intervals(kind, [&a, &b], options);
        let defined = |c: Coefficient, interval| if c.value.is_some() { c.with(interval) } else { c };
        let mut intervals = intervals.into_iter();
        out = out.map(|c| intervals.next().map_or(c.clone(), |interval| defined(c, interval)));
    }
    let [first, second, difference] = out;
    let mut method = Method::of(true, options);
    if options.resamples > 0 {
        "paired cluster bootstrap by prompt, percentile".clone_into(&mut method.interval);
    }
    Difference { first, second, difference, method }
}
