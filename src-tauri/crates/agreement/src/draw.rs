//! Random draws from a seed: xoshiro256++ (Blackman and Vigna), binomials, and picks out of a list.
//!
//! Written here rather than taken from a crate because the stream is part of a stored result: the same seed must
//! give the same interval in every later version of the app.

/// A stream of random numbers.
pub(crate) struct Draw {
    state: [u64; 4],
}

impl Draw {
    /// The stream of a seed, spread over the state by splitmix64.
    pub fn seeded(seed: u64) -> Self {
        let mut mix = seed;
        let state = [(); 4].map(|()| {
            mix = mix.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (mix ^ (mix >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        });
        Self { state }
    }

    fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let out = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c2, d2) = (c ^ a, d ^ b);
        self.state = [a ^ d2, b ^ c2, c2 ^ (b << 17), d2.rotate_left(45)];
        out
    }

    /// Evenly from [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Calls `each` with `count` of the things, drawn evenly and with replacement (Lemire 2019, with the rejection
    /// that makes it exact). Up to 32,768 things one random number serves three draws.
    pub fn picks<T>(&mut self, count: u32, things: &[T], mut each: impl FnMut(&T)) {
        const BITS: u32 = 21;
        const MASK: u64 = (1 << BITS) - 1;
        let n = things.len() as u64;
        let mut left = count;
        if n > 1 << 15 {
            while left > 0 {
                each(&things[self.below(n)]);
                left -= 1;
            }
            return;
        }
        if n == 0 {
            return;
        }
        let reject = (MASK + 1) % n;
        #[allow(clippy::cast_possible_truncation)] // below the number of things
        let place = |wide: u64| (wide >> BITS) as usize;
        while left > 0 {
            let random = self.next();
            let wide = [random & MASK, random >> BITS & MASK, random >> (2 * BITS) & MASK].map(|r| r * n);
            if left >= 3 && wide.iter().all(|wide| wide & MASK >= reject) {
                for wide in wide {
                    each(&things[place(wide)]);
                }
                left -= 3;
            } else {
                for wide in wide.iter().filter(|wide| *wide & MASK >= reject).take(left as usize) {
                    each(&things[place(*wide)]);
                    left -= 1;
                }
            }
        }
    }

    /// Evenly from `0..n` for `n` up to 2^32; 0 for `n == 0`.
    #[allow(clippy::cast_possible_truncation)] // below n, which is a length
    fn below(&mut self, n: u64) -> usize {
        let reject = (1 << 32) % n.max(1);
        loop {
            let wide = (self.next() >> 32) * n;
            if wide & 0xFFFF_FFFF >= reject {
                return (wide >> 32) as usize;
            }
        }
    }

    /// Successes out of `n` with chance `p`.
    pub fn binomial(&mut self, n: u32, p: f64) -> u32 {
        if n == 0 || p <= 0.0 {
            0
        } else if p >= 1.0 {
            n
        } else if p > 0.5 {
            n - self.binomial(n, 1.0 - p)
        } else if f64::from(n) * p < 10.0 {
            self.by_inversion(n, p)
        } else {
            self.by_rejection(n, p)
        }
    }

    /// Adds up probabilities from 0 on (Kachitvichyanukul and Schmeiser 1988, algorithm BINV). For n p < 10.
    fn by_inversion(&mut self, n: u32, p: f64) -> u32 {
        let odds = p / (1.0 - p);
        let none = (f64::from(n) * (-p).ln_1p()).exp();
        loop {
            let (mut u, mut chance) = (self.unit(), none);
            // Beyond 150 the chance is below what a double can hold; such a u is rounding, and is drawn again.
            for k in 0..=n.min(150) {
                if u < chance {
                    return k;
                }
                u -= chance;
                chance *= odds * f64::from(n - k) / f64::from(k + 1);
            }
        }
    }

    /// Transformed rejection (Hörmann 1993, algorithm BTRS). For n p ≥ 10 and p ≤ 0.5.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // k is checked to lie in 0..=n first
    #[allow(clippy::many_single_char_names)] // the letters of the paper
    fn by_rejection(&mut self, n: u32, p: f64) -> u32 {
        let count = f64::from(n);
        let spread = (count * p * (1.0 - p)).sqrt();
        let b = 1.15 + 2.53 * spread;
        let a = -0.0873 + 0.0248 * b + 0.01 * p;
        let centre = count * p + 0.5;
        let alpha = (2.83 + 5.1 / b) * spread;
        let sure = 0.92 - 4.2 / b;
        let odds = p / (1.0 - p);
        let mode = ((count + 1.0) * p).floor();
        loop {
            let u = self.unit() - 0.5;
            let v = self.unit();
            let us = 0.5 - u.abs();
            let place = (2.0 * a / us + b) * u + centre;
            if !(place >= 0.0 && place < count + 1.0) {
                continue;
            }
            let k = place as u32;
            if us >= 0.07 && v <= sure {
                return k;
            }
            let k = f64::from(k);
            let height = (v * alpha / (a / (us * us) + b)).ln();
            let bound = (mode + 0.5) * ((mode + 1.0) / (odds * (count - mode + 1.0))).ln()
                + (count + 1.0) * ((count - mode + 1.0) / (count - k + 1.0)).ln()
                + (k + 0.5) * (odds * (count - k + 1.0) / (k + 1.0)).ln()
                + stirling_rest(mode)
                + stirling_rest(count - mode)
                - stirling_rest(k)
                - stirling_rest(count - k);
            if height <= bound {
                return k as u32;
            }
        }
    }
}

