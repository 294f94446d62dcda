//! Files of what people said: verdicts and adjudications. Read whole first, since which results folder they belong to
//! depends on all of them.

use super::{
    Plan, Source, against, read,
    report::{Report, already, import_source, name, only_note},
};
use crate::{Failure, wire};
use domain::HumanVerdict;
use formats::{Event, Format, Options};
use media::worker::{Cancel, Pool};
use std::{collections::BTreeSet, ops::ControlFlow, sync::Arc};
use store::{Begun, LeadView, Put};

/// Imports one file of verdicts or adjudications.
#[expect(clippy::too_many_arguments, reason = "one call, from one place")]
pub(super) fn file(
    lead: &mut LeadView,
    pool: &Arc<Pool>,
    plan: &Plan,
    source: &Source,
    format: &Format,
    all: &[Source],
    cancel: &Cancel,
    progress: &mut dyn FnMut(u64),
) -> Result<wire::ImportedFile, Failure> {
    let mut verdicts: Vec<(u64, HumanVerdict)> = Vec::new();
    let mut adjudications = Vec::new();
    let mut replaced = BTreeSet::new();
    let mut report = Report::default();
    let read = read::file(pool, &source.path, format, Options::default(), cancel, |event| {
        match event {
            Event::Verdict { line, verdict } => verdicts.push((line, verdict)),
            Event::Adjudication { line, adjudication } => adjudications.push((line, adjudication)),
            Event::Rejected { line, why } => report.note(true, line, why),
            Event::Warning { line, why } => report.note(false, line, why),
            Event::Superseded { line, by, key } => {
                replaced.insert(line);
                report.note(false, line, format!("{key}: this row is replaced by the one of line {by}"));
            }
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
            return Ok(only_note(source, name(format), true, &format!("cannot be read: {failure}")));
        }
    }
    verdicts.retain(|(line, _)| !replaced.contains(line));
    adjudications.retain(|(line, _)| !replaced.contains(line));
    if let Some(annotator) = &plan.annotator {
        for (_, verdict) in &mut verdicts {
            if verdict.annotator.is_empty() {
                verdict.annotator.clone_from(annotator);
            }
        }
    }
    if verdicts.is_empty() && adjudications.is_empty() {
        return Ok(report.file(&source.path, name(format)));
    }
    let pairs: BTreeSet<(String, String)> = verdicts
        .iter()
        .map(|(_, v)| (v.prompt_key.clone(), v.model.clone()))
        .chain(adjudications.iter().map(|(_, a)| (a.prompt_key.clone(), a.model.clone())))
        .collect();
    let folder = match folder_of(lead, pool, plan, source, all, &pairs.into_iter().collect::<Vec<_>>())? {
        Ok(folder) => folder,
        Err(why) => return Ok(only_note(source, name(format), true, &why)),
    };
    if plan.dry_run {
        report.added.insert("verdicts".to_owned(), verdicts.len() as u64);
        report.added.insert("adjudications".to_owned(), adjudications.len() as u64);
        report.added.retain(|_, n| *n > 0);
        return Ok(report.file(&source.path, name(format)));
    }
    let mut import = match lead.begin_import(&import_source(source, format, folder.clone())?)? {
        Begun::AlreadyDone(report) => return Ok(already(report, source, format)),
        // Small files: an interrupted one is simply put again, which changes nothing that is there.
        Begun::Fresh(import) | Begun::Resume { import, .. } => import,
    };
    let mut expected = against::Expected::default();
    for (line, key, model, modality) in verdicts
        .iter()
        .map(|(line, v)| (*line, &v.prompt_key, &v.model, v.modality))
        .chain(adjudications.iter().map(|(line, a)| (*line, &a.prompt_key, &a.model, a.modality)))
    {
        report.note_some(line, expected.verdict(&import, &folder, key, model, modality)?);
    }
    for (at, (line, verdict)) in verdicts.iter().enumerate() {
        let put = import.put_verdict(*line, &folder, verdict)?;
        if let Put::Conflict(why) = &put {
            report.note(true, *line, why.clone());
        }
        report.count("verdicts", &put);
        if at % 5_000 == 4_999 {
            import.commit_chunk(0, 0, &serde_json::Value::Null)?;
        }
    }
    for (line, adjudication) in &adjudications {
        let put = import.put_adjudication(*line, &folder, adjudication)?;
        if let Put::Conflict(why) = &put {
            report.note(true, *line, why.clone());
        }
        report.count("adjudications", &put);
    }
    let value = serde_json::to_value(&report).unwrap_or_default();
    import.complete(source.bytes, verdicts.len() as u64, &value)?;
    Ok(report.file(&source.path, name(format)))
}

/// The results folder that a file of verdicts belongs to: the one named, else that of a `main_config.txt` beside it,
/// else the one folder that holds every (prompt, model) of it. The inner error says why there is none.
fn folder_of(
    lead: &mut LeadView,
    pool: &Pool,
    plan: &Plan,
    source: &Source,
    all: &[Source],
    pairs: &[(String, String)],
) -> Result<Result<String, String>, Failure> {
    let known = lead.folders()?;
    let listed =
        || if known.is_empty() { "none yet; import the results first".to_owned() } else { known.join(", ") };
    if let Some(folder) = &plan.folder {
        return Ok(if known.contains(folder) {
            Ok(folder.clone())
        } else {
            Err(format!("--folder {folder}: no such results folder; there are: {}", listed()))
        });
    }
    if let Some(folder) = main_config(pool, source, all)?
        && known.contains(&folder)
    {
        return Ok(Ok(folder));
    }
    let mut holding = lead.folders_holding(pairs)?;
    Ok(match (holding.pop(), holding.is_empty()) {
        (Some(folder), true) => Ok(folder),
        (Some(last), false) => {
            holding.push(last);
            Err(format!(
                "several results folders hold every (prompt, model) of this file: {}; say which with --folder",
                holding.join(", ")
            ))
        }
        (None, _) => Err(format!(
            "no results folder holds every (prompt, model) of this file; say which it belongs to with --folder (there are: {})",
            listed()
        )),
    })
}

fn main_config(pool: &Pool, source: &Source, all: &[Source]) -> Result<Option<String>, Failure> {
    let beside = source.path.with_file_name("main_config.txt");
    let known = all.iter().any(|other| other.path == beside && other.format == Some(Format::MainConfig));
    if !known && !beside.is_file() {
        return Ok(None);
    }
    let mut folder = None;
    let read = read::file(pool, &beside, &Format::MainConfig, Options::default(), &Cancel::new(), |event| {
        if let Event::MainConfig { folder: named } = event {
            folder = Some(named);
        }
        ControlFlow::Continue(())
    });
    match read {
        Err(failure @ media::worker::Failure::Unavailable { .. }) => Err(failure.into()),
        _ => Ok(folder),
    }
}
