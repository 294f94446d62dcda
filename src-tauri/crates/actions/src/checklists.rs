//! The checklist that a prompt's answers are graded by, whatever kind of rubric it comes from.

use crate::{Failure, wire};
use domain::{
    Check, CheckKind, CheckRule, CheckVerdict, Criterion, Element, ItemContent, ItemType, MetaRubric,
    Modality, Prompt, Provenance, Tier, text_hash,
};
use rubric::{compile, patches};
use store::{AuditorView, RubricInForce};

/// A checklist in force.
#[derive(Debug, Clone, Default)]
pub(crate) struct Checklist {
    /// Where it comes from; none when the prompt has no rubric.
    pub by: Option<wire::GradedBy>,
    /// Its checks, in order.
    pub checks: Vec<Check>,
    /// The modality of each check, where they are criteria; else empty.
    pub modalities: Vec<Modality>,
    /// Lists and processes to look for.
    pub sought: Vec<wire::SoughtItem>,
}
impl Checklist {
    /// Is it scored as GAMUT scores?
    pub fn is_gamut(&self) -> bool {
        matches!(self.by, Some(wire::GradedBy::Structured | wire::GradedBy::Imported))
    }
}

/// The checklist in force of a prompt.
pub(crate) fn of_prompt(view: &mut AuditorView, prompt: &Prompt) -> Result<Checklist, Failure> {
    Ok(view.rubric_in_force(prompt)?.map(of_rubric).unwrap_or_default())
}

/// The checklist of a rubric. A structured one that does not compile has none: it cannot be handed in.
pub(crate) fn of_rubric(rubric: RubricInForce) -> Checklist {
    match rubric {
        RubricInForce::Structured { rubric, .. } => {
            let compiled = compile::compile(&rubric.meta_rubric);
            Checklist {
                by: Some(wire::GradedBy::Structured),
                checks: patches::apply(&compiled.checks, &rubric.patches).checks,
                modalities: Vec::new(),
                sought: sought(&rubric.meta_rubric),
            }
        }
        RubricInForce::Imported(imported) => Checklist {
            by: Some(wire::GradedBy::Imported),
            sought: imported.meta_rubric.as_ref().map(sought).unwrap_or_default(),
            checks: imported.checks,
            modalities: Vec::new(),
        },
        RubricInForce::Flat(criteria) => Checklist {
            by: Some(wire::GradedBy::Criteria),
            modalities: criteria.iter().map(|criterion| criterion.modality).collect(),
            checks: (1_usize..)
                .zip(&criteria)
                .map(|(number, criterion)| of_criterion(number, criterion))
                .collect(),
            sought: Vec::new(),
        },
    }
}

/// A criterion as a check. Ids of criteria may repeat in files, so that its number is its id.
fn of_criterion(number: usize, criterion: &Criterion) -> Check {
    let id = number.to_string();
    Check {
        provenance: Provenance {
            item: id.clone(),
            item_type: ItemType::Simple,
            rule: CheckRule::A1,
            entries: Vec::new(),
            demoted_from: None,
            evidence: Vec::new(),
        },
        id,
        tier: Tier::AnswerCritical,
        kind: CheckKind::Fact,
        text_sha256: text_hash(&criterion.criterion),
        text: criterion.criterion.clone(),
        n: None,
        verdicts: Vec::new(),
    }
}

/// The lists and processes of a meta-rubric: what a grader marks as found, so that verdicts follow.
fn sought(rubric: &MetaRubric) -> Vec<wire::SoughtItem> {
    let element = |element: &Element| wire::SoughtElement {
        id: element.id.clone(),
        text: element.text.clone(),
        aliases: element.aliases.clone(),
    };
    let lists = |item: &domain::Item| {
        let (concept, elements): (&String, Vec<wire::SoughtElement>) = match &item.content {
            ItemContent::StrictList { concept, entries: all }
            | ItemContent::FlexibleList { concept, pool: all, .. } => {
                (concept, all.iter().map(element).collect())
            }
            ItemContent::Process { concept, steps } => {
                let step = |step: &domain::Step| wire::SoughtElement {
                    id: step.id.clone(),
                    text: step.text.clone(),
                    aliases: Vec::new(),
                };
                (concept, steps.iter().map(step).collect())
            }
            ItemContent::Simple { .. } | ItemContent::Relationship { .. } => return None,
        };
        Some(wire::SoughtItem {
            item: item.id.clone(),
            item_type: item.content.item_type(),
            concept: concept.clone(),
            elements,
        })
    };
    rubric.items.iter().filter_map(lists).collect()
}

/// What a verdict is worth as a criterion score of MMI: in [0, 1].
pub(crate) const fn worth(verdict: CheckVerdict) -> f64 {
    match verdict {
        CheckVerdict::Meets => 1.0,
        CheckVerdict::Partial => 0.5,
        CheckVerdict::Missing | CheckVerdict::Contradicts => 0.0,
    }
}

/// A modality, how many of its criteria have a verdict, how many it has, and their mean once all have one.
pub(crate) type ModalityMean = (Modality, u64, u64, Option<f64>);

/// MMI Value of verdicts on criteria: the mean within each modality, and the mean of those. None without a modality that
/// is wholly judged, and none while any criterion has no verdict. With it, the modalities with their means.
pub(crate) fn value(
    modalities: &[Modality],
    verdicts: &[Option<CheckVerdict>],
) -> (Option<f64>, Vec<ModalityMean>) {
    let mut parts = Vec::new();
    for modality in Modality::ALL {
        let own: Vec<Option<CheckVerdict>> = modalities
            .iter()
            .zip(verdicts)
            .filter(|(own, _)| **own == modality)
            .map(|(_, verdict)| *verdict)
            .collect();
        if own.is_empty() {
            continue;
        }
        let given: Vec<f64> = own.iter().flatten().map(|verdict| worth(*verdict)).collect();
        let mean = (given.len() == own.len()).then(|| given.iter().sum::<f64>() / given.len() as f64);
        parts.push((modality, given.len() as u64, own.len() as u64, mean));
    }
    let means: Option<Vec<f64>> = parts.iter().map(|part| part.3).collect();
    let value =
        means.filter(|means| !means.is_empty()).map(|means| means.iter().sum::<f64>() / means.len() as f64);
    (value, parts)
}
