//! What is written for others: MMI datasets and rubrics, verdicts, settlements, grades.

use crate::{Cell, Sheet};
use domain::{
    Adjudication, Anchor, Criterion, Grade, HumanVerdict, PayloadStatus, PromptRecord, VerdictDetails,
    VerdictFlags,
};
use serde::Serialize;
use std::{
    fmt::Write as _,
    io::{self, Write},
};

#[derive(Serialize)]
struct WrittenCriterion<'a> {
    id: &'a str,
    criterion: &'a str,
    modality: &'static str,
}
#[derive(Serialize)]
struct WrittenRubric<'a> {
    criteria: Vec<WrittenCriterion<'a>>,
}
#[derive(Serialize)]
struct WrittenPrompt<'a> {
    prompt_id: &'a str,
    prompt_text: &'a str,
    input_modalities: String,
    output_modalities: String,
    input_files: String,
    rubrics: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
}

/// JSON in ASCII, as the harness writes it; its reader splits lines at U+2028 and the like (MMI-FORMAT 1).
pub(crate) fn ascii(value: &impl Serialize) -> io::Result<String> {
    let json = serde_json::to_string(value)?;
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() && c != '\u{7f}' {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").map_err(io::Error::other)?;
            }
        }
    }
    Ok(out)
}

fn rubric(criteria: &[Criterion]) -> WrittenRubric<'_> {
    WrittenRubric {
        criteria: criteria
            .iter()
            .map(|c| WrittenCriterion { id: &c.id, criterion: &c.criterion, modality: c.modality.lower() })
            .collect(),
    }
}

/// An MMI rubric: `{"criteria":[{"id","criterion","modality"}]}`, one line, in ASCII.
pub fn rubric_json(criteria: &[Criterion]) -> io::Result<String> {
    ascii(&rubric(criteria))
}

/// Writes an MMI dataset in `.jsonl`; what [`crate::read_dataset`] reads back the same.
pub fn write_dataset<'a>(
    prompts: impl IntoIterator<Item = &'a PromptRecord>,
    output: &mut dyn Write,
) -> io::Result<()> {
    for prompt in prompts {
        let names = |list: &domain::ModalityList| {
            list.iter().map(domain::Modality::name).collect::<Vec<_>>().join(", ")
        };
        let line = ascii(&WrittenPrompt {
            prompt_id: &prompt.key,
            prompt_text: &prompt.text,
            input_modalities: names(&prompt.input_modalities),
            output_modalities: names(&prompt.gold),
            input_files: prompt.input_files.join("\n"),
            rubrics: if prompt.criteria.is_empty() { String::new() } else { rubric_json(&prompt.criteria)? },
            language: prompt.language.as_deref(),
        })?;
        writeln!(output, "{line}")?;
    }
    Ok(())
}

/// Writes `human_verdicts.csv` (MMI-FORMAT 11); what [`crate::read_verdicts`] reads back the same.
pub fn write_verdicts<'a>(
    verdicts: impl IntoIterator<Item = &'a HumanVerdict>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut columns =
        vec!["annotator", "prompt_id", "model", "modality", "verdict", "comment", "ai_assisted", "seconds"];
    let verdicts: Vec<&HumanVerdict> = verdicts.into_iter().collect();
    // MMI's columns alone, unless a verdict says more.
    let more = verdicts.iter().any(|v| says_more(&v.details));
    if more {
        columns.extend(DETAILS);
    }
    let mut sheet = Sheet::new(output, &columns)?;
    for v in verdicts {
        let mut row: Vec<Cell> = vec![
            v.annotator.as_str().into(),
            v.prompt_key.as_str().into(),
            v.model.as_str().into(),
            v.modality.name().into(),
            v.verdict.name().into(),
            v.comment.as_str().into(),
            v.ai_assisted.into(),
            v.seconds.into(),
        ];
        if more {
            let details = &v.details;
            row.extend([
                details.flags.broken_link.into(),
                details.flags.cannot_show.into(),
                details.flags.doubt.into(),
                details.flags.misaligned.into(),
                details.ai_asked.as_str().into(),
                details.perceived.as_str().into(),
                details.prompt_version.map(u64::from).into(),
                details.guidelines_version.map(u64::from).into(),
                anchors_json(&details.anchors).into(),
            ]);
        }
        sheet.row(&row)?;
    }
    Ok(())
}

