//! Single criteria: how far judge and people agree on each, and criteria that tell no two responses apart because
//! every response passes or none does.

use crate::{
    AgreementResult, Coefficient, Confusion, Kind, Options, Reason, Table, compare::table_agreement,
    exact::share_interval, rows::Rows,
};
use domain::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One criterion of one response, graded by the judge and checked by a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// Which criterion, from 0 on.
    pub criterion: u32,
    /// Which prompt: checks of one prompt are resampled together.
    pub cluster: u32,
    /// Does the judge say it is met?
    pub judge: Option<bool>,
    /// Does the person?
    pub human: Option<bool>,
}

/// Judge and person on one criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionAgreement {
    /// The criterion.
    pub criterion: String,
    /// Rows judge, columns person; over responses that both graded.
    pub confusion: Confusion,
    /// Share of responses on which they agree; the interval is exact and takes responses as independent.
    pub percent_agreement: Coefficient,
    /// Scott's π; undefined where both always say the same one thing.
    pub scott_pi: Coefficient,
}

/// Judge and people on criteria.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CriteriaAgreement {
    /// All checks together.
    pub all: AgreementResult,
    /// Each criterion that both graded at least once, in the order of the criteria.
    pub criteria: Vec<CriterionAgreement>,
}

const LABELS: [&str; 2] = ["met", "unmet"];

/// Agreement of the judge with people, criterion by criterion. Checks of criteria beyond the names are left out.
pub fn criteria_agreement(criteria: &[String], checks: &[Check], options: &Options) -> CriteriaAgreement {
    let known: Vec<&Check> =
        checks.iter().filter(|check| (check.criterion as usize) < criteria.len()).collect();
    let rows: Vec<[Option<bool>; 2]> = known.iter().map(|check| [check.judge, check.human]).collect();
    let clusters: Vec<u32> = known.iter().map(|check| check.cluster).collect();
    let mut of: Vec<[[u64; 2]; 2]> = vec![[[0; 2]; 2]; criteria.len()];
    for check in &known {
        if let (Some(judge), Some(human)) = (check.judge, check.human) {
            of[check.criterion as usize][usize::from(!judge)][usize::from(!human)] += 1;
        }
    }
    let named = criteria.iter().zip(of).filter(|(_, counts)| counts.iter().flatten().any(|n| *n > 0));
    CriteriaAgreement {
        all: table_agreement(&Table::of_flags(LABELS, &rows), Some(&clusters), &[], options),
        criteria: named.map(|(name, counts)| one(name, counts)).collect(),
    }
}

fn one(name: &str, counts: [[u64; 2]; 2]) -> CriterionAgreement {
    let [[a, b], [c, d]] = counts;
    let layout = crate::tally::Layout { q: 2, raters: 2, level: crate::Level::Nominal };
    let cells = [(vec![0, 0], a), (vec![0, 1], b), (vec![1, 0], c), (vec![1, 1], d)];
    let rows = Rows::of_counts(layout, vec![0.0, 1.0], cells.into_iter().filter(|(_, n)| *n > 0).collect());
    let tally = rows.tally();
    let mut percent_agreement = Coefficient::from(Kind::PercentAgreement.value(&tally));
    percent_agreement.ci95 = share_interval(a + d, a + b + c + d, 0.95).ok();
    CriterionAgreement {
        criterion: name.to_owned(),
        confusion: Confusion {
            labels: LABELS.map(str::to_owned).to_vec(),
            counts: counts.map(|row| row.map(Count::from).to_vec()).to_vec(),
        },
        percent_agreement,
        scott_pi: Coefficient::from(Kind::ScottPi.value(&tally)),
    }
}

/// Whether a criterion tells responses apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// No response was graded by it.
    NotGraded,
    /// No response meets it.
    NeverPassed,
    /// Every response meets it.
    NeverFailed,
    /// Some do, some do not.
    Mixed,
}

/// How responses fare under one criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionOutcome {
    /// The criterion.
    pub criterion: String,
    /// Responses graded.
    pub graded: Count,
    /// Those that meet it.
    pub passed: Count,
    /// Does it tell responses apart?
    pub outcome: Outcome,
    /// Share that meets it, with the exact interval: a criterion that none of 5 responses meets may still be met by
    /// every second one.
    pub pass_rate: Coefficient,
}

/// How responses fare under each criterion: `(criterion, met)` per graded response, over all models. Grades of criteria
/// beyond the names are left out.
pub fn criterion_outcomes(
    criteria: &[String],
    grades: impl IntoIterator<Item = (u32, bool)>,
) -> Vec<CriterionOutcome> {
    let mut counts = vec![[0_u64; 2]; criteria.len()];
    for (criterion, met) in grades {
        if let Some(count) = counts.get_mut(criterion as usize) {
            count[usize::from(met)] += 1;
        }
    }
    let of = |(criterion, [failed, passed]): (&String, [u64; 2])| {
        let graded = failed + passed;
        let rate = if graded == 0 { Err(Reason::EmptySample) } else { Ok(passed as f64 / graded as f64) };
        let ci95 = share_interval(passed, graded, 0.95).ok();
        CriterionOutcome {
            criterion: criterion.clone(),
            graded: graded.into(),
            passed: passed.into(),
            outcome: match (passed, failed) {
                (0, 0) => Outcome::NotGraded,
                (0, _) => Outcome::NeverPassed,
                (_, 0) => Outcome::NeverFailed,
                _ => Outcome::Mixed,
            },
            pass_rate: Coefficient { ci95, ..Coefficient::from(rate) },
        }
    };
    criteria.iter().zip(counts).map(of).collect()
}
