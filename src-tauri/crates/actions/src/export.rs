//! Tables that go out. One table per [`wire::ExportWhat`].

use crate::{
    App, Code, Failure, export_content, export_scores,
    handlers::payload_name,
    scores,
    units::{self, Computation},
    wire::{ExportForm, ExportWhat, UnitSet},
};
use ::agreement::{AgreementResult, Coefficient, GroupKey, Numbers, Resampling};
use domain::Modality;
use formats::{Cell, Table, TableForm};
use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};
use store::{AuditorView, Judging};

pub(crate) use export_content::each_rubric;

/// Everything that can be exported: the name on the command line, and what it holds.
pub(crate) const ALL: [(ExportWhat, &str, &str); 22] = [
    (ExportWhat::Verdicts, "verdicts", "every person's verdict in force, one line each"),
    (ExportWhat::Grades, "grades", "every grade of the LLM judge, one line each"),
    (ExportWhat::Presence, "presence", "modality presence by result file (MPS)"),
    (ExportWhat::PresenceByModality, "presence_by_modality", "presence by result file and modality"),
    (ExportWhat::MmiValue, "mmi_value", "MMI Value by result file"),
    (ExportWhat::Agreement, "agreement", "agreement of judge and people, by person, modality and overall"),
    (ExportWhat::Sweep, "sweep", "agreement with the majority at every threshold"),
    (ExportWhat::HumanHuman, "human_human", "agreement between people, pair by pair"),
    (ExportWhat::Settlements, "settlements", "settlements in force"),
    (ExportWhat::Rubrics, "rubrics", "rubrics in force, one criterion a line"),
    (ExportWhat::Prompts, "prompts", "prompts that stand"),
    (ExportWhat::Responses, "responses", "every row of every result file, with its scores"),
    (ExportWhat::Routes, "routes", "how expected modalities came back, by model and modality"),
    (
        ExportWhat::InputsByOutputs,
        "inputs_by_outputs",
        "prompts by inputs and expected outputs, with their scores",
    ),
    (
        ExportWhat::CheckGrades,
        "check_grades",
        "every verdict on a check, by evaluators and people, one line each",
    ),
    (
        ExportWhat::CheckAgreement,
        "check_agreement",
        "agreement of judge and people check by check, where people graded",
    ),
    (ExportWhat::Gamut, "gamut", "GAMUT scores by model and judge: score, tiers, verdict mix"),
    (ExportWhat::GamutTextOnly, "gamut_text_only", "GAMUT scores with image and text against text alone"),
    (ExportWhat::GamutResponses, "gamut_responses", "GAMUT scores of every answer"),
    (ExportWhat::PeopleValue, "people_value", "MMI Value of criteria that people graded"),
    (
        ExportWhat::Interaction,
        "interaction",
        "accuracy and consistency on samples by pattern, level, task and context",
    ),
    (ExportWhat::Predictions, "predictions", "every prediction on a sample"),
];

/// The name of a table.
pub(crate) fn name(what: ExportWhat) -> &'static str {
    ALL.iter().find(|(other, ..)| *other == what).map_or("table", |(_, name, _)| name)
}

/// The form of the file.
pub(crate) const fn form(form: ExportForm) -> TableForm {
    match form {
        ExportForm::Csv => TableForm::Csv,
        ExportForm::Jsonl => TableForm::Jsonl,
        ExportForm::Parquet => TableForm::Parquet,
        ExportForm::Markdown => TableForm::Markdown,
        ExportForm::Latex => TableForm::Latex,
    }
}

/// A table in a form.
pub(crate) fn bytes(table: &Table, form: TableForm) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    table.write(form, &mut out)?;
    Ok(out)
}

