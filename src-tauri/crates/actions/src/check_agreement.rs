//! Agreement on single checks, where people graded responses against their checklists: each verdict of a person beside what the
//! LLM judge says of the same check of the same response, and beside other people's.

use crate::{
    Failure,
    checklists::Checklist,
    gamut_scores::{Checklists, MULTIMODAL, of_files},
    units, wire,
};
use ::agreement::{
    Coefficient, Kind, Level, Numbers, Options, Table, Weights, coefficient_with_interval,
    criteria_agreement, table_agreement,
};
use domain::{Check, CheckVerdict, Modality, ResponseId, Tier, Verdict};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::AuditorView;

/// A score this close to 1 meets its criterion.
pub(crate) const MET: f64 = 1.0 - 1e-9;

/// One check of one response that at least one person graded.
pub(crate) struct Checked {
    pub key: String,
    pub place: usize,
    pub check: Check,
    pub modality: Option<Modality>,
    /// Does the check belong to a checklist that is scored as GAMUT scores?
    pub of_gamut: bool,
    pub response: ResponseId,
    pub model: String,
    pub judge: Option<wire::JudgedCheck>,
    /// By name, at most once each.
    pub people: Vec<wire::PersonsCheck>,
}

impl Checked {
    /// What one person, or the majority, says; none on an even split.
    pub fn human_says(&self, human: &str) -> Option<bool> {
        let met = |said: &wire::PersonsCheck| Verdict::from_bool(said.verdict == CheckVerdict::Meets);
        let said = if human == units::MAJORITY || human == units::SETTLED {
            units::majority(self.people.iter().map(met))
        } else {
            self.people.iter().find(|said| said.person == human).map(met)
        };
        said.map(|verdict| verdict == Verdict::Correct)
    }
}

/// Every graded check under a filter, and what was left out or can be chosen.
#[derive(Default)]
pub(crate) struct Gathered {
    pub checked: Vec<Checked>,
    /// LLM judges of these checks, by name.
    pub judges: BTreeSet<String>,
    /// Verdicts that were given on other words than the check has now.
    pub stale: u64,
}

/// What LLM judges say of the checks of one response, by the check's id; and by which judge.
type Judged = BTreeMap<String, HashMap<String, wire::JudgedCheck>>;

/// What people graded of the responses of a folder, by prompt, checklist order and model.
pub(crate) fn gather(
    view: &mut AuditorView,
    folder: &str,
    filter: &wire::UnitFilter,
    judge: Option<&str>,
) -> Result<Gathered, Failure> {
    let mut by_response = of_people(view)?;
    add_from_files(view, folder, &mut by_response)?;
    if by_response.is_empty() {
        return Ok(Gathered::default());
    }
    let mut lists = Checklists::default();
    let mut from_files = of_judges(view)?;
    let mut gathered = Gathered::default();
    for (response, graded) in by_response {
        let Some(answer) = view.answer(response)?.filter(|answer| answer.folder == folder) else { continue };
        let wanted = filter.model.as_ref().is_none_or(|model| *model == answer.run_name)
            && filter.prompt.as_ref().is_none_or(|key| *key == answer.prompt_key);
        if !wanted {
            continue;
        }
        let checklist = lists.of(view, &answer.prompt_key)?;
        let judged = if checklist.is_gamut() {
            from_files.remove(&(answer.prompt_key.clone(), answer.run_name.clone())).unwrap_or_default()
        } else {
            of_criteria(view, response, checklist)?
        };
        gathered.judges.extend(judged.keys().cloned());
        // Where none is asked for: the one judge there is, else the first by name.
        let judged = judge.map_or_else(|| judged.values().next(), |judge| judged.get(judge));
        for (place, check) in checklist.checks.iter().enumerate() {
            let modality = checklist.modalities.get(place).copied();
            if filter.modality.is_some() && filter.modality != modality {
                continue;
            }
            let people = people(check, &graded, &mut gathered.stale);
            if !people.is_empty() {
                gathered.checked.push(Checked {
                    key: answer.prompt_key.clone(),
                    place,
                    check: check.clone(),
                    modality,
                    of_gamut: checklist.is_gamut(),
                    response,
                    model: answer.run_name.clone(),
                    judge: judged.and_then(|judged| judged.get(&check.id)).cloned(),
                    people,
                });
            }
        }
    }
    gathered.checked.sort_by(|a, b| (&a.key, a.place, &a.model).cmp(&(&b.key, b.place, &b.model)));
    Ok(gathered)
}

