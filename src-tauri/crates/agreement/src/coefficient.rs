//! The coefficients, as functions of sums.
//!
//! All chance-corrected ones have the form `1 - observed disagreement / expected disagreement`; they differ in
//! what is expected. Disagreement rather than agreement is computed, from counts where there are counts, because
//! "nothing to disagree on" is then an exact zero and not a rounding error near one.

use crate::{
    Level, Reason,
    row::{Apart, pairwise},
    tally::Tally,
};

/// How much two different categories of an ordered scale agree: by their distance in the declared order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weights {
    /// Not at all.
    Identity,
    /// `1 - |k - l| / (q - 1)`.
    Linear,
    /// `1 - (k - l)² / (q - 1)²`.
    Quadratic,
}

impl Weights {
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Identity => 0,
            Self::Linear => 1,
            Self::Quadratic => 2,
        }
    }

    /// Distance of two categories out of `q`, 0 to 1.
    pub(crate) fn distance(self, k: usize, l: usize, q: usize) -> f64 {
        let step = k.abs_diff(l) as f64 / (q.max(2) - 1) as f64;
        match self {
            Self::Identity => f64::from(u8::from(k != l)),
            Self::Linear => step,
            Self::Quadratic => step * step,
        }
    }

    /// Mean distance of a category drawn by the counts `a` and one by the counts `b`, in O(q).
    fn expected(self, a: &[f64], b: &[f64]) -> f64 {
        let (na, nb): (f64, f64) = (a.iter().sum(), b.iter().sum());
        let span = (a.len().max(2) - 1) as f64;
        let both = a.iter().zip(b);
        match self {
            Self::Identity => both.map(|(x, y)| x * (nb - y)).sum::<f64>() / (na * nb),
            Self::Linear => {
                let (mut below_a, mut below_b, mut sum) = (0.0, 0.0, 0.0);
                for (x, y) in both {
                    below_a += x;
                    below_b += y;
                    sum += below_a * (nb - below_b) + below_b * (na - below_a);
                }
                sum / (na * nb * span)
            }
            Self::Quadratic => {
                let moment = |counts: &[f64], power: i32| -> f64 {
                    counts.iter().enumerate().map(|(k, n)| n * (k as f64).powi(power)).sum()
                };
                let sum = moment(a, 2) * nb + moment(b, 2) * na - 2.0 * moment(a, 1) * moment(b, 1);
                sum / (na * nb * span * span)
            }
        }
    }

    /// Mean distance of two categories drawn evenly from `q`.
    pub(crate) fn uniform(self, q: usize) -> f64 {
        let even = vec![1.0; q];
        self.expected(&even, &even)
    }
}

/// Which coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Mean over units rated twice or more of the share of agreeing pairs.
    PercentAgreement,
    /// Share of agreeing pairs, all pairs of ratings weighing the same.
    PercentAgreementPooledPairs,
    /// Share of the units rated by all raters on which all of them agree.
    PercentAgreementAllRaters,
    /// Scott (1955), two raters, complete pairs: chance by the pooled margin.
    ScottPi,
    /// Cohen (1960, 1968), two raters, complete pairs: chance by both margins.
    CohenKappa(Weights),
    /// Fleiss (1971), any number of raters; unequal numbers of ratings by Gwet's mean of category shares.
    FleissKappa(Weights),
    /// Conger (1980): κ for any number of raters, chance by each rater's own margin. Two raters who rated the same
    /// units: Cohen's κ.
    CongerKappa(Weights),
    /// Krippendorff's α at the table's level, over pairable values.
    KrippendorffAlpha,
    /// Gwet's AC1 (2008), and AC2 with weights.
    GwetAc(Weights),
    /// Brennan and Prediger (1981): chance is even over the declared categories.
    BrennanPrediger(Weights),
    /// 2 × observed − 1 (Byrt et al. 1993); two categories.
    Pabak,
    /// Of what the second rater puts in the first category, the share that the first rater does too. Two raters, two
    /// categories, complete pairs.
    Sensitivity,
    /// Of what the second rater puts in the second category, the share that the first rater does too.
    Specificity,
}

impl Kind {
    /// The value from sums over units.
    pub(crate) fn value(self, tally: &Tally<'_>) -> Result<f64, Reason> {
        let q = tally.layout.q;
        let weighted = match self {
            Self::CohenKappa(w)
            | Self::FleissKappa(w)
            | Self::CongerKappa(w)
            | Self::GwetAc(w)
            | Self::BrennanPrediger(w) => w != Weights::Identity,
            _ => false,
        };
        if weighted && tally.layout.level == Level::Nominal && q > 2 {
            return Err(Reason::NoOrder);
        }
        let of_two =
            matches!(self, Self::ScottPi | Self::CohenKappa(_) | Self::Sensitivity | Self::Specificity);
        if of_two && tally.layout.raters != 2 {
            return Err(Reason::NotTwoRaters);
        }
        if matches!(self, Self::Pabak | Self::Sensitivity | Self::Specificity) && q != 2 {
            return Err(Reason::NotTwoCategories);
        }
        if tally.pairable() == 0.0 {
            return Err(Reason::NothingPairable);
        }
        let observed = |w: Weights| 1.0 - tally.agreement(w.index()) / tally.pairable();
        let corrected = |w: Weights, expected: f64| {
            if expected == 0.0 { Err(Reason::ChanceIsOne) } else { Ok(1.0 - observed(w) / expected) }
        };
        match self {
            Self::PercentAgreement => Ok(1.0 - observed(Weights::Identity)),
            Self::PercentAgreementPooledPairs => {
                let [pairs, agreeing] = tally.pairs();
                Ok(agreeing / pairs)
            }
            Self::PercentAgreementAllRaters => match tally.complete() {
                [0.0, _] => Err(Reason::NoCompleteUnit),
                [complete, unanimous] => Ok(unanimous / complete),
            },
            Self::Pabak => Ok(1.0 - 2.0 * observed(Weights::Identity)),
            // Over complete pairs the pooled margin is the count of pairable values.
            Self::ScottPi => {
                let pooled = tally.pairables();
                corrected(Weights::Identity, Weights::Identity.expected(pooled, pooled))
            }
            Self::CohenKappa(w) => {
                let [first, second] = tally.margins().ok_or(Reason::NotTwoRaters)?;
                corrected(w, w.expected(first, second))
            }
            Self::FleissKappa(w) => corrected(w, w.expected(tally.shares(), tally.shares())),
            Self::CongerKappa(w) => corrected(w, between_raters(w, tally)),
            Self::GwetAc(_) | Self::BrennanPrediger(_) if q < 2 => Err(Reason::OneCategory),
            Self::GwetAc(w) => corrected(w, 1.0 - gwet_scale(w, q) * spread(tally)),
            Self::BrennanPrediger(w) => corrected(w, w.uniform(q)),
            Self::KrippendorffAlpha => alpha(tally),
            Self::Sensitivity => hit_rate(tally, 0),
            Self::Specificity => hit_rate(tally, 1),
        }
    }
}

