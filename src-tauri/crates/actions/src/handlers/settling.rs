//! One disagreement: the case whole, and its settlement.

use super::{
    agreement::collapse,
    common::{prompt_view, response_view},
    disagreements::shown,
};
use crate::{App, Code, Failure, app::View, gold, units, wire};
use domain::{BlobHash, Settlement, StatementKind, Verdict};
use std::collections::HashSet;
use store::{Settled, payload};

pub(crate) fn disagreement_case(app: &App, request: wire::CaseRequest) -> Result<wire::CaseView, Failure> {
    let threshold = collapse(request.collapse)?;
    let (id, modality) = (request.response, request.modality);
    app.sighted(|view| {
        let missing = || Failure::new(Code::NotFound, format!("there is no response {id}"));
        let response = view.response(id)?.ok_or_else(missing)?;
        let answer = view.answer(id)?.ok_or_else(missing)?;
        let prompt = view.prompt_with_key(&answer.prompt_key)?;
        let rubric = match &prompt {
            Some(prompt) => view.rubric(prompt.id, prompt.version)?,
            None => None,
        };
        let other_gold = prompt.as_ref().is_some_and(|prompt| !prompt.gold.same_as(&response.expected));
        let base = view.judgings(id)?.into_iter().next();
        let guidelines = view.guidelines()?.map_or(0, |now| now.version);
        let marked_gold = match &prompt {
            Some(prompt) => gold::mark_on(view, prompt)?,
            None => None,
        };
        // What was played and seen of this modality, and of the inputs.
        let outputs =
            response.assets.iter().filter(|asset| asset.modality == modality).filter_map(|asset| asset.blob);
        let inputs = prompt.iter().flat_map(|prompt| &prompt.inputs).filter_map(|input| input.blob);
        let concerned: HashSet<BlobHash> = outputs.chain(inputs).collect();
        let mut people: Vec<wire::PersonVerdict> = Vec::new();
        for statement in view.standing(&StatementKind::Judgement, &id.to_string())? {
            // What measures its person is no verdict on the response.
            if view.is_hidden_job(&statement.person, id)? {
                continue;
            }
            let Ok(judgement) = payload::<domain::Judgement>(&statement) else { continue };
            let seconds = std::time::Duration::from_millis(judgement.active_ms).as_secs_f64();
            people.extend(judgement.verdicts.into_iter().filter(|given| given.modality == modality).map(
                |given| {
                    wire::PersonVerdict {
                        person: statement.person.to_string(),
                        verdict: given.verdict,
                        comment: given.comment,
                        flags: given.flags,
                        anchors: given.anchors,
                        ai_asked: given.ai_asked,
                        perceived: given.perceived,
                        guidelines_version: judgement.guidelines_version,
                        prompt_version: judgement.prompt_version,
                        outdated: judgement.guidelines_version < guidelines
                            || (judgement.prompt_version > 0
                                && prompt.as_ref().is_some_and(|now| judgement.prompt_version < now.version)),
                        seconds: Some(seconds),
                        exposures: judgement
                            .exposures
                            .iter()
                            .filter(|seen| match &seen.asset {
                                Some(asset) => concerned.contains(asset),
                                // The answer's own text.
                                None => modality == domain::Modality::Text,
                            })
                            .cloned()
                            .collect(),
                        imported: false,
                    }
                },
            ));
        }
        for imported in view.imported_verdicts(id)? {
            let said = imported.verdict;
            if said.modality == modality && !people.iter().any(|p| p.person == said.annotator) {
                people.push(wire::PersonVerdict {
                    person: said.annotator,
                    verdict: said.verdict,
                    comment: said.comment,
                    flags: domain::VerdictFlags { ai_background: said.ai_assisted, ..said.details.flags },
                    anchors: said.details.anchors,
                    ai_asked: said.details.ai_asked,
                    perceived: said.details.perceived,
                    guidelines_version: said.details.guidelines_version.unwrap_or(0),
                    prompt_version: said.details.prompt_version.unwrap_or(0),
                    outdated: false,
                    seconds: said.seconds,
                    exposures: Vec::new(),
                    imported: true,
                });
            }
        }
        people.sort_by(|a, b| a.person.cmp(&b.person));
        let majority = units::majority(people.iter().map(|p| p.verdict));
        let grades: Vec<domain::Grade> = base
            .as_ref()
            .map(|base| {
                base.grades.iter().filter(|grade| grade.modality == Some(modality)).cloned().collect()
            })
            .unwrap_or_default();
        let mean = (!grades.is_empty())
            .then(|| grades.iter().map(|grade| grade.score).sum::<f64>() / grades.len() as f64);
        let scores: Vec<f64> = grades.iter().map(|grade| grade.score).collect();
        let judge = agreement::judged_correct(&scores, threshold).map(Verdict::from_bool);
        let detection = base.as_ref().map(|base| base.presence.of(modality)).unwrap_or_default();
        let settled = settled_view(view.settled(id, modality)?)?;
        let cell = units::cell(judge.unwrap_or(Verdict::Incorrect), majority.unwrap_or(Verdict::Incorrect));
        Ok(wire::CaseView {
            row: wire::CaseRow {
                response: id,
                modality,
                key: answer.prompt_key,
                model: answer.run_name,
                cell,
                settled,
            },
            prompt: prompt.map(prompt_view),
            response: response_view(response),
            folder: answer.folder,
            people,
            majority,
            judge_model: base.as_ref().map(|base| base.rubric_judge_model.clone()).unwrap_or_default(),
            judge,
            mean,
            collapse: threshold,
            grades: grades
                .into_iter()
                .map(|grade| wire::GradeView {
                    other_rubric: rubric
                        .as_ref()
                        .is_some_and(|own| !rubric::graded::is_of(&grade, &own.criteria)),
                    id: grade.id,
                    criterion: grade.criterion,
                    score: grade.score,
                    explanation: grade.explanation,
                    evaluator_error: grade.evaluator_error,
                    payload: payload_name(grade.payload),
                })
                .collect(),
            other_gold,
            marked_gold,
            detected: units::route(detection).to_owned(),
        })
    })
}

