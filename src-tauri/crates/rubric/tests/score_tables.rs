//! Score arithmetic on small tables worked by hand, and bounds that hold for every row.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use Modality::{Audio, Document, Image, Text, Video};
use domain::{Detection, Modality, PayloadStatus, Presence, StoredScores};
use proptest::prelude::*;
use rubric::scores::{
    AgreementSet, Grades, PresenceScores, RunFigures, RunScores, ScoredGrade, ScoredRow, Strictness,
    collapse, differing_scores, mmi_value, mmi_value_without, presence_scores,
};

const NATIVE: Detection = Detection { native: true, via_url: false, via_judge: false };
const LINKED: Detection = Detection { native: false, via_url: true, via_judge: false };
const JUDGED: Detection = Detection { native: false, via_url: false, via_judge: true };

fn presence(found: &[(Modality, Detection)]) -> Presence {
    let mut presence = Presence::default();
    for (modality, detection) in found {
        presence.0[modality.index()] = *detection;
    }
    presence
}

fn row<'a>(
    expected: &'a [Modality],
    found: &[(Modality, Detection)],
    grades: &'a [ScoredGrade],
) -> ScoredRow<'a> {
    ScoredRow {
        expected,
        presence: presence(found),
        failed: false,
        error_type: None,
        grades: Grades::Each(grades),
    }
}

const fn grade(modality: Modality, score: f64) -> ScoredGrade {
    ScoredGrade { modality: Some(modality), score, evaluator_error: false, payload: PayloadStatus::Gradeable }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12
}

