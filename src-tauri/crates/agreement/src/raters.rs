//! Who agrees with whom: every pair of raters, and each rater against the others.

use crate::{
    Coefficient, Kind, Numbers, Options, Reason, Table, Weights, exact::share_interval, numbers::Sample,
    rows::Rows, table::MISSING,
};
use domain::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two raters over the units that both rated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RaterPair {
    /// Column of the first rater.
    pub first: Count,
    /// Column of the second rater.
    pub second: Count,
    /// Units that both rated.
    pub units: Count,
    /// Share of them on which they agree; the interval is exact and takes units as independent.
    pub percent_agreement: Coefficient,
    /// Scott's π.
    pub scott_pi: Coefficient,
    /// Cohen's κ.
    pub cohen_kappa: Coefficient,
}

/// All pairs of raters, first column below second: the cells of a heat map.
pub fn rater_pairs(table: &Table) -> Vec<RaterPair> {
    let counts = PairCounts::of(table);
    counts
        .pairs()
        .map(|(first, second, rows)| {
            let tally = rows.tally();
            let of = |kind: Kind| Coefficient::from(kind.value(&tally));
            let mut percent_agreement = of(Kind::PercentAgreement);
            let [units, agreeing] = tally.pairs();
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts of units
            let [units, agreeing] = [units as u64, agreeing as u64];
            percent_agreement.ci95 = share_interval(agreeing, units, 0.95).ok();
            RaterPair {
                first: first.into(),
                second: second.into(),
                units: units.into(),
                percent_agreement,
                scott_pi: of(Kind::ScottPi),
                cohen_kappa: of(Kind::CohenKappa(Weights::Identity)),
            }
        })
        .collect()
}

/// Light's κ (1971): the mean of Cohen's κ over all pairs of raters.
///
/// # Errors
/// There is one rater only, two of them have no unit in common, or the κ of a pair is undefined.
pub fn light_kappa(table: &Table) -> Result<f64, Reason> {
    let mut sum = 0.0;
    let mut pairs = 0.0;
    for (_, _, rows) in PairCounts::of(table).pairs() {
        let kappa = Kind::CohenKappa(Weights::Identity).value(&rows.tally());
        sum +=
            kappa.map_err(|why| if why == Reason::NothingPairable { Reason::NoCommonUnit } else { why })?;
        pairs += 1.0;
    }
    if pairs == 0.0 { Err(Reason::NothingPairable) } else { Ok(sum / pairs) }
}

/// A table's distinct rows, from which every pair of columns is counted.
struct PairCounts<'t> {
    table: &'t Table,
    rows: Rows,
}

impl<'t> PairCounts<'t> {
    fn of(table: &'t Table) -> Self {
        Self { table, rows: Rows::of(table) }
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize, Rows)> {
        let raters = self.table.raters();
        let pairs = (0..raters).flat_map(move |first| (first + 1..raters).map(move |second| (first, second)));
        pairs.map(|(first, second)| (first, second, self.pair(first, second)))
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts of units
    fn pair(&self, first: usize, second: usize) -> Rows {
        let mut counts = std::collections::BTreeMap::<[u16; 2], u64>::new();
        for (row, times) in self.rows.distinct.iter().zip(&self.rows.times) {
            let cells = [row.cells[first], row.cells[second]];
            if !cells.contains(&MISSING) {
                *counts.entry(cells).or_default() += *times as u64;
            }
        }
        let counts = counts.into_iter().map(|(cells, n)| (cells.to_vec(), n)).collect();
        let layout = crate::tally::Layout { raters: 2, ..self.rows.layout };
        Rows::of_counts(layout, self.rows.values.clone(), counts)
    }
}

/// One rater against the rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RaterAgainstOthers {
    /// Column of the rater.
    pub rater: Count,
    /// Units where the others' ratings have no single commonest label, left out.
    pub ties: Count,
    /// The rater (rows) against the commonest label among the others (columns).
    pub numbers: Numbers,
}

