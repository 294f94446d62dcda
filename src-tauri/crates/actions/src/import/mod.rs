//! Import: files and folders, recognised by content, read in a worker, written once however often they are given.
//!
//! One file is one import of the store: it becomes visible when it is complete, and resumes where it stopped. The
//! order of files matters little to the store, but a good order gives better warnings: datasets first, then runs,
//! then variants of runs, then what people said.

mod against;
mod assets;
mod read;
mod report;
mod rubric_files;
mod samples;
mod triples;
mod verdicts;
mod walk;
mod write;

use crate::{Code, Failure, jobs::Job, wire};
use formats::Format;
use media::worker::Pool;
pub(crate) use rubric_files::is_made_up;
use std::{path::PathBuf, sync::Arc};
use store::LeadView;

/// What to import, and how.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub paths: Vec<PathBuf>,
    /// Take every named file as this format.
    pub format: Option<String>,
    pub input_files: Option<PathBuf>,
    pub folder: Option<String>,
    pub annotator: Option<String>,
    pub dry_run: bool,
}

/// A file that is to be imported.
pub(crate) struct Source {
    pub path: PathBuf,
    pub format: Option<Format>,
    pub bytes: u64,
    /// Why it cannot be opened.
    pub unreadable: Option<String>,
}

/// Imports everything of `plan` into the study of `lead`. Rows that are bad are in the summary; an error means that
/// nothing more could be done.
pub(crate) fn run(
    lead: &mut LeadView,
    pool: &Arc<Pool>,
    plan: &Plan,
    job: &Job,
) -> Result<wire::ImportSummary, Failure> {
    job.change(|view| "looking at the files".clone_into(&mut view.doing));
    let sources = walk::sources(pool, plan, &job.cancel)?;
    let total: u64 = sources.iter().map(|source| source.bytes).sum();
    job.change(|view| view.total = total.into());
    let mut summary = wire::ImportSummary::default();
    let mut before = 0;
    for source in &sources {
        if job.cancel.is_cancelled() {
            break;
        }
        job.change(|view| {
            view.doing =
                source.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            view.done = before.into();
        });
        let file = write::file(lead, pool, plan, source, &sources, &job.cancel, &mut |done| {
            job.change(|view| view.done = (before + done.min(source.bytes)).into());
        })?;
        summary.files.push(file);
        before += source.bytes;
        job.change(|view| {
            view.import = Some(summary.clone());
            view.done = before.into();
        });
    }
    // What was read is stated at once: from here on, rows that are altered by hand are found.
    if !plan.dry_run {
        lead.seal_imports()?;
    }
    Ok(summary)
}

/// Was anything imported, or there already?
pub(crate) fn succeeded(summary: &wire::ImportSummary) -> bool {
    summary.files.iter().any(|file| {
        !file.format.is_empty()
            && (file.unchanged.get() > 0
                || file.added.values().any(|n| n.get() > 0)
                || (file.rejected.is_empty() && file.format != "archive"))
    })
}

/// The reason to give when nothing was.
pub(crate) fn nothing(summary: &wire::ImportSummary) -> Failure {
    let why = summary
        .files
        .iter()
        .flat_map(|file| {
            file.rejected.iter().chain(&file.warnings).map(move |note| format!("{}: {}", file.path, note.why))
        })
        .next()
        .unwrap_or_else(|| "no file of a known format was found".to_owned());
    Failure::new(Code::NothingImported, format!("nothing could be imported: {why}"))
}

/// All finished judgements of a file; rows that are bad are an error, since nothing is kept of the rest.
pub(crate) fn triples(pool: &Pool, path: &std::path::Path) -> Result<Vec<formats::Triple>, Failure> {
    let about = |failure: Failure| failure.about(&path.display().to_string());
    let (mut triples, mut bad) = (Vec::new(), Vec::new());
    let cancel = media::worker::Cancel::new();
    read::file(pool, path, &Format::Triples, formats::Options::default(), &cancel, |event| {
        match event {
            formats::Event::Triple { triple, .. } => triples.push(triple),
            formats::Event::Rejected { line, why } => bad.push(format!("line {line}: {why}")),
            _ => {}
        }
        std::ops::ControlFlow::Continue(())
    })
    .map_err(|failure| about(failure.into()))?;
    match bad.first() {
        None => Ok(triples),
        Some(first) => {
            Err(about(Failure::new(Code::BadRequest, format!("{first} ({} bad rows in all)", bad.len()))))
        }
    }
}
