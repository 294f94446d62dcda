//! From what the store keeps to the units that agreement is computed over: one (response, modality), what the LLM
//! judge's grades collapse to, and what people say.

use crate::{Code, Failure, wire};
use agreement::{AgreementResult, GroupKey, JudgedUnit, Options, Resampling, Split, Table};
use domain::{Detection, Modality, ResponseId, Verdict};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use store::{AgreementCell, AuditorView, Cell, Judging};

/// One unit.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    pub prompt_key: Arc<str>,
    /// The prompt as a number; the same for the same prompt among the units of one reply.
    pub cluster: u32,
    pub model: Arc<str>,
    pub response: ResponseId,
    pub modality: Modality,
    pub detection: Detection,
    pub judge: Option<Cell>,
    /// Person and verdict, at most once each, by name.
    pub people: Vec<(Arc<str>, Verdict)>,
    /// How an auditor settled it; filled in where it is asked for ([`crate::traits::add_settlements`]).
    pub settled: Option<Verdict>,
    /// Traits of its prompt and the rubric it was graded by; filled in where they are asked for
    /// ([`crate::traits::add`]).
    pub tags: Vec<String>,
    pub rubric_version: Option<String>,
}

/// The name of the people's majority.
pub(crate) const MAJORITY: &str = "majority";
/// What stands after auditors have settled: their verdict, else the majority's.
pub(crate) const SETTLED: &str = "settled";
/// How far below a threshold a score may lie and still reach it.
const SLACK: f64 = 1e-9;

impl Unit {
    fn new(cell: AgreementCell) -> Self {
        Self {
            detection: cell.detection,
            prompt_key: cell.prompt_key,
            cluster: cell.prompt,
            model: cell.run_name,
            response: cell.response,
            modality: cell.modality,
            judge: cell.judge,
            people: cell.verdicts.into_iter().map(|said| (said.annotator, said.verdict)).collect(),
            settled: None,
            tags: Vec::new(),
            rubric_version: None,
        }
    }

    /// Does the unit belong to the set? Only what the judge graded does.
    pub fn is_in(&self, set: wire::UnitSet) -> bool {
        self.judge.is_some_and(|judge| match set {
            wire::UnitSet::Produced => {
                self.detection.lenient() && judge.gradeable && judge.evaluator_errors == 0
            }
            wire::UnitSet::ProducedInclEvaluatorErrors => {
                self.detection.lenient() && (judge.gradeable || judge.evaluator_errors > 0)
            }
            wire::UnitSet::AllExpected => true,
        })
    }

    /// What the judge's grades collapse to: at threshold 1 every criterion must score 1, below it the mean counts.
    pub fn judge_says(&self, collapse: f64) -> Option<Verdict> {
        self.judge.map(|judge| {
            let reached = if collapse >= 1.0 - SLACK { judge.min } else { judge.mean };
            Verdict::from_bool(reached >= collapse - SLACK)
        })
    }

    /// What one person, or the majority, says; an even split is no majority.
    pub fn human_says(&self, human: &str) -> Option<Verdict> {
        if human == SETTLED && self.settled.is_some() {
            self.settled
        } else if human == MAJORITY || human == SETTLED {
            majority(self.people.iter().map(|(_, verdict)| *verdict))
        } else {
            self.people.iter().find(|(person, _)| **person == *human).map(|(_, verdict)| *verdict)
        }
    }

    /// What the first rater of a comparison says: the judge, or the person in the judge's place.
    pub fn first_says(&self, first: Option<&str>, collapse: f64) -> Option<Verdict> {
        first.map_or_else(|| self.judge_says(collapse), |person| self.human_says(person))
    }

    /// By which way the modality was detected; the strictest one where there are several.
    pub const fn route(&self) -> &'static str {
        route(self.detection)
    }

    /// Do people split evenly?
    pub fn is_tie(&self) -> bool {
        !self.people.is_empty() && self.human_says(MAJORITY).is_none()
    }
}