/// Each rater against the commonest label among all the others; the rater's own rating never counts among them.
/// `clusters[unit]` groups units that are resampled together.
pub fn raters_against_others(
    table: &Table,
    clusters: Option<&[u32]>,
    options: &Options,
) -> Vec<RaterAgainstOthers> {
    let of = |rater: usize| {
        let mut ties = 0_u64;
        let mut cells = Vec::with_capacity(2 * table.units());
        for unit in 0..table.units() {
            let row = table.row(unit);
            let others = row.iter().enumerate().filter(|(at, _)| *at != rater).map(|(_, cell)| *cell);
            let common = commonest(others);
            if common == Commonest::Tie && row[rater] != MISSING {
                ties += 1;
            }
            let label = |code: u16| (code != MISSING).then_some(code);
            cells.push(label(row[rater]));
            cells.push(if let Commonest::Label(code) = common { label(code) } else { None });
        }
        let pairs = Table::from_codes(table.level(), table.categories().to_vec(), 2, &cells).ok()?;
        let numbers = Sample::of(&pairs, clusters, options).numbers(options, false);
        Some(RaterAgainstOthers { rater: rater.into(), ties: ties.into(), numbers })
    };
    (0..table.raters()).filter_map(of).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Commonest {
    Nothing,
    Tie,
    Label(u16),
}

fn commonest(labels: impl Iterator<Item = u16>) -> Commonest {
    let mut labels: Vec<u16> = labels.filter(|label| *label != MISSING).collect();
    labels.sort_unstable();
    let mut best = (0, Commonest::Nothing);
    for same in labels.chunk_by(|a, b| a == b) {
        match same.len().cmp(&best.0) {
            std::cmp::Ordering::Greater => best = (same.len(), Commonest::Label(same[0])),
            std::cmp::Ordering::Equal => best.1 = Commonest::Tie,
            std::cmp::Ordering::Less => {}
        }
    }
    best.1
}

/// Cohen's κ with a disagreement of one's own for each pair of categories: `apart[row * q + column]`, 0 where they
/// are the same (Cohen 1968). Two raters, complete pairs.
///
/// # Errors
/// Not two raters, no pair, weights that are not q × q numbers from 0 on, or chance disagreement 0.
pub fn cohen_kappa_by(table: &Table, apart: &[f64]) -> Result<f64, Reason> {
    let rows = Rows::of(table);
    let counts = rows.pair_counts().ok_or(Reason::NotTwoRaters)?;
    if apart.len() != counts.len() || apart.iter().any(|d| !(d.is_finite() && *d >= 0.0)) {
        return Err(Reason::NoWeights);
    }
    let tally = rows.tally();
    let [first, second] = tally.margins().ok_or(Reason::NotTwoRaters)?;
    let n = tally.pairable();
    if n == 0.0 {
        return Err(Reason::NothingPairable);
    }
    let q = first.len();
    let observed: f64 = counts.iter().zip(apart).map(|(n, d)| *n as f64 * d).sum();
    let expected: f64 = (0..q * q).map(|at| first[at / q] * second[at % q] * apart[at]).sum();
    if expected == 0.0 { Err(Reason::ChanceIsOne) } else { Ok(1.0 - observed * n / expected) }
}

/// The largest Cohen's κ that the two raters' margins allow (Cohen 1960).
///
/// # Errors
/// As Cohen's κ.
pub fn cohen_kappa_max(table: &Table) -> Result<f64, Reason> {
    let rows = Rows::of(table);
    let tally = rows.tally();
    Kind::CohenKappa(Weights::Identity).value(&tally)?;
    let [first, second] = tally.margins().ok_or(Reason::NotTwoRaters)?;
    let n = tally.pairable();
    let most: f64 = first.iter().zip(second).map(|(a, b)| a.min(*b)).sum();
    let chance: f64 = first.iter().zip(second).map(|(a, b)| a * b).sum();
    Ok((most * n - chance) / (n * n - chance))
}