/// `T_w / (q (q - 1))`, with T_w the sum of all weights.
pub(crate) fn gwet_scale(weights: Weights, q: usize) -> f64 {
    let q2 = (q * q) as f64;
    q2 * (1.0 - weights.uniform(q)) / (q2 - q as f64)
}

/// Σ p̄ (1 − p̄).
fn spread(tally: &Tally<'_>) -> f64 {
    Weights::Identity.expected(tally.shares(), tally.shares())
}

/// An ordinal scale's places: half the values below and half the values up to each category (Krippendorff 2011:
/// the ordinal distance is the squared difference of these).
pub(crate) fn ordinal_places(counts: &[f64]) -> Vec<f64> {
    let mut below = 0.0;
    let place = |n: &f64| {
        below += n;
        below - n / 2.0
    };
    counts.iter().map(place).collect()
}

/// Each rater's shares of the categories, over all of that rater's ratings; raters without one are left out.
pub(crate) fn rater_shares(tally: &Tally<'_>) -> Vec<Vec<f64>> {
    let shares = |counts: &[f64]| {
        let n: f64 = counts.iter().sum();
        (n > 0.0).then(|| counts.iter().map(|c| c / n).collect())
    };
    tally.by_rater().filter_map(shares).collect()
}

/// Mean distance of what two different raters say, each by the own margin: over all pairs of raters in O(raters × q),
/// as the distance between sums less that within each rater.
fn between_raters(weights: Weights, tally: &Tally<'_>) -> f64 {
    let shares = rater_shares(tally);
    let raters = shares.len() as f64;
    let Some((first, others)) = shares.split_first() else { return 0.0 };
    // Where all say one thing only the difference below would be rounding, and it is 0.
    let said = |k: &usize| shares.iter().any(|own| own[*k] > 0.0);
    if (0..tally.layout.q).filter(said).count() < 2 {
        return 0.0;
    }
    let mut sum = first.clone();
    for own in others {
        for (sum, share) in sum.iter_mut().zip(own) {
            *sum += share;
        }
    }
    let within: f64 = shares.iter().map(|own| weights.expected(own, own)).sum();
    (raters * raters * weights.expected(&sum, &sum) - within) / (raters * (raters - 1.0))
}

/// Of the second rater's ratings of category `k` (out of two), the share that the first rater gives too. The number
/// of hits follows from the margins and the agreeing pairs.
fn hit_rate(tally: &Tally<'_>, k: usize) -> Result<f64, Reason> {
    let [first, second] = tally.margins().ok_or(Reason::NotTwoRaters)?;
    if second[k] == 0.0 {
        return Err(Reason::NoReference);
    }
    let [pairs, agreeing] = tally.pairs();
    Ok((agreeing - pairs + first[k] + second[k]) / 2.0 / second[k])
}

/// Σ n_k n_l δ_kl over all pairable values, for fixed distances.
pub(crate) fn expected_disagreement(counts: &[f64], apart: Apart<'_>) -> f64 {
    let total: f64 = counts.iter().sum();
    match apart {
        Apart::OrNot => counts.iter().map(|n| n * (total - n)).sum(),
        Apart::BySquares(v) => {
            let mean = counts.iter().zip(v).map(|(n, v)| n * v).sum::<f64>() / total;
            2.0 * total * counts.iter().zip(v).map(|(n, v)| n * (v - mean).powi(2)).sum::<f64>()
        }
        Apart::ByRatios(v) => {
            pairwise(v.iter().copied().zip(counts.iter().copied()).filter(|(_, n)| *n > 0.0))
        }
    }
}

fn alpha(tally: &Tally<'_>) -> Result<f64, Reason> {
    let counts = tally.pairables();
    if counts.iter().filter(|n| **n > 0.0).count() < 2 {
        return Err(Reason::OneValue);
    }
    let total: f64 = counts.iter().sum();
    let (observed, expected) = if let Some(apart) = tally.layout.apart(tally.values) {
        (tally.disagreement(), expected_disagreement(counts, apart))
    } else {
        let places = ordinal_places(counts);
        let apart = Apart::BySquares(&places);
        (tally.coincident_disagreement(&places), expected_disagreement(counts, apart))
    };
    Ok(1.0 - (total - 1.0) * observed / expected)
}
