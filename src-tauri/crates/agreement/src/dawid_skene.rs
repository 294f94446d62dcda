//! Dawid and Skene (1979): each rater's confusion matrix and each unit's label, estimated together without knowing a
//! single right label. **A model**, not a measurement: it assumes that raters err independently of each other given
//! the right label, and that a rater errs alike on all units of a label.
//!
//! EM from the shares of the votes, the first step re-estimating the raters; no smoothing; until the log-likelihood
//! grows by less than one part in 10¹³. Units with the same ratings are one.

use crate::{Coefficient, Reason, Table, table::MISSING};
use domain::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One rating of one unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Response {
    /// Which unit, from 0 on.
    pub unit: u32,
    /// Which rater, from 0 on. A rater may rate a unit more than once.
    pub rater: u32,
    /// Position of the label in the categories.
    pub label: u16,
}

/// What the model estimates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DawidSkene {
    /// What this is, in words: a model's estimate.
    pub model: String,
    /// The categories in order.
    pub categories: Vec<String>,
    /// Estimated share of units per category.
    pub prior: Vec<f64>,
    /// Per rater.
    pub raters: Vec<RaterEstimate>,
    /// Per unit the chance of each category; `null` for a unit without a rating.
    pub posterior: Vec<Option<Vec<f64>>>,
    /// Of the ratings under the estimates.
    pub log_likelihood: f64,
    /// Steps taken.
    pub iterations: Count,
    /// False when the steps ran out first: then treat the numbers as unfinished.
    pub converged: bool,
    /// What a reader has to know beside the numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What the model estimates of one rater.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RaterEstimate {
    /// Ratings given.
    pub ratings: Count,
    /// `confusion[right][said]`, each row a share of 1; `null` where the rater rated no unit of that label.
    pub confusion: Vec<Option<Vec<f64>>>,
    /// Share of the first category that the rater recognises; two categories.
    pub sensitivity: Coefficient,
    /// Share of the second category that the rater recognises; two categories.
    pub specificity: Coefficient,
}

/// Steps after which the estimate is given up as unfinished.
const MOST_STEPS: u32 = 20_000;
/// Relative growth of the log-likelihood at which it has converged.
const TOLERANCE: f64 = 1e-13;

/// The estimate over a table.
///
/// # Errors
/// See [`dawid_skene_of_responses`].
pub fn dawid_skene(table: &Table) -> Result<DawidSkene, Reason> {
    let mut responses = Vec::new();
    for unit in 0..table.units() {
        for (rater, label) in table.row(unit).iter().enumerate().filter(|(_, cell)| **cell != MISSING) {
            let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            responses.push(Response { unit: number(unit), rater: number(rater), label: *label });
        }
    }
    dawid_skene_of_responses(table.categories(), table.units(), table.raters(), &responses)
}

/// The estimate over single ratings. Responses beyond the stated units, raters or categories are left out.
///
/// # Errors
/// Fewer than two raters, fewer than two categories, or no unit with two ratings: then the model has nothing to go
/// by.
pub fn dawid_skene_of_responses(
    categories: &[String],
    units: usize,
    raters: usize,
    responses: &[Response],
) -> Result<DawidSkene, Reason> {
    let q = categories.len();
    if q < 2 {
        return Err(Reason::OneCategory);
    }
    let fits =
        |r: &&Response| (r.unit as usize) < units && (r.rater as usize) < raters && usize::from(r.label) < q;
    let mut by_unit: Vec<Vec<(u32, u16)>> = vec![Vec::new(); units];
    for response in responses.iter().filter(fits) {
        by_unit[response.unit as usize].push((response.rater, response.label));
    }
    for said in &mut by_unit {
        said.sort_unstable();
    }
    if !by_unit.iter().any(|said| said.first().zip(said.last()).is_some_and(|(a, b)| a.0 != b.0)) {
        return Err(Reason::NothingPairable);
    }
    let mut patterns: BTreeMap<&[(u32, u16)], f64> = BTreeMap::new();
    for said in by_unit.iter().filter(|said| !said.is_empty()) {
        *patterns.entry(said).or_default() += 1.0;
    }
    let mut em = Em::start(patterns.iter().map(|(said, times)| (*said, *times)).collect(), q, raters);
    let (mut before, mut steps, mut converged) = (f64::NEG_INFINITY, 0, false);
    while steps < MOST_STEPS && !converged {
        em.estimate_raters();
        let now = em.estimate_units();
        steps += 1;
        converged = (now - before).abs() <= TOLERANCE * now.abs();
        before = now;
    }
    let place = |said: &Vec<(u32, u16)>| em.patterns.binary_search_by(|(other, _)| (*other).cmp(said)).ok();
    let posterior = by_unit.iter().map(|said| place(said).map(|at| em.posterior[at].clone())).collect();
    let mut notes = vec![
        "A model's estimate: it takes raters as erring independently of each other, and alike on all units of a label."
            .to_owned(),
    ];
    if raters == 2 {
        notes.push("Two raters leave the model undetermined: other estimates fit as well.".to_owned());
    }
    Ok(DawidSkene {
        model: "Dawid–Skene model (EM from vote shares)".to_owned(),
        categories: categories.to_vec(),
        prior: em.prior.clone(),
        raters: (0..raters).map(|rater| em.rater(rater)).collect(),
        posterior,
        log_likelihood: before,
        iterations: u64::from(steps).into(),
        converged,
        notes,
    })
}

