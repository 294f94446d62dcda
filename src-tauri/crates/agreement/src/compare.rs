//! From a table, or from judge scores and human verdicts, to a whole result.

use crate::{
    AgreementResult, Coefficient, Confusion, Group, GroupAgreement, GroupKey, JudgeTest, Kind, Level, Method,
    Numbers, Options, Reason, Resampling, SweepPoint, Table, Weights,
    bootstrap::{Clusters, Interval},
    collapse::{judged_correct, thresholds},
    standard_error::standard_error,
    tally::{Rows, Tally},
};
use domain::{Count, Modality, Verdict};
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
        numbers(&table.subset(units), own.as_deref(), options)
    };
    AgreementResult {
        numbers: numbers(table, clusters, options),
        by: by_group(by, of),
        method: method(clusters.is_some(), options),
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
        method: method(true, options),
    }
}

fn by_group(by: &[Split], mut of: impl FnMut(&[usize]) -> Numbers) -> Vec<GroupAgreement> {
    let groups = by.iter().flat_map(Split::groups);
    groups.map(|(group, units)| GroupAgreement { group, numbers: of(&units) }).collect()
}

fn method(clustered: bool, options: &Options) -> Method {
    let interval = match options.resampling {
        _ if options.resamples == 0 => "none",
        Resampling::Clusters if clustered => "cluster bootstrap by prompt, percentile",
        _ => "bootstrap over units, percentile",
    };
    Method { interval: interval.to_owned(), resamples: options.resamples.into(), seed: options.seed.into() }
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
    let mut numbers = numbers(&table, Some(&clusters), options);
    numbers.judge_as_test = table.pair_counts().ok().map(|counts| judge_as_test(&counts));
    numbers.sweep =
        sweep.then(|| thresholds().into_iter().map(|t| sweep_point(t, &verdict_table(units, t))).collect());
    numbers
}

fn share(part: u64, rest: u64) -> Coefficient {
    let all = part + rest;
    let value = if all == 0 { Err(Reason::NoReference) } else { Ok(part as f64 / all as f64) };
    coefficient(value)
}

fn judge_as_test(counts: &[u64]) -> JudgeTest {
    let count = |at: usize| counts.get(at).copied().unwrap_or(0);
    let (tp, fp, fn_, tn) = (count(0), count(1), count(2), count(3));
    JudgeTest {
        tp: tp.into(),
        fp: fp.into(),
        tn: tn.into(),
        fn_: fn_.into(),
        sensitivity: share(tp, fn_),
        specificity: share(tn, fp),
    }
}

fn sweep_point(threshold: f64, table: &Table) -> SweepPoint {
    let rows = Rows::of(table);
    let tally = rows.tally();
    let counts = table.pair_counts().unwrap_or_default();
    let count = |at: usize| Count::from(counts.get(at).copied().unwrap_or(0));
    let agreement = Kind::PercentAgreement.value(&tally);
    let pi = Kind::ScottPi.value(&tally);
    let kappa = Kind::CohenKappa(Weights::Identity).value(&tally);
    let why = [agreement, pi, kappa].into_iter().find_map(Result::err);
    SweepPoint {
        threshold,
        percent_agreement: agreement.ok(),
        scott_pi: pi.ok(),
        cohen_kappa: kappa.ok(),
        counts: [[count(0), count(1)], [count(2), count(3)]],
        undefined: why.map(|reason| reason.to_string()),
    }
}

fn coefficient(value: Result<f64, Reason>) -> Coefficient {
    match value {
        Ok(value) => Coefficient { value: Some(value), ..Coefficient::default() },
        Err(reason) => Coefficient { undefined: Some(reason.to_string()), ..Coefficient::default() },
    }
}

/// Fewer units or clusters than this are called few.
const FEW: f64 = 30.0;