#[test]
fn presence_by_hand() {
    // (expected, found, lenient (P, R, F1, pass), strict (P, R, F1, pass), why)
    type Scores = (f64, f64, f64, bool);
    type Case = (&'static [Modality], &'static [(Modality, Detection)], Scores, Scores, &'static str);
    let cases: [Case; 9] = [
        (&[Text], &[(Text, NATIVE)], (1., 1., 1., true), (1., 1., 1., true), "what was expected came"),
        (
            &[Image],
            &[(Text, NATIVE)],
            (1., 0., 0., false),
            (1., 0., 0., false),
            "undesired Text is dropped, D is empty",
        ),
        (
            &[Image],
            &[(Image, NATIVE), (Text, NATIVE)],
            (1., 1., 1., true),
            (1., 1., 1., true),
            "and costs no precision",
        ),
        (
            &[Text, Video],
            &[(Text, NATIVE), (Video, LINKED)],
            (1., 1., 1., true),
            (1., 0.5, 2. / 3., false),
            "a link is lenient",
        ),
        (
            &[Text, Document],
            &[(Document, JUDGED)],
            (1., 0.5, 2. / 3., false),
            (1., 0., 0., false),
            "so is the judge's word",
        ),
        (
            &[Audio],
            &[(Audio, NATIVE), (Image, NATIVE)],
            (0.5, 1., 2. / 3., true),
            (0.5, 1., 2. / 3., true),
            "extra Image costs precision",
        ),
        (
            &[Audio],
            &[(Image, NATIVE)],
            (0., 0., 0., false),
            (0., 0., 0., false),
            "only a wrong one: F1 is 0, not 0/0",
        ),
        (
            &[],
            &[(Image, NATIVE)],
            (0., 0., 0., false),
            (0., 0., 0., false),
            "nothing expected: recall 0, no pass (Q40)",
        ),
        (
            &[Text, Text],
            &[(Text, NATIVE)],
            (1., 1., 1., true),
            (1., 1., 1., true),
            "a repeat counts once (Q39)",
        ),
    ];
    for (expected, found, lenient, strict, why) in cases {
        let row = row(expected, found, &[]);
        for (strictness, wanted) in [(Strictness::Lenient, lenient), (Strictness::Strict, strict)] {
            let PresenceScores { precision, recall, f1, pass } = presence_scores(&row, strictness);
            assert!(
                near(precision, wanted.0) && near(recall, wanted.1) && near(f1, wanted.2) && pass == wanted.3,
                "{strictness:?} of {expected:?} against {found:?} is {wanted:?}: {why}; got {precision} {recall} {f1} {pass}"
            );
        }
    }
}

#[test]
fn a_failed_call_scores_nothing_and_counts_as_failure() {
    let failed =
        ScoredRow { failed: true, error_type: Some("timeout"), ..row(&[Text], &[(Text, NATIVE)], &[]) };
    let scores = presence_scores(&failed, Strictness::Lenient);
    assert_eq!(
        (scores.precision, scores.recall, scores.f1),
        (1.0, 0.0, 0.0),
        "error rows give 1, 0, 0 (MMI-FORMAT 8.1)"
    );
    let mut run = RunScores::new();
    run.push(&failed);
    run.push(&row(&[Text], &[(Text, NATIVE)], &[]));
    let figures = run.figures();
    assert_eq!(figures.input_failure_rate, Some(0.5), "one of two calls failed");
    assert_eq!(figures.recall, Some(0.5), "the failed row is in the mean");
    assert_eq!(figures.per_modality.lenient.text.detected, 1, "and detects nothing");
    assert_eq!(run.error_types()["timeout"], 1, "its kind is counted");
}

#[test]
fn mmi_value_by_hand() {
    let grades = [grade(Text, 1.0), grade(Text, 0.0), grade(Image, 1.0), grade(Document, 0.25)];
    let both = row(&[Text, Image, Document], &[], &grades);
    let value = mmi_value(&both).unwrap();
    assert!(
        near(value, (0.5 + 1.0 + 0.25) / 3.0),
        "mean within each modality, then over modalities, not over grades"
    );
    assert!(near(mmi_value_without(&both, Document).unwrap(), 0.75), "Document left out: (0.5 + 1) / 2");
    let fewer = row(&[Text], &[], &grades);
    assert!(
        near(mmi_value(&fewer).unwrap(), 0.5),
        "grades of modalities that are not expected do not count (Q37)"
    );
    let more = row(&[Text, Video], &[], &grades);
    assert!(near(mmi_value(&more).unwrap(), 0.5), "an expected modality without criteria drops out (Q38)");
    assert_eq!(mmi_value(&row(&[Video], &[], &grades)), None, "no grade of an expected modality: no value");
    assert_eq!(
        mmi_value_without(&row(&[Document], &[], &grades), Document),
        None,
        "nothing left without Document"
    );
    let stray = [ScoredGrade { modality: None, ..grade(Text, 1.0) }, grade(Text, 0.5)];
    assert_eq!(
        mmi_value(&row(&[Text], &[], &stray)),
        Some(0.5),
        "a grade of no modality counts nowhere (Q12)"
    );
    let wild = [grade(Text, f64::NAN), grade(Text, 7.0), grade(Text, -3.0)];
    assert!(
        near(mmi_value(&row(&[Text], &[], &wild)).unwrap(), 1.0 / 3.0),
        "NaN is 0, 7 is 1, -3 is 0 (Q6, Q35)"
    );
}

/// (grades, detected, in produced, incl. evaluator errors, correct at 1, why)
type UnitCase<'a> = (&'a [ScoredGrade], &'a [(Modality, Detection)], bool, bool, bool, &'a str);

