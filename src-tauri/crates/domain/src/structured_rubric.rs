//! Structured rubrics (GAMUT): a meta-rubric, what it rests on, and the edits of the checklist it compiles to.

use crate::{CheckVerdict, ChecklistPatch, ItemContent, MetaRubric};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a rubric is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WritingForm {
    /// Numbered criteria by modality (MMI).
    #[default]
    Flat,
    /// A meta-rubric that compiles to a checklist (GAMUT).
    Structured,
}
impl WritingForm {
    /// Is it numbered criteria?
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference whether to skip the field")]
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

/// A control answer of a rehearsal, with what its author found in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RehearsedAnswer {
    /// The check that it is made to fail; none for the good answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails: Option<String>,
    /// Its text, where the author put the draft into other words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Verdicts by the checks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<RehearsedVerdict>,
}

/// A verdict on a control answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RehearsedVerdict {
    /// Id of the check.
    pub check: String,
    /// Hash of the check's text when it was given: on other words it counts no more.
    pub text_sha256: String,
    /// The verdict.
    pub verdict: CheckVerdict,
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
    /// The rehearsal: control answers that were reworded or judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rehearsal: Vec<RehearsedAnswer>,
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
            .extend(self.rehearsal.iter().map(|answer| answer.text.as_str()).filter(|text| !text.is_empty()));
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RubricDraft;

    fn rubric() -> StructuredRubric {
        let json = r#"{"meta_rubric": {"items": [
            {"id": "m1", "type": "simple", "text": "one"},
            {"id": "m2", "type": "strict_list", "concept": "two",
             "entries": [{"id": "e1", "text": "three", "aliases": ["four"]}], "meta_insights": [{"id": "i1", "text": "five"}]},
            {"id": "m3", "type": "process", "concept": "six", "steps": [{"id": "s1", "text": "seven"}]},
            {"id": "m4", "type": "relationship", "subject": "eight", "related": [{"id": "r1", "text": "nine"}],
             "aspects": [{"id": "a1", "text": "ten"}]}]},
            "patches": [{"check": "m1.fact", "edit": {"kind": "reword", "text": "eleven"}, "author": "noor", "reason": "twelve"}]}"#;
        serde_json::from_str(json).expect("a structured rubric")
    }

    #[test]
    fn every_text_of_its_author_is_told() {
        let wanted = [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "eleven",
        ];
        assert_eq!(rubric().texts(), wanted, "items in order, then patches: the reason, then the words");
    }

    #[test]
    fn a_flat_rubric_is_written_as_before_and_only_the_form_counts() {
        let flat = RubricDraft::default();
        let written = serde_json::to_string(&flat).expect("JSON");
        assert_eq!(written, r#"{"criteria":[],"dismissals":[],"gold_flags":[]}"#, "older versions read it");
        let kept = RubricDraft { structured: Some(rubric()), ..flat };
        assert!(kept.as_structured().is_none(), "what was begun in the other form counts for nothing");
        let chosen = RubricDraft { form: WritingForm::Structured, ..kept };
        assert_eq!(chosen.as_structured(), Some(&rubric()), "until that is the form");
    }
}
