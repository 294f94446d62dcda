//! Curation: two people look at an item apart from each other and retain, revise or discard it; a third settles where
//! they differ; a revised item goes round again until it is retained or discarded. The item may be a prompt, a sample or a rubric.

use crate::{Criterion, Sample, StatementId, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// How many people have to look at an item.
pub const CURATORS: usize = 2;

/// What is curated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// The text of a prompt.
    Prompt,
    /// A sample of an interaction benchmark.
    Sample,
    /// The rubric that is handed out for a prompt.
    Rubric,
}
impl ItemKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Prompt, Self::Sample, Self::Rubric];
    /// The name in files and subjects.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Sample => "sample",
            Self::Rubric => "rubric",
        }
    }
}
impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
impl FromStr for ItemKind {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("{text:?} is no kind of item; write prompt, sample or rubric"))
    }
}

/// What is to become of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CurationDecision {
    /// It stays as it is.
    Retain,
    /// It stays as it was revised, once it is retained so.
    Revise,
    /// It goes.
    Discard,
}
impl CurationDecision {
    /// All decisions, in the order of the screen.
    pub const ALL: [Self; 3] = [Self::Retain, Self::Revise, Self::Discard];
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retain => "retain",
            Self::Revise => "revise",
            Self::Discard => "discard",
        }
    }
}

/// The content of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "few are held at a time, and each is looked into")]
pub enum CuratedItem {
    /// What a prompt asks.
    Prompt {
        /// Its text.
        text: String,
    },
    /// A sample.
    Sample {
        /// The sample.
        sample: Sample,
    },
    /// A rubric.
    Rubric {
        /// Its criteria.
        criteria: Vec<Criterion>,
    },
}
impl CuratedItem {
    /// Its kind.
    pub const fn kind(&self) -> ItemKind {
        match self {
            Self::Prompt { .. } => ItemKind::Prompt,
            Self::Sample { .. } => ItemKind::Sample,
            Self::Rubric { .. } => ItemKind::Rubric,
        }
    }
}

/// One person's word on one version of an item: the payload of a `curation`; subject =
/// `<kind>/<item id>/<version>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Curation {
    /// The task that it answers.
    pub task: TaskId,
    /// What is to become of the item.
    pub decision: CurationDecision,
    /// The whole item as revised; with `revise` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<CuratedItem>,
    /// Why.
    #[serde(default)]
    pub note: String,
    /// The statements that it settles; none for one of the first two people.
    #[serde(default)]
    pub settles: Vec<StatementId>,
}

/// How one version of an item stands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "few are held at a time, and each is looked into")]
pub enum CurationOutcome {
    /// Somebody is still to speak.
    Open,
    /// People differ, and nobody has settled it.
    Disputed,
    /// It is decided, by this statement.
    Decided {
        /// What.
        decision: CurationDecision,
        /// The statement that decided it: the third person's, or the greatest id of those that agree, so that it is the
        /// same whoever spoke last.
        cause: StatementId,
        /// The item as revised, for `revise`.
        revision: Option<CuratedItem>,
    },
}

/// How a version stands after what was said of it. `wanted`: how many people were given it; fewer than [`CURATORS`] never
/// decide. People who all revise, but not to the same words, differ.
pub fn curation_outcome(wanted: usize, given: &[(StatementId, Curation)]) -> CurationOutcome {
    let first: Vec<&(StatementId, Curation)> =
        given.iter().filter(|(_, said)| said.settles.is_empty()).collect();
    let settled = given.iter().find(|(_, said)| {
        !said.settles.is_empty()
            && said.settles.iter().all(|id| first.iter().any(|(statement, _)| statement == id))
    });
    if let Some((cause, said)) = settled {
        return decided(*cause, said);
    }
    if first.len() < wanted.max(CURATORS) {
        return CurationOutcome::Open;
    }
    let Some((_, one)) = first.first() else { return CurationOutcome::Open };
    if first.iter().any(|(_, said)| said.decision != one.decision || said.revision != one.revision) {
        return CurationOutcome::Disputed;
    }
    let cause = first.iter().map(|(statement, _)| *statement).max();
    cause.map_or(CurationOutcome::Open, |cause| decided(cause, one))
}

fn decided(cause: StatementId, said: &Curation) -> CurationOutcome {
    CurationOutcome::Decided { decision: said.decision, cause, revision: said.revision.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CurationDecision::{Discard, Retain, Revise};

    fn id(n: u8) -> StatementId {
        StatementId::from_bytes([n; 16])
    }
    fn said(n: u8, decision: CurationDecision, text: &str, settles: &[u8]) -> (StatementId, Curation) {
        let revision = (decision == Revise).then(|| CuratedItem::Prompt { text: text.to_owned() });
        let settles = settles.iter().map(|n| id(*n)).collect();
        let task = TaskId::from_bytes([n; 16]);
        (id(n), Curation { task, decision, revision, note: String::new(), settles })
    }
    fn is(outcome: &CurationOutcome) -> Option<(CurationDecision, StatementId)> {
        match outcome {
            CurationOutcome::Decided { decision, cause, .. } => Some((*decision, *cause)),
            _ => None,
        }
    }

    #[test]
    fn two_who_say_the_same_decide_and_one_never_does() {
        let one = said(1, Retain, "", &[]);
        assert_eq!(curation_outcome(1, std::slice::from_ref(&one)), CurationOutcome::Open, "one is not two");
        let both = [said(2, Retain, "", &[]), one];
        assert_eq!(is(&curation_outcome(2, &both)), Some((Retain, id(2))), "whoever spoke last");
        assert_eq!(curation_outcome(3, &both), CurationOutcome::Open, "three were given it");
    }

    #[test]
    fn who_differs_waits_for_a_third() {
        let two = [said(1, Retain, "", &[]), said(2, Discard, "", &[])];
        assert_eq!(curation_outcome(2, &two), CurationOutcome::Disputed, "retain and discard");
        let words = [said(1, Revise, "a", &[]), said(2, Revise, "b", &[])];
        assert_eq!(curation_outcome(2, &words), CurationOutcome::Disputed, "both revise, to other words");
        let same = [said(1, Revise, "a", &[]), said(2, Revise, "a", &[])];
        assert_eq!(is(&curation_outcome(2, &same)), Some((Revise, id(2))), "the same words");
        let third = [two[0].clone(), two[1].clone(), said(3, Discard, "", &[1, 2])];
        assert_eq!(is(&curation_outcome(2, &third)), Some((Discard, id(3))), "the third settles");
        let stale = [two[0].clone(), said(4, Retain, "", &[]), said(3, Discard, "", &[1, 2])];
        assert_eq!(
            is(&curation_outcome(2, &stale)),
            Some((Retain, id(4))),
            "what was settled was said anew, and the same now"
        );
    }
}