#[test]
fn collapse_and_sets_by_hand() {
    let zero = |evaluator_error, payload| ScoredGrade { evaluator_error, payload, ..grade(Image, 0.0) };
    let unsent = [zero(true, PayloadStatus::Unsendable)];
    let absent = [zero(false, PayloadStatus::Absent)];
    let broken = [grade(Image, 1.0), zero(true, PayloadStatus::Gradeable)];
    let good = [grade(Image, 1.0), grade(Image, 1.0 - 1e-12)];
    let partial = [grade(Image, 1.0), grade(Image, 0.9)];
    let native: &[(Modality, Detection)] = &[(Image, NATIVE)];
    let cases: [UnitCase<'_>; 6] = [
        (&good, native, true, true, true, "rounding below 1 is still 1"),
        (&partial, native, true, true, false, "one criterion short of 1 makes it incorrect"),
        (&broken, native, false, true, false, "one evaluator error takes it out of `produced`"),
        (&unsent, native, false, true, false, "it could not be sent: an evaluator error"),
        (&absent, &[(Image, LINKED)], false, false, false, "a bare link has nothing gradeable"),
        (&good, &[], false, false, true, "graded but not present"),
    ];
    for (grades, found, produced, with_errors, correct, why) in cases {
        let unit = collapse(&row(&[Image], found, grades), Image).unwrap();
        assert_eq!(unit.is_in(AgreementSet::Produced), produced, "produced: {why}");
        assert_eq!(
            unit.is_in(AgreementSet::ProducedInclEvaluatorErrors),
            with_errors,
            "with evaluator errors: {why}"
        );
        assert!(unit.is_in(AgreementSet::AllExpected), "everything graded is in all_expected: {why}");
        assert_eq!(unit.correct(1.0), correct, "collapse at 1: {why}");
    }
    let unit = collapse(&row(&[Image], native, &partial), Image).unwrap();
    assert!(unit.correct(0.9) && !unit.correct(0.95), "the threshold is on the lowest score, 0.9");
    assert!(unit.mean_reaches(0.95) && !unit.mean_reaches(0.96), "the sweep is on the mean, 0.95");
    assert_eq!(collapse(&row(&[Text], native, &partial), Image), None, "Image is not expected: no unit");
    assert_eq!(collapse(&row(&[Image], native, &[]), Image), None, "no grades: no unit");
}

#[test]
fn nothing_is_undefined_without_a_reason() {
    let empty = RunScores::new().figures();
    assert_eq!(empty.mps, None, "a run without rows has no MPS, not 0");
    assert_eq!(empty.undefined["mps"], "no rows", "and says why");
    let json = serde_json::to_value(&empty).unwrap();
    let reasons = &json["undefined"];
    let mut nulls = 0;
    count_nulls("", &json, &mut |path| {
        nulls += 1;
        assert!(reasons[path].is_string(), "{path} is null, so undefined says why");
    });
    assert_eq!(nulls, reasons.as_object().unwrap().len(), "and gives no reason for a figure that is there");
    let mut run = RunScores::new();
    let grades = Modality::ALL.map(|m| grade(m, 1.0));
    run.push(&row(&Modality::ALL, &Modality::ALL.map(|m| (m, NATIVE)), &grades));
    let json = serde_json::to_value(run.figures()).unwrap();
    assert!(json.get("undefined").is_none(), "where all is defined the key is left out");
    assert_eq!(json.as_object().unwrap().len(), 17, "and the 17 keys of the score table are all there is");
}

fn count_nulls(path: &str, value: &serde_json::Value, seen: &mut impl FnMut(&str)) {
    match value {
        serde_json::Value::Null => seen(path),
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                count_nulls(&inner, value, seen);
            }
        }
        _ => {}
    }
}

type AnyRow = (Vec<Modality>, [Detection; 5], bool, Vec<ScoredGrade>);

fn any_row() -> impl Strategy<Value = AnyRow> {
    let modality = prop::sample::select(Modality::ALL.to_vec());
    let detection = any::<(bool, bool, bool)>().prop_map(|(native, via_url, via_judge)| Detection {
        native,
        via_url,
        via_judge,
    });
    let payload = prop::sample::select(vec![
        PayloadStatus::Gradeable,
        PayloadStatus::Absent,
        PayloadStatus::Unsendable,
    ]);
    let grade = (prop::option::of(modality.clone()), -0.5..1.5_f64, any::<bool>(), payload).prop_map(
        |(modality, score, evaluator_error, payload)| ScoredGrade {
            modality,
            score,
            evaluator_error,
            payload,
        },
    );
    (
        prop::collection::vec(modality, 0..7),
        prop::array::uniform5(detection),
        any::<bool>(),
        prop::collection::vec(grade, 0..12),
    )
}

fn figures(rows: &[AnyRow]) -> RunFigures {
    let mut run = RunScores::new();
    for (expected, presence, failed, grades) in rows {
        run.push(&ScoredRow {
            expected,
            presence: Presence(*presence),
            failed: *failed,
            error_type: None,
            grades: Grades::Each(grades),
        });
    }
    run.figures()
}

