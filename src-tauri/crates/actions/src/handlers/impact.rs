//! What a revision of a rubric would do to grades that are stored. An author never asks this: it tells of responses.

use crate::{App, Code, Failure, checklists, gamut_scores, wire};
use domain::{Check, Criterion, RubricDraft, StatementKind};
use rubric::{
    compare::{CheckChange, GivenVerdict, compare, standing},
    gamut::{ScoringRule, score},
    impact::{GivenGrade, impact},
    revisions::compare_criteria,
};
use store::{AuditorView, Submission, payload};

/// The revision that is asked about, with its author.
fn revision(
    view: &mut AuditorView,
    request: wire::RubricImpactRequest,
) -> Result<Option<(String, RubricDraft)>, Failure> {
    let about = view.history(&request.prompt.to_string())?;
    let newest = about
        .iter()
        .rev()
        .find(|record| record.stands && record.statement.kind == StatementKind::RubricSubmission);
    let Some(asked) = (match request.revision {
        Some(id) => about.iter().find(|record| record.statement.id == id),
        None => newest,
    }) else {
        return Ok(None);
    };
    let named = match asked.statement.kind {
        StatementKind::RubricSubmission => {
            let revision = payload::<Submission>(&asked.statement)?.revision;
            about.iter().find(|record| record.statement.id == revision)
        }
        _ => Some(asked),
    };
    let Some(named) = named.filter(|record| record.statement.kind == StatementKind::RubricRevision) else {
        return Ok(None);
    };
    let draft = payload::<RubricDraft>(&named.statement)?;
    Ok(Some((named.statement.person.to_string(), draft)))
}

pub(crate) fn rubric_impact(
    app: &App,
    request: wire::RubricImpactRequest,
) -> Result<wire::RubricImpact, Failure> {
    app.sighted(|view| {
        let prompt = view
            .prompt(request.prompt)?
            .ok_or_else(|| Failure::new(Code::NotFound, format!("there is no prompt {}", request.prompt)))?;
        let (author, draft) = revision(view, request)?.ok_or_else(|| {
            Failure::new(Code::NotFound, format!("no revision of the rubric of {} was found", prompt.key))
        })?;
        let (checks, gradings) = match draft.as_structured() {
            Some(structured) => {
                let after = super::structured::checks_of(structured);
                gradings(view, &prompt, &after)?
            }
            None => (Vec::new(), Vec::new()),
        };
        let after = if draft.form.is_flat() { draft.criteria } else { Vec::new() };
        let handed_out = view.rubric(prompt.id, prompt.version)?.map(|rubric| rubric.criteria);
        let mut before = handed_out.unwrap_or_default();
        let mut responses = Vec::new();
        let mut human_verdicts = 0_u64;
        for answer in view.answers_to(&prompt.key)? {
            human_verdicts += view.imported_verdicts(answer.response)?.len() as u64;
            human_verdicts +=
                view.standing(&StatementKind::Judgement, &answer.response.to_string())?.len() as u64;
            let judgings = view.judgings(answer.response)?;
            // The base file; a variant judges the same response again.
            let Some(judged) = judgings.first().filter(|judged| !judged.grades.is_empty()) else { continue };
            let grades: Vec<GivenGrade<'_>> = judged
                .grades
                .iter()
                .filter_map(|grade| {
                    Some(GivenGrade {
                        modality: grade.modality?,
                        criterion: &grade.criterion,
                        score: grade.score,
                    })
                })
                .collect();
            if before.is_empty() {
                before = grades
                    .iter()
                    .zip(1_u64..)
                    .map(|(grade, number)| Criterion {
                        id: number.to_string(),
                        criterion: grade.criterion.to_owned(),
                        modality: grade.modality,
                    })
                    .collect();
            }
            let expected: Vec<domain::Modality> = judged.expected.iter().collect();
            let found = impact(&grades, &after, &expected);
            responses.push(wire::ResponseImpact {
                response: answer.response,
                model: answer.run_name,
                folder: answer.folder,
                stays: found.stays.len().into(),
                stale: found.stale.len().into(),
                waits: found.waits.len().into(),
                before: found.before.value(),
                after: found.after.value(),
                verdicts: found
                    .verdicts
                    .into_iter()
                    .map(|(modality, before, after)| wire::ImpactVerdict { modality, before, after })
                    .collect(),
            });
        }
        responses.sort_by(|a, b| (&a.folder, &a.model).cmp(&(&b.folder, &b.model)));
        Ok(wire::RubricImpact {
            key: prompt.key,
            author,
            changes: if checks.is_empty() { compare_criteria(&before, &after) } else { Vec::new() },
            before,
            after,
            responses: if checks.is_empty() { responses } else { Vec::new() },
            checks,
            gradings,
            human_verdicts: human_verdicts.into(),
        })
    })
}

/// The checks of a structured revision beside those in force, and what becomes of the grades that are stored.
fn gradings(
    view: &mut AuditorView,
    prompt: &domain::Prompt,
    after: &[Check],
) -> Result<(Vec<wire::ComparedWords>, Vec<wire::GradingImpact>), Failure> {
    let before = checklists::of_prompt(view, prompt)?;
    let before: &[Check] = if before.is_gamut() { &before.checks } else { &[] };
    let words = |check: &Check| wire::CheckWords { text: check.text.clone(), tier: check.tier };
    let compared = compare(before, after)
        .into_iter()
        .map(|both| wire::ComparedWords {
            stale: matches!(both.change, CheckChange::Changed | CheckChange::Gone),
            before: both.before.and_then(|at| before.get(at)).map(words),
            after: both.after.and_then(|at| after.get(at)).map(words),
            change: both.change,
            id: both.id,
        })
        .collect();
    let rule = ScoringRule::default();
    let scored = |checks: &[Check], given: &[GivenVerdict]| {
        let verdicts = standing(checks, given);
        score(checks.iter().map(|check| check.tier).zip(verdicts), &rule)
    };
    let mut all = Vec::new();
    for graded in gamut_scores::of_question(view, &prompt.key, before)? {
        let stays = standing(after, &graded.given).iter().flatten().count();
        let now = scored(after, &graded.given);
        all.push(wire::GradingImpact {
            model: graded.model,
            judge: graded.judge,
            by_person: graded.by_person,
            variant: graded.variant,
            stays: stays.into(),
            stale: graded.given.len().saturating_sub(stays).into(),
            waits: (after.len() - stays).into(),
            before: scored(before, &graded.given).score.value(),
            after: now.score.value(),
            range: now.range,
        });
    }
    Ok((compared, all))
}
