//! GAMUT scores against the reference cases (`tests/fixtures/gamut/scoring-cases.json`), and what goes around them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use domain::{CheckVerdict, Defined, Tier};
use proptest::prelude::*;
use rubric::gamut::{
    ScoredQuestion, ScoringRule, ScoringRuleError, TierCounts, leverage, leverage_when_missing, score,
    score_counts, score_set,
};
use serde_json::Value;
use std::{fs, path::PathBuf};

fn close(value: Option<f64>, expected: f64, why: &str) {
    let value = value.unwrap_or_else(|| panic!("{why}: there is a value"));
    // The file gives six decimals.
    assert!((value - expected).abs() < 5.1e-7, "{why}: {value} is {expected}");
}

fn counts(case: &Value, tier: Tier) -> TierCounts {
    let given = &case["counts_MPSC"][tier.code()];
    let at = |i: usize| u32::try_from(given[i].as_u64().unwrap_or(0)).unwrap();
    TierCounts { meets: at(0), partial: at(1), missing: at(2), contradicts: at(3) }
}

#[test]
fn reference_cases_are_exact() {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/gamut/scoring-cases.json");
    let cases: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 9, "all of the file");
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let rule = ScoringRule {
            partial: case["lambda"].as_f64().unwrap(),
            contradicts: case["mu"].as_f64().unwrap(),
            ..ScoringRule::default()
        };
        let scored = score_counts(Tier::ALL.map(|tier| counts(case, tier)), [0; 3], &rule);
        close(scored.score.value(), case["score"].as_f64().unwrap(), name);
        for tier in &scored.tiers {
            match case["tier_scores"][tier.tier.code()].as_f64() {
                Some(expected) => close(tier.score, expected, name),
                None => assert_eq!(tier.score, None, "{name}: a tier without checks has no score"),
            }
            let share = case["weights"][tier.tier.code()].as_f64().unwrap_or(0.0);
            close(Some(tier.share), share, name);
        }
    }
}

/// The rows of COMPILER, B5 that the file leaves out.
#[test]
fn the_other_rows_of_the_specification() {
    let tier = |meets, partial, missing, contradicts| TierCounts { meets, partial, missing, contradicts };
    let none = TierCounts::default();
    let score = |rows| score_counts(rows, [0; 3], &ScoringRule::default());
    let seventh = score([tier(9, 0, 0, 1), tier(5, 0, 0, 0), tier(2, 0, 0, 0)]);
    close(seventh.tiers[0].score, 7.0 / 11.0, "one contradiction in ten counts as two checks");
    close(seventh.score.value(), 0.6 * 7.0 / 11.0 + 0.4, "row 7");
    let ninth = score([tier(4, 0, 2, 0), tier(3, 0, 3, 0), none]);
    close(ninth.score.value(), 0.55 / 0.9, "row 9: 0.4 and 0.15 over the weights that are there");
    let twelfth = score([tier(4, 1, 0, 1), tier(2, 1, 3, 1), tier(1, 0, 2, 1)]);
    close(twelfth.tiers[0].score, 2.5 / 7.0, "Answer-Critical");
    close(twelfth.tiers[1].score, 0.062_5, "Valuable");
    close(twelfth.tiers[2].score, -0.2, "Context");
    close(twelfth.score.value(), 3.0 / 14.0 + 3.0 / 160.0 - 1.0 / 50.0, "row 12");
}

#[test]
fn a_check_without_a_verdict_leaves_a_range() {
    use CheckVerdict::{Meets, Missing};
    use Tier::{AnswerCritical, Context};
    let checks = [(AnswerCritical, Some(Meets)), (AnswerCritical, None), (Context, Some(Missing))];
    let scored = score(checks, &ScoringRule::default());
    assert_eq!(
        scored.score,
        Defined::Undefined("1 check has no verdict".to_owned()),
        "no final score from a guess"
    );
    let range = scored.range.unwrap();
    // AC with one met: all met 1, contradicted (1 - 2) / 3; 6/7 of it, and Context is 0.
    close(Some(range.high), 6.0 / 7.0, "all the rest met");
    close(Some(range.low), -2.0 / 7.0, "all the rest contradicted");
    assert_eq!(scored.tiers[0].score, None, "nor a tier score");
    close(scored.tiers[2].score, 0.0, "the judged tier has one");
    let empty = score([], &ScoringRule::default());
    assert!(empty.range.is_none() && empty.score.value().is_none(), "no checks, no score");
}

