//! Whose criterion, on a table small enough to be worked out on paper. Figure 16 and the demo are held against a calculation of its
//! own in the acceptance tests.
#![allow(clippy::unwrap_used, missing_docs)]

use agreement::{CheckedUnit, CriterionEffect, GradedCheck, criterion_effects};
use domain::Verdict::{Correct, Incorrect};

fn checks(scores: &[(u32, f64)]) -> Vec<GradedCheck> {
    scores.iter().map(|(criterion, score)| GradedCheck { criterion: *criterion, score: *score }).collect()
}

#[test]
fn a_criterion_that_stands_alone_against_people_is_named_and_measured_on_other_prompts() {
    // Criterion 0 is met by all; 1 fails alone against the person in prompts 0 and 1, and alone with the person in prompt 2.
    let rows = [
        (0, Correct, checks(&[(0, 1.0), (1, 0.0)])),
        (1, Correct, checks(&[(0, 1.0), (1, 0.5)])),
        (2, Incorrect, checks(&[(0, 1.0), (1, 0.0)])),
        (2, Correct, checks(&[(0, 1.0), (1, 1.0)])),
        // Both fail: nothing stands alone.
        (3, Incorrect, checks(&[(0, 0.0), (1, 0.0)])),
        // No number is no grade.
        (3, Correct, checks(&[(0, f64::NAN)])),
    ];
    let units: Vec<CheckedUnit<'_>> = rows
        .iter()
        .map(|(cluster, human, checks)| CheckedUnit { cluster: *cluster, human: *human, checks })
        .collect();
    let found = criterion_effects(&["zero".to_owned(), "one".to_owned(), "unused".to_owned()], &units);
    assert_eq!(
        (found.units.get(), found.prompts.get(), found.agree.get()),
        (5, 4, 3),
        "one unit has no grade"
    );
    let names: Vec<&str> = found.criteria.iter().map(|row| row.criterion.as_str()).collect();
    assert_eq!(names, ["one", "zero"], "the one that stands alone first; one that checks nothing has no row");
    let one: &CriterionEffect = &found.criteria[0];
    assert_eq!(
        (one.alone_against_person.get(), one.alone_with_person.get()),
        (2, 1),
        "twice against, once with"
    );
    // Without it units 0, 1 and 3 are judged correct, and so is unit 2, which the person calls incorrect; unit 4 still fails.
    assert_eq!((one.agree.get(), one.agree_dropped.get()), (3, 4), "two mended, one broken");
    // Left out: prompt 0 is told by the others 1 - 1 = 0, so that it is kept there, and so in prompt 1; prompt 2 is told 2 and drops
    // it, which breaks one of its two; prompt 3 is told 1 and drops it, which changes nothing: 0 + 0 + 1 + 1.
    assert_eq!(one.agree_dropped_left_out.unwrap().get(), 2, "what the others say is worth less");
    assert_eq!(one.agree_reworded_at_best.get(), 5, "reworded it could mend both");
    let zero = &found.criteria[1];
    assert_eq!((zero.agree.get(), zero.agree_dropped.get()), (3, 3), "dropping it changes no verdict");
    // At 0.5 the means 0.5, 0.75, 0.5, 1 pass: units 0, 1, 3 and 4 agree; at 0.55 to 0.75 units 1, 2, 3 and 4 do.
    assert_eq!(
        (found.threshold.threshold, found.threshold.agree.get()),
        (0.75, 4),
        "the highest of the best"
    );
}