/// By which way a modality was detected; the strictest one where there are several.
pub(crate) const fn route(detection: Detection) -> &'static str {
    if detection.native {
        "native"
    } else if detection.via_url {
        "url"
    } else if detection.via_judge {
        "judge"
    } else {
        "absent"
    }
}

/// What most say; none on an even split or without verdicts.
pub(crate) fn majority(verdicts: impl Iterator<Item = Verdict>) -> Option<Verdict> {
    let balance: i64 = verdicts.map(|verdict| if verdict == Verdict::Correct { 1 } else { -1 }).sum();
    (balance != 0).then(|| Verdict::from_bool(balance > 0))
}

/// The units of one results folder.
pub(crate) fn of_folder(view: &mut AuditorView, folder: &str, variant: &str) -> Result<Vec<Unit>, Failure> {
    let mut units = Vec::new();
    view.agreement_cells(Judging { folder: Some(folder), variant }, &mut |cell| {
        units.push(Unit::new(cell));
        Ok(())
    })?;
    Ok(units)
}

/// The folder that is asked for, or the main one: the one with most verdicts by people, then most responses.
pub(crate) fn choose_folder(view: &mut AuditorView, asked: Option<&str>) -> Result<Option<String>, Failure> {
    let folders = view.folders()?;
    if let Some(asked) = asked {
        return if folders.iter().any(|folder| folder == asked) {
            Ok(Some(asked.to_owned()))
        } else {
            Err(Failure::new(
                Code::WhichFolder,
                format!("there is no results folder {asked:?}; there are: {}", folders.join(", ")),
            )
            .with(serde_json::json!({"folders": folders})))
        };
    }
    if folders.len() < 2 {
        return Ok(folders.into_iter().next());
    }
    let mut best: Option<((u64, u64), String)> = None;
    for folder in folders {
        let counts = view.folder_counts(&folder)?;
        let rank = (counts.verdicts.get(), counts.responses.get());
        if best.as_ref().is_none_or(|(other, _)| rank > *other) {
            best = Some((rank, folder));
        }
    }
    Ok(best.map(|(_, folder)| folder))
}

/// Everyone who says something of these units, by name.
pub(crate) fn people(units: &[Unit]) -> Vec<String> {
    distinct(units.iter().flat_map(|unit| unit.people.iter().map(|(person, _)| &**person)))
}

/// All models of these units, by name.
pub(crate) fn models(units: &[Unit]) -> Vec<String> {
    distinct(units.iter().map(|unit| &*unit.model))
}

/// Few names out of very many, in order. (A set that is collected would sort them all first.)
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for name in names {
        found.insert(name);
    }
    found.into_iter().map(str::to_owned).collect()
}

/// How agreement is to be computed.
#[derive(Debug, Clone)]
pub(crate) struct Computation {
    pub by: Vec<GroupKey>,
    pub collapse: f64,
    pub sweep: bool,
    pub resamples: u32,
    pub seed: u32,
    pub resampling: Resampling,
}

impl Computation {
    pub fn options(&self) -> Options {
        Options { resamples: self.resamples, seed: u64::from(self.seed), resampling: self.resampling }
    }
}

/// The groups of units by one key; `human` is whose verdicts are compared. A unit of unknown tag or rubric is in no group.
pub(crate) fn split<'a>(key: GroupKey, units: impl Iterator<Item = &'a Unit>, human: &str) -> Split {
    let labels = |unit: &Unit| -> Vec<String> {
        match key {
            GroupKey::Modality => vec![unit.modality.name().to_owned()],
            GroupKey::Model => vec![unit.model.to_string()],
            GroupKey::Annotator => vec![human.to_owned()],
            GroupKey::Tag => unit.tags.clone(),
            GroupKey::DetectionRoute => vec![unit.route().to_owned()],
            GroupKey::RubricVersion => unit.rubric_version.iter().cloned().collect(),
        }
    };
    Split { key, labels: units.map(labels).collect() }
}

fn splits<'a>(by: &[GroupKey], units: &(impl Iterator<Item = &'a Unit> + Clone), human: &str) -> Vec<Split> {
    by.iter().map(|key| split(*key, units.clone(), human)).collect()
}

