//! Accuracy and consistency of models on the samples of a study, as they stand after curation.

use crate::{Failure, wire};
use agreement::{Coefficient, Method, Options, mean_with_interval};
use domain::{Pattern, Sample};
use rubric::interaction::{Choices, SampleMark, mark};
use std::collections::{BTreeMap, HashMap};
use store::AuditorView;

/// The scores; none where the study has no samples.
pub(crate) fn scores(
    view: &AuditorView,
    options: &Options,
) -> Result<Option<wire::InteractionScores>, Failure> {
    let all = view.samples()?;
    if all.is_empty() {
        return Ok(None);
    }
    let (counted, gone): (Vec<_>, Vec<_>) = all.into_iter().partition(|standing| !standing.is_discarded);
    let mut chosen: BTreeMap<String, HashMap<String, Choices>> = BTreeMap::new();
    view.each_prediction(|said| {
        let own = chosen.entry(said.model).or_default().entry(said.sample_key).or_default();
        own.insert(said.context, said.choice);
        Ok(())
    })?;
    let samples: Vec<&Sample> = counted.iter().map(|standing| &standing.sample).collect();
    Ok(Some(wire::InteractionScores {
        samples: samples.len().into(),
        discarded: gone.len().into(),
        models: chosen.into_iter().map(|(name, own)| (name, model(&samples, &own, options))).collect(),
        method: Method {
            interval: "bootstrap by sample, percentile".to_owned(),
            resamples: options.resamples.into(),
            seed: options.seed.into(),
        },
    }))
}

/// A sample with its mark.
type Marked<'a> = (&'a Sample, SampleMark);

fn model(samples: &[&Sample], own: &HashMap<String, Choices>, options: &Options) -> wire::InteractionModel {
    let none = Choices::new();
    let marked: Vec<Marked<'_>> = samples
        .iter()
        .filter_map(|sample| Some((*sample, mark(sample, own.get(&sample.key).unwrap_or(&none))?)))
        .collect();
    let by = |label: &dyn Fn(&Sample) -> String| -> BTreeMap<String, wire::InteractionCell> {
        let mut groups: BTreeMap<String, Vec<&Marked<'_>>> = BTreeMap::new();
        for one in &marked {
            groups.entry(label(one.0)).or_default().push(one);
        }
        groups.into_iter().map(|(label, group)| (label, cell(&group, options))).collect()
    };
    let mut contexts: BTreeMap<String, Vec<[f64; 2]>> = BTreeMap::new();
    for (_, mark) in &marked {
        for (kind, right) in &mark.variants {
            let own = contexts.entry(kind.map_or("none", |kind| kind.name()).to_owned()).or_default();
            own.push([f64::from(u8::from(*right)), 1.0]);
        }
    }
    let by_context = contexts
        .into_iter()
        .map(|(kind, terms)| {
            let accuracy = mean_with_interval(&terms, options);
            (kind, wire::InteractionCell { samples: terms.len().into(), accuracy, consistency: None })
        })
        .collect();
    wire::InteractionModel {
        overall: cell(&marked.iter().collect::<Vec<_>>(), options),
        by_pattern: by(&|sample| sample.pattern.name().to_owned()),
        by_level: by(&|sample| sample.level.to_string()),
        by_task: by(&|sample| sample.task.clone()),
        by_pattern_and_level: by(&|sample| format!("{}/{}", sample.pattern, sample.level)),
        by_context,
        missing: marked.iter().map(|(_, mark)| mark.missing).sum::<usize>().into(),
        not_asked: (samples.len() - marked.len()).into(),
    }
}

fn cell(marked: &[&Marked<'_>], options: &Options) -> wire::InteractionCell {
    let accuracy: Vec<[f64; 2]> = marked.iter().map(|(_, mark)| [mark.share(), 1.0]).collect();
    let asked = marked.iter().any(|(sample, _)| sample.pattern != Pattern::Synergy);
    let consistency = || -> Coefficient {
        let terms: Vec<[f64; 2]> = marked
            .iter()
            .filter_map(|(_, mark)| mark.is_consistent)
            .map(|alike| [f64::from(u8::from(alike)), 1.0])
            .collect();
        mean_with_interval(&terms, options)
    };
    wire::InteractionCell {
        samples: marked.len().into(),
        accuracy: mean_with_interval(&accuracy, options),
        consistency: asked.then(consistency),
    }
}
