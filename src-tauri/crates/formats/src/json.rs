//! JSON as harnesses really write it. A parser of our own, for four reasons: bare `NaN` and `Infinity` (quirk Q6),
//! lone surrogates (Q7) and control characters in strings (Q8) must be read; a value that nobody wants, 100 MB of
//! base64 say, must be passed over at the speed of `memchr` without being built (Q9); and no depth of nesting may
//! exhaust the stack. Strings are borrowed from the input where they hold no escape.

use std::borrow::Cow;

/// Deeper values are not built but read as null; nothing that an importer wants is deeper.
const DEPTH: usize = 64;
/// The most values that one tree may have; what comes after is read as null.
const NODES: usize = 2_000_000;

/// A JSON value; `Bytes` occurs only in trees made from parquet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json<'a> {
    Null,
    Bool(bool),
    /// A number as written: `NaN`, `Infinity` and `-Infinity` too.
    Number(Cow<'a, str>),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
    List(Vec<Json<'a>>),
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Parses a whole document.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut scanner = Scanner::new(bytes);
        let value = scanner.value()?;
        scanner.end()?;
        Ok(value)
    }
    /// The value of a key; the last one counts if it is repeated.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }
    /// Null, or the NaN that pandas writes for null (quirk Q46).
    pub(crate) fn is_missing(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Number(n) => n == "NaN",
            _ => false,
        }
    }
    /// Text, or the text of a number.
    pub(crate) fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(t) => Some(Cow::Borrowed(t)),
            Self::Number(n) if n != "NaN" => Some(Cow::Borrowed(n)),
            Self::Bytes(b) => Some(String::from_utf8_lossy(b)),
            Self::Bool(b) => Some(Cow::Borrowed(if *b { "true" } else { "false" })),
            _ => None,
        }
    }
    /// The text, or nothing.
    pub(crate) fn string(&self) -> String {
        self.text().map(Cow::into_owned).unwrap_or_default()
    }
    /// The number, also from a text; may be NaN or infinite.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(n) => number(n),
            Self::Text(t) => number(t.trim()),
            Self::Bool(b) => Some(f64::from(u8::from(*b))),
            _ => None,
        }
    }
    /// A finite number.
    pub(crate) fn finite(&self) -> Option<f64> {
        self.number().filter(|n| n.is_finite())
    }
    /// True for `true`, a number other than 0 and the text `true` (quirk Q41).
    pub(crate) fn truth(&self) -> bool {
        match self {
            Self::Bool(b) => *b,
            Self::Text(t) => t.trim().eq_ignore_ascii_case("true"),
            other => other.finite().is_some_and(|n| n != 0.0),
        }
    }
    /// A count, also where it is written as `12.0`; anything else is 0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "`as` saturates, which is meant"
    )]
    pub(crate) fn count(&self) -> u64 {
        match self {
            Self::Number(n) => n.parse().unwrap_or_else(|_| self.finite().unwrap_or(0.0).max(0.0) as u64),
            other => other.finite().unwrap_or(0.0).max(0.0) as u64,
        }
    }
    /// The members of a list; of anything else none.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }
}

/// A number as JSON or Python writes it.
fn number(text: &str) -> Option<f64> {
    match text {
        "NaN" | "nan" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ if text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E')) => {
            text.parse().ok()
        }
        _ => None,
    }
}

/// What stopped the parser, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Byte at which it stopped.
    pub(crate) at: usize,
    /// The input ended inside a value.
    pub(crate) ended: bool,
}

