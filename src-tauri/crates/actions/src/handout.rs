//! Handing out work: which items go to whom, in which order. Everything follows from a stored seed.
//!
//! Each item goes to those of the people who have least of its kind so far, the rarest kinds first, so that everybody
//! gets the same number of items and, where a balance is asked for, the same share of each modality and language. What
//! somebody has already counts, so that handing out again adds nothing and further items are spread over what is
//! there. Who wrote or reviews the rubric of a prompt never judges its responses, and nobody reviews a rubric of their own. Where a
//! study asks for qualification, nobody gets work that they are not qualified for; jobs that measure a judge are mixed in
//! ([`mixing`]).

use crate::{Code, Failure, qualification::Records, wire};
use domain::{HiddenJob, ItemKind, PersonName, Role, StatementKind};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};
use store::{CurationSubject, Expired, Handout, LeadView, TaskKind};

mod items;
mod mixing;
mod script;

/// A number that orders items as if shuffled; the same for the same seed and purpose.
pub(crate) fn lot(seed: u32, purpose: &str, subject: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    for part in [purpose, subject] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().into()
}

/// One thing to hand out.
#[derive(Debug, Clone)]
struct Item {
    handout: Handout,
    /// The prompt's id; empty when the study has no such prompt.
    prompt: String,
    /// What it counts as, when people get even shares: each modality and the language, if asked for.
    labels: Vec<String>,
    /// Each modality and the language.
    kinds: Vec<String>,
    draw: [u8; 32],
}

impl Item {
    /// Is it, or its prompt, among these?
    fn is_barred(&self, barred: &HashSet<String>) -> bool {
        barred.contains(&self.prompt) || barred.contains(&self.handout.subject)
    }
}

/// What handing out comes to, worked out and not yet done.
struct Plan {
    kind: TaskKind,
    /// Items of the kind.
    items: usize,
    drawn: Vec<Item>,
    people: Vec<PersonName>,
    have: Vec<HashSet<String>>,
    barred: Vec<HashSet<String>>,
    /// What is new for each, in an order of their own.
    own: Vec<Vec<Handout>>,
    short: u64,
    expired: Vec<Expired>,
    until: Option<String>,
    /// Those of `own` that measure their person.
    hidden: Vec<HiddenJob>,
    mixed_in: Vec<wire::MixedIn>,
    held_back: Vec<wire::HeldBack>,
}

const fn kind_of(kind: wire::WorkKind) -> TaskKind {
    match kind {
        wire::WorkKind::Judge => TaskKind::Judge,
        wire::WorkKind::Author => TaskKind::Author,
        wire::WorkKind::Review => TaskKind::Review,
        wire::WorkKind::Curate => TaskKind::Curate,
        wire::WorkKind::Grade => TaskKind::Grade,
    }
}
/// The role that does work of a kind. Who grades sees rubrics and responses: that is the auditor's, and nobody's who is blind.
pub(crate) const fn role_for(kind: wire::WorkKind) -> Role {
    match kind {
        wire::WorkKind::Judge => Role::Judge,
        wire::WorkKind::Author | wire::WorkKind::Review | wire::WorkKind::Curate => Role::Author,
        wire::WorkKind::Grade => Role::Auditor,
    }
}
pub(crate) fn not_in_role(person: &PersonName, role: Role) -> Failure {
    Failure::new(Code::BadRequest, format!("{person} is not {role} in this study"))
}

