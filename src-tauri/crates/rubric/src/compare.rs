//! Two checklists side by side: what a change of the meta-rubric does to its checks and to verdicts already given.

use domain::{Check, CheckVerdict, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What became of a check. The hash of the text decides; another tier alone makes no verdict stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckChange {
    /// Only the later checklist has it.
    New,
    /// Only the earlier one has it.
    Gone,
    /// Both have it, with other words: verdicts on it are stale.
    Changed,
    /// Both have it in the same words.
    Same,
}

/// One check of either checklist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedCheck {
    /// Its id.
    pub id: String,
    /// What became of it.
    pub change: CheckChange,
    /// Position in the earlier checklist.
    pub before: Option<usize>,
    /// Position in the later one.
    pub after: Option<usize>,
    /// Earlier and later tier, when they differ.
    pub tiers: Option<(Tier, Tier)>,
}

/// All checks of both: in the later order, each check that is gone after the one that it followed.
pub fn compare(before: &[Check], after: &[Check]) -> Vec<ComparedCheck> {
    let old: HashMap<&str, usize> = positions(before);
    let new: HashMap<&str, usize> = positions(after);
    let mut gone: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut anchor = None;
    for (at, check) in before.iter().enumerate() {
        match new.get(check.id.as_str()) {
            Some(later) => anchor = Some(*later),
            None => gone.entry(anchor).or_default().push(at),
        }
    }
    let mut compared = Vec::with_capacity(after.len());
    let mut say_gone = |anchor: Option<usize>, compared: &mut Vec<ComparedCheck>| {
        compared.extend(gone.remove(&anchor).unwrap_or_default().into_iter().map(|at| ComparedCheck {
            id: before[at].id.clone(),
            change: CheckChange::Gone,
            before: Some(at),
            after: None,
            tiers: None,
        }));
    };
    say_gone(None, &mut compared);
    for (at, check) in after.iter().enumerate() {
        let earlier = old.get(check.id.as_str()).copied();
        let (change, tiers) = match earlier.map(|at| &before[at]) {
            None => (CheckChange::New, None),
            Some(was) => {
                let same = was.text_sha256 == check.text_sha256;
                let change = if same { CheckChange::Same } else { CheckChange::Changed };
                (change, (was.tier != check.tier).then_some((was.tier, check.tier)))
            }
        };
        compared.push(ComparedCheck {
            id: check.id.clone(),
            change,
            before: earlier,
            after: Some(at),
            tiers,
        });
        say_gone(Some(at), &mut compared);
    }
    compared
}

fn positions(checks: &[Check]) -> HashMap<&str, usize> {
    checks.iter().enumerate().map(|(at, check)| (check.id.as_str(), at)).collect()
}

/// A verdict, and the words it was given on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GivenVerdict {
    /// Id of the check.
    pub check: String,
    /// `text_sha256` of the check when it was judged.
    pub text_sha256: String,
    /// The verdict.
    pub verdict: CheckVerdict,
}

/// The verdict that still stands on each check: one on the same id and the same words. Stale ones are none.
pub fn standing(checks: &[Check], given: &[GivenVerdict]) -> Vec<Option<CheckVerdict>> {
    let by_id: HashMap<&str, &GivenVerdict> = given.iter().map(|v| (v.check.as_str(), v)).collect();
    let stands = |check: &Check| {
        let given = by_id.get(check.id.as_str())?;
        (given.text_sha256 == check.text_sha256).then_some(given.verdict)
    };
    checks.iter().map(stands).collect()
}
