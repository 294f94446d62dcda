//! A table's distinct rows and how often each occurs. Where few rows are possible (two raters, two labels: nine) a
//! row is a small number and counting is one pass at about the speed of memory; else rows are found by a hash.

use crate::{
    Table,
    row::Row,
    table::MISSING,
    tally::{Layout, Sparse, Tally},
};
use rustc_hash::FxHashMap;

/// A table's distinct rows, how often each occurs, and what each adds. Rows without a rating are left out.
pub(crate) struct Rows {
    pub layout: Layout,
    pub values: Vec<f64>,
    pub distinct: Vec<Row>,
    pub entries: Vec<Sparse>,
    pub times: Vec<f64>,
}

/// Up to this many possible rows they are counted in an array, beyond it in a map.
const DENSE: usize = 1 << 16;
/// Stands for a unit without a rating.
pub(crate) const UNRATED: u32 = u32::MAX;

impl Rows {
    /// Distinct rows in the order of their labels, so that the order of units plays no part.
    pub fn of(table: &Table) -> Self {
        let found: Vec<(Vec<u16>, u64)> = if let Some(possible) = possible_rows(table) {
            let counts = dense_counts(table, possible).into_iter().enumerate();
            counts.filter(|(_, n)| *n > 0).map(|(code, n)| (cells_of(code, table), n.into())).collect()
        } else {
            let mut found: FxHashMap<&[u16], u64> = FxHashMap::default();
            for unit in 0..table.units() {
                *found.entry(table.row(unit)).or_default() += 1;
            }
            found.into_iter().map(|(cells, n)| (cells.to_vec(), n)).collect()
        };
        Self::of_counts(Layout::of(table), table.values().to_vec(), found)
    }

    /// The same, with the place of each unit's row among them, or [`UNRATED`].
    pub fn with_units(table: &Table) -> (Self, Vec<u32>) {
        let mut ids: FxHashMap<&[u16], u32> = FxHashMap::default();
        let mut found: Vec<(&[u16], u64)> = Vec::new();
        let mut units: Vec<u32> = Vec::with_capacity(table.units());
        let mut dense: Option<Vec<u32>> = possible_rows(table).map(|possible| vec![UNRATED; possible]);
        let digits = table.categories().len() + 1;
        for unit in 0..table.units() {
            let cells = table.row(unit);
            let slot = match &mut dense {
                Some(seen) => &mut seen[code_of(cells, digits)],
                None => ids.entry(cells).or_insert(UNRATED),
            };
            if *slot == UNRATED {
                *slot = u32::try_from(found.len()).unwrap_or(UNRATED);
                found.push((cells, 0));
            }
            found[*slot as usize].1 += 1;
            units.push(*slot);
        }
        let mut order: Vec<usize> = (0..found.len()).filter(|id| is_rated(found[*id].0)).collect();
        order.sort_by_key(|id| found[*id].0);
        let mut rank = vec![UNRATED; found.len()];
        for (at, id) in (0..).zip(&order) {
            rank[*id] = at;
        }
        for unit in &mut units {
            *unit = rank[*unit as usize];
        }
        let counts = order.iter().map(|id| (found[*id].0.to_vec(), found[*id].1)).collect();
        (Self::of_counts(Layout::of(table), table.values().to_vec(), counts), units)
    }

