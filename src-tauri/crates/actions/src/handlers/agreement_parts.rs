//! Parts of the Agreement screen, each asked for on its own.

use super::agreement::{collapse, folders, restrict, units_for};
use crate::{
    App, Failure, check_agreement, compared, effects, scores, traits,
    units::{self, Computation, Unit},
    wire,
};
use ::agreement::{
    Clustered, GroupKey, Kind, Numbers, Options, Planner, Resampling, Table, Weights, dawid_skene,
    difference, error_rate_bound, rater_pairs, raters_against_others, table_agreement,
};
use domain::Verdict;

/// The name of the LLM judge among raters.
const JUDGE: &str = "judge";

fn options(resamples: Option<u32>, usual: u32, seed: Option<u32>) -> Options {
    Options {
        resamples: resamples.unwrap_or(usual).min(100_000),
        seed: u64::from(seed.unwrap_or(1)),
        resampling: Resampling::Clusters,
    }
}

fn how(options: &Options, by: Vec<GroupKey>, collapse: f64) -> Computation {
    Computation {
        by,
        collapse,
        sweep: false,
        resamples: options.resamples,
        seed: u32::try_from(options.seed).unwrap_or(1),
        resampling: options.resampling,
    }
}

/// Units × raters of what `says` gives, with the prompt of each unit.
fn ratings(
    all: &[&Unit],
    raters: usize,
    says: impl Fn(&Unit, usize) -> Option<Verdict>,
) -> Result<(Table, Vec<u32>), Failure> {
    let prompts = all.iter().map(|unit| unit.cluster).collect();
    let code = |verdict: Verdict| u16::from(verdict != Verdict::Correct);
    let cells: Vec<Option<u16>> = all
        .iter()
        .flat_map(|unit| (0..raters).map(|rater| says(unit, rater).map(code)).collect::<Vec<_>>())
        .collect();
    let labels = [Verdict::Correct, Verdict::Incorrect].map(|verdict| verdict.name().to_owned()).to_vec();
    let table = Table::from_codes(::agreement::Level::Nominal, labels, raters, &cells)
        .map_err(|error| Failure::new(crate::Code::Internal, error.to_string()))?;
    Ok((table, prompts))
}

/// Of these units, all people among themselves.
fn people_table(all: &[&Unit], people: &[String]) -> Result<(Table, Vec<u32>), Failure> {
    ratings(all, people.len(), |unit, at| people.get(at).and_then(|person| unit.human_says(person)))
}

pub(crate) fn agreement_by(
    app: &App,
    request: wire::AgreementByRequest,
) -> Result<wire::AgreementBy, Failure> {
    let filter = &request.filter;
    let threshold = collapse(filter.collapse)?;
    let by = request.by;
    let all = app.sighted(|view| {
        let (folder, _) = folders(view, filter.folder.as_deref())?;
        let mut all = units_for(view, &folder, filter)?;
        traits::add(view, &folder, "", &mut all, by == GroupKey::Tag, by == GroupKey::RubricVersion)?;
        Ok(all)
    })?;
    let chosen = restrict(all, filter);
    let human = filter.human.as_deref().unwrap_or(units::MAJORITY);
    let options = options(request.resamples, 10_000, request.seed);
    if by == GroupKey::Annotator {
        return by_annotator(&chosen, filter, human, &options, threshold);
    }
    let (judged, _) = units::judge_human(&chosen, filter.set, human, &how(&options, vec![by], threshold));
    let own: Vec<&Unit> =
        chosen.iter().filter(|unit| unit.is_in(filter.set) && !unit.people.is_empty()).collect();
    let people = units::people(&chosen);
    let (table, prompts) = people_table(&own, &people)?;
    let split = units::split(by, own.iter().copied(), human);
    let ungrouped = split.labels.iter().filter(|labels| labels.is_empty()).count();
    let among = table_agreement(&table, Some(&prompts), &[split], &options);
    let nobody = || table_agreement(&table.subset(&[]), None, &[], &options).numbers;
    let groups = judged
        .by
        .into_iter()
        .map(|group| {
            let label = label_of(&group.group);
            let people = among.by.iter().find(|other| other.group == group.group);
            wire::GroupRow {
                label,
                judge_human: group.numbers,
                people: people.map_or_else(nobody, |other| other.numbers.clone()),
            }
        })
        .collect();
    Ok(wire::AgreementBy {
        by,
        all: wire::GroupRow { label: String::new(), judge_human: judged.numbers, people: among.numbers },
        groups,
        ungrouped: ungrouped.into(),
        method: judged.method,
    })
}

