//! Scores of an interaction benchmark (MIBench, section 4.1): of one model on one sample the share of variants that it
//! answers right, and whether it answers all of them the same.

use domain::{ContextKind, Pattern, Sample};
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;

/// What a model chose, by the context that it was asked under.
pub type Choices = BTreeMap<Option<ContextKind>, String>;

/// How a model did on one sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleMark {
    /// Variant by variant: was it answered right?
    pub variants: Vec<(Option<ContextKind>, bool)>,
    /// Variants that the file has no prediction for; they count as not right.
    pub missing: usize,
    /// Are all predictions the same? None where that is not asked: both modalities together have one variant.
    pub is_consistent: Option<bool>,
}

impl SampleMark {
    /// The share of variants answered right: C of the paper.
    pub fn share(&self) -> f64 {
        let right = self.variants.iter().filter(|(_, right)| *right).count();
        right as f64 / self.variants.len().max(1) as f64
    }
}

fn same(left: &str, right: &str) -> bool {
    left.trim().nfc().eq(right.trim().nfc())
}

/// The mark of a model on a sample; none where the model was asked none of its variants. Labels compare by content. A
/// variant without a choice is not right, and a sample that has one is not consistent.
pub fn mark(sample: &Sample, choices: &Choices) -> Option<SampleMark> {
    let asked = sample.variants();
    let chosen: Vec<Option<&str>> =
        asked.iter().map(|variant| choices.get(variant).map(String::as_str)).collect();
    let missing = chosen.iter().filter(|choice| choice.is_none()).count();
    if missing == asked.len() {
        return None;
    }
    let given: Vec<&str> = chosen.iter().map(|choice| choice.unwrap_or_default().trim()).collect();
    let first = given.first().copied().unwrap_or_default();
    let alike = given.iter().all(|choice| !choice.is_empty() && same(choice, first));
    Some(SampleMark {
        variants: asked
            .into_iter()
            .zip(&given)
            .map(|(variant, choice)| (variant, same(choice, &sample.answer)))
            .collect(),
        missing,
        is_consistent: (sample.pattern != Pattern::Synergy).then_some(alike),
    })
}
