//! From rows to sums. Every coefficient is a function of sums over units, so equal rows are counted once, and
//! resampling is adding up sums. Sums are kept sparse per row or cluster: a unit touches few categories, however
//! many are declared.
//!
//! No matrix over pairs of categories is built except on an ordinal scale, whose distances depend on the counts:
//! nominal and interval disagreement of a unit follow from its counts and from its variance.

use crate::{Level, Table, table::MISSING};
use std::collections::{BTreeMap, HashMap};

/// One row as the formulas see it.
pub(crate) struct Row {
    /// `(category, ratings)` for the categories that occur, ascending.
    pub counts: Vec<(usize, f64)>,
    /// Ratings in the row.
    pub ratings: f64,
    /// Both labels, where exactly two raters both rated.
    pub pair: Option<(usize, usize)>,
}

impl Row {
    fn of(cells: &[u16]) -> Self {
        let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
        for cell in cells.iter().filter(|cell| **cell != MISSING) {
            *counts.entry(usize::from(*cell)).or_default() += 1.0;
        }
        let pair = match cells {
            [a, b] if *a != MISSING && *b != MISSING => Some((usize::from(*a), usize::from(*b))),
            _ => None,
        };
        let counts: Vec<_> = counts.into_iter().collect();
        Self { ratings: counts.iter().map(|(_, n)| n).sum(), counts, pair }
    }

    /// Mean over the row's pairs of `1 - distance`, by identity, linear and quadratic weights of `q` categories.
    pub fn agreement(&self, q: usize) -> [f64; 3] {
        let span = (q.max(2) - 1) as f64;
        let mut apart = [0.0; 3];
        for (at, (k, n)) in self.counts.iter().enumerate() {
            for (l, m) in &self.counts[at + 1..] {
                let step = (l - k) as f64 / span;
                for (sum, distance) in apart.iter_mut().zip([1.0, step, step * step]) {
                    *sum += n * m * distance;
                }
            }
        }
        let pairs = self.ratings * (self.ratings - 1.0) / 2.0;
        apart.map(|sum| 1.0 - sum / pairs)
    }

    /// Krippendorff's disagreement of the row on a scale of `values` (`None`: they differ or not), summed over
    /// its pairable values: `Σ n_k n_l δ_kl / (ratings - 1)`.
    pub fn disagreement(&self, values: Option<&[f64]>) -> f64 {
        let r = self.ratings;
        let sum: f64 = match values {
            None => self.counts.iter().map(|(_, n)| n * (r - n)).sum(),
            Some(v) if self.counts.len() > 1 => {
                let mean = self.counts.iter().map(|(k, n)| n * v[*k]).sum::<f64>() / r;
                2.0 * r * self.counts.iter().map(|(k, n)| n * (v[*k] - mean).powi(2)).sum::<f64>()
            }
            Some(_) => 0.0,
        };
        sum / (r - 1.0)
    }
}

/// Where each sum lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    pub q: usize,
    pub raters: usize,
    pub level: Level,
}

const RATED: usize = 0;
const PAIRABLE: usize = 1;
const AGREE: usize = 2;
const DISAGREE: usize = 5;
const FIRST: usize = 6;

impl Layout {
    pub fn of(table: &Table) -> Self {
        Self { q: table.categories().len(), raters: table.raters(), level: table.level() }
    }
    fn pairables(self) -> usize {
        FIRST + self.q
    }
    fn margins(self) -> [usize; 2] {
        [FIRST + 2 * self.q, FIRST + 3 * self.q]
    }
    fn coincidences(self) -> usize {
        FIRST + if self.raters == 2 { 4 } else { 2 } * self.q
    }
    fn len(self) -> usize {
        self.coincidences() + if self.level == Level::Ordinal { self.q * self.q } else { 0 }
    }