/// The name as files write it.
pub(crate) fn payload_name(status: domain::PayloadStatus) -> String {
    serde_json::to_value(status).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn settled_view(settled: Settled) -> Result<Option<wire::SettlementView>, Failure> {
    // Two auditors who settled it without knowing of each other: the newest is shown, both are in the history.
    if let Some(statement) = settled.standing.heads.last() {
        return Ok(Some(shown(statement, payload(statement)?)));
    }
    Ok(settled.imported.into_iter().next_back().map(|imported| wire::SettlementView {
        statement: None,
        verdict: imported.adjudication.verdict,
        cause: imported.adjudication.cause,
        note: imported.adjudication.note,
        send_rubric_back: false,
        person: imported.adjudication.adjudicator,
        made_at: imported.adjudication.date,
    }))
}

pub(crate) fn settle(
    app: &App,
    request: wire::SettleRequest,
) -> Result<wire::Written<wire::Settled>, Failure> {
    let settlement = Settlement {
        response: request.response,
        modality: request.modality,
        verdict: request.verdict,
        cause: request.cause,
        note: request.note,
        send_rubric_back: request.send_rubric_back,
    };
    let statement = app.sighted(|view| {
        let standing = view.settled(settlement.response, settlement.modality)?.standing.ids();
        Ok(view.settle(&settlement, &standing)?)
    })?;
    catch_up(app)?;
    Ok(wire::Written {
        value: wire::Settled { statement: statement.id },
        stale: vec![
            wire::Stale::Disagreements,
            wire::Stale::Agreement,
            wire::Stale::Overview,
            wire::Stale::History,
        ],
    })
}

pub(crate) fn mark_gold(
    app: &App,
    request: wire::MarkGoldRequest,
) -> Result<wire::Written<wire::Settled>, Failure> {
    let statement = app.sighted(|view| gold::mark(view, &request))?;
    catch_up(app)?;
    Ok(wire::Written {
        value: wire::Settled { statement },
        stale: vec![wire::Stale::Disagreements, wire::Stale::Overview, wire::Stale::History],
    })
}

/// Makes what follows from a statement, where a lead made it; an auditor's follows when a lead opens the study.
pub(super) fn catch_up(app: &App) -> Result<(), Failure> {
    app.with_session(|session| {
        if let View::Lead(lead) = &mut session.view {
            // What follows is made again whenever a lead opens the study, so a failure now loses nothing.
            let _ = lead.catch_up();
        }
        Ok(())
    })
}

pub(crate) fn save_settlement_draft(
    app: &App,
    request: wire::SaveSettlementDraftRequest,
) -> Result<wire::Saved, Failure> {
    app.sighted(|view| {
        match &request.note {
            Some(note) => view.save_draft(request.response, request.modality, note)?,
            None => view.drop_draft(request.response, request.modality)?,
        }
        Ok(wire::Saved {})
    })
}

pub(crate) fn settlement_draft(
    app: &App,
    request: wire::CaseRequest,
) -> Result<wire::SettlementDraft, Failure> {
    app.sighted(|view| Ok(wire::SettlementDraft { note: view.draft(request.response, request.modality)? }))
}