/// Gives each chosen item to `overlap` of the people, evenly, in an order of each person's own. What somebody has
/// already, or has judged, is not given again, and counts; what they have and did not do in time does not.
fn plan(lead: &mut LeadView, request: &wire::HandOutRequest, people: &[PersonName]) -> Result<Plan, Failure> {
    let (kind, role) = (kind_of(request.kind), role_for(request.kind));
    let known = lead.people()?;
    for person in people {
        if !known.iter().any(|other| other.name == *person && other.roles.contains(&role)) {
            return Err(not_in_role(person, role));
        }
    }
    let now = store::now();
    let until = request.until.as_deref().map(|text| end_of(text, &now)).transpose()?;
    let mut items = match kind {
        TaskKind::Judge => items::responses(lead, request)?,
        TaskKind::Author => items::prompts(lead, request)?,
        TaskKind::Review => items::handed_in(lead, request)?,
        TaskKind::Curate => items::curated(lead, request)?,
        TaskKind::Grade => items::gradeable(lead, request)?,
        TaskKind::Quiz => {
            return Err(Failure::new(Code::BadRequest, "a quiz is given, not handed out: see Qualification"));
        }
    };
    let records = match kind {
        TaskKind::Judge => Some(Records::read(lead)?),
        _ if request.golds + request.repeats > 0 => {
            return Err(Failure::new(Code::BadRequest, "hidden jobs are mixed into judging alone"));
        }
        _ => None,
    };
    if let Some(records) = &records {
        // What is right is known already: they are nobody's ordinary work.
        let known = records.gold_responses();
        items.retain(|item| !item.handout.subject.parse().is_ok_and(|id| known.contains(&id)));
    }
    items.sort_by_key(|item| item.draw);
    let all = items.len();
    let drawn = choose(items, request.share);
    let overlap = request.overlap.max(1) as usize;
    let mut expired = lead.expired(&now)?;
    expired.retain(|one| one.kind == kind);
    let mut have = Vec::with_capacity(people.len());
    for person in people {
        let mut subjects = lead.subjects_of(kind, person)?;
        for one in expired.iter().filter(|one| one.person == *person) {
            for subject in &one.subjects {
                subjects.remove(subject);
            }
        }
        have.push(subjects);
    }
    if kind == TaskKind::Judge {
        lead.each_standing(&StatementKind::Judgement, |statement| {
            if let Some(at) = people.iter().position(|person| *person == statement.person) {
                have[at].insert(statement.subject);
            }
            Ok(())
        })?;
    }
    let mut barred = barred(lead, kind, people)?;
    let mut mixing = match &records {
        Some(records) => mixing::Mixing::of(lead, request, people, records, &have, &barred)?,
        None => mixing::Mixing::default(),
    };
    mixing.hold_back(people, &drawn, &have, &mut barred)?;
    let (mut own, short) = spread(&drawn, people, &have, &barred, overlap, request.seed);
    if let Some(records) = &records {
        mixing.add(lead, request, people, records, &mut own)?;
    }
    for (person, own) in people.iter().zip(&mut own) {
        own.sort_by_key(|item| lot(request.seed, person.as_str(), &item.subject));
    }
    if let Some(records) = &records {
        mixing.repeat_later(lead, request, people, records, &mut own);
    }
    Ok(Plan {
        kind,
        items: all,
        drawn,
        people: people.to_vec(),
        have,
        barred,
        own,
        short,
        expired,
        until,
        mixed_in: mixing.mixed_in(people),
        hidden: mixing.hidden,
        held_back: mixing.held_back,
    })
}

/// Hands out what `request` asks for.
pub(crate) fn hand_out(
    lead: &mut LeadView,
    request: &wire::HandOutRequest,
    people: &[PersonName],
) -> Result<wire::HandedOut, Failure> {
    let plan = plan(lead, request, people)?;
    if !plan.expired.is_empty() {
        lead.release_expired(plan.kind, &store::now())?;
    }
    // Known here before it is known to its person.
    lead.hide_jobs(&plan.hidden)?;
    let mut tasks = Vec::new();
    for (person, own) in plan.people.iter().zip(&plan.own) {
        let added =
            if own.is_empty() { 0 } else { lead.assign(plan.kind, person, own, plan.until.as_deref())? };
        tasks.push(wire::PersonTasks { person: person.to_string(), added: added.into() });
    }
    Ok(wire::HandedOut {
        tasks,
        short: plan.short.into(),
        released: released(&plan.expired),
        held_back: plan.held_back,
        mixed_in: plan.mixed_in,
    })
}

/// What [`hand_out`] would do. Nothing is written.
pub(crate) fn preview(
    lead: &mut LeadView,
    request: &wire::HandOutRequest,
    people: &[PersonName],
) -> Result<wire::HandOutPreview, Failure> {
    let plan = plan(lead, request, people)?;
    let overlap = request.overlap.max(1) as usize;
    let holders = |item: &Item| plan.have.iter().filter(|have| have.contains(&item.handout.subject)).count();
    let full = plan.drawn.iter().filter(|item| holders(item) >= overlap).count();
    let people = plan.people.iter().enumerate().map(|(at, person)| {
        let new: HashSet<&str> = plan.own[at].iter().map(|own| own.subject.as_str()).collect();
        let held = |item: &&Item| plan.have[at].contains(&item.handout.subject);
        let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
        for item in plan.drawn.iter().filter(|item| held(item) || new.contains(item.handout.subject.as_str()))
        {
            for kind in &item.kinds {
                *kinds.entry(kind.clone()).or_default() += 1;
            }
        }
        wire::PersonPreview {
            person: person.to_string(),
            held: plan.drawn.iter().filter(held).count().into(),
            added: new.len().into(),
            barred: plan.drawn.iter().filter(|item| plan.barred[at].contains(&item.prompt)).count().into(),
            kinds: kinds.into_iter().map(|(kind, n)| (kind, n.into())).collect(),
        }
    });
    Ok(wire::HandOutPreview {
        items: plan.items.into(),
        drawn: plan.drawn.len().into(),
        full: full.into(),
        short: plan.short.into(),
        people: people.collect(),
        released: released(&plan.expired),
        held_back: plan.held_back.clone(),
        mixed_in: plan.mixed_in.clone(),
    })
}