/// A file or folder that is not there yet, in a folder beside the study.
pub(crate) fn beside_the_study(app: &App, stem: &str, ending: &str) -> Result<PathBuf, Failure> {
    let root = app.with_study(|study| Ok(study.folder.root().to_owned()))?;
    let study =
        root.file_stem().map_or_else(|| "study".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let folder = root.with_file_name(format!("{study} exports"));
    fs::create_dir_all(&folder)?;
    let first = folder.join(format!("{stem}{ending}"));
    let free = (2..10_000).map(|n| folder.join(format!("{stem} {n}{ending}"))).find(|path| !path.exists());
    Ok(if first.exists() { free.unwrap_or(first) } else { first })
}

/// Writes a file wholly or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let about = |error: std::io::Error| Failure::from(error).about(&path.display().to_string());
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let mut file = File::create(&part).map_err(about)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(about)?;
    fs::rename(&part, path).map_err(about)
}

/// The table.
pub(crate) fn table(app: &App, what: ExportWhat) -> Result<Table, Failure> {
    app.sighted(|view| table_of(view, what))
}

/// The table, of a view.
pub(crate) fn table_of(view: &mut AuditorView, what: ExportWhat) -> Result<Table, Failure> {
    match what {
        ExportWhat::Verdicts => verdicts(view),
        ExportWhat::Grades => grades(view),
        ExportWhat::Presence => presence(view),
        ExportWhat::PresenceByModality => presence_by_modality(view),
        ExportWhat::MmiValue => mmi_value(view),
        ExportWhat::Agreement => agreement(view),
        ExportWhat::Sweep => sweep(view),
        ExportWhat::HumanHuman => human_human(view),
        ExportWhat::Settlements => export_content::settlements(view),
        ExportWhat::Rubrics => export_content::rubrics(view),
        ExportWhat::Prompts => export_content::prompts(view),
        ExportWhat::Responses => export_content::responses(view),
        ExportWhat::Routes => export_scores::routes(view),
        ExportWhat::InputsByOutputs => export_scores::inputs_by_outputs(view),
        ExportWhat::CheckGrades => export_scores::check_grades(view),
        ExportWhat::CheckAgreement => export_scores::check_agreement(view),
        ExportWhat::Gamut => export_scores::gamut(view),
        ExportWhat::GamutTextOnly => export_scores::gamut_text_only(view),
        ExportWhat::GamutResponses => export_scores::gamut_responses(view),
        ExportWhat::PeopleValue => export_scores::people_value(view),
        ExportWhat::Interaction => export_scores::interaction(view),
        ExportWhat::Predictions => export_scores::predictions(view),
    }
}

fn verdicts(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "annotator",
        "prompt_id",
        "model",
        "modality",
        "verdict",
        "comment",
        "ai_assisted",
        "seconds",
        "folder",
        "broken_link",
        "cannot_show",
        "doubt",
        "source",
        "misaligned",
        "ai_asked",
        "perceived",
        "prompt_version",
        "guidelines_version",
        "anchors",
    ]);
    view.each_verdict(None, |row| {
        let details = row.details;
        table.rows.push(vec![
            row.annotator.into(),
            row.prompt_key.into(),
            row.run_name.into(),
            row.modality.name().into(),
            row.verdict.name().into(),
            row.comment.into(),
            details.flags.ai_background.into(),
            row.seconds.into(),
            row.folder.into(),
            details.flags.broken_link.into(),
            details.flags.cannot_show.into(),
            details.flags.doubt.into(),
            if row.statement.is_some() { "assize" } else { "file" }.into(),
            details.flags.misaligned.into(),
            details.ai_asked.into(),
            details.perceived.into(),
            details.prompt_version.map(u64::from).into(),
            details.guidelines_version.map(u64::from).into(),
            formats::anchors_json(&details.anchors).into(),
        ]);
        Ok(())
    })?;
    Ok(table)
}

