//! Several LLM judges that scored the same answers: how each ranks the models, how far two of them are apart, and
//! whether a judge favours models of its own family (as in GAMUT's table 2).
//!
//! A judge who is generous to everybody is not partial. Self-preference is therefore a difference of differences: how
//! much a judge exceeds the other judges on its own family's answers, less how much it exceeds them on the rest.
//!
//! Everything is a function of sums over answers; questions are resampled together.

use crate::{Coefficient, Method, Options, Reason, bootstrap::percentile_interval, draw::Draw};
use domain::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One judge's score of one answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Which judge, from 0 on.
    pub judge: u32,
    /// Which model answered, from 0 on.
    pub model: u32,
    /// Which question; questions are resampled.
    pub question: u32,
    /// The score.
    pub score: f64,
}

/// Who is compared. A family is any word that a judge and its maker's models share; none is a family of its own.
#[derive(Debug, Clone, Copy)]
pub struct Judges<'n> {
    /// Judge and family.
    pub judges: &'n [(String, Option<String>)],
    /// Model and family.
    pub models: &'n [(String, Option<String>)],
}

/// One judge's mean score of one model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeMean {
    /// The judge.
    pub judge: String,
    /// Answers scored.
    pub answers: Count,
    /// Mean score.
    pub mean: Coefficient,
    /// Place by this judge, 1 = best; equal means share the better place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Count>,
    /// Is the model of the judge's own family?
    pub own_family: bool,
}

/// One model under every judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelScores {
    /// The model.
    pub model: String,
    /// By judge, in the order of the judges.
    pub scores: Vec<JudgeMean>,
    /// Highest less lowest mean over the judges; undefined when fewer than two scored the model.
    pub spread: Coefficient,
}

/// Two judges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgePair {
    /// The first.
    pub first: String,
    /// The second.
    pub second: String,
    /// Answers that both scored.
    pub answers: Count,
    /// First less second, mean over these answers.
    pub mean_difference: Coefficient,
    /// Kendall's τ-b between their rankings of the models that both scored, by mean score over the common answers.
    pub rank_correlation: Coefficient,
}

/// One judge and its own family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SelfPreference {
    /// The judge.
    pub judge: String,
    /// The models of its family.
    pub own_models: Vec<String>,
    /// Mean over answers of own models: this judge's score less the mean of the other judges' scores.
    pub on_own: Coefficient,
    /// The same over all other answers.
    pub on_others: Coefficient,
    /// `on_own - on_others`: above 0 the judge favours its family.
    pub preference: Coefficient,
}

/// Judges compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeComparison {
    /// Model × judge.
    pub models: Vec<ModelScores>,
    /// Every pair of judges.
    pub pairs: Vec<JudgePair>,
    /// Judges with a family of their own among the models.
    pub self_preference: Vec<SelfPreference>,
    /// How the intervals were made.
    pub method: Method,
}

/// Where each mean lies: a sum and a count of answers.
#[derive(Clone, Copy)]
struct Places {
    judges: usize,
    models: usize,
}
impl Places {
    fn mean(self, judge: usize, model: usize) -> usize {
        judge * self.models + model
    }
    /// How much a judge exceeds the mean of the others.
    fn excess(self, judge: usize, model: usize) -> usize {
        (self.judges + judge) * self.models + model
    }
    /// Both judges' scores of answers that both scored: `side` 0 and 1.
    fn common(self, pair: usize, side: usize, model: usize) -> usize {
        (2 * self.judges + 2 * pair + side) * self.models + model
    }
    fn len(self) -> usize {
        (2 * self.judges + self.judges * self.judges.saturating_sub(1)) * self.models
    }
    fn pairs(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.judges).flat_map(move |a| (a + 1..self.judges).map(move |b| (a, b)))
    }
}

/// Sums and counts by place.
type Sums = Vec<[f64; 2]>;

