//! Analytic standard errors, over units taken as independent.
//!
//! * Scott's π and Cohen's κ: delta method over the pair table, divisor n (κ: Fleiss, Cohen and Everitt 1969).
//! * Coefficients for any number of raters: linearised, divisor n (n − 1) (Gwet 2014). The observed part is
//!   linearised as the ratio it is: a unit with one rating says nothing about agreement and adds nothing to its
//!   variance, where the usual package formula counts it as a deviation.
//! * Percent agreement of two raters is a share, divisor n.
//! * α on an ordinal scale has none: its distances move with the counts; use the interval.

use crate::{
    Kind, Level, Weights,
    coefficient::{expected_disagreement, gwet_scale},
    tally::{Row, Rows, Tally},
};

/// The standard error of a coefficient that has the value `value`; none where no formula applies.
pub(crate) fn standard_error(kind: Kind, value: f64, rows: &Rows, tally: &Tally<'_>) -> Option<f64> {
    let q = rows.layout.q;
    match kind {
        Kind::PercentAgreement if rows.layout.raters == 2 => {
            Some((value * (1.0 - value) / tally.pairable()).max(0.0).sqrt())
        }
        Kind::PercentAgreement => linearised(rows, tally, Weights::Identity, 0.0, &|_| 0.0),
        Kind::Pabak => linearised(rows, tally, Weights::Identity, 0.5, &|_| 0.0),
        Kind::BrennanPrediger(w) => linearised(rows, tally, w, 1.0 - w.uniform(q), &|_| 0.0),
        Kind::FleissKappa(w) => {
            let shares = mean_shares(tally);
            let slope: Vec<f64> = (0..q)
                .map(|k| 2.0 * (0..q).map(|l| (1.0 - w.distance(k, l, q)) * shares[l]).sum::<f64>())
                .collect();
            let chance = slope.iter().zip(&shares).map(|(d, p)| d * p).sum::<f64>() / 2.0;
            linearised(rows, tally, w, chance, &|row| moved(row, &shares, &slope))
        }
        Kind::GwetAc(w) => {
            let shares = mean_shares(tally);
            let scale = gwet_scale(w, q);
            let slope: Vec<f64> = shares.iter().map(|p| scale * (1.0 - 2.0 * p)).collect();
            let chance = scale * shares.iter().map(|p| p * (1.0 - p)).sum::<f64>();
            linearised(rows, tally, w, chance, &|row| moved(row, &shares, &slope))
        }
        Kind::ScottPi => {
            let n = 2.0 * tally.pairable();
            let pooled: Vec<f64> = tally.pairables().iter().map(|m| m / n).collect();
            let chance = pooled.iter().map(|p| p * p).sum();
            delta(rows, Weights::Identity, chance, &|k, l| pooled[k] + pooled[l])
        }
        Kind::CohenKappa(w) => {
            let margins = tally.margins()?;
            let [first, second] =
                margins.map(|m| -> Vec<f64> { m.iter().map(|c| c / tally.pairable()).collect() });
            let weight = |k, l| 1.0 - w.distance(k, l, q);
            let toward = |p: &[f64], k: usize| -> f64 { (0..q).map(|l| weight(k, l) * p[l]).sum() };
            let by_first: Vec<f64> = (0..q).map(|k| toward(&second, k)).collect();
            let by_second: Vec<f64> = (0..q).map(|l| toward(&first, l)).collect();
            let chance = by_first.iter().zip(&first).map(|(d, p)| d * p).sum();
            delta(rows, w, chance, &|k, l| by_first[k] + by_second[l])
        }
        Kind::KrippendorffAlpha => alpha(rows, tally),
    }
}

fn mean_shares(tally: &Tally<'_>) -> Vec<f64> {
    tally.shares().iter().map(|sum| sum / tally.rated()).collect()
}

