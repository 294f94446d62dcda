//! Rubrics of other systems into a study: each for a prompt that is there, by its key or its words, or with a prompt of its own.

use crate::{Failure, rubric_forms};
use domain::{InputAsset, ModalityList, PromptId, PromptRecord};
use formats::rubrics::{Loss, RubricRecord};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use store::LeadView;

/// The prompts that rubrics can be for.
#[derive(Default)]
pub(super) struct Known {
    by_key: HashMap<String, domain::Prompt>,
    keys: HashMap<String, String>,
}

/// The words of a prompt, whatever the space between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The key of a prompt that came without one: its place, so that the order of the file is kept, and the hash of its words, by
/// which it is known to be no key of its author's.
fn made_up_key(line: u64, text: &str) -> String {
    format!("r{line:05}-{}", hex::encode(&Sha256::digest(words(text).as_bytes())[..6]))
}

/// Was this key made up here for this prompt?
pub(crate) fn is_made_up(key: &str, text: &str) -> bool {
    let Some((line, _)) = key.strip_prefix('r').and_then(|rest| rest.split_once('-')) else { return false };
    line.parse().is_ok_and(|line| made_up_key(line, text) == key)
}

/// A rubric, ready to be put: the prompt's record with its criteria, and the prompt's inputs.
pub(super) type Fitted = (PromptRecord, Vec<InputAsset>);

impl Known {
    pub fn of(lead: &LeadView) -> Result<Self, Failure> {
        let mut known = Self::default();
        let mut after = String::new();
        loop {
            let page = lead.prompts(&after, 500, None)?;
            let Some(last) = page.last() else { return Ok(known) };
            after.clone_from(&last.key);
            for prompt in page {
                known.keys.entry(words(&prompt.text)).or_insert_with(|| prompt.key.clone());
                known.by_key.insert(prompt.key.clone(), prompt);
            }
        }
    }

    /// Where a rubric belongs; an error says why nowhere. What is read on the way is remembered.
    pub fn fit(&mut self, line: u64, record: &RubricRecord) -> Result<Fitted, String> {
        let criteria = rubric_forms::flat(record);
        let beside = rubric_forms::beside(record);
        if criteria.is_empty() && beside.structured.is_none() {
            return Err("no criterion of it can be graded".to_owned());
        }
        let text = record.prompt.trim();
        let found = self.by_key.get(&record.key).or_else(|| self.by_key.get(self.keys.get(&words(text))?));
        if let Some(prompt) = found {
            let known = PromptRecord {
                key: prompt.key.clone(),
                text: prompt.text.clone(),
                input_modalities: prompt.input_modalities.clone(),
                gold: prompt.gold.clone(),
                input_files: prompt.inputs.iter().map(|input| input.name.clone()).collect(),
                criteria,
                beside,
                language: Some(prompt.language.clone()).filter(|language| language != "und"),
            };
            return Ok((known, prompt.inputs.clone()));
        }
        if text.is_empty() {
            let key: String = record.key.chars().take(80).collect();
            return Err(if key.is_empty() {
                "it names no prompt; import it from the Authoring screen of its prompt".to_owned()
            } else {
                format!("the study has no prompt {key:?}, and the file does not say what it asks")
            });
        }
        let gold: ModalityList = if record.gold.is_empty() {
            criteria.iter().map(|criterion| criterion.modality).collect()
        } else {
            record.gold.clone()
        };
        let key = if record.key.is_empty() { made_up_key(line, text) } else { record.key.clone() };
        let prompt = domain::Prompt {
            id: PromptId::from_bytes([0; 16]),
            version: 0,
            key: key.clone(),
            text: record.prompt.clone(),
            language: "und".to_owned(),
            input_modalities: [domain::Modality::Text].into_iter().collect(),
            gold: gold.clone(),
            inputs: Vec::new(),
        };
        let made = PromptRecord {
            key: key.clone(),
            text: prompt.text.clone(),
            input_modalities: prompt.input_modalities.clone(),
            gold,
            input_files: Vec::new(),
            criteria,
            beside,
            language: None,
        };
        self.keys.insert(words(text), key.clone());
        self.by_key.insert(key, prompt);
        Ok((made, Vec::new()))
    }
}

/// A loss as a remark.
pub(super) fn said(loss: &Loss) -> String {
    let example =
        if loss.example.is_empty() { String::new() } else { format!("; such as {:?}", loss.example) };
    format!("lost: {} ({} in all{example})", loss.kind.what(), loss.count)
}
