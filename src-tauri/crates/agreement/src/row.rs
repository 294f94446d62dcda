//! One unit's ratings as the formulas see them.

use crate::table::MISSING;

/// One row: the cells, and how often each category occurs among them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    /// Position of the label per rater; [`MISSING`] where there is none.
    pub cells: Vec<u16>,
    /// `(category, ratings)` for the categories that occur, ascending.
    pub counts: Vec<(usize, f64)>,
    /// Ratings in the row.
    pub ratings: f64,
    /// Both labels, where exactly two raters both rated.
    pub pair: Option<(usize, usize)>,
}

impl Row {
    pub fn of(cells: &[u16]) -> Self {
        let mut row = Self::default();
        row.read(cells, &mut Vec::with_capacity(cells.len()));
        row
    }

    /// Becomes the row of these cells. `labels` is room to sort in, so that a pass over a table allocates nothing.
    pub fn read(&mut self, cells: &[u16], labels: &mut Vec<u16>) {
        self.cells.clear();
        self.cells.extend_from_slice(cells);
        labels.clear();
        labels.extend(cells.iter().filter(|cell| **cell != MISSING));
        labels.sort_unstable();
        self.counts.clear();
        self.counts
            .extend(labels.chunk_by(|a, b| a == b).map(|same| (usize::from(same[0]), same.len() as f64)));
        self.ratings = labels.len() as f64;
        self.pair = match cells {
            [a, b] if *a != MISSING && *b != MISSING => Some((usize::from(*a), usize::from(*b))),
            _ => None,
        };
    }

    /// `(rater, category)` of every rating.
    pub fn said(&self) -> impl Iterator<Item = (usize, usize)> {
        let said = self.cells.iter().enumerate();
        said.filter(|(_, cell)| **cell != MISSING).map(|(rater, cell)| (rater, usize::from(*cell)))
    }

    /// Pairs of ratings, and how many of them agree.
    pub fn pairs(&self) -> [f64; 2] {
        let pairs = |n: f64| n * (n - 1.0) / 2.0;
        [pairs(self.ratings), self.counts.iter().map(|(_, n)| pairs(*n)).sum()]
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

    /// Krippendorff's disagreement of the row, summed over its pairable values: `Σ n_k n_l δ_kl / (ratings - 1)`.
    pub fn disagreement(&self, apart: Apart<'_>) -> f64 {
        if self.counts.len() < 2 {
            return 0.0;
        }
        let r = self.ratings;
        let sum: f64 = match apart {
            Apart::OrNot => self.counts.iter().map(|(_, n)| n * (r - n)).sum(),
            Apart::BySquares(v) => {
                let mean = self.counts.iter().map(|(k, n)| n * v[*k]).sum::<f64>() / r;
                2.0 * r * self.counts.iter().map(|(k, n)| n * (v[*k] - mean).powi(2)).sum::<f64>()
            }
            Apart::ByRatios(v) => pairwise(self.counts.iter().map(|(k, n)| (v[*k], *n))),
        };
        sum / (r - 1.0)
    }
}

/// How far two categories of fixed distance are apart.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Apart<'v> {
    /// They differ or not.
    OrNot,
    /// The squared difference of their values.
    BySquares(&'v [f64]),
    /// `((v - w) / (v + w))²`.
    ByRatios(&'v [f64]),
}

impl Apart<'_> {
    /// How the expected disagreement grows with the count of each category: `2 Σ_l n_l δ_kl`.
    pub fn slope(self, counts: &[f64]) -> Vec<f64> {
        let total: f64 = counts.iter().sum();
        match self {
            Self::OrNot => counts.iter().map(|n| 2.0 * (total - n)).collect(),
            Self::BySquares(v) => {
                let mean = counts.iter().zip(v).map(|(n, v)| n * v).sum::<f64>() / total;
                let square = counts.iter().zip(v).map(|(n, v)| n * (v - mean).powi(2)).sum::<f64>();
                v.iter().map(|v| 2.0 * (total * (v - mean).powi(2) + square)).collect()
            }
            Self::ByRatios(v) => {
                let others = || v.iter().zip(counts).filter(|(_, n)| **n > 0.0);
                let apart = |v: f64, w: f64| if v + w > 0.0 { ((v - w) / (v + w)).powi(2) } else { 0.0 };
                v.iter().map(|v| 2.0 * others().map(|(w, n)| n * apart(*v, *w)).sum::<f64>()).collect()
            }
        }
    }
}

/// `Σ n_k n_l ((v_k - v_l) / (v_k + v_l))²` over ordered pairs of different values.
pub(crate) fn pairwise(values: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let mut sum = 0.0;
    let mut rest = values;
    while let Some((v, n)) = rest.next() {
        sum += rest.clone().map(|(w, m)| n * m * ((v - w) / (v + w)).powi(2)).sum::<f64>();
    }
    2.0 * sum
}
