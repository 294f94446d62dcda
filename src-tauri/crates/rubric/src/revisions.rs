//! Two revisions of a flat rubric side by side: what is new, gone, changed, moved. The hash of a criterion's text decides
//! whether it is the same; numbers and places alone change nothing that was graded.

use crate::lints::content_words;
use domain::{Criterion, text_hash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What became of a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CriterionChange {
    /// Only the later revision has it.
    New,
    /// Only the earlier one has it.
    Gone,
    /// Both have it, with other words or another modality: grades on it are stale.
    Changed,
    /// Both have it in the same words, in another order among those they share.
    Moved,
    /// Both have it in the same words.
    Same,
}

/// One criterion of either revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedCriterion {
    /// What became of it.
    pub change: CriterionChange,
    /// Its place in the earlier revision, from 0.
    pub before: Option<u32>,
    /// Its place in the later one.
    pub after: Option<u32>,
}

/// Content words that two criteria must share to be versions of one: a third of all that either has.
const ALIKE: (usize, usize) = (1, 3);

/// All criteria of both: in the later order, each that is gone after the one that it followed.
///
/// Pairs are found by equal text and modality first, then by equal text, then by the closest words in the same modality;
/// of equal ones the earlier goes first. What finds no partner is new or gone.
pub fn compare_criteria(before: &[Criterion], after: &[Criterion]) -> Vec<ComparedCriterion> {
    let pairs = paired(before, after);
    let mut earlier_of: Vec<Option<usize>> = vec![None; after.len()];
    let mut later_of: Vec<Option<usize>> = vec![None; before.len()];
    for (b, a) in &pairs {
        (earlier_of[*a], later_of[*b]) = (Some(*b), Some(*a));
    }
    let moved = out_of_order(&earlier_of);
    let mut all = Vec::with_capacity(after.len() + before.len());
    let mut gone_after: Vec<Vec<usize>> = vec![Vec::new(); after.len() + 1];
    let mut anchor = 0;
    for (b, later) in later_of.iter().enumerate() {
        match later {
            Some(a) => anchor = a + 1,
            None => gone_after[anchor].push(b),
        }
    }
    let say_gone = |at: usize, all: &mut Vec<ComparedCriterion>| {
        all.extend(gone_after[at].iter().map(|b| ComparedCriterion {
            change: CriterionChange::Gone,
            before: Some(place(*b)),
            after: None,
        }));
    };
    say_gone(0, &mut all);
    for (a, criterion) in after.iter().enumerate() {
        let change = match earlier_of[a] {
            None => CriterionChange::New,
            Some(b) if key(&before[b]) != key(criterion) => CriterionChange::Changed,
            Some(_) if moved.contains(&a) => CriterionChange::Moved,
            Some(_) => CriterionChange::Same,
        };
        all.push(ComparedCriterion { change, before: earlier_of[a].map(place), after: Some(place(a)) });
        say_gone(a + 1, &mut all);
    }
    all
}

fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The hash that says what a criterion is: of its text without the space around it, with its modality.
fn key(criterion: &Criterion) -> (String, domain::Modality) {
    (text_hash(criterion.criterion.trim()), criterion.modality)
}

/// Earlier and later places of what is one criterion in both.
fn paired(before: &[Criterion], after: &[Criterion]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut old, mut new): (Vec<usize>, Vec<usize>) =
        ((0..before.len()).collect(), (0..after.len()).collect());
    let mut exact =
        |same: &dyn Fn(&Criterion, &Criterion) -> bool, old: &mut Vec<usize>, new: &mut Vec<usize>| {
            old.retain(|b| match new.iter().position(|a| same(&before[*b], &after[*a])) {
                Some(at) => {
                    pairs.push((*b, new.remove(at)));
                    false
                }
                None => true,
            });
        };
    exact(&|b, a| key(b) == key(a), &mut old, &mut new);
    exact(&|b, a| b.criterion.trim() == a.criterion.trim(), &mut old, &mut new);
    let words = |all: &[Criterion], places: &[usize]| -> Vec<BTreeSet<String>> {
        places.iter().map(|at| content_words(&all[*at].criterion)).collect()
    };
    let (old_words, new_words) = (words(before, &old), words(after, &new));
    // (shared, either, earlier, later): the closest pair first.
    let mut close: Vec<(usize, usize, usize, usize)> = Vec::new();
    for (i, b) in old.iter().enumerate() {
        for (j, a) in new.iter().enumerate() {
            let shared = old_words[i].intersection(&new_words[j]).count();
            let either = old_words[i].union(&new_words[j]).count();
            if before[*b].modality == after[*a].modality && shared * ALIKE.1 >= either * ALIKE.0 && shared > 0
            {
                close.push((shared, either, *b, *a));
            }
        }
    }
    close.sort_by(|x, y| (y.0 * x.1).cmp(&(x.0 * y.1)).then((x.2, x.3).cmp(&(y.2, y.3))));
    for (_, _, b, a) in close {
        if pairs.iter().all(|(x, y)| *x != b && *y != a) {
            pairs.push((b, a));
        }
    }
    pairs
}

/// Later places that are not in the longest run of pairs that kept their order: those that were moved.
fn out_of_order(earlier_of: &[Option<usize>]) -> BTreeSet<usize> {
    let paired: Vec<(usize, usize)> =
        earlier_of.iter().enumerate().filter_map(|(a, b)| b.map(|b| (a, b))).collect();
    // The longest increasing run, by the simplest way: rubrics have tens of criteria.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(paired.len());
    for (i, (_, b)) in paired.iter().enumerate() {
        let before = (0..i).filter(|j| paired[*j].1 < *b).max_by_key(|j| (best[*j].0, std::cmp::Reverse(*j)));
        best.push((before.map_or(1, |j| best[j].0 + 1), before));
    }
    let mut kept = BTreeSet::new();
    let mut at = (0..best.len()).max_by_key(|i| (best[*i].0, std::cmp::Reverse(*i)));
    while let Some(i) = at {
        kept.insert(paired[i].0);
        at = best[i].1;
    }
    paired.into_iter().map(|(a, _)| a).filter(|a| !kept.contains(a)).collect()
}
