//! What the command line does beyond the table: the same work, asked for by path instead of through a session.

use crate::{
    App, Code, Failure, check_agreement, effects, export, files, gamut_scores,
    handlers::person,
    home, import,
    jobs::Job,
    rubric_export, scores,
    units::{self, Computation},
    wire::{self, UnitSet},
};
use ::agreement::{AgreementResult, GroupKey, JudgedUnit, Level, Options, Resampling, Split, Table};
use domain::{Count, Role};
use media::worker::Input;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};
use store::Folder;

mod assign;
mod qualify;

pub use assign::{AssignedReport, AssignedRow, assign};
pub use qualify::{publish_quiz, qualification_rules, state_golds};

/// The sets of units, by name.
pub const SETS: [(UnitSet, &str); 3] = [
    (UnitSet::Produced, "produced"),
    (UnitSet::ProducedInclEvaluatorErrors, "produced_incl_evaluator_errors"),
    (UnitSet::AllExpected, "all_expected"),
];

impl std::str::FromStr for UnitSet {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        SETS.iter().find(|(_, name)| *name == text).map(|(set, _)| *set).ok_or_else(|| {
            format!("{text:?} is no set; the sets are {}", SETS.map(|(_, name)| name).join(", "))
        })
    }
}

/// A path that was made.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Made {
    /// The path.
    pub path: String,
}

/// Makes a study with one person, `lead`.
pub fn new_study(path: &Path, name: Option<&str>) -> Result<Made, Failure> {
    let folder = home::create(path, name)?;
    Ok(Made { path: folder.root().display().to_string() })
}

/// Opens a study as one of its leads: the one named by `ASSIZE_PERSON`, else the first.
pub fn open_as_lead(app: &App, study: &Path) -> Result<(), Failure> {
    home::open(app, study)?;
    let folder = app.with_study(|study| Ok(study.folder.clone()))?;
    let lead = match std::env::var("ASSIZE_PERSON").ok().filter(|name| !name.is_empty()) {
        Some(name) => person(&name)?,
        None => home::lead_of(&folder)?,
    };
    app.begin(&lead, Role::Lead)
}

/// What to import.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Take named files as this format.
    pub format: Option<String>,
    /// Where input files are.
    pub input_files: Option<PathBuf>,
    /// Results folder of verdicts.
    pub folder: Option<String>,
    /// Annotator of a verdict file without that column.
    pub annotator: Option<String>,
    /// Write nothing.
    pub dry_run: bool,
}

/// How far a long work is.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Bytes done.
    pub done: u64,
    /// Bytes in all.
    pub total: u64,
    /// What is being done.
    pub doing: String,
}

/// Imports, telling `progress` how far it is.
pub fn import(
    app: &App,
    options: &ImportOptions,
    progress: &dyn Fn(Progress),
) -> Result<wire::ImportSummary, Failure> {
    let plan = import::Plan {
        paths: options.paths.clone(),
        format: options.format.clone(),
        input_files: options.input_files.clone(),
        folder: options.folder.clone(),
        annotator: options.annotator.clone(),
        dry_run: options.dry_run,
    };
    let job = Job::alone();
    std::thread::scope(|scope| {
        let work = scope.spawn(|| app.lead(|lead| import::run(lead, &app.pool, &plan, &job)));
        while !work.is_finished() {
            let view = job.view();
            progress(Progress { done: view.done.get(), total: view.total.get(), doing: view.doing });
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        work.join().unwrap_or_else(|_| Err(Failure::new(Code::Internal, "the import broke off")))
    })
}

/// Was anything imported, or there already?
pub fn import_succeeded(summary: &wire::ImportSummary) -> bool {
    import::succeeded(summary)
}

/// A format that can be exported.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FormatRow {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub holds: String,
}

/// Names of formats that are no table.
const DATASET: &str = "mmi_dataset";
const FOLDER: &str = "huggingface";

