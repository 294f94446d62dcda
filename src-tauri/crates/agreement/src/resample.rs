//! One resample after the other: how often each row comes up when clusters are drawn with replacement.
//!
//! Kinds of clusters that are common are drawn by binomials, one after the other (a multinomial); what is left is
//! drawn singly, which is cheaper where a kind is rare. A single draw adds the rows of its cluster; up to eight
//! different rows are added as 16-bit lanes of one or two numbers at once.

use crate::draw::Draw;

/// A kind is drawn by a binomial when at least this many single draws are saved.
const COMMON: u32 = 64;
/// Rows that fit the lanes of one number.
const LANES: usize = 4;

/// Draws resamples of fixed clusters.
pub(crate) struct Resampler {
    /// How many clusters are drawn.
    size: u32,
    /// The common kinds, commonest first, and the chance of each among the clusters from it on.
    common: Vec<(Vec<(u32, u32)>, f64)>,
    rare: Rare,
    drawn: Vec<u32>,
}

/// The kinds that are drawn singly: an entry per cluster.
enum Rare {
    /// What a cluster adds, in lanes.
    OneNumber(Vec<u64>),
    /// The same in two numbers.
    TwoNumbers(Vec<[u64; 2]>),
    /// The kind of each cluster, the kinds' rows, and room for how often each kind came up.
    Listed { kinds: Vec<u32>, members: Vec<Vec<(u32, u32)>>, drawn: Vec<u32> },
}

impl Resampler {
    /// `kinds` are clusters' `(row, times)` and how many clusters are of the kind, the commonest first; there are
    /// `rows` different rows.
    pub fn new<'k>(kinds: impl Iterator<Item = (&'k [(u32, u32)], u32)>, rows: usize) -> Self {
        let kinds: Vec<(Vec<(u32, u32)>, u32)> =
            kinds.map(|(members, count)| (members.to_vec(), count)).collect();
        let size: u32 = kinds.iter().map(|(_, count)| count).sum();
        let split = kinds.partition_point(|(_, count)| *count >= COMMON);
        let mut kinds = kinds;
        let rare = kinds.split_off(split);
        let mut clusters = size;
        let by_binomial = |(members, count): (Vec<(u32, u32)>, u32)| {
            let chance = f64::from(count) / f64::from(clusters);
            clusters -= count;
            (members, chance)
        };
        let common = kinds.into_iter().map(by_binomial).collect();
        // No lane may overflow, whatever is drawn.
        let most = rare.iter().flat_map(|(members, _)| members.iter().map(|(_, times)| *times)).max();
        let fits = u16::try_from(u64::from(most.unwrap_or(0)) * u64::from(size)).is_ok();
        let clusters = || rare.iter().flat_map(|(members, n)| std::iter::repeat_n(members, *n as usize));
        let lane = |row: u32, times: u32| u64::from(times) << (16 * (row as usize % LANES));
        let rare = if fits && rows <= LANES {
            let add = |members: &Vec<(u32, u32)>| members.iter().map(|(row, n)| lane(*row, *n)).sum();
            Rare::OneNumber(clusters().map(add).collect())
        } else if fits && rows <= 2 * LANES {
            let half = |members: &Vec<(u32, u32)>, half: usize| -> u64 {
                let own = members.iter().filter(|(row, _)| *row as usize / LANES == half);
                own.map(|(row, n)| lane(*row, *n)).sum()
            };
            Rare::TwoNumbers(clusters().map(|members| [half(members, 0), half(members, 1)]).collect())
        } else {
            let kinds = (0..).zip(&rare).flat_map(|(kind, (_, n))| std::iter::repeat_n(kind, *n as usize));
            Rare::Listed {
                kinds: kinds.collect(),
                drawn: vec![0; rare.len()],
                members: rare.iter().map(|(members, _)| members.clone()).collect(),
            }
        };
        Self { size, common, rare, drawn: vec![0; rows] }
    }

    /// How often each row comes up in one resample.
    pub fn draw(&mut self, draw: &mut Draw) -> &[u32] {
        let drawn = &mut self.drawn;
        drawn.fill(0);
        let mut left = self.size;
        for (members, chance) in &self.common {
            let taken = draw.binomial(left, *chance);
            for (row, times) in members {
                drawn[*row as usize] += *times * taken;
            }
            left -= taken;
        }
        match &mut self.rare {
            Rare::OneNumber(adds) => {
                let mut sum = 0;
                draw.picks(left, adds, |add| sum += add);
                unpack(sum, drawn);
            }
            Rare::TwoNumbers(adds) => {
                let mut sums = [0; 2];
                draw.picks(left, adds, |add| {
                    sums[0] += add[0];
                    sums[1] += add[1];
                });
                let middle = LANES.min(drawn.len());
                let (low, high) = drawn.split_at_mut(middle);
                unpack(sums[0], low);
                unpack(sums[1], high);
            }
            Rare::Listed { kinds, members, drawn: of_kind } => {
                of_kind.fill(0);
                draw.picks(left, kinds, |kind| of_kind[*kind as usize] += 1);
                for (members, taken) in members.iter().zip(of_kind).filter(|(_, taken)| **taken > 0) {
                    for (row, times) in members {
                        drawn[*row as usize] += times * *taken;
                    }
                }
            }
        }
        &self.drawn
    }
}

