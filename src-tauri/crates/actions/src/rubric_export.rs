//! Rubrics of a whole study in the forms of other systems, and the packs that other graders work from.

use crate::{Code, Failure, checklists, export, import, rubric_forms, wire};
use domain::{Asset, Modality, Prompt, Response};
use formats::rubrics::{
    InputFileShown, JudgeTask, LabelTask, Loss, RubricExport, RubricRecord, export_losses,
    label_studio_config, write_judge_pack, write_label_tasks,
};
use std::collections::HashMap;
use store::AuditorView;

/// A form of a study's rubrics, by its name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Rubrics alone.
    Rubrics(wire::RubricForm),
    /// One task of Label Studio per criterion and response.
    LabelStudio,
    /// The labelling interface of those tasks.
    LabelStudioConfig,
    /// One line per criterion and response, as MMI's rubric judge is shown it.
    JudgePack,
}

/// Every form: its name, and what it holds.
pub(crate) const ALL: [(Form, &str, &str); 6] = [
    (Form::Rubrics(wire::RubricForm::Mmi), "mmi", "rubrics in force (MMI JSON)"),
    (Form::Rubrics(wire::RubricForm::Csv), "csv", "rubrics in force with their prompts (CSV)"),
    (
        Form::Rubrics(wire::RubricForm::HealthBench),
        "healthbench",
        "rubrics in force in the form of HealthBench (JSONL)",
    ),
    (Form::LabelStudio, "label-studio", "tasks for Label Studio, one per criterion and response (JSON)"),
    (Form::LabelStudioConfig, "label-studio-config", "the labelling interface for those tasks (XML)"),
    (
        Form::JudgePack,
        "judge-pack",
        "what an LLM judge is shown, one line per criterion and response (JSONL); without tiers, weights or other criteria",
    ),
];

/// The form that the window asks for.
pub(crate) const fn of_wire(form: wire::StudyRubricForm) -> Form {
    match form {
        wire::StudyRubricForm::Mmi => Form::Rubrics(wire::RubricForm::Mmi),
        wire::StudyRubricForm::Csv => Form::Rubrics(wire::RubricForm::Csv),
        wire::StudyRubricForm::HealthBench => Form::Rubrics(wire::RubricForm::HealthBench),
        wire::StudyRubricForm::LabelStudio => Form::LabelStudio,
        wire::StudyRubricForm::LabelStudioConfig => Form::LabelStudioConfig,
        wire::StudyRubricForm::JudgePack => Form::JudgePack,
    }
}

/// The stem and the ending of a file in this form.
pub(crate) const fn file_name(form: Form) -> (&'static str, &'static str) {
    match form {
        Form::Rubrics(wire::RubricForm::Mmi) => ("rubrics mmi", ".json"),
        Form::Rubrics(wire::RubricForm::Csv) => ("rubrics", ".csv"),
        Form::Rubrics(wire::RubricForm::HealthBench) => ("rubrics healthbench", ".jsonl"),
        Form::LabelStudio => ("label-studio tasks", ".json"),
        Form::LabelStudioConfig => ("label-studio interface", ".xml"),
        Form::JudgePack => ("judge pack", ".jsonl"),
    }
}

/// The form of this name.
pub(crate) fn by_name(name: &str) -> Option<Form> {
    ALL.iter().find(|(_, own, _)| *own == name).map(|(form, ..)| *form)
}

/// The rubrics in force: criteria, or the checks of a checklist.
fn records(view: &mut AuditorView) -> Result<Vec<(Prompt, RubricRecord)>, Failure> {
    let mut flat: HashMap<String, RubricRecord> = HashMap::new();
    export::each_rubric(view, |prompt, _, criteria| {
        flat.insert(prompt.key.clone(), rubric_forms::record(prompt, criteria, &[]));
    })?;
    let (mut records, mut after) = (Vec::new(), String::new());
    loop {
        let page = view.prompts(&after, 500, None)?;
        let Some(last) = page.last() else { return Ok(records) };
        after.clone_from(&last.key);
        for prompt in page {
            let checklist = checklists::of_prompt(view, &prompt)?;
            let notes = view.rubric(prompt.id, prompt.version)?.map(|rubric| rubric.beside.contradictions);
            let record = if checklist.is_gamut() && !checklist.checks.is_empty() {
                let record = rubric_forms::record(&prompt, &[], &[]);
                Some(RubricRecord { checks: checklist.checks, ..record })
            } else {
                flat.remove(&prompt.key)
            };
            records.extend(record.map(|record| {
                let contradictions = rubric_forms::notes(notes.as_deref().unwrap_or_default());
                (prompt, RubricRecord { contradictions, ..record })
            }));
        }
    }
}

