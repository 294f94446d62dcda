//! Authoring: rubrics, with lints as they are typed.

use super::common::{cursor, limit, page_ends, prompt_start, prompt_view, wanted};
use crate::{App, Code, Failure, gold, lints, wire};
use domain::{Prompt, RubricDraft, TaskId};
use store::{AuthorItem, AuthorView, Submission, Task, TaskKind, payload};

fn progress(view: &mut AuthorView) -> Result<wire::Progress, Failure> {
    let counts = view.counts(TaskKind::Author)?;
    Ok(wire::Progress { done: counts.done.into(), total: counts.total.into() })
}

/// How a task stands: handed in if a submission names it or came after it was made, sent back if it was.
fn state(item: &AuthorItem) -> Result<wire::RubricState, Failure> {
    let submission = item.submission.current().map(payload::<Submission>).transpose()?;
    Ok(if item.task.done {
        wire::RubricState::Submitted
    } else if !item.task.note.is_empty() {
        wire::RubricState::SentBack
    } else if item.revision.current().is_some() || submission.is_some() {
        wire::RubricState::Begun
    } else {
        wire::RubricState::Open
    })
}

pub(crate) fn author_queue(
    app: &App,
    request: wire::QueueRequest,
) -> Result<wire::Page<wire::AuthorTask>, Failure> {
    app.author(|view| {
        let done = wanted(request.filter);
        let limit = limit(request.limit, 100);
        let tasks = view.tasks(TaskKind::Author, done, cursor(request.after.as_deref())?, limit)?;
        let (total, next) = page_ends(&tasks, view.counts(TaskKind::Author)?, done, limit);
        let mut rows = Vec::with_capacity(tasks.len());
        for task in tasks {
            let item = view.item(task.id)?;
            rows.push(wire::AuthorTask {
                task: task.id,
                place: task.position.into(),
                key: item.prompt.key.clone(),
                prompt: prompt_start(&item.prompt.text),
                gold: item.prompt.gold.iter().collect(),
                state: state(&item)?,
                draft: item.draft.is_some(),
            });
        }
        Ok(wire::Page { rows, next, total: total.into() })
    })
}

