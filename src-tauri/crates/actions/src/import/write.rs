//! One file into the study: begin or resume, put every record, commit in chunks, complete.

use super::{
    Plan, Source, against,
    assets::{self, Keeper},
    read,
    report::{Missing, Report, already, import_source, name, only_note},
    rubric_files::{self, Known},
    triples, verdicts,
};
use crate::{Failure, rubric_forms, wire};
use domain::{Asset, ImportedCheckGrade, InputAsset, JudgedRow, PromptRecord};
use formats::{Event, Format, Options, Position};
use media::worker::{Cancel, Pool};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};
use store::{Begun, Import, LeadView, Put, RunFile, StoreError};

/// Records in a chunk; a chunk is also closed at every progress event of the reader.
const CHUNK: u64 = 500;

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
    if let Some(why) = &source.unreadable {
        return Ok(only_note(source, "", true, &format!("cannot be opened: {why}")));
    }
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
        Format::Triples => triples::file(lead, pool, plan, source, cancel, progress),
        Format::HumanVerdicts | Format::Adjudications => {
            verdicts::file(lead, pool, plan, source, format, all, cancel, progress)
        }
        _ => content(lead, pool, plan, source, format, cancel, progress),
    }
}

/// What the reader's events are put into.
pub(super) struct Sink<'a, 'i> {
    pub(super) import: Option<&'a mut Import<'i>>,
    pub(super) keeper: Keeper<'a>,
    run: RunFile,
    pub(super) results: PathBuf,
    inputs: PathBuf,
    pub(super) report: Report,
    waiting: Option<Waiting>,
    /// The prompts that rubrics of a rubric file can be for.
    known: Known,
    /// What rows of this file are counted as: a variant judges the same responses again.
    rows: &'static str,
    /// Questions without a checklist, or samples that are not there, that were spoken of.
    pub(super) unknown: BTreeSet<String>,
    /// Rows by their line: was it new, and how many grades has it?
    pub(super) counted: HashMap<u64, (bool, u64)>,
    pub(super) since_commit: u64,
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
            Event::Rubric { line, record } => self.rubric(line, &record)?,
            Event::CheckGrade { line, grade } => self.check_grade(line, &grade)?,
            Event::Lost(loss) => self.report.note(false, 0, rubric_files::said(&loss)),
            Event::Manifest(manifest) => {
                let value = serde_json::to_value(&*manifest).unwrap_or_default();
                if let Some(import) = &mut self.import {
                    let put = import.put_manifest(&self.run.folder, &manifest.run_timestamp, &value)?;
                    self.report.count("manifests", &put);
                } else {
                    self.report.count("manifests", &Put::Added);
                }
            }
            Event::Sample { line, sample } => self.sample(line, *sample)?,
            Event::Prediction { line, prediction } => self.prediction(line, &prediction)?,
            Event::Rejected { line, why } => self.report.note(true, line, why),
            Event::Warning { line, why } => self.report.note(false, line, why),
            Event::Superseded { line, by, key } => {
                if let Some(counted) = self.counted.remove(&line) {
                    self.report.uncount(self.rows, counted);
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
                self.report.missing.insert(Missing::Input(file.clone()));
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
        } else if let Some(import) = &self.import {
            for why in against::rows(import, &record)? {
                self.report.note(false, line, why);
            }
        }
        if put == Put::Added && !record.criteria.is_empty() {
            self.report.count("rubrics", &Put::Added);
        }
        self.report.count("prompts", &put);
        self.since_commit += 1;
        Ok(())
    }

    /// A sample, with the images that lie beside its file.
    /// A rubric without responses: a new version for its prompt, or a prompt of its own.
    fn rubric(&mut self, line: u64, record: &formats::rubrics::RubricRecord) -> Result<(), StoreError> {
        let mut record = record.clone();
        let meta_rubric = match rubric_forms::compile(&mut record) {
            Ok(meta_rubric) => meta_rubric,
            Err(why) => {
                self.report.note(true, line, why);
                return Ok(());
            }
        };
        let record = &record;
        for note in &record.contradictions {
            let text: String = note.text.chars().take(120).collect();
            self.report.note(
                false,
                line,
                format!(
                    "kept as a note for its author with its points ({}), not graded: {text:?}",
                    note.points
                ),
            );
        }
        let (fitted, inputs) = match self.known.fit(line, record) {
            Ok(fitted) => fitted,
            Err(why) => {
                self.report.note(true, line, why);
                return Ok(());
            }
        };
        let put = match &mut self.import {
            Some(import) => import.put_prompt(line, &fitted, &inputs)?,
            None => Put::Added,
        };
        if let Put::Conflict(why) = &put {
            self.report.note(true, line, why.clone());
        }
        self.report.count("rubrics", &put);
        // A checklist is kept as it is, with tiers and thresholds, beside the criteria of text that it comes to.
        if !record.checks.is_empty() {
            let put = match &mut self.import {
                Some(import) => {
                    import.put_checklist(line, &fitted.key, &record.checks, meta_rubric.as_ref())?
                }
                None => Put::Added,
            };
            self.report.count("checklists", &put);
        }
        self.since_commit += 1;
        Ok(())
    }

