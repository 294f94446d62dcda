//! Scores by checklists: verdicts of evaluators from files and of people in this study, by model and judge. What a verdict
//! is worth is `rubric`'s; here verdicts meet the checklist that is in force now.

use crate::{
    Failure,
    checklists::{self, Checklist},
    wire,
};
use ::agreement::{Coefficient, Method, Options, Resampling, mean_with_interval};
use domain::{Check, CheckVerdict, Defined, Tier};
use rubric::compare::GivenVerdict;
use rubric::gamut::{GamutScore, ScoringRule, TierCounts, VerdictMix, score};
use std::collections::{BTreeMap, BTreeSet, HashMap, hash_map::Entry};
use store::AuditorView;

/// How a question with image and text is asked, and with text alone.
pub(crate) const MULTIMODAL: &str = "multimodal";
const TEXT_ONLY: &str = "text_only";
/// A person graded, who saw image and text; so files of this study's own grades say.
pub(crate) const PEOPLE: &str = "people";

/// Under whom, and of which model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Under {
    pub judge: String,
    pub by_person: bool,
    pub variant: String,
    pub model: String,
}

/// The verdicts on one answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graded {
    /// Text hash where it was kept, and the verdict; none where the evaluator failed.
    pub verdicts: BTreeMap<String, (Option<String>, Option<CheckVerdict>)>,
}

/// What one answer comes to.
struct Answered {
    question: String,
    score: GamutScore,
    evaluator_errors: u64,
    unjudged: u64,
    stale: u64,
    unknown: u64,
}

/// Verdicts of one answer, met with the checklist: one entry per check, and what does not count.
struct Met {
    verdicts: Vec<Option<CheckVerdict>>,
    evaluator_errors: u64,
    unjudged: u64,
    stale: u64,
    unknown: u64,
}

fn meet(checklist: &Checklist, graded: &Graded) -> Met {
    let mut met = Met { verdicts: Vec::new(), evaluator_errors: 0, unjudged: 0, stale: 0, unknown: 0 };
    for check in &checklist.checks {
        let verdict = match graded.verdicts.get(&check.id) {
            None => {
                met.unjudged += 1;
                None
            }
            Some((_, None)) => {
                met.evaluator_errors += 1;
                None
            }
            Some((Some(words), Some(_))) if *words != check.text_sha256 => {
                met.stale += 1;
                None
            }
            Some((_, verdict)) => *verdict,
        };
        met.verdicts.push(verdict);
    }
    let known: BTreeSet<&str> = checklist.checks.iter().map(|check| check.id.as_str()).collect();
    met.unknown = graded.verdicts.keys().filter(|id| !known.contains(id.as_str())).count() as u64;
    met
}

/// Checklists by prompt key, each made once.
#[derive(Default)]
pub(crate) struct Checklists(HashMap<String, Checklist>);
impl Checklists {
    pub fn of(&mut self, view: &mut AuditorView, key: &str) -> Result<&Checklist, Failure> {
        match self.0.entry(key.to_owned()) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(free) => {
                let checklist = match view.prompt_with_key(key)? {
                    Some(prompt) => checklists::of_prompt(view, &prompt)?,
                    None => Checklist::default(),
                };
                Ok(free.insert(checklist))
            }
        }
    }
}

/// A criterion-graded response of one person: MMI Value, share of modalities wholly met, stale verdicts.
type Valued = (Option<f64>, Option<(u64, u64)>, u64);

