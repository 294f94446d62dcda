//! What helps an author write: templates, the canonical order, revisions side by side, precedents, and what a change does to
//! grades. Expected values are worked out by hand.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use domain::{Criterion, Modality, RubricDraft};
use proptest::prelude::*;
use rubric::{
    impact::{GivenGrade, impact},
    lints::{LintInput, Part, Severity, in_order, lint, parts, templates},
    precedents::Search,
    revisions::{CriterionChange, compare_criteria},
};

fn criteria(all: &[(Modality, &str)]) -> Vec<Criterion> {
    (1..)
        .zip(all)
        .map(|(n, (modality, text)): (u32, _)| Criterion {
            id: n.to_string(),
            criterion: (*text).to_owned(),
            modality: *modality,
        })
        .collect()
}

#[test]
fn a_template_is_what_it_says_and_no_lint_speaks_against_it() {
    for modality in Modality::ALL {
        let all = templates(modality, "");
        assert_eq!(all.is_empty(), modality == Modality::Text, "{modality}: text has no delivery");
        for pair in all.chunks(2) {
            let filled: Vec<String> =
                pair.iter().map(|t| t.text.replace("___", "the tides of the Thames")).collect();
            let rubric = criteria(&[(modality, &filled[0]), (modality, &filled[1])]);
            assert_eq!(
                parts(&rubric),
                [Some(Part::Delivery), Some(Part::Integrity)],
                "{}: {filled:?}",
                pair[0].kind
            );
            assert_eq!((pair[0].part, pair[1].part), (Part::Delivery, Part::Integrity), "as it is offered");
            let draft = RubricDraft { criteria: rubric, ..RubricDraft::default() };
            let found = lint(&LintInput::from_draft(&draft, None, Some(&[modality]))).findings;
            // "measurable" points at a probe, and two criteria are few: both are notes.
            let bad: Vec<_> = found.iter().filter(|f| f.severity != Severity::Info).collect();
            assert!(bad.is_empty(), "{}: {bad:?}", pair[0].kind);
        }
    }
}

#[test]
fn the_kind_that_the_prompt_names_comes_first() {
    let first = |prompt: &str| templates(Modality::Document, prompt)[0];
    assert_eq!(
        (first("Send me the list as a C S V file.").kind, first("As CSV, please.").kind),
        ("CSV", "CSV")
    );
    assert_eq!(first("Make slides about tides.").kind, "Slides", "by its words");
    assert!(!first("Tell me about tides.").suggested, "none is named");
}

#[test]
fn criteria_are_put_in_order_by_modality_and_part() {
    use Modality::{Image, Text, Video};
    let given = criteria(&[
        (Video, "The captions are legible."),
        (Video, "Shows a rower on the Thames."),
        (Text, "Names the Thames."),
        (Video, "Delivers a video of the Thames."),
        (Image, "Delivers a map of London."),
        (Video, "Plays from start to end without freezing."),
        (Video, "Shows Tower Bridge."),
    ]);
    let ordered = in_order(&given, &[Text, Video]);
    let shown: Vec<(&str, &str)> = ordered.iter().map(|c| (c.id.as_str(), c.criterion.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("1", "Names the Thames."),
            ("2", "Delivers a video of the Thames."),
            ("3", "Plays from start to end without freezing."),
            ("4", "Shows a rower on the Thames."),
            ("5", "Shows Tower Bridge."),
            ("6", "The captions are legible."),
            ("7", "Delivers a map of London."),
        ],
        "gold list first, then delivery, integrity, content, craft; what is alike stays as it stood"
    );
    assert_eq!(in_order(&ordered, &[Text, Video]), ordered, "what is in order stays");
}

#[test]
fn revisions_are_paired_by_words() {
    use CriterionChange::{Changed, Gone, Moved, New, Same};
    use Modality::{Image, Text};
    let before = criteria(&[
        (Text, "Names the Thames."),
        (Text, "Says how long the Thames is."),
        (Text, "Names one bridge."),
        (Image, "Shows a map."),
        (Text, "Explains the tides."),
    ]);
    let after = criteria(&[
        (Text, "Names one bridge."),
        (Text, "Names the Thames."),
        (Text, "States that the Thames is 346 km long."),
        (Text, "Shows a map."),
        (Text, "Gives the price of a ticket."),
    ]);
    let found: Vec<_> =
        compare_criteria(&before, &after).iter().map(|row| (row.change, row.before, row.after)).collect();
    assert_eq!(
        found,
        [
            (Moved, Some(2), Some(0)),
            (Same, Some(0), Some(1)),
            // {say, long, thame} and {thame, 346, km, long}: two shared of five.
            (Changed, Some(1), Some(2)),
            // The same words under another modality are graded anew.
            (Changed, Some(3), Some(3)),
            (Gone, Some(4), None),
            (New, None, Some(4)),
        ],
        "the hash decides, then the closest words"
    );
}