/// Everything that can be exported.
pub fn export_formats() -> Vec<FormatRow> {
    let tables = export::ALL.iter().map(|(_, name, holds)| {
        ((*name).to_owned(), format!("{holds} (CSV; --form jsonl, parquet, markdown or latex)"))
    });
    let others = [
        (DATASET, "prompts with the rubrics in force (MMI dataset, JSONL)"),
        (FOLDER, "the whole study as a folder with dataset card, dictionary and tables (-o FOLDER)"),
    ];
    let others = others.map(|(name, holds)| (name.to_owned(), holds.to_owned()));
    let rubrics = rubric_export::ALL.iter().map(|(_, name, holds)| ((*name).to_owned(), (*holds).to_owned()));
    tables.chain(others).chain(rubrics).map(|(name, holds)| FormatRow { name, holds }).collect()
}

/// What to export, and where to.
#[derive(Debug, Clone)]
pub struct ExportOptions {
    /// The format's name.
    pub format: String,
    /// The form of a table; by the output's ending, else CSV, if none.
    pub form: Option<String>,
    /// The file or folder; the bytes are answered if none.
    pub output: Option<PathBuf>,
    /// Copy input files and assets into a dataset folder?
    pub files: bool,
}

/// Exports; the bytes where no output was named.
pub fn export(app: &App, options: &ExportOptions) -> Result<Option<Vec<u8>>, Failure> {
    let bad = |why: String| Failure::new(Code::BadRequest, why);
    if options.format == FOLDER {
        let folder = options
            .output
            .as_ref()
            .ok_or_else(|| bad(format!("--as {FOLDER} writes a folder: say which with -o FOLDER")))?;
        crate::dataset_folder::write(app, folder, options.files)?;
        return Ok(None);
    }
    let bytes = if let Some(form) = rubric_export::by_name(&options.format) {
        app.sighted(|view| rubric_export::text(view, form))?.into_bytes()
    } else if options.format == DATASET {
        dataset(app)?
    } else {
        let ending = options.output.as_deref().and_then(Path::extension).map(|end| end.to_string_lossy());
        let by_ending = |wanted: &str| {
            formats::TableForm::ENDINGS.iter().find(|(ending, _)| *ending == wanted).map(|(_, form)| *form)
        };
        let form = match options.form.as_deref() {
            Some("markdown") => formats::TableForm::Markdown,
            Some("latex") => formats::TableForm::Latex,
            Some(name) => by_ending(name).ok_or_else(|| {
                bad(format!("--form {name}: no such form; choose csv, jsonl, parquet, markdown or latex"))
            })?,
            None => ending.and_then(|end| by_ending(&end)).unwrap_or(formats::TableForm::Csv),
        };
        export::bytes(&export::table(app, export::by_name(&options.format)?)?, form)?
    };
    match &options.output {
        None => Ok(Some(bytes)),
        Some(path) => {
            export::write(path, &bytes)?;
            Ok(None)
        }
    }
}

/// What a format has no place for, to be said before it is written; nothing for a table.
pub fn export_losses(app: &App, format: &str) -> Result<Vec<wire::LossView>, Failure> {
    match rubric_export::by_name(format) {
        Some(form) => app.sighted(|view| Ok(crate::rubric_forms::shown(rubric_export::losses(view, form)?))),
        None => Ok(Vec::new()),
    }
}

/// The prompts with the rubrics in force, as an MMI dataset.
pub(crate) fn dataset(app: &App) -> Result<Vec<u8>, Failure> {
    let mut records: Vec<domain::PromptRecord> = Vec::new();
    app.sighted(|view| {
        let mut after = String::new();
        loop {
            let page = view.prompts(&after, 500, None)?;
            let Some(last) = page.last() else { break };
            after.clone_from(&last.key);
            records.extend(page.into_iter().map(|prompt| domain::PromptRecord {
                key: prompt.key,
                text: prompt.text,
                input_modalities: prompt.input_modalities,
                gold: prompt.gold,
                input_files: prompt.inputs.into_iter().map(|input| input.name).collect(),
                criteria: Vec::new(),
                beside: domain::BesideCriteria::default(),
                language: Some(prompt.language).filter(|language| language != "und"),
            }));
        }
        let places: HashMap<String, usize> =
            records.iter().enumerate().map(|(at, r)| (r.key.clone(), at)).collect();
        export::each_rubric(view, |prompt, _, criteria| {
            if let Some(record) = places.get(&prompt.key).and_then(|at| records.get_mut(*at)) {
                record.criteria = criteria.to_vec();
            }
        })
    })?;
    let mut out = Vec::new();
    formats::write_dataset(&records, &mut out)?;
    Ok(out)
}