/// Compares judges. Scores that are no number, or of judges or models beyond the names, are left out; of two scores
/// of one answer by one judge the later counts.
pub fn compare_judges(of: Judges<'_>, scores: &[Score], options: &Options) -> JudgeComparison {
    let places = Places { judges: of.judges.len(), models: of.models.len() };
    let questions = by_question(places, scores);
    let mut all: Sums = vec![[0.0; 2]; places.len()];
    for question in &questions {
        add(&mut all, question, 1.0);
    }
    let statistics = Statistics { of, places };
    let values = statistics.values(&all);
    let mut drawn: Vec<Vec<f64>> = vec![Vec::new(); values.len()];
    let mut draw = Draw::seeded(options.seed);
    let order: Vec<u32> = (0..).take(questions.len()).collect();
    let count = u32::try_from(questions.len()).unwrap_or(u32::MAX);
    for _ in 0..options.resamples {
        let mut times = vec![0_u32; questions.len()];
        draw.picks(count, &order, |question| times[*question as usize] += 1);
        let mut sums: Sums = vec![[0.0; 2]; places.len()];
        for (question, times) in questions.iter().zip(times).filter(|(_, times)| *times > 0) {
            add(&mut sums, question, f64::from(times));
        }
        for (value, drawn) in statistics.values(&sums).into_iter().zip(&mut drawn) {
            drawn.extend(value);
        }
    }
    let mut coefficients = values.into_iter().zip(drawn).map(|(value, mut drawn)| {
        let mut out = Coefficient::from(value);
        if value.is_ok() && options.resamples > 0 {
            let undefined = options.resamples - u32::try_from(drawn.len()).unwrap_or(options.resamples);
            out.undefined_resamples = (undefined > 0).then(|| undefined.into());
            out.ci95 = percentile_interval(&mut drawn);
        }
        out
    });
    statistics.result(&all, &mut || coefficients.next().unwrap_or_default(), Method::of(true, options))
}

/// What every question adds: `(place, sum, answers)`.
fn by_question(places: Places, scores: &[Score]) -> Vec<Vec<(usize, [f64; 2])>> {
    let mut answers: BTreeMap<(u32, usize), BTreeMap<usize, f64>> = BTreeMap::new();
    for score in scores.iter().filter(|score| score.score.is_finite()) {
        let (judge, model) = (score.judge as usize, score.model as usize);
        if judge < places.judges && model < places.models {
            answers.entry((score.question, model)).or_default().insert(judge, score.score);
        }
    }
    let pairs: BTreeMap<(usize, usize), usize> = places.pairs().zip(0..).collect();
    let mut questions: BTreeMap<u32, Vec<(usize, [f64; 2])>> = BTreeMap::new();
    for ((question, model), by_judge) in answers {
        let adds = questions.entry(question).or_default();
        let sum: f64 = by_judge.values().sum();
        let others = by_judge.len() as f64 - 1.0;
        for (judge, score) in &by_judge {
            adds.push((places.mean(*judge, model), [*score, 1.0]));
            if others > 0.0 {
                adds.push((places.excess(*judge, model), [score - (sum - score) / others, 1.0]));
            }
            for (second, other) in by_judge.range(judge + 1..) {
                if let Some(pair) = pairs.get(&(*judge, *second)) {
                    adds.push((places.common(*pair, 0, model), [*score, 1.0]));
                    adds.push((places.common(*pair, 1, model), [*other, 1.0]));
                }
            }
        }
    }
    questions.into_values().collect()
}

fn add(sums: &mut Sums, question: &[(usize, [f64; 2])], times: f64) {
    for (place, [sum, answers]) in question {
        sums[*place][0] += sum * times;
        sums[*place][1] += answers * times;
    }
}

fn mean_of(sums: impl Iterator<Item = [f64; 2]>) -> Result<f64, Reason> {
    let [sum, answers] = sums.fold([0.0; 2], |all, own| [all[0] + own[0], all[1] + own[1]]);
    if answers > 0.0 { Ok(sum / answers) } else { Err(Reason::NothingScored) }
}

/// The statistics in one fixed order: means and spread by model; difference and rank correlation by pair; own,
/// others and preference by judge with a family.
struct Statistics<'n> {
    of: Judges<'n>,
    places: Places,
}

