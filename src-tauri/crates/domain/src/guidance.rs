//! A study's guidelines: Markdown, with the study's rules for judging in its head.
//!
//! ```text
//! ---
//! comments: incorrect
//! least_played_percent: 80
//! ---
//! # How to judge
//! ```
//!
//! Why there: guidelines are versioned content that a judge opens anyway, and a judgement names the version it was made
//! under; so it names its rules too, and they travel wherever the text does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// When a verdict needs a comment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommentRule {
    /// Never.
    Never,
    /// For *incorrect* only.
    Incorrect,
    /// Always: the guideline of MMI (appendix E), and the default.
    #[default]
    Always,
}
impl CommentRule {
    /// The name in the head.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Incorrect => "incorrect",
            Self::Always => "always",
        }
    }
}

/// What a study asks of every verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JudgingRules {
    /// When a comment is needed.
    pub comments: CommentRule,
    /// How much of each sound and video that is judged must have been played, percent of its length; 0 = none.
    pub least_played_percent: u8,
    /// How many of each document's pages must have been seen, percent; 0 = none.
    pub least_pages_percent: u8,
    /// How far down the response's own text must have been in view where text is judged, percent; 0 = none.
    pub least_text_percent: u8,
    /// How long each picture that is judged must have been in view, seconds; 0 = none.
    pub least_picture_seconds: u8,
}

impl JudgingRules {
    /// The head that says these rules.
    pub fn head(self) -> String {
        let mut head = String::from("---\n");
        let _ = writeln!(head, "comments: {}", self.comments.name());
        for (key, least) in [
            ("least_played_percent", self.least_played_percent),
            ("least_pages_percent", self.least_pages_percent),
            ("least_text_percent", self.least_text_percent),
            ("least_picture_seconds", self.least_picture_seconds),
        ] {
            if least > 0 {
                let _ = writeln!(head, "{key}: {least}");
            }
        }
        head + "---\n"
    }

    /// The rules in the head of guidelines, and the text behind it. A text without a head has the defaults. Fails, as a
    /// sentence that names the line, for a head that cannot be read.
    pub fn read(markdown: &str) -> Result<(Self, &str), String> {
        let mut rules = Self::default();
        let Some(mut rest) = line(markdown).filter(|(first, _)| *first == "---").map(|(_, rest)| rest) else {
            return Ok((rules, markdown));
        };
        for number in 2.. {
            let Some((text, after)) = line(rest) else { break };
            rest = after;
            let text = text.trim();
            if text == "---" {
                return Ok((rules, rest));
            }
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            rules.set(text).map_err(|why| format!("line {number}: {why}"))?;
        }
        Err("the head of the guidelines begins with --- and does not end with one".to_owned())
    }

    fn set(&mut self, text: &str) -> Result<(), String> {
        let (key, value) = text
            .split_once(':')
            .ok_or_else(|| format!("{text:?} is no rule; write one as `comments: always`"))?;
        let value = value.trim();
        match key.trim() {
            "comments" => {
                self.comments = [CommentRule::Never, CommentRule::Incorrect, CommentRule::Always]
                    .into_iter()
                    .find(|rule| rule.name() == value)
                    .ok_or_else(|| {
                        format!("comments: {value:?} is none; write always, incorrect or never")
                    })?;
            }
            "least_played_percent" => self.least_played_percent = percent(value)?,
            "least_pages_percent" => self.least_pages_percent = percent(value)?,
            "least_text_percent" => self.least_text_percent = percent(value)?,
            "least_picture_seconds" => self.least_picture_seconds = seconds(value)?,
            other => {
                return Err(format!(
                    "{other:?} is no rule; the rules are comments, least_played_percent, least_pages_percent, \
                     least_text_percent and least_picture_seconds"
                ));
            }
        }
        Ok(())
    }
}

/// Longer than a minute nobody is held at a picture.
pub const MOST_PICTURE_SECONDS: u8 = 60;

fn seconds(value: &str) -> Result<u8, String> {
    match value.parse() {
        Ok(seconds @ 0..=MOST_PICTURE_SECONDS) => Ok(seconds),
        _ => Err(format!("{value:?} is no such time; write whole seconds from 0 to {MOST_PICTURE_SECONDS}")),
    }
}

fn percent(value: &str) -> Result<u8, String> {
    match value.trim_end_matches('%').trim().parse() {
        Ok(percent @ 0..=100) => Ok(percent),
        _ => Err(format!("{value:?} is no percentage; write a whole number from 0 to 100")),
    }
}

/// The first line and the rest; none at the end.
fn line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    Some((first.strip_suffix('\r').unwrap_or(first), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_a_head_asks_for_a_comment_with_every_verdict() {
        let (rules, body) = JudgingRules::read("# Judge well\n").expect("guidelines");
        assert_eq!((rules.comments, body), (CommentRule::Always, "# Judge well\n"), "MMI, appendix E");
        assert_eq!(JudgingRules::read("").expect("nothing").1, "", "nothing is nothing");
        assert_eq!(JudgingRules::default().head(), "---\ncomments: always\n---\n", "what holds anyway, said");
    }

    #[test]
    fn the_head_is_read_and_written_alike() {
        let rules = JudgingRules {
            comments: CommentRule::Never,
            least_played_percent: 80,
            ..JudgingRules::default()
        };
        let text = rules.head() + "# How\n";
        assert_eq!(text, "---\ncomments: never\nleast_played_percent: 80\n---\n# How\n");
        assert_eq!(JudgingRules::read(&text), Ok((rules, "# How\n")));
        let windows = "---\r\ncomments: incorrect\r\n---\r\nText";
        let (read, body) = JudgingRules::read(windows).expect("line ends of Windows");
        assert_eq!((read.comments, body), (CommentRule::Incorrect, "Text"));
    }

    #[test]
    fn a_head_that_cannot_be_read_names_its_line() {
        for (text, why) in [
            ("---\ncomments: sometimes\n---\n", "line 2: comments: \"sometimes\" is none"),
            ("---\n\nplayed: 3\n---\n", "line 3: \"played\" is no rule"),
            ("---\nleast_played_percent: 101\n---\n", "line 2: \"101\" is no percentage"),
            ("---\ncomments: never\n", "does not end"),
        ] {
            let said = JudgingRules::read(text).expect_err(text);
            assert!(said.contains(why), "{text:?}: {said}");
        }
    }
}