/// What a person says of one check, and, where that is known, on which words.
struct Given {
    check: String,
    words: Option<String>,
    verdict: CheckVerdict,
    reason: String,
}

/// What people graded, by response and name.
type OfPeople = BTreeMap<ResponseId, BTreeMap<String, Vec<Given>>>;

/// Grades stated in this study.
fn of_people(view: &mut AuditorView) -> Result<OfPeople, Failure> {
    let mut all = OfPeople::new();
    view.each_checklist_grade(|statement, grade| {
        let given = grade.grades.into_iter().map(|given| Given {
            check: given.check,
            words: Some(given.text_sha256),
            verdict: given.verdict,
            reason: given.reason,
        });
        all.entry(grade.response).or_default().insert(statement.person.to_string(), given.collect());
        Ok(())
    })?;
    Ok(all)
}

/// Grades of people from files: of a model's newest answer in the folder. What a person states here takes their place.
fn add_from_files(view: &AuditorView, folder: &str, all: &mut OfPeople) -> Result<(), Failure> {
    for ((question, under), graded) in of_files(view)? {
        if !under.by_person {
            continue;
        }
        let answers = view.answers_to(&question)?;
        let own =
            answers.into_iter().filter(|answer| answer.folder == folder && answer.run_name == under.model);
        let Some(answer) = own.max_by(|a, b| a.timestamp.cmp(&b.timestamp)) else { continue };
        all.entry(answer.response).or_default().entry(under.judge).or_insert_with(|| {
            let given = graded.verdicts.into_iter().filter_map(|(check, (words, verdict))| {
                Some(Given { check, words, verdict: verdict?, reason: String::new() })
            });
            given.collect()
        });
    }
    Ok(())
}

/// Verdicts on one check as it reads now, by name.
fn people(check: &Check, graded: &BTreeMap<String, Vec<Given>>, stale: &mut u64) -> Vec<wire::PersonsCheck> {
    let mut people = Vec::new();
    for (person, all) in graded {
        let Some(given) = all.iter().find(|given| given.check == check.id) else { continue };
        if given.words.as_ref().is_some_and(|words| *words != check.text_sha256) {
            *stale += 1;
            continue;
        }
        people.push(wire::PersonsCheck {
            person: person.clone(),
            verdict: given.verdict,
            reason: given.reason.clone(),
        });
    }
    people
}

/// Evaluators' verdicts from files on answers with image and text, by question and model.
fn of_judges(view: &AuditorView) -> Result<HashMap<(String, String), Judged>, Failure> {
    let mut all: HashMap<(String, String), Judged> = HashMap::new();
    for ((question, under), graded) in of_files(view)? {
        if under.variant != MULTIMODAL || under.by_person {
            continue;
        }
        let own = all.entry((question, under.model)).or_default().entry(under.judge).or_default();
        for (check, (_, verdict)) in graded.verdicts {
            if let Some(verdict) = verdict {
                let met = verdict == CheckVerdict::Meets;
                own.insert(check, wire::JudgedCheck { met, verdict: Some(verdict), score: None });
            }
        }
    }
    Ok(all)
}

