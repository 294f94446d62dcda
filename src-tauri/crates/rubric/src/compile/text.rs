//! How texts are put together and compared.

use caseless::Caseless;
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// What a look through a text once, byte by byte, tells of it.
#[derive(Clone, Copy)]
pub(super) struct Survey(u8);

const LOOSE: u8 = 1; // white space other than single spaces inside
const UPPER: u8 = 2;
const CONTROL: u8 = 4;
const BEYOND_ASCII: u8 = 8;
const SEMICOLON: u8 = 16;
const WORD: u8 = 32; // letters, digits: whatever is no space, punctuation or control

static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0_u8;
    loop {
        kinds[byte as usize] = match byte {
            b'\t' | b'\n' | 0x0c | b'\r' => LOOSE,
            0x0b => LOOSE | CONTROL,
            0..=8 | 0x0e..=0x1f | 0x7f => CONTROL,
            b'A'..=b'Z' => UPPER | WORD,
            b'a'..=b'z' | b'0'..=b'9' => WORD,
            b';' => SEMICOLON,
            0x80..=0xff => BEYOND_ASCII,
            _ => 0,
        };
        if byte == 0xff {
            break kinds;
        }
        byte += 1;
    }
};

impl Survey {
    pub fn of(text: &str) -> Self {
        const _: () = assert!(LOOSE == 1, "true is LOOSE");
        let (mut seen, mut before) = (0, b' '); // a space at the start is one too many
        for byte in text.bytes() {
            seen |= KINDS[usize::from(byte)] | u8::from(byte == b' ' && before == b' ');
            before = byte;
        }
        Self(seen | u8::from(before == b' ')) // and so is one at the end
    }
    const fn has(self, kind: u8) -> bool {
        self.0 & kind != 0
    }
    /// Is it ASCII, single-spaced and trimmed, so that it stands as it is?
    const fn is_tidy(self) -> bool {
        !self.has(LOOSE | BEYOND_ASCII)
    }
    /// Is it a word or more of plain ASCII, without control characters?
    pub const fn is_plain(self) -> bool {
        self.has(WORD) && !self.has(CONTROL | BEYOND_ASCII)
    }
}

/// NFC, each run of white space one space, ends trimmed.
pub(crate) fn tidy(text: &str) -> Cow<'_, str> {
    if Survey::of(text).is_tidy() { Cow::Borrowed(text) } else { tidied(text) }
}

/// The same of a text that is not known to be tidy.
fn tidied(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return spaced(text);
    }
    let composed = match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect::<String>()),
    };
    match composed {
        Cow::Borrowed(text) => spaced(text),
        Cow::Owned(text) => Cow::Owned(single_spaced(&text)),
    }
}

/// Each run of white space one space, ends trimmed.
fn spaced(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let mut after_space = false;
    let is_single_spaced = text.chars().all(|c| {
        let single = if c == ' ' { !after_space } else { !c.is_whitespace() };
        after_space = c == ' ';
        single
    });
    if is_single_spaced { Cow::Borrowed(text) } else { Cow::Owned(single_spaced(text)) }
}

fn single_spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// The parts in a row, as a check's text: it ends with a period.
pub(crate) fn sentence(parts: &[&str]) -> String {
    let mut text = String::with_capacity(parts.iter().map(|part| part.len()).sum::<usize>() + 1);
    for part in parts {
        text.push_str(part);
    }
    with_period(text)
}

/// A small number, from 1.
pub(crate) fn push_number(out: &mut String, number: usize) {
    if let Some(digit) = u8::try_from(number).ok().filter(|digit| *digit < 10) {
        out.push(char::from(b'0' + digit));
    } else {
        out.push_str(&number.to_string());
    }
}

/// A check's text ends with a period.
pub(crate) fn with_period(mut text: String) -> String {
    if !text.ends_with('.') {
        text.push('.');
    }
    text
}

/// An entry as it stands inside an enumeration: without its own final period, and with `,` for the separator.
pub(crate) fn enumerated(entry: &str) -> Cow<'_, str> {
    let survey = Survey::of(entry);
    if survey.is_tidy() && !survey.has(SEMICOLON) {
        return Cow::Borrowed(entry.strip_suffix('.').unwrap_or(entry).trim_end());
    }
    let entry = tidied(entry);
    let bare = match entry {
        Cow::Borrowed(text) => Cow::Borrowed(text.strip_suffix('.').unwrap_or(text).trim_end()),
        Cow::Owned(text) => Cow::Owned(text.strip_suffix('.').unwrap_or(&text).trim_end().to_owned()),
    };
    if bare.contains(';') { Cow::Owned(bare.replace(';', ",")) } else { bare }
}

