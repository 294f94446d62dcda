//! What is compared across judgings: criteria that tell no responses apart, and rubric judges of the same responses.

use crate::{
    Failure,
    check_agreement::{self, MET},
    gamut_scores::{self, Checklists, MULTIMODAL, of_files},
    scores, units, wire,
};
use ::agreement::{Judges, Options, Outcome, Score, compare_judges, criterion_outcomes};
use domain::{CheckVerdict, Modality};
use rubric::scores::{Grades, ScoredRow, mmi_value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{AuditorView, JudgedFile, Judging};

/// The judgings of a folder besides that of the base files, without their underscore.
pub(crate) fn variants(view: &AuditorView, folder: &str) -> Result<Vec<String>, Failure> {
    let names: BTreeSet<String> = view
        .judged_files(Some(folder))?
        .into_iter()
        .map(|file| scores::normal(&file.variant).to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    Ok(names.into_iter().collect())
}

/// Where a criterion stands: its prompt's key, its 1-based place, the modality it is about, its text.
type Criterion = (String, u32, Option<Modality>, String);

/// Criteria as numbers, and which of them each graded response meets.
#[derive(Default)]
struct Graded {
    places: BTreeMap<Criterion, u32>,
    grades: Vec<(u32, bool)>,
}

impl Graded {
    fn add(&mut self, criterion: Criterion, met: bool) {
        let next = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        self.grades.push((*self.places.entry(criterion).or_insert(next), met));
    }
}

/// What LLM judges graded: criteria of a folder's base files, and checks of checklists in files of grades.
fn by_judges(view: &mut AuditorView, folder: &str, filter: &wire::UnitFilter) -> Result<Graded, Failure> {
    let wanted = |key: &str, model: &str| {
        filter.model.as_ref().is_none_or(|wanted| wanted == model)
            && filter.prompt.as_ref().is_none_or(|wanted| wanted == key)
    };
    let mut graded = Graded::default();
    view.each_judging(Judging { folder: Some(folder), variant: "" }, |key, model, _, record| {
        for grade in record.grades.iter().filter(|grade| wanted(key, model) && !grade.evaluator_error) {
            if filter.modality.is_none_or(|modality| grade.modality == Some(modality)) {
                let criterion = (key.to_owned(), grade.index, grade.modality, grade.criterion.clone());
                graded.add(criterion, grade.score >= MET);
            }
        }
        Ok(())
    })?;
    if filter.modality.is_none() {
        let mut lists = Checklists::default();
        for ((question, under), said) in of_files(view)? {
            if under.by_person || under.variant != MULTIMODAL || !wanted(&question, &under.model) {
                continue;
            }
            for (place, check) in (1..).zip(&lists.of(view, &question)?.checks) {
                if let Some((_, Some(verdict))) = said.verdicts.get(&check.id) {
                    let criterion = (question.clone(), place, None, check.text.clone());
                    graded.add(criterion, *verdict == CheckVerdict::Meets);
                }
            }
        }
    }
    Ok(graded)
}

/// What people graded, by the majority or one of them; even splits are left out.
fn by_people(view: &mut AuditorView, folder: &str, filter: &wire::UnitFilter) -> Result<Graded, Failure> {
    let human = filter.human.as_deref().unwrap_or(units::MAJORITY);
    let mut graded = Graded::default();
    for one in check_agreement::gather(view, folder, filter, None)?.checked {
        if let Some(met) = one.human_says(human) {
            let place = u32::try_from(one.place + 1).unwrap_or(u32::MAX);
            graded.add((one.key, place, one.modality, one.check.text), met);
        }
    }
    Ok(graded)
}

/// How responses fare under each criterion. A zero that the evaluator caused says nothing of the criterion and is left out.
pub(crate) fn criteria(
    view: &mut AuditorView,
    folder: &str,
    request: &wire::CriteriaRequest,
) -> Result<wire::CriteriaView, Failure> {
    let Graded { places, grades } = match request.graded_by {
        wire::CriteriaGradedBy::Judge => by_judges(view, folder, &request.filter)?,
        wire::CriteriaGradedBy::People => by_people(view, folder, &request.filter)?,
    };
    let mut texts = vec![String::new(); places.len()];
    for ((_, _, _, text), at) in &places {
        if let Some(slot) = texts.get_mut(*at as usize) {
            slot.clone_from(text);
        }
    }
    let responses = grades.len() as f64;
    let outcomes = criterion_outcomes(&texts, grades);
    let of = |outcome: Outcome| outcomes.iter().filter(|row| row.outcome == outcome).count();
    let (graded, never_passed, never_failed) =
        (outcomes.len() - of(Outcome::NotGraded), of(Outcome::NeverPassed), of(Outcome::NeverFailed));
    let rows: Vec<wire::CriterionRow> = places
        .into_iter()
        .filter_map(|((key, index, modality, _), at)| {
            let outcome = outcomes.get(at as usize)?.clone();
            Some(wire::CriterionRow { key, index: index.into(), modality, outcome })
        })
        .filter(|row| request.outcome.is_none_or(|wanted| row.outcome.outcome == wanted))
        .collect();
    let total = rows.len();
    let from = request.after.as_deref().and_then(|after| after.parse::<usize>().ok()).unwrap_or(0);
    let limit = request.limit.unwrap_or(200).clamp(1, 1000) as usize;
    let rows: Vec<wire::CriterionRow> = rows.into_iter().skip(from).take(limit).collect();
    let end = from + rows.len();
    Ok(wire::CriteriaView {
        graded: graded.into(),
        never_passed: never_passed.into(),
        never_failed: never_failed.into(),
        responses_per_criterion: (graded > 0).then(|| responses / graded as f64),
        rows,
        next: (end < total).then(|| end.to_string()),
        total: total.into(),
    })
}

/// The first word of a name, without what stands before the last slash: `openai/gpt-5-mini` is of `gpt`.
fn family(name: &str) -> Option<String> {
    let last = name.rsplit('/').next().unwrap_or(name);
    let word: String = last
        .chars()
        .skip_while(|c| !c.is_alphabetic())
        .take_while(|c| c.is_alphabetic())
        .flat_map(char::to_lowercase)
        .collect();
    (!word.is_empty()).then_some(word)
}

/// Numbers for names, in order of first sight.
#[derive(Default)]
struct Names(Vec<String>);
impl Names {
    fn number(&mut self, name: &str) -> u32 {
        let at = self.0.iter().position(|known| known == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        });
        u32::try_from(at).unwrap_or(u32::MAX)
    }
}

/// Scores of answers by judge, model and question.
#[derive(Default)]
struct Judged {
    judges: Names,
    /// Models, each with the name that its family is read off.
    models: Names,
    asked: HashMap<String, String>,
    questions: HashMap<String, u32>,
    scores: HashMap<(u32, u32, u32), f64>,
}

impl Judged {
    fn add(&mut self, judge: &str, model: &str, question: &str, score: f64) {
        let next = u32::try_from(self.questions.len()).unwrap_or(u32::MAX);
        let question = *self.questions.entry(question.to_owned()).or_insert(next);
        self.scores.insert((self.judges.number(judge), self.models.number(model), question), score);
    }

    fn compare(
        self,
        scores: wire::JudgedScores,
        choices: Vec<wire::JudgedScores>,
        options: &Options,
    ) -> wire::JudgesView {
        let judges: Vec<(String, Option<String>)> =
            self.judges.0.iter().map(|name| (name.clone(), family(name))).collect();
        let of_model = |name: &String| {
            let asked = self.asked.get(name).filter(|model| !model.is_empty()).unwrap_or(name);
            (name.clone(), family(asked))
        };
        let models: Vec<(String, Option<String>)> = self.models.0.iter().map(of_model).collect();
        let mut scored: Vec<Score> = self
            .scores
            .into_iter()
            .map(|((judge, model, question), score)| Score { judge, model, question, score })
            .collect();
        scored.sort_by_key(|score| (score.question, score.model, score.judge));
        let comparison = (judges.len() > 1)
            .then(|| compare_judges(Judges { judges: &judges, models: &models }, &scored, options));
        let named = |all: Vec<(String, Option<String>)>| {
            all.into_iter().map(|(name, family)| wire::NamedFamily { name, family }).collect()
        };
        wire::JudgesView { scores, choices, comparison, judges: named(judges), models: named(models) }
    }
}

/// Compares the judges of the same responses by what they score: of the scores asked for, else of those that more than one
/// judge gave, MMI Value first.
pub(crate) fn judges(
    view: &mut AuditorView,
    folder: &str,
    request: &wire::JudgesRequest,
    options: &Options,
) -> Result<wire::JudgesView, Failure> {
    let all = [
        (wire::JudgedScores::MmiValue, of_rubric_judges(view, folder, &request.filter)?),
        (wire::JudgedScores::Gamut, of_evaluators(view, &request.filter)?),
    ];
    let several = |judged: &Judged| judged.judges.0.len() > 1;
    let choices: Vec<wire::JudgedScores> =
        all.iter().filter(|(_, judged)| several(judged)).map(|(scores, _)| *scores).collect();
    let wanted = request.scores.or_else(|| choices.first().copied()).unwrap_or_default();
    let judged = all.into_iter().find(|(scores, _)| *scores == wanted).map(|(_, judged)| judged);
    Ok(judged.unwrap_or_default().compare(wanted, choices, options))
}

/// GAMUT scores of answers with image and text, by evaluators from files.
fn of_evaluators(view: &mut AuditorView, filter: &wire::UnitFilter) -> Result<Judged, Failure> {
    let request = wire::GamutRequest { responses: true, resamples: Some(0), ..wire::GamutRequest::default() };
    let scores = gamut_scores::of_study(view, &request)?;
    let people: BTreeSet<&str> =
        scores.models.iter().filter(|row| row.by_person).map(|row| row.judge.as_str()).collect();
    let mut judged = Judged::default();
    for answer in &scores.responses {
        let wanted = filter.model.as_ref().is_none_or(|model| *model == answer.model)
            && filter.prompt.as_ref().is_none_or(|key| *key == answer.question);
        if let (Some(score), true) = (answer.score, wanted)
            && answer.variant == MULTIMODAL
            && !people.contains(answer.judge.as_str())
        {
            judged.add(&answer.judge, &answer.model, &answer.question, score);
        }
    }
    Ok(judged)
}

/// Each judged response's MMI Value by each rubric judge of a folder. Two judgings by one judge count once, the base files
/// before variants.
fn of_rubric_judges(view: &AuditorView, folder: &str, filter: &wire::UnitFilter) -> Result<Judged, Failure> {
    let mut judged = Judged::default();
    for run in view.runs()?.into_iter().filter(|run| run.folder == folder) {
        judged.asked.insert(run.run_name, run.model);
    }
    // Base files last, so that their scores are the ones that stay.
    let mut files: Vec<JudgedFile> = view.judged_files(Some(folder))?;
    files.sort_by_key(|file| file.variant.is_empty());
    for file in files {
        let judge_of: HashMap<u64, String> = view.judges_of_rows(&file)?.into_iter().collect();
        view.score_rows(&file, |row| {
            let Some(judge) = judge_of.get(&row.line) else { return Ok(()) };
            if filter.model.as_ref().is_some_and(|wanted| *wanted != row.run_name)
                || filter.prompt.as_ref().is_some_and(|wanted| *wanted != row.prompt_key)
            {
                return Ok(());
            }
            let units = row.cells.map(|cell| cell.map(|cell| scores::graded(&cell)));
            let scored = ScoredRow {
                expected: row.expected.as_slice(),
                presence: row.presence,
                failed: row.failed,
                error_type: None,
                grades: Grades::Summed(&units),
            };
            if let Some(value) = mmi_value(&scored) {
                judged.add(judge, &row.run_name, &row.prompt_key, value);
            }
            Ok(())
        })?;
    }
    Ok(judged)
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn a_family_is_the_first_word_of_a_name() {
        assert_eq!(
            family("openai/gpt-5-mini").as_deref(),
            Some("gpt"),
            "the maker's prefix is no part of it"
        );
        assert_eq!(family("Gemini 2.5 Pro").as_deref(), Some("gemini"), "case plays no part");
        assert_eq!(family("o3"), Some("o".to_owned()), "a number ends the word");
        assert_eq!(family("7-42"), None, "no letters, no family");
    }
}
