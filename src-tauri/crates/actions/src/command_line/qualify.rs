//! Qualification from files: rules, quizzes, and answers that are known.

use crate::{App, Code, Failure, call, units, wire};
use domain::{Modality, QualificationRules, ResponseId, Verdict};
use serde::Deserialize;
use std::{collections::HashMap, fs, path::Path};

fn text_of(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::from(error).about(&path.display().to_string()))
}

/// States rules: what the file says (JSON), and of the rest what stands, else the defaults.
pub fn qualification_rules(app: &App, file: &Path) -> Result<wire::QualificationView, Failure> {
    let bad = |why: String| Failure::new(Code::BadRequest, format!("{}: {why}", file.display()));
    let stands = call::qualification(app, wire::Nothing {})?.rules.unwrap_or_default();
    let mut all = serde_json::to_value(stands).map_err(|error| bad(error.to_string()))?;
    let said: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&text_of(file)?).map_err(|error| bad(error.to_string()))?;
    if let Some(all) = all.as_object_mut() {
        all.extend(said);
    }
    let rules: QualificationRules = serde_json::from_value(all).map_err(|error| bad(error.to_string()))?;
    Ok(call::state_qualification_rules(app, rules)?.value)
}

/// Publishes a quiz: the file's, or the one that the app brings along.
pub fn publish_quiz(app: &App, file: Option<&Path>) -> Result<wire::QualificationView, Failure> {
    let text = file.map(text_of).transpose()?;
    Ok(call::publish_quiz(app, wire::PublishQuizRequest { text })?.value)
}

/// One line of a file of known answers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    prompt_id: String,
    /// The run's name.
    model: String,
    modality: Modality,
    /// None to withdraw it.
    verdict: Option<Verdict>,
    #[serde(default)]
    why: String,
}

/// Says which answers are known: those of a file of JSON lines, and those that auditors settled.
pub fn state_golds(
    app: &App,
    file: Option<&Path>,
    settled: bool,
    folder: Option<&str>,
) -> Result<wire::QualificationView, Failure> {
    let mut golds = Vec::new();
    if let Some(file) = file {
        let known: HashMap<(String, String, Modality), ResponseId> = app.lead(|lead| {
            let Some(folder) = units::choose_folder(lead, folder)? else { return Ok(HashMap::new()) };
            let mut known = HashMap::new();
            let mut answers = Vec::new();
            lead.each_answer(Some(&folder), |answer| {
                answers.push(answer);
                Ok(())
            })?;
            for answer in answers {
                let Some(found) = lead.response(answer.response)? else { continue };
                for modality in lead.judged_modalities(&found)?.iter() {
                    let key = (answer.prompt_key.clone(), answer.run_name.clone(), modality);
                    known.insert(key, answer.response);
                }
            }
            Ok(known)
        })?;
        for (number, line) in text_of(file)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let about = |why: String| {
                Failure::new(Code::BadRequest, format!("{}: line {}: {why}", file.display(), number + 1))
            };
            let line: Line = serde_json::from_str(line).map_err(|error| about(error.to_string()))?;
            let key = (line.prompt_id, line.model, line.modality);
            let Some(response) = known.get(&key) else {
                let (prompt, model, modality) = key;
                return Err(about(format!(
                    "{model} gave no answer to {prompt} that is judged for {modality}"
                )));
            };
            golds.push(wire::GoldRow {
                response: *response,
                modality: key.2,
                verdict: line.verdict,
                why: line.why,
            });
        }
    }
    let request = wire::StateGoldsRequest { golds, settled, folder: folder.map(str::to_owned) };
    Ok(call::state_golds(app, request)?.value)
}