proptest! {
    /// Every criterion of both is told of exactly once, and equal rubrics have no change.
    #[test]
    fn a_comparison_leaves_nothing_out(
        before in prop::collection::vec(("[abc]{1,2}( [abc]{1,2}){0,3}", 0_usize..2), 0..7),
        after in prop::collection::vec(("[abc]{1,2}( [abc]{1,2}){0,3}", 0_usize..2), 0..7),
    ) {
        let of = |all: &[(String, usize)]| {
            let pairs: Vec<_> = all.iter().map(|(text, m)| (Modality::ALL[*m], text.as_str())).collect();
            criteria(&pairs)
        };
        let (before, after) = (of(&before), of(&after));
        let rows = compare_criteria(&before, &after);
        let mut old: Vec<u32> = rows.iter().filter_map(|row| row.before).collect();
        let new: Vec<u32> = rows.iter().filter_map(|row| row.after).collect();
        old.sort_unstable();
        prop_assert_eq!(old, (0..u32::try_from(before.len()).unwrap()).collect::<Vec<_>>());
        prop_assert_eq!(new, (0..u32::try_from(after.len()).unwrap()).collect::<Vec<_>>());
        let same = compare_criteria(&before, &before);
        prop_assert!(same.iter().all(|row| row.change == CriterionChange::Same), "{:?}", same);
        let ordered = in_order(&before, &[Modality::Image]);
        let mut texts: Vec<&str> = before.iter().map(|c| c.criterion.as_str()).collect();
        let mut kept: Vec<&str> = ordered.iter().map(|c| c.criterion.as_str()).collect();
        texts.sort_unstable();
        kept.sort_unstable();
        prop_assert_eq!(texts, kept, "putting in order loses nothing");
    }
}

#[test]
fn precedents_are_found_by_the_share_of_their_words() {
    let search = Search::of("names the rivers that flow through London");
    // Content words: river, flow, london.
    let all = search.closeness("States that the Thames flows through London.").unwrap();
    assert!((all.found - 2.0 / 3.0).abs() < 1e-12, "flow and london: {all:?}");
    let one = search.closeness("Names one river.").unwrap();
    assert!((one.found - 1.0 / 3.0).abs() < 1e-12, "river: {one:?}");
    assert_eq!(search.closeness("Gives the price."), None, "none of them");
    assert!(Search::of("the of a").is_empty(), "words of grammar are no search");
    let typed = Search::of("riv");
    assert!(typed.closeness("Names one river.").is_some(), "the beginning of a word, as it is being typed");
}

#[test]
fn grades_stay_where_the_words_stay() {
    use Modality::{Image, Text};
    let grade = |modality, criterion, score| GivenGrade { modality, criterion, score };
    let grades = [
        grade(Text, "Names the Thames.", 1.0),
        grade(Text, "Says how long it is.", 0.0),
        grade(Image, "Shows a map.", 0.5),
        grade(Image, "Shows a boat.", 1.0),
    ];
    let after = criteria(&[
        (Image, "Shows a map."),
        (Text, " Names the Thames. "),
        (Text, "States that it is 346 km long."),
        (Text, "Shows a boat."),
    ]);
    let found = impact(&grades, &after, &[Text, Image]);
    assert_eq!(found.stays, [(0, 1), (2, 0)], "by words and modality, wherever they stand now");
    assert_eq!(found.stale, [1, 3], "changed, and moved to another modality");
    assert_eq!(found.waits, [2, 3], "criteria without a grade that stays");
    // ((1 + 0) / 2 + (0.5 + 1) / 2) / 2, and (1 + 0.5) / 2.
    assert_eq!((found.before.value(), found.after.value()), (Some(0.625), Some(0.75)), "MMI Value");
    assert_eq!(
        found.verdicts,
        [(Text, false, Some(true)), (Image, false, Some(false))],
        "the judge's collapsed verdict would turn in text"
    );
    let nothing = impact(&grades, &[], &[Text, Image]);
    assert_eq!(nothing.after.value(), None, "undefined, not 0");
    let unexpected = impact(&grades, &after, &[Text]);
    assert_eq!(unexpected.before.value(), Some(0.5), "a modality that is not expected does not count");
}