fn grades(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "folder",
        "file",
        "variant",
        "prompt_id",
        "model",
        "judge",
        "index",
        "criterion_id",
        "modality",
        "score",
        "evaluator_error",
        "payload_status",
        "criterion",
        "explanation",
    ]);
    let variants: std::collections::BTreeSet<String> =
        view.judged_files(None)?.into_iter().map(|file| file.variant).collect();
    for variant in variants {
        view.each_judging(Judging { folder: None, variant: &variant }, |key, model, _, record| {
            for grade in &record.grades {
                table.rows.push(vec![
                    record.folder.clone().into(),
                    record.file.clone().into(),
                    record.variant.clone().into(),
                    key.into(),
                    model.into(),
                    record.rubric_judge_model.clone().into(),
                    u64::from(grade.index).into(),
                    grade.id.clone().into(),
                    grade.modality_raw.clone().into(),
                    grade.score.into(),
                    grade.evaluator_error.into(),
                    payload_name(grade.payload).into(),
                    grade.criterion.clone().into(),
                    grade.explanation.clone().into(),
                ]);
            }
            Ok(())
        })?;
    }
    Ok(table)
}

/// Every file's figures with the three columns that name it, and each folder's overall.
fn runs(view: &mut AuditorView) -> Result<Vec<([Cell; 3], rubric::scores::RunFigures)>, Failure> {
    let mut rows = Vec::new();
    for (folder, runs) in scores::of_study(view, "")?.runs {
        for file in runs.files.into_values() {
            rows.push(([folder.clone().into(), file.run_name.into(), file.variant.into()], file.scores));
        }
        rows.push(([folder.into(), "overall".into(), "".into()], runs.overall));
    }
    Ok(rows)
}

fn presence(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "folder",
        "model",
        "variant",
        "rows",
        "errors",
        "mps",
        "precision",
        "recall",
        "f1",
        "precision_strict",
        "recall_strict",
        "f1_strict",
        "pass_rate",
        "pass_rate_strict",
        "input_failure_rate",
    ]);
    for (names, run) in runs(view)? {
        let mut row: Vec<Cell> = names.into();
        row.extend([Cell::from(run.rows), run.errors.into()]);
        row.extend(
            [
                run.mps,
                run.precision,
                run.recall,
                run.f1,
                run.precision_strict,
                run.recall_strict,
                run.f1_strict,
                run.pass_rate,
                run.pass_rate_strict,
                run.input_failure_rate,
            ]
            .map(Cell::from),
        );
        table.rows.push(row);
    }
    Ok(table)
}

fn presence_by_modality(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "folder",
        "model",
        "variant",
        "detection",
        "modality",
        "expected",
        "detected",
        "both",
        "precision",
        "recall",
        "f1",
    ]);
    for (names, run) in runs(view)? {
        for (detection, figures) in
            [("lenient", &run.per_modality.lenient), ("strict", &run.per_modality.strict)]
        {
            for modality in Modality::ALL {
                let of = figures.of(modality);
                let mut row: Vec<Cell> = names.clone().into();
                row.extend([
                    Cell::from(detection),
                    modality.name().into(),
                    of.expected.into(),
                    of.detected.into(),
                    of.tp.into(),
                    of.precision.into(),
                    of.recall.into(),
                    of.f1.into(),
                ]);
                table.rows.push(row);
            }
        }
    }
    Ok(table)
}

fn mmi_value(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "folder",
        "model",
        "variant",
        "rows",
        "all",
        "excl_document",
        "text",
        "image",
        "audio",
        "video",
        "document",
        "evaluator_error_grades",
        "criteria_graded",
    ]);
    for (names, run) in runs(view)? {
        let value = run.mmi_value;
        let mut row: Vec<Cell> = names.into();
        row.extend([Cell::from(value.rows), value.all.into(), value.excl_document.into()]);
        row.extend(Modality::ALL.map(|modality| Cell::from(*value.by_modality.of(modality))));
        row.extend([Cell::from(run.evaluator_error_grades), run.criteria_graded.into()]);
        table.rows.push(row);
    }
    Ok(table)
}

fn main_units(view: &mut AuditorView) -> Result<(String, Vec<units::Unit>), Failure> {
    let folder = units::choose_folder(view, None)?
        .ok_or_else(|| Failure::new(Code::NotFound, "there are no results yet; import a run first"))?;
    let all = units::of_folder(view, &folder, "")?;
    Ok((folder, all))
}

