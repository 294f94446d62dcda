//! What an import says of a file: counted and noted while it is put, kept in the study, said again.

use super::Source;
use crate::{Failure, wire};
use formats::{Format, rubrics::RubricFormat};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};
use store::{ImportSource, Put};

/// Notes kept per file and kind; the rest is counted.
const NOTES: usize = 1_000;

/// A file that a row named and that was not there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Missing {
    /// An input file of a prompt, by its name.
    Input(String),
    /// An asset of a response, by the rebased tail of its recorded path.
    Asset(String),
}

/// What is kept of an import in the study, so that importing again can say it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Report {
    pub added: BTreeMap<String, u64>,
    pub unchanged: u64,
    rejected: Vec<(u64, String)>,
    warnings: Vec<(u64, String)>,
    more: u64,
    /// Files that rows named and that were not there, each below the folder it was looked for in.
    #[serde(default)]
    pub missing: BTreeSet<Missing>,
}

impl Report {
    pub fn count(&mut self, kind: &str, put: &Put) {
        match put {
            Put::Added => *self.added.entry(kind.to_owned()).or_default() += 1,
            Put::Unchanged => self.unchanged += 1,
            Put::Conflict(_) => {}
        }
    }
    /// Takes back what was counted for a row that a later one of the same file replaces.
    pub fn uncount(&mut self, kind: &str, (added, grades): (bool, u64)) {
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
    /// A warning, if there is one.
    pub fn note_some(&mut self, line: u64, why: Option<String>) {
        if let Some(why) = why {
            self.note(false, line, why);
        }
    }
    pub fn note(&mut self, rejected: bool, line: u64, why: String) {
        let list = if rejected { &mut self.rejected } else { &mut self.warnings };
        if list.len() < NOTES { list.push((line, why)) } else { self.more += 1 }
    }
    pub fn file(self, path: &Path, format: &str) -> wire::ImportedFile {
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
pub(super) fn name(format: &Format) -> &'static str {
    match format {
        Format::DatasetJsonl => "dataset_jsonl",
        Format::DatasetParquet => "dataset_parquet",
        Format::ResultRows(_) => "result_rows",
        Format::RunManifest => "run_manifest",
        Format::Summary => "summary",
        Format::HumanVerdicts => "human_verdicts",
        Format::Adjudications => "adjudications",
        Format::Triples => "triples",
        Format::Samples => "samples",
        Format::Predictions => "predictions",
        Format::CheckGrades => "check_grades",
        Format::Rubrics(found) => match found.rubrics {
            RubricFormat::Mmi => "rubrics_mmi",
            RubricFormat::Ueval => "rubrics_ueval",
            RubricFormat::Gamut => "rubrics_gamut",
            RubricFormat::MetaRubric => "meta_rubrics",
            RubricFormat::HealthBench => "rubrics_healthbench",
            RubricFormat::Autorubric => "rubrics_autorubric",
            RubricFormat::ResearchRubrics => "rubrics_researchrubrics",
            RubricFormat::Csv => "rubrics_csv",
        },
        Format::MainConfig => "main_config",
        Format::Archive => "archive",
    }
}

pub(super) fn only_note(source: &Source, format: &str, rejected: bool, why: &str) -> wire::ImportedFile {
    let mut report = Report::default();
    report.note(rejected, 0, why.to_owned());
    report.file(&source.path, format)
}

pub(super) fn import_source(
    source: &Source,
    format: &Format,
    scope: String,
) -> Result<ImportSource, Failure> {
    Ok(ImportSource {
        sha256: store::hash_file(&source.path)?.0,
        format: name(format).to_owned(),
        scope,
        path: source.path.display().to_string(),
        options: serde_json::Value::Null,
    })
}

pub(super) fn already(value: serde_json::Value, source: &Source, format: &Format) -> wire::ImportedFile {
    let mut report: Report = serde_json::from_value(value).unwrap_or_default();
    report.unchanged += std::mem::take(&mut report.added).values().sum::<u64>();
    report.file(&source.path, name(format))
}
