//! Sums over units. Every coefficient is a function of sums that add over units, so equal rows are counted once and
//! resampling is adding up. What one row adds is kept sparse: a unit touches few categories, however many are
//! declared.
//!
//! No matrix over pairs of categories is built except on an ordinal scale, whose distances depend on the counts:
//! the disagreement of a unit at the other levels follows from its own counts.

use crate::{
    Level, Table,
    row::{Apart, Row},
};

/// Where each sum lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub q: usize,
    pub raters: usize,
    pub level: Level,
}

const RATED: usize = 0;
const PAIRABLE: usize = 1;
const AGREE: usize = 2;
const DISAGREE: usize = 5;
const PAIRS: usize = 6;
const AGREEING_PAIRS: usize = 7;
const COMPLETE: usize = 8;
const UNANIMOUS: usize = 9;
const FIRST: usize = 10;

impl Layout {
    pub fn of(table: &Table) -> Self {
        Self { q: table.categories().len(), raters: table.raters(), level: table.level() }
    }
    fn pairables(self) -> usize {
        FIRST + self.q
    }
    fn by_rater(self) -> usize {
        FIRST + 2 * self.q
    }
    fn margins(self) -> [usize; 2] {
        let at = self.by_rater() + self.raters * self.q;
        [at, at + self.q]
    }
    fn coincidences(self) -> usize {
        self.by_rater() + (self.raters + if self.raters == 2 { 2 } else { 0 }) * self.q
    }
    fn len(self) -> usize {
        self.coincidences() + if self.level == Level::Ordinal { self.q * self.q } else { 0 }
    }

    /// The scale's fixed distances; none on an ordinal scale, where they follow from the counts.
    pub fn apart(self, values: &[f64]) -> Option<Apart<'_>> {
        match self.level {
            Level::Nominal => Some(Apart::OrNot),
            Level::Interval => Some(Apart::BySquares(values)),
            Level::Ratio => Some(Apart::ByRatios(values)),
            Level::Ordinal => None,
        }
    }

    /// What one row adds: `(place, amount)`, each place at most once.
    fn each(self, row: &Row, values: &[f64], add: &mut impl FnMut(usize, f64)) {
        if row.ratings == 0.0 {
            return;
        }
        add(RATED, 1.0);
        for (k, n) in &row.counts {
            add(FIRST + k, n / row.ratings);
        }
        for (rater, k) in row.said() {
            add(self.by_rater() + rater * self.q + k, 1.0);
        }
        if row.ratings < 2.0 {
            return;
        }
        add(PAIRABLE, 1.0);
        for (at, agreement) in row.agreement(self.q).into_iter().enumerate() {
            add(AGREE + at, agreement);
        }
        let [pairs, agreeing] = row.pairs();
        add(PAIRS, pairs);
        add(AGREEING_PAIRS, agreeing);
        if row.cells.len() as f64 - row.ratings < 0.5 {
            add(COMPLETE, 1.0);
            if row.counts.len() == 1 {
                add(UNANIMOUS, 1.0);
            }
        }
        for (k, n) in &row.counts {
            add(self.pairables() + k, *n);
        }
        if let Some(apart) = self.apart(values) {
            add(DISAGREE, row.disagreement(apart));
        } else {
            for (at, (k, n)) in row.counts.iter().enumerate() {
                for (l, m) in &row.counts[at + 1..] {
                    add(self.coincidences() + k * self.q + l, 2.0 * n * m / (row.ratings - 1.0));
                }
            }
        }
        if let Some((a, b)) = row.pair {
            let [first, second] = self.margins();
            add(first + a, 1.0);
            add(second + b, 1.0);
        }
    }

    pub fn entries(self, row: &Row, values: &[f64]) -> Sparse {
        let mut out = Vec::new();
        self.each(row, values, &mut |at, amount| out.push((at, amount)));
        out
    }
}

