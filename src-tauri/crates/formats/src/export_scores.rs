//! Samples, predictions and verdicts on checks as their readers take them.

use crate::export::ascii;
use domain::{ImportedCheckGrade, InputAsset, Prediction, Sample};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

#[derive(Serialize)]
struct WrittenGrade<'a> {
    question_id: &'a str,
    model: &'a str,
    judge: &'a str,
    variant: &'a str,
    check_id: &'a str,
    verdict: Option<&'static str>,
    explanation: &'a str,
}

/// Writes verdicts on checks; what [`crate::read_check_grades`] reads back the same.
pub fn write_check_grades<'a>(
    grades: impl IntoIterator<Item = &'a ImportedCheckGrade>,
    output: &mut dyn Write,
) -> io::Result<()> {
    for grade in grades {
        let line = ascii(&WrittenGrade {
            question_id: &grade.question,
            model: &grade.model,
            judge: &grade.judge,
            variant: &grade.variant,
            check_id: &grade.check,
            verdict: grade.verdict.map(domain::CheckVerdict::name),
            explanation: &grade.explanation,
        })?;
        writeln!(output, "{line}")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct WrittenContext<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

#[derive(Serialize)]
struct WrittenSample<'a> {
    sample_id: &'a str,
    pattern: &'static str,
    level: u8,
    task: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    domain: &'a str,
    question: &'a str,
    options: &'a BTreeMap<String, String>,
    answer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    contexts: Vec<WrittenContext<'a>>,
}

fn name(image: Option<&InputAsset>) -> Option<&str> {
    image.map(|image| image.name.as_str())
}

/// Writes samples; what [`crate::read_samples`] reads back the same. Images are named, and lie below the file's folder.
pub fn write_samples<'a>(
    samples: impl IntoIterator<Item = &'a Sample>,
    output: &mut dyn Write,
) -> io::Result<()> {
    for sample in samples {
        let contexts = sample.contexts.iter().map(|context| WrittenContext {
            kind: context.kind.name(),
            image: name(context.image.as_ref()),
            text: context.text.as_deref(),
        });
        let line = ascii(&WrittenSample {
            sample_id: &sample.key,
            pattern: sample.pattern.name(),
            level: sample.level,
            task: &sample.task,
            domain: &sample.domain,
            question: &sample.question,
            options: &sample.options,
            answer: &sample.answer,
            image: name(sample.image.as_ref()),
            text: sample.text.as_deref(),
            contexts: contexts.collect(),
        })?;
        writeln!(output, "{line}")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct WrittenPrediction<'a> {
    sample_id: &'a str,
    model: &'a str,
    context: Option<&'static str>,
    choice: &'a str,
}

/// Writes predictions; what [`crate::read_predictions`] reads back the same.
pub fn write_predictions<'a>(
    predictions: impl IntoIterator<Item = &'a Prediction>,
    output: &mut dyn Write,
) -> io::Result<()> {
    for said in predictions {
        let line = ascii(&WrittenPrediction {
            sample_id: &said.sample_key,
            model: &said.model,
            context: said.context.map(domain::ContextKind::name),
            choice: &said.choice,
        })?;
        writeln!(output, "{line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Options, ReadReport};
    use domain::{CheckVerdict, ContextKind, Pattern, SampleContext};
    use std::{io::Cursor, ops::ControlFlow};

    fn read(
        bytes: Vec<u8>,
        reader: impl FnOnce(
            Cursor<Vec<u8>>,
            &Options,
            &mut dyn crate::Sink,
        ) -> Result<ReadReport, crate::FormatError>,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        reader(Cursor::new(bytes), &Options::default(), &mut |event: Event| {
            if !matches!(event, Event::Progress { .. }) {
                events.push(event);
            }
            ControlFlow::Continue(())
        })
        .expect("what was written is read");
        events
    }

    #[test]
    fn what_is_written_is_read_back() {
        let grade = |verdict| ImportedCheckGrade {
            question: "q\"1".to_owned(),
            model: "m".to_owned(),
            judge: "j".to_owned(),
            variant: "people".to_owned(),
            check: format!("{verdict:?}"),
            verdict,
            explanation: "\u{2028} so, π".to_owned(),
        };
        let grades = [grade(Some(CheckVerdict::Partial)), grade(None)];
        let mut bytes = Vec::new();
        write_check_grades(&grades, &mut bytes).expect("memory takes it");
        let wanted: Vec<Event> =
            (1..).zip(grades).map(|(line, grade)| Event::CheckGrade { line, grade }).collect();
        assert_eq!(read(bytes, crate::read_check_grades), wanted, "verdicts and their absence");

        let image = InputAsset { name: "a/b.png".to_owned(), blob: None, bytes: 0, format: "bin".to_owned() };
        let sample = Sample {
            key: "s1".to_owned(),
            pattern: Pattern::Text,
            level: 2,
            task: "counting".to_owned(),
            domain: String::new(),
            question: "How many?".to_owned(),
            options: [("A", "one"), ("B", "two")].map(|(a, b)| (a.to_owned(), b.to_owned())).into(),
            answer: "B".to_owned(),
            image: None,
            text: Some("two dogs".to_owned()),
            contexts: vec![SampleContext { kind: ContextKind::Unrelated, image: Some(image), text: None }],
        };
        let mut bytes = Vec::new();
        write_samples([&sample], &mut bytes).expect("memory takes it");
        let wanted = vec![Event::Sample { line: 1, sample: Box::new(sample) }];
        assert_eq!(read(bytes, crate::read_samples), wanted, "a sample with its contexts");

        let said = |context| Prediction {
            sample_key: "s1".to_owned(),
            model: "m".to_owned(),
            context,
            choice: "B".to_owned(),
        };
        let all = [said(Some(ContextKind::Unrelated)), said(None)];
        let mut bytes = Vec::new();
        write_predictions(&all, &mut bytes).expect("memory takes it");
        let wanted: Vec<Event> =
            (1..).zip(all).map(|(line, prediction)| Event::Prediction { line, prediction }).collect();
        assert_eq!(read(bytes, crate::read_predictions), wanted, "with a context and without");
    }
}