/// How far a row moves chance agreement: its shares against the mean shares, along the slope.
fn moved(row: &Row, shares: &[f64], slope: &[f64]) -> f64 {
    let own: f64 = row.counts.iter().map(|(k, n)| slope[*k] * n / row.ratings).sum();
    own - slope.iter().zip(shares).map(|(d, p)| d * p).sum::<f64>()
}

fn linearised(
    rows: &Rows,
    tally: &Tally<'_>,
    weights: Weights,
    chance: f64,
    moved: &dyn Fn(&Row) -> f64,
) -> Option<f64> {
    let (n, pairable) = (tally.rated(), tally.pairable());
    let observed = tally.agreement(weights.index()) / pairable;
    let free = 1.0 - chance;
    let mut sum = 0.0;
    for (row, times) in rows.distinct.iter().zip(&rows.times) {
        let agreement = if row.ratings < 2.0 {
            0.0
        } else {
            (row.agreement(rows.layout.q)[weights.index()] - observed) * n / pairable
        };
        let influence = agreement / free - (1.0 - observed) / (free * free) * moved(row);
        sum += times * influence * influence;
    }
    (n > 1.0).then(|| (sum / (n * (n - 1.0))).sqrt())
}

/// `slope(k, l)` is the derivative of chance agreement by the share of the cell (k, l).
fn delta(rows: &Rows, weights: Weights, chance: f64, slope: &dyn Fn(usize, usize) -> f64) -> Option<f64> {
    let q = rows.layout.q;
    let pairs = || rows.distinct.iter().zip(&rows.times).filter_map(|(row, times)| Some((row.pair?, *times)));
    let n: f64 = pairs().map(|(_, times)| times).sum();
    let observed = pairs().map(|((k, l), t)| t * (1.0 - weights.distance(k, l, q))).sum::<f64>() / n;
    let free = 1.0 - chance;
    let influence =
        |k, l| (1.0 - weights.distance(k, l, q)) / free - (1.0 - observed) / (free * free) * slope(k, l);
    let mean = pairs().map(|((k, l), t)| t * influence(k, l)).sum::<f64>() / n;
    let variance = pairs().map(|((k, l), t)| t * (influence(k, l) - mean).powi(2)).sum::<f64>() / n;
    (n > 0.0).then(|| (variance / n).sqrt())
}

/// α without its small-sample term, linearised over pairable units; a unit's share of the values enters with the
/// observed agreement that has that term, as in Gwet's irrCAC, whose published errors this gives.
fn alpha(rows: &Rows, tally: &Tally<'_>) -> Option<f64> {
    let values = match rows.layout.level {
        Level::Nominal => None,
        Level::Interval => Some(tally.values),
        Level::Ordinal => return None,
    };
    let counts = tally.pairables();
    let total: f64 = counts.iter().sum();
    let expected = expected_disagreement(counts, values);
    let observed = tally.disagreement();
    let slope: Vec<f64> = match values {
        None => counts.iter().map(|n| 2.0 * (total - n)).collect(),
        Some(v) => {
            let mean = counts.iter().zip(v).map(|(n, v)| n * v).sum::<f64>() / total;
            let square = counts.iter().zip(v).map(|(n, v)| n * (v - mean).powi(2)).sum::<f64>();
            v.iter().map(|v| 2.0 * (total * (v - mean).powi(2) + square)).collect()
        }
    };
    let n = tally.pairable();
    let mut sum = 0.0;
    for (row, times) in rows.distinct.iter().zip(&rows.times).filter(|(row, _)| row.ratings >= 2.0) {
        let by_counts: f64 = row.counts.iter().map(|(k, m)| m * slope[*k]).sum();
        let own = total * row.disagreement(values) + observed * row.ratings
            - observed * total / expected * by_counts;
        let small_sample = observed * (row.ratings / total - 1.0 / n);
        let influence = (own + small_sample) / expected;
        sum += times * influence * influence;
    }
    (n > 1.0).then(|| (sum * n / (n - 1.0)).sqrt())
}
