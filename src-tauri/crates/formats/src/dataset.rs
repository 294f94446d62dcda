//! MMI datasets (MMI-FORMAT 1): one record, one prompt. The record itself is read here, whichever file it came in;
//! `read_dataset` walks over the lines of a `.jsonl`.
//!
//! Where the harness refuses the whole file, one row is reported: it is rejected if the prompt cannot be judged
//! without what is wrong, else taken with a warning.

use crate::{
    Event, Format, FormatError, Media, Options, ReadReport, Sink, check_input_name, embedded,
    feed::{Feed, Notes, Seen, digest, quoted},
    json::{Json, Scanner},
    lines::{Lines, is_blank},
    row_parts,
};
use domain::{Criterion, Modality, ModalityList, PromptRecord};
use std::{
    borrow::Cow,
    io::{Read, Seek},
};

/// The columns that are wanted; others are passed over.
pub(crate) const COLUMNS: [&str; 11] = [
    "prompt_id",
    "prompt_text",
    "output_modalities",
    "input_modalities",
    "input_files",
    "rubrics",
    "input_images",
    "input_audio",
    "input_video",
    "input_document",
    "language",
];

/// Reads the prompts of a `.jsonl` dataset.
pub fn read_dataset<R: Read + Seek>(
    input: R,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let mut lines = Lines::new(input, options)?;
    let mut feed = Feed::new(Format::DatasetJsonl, options, lines.total, sink);
    let mut seen = Prompts::default();
    while let Some(line) = lines.next_line()? {
        feed.report.lines += 1;
        let number = line.number;
        if line.too_long {
            ReadReport::list(&mut feed.report.bad, number);
            feed.reject(number, format!("the line is longer than {} bytes", options.max_line));
        } else if is_blank(line.bytes) {
            feed.report.blank += 1;
        } else {
            feed.warn_of_bytes(number, line.bytes);
            match fields(line.bytes) {
                Ok(Some(record)) => take(number, &record, &mut feed, &mut seen),
                Ok(None) => {
                    ReadReport::list(&mut feed.report.no_id, number);
                    feed.reject(number, "the line is JSON but no object");
                }
                Err(fault) => {
                    ReadReport::list(&mut feed.report.bad, number);
                    if fault.ended && !line.terminated {
                        feed.report.truncated_last = true;
                        feed.reject(number, "1 incomplete row: the file ends inside it");
                    } else {
                        feed.reject(number, format!("the line is no JSON (at its byte {})", fault.at + 1));
                    }
                }
            }
        }
        let next = lines.next;
        if !feed.reached(next, next.offset) {
            return Ok(feed.report);
        }
    }
    Ok(feed.finish(lines.next.offset))
}

/// The wanted members of the object on a line.
fn fields(bytes: &[u8]) -> Result<Option<Json<'_>>, crate::json::Fault> {
    let mut scanner = Scanner::new(bytes);
    if scanner.next_token() != Some(b'{') {
        scanner.skip()?;
        scanner.end()?;
        return Ok(None);
    }
    scanner.enter_object()?;
    let (mut members, mut first) = (Vec::new(), true);
    while let Some(key) = scanner.key(&mut first)? {
        if COLUMNS.contains(&key.as_ref()) {
            members.push((key, scanner.value()?));
        } else {
            scanner.skip()?;
        }
    }
    scanner.end()?;
    Ok(Some(Json::Object(members)))
}

/// Prompt keys met, with the line and what was there.
pub(crate) type Prompts = Seen<(u64, u128)>;

/// Takes one record, wherever it came from.
pub(crate) fn take(line: u64, record: &Json, feed: &mut Feed, seen: &mut Prompts) {
    let mut notes = Notes::default();
    let prompt = match prompt(record, &mut notes) {
        Ok(prompt) => prompt,
        Err(why) => {
            if why.starts_with("prompt_id") {
                ReadReport::list(&mut feed.report.no_id, line);
            }
            return feed.reject(line, why);
        }
    };
    let content = digest(&serde_json::to_string(&prompt).unwrap_or_default());
    match seen.get(&[&prompt.key]).copied() {
        Some((_, before)) if before == content => {
            return ReadReport::list(&mut feed.report.repeated, prompt.key);
        }
        Some((first, _)) => {
            let why = format!(
                "prompt_id {} stands in line {first} with other content; the first is kept",
                quoted(&prompt.key)
            );
            ReadReport::list(&mut feed.report.conflicting, prompt.key);
            return feed.reject(line, why);
        }
        None => seen.insert(&[&prompt.key], (line, content)),
    };
    let media = embedded::media(line, record, &prompt, &mut notes);
    feed.report.rows += 1;
    feed.send(Event::Prompt { line, record: prompt });
    for medium in media {
        send_media(medium, feed);
    }
    feed.notes(line, notes);
}

fn send_media(medium: Media, feed: &mut Feed) {
    feed.send(Event::Media(medium));
}

