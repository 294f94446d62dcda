//! The guidelines quiz: items of two parts, a statement that is true or false and a related multiple choice; an item is right when
//! both parts are.
//!
//! What a newcomer opens and what tells the right answers are two values from the start: a [`Quiz`] has no field that could hold
//! an answer, a [`QuizKey`] lies where leads and auditors alone look. Practice items are teaching material and carry their
//! answers openly.

use crate::TaskId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// One item as it is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuizItem {
    /// Its name in the quiz, such as `q3`.
    pub id: String,
    /// First part: is this true?
    pub statement: String,
    /// Second part: what is asked.
    pub question: String,
    /// What there is to choose from.
    pub options: Vec<String>,
    /// The part of the guidelines that it is about; empty for none.
    #[serde(default)]
    pub section: String,
}

/// The right answer of one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyedAnswer {
    /// The item.
    pub item: String,
    /// Is its statement true?
    pub is_true: bool,
    /// Place of the right option, from 0.
    pub choice: u32,
    /// Why.
    #[serde(default)]
    pub explanation: String,
}

/// One practice item, with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PracticeItem {
    /// What is asked.
    pub item: QuizItem,
    /// What is right, and why.
    pub answer: KeyedAnswer,
}

/// A quiz as a newcomer opens it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quiz {
    /// Its title.
    pub title: String,
    /// What to know before (Markdown).
    #[serde(default)]
    pub introduction: String,
    /// To practise on, with feedback.
    #[serde(default)]
    pub practice: Vec<PracticeItem>,
    /// What counts.
    pub items: Vec<QuizItem>,
}

/// The right answers of a quiz: for leads and auditors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuizKey {
    /// One for each item.
    pub answers: Vec<KeyedAnswer>,
}

/// What somebody answered to one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuizAnswer {
    /// The item.
    pub item: String,
    /// Is its statement true?
    pub is_true: bool,
    /// Place of the chosen option, from 0.
    pub choice: u32,
}
impl QuizAnswer {
    /// Are both parts right?
    pub fn is_right(&self, key: &KeyedAnswer) -> bool {
        self.item == key.item && self.is_true == key.is_true && self.choice == key.choice
    }
}

/// A quiz that was handed in: the payload of a `quiz_attempt`; subject = `quiz/<version>/<attempt>`. It is not taken back: an attempt
/// that one could withdraw would be no attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuizAttempt {
    /// The task that it answers.
    pub task: TaskId,
    /// Version of the quiz.
    pub version: u32,
    /// One for each item.
    pub answers: Vec<QuizAnswer>,
    /// What was tried in practice before, in that order.
    #[serde(default)]
    pub practised: Vec<QuizAnswer>,
}

/// What came of an attempt, as its person gets it. Which items were wrong is not said: with a statement and four options each, that
/// would tell the key after a few attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuizResult {
    /// Items with both parts right.
    pub right: u32,
    /// Items.
    pub of: u32,
    /// Right ones that it takes.
    pub needed: u32,
    /// Are there as many?
    pub passed: bool,
}

impl Quiz {
    /// What is wrong with a quiz and its key, as a sentence; none for one that can be asked.
    pub fn problem(&self, key: &QuizKey) -> Option<String> {
        if self.items.is_empty() {
            return Some("a quiz has at least one item".to_owned());
        }
        let mut names = BTreeSet::new();
        for item in self.items.iter().chain(self.practice.iter().map(|practice| &practice.item)) {
            let id = &item.id;
            if !names.insert(id.as_str()) {
                return Some(format!("item {id} is there twice"));
            }
            if item.statement.trim().is_empty() {
                return Some(format!("item {id} has no statement that is true or false"));
            }
            if item.question.trim().is_empty() {
                return Some(format!("item {id} has no question for its options"));
            }
            if item.options.len() < 2 {
                return Some(format!("item {id} has fewer than two options"));
            }
            let different: BTreeSet<&str> = item.options.iter().map(|option| option.trim()).collect();
            if different.len() != item.options.len() || different.contains("") {
                return Some(format!("item {id} has an empty option, or two that are alike"));
            }
        }
        let wrong = |item: &QuizItem, answer: &KeyedAnswer| {
            answer.item != item.id || answer.choice as usize >= item.options.len()
        };
        if let Some(practice) = self.practice.iter().find(|one| wrong(&one.item, &one.answer)) {
            return Some(format!("practice item {} has no right option", practice.item.id));
        }
        if key.answers.len() != self.items.len() {
            return Some("the key has not one answer for each item".to_owned());
        }
        let keyless = self.items.iter().find(|item| !key.answers.iter().any(|answer| !wrong(item, answer)));
        keyless.map(|item| format!("item {} has no right option", item.id))
    }

