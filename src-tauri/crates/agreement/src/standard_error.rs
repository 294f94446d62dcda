//! Analytic standard errors: how much each unit moves the coefficient (its influence), squared and summed.
//!
//! * Scott's π and Cohen's κ: delta method over the pair table, divisor n (κ: Fleiss, Cohen and Everitt 1969).
//! * Coefficients for any number of raters: linearised, divisor n (n − 1) (Gwet 2014). The observed part is
//!   linearised as the ratio it is: a unit with one rating says nothing about agreement and adds nothing to its
//!   variance, where the usual package formula counts it as a deviation.
//! * Percent agreement of two raters, sensitivity and specificity are shares, divisor n.
//! * α on an ordinal scale has none: its distances move with the counts; use the interval.
//!
//! Units are taken as independent. The cluster-robust error sums the influences of a cluster before squaring; it
//! gives the design effect by which clustering inflates a variance.

use crate::{
    Kind, Weights,
    bootstrap::Clusters,
    coefficient::{expected_disagreement, gwet_scale, rater_shares},
    row::Row,
    rows::Rows,
    tally::Tally,
};

/// What each distinct row adds to the error of a coefficient, and the divisor under the sum of squares.
pub(crate) struct Influence {
    of_row: Vec<f64>,
    divisor: Divisor,
}

#[derive(Clone, Copy)]
enum Divisor {
    /// n², the influences being deviations.
    Square(f64),
    /// n (n − 1).
    SquareLessOne(f64),
}

impl Influence {
    /// Units taken as independent.
    fn standard_error(&self, rows: &Rows) -> Option<f64> {
        let sum: f64 = self.of_row.iter().zip(&rows.times).map(|(own, times)| times * own * own).sum();
        match self.divisor {
            Divisor::Square(n) => (n > 0.0).then(|| sum.sqrt() / n),
            Divisor::SquareLessOne(n) => (n > 1.0).then(|| (sum / (n * (n - 1.0))).sqrt()),
        }
    }

    /// Units of a cluster taken together; the factor n / (n − 1), where the independent form has it, becomes that of
    /// the number of clusters.
    fn cluster_robust(&self, clusters: &Clusters) -> Option<f64> {
        let own = |members: &[(u32, u32)]| -> f64 {
            members.iter().map(|(row, times)| self.of_row[*row as usize] * f64::from(*times)).sum()
        };
        let sum: f64 = clusters.kinds().map(|(members, count)| f64::from(count) * own(members).powi(2)).sum();
        let g = f64::from(clusters.len());
        match self.divisor {
            Divisor::Square(n) => (n > 0.0).then(|| sum.sqrt() / n),
            Divisor::SquareLessOne(n) => (n > 1.0 && g > 1.0).then(|| (sum / (n * n) * g / (g - 1.0)).sqrt()),
        }
    }
}

/// The standard error of a coefficient that has the value `value`, over independent units; none where no formula
/// applies.
pub(crate) fn standard_error(kind: Kind, value: f64, rows: &Rows, tally: &Tally<'_>) -> Option<f64> {
    influence(kind, value, rows, tally)?.standard_error(rows)
}

/// The same over clusters of units that are not independent of each other.
pub(crate) fn cluster_robust_error(
    kind: Kind,
    value: f64,
    rows: &Rows,
    tally: &Tally<'_>,
    clusters: &Clusters,
) -> Option<f64> {
    influence(kind, value, rows, tally)?.cluster_robust(clusters)
}