/// Reads the prompt of a record; or says why it is none.
fn prompt(record: &Json, notes: &mut Notes) -> Result<PromptRecord, String> {
    let field = |key: &str| record.get(key).filter(|value| !value.is_missing());
    let needed = |key: &str| field(key).ok_or_else(|| format!("{key} is missing"));
    let key = match needed("prompt_id")? {
        value @ (Json::Text(_) | Json::Number(_) | Json::Bytes(_)) => value.string(),
        _ => return Err("prompt_id is neither text nor number".to_owned()),
    };
    if key.trim().is_empty() {
        return Err("prompt_id is empty".to_owned());
    }
    let text = match needed("prompt_text")? {
        value @ (Json::List(_) | Json::Object(_)) => {
            return Err(format!("prompt_text is no text but {}", kind(value)));
        }
        value => value.string(),
    };
    let gold = row_parts::modalities("output_modalities", needed("output_modalities")?, notes);
    if gold.is_empty() {
        return Err("output_modalities names none of Text, Image, Audio, Video, Document".to_owned());
    }
    let input_modalities = field("input_modalities")
        .filter(|value| !is_nan(value))
        .map_or_else(ModalityList::default, |value| row_parts::modalities("input_modalities", value, notes));
    let input_files = input_files(field("input_files"))?;
    let criteria = rubric(field("rubrics"), &gold, notes);
    let language = field("language").filter(|value| !is_nan(value)).and_then(|value| {
        let tag = value.string().trim().to_owned();
        if !is_language(&tag) {
            notes.add(format!(
                "language: {} is no language tag, such as en or pt-BR; it is left out",
                quoted(&tag)
            ));
        }
        (is_language(&tag) && tag != "und").then_some(tag)
    });
    Ok(PromptRecord {
        key,
        text,
        input_modalities,
        gold,
        input_files,
        criteria,
        beside: domain::BesideCriteria::default(),
        language,
    })
}

/// Has the text the form of a BCP-47 tag?
fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let letters = |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphabetic());
    let further =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    tag.len() <= 35 && parts.next().is_some_and(letters) && parts.all(further)
}

/// The four letters that a null becomes on its way through pandas and `str` (quirk Q46).
fn is_nan(value: &Json) -> bool {
    matches!(value, Json::Text(text) if text.trim().eq_ignore_ascii_case("nan"))
}

fn kind(value: &Json) -> &'static str {
    match value {
        Json::List(_) => "a list",
        Json::Object(_) => "an object",
        _ => "another value",
    }
}

/// `input_files`: names, one per line (a list is taken too). A name that leaves the media folder refuses the row, since
/// the prompt is not the same without its input.
fn input_files(value: Option<&Json>) -> Result<Vec<String>, String> {
    let Some(value) = value.filter(|value| !is_nan(value)) else { return Ok(Vec::new()) };
    let text: Cow<str> = match value {
        Json::List(names) => names.iter().map(Json::string).collect::<Vec<_>>().join("\n").into(),
        value => value.text().ok_or("input_files is neither text nor list")?,
    };
    let mut names = Vec::new();
    for name in text.split('\n').map(str::trim).filter(|name| !name.is_empty()) {
        check_input_name(name).map_err(|why| format!("input_files: {}: {why}", quoted(name)))?;
        names.push(name.to_owned());
    }
    Ok(names)
}

/// The `rubrics` column (MMI-FORMAT 1.2). What is no rubric is reported and leaves the prompt without criteria; a
/// criterion that is none is reported and left out.
fn rubric(value: Option<&Json>, gold: &ModalityList, notes: &mut Notes) -> Vec<Criterion> {
    let Some(value) = value.filter(|value| !is_nan(value)) else { return Vec::new() };
    match value {
        Json::Text(_) | Json::Bytes(_) => {
            let text = value.string();
            if text.trim().is_empty() {
                return Vec::new();
            }
            if let Ok(parsed @ (Json::Object(_) | Json::List(_))) = Json::parse(text.as_bytes()) {
                criteria(&parsed, gold, notes)
            } else {
                notes.add("rubrics is no JSON object; the prompt is taken without criteria");
                Vec::new()
            }
        }
        Json::Object(_) => {
            notes.add("rubrics is a JSON object instead of a text that holds one; it is read all the same");
            criteria(value, gold, notes)
        }
        _ => criteria(value, gold, notes),
    }
}

fn criteria(rubric: &Json, gold: &ModalityList, notes: &mut Notes) -> Vec<Criterion> {
    let entries = match (rubric, rubric.get("criteria")) {
        (Json::List(entries), _) => {
            notes.add("rubrics is a bare list instead of an object with criteria; it is read all the same");
            entries
        }
        (_, Some(Json::List(entries))) => entries,
        _ => {
            notes.add("rubrics has no list of criteria; the prompt is taken without criteria");
            return Vec::new();
        }
    };
    (1..).zip(entries).filter_map(|(position, entry)| criterion(position, entry, gold, notes)).collect()
}

fn criterion(position: usize, entry: &Json, gold: &ModalityList, notes: &mut Notes) -> Option<Criterion> {
    let text = entry.get("criterion").map(Json::string).unwrap_or_default();
    let text = text.trim();
    if text.is_empty() {
        notes.add(format!("rubrics: criterion {position} has no text and is left out"));
        return None;
    }
    let name = entry.get("modality").map(Json::string).unwrap_or_default();
    let Ok(modality) = name.parse::<Modality>() else {
        notes.unknown_modality(&format!("rubrics: criterion {position}"), &name);
        return None;
    };
    if !gold.contains(modality) {
        notes.add(format!(
            "rubrics: criterion {position} is about {modality}, which is not in output_modalities"
        ));
    }
    let id = match entry.get("id") {
        Some(Json::Text(id)) if !id.is_empty() => id.to_string(),
        Some(id @ Json::Number(_)) if id.number() != Some(0.0) => id.string(),
        _ => position.to_string(),
    };
    Some(Criterion { id, criterion: text.to_owned(), modality })
}
