//! Rows held against the dataset and the dataset against rows, in whichever order they come: what does not fit is
//! noted, and scored as the row says (quirks Q17, Q18, Q19).

use domain::{Grade, JudgedRow, Modality, ModalityList, PromptRecord};
use rubric::graded::other_rubric;
use store::{Import, Keys, RunFile, StoreError};

/// What does not fit between a row and the prompt that stands.
pub(super) fn prompt(import: &Import<'_>, row: &JudgedRow) -> Result<Vec<String>, StoreError> {
    let Some(prompt) = import.standing_prompt(&row.prompt_key)? else {
        return Ok(if import.has_prompts()? {
            vec![format!("{:?}: the dataset has no such prompt; the row is kept without one", row.prompt_key)]
        } else {
            Vec::new()
        });
    };
    Ok(differences(&row.expected, &prompt.gold, &row.grades, &prompt.criteria)
        .map(|why| format!("{:?}: {why}", row.prompt_key))
        .collect())
}

/// What does not fit between a prompt and the rows that stand.
pub(super) fn rows(import: &Import<'_>, record: &PromptRecord) -> Result<Vec<String>, StoreError> {
    let mut all = Vec::new();
    for row in import.standing_rows(&record.key)? {
        all.extend(
            differences(&row.expected, &record.gold, &row.grades, &record.criteria)
                .map(|why| format!("{:?}, {} line {}: {why}", record.key, row.file, row.line)),
        );
    }
    Ok(all)
}

/// What is expected of the response that was asked about last: rows about one response mostly follow each other.
#[derive(Default)]
pub(super) struct Expected(Option<(String, String, Option<ModalityList>)>);

impl Expected {
    /// Why a verdict or a settlement counts nowhere as long as nothing else comes.
    pub fn verdict(
        &mut self,
        import: &Import<'_>,
        folder: &str,
        key: &str,
        model: &str,
        modality: Modality,
    ) -> Result<Option<String>, StoreError> {
        let known = match &self.0 {
            Some((of, by, expected)) if of == key && by == model => expected,
            _ => {
                let expected = import.expected_of(folder, key, model)?;
                &self.0.insert((key.to_owned(), model.to_owned(), expected)).2
            }
        };
        Ok(match known {
            None => Some(format!("{folder} has no response of {model:?} to {key:?}; this counts nowhere")),
            Some(expected) if !expected.contains(modality) => {
                Some(format!("{modality} was not expected of {model:?} for {key:?}; this counts nowhere"))
            }
            Some(_) => None,
        })
    }
}

/// The prompts that a whole file of rows leaves out.
pub(super) fn dataset(import: &Import<'_>, run: &RunFile) -> Result<Vec<String>, StoreError> {
    let missing = import.prompts_without_row(run)?;
    Ok(sentence(
        &missing,
        "prompt of the dataset has no response here",
        "prompts of the dataset have no response here",
    )
    .into_iter()
    .collect())
}

/// The rows whose prompts are in no dataset, now that one more is whole.
pub(super) fn runs(import: &Import<'_>) -> Result<Vec<String>, StoreError> {
    let one = "prompt with a response is in no dataset";
    let several = "prompts with responses are in no dataset";
    Ok(import
        .rows_without_prompt()?
        .into_iter()
        .filter_map(|(file, keys)| Some(format!("{file}: {}", sentence(&keys, one, several)?)))
        .collect())
}

fn differences<'a>(
    expected: &'a ModalityList,
    gold: &'a ModalityList,
    grades: &'a [Grade],
    criteria: &'a [domain::Criterion],
) -> impl Iterator<Item = String> {
    let names = |list: &ModalityList| list.iter().map(Modality::name).collect::<Vec<_>>().join(", ");
    let gold = (!expected.same_as(gold)).then(|| {
        format!(
            "it was run with the expected modalities {}, the dataset now says {}; the row's own are used",
            names(expected),
            names(gold)
        )
    });
    let rubric = (!criteria.is_empty()).then(|| other_rubric(grades, criteria)).flatten().map(|other| {
        let places: Vec<String> = other.changed.iter().take(10).map(u32::to_string).collect();
        let more = if other.changed.len() > places.len() { ", …" } else { "" };
        let mut parts = Vec::new();
        if !places.is_empty() {
            parts.push(format!("the grades at {}{more} are of other criteria", places.join(", ")));
        }
        if other.ungraded > 0 {
            parts.push(format!("{} criteria have no grade", other.ungraded));
        }
        format!(
            "graded by another version of the rubric ({}); its grades are used as they are",
            parts.join(", ")
        )
    });
    gold.into_iter().chain(rubric)
}

fn sentence(keys: &Keys, one: &str, several: &str) -> Option<String> {
    let named: Vec<String> = keys.first.iter().map(|key| format!("{key:?}")).collect();
    let more = match keys.total - named.len() as u64 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (keys.total > 0).then(|| {
        format!("{} {}: {}{more}", keys.total, if keys.total == 1 { one } else { several }, named.join(", "))
    })
}