/// Each person: the judge against them, and beside it they against the commonest verdict of the others.
fn by_annotator(
    chosen: &[Unit],
    filter: &wire::UnitFilter,
    human: &str,
    options: &Options,
    threshold: f64,
) -> Result<wire::AgreementBy, Failure> {
    let own: Vec<&Unit> =
        chosen.iter().filter(|unit| unit.is_in(filter.set) && !unit.people.is_empty()).collect();
    let people = units::people(chosen);
    let (table, prompts) = people_table(&own, &people)?;
    let how = how(options, Vec::new(), threshold);
    let against: Vec<Numbers> = raters_against_others(&table, Some(&prompts), options)
        .into_iter()
        .map(|rater| rater.numbers)
        .collect();
    let groups = people.iter().zip(against).map(|(person, others)| {
        let (result, _) = units::judge_human(chosen, filter.set, person, &how);
        wire::GroupRow { label: person.clone(), judge_human: result.numbers, people: others }
    });
    let groups = groups.collect();
    let (judged, _) = units::judge_human(chosen, filter.set, human, &how);
    let among = table_agreement(&table, Some(&prompts), &[], options);
    Ok(wire::AgreementBy {
        by: GroupKey::Annotator,
        all: wire::GroupRow { label: String::new(), judge_human: judged.numbers, people: among.numbers },
        groups,
        ungrouped: 0_u64.into(),
        method: judged.method,
    })
}

fn label_of(group: &::agreement::Group) -> String {
    let ::agreement::Group { modality, model, annotator, tag, detection_route, rubric_version } = group;
    [modality, model, annotator, tag, detection_route, rubric_version]
        .into_iter()
        .flatten()
        .next()
        .cloned()
        .unwrap_or_default()
}

pub(crate) fn agreement_people(
    app: &App,
    request: wire::AgreementPeopleRequest,
) -> Result<wire::PeopleAgreement, Failure> {
    let filter = &request.filter;
    let threshold = collapse(filter.collapse)?;
    let all = app.sighted(|view| {
        let (folder, _) = folders(view, filter.folder.as_deref())?;
        let mut all = units_for(view, &folder, filter)?;
        traits::add_settlements(view, &folder, &mut all)?;
        Ok(all)
    })?;
    let chosen = restrict(all, filter);
    let options = options(request.resamples, 10_000, request.seed);
    // Everything that was judged by anybody; where the judge has its word it counts under the set alone.
    let own: Vec<&Unit> = chosen.iter().filter(|unit| !unit.people.is_empty()).collect();
    let people = units::people(&chosen);
    let mut raters = people.clone();
    raters.push(JUDGE.to_owned());
    let says = |unit: &Unit, at: usize| match people.get(at) {
        Some(person) => unit.human_says(person),
        None if unit.is_in(filter.set) => unit.judge_says(threshold),
        None => None,
    };
    let (everyone, _) = ratings(&own, raters.len(), says)?;
    let (table, prompts) = people_table(&own, &people)?;
    let settled: Vec<&Unit> = own.iter().copied().filter(|unit| unit.settled.is_some()).collect();
    let against_settled = raters
        .iter()
        .enumerate()
        .map(|(at, rater)| {
            let pair = |unit: &Unit, side: usize| if side == 0 { says(unit, at) } else { unit.settled };
            let (table, prompts) = ratings(&settled, 2, pair)?;
            let numbers = table_agreement(&table, Some(&prompts), &[], &options).numbers;
            Ok(wire::AgainstSettled { rater: rater.clone(), numbers })
        })
        .collect::<Result<Vec<_>, Failure>>()?
        .into_iter()
        .filter(|row| row.numbers.pairable_units.get() > 0)
        .collect();
    let among = table_agreement(&table, Some(&prompts), &[], &options);
    let (model, no_model) = match dawid_skene(&everyone) {
        Err(reason) => (None, Some(reason.to_string())),
        Ok(found) => (Some(label_model(found, &raters)), None),
    };
    Ok(wire::PeopleAgreement {
        pairs: rater_pairs(&everyone),
        against_others: raters_against_others(&table, Some(&prompts), &options),
        against_settled,
        people: among.numbers,
        model,
        no_model,
        method: among.method,
        raters,
    })
}

