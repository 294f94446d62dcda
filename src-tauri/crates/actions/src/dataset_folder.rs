//! The whole study as a folder for others: a dataset card, a data dictionary, every table as Parquet, JSONL and CSV, and the study in
//! the forms of the MMI harness, from which a fresh study comes to the same figures.

use crate::{App, Code, Failure, command_line, dictionary, export, units, wire};
use domain::{Adjudication, HumanVerdict, JudgedRow, ResponseId, Settlement, StatementKind, Verdict};
use formats::{Table, TableForm};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};
use store::{AuditorView, Judging, payload};

mod again;

/// The forms that each table is written in.
const FORMS: [TableForm; 3] = [TableForm::Parquet, TableForm::Jsonl, TableForm::Csv];

/// Writes the folder; `files` copies input files and assets into it.
pub(crate) fn write(app: &App, folder: &Path, files: bool) -> Result<wire::Exported, Failure> {
    let about = |why: &str| Failure::new(Code::BadRequest, format!("{}: {why}", folder.display()));
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(about("this folder is not empty; name one that is not there yet"));
    }
    fs::create_dir_all(folder)?;
    let mut tables: Vec<(&'static str, Table)> = Vec::new();
    app.sighted(|view| {
        for what in dictionary::OF_A_DATASET {
            // A study without results has no agreement; the others are written all the same.
            match export::table_of(view, what) {
                Ok(table) => tables.push((export::name(what), table)),
                Err(failure) if failure.code == Code::NotFound => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    })?;
    for form in FORMS {
        let data = folder.join("data").join(form.ending());
        fs::create_dir_all(&data)?;
        for (name, table) in &tables {
            export::write(&data.join(format!("{name}.{}", form.ending())), &export::bytes(table, form)?)?;
        }
    }
    let named: Vec<(&str, &Table)> = tables.iter().map(|(name, table)| (*name, table)).collect();
    export::write(&folder.join("dictionary.csv"), &export::bytes(&dictionary::of(&named), TableForm::Csv)?)?;
    let name = app.with_study(|study| Ok(study.folder.name().to_owned()))?;
    export::write(&folder.join("README.md"), card(&name, &named).as_bytes())?;
    let harness = folder.join("mmi");
    fs::create_dir_all(&harness)?;
    export::write(&harness.join("dataset.jsonl"), &command_line::dataset(app)?)?;
    app.sighted(|view| {
        results(view, &harness)?;
        people(view, &harness)?;
        again::checklists(view, &harness)?;
        again::samples(view, &harness)?;
        if files { again::copies(view, &harness) } else { Ok(()) }
    })?;
    let rows = tables.iter().map(|(_, table)| table.rows.len()).sum::<usize>();
    Ok(wire::Exported { path: folder.display().to_string(), rows: rows.into() })
}

/// A name of a folder or file of the study as one part of a path.
fn part(name: &str) -> String {
    let safe: String = name.chars().map(|c| if matches!(c, '/' | '\\' | '\0') { '_' } else { c }).collect();
    if safe.is_empty() || safe.chars().all(|c| c == '.') { "results".to_owned() } else { safe }
}

/// The dataset card: what a hub shows, and what a reader needs to begin.
fn card(name: &str, tables: &[(&str, &Table)]) -> String {
    let rows = |wanted: &str| {
        tables.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, table)| table.rows.len())
    };
    let languages: BTreeSet<String> = tables
        .iter()
        .filter(|(name, _)| *name == "prompts")
        .flat_map(|(_, table)| table.rows.iter())
        .filter_map(
            |row| if let Some(formats::Cell::Text(text)) = row.get(2) { Some(text.clone()) } else { None },
        )
        .filter(|language| language != "und")
        .collect();
    let mut out = String::from("---\n");
    // JSON's quoting is YAML's: a name brings no key of its own.
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let _ = writeln!(out, "pretty_name: {}", quoted(name));
    if !languages.is_empty() {
        out.push_str("language:\n");
        for language in languages {
            let _ = writeln!(out, "- {}", quoted(&language));
        }
    }
    out.push_str("tags:\n- multimodal\n- evaluation\n- human-judgement\n- llm-as-a-judge\nconfigs:\n");
    for (name, _) in tables {
        let _ = writeln!(out, "- config_name: {name}\n  data_files: data/parquet/{name}.parquet");
    }
    let _ = writeln!(out, "---\n\n# {}\n", name.replace('\n', " "));
    let _ = writeln!(
        out,
        "{} prompts, {} rows of results, {} grades by LLM judges, {} verdicts by people, {} settled cases, {} verdicts on checks \
         and {} predictions on samples. Written by Assize {}.\n",
        rows("prompts"),
        rows("responses"),
        rows("grades"),
        rows("verdicts"),
        rows("settlements"),
        rows("check_grades"),
        rows("predictions"),
        env!("CARGO_PKG_VERSION"),
    );
    out.push_str("| table | rows |\n| --- | ---: |\n");
    for (name, table) in tables {
        let _ = writeln!(out, "| {name} | {} |", table.rows.len());
    }
    out.push_str(
        "\nEach table is in `data/` as Parquet, JSONL and CSV; `dictionary.csv` says what every column holds. Shares are fractions \
         of 1, empty cells are values that are not defined or not known, never 0.\n\n\
         `mmi/` holds the same study in the forms that Assize reads: those of the MMI harness, and its own for checklists, verdicts \
         on checks, samples and predictions. Samples that curation discarded are not among them. A fresh study comes to the same \
         figures from it:\n\n\
         ```\nassize new copy\nassize import copy.assize mmi\n```\n\n\
         No licence is stated here; whoever publishes this folder adds the one that holds.\n",
    );
    out
}

