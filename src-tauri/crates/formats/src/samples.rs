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

fn needed(json: &Json<'_>, key: &str) -> Result<String, String> {
    let text = json.get(key).map(Json::string).unwrap_or_default();
    if text.trim().is_empty() { Err(format!("{key} is missing")) } else { Ok(text) }
}
fn optional(json: &Json<'_>, key: &str) -> Option<String> {
    json.get(key).filter(|value| !value.is_missing()).map(Json::string).filter(|text| !text.is_empty())
}
fn image(json: &Json<'_>) -> Result<Option<InputAsset>, String> {
    let Some(name) = optional(json, "image") else { return Ok(None) };
    check_input_name(&name).map_err(|why| format!("image: {why}"))?;
    Ok(Some(InputAsset { name, blob: None, bytes: 0, format: "bin".to_owned() }))
}

fn sample(json: &Json<'_>) -> Result<Sample, String> {
    let mut options = BTreeMap::new();
    if let Some(Json::Object(members)) = json.get("options") {
        for (letter, text) in members {
            options.insert(letter.to_string(), text.string());
        }
    }
    let mut contexts = Vec::new();
    for context in json.get("contexts").map(Json::items).unwrap_or_default() {
        contexts.push(SampleContext {
            kind: needed(context, "kind")?.parse().map_err(|why| format!("contexts: {why}"))?,
            image: image(context)?,
            text: optional(context, "text"),
        });
    }
    let level = json.get("level").and_then(Json::finite).unwrap_or_default();
    let sample = Sample {
        key: needed(json, "sample_id")?,
        pattern: needed(json, "pattern")?.parse()?,
        level: [1_u8, 2, 3].into_iter().find(|known| (f64::from(*known) - level).abs() < 1e-9).unwrap_or(0),
        task: needed(json, "task")?,
        domain: optional(json, "domain").unwrap_or_default(),
        question: needed(json, "question")?,
        options,
        answer: needed(json, "answer")?,
        image: image(json)?,
        text: optional(json, "text"),
        contexts,
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
        context: optional(json, "context").map(|kind| kind.parse()).transpose()?,
        choice: optional(json, "choice").unwrap_or_default(),
    })
}