/// Walks over JSON text, building only what is asked for.
#[derive(Debug)]
pub(crate) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    nodes: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, nodes: 0 }
    }
    /// Where it stands.
    pub(crate) fn at(&self) -> usize {
        self.at
    }
    fn fault<T>(&self) -> Result<T, Fault> {
        Err(Fault { at: self.at.min(self.bytes.len()), ended: self.at >= self.bytes.len() })
    }
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
    /// Passes over white space and gives the next byte.
    pub(crate) fn next_token(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
        self.peek()
    }
    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.next_token() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            self.fault()
        }
    }
    /// Nothing but white space may follow.
    pub(crate) fn end(&mut self) -> Result<(), Fault> {
        if self.next_token().is_none() { Ok(()) } else { self.fault() }
    }

    /// Steps into an object; then [`Self::key`] gives key after key, and after each its value must be read or
    /// passed over.
    pub(crate) fn enter_object(&mut self) -> Result<(), Fault> {
        self.expect(b'{')
    }
    /// The next key of the object, or none at its end. `first` is set to false.
    pub(crate) fn key(&mut self, first: &mut bool) -> Result<Option<Cow<'a, str>>, Fault> {
        match self.next_token() {
            Some(b'}') => {
                self.at += 1;
                return Ok(None);
            }
            Some(b',') if !*first => {
                self.at += 1;
                self.next_token();
            }
            Some(b'"') if *first => {}
            _ => return self.fault(),
        }
        *first = false;
        let key = self.string()?;
        self.expect(b':')?;
        Ok(Some(key))
    }

    /// Reads the next value.
    pub(crate) fn value(&mut self) -> Result<Json<'a>, Fault> {
        self.value_at(0)
    }
    fn value_at(&mut self, depth: usize) -> Result<Json<'a>, Fault> {
        self.nodes += 1;
        if depth > DEPTH || self.nodes > NODES {
            self.skip()?;
            return Ok(Json::Null);
        }
        match self.next_token() {
            Some(b'{') => {
                self.at += 1;
                let (mut members, mut first) = (Vec::new(), true);
                while let Some(key) = self.key(&mut first)? {
                    members.push((key, self.value_at(depth + 1)?));
                }
                Ok(Json::Object(members))
            }
            Some(b'[') => {
                self.at += 1;
                let mut items = Vec::new();
                if self.next_token() == Some(b']') {
                    self.at += 1;
                    return Ok(Json::List(items));
                }
                loop {
                    items.push(self.value_at(depth + 1)?);
                    match self.next_token() {
                        Some(b',') => self.at += 1,
                        Some(b']') => {
                            self.at += 1;
                            return Ok(Json::List(items));
                        }
                        _ => return self.fault(),
                    }
                }
            }
            Some(b'"') => Ok(Json::Text(self.string()?)),
            _ => {
                let word = self.word()?;
                Ok(match word {
                    "null" => Json::Null,
                    "true" => Json::Bool(true),
                    "false" => Json::Bool(false),
                    number => Json::Number(Cow::Borrowed(number)),
                })
            }
        }
    }

    /// Passes over the next value without building it; gives where it lies. Needs one byte per level of nesting.
    pub(crate) fn skip(&mut self) -> Result<std::ops::Range<usize>, Fault> {
        self.next_token();
        let start = self.at;
        let mut open: Vec<u8> = Vec::new();
        loop {
            // A value begins here.
            match self.next_token() {
                Some(b @ (b'{' | b'[')) => {
                    self.at += 1;
                    let close = b + 2; // ASCII: `}` is `{` + 2, `]` is `[` + 2
                    if self.next_token() == Some(close) {
                        self.at += 1;
                    } else {
                        open.push(close);
                        if close == b'}' {
                            self.skip_key()?;
                        }
                        continue;
                    }
                }
                Some(b'"') => self.skip_string()?,
                _ => {
                    self.word()?;
                }
            }
            // A value has ended: close what closes, go on where a comma says so.
            loop {
                let Some(&close) = open.last() else { return Ok(start..self.at) };
                match self.next_token() {
                    Some(b',') => {
                        self.at += 1;
                        if close == b'}' {
                            self.next_token();
                            self.skip_key()?;
                        }
                        break;
                    }
                    Some(b) if b == close => {
                        self.at += 1;
                        open.pop();
                    }
                    _ => return self.fault(),
                }
            }
        }
    }
    fn skip_key(&mut self) -> Result<(), Fault> {
        if self.peek() != Some(b'"') {
            return self.fault();
        }
        self.skip_string()?;
        self.expect(b':')
    }
    fn skip_string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            match memchr::memchr2(b'"', b'\\', rest) {
                Some(n) if rest[n] == b'"' => {
                    self.at += n + 1;
                    return Ok(());
                }
                Some(n) => {
                    self.at += n;
                    self.escape(None)?;
                }
                None => {
                    self.at = self.bytes.len();
                    return self.fault();
                }
            }
        }
    }

    /// Reads a string.
    fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        if self.peek() != Some(b'"') {
            return self.fault();
        }
        self.at += 1;
        let mut built: Option<String> = None;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let Some(n) = memchr::memchr2(b'"', b'\\', rest) else {
                self.at = self.bytes.len();
                return self.fault();
            };
            // Bytes that are no UTF-8 are shown as U+FFFD, like lone surrogates.
            let plain = String::from_utf8_lossy(&rest[..n]);
            self.at += n;
            if rest[n] == b'"' {
                self.at += 1;
                return Ok(match built {
                    None => plain,
                    Some(mut text) => {
                        text.push_str(&plain);
                        Cow::Owned(text)
                    }
                });
            }
            let text = built.get_or_insert_default();
            text.push_str(&plain);
            self.escape(Some(text))?;
        }
    }
    /// Reads one escape, at whose backslash the scanner stands.
    fn escape(&mut self, into: Option<&mut String>) -> Result<(), Fault> {
        self.at += 1;
        let decoded = match self.peek() {
            Some(b @ (b'"' | b'\\' | b'/')) => char::from(b),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let high = self.four_hex()?;
                let mut decoded = char::from_u32(high);
                // A pair of surrogates is one character; a lone one becomes U+FFFD.
                if (0xD800..0xDC00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u") {
                    let back = self.at;
                    self.at += 2;
                    let low = self.four_hex()?;
                    if (0xDC00..0xE000).contains(&low) {
                        decoded = char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
                    } else {
                        self.at = back;
                    }
                }
                if let Some(text) = into {
                    text.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                return Ok(());
            }
            _ => return self.fault(),
        };
        self.at += 1;
        if let Some(text) = into {
            text.push(decoded);
        }
        Ok(())
    }
    fn four_hex(&mut self) -> Result<u32, Fault> {
        let mut value = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|b| char::from(b).to_digit(16)) else {
                return self.fault();
            };
            value = value * 16 + digit;
            self.at += 1;
        }
        Ok(value)
    }
    /// A literal or a number, NaN and the infinities included.
    fn word(&mut self) -> Result<&'a str, Fault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))
            .unwrap_or(rest.len());
        let word = std::str::from_utf8(&rest[..length]).unwrap_or_default();
        let known = matches!(word, "null" | "true" | "false" | "NaN" | "Infinity" | "-Infinity")
            || (word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && number(word).is_some());
        if known {
            self.at += length;
            Ok(word)
        } else {
            // A word cut by the end of the input has ended, not gone wrong.
            if length == rest.len() {
                self.at = self.bytes.len();
            }
            self.fault()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> String {
        Json::parse(json.as_bytes()).unwrap().string()
    }

    #[test]
    fn surrogates_pair_or_become_replacement_characters() {
        assert_eq!(text(r#""\ud83d\ude00""#), "😀", "a pair is one character");
        assert_eq!(text(r#""a\ud83db""#), "a\u{fffd}b", "Q7: a lone high surrogate is replaced");
        assert_eq!(text(r#""\ude00""#), "\u{fffd}", "Q7: a lone low surrogate is replaced");
        assert_eq!(text(r#""\ud83d\u0041""#), "\u{fffd}A", "the escape after a lone surrogate is kept");
    }

    #[test]
    fn skipping_and_building_agree_on_what_is_json() {
        for good in [
            "{}",
            "[]",
            "[1,2]",
            r#"{"a":[{"b":"\"]}"}],"c":NaN}"#,
            "-Infinity",
            " [ [ ] , { } ] ",
            "1e5",
            "\"\u{0}\u{2028}\"",
        ] {
            let mut scanner = Scanner::new(good.as_bytes());
            assert!(scanner.skip().is_ok() && scanner.end().is_ok(), "{good} is passed over whole");
            assert!(Json::parse(good.as_bytes()).is_ok(), "{good} is read");
        }
        for bad in
            ["{", "[1,]", "{\"a\"}", "{\"a\":1,}", "[1 2]", "nul", "\"a", r#""\x""#, "{,}", "--1", "}", ""]
        {
            let mut scanner = Scanner::new(bad.as_bytes());
            assert!(scanner.skip().is_err() || scanner.end().is_err(), "{bad:?} is no JSON when skipped");
            assert!(Json::parse(bad.as_bytes()).is_err(), "{bad:?} is no JSON when read");
        }
    }

    #[test]
    fn no_depth_exhausts_the_stack() {
        let deep = "[".repeat(3_000_000) + &"]".repeat(3_000_000);
        let mut scanner = Scanner::new(deep.as_bytes());
        assert_eq!(scanner.skip().unwrap(), 0..deep.len(), "skipping is not recursive");
        assert!(
            Json::parse(deep.as_bytes()).is_ok(),
            "building stops at a fixed depth and passes over the rest"
        );
    }

    #[test]
    fn a_cut_value_is_told_from_a_wrong_one() {
        assert!(Json::parse(b"{\"a\": \"xy").unwrap_err().ended, "the input ended in a string");
        assert!(Json::parse(b"{\"a\": tr").unwrap_err().ended, "the input ended in a word");
        assert!(!Json::parse(b"{\"a\" 1}").unwrap_err().ended, "a colon is missing, nothing was cut");
    }
}
