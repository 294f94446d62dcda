//! Coverage thresholds of flexible lists.

/// The thresholds above a baseline when the author gives none: "a few higher coverage thresholds" (GAMUT, section 3,
/// which leaves the numbers open; the choice is COMPILER, B3). With g = pool - baseline there are 1 (g <= 2),
/// 2 (g <= 8) or 3 of them, evenly spread: baseline + ceil(g*j/(k+1)). They rise, lie above the baseline, and never
/// ask for the whole pool once g > 2. None when the pool has nothing above the baseline.
pub fn default_coverage(pool: usize, baseline: usize) -> Vec<usize> {
    let gap = pool.saturating_sub(baseline);
    let count = match gap {
        0 => 0,
        1 | 2 => 1,
        3..=8 => 2,
        _ => 3,
    };
    (1..=count).map(|step| baseline + (gap * step).div_ceil(count + 1)).collect()
}
