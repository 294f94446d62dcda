//! Curating items: what a curator does, and the statistics of a set.

use super::common::{cursor, limit, page_ends, prompt_start, prompt_view, wanted};
use crate::{App, Code, Failure, app::View, curation, wire};
use domain::{CuratedItem, Curation, CurationDecision, TaskId};
use store::{AuthorView, CurationItem, StoreError, TaskKind, payload};

fn progress(view: &mut AuthorView) -> Result<wire::Progress, Failure> {
    let counts = view.counts(TaskKind::Curate)?;
    Ok(wire::Progress { done: counts.done.into(), total: counts.total.into() })
}

/// What people call an item.
pub(super) fn key(item: &CurationItem) -> String {
    match (&item.item, &item.prompt) {
        (CuratedItem::Sample { sample }, _) => sample.key.clone(),
        (_, Some(prompt)) => prompt.key.clone(),
        (_, None) => item.subject.item.clone(),
    }
}

fn start(item: &CurationItem) -> String {
    match (&item.item, &item.prompt) {
        (CuratedItem::Sample { sample }, _) => prompt_start(&sample.question),
        (CuratedItem::Prompt { text }, _) => prompt_start(text),
        (CuratedItem::Rubric { .. }, Some(prompt)) => prompt_start(&prompt.text),
        (CuratedItem::Rubric { .. }, None) => String::new(),
    }
}

fn mine(item: &CurationItem) -> Option<Curation> {
    item.mine.current().and_then(|statement| payload(statement).ok())
}

pub(crate) fn curation_queue(
    app: &App,
    request: wire::QueueRequest,
) -> Result<wire::Page<wire::CurationTask>, Failure> {
    app.author(|view| {
        let done = wanted(request.filter);
        let limit = limit(request.limit, 100);
        let tasks = view.tasks(TaskKind::Curate, done, cursor(request.after.as_deref())?, limit)?;
        let (total, next) = page_ends(&tasks, view.counts(TaskKind::Curate)?, done, limit);
        let mut rows = Vec::with_capacity(tasks.len());
        for task in tasks {
            let item = view.curation_item(task.id)?;
            rows.push(wire::CurationTask {
                task: task.id,
                place: task.position.into(),
                kind: item.subject.kind,
                key: key(&item),
                text: start(&item),
                version: item.subject.version,
                done: task.done,
                settles: !item.settles.is_empty(),
                decision: mine(&item).map(|said| said.decision),
            });
        }
        Ok(wire::Page { rows, next, total: total.into() })
    })
}

pub(crate) fn curation_item(
    app: &App,
    request: wire::TaskRequest,
) -> Result<wire::CurationItemReply, Failure> {
    app.author(|view| {
        let progress = progress(view)?;
        let item = match request.task {
            Some(id) => match view.curation_item(id) {
                Ok(item) => Some(item),
                Err(StoreError::NotFound { .. }) => None,
                Err(error) => return Err(error.into()),
            },
            None => match view.next_open(TaskKind::Curate, 0)? {
                Some(task) => Some(view.curation_item(task.id)?),
                None => None,
            },
        };
        let Some(item) = item else { return Ok(wire::CurationItemReply { item: None, progress }) };
        let place = item.task.position;
        let previous = match place {
            0 | 1 => None,
            place => view.tasks(TaskKind::Curate, None, place - 2, 1)?.pop(),
        };
        let next = view.tasks(TaskKind::Curate, None, place, 1)?.pop();
        let next_open = view.next_open(TaskKind::Curate, place)?.filter(|open| open.id != item.task.id);
        let shown = wire::CurationItemView {
            task: item.task.id,
            place: place.into(),
            previous: previous.map(|task| task.id),
            next: next.map(|task| task.id),
            next_open: next_open.map(|task| task.id),
            key: key(&item),
            version: item.subject.version,
            mine: mine(&item),
            draft: item.draft.as_deref().and_then(|body| serde_json::from_str(body).ok()),
            settles: item
                .settles
                .into_iter()
                .map(|given| wire::GivenCurationView {
                    person: given.person.to_string(),
                    curation: given.curation,
                })
                .collect(),
            item: item.item,
            prompt: item.prompt.map(prompt_view),
            is_closed: item.is_closed,
        };
        Ok(wire::CurationItemReply { item: Some(shown), progress })
    })
}

pub(crate) fn save_curation_draft(
    app: &App,
    request: wire::SaveCurationDraftRequest,
) -> Result<wire::Saved, Failure> {
    let body = serde_json::to_string(&request.draft)
        .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
    app.author(|view| {
        view.save_curation_draft(request.task, &body)?;
        Ok(wire::Saved {})
    })
}

pub(crate) fn submit_curation(
    app: &App,
    request: wire::SubmitCurationRequest,
) -> Result<wire::Written<wire::CurationSubmitted>, Failure> {
    let note = request.note.trim().to_owned();
    if request.decision == CurationDecision::Discard && note.is_empty() {
        return Err(Failure::new(Code::Incomplete, "say why it is to go")
            .with(serde_json::json!({"missing": "note"})));
    }
    app.author(|view| {
        let item = view.curation_item(request.task)?;
        let expected = item.mine.ids();
        let curation = view.curate(request.task, request.decision, request.revision, note, &expected)?.id;
        let next_open = view.next_open(TaskKind::Curate, item.task.position)?.map(|task| task.id);
        Ok(wire::Written {
            value: wire::CurationSubmitted { curation, next_open, progress: progress(view)? },
            stale: vec![wire::Stale::AuthorQueue, wire::Stale::History],
        })
    })
}

/// Leaves what was taken back where it is typed again.
pub(super) fn hand_back(
    view: &mut AuthorView,
    statement: &domain::Statement,
) -> Result<Option<TaskId>, Failure> {
    let Some(task) = view.curation_task_of(&statement.subject)? else { return Ok(None) };
    let item = view.curation_item(task.id)?;
    if item.mine.heads.is_empty()
        && item.draft.is_none()
        && let Ok(said) = payload::<Curation>(statement)
    {
        let draft =
            wire::CurationDraft { decision: Some(said.decision), revision: said.revision, note: said.note };
        let body =
            serde_json::to_string(&draft).map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        view.save_curation_draft(task.id, &body)?;
    }
    Ok(Some(task.id))
}

pub(crate) fn curation(app: &App, request: wire::CurationRequest) -> Result<wire::CurationView, Failure> {
    app.with_session(|session| match &mut session.view {
        View::Author(view) => curation::of_curator(view, request.items),
        View::Lead(lead) => {
            let rounds = lead.curation()?;
            curation::of_set(lead, rounds, request.items)
        }
        View::Auditor(view) => {
            let rounds = view.stated_curation()?;
            curation::of_set(view, rounds, request.items)
        }
        View::Judge(_) => Err(Failure::new(Code::NotAllowed, "a judge curates nothing")),
    })
}
