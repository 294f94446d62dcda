//! How texts are put together and compared.

use caseless::Caseless;
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// NFC, each run of white space one space, ends trimmed.
pub(crate) fn tidy(text: &str) -> Cow<'_, str> {
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
    let mut is_single = |is_space: bool, is_white: bool| {
        let single = if is_space { !after_space } else { !is_white };
        after_space = is_space;
        single
    };
    let is_single_spaced = if text.is_ascii() {
        text.bytes().all(|byte| is_single(byte == b' ', matches!(byte, 9..=13)))
    } else {
        text.chars().all(|c| is_single(c == ' ', c.is_whitespace()))
    };
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
    let entry = tidy(entry);
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
    if text.is_ascii() {
        let is_low = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        return match spaced(text) {
            Cow::Borrowed(text) if is_low => Cow::Borrowed(bare(text)),
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
