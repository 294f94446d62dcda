//! What was actually done in a study, counted: the methods paragraph and the list of exclusions are made of this.

use crate::{Failure, gold, traits, units, units::Unit, wire::UnitSet};
use domain::{Settlement, StatementKind};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use store::{AuditorView, payload};

/// A study's facts under one results folder.
pub(super) struct Facts {
    pub prompts: u64,
    pub models: Vec<String>,
    pub people: Vec<String>,
    /// Outputs: one modality of one response each.
    pub outputs: u64,
    pub responses: u64,
    /// Outputs by how many people judged them: 1, 2, 3 and more.
    pub judged_by: [u64; 3],
    /// Outputs that two or more people judged and on which they are evenly split.
    pub ties: u64,
    /// Verdicts given in this study, and read from files.
    pub live: u64,
    pub imported: u64,
    /// Verdicts for which an AI was used for background knowledge, and those marked as doubtful.
    pub ai_assisted: u64,
    pub doubtful: u64,
    /// Median time a verdict took, in seconds, and how many say.
    pub median_seconds: Option<(f64, u64)>,
    pub guidelines: Option<u32>,
    pub rubric_judges: BTreeSet<String>,
    pub presence_judges: BTreeSet<String>,
    pub criteria: u64,
    pub evaluator_errors: u64,
    /// Settled cases by cause.
    pub settled: BTreeMap<&'static str, u64>,
    /// Prompts whose gold list auditors marked wrong; they count as any other.
    pub marked_gold: u64,
    /// Outputs that agreement with the majority leaves out, and why; in the order in which they are left out.
    pub exclusions: Vec<(&'static str, u64)>,
    /// Files that were imported: format, path, rows that were refused.
    pub refused: Vec<(String, String, u64)>,
    /// Outputs that agreement with the majority is computed over.
    pub compared: u64,
}

/// Counts a study.
pub(super) fn of(view: &mut AuditorView, folder: &str, set: UnitSet, all: &[Unit]) -> Result<Facts, Failure> {
    let people: HashSet<&str> =
        all.iter().flat_map(|unit| unit.people.iter().map(|(person, _)| &**person)).collect();
    let judged: Vec<&Unit> = all.iter().filter(|unit| !unit.people.is_empty()).collect();
    let mut judged_by = [0; 3];
    for unit in &judged {
        judged_by[unit.people.len().clamp(1, 3) - 1] += 1;
    }
    let mut facts = Facts {
        prompts: all.iter().map(|unit| &*unit.prompt_key).collect::<HashSet<_>>().len() as u64,
        models: units::models(all),
        people: units::people(all),
        outputs: all.len() as u64,
        responses: all.iter().map(|unit| unit.response).collect::<HashSet<_>>().len() as u64,
        judged_by,
        ties: judged.iter().filter(|unit| unit.is_tie()).count() as u64,
        live: 0,
        imported: 0,
        ai_assisted: 0,
        doubtful: 0,
        median_seconds: None,
        guidelines: view.guidelines()?.map(|own| own.version),
        rubric_judges: BTreeSet::new(),
        presence_judges: BTreeSet::new(),
        criteria: all.iter().filter_map(|unit| unit.judge).map(|judge| u64::from(judge.grades)).sum(),
        evaluator_errors: all
            .iter()
            .filter_map(|unit| unit.judge)
            .map(|judge| u64::from(judge.evaluator_errors))
            .sum(),
        settled: BTreeMap::new(),
        marked_gold: 0,
        exclusions: exclusions(all, set),
        refused: Vec::new(),
        compared: 0,
    };
    facts.compared = facts.outputs - facts.exclusions.iter().map(|(_, n)| n).sum::<u64>();
    verdicts(view, folder, &people, &mut facts)?;
    for file in view.judged_files(Some(folder))?.into_iter().filter(|file| file.variant.is_empty()) {
        facts.rubric_judges.extend(view.judges_of_rows(&file)?.into_iter().map(|(_, judge)| judge));
    }
    for (of, _, manifest) in view.manifests()? {
        let judge = &manifest["judge"];
        if let (true, true, Some(model)) = (of == folder, judge["enabled"] == true, judge["model"].as_str()) {
            facts.presence_judges.insert(model.to_owned());
        }
    }
    settled(view, folder, &mut facts)?;
    for import in view.imports()? {
        let refused = import.report["rejected"].as_array().map_or(0, Vec::len) as u64;
        if refused > 0 {
            facts.refused.push((import.format, import.path, refused));
        }
    }
    Ok(facts)
}

fn verdicts(
    view: &mut AuditorView,
    folder: &str,
    people: &HashSet<&str>,
    facts: &mut Facts,
) -> Result<(), Failure> {
    let mut seconds: Vec<f64> = Vec::new();
    view.each_verdict(Some(folder), |row| {
        if people.contains(row.annotator.as_str()) {
            *(if row.statement.is_some() { &mut facts.live } else { &mut facts.imported }) += 1;
            facts.ai_assisted += u64::from(row.details.flags.ai_background);
            facts.doubtful += u64::from(row.details.flags.doubt);
            seconds.extend(row.seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0));
        }
        Ok(())
    })?;
    seconds.sort_by(f64::total_cmp);
    let middle = seconds.len() / 2;
    facts.median_seconds = seconds.get(middle).map(|upper| {
        let lower = if seconds.len().is_multiple_of(2) { seconds[middle - 1] } else { *upper };
        (f64::midpoint(lower, *upper), seconds.len() as u64)
    });
    Ok(())
}