impl Statistics<'_> {
    fn is_own(&self, judge: usize, model: usize) -> bool {
        let family = self.of.judges[judge].1.as_ref();
        family.is_some() && family == self.of.models[model].1.as_ref()
    }

    fn partial_judges(&self) -> impl Iterator<Item = usize> {
        (0..self.places.judges)
            .filter(|judge| (0..self.places.models).any(|model| self.is_own(*judge, model)))
    }

    fn values(&self, sums: &Sums) -> Vec<Result<f64, Reason>> {
        let places = self.places;
        let mut out = Vec::new();
        for model in 0..places.models {
            let means: Vec<Result<f64, Reason>> = (0..places.judges)
                .map(|judge| mean_of([sums[places.mean(judge, model)]].into_iter()))
                .collect();
            let known: Vec<f64> = means.iter().copied().filter_map(Result::ok).collect();
            out.extend(means);
            let most = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let least = known.iter().copied().fold(f64::INFINITY, f64::min);
            out.push(if known.len() < 2 { Err(Reason::NothingScored) } else { Ok(most - least) });
        }
        for (pair, _) in places.pairs().enumerate() {
            let side = |side: usize| (0..places.models).map(move |model| places.common(pair, side, model));
            let difference = |(a, b): (usize, usize)| [sums[a][0] - sums[b][0], sums[a][1]];
            out.push(mean_of(side(0).zip(side(1)).map(difference)));
            let means = side(0).zip(side(1)).filter(|(a, _)| sums[*a][1] > 0.0);
            let means: Vec<[f64; 2]> =
                means.map(|(a, b)| [sums[a][0] / sums[a][1], sums[b][0] / sums[b][1]]).collect();
            out.push(kendall_tau_b(&means));
        }
        for judge in self.partial_judges() {
            let over = |own: bool| {
                let models = (0..places.models).filter(|model| self.is_own(judge, *model) == own);
                mean_of(models.map(|model| sums[places.excess(judge, model)]))
            };
            let (own, others) = (over(true), over(false));
            out.extend([own, others, own.and_then(|own| others.map(|others| own - others))]);
        }
        out
    }

    fn result(&self, sums: &Sums, next: &mut dyn FnMut() -> Coefficient, method: Method) -> JudgeComparison {
        let places = self.places;
        let at = |judge: usize, model: usize| sums[places.mean(judge, model)];
        let rank = |judge: usize, model: usize| {
            let mean = |model| mean_of([at(judge, model)].into_iter()).ok();
            let own = mean(model)?;
            let better = (0..places.models).filter_map(mean).filter(|other| *other > own).count();
            Some(Count::from(better as u64 + 1))
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts of answers
        let count = |n: f64| Count::from(n as u64);
        let mut models = Vec::with_capacity(places.models);
        for model in 0..places.models {
            let mut scores = Vec::with_capacity(places.judges);
            for judge in 0..places.judges {
                scores.push(JudgeMean {
                    judge: self.of.judges[judge].0.clone(),
                    answers: count(at(judge, model)[1]),
                    mean: next(),
                    rank: rank(judge, model),
                    own_family: self.is_own(judge, model),
                });
            }
            models.push(ModelScores { model: self.of.models[model].0.clone(), scores, spread: next() });
        }
        let mut pairs = Vec::new();
        for (pair, (a, b)) in places.pairs().enumerate() {
            let answers = (0..places.models).map(|model| sums[places.common(pair, 0, model)][1]).sum();
            pairs.push(JudgePair {
                first: self.of.judges[a].0.clone(),
                second: self.of.judges[b].0.clone(),
                answers: count(answers),
                mean_difference: next(),
                rank_correlation: next(),
            });
        }
        let mut self_preference = Vec::new();
        for judge in self.partial_judges() {
            let own = (0..places.models).filter(|model| self.is_own(judge, *model));
            self_preference.push(SelfPreference {
                judge: self.of.judges[judge].0.clone(),
                own_models: own.map(|model| self.of.models[model].0.clone()).collect(),
                on_own: next(),
                on_others: next(),
                preference: next(),
            });
        }
        JudgeComparison { models, pairs, self_preference, method }
    }
}

/// Kendall's τ-b of pairs of values.
fn kendall_tau_b(values: &[[f64; 2]]) -> Result<f64, Reason> {
    if values.len() < 2 {
        return Err(Reason::TooFewToOrder);
    }
    let (mut balance, mut first, mut second) = (0.0, 0.0, 0.0);
    for (at, [a, b]) in values.iter().enumerate() {
        for [c, d] in &values[at + 1..] {
            let sign = |x: &f64, y: &f64| f64::from(i8::from(x > y) - i8::from(x < y));
            let (x, y) = (sign(a, c), sign(b, d));
            balance += x * y;
            first += x * x;
            second += y * y;
        }
    }
    let free: f64 = first * second;
    if free > 0.0 { Ok(balance / free.sqrt()) } else { Err(Reason::NoOrderOfScores) }
}
