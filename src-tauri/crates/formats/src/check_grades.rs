//! Verdicts on the checks of checklists (GAMUT), one JSON object per line: `{"question_id","model","judge","variant",
//! "check_id","verdict","explanation"}`. No public form exists; this is ours.

use crate::{
    Event, Format, FormatError, Options, ReadReport, Sink,
    feed::{Feed, Seen},
    json::Json,
    lines::{Lines, is_blank},
};
use domain::ImportedCheckGrade;
use std::io::{Read, Seek};

/// How a question is asked where the file does not say.
const USUAL_VARIANT: &str = "multimodal";

/// Reads verdicts on checks. For a repeated (question, model, judge, variant, check) the last one wins.
pub fn read_check_grades<R: Read + Seek>(
    input: R,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let mut lines = Lines::new(input, options)?;
    let mut feed = Feed::new(Format::CheckGrades, options, lines.total, sink);
    let mut seen = Seen::default();
    while let Some(line) = lines.next_line()? {
        feed.report.lines += 1;
        let number = line.number;
        if line.too_long {
            feed.reject(number, "the line is too long");
        } else if is_blank(line.bytes) {
            feed.report.blank += 1;
        } else {
            let read = Json::parse(line.bytes).map_err(|_| "the line is no JSON".to_owned());
            match read.and_then(|json| grade(&json)) {
                Ok(grade) => {
                    let key = [&grade.question, &grade.model, &grade.judge, &grade.variant, &grade.check];
                    let before = seen.insert(&key.map(String::as_str), number);
                    let said = key.map(String::as_str).join(", ");
                    feed.report.rows += 1;
                    feed.send(Event::CheckGrade { line: number, grade });
                    if let Some(line) = before {
                        feed.report.superseded += 1;
                        feed.send(Event::Superseded { line, by: number, key: said });
                    }
                }
                Err(why) => feed.reject(number, why),
            }
        }
        let next = lines.next;
        if !feed.reached(next, next.offset) {
            return Ok(feed.report);
        }
    }
    Ok(feed.finish(lines.next.offset))
}

fn grade(json: &Json) -> Result<ImportedCheckGrade, String> {
    let text = |key: &str| json.get(key).map(Json::string).unwrap_or_default().trim().to_owned();
    let needed = |key: &str| {
        let text = text(key);
        if text.is_empty() { Err(format!("{key} is missing")) } else { Ok(text) }
    };
    let failed = json.get("evaluator_error").is_some_and(Json::truth)
        || matches!(json.get("verdict"), Some(Json::Null))
        || ["evaluator_error", "error"].iter().any(|name| text("verdict").eq_ignore_ascii_case(name));
    let verdict = if failed { None } else { Some(needed("verdict")?.parse()?) };
    let variant = text("variant");
    Ok(ImportedCheckGrade {
        question: needed("question_id")?,
        model: needed("model")?,
        judge: needed("judge")?,
        variant: if variant.is_empty() { USUAL_VARIANT.to_owned() } else { variant },
        check: needed("check_id")?,
        verdict,
        explanation: json.get("explanation").map(Json::string).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::CheckVerdict;
    use std::{io::Cursor, ops::ControlFlow};

    fn read(text: &str) -> (Vec<ImportedCheckGrade>, Vec<(u64, String)>, ReadReport) {
        let (mut grades, mut bad) = (Vec::new(), Vec::new());
        let report = read_check_grades(
            Cursor::new(text.as_bytes().to_vec()),
            &Options::default(),
            &mut |event: Event| {
                match event {
                    Event::CheckGrade { grade, .. } => grades.push(grade),
                    Event::Rejected { line, why } => bad.push((line, why)),
                    _ => {}
                }
                ControlFlow::Continue(())
            },
        )
        .expect("lines");
        (grades, bad, report)
    }

    #[test]
    fn a_verdict_is_read_and_what_is_none_is_named() {
        let (grades, bad, report) = read(concat!(
            r#"{"question_id":"q1","model":"a","judge":"j","variant":"text_only","check_id":"m1.fact","verdict":"partially","explanation":"half"}"#,
            "\n\n",
            r#"{"question_id":"q1","model":"a","judge":"j","check_id":"m2.fact","verdict":null}"#,
            "\n",
            r#"{"question_id":"q1","model":"a","judge":"j","check_id":"m2.fact","verdict":"meets","evaluator_error":true}"#,
            "\n",
            r#"{"question_id":"q1","model":"a","judge":"j","check_id":"m3.fact","verdict":"yes"}"#,
            "\n",
            r#"{"question_id":"q1","model":"a","check_id":"m3.fact","verdict":"meets"}"#,
            "\n{\n",
        ));
        assert_eq!(grades[0].verdict, Some(CheckVerdict::Partial), "GAMUT writes partially");
        assert_eq!((grades[0].variant.as_str(), grades[1].variant.as_str()), ("text_only", "multimodal"));
        assert_eq!((grades[1].verdict, grades[2].verdict), (None, None), "the evaluator failed, twice");
        assert_eq!(report.superseded, 1, "the later of two rows about one check wins");
        let lines: Vec<u64> = bad.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [5, 6, 7], "a word that is no verdict, no judge, no JSON");
        assert!(bad[1].1.contains("judge"), "what is missing is named: {}", bad[1].1);
    }
}
