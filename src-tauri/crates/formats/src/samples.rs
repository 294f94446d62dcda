//! Samples of an interaction benchmark, and what models predict of them: JSONL of our own, since none is published.
//!
//! A sample is `{"sample_id","pattern","level","task","domain"?,"question","options":{"A":…},"answer","image"?,"text"?,
//! "contexts":[{"kind","image"|"text"}]}`; an image is a path from the file's folder on. A prediction is
//! `{"sample_id","model","context":KIND or null,"choice"}`.

use crate::{
    Event, Format, FormatError, Options, ReadReport, Sink,
    feed::{Feed, Seen},
    json::Json,
    lines::{Lines, is_blank},
    path::check_input_name,
};
use domain::{InputAsset, Prediction, Sample, SampleContext};
use std::{
    collections::{BTreeMap, HashMap},
    io::{Read, Seek},
};

/// Reads samples. A key that comes again with other content is rejected, one with the same is counted.
pub fn read_samples<R: Read + Seek>(
    input: R,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let mut seen: HashMap<String, Sample> = HashMap::new();
    each_line(input, Format::Samples, options, sink, |feed, number, json| {
        let sample = sample(json)?;
        match seen.get(&sample.key) {
            Some(earlier) if *earlier == sample => {
                ReadReport::list(&mut feed.report.repeated, sample.key);
                return Ok(());
            }
            Some(_) => {
                let why = format!("{:?} came before with other content; the first is kept", sample.key);
                ReadReport::list(&mut feed.report.conflicting, sample.key);
                return Err(why);
            }
            None => {
                seen.insert(sample.key.clone(), sample.clone());
            }
        }
        feed.report.rows += 1;
        feed.send(Event::Sample { line: number, sample: Box::new(sample) });
        Ok(())
    })
}

/// Reads predictions. For a repeated (sample, model, context) the last one wins.
pub fn read_predictions<R: Read + Seek>(
    input: R,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let mut seen: Seen<u64> = Seen::default();
    each_line(input, Format::Predictions, options, sink, |feed, number, json| {
        let prediction = prediction(json)?;
        let context = prediction.context.map_or("", |kind| kind.name());
        let key = [prediction.sample_key.as_str(), &prediction.model, context];
        let earlier = seen.insert(&key, number);
        let shown = format!("{} · {} · {context}", prediction.sample_key, prediction.model);
        feed.report.rows += 1;
        feed.send(Event::Prediction { line: number, prediction });
        if let Some(line) = earlier {
            feed.report.superseded += 1;
            feed.send(Event::Superseded { line, by: number, key: shown });
        }
        Ok(())
    })
}

