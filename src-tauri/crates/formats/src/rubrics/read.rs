//! Which rubric format a file has, and its records.

use super::{
    RubricFormat, RubricRecord, csv_form, gamut,
    losses::{Loss, LossKind, Losses},
    weighted,
};
use crate::FormatError;
use domain::{Criterion, Modality};
use serde_json::{Map, Value};

/// What was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RubricReading {
    /// Rubrics, in the order of the file.
    pub records: Vec<RubricRecord>,
    /// What the records do not hold, by kind.
    pub losses: Vec<Loss>,
    /// What was not taken.
    pub rejected: Vec<RejectedRubric>,
}

/// A record or criterion that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRubric {
    /// 1-based line in JSONL and CSV, else 1-based position of the record.
    pub line: u64,
    /// What is wrong, and with which field.
    pub why: String,
}

pub(super) type Fields = Map<String, Value>;

/// What a reader fills.
#[derive(Default)]
pub(super) struct Reading {
    pub records: Vec<RubricRecord>,
    pub losses: Losses,
    pub rejected: Vec<RejectedRubric>,
}
impl Reading {
    pub fn reject(&mut self, line: u64, why: impl Into<String>) {
        self.rejected.push(RejectedRubric { line, why: why.into() });
    }
    fn done(self) -> RubricReading {
        RubricReading { records: self.records, losses: self.losses.done(), rejected: self.rejected }
    }
}

/// The format of a rubric file, by what is in it; none if it is none that is known. An MMI *dataset* is not a rubric
/// file: [`crate::recognise`] knows it.
pub fn recognise_rubrics(bytes: &[u8]) -> Option<RubricFormat> {
    let records = json_records(bytes);
    let first = records.iter().find_map(|(_, record)| record.as_ref().ok());
    match first {
        Some(Value::Object(fields)) => of_fields(fields),
        Some(_) => None,
        None => csv_form::is_rubric(bytes).then_some(RubricFormat::Csv),
    }
}

fn of_fields(fields: &Fields) -> Option<RubricFormat> {
    let has = |name: &str| fields.get(name).is_some_and(|value| !value.is_null());
    let first_of = |name: &str| {
        let list = nested(fields, name)?;
        list.as_array()?.first()?.as_object().cloned()
    };
    if meta_rubric(fields).is_some() {
        return Some(RubricFormat::MetaRubric);
    }
    if has("text_rubrics") || has("image_rubrics") {
        return Some(RubricFormat::Ueval);
    }
    if let Some(Value::Object(tiers)) = nested(fields, "rubrics")
        && gamut::TIERS.iter().any(|(name, _)| tiers.contains_key(*name))
    {
        return Some(RubricFormat::Gamut);
    }
    if let Some(rubric) = first_of("rubrics") {
        let is_health_bench = rubric.contains_key("points") || !rubric.contains_key("weight");
        return Some(if is_health_bench { RubricFormat::HealthBench } else { RubricFormat::ResearchRubrics });
    }
    if let Some(criterion) = first_of("criteria") {
        let is_mmi = criterion.contains_key("criterion") && !criterion.contains_key("requirement");
        return Some(if is_mmi { RubricFormat::Mmi } else { RubricFormat::Autorubric });
    }
    if has("requirement") || has("sections") || has("rubric") {
        return Some(RubricFormat::Autorubric);
    }
    (has("criterion") && (has("weight") || has("axis"))).then_some(RubricFormat::ResearchRubrics)
}

/// Reads a rubric file. What is wrong with a record or criterion is in [`RubricReading::rejected`]; a file in which
/// nothing is a record is an error.
pub fn read_rubrics(format: RubricFormat, bytes: &[u8]) -> Result<RubricReading, FormatError> {
    let mut reading = Reading::default();
    if format == RubricFormat::Csv || (format == RubricFormat::ResearchRubrics && !is_json(bytes)) {
        csv_form::read(bytes, &mut reading)?;
        return Ok(reading.done());
    }
    let mut any = false;
    let mut loose = Vec::new();
    for (line, record) in json_records(bytes) {
        match record {
            Err(why) => reading.reject(line, why),
            Ok(Value::Object(fields)) => {
                any = true;
                match format {
                    RubricFormat::Mmi => mmi(line, &fields, &mut reading),
                    RubricFormat::Ueval => ueval(line, &fields, &mut reading),
                    RubricFormat::Gamut => gamut::read(line, &fields, &mut reading),
                    RubricFormat::MetaRubric => meta(line, &fields, &mut reading),
                    RubricFormat::HealthBench | RubricFormat::ResearchRubrics
                        if nested(&fields, "rubrics").is_none() =>
                    {
                        loose.push((line, fields));
                    }
                    RubricFormat::Autorubric if text(&fields, "requirement").is_some() => {
                        loose.push((line, fields));
                    }
                    RubricFormat::HealthBench
                    | RubricFormat::Autorubric
                    | RubricFormat::ResearchRubrics
                    | RubricFormat::Csv => weighted::read(line, &fields, &mut reading),
                }
            }
            Ok(_) => reading.reject(line, "a record is to be an object"),
        }
    }
    weighted::read_loose(&loose, &mut reading);
    if any {
        Ok(reading.done())
    } else {
        let why = reading.rejected.first().map_or("it holds no record", |first| first.why.as_str());
        Err(FormatError::Broken { what: "the rubric file", why: why.to_owned() })
    }
}

