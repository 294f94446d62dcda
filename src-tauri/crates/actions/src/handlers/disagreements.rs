//! Disagreements: judge against people, settled one by one.

use super::{
    agreement::{collapse, folders, restrict, units_for},
    common::{limit, prompt_view, response_view},
};
use crate::{
    App, Code, Failure,
    app::View,
    units::{self, Computation, Unit},
    wire,
};
use domain::{Cause, Modality, ResponseId, Settlement, StatementKind, Verdict};
use std::collections::HashMap;
use store::{AuditorView, Settled, payload, settlement_subject};

/// A unit with what judge and people say of it, and so the cell it is in.
struct Placed {
    unit: Unit,
    cell: wire::Cell,
}

fn placed(all: Vec<Unit>, filter: &wire::UnitFilter, collapse: f64) -> (Vec<Placed>, u64) {
    let human = filter.human.as_deref().unwrap_or(units::MAJORITY);
    let first = filter.first.as_deref();
    let mut ties = 0;
    let placed = restrict(all, filter)
        .into_iter()
        .filter(|unit| first.is_some() || unit.is_in(filter.set))
        .filter_map(|unit| {
            if human == units::MAJORITY && unit.is_tie() {
                ties += 1;
            }
            let cell = units::cell(unit.first_says(first, collapse)?, unit.human_says(human)?);
            Some(Placed { unit, cell })
        })
        .collect();
    (placed, ties)
}

fn count(cells: &mut wire::FourCells, cell: wire::Cell) {
    let field = match cell {
        wire::Cell::BothCorrect => &mut cells.both_correct,
        wire::Cell::JudgeOnly => &mut cells.judge_only,
        wire::Cell::HumanOnly => &mut cells.human_only,
        wire::Cell::BothIncorrect => &mut cells.both_incorrect,
    };
    *field = (field.get() + 1).into();
}

const fn disagrees(cell: wire::Cell) -> bool {
    matches!(cell, wire::Cell::JudgeOnly | wire::Cell::HumanOnly)
}

/// Everything that is settled in a folder, by response and modality: this study's settlements before those of files.
fn settlements(
    view: &mut AuditorView,
    folder: &str,
    all: &[Unit],
) -> Result<HashMap<(ResponseId, Modality), wire::SettlementView>, Failure> {
    let mut settled = HashMap::new();
    let slots: HashMap<(&str, &str), ResponseId> =
        all.iter().map(|unit| ((unit.prompt_key.as_str(), unit.model.as_str()), unit.response)).collect();
    for imported in view.imported_adjudications(Some(folder))? {
        let found = imported.adjudication;
        if let Some(response) = slots.get(&(found.prompt_key.as_str(), found.model.as_str())) {
            settled.insert(
                (*response, found.modality),
                wire::SettlementView {
                    statement: None,
                    verdict: found.verdict,
                    cause: found.cause,
                    note: found.note,
                    send_rubric_back: false,
                    person: found.adjudicator,
                    made_at: found.date,
                },
            );
        }
    }
    view.each_standing(&StatementKind::Settlement, |statement| {
        // A payload that was blanked on request says nothing any more.
        if let Ok(settlement) = payload::<Settlement>(&statement) {
            settled.insert((settlement.response, settlement.modality), shown(&statement, settlement));
        }
        Ok(())
    })?;
    Ok(settled)
}

fn shown(statement: &domain::Statement, settlement: Settlement) -> wire::SettlementView {
    wire::SettlementView {
        statement: Some(statement.id),
        verdict: settlement.verdict,
        cause: settlement.cause,
        note: settlement.note,
        send_rubric_back: settlement.send_rubric_back,
        person: statement.person.to_string(),
        made_at: statement.made_at.clone(),
    }
}

