//! What a linter is given may be anything; what it answers can be applied.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use domain::Modality;
use proptest::prelude::*;
use rubric::lints::{Edit, LintCriterion, LintInput, LintReport, Rule, Severity, lint};
use serde_json::{Value, json};

fn read(value: Value) -> LintInput {
    serde_json::from_value(value).expect("an acceptable FILE")
}

#[test]
fn the_file_is_read_with_tolerance() {
    let both = Some(vec![Modality::Text, Modality::Video]);
    for (gold, wanted, why) in [
        (json!(["text", "video"]), both.clone(), "a list"),
        (json!("Text, VIDEO"), both.clone(), "comma-separated, any case"),
        (json!(["Text", "video", "text", "smell"]), both, "repeats and unknown names are left out"),
        (json!(null), None, "null"),
        (json!(""), None, "empty"),
        (json!([]), None, "an empty list is no list"),
    ] {
        assert_eq!(read(json!({"output_modalities": gold, "criteria": []})).gold, wanted, "{why}");
    }
    assert_eq!(read(json!({"criteria": []})).gold, None, "absent");
    assert_eq!(read(json!({"prompt": "  ", "criteria": []})).prompt, None, "an empty prompt counts as none");
    let odd =
        read(json!({"criteria": [{"id": 1, "criterion": null, "modality": ["text", "image"], "extra": {}}]}));
    assert_eq!(odd.criteria[0].id, "1", "a number is read as an id");
    assert_eq!(odd.criteria[0].modality, "text, image", "any tag is accepted and linted");
    assert!(lint(&odd).findings.iter().any(|f| f.rule == "modality-tag"), "two tags are one too many");
    let weighed =
        read(json!({"criteria": [{"id": "1", "criterion": "Names Lima.", "modality": "text", "points": 3}]}));
    assert!(
        lint(&weighed).findings.iter().any(|f| f.rule == "weight-leak"),
        "a field for points is a weight"
    );
    let plain = read(
        json!({"criteria": [{"id": "1", "criterion": "Names Lima.", "modality": "text", "weight": null}]}),
    );
    assert!(!lint(&plain).findings.iter().any(|f| f.rule == "weight-leak"), "an empty field is none");
}

#[test]
fn rules_that_need_more_are_silent_without_it() {
    let report = lint(&read(
        json!({"criteria": [{"id": "1", "criterion": "Delivers a video of a cat.", "modality": "video"}]}),
    ));
    for rule in ["not-gold", "uncovered-modality", "sub-kind"] {
        assert!(report.findings.iter().all(|f| f.rule != rule), "{rule} has nothing to go by");
    }
}

#[test]
fn severities_are_those_of_the_catalogue() {
    let of = |id: &str| Rule::all().iter().find(|r| r.id == id).map(|r| r.severity);
    for id in ["modality-tag", "not-gold", "uncovered-modality", "ids", "weight-leak"] {
        assert_eq!(of(id), Some(Severity::Error), "{id} makes a rubric unusable");
    }
    for id in ["criteria-count", "measurable"] {
        assert_eq!(of(id), Some(Severity::Info), "{id} is only good to know");
    }
    assert_eq!(
        Rule::all().iter().filter(|r| r.severity == Severity::Warning).count(),
        28,
        "all others are warnings"
    );
}

#[test]
fn mends_say_what_a_person_would_write() {
    for (modality, criterion, rule, wanted) in [
        (
            "image",
            "Does the diagram label the left ventricle?",
            "question-form",
            "Labels the left ventricle.",
        ),
        (
            "image",
            "Show the bridge from the river bank.",
            "instruction-form",
            "Shows the bridge from the river bank.",
        ),
        ("audio", "The narration needs to mention Bern.", "instruction-form", "The narration mentions Bern."),
        ("image", "Shows a compass rose (2 points).", "weight-leak", "Shows a compass rose."),
        (
            "document",
            "Critical: the invoice number is present.",
            "weight-leak",
            "The invoice number is present.",
        ),
    ] {
        let report =
            lint(&read(json!({"criteria": [{"id": "1", "criterion": criterion, "modality": modality}]})));
        let finding = report.findings.iter().find(|f| f.rule == rule).expect("the rule fires");
        let edit = finding.fix.as_ref().map(|f| &f.edit);
        assert_eq!(
            edit,
            Some(&Edit::Text { at: 0, text: wanted.to_owned() }),
            "{criterion}: the mend keeps the fact"
        );
        let mended =
            lint(&read(json!({"criteria": [{"id": "1", "criterion": wanted, "modality": modality}]})));
        assert!(mended.findings.iter().all(|f| f.rule != rule), "{wanted}: and settles its finding");
    }
}

#[test]
fn the_report_has_the_keys_of_the_command_line() {
    let report =
        lint(&read(json!({"criteria": [{"id": "7", "criterion": "Show a cat.", "modality": "Image"}]})));
    let json = serde_json::to_value(&report).expect("a report is JSON");
    for finding in json["findings"].as_array().expect("findings") {
        for key in ["rule", "severity", "prompt", "criterion", "message"] {
            assert!(finding.get(key).is_some(), "{key} is there, if only as null");
        }
    }
    assert_eq!(json["findings"][0]["criterion"], "7", "a criterion goes by its own id");
    let back: LintReport = serde_json::from_value(json).expect("and is read back");
    assert_eq!(back, report, "unchanged");
}

proptest! {
    #[test]
    fn nothing_in_a_rubric_stops_the_linter(
        texts in prop::collection::vec((".{0,120}", "(text|image|audio|video|document|.{0,8})", ".{0,4}"), 0..8),
        words in prop::collection::vec("(States|that|not|the|original|image|\"|“|”|'|and|at|least|3|\\(|\\)|[.?:;,\\[#]|should|video|above|criterion|Does)", 0..40),
        prompt in prop::option::of(".{0,60}"),
    ) {
        let mut criteria: Vec<LintCriterion> = texts.into_iter()
            .map(|(criterion, modality, id)| LintCriterion { id, criterion, modality, has_weight: false })
            .collect();
        criteria.push(LintCriterion { id: "1".into(), criterion: words.join(" "), modality: "video".into(), has_weight: false });
        let input = LintInput { prompt, gold: Some(vec![Modality::Video, Modality::Text]), criteria };
        let report = lint(&input);
        prop_assert_eq!(&report, &lint(&input), "the same rubric gives the same findings");
        for finding in report.findings {
            if let Some(at) = finding.at {
                let criterion = input.criteria.get(at as usize);
                prop_assert!(criterion.is_some(), "a finding names a criterion of this rubric");
                if let (Some(criterion), Some(span)) = (criterion, finding.span) {
                    prop_assert!(span.start < span.end, "a span is not empty");
                    prop_assert!(span.end as usize <= criterion.criterion.chars().count(), "a span lies inside the text, in characters");
                }
            }
            prop_assert!(!finding.message.is_empty() && !finding.why.is_empty(), "a finding says what and why");
        }
    }
}