    /// A verdict on a check. Its question may still come: grades of one without a checklist wait for it.
    fn check_grade(&mut self, line: u64, grade: &ImportedCheckGrade) -> Result<(), StoreError> {
        let put = match &mut self.import {
            Some(import) => {
                if !self.unknown.contains(&grade.question) && !import.has_checklist(&grade.question)? {
                    self.unknown.insert(grade.question.clone());
                    let key: String = grade.question.chars().take(80).collect();
                    self.report.note(
                        false,
                        line,
                        format!("the study has no checklist for question {key:?} yet; its grades count once there is one"),
                    );
                }
                import.put_check_grade(line, grade)?
            }
            None => Put::Added,
        };
        self.report.count(self.rows, &put);
        self.counted.insert(line, (put == Put::Added, 0));
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
                domain::AssetState::Missing => {
                    let tail =
                        row.assets.get(asset.position as usize).and_then(|recorded| recorded.tail.clone());
                    self.report.missing.extend(tail.map(Missing::Asset));
                    "the captured file is missing"
                }
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
        if let Some(import) = &self.import {
            for why in against::prompt(import, row)? {
                self.report.note(false, row.line, why);
            }
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
        self.report.count(self.rows, &put);
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

/// Begins the import of a file, once more when files that were missing the last time are there now.
fn begin<'l>(
    lead: &'l LeadView,
    source: &Source,
    format: &Format,
    scope: &str,
    results: &Path,
    inputs: &Path,
) -> Result<Begun<'l>, Failure> {
    let mut source = import_source(source, format, scope.to_owned())?;
    for again in 1.. {
        let Some(report) = lead.import_report(&source)? else { break };
        let report: Report = serde_json::from_value(report).unwrap_or_default();
        let found = report.missing.iter().any(|missing| match missing {
            Missing::Input(name) => assets::input_file(inputs, name).is_some(),
            Missing::Asset(tail) => assets::asset_file(results, tail).is_some(),
        });
        if !found {
            break;
        }
        source.scope = format!("{scope}\nfiles found later, {again}");
    }
    Ok(lead.begin_import(&source)?)
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
    let known = if matches!(format, Format::Rubrics(_)) { Known::of(lead)? } else { Known::default() };
    let inputs = plan.input_files.clone().unwrap_or_else(|| beside.join("input_files"));
    let begun =
        if plan.dry_run { None } else { Some(begin(lead, source, format, &scope, &beside, &inputs)?) };
    let (mut import, start, report) = match begun {
        None => (None, Position::default(), Report::default()),
        Some(Begun::AlreadyDone(report)) => return Ok(already(report, source, format)),
        Some(Begun::Fresh(import)) => (Some(import), Position::default(), Report::default()),
        Some(Begun::Resume { import, offset, line, report }) => {
            (Some(import), Position { offset, line }, serde_json::from_value(report).unwrap_or_default())
        }
    };
    let rows = match format {
        Format::CheckGrades => "check_grades",
        Format::Predictions => "predictions",
        _ if run.variant.is_empty() => "responses",
        _ => "gradings",
    };
    let mut sink = Sink {
        rows,
        unknown: BTreeSet::new(),
        import: import.as_mut(),
        keeper: Keeper::new(pool, (!plan.dry_run).then_some(blobs)),
        run,
        results: match (&plan.input_files, format) {
            (Some(images), Format::Samples) => images.clone(),
            _ => beside,
        },
        inputs,
        report,
        waiting: None,
        known,
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
    let Sink { mut report, run, .. } = sink;
    if let Some(import) = &import {
        let whole = match format {
            Format::ResultRows(_) => against::dataset(import, &run)?,
            Format::DatasetJsonl | Format::DatasetParquet => against::runs(import)?,
            _ => Vec::new(),
        };
        for why in whole {
            report.note(false, 0, why);
        }
    }
    let value = serde_json::to_value(&report).unwrap_or_default();
    if let Some(import) = import {
        import.complete(read.next.offset, read.next.line, &value)?;
    }
    Ok(report.file(&source.path, name(format)))
}
