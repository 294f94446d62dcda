//! What can be asked for on the command line.

use actions::{
    Failure,
    command_line::{AgreementOptions, AgreementSource, Between},
};
use clap::{Parser, Subcommand, ValueEnum};
use domain::{ItemKind, Role};
use std::path::PathBuf;

pub use crate::qualify::QualifyCommand;

/// Trustworthy multimodal benchmarks: rubrics, blind verdicts, agreement.
#[derive(Parser)]
#[command(name = "assize", version, propagate_version = true, arg_required_else_help = true)]
pub struct Args {
    /// Print one JSON value and nothing else.
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Make a study folder.
    New {
        /// The folder; `.assize` is added if missing.
        study: PathBuf,
        /// Its name.
        #[arg(long)]
        name: Option<String>,
    },
    /// Import files and folders, each recognised by its content, once however often it is given.
    Import {
        /// The study.
        study: PathBuf,
        /// Files and folders.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Take each file as this format instead of recognising it.
        #[arg(long = "as")]
        format: Option<String>,
        /// Where input files are, if not in `input_files` beside the dataset.
        #[arg(long)]
        input_files: Option<PathBuf>,
        /// The results folder that verdict and adjudication files belong to.
        #[arg(long)]
        folder: Option<String>,
        /// The annotator of a verdict file without that column.
        #[arg(long)]
        annotator: Option<String>,
        /// Read and report, write nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Write a format; `--as list` lists them.
    Export {
        /// The study.
        study: Option<PathBuf>,
        /// The format.
        #[arg(long = "as", visible_alias = "format")]
        format: String,
        /// The form of a table: csv, jsonl, parquet, markdown, latex; by the file's ending, else csv, if none.
        #[arg(long)]
        form: Option<String>,
        /// The file or folder; stdout if none.
        #[arg(short, long)]
        output: Option<PathBuf>,
        /// Copy input files and assets into a dataset folder.
        #[arg(long)]
        files: bool,
    },
    /// Lint the rubrics of a study, or one rubric file.
    Lint {
        /// A study or an MMI rubric.
        target: PathBuf,
    },
    /// Compile a meta-rubric to its binary checklist.
    Compile {
        /// A meta-rubric (JSON).
        file: PathBuf,
        /// The file to write the checklist to; stdout if none.
        #[arg(short, long)]
        output: Option<PathBuf>,
    },
    /// The results tables.
    Score {
        /// The study.
        study: PathBuf,
        /// Only this table.
        #[arg(long)]
        table: Option<ScoreTable>,
        /// The judging that makes `overall`: a variant such as `rejudged`; the base files if none.
        #[arg(long)]
        judging: Option<String>,
    },
    /// Whose criterion: what each criterion does to agreement, and what dropping it or another threshold would do.
    Criteria {
        /// The study.
        #[arg(required_unless_present = "triples", conflicts_with = "triples")]
        study: Option<PathBuf>,
        /// A JSONL of finished judgements instead of a study.
        #[arg(long)]
        triples: Option<PathBuf>,
        /// One person, `majority`, or `settled`.
        #[arg(long)]
        human: Option<String>,
        /// The results folder.
        #[arg(long)]
        folder: Option<String>,
        /// produced, produced_incl_evaluator_errors or all_expected.
        #[arg(long)]
        set: Option<String>,
    },
    /// How a set that is curated stands: by task, person and round.
    Curation {
        /// The study.
        study: PathBuf,
        /// Which items: sample, prompt or rubric.
        #[arg(long)]
        items: Option<ItemKind>,
    },
    /// Agreement of the LLM judge with people, and between people.
    Agreement(AgreementArgs),
    /// One self-contained page: methods, tables, plots, exclusions, and what it takes to do it again.
    Report {
        /// The study.
        study: PathBuf,
        /// The page (HTML).
        #[arg(short, long)]
        output: PathBuf,
        /// The results folder; the main one if none.
        #[arg(long)]
        folder: Option<String>,
        /// The judge says correct iff every criterion reaches this.
        #[arg(long, default_value_t = 1.0)]
        collapse: f64,
        /// Resamples of the bootstrap; 0 = no interval.
        #[arg(long, default_value_t = 10_000)]
        resamples: u32,
        /// Seed of the bootstrap.
        #[arg(long, default_value_t = 1)]
        seed: u32,
    },
    /// Make assignments from a plan.
    Assign {
        /// The study.
        study: PathBuf,
        /// The plan (JSON).
        #[arg(long)]
        plan: PathBuf,
    },
    /// Who is qualified for what; the quiz, known answers, and decisions by hand.
    Qualify {
        #[command(subcommand)]
        command: QualifyCommand,
    },
    /// Show a study's guidelines for judges, or publish new ones.
    Guidelines {
        /// The study.
        study: PathBuf,
        /// The new text (Markdown). Its head may say the study's rules.
        file: Option<PathBuf>,
        /// When a verdict needs a comment: always, incorrect, never.
        #[arg(long, value_parser = ["always", "incorrect", "never"])]
        comments: Option<String>,
        /// How much of each sound and video must have been played, percent.
        #[arg(long, value_parser = clap::value_parser!(u8).range(0..=100))]
        least_played: Option<u8>,
        /// How many of each document's pages must have been seen, percent.
        #[arg(long, value_parser = clap::value_parser!(u8).range(0..=100))]
        least_pages: Option<u8>,
        /// How far down an answer's text must have been in view, percent.
        #[arg(long, value_parser = clap::value_parser!(u8).range(0..=100))]
        least_text: Option<u8>,
        /// How long each picture must have been in view, seconds.
        #[arg(long, value_parser = clap::value_parser!(u8).range(0..=60))]
        least_picture: Option<u8>,
        /// Have everything judged again that was judged under older ones.
        #[arg(long)]
        ask_again: bool,
    },
    /// Pack what a person may see into one sealed file; in a package, the work that goes back.
    Pack {
        /// The study; or a package, or the folder that it was unsealed into.
        study: PathBuf,
        /// For whom; a package knows.
        #[arg(long = "for")]
        person: Option<String>,
        /// judge or author; a package knows.
        #[arg(long)]
        role: Option<Role>,
        /// Seal it to this public key (`assize key` on the person's device) instead of a passphrase.
        #[arg(long)]
        key: Option<String>,
        /// The file.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// This device's public key, to which packages for it can be sealed.
    Key,
    /// Unseal a package into a study folder of its own, and print its path.
    Open {
        /// The package.
        package: PathBuf,
    },
    /// Take packages back in, exactly once, in any order.
    Merge {
        /// The study.
        study: PathBuf,
        /// The packages.
        #[arg(required = true)]
        packages: Vec<PathBuf>,
    },
    /// Look for what a person must not reach.
    Leaks {
        /// The study; or a package, or the folder that it was unsealed into.
        study: PathBuf,
        /// Whom.
        #[arg(long = "for")]
        person: String,
        /// Look into this package of the study instead of the person's session.
        #[arg(long)]
        package: Option<PathBuf>,
    },
    /// Verify chains, signatures, hashes, indexes and blobs.
    Check {
        /// The study.
        study: PathBuf,
        /// Mend what can be mended without losing anything.
        #[arg(long)]
        repair: bool,
    },
    /// A consistent copy, while the study may be open.
    Backup {
        /// The study.
        study: PathBuf,
        /// The copy, a study folder.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// What the app knows of a media file.
    Media {
        #[command(subcommand)]
        command: MediaCommand,
    },
    /// Completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Parse what is not trusted, at another process's request (internal).
    #[command(hide = true)]
    Worker,
}

#[derive(Subcommand)]
pub enum MediaCommand {
    /// Kind, size, duration, pages, problems.
    Probe {
        /// The files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Its text.
    Text {
        /// The file.
        file: PathBuf,
    },
    /// The waveform of a sound.
    Peaks {
        /// The file.
        file: PathBuf,
        /// How many columns.
        #[arg(long, default_value_t = 1000)]
        columns: u32,
    },
    /// A small PNG.
    Thumb {
        /// The file.
        file: PathBuf,
        /// The PNG.
        #[arg(short, long)]
        output: PathBuf,
    },
}

/// A table of `score`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScoreTable {
    /// Modality presence (MPS).
    Presence,
    /// MMI Value.
    Mmi,
    /// Accuracy and consistency on the samples of an interaction benchmark.
    Interaction,
    /// Scores by checklists (GAMUT).
    Gamut,
}

/// Arguments of `agreement`.
#[derive(clap::Args)]
pub struct AgreementArgs {
    /// The study.
    #[arg(required_unless_present_any = ["table", "triples"], conflicts_with_all = ["table", "triples"])]
    study: Option<PathBuf>,
    /// Any units × raters table (CSV or JSON) instead of a study.
    #[arg(long, conflicts_with = "triples")]
    table: Option<PathBuf>,
    /// A JSONL of finished judgements instead of a study.
    #[arg(long)]
    triples: Option<PathBuf>,
    /// Level of measurement of a table.
    #[arg(long)]
    level: Option<String>,
    /// `judge,human` or `humans`.
    #[arg(long)]
    between: Option<String>,
    /// One person, `majority`, or `settled`: what auditors settled, else the majority.
    #[arg(long)]
    human: Option<String>,
    /// produced, produced_incl_evaluator_errors or all_expected.
    #[arg(long)]
    set: Option<String>,
    /// The results folder.
    #[arg(long)]
    folder: Option<String>,
    /// Split by modality, model, annotator, tag, detection_route, rubric_version.
    #[arg(long, value_delimiter = ',')]
    by: Vec<String>,
    /// The judge says correct iff every criterion reaches this.
    #[arg(long, default_value_t = 1.0)]
    collapse: f64,
    /// Add the threshold sweep.
    #[arg(long)]
    sweep: bool,
    /// The judging whose grades are used: a variant such as `rejudged`; the base files if none.
    #[arg(long)]
    judging: Option<String>,
    /// Resamples of the bootstrap; 0 = no interval.
    #[arg(long, default_value_t = 10_000)]
    resamples: u32,
    /// Seed of the bootstrap.
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// What the bootstrap draws: `prompts`, since responses to one are not independent, or single `units`.
    #[arg(long, default_value = "prompts")]
    draw: String,
}

impl AgreementArgs {
    /// The same, checked.
    pub fn options(self) -> Result<AgreementOptions, Failure> {
        let bad = |why: String| Failure::new(actions::Code::BadRequest, why);
        let source = match (self.study, self.table, self.triples) {
            (_, Some(path), _) => AgreementSource::Table { path, level: self.level },
            (_, _, Some(path)) => AgreementSource::Triples(path),
            (Some(path), ..) => AgreementSource::Study(path),
            _ => {
                return Err(
                    bad("agreement of what? Name a study, --table FILE or --triples FILE".to_owned()),
                );
            }
        };
        let between = match self.between.as_deref() {
            None => None,
            Some("judge,human" | "human,judge") => Some(Between::JudgeHuman),
            Some("humans") => Some(Between::Humans),
            Some(other) => return Err(bad(format!("--between {other:?}: write judge,human or humans"))),
        };
        let resampling = match self.draw.as_str() {
            "prompts" => agreement::Resampling::Clusters,
            "units" => agreement::Resampling::Units,
            other => return Err(bad(format!("--draw {other:?}: write prompts or units"))),
        };
        Ok(AgreementOptions {
            source,
            between,
            human: self.human,
            set: self.set.as_deref().map(str::parse).transpose().map_err(bad)?,
            folder: self.folder,
            by: self.by.iter().map(|key| key.parse()).collect::<Result<_, String>>().map_err(bad)?,
            collapse: self.collapse,
            sweep: self.sweep,
            judging: self.judging,
            resamples: self.resamples,
            seed: self.seed,
            resampling,
        })
    }
}