/// The base file's grades of criteria that read as the rubric does now. A zero of the evaluator says nothing.
fn of_criteria(view: &AuditorView, response: ResponseId, checklist: &Checklist) -> Result<Judged, Failure> {
    let mut judged = Judged::new();
    let Some(base) = view.judgings(response)?.into_iter().find(|record| record.variant.is_empty()) else {
        return Ok(judged);
    };
    for grade in base.grades.iter().filter(|grade| !grade.evaluator_error) {
        let place = usize::try_from(grade.index).unwrap_or(0).checked_sub(1);
        let check = place.and_then(|at| Some((checklist.checks.get(at)?, checklist.modalities.get(at)?)));
        let Some((check, modality)) = check else { continue };
        if check.text.trim() == grade.criterion.trim() && Some(*modality) == grade.modality {
            let said = wire::JudgedCheck { met: grade.score >= MET, verdict: None, score: Some(grade.score) };
            let judge = base.rubric_judge_model.clone();
            judged.entry(judge).or_default().insert(check.id.clone(), said);
        }
    }
    Ok(judged)
}

/// Prompts as numbers.
fn clusters<'c>(checked: impl Iterator<Item = &'c Checked>) -> Vec<u32> {
    let mut known: HashMap<&str, u32> = HashMap::new();
    checked
        .map(|one| {
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            *known.entry(one.key.as_str()).or_insert(next)
        })
        .collect()
}

fn table(labels: &[&str], raters: usize, cells: &[Option<u16>]) -> Result<Table, Failure> {
    let labels = labels.iter().map(|label| (*label).to_owned()).collect();
    Table::from_codes(Level::Nominal, labels, raters, cells)
        .map_err(|error| Failure::new(crate::Code::Internal, error.to_string()))
}

const LABELS: [&str; 2] = ["met", "unmet"];

/// Units × people of what each says, met or unmet.
fn among(checked: &[&Checked], people: &[String]) -> Result<Table, Failure> {
    let cell = |one: &Checked, person: &String| {
        let said = one.people.iter().find(|said| said.person == *person)?;
        Some(u16::from(said.verdict != CheckVerdict::Meets))
    };
    let cells: Vec<Option<u16>> =
        checked.iter().flat_map(|one| people.iter().map(move |person| cell(one, person))).collect();
    table(&LABELS, people.len(), &cells)
}

/// Judge and the chosen human by all four verdicts, over checklists; none where the judge gave none.
fn by_verdict(checked: &[Checked], human: &str, options: &Options) -> Result<Option<Numbers>, Failure> {
    let code = |verdict: CheckVerdict| u16::try_from(verdict.index()).ok();
    let mut cells = Vec::new();
    let mut own = Vec::new();
    for one in checked.iter().filter(|one| one.of_gamut) {
        let judge = one.judge.as_ref().and_then(|judge| judge.verdict);
        if let (Some(judge), Some(human)) = (judge, commonest(one, human)) {
            cells.extend([code(judge), code(human)]);
            own.push(one);
        }
    }
    if own.is_empty() {
        return Ok(None);
    }
    let table = table(&CheckVerdict::ALL.map(CheckVerdict::name), 2, &cells)?;
    Ok(Some(table_agreement(&table, Some(&clusters(own.into_iter())), &[], options).numbers))
}

/// The verdict of one person, or the one that more people gave than any other.
fn commonest(one: &Checked, human: &str) -> Option<CheckVerdict> {
    if human != units::MAJORITY && human != units::SETTLED {
        return one.people.iter().find(|said| said.person == human).map(|said| said.verdict);
    }
    let times = |verdict: CheckVerdict| one.people.iter().filter(|said| said.verdict == verdict).count();
    let most = CheckVerdict::ALL.into_iter().map(times).max()?;
    let mut best = CheckVerdict::ALL.into_iter().filter(|verdict| times(*verdict) == most);
    best.next().filter(|_| best.next().is_none())
}

