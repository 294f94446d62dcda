//! What a change of a flat rubric does to grades that an LLM judge gave under an earlier one.
//!
//! A grade holds for the words that it was given on. Under the later rubric it *stays* where a criterion of the same modality
//! has the same text, and is *stale* otherwise; a criterion without a grade that stays *waits* to be graded. Verdicts of
//! people are given without the rubric, so that no change of it makes one stale.

use domain::{Criterion, Defined, Modality, text_hash};
use std::collections::BTreeMap;

/// A grade as it was given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GivenGrade<'a> {
    /// The criterion's modality.
    pub modality: Modality,
    /// Its text as it was graded.
    pub criterion: &'a str,
    /// Its score, in [0, 1].
    pub score: f64,
}

/// What becomes of the grades of one response.
#[derive(Debug, Clone, PartialEq)]
pub struct GradeImpact {
    /// Places of the grades that stay, and of the criteria they stay on.
    pub stays: Vec<(usize, usize)>,
    /// Places of the grades that become stale.
    pub stale: Vec<usize>,
    /// Places of the criteria that wait to be graded.
    pub waits: Vec<usize>,
    /// MMI Value of the response under all grades (METRICS.md: mean in each expected modality, mean of those).
    pub before: Defined,
    /// The same on the grades that stay.
    pub after: Defined,
    /// The judge's verdict in each expected modality with grades, collapsed (every score 1), under all grades and on those
    /// that stay; none where nothing stays.
    pub verdicts: Vec<(Modality, bool, Option<bool>)>,
}

/// What the criteria `after` make of `grades`. One grade stays for one criterion: of repeated texts the earlier grade
/// goes first.
pub fn impact(grades: &[GivenGrade<'_>], after: &[Criterion], expected: &[Modality]) -> GradeImpact {
    let mut open: BTreeMap<(Modality, String), Vec<usize>> = BTreeMap::new();
    for (at, criterion) in after.iter().enumerate().rev() {
        open.entry((criterion.modality, text_hash(criterion.criterion.trim()))).or_default().push(at);
    }
    let (mut stays, mut stale) = (Vec::new(), Vec::new());
    for (at, grade) in grades.iter().enumerate() {
        let same = open.get_mut(&(grade.modality, text_hash(grade.criterion.trim())));
        match same.and_then(Vec::pop) {
            Some(criterion) => stays.push((at, criterion)),
            None => stale.push(at),
        }
    }
    let mut waits: Vec<usize> = open.into_values().flatten().collect();
    waits.sort_unstable();
    let every: Vec<usize> = (0..grades.len()).collect();
    let standing: Vec<usize> = stays.iter().map(|(grade, _)| *grade).collect();
    let collapsed = |places: &[usize], modality| {
        let mut of = places.iter().map(|at| grades[*at]).filter(|g| g.modality == modality).peekable();
        of.peek().is_some().then(|| of.all(|grade| grade.score >= 1.0))
    };
    let verdicts = expected
        .iter()
        .filter_map(|m| collapsed(&every, *m).map(|before| (*m, before, collapsed(&standing, *m))))
        .collect();
    GradeImpact {
        before: value(grades, &every, expected),
        after: value(grades, &standing, expected),
        stays,
        stale,
        waits,
        verdicts,
    }
}

/// The MMI Value of one response on some of its grades.
fn value(grades: &[GivenGrade<'_>], places: &[usize], expected: &[Modality]) -> Defined {
    let mean = |scores: &[f64]| {
        #[expect(clippy::cast_precision_loss, reason = "a count of criteria")]
        let n = scores.len() as f64;
        scores.iter().sum::<f64>() / n
    };
    let modalities: Vec<f64> = expected
        .iter()
        .filter_map(|modality| {
            let of: Vec<f64> = places
                .iter()
                .map(|at| &grades[*at])
                .filter(|grade| grade.modality == *modality)
                .map(|grade| grade.score)
                .collect();
            (!of.is_empty()).then(|| mean(&of))
        })
        .collect();
    if modalities.is_empty() {
        Defined::Undefined("no grade of an expected modality is left".to_owned())
    } else {
        Defined::Value(mean(&modalities))
    }
}
