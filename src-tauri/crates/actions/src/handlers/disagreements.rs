//! Disagreements of the judge with people, and of two people: which there are, and where settling them leads. One case is in
//! [`super::settling`].

use super::{
    agreement::{collapse, folders, restrict, units_for},
    common::limit,
};
use crate::{
    App, Failure, gold,
    units::{self, Computation, Unit},
    wire,
};
use domain::{Cause, Modality, ResponseId, Settlement, StatementKind, Verdict};
use std::collections::{BTreeMap, HashMap};
use store::{AuditorView, payload, settlement_subject};

/// What is settled, by response and modality.
type Settlements = HashMap<(ResponseId, Modality), wire::SettlementView>;

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
fn settlements(view: &mut AuditorView, folder: &str, all: &[Unit]) -> Result<Settlements, Failure> {
    let mut settled = HashMap::new();
    let slots: HashMap<(&str, &str), ResponseId> =
        all.iter().map(|unit| ((&*unit.prompt_key, &*unit.model), unit.response)).collect();
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

pub(super) fn shown(statement: &domain::Statement, settlement: Settlement) -> wire::SettlementView {
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
    let (folder, folders, all, settled, marked) = app.sighted(|view| {
        let (folder, folders) = folders(view, filter.folder.as_deref())?;
        let all = units_for(view, &folder, &filter)?;
        let settled = settlements(view, &folder, &all)?;
        Ok((folder, folders, all, settled, gold::marked_keys(view)?))
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
    let how = Computation {
        by: Vec::new(),
        collapse: threshold,
        sweep: false,
        resamples: 10_000,
        seed: 1,
        resampling: agreement::Resampling::Clusters,
    };
    let human = filter.human.as_deref().unwrap_or(units::MAJORITY);
    let mut under = restrict(all, &filter);
    let result = match &filter.first {
        Some(first) => units::human_human(&under, first, human, &how),
        None => units::judge_human(&under, filter.set, human, &how).0,
    };
    let pairs = pairs(&under, &settled);
    for unit in &mut under {
        unit.settled = settled.get(&(unit.response, unit.modality)).map(|found| found.verdict);
    }
    let (mut after, mut after_each) = (None, Vec::new());
    match &filter.first {
        _ if done == 0 => {}
        Some(first) if human != units::MAJORITY && human != units::SETTLED => {
            after_each = [(first.as_str(), human), (human, first.as_str())]
                .map(|pair| after_person(&under, pair, &how))
                .to_vec();
        }
        None if human == units::MAJORITY => after = Some(after_settling(&under, filter.set, threshold, &how)),
        _ => {}
    }
    Ok(wire::DisagreementCounts {
        after,
        after_each,
        pairs,
        marked_gold: chosen.iter().filter(|one| marked.contains(&*one.unit.prompt_key)).count().into(),
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

/// Agreement of one of two people with what is settled, else with the other: what it comes to once an auditor's verdict takes the
/// other's place. Beside it how often what is settled bears the person out.
fn after_person(under: &[Unit], (person, other): (&str, &str), how: &Computation) -> wire::AfterForPerson {
    let mut cells = wire::FourCells::default();
    let (mut right, mut settled) = (0_u64, 0_u64);
    let compared: Vec<Unit> = under
        .iter()
        .filter_map(|unit| {
            let (own, others) = (unit.human_says(person)?, unit.human_says(other)?);
            let stands = unit.settled.unwrap_or(others);
            count(&mut cells, units::cell(own, stands));
            if own != others && unit.settled.is_some() {
                settled += 1;
                right += u64::from(unit.settled == Some(own));
            }
            Some(Unit { people: vec![(person.into(), own)], settled: Some(stands), ..unit.clone() })
        })
        .collect();
    let result = units::human_human(&compared, person, units::SETTLED, how);
    wire::AfterForPerson {
        person: person.to_owned(),
        cells,
        percent_agreement: result.numbers.percent_agreement,
        scott_pi: result.numbers.scott_pi,
        right: right.into(),
        settled: settled.into(),
    }
}

/// Every two people who judged something in common, with what they differ on: those with most in common first.
fn pairs(under: &[Unit], settled: &Settlements) -> Vec<wire::PairCount> {
    let mut pairs: BTreeMap<(&str, &str), [u64; 3]> = BTreeMap::new();
    for unit in under {
        let is_settled = settled.contains_key(&(unit.response, unit.modality));
        for (at, (first, one)) in unit.people.iter().enumerate() {
            for (second, other) in &unit.people[at + 1..] {
                let ordered = if first < second { (&**first, &**second) } else { (&**second, &**first) };
                let [both, differ, done] = pairs.entry(ordered).or_default();
                *both += 1;
                *differ += u64::from(one != other);
                *done += u64::from(one != other && is_settled);
            }
        }
    }
    let mut rows: Vec<wire::PairCount> = pairs
        .into_iter()
        .map(|((first, second), [both, differ, done])| wire::PairCount {
            first: first.to_owned(),
            second: second.to_owned(),
            units: both.into(),
            differ: differ.into(),
            settled: done.into(),
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.units.get()));
    rows
}

/// Why the two differ, as far as it is settled; causes that were never named are left out.
fn causes(chosen: &[Placed], settled: &Settlements) -> Vec<wire::CauseCount> {
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
                key: one.unit.prompt_key.to_string(),
                model: one.unit.model.to_string(),
                cell: one.cell,
            })
            .collect();
        Ok(wire::Page { rows, next, total: total.into() })
    })
}