proptest! {
    #[test]
    fn sums_score_as_the_grades_they_were_made_of((expected, presence, failed, grades) in any_row()) {
        let each = Grades::Each(&grades);
        let sums = Modality::ALL.map(|modality| each.of(modality));
        let row = |grades| ScoredRow { expected: &expected, presence: Presence(presence), failed, error_type: None, grades };
        let (mut one, mut other) = (RunScores::new(), RunScores::new());
        one.push(&row(each));
        other.push(&row(Grades::Summed(&sums)));
        let (one, mut other) = (one.figures(), other.figures());
        let nowhere = grades.iter().filter(|g| g.modality.is_none());
        other.criteria_graded += nowhere.clone().count() as u64;
        other.evaluator_error_grades += nowhere.filter(|g| g.evaluator_error).count() as u64;
        prop_assert_eq!(one, other, "a database that keeps sums gives the figures of the file");
    }

    #[test]
    fn scores_keep_their_bounds((expected, presence, failed, grades) in any_row()) {
        let row = ScoredRow { expected: &expected, presence: Presence(presence), failed, error_type: None, grades: Grades::Each(&grades) };
        let lenient = presence_scores(&row, Strictness::Lenient);
        let strict = presence_scores(&row, Strictness::Strict);
        for (name, score) in [("P", lenient.precision), ("R", lenient.recall), ("F1", lenient.f1), ("F1 strict", strict.f1)] {
            prop_assert!((0.0..=1.0).contains(&score), "{name} is a share");
        }
        prop_assert!(strict.recall <= lenient.recall, "lenient detection can only add to recall");
        prop_assert!(lenient.f1 <= lenient.precision.max(lenient.recall) + 1e-12, "a mean lies below its larger part");
        prop_assert!(lenient.f1 + 1e-12 >= lenient.precision.min(lenient.recall), "and above its smaller part");
        prop_assert_eq!(lenient.pass, (lenient.recall - 1.0).abs() < 1e-12, "pass is full recall");
        if let Some(value) = mmi_value(&row) {
            prop_assert!((0.0..=1.0).contains(&value), "MMI Value is a mean of scores in [0, 1]");
        }
        for unit in Modality::ALL.into_iter().filter_map(|m| collapse(&row, m)) {
            prop_assert!(unit.min <= unit.mean + 1e-12, "the lowest score is at most the mean");
            prop_assert!(!unit.correct(1.0) || unit.mean_reaches(1.0), "all at 1 implies the mean at 1");
            prop_assert!(!unit.is_in(AgreementSet::Produced) || unit.is_in(AgreementSet::ProducedInclEvaluatorErrors), "the sets nest");
        }
        let own = StoredScores {
            precision: Some(lenient.precision), recall: Some(lenient.recall), f1: Some(lenient.f1),
            f1_strict: Some(strict.f1), rubric_score: mmi_value(&row),
        };
        prop_assert_eq!(differing_scores(&row, &own), vec![], "our own scores never differ from ours");
    }

    #[test]
    fn runs_add_up_in_any_order(rows in prop::collection::vec(any_row(), 1..20), cut in 0..20_usize) {
        let whole = figures(&rows);
        let cut = cut.min(rows.len());
        let mut parts = RunScores::new();
        for part in [&rows[cut..], &rows[..cut]] {
            let mut run = RunScores::new();
            for (expected, presence, failed, grades) in part {
                run.push(&ScoredRow { expected, presence: Presence(*presence), failed: *failed, error_type: None, grades: Grades::Each(grades) });
            }
            parts.merge(&run);
        }
        let parts = parts.figures();
        let close = |a: Option<f64>, b: Option<f64>| a.zip(b).map_or(a == b, |(a, b)| near(a, b));
        prop_assert!(close(whole.mps, parts.mps), "MPS does not depend on how rows are split or ordered");
        prop_assert!(close(whole.mmi_value.all, parts.mmi_value.all), "nor does MMI Value");
        prop_assert_eq!(whole.binary, parts.binary, "counts are exact");
        prop_assert_eq!(whole.undefined, parts.undefined, "and so is what is undefined");
        prop_assert!(whole.mps.unwrap_or(2.0) <= 1.0, "MPS is a mean of F1 in [0, 1]");
        prop_assert!(whole.pass_rate <= whole.recall.map(|r| r + 1e-12), "a row that passes has recall 1, so MPS's pass rate is at most mean recall");
    }
}
