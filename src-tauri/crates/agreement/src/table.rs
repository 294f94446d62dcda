//! A units × raters table of labels, reduced on request to its distinct rows.

use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// What may be done with the categories.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// They differ or not.
    #[default]
    Nominal,
    /// They have an order, which is that of the declared categories.
    Ordinal,
    /// They are numbers.
    Interval,
    /// They are numbers from 0 on whose ratios count.
    Ratio,
}
impl Level {
    /// Are the categories numbers?
    pub(crate) const fn is_numeric(self) -> bool {
        matches!(self, Self::Interval | Self::Ratio)
    }
}
impl std::str::FromStr for Level {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "nominal" => Ok(Self::Nominal),
            "ordinal" => Ok(Self::Ordinal),
            "interval" => Ok(Self::Interval),
            "ratio" => Ok(Self::Ratio),
            _ => Err(format!(
                "{:?} is no level; write nominal, ordinal, interval or ratio",
                text.chars().take(80).collect::<String>()
            )),
        }
    }
}

/// Why a table cannot be made. Units and raters count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// A row with another number of cells than the table has raters.
    #[error(
        "unit {unit} has {found} cells, the table has {raters} raters; write an empty cell or null where a rating is missing"
    )]
    Ragged {
        /// Which row.
        unit: usize,
        /// Its cells.
        found: usize,
        /// What the table has.
        raters: usize,
    },
    /// A label that is none of the declared categories.
    #[error(
        "unit {unit}, rater {rater}: {label:?} is none of the declared categories; declare it or mend the cell"
    )]
    Undeclared {
        /// Which row.
        unit: usize,
        /// Which column.
        rater: usize,
        /// The label (cut to 80 characters).
        label: String,
    },
    /// A category that is declared twice.
    #[error("the category {label:?} is declared twice; name it once")]
    Twice {
        /// The label (cut to 80 characters).
        label: String,
    },
    /// An interval category that is not a finite number.
    #[error(
        "{label:?} is not a finite number, which an interval scale needs; use numbers or the level ordinal or nominal"
    )]
    NotANumber {
        /// The label (cut to 80 characters).
        label: String,
    },
    /// A ratio category below 0.
    #[error("{label:?} is below 0, where ratios mean nothing; use the level interval")]
    Negative {
        /// The label (cut to 80 characters).
        label: String,
    },
    /// Ordinal text labels whose order nobody declared.
    #[error("the labels are not numbers, so their order must be declared: give the categories in order")]
    OrderUnknown,
    /// More categories than a table can hold.
    #[error("{0} categories are more than a table can hold (65,534); bin the values")]
    TooManyCategories(usize),
}

pub(crate) const MISSING: u16 = u16::MAX;

/// Units × raters, labels as positions in the declared categories, missing allowed.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    level: Level,
    categories: Vec<String>,
    /// Numeric value per category: its number on an interval scale, its position otherwise.
    values: Vec<f64>,
    raters: usize,
    cells: Vec<u16>,
    units: usize,
}

/// How many numbers are read at once.
const BLOCK: usize = 4096;

/// Appends the places of values on a scale without gaps: `least`, `least + 1` … Without a branch, several at a time; false
/// when a value is off the scale, and what was appended is worth nothing then.
fn read_gapless(values: &[f64], least: f64, categories: f64, codes: &mut Vec<u16>) -> bool {
    // Added to 2^52, a whole number stands in the lowest bits.
    const SHIFT: f64 = 4_503_599_627_370_496.0;
    let mut fine = true;
    codes.extend(values.iter().map(|value| {
        let place = value - least;
        let shifted = place + SHIFT;
        let known =
            place >= 0.0 && place < categories && shifted - SHIFT >= place && shifted - SHIFT <= place;
        fine &= known | value.is_nan();
        #[allow(clippy::cast_possible_truncation)] // the lowest bits are what is wanted
        let code = shifted.to_bits() as u16;
        if known { code } else { MISSING }
    }));
    fine
}

fn shown(label: &str) -> String {
    label.chars().take(80).collect()
}

/// Two spellings of one number are one category of an interval scale.
fn number(label: &str) -> Option<f64> {
    label.trim().parse::<f64>().ok().filter(|v| v.is_finite()).map(|v| v + 0.0)
}

