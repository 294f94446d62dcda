//! Whose criterion? For each criterion: how often it alone made the judge say incorrect where the person says correct, and what
//! dropping it, rewording it, or another threshold would do to agreement.
//!
//! A change that is chosen by looking at the same responses that it is then measured on always seems to help. So each is also
//! measured left out: for every prompt, the others say whether to change, and the prompt says what came of it.

use crate::{
    Coefficient, Kind, Level,
    collapse::{judged_correct, thresholds},
    rows::Rows,
    tally::Layout,
};
use domain::{Count, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A score this close to 1 meets its criterion, as in the collapse.
const MET: f64 = 1.0 - 1e-9;
/// How many thresholds are tried.
const THRESHOLDS: usize = 20;

/// A score under a criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GradedCheck {
    /// Which criterion, from 0 on. Criteria of several prompts that say the same may be one.
    pub criterion: u32,
    /// The judge's score, 0 to 1.
    pub score: f64,
}

/// One modality of one response with all its checks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckedUnit<'a> {
    /// Which prompt.
    pub cluster: u32,
    /// What the person says.
    pub human: Verdict,
    /// The judge's checks; none of them, or a score that is no number = the unit plays no part.
    pub checks: &'a [GradedCheck],
}

/// A change of the threshold: the judge says correct iff the mean score reaches it; 1 = every score is 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThresholdEffect {
    /// The threshold under which most agree; of equal ones the highest.
    pub threshold: f64,
    /// Units that agree under it.
    pub agree: Count,
    /// Units that agree when the other prompts choose the threshold; none with one prompt.
    pub agree_left_out: Option<Count>,
}

/// One criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionEffect {
    /// The criterion.
    pub criterion: String,
    /// Units that were checked by it.
    pub units: Count,
    /// Prompts that these answer.
    pub prompts: Count,
    /// Units that agree as things are.
    pub agree: Count,
    /// The person says correct, the judge incorrect, and nothing but this criterion fails.
    pub alone_against_person: Count,
    /// The person says incorrect too, and nothing but this criterion fails: without it the judge would miss that.
    pub alone_with_person: Count,
    /// Units that agree without the criterion; one with no other check stays as it is.
    pub agree_dropped: Count,
    /// The same where the other prompts say whether to drop it; none with one prompt.
    pub agree_dropped_left_out: Option<Count>,
    /// Units that agree if it were reworded so well that it never failed alone against the person: the most that rewording
    /// can bring.
    pub agree_reworded_at_best: Count,
    /// Another threshold for the units that it checks.
    pub threshold: ThresholdEffect,
    /// Percent agreement over all units without it.
    pub percent_agreement_dropped: Coefficient,
    /// Scott's π over all units without it.
    pub scott_pi_dropped: Coefficient,
}

/// All criteria, those that most often stand alone against the person first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionEffects {
    /// Units that were checked and judged.
    pub units: Count,
    /// Prompts that these answer.
    pub prompts: Count,
    /// Units that agree as things are.
    pub agree: Count,
    /// Percent agreement as things are.
    pub percent_agreement: Coefficient,
    /// Scott's π as things are.
    pub scott_pi: Coefficient,
    /// Another threshold for all units.
    pub threshold: ThresholdEffect,
    /// Criterion by criterion.
    pub criteria: Vec<CriterionEffect>,
}

/// What became of one unit.
struct Judged<'a> {
    unit: &'a CheckedUnit<'a>,
    /// Says the judge correct, every score being 1?
    correct: bool,
    /// Agreement under each threshold.
    agrees: [bool; THRESHOLDS],
}

impl Judged<'_> {
    fn human(&self) -> bool {
        self.unit.human == Verdict::Correct
    }
    /// What the judge says without a criterion; as before when nothing is left.
    fn without(&self, criterion: u32) -> bool {
        let mut left = self.unit.checks.iter().filter(|check| check.criterion != criterion).peekable();
        if left.peek().is_none() { self.correct } else { left.all(|check| check.score >= MET) }
    }
    /// Does nothing but this criterion fail?
    fn fails_alone(&self, criterion: u32) -> bool {
        !self.correct
            && self.unit.checks.iter().all(|check| check.score >= MET || check.criterion == criterion)
    }
}

