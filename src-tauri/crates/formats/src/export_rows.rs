//! Result rows as the harness writes them, for taking a study to another one: what [`crate::read_rows`] reads back the same.

use crate::export::{ascii, payload_name};
use domain::{Grade, JudgedRow, Modality, RowAsset};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes one row, as one line of ASCII. Where an asset was captured its `local_path` is the part from the `…_assets` folder on.
///
/// # Errors
/// The output cannot be written.
pub fn write_row(row: &JudgedRow, output: &mut dyn Write) -> io::Result<()> {
    // The harness puts the prompt's id first, and readers look for it there after a break in the file.
    let rest = ascii(&fields(row))?;
    let key = ascii(&row.prompt_key)?;
    writeln!(output, "{{\"prompt_id\": {key}, {}", rest.strip_prefix('{').unwrap_or(&rest))
}

fn fields(row: &JudgedRow) -> Value {
    let names: Vec<&str> = row.expected.iter().map(Modality::name).collect();
    let per_modality: Map<String, Value> = Modality::ALL
        .into_iter()
        .map(|modality| {
            let found = row.presence.of(modality);
            let flags = json!({
                "detected_native": found.native, "detected_via_url": found.via_url,
                "detected_via_judge": found.via_judge, "pass_strict": found.strict(), "pass_lenient": found.lenient(),
            });
            (modality.name().to_owned(), flags)
        })
        .collect();
    let failure = row.failure.as_ref();
    json!({
        "run_name": row.run_name, "provider": row.provider, "model": row.model,
        "expected_modalities": names, "per_modality": per_modality,
        "precision": row.stored.precision, "recall": row.stored.recall, "f1": row.stored.f1,
        "f1_strict": row.stored.f1_strict,
        "judge_used": row.judge_used, "judge_model": row.judge_model, "judge_reasoning": row.judge_reasoning,
        "is_error": failure.is_some(), "error_message": failure.map_or("", |f| &f.message),
        "error_type": failure.map_or("", |f| &f.kind),
        "response_text": row.response_text,
        "output_assets": row.assets.iter().map(|a| asset(&row.prompt_key, a)).collect::<Vec<_>>(),
        "rubric_used": row.rubric_used, "rubric_score": row.stored.rubric_score,
        "rubric_grades": row.grades.iter().map(grade).collect::<Vec<_>>(),
        "rubric_judge_model": row.rubric_judge_model,
    })
}

fn asset(prompt_key: &str, asset: &RowAsset) -> Value {
    json!({
        "asset_id": asset.asset_id, "prompt_id": prompt_key, "modality": asset.modality.name(),
        "source_type": asset.source_type, "delivery": asset.delivery, "mime_type": asset.mime_type,
        "local_path": asset.tail.as_deref().unwrap_or_default(), "source_url": asset.source_url,
        "sha256": asset.sha256, "size_bytes": asset.size_bytes, "capture_status": asset.capture_status,
        "error": asset.error,
    })
}

fn grade(grade: &Grade) -> Value {
    let mut value = json!({
        "index": grade.index, "id": grade.id, "rubric": grade.criterion, "modality": grade.modality_raw,
        "score": grade.score, "explanation": grade.explanation, "evaluator_error": grade.evaluator_error,
        "payload_status": payload_name(grade.payload),
    });
    if let (false, Some(entry)) = (grade.input_media_skipped.is_empty(), value.as_object_mut()) {
        entry.insert("input_media_skipped".to_owned(), json!(grade.input_media_skipped));
    }
    value
}
