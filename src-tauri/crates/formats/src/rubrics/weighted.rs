//! Formats whose criteria carry points or weights: HealthBench, Autorubric, ResearchRubrics.

use super::{
    ContradictionNote, RubricRecord,
    losses::LossKind,
    read::{Fields, Reading, first_text, key, nested, prompt, push, text, turns},
};
use domain::Modality;
use serde_json::Value;

/// What stands before the name of a modality in a tag.
pub(super) const MODALITY_TAG: &str = "modality:";

/// One record: a prompt with its criteria.
pub(super) fn read(line: u64, fields: &Fields, reading: &mut Reading) {
    let mut record = RubricRecord { key: key(fields), prompt: prompt(fields), ..RubricRecord::default() };
    let rubric = nested(fields, "rubric").or_else(|| nested(fields, "rubrics"));
    let mut found = false;
    if turns(fields) > 1 {
        reading.losses.add(LossKind::Turns, &record.prompt);
    }
    for list in lists(fields).into_iter().chain(rubric.iter().flat_map(of_rubric)) {
        for criterion in list {
            found = true;
            take(line, &criterion, &mut record, reading);
        }
    }
    // Items of an Autorubric dataset may have rubrics of their own, or share the one above.
    for item in fields.get("items").and_then(Value::as_array).into_iter().flatten() {
        if let Some(item) = item.as_object().filter(|item| nested(item, "rubric").is_some()) {
            found = true;
            read(line, item, reading);
        }
    }
    for name in ["ideal_completions_data", "reference_submission", "reference_answer", "ground_truth"] {
        if fields.get(name).is_some_and(|value| !value.is_null()) {
            reading.losses.add(LossKind::ReferenceAnswers, &record.key);
        }
    }
    if !found {
        reading.reject(line, "the record has no list of criteria");
    } else if !record.criteria.is_empty() || !record.contradictions.is_empty() {
        reading.records.push(record);
    }
}

/// Criteria that stand on lines of their own, under the key they name.
pub(super) fn read_loose(lines: &[(u64, Fields)], reading: &mut Reading) {
    let mut records: Vec<RubricRecord> = Vec::new();
    for (line, fields) in lines {
        let (key, prompt) = (key(fields), prompt(fields));
        let at = records.iter().rposition(|record| record.key == key).unwrap_or_else(|| {
            records.push(RubricRecord { key, prompt, ..RubricRecord::default() });
            records.len() - 1
        });
        take(*line, &Value::Object(fields.clone()), &mut records[at], reading);
    }
    reading.records.extend(records);
}

fn lists(fields: &Fields) -> Vec<Vec<Value>> {
    let mut lists = Vec::new();
    if let Some(criteria) = fields.get("criteria").and_then(Value::as_array) {
        lists.push(criteria.clone());
    }
    for section in fields.get("sections").and_then(Value::as_array).into_iter().flatten() {
        lists.extend(section.as_object().map(self::lists).unwrap_or_default());
    }
    lists
}

fn of_rubric(rubric: &Value) -> Vec<Vec<Value>> {
    match rubric {
        Value::Array(criteria) => vec![criteria.clone()],
        Value::Object(rubric) => lists(rubric),
        _ => Vec::new(),
    }
}

fn take(line: u64, criterion: &Value, record: &mut RubricRecord, reading: &mut Reading) {
    let Some(fields) = criterion.as_object() else {
        match criterion.as_str().map(str::trim).filter(|text| !text.is_empty()) {
            Some(text) => assumed(record, text.to_owned(), reading),
            None => reading.reject(line, "a criterion is neither an object nor a text"),
        }
        return;
    };
    let Some(requirement) = first_text(fields, &["criterion", "requirement", "title", "description"]) else {
        reading.reject(line, "a criterion has no text in \"criterion\" or \"requirement\"");
        return;
    };
    weigh(
        line,
        Weighed {
            requirement,
            points: first_number(fields, &["points", "weight"]),
            has_tags: tags_beside_modality(fields),
            has_options: says(fields.get("options")),
            has_name: text(fields, "name").is_some(),
            modality: text(fields, "modality").or_else(|| tagged(fields)).and_then(|name| name.parse().ok()),
        },
        record,
        reading,
    );
}

/// The modality that a tag names, as this app writes it: `modality:image`.
fn tagged(fields: &Fields) -> Option<String> {
    let tags = fields.get("tags")?.as_array()?;
    tags.iter().find_map(|tag| Some(tag.as_str()?.strip_prefix(MODALITY_TAG)?.to_owned()))
}

/// Is there any tag but the one that names the modality?
fn tags_beside_modality(fields: &Fields) -> bool {
    let others = |tags: &Vec<Value>| {
        tags.iter().any(|tag| tag.as_str().is_none_or(|tag| !tag.starts_with(MODALITY_TAG)))
    };
    fields.get("tags").and_then(Value::as_array).map_or_else(|| says(fields.get("tags")), others)
        || ["axis", "category", "section"].iter().any(|name| says(fields.get(*name)))
}

/// A criterion as any of these formats has it.
pub(super) struct Weighed {
    pub requirement: String,
    /// None without a number; some text in its place is an error.
    pub points: Result<Option<f64>, String>,
    pub has_tags: bool,
    pub has_options: bool,
    pub has_name: bool,
    pub modality: Option<Modality>,
}

pub(super) fn weigh(line: u64, criterion: Weighed, record: &mut RubricRecord, reading: &mut Reading) {
    if !is_taken(line, &criterion, record, reading) {
        return;
    }
    match criterion.modality {
        Some(modality) => push(&mut record.criteria, criterion.requirement, modality),
        None => assumed(record, criterion.requirement, reading),
    }
}

/// Is it a criterion to take? Says what it loses; one with negative points becomes a note.
pub(super) fn is_taken(
    line: u64,
    criterion: &Weighed,
    record: &mut RubricRecord,
    reading: &mut Reading,
) -> bool {
    let requirement = &criterion.requirement;
    let points = match &criterion.points {
        Ok(points) => *points,
        Err(why) => {
            reading.reject(line, why);
            return false;
        }
    };
    if criterion.has_tags {
        reading.losses.add(LossKind::Tags, requirement);
    }
    if criterion.has_options {
        reading.losses.add(LossKind::AnswerOptions, requirement);
    }
    if criterion.has_name {
        reading.losses.add(LossKind::Names, requirement);
    }
    match points {
        // Never flipped: "recommends aspirin, -8" does not say that an answer must warn of it.
        Some(points) if points < 0.0 => {
            reading.losses.add(LossKind::NegativeCriteria, requirement);
            record.contradictions.push(ContradictionNote { text: requirement.clone(), points });
            return false;
        }
        Some(_) => reading.losses.add(LossKind::Weights, requirement),
        None => {}
    }
    true
}

fn assumed(record: &mut RubricRecord, requirement: String, reading: &mut Reading) {
    reading.losses.add(LossKind::ModalityAssumed, &requirement);
    push(&mut record.criteria, requirement, Modality::Text);
}

fn says(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Array(list)) => !list.is_empty(),
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Object(fields)) => !fields.is_empty(),
        _ => false,
    }
}

fn first_number(fields: &Fields, names: &[&str]) -> Result<Option<f64>, String> {
    let Some((name, value)) = names.iter().find_map(|n| Some((n, fields.get(*n).filter(|v| !v.is_null())?)))
    else {
        return Ok(None);
    };
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => number(text),
        _ => None,
    };
    number.map(Some).ok_or_else(|| format!("\"{name}\" is no number: {}", shortened(&value.to_string())))
}

/// A finite number.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

pub(super) fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}