/// Agreement of the judge (rows) with a person or the majority (columns), and how many even splits were left out.
pub(crate) fn judge_human(
    units: &[Unit],
    set: wire::UnitSet,
    human: &str,
    how: &Computation,
) -> (AgreementResult, u64) {
    let chosen: Vec<(&Unit, Option<Verdict>)> = units
        .iter()
        .filter(|unit| unit.is_in(set) && !unit.people.is_empty())
        .map(|unit| (unit, unit.human_says(human)))
        .collect();
    let ties = if human == MAJORITY || human == SETTLED {
        chosen.iter().filter(|(unit, said)| unit.is_tie() && said.is_none()).count() as u64
    } else {
        0
    };
    let judged: Vec<(&Unit, Verdict)> =
        chosen.into_iter().filter_map(|(unit, said)| Some((unit, said?))).collect();
    // One score a unit is enough: at threshold 1 the lowest decides, below it the mean; and where all are 1, so is
    // their mean.
    let scores: Vec<[f64; 1]> = judged.iter().map(|(unit, _)| [unit.judge.map_or(0.0, exact_mean)]).collect();
    let rows: Vec<JudgedUnit<'_>> = judged
        .iter()
        .zip(&scores)
        .map(|((unit, said), score)| JudgedUnit { cluster: unit.cluster, scores: score, human: Some(*said) })
        .collect();
    let by = splits(&how.by, &judged.iter().map(|(unit, _)| *unit), human);
    (agreement::judge_human_agreement(&rows, &by, how.collapse, how.sweep, &how.options()), ties)
}

/// The mean, which is 1 exactly where every score is.
fn exact_mean(judge: Cell) -> f64 {
    if judge.min >= 1.0 - SLACK { 1.0 } else { judge.mean.min(1.0 - 10.0 * SLACK) }
}

/// Agreement between two people, over every unit that both judged, graded or not.
pub(crate) fn human_human(units: &[Unit], a: &str, b: &str, how: &Computation) -> AgreementResult {
    let chosen: Vec<(&Unit, [Option<bool>; 2])> = units
        .iter()
        .filter_map(|unit| {
            let says = |person| unit.human_says(person).map(|verdict| verdict == Verdict::Correct);
            let (a, b) = (says(a)?, says(b)?);
            Some((unit, [Some(a), Some(b)]))
        })
        .collect();
    let clusters: Vec<u32> = chosen.iter().map(|(unit, _)| unit.cluster).collect();
    let rows: Vec<[Option<bool>; 2]> = chosen.iter().map(|(_, row)| *row).collect();
    let table = Table::of_flags([Verdict::Correct.name(), Verdict::Incorrect.name()], &rows);
    let by: Vec<GroupKey> = how.by.iter().copied().filter(|key| *key != GroupKey::Annotator).collect();
    let by = splits(&by, &chosen.iter().map(|(unit, _)| *unit), "");
    agreement::table_agreement(&table, Some(&clusters), &by, &how.options())
}

/// All pairs of people who judged something in common, by `A|B`.
pub(crate) fn pairs(
    units: &[Unit],
    how: &Computation,
) -> BTreeMap<String, (String, String, AgreementResult)> {
    let people = people(units);
    let mut out = BTreeMap::new();
    for (at, a) in people.iter().enumerate() {
        for b in &people[at + 1..] {
            let result = human_human(units, a, b, how);
            if result.numbers.pairable_units.get() > 0 {
                out.insert(format!("{a}|{b}"), (a.clone(), b.clone(), result));
            }
        }
    }
    out
}

/// The cell of the 2×2 table that a unit is in.
pub(crate) fn cell(judge: Verdict, human: Verdict) -> wire::Cell {
    match (judge, human) {
        (Verdict::Correct, Verdict::Correct) => wire::Cell::BothCorrect,
        (Verdict::Correct, Verdict::Incorrect) => wire::Cell::JudgeOnly,
        (Verdict::Incorrect, Verdict::Correct) => wire::Cell::HumanOnly,
        (Verdict::Incorrect, Verdict::Incorrect) => wire::Cell::BothIncorrect,
    }
}