fn released(expired: &[Expired]) -> Vec<wire::PersonTasks> {
    let mut by: BTreeMap<&PersonName, u64> = BTreeMap::new();
    for one in expired {
        *by.entry(&one.person).or_default() += one.subjects.len() as u64;
    }
    by.into_iter()
        .map(|(person, n)| wire::PersonTasks { person: person.to_string(), added: n.into() })
        .collect()
}

/// A time as statements write it, from a day or a time in UTC; it lies ahead.
pub(crate) fn end_of(text: &str, now: &str) -> Result<String, Failure> {
    let bad = |why: &str| {
        Failure::new(
            Code::BadRequest,
            format!(
                "until {text:?}: {why}; write a day such as 2026-12-15, or a time such as 2026-12-15T18:00:00Z"
            ),
        )
    };
    let shape = |text: &str, form: &str| {
        text.len() == form.len()
            && text
                .bytes()
                .zip(form.bytes())
                .all(|(b, f)| if f == b'0' { b.is_ascii_digit() } else { b == f })
    };
    let full = if shape(text, "0000-00-00") {
        format!("{text}T23:59:59.999Z")
    } else if shape(text, "0000-00-00T00:00:00Z") {
        format!("{}.000Z", text.trim_end_matches('Z'))
    } else if shape(text, "0000-00-00T00:00:00.000Z") {
        text.to_owned()
    } else {
        return Err(bad("this is no time in UTC"));
    };
    let part = |from: usize, to: usize| full.get(from..to).and_then(|n| n.parse::<u32>().ok()).unwrap_or(99);
    let real = (1..=12).contains(&part(5, 7))
        && (1..=31).contains(&part(8, 10))
        && part(11, 13) < 24
        && part(14, 16) < 60
        && part(17, 19) < 60;
    if !real {
        return Err(bad("there is no such time"));
    }
    if full.as_str() <= now {
        return Err(bad("this is over already"));
    }
    Ok(full)
}

/// The first `share` of the items: of all, or, where they have labels, of each kind alike.
fn choose(items: Vec<Item>, share: f64) -> Vec<Item> {
    let mut kinds: BTreeMap<Vec<String>, Vec<Item>> = BTreeMap::new();
    for item in items {
        kinds.entry(item.labels.clone()).or_default().push(item);
    }
    let sizes: Vec<usize> = kinds.values().map(Vec::len).collect();
    let parts = choose_by_strata(&sizes, share);
    kinds.into_values().zip(parts).flat_map(|(kind, n)| kind.into_iter().take(n)).collect()
}

/// How many of each stratum make up a share of all, each by its own size: largest remainders, so that the parts add up to the
/// whole.
pub(crate) fn choose_by_strata(sizes: &[usize], share: f64) -> Vec<usize> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of items"
    )]
    let whole = |part: f64| part as usize;
    // A share that was made from a number of items comes back to that number, whatever the rounding.
    let wanted = whole((share * sizes.iter().sum::<usize>() as f64 - 1e-9).ceil());
    let mut parts: Vec<(usize, f64)> = sizes
        .iter()
        .map(|size| {
            let exact = share * *size as f64;
            (whole(exact), exact.fract())
        })
        .collect();
    let mut missing = wanted.saturating_sub(parts.iter().map(|(n, _)| n).sum());
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|a, b| parts[*b].1.total_cmp(&parts[*a].1));
    for at in order {
        if missing > 0 && parts[at].1 > 0.0 {
            parts[at].0 += 1;
            missing -= 1;
        }
    }
    parts.into_iter().zip(sizes).map(|((n, _), size)| n.min(*size)).collect()
}