pub(crate) fn disagreement_counts(
    app: &App,
    filter: wire::UnitFilter,
) -> Result<wire::DisagreementCounts, Failure> {
    let threshold = collapse(filter.collapse)?;
    let (folder, folders, all, settled) = app.sighted(|view| {
        let (folder, folders) = folders(view, filter.folder.as_deref())?;
        let all = units_for(view, &folder, &filter)?;
        let settled = settlements(view, &folder, &all)?;
        Ok((folder, folders, all, settled))
    })?;
    let (models, people) = (units::models(&all), units::people(&all));
    let every_modality = wire::UnitFilter { modality: None, ..filter.clone() };
    let (every, _) = placed(all.clone(), &every_modality, threshold);
    let mut by_modality: Vec<wire::ModalityCells> = Modality::ALL
        .iter()
        .map(|modality| wire::ModalityCells { modality: *modality, cells: wire::FourCells::default() })
        .collect();
    for one in &every {
        count(&mut by_modality[one.unit.modality.index()].cells, one.cell);
    }
    let (chosen, ties) = placed(all.clone(), &filter, threshold);
    let mut cells = wire::FourCells::default();
    let (mut disagreements, mut done) = (0_u64, 0_u64);
    for one in &chosen {
        count(&mut cells, one.cell);
        if disagrees(one.cell) {
            disagreements += 1;
            done += u64::from(settled.contains_key(&(one.unit.response, one.unit.modality)));
        }
    }
    let causes = causes(&chosen, &settled);
    let how = Computation { by: Vec::new(), collapse: threshold, sweep: false, resamples: 10_000, seed: 1 };
    let human = filter.human.as_deref().unwrap_or(units::MAJORITY);
    let mut under = restrict(all, &filter);
    let result = match &filter.first {
        Some(first) => units::human_human(&under, first, human, &how),
        None => units::judge_human(&under, filter.set, human, &how).0,
    };
    let compares_majority = filter.first.is_none() && human == units::MAJORITY;
    let after = if compares_majority && done > 0 {
        for unit in &mut under {
            unit.settled = settled.get(&(unit.response, unit.modality)).map(|found| found.verdict);
        }
        Some(after_settling(&under, filter.set, threshold, &how))
    } else {
        None
    };
    Ok(wire::DisagreementCounts {
        after,
        causes,
        folder,
        folders,
        cells,
        by_modality,
        models,
        people,
        ties: ties.into(),
        settled: done.into(),
        disagreements: disagreements.into(),
        percent_agreement: result.numbers.percent_agreement,
        scott_pi: result.numbers.scott_pi,
    })
}

/// Agreement where what auditors settled takes the place of the majority. Auditors settle; they are no annotators, so that
/// nothing else of theirs counts.
fn after_settling(
    under: &[Unit],
    set: wire::UnitSet,
    threshold: f64,
    how: &Computation,
) -> wire::AfterSettling {
    let (result, _) = units::judge_human(under, set, units::SETTLED, how);
    let mut cells = wire::FourCells::default();
    for unit in under.iter().filter(|unit| unit.is_in(set) && !unit.people.is_empty()) {
        if let (Some(judge), Some(human)) = (unit.judge_says(threshold), unit.human_says(units::SETTLED)) {
            count(&mut cells, units::cell(judge, human));
        }
    }
    wire::AfterSettling {
        cells,
        percent_agreement: result.numbers.percent_agreement,
        scott_pi: result.numbers.scott_pi,
    }
}

/// Why judge and people differ, as far as it is settled; causes that were never named are left out.
fn causes(
    chosen: &[Placed],
    settled: &HashMap<(ResponseId, Modality), wire::SettlementView>,
) -> Vec<wire::CauseCount> {
    let none = || domain::Count::from(0_u64);
    let mut rows: Vec<wire::CauseCount> = Cause::ALL
        .into_iter()
        .map(|cause| wire::CauseCount {
            cause,
            judge_only: none(),
            human_only: none(),
            judge_right: none(),
            sent_back: none(),
        })
        .collect();
    let more = |count: &mut domain::Count, by: bool| *count = (count.get() + u64::from(by)).into();
    for one in chosen.iter().filter(|one| disagrees(one.cell)) {
        let Some(found) = settled.get(&(one.unit.response, one.unit.modality)) else { continue };
        let judge_only = one.cell == wire::Cell::JudgeOnly;
        let judge_says = Verdict::from_bool(judge_only);
        if let Some(row) = rows.iter_mut().find(|row| row.cause == found.cause) {
            more(&mut row.judge_only, judge_only);
            more(&mut row.human_only, !judge_only);
            more(&mut row.judge_right, found.verdict == judge_says);
            more(&mut row.sent_back, found.send_rubric_back);
        }
    }
    rows.retain(|row| row.judge_only.get() + row.human_only.get() > 0);
    rows
}