fn label_model(found: ::agreement::DawidSkene, raters: &[String]) -> wire::LabelModel {
    wire::LabelModel {
        model: found.model,
        correct: found.prior.first().copied().unwrap_or_default(),
        raters: raters
            .iter()
            .zip(found.raters)
            .map(|(rater, estimate)| wire::ModelledRater { rater: rater.clone(), estimate })
            .collect(),
        iterations: found.iterations,
        converged: found.converged,
        notes: found.notes,
    }
}

pub(crate) fn agreement_criteria(
    app: &App,
    request: wire::CriteriaRequest,
) -> Result<wire::CriteriaView, Failure> {
    app.sighted(|view| {
        let (folder, _) = folders(view, request.filter.folder.as_deref())?;
        compared::criteria(view, &folder, &request)
    })
}

pub(crate) fn agreement_checks(
    app: &App,
    request: wire::ChecksRequest,
) -> Result<wire::ChecksAgreement, Failure> {
    let options = options(request.resamples, 10_000, request.seed);
    app.sighted(|view| {
        let (folder, _) = folders(view, request.filter.folder.as_deref())?;
        check_agreement::of_folder(view, &folder, &request, &options)
    })
}

pub(crate) fn criterion_effects(
    app: &App,
    filter: wire::UnitFilter,
) -> Result<wire::CriterionEffectsView, Failure> {
    app.sighted(|view| {
        let (folder, _) = folders(view, filter.folder.as_deref())?;
        let all = restrict(units_for(view, &folder, &filter)?, &filter);
        Ok(wire::CriterionEffectsView { effects: effects::of_units(view, &all, &filter)?, folder })
    })
}

pub(crate) fn agreement_judges(app: &App, request: wire::JudgesRequest) -> Result<wire::JudgesView, Failure> {
    let options = options(request.resamples, 2_000, request.seed);
    app.sighted(|view| {
        let (folder, _) = folders(view, request.filter.folder.as_deref())?;
        compared::judges(view, &folder, &request, &options)
    })
}

const fn kind(name: wire::CoefficientName) -> Kind {
    match name {
        wire::CoefficientName::PercentAgreement => Kind::PercentAgreement,
        wire::CoefficientName::ScottPi => Kind::ScottPi,
        wire::CoefficientName::CohenKappa => Kind::CohenKappa(Weights::Identity),
        wire::CoefficientName::KrippendorffAlpha => Kind::KrippendorffAlpha,
        wire::CoefficientName::GwetAc1 => Kind::GwetAc(Weights::Identity),
        wire::CoefficientName::BrennanPrediger => Kind::BrennanPrediger(Weights::Identity),
    }
}

/// Judge and human of some units, with prompts numbered by `clusters`.
fn side(
    all: &[Unit],
    set: wire::UnitSet,
    human: &str,
    threshold: f64,
    clusters: &mut std::collections::HashMap<std::sync::Arc<str>, u32>,
) -> (Table, Vec<u32>) {
    let correct = |verdict: Verdict| verdict == Verdict::Correct;
    let mut rows: Vec<[Option<bool>; 2]> = Vec::new();
    let mut prompts = Vec::new();
    for unit in all.iter().filter(|unit| unit.is_in(set)) {
        let (Some(judge), Some(human)) = (unit.judge_says(threshold), unit.human_says(human)) else {
            continue;
        };
        rows.push([Some(correct(judge)), Some(correct(human))]);
        let next = u32::try_from(clusters.len()).unwrap_or(u32::MAX);
        prompts.push(*clusters.entry(unit.prompt_key.clone()).or_insert(next));
    }
    (Table::of_flags([Verdict::Correct.name(), Verdict::Incorrect.name()], &rows), prompts)
}

