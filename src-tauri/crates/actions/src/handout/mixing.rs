//! Jobs that measure a judge, mixed into their work: some whose answers are known, some that they had before. They are handed out in
//! the same statement, at places of the same lot, as responses under opaque ids like any other; that they measure anything
//! stands in `audit.sqlite` alone. So they come only where there is other work to be among.
//!
//! A job that somebody had before is the same answer under another id: who remembers it, or compares all answers of their files with
//! each other, can tell. It is therefore taken from earlier work where there is any, else at least a quarter of the queue apart.

use super::{Item, lot};
use crate::{Code, Failure, qualification::Records, wire};
use domain::{HiddenJob, HiddenJobKind, Modality, PersonName, QualificationState, ResponseId};
use std::collections::{BTreeMap, HashSet};
use store::{Handout, LeadView};

/// In a shorter queue nothing is far from anything.
const LEAST: usize = 8;

/// What somebody is not qualified for, and why.
type Refused = BTreeMap<Modality, (QualificationState, String)>;

/// What is mixed in, and what is held back.
#[derive(Default)]
pub(super) struct Mixing {
    /// Known jobs that each person could get.
    golds: Vec<Vec<(ResponseId, Handout)>>,
    refused: Vec<Refused>,
    /// What was mixed in, of everybody.
    pub hidden: Vec<HiddenJob>,
    pub held_back: Vec<wire::HeldBack>,
}

fn modalities(item: &Item) -> impl Iterator<Item = Modality> {
    item.kinds.iter().filter_map(|kind| kind.parse().ok())
}

/// A response to be handed out, unless its person must not get it.
fn handout(
    lead: &LeadView,
    response: ResponseId,
    barred: &HashSet<String>,
    may: impl Fn(Modality) -> bool,
) -> Result<Option<Handout>, Failure> {
    let Some(found) = lead.response(response)? else { return Ok(None) };
    let expected = lead.judged_modalities(&found)?;
    if expected.is_empty() || !expected.iter().all(may) {
        return Ok(None);
    }
    let prompt = found.prompt.map(|id| lead.prompt(id)).transpose()?.flatten();
    let is_barred = found.prompt.is_some_and(|id| barred.contains(&id.to_string()));
    let version = prompt.map_or(0, |prompt| prompt.version);
    Ok((!is_barred).then(|| Handout { subject: response.to_string(), version }))
}

impl Mixing {
    /// Chooses known jobs, and works out what nobody is qualified for with these.
    pub fn of(
        lead: &LeadView,
        request: &wire::HandOutRequest,
        people: &[PersonName],
        records: &Records,
        have: &[HashSet<String>],
        barred: &[HashSet<String>],
    ) -> Result<Self, Failure> {
        let known = records.gold_responses();
        let mut mixing = Self::default();
        for (at, person) in people.iter().enumerate() {
            let mut pool: Vec<ResponseId> =
                known.iter().copied().filter(|id| !have[at].contains(&id.to_string())).collect();
            pool.sort_by_key(|id| lot(request.seed, &format!("gold {person}"), &id.to_string()));
            let mut golds = Vec::new();
            let mut of: BTreeMap<Modality, usize> = BTreeMap::new();
            for response in pool {
                if golds.len() >= request.golds as usize {
                    break;
                }
                let open = |modality| !records.is_shut(person, modality);
                if let Some(handout) = handout(lead, response, &barred[at], open)? {
                    for modality in records.known_for(response) {
                        *of.entry(modality).or_default() += 1;
                    }
                    golds.push((response, handout));
                }
            }
            let refused = Modality::ALL.into_iter().filter_map(|modality| {
                let mixed_in = of.get(&modality).copied().unwrap_or(0);
                Some((modality, records.held_back(person, modality, mixed_in)?))
            });
            mixing.refused.push(refused.collect());
            mixing.golds.push(golds);
        }
        Ok(mixing)
    }

    /// Bars each person from what they are not qualified for. Refuses, where that leaves somebody without any work.
    pub fn hold_back(
        &mut self,
        people: &[PersonName],
        drawn: &[Item],
        have: &[HashSet<String>],
        barred: &mut [HashSet<String>],
    ) -> Result<(), Failure> {
        for (at, (person, refused)) in people.iter().zip(&self.refused).enumerate() {
            let mut counts: BTreeMap<Modality, u64> = BTreeMap::new();
            let (mut open, mut held) = (0_u64, HashSet::new());
            for item in drawn {
                if have[at].contains(&item.handout.subject) || item.is_barred(&barred[at]) {
                    continue;
                }
                let why: Vec<Modality> =
                    modalities(item).filter(|modality| refused.contains_key(modality)).collect();
                if why.is_empty() {
                    open += 1;
                    continue;
                }
                held.insert(item.handout.subject.clone());
                for modality in why {
                    *counts.entry(modality).or_default() += 1;
                }
            }
            for (modality, n) in counts {
                let (state, why) = &refused[&modality];
                self.held_back.push(wire::HeldBack {
                    person: person.to_string(),
                    modality,
                    state: *state,
                    items: n.into(),
                    why: why.clone(),
                });
            }
            if open == 0 && !held.is_empty() {
                let own: Vec<&wire::HeldBack> =
                    self.held_back.iter().filter(|held| held.person == person.as_str()).collect();
                let mut reasons: Vec<&str> = own.iter().map(|held| held.why.as_str()).collect();
                reasons.dedup();
                return Err(Failure::new(
                    Code::BadRequest,
                    format!("{person} gets nothing of this: {}", reasons.join("; ")),
                )
                .with(serde_json::json!({"held_back": own})));
            }
            barred[at].extend(held);
        }
        Ok(())
    }

