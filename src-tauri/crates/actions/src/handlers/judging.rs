//! Judging: the blind side.

use super::common::{
    cursor, limit, page_ends, prompt_start, prompt_view, response_view, unknown_prompt, wanted,
};
use crate::{App, Code, Failure, wire};
use domain::{Judgement, TaskId, Verdict};
use store::{JudgeView, Task, payload};

/// Until a study can say otherwise.
const COMMENTS: wire::CommentRule = wire::CommentRule::Incorrect;

/// No response and prompt have more assets than this.
const MOST_EXPOSURES: usize = 1_000;

fn progress(view: &mut JudgeView) -> Result<wire::Progress, Failure> {
    let counts = view.counts()?;
    Ok(wire::Progress { done: counts.done.into(), total: counts.total.into() })
}

pub(crate) fn judge_queue(
    app: &App,
    request: wire::QueueRequest,
) -> Result<wire::Page<wire::JudgeTask>, Failure> {
    app.judge(|view| {
        let done = wanted(request.filter);
        let limit = limit(request.limit, 100);
        let tasks = view.tasks(done, cursor(request.after.as_deref())?, limit)?;
        let (total, next) = page_ends(&tasks, view.counts()?, done, limit);
        let mut rows = Vec::with_capacity(tasks.len());
        for task in tasks {
            let item = view.item(task.id)?;
            rows.push(wire::JudgeTask {
                task: task.id,
                place: task.position.into(),
                prompt: item.prompt.as_ref().map_or_else(String::new, |prompt| prompt_start(&prompt.text)),
                expected: item.response.expected.iter().collect(),
                done: task.done,
                draft: item.draft.is_some(),
            });
        }
        Ok(wire::Page { rows, next, total: total.into() })
    })
}

fn task(view: &mut JudgeView, task: Option<TaskId>) -> Result<Option<Task>, Failure> {
    Ok(match task {
        Some(id) => match view.task(id) {
            Ok(task) => Some(task),
            Err(store::StoreError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        },
        None => view.next_open(0)?,
    })
}

pub(crate) fn judge_item(app: &App, request: wire::TaskRequest) -> Result<wire::JudgeItemReply, Failure> {
    app.judge(|view| {
        let progress = progress(view)?;
        let Some(task) = task(view, request.task)? else {
            return Ok(wire::JudgeItemReply { item: None, progress });
        };
        let item = view.item(task.id)?;
        let before = if task.position > 1 { view.tasks(None, task.position - 2, 1)?.pop() } else { None };
        let after = view.tasks(None, task.position, 1)?.pop();
        let judgement = item.standing.current().map(payload::<Judgement>).transpose()?;
        let next_open = view.next_open(task.position)?.filter(|open| open.id != task.id).map(|open| open.id);
        let guidelines = view.guidelines()?;
        Ok(wire::JudgeItemReply {
            item: Some(wire::JudgeItem {
                task: task.id,
                place: task.position.into(),
                progress,
                previous: before.map(|task| task.id),
                next: after.map(|task| task.id),
                next_open,
                prompt: item.prompt.map_or_else(unknown_prompt, prompt_view),
                response: response_view(item.response),
                judgement,
                draft: item.draft.as_deref().and_then(|body| serde_json::from_str(body).ok()),
                comment_rule: COMMENTS,
                returned: task.returned().map(|returned| returned.feedback),
                guidelines_version: guidelines.map_or(0, |(version, _)| version),
            }),
            progress,
        })
    })
}

pub(crate) fn save_judgement_draft(
    app: &App,
    request: wire::SaveJudgementDraftRequest,
) -> Result<wire::Saved, Failure> {
    app.judge(|view| {
        match &request.draft {
            Some(draft) => {
                let body = serde_json::to_string(draft)
                    .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
                view.save_draft(request.task, &body)?;
            }
            None => view.drop_draft(request.task)?,
        }
        Ok(wire::Saved {})
    })
}

pub(crate) fn submit_judgement(
    app: &App,
    request: wire::SubmitJudgementRequest,
) -> Result<wire::Written<wire::Submitted>, Failure> {
    app.judge(|view| {
        let item = view.item(request.task)?;
        if request.exposures.len() > MOST_EXPOSURES {
            return Err(Failure::new(Code::BadRequest, "a response has not that many assets"));
        }
        for modality in item.response.expected.iter() {
            let Some(given) = request.verdicts.iter().find(|given| given.modality == modality) else {
                return Err(Failure::new(Code::Incomplete, format!("{modality} has no verdict yet"))
                    .with(serde_json::json!({"modality": modality, "missing": "verdict"})));
            };
            let wanted = match COMMENTS {
                wire::CommentRule::Never => false,
                wire::CommentRule::Incorrect => given.verdict == Verdict::Incorrect,
                wire::CommentRule::Always => true,
            };
            if wanted && given.comment.trim().is_empty() {
                return Err(Failure::new(
                    Code::Incomplete,
                    format!("{modality} needs a short comment that says why"),
                )
                .with(serde_json::json!({"modality": modality, "missing": "comment"})));
            }
        }
        let judgement = Judgement {
            response: item.response.id,
            verdicts: request.verdicts.clone(),
            active_ms: request.active_ms.get(),
            guidelines_version: view.guidelines()?.map_or(0, |(version, _)| version),
            prompt_version: item.prompt.as_ref().map_or(0, |prompt| prompt.version),
            exposures: request.exposures.clone(),
        };
        let statement = view.judge(request.task, &judgement, &item.standing.ids())?;
        let next_open = view.next_open(item.task.position)?.map(|task| task.id);
        Ok(wire::Written {
            value: wire::Submitted { statement: statement.id, next_open, progress: progress(view)? },
            stale: vec![wire::Stale::JudgeQueue, wire::Stale::History],
        })
    })
}
