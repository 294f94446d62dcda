//! The quiz as a judge answers it. Nothing here can name its key.

use crate::{App, Code, Failure, wire};
use domain::QuizAttempt;
use store::{JudgeView, QuizTask};

/// Nobody practises more in one attempt.
const MOST_PRACTISED: usize = 1_000;

fn attempt_of(task: &QuizTask) -> domain::Count {
    let number = task.task.subject.rsplit('/').next().and_then(|n| n.parse::<u64>().ok());
    number.unwrap_or(1).into()
}

fn view_of(view: &mut JudgeView) -> Result<wire::QuizView, Failure> {
    let tasks = view.quiz_tasks()?;
    let attempts = tasks
        .iter()
        .filter_map(|task| {
            let (statement, _) = task.attempt.as_ref()?;
            let note =
                tasks.iter().filter_map(|other| other.note.as_ref()).find(|n| n.attempt == statement.id);
            Some(wire::OwnAttempt {
                attempt: attempt_of(task),
                handed_in: statement.made_at.clone(),
                result: note.map(|note| note.result.clone()),
            })
        })
        .collect();
    let mut open = None;
    if let Some(task) = tasks.iter().find(|task| !task.task.done) {
        let version = task.task.subject_version;
        let quiz = view.quiz(version)?.ok_or_else(|| {
            Failure::new(Code::NotFound, format!("version {version} of the quiz is not here"))
        })?;
        let draft = view.quiz_draft(task.task.id)?;
        open = Some(wire::OpenQuiz {
            task: task.task.id,
            attempt: attempt_of(task),
            version,
            title: quiz.title,
            introduction: quiz.introduction,
            practice: quiz
                .practice
                .into_iter()
                .map(|one| wire::PracticeView { item: one.item, answer: one.answer })
                .collect(),
            items: quiz.items,
            draft: draft.and_then(|body| serde_json::from_str(&body).ok()).unwrap_or_default(),
        });
    }
    Ok(wire::QuizView { open, attempts })
}

pub(crate) fn quiz(app: &App, _: wire::Nothing) -> Result<wire::QuizView, Failure> {
    app.judge(view_of)
}

pub(crate) fn save_quiz_draft(
    app: &App,
    request: wire::SaveQuizDraftRequest,
) -> Result<wire::Saved, Failure> {
    app.judge(|view| {
        let body = serde_json::to_string(&request.draft)
            .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        view.save_quiz_draft(request.task, &body)?;
        Ok(wire::Saved {})
    })
}

pub(crate) fn hand_in_quiz(
    app: &App,
    request: wire::HandInQuizRequest,
) -> Result<wire::Written<wire::QuizView>, Failure> {
    app.judge(|view| {
        if request.practised.len() > MOST_PRACTISED {
            return Err(Failure::new(Code::BadRequest, "nobody practises that much"));
        }
        let tasks = view.quiz_tasks()?;
        let missing = || Failure::new(Code::NotFound, "there is no such quiz to hand in");
        let task = tasks.iter().find(|task| task.task.id == request.task).ok_or_else(missing)?;
        let version = task.task.subject_version;
        let quiz = view.quiz(version)?.ok_or_else(missing)?;
        if let Some((item, why)) = quiz.lacks(&request.answers) {
            return Err(Failure::new(Code::Incomplete, why).with(serde_json::json!({"item": item})));
        }
        view.hand_in_quiz(&QuizAttempt {
            task: request.task,
            version,
            answers: request.answers.clone(),
            practised: request.practised.clone(),
        })?;
        Ok(wire::Written {
            value: view_of(view)?,
            stale: vec![wire::Stale::JudgeQueue, wire::Stale::History],
        })
    })
}