    /// What one row adds.
    fn entries(self, row: &Row, values: &[f64]) -> Sparse {
        let mut out = Vec::new();
        if row.ratings == 0.0 {
            return out;
        }
        out.push((RATED, 1.0));
        out.extend(row.counts.iter().map(|(k, n)| (FIRST + k, n / row.ratings)));
        if row.ratings < 2.0 {
            return out;
        }
        out.push((PAIRABLE, 1.0));
        let agreement = row.agreement(self.q);
        out.extend(agreement.into_iter().enumerate().map(|(at, a)| (AGREE + at, a)));
        out.extend(row.counts.iter().map(|(k, n)| (self.pairables() + k, *n)));
        match self.level {
            Level::Nominal => out.push((DISAGREE, row.disagreement(None))),
            Level::Interval => out.push((DISAGREE, row.disagreement(Some(values)))),
            Level::Ordinal => {
                for (at, (k, n)) in row.counts.iter().enumerate() {
                    for (l, m) in &row.counts[at + 1..] {
                        let twice = 2.0 * n * m / (row.ratings - 1.0);
                        out.push((self.coincidences() + k * self.q + l, twice));
                    }
                }
            }
        }
        if let Some((a, b)) = row.pair {
            let [first, second] = self.margins();
            out.extend([(first + a, 1.0), (second + b, 1.0)]);
        }
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

/// A table's distinct rows, how often each occurs, and what each adds. Rows without a rating are left out.
pub(crate) struct Rows {
    pub layout: Layout,
    pub values: Vec<f64>,
    pub distinct: Vec<Row>,
    pub entries: Vec<Sparse>,
    pub times: Vec<f64>,
    /// Per unit, which distinct row; none when it has no rating.
    pub of_unit: Vec<Option<u32>>,
}

/// Up to this many possible rows they are counted in an array, beyond it in a map.
const DENSE: usize = 1 << 16;

impl Rows {
    /// Distinct rows in the order of their labels, so that the order of units plays no part.
    pub fn of(table: &Table) -> Self {
        let layout = Layout::of(table);
        let digits = layout.q + 1;
        let possible = u32::try_from(layout.raters).ok().and_then(|r| digits.checked_pow(r));
        let mut first: Vec<usize> = Vec::new(); // a unit with this row
        let mut times: Vec<f64> = Vec::new();
        let mut raw = Vec::with_capacity(table.units());
        let mut note = |slot: &mut Option<u32>, unit: usize| {
            let id = *slot.get_or_insert_with(|| {
                first.push(unit);
                times.push(0.0);
                u32::try_from(first.len() - 1).unwrap_or(u32::MAX)
            });
            times[id as usize] += 1.0;
            id
        };
        if let Some(possible) = possible.filter(|possible| *possible <= DENSE) {
            let mut seen = vec![None; possible];
            for unit in 0..table.units() {
                let digit = |cell: u16| if cell == MISSING { layout.q } else { usize::from(cell) };
                let code = table.row(unit).iter().fold(0, |code, cell| code * digits + digit(*cell));
                raw.push(note(&mut seen[code], unit));
            }
        } else {
            let mut seen: HashMap<&[u16], Option<u32>> = HashMap::new();
            for unit in 0..table.units() {
                raw.push(note(seen.entry(table.row(unit)).or_default(), unit));
            }
        }
        let mut order: Vec<usize> = (0..first.len()).collect();
        order.retain(|id| table.row(first[*id]).iter().any(|cell| *cell != MISSING));
        order.sort_by_key(|id| table.row(first[*id]));
        let mut rank = vec![None; first.len()];
        for (at, id) in order.iter().enumerate() {
            rank[*id] = u32::try_from(at).ok();
        }
        let rows: Vec<Row> = order.iter().map(|id| Row::of(table.row(first[*id]))).collect();
        Self {
            layout,
            entries: rows.iter().map(|row| layout.entries(row, table.values())).collect(),
            values: table.values().to_vec(),
            distinct: rows,
            times: order.iter().map(|id| times[*id]).collect(),
            of_unit: raw.into_iter().map(|id| rank[id as usize]).collect(),
        }
    }

    /// The sums over all units.
    pub fn tally(&self) -> Tally<'_> {
        let mut tally = Tally::empty(self.layout, &self.values);
        for (entries, times) in self.entries.iter().zip(&self.times) {
            tally.add(entries, *times);
        }
        tally
    }
}
