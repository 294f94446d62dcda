//! Texts that say the same in another spelling: base64, hexadecimal digits, percent signs, numbers of characters; and
//! the bytes that a name has in them, for looking through files that nothing takes apart.

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Shorter runs of letters are words.
const SHORTEST_RUN: usize = 12;
/// What is decoded of one text, in bytes.
const MOST: usize = 4 << 20;

/// Code within code, and no deeper.
const DEEPEST: usize = 3;

/// Everything that `text` says when parts of it are decoded, again and again; empty for a text without such parts.
pub(super) fn decoded(text: &str) -> Vec<String> {
    let mut found = once(text);
    let mut begin = 0;
    for _ in 1..DEEPEST {
        let end = found.len();
        let deeper: Vec<String> = found[begin..end].iter().flat_map(|text| once(text)).collect();
        if deeper.is_empty() {
            break;
        }
        found.extend(deeper);
        begin = end;
    }
    found
}

fn once(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if text.contains('%') || text.contains("&#") || text.contains("\\u") || text.contains("\\x") {
        let plain = unescaped(text);
        if plain != text {
            found.push(plain);
        }
    }
    let mut size = 0;
    for run in pairs(text) {
        found.extend(from_hex(&run).and_then(|bytes| readable(&bytes)));
    }
    for run in runs(text) {
        let decoded = from_hex(&run).into_iter().chain(from_base64(&run));
        for bytes in decoded {
            if let Some(text) = readable(&bytes) {
                size += text.len();
                found.push(text);
            }
        }
        if size > MOST {
            break;
        }
    }
    found
}

/// Runs of letters and digits that may be code; lines of one block are put together again.
fn runs(text: &str) -> Vec<String> {
    let is_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_' | '=');
    let mut all = Vec::new();
    let mut run = String::new();
    let mut line = 0;
    for c in text.chars() {
        if is_code(c) {
            run.push(c);
            line += 1;
        } else if matches!(c, '\n' | '\r') && (line >= 32 || line == 0 && !run.is_empty()) {
            line = 0;
        } else {
            if run.len() >= SHORTEST_RUN {
                all.push(std::mem::take(&mut run));
            }
            run.clear();
            line = 0;
        }
    }
    if run.len() >= SHORTEST_RUN {
        all.push(run);
    }
    all
}

/// Runs of pairs of hexadecimal digits that stand apart, as `51 75 69` or `51:75:69`, without what keeps them apart.
fn pairs(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut run = String::new();
    for word in text.split([' ', ':', ',', '\n', '\t', '-']) {
        let pair = word.strip_prefix("0x").unwrap_or(word);
        if pair.len() == 2 && pair.bytes().all(|b| b.is_ascii_hexdigit()) {
            run.push_str(pair);
        } else if !word.is_empty() {
            if run.len() >= SHORTEST_RUN {
                all.push(std::mem::take(&mut run));
            }
            run.clear();
        }
    }
    if run.len() >= SHORTEST_RUN {
        all.push(run);
    }
    all
}

fn from_hex(run: &str) -> Option<Vec<u8>> {
    let digits = run.get(..run.len() & !1)?;
    if digits.bytes().all(|b| b.is_ascii_hexdigit()) { hex::decode(digits).ok() } else { None }
}

/// The common and the URL form, with or without its filling.
fn from_base64(run: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(run.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in run.trim_end_matches('=').bytes() {
        let byte = match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => other,
        };
        let value = BASE64.iter().position(|b| *b == byte)?;
        bits = (bits << 6) | u32::try_from(value).ok()?;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from((bits >> held) & 0xFF).ok()?);
        }
    }
    Some(out)
}

/// The bytes as text, in UTF-8 or UTF-16; none for what is no text.
fn readable(bytes: &[u8]) -> Option<String> {
    let is_text = |text: &str| {
        text.chars().count() >= 4 && text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'))
    };
    if let Ok(text) = std::str::from_utf8(bytes)
        && is_text(text)
    {
        return Some(text.to_owned());
    }
    let wide = |of: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| of([pair[0], pair[1]])).collect();
        String::from_utf16(&units).ok().filter(|text| is_text(text) && text.is_ascii())
    };
    wide(u16::from_le_bytes).or_else(|| wide(u16::from_be_bytes))
}