/// Scores of a study by its checklists.
pub(crate) fn of_study(
    view: &mut AuditorView,
    request: &wire::GamutRequest,
) -> Result<wire::GamutScores, Failure> {
    let rule = request.rule.unwrap_or_default();
    rule.check().map_err(|why| Failure::new(crate::Code::BadRequest, why.to_string()))?;
    let options = Options {
        resamples: request.resamples.unwrap_or(10_000).min(100_000),
        seed: u64::from(request.seed.unwrap_or(1)),
        resampling: Resampling::Clusters,
    };
    let mut lists = Checklists::default();
    let mut without = BTreeSet::new();
    let mut answers: BTreeMap<Under, Vec<Answered>> = BTreeMap::new();
    let mut people: BTreeMap<(String, String), Vec<(String, Valued)>> = BTreeMap::new();
    for (question, under, graded) in everyones(view)? {
        let checklist = lists.of(view, &question)?;
        let is_gamut = checklist.is_gamut() && !checklist.checks.is_empty();
        if is_gamut {
            let met = meet(checklist, &graded);
            answers.entry(under).or_default().push(answered(question, checklist, met, &rule));
        } else if !under.by_person {
            without.insert(question);
        } else if checklist.by.is_some() {
            let met = meet(checklist, &graded);
            people.entry((under.judge, under.model)).or_default().push((question, valued(checklist, &met)));
        }
    }
    let mut models: Vec<wire::GamutRow> =
        answers.iter().map(|(under, answers)| row(under, answers, &options)).collect();
    models.sort_by(|a, b| {
        let key = |row: &wire::GamutRow| row.score.value.unwrap_or(f64::NEG_INFINITY);
        (&a.judge, a.by_person, &a.variant)
            .cmp(&(&b.judge, b.by_person, &b.variant))
            .then(key(b).total_cmp(&key(a)))
            .then(a.model.cmp(&b.model))
    });
    Ok(wire::GamutScores {
        rule,
        models,
        differences: differences(&answers, &options),
        people: people.iter().map(|((judge, model), all)| person(judge, model, all, &options)).collect(),
        responses: if request.responses { responses(&answers) } else { Vec::new() },
        without_checklist: without.into_iter().collect(),
        method: Method::of_prompts(&options),
    })
}

/// Verdicts from files, by question, and by judge and model.
pub(crate) fn of_files(view: &AuditorView) -> Result<BTreeMap<(String, Under), Graded>, Failure> {
    let mut all: BTreeMap<(String, Under), Graded> = BTreeMap::new();
    view.each_check_grade(|grade| {
        let by_person = grade.variant == PEOPLE;
        let variant = if by_person { MULTIMODAL.to_owned() } else { grade.variant };
        let under = Under { judge: grade.judge, by_person, variant, model: grade.model };
        let graded = all.entry((grade.question, under)).or_default();
        graded.verdicts.insert(grade.check, (None, grade.verdict));
        Ok(())
    })?;
    Ok(all)
}

/// Grades of people in this study, each with the question that it answers. A response that no longer stands has none.
fn of_people(view: &mut AuditorView) -> Result<Vec<(String, Under, Graded)>, Failure> {
    let mut stated = Vec::new();
    view.each_checklist_grade(|statement, grade| {
        stated.push((statement.person.to_string(), grade));
        Ok(())
    })?;
    let mut all = Vec::with_capacity(stated.len());
    for (judge, grade) in stated {
        let Some(answer) = view.answer(grade.response)? else { continue };
        let under = Under { judge, by_person: true, variant: MULTIMODAL.to_owned(), model: answer.run_name };
        let verdicts = grade
            .grades
            .into_iter()
            .map(|given| (given.check, (Some(given.text_sha256), Some(given.verdict))))
            .collect();
        all.push((answer.prompt_key, under, Graded { verdicts }));
    }
    Ok(all)
}

/// Verdicts from files, and grades of people in this study, which take the place of theirs from files.
fn everyones(view: &mut AuditorView) -> Result<Vec<(String, Under, Graded)>, Failure> {
    let mut all: BTreeMap<(Under, String), Graded> = BTreeMap::new();
    let mut more = Vec::new();
    for ((question, under), graded) in of_files(view)? {
        all.insert((under, question), graded);
    }
    let mut seen = BTreeSet::new();
    for (question, under, graded) in of_people(view)? {
        let key = (under, question);
        // Of several runs of one model each response counts.
        if seen.insert(key.clone()) {
            all.insert(key, graded);
        } else {
            more.push((key.1, key.0, graded));
        }
    }
    Ok(all.into_iter().map(|((under, question), graded)| (question, under, graded)).chain(more).collect())
}

/// One judge's verdicts on one answer, each with the words that it was given on.
pub(crate) struct GradedAnswer {
    pub model: String,
    pub judge: String,
    pub by_person: bool,
    pub variant: String,
    pub given: Vec<GivenVerdict>,
}