fn unpack(sum: u64, drawn: &mut [u32]) {
    for (lane, drawn) in drawn.iter_mut().enumerate() {
        *drawn += u32::try_from(sum >> (16 * lane) & 0xFFFF).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    //! Every way to draw gives multinomial counts. Seeds are fixed, so a failure is a change of the code.
    use super::*;

    /// Counts of clusters by kind; every kind has one row of its own, so that rows drawn are kinds drawn.
    fn check(counts: &[u32]) {
        let members: Vec<[(u32, u32); 1]> = (0..).zip(counts).map(|(row, _)| [(row, 1)]).collect();
        let kinds = members.iter().map(<[(u32, u32); 1]>::as_slice).zip(counts.iter().copied());
        let mut resampler = Resampler::new(kinds, counts.len());
        let mut draw = Draw::seeded(3);
        let size: u32 = counts.iter().sum();
        let rounds = 20_000;
        let mut sums = vec![0.0; counts.len()];
        let mut squares = vec![0.0; counts.len()];
        for _ in 0..rounds {
            let drawn = resampler.draw(&mut draw);
            assert_eq!(drawn.iter().sum::<u32>(), size, "a resample has as many clusters as the sample");
            for (at, n) in drawn.iter().enumerate() {
                sums[at] += f64::from(*n);
                squares[at] += f64::from(*n).powi(2);
            }
        }
        let rounds = f64::from(rounds);
        for (at, count) in counts.iter().enumerate() {
            let p = f64::from(*count) / f64::from(size);
            let npq = f64::from(size) * p * (1.0 - p);
            let mean = sums[at] / rounds;
            let variance = squares[at] / rounds - mean * mean;
            let far = 5.0 * (npq / rounds).sqrt();
            assert!(
                (mean - f64::from(*count)).abs() < far,
                "kind {at} of {counts:?} comes up by its share: {mean}"
            );
            // The variance of a sample variance is about (2 σ⁴ + σ²) / rounds.
            let far = 5.0 * ((2.0 * npq * npq + npq) / rounds).sqrt();
            assert!((variance - npq).abs() < far, "binomial variance: {variance} against {npq}");
        }
    }

    #[test]
    fn counts_are_multinomial() {
        check(&[500, 300, 93]); // binomials
        check(&[3, 2, 1, 1]); // lanes of one number
        check(&[200, 9, 5, 3, 2, 1]); // a binomial, then lanes of two numbers
        check(&[90, 40, 30, 15, 10, 9, 8, 7, 6, 5]); // a binomial, then a list
    }

    #[test]
    fn a_cluster_brings_all_its_rows() {
        // Two kinds with 2 and 3 units; whatever is drawn, rows come in these proportions.
        for times in [1, 1000] {
            let (a, b) = ([(0, 2 * times)], [(1, times), (2, 2 * times)]);
            let mut resampler = Resampler::new([(a.as_slice(), 30), (b.as_slice(), 20)].into_iter(), 3);
            let mut draw = Draw::seeded(5);
            for _ in 0..100 {
                let drawn = resampler.draw(&mut draw);
                assert_eq!(drawn[2], 2 * drawn[1], "the rows of one cluster come together");
                assert_eq!(drawn[0] / (2 * times) + drawn[1] / times, 50, "50 clusters are drawn");
            }
        }
    }
}
