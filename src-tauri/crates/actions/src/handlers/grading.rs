//! Grading by people against a checklist: what was found, the verdicts that follow, and what they come to.

use super::common::{limit, prompt_start, prompt_view, response_view, unknown_prompt, wanted};
use crate::{
    App, Code, Failure,
    checklists::{self, Checklist},
    wire,
};
use domain::{Check, CheckGrade, CheckVerdict, ChecklistGrade, Extraction, TaskId, Tier};
use rubric::gamut::{self, ScoringRule, coherence, extraction};
use std::collections::HashMap;
use store::{AuditorView, GradingItem, Task, payload};

/// A draft longer than this is none of ours.
const MOST: usize = 10_000;

fn progress(tasks: &[Task]) -> wire::Progress {
    wire::Progress { done: tasks.iter().filter(|task| task.done).count().into(), total: tasks.len().into() }
}

/// The next open task after a position, else the first open one.
fn next_open(tasks: &[Task], after: u64) -> Option<TaskId> {
    let open = || tasks.iter().filter(|task| !task.done);
    open().find(|task| task.position > after).or_else(|| open().next()).map(|task| task.id)
}

pub(crate) fn grading_queue(
    app: &App,
    request: wire::QueueRequest,
) -> Result<wire::Page<wire::GradingTask>, Failure> {
    app.sighted(|view| {
        let done = wanted(request.filter);
        let after = super::common::cursor(request.after.as_deref())?;
        let limit = limit(request.limit, 100) as usize;
        let tasks: Vec<Task> = view
            .grading_tasks()?
            .into_iter()
            .filter(|task| done.is_none_or(|done| task.done == done))
            .collect();
        let total = tasks.len();
        let page: Vec<Task> = tasks.into_iter().filter(|task| task.position > after).take(limit).collect();
        let next = page.last().filter(|_| page.len() == limit).map(|task| task.position.to_string());
        let mut rows = Vec::with_capacity(page.len());
        for task in page {
            let response = task.subject.parse().ok().map(|id| view.response(id)).transpose()?.flatten();
            let prompt = response.and_then(|response| response.prompt);
            let prompt = prompt.map(|id| view.prompt(id)).transpose()?.flatten();
            rows.push(wire::GradingTask {
                task: task.id,
                place: task.position.into(),
                prompt: prompt.as_ref().map_or_else(String::new, |prompt| prompt_start(&prompt.text)),
                key: prompt.map_or_else(String::new, |prompt| prompt.key),
                done: task.done,
            });
        }
        Ok(wire::Page { rows, next, total: total.into() })
    })
}

pub(crate) fn grading_item(app: &App, request: wire::TaskRequest) -> Result<wire::GradingItemReply, Failure> {
    app.sighted(|view| {
        let tasks = view.grading_tasks()?;
        let progress = progress(&tasks);
        let wanted = match request.task {
            Some(id) => tasks.iter().find(|task| task.id == id).map(|task| task.id),
            None => next_open(&tasks, 0),
        };
        let Some(at) = wanted.and_then(|id| tasks.iter().position(|task| task.id == id)) else {
            return Ok(wire::GradingItemReply { item: None, progress });
        };
        let item = view.grading_item(tasks[at].id)?;
        let checklist = item.rubric.clone().map(checklists::of_rubric).unwrap_or_default();
        let grade = item.standing.current().map(payload::<ChecklistGrade>).transpose()?;
        let stale = grade.iter().flat_map(|grade| stale(&checklist.checks, grade)).collect();
        let kept = item.draft.as_deref().and_then(|body| serde_json::from_str(body).ok());
        let draft = kept.or_else(|| grade.as_ref().map(|grade| draft_of(&checklist, grade)));
        Ok(wire::GradingItemReply {
            item: Some(wire::GradingItem {
                task: item.task.id,
                place: item.task.position.into(),
                previous: at.checked_sub(1).map(|before| tasks[before].id),
                next: tasks.get(at + 1).map(|task| task.id),
                next_open: next_open(&tasks, item.task.position).filter(|id| *id != item.task.id),
                prompt: item.prompt.map_or_else(unknown_prompt, prompt_view),
                response: response_view(item.response),
                by: checklist.by,
                checks: checklist.checks,
                modalities: checklist.modalities,
                sought: checklist.sought,
                statement: item.standing.current().map(|statement| statement.id),
                grade,
                stale,
                draft,
            }),
            progress,
        })
    })
}

/// Checks whose grade was given on other words.
fn stale(checks: &[Check], grade: &ChecklistGrade) -> Vec<String> {
    let given: HashMap<&str, &CheckGrade> =
        grade.grades.iter().map(|grade| (grade.check.as_str(), grade)).collect();
    let is_stale = |check: &&Check| {
        given.get(check.id.as_str()).is_some_and(|grade| grade.text_sha256 != check.text_sha256)
    };
    checks.iter().filter(is_stale).map(|check| check.id.clone()).collect()
}