fn influence(kind: Kind, value: f64, rows: &Rows, tally: &Tally<'_>) -> Option<Influence> {
    let q = rows.layout.q;
    match kind {
        Kind::PercentAgreement if rows.layout.raters == 2 => {
            Some(of_share(rows, value, &|row| row.pair.map(|(a, b)| a == b)))
        }
        Kind::PercentAgreementAllRaters => Some(of_share(rows, value, &|row| {
            (row.cells.len() as f64 - row.ratings < 0.5).then_some(row.counts.len() == 1)
        })),
        Kind::Sensitivity | Kind::Specificity => {
            let wanted = usize::from(kind == Kind::Specificity);
            let hit = |row: &Row| row.pair.filter(|(_, b)| *b == wanted).map(|(a, b)| a == b);
            Some(of_share(rows, value, &hit))
        }
        Kind::PercentAgreementPooledPairs => {
            let [pairs, _] = tally.pairs();
            let n = tally.rated();
            let own = |row: &Row| {
                let [own, agreeing] = row.pairs();
                (agreeing - value * own) * n / pairs
            };
            let of_row = rows.distinct.iter().map(own).collect();
            Some(Influence { of_row, divisor: Divisor::SquareLessOne(n) })
        }
        Kind::PercentAgreement => Some(linearised(rows, tally, Weights::Identity, 0.0, &|_| 0.0)),
        Kind::Pabak => Some(linearised(rows, tally, Weights::Identity, 0.5, &|_| 0.0)),
        Kind::BrennanPrediger(w) => Some(linearised(rows, tally, w, 1.0 - w.uniform(q), &|_| 0.0)),
        Kind::FleissKappa(w) => {
            let shares = mean_shares(tally);
            let slope: Vec<f64> = toward(w, &shares).into_iter().map(|mean| 2.0 * mean).collect();
            let chance = slope.iter().zip(&shares).map(|(d, p)| d * p).sum::<f64>() / 2.0;
            Some(linearised(rows, tally, w, chance, &|row| moved(row, &shares, &slope)))
        }
        Kind::CongerKappa(w) => Some(conger(w, rows, tally)),
        Kind::GwetAc(w) => {
            let shares = mean_shares(tally);
            let scale = gwet_scale(w, q);
            let slope: Vec<f64> = shares.iter().map(|p| scale * (1.0 - 2.0 * p)).collect();
            let chance = scale * shares.iter().map(|p| p * (1.0 - p)).sum::<f64>();
            Some(linearised(rows, tally, w, chance, &|row| moved(row, &shares, &slope)))
        }
        Kind::ScottPi => {
            let n = 2.0 * tally.pairable();
            let pooled: Vec<f64> = tally.pairables().iter().map(|m| m / n).collect();
            let chance = pooled.iter().map(|p| p * p).sum();
            Some(delta(rows, Weights::Identity, chance, &|k, l| pooled[k] + pooled[l]))
        }
        Kind::CohenKappa(w) => {
            let margins = tally.margins()?;
            let [first, second] =
                margins.map(|m| -> Vec<f64> { m.iter().map(|c| c / tally.pairable()).collect() });
            let (by_first, by_second) = (toward(w, &second), toward(w, &first));
            let chance = by_first.iter().zip(&first).map(|(d, p)| d * p).sum();
            Some(delta(rows, w, chance, &|k, l| by_first[k] + by_second[l]))
        }
        Kind::KrippendorffAlpha => alpha(rows, tally),
    }
}

/// Mean agreement of each category with one drawn by `shares`.
fn toward(weights: Weights, shares: &[f64]) -> Vec<f64> {
    let q = shares.len();
    let mean = |k| (0..q).map(|l| (1.0 - weights.distance(k, l, q)) * shares[l]).sum();
    (0..q).map(mean).collect()
}

/// A share of units: `hit` says of which rows it is, and whether they count.
fn of_share(rows: &Rows, share: f64, hit: &dyn Fn(&Row) -> Option<bool>) -> Influence {
    let hits: Vec<Option<bool>> = rows.distinct.iter().map(hit).collect();
    let n = hits.iter().zip(&rows.times).filter(|(hit, _)| hit.is_some()).map(|(_, times)| times).sum();
    let deviation = |hit: &Option<bool>| hit.map_or(0.0, |hit| f64::from(u8::from(hit)) - share);
    Influence { of_row: hits.iter().map(deviation).collect(), divisor: Divisor::Square(n) }
}

fn mean_shares(tally: &Tally<'_>) -> Vec<f64> {
    tally.shares().iter().map(|sum| sum / tally.rated()).collect()
}

/// How far a row moves chance agreement: its shares against the mean shares, along the slope.
fn moved(row: &Row, shares: &[f64], slope: &[f64]) -> f64 {
    let own: f64 = row.counts.iter().map(|(k, n)| slope[*k] * n / row.ratings).sum();
    own - slope.iter().zip(shares).map(|(d, p)| d * p).sum::<f64>()
}

