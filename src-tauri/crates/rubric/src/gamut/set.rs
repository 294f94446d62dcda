//! The score of a set of questions.

use super::score::{GamutScore, TierCounts};
use domain::{CheckVerdict, Defined, Tier};
use serde::Serialize;

/// A scored response with its question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoredQuestion {
    /// The question.
    pub question: String,
    /// The score of the response to it.
    pub score: GamutScore,
}

/// Shares of the verdicts over all judged checks, by [`CheckVerdict::index`]; they add up to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct VerdictMix {
    /// How many verdicts.
    pub verdicts: u64,
    /// Their shares.
    pub shares: [f64; 4],
}
impl VerdictMix {
    /// The mix of some counts; none without a verdict.
    pub fn of<'a>(counts: impl IntoIterator<Item = &'a TierCounts>) -> Option<Self> {
        let mut sums = [0_u64; 4];
        for counts in counts {
            let each = [counts.meets, counts.partial, counts.missing, counts.contradicts];
            for (sum, count) in sums.iter_mut().zip(each) {
                *sum += u64::from(count);
            }
        }
        let verdicts: u64 = sums.iter().sum();
        let share = |verdict: CheckVerdict| sums[verdict.index()] as f64 / verdicts as f64;
        (verdicts > 0).then(|| Self { verdicts, shares: CheckVerdict::ALL.map(share) })
    }
}

/// A set score, with what an interval is computed from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetScore {
    /// Mean score over the questions that have one (the paper leaves the mean open; COMPILER, B5).
    pub score: Defined,
    /// Mean tier score over the questions that have the tier and are fully judged in it, by [`Tier::index`].
    pub tiers: [Defined; 3],
    /// Shares of the verdicts; none without one.
    pub mix: Option<VerdictMix>,
    /// Question and score of each question that has one: the items to resample.
    pub items: Vec<(String, f64)>,
    /// Questions without a score, for whatever reason.
    pub unscored: usize,
}

/// The score of a set; the order of questions does not matter beyond rounding.
pub fn score_set(questions: &[ScoredQuestion]) -> SetScore {
    let items: Vec<(String, f64)> =
        questions.iter().filter_map(|q| Some((q.question.clone(), q.score.score.value()?))).collect();
    let scores: Vec<f64> = items.iter().map(|(_, score)| *score).collect();
    let tiers = Tier::ALL.map(|tier| {
        let scores: Vec<f64> = questions.iter().filter_map(|q| q.score.tiers[tier.index()].score).collect();
        mean(&scores, &format!("no question has judged {} checks", tier.name()))
    });
    SetScore {
        score: mean(&scores, "no question is fully judged"),
        tiers,
        mix: VerdictMix::of(questions.iter().flat_map(|q| q.score.tiers.iter().map(|tier| &tier.counts))),
        unscored: questions.len() - items.len(),
        items,
    }
}

fn mean(values: &[f64], otherwise: &str) -> Defined {
    Defined::ratio(values.iter().sum(), values.len() as f64, otherwise)
}
