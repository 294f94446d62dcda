//! Percentile bootstrap by counts.
//!
//! Clusters (all units of one prompt) are drawn with replacement, as many as there are; the coefficient is taken
//! of the pooled counts. Two clusters whose units have the same rows are exchangeable, so that only how often each
//! *kind* of cluster comes up is drawn (a multinomial), and never a row. Resampling units is the same with one
//! cluster per unit. Two tables over the same clusters are drawn together, which pairs them.

use crate::{
    Kind, Reason,
    draw::Draw,
    resample::Resampler,
    rows::{Rows, UNRATED},
    tally::{Sparse, Tally},
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    pub ci95: Option<[f64; 2]>,
    pub undefined: u32,
}

/// `(row, times)` of a cluster, ascending by row.
pub(crate) type Members = Vec<(u32, u32)>;

/// The kinds of clusters: which rows each has how often, and how many clusters are of the kind.
pub(crate) struct Clusters {
    kinds: Vec<(Members, u32)>,
}

impl Clusters {
    /// Every rated unit on its own.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // times are counts of units, below 2^32
    pub fn units(rows: &Rows) -> Self {
        Self::of_kinds((0..).zip(&rows.times).map(|(row, times)| (vec![(row, 1)], *times as u32)).collect())
    }

    /// Units grouped by `cluster[unit]`; a unit without one is on its own. `row[unit]` is the place of its row;
    /// units without a rating play no part.
    pub fn by(row: &[u32], cluster: &[u32]) -> Self {
        let place = |unit: usize| cluster.get(unit).map_or((true, unit), |c| (false, *c as usize));
        let units = row.iter().enumerate().filter(|(_, row)| **row != UNRATED);
        Self::grouped(units.map(|(unit, row)| (place(unit), *row)).collect())
    }

    /// Clusters that have units in two tables; the rows of the second count on from `first_rows`.
    pub fn paired(first: [&[u32]; 2], second: [&[u32]; 2], first_rows: usize) -> Self {
        let from = u32::try_from(first_rows).unwrap_or(u32::MAX);
        let of = |[rows, cluster]: [&[u32]; 2], from: u32| -> Vec<(u32, u32)> {
            let units = rows.iter().zip(cluster).filter(|(row, _)| **row != UNRATED);
            units.map(|(row, cluster)| (*cluster, row + from)).collect()
        };
        let mut units = of(first, 0);
        units.extend(of(second, from));
        Self::grouped(units)
    }

    fn grouped<P: Ord>(mut units: Vec<(P, u32)>) -> Self {
        units.sort_unstable();
        let mut kinds: BTreeMap<Members, u32> = BTreeMap::new();
        for cluster in units.chunk_by(|a, b| a.0 == b.0) {
            let same = cluster.chunk_by(|a, b| a.1 == b.1);
            let members = same.map(|same| (same[0].1, u32::try_from(same.len()).unwrap_or(u32::MAX)));
            *kinds.entry(members.collect()).or_default() += 1;
        }
        Self::of_kinds(kinds.into_iter().collect())
    }

    /// From counted kinds. The commonest first; among equals in the order of their rows, which is one of labels, so
    /// that the order of units plays no part.
    pub fn of_kinds(mut kinds: Vec<(Members, u32)>) -> Self {
        kinds.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Self { kinds }
    }

    /// How many clusters there are.
    pub fn len(&self) -> u32 {
        self.kinds.iter().map(|(_, count)| count).sum()
    }

    /// Each kind's members and how many clusters are of it.
    pub fn kinds(&self) -> impl Iterator<Item = (&[(u32, u32)], u32)> {
        self.kinds.iter().map(|(members, count)| (members.as_slice(), *count))
    }

    /// Calls `each` once a resample with what every place adds and how often it came up. Places are rows (`entries`
    /// is what each adds) or kinds of clusters, whichever there is less to add up for.
    fn resample(&self, entries: &[Sparse], options: &Options, mut each: impl FnMut(&[Sparse], &[u32])) {
        let of_rows = entries.iter().map(Vec::len).sum::<usize>();
        let of_members = self.kinds.iter().map(|(members, _)| members.len()).sum::<usize>();
        let own =
            |members: &Members| members.iter().map(|(row, _)| entries[*row as usize].len()).sum::<usize>();
        let widest = entries.iter().flatten().map(|(at, _)| at + 1).max().unwrap_or(0);
        let of_kinds = self.kinds.iter().map(|(members, _)| own(members).min(widest)).sum::<usize>();
        let rows_are_less = of_rows + of_members <= of_kinds;
        let by_kind: Vec<Sparse> = if rows_are_less {
            Vec::new()
        } else {
            self.kinds.iter().map(|(members, _)| sum(members, entries)).collect()
        };
        let mut draw = Draw::seeded(options.seed);
        let (places, mut resampler) = if rows_are_less {
            (entries, Resampler::new(self.kinds(), entries.len()))
        } else {
            let own: Vec<[(u32, u32); 1]> = (0..).zip(&self.kinds).map(|(at, _)| [(at, 1)]).collect();
            let kinds = own.iter().zip(&self.kinds).map(|(own, (_, count))| (own.as_slice(), *count));
            (by_kind.as_slice(), Resampler::new(kinds, by_kind.len()))
        };
        for _ in 0..options.resamples {
            each(places, resampler.draw(&mut draw));
        }
    }