fn is_json(bytes: &[u8]) -> bool {
    unmarked(bytes).trim_ascii_start().starts_with(b"{")
        || unmarked(bytes).trim_ascii_start().starts_with(b"[")
}

pub(super) fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// The records of a JSON array, a single object, or JSONL, each with its line (position, in an array).
fn json_records(bytes: &[u8]) -> Vec<(u64, Result<Value, String>)> {
    if !is_json(bytes) {
        return Vec::new();
    }
    let bytes = unmarked(bytes);
    match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Array(records)) => (1..).zip(records.into_iter().map(Ok)).collect(),
        Ok(record) => vec![(1, Ok(record))],
        Err(_) => {
            let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
            let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
            lines.map(|(at, line)| (at, serde_json::from_slice(line).map_err(|e| e.to_string()))).collect()
        }
    }
}

/// A text that says something.
pub(super) fn text(fields: &Fields, name: &str) -> Option<String> {
    match fields.get(name)? {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

pub(super) fn first_text(fields: &Fields, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| text(fields, name))
}

/// A member that may be written as JSON in a text, as datasets with flat columns do.
pub(super) fn nested(fields: &Fields, name: &str) -> Option<Value> {
    match fields.get(name)? {
        Value::Null => None,
        Value::String(text) => serde_json::from_str(text).ok(),
        other => Some(other.clone()),
    }
}

const PROMPTS: [&str; 6] = ["prompt", "question", "query", "prompt_text", "instruction", "input"];

/// The prompt, as a text or as the messages of a conversation.
pub(super) fn prompt(fields: &Fields) -> String {
    if let Some(text) = first_text(fields, &PROMPTS) {
        return text;
    }
    let messages = PROMPTS.iter().find_map(|name| fields.get(*name)?.as_array());
    let said = |message: &Value| message.get("content").and_then(Value::as_str).map(str::to_owned);
    messages.into_iter().flatten().filter_map(said).collect::<Vec<_>>().join("\n\n")
}

/// How many messages a conversation has whose prompt is no text of its own; 0 otherwise.
pub(super) fn turns(fields: &Fields) -> usize {
    let is_text = first_text(fields, &PROMPTS).is_some();
    let messages = PROMPTS.iter().find_map(|name| fields.get(*name)?.as_array());
    messages.filter(|_| !is_text).map_or(0, Vec::len)
}

pub(super) fn key(fields: &Fields) -> String {
    let names = ["prompt_id", "session_id", "sample_id", "question_id", "task_id", "case_id", "id", "uid"];
    first_text(fields, &names).unwrap_or_default()
}

/// Criteria are numbered from 1 across all modalities.
pub(super) fn push(criteria: &mut Vec<Criterion>, criterion: String, modality: Modality) {
    criteria.push(Criterion { id: (criteria.len() + 1).to_string(), criterion, modality });
}

fn mmi(line: u64, fields: &Fields, reading: &mut Reading) {
    let gold = match fields.get("output_modalities") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        Some(Value::String(names)) => names.clone(),
        _ => String::new(),
    };
    let mut record = RubricRecord {
        key: key(fields),
        prompt: prompt(fields),
        gold: gold.split(',').filter_map(|name| name.parse().ok()).collect(),
        ..RubricRecord::default()
    };
    for (at, criterion) in fields.get("criteria").and_then(Value::as_array).into_iter().flatten().enumerate()
    {
        let Some(criterion) = criterion.as_object() else {
            reading.reject(line, format!("criterion {} is no object", at + 1));
            continue;
        };
        let Some(requirement) = text(criterion, "criterion") else {
            reading.reject(line, format!("criterion {} has no text in \"criterion\"", at + 1));
            continue;
        };
        let Some(modality) = text(criterion, "modality").and_then(|name| name.parse().ok()) else {
            reading.reject(line, format!("criterion {}: \"modality\" is none of the five", at + 1));
            continue;
        };
        if ["weight", "points"].iter().any(|name| criterion.get(*name).is_some_and(|w| !w.is_null())) {
            reading.losses.add(LossKind::Weights, &requirement);
        }
        if criterion
            .keys()
            .any(|name| !["id", "criterion", "modality", "weight", "points"].contains(&name.as_str()))
        {
            reading.losses.add(LossKind::OtherFields, &requirement);
        }
        let id = text(criterion, "id").unwrap_or_else(|| (at + 1).to_string());
        record.criteria.push(Criterion { id, criterion: requirement, modality });
    }
    reading.records.push(record);
}

