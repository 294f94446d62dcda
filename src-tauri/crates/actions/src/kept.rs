//! Agreement that was computed before. As long as nothing came into the study, a whole screen is answered from what is kept; when a
//! verdict came, only groups whose units say something else now are computed again: a group is known by the hash of what its
//! units say.
//!
//! Kept beside the index of the session and as disposable as that: what cannot be read is computed again.

use crate::{
    units::{self, Computation, Unit},
    wire::{self, UnitSet},
};
use ::agreement::AgreementResult;
use domain::Verdict;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use store::AuditorView;

/// Replies that are kept; the filter makes many of them.
const REPLIES: usize = 16;
/// Written into the file, so that another version of the program computes anew.
const FORM: &str = concat!("2/", env!("CARGO_PKG_VERSION"));

/// Results by what they were computed from.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Kept {
    form: String,
    /// Hash of everything in the study when `replies` were computed.
    state: String,
    replies: Vec<(String, wire::AgreementView)>,
    groups: BTreeMap<String, (AgreementResult, u64)>,
    /// Groups that were asked for since it was read; the others are dropped when it is written.
    #[serde(skip)]
    used: BTreeMap<String, (AgreementResult, u64)>,
}

impl Kept {
    /// What the session kept last, if it is of use.
    pub fn read(view: &AuditorView) -> Self {
        view.kept()
            .and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok())
            .filter(|kept| kept.form == FORM)
            .unwrap_or_else(|| Self { form: FORM.to_owned(), ..Self::default() })
    }

    /// The reply to this very request, if nothing came since.
    pub fn reply(&self, state: &[u8; 32], request: &str) -> Option<wire::AgreementView> {
        let found = self.replies.iter().find(|(asked, _)| asked == request);
        found.filter(|_| self.state == hex::encode(state)).map(|(_, reply)| reply.clone())
    }

    /// Keeps a reply, with the groups that it and the other replies of the same state are made of.
    pub fn put(mut self, view: &AuditorView, state: &[u8; 32], request: String, reply: wire::AgreementView) {
        let state = hex::encode(state);
        if self.state == state {
            self.used.append(&mut self.groups);
        } else {
            self.replies.clear();
        }
        self.state = state;
        self.groups = std::mem::take(&mut self.used);
        self.replies.retain(|(asked, _)| *asked != request);
        self.replies.push((request, reply));
        let over = self.replies.len().saturating_sub(REPLIES);
        self.replies.drain(..over);
        // Numbers that cannot be kept are computed again; nobody has to be told.
        if let Ok(bytes) = serde_json::to_vec(&self) {
            let _ = view.keep(&bytes);
        }
    }

    fn remembered(
        &mut self,
        key: String,
        compute: impl FnOnce() -> (AgreementResult, u64),
    ) -> (AgreementResult, u64) {
        let found = self.used.get(&key).or_else(|| self.groups.get(&key)).cloned().unwrap_or_else(compute);
        self.used.insert(key, found.clone());
        found
    }

    /// [`units::judge_human`], from what is kept where the units say what they said then.
    pub fn judge_human(
        &mut self,
        all: &[Unit],
        set: UnitSet,
        human: &str,
        how: &Computation,
    ) -> (AgreementResult, u64) {
        let mut says = Says::begin("judge", how);
        for unit in all.iter().filter(|unit| unit.is_in(set) && !unit.people.is_empty()) {
            says.unit(unit, unit.human_says(human));
            says.judge(unit, how);
        }
        self.remembered(says.end(), || units::judge_human(all, set, human, how))
    }

    /// [`units::human_human`] in the same way.
    pub fn human_human(&mut self, all: &[Unit], a: &str, b: &str, how: &Computation) -> AgreementResult {
        let mut says = Says::begin("people", how);
        for unit in all {
            if let (Some(first), Some(second)) = (unit.human_says(a), unit.human_says(b)) {
                says.unit(unit, Some(first));
                says.verdict(Some(second));
            }
        }
        self.remembered(says.end(), || (units::human_human(all, a, b, how), 0)).0
    }
}

/// What the units of a group say, to be hashed in one go.
struct Says(Vec<u8>);

impl Says {
    fn begin(what: &str, how: &Computation) -> Self {
        let by: Vec<&str> = how.by.iter().map(|key| key.name()).collect();
        let Computation { collapse, sweep, resamples, seed, resampling, .. } = how;
        let what = format!("{what} {by:?} {collapse:?} {sweep} {resamples} {seed} {resampling:?}\n");
        Self(what.into_bytes())
    }
    /// Which prompt and modality, and what the human says. Prompts are told apart, since they are resampled.
    fn unit(&mut self, unit: &Unit, says: Option<Verdict>) {
        self.0.extend_from_slice(&unit.cluster.to_le_bytes());
        self.0.push(unit.modality as u8);
        self.verdict(says);
    }
    fn verdict(&mut self, says: Option<Verdict>) {
        self.0.push(says.map_or(2, |verdict| u8::from(verdict == Verdict::Correct)));
    }
    /// Where every threshold is tried, what the judge scored; else what that comes to.
    fn judge(&mut self, unit: &Unit, how: &Computation) {
        match unit.judge {
            Some(judge) if how.sweep => {
                self.0.extend_from_slice(&judge.mean.to_le_bytes());
                self.0.extend_from_slice(&judge.min.to_le_bytes());
            }
            _ => self.verdict(unit.judge_says(how.collapse)),
        }
    }
    fn end(self) -> String {
        hex::encode(Sha256::digest(&self.0))
    }
}
