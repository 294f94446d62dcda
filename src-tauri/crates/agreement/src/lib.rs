//! Agreement statistics: coefficients, intervals, threshold sweeps. Pure: no clock, no files, and randomness only
//! through a seed argument.
//!
//! Everything is computed from *counts*. A units × raters [`Table`] is reduced to its distinct rows, those to sums
//! that add over units, and the coefficients to functions of these sums; the bootstrap then draws counts of equal
//! clusters and never touches a rating again. A value that is not defined says why; it is never NaN
//! and never 0 or 1 as a stand-in.
#![deny(missing_docs)]

mod result;

pub use result::{
    AgreementResult, Coefficient, Confusion, Group, GroupAgreement, GroupKey, JudgeTest, Method, Numbers,
    SweepPoint,
};