/// What a form has no place for.
pub(crate) fn losses(view: &mut AuditorView, form: Form) -> Result<Vec<Loss>, Failure> {
    let to = match form {
        Form::Rubrics(wire::RubricForm::Mmi) => RubricExport::Mmi,
        Form::Rubrics(wire::RubricForm::Csv) => RubricExport::Csv,
        Form::Rubrics(wire::RubricForm::HealthBench) => RubricExport::HealthBench,
        Form::LabelStudio => RubricExport::LabelStudio,
        Form::JudgePack => RubricExport::JudgePack,
        Form::LabelStudioConfig => return Ok(Vec::new()),
    };
    let records: Vec<RubricRecord> = records(view)?.into_iter().map(|(_, record)| record).collect();
    Ok(export_losses(&records, to))
}

/// A form as text.
pub(crate) fn text(view: &mut AuditorView, form: Form) -> Result<String, Failure> {
    let mut out = Vec::new();
    match form {
        Form::Rubrics(form) => {
            let mut records: Vec<RubricRecord> =
                records(view)?.into_iter().map(|(_, record)| record).collect();
            if form == wire::RubricForm::Mmi {
                // A prompt that came without a key goes out without one. In a table keys hold the rows of a rubric together.
                for record in &mut records {
                    if import::is_made_up(&record.key, &record.prompt) {
                        record.key.clear();
                    }
                }
            }
            return rubric_forms::text(form, &records);
        }
        Form::LabelStudioConfig => return Ok(label_studio_config(&["met", "not met"])),
        Form::LabelStudio => write_label_tasks(&label_tasks(view)?, &mut out)?,
        Form::JudgePack => write_judge_pack(&judge_tasks(view)?, &mut out)?,
    }
    String::from_utf8(out).map_err(|error| Failure::new(Code::Internal, error.to_string()))
}

/// The responses to a prompt, in an order that tells nothing: that of a hash of what they say and hold, which is the same in
/// every study that holds them.
fn responses(view: &AuditorView, prompt: &Prompt) -> Result<Vec<Response>, Failure> {
    let mut all = Vec::new();
    for answer in view.answers_to(&prompt.key)? {
        all.extend(view.response(answer.response)?);
    }
    all.sort_by_cached_key(|response| {
        let blobs: Vec<String> =
            response.assets.iter().filter_map(|asset| Some(asset.blob?.to_string())).collect();
        domain::text_hash(&format!("{}\n{}\n{}", prompt.key, blobs.join(" "), response.text))
    });
    Ok(all)
}

/// What there is to grade of one modality: the text itself, or where its assets lie below the study's folder; none where the
/// response has none.
fn payload(response: &Response, modality: Modality) -> Option<String> {
    if modality == Modality::Text {
        return Some(response.text.clone()).filter(|text| !text.trim().is_empty());
    }
    let place = |asset: &Asset| {
        let hash = asset.blob?.to_string();
        Some(format!("blobs/{}/{hash}", hash.get(..2)?))
    };
    let places: Vec<String> =
        response.assets.iter().filter(|asset| asset.modality == modality).filter_map(place).collect();
    (!places.is_empty()).then(|| places.join("\n"))
}

fn label_tasks(view: &mut AuditorView) -> Result<Vec<LabelTask>, Failure> {
    let mut tasks = Vec::new();
    for (prompt, record) in records(view)? {
        for response in responses(view, &prompt)? {
            tasks.extend(rubric_forms::flat(&record).into_iter().map(|criterion| {
                LabelTask {
                    prompt_id: prompt.key.clone(),
                    prompt: prompt.text.clone(),
                    criterion_id: criterion.id.clone(),
                    criterion: criterion.criterion.clone(),
                    response: payload(&response, criterion.modality)
                        .unwrap_or_else(|| format!("the response has no {}", criterion.modality.lower())),
                }
            }));
        }
    }
    Ok(tasks)
}

fn judge_tasks(view: &mut AuditorView) -> Result<Vec<JudgeTask>, Failure> {
    let mut tasks = Vec::new();
    for (prompt, record) in records(view)? {
        let input_files: Vec<InputFileShown> = prompt
            .inputs
            .iter()
            .map(|input| InputFileShown { name: input.name.clone(), mime: None, bytes: Some(input.bytes) })
            .collect();
        for response in responses(view, &prompt)? {
            tasks.extend(rubric_forms::flat(&record).into_iter().map(|criterion| JudgeTask {
                prompt: prompt.text.clone(),
                expected_modalities: prompt.gold.clone(),
                input_files: input_files.clone(),
                modality: criterion.modality,
                criterion: criterion.criterion.clone(),
                payload: payload(&response, criterion.modality),
            }));
        }
    }
    Ok(tasks)
}