    /// One interval per coefficient, all from the same resamples.
    pub fn intervals(&self, kinds: &[Kind], rows: &Rows, options: &Options) -> Vec<Interval> {
        let mut tally = Tally::empty(rows.layout, &rows.values);
        let mut values: Vec<Vec<f64>> = kinds.iter().map(|_| room(options)).collect();
        self.resample(&rows.entries, options, |places, drawn| {
            add_up(&mut tally, places, drawn);
            for (kind, values) in kinds.iter().zip(&mut values) {
                values.extend(kind.value(&tally));
            }
        });
        values.into_iter().map(|values| interval(values, options)).collect()
    }

    /// Intervals of a coefficient of each of two tables, and of the first less the second, all from the same
    /// resamples. The clusters are [`paired`](Self::paired).
    pub fn paired_intervals(&self, kind: Kind, tables: [&Rows; 2], options: &Options) -> [Interval; 3] {
        let [first, second] = tables;
        let entries: Vec<Sparse> = tables.iter().flat_map(|rows| rows.entries.iter().cloned()).collect();
        // Rows of two tables lie in two tallies, so that the places have to be rows.
        let mut resampler = Resampler::new(self.kinds(), entries.len());
        let mut draw = Draw::seeded(options.seed);
        let mut tallies = tables.map(|rows| Tally::empty(rows.layout, &rows.values));
        let mut values = [(); 3].map(|()| room(options));
        for _ in 0..options.resamples {
            let (a, b) = resampler.draw(&mut draw).split_at(first.entries.len());
            add_up(&mut tallies[0], &first.entries, a);
            add_up(&mut tallies[1], &second.entries, b);
            let [a, b] = [kind.value(&tallies[0]), kind.value(&tallies[1])];
            values[0].extend(a);
            values[1].extend(b);
            if let (Ok(a), Ok(b)) = (a, b) {
                values[2].push(a - b);
            }
        }
        values.map(|values| interval(values, options))
    }
}

fn room(options: &Options) -> Vec<f64> {
    Vec::with_capacity(options.resamples as usize)
}

fn sum(members: &[(u32, u32)], entries: &[Sparse]) -> Sparse {
    let mut sum: BTreeMap<usize, f64> = BTreeMap::new();
    for (row, times) in members {
        for (at, amount) in &entries[*row as usize] {
            *sum.entry(*at).or_default() += amount * f64::from(*times);
        }
    }
    sum.into_iter().collect()
}

fn add_up(tally: &mut Tally<'_>, places: &[Sparse], drawn: &[u32]) {
    tally.clear();
    for (entries, times) in places.iter().zip(drawn).filter(|(_, times)| **times > 0) {
        tally.add(entries, f64::from(*times));
    }
}

fn interval(mut values: Vec<f64>, options: &Options) -> Interval {
    Interval {
        undefined: options.resamples - u32::try_from(values.len()).unwrap_or(options.resamples),
        ci95: percentile_interval(&mut values),
    }
}

/// The coefficient of one given resample: unit numbers, repeated as drawn. For checking against resamples that
/// were drawn elsewhere.
///
/// # Errors
/// The reason why the coefficient is undefined there.
pub fn of_resample(table: &crate::Table, units: &[usize], kind: Kind) -> Result<f64, Reason> {
    crate::coefficient(&table.subset(units), kind)
}

/// 2.5 % and 97.5 % quantiles with linear interpolation between order statistics (Hyndman and Fan's type 7, numpy's
/// default); none of no values. The values are left in another order.
pub fn percentile_interval(values: &mut [f64]) -> Option<[f64; 2]> {
    let last = values.len().checked_sub(1)?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ place ≤ last
    let mut quantile = |p: f64| {
        let place = p * last as f64;
        let at = (place.floor() as usize).min(last);
        let (_, low, above) = values.select_nth_unstable_by(at, f64::total_cmp);
        let low = *low;
        let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
        low + (high - low) * (place - at as f64)
    };
    Some([quantile(0.025), quantile(0.975)])
}
