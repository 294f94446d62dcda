//! Audits: a seeded sample of one person's finished work, drawn alike from each stratum, looked through in its order, and enlarged
//! by itself where it does not suffice.

use crate::{
    Code, Failure,
    handlers::{checks_of, prompt_view, response_view},
    handout::{choose_by_strata, lot},
    wire,
};
use agreement::{AuditVerdict, audit_outcome};
use domain::{
    AuditDraw, AuditFinding, AuditedWork, Judgement, PersonName, RubricDraft, Statement, StatementId, Stratum,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{AuditorView, Submission, payload};

const KINDS: [AuditedWork; 2] = [AuditedWork::Judging, AuditedWork::Authoring];

/// One draw with its statement.
type Drawn = (Statement, AuditDraw);

/// The modalities that a piece of work is about: its stratum.
fn stratum(view: &AuditorView, statement: &Statement) -> Result<String, Failure> {
    let listed = |mut all: Vec<domain::Modality>| {
        all.sort();
        let names: Vec<&str> = all.into_iter().map(domain::Modality::name).collect();
        if names.is_empty() { "nothing expected".to_owned() } else { names.join(" + ") }
    };
    if let Ok(response) = statement.subject.parse()
        && let Some(response) = view.response(response)?
    {
        return Ok(listed(response.expected.iter().collect()));
    }
    let prompt = statement.subject.parse().ok().map(|id| view.prompt(id)).transpose()?.flatten();
    Ok(listed(prompt.map(|prompt| prompt.gold.iter().collect()).unwrap_or_default()))
}

/// Draws from what is finished and not `taken` already. `wanted`: how many pieces, or which share.
fn draw(
    view: &mut AuditorView,
    plan: &AuditDraw,
    share: f64,
    taken: &BTreeSet<StatementId>,
) -> Result<AuditDraw, Failure> {
    let finished = view.finished_work(&plan.person, plan.work)?;
    let mut strata: BTreeMap<String, Vec<StatementId>> = BTreeMap::new();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for statement in &finished {
        let label = stratum(view, statement)?;
        *counts.entry(label.clone()).or_default() += 1;
        if !taken.contains(&statement.id) {
            strata.entry(label).or_default().push(statement.id);
        }
    }
    let place = |id: &StatementId| lot(plan.seed, "audit", &id.to_string());
    for pieces in strata.values_mut() {
        pieces.sort_by_key(place);
    }
    let sizes: Vec<usize> = strata.values().map(Vec::len).collect();
    let parts = choose_by_strata(&sizes, share);
    let mut items = Vec::new();
    let mut drawn: BTreeMap<&str, u64> = BTreeMap::new();
    for ((label, pieces), part) in strata.iter().zip(parts) {
        items.extend(pieces.iter().take(part).copied());
        drawn.insert(label, part as u64);
    }
    items.sort_by_key(place);
    Ok(AuditDraw {
        items,
        finished: finished.len().into(),
        strata: counts
            .iter()
            .map(|(label, n)| Stratum {
                label: label.clone(),
                finished: (*n).into(),
                drawn: drawn.get(label.as_str()).copied().unwrap_or(0).into(),
            })
            .collect(),
        ..plan.clone()
    })
}

/// Draws a first sample.
pub(crate) fn draw_first(
    view: &mut AuditorView,
    person: &PersonName,
    request: &wire::DrawAuditRequest,
) -> Result<StatementId, Failure> {
    let bad = |why: String| Failure::new(Code::BadRequest, why);
    let (rate, confidence) = (request.rate.unwrap_or(0.1), request.confidence.unwrap_or(0.95));
    for (what, value) in [("the error rate", rate), ("the confidence", confidence)] {
        if !(value > 0.0 && value < 1.0) {
            return Err(bad(format!("{what} lies between 0 and 1, not {value}")));
        }
    }
    let finished = view.finished_work(person, request.work)?.len();
    if finished == 0 {
        return Err(Failure::new(Code::NotFound, format!("{person} has finished nothing of this kind yet")));
    }
    let share = match request.items {
        Some(items) => f64::from(items.max(1)) / finished as f64,
        None => request.share.unwrap_or(0.1),
    };
    if share.is_nan() || share <= 0.0 {
        return Err(bad(format!("the share lies above 0 and up to 1, not {share}")));
    }
    let open = draws(view)?.iter().any(|(statement, draw)| {
        draw.person == *person && draw.work == request.work && !is_done(view, statement, draw).unwrap_or(true)
    });
    if open {
        return Err(bad(format!("an audit of {person} is not done yet; finish it before another is drawn")));
    }
    let plan = AuditDraw {
        person: person.clone(),
        work: request.work,
        items: Vec::new(),
        finished: 0_u64.into(),
        strata: Vec::new(),
        seed: request.seed,
        rate,
        confidence,
        escalates: None,
    };
    let made = draw(view, &plan, share.min(1.0), &BTreeSet::new())?;
    Ok(view.draw_audit(&made)?.id)
}

fn draws(view: &mut AuditorView) -> Result<Vec<Drawn>, Failure> {
    Ok(view.audit_draws()?)
}

fn finding(
    view: &mut AuditorView,
    draw: StatementId,
    item: StatementId,
) -> Result<Option<AuditFinding>, Failure> {
    let standing = view.finding(draw, item)?;
    let found = standing.heads.iter().rfind(|statement| !statement.payload.is_empty());
    Ok(found.map(payload::<AuditFinding>).transpose()?)
}

/// Audited and returned pieces of one draw.
fn counted(view: &mut AuditorView, statement: &Statement, draw: &AuditDraw) -> Result<(u64, u64), Failure> {
    let (mut audited, mut errors) = (0, 0);
    for item in &draw.items {
        if let Some(found) = finding(view, statement.id, *item)? {
            audited += 1;
            errors += u64::from(!found.accepted);
        }
    }
    Ok((audited, errors))
}

fn is_done(view: &mut AuditorView, statement: &Statement, draw: &AuditDraw) -> Result<bool, Failure> {
    Ok(counted(view, statement, draw)?.0 >= draw.items.len() as u64)
}

/// A draw and those that it enlarges, newest first.
fn chain(all: &[Drawn], from: StatementId) -> Vec<&Drawn> {
    let mut chain = Vec::new();
    let mut next = Some(from);
    while let Some(id) = next {
        let Some(found) = all.iter().find(|(statement, _)| statement.id == id) else { break };
        if chain.len() > all.len() {
            break;
        }
        chain.push(found);
        next = found.1.escalates;
    }
    chain
}

fn audit_view(view: &mut AuditorView, all: &[Drawn], id: StatementId) -> Result<wire::AuditView, Failure> {
    let chain = chain(all, id);
    let Some((statement, own)) = chain.first() else {
        return Err(Failure::new(Code::NotFound, format!("there is no audit {id}")));
    };
    let (mut items, mut audited, mut errors) = (0, 0, 0);
    for (statement, draw) in &chain {
        let (done, wrong) = counted(view, statement, draw)?;
        items += draw.items.len() as u64;
        audited += done;
        errors += wrong;
    }
    Ok(wire::AuditView {
        draw: id,
        person: own.person.to_string(),
        work: own.work,
        made_at: statement.made_at.clone(),
        seed: own.seed,
        rate: own.rate,
        confidence: own.confidence,
        strata: own.strata.clone(),
        escalates: own.escalates,
        escalated_by: all
            .iter()
            .find(|(_, other)| other.escalates == Some(id))
            .map(|(statement, _)| statement.id),
        outcome: audit_outcome(own.finished.get(), items, audited, errors, own.rate, own.confidence),
    })
}

/// What can be audited, and what was.
pub(crate) fn all(view: &mut AuditorView) -> Result<wire::AuditsView, Failure> {
    let mut work = Vec::new();
    for person in view.people()? {
        for kind in KINDS {
            let finished = view.finished_work(&person.name, kind)?.len();
            if finished > 0 {
                work.push(wire::AuditableWork {
                    person: person.name.to_string(),
                    work: kind,
                    finished: finished.into(),
                });
            }
        }
    }
    let all = draws(view)?;
    let mut audits = Vec::with_capacity(all.len());
    for (statement, _) in &all {
        audits.push(audit_view(view, &all, statement.id)?);
    }
    Ok(wire::AuditsView { work, audits })
}

/// One piece. In the order of the draw: none is passed over.
pub(crate) fn item(
    view: &mut AuditorView,
    request: wire::AuditItemRequest,
) -> Result<wire::AuditItemReply, Failure> {
    let all = draws(view)?;
    let audit = audit_view(view, &all, request.draw)?;
    let Some((_, draw)) = all.iter().find(|(statement, _)| statement.id == request.draw) else {
        return Err(Failure::new(Code::NotFound, format!("there is no audit {}", request.draw)));
    };
    let first_open = first_open(view, request.draw, draw)?;
    let place = match request.item {
        None => first_open,
        Some(item) => draw.items.iter().position(|own| *own == item),
    };
    let Some(place) = place else {
        return match request.item {
            None => Ok(wire::AuditItemReply { item: None, audit }),
            Some(item) => Err(Failure::new(Code::NotFound, format!("{item} is no part of this audit"))),
        };
    };
    if first_open.is_some_and(|open| place > open) {
        return Err(skips());
    }
    let item = draw.items[place];
    let Some(statement) = view.statement(item)? else {
        return Err(Failure::new(Code::NotFound, format!("there is no statement {item}")));
    };
    let mut shown = wire::AuditItemView {
        draw: request.draw,
        item,
        place: (place + 1).into(),
        previous: place.checked_sub(1).map(|before| draw.items[before]),
        person: statement.person.to_string(),
        prompt: None,
        response: None,
        judgement: None,
        rubric: None,
        checks: Vec::new(),
        finding: finding(view, request.draw, item)?,
    };
    match draw.work {
        AuditedWork::Judging => {
            shown.judgement = Some(payload::<Judgement>(&statement)?);
            if let Ok(id) = statement.subject.parse() {
                shown.response = view.response(id)?.map(response_view);
                if let Some(answer) = view.answer(id)? {
                    shown.prompt = view.prompt_with_key(&answer.prompt_key)?.map(prompt_view);
                }
            }
        }
        AuditedWork::Authoring => {
            let revision = payload::<Submission>(&statement)?.revision;
            if let Some(revision) = view.statement(revision)?.filter(|s| !s.payload.is_empty()) {
                let rubric = payload::<RubricDraft>(&revision)?;
                shown.checks = rubric.as_structured().map(checks_of).unwrap_or_default();
                shown.rubric = Some(rubric);
            }
            let prompt = statement.subject.parse().ok().map(|id| view.prompt(id)).transpose()?.flatten();
            shown.prompt = prompt.map(prompt_view);
        }
    }
    Ok(wire::AuditItemReply { item: Some(shown), audit })
}

fn skips() -> Failure {
    Failure::new(
        Code::BadRequest,
        "a sample is looked through in its order: whoever may pass over a piece may pass over an error",
    )
}

fn first_open(view: &mut AuditorView, id: StatementId, draw: &AuditDraw) -> Result<Option<usize>, Failure> {
    for (place, item) in draw.items.iter().enumerate() {
        if finding(view, id, *item)?.is_none() {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// Takes what is found of one piece. Where the audit is done by it and does not suffice, the next sample is drawn at once.
pub(crate) fn submit(
    view: &mut AuditorView,
    request: &wire::SubmitAuditRequest,
) -> Result<wire::AuditSubmitted, Failure> {
    let feedback = request.feedback.trim().to_owned();
    if !request.accepted && feedback.is_empty() {
        return Err(Failure::new(Code::Incomplete, "say what is wrong: the person gets it back with that")
            .with(serde_json::json!({"missing": "feedback"})));
    }
    let all = draws(view)?;
    let Some((_, draw)) = all.iter().find(|(statement, _)| statement.id == request.draw) else {
        return Err(Failure::new(Code::NotFound, format!("there is no audit {}", request.draw)));
    };
    let Some(place) = draw.items.iter().position(|own| *own == request.item) else {
        return Err(Failure::new(Code::NotFound, format!("{} is no part of this audit", request.item)));
    };
    if first_open(view, request.draw, draw)?.is_some_and(|open| place > open) {
        return Err(skips());
    }
    let expected = view.finding(request.draw, request.item)?.ids();
    let found = AuditFinding { draw: request.draw, item: request.item, accepted: request.accepted, feedback };
    let finding = view.find(&found, &expected)?.id;
    let audit = audit_view(view, &all, request.draw)?;
    let escalated = match (audit.outcome.verdict, audit.outcome.needs, audit.escalated_by) {
        (AuditVerdict::Enlarge, Some(needs), None) => enlarge(view, &all, request.draw, needs.get())?,
        _ => None,
    };
    Ok(wire::AuditSubmitted { finding, audit, escalated })
}

/// Draws what is missing to `needs` pieces, beside those that were drawn already.
fn enlarge(
    view: &mut AuditorView,
    all: &[Drawn],
    id: StatementId,
    needs: u64,
) -> Result<Option<StatementId>, Failure> {
    let chain = chain(all, id);
    let Some((_, own)) = chain.first() else { return Ok(None) };
    let taken: BTreeSet<StatementId> =
        chain.iter().flat_map(|(_, draw)| draw.items.iter().copied()).collect();
    let left = view.finished_work(&own.person, own.work)?.iter().filter(|s| !taken.contains(&s.id)).count();
    let missing = needs.saturating_sub(taken.len() as u64);
    if left == 0 || missing == 0 {
        return Ok(None);
    }
    let plan = AuditDraw { escalates: Some(id), ..own.clone() };
    let made = draw(view, &plan, (missing as f64 / left as f64).min(1.0), &taken)?;
    Ok(Some(view.draw_audit(&made)?.id))
}