/// `ln k! - [ln √(2π) + (k + ½) ln(k + 1) - (k + 1)]`, by its series; the terms left out are below 1e-9 from
/// k = 10 on, and below that the sum is made exact by the recurrence `ln k! = ln (k+1)! - ln(k+1)`.
fn stirling_rest(k: f64) -> f64 {
    let mut k = k;
    let mut rest = 0.0;
    while k < 10.0 {
        // rest(k) - rest(k + 1) = (k + 3/2) ln((k + 2) / (k + 1)) - 1
        rest += (k + 1.5) * ((k + 2.0) / (k + 1.0)).ln() - 1.0;
        k += 1.0;
    }
    let x = 1.0 / (k + 1.0);
    rest + (1.0 / 12.0 - (1.0 / 360.0 - x * x / 1260.0) * x * x) * x
}

#[cfg(test)]
mod tests {
    //! The draws have the moments of their distributions. Seeds are fixed, so a failure is a change of the code.
    use super::*;

    fn moments(draws: impl Iterator<Item = f64>) -> (f64, f64) {
        let all: Vec<f64> = draws.collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        (mean, all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / all.len() as f64)
    }

    #[test]
    fn the_stream_is_xoshiro256_plus_plus() {
        let mut draw = Draw { state: [1, 2, 3, 4] };
        // First outputs of the reference implementation for this state, as rust-random tests them.
        let expected = [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386];
        assert_eq!([(); 4].map(|()| draw.next()), expected, "the stored seeds mean this very stream");
    }

    #[test]
    fn binomials_have_their_mean_and_variance() {
        let mut draw = Draw::seeded(7);
        for (n, p) in [(5, 0.3), (100, 0.02), (893, 0.2), (893, 0.9), (1_000_000, 0.4), (40, 0.25)] {
            let rounds = 40_000;
            let (mean, variance) = moments((0..rounds).map(|_| f64::from(draw.binomial(n, p))));
            let (np, npq) = (f64::from(n) * p, f64::from(n) * p * (1.0 - p));
            let tolerance = 5.0 * (npq / f64::from(rounds)).sqrt();
            assert!((mean - np).abs() < tolerance, "mean of Binomial({n}, {p}) is np: {mean} against {np}");
            // The variance of a sample variance is about 2 σ⁴ / rounds, more for skewed counts.
            let tolerance = npq * 5.0 * (3.0 / f64::from(rounds)).sqrt();
            assert!((variance - npq).abs() < tolerance, "variance is npq: {variance} against {npq}");
        }
    }

    #[test]
    fn binomials_have_their_probabilities() {
        let (n, p, rounds) = (60_u32, 0.3, 200_000);
        let mut draw = Draw::seeded(11);
        let mut seen = vec![0_u32; n as usize + 1];
        for _ in 0..rounds {
            seen[draw.binomial(n, p) as usize] += 1;
        }
        let mut chance = (1.0_f64 - p).powi(60);
        let mut chi2 = 0.0;
        let mut cells = 0.0;
        for k in 0..=n {
            let expected = chance * f64::from(rounds);
            if expected > 20.0 {
                chi2 += (f64::from(seen[k as usize]) - expected).powi(2) / expected;
                cells += 1.0;
            }
            chance *= p / (1.0 - p) * f64::from(n - k) / f64::from(k + 1);
        }
        // χ² has mean `cells` and variance 2·cells; five standard deviations above is no accident.
        assert!(
            chi2 < cells + 5.0 * (2.0_f64 * cells).sqrt(),
            "rejection sampling is exact: chi2 {chi2} on {cells}"
        );
    }

    #[test]
    fn picks_are_even() {
        for n in [3_usize, 1000, 40_000] {
            let things: Vec<usize> = (0..n).collect();
            let mut draw = Draw::seeded(13);
            let mut seen = vec![0_u32; n];
            let count = 2_000_000;
            draw.picks(count, &things, |thing| seen[*thing] += 1);
            assert_eq!(seen.iter().sum::<u32>(), count, "as many as asked for");
            let expected = f64::from(count) / n as f64;
            let chi2: f64 = seen.iter().map(|k| (f64::from(*k) - expected).powi(2) / expected).sum();
            let free = n as f64 - 1.0;
            assert!((chi2 - free).abs() < 5.0 * (2.0 * free).sqrt(), "each as often: chi2 {chi2} on {free}");
        }
    }

    #[test]
    fn the_rest_of_stirling_is_exact() {
        let mut log_factorial = 0.0_f64;
        for k in 0..30_u32 {
            if k > 0 {
                log_factorial += f64::from(k).ln();
            }
            let x = f64::from(k);
            let formula = (2.0 * std::f64::consts::PI).sqrt().ln() + (x + 0.5) * (x + 1.0).ln() - (x + 1.0);
            let rest = log_factorial - formula;
            assert!((rest - stirling_rest(x)).abs() < 1e-9, "k = {k}: {rest} against {}", stirling_rest(x));
        }
    }
}
