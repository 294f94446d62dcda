//! Handing out work: which items go to whom, in which order. Everything follows from a stored seed.
//!
//! Each item goes to those of the people who have least of its kind so far, the rarest kinds first, so that everybody
//! gets the same number of items and, where a balance is asked for, the same share of each modality and language. What
//! somebody has already counts, so that handing out again adds nothing and further items are spread over what is
//! there. Who wrote or reviews the rubric of a prompt never judges its responses, and nobody reviews a rubric of their own.

use crate::{Code, Failure, checklists, units, wire};
use domain::{PersonName, Role, StatementKind};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet, hash_map::Entry};
use store::{Handout, LeadView, TaskKind};

/// A number that orders items as if shuffled; the same for the same seed and purpose.
fn lot(seed: u32, purpose: &str, subject: &str) -> [u8; 32] {
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
    draw: [u8; 32],
}

/// Gives each chosen item to `overlap` of the people, evenly, in an order of each person's own. What somebody has
/// already is not given again, and counts.
pub(crate) fn hand_out(
    lead: &mut LeadView,
    request: &wire::HandOutRequest,
    people: &[PersonName],
) -> Result<wire::HandedOut, Failure> {
    let (kind, role) = match request.kind {
        wire::WorkKind::Judge => (TaskKind::Judge, Role::Judge),
        wire::WorkKind::Author => (TaskKind::Author, Role::Author),
        wire::WorkKind::Review => (TaskKind::Review, Role::Author),
        // Who grades sees rubrics and responses: that is the auditor's role, and nobody's who is blind.
        wire::WorkKind::Grade => (TaskKind::Grade, Role::Auditor),
    };
    let known = lead.people()?;
    for (at, person) in people.iter().enumerate() {
        if !known.iter().any(|other| other.name == *person && other.roles.contains(&role)) {
            return Err(Failure::new(Code::BadRequest, format!("{person} is not {role} in this study")));
        }
        if people[..at].contains(person) {
            return Err(Failure::new(Code::BadRequest, format!("{person} is named twice")));
        }
    }
    let mut items = match kind {
        TaskKind::Judge => responses(lead, request)?,
        TaskKind::Author => prompts(lead, request)?,
        TaskKind::Review => handed_in(lead, request)?,
        TaskKind::Grade => gradeable(lead, request)?,
    };
    items.sort_by_key(|item| item.draw);
    let items = choose(items, request.share);
    let overlap = (request.overlap.max(1) as usize).min(people.len());
    let mut have = Vec::with_capacity(people.len());
    for person in people {
        have.push(lead.subjects_of(kind, person)?);
    }
    let barred = barred(lead, kind, people)?;
    let (own, short) = spread(&items, people, &have, &barred, overlap, request.seed);
    let mut tasks = Vec::new();
    for (person, mut own) in people.iter().zip(own) {
        own.sort_by_key(|item| lot(request.seed, person.as_str(), &item.subject));
        let added = if own.is_empty() { 0 } else { lead.assign(kind, person, &own)? };
        tasks.push(wire::PersonTasks { person: person.to_string(), added: added.into() });
    }
    Ok(wire::HandedOut { tasks, short: short.into() })
}

