//! Binomial draws with a fixed chance and many different numbers of trials, by tables made when first needed. A table
//! is searched from a guess that is nearly right, which takes a fraction of the time of a rejection.

use crate::draw::Draw;

/// Draws with one chance.
pub(crate) struct Binomials {
    p: f64,
    /// By number of trials.
    tables: Vec<Option<Table>>,
}

impl Binomials {
    /// For up to `most` trials, each with the chance `p`.
    pub fn new(p: f64, most: u32) -> Self {
        Self { p, tables: (0..=most).map(|_| None).collect() }
    }

    /// Successes out of `n` trials; `n` beyond the most is drawn without a table.
    pub fn draw(&mut self, draw: &mut Draw, n: u32) -> u32 {
        let certain = n == 0 || self.p <= 0.0 || self.p >= 1.0;
        match self.tables.get_mut(n as usize) {
            Some(table) if !certain => table.get_or_insert_with(|| Table::of(n, self.p)).find(draw.unit()),
            _ => draw.binomial(n, self.p),
        }
    }
}

/// The cumulative chances of the numbers that come up.
struct Table {
    /// The number that `upto[0]` is about.
    first: u32,
    /// Chance of at most this many.
    upto: Vec<f64>,
    /// Where to begin to search, by how large the random number is.
    guess: Vec<u32>,
}

/// Chances below this share of the largest are left out: no double drawn from [0, 1) would find them.
const NOTHING: f64 = 1e-19;

impl Table {
    /// Chances relative to the commonest number, from it down and up by the recurrence; no logarithm is needed.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ mode ≤ n
    fn of(n: u32, p: f64) -> Self {
        let odds = p / (1.0 - p);
        let mode = ((f64::from(n) + 1.0) * p).floor().min(f64::from(n)) as u32;
        let mut below = Vec::new();
        let (mut chance, mut k) = (1.0, mode);
        while k > 0 && chance > NOTHING {
            chance *= f64::from(k) / f64::from(n - k + 1) / odds;
            below.push(chance);
            k -= 1;
        }
        let first = mode - u32::try_from(below.len()).unwrap_or(mode);
        let mut upto: Vec<f64> = below.into_iter().rev().collect();
        let (mut chance, mut k) = (1.0, mode);
        loop {
            upto.push(chance);
            if k == n || chance <= NOTHING {
                break;
            }
            chance *= f64::from(n - k) / f64::from(k + 1) * odds;
            k += 1;
        }
        let mut sum = 0.0;
        for chance in &mut upto {
            sum += *chance;
            *chance = sum;
        }
        upto.iter_mut().for_each(|chance| *chance /= sum);
        let buckets = upto.len();
        let mut guess = Vec::with_capacity(buckets);
        let mut at = 0;
        for bucket in 0..buckets {
            while at + 1 < upto.len() && upto[at] <= bucket as f64 / buckets as f64 {
                at += 1;
            }
            guess.push(u32::try_from(at).unwrap_or(0));
        }
        Self { first, upto, guess }
    }

    /// The number whose part of [0, 1) `u` lies in.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ u < 1
    fn find(&self, u: f64) -> u32 {
        let bucket = (u * self.guess.len() as f64) as usize;
        let mut at = self.guess[bucket.min(self.guess.len() - 1)] as usize;
        while at + 1 < self.upto.len() && self.upto[at] <= u {
            at += 1;
        }
        self.first + u32::try_from(at).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    //! A table is the distribution itself: checked by its chances, not by draws.
    use super::*;

    #[test]
    fn tables_hold_the_chances() {
        for (n, p) in [(1_u32, 0.5_f64), (10, 0.3), (60, 0.02), (893, 0.217), (500, 0.99)] {
            let table = Table::of(n, p);
            let mut chance = (1.0 - p).powi(i32::try_from(n).unwrap_or(0));
            let mut upto = 0.0;
            for k in 0..=n {
                upto += chance;
                if let Some(found) = k.checked_sub(table.first).and_then(|at| table.upto.get(at as usize)) {
                    // Where the start (1 - p)^n is no normal number the sum is not to be trusted.
                    let far = (found - upto).abs();
                    assert!(
                        far < 1e-9 || (1.0 - p).powf(f64::from(n)) < 1e-300,
                        "P(X ≤ {k}), {n}, {p}: {found}"
                    );
                }
                chance *= f64::from(n - k) / f64::from(k + 1) * p / (1.0 - p);
            }
        }
    }

    #[test]
    fn a_random_number_finds_its_part() {
        let table = Table::of(20, 0.4);
        for (at, end) in table.upto.iter().enumerate().take(table.upto.len() - 1) {
            let k = table.first + u32::try_from(at).unwrap_or(0);
            assert_eq!(table.find(*end), k + 1, "a part begins with its lower end");
            assert_eq!(table.find(end - 1e-13), k, "and ends before its upper end");
        }
    }
}