/// The columns of a verdict's details, as [`write_verdicts`] writes and [`crate::read_verdicts`] reads them.
const DETAILS: [&str; 9] = [
    "broken_link",
    "cannot_show",
    "doubt",
    "misaligned",
    "ai_asked",
    "perceived",
    "prompt_version",
    "guidelines_version",
    "anchors",
];

/// Is there anything beside the help of an AI, which has a column of MMI's?
fn says_more(details: &VerdictDetails) -> bool {
    let flags = VerdictFlags { ai_background: false, ..details.flags };
    VerdictDetails { flags, ..details.clone() } != VerdictDetails::default()
}

/// Places as a JSON list in one cell; empty for none.
pub fn anchors_json(anchors: &[Anchor]) -> String {
    // Names, numbers and texts: there is nothing in a place that JSON cannot say.
    if anchors.is_empty() { String::new() } else { serde_json::to_string(anchors).unwrap_or_default() }
}

/// Writes `adjudications.csv` (MMI-FORMAT 11); what [`crate::read_adjudications`] reads back the same.
pub fn write_adjudications<'a>(
    adjudications: impl IntoIterator<Item = &'a Adjudication>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let columns = [
        "prompt_id",
        "model",
        "modality",
        "judge",
        "human_majority",
        "final",
        "cause",
        "note",
        "adjudicator",
        "date",
    ];
    let mut sheet = Sheet::new(output, &columns)?;
    for a in adjudications {
        sheet.row(&[
            a.prompt_key.as_str().into(),
            a.model.as_str().into(),
            a.modality.name().into(),
            a.judge.name().into(),
            a.human_majority.map(domain::Verdict::name).into(),
            a.verdict.name().into(),
            a.cause.code().into(),
            a.note.as_str().into(),
            a.adjudicator.as_str().into(),
            a.date.as_str().into(),
        ])?;
    }
    Ok(())
}

/// A grade with where it stands.
#[derive(Debug, Clone, Copy)]
pub struct PlacedGrade<'a> {
    /// Results folder.
    pub folder: &'a str,
    /// Result file.
    pub file: &'a str,
    /// `run_name`.
    pub model: &'a str,
    /// Prompt key.
    pub prompt_key: &'a str,
    /// Rubric judge.
    pub judge: &'a str,
    /// The grade.
    pub grade: &'a Grade,
}

/// Writes grades of LLM judges in CSV.
pub fn write_grades<'a>(
    grades: impl IntoIterator<Item = PlacedGrade<'a>>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let columns = [
        "folder",
        "file",
        "model",
        "prompt_id",
        "judge",
        "index",
        "criterion_id",
        "modality",
        "criterion",
        "score",
        "payload_status",
        "evaluator_error",
        "explanation",
    ];
    let mut sheet = Sheet::new(output, &columns)?;
    for g in grades {
        sheet.row(&[
            g.folder.into(),
            g.file.into(),
            g.model.into(),
            g.prompt_key.into(),
            g.judge.into(),
            u64::from(g.grade.index).into(),
            g.grade.id.as_str().into(),
            g.grade.modality.map_or(g.grade.modality_raw.as_str(), |m| m.name()).into(),
            g.grade.criterion.as_str().into(),
            g.grade.score.into(),
            Cell::from(payload_name(g.grade.payload)),
            g.grade.evaluator_error.into(),
            g.grade.explanation.as_str().into(),
        ])?;
    }
    Ok(())
}

pub(crate) const fn payload_name(status: PayloadStatus) -> &'static str {
    match status {
        PayloadStatus::Gradeable => "gradeable",
        PayloadStatus::Absent => "absent",
        PayloadStatus::ReferenceOnly => "reference_only",
        PayloadStatus::Skipped => "skipped",
        PayloadStatus::CaptureFailed => "capture_failed",
        PayloadStatus::Unsendable => "unsendable",
    }
}
