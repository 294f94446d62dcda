//! Scores of a study, file by file and folder by folder.

use crate::{Failure, interaction, wire};
use ::agreement::Options;
use rubric::scores::{GradedUnit, Grades, RunScores, ScoredRow};
use std::collections::BTreeMap;
use store::{AuditorView, ScoreRow};

/// The summed grades of the store as the score takes them.
pub(crate) fn graded(cell: &store::Cell) -> GradedUnit {
    GradedUnit {
        criteria: cell.grades,
        mean: cell.mean,
        min: cell.min,
        evaluator_errors: cell.evaluator_errors,
        gradeable: cell.gradeable,
    }
}

/// Takes one row of the store into a score.
fn push(scores: &mut RunScores, row: &ScoreRow) {
    let units = row.cells.map(|cell| cell.map(|cell| graded(&cell)));
    scores.push(&ScoredRow {
        expected: row.expected.as_slice(),
        presence: row.presence,
        failed: row.failed,
        error_type: None,
        grades: Grades::Summed(&units),
    });
}

/// Every file's scores; `overall` is over the files of `judging` (`""` for the base files). A folder that has no file of
/// that judging has the overall of no rows.
pub(crate) fn of_study(view: &mut AuditorView, judging: &str) -> Result<wire::StudyScores, Failure> {
    let judging = normal(judging);
    let mut folders: BTreeMap<String, (BTreeMap<String, wire::FileScores>, RunScores)> = BTreeMap::new();
    for file in view.judged_files(None)? {
        let mut scores = RunScores::new();
        let mut run_name = String::new();
        view.score_rows(&file, |row| {
            if run_name.is_empty() {
                run_name.clone_from(&row.run_name);
            }
            push(&mut scores, &row);
            Ok(())
        })?;
        let (files, overall) = folders.entry(file.folder.clone()).or_default();
        if normal(&file.variant) == judging {
            overall.merge(&scores);
        }
        files.insert(
            file.file.clone(),
            wire::FileScores {
                run_name,
                variant: file.variant,
                timestamp: file.timestamp,
                scores: scores.figures(),
            },
        );
    }
    Ok(wire::StudyScores {
        gamut: None,
        runs: folders
            .into_iter()
            .map(|(folder, (files, overall))| {
                (folder, wire::FolderScores { files, overall: overall.figures() })
            })
            .collect(),
        interaction: interaction::scores(view, &Options::default())?,
    })
}

/// A variant's name, with or without its leading underscore.
pub(crate) fn normal(variant: &str) -> &str {
    variant.trim_start_matches('_')
}