fn numbers(table: &Table, clusters: Option<&[u32]>, options: &Options) -> Numbers {
    use Weights::{Identity, Linear, Quadratic};
    let rows = Rows::of(table);
    let tally = rows.tally();
    let clusters = match (options.resampling, clusters) {
        (Resampling::Clusters, Some(cluster)) => Clusters::by(&rows, cluster),
        _ => Clusters::units(&rows),
    };
    let ordered = table.level() != Level::Nominal;
    let kinds = [
        Kind::PercentAgreement,
        Kind::ScottPi,
        Kind::CohenKappa(Identity),
        Kind::CohenKappa(Linear),
        Kind::CohenKappa(Quadratic),
        Kind::FleissKappa(Identity),
        Kind::KrippendorffAlpha,
        Kind::GwetAc(Identity),
        Kind::GwetAc(Linear),
        Kind::GwetAc(Quadratic),
        Kind::BrennanPrediger(Identity),
        Kind::Pabak,
    ];
    let [
        percent_agreement,
        scott_pi,
        cohen_kappa,
        cohen_kappa_linear,
        cohen_kappa_quadratic,
        mut fleiss_kappa,
        krippendorff_alpha,
        gwet_ac1,
        gwet_ac2_linear,
        gwet_ac2_quadratic,
        brennan_prediger,
        pabak,
    ] = coefficients(kinds, &rows, &tally, &clusters, options);
    if fleiss_kappa.value.is_some() && unequal_ratings(&rows) {
        let note = "units have unequal numbers of ratings; category shares are averaged over units (Gwet)";
        fleiss_kappa.note = Some(note.to_owned());
    }
    let (prevalence, bias) = indices(table).map_or((None, None), |(p, b)| (Some(p), Some(b)));
    Numbers {
        units: table.units().into(),
        raters: table.raters().into(),
        pairable_units: units_of(tally.pairable()),
        confusion: confusion(table),
        judge_as_test: None,
        percent_agreement,
        scott_pi,
        cohen_kappa,
        cohen_kappa_linear: ordered.then_some(cohen_kappa_linear),
        cohen_kappa_quadratic: ordered.then_some(cohen_kappa_quadratic),
        fleiss_kappa,
        krippendorff_alpha,
        gwet_ac1,
        gwet_ac2_linear,
        gwet_ac2_quadratic,
        brennan_prediger,
        pabak,
        prevalence,
        bias,
        indices_undefined: indices(table).err().map(|reason| reason.to_string()),
        notes: notes(&tally, clusters.len(), options),
        sweep: None,
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a sum of ones
fn units_of(sum: f64) -> Count {
    Count::from(sum as u64)
}

fn coefficients<const N: usize>(
    kinds: [Kind; N],
    rows: &Rows,
    tally: &Tally<'_>,
    clusters: &Clusters,
    options: &Options,
) -> [Coefficient; N] {
    let values = kinds.map(|kind| kind.value(tally));
    // Only what has a value is resampled.
    let defined: Vec<Kind> = kinds.iter().zip(&values).filter(|(_, v)| v.is_ok()).map(|(k, _)| *k).collect();
    let mut intervals: Vec<Interval> =
        if options.resamples == 0 { Vec::new() } else { clusters.intervals(&defined, rows, options) };
    let mut intervals = intervals.drain(..);
    let mut at = 0;
    kinds.map(|kind| {
        let value = values[at];
        at += 1;
        let mut out = coefficient(value);
        if let Ok(value) = value {
            out.se = standard_error(kind, value, rows, tally);
            if let Some(interval) = intervals.next() {
                out.ci95 = interval.ci95;
                out.undefined_resamples = (interval.undefined > 0).then(|| interval.undefined.into());
            }
        }
        out
    })
}

fn unequal_ratings(rows: &Rows) -> bool {
    rows.distinct.windows(2).any(|pair| (pair[0].ratings - pair[1].ratings).abs() > 0.5)
}

fn confusion(table: &Table) -> Option<Confusion> {
    let counts = table.pair_counts().ok()?;
    let labels = table.categories().to_vec();
    let row = |row: &[u64]| row.iter().map(|n| Count::from(*n)).collect();
    Some(Confusion { counts: counts.chunks(labels.len().max(1)).map(row).collect(), labels })
}

/// Prevalence (a − d) / n and bias (b − c) / n of two raters over two categories, signed (Byrt et al. 1993).
fn indices(table: &Table) -> Result<(f64, f64), Reason> {
    let counts = table.pair_counts()?;
    let [both, first_alone, second_alone, neither] = counts[..] else {
        return Err(Reason::NotTwoCategories);
    };
    let n = (both + first_alone + second_alone + neither) as f64;
    if n == 0.0 {
        return Err(Reason::NothingPairable);
    }
    let index = |plus: u64, minus: u64| (plus as f64 - minus as f64) / n;
    Ok((index(both, neither), index(first_alone, second_alone)))
}

fn notes(tally: &Tally<'_>, clusters: u32, options: &Options) -> Vec<String> {
    let mut notes = Vec::new();
    let units = tally.pairable();
    if units > 0.0 && units < FEW {
        notes.push(format!("only {units} units were judged twice: every number here is rough"));
    } else if options.resamples > 0 && f64::from(clusters) < FEW && units > 0.0 {
        notes.push(format!("only {clusters} clusters: a percentile interval over so few is too narrow"));
    }
    notes
}