/// Conger's chance term moves with the margins of the raters who rated the row, each a mean over that rater's own
/// units.
fn conger(weights: Weights, rows: &Rows, tally: &Tally<'_>) -> Influence {
    let shares = rater_shares(tally);
    let raters = shares.len() as f64;
    let q = rows.layout.q;
    let mut sum = vec![0.0; q];
    for own in &shares {
        for (sum, share) in sum.iter_mut().zip(own) {
            *sum += share;
        }
    }
    let all = toward(weights, &sum);
    // Per rater of the table: how many ratings, the slope by category, and its mean.
    let mut known = shares.iter();
    let mut chance = 0.0;
    let by_rater: Vec<Option<(f64, Vec<f64>, f64)>> = tally
        .by_rater()
        .map(|counts| {
            let n: f64 = counts.iter().sum();
            let own = if n > 0.0 { known.next()? } else { return None };
            let within = toward(weights, own);
            let slope: Vec<f64> =
                (0..q).map(|k| 2.0 * (all[k] - within[k]) / (raters * (raters - 1.0))).collect();
            let mean: f64 = slope.iter().zip(own).map(|(d, p)| d * p).sum();
            chance += mean / 2.0;
            Some((n, slope, mean))
        })
        .collect();
    let n = tally.rated();
    let moved = |row: &Row| -> f64 {
        let of = |(rater, k): (usize, usize)| {
            by_rater[rater].as_ref().map_or(0.0, |(own, slope, mean)| (slope[k] - mean) * n / own)
        };
        row.said().map(of).sum()
    };
    linearised(rows, tally, weights, chance, &moved)
}

fn linearised(
    rows: &Rows,
    tally: &Tally<'_>,
    weights: Weights,
    chance: f64,
    moved: &dyn Fn(&Row) -> f64,
) -> Influence {
    let (n, pairable) = (tally.rated(), tally.pairable());
    let observed = tally.agreement(weights.index()) / pairable;
    let free = 1.0 - chance;
    let own = |row: &Row| {
        let agreement = if row.ratings < 2.0 {
            0.0
        } else {
            (row.agreement(rows.layout.q)[weights.index()] - observed) * n / pairable
        };
        agreement / free - (1.0 - observed) / (free * free) * moved(row)
    };
    Influence { of_row: rows.distinct.iter().map(own).collect(), divisor: Divisor::SquareLessOne(n) }
}

/// `slope(k, l)` is the derivative of chance agreement by the share of the cell (k, l).
fn delta(rows: &Rows, weights: Weights, chance: f64, slope: &dyn Fn(usize, usize) -> f64) -> Influence {
    let q = rows.layout.q;
    let pairs = || rows.distinct.iter().zip(&rows.times).filter_map(|(row, times)| Some((row.pair?, *times)));
    let n: f64 = pairs().map(|(_, times)| times).sum();
    let observed = pairs().map(|((k, l), t)| t * (1.0 - weights.distance(k, l, q))).sum::<f64>() / n;
    let free = 1.0 - chance;
    let influence =
        |k, l| (1.0 - weights.distance(k, l, q)) / free - (1.0 - observed) / (free * free) * slope(k, l);
    let mean = pairs().map(|((k, l), t)| t * influence(k, l)).sum::<f64>() / n;
    let own = |row: &Row| row.pair.map_or(0.0, |(k, l)| influence(k, l) - mean);
    Influence { of_row: rows.distinct.iter().map(own).collect(), divisor: Divisor::Square(n) }
}

/// α without its small-sample term, linearised over pairable units; a unit's share of the values enters with the
/// observed agreement that has that term, as in Gwet's irrCAC, whose published errors this gives.
fn alpha(rows: &Rows, tally: &Tally<'_>) -> Option<Influence> {
    let apart = rows.layout.apart(tally.values)?;
    let counts = tally.pairables();
    let total: f64 = counts.iter().sum();
    let expected = expected_disagreement(counts, apart);
    let observed = tally.disagreement();
    let slope = apart.slope(counts);
    let n = tally.pairable();
    let own = |row: &Row| {
        if row.ratings < 2.0 {
            return 0.0;
        }
        let by_counts: f64 = row.counts.iter().map(|(k, m)| m * slope[*k]).sum();
        let own = total * row.disagreement(apart) + observed * row.ratings
            - observed * total / expected * by_counts;
        let small_sample = observed * (row.ratings / total - 1.0 / n);
        (own + small_sample) / expected * n
    };
    Some(Influence { of_row: rows.distinct.iter().map(own).collect(), divisor: Divisor::SquareLessOne(n) })
}