/// The letter of an option, from 0: a .. z, aa, ab ..
pub(crate) fn push_letter(out: &mut String, at: usize) {
    if at >= 26 {
        push_letter(out, at / 26 - 1);
    }
    out.push(char::from(b'a' + u8::try_from(at % 26).unwrap_or(0)));
}

/// What makes two entries the same: NFKC, case folded, without a leading article or end punctuation.
pub(crate) fn key(text: &str) -> Cow<'_, str> {
    let survey = Survey::of(text);
    if !survey.has(BEYOND_ASCII) {
        let spaced = if survey.is_tidy() { Cow::Borrowed(text) } else { spaced(text) };
        return match spaced {
            Cow::Borrowed(text) if !survey.has(UPPER) => Cow::Borrowed(bare(text)),
            spaced => Cow::Owned(bare(&spaced).to_ascii_lowercase()),
        };
    }
    // Case folding can leave what NFKC would join, so it is applied on both sides of it.
    let folded: String = text.nfkc().default_case_fold().collect();
    let folded: String = folded.nfkc().default_case_fold().collect();
    Cow::Owned(bare(&spaced(&folded)).to_owned())
}

/// Without a leading article and end punctuation; a text of nothing else as it is.
fn bare(text: &str) -> &str {
    let ends: &[char] = &['.', ',', ';', ':', '!', '?', '\u{2026}', '\u{3002}', ' '];
    let ended = text.trim_end_matches(ends);
    let article = ["the ", "an ", "a "]
        .iter()
        .find(|article| ended.get(..article.len()).is_some_and(|start| start.eq_ignore_ascii_case(article)));
    let bare = article.map_or(ended, |article| ended[article.len()..].trim_start());
    if bare.is_empty() { text } else { bare }
}

/// The words of a text as [`key`] has them, joined by single spaces, without punctuation.
pub(crate) fn words(key: Cow<'_, str>) -> Cow<'_, str> {
    if key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ') {
        return key; // spaces are single already
    }
    let mut out = String::with_capacity(key.len());
    for word in key.split(|c: char| !(c.is_alphanumeric() || is_mark(c))).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

/// Combining marks belong to the letter before them.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// A text in a message: its beginning, quoted.
pub(crate) fn excerpt(text: &str) -> String {
    let mut start: String = text.chars().take(60).collect();
    if start.len() < text.len() {
        start.push('\u{2026}');
    }
    format!("\u{201c}{start}\u{201d}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        let letter = |at| {
            let mut out = String::new();
            push_letter(&mut out, at);
            out
        };
        let letters: Vec<String> = [0, 25, 26, 27, 51, 52, 701, 702].into_iter().map(letter).collect();
        assert_eq!(letters, ["a", "z", "aa", "ab", "az", "ba", "zz", "aaa"], "as spreadsheet columns go on");
    }

    #[test]
    fn keys_compare_content() {
        assert_eq!(key("The apple"), key("apple."), "article and end punctuation do not count");
        assert_eq!(key("Stra\u{df}e"), key("STRASSE"), "case folding, not lower case");
        assert_eq!(key("cafe\u{301}"), key("Caf\u{e9}!"), "composed or not");
        assert_eq!(key("\u{fb01}g"), key("fig"), "compatibility forms are one");
        assert_eq!(key("A"), "a", "an article alone is an entry");
        assert_ne!(key("theory"), key("ory"), "an article is a word");
        assert_eq!(words(key("oat-milk, warm")), "oat milk warm", "punctuation parts words");
    }

    #[test]
    fn tidying_keeps_what_is_tidy() {
        assert!(matches!(tidy("As it is."), Cow::Borrowed("As it is.")), "nothing is copied for nothing");
        assert_eq!(tidy(" a\u{a0}\n b "), "a b", "all white space is one space");
        assert_eq!(tidy("e\u{301}"), "\u{e9}", "composed");
        assert_eq!(enumerated("salt; coarse."), "salt, coarse", "the separator is the enumeration's own");
    }
}
