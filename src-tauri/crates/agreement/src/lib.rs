//! Agreement statistics: coefficients, intervals, threshold sweeps. Pure: no clock, no files, and randomness only
//! through a seed argument.
//!
//! Everything is computed from *counts*. A units × raters [`Table`] is reduced to its distinct rows, those to sums
//! that add over units, and the coefficients to functions of these sums; the bootstrap then draws counts of equal
//! clusters and never touches a rating again. A value that is not defined says why; it is never NaN
//! and never 0 or 1 as a stand-in.
#![deny(missing_docs)]

mod bootstrap;
mod coefficient;
mod collapse;
mod compare;
mod draw;
mod reason;
mod result;
mod standard_error;
mod table;
mod tally;

pub use bootstrap::{Options, Resampling, of_resample, percentile_interval};
pub use coefficient::{Kind, Weights};
pub use collapse::{judged_correct, thresholds};
pub use compare::{JudgedUnit, Split, judge_human_agreement, table_agreement};
pub use reason::Reason;
pub use result::{
    AgreementResult, Coefficient, Confusion, Group, GroupAgreement, GroupKey, JudgeTest, Method, Numbers,
    SweepPoint,
};
pub use table::{Level, Table, TableError};

/// One coefficient of a table.
///
/// # Errors
/// The reason why it is undefined.
pub fn coefficient(table: &Table, kind: Kind) -> Result<f64, Reason> {
    kind.value(&tally::Rows::of(table).tally())
}

/// The analytic standard error of one coefficient of a table; none where it is undefined or no formula applies.
pub fn analytic_standard_error(table: &Table, kind: Kind) -> Option<f64> {
    let rows = tally::Rows::of(table);
    let tally = rows.tally();
    standard_error::standard_error(kind, kind.value(&tally).ok()?, &rows, &tally)
}
