//! Tables of what was asked and answered, for the dataset folder and on their own.

use crate::{Failure, score_details, traits};
use domain::{Modality, ModalityList, Settlement, StatementKind};
use formats::{Cell, Table};
use rubric::scores::{Strictness, mmi_value, presence_scores};
use std::collections::HashMap;
use store::{AuditorView, payload};

/// Names with commas.
fn names(list: &ModalityList) -> String {
    list.iter().map(Modality::name).collect::<Vec<_>>().join(", ")
}

/// Every prompt that stands.
pub(crate) fn prompts(view: &AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "prompt_id",
        "prompt",
        "language",
        "input_modalities",
        "output_modalities",
        "input_files",
    ]);
    traits::each_prompt(view, |prompt| {
        let files: Vec<&str> = prompt.inputs.iter().map(|input| input.name.as_str()).collect();
        table.rows.push(vec![
            prompt.key.into(),
            prompt.text.into(),
            prompt.language.into(),
            names(&prompt.input_modalities).into(),
            names(&prompt.gold).into(),
            files.join("\n").into(),
        ]);
    })?;
    Ok(table)
}

/// Every row of every result file, with its scores.
pub(crate) fn responses(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut columns: Vec<String> =
        ["folder", "file", "variant", "run", "prompt_id", "model", "failed", "expected", "text"]
            .map(str::to_owned)
            .to_vec();
    columns.extend(Modality::ALL.map(|modality| format!("detected_{}", modality.lower())));
    columns.extend(["precision", "recall", "f1", "f1_strict", "pass", "mmi_value"].map(str::to_owned));
    let mut table = Table::new(columns);
    for file in view.judged_files(None)? {
        let mut rows = Vec::new();
        view.score_rows(&file, |row| {
            rows.push(row);
            Ok(())
        })?;
        let mut texts: HashMap<domain::ResponseId, String> = HashMap::new();
        // A variant judges the same responses again; their texts stand with the base file.
        for response in rows.iter().filter(|_| file.variant.is_empty()).filter_map(|row| row.response) {
            if let Some(found) = view.response(response)? {
                texts.insert(response, found.text);
            }
        }
        for row in rows {
            let mut cells: Vec<Cell> = vec![
                file.folder.clone().into(),
                file.file.clone().into(),
                file.variant.clone().into(),
                file.timestamp.clone().into(),
                row.prompt_key.clone().into(),
                row.run_name.clone().into(),
                row.failed.into(),
                names(&row.expected).into(),
                row.response.and_then(|id| texts.remove(&id)).into(),
            ];
            cells.extend(Modality::ALL.map(|m| Cell::from(crate::units::route(row.presence.of(m)))));
            score_details::scored(&row, |scored| {
                let (lenient, strict) = (
                    presence_scores(scored, Strictness::Lenient),
                    presence_scores(scored, Strictness::Strict),
                );
                cells.extend([lenient.precision, lenient.recall, lenient.f1, strict.f1].map(Cell::from));
                cells.extend([Cell::from(lenient.pass), mmi_value(scored).into()]);
            });
            table.rows.push(cells);
        }
    }
    Ok(table)
}

/// How disputed cases were settled, those of this study before those of files.
pub(crate) fn settlements(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "prompt_id",
        "model",
        "modality",
        "final",
        "cause",
        "note",
        "adjudicator",
        "date",
        "folder",
        "send_rubric_back",
        "source",
    ]);
    let mut live = std::collections::HashSet::new();
    let mut statements = Vec::new();
    view.each_standing(&StatementKind::Settlement, |statement| {
        statements.push(statement);
        Ok(())
    })?;
    for statement in statements {
        let Ok(settled) = payload::<Settlement>(&statement) else { continue };
        let Some(answer) = view.answer(settled.response)? else { continue };
        live.insert((
            answer.folder.clone(),
            answer.prompt_key.clone(),
            answer.run_name.clone(),
            settled.modality,
        ));
        table.rows.push(vec![
            answer.prompt_key.into(),
            answer.run_name.into(),
            settled.modality.name().into(),
            settled.verdict.name().into(),
            settled.cause.code().into(),
            settled.note.into(),
            statement.person.to_string().into(),
            statement.made_at.into(),
            answer.folder.into(),
            settled.send_rubric_back.into(),
            "assize".into(),
        ]);
    }
    for imported in view.imported_adjudications(None)? {
        let found = imported.adjudication;
        let key = (imported.folder, found.prompt_key, found.model, found.modality);
        if live.contains(&key) {
            continue;
        }
        let (folder, prompt, model, modality) = key;
        table.rows.push(vec![
            prompt.into(),
            model.into(),
            modality.name().into(),
            found.verdict.name().into(),
            found.cause.code().into(),
            found.note.into(),
            found.adjudicator.into(),
            found.date.into(),
            folder.into(),
            false.into(),
            "file".into(),
        ]);
    }
    Ok(table)
}

/// The rubric in force of every prompt: the newest revision that was handed in, else the one handed out.
pub(crate) fn each_rubric(
    view: &mut AuditorView,
    mut each: impl FnMut(&domain::Prompt, &str, &[domain::Criterion]),
) -> Result<(), Failure> {
    let mut submitted: std::collections::HashMap<String, (String, domain::StatementId)> =
        std::collections::HashMap::new();
    view.each_standing(&StatementKind::RubricSubmission, |statement| {
        if let Ok(submission) = payload::<store::Submission>(&statement) {
            submitted.insert(statement.subject.clone(), (statement.person.to_string(), submission.revision));
        }
        Ok(())
    })?;
    let mut after = String::new();
    loop {
        let page = view.prompts(&after, 500, None)?;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.key);
        for prompt in &page {
            let subject = prompt.id.to_string();
            if let Some((author, revision)) = submitted.get(&subject) {
                let found =
                    view.history(&subject)?.into_iter().find(|record| record.statement.id == *revision);
                if let Some(Ok(draft)) = found.map(|record| payload::<domain::RubricDraft>(&record.statement))
                {
                    // A structured rubric has checks, which are about no modality: it is no list of criteria.
                    if draft.form.is_flat() {
                        each(prompt, author, &draft.criteria);
                    }
                    continue;
                }
            }
            if let Some(rubric) = view.rubric(prompt.id, prompt.version)? {
                each(prompt, "", &rubric.criteria);
            }
        }
    }
}

/// The rubrics in force, one criterion a line.
pub(crate) fn rubrics(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new(["prompt_id", "criterion_id", "modality", "criterion", "author"]);
    each_rubric(view, |prompt, author, criteria| {
        for criterion in criteria {
            table.rows.push(vec![
                prompt.key.clone().into(),
                criterion.id.clone().into(),
                criterion.modality.lower().into(),
                criterion.criterion.clone().into(),
                if author.is_empty() { "dataset" } else { author }.into(),
            ]);
        }
    })?;
    Ok(table)
}