/// Every result file, row by row.
fn results(view: &mut AuditorView, folder: &Path) -> Result<(), Failure> {
    let mut runs: HashMap<(String, String, String), (String, String)> = HashMap::new();
    for run in view.runs()? {
        runs.insert((run.folder, run.run_name, run.timestamp), (run.provider, run.model));
    }
    let mut responses: HashMap<(String, String, String, String), ResponseId> = HashMap::new();
    view.each_answer(None, |answer| {
        let key = (answer.folder, answer.run_name, answer.timestamp, answer.prompt_key);
        responses.insert(key, answer.response);
        Ok(())
    })?;
    let variants: BTreeSet<String> = view.judged_files(None)?.into_iter().map(|file| file.variant).collect();
    for variant in variants {
        let mut open: Option<(PathBuf, Vec<u8>)> = None;
        let mut failed = None;
        view.each_judging(Judging { folder: None, variant: &variant }, |key, model, timestamp, record| {
            let path = folder.join("results").join(part(&record.folder)).join(part(&record.file));
            if open.as_ref().is_none_or(|(other, _)| *other != path) {
                if let Some((path, bytes)) = open.take() {
                    failed = failed.take().or(put(&path, &bytes).err());
                }
                open = Some((path, Vec::new()));
            }
            let run = (record.folder.clone(), model.to_owned(), timestamp.to_owned());
            let (provider, asked) = runs.get(&run).cloned().unwrap_or_default();
            let slot = (run.0, run.1, run.2, key.to_owned());
            let text = match responses.get(&slot) {
                Some(response) => view.response(*response)?.map(|response| response.text),
                None => None,
            };
            let row = JudgedRow {
                line: record.line,
                offset: 0,
                length: 0,
                prompt_key: key.to_owned(),
                run_name: model.to_owned(),
                provider,
                model: asked,
                expected: record.expected,
                presence: record.presence,
                judge_used: record.judge_used,
                judge_model: record.judge_model,
                judge_reasoning: record.judge_reasoning,
                failure: record.failure,
                response_text: text.unwrap_or_default(),
                assets: record.recorded,
                rubric_used: !record.grades.is_empty() || record.stored.rubric_score.is_some(),
                rubric_judge_model: record.rubric_judge_model,
                grades: record.grades,
                stored: record.stored,
            };
            if let Some((_, bytes)) = &mut open
                && let Err(error) = formats::write_row(&row, bytes)
            {
                failed = failed.take().or(Some(error.into()));
            }
            Ok(())
        })?;
        if let Some((path, bytes)) = open {
            put(&path, &bytes)?;
        }
        if let Some(failure) = failed {
            return Err(failure);
        }
    }
    Ok(())
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    export::write(path, bytes)
}

