//! Counts that are kept up to date say the same as the whole table counted anew.
#![allow(clippy::unwrap_used)] // tests: a panic is the failure

mod support;

use agreement::{
    ClusterUnits, Counts, CountsError, JudgedUnit, Level, Options, Resampling, SweepCounts, Table,
    judge_human_agreement, table_agreement,
};
use domain::Verdict;
use proptest::prelude::*;
use support::triples;

const RATERS: usize = 3;
const Q: u16 = 3;

fn table(level: Level, cells: &[Option<u16>]) -> Table {
    Table::from_codes(level, (0..Q).map(|c| c.to_string()).collect(), RATERS, cells).unwrap()
}

fn cluster(cells: &[Option<u16>], clusters: &[u32], which: u32) -> ClusterUnits {
    let rows: Vec<&[Option<u16>]> = cells
        .chunks(RATERS)
        .zip(clusters)
        .filter(|(_, cluster)| **cluster == which)
        .map(|(row, _)| row)
        .collect();
    ClusterUnits::of(&rows)
}

proptest! {
    #[test]
    fn every_change_is_as_if_counted_anew(
        start in prop::collection::vec(prop::option::weighted(0.7, 0..Q), RATERS * 12),
        changes in prop::collection::vec((0..RATERS * 12, prop::option::weighted(0.8, 0..Q)), 1..8),
        level in prop_oneof![Just(Level::Nominal), Just(Level::Ordinal), Just(Level::Interval), Just(Level::Ratio)],
        resampling in prop_oneof![Just(Resampling::Clusters), Just(Resampling::Units)],
    ) {
        let clusters: Vec<u32> = (0..12).map(|unit| unit / 3).collect();
        let options = Options { resamples: 40, seed: 3, resampling };
        let mut cells = start;
        let mut counts = Counts::of(&table(level, &cells), Some(&clusters));
        for (at, label) in changes {
            let which = clusters[at / RATERS];
            let before = cluster(&cells, &clusters, which);
            cells[at] = label;
            counts.replace(&before, cluster(&cells, &clusters, which)).unwrap();
            let anew = table_agreement(&table(level, &cells), Some(&clusters), &[], &options);
            prop_assert_eq!(&counts.agreement(false, &options), &anew, "to the last bit, intervals too");
        }
        let stored = serde_json::to_string(&counts).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Counts>(&stored).unwrap(), &counts, "counts can be stored");
    }
}

#[test]
fn a_study_grows_verdict_by_verdict() {
    let triples = triples();
    let table = triples.table(1.0);
    let whole = Counts::of(&table, Some(&triples.cluster));
    let mut grown = Counts::new(Level::Nominal, table.categories().to_vec(), 2).unwrap();
    let mut prompts: std::collections::BTreeMap<u32, Vec<[Option<u16>; 2]>> =
        std::collections::BTreeMap::new();
    let mut sweep = SweepCounts::default();
    for unit in 0..triples.cluster.len() {
        let code = |correct: bool| Some(u16::from(!correct));
        let judge = triples.scores[unit].iter().all(|score| *score >= 1.0);
        let units = prompts.entry(triples.cluster[unit]).or_default();
        let before = ClusterUnits::of(units);
        units.push([code(judge), code(triples.human[unit] == Verdict::Correct)]);
        let after = ClusterUnits::of(units);
        if units.len() == 1 {
            grown.add(after).unwrap();
        } else {
            grown.replace(&before, after).unwrap();
        }
        sweep.add(&triples.scores[unit], triples.human[unit]);
    }
    assert_eq!(grown, whole, "the way there plays no part");
    assert_eq!(grown.clusters(), 893, "prompts are counted");
    let options = Options { resamples: 300, ..Options::default() };
    let units: Vec<JudgedUnit<'_>> = triples.units().collect();
    let mut result = judge_human_agreement(&units, &[], 1.0, true, &options);
    assert_eq!(result.numbers.sweep.take().unwrap(), sweep.points(), "the sweep grows the same way");
    assert_eq!(grown.agreement(true, &options), result, "sensitivity and all intervals too");
}

#[test]
fn counts_refuse_what_was_never_there() {
    let mut counts = Counts::of(&table(Level::Nominal, &[Some(0), Some(1), None]), None);
    let before = counts.clone();
    let unknown = ClusterUnits::of(&[[Some(2), Some(2), Some(2)]]);
    assert_eq!(counts.remove(&unknown), Err(CountsError::NotCounted));
    let known = ClusterUnits::of(&[[Some(0), Some(1), None]]);
    let beyond = ClusterUnits::of(&[[Some(7), None, None]]);
    assert_eq!(counts.replace(&known, beyond), Err(CountsError::DoesNotFit));
    assert_eq!(counts.add(ClusterUnits::of(&[[Some(0); 2]])), Err(CountsError::DoesNotFit));
    assert_eq!(counts, before, "an error changes nothing");
    let mut sweep = SweepCounts::default();
    assert!(!sweep.remove(&[1.0], Verdict::Correct), "nor takes out of a sweep what is not in it");
}