#[test]
fn a_set_is_the_mean_over_its_questions() {
    use CheckVerdict::{Meets, Missing, Partial};
    use Tier::{AnswerCritical, Valuable};
    let question = |name: &str, verdicts: &[(Tier, Option<CheckVerdict>)]| ScoredQuestion {
        question: name.to_owned(),
        score: score(verdicts.iter().copied(), &ScoringRule::default()),
    };
    let set = score_set(&[
        question("a", &[(AnswerCritical, Some(Meets)), (Valuable, Some(Missing))]), // 2/3
        question("b", &[(AnswerCritical, Some(Partial))]),                          // 1/2
        question("c", &[(AnswerCritical, Some(Meets)), (AnswerCritical, None)]),
    ]);
    close(set.score.value(), 7.0 / 12.0, "the two that have a score");
    assert_eq!(set.unscored, 1, "the third is said to be missing");
    assert_eq!(set.items.iter().map(|(q, _)| q.as_str()).collect::<Vec<_>>(), ["a", "b"], "to resample");
    close(set.tiers[0].value(), 0.75, "mean of 1 and 0.5; the unfinished tier is left out");
    close(set.tiers[1].value(), 0.0, "only the questions that have the tier");
    assert!(set.tiers[2].value().is_none(), "nobody has Context checks");
    let mix = set.mix.unwrap();
    assert_eq!((mix.verdicts, mix.shares), (4, [0.5, 0.25, 0.25, 0.0]), "over all judged checks");
}

#[test]
fn leverage_of_a_check_in_an_empty_answer() {
    let rule = ScoringRule::default();
    let [critical, valuable, context] = leverage_when_missing([2, 4, 0], &rule);
    let (critical, valuable) = (critical.unwrap(), valuable.unwrap());
    // Shares are 2/3 and 1/3. One of two met: 1/2; one of two contradicted: -2 / 3.
    close(Some(critical.meets), 1.0 / 3.0, "two thirds of a half");
    close(Some(critical.contradicts), -4.0 / 9.0, "two thirds of two thirds");
    close(Some(valuable.meets), 1.0 / 12.0, "a third of a quarter");
    close(Some(valuable.contradicts), -2.0 / 15.0, "a third of 2/5");
    assert!(context.is_none(), "no checks, no leverage");
    let verdicts =
        [(Tier::AnswerCritical, CheckVerdict::Meets), (Tier::AnswerCritical, CheckVerdict::Contradicts)];
    let each = leverage(&verdicts, &rule).unwrap();
    // Beside a contradiction: missing -2/3, met -1/3, contradicted -1.
    close(Some(each[0].meets), 1.0 / 3.0, "beside a contradiction");
    close(Some(each[0].contradicts), -1.0 / 3.0, "both contradicted");
    // Beside a met one: missing 1/2, met 1, contradicted -1/3.
    close(Some(each[1].meets), 0.5, "beside a met one");
    close(Some(each[1].contradicts), -5.0 / 6.0, "beside a met one");
}

#[test]
fn a_rule_that_cannot_score_is_refused() {
    let usable = ScoringRule::default();
    assert_eq!(usable.check(), Ok(()), "the defaults");
    assert_eq!(ScoringRule { partial: 1.5, ..usable }.check(), Err(ScoringRuleError::Partial), "λ above 1");
    assert_eq!(
        ScoringRule { contradicts: f64::NAN, ..usable }.check(),
        Err(ScoringRuleError::Contradicts),
        "no number"
    );
    assert_eq!(ScoringRule { weights: [0.0; 3], ..usable }.check(), Err(ScoringRuleError::Weights), "all 0");
}

fn tier_counts() -> impl Strategy<Value = TierCounts> {
    (0..9_u32, 0..9_u32, 0..9_u32, 0..9_u32).prop_map(|(meets, partial, missing, contradicts)| TierCounts {
        meets,
        partial,
        missing,
        contradicts,
    })
}

proptest! {
    #[test]
    fn better_verdicts_score_higher(rest in tier_counts()) {
        let rule = ScoringRule::default();
        let with = |verdict| {
            let mut counts = rest;
            counts.add(verdict);
            counts.score(&rule).unwrap()
        };
        let scores = CheckVerdict::ALL.map(with);
        prop_assert!(scores.windows(2).all(|pair| pair[0] > pair[1]), "meets > partial > missing > contradicts: {scores:?}");
        prop_assert!(scores.iter().all(|s| (-1.0..=1.0).contains(s)), "within [-1, 1]");
    }

    #[test]
    fn the_range_holds_every_outcome(
        counts in [tier_counts(), tier_counts(), tier_counts()],
        unjudged in [0..4_u32, 0..4, 0..4],
        verdict in 0..4_usize,
    ) {
        let rule = ScoringRule::default();
        let open = score_counts(counts, unjudged, &rule);
        let mut closed = counts;
        for tier in 0..3 {
            for _ in 0..unjudged[tier] {
                closed[tier].add(CheckVerdict::ALL[verdict]);
            }
        }
        let outcome = score_counts(closed, [0; 3], &rule).score.value();
        prop_assert_eq!(outcome.is_some(), open.range.is_some(), "a range wherever there can be a score");
        if let (Some(outcome), Some(range)) = (outcome, open.range) {
            prop_assert!(range.low <= outcome + 1e-12 && outcome <= range.high + 1e-12, "{:?} holds {}", range, outcome);
        }
    }
}
