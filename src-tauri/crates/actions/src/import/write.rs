//! One file into the study: begin or resume, put every record, commit in chunks, complete.

use super::{Plan, Source, assets::Keeper, read};
use crate::{Failure, wire};
use domain::{Asset, HumanVerdict, InputAsset, JudgedRow, PromptRecord};
use formats::{Event, Format, Options, Position};
use media::worker::{Cancel, Pool};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};
use store::{Begun, Import, ImportSource, LeadView, Put, RunFile, StoreError};

/// Records in a chunk; a chunk is also closed at every progress event of the reader.
const CHUNK: u64 = 500;
/// Notes kept per file and kind; the rest is counted.
const NOTES: usize = 1_000;

/// What is kept of an import in the study, so that importing again can say it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Report {
    added: BTreeMap<String, u64>,
    unchanged: u64,
    rejected: Vec<(u64, String)>,
    warnings: Vec<(u64, String)>,
    more: u64,
}

impl Report {
    fn count(&mut self, kind: &str, put: &Put) {
        match put {
            Put::Added => *self.added.entry(kind.to_owned()).or_default() += 1,
            Put::Unchanged => self.unchanged += 1,
            Put::Conflict(_) => {}
        }
    }
    /// Takes back what was counted for a row that a later one of the same file replaces.
    fn uncount(&mut self, kind: &str, (added, grades): (bool, u64)) {
        let mut less = |kind: &str, n: u64| {
            if let Some(count) = self.added.get_mut(kind) {
                *count = count.saturating_sub(n);
            }
        };
        if added {
            less(kind, 1);
            less("grades", grades);
        } else {
            self.unchanged = self.unchanged.saturating_sub(1);
        }
    }
    fn note(&mut self, rejected: bool, line: u64, why: String) {
        let list = if rejected { &mut self.rejected } else { &mut self.warnings };
        if list.len() < NOTES { list.push((line, why)) } else { self.more += 1 }
    }
    fn file(self, path: &Path, format: &str) -> wire::ImportedFile {
        let notes = |all: Vec<(u64, String)>| {
            all.into_iter().map(|(line, why)| wire::LineNote { line: line.into(), why }).collect::<Vec<_>>()
        };
        let mut warnings = notes(self.warnings);
        if self.more > 0 {
            warnings.push(wire::LineNote {
                line: 0_u64.into(),
                why: format!("{} more remarks on this file", self.more),
            });
        }
        wire::ImportedFile {
            path: path.display().to_string(),
            format: format.to_owned(),
            added: self.added.into_iter().map(|(kind, n)| (kind, n.into())).collect(),
            unchanged: self.unchanged.into(),
            rejected: notes(self.rejected),
            warnings,
        }
    }
}

/// The format's name in reports.
fn name(format: &Format) -> &'static str {
    match format {
        Format::DatasetJsonl => "dataset_jsonl",
        Format::DatasetParquet => "dataset_parquet",
        Format::ResultRows(_) => "result_rows",
        Format::RunManifest => "run_manifest",
        Format::Summary => "summary",
        Format::HumanVerdicts => "human_verdicts",
        Format::Adjudications => "adjudications",
        Format::Triples => "triples",
        Format::MainConfig => "main_config",
        Format::Archive => "archive",
    }
}

fn only_note(source: &Source, format: &str, rejected: bool, why: &str) -> wire::ImportedFile {
    let mut report = Report::default();
    report.note(rejected, 0, why.to_owned());
    report.file(&source.path, format)
}

/// Imports one file. `progress` is told the bytes done.
pub(super) fn file(
    lead: &mut LeadView,
    pool: &Arc<Pool>,
    plan: &Plan,
    source: &Source,
    all: &[Source],
    cancel: &Cancel,
    progress: &mut dyn FnMut(u64),
) -> Result<wire::ImportedFile, Failure> {
    let Some(format) = &source.format else {
        return Ok(only_note(source, "", false, "no known format; left out"));
    };
    match format {
        Format::Archive => {
            Ok(only_note(source, name(format), true, "this is an archive; unpack it and import the folder"))
        }
        Format::Summary => Ok(only_note(
            source,
            name(format),
            false,
            "a summary of the harness: nothing to import, its figures are computed anew",
        )),
        Format::MainConfig => {
            Ok(only_note(source, name(format), false, "names the results folder of the verdicts beside it"))
        }
        Format::Triples => Ok(only_note(
            source,
            name(format),
            true,
            "finished judgements without responses cannot be imported into this study; assize agreement --triples reads them",
        )),
        Format::HumanVerdicts | Format::Adjudications => {
            verdicts(lead, pool, plan, source, format, all, cancel, progress)
        }
        _ => content(lead, pool, plan, source, format, cancel, progress),
    }
}

fn import_source(source: &Source, format: &Format, scope: String) -> Result<ImportSource, Failure> {
    Ok(ImportSource {
        sha256: store::hash_file(&source.path)?.0,
        format: name(format).to_owned(),
        scope,
        path: source.path.display().to_string(),
        options: serde_json::Value::Null,
    })
}

