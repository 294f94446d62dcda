//! Frame rates from the lengths of frames: whether they are constant, and which rate it is.

/// Frames that follow each other and last equally long: how many, and how many ticks each.
pub(super) type Run = (u64, u64);

/// What the lengths of frames say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cadence {
    /// How many frames.
    pub(super) frames: u64,
    /// Ticks from the first frame to the end of the last.
    pub(super) ticks: u64,
    /// Do all last equally long, but for rounding to whole ticks? The last frame's own length does not count: it is
    /// often rounded to the end of the file.
    pub(super) constant: bool,
    /// Ticks of a frame, on average; without the last one where the rate is constant.
    pub(super) ticks_per_frame: f64,
}

/// How many ticks frames last together.
pub(super) fn length(runs: &[Run]) -> u64 {
    runs.iter().fold(0_u64, |sum, (count, each)| sum.saturating_add(count.saturating_mul(*each)))
}

/// The cadence of frames in the order in which they show; none if there are none.
pub(super) fn cadence(runs: &[Run]) -> Option<Cadence> {
    let frames: u64 = runs.iter().map(|(count, _)| *count).sum();
    let ticks = length(runs);
    if frames == 0 {
        return None;
    }
    let whole = ticks as f64 / frames as f64;
    let last = runs.iter().rev().find(|(count, _)| *count > 0).map_or(0, |(_, each)| *each);
    if frames == 1 {
        return Some(Cadence { frames, ticks, constant: true, ticks_per_frame: whole });
    }
    let mean = (ticks - last.min(ticks)) as f64 / (frames - 1) as f64;
    // Inside a run the distance from the mean grows or shrinks evenly, so its ends are enough.
    let (mut at, mut time, mut constant) = (0_u64, 0_u64, true);
    for (count, each) in runs {
        let count = (*count).min(frames - 1 - at.min(frames - 1));
        at += count;
        time = time.saturating_add(count.saturating_mul(*each));
        constant &= (time as f64 - at as f64 * mean).abs() <= 1.0;
    }
    Some(Cadence { frames, ticks, constant, ticks_per_frame: if constant { mean } else { whole } })
}

/// The usual rate within `tolerance` (a fraction) of `fps`: a whole number, or 1000/1001 of one; else `fps` itself.
pub(super) fn usual_rate(fps: f64, tolerance: f64) -> f64 {
    (1..=240)
        .flat_map(|n| [f64::from(n), f64::from(n) * 1000.0 / 1001.0])
        .map(|rate| (rate, ((fps - rate) / rate).abs()))
        .filter(|(_, off)| *off <= tolerance)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map_or(fps, |(rate, _)| rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_to_whole_ticks_is_no_change_of_rate() {
        // 29.97 fps on a clock of milliseconds: 33, 33, 34, …
        let shown: Vec<u64> = (0..90_u64).map(|n| n * 1_001_000 / 30_000).collect();
        let mut runs: Vec<Run> = shown.windows(2).map(|pair| (1, pair[1] - pair[0])).collect();
        runs.push((1, 33));
        let found = cadence(&runs).unwrap();
        assert!(found.constant, "no frame is more than a tick from its place: {found:?}");
        let fps = usual_rate(1000.0 / found.ticks_per_frame, 1.0 / 2970.0);
        assert!((fps - 30_000.0 / 1001.0).abs() < 1e-9, "29.97 and not 30: {fps}");
    }

    #[test]
    fn a_frame_that_stays_makes_it_variable_but_a_short_last_one_does_not() {
        assert!(!cadence(&[(10, 100), (1, 300), (10, 100)]).unwrap().constant, "one frame stays three times");
        let steady = cadence(&[(20, 100), (1, 40)]).unwrap();
        assert!(steady.constant, "the last frame's length is cut to the end of the file");
        assert!((steady.ticks_per_frame - 100.0).abs() < 1e-9, "and does not change the rate");
        assert_eq!(steady.ticks, 2040, "but it does count for the length");
        assert_eq!(cadence(&[]), None, "no frame, no rate");
    }
}
