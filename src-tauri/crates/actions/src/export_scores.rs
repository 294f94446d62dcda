//! Tables of scores and of what they are made of, beyond presence and MMI Value: checklists, samples, detection routes.

use crate::{
    Failure, check_agreement,
    gamut_scores::{self, Checklists, MULTIMODAL, PEOPLE},
    interaction, score_details, units, wire,
};
use ::agreement::{Coefficient, Options};
use domain::{CheckVerdict, ImportedCheckGrade, Tier};
use formats::{Cell, Table};
use std::collections::BTreeMap;
use store::AuditorView;

/// A value with both ends of its interval.
fn with_ends(of: &Coefficient) -> [Cell; 3] {
    let [low, high] = of.ci95.map_or([Cell::Missing, Cell::Missing], |ends| ends.map(Cell::from));
    [of.value.into(), low, high]
}

fn judged_by(is_person: bool) -> Cell {
    if is_person { "person" } else { "evaluator" }.into()
}

fn scores(view: &mut AuditorView, responses: bool) -> Result<wire::GamutScores, Failure> {
    gamut_scores::of_study(view, &wire::GamutRequest { responses, ..wire::GamutRequest::default() })
}

/// GAMUT's tables 1 and 2: one line for each model under each judge.
pub(crate) fn gamut(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "model",
        "judge",
        "judged_by",
        "variant",
        "own_family",
        "questions",
        "scored",
        "score",
        "score_low",
        "score_high",
        "tier_ac",
        "tier_ac_low",
        "tier_ac_high",
        "tier_v",
        "tier_v_low",
        "tier_v_high",
        "tier_c",
        "tier_c_low",
        "tier_c_high",
        "meets",
        "partially",
        "missing",
        "contradicts",
        "verdicts",
        "evaluator_errors",
        "unjudged",
        "stale",
    ]);
    for row in scores(view, false)?.models {
        let mut cells: Vec<Cell> = vec![
            row.model.into(),
            row.judge.into(),
            judged_by(row.by_person),
            row.variant.into(),
            row.own_family.into(),
            row.questions.get().into(),
            row.scored.get().into(),
        ];
        cells.extend(with_ends(&row.score));
        for tier in Tier::ALL {
            let of = row.tiers.get(tier.code());
            cells.extend(of.map_or([Cell::Missing, Cell::Missing, Cell::Missing], with_ends));
        }
        let shares = row.mix.map(|mix| [mix.meets, mix.partially, mix.missing, mix.contradicts]);
        cells.extend(shares.map_or([None; 4], |shares| shares.map(Some)).map(Cell::from));
        let counts = [row.verdicts, row.evaluator_errors, row.unjudged, row.stale];
        cells.extend(counts.map(|count| Cell::from(count.get())));
        table.rows.push(cells);
    }
    Ok(table)
}

/// GAMUT's table 3: multimodal against text alone.
pub(crate) fn gamut_text_only(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "model",
        "judge",
        "questions",
        "multimodal",
        "text_only",
        "difference",
        "difference_low",
        "difference_high",
    ]);
    for row in scores(view, false)?.differences {
        let mut cells: Vec<Cell> = vec![row.model.into(), row.judge.into(), row.questions.get().into()];
        cells.extend([row.multimodal.value, row.text_only.value].map(Cell::from));
        cells.extend(with_ends(&row.difference));
        table.rows.push(cells);
    }
    Ok(table)
}

/// Every answer's score by its checklist.
pub(crate) fn gamut_responses(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "prompt_id",
        "model",
        "judge",
        "variant",
        "score",
        "tier_ac",
        "tier_v",
        "tier_c",
        "n_meets",
        "n_partially",
        "n_missing",
        "n_contradicts",
        "evaluator_errors",
    ]);
    for row in scores(view, true)?.responses {
        let mut cells: Vec<Cell> = vec![
            row.question.into(),
            row.model.into(),
            row.judge.into(),
            row.variant.into(),
            row.score.into(),
        ];
        cells.extend(Tier::ALL.map(|tier| Cell::from(row.tiers.get(tier.code()).copied().flatten())));
        for verdict in CheckVerdict::ALL {
            let n = row.verdicts.get(wire::verdict_name(verdict)).map_or(0, |count| count.get());
            cells.push(n.into());
        }
        cells.push(row.evaluator_errors.get().into());
        table.rows.push(cells);
    }
    Ok(table)
}

/// MMI Value of criteria that people graded.
pub(crate) fn people_value(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "model",
        "annotator",
        "n_responses",
        "value",
        "value_low",
        "value_high",
        "collapsed",
        "collapsed_low",
        "collapsed_high",
        "stale",
    ]);
    for row in scores(view, false)?.people {
        let mut cells: Vec<Cell> = vec![row.model.into(), row.judge.into(), row.responses.get().into()];
        cells.extend(with_ends(&row.value));
        cells.extend(with_ends(&row.collapsed));
        cells.push(row.stale.get().into());
        table.rows.push(cells);
    }
    Ok(table)
}

