//! The threshold sweep from counts: how high a threshold each unit reaches, and what the person says of it. One
//! histogram holds all thresholds, and a new verdict changes one of its counts.

use crate::{
    Kind, Level, SweepPoint, Weights,
    collapse::{judged_correct, thresholds},
    rows::Rows,
    tally::Layout,
};
use domain::{Count, Verdict};

/// How many thresholds a sweep tries.
const THRESHOLDS: usize = 20;

/// Counts of judged units by the highest threshold that the judge's scores reach and by the person's verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SweepCounts {
    /// `[thresholds reached][incorrect, correct]`.
    units: [[u64; 2]; THRESHOLDS + 1],
}

impl SweepCounts {
    /// Counts a unit; one without scores plays no part.
    pub fn add(&mut self, scores: &[f64], human: Verdict) {
        if let Some(place) = self.place(scores, human) {
            *place += 1;
        }
    }

    /// Takes a unit out again; false when no such unit is counted, and nothing is changed.
    pub fn remove(&mut self, scores: &[f64], human: Verdict) -> bool {
        let place = self.place(scores, human).filter(|place| **place > 0);
        place.map(|place| *place -= 1).is_some()
    }

    fn place(&mut self, scores: &[f64], human: Verdict) -> Option<&mut u64> {
        judged_correct(scores, 1.0)?;
        // A unit that reaches a threshold reaches all below it.
        let reached = thresholds().partition_point(|t| judged_correct(scores, *t) == Some(true));
        Some(&mut self.units[reached][usize::from(human == Verdict::Correct)])
    }

    /// One row per threshold.
    pub fn points(&self) -> Vec<SweepPoint> {
        let total = |human: usize| self.units.iter().map(|of| of[human]).sum::<u64>();
        let all = [total(0), total(1)];
        let mut below = [0; 2];
        let mut points = Vec::with_capacity(THRESHOLDS);
        for (threshold, of) in thresholds().into_iter().zip(&self.units) {
            below = [below[0] + of[0], below[1] + of[1]];
            let judged = [all[0] - below[0], all[1] - below[1]];
            points.push(point(threshold, [[judged[1], judged[0]], [below[1], below[0]]]));
        }
        points
    }
}

/// `counts` has the judge as rows and the person as columns, correct first.
fn point(threshold: f64, counts: [[u64; 2]; 2]) -> SweepPoint {
    let layout = Layout { q: 2, raters: 2, level: Level::Nominal };
    let [[a, b], [c, d]] = counts;
    let cells = [(vec![0, 0], a), (vec![0, 1], b), (vec![1, 0], c), (vec![1, 1], d)];
    let cells = cells.into_iter().filter(|(_, n)| *n > 0).collect();
    let rows = Rows::of_counts(layout, vec![0.0, 1.0], cells);
    let tally = rows.tally();
    let agreement = Kind::PercentAgreement.value(&tally);
    let pi = Kind::ScottPi.value(&tally);
    let kappa = Kind::CohenKappa(Weights::Identity).value(&tally);
    let why = [agreement, pi, kappa].into_iter().find_map(Result::err);
    SweepPoint {
        threshold,
        percent_agreement: agreement.ok(),
        scott_pi: pi.ok(),
        cohen_kappa: kappa.ok(),
        counts: counts.map(|row| row.map(Count::from)),
        undefined: why.map(|reason| reason.to_string()),
    }
}
