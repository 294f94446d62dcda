//! What an audit of a sample shows: the exact bound on the error rate, and what has to follow where it does not suffice.

use crate::{Coefficient, Reason, audit_size, error_rate_bound, share_interval};
use domain::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an audit comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditVerdict {
    /// Not every piece of the sample is looked through yet: a sample says nothing before.
    Open,
    /// The error rate that was to be excluded is excluded.
    Passed,
    /// It is not, and a larger sample could exclude it.
    Enlarge,
    /// It is not, although everything was looked through, or no sample could be large enough.
    Failed,
}

/// The outcome of an audit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditOutcome {
    /// Finished pieces.
    pub finished: Count,
    /// In the sample.
    pub items: Count,
    /// Looked through.
    pub audited: Count,
    /// Returned.
    pub errors: Count,
    /// Share of errors with its exact two-sided interval.
    pub error_rate: Coefficient,
    /// The rate is at most this, with the given confidence (one-sided, Clopper and Pearson).
    pub at_most: Coefficient,
    /// What follows.
    pub verdict: AuditVerdict,
    /// How many pieces a sample needs with as many errors as were found; none unless it is to be enlarged.
    pub needs: Option<Count>,
}

/// What an audit shows of the error rate after `errors` among `audited` of a sample of `items`, drawn from `finished` pieces,
/// that is to exclude more than `rate`. Once everything is audited the rate is known and needs no bound.
pub fn audit_outcome(
    finished: u64,
    items: u64,
    audited: u64,
    errors: u64,
    rate: f64,
    confidence: f64,
) -> AuditOutcome {
    let share = if audited == 0 { Err(Reason::EmptySample) } else { Ok(errors as f64 / audited as f64) };
    let bound = error_rate_bound(errors, audited, confidence);
    let mut needs = None;
    let verdict = if audited < items || items == 0 {
        AuditVerdict::Open
    } else if items >= finished {
        let passed = share.is_ok_and(|share| share <= rate);
        if passed { AuditVerdict::Passed } else { AuditVerdict::Failed }
    } else if bound.is_ok_and(|bound| bound <= rate) {
        AuditVerdict::Passed
    } else {
        // A sample larger than all there is becomes all there is.
        let wanted = audit_size(rate, errors, confidence).map_or(finished, |size| size.min(finished));
        needs = Some(Count::from(wanted.max(items + 1)));
        AuditVerdict::Enlarge
    };
    AuditOutcome {
        finished: finished.into(),
        items: items.into(),
        audited: audited.into(),
        errors: errors.into(),
        error_rate: Coefficient {
            ci95: share_interval(errors, audited, 0.95).ok(),
            ..Coefficient::from(share)
        },
        at_most: Coefficient::from(bound),
        verdict,
        needs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(finished: u64, items: u64, audited: u64, errors: u64) -> AuditOutcome {
        audit_outcome(finished, items, audited, errors, 0.1, 0.95)
    }

    #[test]
    fn thirty_without_an_error_exclude_ten_per_cent() {
        let found = of(300, 30, 30, 0);
        let bound = found.at_most.value.unwrap_or(1.0);
        // 1 - 0.05^(1/30)
        assert!((bound - 0.095_033_852_855_304).abs() < 1e-12, "at most 9.5 %: {bound}");
        assert_eq!(
            (found.verdict, found.needs),
            (AuditVerdict::Passed, None),
            "which excludes more than 10 %"
        );
        assert_eq!(of(300, 30, 29, 0).verdict, AuditVerdict::Open, "one is left: it may be the error");
    }

    #[test]
    fn an_error_makes_the_sample_grow_and_a_census_ends_it() {
        let found = of(300, 30, 30, 1);
        // 46 is the least n with (1 - 0.1)^n + n 0.1 (1 - 0.1)^(n-1) <= 0.05: at 45 it is 0.0524, at 46 0.0480.
        assert_eq!((found.verdict, found.needs), (AuditVerdict::Enlarge, Some(46_u64.into())), "{found:?}");
        assert_eq!(of(300, 46, 46, 1).verdict, AuditVerdict::Passed, "with no further error it does");
        assert_eq!(of(40, 30, 30, 1).needs, Some(40_u64.into()), "no more than there is");
        assert_eq!(of(40, 40, 40, 4).verdict, AuditVerdict::Passed, "all of it: 4 of 40 are 10 %");
        assert_eq!(of(40, 40, 40, 5).verdict, AuditVerdict::Failed, "5 of 40 are more");
        assert_eq!(of(0, 0, 0, 0).verdict, AuditVerdict::Open, "nothing to say of nothing");
    }
}
