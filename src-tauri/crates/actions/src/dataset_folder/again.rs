//! What the harness has no file for, in forms that are read again: checklists, verdicts on their checks, samples and predictions;
//! and the files that everything names.

use super::{part, put};
use crate::{Failure, checklists, export_scores, traits};
use domain::Sample;
use formats::rubrics::{RubricRecord, write_rubric_csv};
use std::{
    fs,
    path::{Path, PathBuf},
};
use store::{AuditorView, RubricInForce};

/// The checklists in force, and every verdict on their checks that counts. A checklist goes out as the meta-rubric that it
/// compiles from; one that no meta-rubric gives, as a table.
pub(super) fn checklists(view: &mut AuditorView, folder: &Path) -> Result<(), Failure> {
    let mut prompts = Vec::new();
    traits::each_prompt(view, |prompt| prompts.push(prompt))?;
    let (mut lines, mut tables) = (String::new(), Vec::new());
    for prompt in prompts {
        let Some(rubric) = view.rubric_in_force(&prompt)? else { continue };
        let meta = match &rubric {
            RubricInForce::Structured { rubric, .. } if rubric.patches.is_empty() => {
                Some(rubric.meta_rubric.clone())
            }
            RubricInForce::Imported(imported) => imported.meta_rubric.clone(),
            _ => None,
        };
        let checklist = checklists::of_rubric(rubric);
        if !checklist.is_gamut() || checklist.checks.is_empty() {
            continue;
        }
        if let Some(mut meta) = meta {
            meta.id.clone_from(&prompt.key);
            meta.question.clone_from(&prompt.text);
            let line = serde_json::to_string(&meta)
                .map_err(|error| Failure::new(crate::Code::Internal, error.to_string()))?;
            lines.push_str(&line);
            lines.push('\n');
        } else {
            tables.push(RubricRecord {
                key: prompt.key,
                prompt: prompt.text,
                gold: prompt.gold,
                checks: checklist.checks,
                ..RubricRecord::default()
            });
        }
    }
    if !lines.is_empty() {
        put(&folder.join("checklists/meta_rubrics.jsonl"), lines.as_bytes())?;
    }
    if !tables.is_empty() {
        let mut bytes = Vec::new();
        write_rubric_csv(&tables, &mut bytes)?;
        put(&folder.join("checklists/checklists.csv"), &bytes)?;
    }
    let grades = export_scores::all_check_grades(view)?;
    if !grades.is_empty() {
        let mut bytes = Vec::new();
        formats::write_check_grades(&grades, &mut bytes)?;
        put(&folder.join("checklists/check_grades.jsonl"), &bytes)?;
    }
    Ok(())
}

/// The samples that count, and what models predict.
pub(super) fn samples(view: &AuditorView, folder: &Path) -> Result<(), Failure> {
    let standing = view.samples()?;
    let counted: Vec<&Sample> =
        standing.iter().filter(|one| !one.is_discarded).map(|one| &one.sample).collect();
    if counted.is_empty() {
        return Ok(());
    }
    let mut bytes = Vec::new();
    formats::write_samples(counted, &mut bytes)?;
    put(&folder.join("samples/samples.jsonl"), &bytes)?;
    let mut predictions = Vec::new();
    view.each_prediction(|said| {
        predictions.push(said);
        Ok(())
    })?;
    if !predictions.is_empty() {
        let mut bytes = Vec::new();
        formats::write_predictions(&predictions, &mut bytes)?;
        put(&folder.join("samples/predictions.jsonl"), &bytes)?;
    }
    Ok(())
}

/// Input files under their names, and assets where their rows say.
pub(super) fn copies(view: &mut AuditorView, folder: &Path) -> Result<(), Failure> {
    let blobs = view.blobs();
    let mut wanted: Vec<(domain::BlobHash, PathBuf)> = Vec::new();
    crate::traits::each_prompt(view, |prompt| {
        for input in prompt.inputs {
            // Names were checked when they were read; what is odd all the same is left out.
            if let (Some(blob), Ok(())) = (input.blob, formats::check_input_name(&input.name)) {
                wanted.push((blob, folder.join("input_files").join(&input.name)));
            }
        }
    })?;
    let mut answers = Vec::new();
    view.each_answer(None, |answer| {
        answers.push(answer);
        Ok(())
    })?;
    for answer in answers {
        let Some(response) = view.response(answer.response)? else { continue };
        let Some(base) = view.judgings(answer.response)?.into_iter().next() else { continue };
        for asset in response.assets {
            let tail =
                base.recorded.get(asset.position as usize).and_then(|recorded| recorded.tail.as_deref());
            if let (Some(blob), Some(tail)) = (asset.blob, tail) {
                wanted.push((blob, folder.join("results").join(part(&answer.folder)).join(tail)));
            }
        }
    }
    for standing in view.samples()? {
        for image in standing.sample.images() {
            if let (Some(blob), Ok(())) = (image.blob, formats::check_input_name(&image.name)) {
                wanted.push((blob, folder.join("samples").join(&image.name)));
            }
        }
    }
    for (blob, path) in wanted {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        // Two prompts may name one file.
        if !path.exists() {
            fs::copy(blobs.path(&blob), &path)
                .map_err(|error| Failure::from(error).about(&path.display().to_string()))?;
        }
    }
    Ok(())
}
