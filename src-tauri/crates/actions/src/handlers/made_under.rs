//! Under which versions of content a statement was made, and whether any of it is newer by now.

use crate::{Failure, wire::MadeUnder};
use domain::{Judgement, Prompt, Statement, StatementKind};
use store::{AuditorView, Submission, payload};

/// The versions of content that stand; 0 for what is not known or not there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Now {
    /// Of the prompt.
    pub prompt: u32,
    /// Of the guidelines.
    pub guidelines: u32,
    /// Of the prompt's rubric that is handed out.
    pub rubric: u32,
}

/// What a judgement or a rubric that was handed in was made under; none for other statements.
pub(super) fn of(statement: &Statement, now: Now) -> Option<MadeUnder> {
    if statement.payload.is_empty() {
        return None;
    }
    match statement.kind {
        StatementKind::Judgement => payload::<Judgement>(statement).ok().map(|made| MadeUnder {
            prompt_version: made.prompt_version,
            guidelines_version: Some(made.guidelines_version),
            rubric_version: None,
            outdated: made.guidelines_version < now.guidelines
                || (made.prompt_version > 0 && made.prompt_version < now.prompt),
        }),
        StatementKind::RubricSubmission => payload::<Submission>(statement).ok().map(|made| MadeUnder {
            prompt_version: made.prompt_version,
            guidelines_version: None,
            rubric_version: Some(made.rubric_version),
            outdated: (made.prompt_version > 0 && made.prompt_version < now.prompt)
                || made.rubric_version < now.rubric,
        }),
        _ => None,
    }
}

/// The prompt that a judgement or a rubric is about.
pub(super) fn prompt_of(view: &AuditorView, statement: &Statement) -> Result<Option<Prompt>, Failure> {
    Ok(match statement.kind {
        StatementKind::Judgement => {
            let answer = statement.subject.parse().ok().map(|id| view.answer(id)).transpose()?.flatten();
            answer.map(|answer| view.prompt_with_key(&answer.prompt_key)).transpose()?.flatten()
        }
        StatementKind::RubricSubmission => {
            statement.subject.parse().ok().map(|id| view.prompt(id)).transpose()?.flatten()
        }
        _ => None,
    })
}

/// The versions that stand, of a prompt and of the guidelines.
pub(super) fn now(view: &AuditorView, prompt: Option<&Prompt>) -> Result<Now, Failure> {
    let rubric = prompt.map(|prompt| view.rubric(prompt.id, prompt.version)).transpose()?.flatten();
    Ok(Now {
        prompt: prompt.map_or(0, |prompt| prompt.version),
        guidelines: view.guidelines()?.map_or(0, |now| now.version),
        rubric: rubric.map_or(0, |rubric| rubric.version),
    })
}