fn already(value: serde_json::Value, source: &Source, format: &Format) -> wire::ImportedFile {
    let mut report: Report = serde_json::from_value(value).unwrap_or_default();
    report.unchanged += std::mem::take(&mut report.added).values().sum::<u64>();
    report.file(&source.path, name(format))
}

/// What the reader's events are put into.
struct Sink<'a, 'i> {
    import: Option<&'a mut Import<'i>>,
    keeper: Keeper<'a>,
    run: RunFile,
    results: PathBuf,
    inputs: PathBuf,
    report: Report,
    waiting: Option<Waiting>,
    /// Rows by their line: was it new, and how many grades has it?
    counted: HashMap<u64, (bool, u64)>,
    since_commit: u64,
    /// Why the store could not take an event.
    failed: Option<StoreError>,
}

/// A prompt whose embedded media may still come.
struct Waiting {
    line: u64,
    record: PromptRecord,
    embedded: BTreeMap<String, Vec<u8>>,
    extra: Vec<(String, Vec<u8>)>,
}

impl Sink<'_, '_> {
    fn take(&mut self, event: Event) -> Result<(), StoreError> {
        if !matches!(event, Event::Media(_) | Event::Warning { .. } | Event::Rejected { .. }) {
            self.settle_prompt()?;
        }
        match event {
            Event::Prompt { line, record } => {
                self.waiting = Some(Waiting { line, record, embedded: BTreeMap::new(), extra: Vec::new() });
            }
            Event::Media(media) => {
                if let Some(waiting) = &mut self.waiting {
                    match media.name {
                        Some(name) => {
                            waiting.embedded.insert(name, media.bytes);
                        }
                        None => waiting.extra.push((media.path.unwrap_or(media.column), media.bytes)),
                    }
                }
            }
            Event::Row(row) => self.row(&row)?,
            Event::Manifest(manifest) => {
                let value = serde_json::to_value(&*manifest).unwrap_or_default();
                if let Some(import) = &mut self.import {
                    let put = import.put_manifest(&self.run.folder, &manifest.run_timestamp, &value)?;
                    self.report.count("manifests", &put);
                } else {
                    self.report.count("manifests", &Put::Added);
                }
            }
            Event::Rejected { line, why } => self.report.note(true, line, why),
            Event::Warning { line, why } => self.report.note(false, line, why),
            Event::Superseded { line, by, key } => {
                if let Some(counted) = self.counted.remove(&line) {
                    self.report.uncount(self.kind_of_rows(), counted);
                }
                self.report.note(
                    false,
                    line,
                    format!("{key:?}: this row is replaced by the one of line {by}"),
                );
            }
            Event::Progress { next, .. } => self.commit(next)?,
            Event::Verdict { .. }
            | Event::Adjudication { .. }
            | Event::Triple { .. }
            | Event::MainConfig { .. } => {}
        }
        Ok(())
    }

    /// What rows of this file are counted as: a variant judges the same responses again.
    fn kind_of_rows(&self) -> &'static str {
        if self.run.variant.is_empty() { "responses" } else { "gradings" }
    }

    fn settle_prompt(&mut self) -> Result<(), StoreError> {
        let Some(waiting) = self.waiting.take() else { return Ok(()) };
        let Waiting { line, record, embedded, extra } = waiting;
        let mut inputs: Vec<InputAsset> = Vec::new();
        for file in &record.input_files {
            let input = self.keeper.input(&self.inputs, file, embedded.get(file).map(Vec::as_slice))?;
            if input.blob.is_none() {
                self.report.note(
                    false,
                    line,
                    format!("{:?}: the input file {file:?} is missing", record.key),
                );
            }
            inputs.push(input);
        }
        for (name, bytes) in extra {
            inputs.push(self.keeper.embedded(&name, &bytes)?);
        }
        let put = match &mut self.import {
            Some(import) => {
                self.keeper.flush()?;
                import.put_prompt(line, &record, &inputs)?
            }
            None => Put::Added,
        };
        if let Put::Conflict(why) = &put {
            self.report.note(true, line, why.clone());
        }
        if put == Put::Added && !record.criteria.is_empty() {
            self.report.count("rubrics", &Put::Added);
        }
        self.report.count("prompts", &put);
        self.since_commit += 1;
        Ok(())
    }

    fn row(&mut self, row: &JudgedRow) -> Result<(), StoreError> {
        let mut assets: Vec<Asset> = Vec::with_capacity(row.assets.len());
        for (position, asset) in row.assets.iter().enumerate() {
            assets.push(self.keeper.asset(
                &self.results,
                u32::try_from(position).unwrap_or(u32::MAX),
                asset,
            )?);
        }
        for asset in &assets {
            let trouble = match asset.state {
                domain::AssetState::Missing => "the captured file is missing",
                domain::AssetState::Mismatch => "the file's size or SHA-256 is not what the run recorded",
                _ => continue,
            };
            self.report.note(
                false,
                row.line,
                format!("{:?}, asset {}: {trouble}", row.prompt_key, asset.position),
            );
        }
        let grades = rubric::scores::grades_of(row);
        for differs in
            rubric::scores::differing_scores(&rubric::scores::scored_row(row, &grades), &row.stored)
        {
            let computed = differs.computed.map_or_else(|| "nothing".to_owned(), |value| value.to_string());
            self.report.note(
                false,
                row.line,
                format!("{:?}: the file says {} = {}, its flags and grades give {computed}; the computed value is used", row.prompt_key, differs.key, differs.stored),
            );
        }
        let put = match &mut self.import {
            Some(import) => {
                self.keeper.flush()?;
                import.put_row(&self.run, row, assets)?
            }
            None => Put::Added,
        };
        if let Put::Conflict(why) = &put {
            self.report.note(true, row.line, why.clone());
        }
        self.report.count(self.kind_of_rows(), &put);
        if !matches!(put, Put::Conflict(_)) {
            self.counted.insert(row.line, (put == Put::Added, row.grades.len() as u64));
        }
        if put == Put::Added {
            *self.report.added.entry("grades".to_owned()).or_default() += row.grades.len() as u64;
        }
        self.since_commit += 1;
        Ok(())
    }

    fn commit(&mut self, next: Position) -> Result<(), StoreError> {
        if self.since_commit < CHUNK {
            return Ok(());
        }
        self.since_commit = 0;
        let report = serde_json::to_value(&self.report).unwrap_or_default();
        match &mut self.import {
            Some(import) => import.commit_chunk(next.offset, next.line, &report),
            None => Ok(()),
        }
    }
}