/// The meta-rubric that a record is, or holds.
fn meta_rubric(fields: &Fields) -> Option<&Fields> {
    let is_one = |fields: &Fields| {
        let named = fields.get("schema").and_then(Value::as_str);
        named.is_some_and(|schema| schema.starts_with("metarubric/"))
            || (fields.contains_key("question") && fields.get("items").is_some_and(Value::is_array))
    };
    if is_one(fields) {
        return Some(fields);
    }
    fields.get("meta_rubric").and_then(Value::as_object).filter(|held| is_one(held))
}

fn meta(line: u64, fields: &Fields, reading: &mut Reading) {
    let Some(rubric) = meta_rubric(fields) else {
        return reading.reject(line, "the record is no meta-rubric: it has no \"items\"");
    };
    other_fields_of_items(rubric, reading);
    let passages = [rubric, fields].into_iter().find_map(|fields| fields.get("snippets")?.as_array());
    let passages = passages.map_or(&[][..], Vec::as_slice);
    reading.records.push(RubricRecord {
        key: key(rubric),
        prompt: prompt(rubric),
        meta_rubric: Some(Value::Object(rubric.clone())),
        snippets: passages.iter().enumerate().filter_map(|(at, one)| gamut::snippet(at, one)).collect(),
        ..RubricRecord::default()
    });
}

/// What stands in an item that its type has no place for, by item.
fn other_fields_of_items(rubric: &Fields, reading: &mut Reading) {
    let items = rubric.get("items").and_then(Value::as_array).into_iter().flatten();
    for item in items.filter_map(Value::as_object) {
        let own: &[&str] = match item.get("type").and_then(Value::as_str) {
            Some("simple") => &["text"],
            Some("strict_list") => &["concept", "entries"],
            Some("flexible_list") => &["concept", "pool", "baselines", "coverage"],
            Some("process") => &["concept", "steps"],
            Some("relationship") => &["subject", "link", "related", "aspects"],
            _ => continue, // the compiler says that there is no such type
        };
        let known = ["id", "type", "tier", "evidence", "meta_insights"];
        for (name, value) in item {
            let says_nothing = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            if !says_nothing && !known.contains(&name.as_str()) && !own.contains(&name.as_str()) {
                let id = text(item, "id").unwrap_or_default();
                reading.losses.add(LossKind::OtherFields, &format!("{id}: {name}"));
            }
        }
    }
}

fn ueval(line: u64, fields: &Fields, reading: &mut Reading) {
    let mut record = RubricRecord {
        key: key(fields),
        prompt: prompt(fields),
        gold: [Modality::Text, Modality::Image].into_iter().collect(),
        ..RubricRecord::default()
    };
    for (name, modality) in [("text_rubrics", Modality::Text), ("image_rubrics", Modality::Image)] {
        let list = nested(fields, name);
        for rubric in list.as_ref().and_then(Value::as_array).into_iter().flatten() {
            let criterion = match rubric {
                Value::String(criterion) => Some(criterion.trim().to_owned()).filter(|c| !c.is_empty()),
                Value::Object(rubric) => text(rubric, "criterion"),
                _ => None,
            };
            let Some(criterion) = criterion else {
                reading.reject(line, format!("a criterion of \"{name}\" has no text"));
                continue;
            };
            let says = |field: &str| match rubric.get(field) {
                Some(Value::Array(list)) => !list.is_empty(),
                Some(Value::String(text)) => !text.is_empty(),
                _ => false,
            };
            if says("tags") || says("type") {
                reading.losses.add(LossKind::Tags, &criterion);
            }
            push(&mut record.criteria, criterion, modality);
        }
    }
    if ["text_ans", "text_answer", "image_ans", "reference_answer"]
        .iter()
        .any(|name| fields.contains_key(*name))
    {
        reading.losses.add(LossKind::ReferenceAnswers, &record.key);
    }
    reading.records.push(record);
}
