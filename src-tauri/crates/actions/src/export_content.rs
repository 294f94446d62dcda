//! Tables of what was asked and answered, for the dataset folder and on their own.

use crate::{Failure, score_details, traits};
use domain::{Modality, ModalityList};
use formats::{Cell, Table};
use rubric::scores::{Strictness, mmi_value, presence_scores};
use std::collections::HashMap;
use store::AuditorView;

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