/// The view: pooled, and check by check.
pub(crate) fn of_folder(
    view: &mut AuditorView,
    folder: &str,
    request: &wire::ChecksRequest,
    options: &Options,
) -> Result<wire::ChecksAgreement, Failure> {
    let Gathered { checked, judges, stale } =
        gather(view, folder, &request.filter, request.judge.as_deref())?;
    let human = request.filter.human.as_deref().unwrap_or(units::MAJORITY);
    let people: Vec<String> = checked
        .iter()
        .flat_map(|one| one.people.iter().map(|said| said.person.clone()))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let prompts = clusters(checked.iter());
    let pair = |one: &Checked| [one.judge.as_ref().map(|judge| judge.met), one.human_says(human)];
    let both: Vec<(&Checked, u32)> = checked
        .iter()
        .zip(prompts.iter().copied())
        .filter(|(one, _)| pair(one).iter().all(Option::is_some))
        .collect();
    let rows: Vec<[Option<bool>; 2]> = both.iter().map(|(one, _)| pair(one)).collect();
    let own: Vec<u32> = both.iter().map(|(_, prompt)| *prompt).collect();
    let pooled = table_agreement(&Table::of_flags(LABELS, &rows), Some(&own), &[], options);
    let everyone: Vec<&Checked> = checked.iter().collect();
    let among_all = table_agreement(&among(&everyone, &people)?, Some(&prompts), &[], options);
    let ties = checked.iter().filter(|one| {
        matches!(human, units::MAJORITY | units::SETTLED)
            && one.judge.is_some()
            && one.human_says(human).is_none()
    });
    let groups: Vec<&[Checked]> =
        checked.chunk_by(|a, b| (&a.key, &a.check.id) == (&b.key, &b.check.id)).collect();
    let total = groups.len();
    let from = request.after.as_deref().and_then(|after| after.parse::<usize>().ok()).unwrap_or(0);
    let limit = request.limit.unwrap_or(100).clamp(1, 1000) as usize;
    let rows = groups
        .into_iter()
        .skip(from)
        .take(limit)
        .map(|group| row(group, &people, human, options))
        .collect::<Result<Vec<_>, Failure>>()?;
    let end = from + rows.len();
    Ok(wire::ChecksAgreement {
        judge: request.judge.clone().or_else(|| judges.first().cloned()).unwrap_or_default(),
        judges: judges.into_iter().collect(),
        judge_human: pooled.numbers,
        among_people: among_all.numbers,
        verdicts: by_verdict(&checked, human, options)?,
        ties: ties.count().into(),
        stale: stale.into(),
        next: (end < total).then(|| end.to_string()),
        total: total.into(),
        method: pooled.method,
        people,
        rows,
    })
}

/// One check over the responses that it was graded on.
fn row(
    group: &[Checked],
    people: &[String],
    human: &str,
    options: &Options,
) -> Result<wire::CheckedRow, Failure> {
    let one = &group[0];
    let checks: Vec<::agreement::Check> = group
        .iter()
        .map(|one| ::agreement::Check {
            criterion: 0,
            cluster: 0,
            judge: one.judge.as_ref().map(|judge| judge.met),
            human: one.human_says(human),
        })
        .collect();
    let without = Options { resamples: 0, ..*options };
    let judge_human = criteria_agreement(std::slice::from_ref(&one.check.text), &checks, &without)
        .criteria
        .into_iter()
        .next();
    let own: Vec<&Checked> = group.iter().collect();
    let table = among(&own, people)?;
    // All responses are to one prompt, so that each stands for itself.
    let of = |kind: Kind| -> Coefficient { coefficient_with_interval(&table, None, kind, options) };
    Ok(wire::CheckedRow {
        key: one.key.clone(),
        check: one.check.id.clone(),
        text: one.check.text.clone(),
        modality: one.modality,
        tier: one.of_gamut.then_some(one.check.tier).map(Tier::code).map(str::to_owned),
        judge_human,
        people_units: group.iter().filter(|one| one.people.len() > 1).count().into(),
        people_agreement: of(Kind::PercentAgreement),
        people_kappa: of(Kind::FleissKappa(Weights::Identity)),
        items: group
            .iter()
            .map(|one| wire::CheckedItem {
                response: one.response,
                model: one.model.clone(),
                judge: one.judge.clone(),
                people: one.people.clone(),
            })
            .collect(),
    })
}