pub(crate) fn save_grading_draft(
    app: &App,
    request: wire::SaveGradingDraftRequest,
) -> Result<wire::Saved, Failure> {
    app.sighted(|view| {
        let body = match &request.draft {
            Some(draft) => Some(
                serde_json::to_string(draft)
                    .map_err(|error| Failure::new(Code::Internal, error.to_string()))?,
            ),
            None => None,
        };
        view.save_grading_draft(request.task, body.as_deref())?;
        Ok(wire::Saved {})
    })
}

/// What follows from a draft for each check of a checklist.
fn verdicts(checklist: &Checklist, draft: &wire::GradingDraft) -> Vec<wire::WeighedCheck> {
    let said: HashMap<&str, &wire::VerdictDraft> =
        draft.verdicts.iter().map(|verdict| (verdict.check.as_str(), verdict)).collect();
    let found: HashMap<&str, &Extraction> =
        draft.found.iter().map(|found| (found.item.as_str(), found)).collect();
    let weighed = |check: &Check| {
        let computed =
            found.get(check.provenance.item.as_str()).and_then(|found| extraction::computed(check, found));
        let said = said.get(check.id.as_str()).filter(|said| said.text_sha256 == check.text_sha256);
        let own = said.and_then(|said| said.verdict).filter(|verdict| check.allows(*verdict));
        let overrides = own.is_some() && computed.is_some() && own != computed;
        wire::WeighedCheck {
            check: check.id.clone(),
            computed,
            verdict: own.or(computed),
            unexplained: overrides && said.is_none_or(|said| said.reason.trim().is_empty()),
        }
    };
    checklist.checks.iter().map(weighed).collect()
}

fn weigh(checklist: &Checklist, draft: &wire::GradingDraft) -> wire::WeighedGrades {
    let checks = verdicts(checklist, draft);
    let given: Vec<Option<CheckVerdict>> = checks.iter().map(|check| check.verdict).collect();
    let incoherences = coherence::incoherences(&checklist.checks, &given);
    if !checklist.is_gamut() {
        let (score, modalities) = checklists::value(&checklist.modalities, &given);
        let part = |(modality, judged, checks, score): (domain::Modality, u64, u64, Option<f64>)| {
            wire::WeighedPart {
                part: modality.name().to_owned(),
                judged: judged.into(),
                checks: checks.into(),
                score,
            }
        };
        return wire::WeighedGrades {
            checks,
            incoherences,
            score,
            range: None,
            parts: modalities.into_iter().map(part).collect(),
        };
    }
    let tiers = checklist.checks.iter().map(|check| check.tier);
    let scored = gamut::score(tiers.zip(given.iter().copied()), &ScoringRule::default());
    let parts = Tier::ALL
        .into_iter()
        .map(|tier| &scored.tiers[tier.index()])
        .filter(|tier| tier.counts.total() + tier.unjudged > 0)
        .map(|tier| wire::WeighedPart {
            part: wire::tier_name(tier.tier),
            judged: tier.counts.total().into(),
            checks: (tier.counts.total() + tier.unjudged).into(),
            score: tier.score,
        })
        .collect();
    wire::WeighedGrades { checks, incoherences, score: scored.score.value(), range: scored.range, parts }
}

fn checklist_of(item: &GradingItem) -> Result<Checklist, Failure> {
    item.rubric.clone().map(checklists::of_rubric).filter(|list| !list.checks.is_empty()).ok_or_else(|| {
        Failure::new(Code::NotFound, "this prompt has no rubric yet; there is nothing to grade by")
    })
}

fn of_bounds(draft: &wire::GradingDraft) -> Result<(), Failure> {
    let found: usize = draft.found.iter().map(|found| found.options.len() + found.steps.len()).sum();
    if draft.verdicts.len().max(draft.found.len()).max(found) > MOST {
        return Err(Failure::new(Code::BadRequest, "a checklist has not that many checks"));
    }
    Ok(())
}

pub(crate) fn weigh_grades(
    app: &App,
    request: wire::WeighGradesRequest,
) -> Result<wire::WeighedGrades, Failure> {
    of_bounds(&request.draft)?;
    app.sighted(|view| Ok(weigh(&checklist_of(&view.grading_item(request.task)?)?, &request.draft)))
}

