//! What units are split by beyond their own columns: traits of the prompt, the version of the rubric that they were graded by,
//! and how an auditor settled them. Read only where it is asked for, because it costs a look at every prompt or grade.

use crate::{Failure, units::Unit};
use domain::{Grade, Modality, ModalityList, Prompt, ResponseId, Settlement, StatementKind, Verdict};
use std::collections::HashMap;
use store::{AuditorView, Judging, payload};

/// Fills in the tags of units, the version of the rubric, or both.
pub(crate) fn add(
    view: &mut AuditorView,
    folder: &str,
    variant: &str,
    all: &mut [Unit],
    tags: bool,
    rubric_version: bool,
) -> Result<(), Failure> {
    if tags {
        let by_key = tags_of_prompts(view)?;
        for unit in all.iter_mut() {
            unit.tags = by_key.get(&*unit.prompt_key).cloned().unwrap_or_default();
        }
    }
    if rubric_version {
        let versions = rubric_versions(view, folder, variant)?;
        for unit in all.iter_mut() {
            let graded = versions.get(&(unit.prompt_key.to_string(), unit.model.to_string()));
            unit.rubric_version =
                unit.judge.and_then(|_| graded.and_then(|by| by[unit.modality.index()].clone()));
        }
    }
    Ok(())
}

/// Everyone's prompts page by page.
pub(crate) fn each_prompt(view: &AuditorView, mut each: impl FnMut(Prompt)) -> Result<(), Failure> {
    let mut after = String::new();
    loop {
        let page = view.prompts(&after, 500, None)?;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.key);
        page.into_iter().for_each(&mut each);
    }
}

/// The traits of a prompt that units are split by: its language, its input modalities, and how many go in and out.
pub(crate) fn tags_of(prompt: &Prompt) -> Vec<String> {
    let number = |n: usize| if n == 1 { "one" } else { "many" };
    vec![
        format!("language {}", prompt.language),
        format!("inputs {}", combination(&prompt.input_modalities)),
        format!("{} in, {} out", number(prompt.input_modalities.len()), number(prompt.gold.len())),
    ]
}

/// `Text + Image`, in the usual order of modalities; `none` for an empty list.
pub(crate) fn combination(list: &ModalityList) -> String {
    let names: Vec<&str> =
        Modality::ALL.into_iter().filter(|modality| list.contains(*modality)).map(Modality::name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(" + ") }
}

fn tags_of_prompts(view: &AuditorView) -> Result<HashMap<String, Vec<String>>, Failure> {
    let mut by_key = HashMap::new();
    each_prompt(view, |prompt| {
        by_key.insert(prompt.key.clone(), tags_of(&prompt));
    })?;
    Ok(by_key)
}

/// By prompt and model, for each modality, which version of the prompt's rubric its grades are of.
type Versions = HashMap<(String, String), [Option<String>; 5]>;

fn rubric_versions(view: &AuditorView, folder: &str, variant: &str) -> Result<Versions, Failure> {
    let mut rubrics: HashMap<String, Vec<store::Rubric>> = HashMap::new();
    let mut ids = Vec::new();
    each_prompt(view, |prompt| ids.push((prompt.key, prompt.id)))?;
    for (key, id) in ids {
        rubrics.insert(key, view.rubric_versions(id)?);
    }
    let mut versions = Versions::new();
    view.each_judging(Judging { folder: Some(folder), variant }, |key, model, _, record| {
        let known = rubrics.get(key).map(Vec::as_slice).unwrap_or_default();
        let of = Modality::ALL.map(|modality| version_of(&record.grades, modality, known));
        versions.insert((key.to_owned(), model.to_owned()), of);
        Ok(())
    })?;
    Ok(versions)
}

/// The newest version whose criteria are the ones that this modality was graded by.
fn version_of(grades: &[Grade], modality: Modality, known: &[store::Rubric]) -> Option<String> {
    let mut own = grades.iter().filter(|grade| grade.modality == Some(modality)).peekable();
    own.peek()?;
    let own: Vec<&Grade> = own.collect();
    let found = known
        .iter()
        .filter(|rubric| own.iter().all(|grade| rubric::graded::is_of(grade, &rubric.criteria)))
        .max_by_key(|rubric| (rubric.prompt_version, rubric.version));
    Some(found.map_or_else(
        || "not of this study".to_owned(),
        |rubric| {
            if rubric.prompt_version == 1 {
                format!("version {}", rubric.version)
            } else {
                format!("version {} for prompt version {}", rubric.version, rubric.prompt_version)
            }
        },
    ))
}

/// Fills in how auditors settled units: in this study, else in imported files.
pub(crate) fn add_settlements(view: &mut AuditorView, folder: &str, all: &mut [Unit]) -> Result<(), Failure> {
    let mut imported: HashMap<(String, String, Modality), Verdict> = HashMap::new();
    for found in view.imported_adjudications(Some(folder))? {
        let found = found.adjudication;
        imported.insert((found.prompt_key, found.model, found.modality), found.verdict);
    }
    let mut stated: HashMap<(ResponseId, Modality), Verdict> = HashMap::new();
    view.each_standing(&StatementKind::Settlement, |statement| {
        // A payload that was blanked on request says nothing any more.
        if let Ok(settled) = payload::<Settlement>(&statement) {
            stated.insert((settled.response, settled.modality), settled.verdict);
        }
        Ok(())
    })?;
    for unit in all {
        let key = (unit.prompt_key.to_string(), unit.model.to_string(), unit.modality);
        unit.settled = stated.get(&(unit.response, unit.modality)).or_else(|| imported.get(&key)).copied();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    //! Names of traits, and which rubric grades are of.
    use super::*;
    use domain::{Criterion, PayloadStatus, PromptId};

    #[test]
    fn combinations_are_in_one_order() {
        let list = [Modality::Video, Modality::Text].into_iter().collect();
        assert_eq!(combination(&list), "Text + Video", "whatever the order in the file");
        assert_eq!(combination(&ModalityList::default()), "none", "an empty list has a name too");
    }

    fn grade(index: u32, text: &str) -> Grade {
        Grade {
            index,
            id: index.to_string(),
            criterion: text.to_owned(),
            modality: Some(Modality::Text),
            modality_raw: "text".to_owned(),
            score: 1.0,
            explanation: String::new(),
            evaluator_error: false,
            payload: PayloadStatus::Gradeable,
            input_media_skipped: Vec::new(),
        }
    }
    fn rubric(version: u32, texts: &[&str]) -> store::Rubric {
        let criterion = |text: &&str| Criterion {
            id: String::new(),
            criterion: (*text).to_owned(),
            modality: Modality::Text,
        };
        store::Rubric {
            prompt: PromptId::from_bytes([0; 16]),
            prompt_version: 1,
            version,
            source: store::RubricSource::Dataset,
            criteria: texts.iter().map(criterion).collect(),
            beside: domain::BesideCriteria::default(),
        }
    }

    #[test]
    fn grades_are_of_the_newest_rubric_that_has_their_texts() {
        let known = [rubric(1, &["a", "b"]), rubric(2, &["a", "c"]), rubric(3, &["a", "c", "d"])];
        let of = |grades: &[Grade]| version_of(grades, Modality::Text, &known);
        assert_eq!(of(&[grade(1, "a"), grade(2, "b")]).as_deref(), Some("version 1"), "only the first has b");
        assert_eq!(of(&[grade(1, "a")]).as_deref(), Some("version 3"), "of several that fit, the newest");
        assert_eq!(of(&[grade(1, "x")]).as_deref(), Some("not of this study"), "a text that none has");
        assert_eq!(of(&[]), None, "nothing was graded");
    }
}