/// Writes the report of a study.
pub fn report(app: &App, request: wire::ReportRequest) -> Result<wire::Exported, Failure> {
    crate::report::write(app, request)
}

/// Lints the rubrics of a study, or one rubric file.
pub fn lint(app: &App, target: &Path) -> Result<rubric::lints::LintReport, Failure> {
    if target.join("study.assize").is_file() {
        open_as_lead(app, target)?;
        let mut report = rubric::lints::LintReport::default();
        app.sighted(|view| {
            export::each_rubric(view, |prompt, _, criteria| {
                let draft =
                    domain::RubricDraft { criteria: criteria.to_vec(), ..domain::RubricDraft::default() };
                let input = rubric::lints::LintInput::from_draft(
                    &draft,
                    Some(&prompt.text),
                    Some(prompt.gold.as_slice()),
                );
                let found = rubric::lints::lint(&input).findings;
                report.findings.extend(found.into_iter().map(|mut finding| {
                    finding.prompt = Some(prompt.key.clone());
                    finding
                }));
            })
        })?;
        return Ok(report);
    }
    let about = |why: String| Failure::new(Code::BadRequest, format!("{}: {why}", target.display()));
    if target.is_dir() {
        return Err(about("this folder is no study".to_owned()));
    }
    // A rubric file is its author's own, not a model's: it is read here.
    let bytes =
        fs::read(target).map_err(|error| Failure::from(error).about(&target.display().to_string()))?;
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let input = serde_json::from_slice(text)
        .map_err(|error| about(format!("line {}: no rubric: {error}", error.line())))?;
    Ok(rubric::lints::lint(&input))
}

/// Compiles a meta-rubric file to its binary checklist. A file that does not compile is no failure of the work asked
/// for here: its diagnostics are the answer.
pub fn compile(file: &Path) -> Result<rubric::compile::Compiled, Failure> {
    // As a rubric file, it is its author's own: it is read here.
    let bytes = fs::read(file).map_err(|error| Failure::from(error).about(&file.display().to_string()))?;
    Ok(rubric::compile::compile_json(&bytes))
}

/// Scores of a study.
pub fn scores(app: &App, judging: Option<String>) -> Result<wire::StudyScores, Failure> {
    let scores = app.sighted(|view| {
        let mut scores = scores::of_study(view, judging.as_deref().unwrap_or_default())?;
        let wanted = wire::GamutRequest { responses: true, ..wire::GamutRequest::default() };
        scores.gamut = Some(gamut_scores::of_study(view, &wanted)?).filter(|gamut| !gamut.is_empty());
        Ok(scores)
    })?;
    if let Some(judging) = judging.filter(|name| !name.is_empty()) {
        let known = |file: &wire::FileScores| scores::normal(&file.variant) == scores::normal(&judging);
        if !scores.runs.values().any(|folder| folder.files.values().any(known)) {
            return Err(Failure::new(
                Code::NotFound,
                format!("--judging {judging}: no result file has this variant"),
            ));
        }
    }
    Ok(scores)
}

/// Agreement of what.
#[derive(Debug, Clone)]
pub enum AgreementSource {
    /// A study.
    Study(PathBuf),
    /// Any units × raters table.
    Table {
        /// The file.
        path: PathBuf,
        /// Level of measurement, if given.
        level: Option<String>,
    },
    /// Finished judgements.
    Triples(PathBuf),
}

/// Between whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// The LLM judge and people.
    JudgeHuman,
    /// People.
    Humans,
}

/// What agreement to compute.
#[derive(Debug, Clone)]
pub struct AgreementOptions {
    /// Of what.
    pub source: AgreementSource,
    /// Between whom; both if none.
    pub between: Option<Between>,
    /// One person or `majority`; everyone if none.
    pub human: Option<String>,
    /// One set; all three if none.
    pub set: Option<UnitSet>,
    /// Results folder; the main one if none.
    pub folder: Option<String>,
    /// Splits; by modality if none.
    pub by: Vec<GroupKey>,
    /// Collapse threshold.
    pub collapse: f64,
    /// Add the sweep?
    pub sweep: bool,
    /// The judging; base files if none.
    pub judging: Option<String>,
    /// Resamples.
    pub resamples: u32,
    /// Seed.
    pub seed: u32,
    /// Prompts or single units are drawn; of a table always units.
    pub resampling: Resampling,
}