/// Every judge's verdicts on the answers to a question. A file does not keep the words that were judged: they are taken to
/// be those of the checklist in force.
pub(crate) fn of_question(
    view: &mut AuditorView,
    question: &str,
    in_force: &[Check],
) -> Result<Vec<GradedAnswer>, Failure> {
    let words: HashMap<&str, &str> =
        in_force.iter().map(|check| (check.id.as_str(), check.text_sha256.as_str())).collect();
    Ok(everyones(view)?
        .into_iter()
        .filter(|(of, ..)| of == question)
        .map(|(_, under, graded)| GradedAnswer {
            given: graded
                .verdicts
                .into_iter()
                .filter_map(|(check, (hash, verdict))| {
                    let text_sha256 =
                        hash.or_else(|| words.get(check.as_str()).map(|own| (*own).to_owned()))?;
                    Some(GivenVerdict { check, text_sha256, verdict: verdict? })
                })
                .collect(),
            model: under.model,
            judge: under.judge,
            by_person: under.by_person,
            variant: under.variant,
        })
        .collect())
}

fn answered(question: String, checklist: &Checklist, met: Met, rule: &ScoringRule) -> Answered {
    let tiers = checklist.checks.iter().map(|check| check.tier);
    Answered {
        question,
        score: score(tiers.zip(met.verdicts), rule),
        evaluator_errors: met.evaluator_errors,
        unjudged: met.unjudged,
        stale: met.stale,
        unknown: met.unknown,
    }
}

/// The mean of what answers have, resampled by question.
fn mean<'a>(values: impl IntoIterator<Item = (&'a str, Option<f64>)>, options: &Options) -> Coefficient {
    let mut clusters: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
    for (question, value) in values {
        let own = clusters.entry(question).or_default();
        if let Some(value) = value {
            *own = [own[0] + value, own[1] + 1.0];
        }
    }
    mean_with_interval(&clusters.into_values().collect::<Vec<_>>(), options)
}

fn row(under: &Under, answers: &[Answered], options: &Options) -> wire::GamutRow {
    let mix = VerdictMix::of(answers.iter().flat_map(|a| a.score.tiers.iter().map(|tier| &tier.counts)));
    let sum = |of: fn(&Answered) -> u64| answers.iter().map(of).sum::<u64>().into();
    let of_tier = |tier: Tier| {
        let values = answers.iter().map(|a| (a.question.as_str(), a.score.tiers[tier.index()].score));
        (tier.code().to_owned(), mean(values, options))
    };
    let scores = || answers.iter().map(|a| (a.question.as_str(), a.score.score.value()));
    wire::GamutRow {
        model: under.model.clone(),
        judge: under.judge.clone(),
        by_person: under.by_person,
        variant: under.variant.clone(),
        own_family: !under.by_person && same_family(&under.model, &under.judge),
        questions: answers.len().into(),
        scored: scores().filter(|(_, score)| score.is_some()).count().into(),
        score: mean(scores(), options),
        tiers: Tier::ALL.into_iter().map(of_tier).collect(),
        mix: mix.map(|mix| wire::VerdictShares {
            meets: mix.shares[CheckVerdict::Meets.index()],
            partially: mix.shares[CheckVerdict::Partial.index()],
            missing: mix.shares[CheckVerdict::Missing.index()],
            contradicts: mix.shares[CheckVerdict::Contradicts.index()],
        }),
        verdicts: mix.map_or(0, |mix| mix.verdicts).into(),
        evaluator_errors: sum(|a| a.evaluator_errors),
        unjudged: sum(|a| a.unjudged),
        stale: sum(|a| a.stale),
        unknown: sum(|a| a.unknown),
    }
}