fn task(view: &mut AuthorView, task: Option<TaskId>) -> Result<Option<Task>, Failure> {
    match task {
        Some(id) => match view.item(id) {
            Ok(item) => Ok(Some(item.task)),
            Err(store::StoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        },
        None => Ok(view.next_open(TaskKind::Author, 0)?),
    }
}

pub(crate) fn author_item(app: &App, request: wire::TaskRequest) -> Result<wire::AuthorItemReply, Failure> {
    app.author(|view| {
        let progress = progress(view)?;
        let Some(task) = task(view, request.task)? else {
            return Ok(wire::AuthorItemReply { item: None, progress });
        };
        let item = view.item(task.id)?;
        let before = if task.position > 1 {
            view.tasks(TaskKind::Author, None, task.position - 2, 1)?.pop()
        } else {
            None
        };
        let after = view.tasks(TaskKind::Author, None, task.position, 1)?.pop();
        let next_open = view.next_open(TaskKind::Author, task.position)?.filter(|open| open.id != task.id);
        let revision = item.revision.current();
        let own = revision.map(payload::<RubricDraft>).transpose()?;
        let revisions = view
            .history(task.id)?
            .iter()
            .filter(|r| r.statement.kind == domain::StatementKind::RubricRevision)
            .count();
        let rubric = own.or_else(|| item.handed_out.clone()).unwrap_or_default();
        let draft: Option<RubricDraft> =
            item.draft.as_deref().and_then(|body| serde_json::from_str(body).ok());
        let findings = findings(&item.prompt, draft.as_ref().unwrap_or(&rubric));
        Ok(wire::AuthorItemReply {
            item: Some(wire::AuthorItem {
                task: task.id,
                place: task.position.into(),
                progress,
                previous: before.map(|task| task.id),
                next: after.map(|task| task.id),
                next_open: next_open.map(|task| task.id),
                state: state(&item)?,
                revision: revision.map(|statement| statement.id),
                rubric,
                revisions: revisions.into(),
                draft,
                handed_out: item.handed_out,
                returned: item.task.returned().map(|returned| returned.feedback),
                marked_gold: item.task.marked_gold().map(|marked| marked_gold(&marked, &item.prompt)),
                sent_back: item.task.sent_back()?.into_iter().map(sent_back).collect(),
                reviewed: item.task.reviewed().map(super::reviewing::reviewed),
                findings,
                prompt: prompt_view(item.prompt),
            }),
            progress,
        })
    })
}

fn sent_back(case: store::SentBack) -> wire::SentBackNote {
    wire::SentBackNote {
        modality: case.modality,
        cause: case.cause.code().to_owned(),
        failed_criteria: case.criteria,
    }
}

fn marked_gold(marked: &domain::MarkedGold, prompt: &Prompt) -> wire::MarkedGoldNote {
    let (extra, lacking) = gold::sides(&prompt.gold, &marked.wrong);
    wire::MarkedGoldNote { extra, lacking, cause: domain::Cause::WrongGold.code().to_owned() }
}

fn findings(prompt: &Prompt, rubric: &RubricDraft) -> Vec<wire::LintFinding> {
    lints::of_draft(rubric, &prompt.text, &prompt.gold)
}

pub(crate) fn lint_rubric(app: &App, request: wire::LintRequest) -> Result<wire::LintReply, Failure> {
    app.author(|view| {
        let item = view.item(request.task)?;
        let criteria = &request.rubric.criteria;
        let ordered = rubric::lints::in_order(criteria, item.prompt.gold.as_slice());
        Ok(wire::LintReply {
            findings: findings(&item.prompt, &request.rubric),
            parts: rubric::lints::parts(criteria),
            ordered: (ordered != *criteria).then_some(ordered),
            kept: lints::kept(&request.rubric, &item.prompt.text, &item.prompt.gold),
        })
    })
}

pub(crate) fn save_rubric_draft(
    app: &App,
    request: wire::SaveRubricDraftRequest,
) -> Result<wire::Saved, Failure> {
    app.author(|view| {
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

pub(crate) fn save_rubric(
    app: &App,
    request: wire::SaveRubricRequest,
) -> Result<wire::Written<wire::RubricSaved>, Failure> {
    app.author(|view| {
        let item = view.item(request.task)?;
        if request.submit && !request.rubric.form.is_flat() {
            super::structured::may_be_handed_in(request.rubric.structured.as_ref())?;
        } else if request.submit {
            let errors: Vec<wire::LintFinding> = findings(&item.prompt, &request.rubric)
                .into_iter()
                .filter(|finding| finding.severity == wire::LintSeverity::Error && !excused(finding, &request.rubric))
                .collect();
            if let Some(first) = errors.first() {
                return Err(Failure::new(
                    Code::LintErrors,
                    format!(
                        "{} be mended before the rubric is handed in{}: {}",
                        domain::counted(errors.len(), "error must", "errors must"),
                        if errors.len() > 1 { "; the first" } else { "" },
                        first.message
                    ),
                )
                .with(serde_json::json!({"findings": errors.len(), "criterion": first.criterion, "modality": first.modality, "rule": first.rule})));
            }
        }
        let unchanged = item.revision.current().filter(|statement| {
            payload::<RubricDraft>(statement).is_ok_and(|standing| standing == request.rubric)
        });
        let revision = match unchanged {
            Some(statement) => statement.id,
            None => view.revise(request.task, &request.rubric, &item.revision.ids())?.id,
        };
        let submission = if request.submit {
            Some(view.submit(request.task, revision, &item.submission.ids())?.id)
        } else {
            None
        };
        view.drop_draft(request.task)?;
        let next_open = view.next_open(TaskKind::Author, item.task.position)?.map(|task| task.id);
        Ok(wire::Written {
            value: wire::RubricSaved { revision, submission, next_open, progress: progress(view)? },
            stale: vec![wire::Stale::AuthorQueue, wire::Stale::History],
        })
    })
}

/// A modality that the author says does not belong into the gold list need not be covered.
fn excused(finding: &wire::LintFinding, rubric: &RubricDraft) -> bool {
    finding.modality.is_some_and(|modality| rubric.gold_flags.iter().any(|flag| flag.modality == modality))
}
