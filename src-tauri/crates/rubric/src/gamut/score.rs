//! The score of one response to one question.

use domain::{CheckVerdict, Defined, Tier, counted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What verdicts are worth and what tiers weigh.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScoringRule {
    /// λ, the worth of `partial`, in [0, 1].
    pub partial: f64,
    /// μ, the worth of `contradicts`, at most 0. Its size is also how many checks a contradiction counts as.
    pub contradicts: f64,
    /// Weights by [`Tier::index`], each at least 0, not all 0. A tier without checks gives its weight to the others in
    /// proportion (the paper leaves it open; COMPILER, B5).
    pub weights: [f64; 3],
}
impl Default for ScoringRule {
    fn default() -> Self {
        Self { partial: 0.5, contradicts: -2.0, weights: [0.6, 0.3, 0.1] }
    }
}

/// Why a scoring rule cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoringRuleError {
    /// λ is not in [0, 1].
    Partial,
    /// μ is above 0 or no number.
    Contradicts,
    /// A weight is below 0 or no number, or all are 0.
    Weights,
}
impl std::fmt::Display for ScoringRuleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Partial => "λ, the worth of a partial verdict, is to lie between 0 and 1",
            Self::Contradicts => "μ, the worth of a contradiction, is to be a number of at most 0",
            Self::Weights => "weights are to be numbers of at least 0, and one of them above 0",
        })
    }
}
impl std::error::Error for ScoringRuleError {}

impl ScoringRule {
    /// Can scores be computed by it?
    pub fn check(&self) -> Result<(), ScoringRuleError> {
        let weights = self.weights;
        if !(0.0..=1.0).contains(&self.partial) {
            Err(ScoringRuleError::Partial)
        } else if !(self.contradicts.is_finite() && self.contradicts <= 0.0) {
            Err(ScoringRuleError::Contradicts)
        } else if weights.iter().any(|w| !w.is_finite() || *w < 0.0) || weights.iter().sum::<f64>() <= 0.0 {
            Err(ScoringRuleError::Weights)
        } else {
            Ok(())
        }
    }

    /// The share of the score that each tier carries, by [`Tier::index`]: 0 for a tier without checks, the sum is 1.
    /// None when no tier that has checks has any weight.
    pub fn shares(&self, present: [bool; 3]) -> Option<[f64; 3]> {
        let weights =
            Tier::ALL.map(|tier| if present[tier.index()] { self.weights[tier.index()] } else { 0.0 });
        let sum: f64 = weights.iter().sum();
        (sum > 0.0).then(|| weights.map(|weight| weight / sum))
    }
}

/// How often each verdict was given in a tier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TierCounts {
    /// M.
    pub meets: u32,
    /// P.
    pub partial: u32,
    /// S.
    pub missing: u32,
    /// C.
    pub contradicts: u32,
}
impl TierCounts {
    /// Counts one more verdict.
    pub fn add(&mut self, verdict: CheckVerdict) {
        match verdict {
            CheckVerdict::Meets => self.meets += 1,
            CheckVerdict::Partial => self.partial += 1,
            CheckVerdict::Missing => self.missing += 1,
            CheckVerdict::Contradicts => self.contradicts += 1,
        }
    }
    /// All of them.
    pub const fn total(&self) -> u32 {
        self.meets + self.partial + self.missing + self.contradicts
    }
    /// (M + λP + μC) / (M + P + S + |μ|C), in [-1, 1]; none without checks (or when μ is 0 and all contradict).
    pub fn score(&self, rule: &ScoringRule) -> Option<f64> {
        let [m, p, s, c] = [self.meets, self.partial, self.missing, self.contradicts].map(f64::from);
        let checks = m + p + s + rule.contradicts.abs() * c;
        (checks > 0.0).then(|| (m + rule.partial * p + rule.contradicts * c) / checks)
    }
}

/// The lowest and the highest score that verdicts still to be given can lead to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreRange {
    /// When all of them are `contradicts`.
    pub low: f64,
    /// When all of them are `meets`.
    pub high: f64,
}

/// One tier of a response.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TierScore {
    /// Which tier.
    pub tier: Tier,
    /// Verdicts given.
    pub counts: TierCounts,
    /// Checks without a verdict.
    pub unjudged: u32,
    /// The share of the score that this tier carries; 0 without checks.
    pub share: f64,
    /// Its score; none without checks, and none while a check has no verdict.
    pub score: Option<f64>,
    /// What its score can still become; none without checks.
    pub range: Option<ScoreRange>,
}

/// The score of one response.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GamutScore {
    /// By tier, the weightiest first.
    pub tiers: [TierScore; 3],
    /// The score in [-1, 1], or why there is none.
    pub score: Defined,
    /// What the score can still become; both ends are the score once all is judged. None without checks.
    pub range: Option<ScoreRange>,
}

/// Scores verdicts, each with the tier of its check; none for a check that is not judged yet.
pub fn score(
    verdicts: impl IntoIterator<Item = (Tier, Option<CheckVerdict>)>,
    rule: &ScoringRule,
) -> GamutScore {
    let mut counts = [TierCounts::default(); 3];
    let mut unjudged = [0; 3];
    for (tier, verdict) in verdicts {
        match verdict {
            Some(verdict) => counts[tier.index()].add(verdict),
            None => unjudged[tier.index()] += 1,
        }
    }
    score_counts(counts, unjudged, rule)
}

/// The same from counts by [`Tier::index`].
pub fn score_counts(counts: [TierCounts; 3], unjudged: [u32; 3], rule: &ScoringRule) -> GamutScore {
    let present = Tier::ALL.map(|tier| counts[tier.index()].total() + unjudged[tier.index()] > 0);
    let shares = rule.shares(present);
    let tiers = Tier::ALL.map(|tier| {
        let (counts, unjudged) = (counts[tier.index()], unjudged[tier.index()]);
        let low = TierCounts { contradicts: counts.contradicts + unjudged, ..counts };
        let high = TierCounts { meets: counts.meets + unjudged, ..counts };
        let range = low.score(rule).zip(high.score(rule)).map(|(low, high)| ScoreRange { low, high });
        TierScore {
            tier,
            counts,
            unjudged,
            share: shares.map_or(0.0, |shares| shares[tier.index()]),
            score: if unjudged == 0 { counts.score(rule) } else { None },
            range,
        }
    });
    let weighed = |of: fn(&ScoreRange) -> f64| -> f64 {
        tiers.iter().filter_map(|tier| tier.range.as_ref().map(|range| tier.share * of(range))).sum()
    };
    let range = shares.map(|_| ScoreRange { low: weighed(|r| r.low), high: weighed(|r| r.high) });
    let waiting: u32 = unjudged.iter().sum();
    let score = match range {
        None if present == [false; 3] => Defined::Undefined("the checklist has no checks".to_owned()),
        None => Defined::Undefined("no tier that has checks has any weight".to_owned()),
        Some(_) if waiting > 0 => {
            let waiting = usize::try_from(waiting).unwrap_or(usize::MAX);
            Defined::Undefined(counted(waiting, "check has no verdict", "checks have no verdict"))
        }
        Some(range) => Defined::Value(range.low),
    };
    GamutScore { tiers, score, range }
}