/// Agreement.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum AgreementReply {
    /// One result.
    One(Box<AgreementResult>),
    /// A study's.
    Study(Box<StudyAgreement>),
}

/// Agreement in a study: by set and person, and between people.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct StudyAgreement {
    /// The results folder.
    pub folder: String,
    /// By set, then by person (and `majority`).
    pub sets: BTreeMap<String, BTreeMap<String, PersonAgreement>>,
    /// By pair, `A|B`.
    pub human_human: BTreeMap<String, AgreementResult>,
    /// On single checks, the first thousand of them, where people graded responses by their checklists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<wire::ChecksAgreement>,
}

/// Agreement of the judge with one person or the majority.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct PersonAgreement {
    /// Units whose people are evenly split, left out (majority only).
    pub ties: Count,
    /// The figures.
    #[serde(flatten)]
    pub result: AgreementResult,
}

/// Computes agreement.
pub fn agreement(app: &App, options: &AgreementOptions) -> Result<AgreementReply, Failure> {
    if !(options.collapse > 0.0 && options.collapse <= 1.0) {
        return Err(Failure::new(
            Code::BadRequest,
            format!("--collapse {}: give a number above 0 and up to 1", options.collapse),
        ));
    }
    match &options.source {
        AgreementSource::Study(path) => study_agreement(app, path, options),
        AgreementSource::Table { path, level } => table_agreement(app, path, level.as_deref(), options)
            .map(|result| AgreementReply::One(Box::new(result))),
        AgreementSource::Triples(path) => {
            triples_agreement(app, path, options).map(|result| AgreementReply::One(Box::new(result)))
        }
    }
}

fn study_agreement(app: &App, path: &Path, options: &AgreementOptions) -> Result<AgreementReply, Failure> {
    open_as_lead(app, path)?;
    let judging = options.judging.clone().unwrap_or_default();
    let (folder, all) = app.sighted(|view| {
        let folder = units::choose_folder(view, options.folder.as_deref())?.unwrap_or_default();
        // Variants are named in files with their leading underscore.
        let variant =
            if judging.is_empty() { String::new() } else { format!("_{}", scores::normal(&judging)) };
        let mut all = units::of_folder(view, &folder, &variant)?;
        let asked = |key| options.by.contains(&key);
        let (tags, rubrics) = (asked(GroupKey::Tag), asked(GroupKey::RubricVersion));
        crate::traits::add(view, &folder, &variant, &mut all, tags, rubrics)?;
        if options.human.as_deref() == Some(units::SETTLED) {
            crate::traits::add_settlements(view, &folder, &mut all)?;
        }
        Ok((folder, all))
    })?;
    let by = if options.by.is_empty() { vec![GroupKey::Modality] } else { options.by.clone() };
    let how = Computation {
        by,
        collapse: options.collapse,
        sweep: options.sweep,
        resamples: options.resamples,
        seed: options.seed,
        resampling: options.resampling,
    };
    let people = units::people(&all);
    if let Some(human) =
        options.human.as_ref().filter(|human| *human != units::MAJORITY && *human != units::SETTLED)
        && !people.contains(human)
    {
        return Err(Failure::new(
            Code::NotFound,
            format!(
                "--human {human}: nobody of that name has judged in {folder:?}; there are: {}",
                people.join(", ")
            ),
        ));
    }
    if let (Some(human), false) = (&options.human, options.between == Some(Between::Humans)) {
        let (result, _) = units::judge_human(&all, options.set.unwrap_or_default(), human, &how);
        return Ok(AgreementReply::One(Box::new(result)));
    }
    let mut everyone = people;
    everyone.push(units::MAJORITY.to_owned());
    let mut sets = BTreeMap::new();
    if options.between != Some(Between::Humans) {
        for (set, name) in SETS.into_iter().filter(|(set, _)| options.set.is_none_or(|wanted| wanted == *set))
        {
            let of = everyone.iter().map(|human| {
                let (result, ties) = units::judge_human(&all, set, human, &how);
                (human.clone(), PersonAgreement { ties: ties.into(), result })
            });
            sets.insert(name.to_owned(), of.collect());
        }
    }
    let human_human = if options.between == Some(Between::JudgeHuman) {
        BTreeMap::new()
    } else {
        units::pairs(&all, &how).into_iter().map(|(pair, (_, _, result))| (pair, result)).collect()
    };
    let request = wire::ChecksRequest { limit: Some(1000), ..wire::ChecksRequest::default() };
    let checks = app.sighted(|view| check_agreement::of_folder(view, &folder, &request, &how.options()))?;
    let checks = Some(checks).filter(|checks| checks.total.get() > 0);
    Ok(AgreementReply::Study(Box::new(StudyAgreement { folder, sets, human_human, checks })))
}