/// The state between steps.
struct Em<'r> {
    q: usize,
    /// Different sets of ratings, ascending, and how many units have each.
    patterns: Vec<(&'r [(u32, u16)], f64)>,
    /// Chance of each label per pattern.
    posterior: Vec<Vec<f64>>,
    prior: Vec<f64>,
    /// `[rater][right][said]`: weights of units, and shares of them.
    weights: Vec<Vec<Vec<f64>>>,
    shares: Vec<Vec<Vec<f64>>>,
}

impl<'r> Em<'r> {
    fn start(patterns: Vec<(&'r [(u32, u16)], f64)>, q: usize, raters: usize) -> Self {
        let votes = |said: &[(u32, u16)]| {
            let mut shares = vec![0.0; q];
            for (_, label) in said {
                shares[usize::from(*label)] += 1.0 / said.len() as f64;
            }
            shares
        };
        let empty = vec![vec![vec![0.0; q]; q]; raters];
        Self {
            q,
            posterior: patterns.iter().map(|(said, _)| votes(said)).collect(),
            patterns,
            prior: vec![0.0; q],
            weights: empty.clone(),
            shares: empty,
        }
    }

    /// The M-step: prior and confusion from the units' chances.
    fn estimate_raters(&mut self) {
        self.prior.fill(0.0);
        self.weights.iter_mut().flatten().for_each(|row| row.fill(0.0));
        let mut units = 0.0;
        for ((said, times), chances) in self.patterns.iter().zip(&self.posterior) {
            units += times;
            for (k, chance) in chances.iter().enumerate() {
                self.prior[k] += times * chance;
                for (rater, label) in *said {
                    self.weights[*rater as usize][k][usize::from(*label)] += times * chance;
                }
            }
        }
        self.prior.iter_mut().for_each(|share| *share /= units);
        for (shares, weights) in self.shares.iter_mut().flatten().zip(self.weights.iter().flatten()) {
            let all: f64 = weights.iter().sum();
            for (share, weight) in shares.iter_mut().zip(weights) {
                *share = if all > 0.0 { weight / all } else { 0.0 };
            }
        }
    }

    /// The E-step: each pattern's chances; gives the log-likelihood.
    fn estimate_units(&mut self) -> f64 {
        let mut log_likelihood = 0.0;
        for ((said, times), chances) in self.patterns.iter().zip(&mut self.posterior) {
            for (k, chance) in chances.iter_mut().enumerate() {
                let of =
                    |(rater, label): &(u32, u16)| self.shares[*rater as usize][k][usize::from(*label)].ln();
                *chance = self.prior[k].ln() + said.iter().map(of).sum::<f64>();
            }
            let highest = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = chances.iter().map(|log| (log - highest).exp()).sum();
            log_likelihood += times * (highest + sum.ln());
            for chance in chances.iter_mut() {
                *chance = (*chance - highest).exp() / sum;
            }
        }
        log_likelihood
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a sum of weights that add up to ones
    fn rater(&self, rater: usize) -> RaterEstimate {
        let weights = &self.weights[rater];
        let of = |row: &Vec<f64>| row.iter().sum::<f64>();
        let confusion: Vec<Option<Vec<f64>>> =
            (0..self.q).map(|k| (of(&weights[k]) > 0.0).then(|| self.shares[rater][k].clone())).collect();
        let hit = |k: usize| {
            if self.q != 2 {
                return Coefficient::from(Err(Reason::NotTwoCategories));
            }
            Coefficient::from(confusion[k].as_ref().map(|row| row[k]).ok_or(Reason::NoReference))
        };
        RaterEstimate {
            ratings: (weights.iter().map(of).sum::<f64>().round() as u64).into(),
            sensitivity: hit(0),
            specificity: hit(1),
            confusion,
        }
    }
}
