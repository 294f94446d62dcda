//! How many units two people have to judge so that an interval is as narrow as wanted.
//!
//! An interval's width falls with the root of the number of units. What one unit adds to the variance comes from a
//! pilot (units judged already) or from what is expected: the agreement and how often each says the first label.
//! Units of one prompt are not independent; the design effect says by how much that widens the interval.

use crate::{
    Kind, Level, Reason, Table,
    bootstrap::Clusters,
    exact::normal_reach,
    rows::Rows,
    standard_error::{cluster_robust_error, standard_error},
    tally::Layout,
};
use domain::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two raters and two labels, as they are expected to come out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expected {
    /// Share of units on which they agree.
    pub agreement: f64,
    /// Share of units to which the first rater gives the first label.
    pub first: f64,
    /// Share of units to which the second rater gives the first label.
    pub second: f64,
}

/// What a plan needs to know of one unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Planner {
    value: f64,
    unit_variance: f64,
    design_effect: f64,
    units_per_cluster: f64,
    confidence: f64,
}

/// A plan: so many units make the interval so wide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// The coefficient's value that is expected.
    pub value: f64,
    /// Units that have to be judged twice.
    pub units: Count,
    /// Prompts these are the responses of.
    pub clusters: Count,
    /// Width of the interval, upper end less lower end.
    pub width: f64,
    /// By how much the variance is larger than with independent units.
    pub design_effect: f64,
    /// What a reader has to know beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Fewer units than this make a normal interval doubtful.
const FEW: u64 = 30;
/// Expected shares are counted out of this many units.
const SCALE: f64 = 1e9;

impl Planner {
    /// From units that two or more people judged already. `clusters[unit]` is the prompt.
    ///
    /// # Errors
    /// The coefficient is undefined on the pilot, or has no standard error.
    pub fn of_pilot(kind: Kind, table: &Table, clusters: &[u32], confidence: f64) -> Result<Self, Reason> {
        let (rows, units) = Rows::with_units(table);
        let tally = rows.tally();
        let value = kind.value(&tally)?;
        let clusters = Clusters::by(&units, clusters);
        let alone = standard_error(kind, value, &rows, &tally).ok_or(Reason::NoError)?;
        let robust = cluster_robust_error(kind, value, &rows, &tally, &clusters).ok_or(Reason::NoError)?;
        let n = tally.pairable();
        if alone == 0.0 {
            return Err(Reason::NoVariance);
        }
        let planner = Self {
            value,
            unit_variance: alone * alone * n,
            design_effect: (robust / alone).powi(2),
            units_per_cluster: n / f64::from(clusters.len()),
            confidence,
        };
        planner.checked()
    }

    /// From what is expected. `units_per_cluster` is how many units a prompt has on average, `design_effect` by how much
    /// the variance is larger for it (1 = units are independent).
    ///
    /// # Errors
    /// Shares that no table has, or a coefficient that they leave undefined.
    pub fn of_expected(
        kind: Kind,
        expected: Expected,
        units_per_cluster: f64,
        design_effect: f64,
        confidence: f64,
    ) -> Result<Self, Reason> {
        let Expected { agreement, first, second } = expected;
        let both = f64::midpoint(agreement - 1.0, first + second);
        let cells = [both, first - both, second - both, 1.0 - first - second + both];
        if cells.iter().any(|share| !(-1e-12..=1.0 + 1e-12).contains(share)) {
            return Err(Reason::NoSuchTable);
        }
        let layout = Layout { q: 2, raters: 2, level: Level::Nominal };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // shares of SCALE, checked above
        let count = |share: f64| (share * SCALE).round().max(0.0) as u64;
        let rows = [vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]].into_iter().zip(cells.map(count));
        let rows = Rows::of_counts(layout, vec![0.0, 1.0], rows.filter(|(_, n)| *n > 0).collect());
        let tally = rows.tally();
        let value = kind.value(&tally)?;
        let alone = standard_error(kind, value, &rows, &tally).ok_or(Reason::NoError)?;
        if alone == 0.0 {
            return Err(Reason::NoVariance);
        }
        let unit_variance = alone * alone * tally.pairable();
        Self { value, unit_variance, design_effect, units_per_cluster, confidence }.checked()
    }

    fn checked(self) -> Result<Self, Reason> {
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(Reason::NoConfidence);
        }
        let usable = |x: f64| x.is_finite() && x > 0.0;
        let all = [self.unit_variance, self.design_effect, self.units_per_cluster];
        if all.into_iter().all(usable) { Ok(self) } else { Err(Reason::NoVariance) }
    }

    /// The width of the interval over so many units.
    pub fn width(&self, units: u64) -> f64 {
        let variance = self.unit_variance * self.design_effect / units as f64;
        2.0 * normal_reach(self.confidence) * variance.sqrt()
    }

    /// The fewest units whose interval is at most `width` wide.
    ///
    /// # Errors
    /// A width that is not above 0, or that would take more units than can be counted.
    pub fn plan(&self, width: f64) -> Result<Plan, Reason> {
        let needed = (self.width(1) / width).powi(2).ceil();
        if !(width > 0.0 && needed < 1e15) {
            return Err(Reason::NoWidth);
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to 1e15
        let whole = |x: f64| x as u64;
        let units = whole(needed).max(2);
        let few = units < FEW;
        Ok(Plan {
            value: self.value,
            units: units.into(),
            clusters: whole((units as f64 / self.units_per_cluster).ceil()).into(),
            width: self.width(units),
            design_effect: self.design_effect,
            note: few
                .then(|| format!("fewer than {FEW} units: judge at least {FEW}, the formula is rough below")),
        })
    }
}
