//! Disagreements settled: a seeded sample of each direction, the causes, and agreement before and after, on figure 16 and on the
//! demo. What is settled follows a rule, so that every figure can be worked out apart.

use crate::at_work::{demo, study};
use acceptance::{Host, Place, fixtures};
use serde_json::{Value, json};
use std::{collections::BTreeSet, path::Path};

/// Scott's π and the share of agreement of a 2×2 table, judge as rows, correct first.
fn by_formula(both: f64, judge_only: f64, human_only: f64, neither: f64) -> (f64, f64) {
    let n = both + judge_only + human_only + neither;
    let observed = (both + neither) / n;
    let share = (2.0 * both + judge_only + human_only) / (2.0 * n);
    let chance = share * share + (1.0 - share) * (1.0 - share);
    (observed, (observed - chance) / (1.0 - chance))
}
fn cells(counts: &Value) -> [f64; 4] {
    ["both_correct", "judge_only", "human_only", "both_incorrect"].map(|name| counts[name].as_f64().unwrap())
}
fn near(found: &Value, wanted: f64, why: &str) {
    let found = found["value"].as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-12, "{why}: wanted {wanted}, found {found}");
}

/// Draws `each` of both directions, settles them by a rule, and holds every figure against the rule. Of each direction the first
/// `right` cases are found to be the person's error, the rest the judge's, and every fifth case goes back to its author.
fn settle_a_sample(place: &Place, study: &Path, each: u64, seed: u64, right: [u64; 2]) {
    let lena = Host::as_person(place, study, "lead", "lead");
    let before = lena.call("disagreement_counts", &json!({}));
    let [both, judge_only, human_only, neither] = cells(&before["cells"]);
    let (percent, pi) = by_formula(both, judge_only, human_only, neither);
    near(&before["percent_agreement"], percent, "before: share");
    near(&before["scott_pi"], pi, "before: π");
    let draw = |seed: u64| -> Vec<Value> {
        let page = lena.call("disagreement_cases", &json!({"sample": each, "seed": seed, "limit": 1000}));
        page["rows"].as_array().unwrap().clone()
    };
    let drawn = draw(seed);
    let of = |cell: &str| drawn.iter().filter(|row| row["cell"] == cell).count() as u64;
    assert_eq!((of("judge_only"), of("human_only")), (each, each), "as many of each direction");
    assert_eq!(drawn, draw(seed), "the same seed draws the same");
    let named = |rows: &[Value]| -> BTreeSet<String> {
        rows.iter().map(|row| format!("{}{}", row["response"], row["modality"])).collect()
    };
    assert_ne!(named(&drawn), named(&draw(seed + 1)), "another draws others");
    let (mut seen, mut sent_back) = ([0_u64; 2], [[0_u64; 2]; 2]);
    for (at, row) in drawn.iter().enumerate() {
        let direction = usize::from(row["cell"] == "human_only");
        let judge_is_right = seen[direction] < right[direction];
        seen[direction] += 1;
        let judge_says = if direction == 0 { "correct" } else { "incorrect" };
        let people_say = if direction == 0 { "incorrect" } else { "correct" };
        let back = at.is_multiple_of(5);
        sent_back[usize::from(judge_is_right)][0] += u64::from(back);
        lena.call(
            "settle",
            &json!({"response": row["response"], "modality": row["modality"],
                    "verdict": if judge_is_right { judge_says } else { people_say },
                    "cause": if judge_is_right { "human_error" } else { "judge_error" }, "send_rubric_back": back}),
        );
    }
    let after = lena.call("disagreement_counts", &json!({}));
    assert_eq!(after["cells"], before["cells"], "what people said is not changed by it");
    let causes = after["causes"].as_array().unwrap();
    let cause = |name: &str| causes.iter().find(|row| row["cause"] == name).cloned().unwrap();
    let settled =
        |row: &Value| json!([row["judge_only"], row["human_only"], row["judge_right"], row["sent_back"]]);
    assert_eq!(
        settled(&cause("judge_error")),
        json!([each - right[0], each - right[1], 0, sent_back[0][0]]),
        "the judge's errors by direction"
    );
    assert_eq!(
        settled(&cause("human_error")),
        json!([right[0], right[1], right[0] + right[1], sent_back[1][0]]),
        "the people's errors by direction"
    );
    // Where the judge was right, what counts now is what the judge says.
    let [r0, r1] = right.map(|n| n as f64);
    let (percent, pi) = by_formula(both + r0, judge_only - r0, human_only - r1, neither + r1);
    near(&after["after"]["percent_agreement"], percent, "after: share");
    near(&after["after"]["scott_pi"], pi, "after: π");
    let table = [both + r0, judge_only - r0, human_only - r1, neither + r1];
    for (found, wanted) in cells(&after["after"]["cells"]).into_iter().zip(table) {
        assert!((found - wanted).abs() < 1e-9, "after: the table has {found} where {wanted} is right");
    }
    let people: Vec<&str> = after["people"].as_array().unwrap().iter().map(|p| p.as_str().unwrap()).collect();
    assert!(!people.contains(&"lead"), "who settles is no annotator: {people:?}");
    lena.stop();
}

#[test]
fn forty_cases_of_figure_16_are_settled() {
    let place = Place::new();
    let study = study(&place, "figure16", &[&fixtures().join("agreement/figure16.jsonl")]);
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let counts = lead.call("disagreement_counts", &json!({}));
    // The paper's table (MMI, figure 16), as tests/fixtures/agreement/figure16_expected.json has it.
    let expected: Value = serde_json::from_str(
        &std::fs::read_to_string(fixtures().join("agreement/figure16_expected.json")).unwrap(),
    )
    .unwrap();
    assert!(expected.is_object(), "the reference is there");
    let [both, judge_only, human_only, neither] = cells(&counts["cells"]);
    assert_eq!(
        (both + judge_only + human_only + neither, both + neither),
        (1499.0, 1062.0),
        "1,499 units, 1,062 agree"
    );
    lead.stop();
    settle_a_sample(&place, &study, 20, 7, [8, 5]);
    place.check_clean(&study);
}

#[test]
fn the_demo_is_settled_too() {
    let place = Place::new();
    // Without its own twelve settlements, which are the rule's to make here.
    let run = demo();
    let sources = [run.join("dataset.jsonl"), run.join("results/demo"), run.join("human_verdicts.csv")];
    let sources: Vec<&Path> = sources.iter().map(std::path::PathBuf::as_path).collect();
    let study = study(&place, "demo", &sources);
    settle_a_sample(&place, &study, 4, 3, [2, 1]);
    place.check_clean(&study);
}