/// Verdicts on checks that count, as a file of grades has them: evaluators' as they were read, people's of this study under the
/// variant `people`. What a person says of words that have changed since is left out: it counts nowhere.
pub(crate) fn all_check_grades(view: &mut AuditorView) -> Result<Vec<ImportedCheckGrade>, Failure> {
    let mut all: BTreeMap<[String; 5], ImportedCheckGrade> = BTreeMap::new();
    let mut put = |grade: ImportedCheckGrade| {
        let ImportedCheckGrade { question, model, judge, variant, check, .. } = &grade;
        all.insert([question, judge, variant, model, check].map(String::clone), grade);
    };
    view.each_check_grade(|grade| {
        put(grade);
        Ok(())
    })?;
    let mut stated = Vec::new();
    view.each_checklist_grade(|statement, grade| {
        stated.push((statement.person.to_string(), grade));
        Ok(())
    })?;
    let mut lists = Checklists::default();
    for (judge, grade) in stated {
        let Some(answer) = view.answer(grade.response)? else { continue };
        let checklist = lists.of(view, &answer.prompt_key)?;
        for given in grade.grades {
            let is_current = checklist
                .checks
                .iter()
                .any(|check| check.id == given.check && check.text_sha256 == given.text_sha256);
            if is_current {
                put(ImportedCheckGrade {
                    question: answer.prompt_key.clone(),
                    model: answer.run_name.clone(),
                    judge: judge.clone(),
                    variant: PEOPLE.to_owned(),
                    check: given.check,
                    verdict: Some(given.verdict),
                    explanation: given.reason,
                });
            }
        }
    }
    Ok(all.into_values().collect())
}

/// Every verdict on a check, one line each.
pub(crate) fn check_grades(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "prompt_id",
        "model",
        "judge",
        "judged_by",
        "variant",
        "check_id",
        "tier",
        "check_verdict",
        "check_text",
        "explanation",
    ]);
    let mut lists = Checklists::default();
    for grade in all_check_grades(view)? {
        let checklist = lists.of(view, &grade.question)?;
        let check = checklist.checks.iter().find(|check| check.id == grade.check);
        let tier = check.filter(|_| checklist.is_gamut()).map(|check| check.tier.code().to_owned());
        let is_person = grade.variant == PEOPLE;
        table.rows.push(vec![
            grade.question.into(),
            grade.model.into(),
            grade.judge.into(),
            judged_by(is_person),
            if is_person { MULTIMODAL.to_owned() } else { grade.variant }.into(),
            grade.check.into(),
            tier.into(),
            grade.verdict.map(|verdict| wire::verdict_name(verdict).to_owned()).into(),
            check.map(|check| check.text.clone()).into(),
            grade.explanation.into(),
        ]);
    }
    Ok(table)
}

/// Agreement check by check, where people graded them, in the main folder; the whole at the end.
pub(crate) fn check_agreement(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "prompt_id",
        "check_id",
        "check_text",
        "modality",
        "tier",
        "units",
        "both_met",
        "judge_only",
        "human_only",
        "both_unmet",
        "percent_agreement",
        "percent_low",
        "percent_high",
        "scott_pi",
        "pi_low",
        "pi_high",
        "people_units",
        "people_agreement",
        "people_kappa",
    ]);
    let folder = units::choose_folder(view, None)?.unwrap_or_default();
    let mut request = wire::ChecksRequest { limit: Some(1000), ..wire::ChecksRequest::default() };
    let options = Options { resamples: 2_000, ..Options::default() };
    loop {
        let found = check_agreement::of_folder(view, &folder, &request, &options)?;
        for row in found.rows {
            let both = row.judge_human.as_ref();
            let mut cells: Vec<Cell> = vec![
                row.key.into(),
                row.check.into(),
                row.text.into(),
                row.modality.map(|modality| modality.name().to_owned()).into(),
                row.tier.into(),
            ];
            let counts: Option<Vec<u64>> =
                both.map(|both| both.confusion.counts.iter().flatten().map(|n| n.get()).collect());
            cells.push(counts.as_ref().map(|counts| counts.iter().sum::<u64>()).into());
            let count = |at: usize| Cell::from(counts.as_ref().and_then(|counts| counts.get(at).copied()));
            cells.extend([count(0), count(1), count(2), count(3)]);
            let none = Coefficient::default();
            cells.extend(with_ends(both.map_or(&none, |both| &both.percent_agreement)));
            cells.extend(with_ends(both.map_or(&none, |both| &both.scott_pi)));
            cells.push(row.people_units.get().into());
            cells.extend([row.people_agreement.value, row.people_kappa.value].map(Cell::from));
            table.rows.push(cells);
        }
        let Some(next) = found.next else {
            if !table.rows.is_empty() {
                table.rows.push(pooled(&found.judge_human, &found.among_people));
            }
            return Ok(table);
        };
        request.after = Some(next);
    }
}