fn settled(view: &mut AuditorView, folder: &str, facts: &mut Facts) -> Result<(), Failure> {
    let mut causes = BTreeMap::new();
    for imported in view.imported_adjudications(Some(folder))? {
        let found = imported.adjudication;
        causes.insert((found.prompt_key, found.model, found.modality), found.cause);
    }
    let mut stated = Vec::new();
    view.each_standing(&StatementKind::Settlement, |statement| {
        stated.push(statement);
        Ok(())
    })?;
    for statement in stated {
        let Ok(settled) = payload::<Settlement>(&statement) else { continue };
        if let Some(answer) = view.answer(settled.response)?.filter(|answer| answer.folder == folder) {
            causes.insert((answer.prompt_key, answer.run_name, settled.modality), settled.cause);
        }
    }
    for cause in causes.into_values() {
        *facts.settled.entry(cause.code()).or_default() += 1;
    }
    facts.marked_gold = gold::marked_keys(view)?.len() as u64;
    Ok(())
}

/// Why outputs are left out of the agreement with the majority; each is counted once, by the first reason that holds.
fn exclusions(all: &[Unit], set: UnitSet) -> Vec<(&'static str, u64)> {
    let mut counts = [
        ("the LLM judge gave no grade", 0),
        ("not detected in the response", 0),
        ("an error of the evaluator", 0),
        ("nothing that could be graded", 0),
        ("no person judged it", 0),
        ("people are evenly split", 0),
    ];
    for unit in all {
        let reason = match unit.judge {
            None => Some(0),
            Some(_) if set == UnitSet::AllExpected => None,
            Some(_) if !unit.detection.lenient() => Some(1),
            Some(judge) if judge.evaluator_errors > 0 && set == UnitSet::Produced => Some(2),
            Some(judge) if !judge.gradeable && judge.evaluator_errors == 0 => Some(3),
            Some(judge) if !judge.gradeable && set == UnitSet::Produced => Some(3),
            Some(_) => None,
        };
        let reason = reason.or(if unit.people.is_empty() {
            Some(4)
        } else if unit.is_tie() {
            Some(5)
        } else {
            None
        });
        if let Some(reason) = reason {
            counts[reason].1 += 1;
        }
    }
    counts.to_vec()
}

/// Prompts of the dataset, whether answered or not.
pub(super) fn dataset(view: &AuditorView) -> Result<(u64, BTreeMap<String, u64>), Failure> {
    let (mut prompts, mut languages) = (0, BTreeMap::new());
    traits::each_prompt(view, |prompt| {
        prompts += 1;
        *languages.entry(prompt.language).or_default() += 1;
    })?;
    Ok((prompts, languages))
}
