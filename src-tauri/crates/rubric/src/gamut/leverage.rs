//! How much one check can move the score.

use super::score::{ScoringRule, TierCounts, score_counts};
use domain::{CheckVerdict, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one check changes of the final score, all other verdicts staying as they are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Leverage {
    /// The gain from `missing` to `meets`; never below 0.
    pub meets: f64,
    /// The change from `missing` to `contradicts`; never above 0.
    pub contradicts: f64,
}

/// The leverage of each check, beside the given verdicts of the others. None when no tier has a weight.
pub fn leverage(verdicts: &[(Tier, CheckVerdict)], rule: &ScoringRule) -> Option<Vec<Leverage>> {
    let mut counts = [TierCounts::default(); 3];
    for (tier, verdict) in verdicts {
        counts[tier.index()].add(*verdict);
    }
    // Checks of one tier with one verdict have one leverage: at most twelve are computed.
    let mut known = [[None; 4]; 3];
    let of = |(tier, verdict): &(Tier, CheckVerdict)| {
        let slot = &mut known[tier.index()][verdict.index()];
        if slot.is_none() {
            *slot = one(counts, *tier, *verdict, rule);
        }
        *slot
    };
    verdicts.iter().map(of).collect()
}

/// The leverage of a check of each tier, by [`Tier::index`], in an answer that says nothing: what an author is shown.
/// None for a tier without checks.
pub fn leverage_when_missing(checks: [u32; 3], rule: &ScoringRule) -> [Option<Leverage>; 3] {
    let counts = checks.map(|missing| TierCounts { missing, ..TierCounts::default() });
    Tier::ALL.map(|tier| {
        if checks[tier.index()] == 0 { None } else { one(counts, tier, CheckVerdict::Missing, rule) }
    })
}

fn one(
    mut counts: [TierCounts; 3],
    tier: Tier,
    verdict: CheckVerdict,
    rule: &ScoringRule,
) -> Option<Leverage> {
    let own = &mut counts[tier.index()];
    match verdict {
        CheckVerdict::Meets => own.meets -= 1,
        CheckVerdict::Partial => own.partial -= 1,
        CheckVerdict::Missing => own.missing -= 1,
        CheckVerdict::Contradicts => own.contradicts -= 1,
    }
    let with = |verdict| {
        let mut counts = counts;
        counts[tier.index()].add(verdict);
        score_counts(counts, [0; 3], rule).score.value()
    };
    let missing = with(CheckVerdict::Missing)?;
    Some(Leverage {
        meets: with(CheckVerdict::Meets)? - missing,
        contradicts: with(CheckVerdict::Contradicts)? - missing,
    })
}
