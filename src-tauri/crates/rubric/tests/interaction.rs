//! Accuracy and consistency of one sample, worked out by hand.
#![allow(clippy::unwrap_used, missing_docs)]

use domain::{ContextKind as Kind, InputAsset, Pattern, Sample, SampleContext};
use rubric::interaction::{Choices, mark};

fn sample(pattern: Pattern, contexts: &[Kind]) -> Sample {
    let image = InputAsset { name: "a.png".to_owned(), blob: None, bytes: 0, format: "png".to_owned() };
    Sample {
        key: "s1".to_owned(),
        pattern,
        level: 1,
        task: "counting".to_owned(),
        domain: String::new(),
        question: "How many?".to_owned(),
        options: ["A", "B", "é"].map(|letter| (letter.to_owned(), letter.to_owned())).into(),
        answer: "é".to_owned(),
        image: Some(image),
        text: Some("Text.".to_owned()),
        contexts: contexts
            .iter()
            .map(|kind| SampleContext { kind: *kind, image: None, text: Some("So.".to_owned()) })
            .collect(),
    }
}
fn choices(all: &[(Option<Kind>, &str)]) -> Choices {
    all.iter().map(|(context, choice)| (*context, (*choice).to_owned())).collect()
}

#[test]
fn the_share_is_over_all_variants_and_labels_compare_by_content() {
    let five = sample(Pattern::Vision, Kind::ALL);
    // e with a combining acute accent is the same letter as é; an empty choice is none.
    let given = choices(&[
        (Some(Kind::CorrectGuidance), "e\u{301}"),
        (Some(Kind::GlobalDescription), " é "),
        (Some(Kind::LocalDescription), "A"),
        (Some(Kind::Unrelated), ""),
    ]);
    let marked = mark(&five, &given).unwrap();
    assert!((marked.share() - 0.4).abs() < 1e-12, "two of five: {marked:?}");
    assert_eq!(marked.missing, 1, "nothing was said under the misleading one");
    assert_eq!(marked.is_consistent, Some(false), "A is not é");
    assert_eq!(
        mark(&five, &choices(&[(None, "é")])),
        None,
        "asked without a context, which is no variant of it"
    );
}

#[test]
fn consistent_is_the_same_everywhere_even_when_wrong() {
    let two = sample(Pattern::Text, &[Kind::Unrelated, Kind::Misleading]);
    let wrong = choices(&[(Some(Kind::Unrelated), "B"), (Some(Kind::Misleading), "B")]);
    let marked = mark(&two, &wrong).unwrap();
    assert_eq!((marked.share(), marked.is_consistent), (0.0, Some(true)), "wrong, and always the same");
    let silent = choices(&[(Some(Kind::Unrelated), ""), (Some(Kind::Misleading), "")]);
    assert_eq!(mark(&two, &silent).unwrap().is_consistent, Some(false), "no answer twice is no prediction");
    let gap = choices(&[(Some(Kind::Unrelated), "B")]);
    assert_eq!(mark(&two, &gap).unwrap().is_consistent, Some(false), "one is missing");
}

#[test]
fn both_together_have_one_variant_and_no_consistency() {
    let both = sample(Pattern::Synergy, &[]);
    let marked = mark(&both, &choices(&[(None, "é")])).unwrap();
    assert!((marked.share() - 1.0).abs() < 1e-12, "right");
    assert_eq!((marked.variants.len(), marked.is_consistent), (1, None), "nothing to compare it with");
}
