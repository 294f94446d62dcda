//! Precedents: accepted criteria that say something like what an author is writing.

use crate::lints::content_words;
use std::collections::BTreeSet;

/// How close a criterion is to what is searched for: the share of the searched words that it has, above all; among equal
/// ones the shorter criterion. None where it has none of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closeness {
    /// Share of the searched words that it has, above 0 and up to 1.
    pub found: f64,
    /// Share of its own words that were searched for.
    pub exact: f64,
}

/// A search, taken apart once.
#[derive(Debug, Clone)]
pub struct Search(BTreeSet<String>);

impl Search {
    /// Searches for the content words of a text; the last word may be the beginning of one, as it is being typed.
    pub fn of(text: &str) -> Self {
        Self(content_words(text))
    }
    /// Is there nothing to search for?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// How close `criterion` is.
    pub fn closeness(&self, criterion: &str) -> Option<Closeness> {
        let words = content_words(criterion);
        let hit = |wanted: &String| {
            words
                .iter()
                .any(|word| word == wanted || (wanted.len() >= 3 && word.starts_with(wanted.as_str())))
        };
        let found = self.0.iter().filter(|wanted| hit(wanted)).count();
        if found == 0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of words in a sentence")]
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        Some(Closeness {
            found: share(found, self.0.len()),
            exact: share(found.min(words.len()), words.len()),
        })
    }
}
