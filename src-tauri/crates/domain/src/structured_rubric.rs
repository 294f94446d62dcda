//! Structured rubrics (GAMUT): a meta-rubric, what it rests on, and the edits of the checklist it compiles to.

use crate::{ChecklistPatch, ItemContent, MetaRubric};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a rubric is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RubricForm {
    /// Numbered criteria by modality (MMI).
    #[default]
    Flat,
    /// A meta-rubric that compiles to a checklist (GAMUT).
    Structured,
}
impl RubricForm {
    /// Is it numbered criteria?
    pub fn is_flat(&self) -> bool {
        *self == Self::Flat
    }
}

/// A passage that an element of a meta-rubric rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceSnippet {
    /// Unique in its rubric, and stable: elements name it.
    pub id: String,
    /// Where it was read: an address on the web, or the name of a book.
    pub address: String,
    /// The words that were read.
    pub passage: String,
    /// The day on which it was read, `YYYY-MM-DD`; empty when that was not noted.
    #[serde(default)]
    pub read_on: String,
}

/// A structured rubric as its author has it now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StructuredRubric {
    /// The meta-rubric.
    pub meta_rubric: MetaRubric,
    /// The evidence that its elements name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snippets: Vec<EvidenceSnippet>,
    /// Edits of the compiled checklist, in the order in which they are applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patches: Vec<ChecklistPatch>,
}
impl StructuredRubric {
    /// Every text that its author wrote about a good answer: what somebody who is blind to rubrics must not read.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts: Vec<&str> = Vec::new();
        for item in &self.meta_rubric.items {
            match &item.content {
                ItemContent::Simple { text } => texts.push(text),
                ItemContent::StrictList { concept, entries: all }
                | ItemContent::FlexibleList { concept, pool: all, .. } => {
                    texts.push(concept);
                    texts.extend(
                        all.iter()
                            .flat_map(|e| std::iter::once(&e.text).chain(&e.aliases))
                            .map(String::as_str),
                    );
                }
                ItemContent::Process { concept, steps } => {
                    texts.push(concept);
                    texts.extend(steps.iter().map(|step| step.text.as_str()));
                }
                ItemContent::Relationship { subject, related, aspects, .. } => {
                    texts.push(subject);
                    texts.extend(related.iter().chain(aspects).map(|element| element.text.as_str()));
                }
            }
            texts.extend(item.meta_insights.iter().map(|insight| insight.text.as_str()));
        }
        for patch in &self.patches {
            texts.push(&patch.reason);
            if let crate::ChecklistEdit::Reword { text } | crate::ChecklistEdit::Add { text, .. } =
                &patch.edit
            {
                texts.push(text);
            }
        }
        texts
    }
}