    /// From counted rows, each at most once, in any order.
    pub fn of_counts(layout: Layout, values: Vec<f64>, mut counts: Vec<(Vec<u16>, u64)>) -> Self {
        counts.retain(|(cells, _)| is_rated(cells));
        counts.sort_unstable();
        let distinct: Vec<Row> = counts.iter().map(|(cells, _)| Row::of(cells)).collect();
        Self {
            layout,
            entries: distinct.iter().map(|row| layout.entries(row, &values)).collect(),
            values,
            times: counts.iter().map(|(_, n)| *n as f64).collect(),
            distinct,
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

    /// Counts of label pairs over units that both of exactly two raters rated: `[row * q + column]`.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts are whole and below 2^53
    pub fn pair_counts(&self) -> Option<Vec<u64>> {
        (self.layout.raters == 2).then(|| {
            let mut counts = vec![0; self.layout.q * self.layout.q];
            for (row, times) in self.distinct.iter().zip(&self.times) {
                if let Some((a, b)) = row.pair {
                    counts[a * self.layout.q + b] += *times as u64;
                }
            }
            counts
        })
    }
}

/// The sums over a table, by whichever way is cheaper.
pub(crate) fn with_tally<T>(table: &Table, use_it: impl FnOnce(&Tally<'_>) -> T) -> T {
    if let Some(possible) = possible_rows(table) {
        let mut tally = Tally::empty(Layout::of(table), table.values());
        let (mut row, mut room) = (Row::default(), Vec::new());
        let mut cells = vec![MISSING; table.raters()];
        for (code, times) in dense_counts(table, possible).into_iter().enumerate() {
            if times > 0 {
                read_code(code, table.categories().len() + 1, &mut cells);
                row.read(&cells, &mut room);
                tally.add_row(&row, f64::from(times));
            }
        }
        use_it(&tally)
    } else {
        use_it(&Tally::by_pass(table))
    }
}

fn is_rated(cells: &[u16]) -> bool {
    cells.iter().any(|cell| *cell != MISSING)
}

/// How many different rows there can be, when they are few.
fn possible_rows(table: &Table) -> Option<usize> {
    let raters = u32::try_from(table.raters()).ok()?;
    (table.categories().len() + 1).checked_pow(raters).filter(|possible| *possible <= DENSE)
}

/// A row as a number: a digit per rater, the missing one being the highest.
fn code_of(cells: &[u16], digits: usize) -> usize {
    cells.iter().fold(0, |code, cell| code * digits + usize::from(*cell).min(digits - 1))
}

fn cells_of(code: usize, table: &Table) -> Vec<u16> {
    let mut cells = vec![MISSING; table.raters()];
    read_code(code, table.categories().len() + 1, &mut cells);
    cells
}

fn read_code(code: usize, digits: usize, cells: &mut [u16]) {
    let mut rest = code;
    for cell in cells.iter_mut().rev() {
        let digit = rest % digits;
        rest /= digits;
        let label = u16::try_from(digit).ok().filter(|_| digit + 1 < digits);
        *cell = label.unwrap_or(MISSING);
    }
}

fn dense_counts(table: &Table, possible: usize) -> Vec<u32> {
    let (cells, q) = (table.cells(), u32::try_from(table.categories().len()).unwrap_or(0));
    match table.raters() {
        1 => count_rows::<1>(cells, q, possible),
        2 => count_rows::<2>(cells, q, possible),
        3 => count_rows::<3>(cells, q, possible),
        4 => count_rows::<4>(cells, q, possible),
        5 => count_rows::<5>(cells, q, possible),
        6 => count_rows::<6>(cells, q, possible),
        7 => count_rows::<7>(cells, q, possible),
        8 => count_rows::<8>(cells, q, possible),
        _ => {
            let mut counts = vec![0; possible];
            for unit in 0..table.units() {
                counts[code_of(table.row(unit), q as usize + 1)] += 1;
            }
            counts
        }
    }
}

/// Up to this many possible rows they are counted in four tables in turn, so that equal rows one after the other do
/// not wait for each other's count; more are seldom equal, and one table stays near the processor.
const FOUR_TABLES: usize = 1 << 10;

/// Counts rows of a fixed width.
fn count_rows<const R: usize>(cells: &[u16], q: u32, possible: usize) -> Vec<u32> {
    let code = |row: &[u16; R]| -> usize {
        row.iter().fold(0_u32, |code, cell| code * (q + 1) + u32::from(*cell).min(q)) as usize
    };
    let (rows, _) = cells.as_chunks::<R>();
    let mut counts = vec![0_u32; possible];
    if possible > FOUR_TABLES {
        for row in rows {
            counts[code(row)] += 1;
        }
        return counts;
    }
    let mut lanes = [(); 4].map(|()| vec![0_u32; possible]);
    let (fours, rest) = rows.as_chunks::<4>();
    for four in fours {
        for (lane, row) in lanes.iter_mut().zip(four) {
            lane[code(row)] += 1;
        }
    }
    for row in rest {
        counts[code(row)] += 1;
    }
    for lane in lanes {
        for (sum, n) in counts.iter_mut().zip(lane) {
            *sum += n;
        }
    }
    counts
}
