//! A guidelines quiz, from Markdown that people write or from JSON. It is taken apart at once into what is asked and what is right.
//!
//! ```text
//! # Title
//! What to know before.
//!
//! ## Practice
//! ### false: A statement.
//! Section: Links
//! A question about it?
//! - [ ] wrong
//! - [x] right
//! > Why.
//!
//! ## Quiz
//! ### true: …
//! ```
//!
//! JSON: `{"title", "introduction", "practice": [ITEM], "quiz": [ITEM]}` with ITEM `{"statement", "is_true", "question", "options",
//! "right", "explanation", "section"}`; `right` is the right option's place from 0.

use crate::FormatError;
use domain::{KeyedAnswer, PracticeItem, Quiz, QuizItem, QuizKey};
use serde::Deserialize;

/// Bigger ones are no quiz.
const LONGEST: usize = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    #[serde(default)]
    introduction: String,
    #[serde(default)]
    practice: Vec<Written>,
    quiz: Vec<Written>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    statement: String,
    is_true: bool,
    #[serde(default)]
    question: String,
    options: Vec<String>,
    right: u32,
    #[serde(default)]
    explanation: String,
    #[serde(default)]
    section: String,
    /// Where it begins, for messages.
    #[serde(skip)]
    line: usize,
    /// Options that are marked as right.
    #[serde(skip)]
    marked: usize,
}

impl Written {
    fn parts(self, id: String) -> (QuizItem, KeyedAnswer) {
        let answer = KeyedAnswer {
            item: id.clone(),
            is_true: self.is_true,
            choice: self.right,
            explanation: self.explanation.trim().to_owned(),
        };
        let item = QuizItem {
            id,
            statement: self.statement.trim().to_owned(),
            question: self.question.trim().to_owned(),
            options: self.options.iter().map(|option| option.trim().to_owned()).collect(),
            section: self.section.trim().to_owned(),
        };
        (item, answer)
    }
}

fn refuse(why: String) -> FormatError {
    FormatError::Broken { what: "the quiz", why }
}

/// A quiz, and its key.
///
/// # Errors
/// What is wrong, with its line or item, for a text that is no quiz.
pub fn read_quiz(text: &str) -> Result<(Quiz, QuizKey), FormatError> {
    if text.len() > LONGEST {
        return Err(refuse("it is longer than 1 MiB".to_owned()));
    }
    let text = text.trim_start_matches('\u{feff}');
    let file = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|e| refuse(format!("line {}: {e}", e.line())))?
    } else {
        markdown(text)?
    };
    let mut quiz = Quiz {
        title: file.title.trim().to_owned(),
        introduction: file.introduction.trim().to_owned(),
        ..Quiz::default()
    };
    let mut key = QuizKey::default();
    for (n, written) in file.practice.into_iter().enumerate() {
        let (item, answer) = written.parts(format!("p{}", n + 1));
        quiz.practice.push(PracticeItem { item, answer });
    }
    for (n, written) in file.quiz.into_iter().enumerate() {
        let (item, answer) = written.parts(format!("q{}", n + 1));
        quiz.items.push(item);
        key.answers.push(answer);
    }
    match quiz.problem(&key) {
        Some(why) => Err(refuse(why)),
        None => Ok((quiz, key)),
    }
}

fn markdown(text: &str) -> Result<File, FormatError> {
    let mut file =
        File { title: String::new(), introduction: String::new(), practice: Vec::new(), quiz: Vec::new() };
    let mut part: Option<bool> = None;
    for (n, line) in text.lines().enumerate() {
        let (number, line) = (n + 1, line.trim());
        let at = |why: &str| refuse(format!("line {number}: {why}"));
        if let Some(head) = line.strip_prefix("### ") {
            let items = match part {
                Some(true) => &mut file.practice,
                Some(false) => &mut file.quiz,
                None => return Err(at("an item stands under “## Practice” or “## Quiz”")),
            };
            let (truth, statement) = head
                .split_once(':')
                .ok_or_else(|| at("an item begins with “### true:” or “### false:” and its statement"))?;
            let is_true = match truth.trim().to_ascii_lowercase().as_str() {
                "true" => true,
                "false" => false,
                _ => return Err(at("an item begins with “### true:” or “### false:”")),
            };
            items.push(Written {
                statement: statement.to_owned(),
                is_true,
                line: number,
                ..Written::default()
            });
        } else if let Some(head) = line.strip_prefix("## ") {
            part = Some(match head.trim().to_ascii_lowercase().as_str() {
                "practice" => true,
                "quiz" => false,
                _ => return Err(at("its parts are “## Practice” and “## Quiz”")),
            });
        } else if let Some(title) = line.strip_prefix("# ").filter(|_| part.is_none()) {
            title.clone_into(&mut file.title);
        } else {
            let items = match part {
                Some(true) => &mut file.practice,
                Some(false) => &mut file.quiz,
                None => {
                    add(&mut file.introduction, line);
                    continue;
                }
            };
            match items.last_mut() {
                Some(item) => line_of(item, line),
                None if line.is_empty() => {}
                None => return Err(at("an item begins with “### true:” or “### false:” and its statement")),
            }
        }
    }
    for item in file.practice.iter().chain(&file.quiz) {
        if item.marked != 1 {
            return Err(refuse(format!(
                "line {}: an item has one right option, “- [x] …”; this one has {}",
                item.line, item.marked
            )));
        }
    }
    Ok(file)
}

fn line_of(item: &mut Written, line: &str) {
    let option = |mark: &str| line.strip_prefix(mark).map(str::to_owned);
    if let Some(right) = option("- [x]").or_else(|| option("- [X]")) {
        item.right = u32::try_from(item.options.len()).unwrap_or(u32::MAX);
        item.marked += 1;
        item.options.push(right);
    } else if let Some(wrong) = option("- [ ]") {
        item.options.push(wrong);
    } else if let Some(section) = line.strip_prefix("Section:") {
        section.trim().clone_into(&mut item.section);
    } else if let Some(why) = line.strip_prefix('>') {
        add(&mut item.explanation, why.trim());
    } else {
        add(&mut item.question, line);
    }
}

fn add(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}