/// A hash that orders a cell's units as if drawn, the same for the same seed, whatever else is in the study.
fn lot(seed: u32, unit: &Unit) -> [u8; 32] {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    hash.update(unit.response.as_bytes());
    hash.update(unit.modality.name().as_bytes());
    hash.finalize().into()
}

pub(crate) fn disagreement_cases(
    app: &App,
    request: wire::CasesRequest,
) -> Result<wire::Page<wire::CaseRow>, Failure> {
    let threshold = collapse(request.filter.collapse)?;
    app.sighted(|view| {
        let (folder, _) = folders(view, request.filter.folder.as_deref())?;
        let all = units_for(view, &folder, &request.filter)?;
        let mut settled = settlements(view, &folder, &all)?;
        let (mut chosen, _) = placed(all, &request.filter, threshold);
        chosen.retain(|one| request.cell.map_or_else(|| disagrees(one.cell), |cell| one.cell == cell));
        if let Some(wanted) = request.sample {
            let seed = request.seed.unwrap_or(1);
            chosen.sort_by_key(|one| lot(seed, &one.unit));
            let mut left: HashMap<wire::Cell, u32> = HashMap::new();
            chosen.retain(|one| {
                let drawn = left.entry(one.cell).or_default();
                *drawn += 1;
                *drawn <= wanted
            });
        }
        chosen.sort_by(|a, b| {
            (&a.unit.prompt_key, &a.unit.model, a.unit.modality).cmp(&(
                &b.unit.prompt_key,
                &b.unit.model,
                b.unit.modality,
            ))
        });
        if request.open_only {
            chosen.retain(|one| !settled.contains_key(&(one.unit.response, one.unit.modality)));
        }
        let total = chosen.len();
        let limit = limit(request.limit, 100) as usize;
        let name = |one: &Placed| settlement_subject(one.unit.response, one.unit.modality);
        let from = match &request.after {
            None => 0,
            Some(after) => chosen.iter().position(|one| name(one) == *after).map_or(total, |at| at + 1),
        };
        let page: Vec<Placed> = chosen.into_iter().skip(from).take(limit).collect();
        let next = (from + page.len() < total).then(|| page.last().map(name)).flatten();
        let rows = page
            .into_iter()
            .map(|one| wire::CaseRow {
                settled: settled.remove(&(one.unit.response, one.unit.modality)),
                response: one.unit.response,
                modality: one.unit.modality,
                key: one.unit.prompt_key,
                model: one.unit.model,
                cell: one.cell,
            })
            .collect();
        Ok(wire::Page { rows, next, total: total.into() })
    })
}

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
        let mut people: Vec<wire::PersonVerdict> = Vec::new();
        for statement in view.standing(&StatementKind::Judgement, &id.to_string())? {
            // What measures its person is no verdict on the response.
            if view.is_hidden_job(&statement.person, id)? {
                continue;
            }
            let Ok(judgement) = payload::<domain::Judgement>(&statement) else { continue };
            let seconds = std::time::Duration::from_millis(judgement.active_ms).as_secs_f64();
            people.extend(judgement.verdicts.into_iter().filter(|given| given.modality == modality).map(
                |given| wire::PersonVerdict {
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
                    imported: false,
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
                    flags: domain::VerdictFlags {
                        ai_background: said.ai_assisted,
                        ..domain::VerdictFlags::default()
                    },
                    anchors: Vec::new(),
                    ai_asked: String::new(),
                    perceived: String::new(),
                    guidelines_version: 0,
                    prompt_version: 0,
                    outdated: false,
                    seconds: said.seconds,
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
    app.with_session(|session| {
        if let View::Lead(lead) = &mut session.view {
            // What follows is made again whenever a lead opens the study, so a failure now loses nothing.
            let _ = lead.catch_up();
        }
        Ok(())
    })?;
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
