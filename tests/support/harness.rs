//! Harness files written row by row: just what a test needs in them, everything else as a usual run has it.

use serde_json::{Value, json};

/// The five modalities.
pub const MODALITIES: [&str; 5] = ["Text", "Image", "Audio", "Video", "Document"];

/// A line of a dataset.
pub fn prompt(key: &str, gold: &str, criteria: &[(&str, &str)]) -> Value {
    let criteria: Vec<Value> = criteria
        .iter()
        .enumerate()
        .map(|(n, (modality, text))| {
            json!({"id": (n + 1).to_string(), "criterion": text, "modality": modality.to_lowercase()})
        })
        .collect();
    json!({
        "prompt_id": key, "prompt_text": format!("Answer the question of {key}."), "input_modalities": "Text",
        "output_modalities": gold, "input_files": "", "rubrics": json!({"criteria": criteria}).to_string(),
    })
}

/// A grade of a row.
pub fn grade(index: usize, modality: &str, criterion: &str, score: f64) -> Value {
    json!({
        "index": index, "id": index.to_string(), "rubric": criterion, "modality": modality, "score": score,
        "explanation": "as seen", "evaluator_error": false, "payload_status": "gradeable",
    })
}

/// A row of a result file, in which every expected modality is native and fully met.
pub fn row(key: &str, model: &str, expected: &[&str]) -> Value {
    let present: serde_json::Map<String, Value> = MODALITIES
        .iter()
        .map(|name| {
            let there = expected.contains(name);
            let flags = json!({
                "detected_native": there, "detected_via_url": false, "detected_via_judge": false,
                "pass_strict": there, "pass_lenient": there,
            });
            ((*name).to_owned(), flags)
        })
        .collect();
    let grades: Vec<Value> =
        expected.iter().enumerate().map(|(n, modality)| grade(n + 1, modality, "Answers.", 1.0)).collect();
    json!({
        "prompt_id": key, "run_name": model, "provider": "stub", "model": model, "expected_modalities": expected,
        "per_modality": present, "all_pass_lenient": true, "all_pass_strict": true, "precision": 1.0, "recall": 1.0,
        "f1": 1.0, "precision_strict": 1.0, "recall_strict": 1.0, "f1_strict": 1.0, "judge_used": false,
        "judge_model": "", "judge_reasoning": "", "is_error": false, "error_message": "", "error_type": "",
        "raw_response": null, "response_text": format!("The answer to {key}."), "request": null, "output_assets": [],
        "tool_calls": [], "rubric_used": true, "rubric_score": 1.0, "rubric_grades": grades,
        "rubric_evaluator_errors": 0, "rubric_judge_model": "stub-judge", "produced_modalities": expected,
    })
}

/// An asset of a row. `path` is the part from the `…_assets` folder on.
pub fn asset(n: usize, key: &str, modality: &str, mime: &str, path: &str) -> Value {
    json!({
        "asset_id": format!("{key}_output_{n}"), "prompt_id": key, "modality": modality,
        "source_type": "provider_inline", "delivery": "provider_inline", "mime_type": mime, "modality_hint": "",
        "local_path": format!("/srv/evals/results/{path}"), "source_url": "", "sha256": "", "size_bytes": 0,
        "capture_status": "captured", "error": "", "metadata": {},
    })
}

/// A line as the harness writes it: the prompt's id comes first.
pub fn line(value: &Value) -> String {
    let mut rest = value.clone();
    let key = rest.as_object_mut().and_then(|keys| keys.remove("prompt_id")).expect("a row has a prompt_id");
    let rest = rest.to_string();
    format!("{{\"prompt_id\": {key}, {}", rest.strip_prefix('{').expect("an object"))
}

/// Lines of a file.
pub fn lines(values: &[Value]) -> String {
    values.iter().map(|value| line(value) + "\n").collect()
}