/// `%41`, `&#65;`, `&#x41;`, `\u0041` and `\x41` as the characters that they stand for.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    let push = |bytes: &mut Vec<u8>, code: Option<u32>| {
        let c = code.and_then(char::from_u32).unwrap_or(' ');
        bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
    };
    while let Some(c) = rest.chars().next() {
        let hex = |from: usize, to: usize| {
            rest.get(from..to)
                .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
                .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        };
        if c == '%'
            && let Some(byte) = hex(1, 3)
        {
            bytes.extend(u8::try_from(byte));
            rest = &rest[3..];
        } else if c == '\\'
            && rest.as_bytes().get(1) == Some(&b'x')
            && let Some(byte) = hex(2, 4)
        {
            bytes.extend(u8::try_from(byte));
            rest = &rest[4..];
        } else if c == '\\'
            && rest.as_bytes().get(1) == Some(&b'u')
            && let Some(code) = hex(2, 6)
        {
            push(&mut bytes, Some(code));
            rest = &rest[6..];
        } else if rest.starts_with("&#")
            && let Some(end) = rest.find(';').filter(|end| *end <= 10)
        {
            let number = &rest[2..end];
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => number.parse().ok(),
            };
            push(&mut bytes, code);
            rest = &rest[end + 1..];
        } else {
            bytes.extend(&rest.as_bytes()[..c.len_utf8()]);
            rest = &rest[c.len_utf8()..];
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The bytes of a name however it may be spaced and coded.
pub(super) fn spellings(name: &str) -> Vec<Vec<u8>> {
    let words: Vec<&str> =
        name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut texts = vec![name.to_owned()];
    for between in ["-", "_", " ", ".", ""] {
        let text = words.join(between);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let mut all = Vec::new();
    for text in texts {
        all.push(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
        all.push(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
        all.push(hex::encode(&text).into_bytes());
        all.extend((0..3).map(|at| within_base64(text.as_bytes(), at)));
        all.push(text.into_bytes());
    }
    all
}

/// What stands in base64 wherever these bytes lie `at` bytes behind a multiple of three, without the ends that depend
/// on what lies around them.
fn within_base64(bytes: &[u8], at: usize) -> Vec<u8> {
    let skip = (3 - at) % 3;
    bytes
        .get(skip..)
        .unwrap_or_default()
        .chunks_exact(3)
        .flat_map(|three| {
            let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
            [18, 12, 6, 0].map(|shift| BASE64[((bits >> shift) & 63) as usize])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_read() {
        let says = |text: &str| decoded(text).iter().any(|t| t.contains("Quillon 9"));
        assert!(says("data:text/plain;base64,bWFkZSBieSBRdWlsbG9uIDk="), "base64");
        assert!(says("bWFkZSBieSBRdWlsbG9uIDk"), "without its filling");
        assert!(says("tag 5175696c6c6f6e2039 end"), "hexadecimal digits");
        assert!(says("?by=Quillon%209"), "percent signs");
        assert!(says("&#81;uillon&#x20;9"), "numbers of characters");
        assert!(says("UQB1AGkAbABsAG8AbgAgADkA"), "UTF-16 in base64");
        assert!(says("VVhWcGJHeHZiaUE1"), "base64 in base64");
        assert!(says("51 75 69 6c 6c 6f 6e 20 39"), "digits in pairs");
        assert!(says("\\x51\\x75illon\\x209"), "as programs write bytes");
        assert!(says("%2551uillon%25209"), "percent signs of percent signs");
        assert!(decoded("an ordinary sentence about internationalization").is_empty(), "words are no code");
    }

    #[test]
    fn a_name_is_known_in_base64_wherever_it_begins() {
        // By hand: "Quillon 9", "xQuillon 9" and "xxQuillon 9" in base64.
        for (at, whole) in ["UXVpbGxvbiA5", "eFF1aWxsb24gOQ==", "eHhRdWlsbG9uIDk="].into_iter().enumerate() {
            let part = String::from_utf8(within_base64(b"Quillon 9", at)).unwrap();
            assert!(part.len() >= 8 && whole.contains(&part), "{at}: {part} in {whole}");
        }
    }
}
