//! The pattern language of the rules: parts parted by spaces, each `a|b` (alternatives), `stem*` (a beginning), `~` (any one
//! word), `%` (a number), `$` (the end of a clause, taking nothing), or any of these after `?` (may be left out). `^` before
//! the first part holds it to the first word.
//!
//! A pattern is taken apart once per thread: rules hand over a few hundred texts for each criterion, and they are always the
//! same ones.

use super::words::Word;
use std::{cell::RefCell, collections::HashMap, rc::Rc};

/// A pattern, taken apart.
pub(super) struct Pattern {
    /// Must it match from the first word?
    pub anchored: bool,
    /// Parts, in order.
    pub parts: Vec<Part>,
}

/// One part.
#[derive(Default)]
pub(super) struct Part {
    /// May it be left out?
    pub optional: bool,
    /// `$`.
    pub ends_clause: bool,
    any_word: bool,
    number: bool,
    /// Words with their hashes, by hash.
    words: Vec<(u64, Box<str>)>,
    beginnings: Vec<Box<str>>,
}

impl Part {
    fn of(text: &str) -> Self {
        if text == "$" {
            return Self { ends_clause: true, ..Self::default() };
        }
        let choices = text.strip_prefix('?');
        let mut part = Self { optional: choices.is_some(), ..Self::default() };
        for choice in choices.unwrap_or(text).split('|') {
            match (choice, choice.strip_suffix('*')) {
                ("~", _) => part.any_word = true,
                ("%", _) => part.number = true,
                (_, Some(beginning)) => part.beginnings.push(beginning.into()),
                (word, None) => part.words.push((hash(word), word.into())),
            }
        }
        part.words.sort_unstable();
        part
    }

    /// Is the word one of its choices?
    pub fn takes(&self, word: &Word<'_>) -> bool {
        if self.any_word && word.is_word() || self.number && word.is_number {
            return true;
        }
        let first = self.words.partition_point(|(hash, _)| *hash < word.hash);
        self.words[first..].iter().take_while(|(hash, _)| *hash == word.hash).any(|(_, w)| **w == *word.low)
            || self.beginnings.iter().any(|beginning| word.low.starts_with(&**beginning))
    }
}

/// FNV-1a: short words, compared in full wherever two hashes are equal.
pub(super) fn hash(word: &str) -> u64 {
    word.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

thread_local! {
    static PARSED: RefCell<HashMap<Box<str>, Rc<Pattern>>> = RefCell::new(HashMap::new());
}

/// The pattern of a text, from those that were taken apart before. Texts are constants of the rules, so that their
/// number is bounded.
pub(super) fn parsed(text: &str) -> Rc<Pattern> {
    PARSED.with_borrow_mut(|known| {
        if let Some(pattern) = known.get(text) {
            return Rc::clone(pattern);
        }
        let bare = text.strip_prefix("^ ");
        let parts = bare.unwrap_or(text).split(' ').map(Part::of).collect();
        let pattern = Rc::new(Pattern { anchored: bare.is_some(), parts });
        known.insert(text.into(), Rc::clone(&pattern));
        pattern
    })
}
