//! Finished judgements (`triples`) as a study without assets: each (prompt, model) becomes a response that has what was judged, with
//! one grade for each score, and a verdict of one annotator.

use super::{
    Plan, Source, read,
    report::{Report, already, import_source, name, only_note},
};
use crate::{Failure, wire};
use domain::{Detection, Grade, HumanVerdict, JudgedRow, Modality, PayloadStatus, Presence, StoredScores};
use formats::{Event, Format, Options, Triple};
use media::worker::{Cancel, Pool};
use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc};
use store::{Begun, LeadView, RunFile};

/// Who judged, where the file and the import do not say.
const ANNOTATOR: &str = "human";
/// A chunk of the import has about so many records.
const CHUNK: usize = 2_000;

/// What was judged of one response: each modality with its line.
type Judged = BTreeMap<Modality, (u64, Triple)>;

/// Imports a file of finished judgements. The results folder is the one named, else the file's own name.
pub(super) fn file(
    lead: &mut LeadView,
    pool: &Arc<Pool>,
    plan: &Plan,
    source: &Source,
    cancel: &Cancel,
    progress: &mut dyn FnMut(u64),
) -> Result<wire::ImportedFile, Failure> {
    let format = Format::Triples;
    let mut report = Report::default();
    let mut responses: BTreeMap<(String, String), Judged> = BTreeMap::new();
    let read = read::file(pool, &source.path, &format, Options::default(), cancel, |event| {
        match event {
            Event::Triple { line, triple } => {
                let judged = responses.entry((triple.prompt_id.clone(), triple.model.clone())).or_default();
                let key = format!("{:?}, {}, {}", triple.prompt_id, triple.model, triple.modality);
                if let Some((earlier, _)) = judged.insert(triple.modality, (line, triple)) {
                    report.note(
                        false,
                        earlier,
                        format!("{key}: this row is replaced by the one of line {line}"),
                    );
                }
            }
            Event::Rejected { line, why } => report.note(true, line, why),
            Event::Warning { line, why } => report.note(false, line, why),
            Event::Progress { bytes_done, .. } => progress(bytes_done),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    match read {
        Ok(_) => {}
        Err(failure @ (media::worker::Failure::Cancelled | media::worker::Failure::Unavailable { .. })) => {
            return Err(failure.into());
        }
        Err(failure) => {
            return Ok(only_note(source, name(&format), true, &format!("cannot be read: {failure}")));
        }
    }
    if responses.is_empty() {
        return Ok(report.file(&source.path, name(&format)));
    }
    let stem = source
        .path
        .file_stem()
        .map_or_else(|| "triples".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let folder = plan.folder.clone().unwrap_or(stem);
    let annotator = plan.annotator.clone().unwrap_or_else(|| ANNOTATOR.to_owned());
    if plan.dry_run {
        let verdicts = responses.values().map(BTreeMap::len).sum::<usize>() as u64;
        report.added.insert("responses".to_owned(), responses.len() as u64);
        report.added.insert("verdicts".to_owned(), verdicts);
        return Ok(report.file(&source.path, name(&format)));
    }
    let scope = format!("{folder}\n{annotator}");
    let mut import = match lead.begin_import(&import_source(source, &format, scope)?)? {
        Begun::AlreadyDone(report) => return Ok(already(report, source, &format)),
        // An interrupted one is put again from the start, which changes nothing that is there.
        Begun::Fresh(import) | Begun::Resume { import, .. } => import,
    };
    for (at, ((key, model), judged)) in responses.iter().enumerate() {
        let run = RunFile {
            folder: folder.clone(),
            file: format!("{}.jsonl", model.replace(['/', '\\', ' '], "_")),
            ..RunFile::default()
        };
        let row = row(key, model, judged);
        let put = import.put_row(&run, &row, Vec::new())?;
        report.count("responses", &put);
        if put == store::Put::Added {
            *report.added.entry("grades".to_owned()).or_default() += row.grades.len() as u64;
        }
        for (line, triple) in judged.values() {
            let verdict = HumanVerdict {
                annotator: annotator.clone(),
                prompt_key: key.clone(),
                model: model.clone(),
                modality: triple.modality,
                verdict: triple.human_verdict,
                comment: String::new(),
                ai_assisted: false,
                seconds: None,
                details: domain::VerdictDetails::default(),
            };
            let put = import.put_verdict(*line, &folder, &verdict)?;
            report.count("verdicts", &put);
        }
        if at % CHUNK == CHUNK - 1 {
            if cancel.is_cancelled() {
                return Err(media::worker::Failure::Cancelled.into());
            }
            import.commit_chunk(0, 0, &serde_json::Value::Null)?;
        }
    }
    let value = serde_json::to_value(&report).unwrap_or_default();
    import.complete(source.bytes, responses.len() as u64, &value)?;
    Ok(report.file(&source.path, name(&format)))
}

/// The row that a harness would have written, as far as the judgements say.
fn row(key: &str, model: &str, judged: &Judged) -> JudgedRow {
    let mut presence = Presence::default();
    let mut grades = Vec::new();
    // A place in the file for the row: that of its first judgement.
    let line = judged.values().map(|(line, _)| *line).min().unwrap_or(1);
    for (modality, (_, triple)) in judged {
        presence.0[modality.index()] = Detection { native: true, ..Detection::default() };
        for score in &triple.criterion_scores {
            let index = u32::try_from(grades.len() + 1).unwrap_or(u32::MAX);
            grades.push(Grade {
                index,
                id: index.to_string(),
                criterion: format!("criterion {index}"),
                modality: Some(*modality),
                modality_raw: modality.name().to_owned(),
                score: *score,
                explanation: String::new(),
                evaluator_error: false,
                payload: PayloadStatus::Gradeable,
                input_media_skipped: Vec::new(),
            });
        }
    }
    JudgedRow {
        line,
        offset: line,
        length: 0,
        prompt_key: key.to_owned(),
        run_name: model.to_owned(),
        provider: String::new(),
        model: model.to_owned(),
        expected: judged.keys().copied().collect(),
        presence,
        judge_used: false,
        judge_model: String::new(),
        judge_reasoning: String::new(),
        failure: None,
        response_text: String::new(),
        assets: Vec::new(),
        rubric_used: true,
        rubric_judge_model: String::new(),
        grades,
        stored: StoredScores::default(),
    }
}