/// Datasets, result rows, manifests.
fn content(
    lead: &mut LeadView,
    pool: &Arc<Pool>,
    plan: &Plan,
    source: &Source,
    format: &Format,
    cancel: &Cancel,
    progress: &mut dyn FnMut(u64),
) -> Result<wire::ImportedFile, Failure> {
    let beside = source.path.parent().unwrap_or(Path::new(".")).to_owned();
    let folder = beside.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (run, scope) = match format {
        Format::ResultRows(run) => (
            RunFile {
                folder: run.folder.clone(),
                file: run.file_name.clone(),
                variant: run.variant.clone(),
                timestamp: run.timestamp.clone(),
            },
            format!("{}/{}", run.folder, run.file_name),
        ),
        Format::RunManifest => (RunFile { folder: folder.clone(), ..RunFile::default() }, folder),
        _ => (RunFile::default(), String::new()),
    };
    let blobs = lead.blobs();
    let inputs = plan.input_files.clone().unwrap_or_else(|| beside.join("input_files"));
    let begun =
        if plan.dry_run { None } else { Some(lead.begin_import(&import_source(source, format, scope)?)?) };
    let (mut import, start, report) = match begun {
        None => (None, Position::default(), Report::default()),
        Some(Begun::AlreadyDone(report)) => {
            // The files that rows named and that were missing may be there now.
            return Ok(already(report, source, format));
        }
        Some(Begun::Fresh(import)) => (Some(import), Position::default(), Report::default()),
        Some(Begun::Resume { import, offset, line, report }) => {
            (Some(import), Position { offset, line }, serde_json::from_value(report).unwrap_or_default())
        }
    };
    let mut sink = Sink {
        import: import.as_mut(),
        keeper: Keeper::new(pool, (!plan.dry_run).then_some(blobs)),
        run,
        results: beside,
        inputs,
        report,
        waiting: None,
        counted: HashMap::new(),
        since_commit: 0,
        failed: None,
    };
    let options = Options { start, ..Options::default() };
    let read = read::file(pool, &source.path, format, options, cancel, |event| {
        if let Event::Progress { bytes_done, .. } = &event {
            progress(*bytes_done);
        }
        match sink.take(event) {
            Ok(()) if cancel.is_cancelled() => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                sink.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(error) = sink.failed.take() {
        return Err(Failure::from(error).about(&source.path.display().to_string()));
    }
    let read = match read {
        Ok(read) => read,
        // Cancelled by the user: what was committed waits for resuming.
        Err(media::worker::Failure::Cancelled) => return Err(media::worker::Failure::Cancelled.into()),
        Err(failure @ media::worker::Failure::Unavailable { .. }) => return Err(failure.into()),
        // The file as a whole cannot be read: the study is left as it was.
        Err(failure) => {
            if let Some(import) = import {
                import.abandon()?;
            }
            return Ok(only_note(source, name(format), true, &format!("cannot be read: {failure}")));
        }
    };
    sink.settle_prompt()?;
    if read.truncated_last {
        sink.report.note(false, read.lines, "1 incomplete row at the end of the file".to_owned());
    }
    let report = sink.report.clone();
    let value = serde_json::to_value(&report).unwrap_or_default();
    if let Some(import) = import {
        import.complete(read.next.offset, read.next.line, &value)?;
    }
    Ok(report.file(&source.path, name(format)))
}

/// Verdicts and adjudications: read whole first, since which results folder they belong to depends on all of them.
#[expect(clippy::too_many_arguments, reason = "one call, from one place")]
fn verdicts(
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
