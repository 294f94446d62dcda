//! What there is to hand out of each kind of work, with the version that it would be handed out in.

use super::{Item, lot, script};
use crate::{Code, Failure, checklists, units, wire};
use domain::{ItemKind, StatementKind};
use std::collections::{HashMap, hash_map::Entry};
use store::{CurationSubject, Handout, LeadView};

/// The language of a prompt; where its dataset does not say, the script that most of its letters are of, as `und-Cyrl`.
fn language_of(prompt: &domain::Prompt) -> String {
    if prompt.language == "und" { script::tag(&prompt.text).to_owned() } else { prompt.language.clone() }
}

const EVERY: [wire::Balance; 2] = [wire::Balance::Modality, wire::Balance::Language];

fn labels(balance: &[wire::Balance], modalities: &domain::ModalityList, language: &str) -> Vec<String> {
    let mut labels = Vec::new();
    for by in balance {
        match by {
            wire::Balance::Modality => {
                labels.extend(modalities.iter().map(|modality| modality.name().to_owned()));
            }
            wire::Balance::Language => labels.push(format!("language {language}")),
        }
    }
    labels
}

/// The standing responses of a folder that expect something (quirk Q40), with the version of their prompt.
pub(super) fn responses(lead: &mut LeadView, request: &wire::HandOutRequest) -> Result<Vec<Item>, Failure> {
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
        let Some(mut found) = lead.response(response)? else { continue };
        found.expected = lead.judged_modalities(&found)?;
        if found.expected.is_empty() {
            continue;
        }
        let prompt = lead.prompt_with_key(&key)?;
        let language = prompt.as_ref().map_or_else(|| "und".to_owned(), language_of);
        let subject = response.to_string();
        items.push(Item {
            draw: lot(request.seed, "draw", &subject),
            labels: labels(&request.balance, &found.expected, &language),
            kinds: labels(&EVERY, &found.expected, &language),
            prompt: found.prompt.map_or_else(String::new, |prompt| prompt.to_string()),
            handout: Handout { subject, version: prompt.map_or(0, |prompt| prompt.version) },
        });
    }
    Ok(items)
}

/// The responses whose prompt has a rubric to grade by.
pub(super) fn gradeable(lead: &mut LeadView, request: &wire::HandOutRequest) -> Result<Vec<Item>, Failure> {
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

pub(super) fn prompts(lead: &mut LeadView, request: &wire::HandOutRequest) -> Result<Vec<Item>, Failure> {
    let (mut items, mut after) = (Vec::new(), String::new());
    loop {
        let page = lead.prompts(&after, 500, None)?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.key);
        items.extend(page.iter().map(|prompt| {
            let subject = prompt.id.to_string();
            let language = language_of(prompt);
            Item {
                draw: lot(request.seed, "draw", &subject),
                labels: labels(&request.balance, &prompt.gold, &language),
                kinds: labels(&EVERY, &prompt.gold, &language),
                prompt: subject.clone(),
                handout: Handout { subject, version: prompt.version },
            }
        }));
    }
    if items.is_empty() {
        return Err(Failure::new(Code::NotFound, "there are no prompts yet; import a dataset first"));
    }
    Ok(items)
}

/// The rubrics that were handed in, with the version of the prompt that they were written for. Nobody reviews a rubric
/// for a prompt that they wrote one for themselves.
pub(super) fn handed_in(lead: &mut LeadView, request: &wire::HandOutRequest) -> Result<Vec<Item>, Failure> {
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
        let language = language_of(&prompt);
        items.push(Item {
            draw: lot(request.seed, "draw", &subject),
            labels: labels(&request.balance, &prompt.gold, &language),
            kinds: labels(&EVERY, &prompt.gold, &language),
            prompt: statement.subject,
            handout: Handout { subject, version: if version == 0 { prompt.version } else { version } },
        });
    }
    if items.is_empty() {
        return Err(Failure::new(Code::NotFound, "no rubric is handed in yet; there is nothing to review"));
    }
    Ok(items)
}

/// The items of one kind in the version that stands, those that were handed out in an earlier version left out: what follows from
/// curation hands out the next one.
pub(super) fn curated(lead: &mut LeadView, request: &wire::HandOutRequest) -> Result<Vec<Item>, Failure> {
    let kind = request.items.unwrap_or(ItemKind::Sample);
    let mut first: HashMap<String, u32> = HashMap::new();
    for subject in lead.curation()?.into_keys().filter(|subject| subject.kind == kind) {
        let version = first.entry(subject.item).or_insert(subject.version);
        *version = (*version).min(subject.version);
    }
    let mut items = Vec::new();
    let mut add = |item: String, version: u32, prompt: String, [labels, kinds]: [Vec<String>; 2]| {
        let version = first.get(&item).copied().unwrap_or(version);
        let subject = CurationSubject { kind, item, version }.to_string();
        let draw = lot(request.seed, "draw", &subject);
        items.push(Item { handout: Handout { subject, version }, prompt, labels, kinds, draw });
    };
    if kind == ItemKind::Sample {
        for standing in lead.samples()?.into_iter().filter(|standing| !standing.is_discarded) {
            add(standing.id.to_string(), standing.version, String::new(), [Vec::new(), Vec::new()]);
        }
        if items.is_empty() {
            return Err(Failure::new(
                Code::NotFound,
                "there are no samples yet; import a file of them first",
            ));
        }
        return Ok(items);
    }
    for item in prompts(lead, request)? {
        let version = match item.handout.subject.parse() {
            Ok(id) if kind == ItemKind::Rubric => {
                lead.rubric(id, item.handout.version)?.map_or(0, |rubric| rubric.version)
            }
            _ => item.handout.version,
        };
        if version > 0 {
            add(item.handout.subject, version, item.prompt, [item.labels, item.kinds]);
        }
    }
    Ok(items)
}