/// Do model and judge come from one maker, going by their names? The first word of each, or what stands before a slash.
fn same_family(model: &str, judge: &str) -> bool {
    let maker = |name: &str| name.rsplit_once('/').map(|(maker, _)| maker.to_lowercase());
    let word = |name: &str| -> String {
        let own = name.rsplit('/').next().unwrap_or(name);
        own.chars().take_while(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
    };
    let (one, other) = (word(model), word(judge));
    // One letter, as in "o3", is the name of too many.
    (one.chars().count() > 1 && one == other) || maker(model).is_some_and(|own| maker(judge) == Some(own))
}

fn differences(answers: &BTreeMap<Under, Vec<Answered>>, options: &Options) -> Vec<wire::GamutDifference> {
    let scores = |answers: &[Answered]| -> BTreeMap<String, f64> {
        answers.iter().filter_map(|a| Some((a.question.clone(), a.score.score.value()?))).collect()
    };
    let mut all = Vec::new();
    for (under, with) in answers.iter().filter(|(under, _)| under.variant == MULTIMODAL && !under.by_person) {
        let text = Under { variant: TEXT_ONLY.to_owned(), ..under.clone() };
        let Some(without) = answers.get(&text) else { continue };
        let (with, without) = (scores(with), scores(without));
        let both: Vec<(&str, f64, f64)> = with
            .iter()
            .filter_map(|(question, a)| Some((question.as_str(), *a, *without.get(question)?)))
            .collect();
        let over = |of: fn(f64, f64) -> f64| {
            mean(both.iter().map(|(question, a, b)| (*question, Some(of(*a, *b)))), options)
        };
        all.push(wire::GamutDifference {
            model: under.model.clone(),
            judge: under.judge.clone(),
            questions: both.len().into(),
            multimodal: over(|a, _| a),
            text_only: over(|_, b| b),
            difference: over(|a, b| a - b),
        });
    }
    all
}

fn responses(answers: &BTreeMap<Under, Vec<Answered>>) -> Vec<wire::GamutResponse> {
    let one = |under: &Under, answer: &Answered| {
        let (value, undefined) = match &answer.score.score {
            Defined::Value(value) => (Some(*value), None),
            Defined::Undefined(why) => (None, Some(why.clone())),
        };
        let mut counts = TierCounts::default();
        for tier in &answer.score.tiers {
            counts.meets += tier.counts.meets;
            counts.partial += tier.counts.partial;
            counts.missing += tier.counts.missing;
            counts.contradicts += tier.counts.contradicts;
        }
        let of = |verdict: CheckVerdict| match verdict {
            CheckVerdict::Meets => counts.meets,
            CheckVerdict::Partial => counts.partial,
            CheckVerdict::Missing => counts.missing,
            CheckVerdict::Contradicts => counts.contradicts,
        };
        wire::GamutResponse {
            question: answer.question.clone(),
            model: under.model.clone(),
            judge: under.judge.clone(),
            variant: under.variant.clone(),
            score: value,
            undefined,
            range: answer.score.range,
            tiers: answer
                .score
                .tiers
                .iter()
                .filter(|tier| tier.counts.total() + tier.unjudged > 0)
                .map(|tier| (tier.tier.code().to_owned(), tier.score))
                .collect(),
            verdicts: CheckVerdict::ALL
                .into_iter()
                .map(|verdict| (wire::verdict_name(verdict).to_owned(), of(verdict).into()))
                .collect(),
            evaluator_errors: answer.evaluator_errors.into(),
        }
    };
    answers.iter().flat_map(|(under, all)| all.iter().map(move |answer| one(under, answer))).collect()
}

fn valued(checklist: &Checklist, met: &Met) -> Valued {
    let (value, parts) = checklists::value(&checklist.modalities, &met.verdicts);
    let collapsed = value.map(|_| {
        let met = parts.iter().filter(|part| part.3 == Some(1.0)).count() as u64;
        (met, parts.len() as u64)
    });
    (value, collapsed, met.stale)
}

fn person(judge: &str, model: &str, responses: &[(String, Valued)], options: &Options) -> wire::PeopleValue {
    let mut collapsed: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
    for (question, (_, modalities, _)) in responses {
        let own = collapsed.entry(question).or_default();
        if let Some((met, of)) = modalities {
            *own = [own[0] + *met as f64, own[1] + *of as f64];
        }
    }
    let values = responses.iter().map(|(question, (value, ..))| (question.as_str(), *value));
    wire::PeopleValue {
        model: model.to_owned(),
        judge: judge.to_owned(),
        responses: responses.len().into(),
        value: mean(values, options),
        collapsed: mean_with_interval(&collapsed.into_values().collect::<Vec<_>>(), options),
        stale: responses.iter().map(|(_, (.., stale))| stale).sum::<u64>().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_told_by_the_first_word_or_by_the_maker() {
        assert!(same_family("gpt-5", "gpt-5.2"), "one word");
        assert!(same_family("Gemini 3 Pro", "gemini-3-flash"), "whatever the case");
        assert!(same_family("openai/o3", "openai/gpt-5"), "one maker");
        assert!(!same_family("openai/gpt-5", "google/gemini-3"), "two makers");
        assert!(!same_family("o3", "o1"), "one letter says nothing");
        assert!(!same_family("1", "2"), "and a number less");
    }
}