    /// Adds known jobs, and earlier work again, to what each person gets.
    pub fn add(
        &mut self,
        lead: &LeadView,
        request: &wire::HandOutRequest,
        people: &[PersonName],
        records: &Records,
        own: &mut [Vec<Handout>],
    ) -> Result<(), Failure> {
        for (at, person) in people.iter().enumerate() {
            if own[at].is_empty() {
                continue;
            }
            for (response, handout) in std::mem::take(&mut self.golds[at]) {
                self.hidden.push(HiddenJob {
                    person: person.clone(),
                    response,
                    kind: HiddenJobKind::Gold,
                    original: response,
                });
                own[at].push(handout);
            }
            let mut earlier: Vec<ResponseId> = records.own_work(person);
            earlier.retain(|response| !records.is_repeated(person, *response));
            earlier.sort_by_key(|id| lot(request.seed, &format!("repeat {person}"), &id.to_string()));
            for original in earlier {
                if self.repeats(person) >= request.repeats as usize {
                    break;
                }
                let may = |modality| !self.refused[at].contains_key(&modality);
                if let Some(handout) = handout(lead, original, &HashSet::new(), may)? {
                    own[at].push(self.again(lead, person, original, handout.version));
                }
            }
        }
        Ok(())
    }

    fn repeats(&self, person: &PersonName) -> usize {
        self.hidden.iter().filter(|job| job.person == *person && job.kind == HiddenJobKind::Repeat).count()
    }

    fn again(&mut self, lead: &LeadView, person: &PersonName, original: ResponseId, version: u32) -> Handout {
        let response = lead.repeat_id(person, original);
        let job = HiddenJob { person: person.clone(), response, kind: HiddenJobKind::Repeat, original };
        self.hidden.push(job);
        Handout { subject: response.to_string(), version }
    }

    /// Where there is too little earlier work, the first half of a queue comes again in its last quarter.
    pub fn repeat_later(
        &mut self,
        lead: &LeadView,
        request: &wire::HandOutRequest,
        people: &[PersonName],
        records: &Records,
        own: &mut [Vec<Handout>],
    ) {
        for (at, person) in people.iter().enumerate() {
            let length = own[at].len();
            let wanted = (request.repeats as usize).saturating_sub(self.repeats(person));
            if length < LEAST || wanted == 0 {
                continue;
            }
            let measures: HashSet<String> = self
                .hidden
                .iter()
                .filter(|job| job.person == *person)
                .map(|job| job.response.to_string())
                .collect();
            let mut first: Vec<(ResponseId, u32)> = own[at][..length / 2]
                .iter()
                .filter(|handout| !measures.contains(&handout.subject))
                .filter_map(|handout| Some((handout.subject.parse().ok()?, handout.version)))
                .filter(|(response, _)| !records.is_repeated(person, *response))
                .collect();
            first.sort_by_key(|(id, _)| lot(request.seed, &format!("repeat {person}"), &id.to_string()));
            for (original, version) in first.into_iter().take(wanted) {
                let handout = self.again(lead, person, original, version);
                let from = own[at].len() * 3 / 4;
                let free = own[at].len() - from + 1;
                let drawn = lot(request.seed, &format!("place {person}"), &handout.subject);
                let place = from + usize::from(u16::from_le_bytes([drawn[0], drawn[1]])) % free;
                own[at].insert(place, handout);
            }
        }
    }

    /// How much was mixed in, of whoever got any.
    pub fn mixed_in(&self, people: &[PersonName]) -> Vec<wire::MixedIn> {
        let count = |person: &PersonName, kind| {
            self.hidden.iter().filter(|job| job.person == *person && job.kind == kind).count()
        };
        people
            .iter()
            .map(|person| wire::MixedIn {
                person: person.to_string(),
                golds: count(person, HiddenJobKind::Gold).into(),
                repeats: count(person, HiddenJobKind::Repeat).into(),
            })
            .filter(|mixed| mixed.golds.get() + mixed.repeats.get() > 0)
            .collect()
    }
}
