//! Handing out work: which items go to whom, in which order. Everything follows from a stored seed.

use crate::{Code, Failure, units, wire};
use domain::{PersonName, Role};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
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

/// Gives each chosen item to `overlap` of the people, evenly, in an order of each person's own. What somebody has
/// already is not given again.
pub(crate) fn hand_out(
    lead: &mut LeadView,
    request: &wire::HandOutRequest,
    people: &[PersonName],
) -> Result<Vec<wire::PersonTasks>, Failure> {
    let (kind, role) = match request.kind {
        wire::WorkKind::Judge => (TaskKind::Judge, Role::Judge),
        wire::WorkKind::Author => (TaskKind::Author, Role::Author),
    };
    let known = lead.people()?;
    for person in people {
        if !known.iter().any(|other| other.name == *person && other.roles.contains(&role)) {
            return Err(Failure::new(Code::BadRequest, format!("{person} is not {role} in this study")));
        }
    }
    let mut items = match kind {
        TaskKind::Judge => responses(lead, request.folder.as_deref())?,
        _ => prompts(lead)?,
    };
    items.sort_by_key(|item| lot(request.seed, "draw", &item.subject));
    let share = (request.share * items.len() as f64).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of items"
    )]
    items.truncate(share as usize);
    let overlap = (request.overlap.max(1) as usize).min(people.len());
    let mut out = Vec::new();
    for (place, person) in people.iter().enumerate() {
        let has: HashSet<String> = lead.subjects_of(kind, person)?;
        // Item n goes to people n, n + 1 … n + overlap - 1, round the table.
        let mut own: Vec<Handout> = items
            .iter()
            .enumerate()
            .filter(|(n, _)| (place + people.len() - n % people.len()) % people.len() < overlap)
            .map(|(_, item)| item.clone())
            .filter(|item| !has.contains(&item.subject))
            .collect();
        own.sort_by_key(|item| lot(request.seed, person.as_str(), &item.subject));
        let added = if own.is_empty() { 0 } else { lead.assign(kind, person, &own)? };
        out.push(wire::PersonTasks { person: person.to_string(), added: added.into() });
    }
    Ok(out)
}

/// The standing responses of a folder that expect something (quirk Q40), with the version of their prompt.
fn responses(lead: &mut LeadView, folder: Option<&str>) -> Result<Vec<Handout>, Failure> {
    let Some(folder) = units::choose_folder(lead, folder)? else {
        return Err(Failure::new(Code::NotFound, "there are no responses yet; import results first"));
    };
    let mut answers = Vec::new();
    lead.each_answer(Some(&folder), |answer| {
        answers.push((answer.response, answer.prompt_key));
        Ok(())
    })?;
    let mut items = Vec::with_capacity(answers.len());
    for (response, key) in answers {
        if lead.response(response)?.is_some_and(|found| !found.expected.is_empty()) {
            let version = lead.prompt_with_key(&key)?.map_or(0, |prompt| prompt.version);
            items.push(Handout { subject: response.to_string(), version });
        }
    }
    Ok(items)
}

fn prompts(lead: &mut LeadView) -> Result<Vec<Handout>, Failure> {
    let (mut items, mut after) = (Vec::new(), String::new());
    loop {
        let page = lead.prompts(&after, 500, None)?;
        let Some(last) = page.last() else { return Ok(items) };
        after.clone_from(&last.key);
        items.extend(
            page.iter().map(|prompt| Handout { subject: prompt.id.to_string(), version: prompt.version }),
        );
    }
}
