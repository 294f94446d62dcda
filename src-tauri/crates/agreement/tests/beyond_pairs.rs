//! Raters against each other, Dawid–Skene, criteria, judges compared, and differences of coefficients.
#![allow(clippy::unwrap_used)] // tests: a panic is the failure

mod support;

use agreement::{
    Check, Clustered, Judges, Kind, Level, Options, Outcome, Reason, Response, Score, Table, compare_judges,
    criteria_agreement, criterion_outcomes, dawid_skene, dawid_skene_of_responses, difference, light_kappa,
    rater_pairs, raters_against_others,
};
use serde_json::Value;
use support::{fixture, triples};

const NO_INTERVAL: Options = Options { resamples: 0, seed: 1, resampling: agreement::Resampling::Clusters };

fn near(found: Option<f64>, want: f64, why: &str) {
    assert!(found.is_some_and(|found| (found - want).abs() < 1e-9), "{why}: {found:?}, not {want}");
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn same(found: &[f64], want: &Value, why: &str) {
    for (found, want) in found.iter().zip(floats(want)) {
        assert!((found - want).abs() < 1e-6, "{why}: {found}, the reference has {want}");
    }
}

#[test]
fn dawid_skene_references() {
    for set in fixture("dawid_skene.json")["sets"].as_array().unwrap() {
        let name = set["name"].as_str().unwrap();
        let number = |key: &str| usize::try_from(set[key].as_u64().unwrap()).unwrap();
        let responses: Vec<Response> = set["responses"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| {
                let at = |n: usize| u32::try_from(r[n].as_u64().unwrap()).unwrap();
                Response { unit: at(0), rater: at(1), label: u16::try_from(at(2)).unwrap() }
            })
            .collect();
        let categories: Vec<String> =
            set["labels"].as_array().unwrap().iter().map(ToString::to_string).collect();
        let (units, raters) = (number("n_items"), number("n_raters"));
        let found = dawid_skene_of_responses(&categories, units, raters, &responses).unwrap();
        let want = &set["converged"];
        assert!(found.converged, "{name} converges");
        let gap = found.log_likelihood - want["log_likelihood"].as_f64().unwrap();
        assert!(gap.abs() < 1e-8, "{name}: log-likelihood {}", found.log_likelihood);
        same(&found.prior, &want["prior"], name);
        for (at, posterior) in found.posterior.iter().enumerate() {
            same(posterior.as_ref().unwrap(), &want["posterior"][at], &format!("{name}, unit {at}"));
        }
        assert_eq!(found.posterior.len(), want["posterior"].as_array().unwrap().len(), "one for each unit");
        for (at, rater) in found.raters.iter().enumerate() {
            for (k, row) in rater.confusion.iter().enumerate() {
                let want = &want["confusion_true_by_observed"][at][k];
                same(row.as_ref().unwrap(), want, &format!("{name}, rater {at}, right label {k}"));
            }
            if categories.len() == 2 {
                assert_eq!(rater.sensitivity.value, Some(rater.confusion[0].as_ref().unwrap()[0]));
                assert_eq!(rater.specificity.value, Some(rater.confusion[1].as_ref().unwrap()[1]));
            } else {
                assert!(rater.sensitivity.undefined.is_some(), "four labels have no sensitivity");
            }
        }
        assert!(found.notes[0].contains("A model"), "it is labelled a model");
        let mut shuffled = responses.clone();
        shuffled.reverse();
        let again = dawid_skene_of_responses(&categories, units, raters, &shuffled).unwrap();
        assert_eq!(again, found, "{name}: the order of responses plays no part");
    }
}

#[test]
fn dawid_skene_needs_something_to_go_by() {
    let once = Table::of_flags(["yes", "no"], &[[Some(true), None], [None, Some(false)]]);
    assert_eq!(dawid_skene(&once).unwrap_err(), Reason::NothingPairable);
    let rows = [[Some(true), Some(true)], [None, None], [Some(false), Some(true)]];
    let found = dawid_skene(&Table::of_flags(["yes", "no"], &rows)).unwrap();
    assert!(found.posterior[1].is_none(), "a unit without a rating has no estimate");
    assert!(
        found.notes.iter().any(|note| note.contains("Two raters")),
        "two raters are too few, and it says so"
    );
    let text = serde_json::to_string(&found).unwrap();
    assert!(!text.contains("NaN"), "numbers are finite: {text}");
}

/// Three raters, yes and no. Pairs by hand: 1–2 agree on 3 of 4, 1–3 on 1 of 3, 2–3 on 2 of 3.
fn three() -> Table {
    let (y, n) = (Some(true), Some(false));
    Table::of_flags(["yes", "no"], &[[y, y, y], [y, y, n], [n, n, None], [y, n, n]])
}

#[test]
fn who_agrees_with_whom() {
    let pairs = rater_pairs(&three());
    let found: Vec<_> = pairs
        .iter()
        .map(|pair| {
            (pair.first.get(), pair.second.get(), pair.units.get(), pair.percent_agreement.value.unwrap())
        })
        .collect();
    assert_eq!(found.len(), 3, "every pair of three once");
    for ((first, second, units, agreement), want) in
        found.into_iter().zip([(0, 1, 4, 0.75), (0, 2, 3, 1.0 / 3.0), (1, 2, 3, 2.0 / 3.0)])
    {
        assert_eq!((first, second, units), (want.0, want.1, want.2), "columns and common units");
        assert!((agreement - want.3).abs() < 1e-12, "{first} and {second}: {agreement}");
    }
    // κ of 1–2: observed 3/4, chance 3/4 · 1/2 + 1/4 · 1/2 = 1/2. 1–3: rater 1 says yes only: chance 1/3, observed
    // 1/3. 2–3: observed 2/3, chance 2/3 · 1/3 + 1/3 · 2/3 = 4/9.
    near(pairs[0].cohen_kappa.value, 0.5, "κ of the first pair");
    near(pairs[1].cohen_kappa.value, 0.0, "κ of the second");
    near(pairs[2].cohen_kappa.value, 0.4, "κ of the third");
    near(light_kappa(&three()).ok(), 0.3, "Light's κ is their mean");
    let (y, n) = (Some(true), Some(false));
    let apart = Table::of_flags(["yes", "no"], &[[y, y, None], [n, n, None], [None, None, y]]);
    assert_eq!(light_kappa(&apart), Err(Reason::NoCommonUnit), "a pair that never met");
}

#[test]
fn each_against_the_others() {
    let found = raters_against_others(&three(), None, &NO_INTERVAL);
    // Rater 1 against 2 and 3: yes on unit 1, a tie on unit 2, rater 2's no on unit 3, no on unit 4.
    assert_eq!(found[0].ties.get(), 1, "an even split of the others is left out and counted");
    assert_eq!(found[0].numbers.pairable_units.get(), 3);
    near(found[0].numbers.percent_agreement.value, 2.0 / 3.0, "rater 1 with the others");
    // Rater 3 against 1 and 2: yes, yes, (no rating), tie.
    assert_eq!(found[2].numbers.pairable_units.get(), 2);
    near(found[2].numbers.percent_agreement.value, 0.5, "rater 3 with the others");
}

#[test]
fn criteria_one_by_one() {
    let names: Vec<String> =
        ["shows a cat", "says why", "is signed", "is never graded"].map(str::to_owned).to_vec();
    let check = |criterion, cluster, judge, human| Check { criterion, cluster, judge, human };
    let (t, f) = (Some(true), Some(false));
    let checks = [
        check(0, 0, t, t),
        check(0, 1, t, f),
        check(0, 2, f, f),
        check(0, 3, t, t),
        check(1, 0, f, f),
        check(1, 1, f, f),
        check(2, 0, t, None),
        check(9, 0, t, t),
    ];
    let found = criteria_agreement(&names, &checks, &NO_INTERVAL);
    assert_eq!(found.criteria.len(), 2, "those that both graded");
    near(found.criteria[0].percent_agreement.value, 0.75, "three of four");
    // π: pooled share of met (3 + 2) / 8; chance 25/64 + 9/64 = 34/64.
    near(found.criteria[0].scott_pi.value, (0.75 - 34.0 / 64.0) / (30.0 / 64.0), "π of the first");
    near(found.criteria[1].percent_agreement.value, 1.0, "both never pass");
    assert!(found.criteria[1].scott_pi.undefined.is_some(), "always one label is 0/0");
    assert_eq!(found.all.numbers.pairable_units.get(), 6, "a criterion beyond the names is left out");
    near(found.all.numbers.percent_agreement.value, 5.0 / 6.0, "all together");

    let grades = [(0, true), (0, false), (1, false), (1, false), (2, true), (2, true), (2, true), (7, true)];
    let outcomes = criterion_outcomes(&names, grades);
    let kinds: Vec<Outcome> = outcomes.iter().map(|o| o.outcome).collect();
    assert_eq!(kinds, [Outcome::Mixed, Outcome::NeverPassed, Outcome::NeverFailed, Outcome::NotGraded]);
    // None of two: at most 1 - √0.025 pass.
    near(
        outcomes[1].pass_rate.ci95.map(|[_, high]| high),
        1.0 - 0.025_f64.sqrt(),
        "few responses prove little",
    );
    assert!(outcomes[3].pass_rate.undefined.is_some(), "a share of nothing is undefined");
}

fn named(names: &[(&str, Option<&str>)]) -> Vec<(String, Option<String>)> {
    names.iter().map(|(name, family)| ((*name).to_owned(), family.map(str::to_owned))).collect()
}

#[test]
fn judges_and_their_own_family() {
    // Judge A favours model a by 0.3 where B is fair; A is 0.1 stricter than B elsewhere.
    let judges = named(&[("A", Some("aa")), ("B", None)]);
    let models = named(&[("a", Some("aa")), ("b", Some("bb")), ("c", None)]);
    let fair = [[0.5, 0.7], [0.6, 0.8], [0.2, 0.4]];
    let mut scores = Vec::new();
    for (model, of) in (0..).zip(fair) {
        for (question, score) in (0..).zip(of) {
            let own = if model == 0 { score + 0.3 } else { score - 0.1 };
            scores.push(Score { judge: 1, model, question, score });
            scores.push(Score { judge: 0, model, question, score: own });
        }
    }
    scores.push(Score { judge: 0, model: 0, question: 0, score: f64::NAN });
    let options = Options { resamples: 200, ..Options::default() };
    let found = compare_judges(Judges { judges: &judges, models: &models }, &scores, &options);
    let [a, b, c] = &found.models[..] else { panic!("three models") };
    near(a.scores[0].mean.value, 0.9, "A's mean of a");
    near(b.scores[1].mean.value, 0.7, "B's mean of b");
    let ranks = |judge: usize| [a, b, c].map(|model| model.scores[judge].rank.unwrap().get());
    assert_eq!((ranks(0), ranks(1)), ([1, 2, 3], [2, 1, 3]), "A puts its own model first, B does not");
    assert!(
        a.scores[0].own_family && !a.scores[1].own_family && !b.scores[0].own_family,
        "own family is marked"
    );
    near(a.spread.value, 0.3, "the judges are 0.3 apart on a");
    let pair = &found.pairs[0];
    assert_eq!(pair.answers.get(), 6, "both scored all");
    near(pair.mean_difference.value, (0.3 - 0.1 - 0.1) / 3.0, "A less B");
    // Of three pairs of models two stand alike, one the other way round.
    near(pair.rank_correlation.value, 1.0 / 3.0, "τ-b");
    let [own] = &found.self_preference[..] else { panic!("one judge has a family here") };
    assert_eq!((own.judge.as_str(), own.own_models.as_slice()), ("A", &["a".to_owned()][..]));
    near(own.on_own.value, 0.3, "on its own");
    near(own.on_others.value, -0.1, "on the rest");
    near(own.preference.value, 0.4, "a difference of differences");
    let [low, high] = own.preference.ci95.unwrap();
    assert!((low - 0.4).abs() < 1e-9 && (high - 0.4).abs() < 1e-9, "it is the same on every question");
    let ends = a.scores[1].mean.ci95.unwrap();
    assert!((ends[0] - 0.5).abs() < 1e-9 && (ends[1] - 0.7).abs() < 1e-9, "two questions: one of them twice");
}

/// Ends of the 95 % interval of π at 1 less π at 0.8, numpy 1.26.4, 5 × 10,000 resamples of the 893 prompts; one run's
/// ends vary by 0.00057. Drawn apart instead of together they would be -0.089 and 0.057.
const PAIRED: [f64; 2] = [-0.052_605, 0.021_813];

#[test]
fn a_difference_is_paired() {
    let triples = triples();
    let (strict, lenient) = (triples.table(1.0), triples.table(0.8));
    let of = |table| Clustered { table, clusters: &triples.cluster };
    let found = difference(Kind::ScottPi, of(&strict), of(&lenient), &Options::default());
    near(found.first.value, 0.407_012_422_121_288_13, "π at 1");
    near(found.second.value, 0.422_743_557_812_050_9, "π at 0.8");
    near(found.difference.value, -0.015_731_135_690_762_788, "their difference");
    // A vectorised numpy bootstrap over the same counts, see above.
    let ends = found.difference.ci95.unwrap();
    for (found, want) in ends.into_iter().zip(PAIRED) {
        assert!((found - want).abs() < 0.0025, "paired over prompts: {found}, numpy has {want}");
    }
    let itself = difference(Kind::ScottPi, of(&strict), of(&strict), &Options::default()).difference;
    assert_eq!(
        (itself.value, itself.ci95),
        (Some(0.0), Some([0.0, 0.0])),
        "no resample tells a table from itself"
    );
    assert!(found.method.interval.contains("paired"), "the result says so");
}

#[test]
fn tables_over_other_units_can_be_compared() {
    // The second table has no unit of prompt 1, and 3 raters.
    let (y, n) = (Some(true), Some(false));
    let first = Table::of_flags(["yes", "no"], &[[y, y], [y, n], [n, n]]);
    let second = Table::of_flags(["yes", "no"], &[[y, y, n], [n, n, n]]);
    let found = difference(
        Kind::PercentAgreement,
        Clustered { table: &first, clusters: &[0, 1, 2] },
        Clustered { table: &second, clusters: &[0, 2] },
        &Options::default(),
    );
    near(found.difference.value, 2.0 / 3.0 - 2.0 / 3.0, "2 of 3, and the mean of 1/3 and 1");
    // Prompt 1 alone, three times, leaves the second table empty: once in 27 resamples.
    let missing = found.difference.undefined_resamples.unwrap().get();
    assert!((290..=450).contains(&missing), "10,000 / 27 resamples have no value: {missing}");
    let none = Table::from_codes(Level::Nominal, vec!["yes".to_owned(), "no".to_owned()], 2, &[]).unwrap();
    let undefined = difference(
        Kind::ScottPi,
        Clustered { table: &first, clusters: &[0, 1, 2] },
        Clustered { table: &none, clusters: &[] },
        &Options::default(),
    );
    assert!(
        undefined.difference.undefined.is_some() && undefined.difference.ci95.is_none(),
        "no value, no interval"
    );
}
