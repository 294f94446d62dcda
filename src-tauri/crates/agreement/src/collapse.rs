//! From criterion scores to "the judge says correct", at a threshold; and the thresholds of the sweep.

/// Thresholds are twentieths and scores are short decimals: a mean that is a threshold on paper may miss it by
/// rounding, and no two of them that differ on paper are nearer than this.
const ROUNDING: f64 = 1e-9;

/// Does the judge say correct: the mean score reaches `threshold`; at 1 every score must be 1. None without
/// scores, or when one is no number.
pub fn judged_correct(scores: &[f64], threshold: f64) -> Option<bool> {
    if scores.is_empty() || scores.iter().any(|s| !s.is_finite()) {
        return None;
    }
    if threshold >= 1.0 - ROUNDING {
        return Some(scores.iter().all(|score| *score >= 1.0 - ROUNDING));
    }
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    Some(mean >= threshold - ROUNDING)
}

/// 0.05, 0.10 … 1.00.
pub fn thresholds() -> [f64; 20] {
    let mut step = 0.0;
    [(); 20].map(|()| {
        step += 1.0;
        step / 20.0
    })
}
