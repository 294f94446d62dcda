//! Sufficient statistics that are kept up to date: clusters counted by what their units say. A new verdict changes
//! one prompt, so that one count goes down and another up, and every number, interval included, follows from the
//! counts without going over the units again.

use crate::{
    AgreementResult, Level, Method, Numbers, Options, Resampling, Table, TableError,
    bootstrap::{Clusters, Members},
    numbers::Sample,
    rows::Rows,
    table::MISSING,
    tally::Layout,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Clusters by what their units say. Serialised, it is what a study may store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// A table without rows: the scale and the raters.
    level: Level,
    categories: Vec<String>,
    raters: usize,
    kinds: Vec<(ClusterUnits, u64)>,
}

/// What the units of one cluster say: their rows, sorted, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClusterUnits(Vec<u16>);

impl ClusterUnits {
    /// `rows[unit][rater]` is a position in the categories, `None` a missing rating. The order of units plays no
    /// part.
    pub fn of<R: AsRef<[Option<u16>]>>(rows: &[R]) -> Self {
        let cells = |row: &R| row.as_ref().iter().map(|cell| cell.unwrap_or(MISSING)).collect();
        let mut rows: Vec<Vec<u16>> = rows.iter().map(cells).collect();
        rows.sort_unstable();
        Self(rows.concat())
    }
}

/// Why counts cannot be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CountsError {
    /// A row with another number of raters, or a label beyond the categories.
    #[error("the units do not fit the counts: another number of raters, or a label beyond the categories")]
    DoesNotFit,
    /// What is to be taken out was never put in.
    #[error("no cluster of this kind is counted; count the units again")]
    NotCounted,
}

impl Counts {
    /// No units yet.
    pub fn new(level: Level, categories: Vec<String>, raters: usize) -> Result<Self, TableError> {
        let table = Table::from_codes(level, categories, raters, &[])?;
        Ok(Self::of(&table, None))
    }

    /// Counts a table. `clusters[unit]` groups units that are resampled together; without it, or beyond its end,
    /// every unit is on its own.
    pub fn of(table: &Table, clusters: Option<&[u32]>) -> Self {
        let place = |unit: usize| match clusters.and_then(|all| all.get(unit)) {
            Some(cluster) => (false, *cluster as usize),
            None => (true, unit),
        };
        let mut units: Vec<((bool, usize), &[u16])> =
            (0..table.units()).map(|unit| (place(unit), table.row(unit))).collect();
        units.sort_unstable();
        let mut kinds: BTreeMap<ClusterUnits, u64> = BTreeMap::new();
        for cluster in units.chunk_by(|a, b| a.0 == b.0) {
            let cells = cluster.iter().flat_map(|(_, row)| *row).copied().collect();
            *kinds.entry(ClusterUnits(cells)).or_default() += 1;
        }
        Self {
            level: table.level(),
            categories: table.categories().to_vec(),
            raters: table.raters(),
            kinds: kinds.into_iter().collect(),
        }
    }

    /// Counts one more cluster.
    pub fn add(&mut self, cluster: ClusterUnits) -> Result<(), CountsError> {
        let q = self.categories.len();
        let fits = cluster.0.is_empty() || (self.raters > 0 && cluster.0.len().is_multiple_of(self.raters));
        if !fits || cluster.0.iter().any(|cell| *cell != MISSING && usize::from(*cell) >= q) {
            return Err(CountsError::DoesNotFit);
        }
        match self.kinds.binary_search_by(|(kind, _)| kind.cmp(&cluster)) {
            Ok(at) => self.kinds[at].1 += 1,
            Err(at) => self.kinds.insert(at, (cluster, 1)),
        }
        Ok(())
    }

    /// Takes a cluster out.
    pub fn remove(&mut self, cluster: &ClusterUnits) -> Result<(), CountsError> {
        let at = self.kinds.binary_search_by(|(kind, _)| kind.cmp(cluster));
        let at = at.map_err(|_| CountsError::NotCounted)?;
        self.kinds[at].1 -= 1;
        if self.kinds[at].1 == 0 {
            self.kinds.remove(at);
        }
        Ok(())
    }

    /// A cluster says something else now: a verdict came, changed or went. Nothing changes on an error.
    pub fn replace(&mut self, before: &ClusterUnits, after: ClusterUnits) -> Result<(), CountsError> {
        self.remove(before)?;
        self.add(after).inspect_err(|_| {
            // What was just there fits.
            let _ = self.add(before.clone());
        })
    }

    /// How many clusters are counted.
    pub fn clusters(&self) -> u64 {
        self.kinds.iter().map(|(_, n)| n).sum()
    }

    /// The same result as of the whole table, without `by`. With `judge`, the first rater is the judge, tested
    /// against the second.
    pub fn agreement(&self, judge: bool, options: &Options) -> AgreementResult {
        AgreementResult {
            numbers: self.numbers(judge, options),
            by: Vec::new(),
            method: Method::of(true, options),
        }
    }

    /// The numbers alone.
    pub fn numbers(&self, judge: bool, options: &Options) -> Numbers {
        let layout = Layout { q: self.categories.len(), raters: self.raters, level: self.level };
        // The categories were checked when the counts were made; a table of none of them cannot fail.
        let values = Table::from_codes(self.level, self.categories.clone(), self.raters, &[])
            .map(|table| table.values().to_vec())
            .unwrap_or_default();
        let width = self.raters.max(1);
        let mut counted: BTreeMap<&[u16], u64> = BTreeMap::new();
        for (kind, n) in &self.kinds {
            for row in kind.0.chunks_exact(width) {
                *counted.entry(row).or_default() += n;
            }
        }
        let units = counted.values().sum();
        let rows =
            Rows::of_counts(layout, values, counted.iter().map(|(row, n)| (row.to_vec(), *n)).collect());
        let clusters = match options.resampling {
            Resampling::Clusters => self.kinds_by_row(&rows),
            Resampling::Units => Clusters::units(&rows),
        };
        Sample { categories: &self.categories, units, rows, clusters }.numbers(options, judge)
    }

    /// The kinds of clusters by their rated rows; kinds that differ in unrated units are one.
    fn kinds_by_row(&self, rows: &Rows) -> Clusters {
        let place =
            |cells: &[u16]| rows.distinct.binary_search_by(|row| row.cells.as_slice().cmp(cells)).ok();
        let mut kinds: BTreeMap<Members, u32> = BTreeMap::new();
        for (kind, n) in &self.kinds {
            let mut members: BTreeMap<u32, u32> = BTreeMap::new();
            for row in kind.0.chunks_exact(self.raters.max(1)) {
                if let Some(place) = place(row).and_then(|at| u32::try_from(at).ok()) {
                    *members.entry(place).or_default() += 1;
                }
            }
            if !members.is_empty() {
                let n = u32::try_from(*n).unwrap_or(u32::MAX);
                *kinds.entry(members.into_iter().collect()).or_default() += n;
            }
        }
        Clusters::of_kinds(kinds.into_iter().collect())
    }
}
