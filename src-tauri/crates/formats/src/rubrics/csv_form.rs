//! CSV with a column of criteria; with a column of tiers it is a checklist.

use super::{
    RubricRecord, gamut,
    losses::LossKind,
    read::{Reading, unmarked},
    weighted::{Weighed, is_taken, number, shortened, weigh},
};
use crate::{FormatError, unguard};
use domain::{Modality, Tier};

const TEXTS: &[&str] = &["criterion", "requirement", "rubric", "text", "title"];
const KEYS: &[&str] = &["prompt_id", "session_id", "sample_id", "question_id", "task_id"];
const PROMPTS: &[&str] = &["prompt", "question", "prompt_text"];
const POINTS: &[&str] = &["points", "weight"];
const TAGS: &[&str] = &["axis", "category", "tags"];

/// The table, whose cells are parted by commas, or by the semicolons or tabs that spreadsheets write where a comma stands in numbers.
fn table(bytes: &[u8]) -> csv::Reader<&[u8]> {
    let bytes = unmarked(bytes);
    let header = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let delimiter = [b',', b';', b'\t'].into_iter().find(|by| header.contains(by)).unwrap_or(b',');
    csv::ReaderBuilder::new().flexible(true).delimiter(delimiter).from_reader(bytes)
}

/// Is there a column of criteria? A verdict table has none, or has verdicts beside it.
pub(super) fn is_rubric(bytes: &[u8]) -> bool {
    let mut reader = table(bytes);
    reader.headers().is_ok_and(|header| {
        let has = |name: &str| header.iter().any(|column| column.trim().eq_ignore_ascii_case(name));
        let beside = ["modality", "id", "weight", "points", "tier", "axis", "category", "prompt_id"];
        TEXTS.iter().any(|name| has(name))
            && beside.iter().any(|name| has(name))
            && !["verdict", "score", "judge", "final"].iter().any(|name| has(name))
    })
}

pub(super) fn read(bytes: &[u8], reading: &mut Reading) -> Result<(), FormatError> {
    let broken =
        |error: csv::Error| FormatError::Broken { what: "the table of criteria", why: error.to_string() };
    let mut reader = table(bytes);
    let header = reader.headers().map_err(broken)?.clone();
    let column = |names: &[&str]| {
        names.iter().find_map(|name| header.iter().position(|h| h.trim().eq_ignore_ascii_case(name)))
    };
    let Some(texts) = column(TEXTS) else {
        return Err(FormatError::Unlike {
            wanted: "a table of criteria",
            why: format!("no column is named {}", TEXTS.join(", ")),
        });
    };
    let (keys, prompts, points, tags) = (column(KEYS), column(PROMPTS), column(POINTS), column(TAGS));
    let (modalities, tiers, ids) =
        (column(&["modality"]), column(&["tier"]), column(&["id", "check_id", "criterion_id"]));
    for row in reader.records() {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                reading.reject(error.position().map_or(0, csv::Position::line), error.to_string());
                continue;
            }
        };
        let line = row.position().map_or(0, csv::Position::line);
        let cell = |at: Option<usize>| {
            at.and_then(|at| row.get(at)).map(|cell| unguard(cell).trim()).filter(|cell| !cell.is_empty())
        };
        let Some(text) = cell(Some(texts)) else {
            reading.reject(line, "the row has no criterion");
            continue;
        };
        let key = cell(keys).unwrap_or_default();
        let at = reading.records.iter().rposition(|record| record.key == key).unwrap_or_else(|| {
            let prompt = cell(prompts).unwrap_or_default().to_owned();
            reading.records.push(RubricRecord { key: key.to_owned(), prompt, ..RubricRecord::default() });
            reading.records.len() - 1
        });
        let mut record = std::mem::take(&mut reading.records[at]);
        let criterion = Row {
            text,
            points: cell(points),
            modality: cell(modalities),
            tier: cell(tiers),
            id: cell(ids),
            has_tags: cell(tags).is_some(),
        };
        criterion.take(line, &mut record, reading);
        reading.records[at] = record;
    }
    reading
        .records
        .retain(|r| !(r.criteria.is_empty() && r.checks.is_empty() && r.contradictions.is_empty()));
    if tiers.is_some() && column(&["kind", "n"]).is_some() {
        reading.losses.add(LossKind::ComputedChecks, "kind, n");
    }
    Ok(())
}

/// The cells of a row that are about its criterion.
struct Row<'a> {
    text: &'a str,
    points: Option<&'a str>,
    modality: Option<&'a str>,
    tier: Option<&'a str>,
    id: Option<&'a str>,
    has_tags: bool,
}
impl Row<'_> {
    fn take(&self, line: u64, record: &mut RubricRecord, reading: &mut Reading) {
        let modality = match self.modality.map(str::parse) {
            None => None,
            Some(Ok(modality)) => Some(modality),
            Some(Err(_)) => return reading.reject(line, "\"modality\" is none of the five"),
        };
        let points = match self.points {
            None => Ok(None),
            Some(points) => number(points)
                .map(Some)
                .ok_or_else(|| format!("the weight is no number: {}", shortened(points))),
        };
        let criterion = Weighed {
            requirement: self.text.to_owned(),
            points,
            has_tags: self.has_tags,
            has_options: false,
            has_name: false,
            modality,
        };
        let Some(tier) = self.tier else {
            if !record.checks.is_empty() {
                return reading
                    .reject(line, "the row has no tier, and rows before it of the same prompt have one");
            }
            weigh(line, criterion, record, reading);
            if let (Some(id), Some(last)) = (self.id, record.criteria.last_mut())
                && last.criterion == self.text
            {
                id.clone_into(&mut last.id);
            }
            return;
        };
        if !record.criteria.is_empty() {
            return reading
                .reject(line, "the row has a tier, and rows before it of the same prompt have none");
        }
        let tier = match tier.parse::<Tier>() {
            Ok(tier) => tier,
            Err(why) => return reading.reject(line, why),
        };
        let id = self.id.map_or_else(|| format!("c{}", record.checks.len() + 1), str::to_owned);
        if record.checks.iter().any(|check| check.id == id) {
            return reading.reject(line, format!("the id {} comes twice", shortened(&id)));
        }
        if is_taken(line, &criterion, record, reading) {
            if criterion.modality.is_some_and(|modality| modality != Modality::Text) {
                reading.losses.add(LossKind::Modalities, self.text);
            }
            record.checks.push(gamut::check(id, tier, self.text.to_owned(), Vec::new()));
        }
    }
}