/// What blocks a grading: a check without a verdict, an override without a reason, rules that were not seen broken.
fn blocked(weighed: &wire::WeighedGrades, let_stand: &[String]) -> Result<(), Failure> {
    let missing = |check: &str, what: &str, why: String| {
        Err(Failure::new(Code::Incomplete, why).with(serde_json::json!({"check": check, "missing": what})))
    };
    if let Some(open) = weighed.checks.iter().find(|check| check.verdict.is_none()) {
        return missing(&open.check, "verdict", format!("{} has no verdict yet", open.check));
    }
    if let Some(bare) = weighed.checks.iter().find(|check| check.unexplained) {
        let why = format!("{} is another verdict than what was found comes to; say why", bare.check);
        return missing(&bare.check, "reason", why);
    }
    let unseen = weighed.incoherences.iter().find(|found| !let_stand.contains(&found.rule));
    if let Some(found) = unseen {
        let first = found.checks.first().map(String::as_str).unwrap_or_default();
        return missing(first, "coherence", format!("{}: {}", found.rule, found.message));
    }
    Ok(())
}

pub(crate) fn submit_grades(
    app: &App,
    request: wire::SubmitGradesRequest,
) -> Result<wire::Written<wire::GradesSubmitted>, Failure> {
    of_bounds(&request.draft)?;
    app.sighted(|view| submit(view, &request))
}

fn submit(
    view: &mut AuditorView,
    request: &wire::SubmitGradesRequest,
) -> Result<wire::Written<wire::GradesSubmitted>, Failure> {
    let item = view.grading_item(request.task)?;
    let checklist = checklist_of(&item)?;
    let weighed = weigh(&checklist, &request.draft);
    blocked(&weighed, &request.let_stand)?;
    let reasons: HashMap<&str, &str> =
        request.draft.verdicts.iter().map(|said| (said.check.as_str(), said.reason.trim())).collect();
    let grades: Vec<CheckGrade> = checklist
        .checks
        .iter()
        .zip(&weighed.checks)
        .filter_map(|(check, weighed)| {
            Some(CheckGrade {
                check: check.id.clone(),
                text_sha256: check.text_sha256.clone(),
                verdict: weighed.verdict?,
                computed: weighed.computed.filter(|computed| Some(*computed) != weighed.verdict),
                reason: reasons.get(check.id.as_str()).copied().unwrap_or_default().to_owned(),
            })
        })
        .collect();
    let mut incoherent: Vec<String> = weighed.incoherences.iter().map(|found| found.rule.clone()).collect();
    incoherent.sort();
    incoherent.dedup();
    let grade = ChecklistGrade {
        task: item.task.id,
        response: item.response.id,
        prompt_version: item.prompt.as_ref().map_or(0, |prompt| prompt.version),
        found: request.draft.found.clone(),
        incoherent,
        active_ms: request.draft.active_ms.get(),
        grades,
    };
    let statement = view.grade(&grade, &item.standing.ids())?;
    let tasks = view.grading_tasks()?;
    Ok(wire::Written {
        value: wire::GradesSubmitted {
            statement: statement.id,
            grades: grade.grades,
            next_open: next_open(&tasks, item.task.position),
            progress: progress(&tasks),
        },
        stale: vec![wire::Stale::Grading, wire::Stale::Results, wire::Stale::Overview, wire::Stale::History],
    })
}

/// After a grading was taken back: leaves it where it is typed again; answers its task.
pub(super) fn hand_back(
    view: &mut AuditorView,
    statement: &domain::Statement,
) -> Result<Option<TaskId>, Failure> {
    let Some(task) = view.grading_task_of(&statement.subject)? else { return Ok(None) };
    let item = view.grading_item(task)?;
    if item.standing.heads.is_empty()
        && item.draft.is_none()
        && let Ok(grade) = payload::<ChecklistGrade>(statement)
    {
        let checklist = item.rubric.clone().map(checklists::of_rubric).unwrap_or_default();
        let draft = draft_of(&checklist, &grade);
        let body =
            serde_json::to_string(&draft).map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        view.save_grading_draft(task, Some(&body))?;
    }
    Ok(Some(task))
}

/// A grading as it was typed: verdicts that followed from what was found are left to follow again.
fn draft_of(checklist: &Checklist, grade: &ChecklistGrade) -> wire::GradingDraft {
    let found = wire::GradingDraft { found: grade.found.clone(), ..wire::GradingDraft::default() };
    let follows: HashMap<String, CheckVerdict> = verdicts(checklist, &found)
        .into_iter()
        .filter_map(|weighed| Some((weighed.check, weighed.computed?)))
        .collect();
    let own =
        |grade: &CheckGrade| (follows.get(&grade.check) != Some(&grade.verdict)).then_some(grade.verdict);
    wire::GradingDraft {
        verdicts: grade
            .grades
            .iter()
            .map(|grade| wire::VerdictDraft {
                check: grade.check.clone(),
                text_sha256: grade.text_sha256.clone(),
                verdict: own(grade),
                reason: grade.reason.clone(),
            })
            .collect(),
        active_ms: grade.active_ms.into(),
        ..found
    }
}
