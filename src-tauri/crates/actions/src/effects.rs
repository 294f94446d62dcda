//! Whose criterion: what each criterion of the rubrics in use does to the agreement of judge and people.
//!
//! Criteria of several prompts that say the same are one, so that a change can be measured on prompts that did not choose it. A
//! file of finished judgements has no words: there a criterion is a place in the list of its modality.

use crate::{Failure, units, wire};
use agreement::{CheckedUnit, CriterionEffects, GradedCheck, criterion_effects};
use domain::{Modality, Verdict};
use formats::Triple;
use std::collections::{BTreeMap, BTreeSet, HashMap, hash_map::Entry};
use store::AuditorView;

/// Numbers for labels, in order of first sight.
#[derive(Default)]
struct Labels {
    names: Vec<String>,
    known: HashMap<String, u32>,
}
impl Labels {
    fn number(&mut self, label: String) -> u32 {
        if let Some(known) = self.known.get(&label) {
            return *known;
        }
        let next = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(label.clone());
        self.known.insert(label, next);
        next
    }
}

/// A unit with checks of its own.
struct Owned {
    cluster: u32,
    human: Verdict,
    checks: Vec<GradedCheck>,
}

fn effects(labels: &Labels, owned: &[Owned]) -> CriterionEffects {
    let units: Vec<CheckedUnit<'_>> = owned
        .iter()
        .map(|unit| CheckedUnit { cluster: unit.cluster, human: unit.human, checks: &unit.checks })
        .collect();
    criterion_effects(&labels.names, &units)
}

/// What a criterion is called in the figures.
fn name(modality: Modality, criterion: &str) -> String {
    format!("{modality}: {}", rubric::graded::words(criterion))
}

/// Those of the units that the criterion of this name graded.
pub(crate) fn graded_by(
    view: &AuditorView,
    all: Vec<units::Unit>,
    criterion: &str,
) -> Result<Vec<units::Unit>, Failure> {
    let mut graded: HashMap<domain::ResponseId, BTreeSet<Modality>> = HashMap::new();
    for unit in &all {
        if let Entry::Vacant(place) = graded.entry(unit.response) {
            let grades =
                view.judgings(unit.response)?.into_iter().next().into_iter().flat_map(|base| base.grades);
            let named = grades.filter_map(|grade| {
                grade.modality.filter(|modality| name(*modality, &grade.criterion) == criterion)
            });
            place.insert(named.collect());
        }
    }
    let is_graded =
        |unit: &units::Unit| graded.get(&unit.response).is_some_and(|by| by.contains(&unit.modality));
    Ok(all.into_iter().filter(is_graded).collect())
}

/// The effects over the units of a folder under a filter.
pub(crate) fn of_units(
    view: &AuditorView,
    all: &[units::Unit],
    filter: &wire::UnitFilter,
) -> Result<CriterionEffects, Failure> {
    let human = filter.human.as_deref().unwrap_or(units::MAJORITY);
    let mut labels = Labels::default();
    let mut owned = Vec::new();
    let mut graded: HashMap<domain::ResponseId, BTreeMap<Modality, Vec<GradedCheck>>> = HashMap::new();
    for unit in all.iter().filter(|unit| unit.is_in(filter.set)) {
        let Some(said) = unit.human_says(human) else { continue };
        if let Entry::Vacant(place) = graded.entry(unit.response) {
            let mut by: BTreeMap<Modality, Vec<GradedCheck>> = BTreeMap::new();
            for grade in
                view.judgings(unit.response)?.into_iter().next().into_iter().flat_map(|base| base.grades)
            {
                let Some(modality) = grade.modality else { continue };
                let criterion = labels.number(name(modality, &grade.criterion));
                by.entry(modality).or_default().push(GradedCheck { criterion, score: grade.score });
            }
            place.insert(by);
        }
        let checks = graded.get(&unit.response).and_then(|by| by.get(&unit.modality)).cloned();
        owned.push(Owned { cluster: unit.cluster, human: said, checks: checks.unwrap_or_default() });
    }
    Ok(effects(&labels, &owned))
}

/// The effects over finished judgements.
pub(crate) fn of_triples(triples: &[Triple]) -> CriterionEffects {
    let mut labels = Labels::default();
    let mut clusters: HashMap<&str, u32> = HashMap::new();
    let owned: Vec<Owned> = triples
        .iter()
        .map(|triple| {
            let next = u32::try_from(clusters.len()).unwrap_or(u32::MAX);
            Owned {
                cluster: *clusters.entry(&triple.prompt_id).or_insert(next),
                human: triple.human_verdict,
                checks: (1..)
                    .zip(&triple.criterion_scores)
                    .map(|(place, score)| GradedCheck {
                        criterion: labels.number(format!("{}: {place}", triple.modality)),
                        score: *score,
                    })
                    .collect(),
            }
        })
        .collect();
    effects(&labels, &owned)
}
