//! Verdicts that cannot all be true (COMPILER, rules K1 to K6): a slip of the judge, or a fault of a text. They are shown
//! before a set of verdicts is locked. A rule speaks only where all verdicts that it needs are given.

use domain::{Check, CheckKind, CheckVerdict, counted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// A breach of one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Incoherence {
    /// `K1` to `K6`.
    pub rule: String,
    /// The checks whose verdicts do not go together; the one that the others speak against comes first.
    pub checks: Vec<String>,
    /// What does not go together.
    pub message: String,
}

/// All breaches, by item in the order of the checklist. `verdicts` holds one entry per check.
pub fn incoherences(checks: &[Check], verdicts: &[Option<CheckVerdict>]) -> Vec<Incoherence> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut at: HashMap<&str, usize> = HashMap::new();
    for (check, verdict) in checks.iter().zip(verdicts) {
        let item = check.provenance.item.as_str();
        let group = *at.entry(item).or_insert_with(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        groups[group].push(check, *verdict);
    }
    groups.iter().flat_map(Group::incoherences).collect()
}

type Judged<'a> = (&'a Check, Option<CheckVerdict>);

#[derive(Default)]
struct Group<'a> {
    thresholds: Vec<Judged<'a>>,
    options: Vec<Judged<'a>>,
    steps: Vec<Judged<'a>>,
    sequences: Vec<Judged<'a>>,
}
impl<'a> Group<'a> {
    fn push(&mut self, check: &'a Check, verdict: Option<CheckVerdict>) {
        let list = match check.kind {
            CheckKind::Baseline | CheckKind::Coverage => &mut self.thresholds,
            CheckKind::Option => &mut self.options,
            CheckKind::Step | CheckKind::OptionalStep => &mut self.steps,
            CheckKind::Sequence | CheckKind::FullSequence => &mut self.sequences,
            CheckKind::Fact
            | CheckKind::ListEntry
            | CheckKind::RelatedEntity
            | CheckKind::Aspect
            | CheckKind::MetaInsight => return,
        };
        list.push((check, verdict));
    }

    fn incoherences(&self) -> Vec<Incoherence> {
        let mut found = Vec::new();
        self.options_against_thresholds(&mut found);
        self.thresholds_against_each_other(&mut found);
        self.steps_against_sequences(&mut found);
        found
    }

    fn options_against_thresholds(&self, found: &mut Vec<Incoherence>) {
        if self.options.is_empty() {
            return;
        }
        let met: Vec<&Judged<'_>> =
            self.options.iter().filter(|o| o.1 == Some(CheckVerdict::Meets)).collect();
        let possible = self
            .options
            .iter()
            .filter(|o| matches!(o.1, None | Some(CheckVerdict::Meets | CheckVerdict::Partial)))
            .count();
        for (check, verdict) in &self.thresholds {
            let (Some(n), Some(verdict)) = (check.n, verdict) else { continue };
            let n = usize::try_from(n).unwrap_or(usize::MAX);
            if *verdict != CheckVerdict::Meets && met.len() >= n {
                let others = met.iter().map(|(option, _)| option.id.clone());
                found.push(say(
                    "K1",
                    std::iter::once(check.id.clone()).chain(others),
                    format!(
                        "{} met, so that at least {n} is met as well.",
                        counted(met.len(), "option is", "options are")
                    ),
                ));
            }
            if *verdict == CheckVerdict::Meets && possible < n {
                let others = self.options.iter().map(|(option, _)| option.id.clone());
                found.push(say(
                    "K2",
                    std::iter::once(check.id.clone()).chain(others),
                    format!(
                        "At least {n} is met, and only {} met or partial.",
                        counted(possible, "option is", "options are")
                    ),
                ));
            }
        }
    }

    fn thresholds_against_each_other(&self, found: &mut Vec<Incoherence>) {
        // Only coverage is spoken of by K3, but a higher baseline demands the lower one in the same way.
        for (high, verdict) in &self.thresholds {
            if *verdict != Some(CheckVerdict::Meets) {
                continue;
            }
            for (low, verdict) in &self.thresholds {
                if low.n < high.n && verdict.is_some_and(|verdict| verdict != CheckVerdict::Meets) {
                    found.push(say(
                        "K3",
                        [low.id.clone(), high.id.clone()],
                        format!(
                            "At least {} is met, so that at least {} is met as well.",
                            high.n.unwrap_or_default(),
                            low.n.unwrap_or_default()
                        ),
                    ));
                }
            }
        }
    }

    fn steps_against_sequences(&self, found: &mut Vec<Incoherence>) {
        let verdict_of = |kind| self.sequences.iter().find(|(check, _)| check.kind == kind);
        let (required, full) = (verdict_of(CheckKind::Sequence), verdict_of(CheckKind::FullSequence));
        for (check, verdict) in [required, full].into_iter().flatten() {
            if *verdict != Some(CheckVerdict::Meets) {
                continue;
            }
            let own: HashSet<&str> = check.provenance.entries.iter().map(String::as_str).collect();
            let is_own = |step: &Check| step.provenance.entries.iter().all(|id| own.contains(id.as_str()));
            let steps: Vec<&Judged<'_>> = self.steps.iter().filter(|(step, _)| is_own(step)).collect();
            let mentioned = steps.iter().filter(|step| step.1 != Some(CheckVerdict::Missing)).count();
            if mentioned < 2 {
                let others = steps.iter().map(|(step, _)| step.id.clone());
                found.push(say(
                    "K4",
                    std::iter::once(check.id.clone()).chain(others),
                    "The order is met, and fewer than two of its steps are there.".to_owned(),
                ));
            }
        }
        let (Some(required), verdict) = (required, full.and_then(|full| full.1)) else { return };
        if let Some(full) = full
            && verdict == Some(CheckVerdict::Meets)
            && required.1 == Some(CheckVerdict::Contradicts)
        {
            found.push(say(
                "K5",
                [required.0.id.clone(), full.0.id.clone()],
                "The full order is met, so that the order of required steps is not contradicted.".to_owned(),
            ));
        }
        let mut steps = self.steps.iter().filter(|(step, _)| step.kind == CheckKind::Step).peekable();
        let any = steps.peek().is_some();
        let all_missing = any && steps.all(|(_, verdict)| *verdict == Some(CheckVerdict::Missing));
        if all_missing && required.1.is_some_and(|verdict| verdict != CheckVerdict::Missing) {
            let steps = self.steps.iter().filter(|(step, _)| step.kind == CheckKind::Step);
            found.push(say(
                "K6",
                std::iter::once(required.0.id.clone()).chain(steps.map(|(step, _)| step.id.clone())),
                "Every required step is missing, so that their order is missing as well.".to_owned(),
            ));
        }
    }
}

fn say(rule: &str, checks: impl IntoIterator<Item = String>, message: String) -> Incoherence {
    Incoherence { rule: rule.to_owned(), checks: checks.into_iter().collect(), message }
}