fn table_agreement(
    app: &App,
    path: &Path,
    level: Option<&str>,
    options: &AgreementOptions,
) -> Result<AgreementResult, Failure> {
    let about = |why: String| Failure::new(Code::BadRequest, format!("{}: {why}", path.display()));
    let ratings: formats::RatingTable = app
        .pool
        .look("ratings", &(), Input::Path(path.to_owned()))
        .map_err(|failure| worker_about(failure, path))?;
    let level: Level = match level.or(ratings.level.as_deref()) {
        None => Level::Nominal,
        Some(level) => level.parse().map_err(about)?,
    };
    let text = |rating: &formats::Rating| match rating {
        formats::Rating::Number(n) => n.to_string(),
        formats::Rating::Text(text) => text.clone(),
    };
    let rows: Vec<Vec<Option<String>>> =
        ratings.rows.iter().map(|row| row.iter().map(|cell| cell.as_ref().map(text)).collect()).collect();
    let categories: Option<Vec<String>> =
        ratings.categories.as_ref().map(|all| all.iter().map(text).collect());
    let table =
        Table::from_labels(level, categories.as_deref(), &rows).map_err(|error| about(error.to_string()))?;
    let how = Options {
        resamples: options.resamples,
        seed: u64::from(options.seed),
        resampling: Resampling::Units,
    };
    let mut result = ::agreement::table_agreement(&table, None, &[], &how);
    if let Some(positive) = ratings.positive.as_ref().map(text) {
        let place = table.categories().iter().position(|category| *category == positive);
        let place = place.ok_or_else(|| {
            about(format!("the positive label {positive:?} is none of the categories; name one of them"))
        })?;
        // Both indices are differences of what the first category and the second got.
        if place > 0 {
            for index in [&mut result.numbers.prevalence, &mut result.numbers.bias].into_iter().flatten() {
                *index = 0.0 - *index;
            }
        }
    }
    Ok(result)
}

fn worker_about(failure: media::worker::Failure, path: &Path) -> Failure {
    Failure::from(failure).about(&path.display().to_string())
}

fn triples_agreement(app: &App, path: &Path, options: &AgreementOptions) -> Result<AgreementResult, Failure> {
    let triples = import::triples(&app.pool, path)?;
    let mut clusters: HashMap<&str, u32> = HashMap::new();
    let rows: Vec<JudgedUnit<'_>> = triples
        .iter()
        .map(|triple| {
            let next = u32::try_from(clusters.len()).unwrap_or(u32::MAX);
            JudgedUnit {
                cluster: *clusters.entry(triple.prompt_id.as_str()).or_insert(next),
                scores: &triple.criterion_scores,
                human: Some(triple.human_verdict),
            }
        })
        .collect();
    let by: Vec<Split> = options
        .by
        .iter()
        .map(|key| match key {
            GroupKey::Modality => {
                Ok(Split::single(*key, triples.iter().map(|t| t.modality.name().to_owned())))
            }
            GroupKey::Model => Ok(Split::single(*key, triples.iter().map(|t| t.model.clone()))),
            other => Err(Failure::new(
                Code::BadRequest,
                format!("--by {}: a file of triples does not say", other.name()),
            )),
        })
        .collect::<Result<_, _>>()?;
    let how = Options {
        resamples: options.resamples,
        seed: u64::from(options.seed),
        resampling: options.resampling,
    };
    Ok(::agreement::judge_human_agreement(&rows, &by, options.collapse, options.sweep, &how))
}