/// Chooses the people for each item. Answers what is new for each person, and how many items have fewer people than
/// asked for.
fn spread(
    items: &[Item],
    people: &[PersonName],
    have: &[HashSet<String>],
    barred: &[HashSet<String>],
    overlap: usize,
    seed: u32,
) -> (Vec<Vec<Handout>>, u64) {
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for item in items {
        for label in &item.labels {
            *counts.entry(label).or_default() += 1;
        }
    }
    let count = |label: &str| counts.get(label).copied().unwrap_or(1).max(1);
    let rarest = |item: &Item| item.labels.iter().map(|label| count(label)).min().unwrap_or(0);
    let mut order: Vec<&Item> = items.iter().collect();
    order.sort_by_key(|item| (rarest(item), item.draw));
    // How many each has, of each label and in all.
    let mut load: Vec<HashMap<&str, u64>> = vec![HashMap::new(); people.len()];
    let mut total = vec![0_u64; people.len()];
    let mut own: Vec<Vec<Handout>> = vec![Vec::new(); people.len()];
    let has = |who: usize, item: &Item| have[who].contains(&item.handout.subject);
    for item in order.iter().copied() {
        for who in (0..people.len()).filter(|who| has(*who, item)) {
            total[who] += 1;
            for label in &item.labels {
                *load[who].entry(label.as_str()).or_default() += 1;
            }
        }
    }
    let mut short = 0;
    for item in order {
        let holders = (0..people.len()).filter(|who| has(*who, item)).count();
        // The growth of the sum of squares, each label by its own size: small where somebody has little of it.
        let cost = |who: usize| -> f64 {
            item.labels
                .iter()
                .map(|label| {
                    let own = load[who].get(label.as_str()).copied().unwrap_or(0);
                    (2 * own + 1) as f64 / count(label) as f64
                })
                .sum::<f64>()
                + (2 * total[who] + 1) as f64 / items.len() as f64
        };
        let mut ranked: Vec<(f64, [u8; 32], usize)> = (0..people.len())
            .filter(|who| !has(*who, item) && !item.is_barred(&barred[*who]))
            .map(|who| (cost(who), lot(seed, people[who].as_str(), &item.handout.subject), who))
            .collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let wanted = overlap.saturating_sub(holders);
        short += u64::from(ranked.len() < wanted);
        for (_, _, who) in ranked.into_iter().take(wanted) {
            own[who].push(item.handout.clone());
            total[who] += 1;
            for label in &item.labels {
                *load[who].entry(label.as_str()).or_default() += 1;
            }
        }
    }
    (own, short)
}

/// What each person must not get, by [`Item::prompt`] ([`mixing`] adds single items): to judge or to grade, the prompts whose rubrics they write, wrote or
/// review; to judge, those whose responses they grade, and the other way round; to write for or to review, those whose
/// responses they judge or grade; to review, their own rubrics.
fn barred(
    lead: &mut LeadView,
    kind: TaskKind,
    people: &[PersonName],
) -> Result<Vec<HashSet<String>>, Failure> {
    let mut all = Vec::with_capacity(people.len());
    for person in people {
        let mut prompts = HashSet::new();
        let sees_responses = matches!(kind, TaskKind::Judge | TaskKind::Grade);
        if sees_responses {
            prompts.extend(lead.subjects_of(TaskKind::Author, person)?);
            let reviewed = lead.subjects_of(TaskKind::Review, person)?;
            prompts.extend(
                reviewed.iter().filter_map(|subject| subject.split_once('/')).map(|s| s.0.to_owned()),
            );
            let curated = lead.subjects_of(TaskKind::Curate, person)?;
            prompts.extend(
                curated
                    .iter()
                    .filter_map(|subject| CurationSubject::parse(subject))
                    .filter(|subject| subject.kind != ItemKind::Sample)
                    .map(|subject| subject.item),
            );
        }
        // Who judges blind must not have seen the rubric, who writes must not have seen an answer.
        for other in [TaskKind::Judge, TaskKind::Grade].into_iter().filter(|other| *other != kind) {
            for subject in lead.subjects_of(other, person)? {
                if let Ok(response) = subject.parse() {
                    let prompt = lead.response(response)?.and_then(|response| response.prompt);
                    prompts.extend(prompt.map(|prompt| prompt.to_string()));
                }
            }
        }
        all.push(prompts);
    }
    if matches!(kind, TaskKind::Judge | TaskKind::Review) {
        for written in [StatementKind::RubricRevision, StatementKind::RubricSubmission] {
            lead.each_standing(&written, |statement| {
                if let Some(at) = people.iter().position(|person| *person == statement.person) {
                    all[at].insert(statement.subject);
                }
                Ok(())
            })?;
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