pub(crate) fn agreement_difference(
    app: &App,
    request: wire::DifferenceRequest,
) -> Result<wire::DifferenceView, Failure> {
    let filter = &request.filter;
    let mut clusters = std::collections::HashMap::new();
    let mut rubric_versions = std::collections::BTreeSet::new();
    let mut of = |wanted: &wire::ComparedSide| {
        let threshold = collapse(wanted.collapse.or(filter.collapse))?;
        let variant = wanted.judging.as_deref().map(scores::normal).filter(|name| !name.is_empty());
        let variant = variant.map(|name| format!("_{name}")).unwrap_or_default();
        let rubric_version = wanted.rubric_version.clone().or_else(|| filter.rubric_version.clone());
        let versions = rubric_version.is_some() || request.list_rubric_versions;
        let all = app.sighted(|view| {
            let (folder, _) = folders(view, filter.folder.as_deref())?;
            let mut all = units::of_folder(view, &folder, &variant)?;
            traits::add(view, &folder, &variant, &mut all, filter.tag.is_some(), versions)?;
            traits::add_settlements(view, &folder, &mut all)?;
            Ok(all)
        })?;
        rubric_versions.extend(all.iter().filter_map(|unit| unit.rubric_version.clone()));
        let filter = wire::UnitFilter {
            model: wanted.model.clone().or_else(|| filter.model.clone()),
            rubric_version,
            ..filter.clone()
        };
        let human = wanted.human.as_deref().or(filter.human.as_deref()).unwrap_or(units::MAJORITY).to_owned();
        let set = wanted.set.unwrap_or(filter.set);
        Ok::<_, Failure>(side(&restrict(all, &filter), set, &human, threshold, &mut clusters))
    };
    let first = of(&request.first)?;
    let second = of(&request.second)?;
    let options = options(request.resamples, 10_000, request.seed);
    let found = difference(
        kind(request.coefficient),
        Clustered { table: &first.0, clusters: &first.1 },
        Clustered { table: &second.0, clusters: &second.1 },
        &options,
    );
    let judgings = app.sighted(|view| {
        let (folder, _) = folders(view, filter.folder.as_deref())?;
        compared::variants(view, &folder)
    })?;
    Ok(wire::DifferenceView {
        judgings,
        rubric_versions: if request.list_rubric_versions {
            rubric_versions.into_iter().collect()
        } else {
            Vec::new()
        },
        first_units: first.0.units().into(),
        second_units: second.0.units().into(),
        difference: found,
    })
}

pub(crate) fn agreement_plan(app: &App, request: wire::PlanRequest) -> Result<wire::PlanView, Failure> {
    let confidence = request.confidence.unwrap_or(0.95);
    let kind = kind(request.coefficient);
    let planner = match &request.from {
        wire::PlanFrom::Expected { shares, units_per_prompt, design_effect } => {
            Planner::of_expected(kind, *shares, *units_per_prompt, *design_effect, confidence)
        }
        wire::PlanFrom::Pilot => {
            let filter = &request.filter;
            let threshold = collapse(filter.collapse)?;
            let all = app.sighted(|view| {
                let (folder, _) = folders(view, filter.folder.as_deref())?;
                units_for(view, &folder, filter)
            })?;
            let human = filter.human.as_deref().unwrap_or(units::MAJORITY);
            let mut clusters = std::collections::HashMap::new();
            let (table, prompts) = side(&restrict(all, filter), filter.set, human, threshold, &mut clusters);
            Planner::of_pilot(kind, &table, &prompts, confidence)
        }
    };
    let audited = u64::from(request.audit_items.unwrap_or(0));
    let error_rate = error_rate_bound(u64::from(request.audit_errors.unwrap_or(0)), audited, confidence);
    let planned = planner.and_then(|planner| Ok((planner, planner.plan(request.width)?)));
    let (plan, widths, undefined) = match planned {
        Err(reason) => (None, Vec::new(), Some(reason.to_string())),
        Ok((planner, plan)) => {
            let widths = [50_u64, 100, 200, 500, 1_000, 2_000, 5_000]
                .map(|units| wire::PlannedWidth { units: units.into(), width: planner.width(units) });
            (Some(plan), widths.to_vec(), None)
        }
    };
    Ok(wire::PlanView { plan, undefined, widths, error_rate: error_rate.into() })
}