impl Table {
    /// A table of labels; `None` is a missing rating. `categories` is the declared scale in order, also with
    /// categories that never occur; without it the labels that occur are the scale: numbers in their order, other
    /// labels in that of their code points (which an ordinal scale refuses). Labels are compared after NFC,
    /// case-sensitive; on an interval scale by number.
    pub fn from_labels<S: AsRef<str>>(
        level: Level,
        categories: Option<&[String]>,
        rows: &[Vec<Option<S>>],
    ) -> Result<Self, TableError> {
        let raters = rows.first().map_or(0, Vec::len);
        let key = |label: &str| -> Result<String, TableError> {
            if level.is_numeric() {
                number(label)
                    .map(|v| v.to_string())
                    .ok_or_else(|| TableError::NotANumber { label: shown(label) })
            } else {
                Ok(label.nfc().collect())
            }
        };
        let declared: Vec<String> = if let Some(declared) = categories {
            declared.iter().map(|c| key(c)).collect::<Result<_, _>>()?
        } else {
            let mut seen = std::collections::BTreeSet::new();
            for label in rows.iter().flatten().flatten() {
                let label = label.as_ref();
                if !seen.contains(label) {
                    seen.insert(key(label)?);
                }
            }
            let mut labels: Vec<String> = seen.into_iter().collect();
            if labels.iter().all(|label| number(label).is_some()) {
                let value = |label: &String| number(label).unwrap_or(0.0);
                labels.sort_by(|a, b| value(a).total_cmp(&value(b)));
            } else if level == Level::Ordinal {
                return Err(TableError::OrderUnknown);
            }
            labels
        };
        let mut position = HashMap::with_capacity(declared.len());
        for (at, label) in declared.iter().enumerate() {
            let code = u16::try_from(at).ok().filter(|code| *code < MISSING);
            let code = code.ok_or(TableError::TooManyCategories(declared.len()))?;
            if position.insert(label.clone(), code).is_some() {
                return Err(TableError::Twice { label: shown(label) });
            }
        }
        let mut cells = Vec::with_capacity(rows.len() * raters);
        for (unit, row) in rows.iter().enumerate() {
            if row.len() != raters {
                return Err(TableError::Ragged { unit: unit + 1, found: row.len(), raters });
            }
            for (rater, cell) in row.iter().enumerate() {
                cells.push(match cell {
                    None => MISSING,
                    Some(label) => {
                        let label = label.as_ref();
                        let code = position.get(label).copied();
                        let code = match code {
                            Some(code) => Some(code),
                            None => position.get(&key(label)?).copied(),
                        };
                        code.ok_or_else(|| TableError::Undeclared {
                            unit: unit + 1,
                            rater: rater + 1,
                            label: shown(label),
                        })?
                    }
                });
            }
        }
        let categories = categories.map_or(declared.clone(), <[String]>::to_vec);
        Self::new(level, categories, raters, cells)
    }

    /// A table of two labels from flags, row by row: `true` is the first category. It cannot fail, and serves judge
    /// against human and person against person.
    pub fn of_flags<const R: usize>(categories: [&str; 2], rows: &[[Option<bool>; R]]) -> Self {
        let code = |flag: Option<bool>| flag.map_or(MISSING, |first| u16::from(!first));
        Self {
            level: Level::Nominal,
            categories: categories.map(str::to_owned).to_vec(),
            values: vec![0.0, 1.0],
            raters: R,
            cells: rows.iter().flatten().map(|flag| code(*flag)).collect(),
            units: rows.len(),
        }
    }

    /// A table from codes: `cells[unit * raters + rater]` is a position in `categories`, `None` a missing rating.
    pub fn from_codes(
        level: Level,
        categories: Vec<String>,
        raters: usize,
        cells: &[Option<u16>],
    ) -> Result<Self, TableError> {
        let cells = cells.iter().map(|cell| cell.unwrap_or(MISSING)).collect();
        Self::new(level, categories, raters, cells)
    }