fn pooled(judged: &::agreement::Numbers, people: &::agreement::Numbers) -> Vec<Cell> {
    let mut cells: Vec<Cell> =
        vec!["overall".into(), Cell::Missing, Cell::Missing, Cell::Missing, Cell::Missing];
    cells.push(judged.pairable_units.get().into());
    let counts: Vec<u64> =
        judged.confusion.iter().flat_map(|c| c.counts.iter().flatten().map(|n| n.get())).collect();
    cells.extend((0..4).map(|at| Cell::from(counts.get(at).copied())));
    cells.extend(with_ends(&judged.percent_agreement));
    cells.extend(with_ends(&judged.scott_pi));
    cells.push(people.pairable_units.get().into());
    cells.extend([people.percent_agreement.value, people.fleiss_kappa.value].map(Cell::from));
    cells
}

/// Accuracy and consistency on samples: one line for each model and group.
pub(crate) fn interaction(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new([
        "model",
        "by",
        "group",
        "samples",
        "accuracy",
        "accuracy_low",
        "accuracy_high",
        "consistency",
        "consistency_low",
        "consistency_high",
    ]);
    let Some(found) = interaction::scores(view, &Options::default())? else { return Ok(table) };
    for (model, own) in found.models {
        let mut push = |by: &str, group: &str, cell: &wire::InteractionCell| {
            let mut cells: Vec<Cell> =
                vec![model.clone().into(), by.into(), group.into(), cell.samples.get().into()];
            cells.extend(with_ends(&cell.accuracy));
            cells.extend(
                cell.consistency.as_ref().map_or([Cell::Missing, Cell::Missing, Cell::Missing], with_ends),
            );
            table.rows.push(cells);
        };
        push("overall", "", &own.overall);
        for (by, groups) in [
            ("pattern", &own.by_pattern),
            ("level", &own.by_level),
            ("pattern and level", &own.by_pattern_and_level),
            ("task", &own.by_task),
            ("context", &own.by_context),
        ] {
            for (group, cell) in groups {
                push(by, group, cell);
            }
        }
    }
    Ok(table)
}

/// Every prediction that stands, with whether it is right of the sample as it stands.
pub(crate) fn predictions(view: &AuditorView) -> Result<Table, Failure> {
    let mut table =
        Table::new(["sample_id", "model", "context", "choice", "right_answer", "is_right", "discarded"]);
    let samples: BTreeMap<String, (String, bool)> = view
        .samples()?
        .into_iter()
        .map(|standing| (standing.sample.key, (standing.sample.answer, standing.is_discarded)))
        .collect();
    view.each_prediction(|said| {
        let sample = samples.get(&said.sample_key);
        let answer = sample.map(|(answer, _)| answer.clone());
        table.rows.push(vec![
            said.sample_key.into(),
            said.model.into(),
            said.context.map(|kind| kind.name().to_owned()).into(),
            said.choice.clone().into(),
            answer.clone().into(),
            answer.map_or(Cell::Missing, |answer| (answer == said.choice).into()),
            sample.map_or(Cell::Missing, |(_, discarded)| (*discarded).into()),
        ]);
        Ok(())
    })?;
    Ok(table)
}

fn details(view: &mut AuditorView) -> Result<wire::ResultDetails, Failure> {
    let folder = units::choose_folder(view, None)?.unwrap_or_default();
    score_details::of_folder(view, &folder, "", &Options { resamples: 0, ..Options::default() })
}

/// How expected modalities came back, by file and modality, in the main folder.
pub(crate) fn routes(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table =
        Table::new(["folder", "model", "modality", "expected", "native", "url", "presence_judge", "absent"]);
    let details = details(view)?;
    for file in details.files {
        for routes in file.routes {
            let counts = routes.counts;
            let mut cells: Vec<Cell> =
                vec![details.folder.clone().into(), file.model.clone().into(), routes.modality.name().into()];
            let counts = [counts.expected, counts.native, counts.url, counts.judge, counts.absent];
            cells.extend(counts.map(|count| Cell::from(count.get())));
            table.rows.push(cells);
        }
    }
    Ok(table)
}

/// Prompts by inputs and expected outputs, with their presence and MMI Value in the main folder.
pub(crate) fn inputs_by_outputs(view: &mut AuditorView) -> Result<Table, Failure> {
    let mut table = Table::new(["folder", "inputs", "outputs", "prompts", "rows", "f1", "mmi_value"]);
    let details = details(view)?;
    for cell in details.grid {
        table.rows.push(vec![
            details.folder.clone().into(),
            cell.inputs.into(),
            cell.outputs.into(),
            cell.prompts.get().into(),
            cell.rows.get().into(),
            cell.f1.into(),
            cell.mmi_value.into(),
        ]);
    }
    Ok(table)
}