/// `(place, amount)`, each place at most once.
pub(crate) type Sparse = Vec<(usize, f64)>;

/// Sums over units.
#[derive(Debug, Clone)]
pub(crate) struct Tally<'v> {
    pub layout: Layout,
    /// Numeric value per category.
    pub values: &'v [f64],
    sums: Vec<f64>,
}

impl<'v> Tally<'v> {
    pub fn empty(layout: Layout, values: &'v [f64]) -> Self {
        Self { layout, values, sums: vec![0.0; layout.len()] }
    }

    /// The sums over a table whose rows are too varied for counting equal ones to pay: one pass, no allocation per
    /// unit.
    pub fn by_pass(table: &'v Table) -> Self {
        let mut tally = Self::empty(Layout::of(table), table.values());
        let (mut row, mut room) = (Row::default(), Vec::new());
        for unit in 0..table.units() {
            row.read(table.row(unit), &mut room);
            tally.add_row(&row, 1.0);
        }
        tally
    }

    /// Adds a row that occurs so often.
    pub fn add_row(&mut self, row: &Row, times: f64) {
        let sums = &mut self.sums;
        self.layout.each(row, self.values, &mut |at, amount| sums[at] += amount * times);
    }

    pub fn clear(&mut self) {
        self.sums.fill(0.0);
    }
    pub fn add(&mut self, entries: &[(usize, f64)], times: f64) {
        for (at, amount) in entries {
            self.sums[*at] += amount * times;
        }
    }
    /// Units with a rating.
    pub fn rated(&self) -> f64 {
        self.sums[RATED]
    }
    /// Units with two ratings or more.
    pub fn pairable(&self) -> f64 {
        self.sums[PAIRABLE]
    }
    /// Sums over pairable units of the agreement by identity, linear, quadratic weights.
    pub fn agreement(&self, weights: usize) -> f64 {
        self.sums[AGREE + weights]
    }
    /// Pairs of ratings, and those that agree.
    pub fn pairs(&self) -> [f64; 2] {
        [self.sums[PAIRS], self.sums[AGREEING_PAIRS]]
    }
    /// Units that every rater rated, and those where all agree.
    pub fn complete(&self) -> [f64; 2] {
        [self.sums[COMPLETE], self.sums[UNANIMOUS]]
    }
    /// Krippendorff's disagreement summed over units, for the scale's fixed distances (not ordinal).
    pub fn disagreement(&self) -> f64 {
        self.sums[DISAGREE]
    }
    /// Category shares summed over rated units.
    pub fn shares(&self) -> &[f64] {
        &self.sums[FIRST..][..self.layout.q]
    }
    /// How often each category occurs in pairable units.
    pub fn pairables(&self) -> &[f64] {
        &self.sums[self.layout.pairables()..][..self.layout.q]
    }
    /// How often each rater gave each category, over all of that rater's ratings.
    pub fn by_rater(&self) -> impl Iterator<Item = &[f64]> {
        let all = &self.sums[self.layout.by_rater()..][..self.layout.raters * self.layout.q];
        all.chunks_exact(self.layout.q.max(1))
    }
    /// Both raters' counts over complete pairs; two raters only.
    pub fn margins(&self) -> Option<[&[f64]; 2]> {
        (self.layout.raters == 2).then(|| self.layout.margins().map(|at| &self.sums[at..][..self.layout.q]))
    }
    /// Krippendorff's disagreement over the coincidences for distances between `values`; ordinal only.
    pub fn coincident_disagreement(&self, values: &[f64]) -> f64 {
        let q = self.layout.q;
        let cells = self.sums[self.layout.coincidences()..].chunks_exact(q.max(1));
        let of_row = |(k, row): (usize, &[f64])| -> f64 {
            let apart = |l: usize| (values[l] - values[k]).powi(2);
            (k + 1..q).map(|l| row[l] * apart(l)).sum()
        };
        cells.enumerate().map(of_row).sum()
    }
}
