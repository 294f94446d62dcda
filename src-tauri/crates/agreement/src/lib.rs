//! Agreement statistics: coefficients, intervals, threshold sweeps, plans, judges and criteria compared. Pure: no clock, no files, and randomness only
//! through a seed argument.
//!
//! Everything is computed from *counts*. A units × raters [`Table`] is reduced to its distinct rows, those to sums
//! that add over units, and the coefficients to functions of these sums; the bootstrap then draws counts of equal
//! clusters and never touches a rating again. A value that is not defined says why; it is never NaN
//! and never 0 or 1 as a stand-in.
#![deny(missing_docs)]

mod audit;
mod bootstrap;
mod coefficient;
mod collapse;
mod compare;
mod counts;
mod criteria;
mod dawid_skene;
mod difference;
mod draw;
mod effects;
mod exact;
mod judges;
mod means;
mod numbers;
mod planner;
mod qualification;
mod raters;
mod reason;
mod resample;
mod result;
mod row;
mod rows;
mod standard_error;
mod sweep;
mod table;
mod tally;

pub use audit::{AuditOutcome, AuditVerdict, audit_outcome};
pub use bootstrap::{Options, Resampling, of_resample, percentile_interval};
pub use coefficient::{Kind, Weights};
pub use collapse::{judged_correct, thresholds};
pub use compare::{JudgedUnit, Split, judge_human_agreement, table_agreement};
pub use counts::{ClusterUnits, Counts, CountsError};
pub use criteria::{
    Check, CriteriaAgreement, CriterionAgreement, CriterionOutcome, Outcome, criteria_agreement,
    criterion_outcomes,
};
pub use dawid_skene::{DawidSkene, RaterEstimate, Response, dawid_skene, dawid_skene_of_responses};
pub use difference::{Clustered, Difference, difference};
pub use effects::{
    CheckedUnit, CriterionEffect, CriterionEffects, GradedCheck, ThresholdEffect, criterion_effects,
};
pub use exact::{audit_size, error_rate_bound, normal_interval, share_interval, student_interval};
pub use judges::{
    JudgeComparison, JudgeMean, JudgePair, Judges, ModelScores, Score, SelfPreference, compare_judges,
};
pub use means::mean_with_interval;
pub use planner::{Expected, Plan, Planner};
pub use qualification::{
    Doubt, GoldAccuracy, Qualification, QualificationEvent, QualificationReason, qualification,
    retest_agreement,
};
pub use raters::{
    RaterAgainstOthers, RaterPair, cohen_kappa_by, cohen_kappa_max, light_kappa, rater_pairs,
    raters_against_others,
};
pub use reason::Reason;
pub use result::{
    AgreementResult, Coefficient, Confusion, Group, GroupAgreement, GroupKey, JudgeTest, Method, Numbers,
    SweepPoint,
};
pub use sweep::SweepCounts;
pub use table::{Level, Table, TableError};

/// One coefficient of a table.
///
/// # Errors
/// The reason why it is undefined.
pub fn coefficient(table: &Table, kind: Kind) -> Result<f64, Reason> {
    rows::with_tally(table, |tally| kind.value(tally))
}

/// One coefficient of a table with its bootstrap interval and analytic error. `clusters[unit]` groups units that are
/// resampled together; without it every unit is resampled on its own.
pub fn coefficient_with_interval(
    table: &Table,
    clusters: Option<&[u32]>,
    kind: Kind,
    options: &Options,
) -> Coefficient {
    numbers::Sample::of(table, clusters, options).coefficient(kind, options)
}

/// The analytic standard error of one coefficient of a table, over units taken as independent; none where it is
/// undefined or no formula applies.
pub fn analytic_standard_error(table: &Table, kind: Kind) -> Option<f64> {
    let rows = rows::Rows::of(table);
    let tally = rows.tally();
    standard_error::standard_error(kind, kind.value(&tally).ok()?, &rows, &tally)
}

/// The same where the units of a cluster are not independent: `clusters[unit]` is the cluster.
pub fn cluster_robust_standard_error(table: &Table, clusters: &[u32], kind: Kind) -> Option<f64> {
    let (rows, units) = rows::Rows::with_units(table);
    let tally = rows.tally();
    let clusters = bootstrap::Clusters::by(&units, clusters);
    standard_error::cluster_robust_error(kind, kind.value(&tally).ok()?, &rows, &tally, &clusters)
}
