//! The generated files: JSON Schemas of every shape that crosses a border, TypeScript types and client, and the
//! list of commands that the shell's build script and capability file need. `schemars` is the one source.

use crate::typescript;
use actions::{Allowed, COMMANDS};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path};

/// Path below the repository's root, and content.
type Files = BTreeMap<String, String>;

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().into_generator()
}

fn pretty(value: &Value) -> Result<String, String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|error| error.to_string())
}

fn file_schema<T: JsonSchema>(title: &str) -> Value {
    let mut schema: Schema = generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), json!(title));
    schema.to_value()
}

fn files() -> Result<Files, String> {
    let mut out = Files::new();
    let mut schemas = generator();
    let mut rows = Vec::new();
    for command in COMMANDS {
        let request = (command.request)(&mut schemas).to_value();
        let reply = (command.reply)(&mut schemas).to_value();
        let roles = match command.allowed {
            Allowed::Anyone => json!("anyone"),
            Allowed::Roles(roles) => json!(roles),
        };
        rows.push(json!({
            "name": command.name, "shape": command.shape, "help": command.help,
            "roles": roles, "request": request, "reply": reply,
        }));
    }
    schemas.subschema_for::<actions::Failure>();
    let definitions = schemas.definitions().clone();
    out.insert(
        "schemas/ipc/commands.json".to_owned(),
        pretty(&json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "The command table: every request and reply",
            "commands": rows, "$defs": definitions,
        }))?,
    );
    out.insert("ui/backend/generated/types.ts".to_owned(), typescript::types(&definitions));
    out.insert("ui/backend/generated/commands.ts".to_owned(), typescript::commands(&rows));

    for (path, schema) in [
        ("files/import", file_schema::<actions::wire::ImportSummary>("assize import --json")),
        ("files/score", file_schema::<actions::wire::StudyScores>("assize score --json")),
        ("files/curation", file_schema::<actions::wire::CurationView>("assize curation --json")),
        ("files/qualify", file_schema::<actions::wire::QualificationView>("assize qualify --json")),
        (
            "files/quiz",
            file_schema::<domain::Quiz>(
                "a quiz as the study file holds it: no field tells an answer that counts",
            ),
        ),
        ("files/criteria", file_schema::<actions::wire::CriterionEffectsView>("assize criteria --json")),
        (
            "files/sample",
            file_schema::<domain::Sample>("a sample of an interaction benchmark, as a study holds it"),
        ),
        ("files/agreement", file_schema::<agreement::AgreementResult>("assize agreement --json, one result")),
        ("files/probe", file_schema::<Vec<media::Probe>>("assize media probe --json")),
        ("files/media-text", file_schema::<actions::command_line::DocumentText>("assize media text --json")),
        ("files/media-peaks", file_schema::<media::Waveform>("assize media peaks --json")),
        ("files/media-thumb", file_schema::<actions::command_line::Thumbnail>("assize media thumb --json")),
        (
            "files/agreement-study",
            file_schema::<actions::command_line::StudyAgreement>(
                "assize agreement STUDY --json, without --human",
            ),
        ),
        ("files/assign", file_schema::<actions::command_line::AssignedReport>("assize assign --json")),
        ("files/pack", file_schema::<actions::wire::PackReport>("assize pack --json")),
        ("files/merge", file_schema::<actions::wire::MergeReport>("assize merge --json")),
        ("files/leaks", file_schema::<actions::wire::LeakReport>("assize leaks --json")),
        ("files/guidelines", file_schema::<actions::wire::Guidelines>("assize guidelines --json")),
        ("files/check", file_schema::<actions::files::CheckReport>("assize check --json")),
        ("files/lint", file_schema::<rubric::lints::LintReport>("assize lint --json")),
        ("files/compile", file_schema::<rubric::compile::Compiled>("assize compile --json")),
        ("files/meta-rubric", file_schema::<domain::MetaRubric>("a meta-rubric, as assize compile reads it")),
        ("files/error", file_schema::<actions::Failure>("an error")),
        ("statements/judgement", file_schema::<domain::Judgement>("payload of a judgement")),
        ("statements/rubric_revision", file_schema::<domain::RubricDraft>("payload of a rubric revision")),
        ("statements/curation", file_schema::<domain::Curation>("payload of a curation")),
        ("statements/audit_draw", file_schema::<domain::AuditDraw>("payload of an audit's draw")),
        ("statements/audit_finding", file_schema::<domain::AuditFinding>("payload of an audit's finding")),
        (
            "statements/quiz_attempt",
            file_schema::<domain::QuizAttempt>("payload of a quiz that was handed in"),
        ),
        (
            "statements/qualification_rules",
            file_schema::<domain::QualificationRules>("payload of what is asked of those who judge"),
        ),
        (
            "statements/qualification_change",
            file_schema::<domain::QualificationChange>("payload of a decision on qualification"),
        ),
        ("statements/checklist_grade", file_schema::<domain::ChecklistGrade>("payload of a checklist grade")),
        ("statements/gold_mark", file_schema::<domain::GoldMark>("payload of a mark on a gold list")),
        ("statements/settlement", file_schema::<domain::Settlement>("payload of a settlement")),
    ] {
        out.insert(format!("schemas/{path}.json"), pretty(&schema)?);
    }

    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    out.insert("src-tauri/commands.gen.txt".to_owned(), names.join("\n") + "\n");
    let mut permissions = vec![json!("core:event:default"), json!("core:webview:default")];
    permissions.extend(names.iter().map(|name| json!(format!("allow-{}", name.replace('_', "-")))));
    out.insert(
        "src-tauri/capabilities/main.json".to_owned(),
        pretty(&json!({
            "identifier": "main",
            "description": "What the one window may call: the command table, and nothing of any plug-in.",
            "windows": ["main"],
            "permissions": permissions,
        }))?,
    );
    Ok(out)
}

/// Writes every generated file below `root`.
pub fn write(root: &Path) -> Result<(), String> {
    for (path, content) in files()? {
        let path = root.join(path);
        if fs::read_to_string(&path).is_ok_and(|old| old == content) {
            continue;
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        fs::write(&path, content).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Fails if a generated file is missing or stale.
pub fn check(root: &Path) -> Result<(), String> {
    let stale: Vec<String> = files()?
        .into_iter()
        .filter(|(path, content)| fs::read_to_string(root.join(path)).ok().as_ref() != Some(content))
        .map(|(path, _)| path)
        .collect();
    if stale.is_empty() {
        Ok(())
    } else {
        Err(format!("stale; run `cargo dev generate`:\n  {}", stale.join("\n  ")))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn generated_files_are_fresh() {
        let fresh = super::check(&crate::root());
        assert_eq!(fresh, Ok(()), "what is committed is what `cargo dev generate` writes");
    }
}
