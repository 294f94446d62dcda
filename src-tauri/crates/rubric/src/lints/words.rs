//! A criterion as a row of words, each knowing whether it is *reported content*.
//!
//! Reported content (what stands in quotes, or after "States that", "Explains how", "Says:") is what the output must
//! contain, not what the criterion says about it; its "must", "not", "current" or "best" count for no rule. Phrases
//! are matched over words with a tiny pattern language ([`super::pattern`]) instead of regular expressions, so that spans,
//! quotes and reports come for free and no pattern can be slow.

use super::{
    lexicon,
    pattern::{self, Part},
};

/// One word, number or punctuation mark.
#[derive(Debug)]
pub(super) struct Word<'a> {
    /// As written.
    pub raw: &'a str,
    /// In lower case, with straight apostrophes.
    pub low: String,
    /// [`pattern::hash`] of `low`.
    pub hash: u64,
    /// Is it a number, in digits or in letters?
    pub is_number: bool,
    /// First character.
    pub start: u32,
    /// One past the last character.
    pub end: u32,
    /// Stands inside quotation marks.
    pub quoted: bool,
    /// Stands in the content of a report.
    pub reported: bool,
}

impl Word<'_> {
    /// Is it a word or a number, not punctuation?
    pub fn is_word(&self) -> bool {
        self.low.chars().next().is_some_and(char::is_alphanumeric)
    }
    /// Does it start with a capital?
    pub fn is_capitalised(&self) -> bool {
        self.raw.chars().next().is_some_and(char::is_uppercase)
    }
    /// Is it a number in digits?
    pub fn is_digits(&self) -> bool {
        self.low.chars().next().is_some_and(|c| c.is_ascii_digit())
    }
    /// Neither quoted nor reported.
    pub const fn is_bare(&self) -> bool {
        !self.quoted && !self.reported
    }
}

/// Which words a phrase may be made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Neither quoted nor reported.
    Bare,
    /// Not quoted; a report's content counts.
    Unquoted,
}

/// Words `from..to` of a text.
pub(super) type Found = (usize, usize);

/// A criterion's words.
#[derive(Debug)]
pub(super) struct Words<'a> {
    /// In order, punctuation included.
    pub all: Vec<Word<'a>>,
}

impl<'a> Words<'a> {
    /// Splits a text.
    pub fn of(text: &'a str) -> Self {
        let mut words = Self { all: split(text) };
        words.mark_quotes();
        words.mark_reports();
        words
    }

    /// The word at a position, in lower case; empty past the end or inside quotes.
    pub fn at(&self, index: usize) -> &str {
        self.all.get(index).filter(|w| !w.quoted).map_or("", |w| w.low.as_str())
    }

    /// How many words there are, punctuation not counted.
    pub fn count(&self) -> usize {
        self.all.iter().filter(|w| w.is_word()).count()
    }

    /// Does the text end here, or a clause: past the end, or at punctuation?
    pub fn stops_at(&self, index: usize) -> bool {
        self.all.get(index).is_none_or(|w| !w.is_word() && !lexicon::QUOTES.contains(&w.raw))
    }

    /// The first place where one of the patterns matches.
    pub fn any(&self, patterns: &[&str], scope: Scope) -> Option<Found> {
        patterns.iter().find_map(|p| self.find(p, scope))
    }

    /// The first place where a pattern matches.
    pub fn find(&self, text: &str, scope: Scope) -> Option<Found> {
        let pattern = pattern::parsed(text);
        let starts = if pattern.anchored { 0..1 } else { 0..self.all.len() };
        starts.into_iter().find_map(|from| self.matches(&pattern.parts, from, scope).map(|to| (from, to)))
    }

    /// Matches parts from a position.
    fn matches(&self, parts: &[Part], at: usize, scope: Scope) -> Option<usize> {
        let Some((part, rest)) = parts.split_first() else { return Some(at) };
        if part.ends_clause {
            return self.stops_at(at).then(|| self.matches(rest, at, scope)).flatten();
        }
        let taken = self.matches_one(part, at, scope).then(|| self.matches(rest, at + 1, scope)).flatten();
        if part.optional { taken.or_else(|| self.matches(rest, at, scope)) } else { taken }
    }

    fn matches_one(&self, part: &Part, at: usize, scope: Scope) -> bool {
        let Some(word) = self.all.get(at) else { return false };
        !word.quoted && (scope == Scope::Unquoted || !word.reported) && part.takes(word)
    }

    fn mark_quotes(&mut self) {
        let mut at = 0;
        while at < self.all.len() {
            let closing = match self.all[at].raw {
                "\"" => "\"",
                "“" | "„" => "”",
                "«" => "»",
                "`" => "`",
                "‘" | "'" => "'",
                _ => {
                    at += 1;
                    continue;
                }
            };
            let is_closing = |w: &Word<'_>| w.raw == closing || (closing == "'" && w.raw == "’");
            if let Some(length) = self.all[at + 1..].iter().position(is_closing) {
                for word in &mut self.all[at..=at + 1 + length] {
                    word.quoted = true;
                }
                at += length + 2;
            } else {
                at += 1;
            }
        }
    }