/// What each criterion does to the agreement of the judge with a person. Checks of criteria beyond the names make their unit's
/// verdict, and have no row of their own.
pub fn criterion_effects(criteria: &[String], units: &[CheckedUnit<'_>]) -> CriterionEffects {
    let tried = thresholds();
    let judged: Vec<Judged<'_>> = units
        .iter()
        .filter_map(|unit| {
            let scores: Vec<f64> = unit.checks.iter().map(|check| check.score).collect();
            let correct = judged_correct(&scores, 1.0)?;
            let human = unit.human == Verdict::Correct;
            let agrees = tried.map(|threshold| judged_correct(&scores, threshold) == Some(human));
            Some(Judged { unit, correct, agrees })
        })
        .collect();
    let mut of: Vec<Vec<usize>> = vec![Vec::new(); criteria.len()];
    let mut counts = [[0_u64; 2]; 2];
    for (at, one) in judged.iter().enumerate() {
        counts[usize::from(!one.correct)][usize::from(!one.human())] += 1;
        for check in one.unit.checks {
            if let Some(list) = of.get_mut(check.criterion as usize)
                && list.last() != Some(&at)
            {
                list.push(at);
            }
        }
    }
    let all: Vec<usize> = (0..judged.len()).collect();
    let mut rows: Vec<CriterionEffect> = criteria
        .iter()
        .zip(&of)
        .zip(0_u32..)
        .filter(|((_, own), _)| !own.is_empty())
        .map(|((name, own), criterion)| effect(name, criterion, own, &judged, counts))
        .collect();
    rows.sort_by(|a, b| {
        let gain = |row: &CriterionEffect| i128::from(row.agree_dropped.get()) - i128::from(row.agree.get());
        (b.alone_against_person, gain(b), &a.criterion).cmp(&(a.alone_against_person, gain(a), &b.criterion))
    });
    let [percent_agreement, scott_pi] = coefficients(counts);
    CriterionEffects {
        units: judged.len().into(),
        prompts: prompts(&all, &judged).into(),
        agree: (counts[0][0] + counts[1][1]).into(),
        percent_agreement,
        scott_pi,
        threshold: threshold(&all, &judged),
        criteria: rows,
    }
}

fn prompts(own: &[usize], judged: &[Judged<'_>]) -> usize {
    own.iter().map(|at| judged[*at].unit.cluster).collect::<std::collections::BTreeSet<_>>().len()
}

fn effect(
    name: &str,
    criterion: u32,
    own: &[usize],
    judged: &[Judged<'_>],
    mut counts: [[u64; 2]; 2],
) -> CriterionEffect {
    let (mut alone, mut agree, mut dropped) = ([0_u64; 2], 0_u64, 0_u64);
    // By prompt: units that agree as things are, and without the criterion.
    let mut by_prompt: BTreeMap<u32, [i64; 2]> = BTreeMap::new();
    for at in own {
        let one = &judged[*at];
        let (human, without) = (one.human(), one.without(criterion));
        if one.fails_alone(criterion) {
            alone[usize::from(human)] += 1;
        }
        let agreements = [one.correct == human, without == human];
        agree += u64::from(agreements[0]);
        dropped += u64::from(agreements[1]);
        let sums = by_prompt.entry(one.unit.cluster).or_default();
        sums[0] += i64::from(agreements[0]);
        sums[1] += i64::from(agreements[1]);
        if without != one.correct {
            counts[usize::from(!one.correct)][usize::from(!human)] -= 1;
            counts[usize::from(!without)][usize::from(!human)] += 1;
        }
    }
    let gain: i64 = by_prompt.values().map(|[before, after]| after - before).sum();
    let left_out = by_prompt.values().map(|[before, after]| {
        let others = gain - (after - before);
        if others > 0 { *after } else { *before }
    });
    let left_out = u64::try_from(left_out.sum::<i64>()).unwrap_or(0);
    let [percent_agreement_dropped, scott_pi_dropped] = coefficients(counts);
    CriterionEffect {
        criterion: name.to_owned(),
        units: own.len().into(),
        prompts: by_prompt.len().into(),
        agree: agree.into(),
        alone_against_person: alone[1].into(),
        alone_with_person: alone[0].into(),
        agree_dropped: dropped.into(),
        agree_dropped_left_out: (by_prompt.len() > 1).then(|| left_out.into()),
        agree_reworded_at_best: (agree + alone[1]).into(),
        threshold: threshold(own, judged),
        percent_agreement_dropped,
        scott_pi_dropped,
    }
}

/// The place of the greatest sum; of equal ones the last, which is the highest threshold.
fn best(sums: &[i64; THRESHOLDS]) -> usize {
    let mut place = THRESHOLDS - 1;
    for at in (0..THRESHOLDS).rev() {
        if sums[at] > sums[place] {
            place = at;
        }
    }
    place
}

fn threshold(own: &[usize], judged: &[Judged<'_>]) -> ThresholdEffect {
    let mut by_prompt: BTreeMap<u32, [i64; THRESHOLDS]> = BTreeMap::new();
    let mut all = [0_i64; THRESHOLDS];
    for at in own {
        let one = &judged[*at];
        let sums = by_prompt.entry(one.unit.cluster).or_insert([0; THRESHOLDS]);
        for (at, agrees) in one.agrees.iter().enumerate() {
            sums[at] += i64::from(*agrees);
            all[at] += i64::from(*agrees);
        }
    }
    let chosen = best(&all);
    let mut left_out = 0;
    for sums in by_prompt.values() {
        let mut others = all;
        for (all, own) in others.iter_mut().zip(sums) {
            *all -= own;
        }
        left_out += sums[best(&others)];
    }
    let count = |n: i64| Count::from(u64::try_from(n).unwrap_or(0));
    ThresholdEffect {
        threshold: thresholds()[chosen],
        agree: count(all[chosen]),
        agree_left_out: (by_prompt.len() > 1).then(|| count(left_out)),
    }
}

/// Percent agreement and Scott's π of a 2×2 table, judge as rows, correct first.
fn coefficients(counts: [[u64; 2]; 2]) -> [Coefficient; 2] {
    let layout = Layout { q: 2, raters: 2, level: Level::Nominal };
    let [[a, b], [c, d]] = counts;
    let cells = [(vec![0, 0], a), (vec![0, 1], b), (vec![1, 0], c), (vec![1, 1], d)];
    let cells = cells.into_iter().filter(|(_, n)| *n > 0).collect();
    let rows = Rows::of_counts(layout, vec![0.0, 1.0], cells);
    let tally = rows.tally();
    [Kind::PercentAgreement, Kind::ScottPi].map(|kind| Coefficient::from(kind.value(&tally)))
}