/// The first `share` of the items: of all, or, where they have labels, of each kind alike.
fn choose(items: Vec<Item>, share: f64) -> Vec<Item> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of items"
    )]
    let whole = |part: f64| part as usize;
    let wanted = whole((share * items.len() as f64).ceil());
    let mut kinds: BTreeMap<Vec<String>, Vec<Item>> = BTreeMap::new();
    for item in items {
        kinds.entry(item.labels.clone()).or_default().push(item);
    }
    // Largest remainders: the parts add up to the whole.
    let mut parts: Vec<(usize, f64)> = kinds
        .values()
        .map(|kind| {
            let exact = share * kind.len() as f64;
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
    kinds.into_values().zip(parts).flat_map(|(kind, (n, _))| kind.into_iter().take(n)).collect()
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
            .filter(|who| !has(*who, item) && !barred[*who].contains(&item.prompt))
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

/// What each person must not get, by [`Item::prompt`]: to judge or to grade, the prompts whose rubrics they write, wrote or
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
    if kind != TaskKind::Author {
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

fn labels(
    request: &wire::HandOutRequest,
    modalities: &domain::ModalityList,
    language: Option<&str>,
) -> Vec<String> {
    let mut labels = Vec::new();
    for by in &request.balance {
        match by {
            wire::Balance::Modality => {
                labels.extend(modalities.iter().map(|modality| modality.name().to_owned()));
            }
            wire::Balance::Language => labels.push(format!("language {}", language.unwrap_or("und"))),
        }
    }
    labels
}

/// The standing responses of a folder that expect something (quirk Q40), with the version of their prompt.
fn responses(lead: &mut LeadView, request: &wire::HandOutRequest) -> Result<Vec<Item>, Failure> {
    let Some(folder) = units::choose_folder(lead, request.folder.as_deref())? else {
        return Err(Failure::new(Code::NotFound, "there are no responses yet; import results first"));
    };
    let mut answers = Vec::new();
    lead.each_answer(Some(&folder), |answer| {
        answers.push((answer.response, answer.prompt_key));
        Ok(())
    })?;
    let mut items = Vec::with_capacity(answers.len());
    for (response, key) in answers {
        let Some(found) = lead.response(response)?.filter(|found| !found.expected.is_empty()) else {
            continue;
        };
        let prompt = lead.prompt_with_key(&key)?;
        let subject = response.to_string();
        items.push(Item {
            draw: lot(request.seed, "draw", &subject),
            labels: labels(request, &found.expected, prompt.as_ref().map(|prompt| prompt.language.as_str())),
            prompt: found.prompt.map_or_else(String::new, |prompt| prompt.to_string()),
            handout: Handout { subject, version: prompt.map_or(0, |prompt| prompt.version) },
        });
    }
    Ok(items)
}

/// The responses whose prompt has a rubric to grade by.
fn gradeable(lead: &mut LeadView, request: &wire::HandOutRequest) -> Result<Vec<Item>, Failure> {
    let mut items = responses(lead, request)?;
    let mut has_checks: HashMap<String, bool> = HashMap::new();
    for item in &items {
        if let Entry::Vacant(free) = has_checks.entry(item.prompt.clone()) {
            let prompt = item.prompt.parse().ok().map(|id| lead.prompt(id)).transpose()?.flatten();
            let checklist = prompt.map(|prompt| checklists::of_prompt(lead, &prompt)).transpose()?;
            let any = checklist.is_some_and(|checklist| !checklist.checks.is_empty());
            free.insert(any);
        }
    }
    items.retain(|item| has_checks.get(&item.prompt).copied().unwrap_or_default());
    if items.is_empty() {
        return Err(Failure::new(
            Code::NotFound,
            "no response has a rubric to be graded by; import checklists, or have rubrics handed in",
        ));
    }
    Ok(items)
}

fn prompts(lead: &mut LeadView, request: &wire::HandOutRequest) -> Result<Vec<Item>, Failure> {
    let (mut items, mut after) = (Vec::new(), String::new());
    loop {
        let page = lead.prompts(&after, 500, None)?;
        let Some(last) = page.last() else { return Ok(items) };
        after.clone_from(&last.key);
        items.extend(page.iter().map(|prompt| {
            let subject = prompt.id.to_string();
            Item {
                draw: lot(request.seed, "draw", &subject),
                labels: labels(request, &prompt.gold, Some(&prompt.language)),
                prompt: subject.clone(),
                handout: Handout { subject, version: prompt.version },
            }
        }));
    }
}

/// The rubrics that were handed in, with the version of the prompt that they were written for. Nobody reviews a rubric
/// for a prompt that they wrote one for themselves.
fn handed_in(lead: &mut LeadView, request: &wire::HandOutRequest) -> Result<Vec<Item>, Failure> {
    let mut submissions = Vec::new();
    lead.each_standing(&StatementKind::RubricSubmission, |statement| {
        submissions.push(statement);
        Ok(())
    })?;
    let mut items = Vec::with_capacity(submissions.len());
    for statement in submissions {
        let Some(prompt) = statement.subject.parse().ok().map(|id| lead.prompt(id)).transpose()?.flatten()
        else {
            continue;
        };
        let version = store::payload::<store::Submission>(&statement).map_or(0, |made| made.prompt_version);
        let subject = store::review_subject(&statement.subject, &statement.person);
        items.push(Item {
            draw: lot(request.seed, "draw", &subject),
            labels: labels(request, &prompt.gold, Some(&prompt.language)),
            prompt: statement.subject,
            handout: Handout { subject, version: if version == 0 { prompt.version } else { version } },
        });
    }
    if items.is_empty() {
        return Err(Failure::new(Code::NotFound, "no rubric is handed in yet; there is nothing to review"));
    }
    Ok(items)
}

#[cfg(test)]
mod tests;