    fn mark_reports(&mut self) {
        let mut at = 0;
        while at < self.all.len() {
            let Some(content) = self.report_after(at) else {
                at += 1;
                continue;
            };
            let end = (content..self.all.len())
                .find(|i| self.all[*i].raw == "." && !self.all[*i].quoted)
                .unwrap_or(self.all.len());
            for word in &mut self.all[content..end] {
                word.reported = true;
            }
            at = end.max(at + 1);
        }
    }

    /// Where the content of a report starts whose verb stands at `at`.
    fn report_after(&self, at: usize) -> Option<usize> {
        let verb = self.at(at);
        if !lexicon::is_form_of(verb, lexicon::REPORTING) {
            return None;
        }
        let opens = |i: usize| matches!(self.at(i), "that" | "how" | "why" | "whether" | ":");
        // "the warning that is spoken" says which warning.
        let is_relative = at > 0
            && verb.ends_with("ing")
            && self.at(at + 1) == "that"
            && matches!(self.at(at + 2), "is" | "are" | "was" | "were" | "has" | "appears");
        if is_relative {
            return None;
        }
        if opens(at + 1) {
            return Some(at + 2);
        }
        // "Tells the listener that ...", "Reminds visitors to ...": an addressee of up to three words.
        if lexicon::is_form_of(verb, lexicon::ADDRESSING) {
            return (at + 2..at + 5).find(|i| opens(*i) || self.at(*i) == "to").map(|i| i + 1);
        }
        None
    }
}

fn split(text: &str) -> Vec<Word<'_>> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut words = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at].1;
        if c.is_whitespace() {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        if c.is_alphanumeric() {
            while let Some(&(_, next)) = chars.get(end) {
                let before = chars[end - 1].1;
                let after = chars.get(end + 1).map(|c| c.1);
                let joins = match next {
                    '\'' | '’' | '-' | '‑' => after.is_some_and(char::is_alphanumeric),
                    '.' | ',' | ':' | '/' => {
                        before.is_ascii_digit() && after.is_some_and(|a| a.is_ascii_digit())
                    }
                    _ => false,
                };
                if !(next.is_alphanumeric() || joins) {
                    break;
                }
                end += 1;
            }
        }
        let to = chars.get(end).map_or(text.len(), |c| c.0);
        let raw = &text[chars[at].0..to];
        let low = raw.to_lowercase().replace('’', "'").replace('‑', "-");
        words.push(Word {
            raw,
            hash: pattern::hash(&low),
            is_number: low.starts_with(|c: char| c.is_ascii_digit())
                || lexicon::NUMBERS.contains(&low.as_str()),
            low,
            start: u32::try_from(at).unwrap_or(u32::MAX),
            end: u32::try_from(end).unwrap_or(u32::MAX),
            quoted: false,
            reported: false,
        });
        at = end;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{Scope, Words};

    fn bare(text: &str) -> String {
        let words = Words::of(text);
        words.all.iter().filter(|w| w.is_bare()).map(|w| w.raw).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn reported_content_is_told_from_what_the_criterion_says() {
        for (text, wanted, why) in [
            ("States that visitors must book.", "States that .", "the content of a report is exempt"),
            ("The speaker says: never mix.", "The speaker says : .", "a colon opens a report too"),
            (
                "Tells the listener to turn left.",
                "Tells the listener to .",
                "an instruction to an addressee is a report",
            ),
            (
                "Describes every item that appears.",
                "Describes every item that appears .",
                "a relative clause is no report",
            ),
            ("Reads \"Do not enter\" aloud.", "Reads aloud .", "quotes are exempt"),
            (
                "Shows the dog's bowl and the cat's.",
                "Shows the dog's bowl and the cat's .",
                "an apostrophe is no quotation mark",
            ),
            ("Says 'not now' once.", "Says once .", "single quotes are"),
            (
                "States that it never rains. Shows no map.",
                "States that . Shows no map .",
                "a report ends with its sentence",
            ),
        ] {
            assert_eq!(bare(text), wanted, "{text}: {why}");
        }
    }

    #[test]
    fn numbers_and_compounds_stay_whole_and_spans_count_characters() {
        let words = Words::of("Gives 9:15 — café no-knead.");
        let raw: Vec<&str> = words.all.iter().map(|w| w.raw).collect();
        assert_eq!(
            raw,
            ["Gives", "9:15", "—", "café", "no-knead", "."],
            "a time and a compound are one word each"
        );
        assert_eq!((words.all[4].start, words.all[4].end), (18, 26), "positions are characters, not bytes");
    }

    #[test]
    fn the_pattern_language() {
        let words = Words::of("Shows at least 3 large maps");
        for (pattern, wanted, why) in [
            ("at least %", Some((1, 4)), "% is a number"),
            ("shows ?only at", Some((0, 2)), "? may be left out"),
            ("~ map*", Some((4, 6)), "~ is any word and * a beginning"),
            ("^ at", None, "^ is the start"),
            ("maps|charts $", Some((5, 6)), "$ is the end"),
            ("large $", None, "and only the end"),
        ] {
            assert_eq!(words.find(pattern, Scope::Bare), wanted, "{pattern}: {why}");
        }
    }
}