fn each_line<R: Read + Seek>(
    input: R,
    format: Format,
    options: &Options,
    sink: &mut dyn Sink,
    mut take: impl FnMut(&mut Feed<'_>, u64, &Json<'_>) -> Result<(), String>,
) -> Result<ReadReport, FormatError> {
    let mut lines = Lines::new(input, options)?;
    let mut feed = Feed::new(format, options, lines.total, sink);
    while let Some(line) = lines.next_line()? {
        feed.report.lines += 1;
        let number = line.number;
        if line.too_long {
            feed.reject(number, "the line is too long");
        } else if is_blank(line.bytes) {
            feed.report.blank += 1;
        } else {
            feed.warn_of_bytes(number, line.bytes);
            match Json::parse(line.bytes) {
                Err(_) => {
                    ReadReport::list(&mut feed.report.bad, number);
                    feed.reject(number, "the line is no JSON");
                }
                Ok(json) if !matches!(json, Json::Object(_)) => {
                    ReadReport::list(&mut feed.report.bad, number);
                    feed.reject(number, "the line is no object");
                }
                Ok(json) => {
                    if let Err(why) = take(&mut feed, number, &json) {
                        feed.reject(number, why);
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

/// A text, or the text of a number; none where nothing is written.
fn optional(json: &Json<'_>, key: &str) -> Result<Option<String>, String> {
    let Some(value) = json.get(key).filter(|value| !value.is_missing()) else { return Ok(None) };
    match value {
        Json::List(_) | Json::Object(_) => Err(format!("{key} is no text")),
        text => Ok(Some(text.string()).filter(|text| !text.is_empty())),
    }
}
fn needed(json: &Json<'_>, key: &str) -> Result<String, String> {
    let text = optional(json, key)?.unwrap_or_default();
    if text.trim().is_empty() { Err(format!("{key} is missing")) } else { Ok(text) }
}
fn image(json: &Json<'_>) -> Result<Option<InputAsset>, String> {
    let Some(name) = optional(json, "image")? else { return Ok(None) };
    check_input_name(&name).map_err(|why| format!("image: {why}"))?;
    Ok(Some(InputAsset { name, blob: None, bytes: 0, format: "bin".to_owned() }))
}

/// Options by their letter.
fn options(json: &Json<'_>) -> Result<BTreeMap<String, String>, String> {
    let members = match json.get("options") {
        None | Some(Json::Null) => return Err("options is missing".to_owned()),
        Some(Json::Object(members)) => members,
        Some(_) => return Err("options is no object of letters and their texts".to_owned()),
    };
    let mut options = BTreeMap::new();
    for (letter, text) in members {
        let Some(text) = text.text() else { return Err(format!("the option {letter:?} is no text")) };
        if options.insert(letter.to_string(), text.into_owned()).is_some() {
            return Err(format!("the option {letter:?} comes twice"));
        }
    }
    Ok(options)
}

fn contexts(json: &Json<'_>) -> Result<Vec<SampleContext>, String> {
    let items = match json.get("contexts") {
        None | Some(Json::Null) => return Ok(Vec::new()),
        Some(Json::List(items)) => items,
        Some(_) => return Err("contexts is no list".to_owned()),
    };
    let mut contexts = Vec::with_capacity(items.len());
    for (at, context) in (1..).zip(items) {
        let of_entry = |why: String| format!("entry {at} of contexts: {why}");
        if !matches!(context, Json::Object(_)) {
            return Err(of_entry("it is no object".to_owned()));
        }
        contexts.push(SampleContext {
            kind: needed(context, "kind").and_then(|kind| kind.parse()).map_err(of_entry)?,
            image: image(context).map_err(of_entry)?,
            text: optional(context, "text").map_err(of_entry)?,
        });
    }
    Ok(contexts)
}

fn level(json: &Json<'_>) -> Result<u8, String> {
    let Some(written) = json.get("level").filter(|value| !value.is_missing()) else {
        return Err("level is missing".to_owned());
    };
    let level = written.finite();
    [1_u8, 2, 3]
        .into_iter()
        .find(|known| level.is_some_and(|level| (f64::from(*known) - level).abs() < 1e-9))
        .ok_or_else(|| format!("level is 1, 2 or 3, not {:?}", written.string()))
}

fn sample(json: &Json<'_>) -> Result<Sample, String> {
    let sample = Sample {
        key: needed(json, "sample_id")?,
        pattern: needed(json, "pattern")?.parse()?,
        level: level(json)?,
        task: needed(json, "task")?,
        domain: optional(json, "domain")?.unwrap_or_default(),
        question: needed(json, "question")?,
        options: options(json)?,
        answer: needed(json, "answer")?,
        image: image(json)?,
        text: optional(json, "text")?,
        contexts: contexts(json)?,
    };
    match sample.fault() {
        Some(why) => Err(why),
        None => Ok(sample),
    }
}

fn prediction(json: &Json<'_>) -> Result<Prediction, String> {
    Ok(Prediction {
        sample_key: needed(json, "sample_id")?,
        model: needed(json, "model")?,
        context: optional(json, "context")?.map(|kind| kind.parse()).transpose()?,
        choice: optional(json, "choice")?.unwrap_or_default(),
    })
}
