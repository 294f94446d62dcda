//! Which files there are, what each is, and in which order they go in.

use super::{Plan, Source};
use crate::{Code, Failure, worker::Recognise};
use formats::{Format, RubricFile, RunFile, rubrics::RubricFormat};
use media::worker::{Cancel, Input, Pool};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The files of a plan, recognised and ordered. Folders are walked without following links; files of assets and
/// inputs are left to the rows that name them.
pub(super) fn sources(pool: &Pool, plan: &Plan, cancel: &Cancel) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for path in &plan.paths {
        let found = std::fs::metadata(path)
            .map_err(|error| Failure::from(error).about(&path.display().to_string()))?;
        if found.is_dir() {
            for entry in WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(|entry| {
                entry.depth() == 0
                    || !(entry.file_type().is_dir() && holds_media(&entry.file_name().to_string_lossy()))
            }) {
                if cancel.is_cancelled() {
                    return Ok(sources);
                }
                let entry = entry.map_err(|error| Failure::new(Code::NotFound, error.to_string()))?;
                if entry.file_type().is_file() {
                    sources.push(source(pool, plan, entry.into_path(), false)?);
                }
            }
        } else {
            sources.push(source(pool, plan, path.clone(), true)?);
        }
    }
    sources.sort_by_key(|source| rank(source.format.as_ref()));
    Ok(sources)
}

/// Folders that hold what rows name, not files to import.
fn holds_media(name: &str) -> bool {
    name.ends_with("_assets") || name == "input_files" || name.ends_with(".assize") || name.starts_with('.')
}

fn source(pool: &Pool, plan: &Plan, path: PathBuf, named: bool) -> Result<Source, Failure> {
    let path = std::fs::canonicalize(&path).unwrap_or(path);
    let bytes = std::fs::metadata(&path).map_or(0, |found| found.len());
    if let Err(error) = std::fs::File::open(&path) {
        return Ok(Source { path, format: None, bytes, unreadable: Some(error.to_string()) });
    }
    let format = match plan.format.as_deref().filter(|_| named) {
        Some(name) => Some(forced(name, &path)?),
        // A table with a column of texts may be anything; one that was found by walking a folder is left alone.
        None => recognise(pool, &path)?.filter(|found| named || !is_any_table(found)),
    };
    Ok(Source { path, format, bytes, unreadable: None })
}

const fn is_any_table(format: &Format) -> bool {
    matches!(format, Format::Rubrics(RubricFile { rubrics: RubricFormat::Csv }))
}

fn recognise(pool: &Pool, path: &Path) -> Result<Option<Format>, Failure> {
    let asked = pool.look("recognise", &Recognise { path: path.to_owned() }, Input::Path(path.to_owned()));
    match asked {
        Ok(format) => Ok(format),
        Err(failure @ media::worker::Failure::Unavailable { .. }) => Err(failure.into()),
        // A file that brings its reader down is no known format; the rest of the folder still is.
        Err(_) => Ok(None),
    }
}

fn forced(name: &str, path: &Path) -> Result<Format, Failure> {
    let text = |part: Option<&std::ffi::OsStr>| {
        part.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    Ok(match name {
        "mmi-dataset" | "dataset_jsonl" => Format::DatasetJsonl,
        "dataset_parquet" => Format::DatasetParquet,
        "result_rows" | "mmi-results" => Format::ResultRows(RunFile {
            folder: text(path.parent().and_then(Path::file_name)),
            file_name: text(path.file_name()),
            ..RunFile::default()
        }),
        "human_verdicts" => Format::HumanVerdicts,
        "adjudications" => Format::Adjudications,
        "run_manifest" => Format::RunManifest,
        "triples" => Format::Triples,
        "samples" => Format::Samples,
        "predictions" => Format::Predictions,
        "check_grades" => Format::CheckGrades,
        _ => {
            let Some(rubrics) = RubricFormat::ALL.into_iter().find(|format| format.name() == name) else {
                return Err(Failure::new(
                    Code::BadRequest,
                    format!(
                        "--as {name}: no such format; the formats are dataset_jsonl, dataset_parquet, result_rows, \
                         run_manifest, human_verdicts, adjudications, triples, samples, predictions, check_grades, and of rubrics {}",
                        RubricFormat::ALL.map(RubricFormat::name).join(", ")
                    ),
                ));
            };
            Format::Rubrics(RubricFile { rubrics })
        }
    })
}

fn rank(format: Option<&Format>) -> u32 {
    match format {
        Some(Format::DatasetJsonl) => 0,
        Some(Format::DatasetParquet) => 1,
        Some(Format::Rubrics(_) | Format::Samples) => 2,
        Some(Format::RunManifest) => 3,
        Some(Format::ResultRows(run)) if run.variant.is_empty() => 4,
        Some(Format::ResultRows(_)) => 5,
        Some(Format::Triples | Format::Predictions) => 6,
        Some(Format::CheckGrades) => 7,
        Some(Format::MainConfig) => 8,
        Some(Format::HumanVerdicts) => 9,
        Some(Format::Adjudications) => 10,
        Some(Format::Summary) => 11,
        Some(Format::Archive) | None => 12,
    }
}
