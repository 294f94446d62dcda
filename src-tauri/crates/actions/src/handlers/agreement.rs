//! Agreement figures.

use crate::{App, Code, Failure, effects, kept::Kept, traits, units, units::Computation, wire};
use agreement::{GroupKey, Resampling};

/// Thresholds outside (0, 1] mean nothing.
pub(super) fn collapse(asked: Option<f64>) -> Result<f64, Failure> {
    match asked {
        None => Ok(1.0),
        Some(t) if t > 0.0 && t <= 1.0 => Ok(t),
        Some(t) => Err(Failure::new(
            Code::BadRequest,
            format!("a collapse threshold lies above 0 and up to 1, not {t}"),
        )),
    }
}

/// The folder in use, and all there are.
pub(super) fn folders(
    view: &mut store::AuditorView,
    asked: Option<&str>,
) -> Result<(String, Vec<String>), Failure> {
    let all = view.folders()?;
    Ok((units::choose_folder(view, asked)?.unwrap_or_default(), all))
}

pub(super) fn restrict(mut all: Vec<units::Unit>, filter: &wire::UnitFilter) -> Vec<units::Unit> {
    all.retain(|unit| {
        filter.modality.is_none_or(|modality| unit.modality == modality)
            && filter.model.as_ref().is_none_or(|model| *unit.model == **model)
            && filter.prompt.as_ref().is_none_or(|key| *unit.prompt_key == **key)
            && filter.route.as_ref().is_none_or(|route| unit.route() == route)
            && filter.tag.as_ref().is_none_or(|tag| unit.tags.contains(tag))
            && filter
                .rubric_version
                .as_ref()
                .is_none_or(|version| unit.rubric_version.as_ref() == Some(version))
    });
    all
}

/// The units of a folder, with everything that the filter asks for.
pub(super) fn units_for(
    view: &mut store::AuditorView,
    folder: &str,
    filter: &wire::UnitFilter,
) -> Result<Vec<units::Unit>, Failure> {
    let mut all = units::of_folder(view, folder, "")?;
    traits::add(view, folder, "", &mut all, filter.tag.is_some(), filter.rubric_version.is_some())?;
    if filter.human.as_deref() == Some(units::SETTLED) {
        traits::add_settlements(view, folder, &mut all)?;
    }
    if let Some(criterion) = &filter.criterion {
        all = effects::graded_by(view, all, criterion)?;
    }
    Ok(all)
}

pub(crate) fn agreement(app: &App, request: wire::AgreementRequest) -> Result<wire::AgreementView, Failure> {
    let filter = &request.filter;
    let collapse = collapse(filter.collapse)?;
    let asked = serde_json::to_string(&request).unwrap_or_default();
    let (state, mut kept) = app.sighted(|view| Ok((view.state()?, Kept::read(view))))?;
    if let Some(reply) = kept.reply(&state, &asked) {
        return Ok(reply);
    }
    let (folder, folders, all) = app.sighted(|view| {
        let (folder, folders) = folders(view, filter.folder.as_deref())?;
        let all = units_for(view, &folder, filter)?;
        Ok((folder, folders, all))
    })?;
    // The session is free again; what follows only computes.
    let (models, people) = (units::models(&all), units::people(&all));
    let mut chosen = restrict(all, filter);
    // One model after the other, so that the units of each are a part of the list.
    chosen.sort_by(|a, b| a.model.cmp(&b.model));
    let human = filter.human.clone().unwrap_or_else(|| units::MAJORITY.to_owned());
    let how = |by: Vec<GroupKey>, sweep| Computation {
        by,
        collapse,
        sweep,
        resamples: request.resamples.unwrap_or(10_000).min(100_000),
        seed: request.seed.unwrap_or(1),
        resampling: if request.independent { Resampling::Units } else { Resampling::Clusters },
    };
    let judge = |kept: &mut Kept, human: &str, how: &Computation| {
        let (result, ties) = kept.judge_human(&chosen, filter.set, human, how);
        wire::JudgeHuman { human: human.to_owned(), ties: ties.into(), result }
    };
    let shown = judge(&mut kept, &human, &how(vec![GroupKey::Modality], true));
    let mut by_model = Vec::new();
    for model in &models {
        let from = chosen.partition_point(|unit| *unit.model < **model);
        let own = &chosen[from..from + chosen[from..].partition_point(|unit| *unit.model == **model)];
        let (result, _) = kept.judge_human(own, filter.set, &human, &how(vec![GroupKey::Modality], false));
        by_model.push(wire::NamedResult { name: model.clone(), result });
    }
    let mut by_person = Vec::new();
    for person in people.iter().map(String::as_str).chain([units::MAJORITY]) {
        by_person.push(judge(&mut kept, person, &how(Vec::new(), false)));
    }
    let mut human_human = Vec::new();
    for (at, a) in people.iter().enumerate() {
        for b in &people[at + 1..] {
            let result = kept.human_human(&chosen, a, b, &how(Vec::new(), false));
            if result.numbers.pairable_units.get() > 0 {
                human_human.push(wire::HumanHuman { a: a.clone(), b: b.clone(), result });
            }
        }
    }
    let reply = wire::AgreementView {
        folder,
        folders,
        models,
        chosen: shown,
        by_model,
        by_person,
        human_human,
        people,
    };
    // Kept only if nothing came while it was computed.
    app.sighted(|view| {
        if view.state()? == state {
            kept.put(view, &state, asked, reply.clone());
        }
        Ok(())
    })?;
    Ok(reply)
}
