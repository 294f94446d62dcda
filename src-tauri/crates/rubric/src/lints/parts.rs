//! What a criterion is for, and the order that follows: delivery, integrity, content, craft (MMI, appendix D).

use super::{finding::LintInput, rule::Sheet, shape, words::Words};
use domain::{Criterion, Modality, RubricDraft};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a criterion is for, in the order in which criteria are to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The output exists and is of the right kind.
    Delivery,
    /// It opens, plays, is whole.
    Integrity,
    /// What it says or shows.
    Content,
    /// How well it is made.
    Craft,
}

/// The part of each criterion, in the order of the rubric; none for an empty one.
pub fn parts(criteria: &[Criterion]) -> Vec<Option<Part>> {
    let draft = RubricDraft { criteria: criteria.to_vec(), ..RubricDraft::default() };
    let input = LintInput::from_draft(&draft, None, None);
    let sheet = Sheet::of(&input);
    sheet.lines.iter().map(|line| (!line.text.trim().is_empty()).then(|| shape::kind(line))).collect()
}

/// The criteria in their canonical order: modalities as in the gold list (others behind, as they come), in each of them
/// delivery, integrity, content, craft, what is alike as it stood; numbered from 1. An empty criterion counts as content.
pub fn in_order(criteria: &[Criterion], gold: &[Modality]) -> Vec<Criterion> {
    let parts = parts(criteria);
    let mut modalities = gold.to_vec();
    for criterion in criteria {
        if !modalities.contains(&criterion.modality) {
            modalities.push(criterion.modality);
        }
    }
    let place = |modality| modalities.iter().position(|m| *m == modality).unwrap_or(modalities.len());
    let mut order: Vec<usize> = (0..criteria.len()).collect();
    order.sort_by_key(|at| (place(criteria[*at].modality), parts[*at].unwrap_or(Part::Content)));
    let numbered =
        |(number, at): (usize, usize)| Criterion { id: number.to_string(), ..criteria[at].clone() };
    (1..).zip(order).map(numbered).collect()
}

/// The words that carry a text's content, stemmed: without words of grammar and without "States that", "Shows" and their
/// like.
pub fn content_words(text: &str) -> BTreeSet<String> {
    shape::content(&Words::of(text))
}