/// What each criterion does to agreement: in a study, or in a file of finished judgements.
pub fn criteria(
    app: &App,
    study: Option<&Path>,
    triples: Option<&Path>,
    filter: wire::UnitFilter,
) -> Result<wire::CriterionEffectsView, Failure> {
    if let Some(path) = triples {
        let effects = effects::of_triples(&import::triples(&app.pool, path)?);
        return Ok(wire::CriterionEffectsView { folder: String::new(), effects });
    }
    let study = study
        .ok_or_else(|| Failure::new(Code::BadRequest, "criteria of what? Name a study or --triples FILE"))?;
    open_as_lead(app, study)?;
    crate::call::criterion_effects(app, filter)
}

/// Checks a study, and mends what can be mended if `repair`.
pub fn check(study: &Path, repair: bool) -> Result<files::CheckReport, Failure> {
    let folder = Folder::open(study, None)?;
    let report = if repair { folder.repair()? } else { folder.check()? };
    Ok(files::CheckReport {
        statements: report.statements.into(),
        blobs: report.blobs.into(),
        problems: report
            .problems
            .into_iter()
            .map(|problem| files::CheckProblem {
                severity: match problem.severity {
                    store::Severity::Damage => "damage",
                    store::Severity::Warning => "warning",
                }
                .to_owned(),
                file: problem.file,
                what: problem.what,
                advice: problem.advice,
            })
            .collect(),
    })
}

/// A consistent copy of a study, which may be open.
pub fn backup(study: &Path, output: &Path) -> Result<Made, Failure> {
    let target = home::with_ending(output);
    Folder::open(study, None)?.backup(&target, |_| Ok(()))?;
    Ok(Made { path: target.display().to_string() })
}

mod guidelines;
pub use guidelines::{GuidelinesOptions, guidelines};

/// What is known of files, however broken they are. What is no file at all is an error, before anything is read.
pub fn probe(app: &App, paths: &[PathBuf]) -> Result<Vec<media::Probe>, Failure> {
    if let Some(missing) = paths.iter().find(|path| !path.is_file()) {
        let why = if missing.exists() { "is no file" } else { "there is no such file" };
        return Err(Failure::new(Code::NotFound, format!("{}: {why}", missing.display())));
    }
    paths.iter().map(|path| Ok(media::probe(&app.pool, path, &path.display().to_string())?)).collect()
}

/// The text of a document.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DocumentText {
    /// The text.
    pub text: String,
    /// What of the document is not in it, in words.
    #[serde(skip)]
    pub missing: Vec<String>,
}

/// The text of a document.
pub fn document_text(app: &App, path: &Path) -> Result<DocumentText, Failure> {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let found = media::text(&app.pool, Input::Path(path.to_owned()), &name)
        .map_err(|failure| worker_about(failure, path))?;
    let mut missing = Vec::new();
    if found.truncated {
        missing.push(format!("{}: the document goes on; only its beginning was read", path.display()));
    }
    if !found.unread_pages.is_empty() {
        let pages: Vec<String> = found.unread_pages.iter().map(u32::to_string).collect();
        missing.push(format!("{}: no text could be read of page {}", path.display(), pages.join(", ")));
    }
    Ok(DocumentText { text: found.text, missing })
}

/// The waveform of a sound.
pub fn peaks(app: &App, path: &Path, columns: u32) -> Result<media::Waveform, Failure> {
    media::peaks(&app.pool, Input::Path(path.to_owned()), columns)
        .map_err(|failure| worker_about(failure, path))
}

/// A thumbnail that was written.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Thumbnail {
    /// The PNG.
    pub path: String,
    /// Its length.
    pub bytes: Count,
    /// In pixels, upright.
    pub width: Count,
    /// In pixels, upright.
    pub height: Count,
}

/// Writes a small PNG of a picture, upright.
pub fn thumbnail(app: &App, path: &Path, output: &Path) -> Result<Thumbnail, Failure> {
    let png = media::thumbnail(&app.pool, Input::Path(path.to_owned()), 512)
        .map_err(|failure| worker_about(failure, path))?;
    export::write(output, &png)?;
    // The head of a PNG says its size in these places.
    let side = |at: usize| {
        let bytes = png.get(at..at + 4).and_then(|n| n.try_into().ok());
        Count::from(u64::from(u32::from_be_bytes(bytes.unwrap_or_default())))
    };
    Ok(Thumbnail {
        path: output.display().to_string(),
        bytes: png.len().into(),
        width: side(16),
        height: side(20),
    })
}
