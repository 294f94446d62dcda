//! From a table, or from judge scores and human verdicts, to a whole result.

use crate::{
    AgreementResult, Group, GroupAgreement, GroupKey, Method, Numbers, Options, Resampling, Table,
    collapse::judged_correct, numbers::Sample, sweep::SweepCounts,
};
use domain::{Modality, Verdict};
use std::collections::BTreeMap;

/// One modality of one response, graded by the judge and judged by a person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JudgedUnit<'a> {
    /// Which prompt, as a number: units of one prompt are resampled together.
    pub cluster: u32,
    /// The judge's criterion scores; none of them = the judge said nothing.
    pub scores: &'a [f64],
    /// The person's verdict, if there is one.
    pub human: Option<Verdict>,
}

/// A split of the units into groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// By what.
    pub key: GroupKey,
    /// Per unit the groups it is in: one label, none, or several (tags).
    pub labels: Vec<Vec<String>>,
}
impl Split {
    /// A split in which every unit is in one group.
    pub fn single(key: GroupKey, labels: impl IntoIterator<Item = String>) -> Self {
        Self { key, labels: labels.into_iter().map(|label| vec![label]).collect() }
    }

    /// The groups with their units: modalities in their usual order, other labels in that of the alphabet.
    fn groups(&self) -> Vec<(Group, Vec<usize>)> {
        let mut groups: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
        for (unit, labels) in self.labels.iter().enumerate() {
            for label in labels {
                let known =
                    if self.key == GroupKey::Modality { label.parse::<Modality>().ok() } else { None };
                let place = known.map_or(usize::MAX, Modality::index);
                let members = groups.entry((place, label.as_str())).or_default();
                if members.last() != Some(&unit) {
                    members.push(unit);
                }
            }
        }
        groups.into_iter().map(|((_, label), units)| (Group::of(self.key, label), units)).collect()
    }
}

/// Agreement over any table. `clusters[unit]` groups units that are resampled together; without it every unit is
/// resampled on its own.
pub fn table_agreement(
    table: &Table,
    clusters: Option<&[u32]>,
    by: &[Split],
    options: &Options,
) -> AgreementResult {
    let of = |units: &[usize]| {
        let own: Option<Vec<u32>> =
            clusters.map(|all| units.iter().filter_map(|unit| all.get(*unit).copied()).collect());
        let table = table.subset(units);
        Sample::of(&table, own.as_deref(), options).numbers(options, false)
    };
    AgreementResult {
        numbers: Sample::of(table, clusters, options).numbers(options, false),
        by: by_group(by, of),
        method: Method::of(clusters.is_some(), options),
    }
}

/// Agreement of the judge (rows) with a person (columns). The judge says correct as [`judged_correct`] at
/// `collapse` does; with `sweep`, every threshold is tried too.
pub fn judge_human_agreement(
    units: &[JudgedUnit<'_>],
    by: &[Split],
    collapse: f64,
    sweep: bool,
    options: &Options,
) -> AgreementResult {
    let of = |members: &[usize]| {
        let members: Vec<JudgedUnit<'_>> =
            members.iter().filter_map(|unit| units.get(*unit).copied()).collect();
        judge_human_numbers(&members, collapse, sweep, options)
    };
    AgreementResult {
        numbers: judge_human_numbers(units, collapse, sweep, options),
        by: by_group(by, of),
        method: Method::of(true, options),
    }
}

fn by_group(by: &[Split], mut of: impl FnMut(&[usize]) -> Numbers) -> Vec<GroupAgreement> {
    let groups = by.iter().flat_map(Split::groups);
    groups.map(|(group, units)| GroupAgreement { group, numbers: of(&units) }).collect()
}

impl Method {
    /// How intervals of means are made whose prompts are resampled.
    pub fn of_prompts(options: &Options) -> Self {
        Self::of(true, options)
    }

    pub(crate) fn of(clustered: bool, options: &Options) -> Self {
        let interval = match options.resampling {
            _ if options.resamples == 0 => "none",
            Resampling::Clusters if clustered => "cluster bootstrap by prompt, percentile",
            _ => "bootstrap over units, percentile",
        };
        Self { interval: interval.to_owned(), resamples: options.resamples.into(), seed: options.seed.into() }
    }
}

fn verdict_table(units: &[JudgedUnit<'_>], threshold: f64) -> Table {
    let rows: Vec<[Option<bool>; 2]> = units
        .iter()
        .map(|unit| [judged_correct(unit.scores, threshold), unit.human.map(|v| v == Verdict::Correct)])
        .collect();
    Table::of_flags([Verdict::Correct.name(), Verdict::Incorrect.name()], &rows)
}

fn judge_human_numbers(units: &[JudgedUnit<'_>], collapse: f64, sweep: bool, options: &Options) -> Numbers {
    let clusters: Vec<u32> = units.iter().map(|unit| unit.cluster).collect();
    let table = verdict_table(units, collapse);
    let mut numbers = Sample::of(&table, Some(&clusters), options).numbers(options, true);
    numbers.sweep = sweep.then(|| {
        let mut counts = SweepCounts::default();
        for unit in units {
            if let Some(human) = unit.human {
                counts.add(unit.scores, human);
            }
        }
        counts.points()
    });
    numbers
}
