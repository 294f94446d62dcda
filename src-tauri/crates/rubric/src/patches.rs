//! Patches over a compiled checklist, and what tells two checklists apart.
//!
//! GAMUT's annotators edit the binary list directly, so that it and the meta-rubric drift apart. Here an edit is a
//! patch by check id; a recompile applies it again, and says which ones have lost their check.

use crate::compile::text::{tidy, with_period};
use domain::{Check, CheckKind, CheckRule, ChecklistEdit, ChecklistPatch, ItemType, Provenance, text_hash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// A checklist with its patches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Patched {
    /// The checks that are asked.
    pub checks: Vec<Check>,
    /// Patches without a place, by position in the list of patches.
    pub unplaced: Vec<Unplaced>,
    /// Positions of patches that were applied although their check has other words than when they were made.
    pub outdated: Vec<usize>,
}

/// A patch that could not be applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unplaced {
    /// Position in the list of patches, from 0.
    pub patch: usize,
    /// Why.
    pub why: UnplacedWhy,
}

/// Why a patch could not be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnplacedWhy {
    /// No check has its id.
    CheckGone,
    /// An earlier patch suppressed the check.
    Suppressed,
    /// The check that it adds has an id that is taken.
    IdTaken,
    /// Its text is empty.
    EmptyText,
}

/// Applies patches in order. A later patch sees what earlier ones made of the list.
pub fn apply(checks: &[Check], patches: &[ChecklistPatch]) -> Patched {
    let mut list = PatchedList {
        at: checks.iter().enumerate().map(|(at, check)| (check.id.clone(), at)).collect(),
        checks: checks.to_vec(),
        suppressed: HashSet::new(),
        after: HashMap::new(),
        compiled: checks.len(),
    };
    let mut patched = Patched::default();
    for (position, patch) in patches.iter().enumerate() {
        let outdated = list.at.get(&patch.check).is_some_and(|at| {
            checks.get(*at).is_some_and(|check| {
                patch.on_text_sha256.as_ref().is_some_and(|hash| *hash != check.text_sha256)
            })
        });
        match list.apply(patch) {
            Ok(()) if outdated => patched.outdated.push(position),
            Ok(()) => {}
            Err(why) => patched.unplaced.push(Unplaced { patch: position, why }),
        }
    }
    patched.checks = list.in_order();
    patched
}

struct PatchedList {
    checks: Vec<Check>,
    at: HashMap<String, usize>,
    suppressed: HashSet<usize>,
    /// Added checks by the check they follow; none for the end of the list.
    after: HashMap<Option<usize>, Vec<usize>>,
    compiled: usize,
}
impl PatchedList {
    fn apply(&mut self, patch: &ChecklistPatch) -> Result<(), UnplacedWhy> {
        if let ChecklistEdit::Add { text, tier, after } = &patch.edit {
            if self.at.contains_key(&patch.check) {
                return Err(UnplacedWhy::IdTaken);
            }
            let text = statement(text)?;
            let anchor = after.as_ref().and_then(|id| self.at.get(id)).copied();
            let at = self.checks.len();
            self.checks.push(Check {
                id: patch.check.clone(),
                tier: *tier,
                kind: CheckKind::Fact,
                n: None,
                verdicts: Vec::new(),
                text_sha256: text_hash(&text),
                text,
                provenance: Provenance {
                    item: patch.check.clone(),
                    item_type: ItemType::Simple,
                    rule: CheckRule::A1,
                    entries: Vec::new(),
                    demoted_from: None,
                    evidence: Vec::new(),
                },
            });
            self.at.insert(patch.check.clone(), at);
            self.after.entry(anchor).or_default().push(at);
            return Ok(());
        }
        let at = *self.at.get(&patch.check).ok_or(UnplacedWhy::CheckGone)?;
        if self.suppressed.contains(&at) {
            return Err(UnplacedWhy::Suppressed);
        }
        match &patch.edit {
            ChecklistEdit::Reword { text } => {
                let text = statement(text)?;
                self.checks[at].text_sha256 = text_hash(&text);
                self.checks[at].text = text;
            }
            ChecklistEdit::Retier { tier } => self.checks[at].tier = *tier,
            ChecklistEdit::Suppress | ChecklistEdit::Add { .. } => {
                self.suppressed.insert(at);
            }
        }
        Ok(())
    }

    /// Compiled checks in their order, each followed by what was added after it.
    fn in_order(mut self) -> Vec<Check> {
        let mut order = Vec::with_capacity(self.checks.len());
        let mut waiting: Vec<usize> = (0..self.compiled).rev().collect();
        let end = self.after.remove(&None).unwrap_or_default();
        waiting.splice(0..0, end.into_iter().rev());
        while let Some(at) = waiting.pop() {
            order.push(at);
            waiting.extend(self.after.remove(&Some(at)).unwrap_or_default().into_iter().rev());
        }
        let mut checks: Vec<Option<Check>> = self.checks.into_iter().map(Some).collect();
        let kept = order.into_iter().filter(|at| !self.suppressed.contains(at));
        kept.filter_map(|at| checks[at].take()).collect()
    }
}

fn statement(text: &str) -> Result<String, UnplacedWhy> {
    let text = tidy(text);
    if text.is_empty() { Err(UnplacedWhy::EmptyText) } else { Ok(with_period(text.into_owned())) }
}