/// What people said and auditors settled, by results folder, each beside a file that names the folder.
fn people(view: &mut AuditorView, folder: &Path) -> Result<(), Failure> {
    for results in view.folders()? {
        let mut verdicts: Vec<HumanVerdict> = Vec::new();
        view.each_verdict(Some(&results), |row| {
            verdicts.push(HumanVerdict {
                annotator: row.annotator,
                prompt_key: row.prompt_key,
                model: row.run_name,
                modality: row.modality,
                verdict: row.verdict,
                comment: row.comment,
                ai_assisted: row.details.flags.ai_background,
                seconds: row.seconds,
                details: row.details,
            });
            Ok(())
        })?;
        let settled = settlements(view, &results)?;
        if verdicts.is_empty() && settled.is_empty() {
            continue;
        }
        let beside = folder.join("people").join(part(&results));
        put(&beside.join("main_config.txt"), format!("{results}\n").as_bytes())?;
        let mut bytes = Vec::new();
        formats::write_verdicts(&verdicts, &mut bytes)?;
        put(&beside.join("human_verdicts.csv"), &bytes)?;
        let mut bytes = Vec::new();
        formats::write_adjudications(&settled, &mut bytes)?;
        put(&beside.join("adjudications.csv"), &bytes)?;
    }
    Ok(())
}

/// The settlements in force of one folder; those of this study stand before those of files.
fn settlements(view: &mut AuditorView, folder: &str) -> Result<Vec<Adjudication>, Failure> {
    let said: HashMap<(ResponseId, domain::Modality), (Option<Verdict>, Option<Verdict>)> =
        units::of_folder(view, folder, "")?
            .into_iter()
            .map(|unit| {
                ((unit.response, unit.modality), (unit.judge_says(1.0), unit.human_says(units::MAJORITY)))
            })
            .collect();
    let mut all: BTreeMap<(String, String, domain::Modality), Adjudication> = BTreeMap::new();
    for imported in view.imported_adjudications(Some(folder))? {
        let found = imported.adjudication;
        all.insert((found.prompt_key.clone(), found.model.clone(), found.modality), found);
    }
    let mut stated = Vec::new();
    view.each_standing(&StatementKind::Settlement, |statement| {
        stated.push(statement);
        Ok(())
    })?;
    for statement in stated {
        let Ok(settled) = payload::<Settlement>(&statement) else { continue };
        let Some(answer) = view.answer(settled.response)?.filter(|answer| answer.folder == folder) else {
            continue;
        };
        let (judge, majority) =
            said.get(&(settled.response, settled.modality)).copied().unwrap_or((None, None));
        let key = (answer.prompt_key.clone(), answer.run_name.clone(), settled.modality);
        all.insert(
            key,
            Adjudication {
                prompt_key: answer.prompt_key,
                model: answer.run_name,
                modality: settled.modality,
                judge: judge.unwrap_or(Verdict::Incorrect),
                human_majority: majority,
                verdict: settled.verdict,
                cause: settled.cause,
                note: settled.note,
                adjudicator: statement.person.to_string(),
                date: statement.made_at,
            },
        );
    }
    Ok(all.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_the_study_leads_out_of_no_folder() {
        assert_eq!(part("demo"), "demo", "a usual name is itself");
        assert_eq!(part("../x"), ".._x", "no way up");
        assert_eq!((part(".."), part("")), ("results".to_owned(), "results".to_owned()), "no folder but one");
    }

    #[test]
    fn a_card_cannot_be_led_astray_by_a_name() {
        let card = card("x\"\nlicense: mit", &[]);
        assert!(
            card.starts_with("---\npretty_name: \"x\\\"\\nlicense: mit\"\ntags:"),
            "the name is one text: {card}"
        );
    }
}
