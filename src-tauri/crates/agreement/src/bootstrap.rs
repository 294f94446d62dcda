//! Percentile bootstrap by counts.
//!
//! Clusters (all units of one prompt) are drawn with replacement, as many as there are; the coefficient is taken
//! of the pooled counts. Two clusters whose units have the same rows are exchangeable, so that only how often each
//! *kind* of cluster comes up is drawn (a multinomial), and a resample costs one pass over the kinds. Resampling
//! units is the same with one cluster per unit.

use crate::{
    Kind, Reason,
    draw::{Draw, Urn},
    tally::{Rows, Sparse, Tally},
};
use std::collections::BTreeMap;

/// What is resampled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Resampling {
    /// Clusters: responses to one prompt are not independent.
    #[default]
    Clusters,
    /// Units, as if they were independent.
    Units,
}

/// How intervals are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many resamples; 0 = no intervals.
    pub resamples: u32,
    /// The seed; the same seed gives the same interval.
    pub seed: u64,
    /// What is resampled.
    pub resampling: Resampling,
}
impl Default for Options {
    /// 10,000 cluster resamples, seed 1.
    fn default() -> Self {
        Self { resamples: 10_000, seed: 1, resampling: Resampling::Clusters }
    }
}

/// An interval, and how many resamples had no value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Interval {
    pub ci95: Option<[f64; 2]>,
    pub undefined: u32,
}

/// The kinds of clusters: what each adds, and how many there are.
pub(crate) struct Clusters {
    entries: Vec<Sparse>,
    counts: Vec<u32>,
}

impl Clusters {
    /// Every rated unit on its own.
    pub fn units(rows: &Rows) -> Self {
        let mut counts = vec![0_u32; rows.distinct.len()];
        for id in rows.of_unit.iter().flatten() {
            counts[*id as usize] += 1;
        }
        Self::sorted(rows.entries.iter().cloned().zip(counts).collect())
    }

    /// Units grouped by `cluster[unit]`; a unit without one is on its own, units without a rating play no part.
    pub fn by(rows: &Rows, cluster: &[u32]) -> Self {
        let mut members: BTreeMap<(u32, usize), BTreeMap<u32, u32>> = BTreeMap::new();
        for (unit, id) in rows.of_unit.iter().enumerate() {
            let Some(id) = id else { continue };
            let key = cluster.get(unit).map_or((u32::MAX, unit + 1), |c| (*c, 0));
            *members.entry(key).or_default().entry(*id).or_default() += 1;
        }
        let mut kinds: BTreeMap<Vec<(u32, u32)>, u32> = BTreeMap::new();
        for rows_of_cluster in members.into_values() {
            *kinds.entry(rows_of_cluster.into_iter().collect()).or_default() += 1;
        }
        let sum = |members: Vec<(u32, u32)>| -> Sparse {
            let mut sum: BTreeMap<usize, f64> = BTreeMap::new();
            for (row, times) in members {
                for (at, amount) in &rows.entries[row as usize] {
                    *sum.entry(*at).or_default() += amount * f64::from(times);
                }
            }
            sum.into_iter().collect()
        };
        Self::sorted(kinds.into_iter().map(|(members, count)| (sum(members), count)).collect())
    }

    /// The commonest first, so that a draw is over early; else as they come, which is an order of labels.
    fn sorted(mut kinds: Vec<(Sparse, u32)>) -> Self {
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let (entries, counts) = kinds.into_iter().unzip();
        Self { entries, counts }
    }

    /// How many clusters there are.
    pub fn len(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// One interval per coefficient, all from the same resamples.
    pub fn intervals(&self, kinds: &[Kind], rows: &Rows, options: &Options) -> Vec<Interval> {
        let mut draw = Draw::seeded(options.seed);
        let urn = Urn::of(self.counts.clone());
        let mut drawn = vec![0; self.counts.len()];
        let mut tally = Tally::empty(rows.layout, &rows.values);
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); kinds.len()];
        for _ in 0..options.resamples {
            urn.draw(&mut draw, &mut drawn);
            tally.clear();
            for (entries, times) in self.entries.iter().zip(&drawn).filter(|(_, times)| **times > 0) {
                tally.add(entries, f64::from(*times));
            }
            for (kind, values) in kinds.iter().zip(&mut values) {
                values.extend(kind.value(&tally));
            }
        }
        let interval = |mut values: Vec<f64>| Interval {
            undefined: options.resamples - u32::try_from(values.len()).unwrap_or(options.resamples),
            ci95: percentile_interval(&mut values),
        };
        values.into_iter().map(interval).collect()
    }
}

/// The coefficient of one given resample: unit numbers, repeated as drawn. For checking against resamples that
/// were drawn elsewhere.
///
/// # Errors
/// The reason why the coefficient is undefined there.
pub fn of_resample(table: &crate::Table, units: &[usize], kind: Kind) -> Result<f64, Reason> {
    let rows = Rows::of(&table.subset(units));
    kind.value(&rows.tally())
}

/// 2.5 % and 97.5 % quantiles with linear interpolation between order statistics (Hyndman and Fan's type 7, numpy's
/// default); none of no values.
pub fn percentile_interval(values: &mut [f64]) -> Option<[f64; 2]> {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ place ≤ last
    let quantile = |p: f64| {
        let place = p * last as f64;
        let low = (place.floor() as usize).min(last);
        let high = (low + 1).min(last);
        values[low] + (values[high] - values[low]) * (place - low as f64)
    };
    Some([quantile(0.025), quantile(0.975)])
}
