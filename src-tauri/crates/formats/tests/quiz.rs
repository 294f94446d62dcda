//! The quiz as people write it.
#![allow(clippy::unwrap_used, missing_docs)]

use formats::read_quiz;

const SMALL: &str = "# Small\nRead first.\n\n## Practice\n### false: Snow is black.\nWhat is it?\n- [ ] green\n- [x] white\n> Look \
                     out.\n> Of the window.\n\n## Quiz\n### true: Ice is cold.\nSection: Ice\nHow cold?\n- [x] below 0 °C\n- [ ] above\n";

#[test]
fn a_quiz_is_taken_apart_into_what_is_asked_and_what_is_right() {
    let (quiz, key) = read_quiz(SMALL).unwrap();
    assert_eq!((quiz.title.as_str(), quiz.introduction.as_str()), ("Small", "Read first."));
    let practice = &quiz.practice[0];
    assert_eq!((practice.item.statement.as_str(), practice.answer.is_true), ("Snow is black.", false));
    assert_eq!(
        (practice.answer.choice, practice.answer.explanation.as_str()),
        (1, "Look out.\nOf the window.")
    );
    let item = &quiz.items[0];
    assert_eq!((item.id.as_str(), item.question.as_str(), item.section.as_str()), ("q1", "How cold?", "Ice"));
    assert_eq!(item.options, ["below 0 °C", "above"]);
    assert_eq!((key.answers[0].is_true, key.answers[0].choice), (true, 0));
    let asked = serde_json::to_string(&quiz.items).unwrap();
    assert!(!asked.contains("is_true") && !asked.contains("choice"), "what is asked says no answer: {asked}");
}

#[test]
fn json_says_the_same() {
    let json = r#"{"title": "Small", "introduction": "Read first.",
      "practice": [{"statement": "Snow is black.", "is_true": false, "question": "What is it?", "options": ["green", "white"],
                    "right": 1, "explanation": "Look out.\nOf the window."}],
      "quiz": [{"statement": "Ice is cold.", "is_true": true, "question": "How cold?", "options": ["below 0 °C", "above"], "right": 0,
                "section": "Ice"}]}"#;
    assert_eq!(read_quiz(json).unwrap(), read_quiz(SMALL).unwrap());
}

#[test]
fn what_is_wrong_is_named() {
    for (text, why) in [
        ("", "at least one item"),
        ("## Quiz\n### maybe: x", "line 2"),
        ("## Exam\n", "line 1"),
        ("### true: x", "line 1"),
        ("## Quiz\nhello", "line 2"),
        ("## Quiz\n### true: x\nWhy?\n- [ ] a\n- [ ] b\n", "line 2: an item has one right option"),
        ("## Quiz\n### true: x\nWhy?\n- [x] a\n- [x] b\n", "this one has 2"),
        ("## Quiz\n### true: x\nWhy?\n- [x] a\n", "two options"),
        ("## Quiz\n### true: x\n- [x] a\n- [ ] b\n", "no question"),
        ("## Quiz\n### true: x\nWhy?\n- [x] a\n- [ ] a\n", "alike"),
        ("{\"title\": \"x\"}", "quiz"),
    ] {
        let said = read_quiz(text).unwrap_err().to_string();
        assert!(said.contains(why), "{text:?}: {said}");
    }
}

#[test]
fn the_quiz_that_comes_with_the_app_has_ten_items_with_spread_answers() {
    let (quiz, key) = read_quiz(include_str!("../../../../assets/quiz/judging.md")).unwrap();
    assert_eq!((quiz.items.len(), quiz.practice.len()), (10, 4));
    let yes = key.answers.iter().filter(|answer| answer.is_true).count();
    assert!((4..=6).contains(&yes), "neither part can be guessed: {yes} statements are true");
    for place in 0..4 {
        let n = key.answers.iter().filter(|answer| answer.choice == place).count();
        assert!(n <= 5, "option {place} is right {n} times");
    }
    assert!(key.answers.iter().all(|answer| !answer.explanation.is_empty()), "each says why");
}