fn how(sweep: bool) -> Computation {
    Computation {
        by: vec![GroupKey::Modality],
        collapse: 1.0,
        sweep,
        resamples: 10_000,
        seed: 1,
        resampling: Resampling::Clusters,
    }
}

const COEFFICIENTS: [&str; 9] = [
    "percent_agreement",
    "percent_low",
    "percent_high",
    "scott_pi",
    "pi_low",
    "pi_high",
    "cohen_kappa",
    "gwet_ac1",
    "krippendorff_alpha",
];

fn coefficients(numbers: &Numbers) -> Vec<Cell> {
    let ends = |of: &Coefficient| of.ci95.map_or([Cell::Missing, Cell::Missing], |ends| ends.map(Cell::from));
    let mut row = vec![Cell::from(numbers.percent_agreement.value)];
    row.extend(ends(&numbers.percent_agreement));
    row.push(numbers.scott_pi.value.into());
    row.extend(ends(&numbers.scott_pi));
    row.extend(
        [numbers.cohen_kappa.value, numbers.gwet_ac1.value, numbers.krippendorff_alpha.value].map(Cell::from),
    );
    row
}

fn lines(table: &mut Table, names: &[Cell], result: &AgreementResult) {
    let groups =
        result.by.iter().map(|group| (group.group.modality.clone().unwrap_or_default(), &group.numbers));
    for (group, numbers) in groups.chain([("overall".to_owned(), &result.numbers)]) {
        let mut row = names.to_vec();
        row.extend([Cell::from(group), numbers.pairable_units.get().into()]);
        row.extend(coefficients(numbers));
        table.rows.push(row);
    }
}

fn agreement(view: &mut AuditorView) -> Result<Table, Failure> {
    let (folder, all) = main_units(view)?;
    let mut table =
        Table::new(["folder", "set", "human", "modality", "units"].into_iter().chain(COEFFICIENTS));
    let mut everyone = units::people(&all);
    everyone.push(units::MAJORITY.to_owned());
    for (set, set_name) in crate::command_line::SETS {
        for human in &everyone {
            let (result, _) = units::judge_human(&all, set, human, &how(false));
            lines(&mut table, &[folder.clone().into(), set_name.into(), human.clone().into()], &result);
        }
    }
    Ok(table)
}

fn sweep(view: &mut AuditorView) -> Result<Table, Failure> {
    let (folder, all) = main_units(view)?;
    let mut table = Table::new(["folder", "threshold", "percent_agreement", "scott_pi", "cohen_kappa"]);
    let (result, _) = units::judge_human(&all, UnitSet::Produced, units::MAJORITY, &how(true));
    for point in result.numbers.sweep.unwrap_or_default() {
        table.rows.push(vec![
            folder.clone().into(),
            point.threshold.into(),
            point.percent_agreement.into(),
            point.scott_pi.into(),
            point.cohen_kappa.into(),
        ]);
    }
    Ok(table)
}

fn human_human(view: &mut AuditorView) -> Result<Table, Failure> {
    let (folder, all) = main_units(view)?;
    let mut table = Table::new(["folder", "a", "b", "modality", "units"].into_iter().chain(COEFFICIENTS));
    for (a, b, result) in units::pairs(&all, &how(false)).into_values() {
        lines(&mut table, &[folder.clone().into(), a.into(), b.into()], &result);
    }
    Ok(table)
}

/// What a table is called, from the command line.
pub(crate) fn by_name(wanted: &str) -> Result<ExportWhat, Failure> {
    ALL.iter().find(|(_, name, _)| *name == wanted).map(|(what, ..)| *what).ok_or_else(|| {
        let names: Vec<&str> = ALL
            .iter()
            .map(|(_, name, _)| *name)
            .chain(crate::rubric_export::ALL.map(|(_, name, _)| name))
            .collect();
        Failure::new(
            Code::BadRequest,
            format!("--as {wanted}: no such format; choose from {}", names.join(", ")),
        )
    })
}