    /// Why these answers cannot be handed in, with the item; none if there is one for each item.
    pub fn lacks(&self, answers: &[QuizAnswer]) -> Option<(String, String)> {
        for item in &self.items {
            let mut own = answers.iter().filter(|answer| answer.item == item.id);
            let why = match (own.next(), own.next()) {
                (None, _) => "is not answered yet",
                (Some(_), Some(_)) => "is answered twice",
                (Some(answer), None) if answer.choice as usize >= item.options.len() => "has no such option",
                _ => continue,
            };
            return Some((item.id.clone(), format!("item {} {why}", item.id)));
        }
        let known = |answer: &&QuizAnswer| !self.items.iter().any(|item| item.id == answer.item);
        let other = answers.iter().find(known)?;
        Some((other.item.clone(), format!("the quiz has no item {}", other.item)))
    }
}

impl QuizKey {
    /// How many items of an attempt are right: both parts of each.
    pub fn right(&self, answers: &[QuizAnswer]) -> u32 {
        let right =
            self.answers.iter().filter(|key| answers.iter().any(|answer| answer.is_right(key))).count();
        u32::try_from(right).unwrap_or(u32::MAX)
    }

    /// What comes of an attempt where this share of the items has to be right, above 0 to 1.
    pub fn result(&self, answers: &[QuizAnswer], pass: f64) -> QuizResult {
        let (right, of) = (self.right(answers), u32::try_from(self.answers.len()).unwrap_or(u32::MAX));
        let needed = (0..=of).find(|n| f64::from(*n) >= pass * f64::from(of) - 1e-9).unwrap_or(of);
        QuizResult { right, of, needed, passed: right >= needed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str) -> QuizItem {
        QuizItem {
            id: id.to_owned(),
            statement: "It is so.".to_owned(),
            question: "Why?".to_owned(),
            options: vec!["a".to_owned(), "b".to_owned()],
            section: String::new(),
        }
    }
    fn keyed(id: &str) -> KeyedAnswer {
        KeyedAnswer { item: id.to_owned(), is_true: true, choice: 1, explanation: String::new() }
    }
    fn said(id: &str, is_true: bool, choice: u32) -> QuizAnswer {
        QuizAnswer { item: id.to_owned(), is_true, choice }
    }
    fn ten() -> (Quiz, QuizKey) {
        let names: Vec<String> = (1..=10).map(|n| format!("q{n}")).collect();
        let quiz = Quiz { items: names.iter().map(|id| item(id)).collect(), ..Quiz::default() };
        (quiz, QuizKey { answers: names.iter().map(|id| keyed(id)).collect() })
    }

    #[test]
    fn an_item_is_right_when_both_parts_are() {
        let key = QuizKey { answers: vec![keyed("a"), keyed("b"), keyed("c")] };
        let answers = [said("a", true, 1), said("b", false, 1), said("c", true, 0)];
        assert_eq!(key.right(&answers), 1, "b has the wrong truth, c the wrong option");
    }

    #[test]
    fn nine_of_ten_are_ninety_per_cent() {
        let (quiz, key) = ten();
        let mut answers: Vec<QuizAnswer> = quiz.items.iter().map(|i| said(&i.id, true, 1)).collect();
        answers[4].choice = 0;
        let result = key.result(&answers, 0.9);
        assert_eq!((result.right, result.of, result.needed, result.passed), (9, 10, 9, true));
        answers[7].is_true = false;
        let result = key.result(&answers, 0.9);
        assert_eq!((result.right, result.needed, result.passed), (8, 9, false), "eight are not enough");
        assert_eq!(key.result(&answers, 0.85).needed, 9, "8.5 items are not reached by eight");
        assert_eq!(key.result(&answers, 1.0).needed, 10, "all of them");
    }

    #[test]
    fn what_is_missing_is_named() {
        let (quiz, key) = ten();
        assert_eq!(quiz.problem(&key), None, "it can be asked");
        let mut answers: Vec<QuizAnswer> = quiz.items.iter().map(|i| said(&i.id, true, 1)).collect();
        assert_eq!(quiz.lacks(&answers), None, "all are answered");
        answers[2].choice = 2;
        assert_eq!(quiz.lacks(&answers).unwrap().0, "q3", "there are two options");
        answers.remove(2);
        assert_eq!(quiz.lacks(&answers).unwrap().0, "q3", "one is missing");
        let mut broken = key.clone();
        broken.answers[0].choice = 9;
        assert!(quiz.problem(&broken).unwrap().contains("q1"), "its right option does not exist");
        broken.answers.pop();
        assert!(quiz.problem(&broken).is_some(), "an answer is missing");
    }

    #[test]
    fn what_a_newcomer_opens_can_hold_no_answer() {
        let with_answer = r#"{"title":"t","items":[{"id":"q1","statement":"s","question":"q","options":["a","b"],"is_true":true}]}"#;
        assert!(serde_json::from_str::<Quiz>(with_answer).is_err(), "an item has no such field");
    }
}