    /// A table from numbers as other tools hold them, row by row; NaN is a missing rating. `categories` is the
    /// declared scale in order.
    pub fn from_numbers(
        level: Level,
        categories: &[f64],
        raters: usize,
        cells: &[f64],
    ) -> Result<Self, TableError> {
        let names: Vec<String> = categories.iter().map(ToString::to_string).collect();
        let mut places: Vec<(f64, u16)> = Vec::with_capacity(categories.len());
        for name in &names {
            let value = number(name).ok_or_else(|| TableError::NotANumber { label: shown(name) })?;
            let place = u16::try_from(places.len()).ok().filter(|place| *place < MISSING);
            places.push((value, place.ok_or(TableError::TooManyCategories(categories.len()))?));
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(twice) = places.windows(2).find(|pair| pair[0].0.total_cmp(&pair[1].0).is_eq()) {
            return Err(TableError::Twice { label: shown(&twice[0].0.to_string()) });
        }
        let least = places.first().map_or(0.0, |(value, _)| *value);
        // Where the scale has no gap a category's place follows from its value.
        let gapless = (0_u16..)
            .zip(&places)
            .all(|(at, (value, place))| *place == at && (value - least).total_cmp(&f64::from(at)).is_eq());
        let slowly = |at: usize, value: f64| {
            if value.is_nan() {
                return Ok(MISSING);
            }
            let value = value + 0.0; // -0 is 0
            let found = places.binary_search_by(|(known, _)| known.total_cmp(&value)).ok();
            found.map(|found| places[found].1).ok_or_else(|| TableError::Undeclared {
                unit: at / raters.max(1) + 1,
                rater: at % raters.max(1) + 1,
                label: value.to_string(),
            })
        };
        let mut codes = Vec::with_capacity(cells.len());
        for (block, values) in cells.chunks(BLOCK).enumerate() {
            if !(gapless && read_gapless(values, least, places.len() as f64, &mut codes)) {
                codes.truncate(block * BLOCK);
                for (at, value) in values.iter().enumerate() {
                    codes.push(slowly(block * BLOCK + at, *value)?);
                }
            }
        }
        Self::new(level, names, raters, codes)
    }

    fn new(
        level: Level,
        categories: Vec<String>,
        raters: usize,
        cells: Vec<u16>,
    ) -> Result<Self, TableError> {
        if categories.len() >= usize::from(MISSING) {
            return Err(TableError::TooManyCategories(categories.len()));
        }
        let values = if level.is_numeric() {
            let value = |c: &String| match number(c) {
                None => Err(TableError::NotANumber { label: shown(c) }),
                Some(v) if v < 0.0 && level == Level::Ratio => Err(TableError::Negative { label: shown(c) }),
                Some(v) => Ok(v),
            };
            categories.iter().map(value).collect::<Result<_, _>>()?
        } else {
            (0..categories.len()).map(|at| at as f64).collect()
        };
        let units = cells.len().checked_div(raters).unwrap_or(0);
        if raters > 0 && !cells.len().is_multiple_of(raters) {
            return Err(TableError::Ragged { unit: units + 1, found: cells.len() % raters, raters });
        }
        let wrong = cells.iter().position(|c| *c != MISSING && usize::from(*c) >= categories.len());
        if let Some(at) = wrong {
            return Err(TableError::Undeclared {
                unit: at / raters.max(1) + 1,
                rater: at % raters.max(1) + 1,
                label: cells[at].to_string(),
            });
        }
        Ok(Self { level, categories, values, raters, cells, units })
    }

    /// The same ratings read at another level; fails when an interval scale is asked of labels that are no numbers.
    pub fn at_level(&self, level: Level) -> Result<Self, TableError> {
        Self::new(level, self.categories.clone(), self.raters, self.cells.clone())
    }

    /// The rows whose positions are given, in that order; a position beyond the table is left out.
    #[must_use]
    pub fn subset(&self, units: &[usize]) -> Self {
        let rows = units.iter().filter(|unit| **unit < self.units);
        Self {
            cells: rows.clone().flat_map(|unit| self.row(*unit)).copied().collect(),
            units: rows.count(),
            ..self.without_cells()
        }
    }

    /// The level the table is read at.
    pub const fn level(&self) -> Level {
        self.level
    }
    /// The declared categories in order.
    pub fn categories(&self) -> &[String] {
        &self.categories
    }
    /// Rows.
    pub const fn units(&self) -> usize {
        self.units
    }
    /// Columns.
    pub const fn raters(&self) -> usize {
        self.raters
    }
    /// The units that every rater rated.
    #[must_use]
    pub fn complete(&self) -> Self {
        let complete = |unit: &usize| !self.row(*unit).contains(&MISSING);
        self.subset(&(0..self.units).filter(complete).collect::<Vec<_>>())
    }

    /// Some raters' columns, in that order; a position beyond the table is left out.
    #[must_use]
    pub fn of_raters(&self, raters: &[usize]) -> Self {
        let raters: Vec<usize> = raters.iter().copied().filter(|rater| *rater < self.raters).collect();
        let cells = (0..self.units).flat_map(|unit| raters.iter().map(move |rater| self.row(unit)[*rater]));
        Self { cells: cells.collect(), raters: raters.len(), ..self.without_cells() }
    }

    fn without_cells(&self) -> Self {
        Self {
            level: self.level,
            categories: self.categories.clone(),
            values: self.values.clone(),
            raters: self.raters,
            cells: Vec::new(),
            units: self.units,
        }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }
    pub(crate) fn row(&self, unit: usize) -> &[u16] {
        &self.cells[unit * self.raters..(unit + 1) * self.raters]
    }
}
