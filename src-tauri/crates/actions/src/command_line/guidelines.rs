//! `assize guidelines`: shows a study's guidelines, or publishes new ones.

use crate::{App, Code, Failure, wire};
use domain::{CommentRule, JudgingRules};
use std::{fs, path::PathBuf};

/// What is to be changed; nothing of it: the guidelines are shown.
#[derive(Debug, Clone, Default)]
pub struct GuidelinesOptions {
    /// The new text.
    pub file: Option<PathBuf>,
    /// When a verdict needs a comment: always, incorrect, never.
    pub comments: Option<String>,
    /// How much of each sound and video must have been played, percent.
    pub least_played: Option<u8>,
    /// How many of each document's pages must have been seen, percent.
    pub least_pages: Option<u8>,
    /// How far down an answer's text must have been in view, percent.
    pub least_text: Option<u8>,
    /// How long each picture must have been in view, seconds.
    pub least_picture: Option<u8>,
    /// Is everything to be judged again that was judged under older ones?
    pub ask_again: bool,
}

/// Publishes what is to be changed, and answers with the guidelines in force. A rule that is not named stays as the
/// text's head, or else the study, has it. Fails for a file that cannot be read and a head that makes no sense.
pub fn guidelines(app: &App, options: &GuidelinesOptions) -> Result<wire::Guidelines, Failure> {
    let now = crate::call::guidelines(app, wire::Nothing {})?;
    let GuidelinesOptions { file, comments, ask_again, .. } = options;
    let least = [options.least_played, options.least_pages, options.least_text, options.least_picture];
    if file.is_none() && comments.is_none() && least.iter().all(Option::is_none) {
        if *ask_again {
            return Err(Failure::new(Code::BadRequest, "nothing new is published: name a file or a rule"));
        }
        return Ok(now);
    }
    let (mut rules, markdown) = match file {
        Some(path) => {
            let about = |failure: Failure| failure.about(&path.display().to_string());
            let text = fs::read_to_string(path).map_err(|error| about(error.into()))?;
            let (rules, body) =
                JudgingRules::read(&text).map_err(|why| about(Failure::new(Code::BadRequest, why)))?;
            (rules, body.to_owned())
        }
        // The text stays as it is; the app's own is not made the study's.
        None => (
            now.rules,
            app.lead(|lead| Ok(lead.guidelines()?))?.map_or_else(String::new, |own| {
                JudgingRules::read(&own.markdown)
                    .map_or_else(|_| own.markdown.clone(), |(_, body)| body.to_owned())
            }),
        ),
    };
    if let Some(name) = comments {
        rules.comments = [CommentRule::Always, CommentRule::Incorrect, CommentRule::Never]
            .into_iter()
            .find(|rule| rule.name() == name)
            .ok_or_else(|| Failure::new(Code::BadRequest, format!("{name:?} is no rule for comments")))?;
    }
    for (asked, rule) in least.into_iter().zip([
        &mut rules.least_played_percent,
        &mut rules.least_pages_percent,
        &mut rules.least_text_percent,
        &mut rules.least_picture_seconds,
    ]) {
        *rule = asked.unwrap_or(*rule);
    }
    let request = wire::PublishGuidelinesRequest { markdown, rules: Some(rules), ask_again: *ask_again };
    crate::call::publish_guidelines(app, request)?;
    crate::call::guidelines(app, wire::Nothing {})
}
