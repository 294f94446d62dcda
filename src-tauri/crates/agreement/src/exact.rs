//! Exact bounds on a share, from the binomial distribution (Clopper and Pearson 1934), and intervals from a
//! standard error.

use crate::Reason;
use statrs::function::{beta::checked_beta_reg, erf::erf_inv};

/// Chance of at most `hits` hits among `n` when each has the chance `p`.
fn at_most(hits: u64, n: u64, p: f64) -> f64 {
    if hits >= n || p <= 0.0 {
        return 1.0;
    }
    if p >= 1.0 {
        return 0.0;
    }
    // P(X ≤ k) = I_{1-p}(n - k, k + 1); both arguments are positive here.
    checked_beta_reg((n - hits) as f64, (hits + 1) as f64, 1.0 - p).unwrap_or(f64::NAN)
}

/// Where a falling function of [0, 1] crosses `level`, to the last bit.
fn crossing(level: f64, falling: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if falling(middle) > level { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

fn check(hits: u64, n: u64, confidence: f64) -> Result<(), Reason> {
    if n == 0 {
        Err(Reason::EmptySample)
    } else if hits > n {
        Err(Reason::MoreHitsThanItems)
    } else if !(confidence > 0.0 && confidence < 1.0) {
        Err(Reason::NoConfidence)
    } else {
        Ok(())
    }
}

/// The upper bound of an error rate after `errors` errors in a random sample of `items`: with the given confidence the
/// rate is at most this (one-sided, exact). 0 errors in 30 items mean at most 9.5 % at 95 %.
///
/// # Errors
/// No items, more errors than items, or a confidence outside (0, 1).
pub fn error_rate_bound(errors: u64, items: u64, confidence: f64) -> Result<f64, Reason> {
    check(errors, items, confidence)?;
    if errors == items {
        return Ok(1.0);
    }
    if errors == 0 {
        return Ok(-((1.0 - confidence).ln() / items as f64).exp_m1());
    }
    Ok(crossing(1.0 - confidence, |p| at_most(errors, items, p)))
}

/// The exact two-sided interval of a share, lower end first.
///
/// # Errors
/// As [`error_rate_bound`].
pub fn share_interval(hits: u64, items: u64, confidence: f64) -> Result<[f64; 2], Reason> {
    check(hits, items, confidence)?;
    let one_sided = f64::midpoint(1.0, confidence);
    Ok([1.0 - error_rate_bound(items - hits, items, one_sided)?, error_rate_bound(hits, items, one_sided)?])
}

/// How many items an audit needs so that `errors` errors among them still show a rate of at most `rate`.
///
/// # Errors
/// A rate or a confidence outside (0, 1).
pub fn audit_size(rate: f64, errors: u64, confidence: f64) -> Result<u64, Reason> {
    check(0, 1, confidence)?;
    if !(rate > 0.0 && rate < 1.0) {
        return Err(Reason::NoRate);
    }
    let shows = |items: u64| error_rate_bound(errors, items, confidence).is_ok_and(|bound| bound <= rate);
    let (mut below, mut enough) = (errors, errors + 1);
    while !shows(enough) {
        below = enough;
        enough = enough.checked_mul(2).filter(|n| *n < 1 << 50).ok_or(Reason::NoRate)?;
    }
    while enough - below > 1 {
        let middle = below + (enough - below) / 2;
        if shows(middle) { enough = middle } else { below = middle }
    }
    Ok(enough)
}

/// How many standard errors the normal interval of this confidence reaches to each side; 1.96 at 0.95.
pub(crate) fn normal_reach(confidence: f64) -> f64 {
    std::f64::consts::SQRT_2 * erf_inv(confidence)
}

/// The analytic interval of a coefficient with standard error `se`, by the normal distribution: not cut to [-1, 1].
///
/// # Errors
/// A confidence outside (0, 1).
pub fn normal_interval(value: f64, se: f64, confidence: f64) -> Result<[f64; 2], Reason> {
    check(0, 1, confidence)?;
    let reach = normal_reach(confidence) * se;
    Ok([value - reach, value + reach])
}

/// The analytic interval by Student's distribution with `units - 1` degrees of freedom, its upper end cut at 1 (as
/// Gwet's irrCAC does).
///
/// # Errors
/// Fewer than two units, or a confidence outside (0, 1).
pub fn student_interval(value: f64, se: f64, units: u64, confidence: f64) -> Result<[f64; 2], Reason> {
    check(0, 1, confidence)?;
    if units < 2 {
        return Err(Reason::EmptySample);
    }
    let free = (units - 1) as f64;
    // P(|T| > t) = I_x(free / 2, 1/2) at x = free / (free + t²), which rises with x.
    let inside = |x: f64| checked_beta_reg(free / 2.0, 0.5, x).map_or(f64::NAN, |outside| 1.0 - outside);
    let x = crossing(confidence, inside);
    let reach = (free * (1.0 - x) / x).sqrt() * se;
    Ok([value - reach, (value + reach).min(1.0)])
}
