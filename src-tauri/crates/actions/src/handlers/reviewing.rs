//! Reviewing rubrics of other authors.

use super::common::{cursor, limit, page_ends, prompt_start, prompt_view, wanted};
use crate::{App, Code, Failure, lints, wire};
use domain::{Review, ReviewComment, ReviewDecision, TaskId};
use store::{AuthorView, StoreError, TaskKind, payload};

fn progress(view: &mut AuthorView) -> Result<wire::Progress, Failure> {
    let counts = view.review_counts()?;
    Ok(wire::Progress { done: counts.done.into(), total: counts.total.into() })
}

/// What reviewers said, as the author gets it.
pub(super) fn reviewed(note: store::ReviewedNote) -> wire::ReviewedView {
    wire::ReviewedView {
        decision: note.decision,
        round: note.round.into(),
        comments: note.comments,
        notes: note.notes,
    }
}

pub(crate) fn review_queue(
    app: &App,
    request: wire::QueueRequest,
) -> Result<wire::Page<wire::ReviewTask>, Failure> {
    app.author(|view| {
        let done = wanted(request.filter);
        let limit = limit(request.limit, 100);
        let tasks = view.tasks(TaskKind::Review, done, cursor(request.after.as_deref())?, limit)?;
        let (total, next) = page_ends(&tasks, view.review_counts()?, done, limit);
        let mut rows = Vec::with_capacity(tasks.len());
        for task in tasks {
            let item = view.review_item(task.id)?;
            rows.push(wire::ReviewTask {
                task: task.id,
                place: task.position.into(),
                key: item.prompt.key,
                prompt: prompt_start(&item.prompt.text),
                gold: item.prompt.gold.iter().collect(),
                author: item.author.to_string(),
                done: task.done,
                settles: !item.settles.is_empty(),
            });
        }
        Ok(wire::Page { rows, next, total: total.into() })
    })
}

pub(crate) fn review_item(app: &App, request: wire::TaskRequest) -> Result<wire::ReviewItemReply, Failure> {
    app.author(|view| {
        let progress = progress(view)?;
        let item = match request.task {
            Some(id) => match view.review_item(id) {
                Ok(item) => Some(item),
                Err(StoreError::NotFound { .. }) => None,
                Err(error) => return Err(error.into()),
            },
            None => match view.next_open(TaskKind::Review, 0)? {
                Some(task) => Some(view.review_item(task.id)?),
                None => None,
            },
        };
        let Some(item) = item else { return Ok(wire::ReviewItemReply { item: None, progress }) };
        let place = item.task.position;
        let previous = match place {
            0 | 1 => None,
            place => view.tasks(TaskKind::Review, None, place - 2, 1)?.pop(),
        };
        let next = view.tasks(TaskKind::Review, None, place, 1)?.pop();
        let next_open = view.next_open(TaskKind::Review, place)?.filter(|open| open.id != item.task.id);
        let rubric = item.handed_in.map(|(_, rubric)| rubric);
        let findings = rubric
            .as_ref()
            .map(|rubric| lints::of_draft(rubric, &item.prompt.text, &item.prompt.gold))
            .unwrap_or_default();
        let kept = rubric
            .as_ref()
            .map(|rubric| lints::kept(rubric, &item.prompt.text, &item.prompt.gold))
            .unwrap_or_default();
        let settles = item
            .settles
            .into_iter()
            .map(|given| wire::GivenReviewView { person: given.person.to_string(), review: given.review });
        Ok(wire::ReviewItemReply {
            item: Some(wire::ReviewItemView {
                task: item.task.id,
                place: place.into(),
                previous: previous.map(|task| task.id),
                next: next.map(|task| task.id),
                next_open: next_open.map(|task| task.id),
                author: item.author.to_string(),
                round: item.round.into(),
                parts: rubric.as_ref().map(|r| rubric::lints::parts(&r.criteria)).unwrap_or_default(),
                checks: rubric
                    .as_ref()
                    .and_then(|rubric| rubric.as_structured())
                    .map(super::structured::checks_of)
                    .unwrap_or_default(),
                findings,
                kept,
                rubric,
                settles: settles.collect(),
                mine: item.mine.current().map(payload::<Review>).transpose()?,
                draft: item.draft.as_deref().and_then(|body| serde_json::from_str(body).ok()),
                prompt: prompt_view(item.prompt),
            }),
            progress,
        })
    })
}

pub(crate) fn save_review_draft(
    app: &App,
    request: wire::SaveReviewDraftRequest,
) -> Result<wire::Saved, Failure> {
    let body = serde_json::to_string(&request.draft)
        .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
    app.author(|view| {
        view.save_review_draft(request.task, &body)?;
        Ok(wire::Saved {})
    })
}

pub(crate) fn submit_review(
    app: &App,
    request: wire::SubmitReviewRequest,
) -> Result<wire::Written<wire::ReviewSubmitted>, Failure> {
    let comments: Vec<ReviewComment> =
        request.comments.into_iter().filter(|said| !said.comment.trim().is_empty()).collect();
    let note = request.note.trim().to_owned();
    if request.decision != ReviewDecision::Accept && comments.is_empty() && note.is_empty() {
        return Err(Failure::new(
            Code::Incomplete,
            "say what is to be changed: a comment on a criterion, or a note on the whole",
        )
        .with(serde_json::json!({"missing": "comment"})));
    }
    app.author(|view| {
        let item = view.review_item(request.task)?;
        let review = view.review(request.task, request.decision, comments, note, &item.mine.ids())?.id;
        let next_open = view.next_open(TaskKind::Review, item.task.position)?.map(|task| task.id);
        Ok(wire::Written {
            value: wire::ReviewSubmitted { review, next_open, progress: progress(view)? },
            stale: vec![wire::Stale::AuthorQueue, wire::Stale::History],
        })
    })
}

/// Leaves a review that was taken back where it is typed again.
pub(super) fn hand_back(
    view: &mut AuthorView,
    statement: &domain::Statement,
) -> Result<Option<TaskId>, Failure> {
    let Some(task) = view.review_task_of(&statement.subject)? else { return Ok(None) };
    let item = view.review_item(task.id)?;
    if item.mine.heads.is_empty()
        && item.draft.is_none()
        && let Ok(review) = payload::<Review>(statement)
    {
        let draft = wire::ReviewDraft {
            decision: Some(review.decision),
            comments: review.comments,
            note: review.note,
        };
        let body =
            serde_json::to_string(&draft).map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        view.save_review_draft(task.id, &body)?;
    }
    // The author's own queue has no such task: the reviewer's shows it.
    Ok(Some(task.id))
}
