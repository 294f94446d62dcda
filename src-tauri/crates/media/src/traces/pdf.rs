//! PDF: properties, metadata, attachments and notes, which lie in its objects, and the words of its pages.

use super::Out;
use super::container::{SHORT, inflated};

const CLOSED: &str = "the PDF is encrypted";

pub(super) fn pdf(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    // Most that are encrypted open for anybody; only what may be done with them is restricted.
    if memchr::memmem::find(bytes, b"/Encrypt").is_some() {
        match crate::document::pdf::load(bytes) {
            Ok((mut pdf, _)) if pdf.was_encrypted() => {
                let mut plain = Vec::new();
                if pdf.save_to(&mut plain).is_ok() {
                    plainly(&plain, at, out);
                } else {
                    out.unread(at(CLOSED));
                }
            }
            // The word alone stands in it.
            Ok((pdf, _)) if !pdf.trailer.has(b"Encrypt") => {}
            _ => out.unread(at(CLOSED)),
        }
    }
    plainly(bytes, at, out);
}

fn plainly(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    let find = |from: usize, what: &[u8]| {
        bytes.get(from..)?.windows(what.len()).position(|w| w == what).map(|n| from + n)
    };
    let mut pos = 0;
    while let Some(start) = find(pos, b"stream") {
        objects(&bytes[pos..start], at, out);
        // Its dictionary lies right before it.
        let before = &bytes[start.saturating_sub(600).max(pos)..start];
        let dictionary = before.windows(3).rposition(|w| w == b"obj").map_or(before, |n| &before[n..]);
        let has = |what: &[u8]| dictionary.windows(what.len()).any(|w| w == what);
        let end = find(start + 6, b"endstream").unwrap_or(bytes.len());
        let skip = bytes[start + 6..end].iter().take(2).take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let data = &bytes[(start + 6 + skip).min(end)..end];
        let about = has(b"/Metadata") || has(b"/ObjStm") || has(b"/EmbeddedFile") || has(b"/XML");
        let picture = has(b"/Image") || has(b"/FontFile") || has(b"/Length1") || has(b"/ICCBased");
        if about {
            match decoded(data, &has) {
                Some(text) => objects(&text, at, out),
                None => out.runs(&at("PDF metadata"), data, SHORT),
            }
        } else if !picture {
            // A page: its words are what the document shows.
            let page = decoded(data, &has);
            let shown = words(page.as_deref().unwrap_or(data));
            out.text(&at("PDF page"), shown, true);
        }
        pos = (end + 9).min(bytes.len());
    }
    objects(&bytes[pos.min(bytes.len())..], at, out);
}

/// What stands outside of streams: properties, as text or as hexadecimal strings.
fn objects(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    out.runs(&at("PDF properties"), bytes, SHORT);
    if bytes.contains(&b'\\') {
        out.runs(&at("PDF properties"), &unescaped(bytes), SHORT);
    }
    let mut rest = bytes;
    while let Some(start) = rest.iter().position(|b| *b == b'<') {
        rest = &rest[start + 1..];
        let Some(end) = rest.iter().position(|b| *b == b'>') else { break };
        let digits: Vec<u8> = rest[..end].iter().copied().filter(u8::is_ascii_hexdigit).collect();
        if digits.len() >= 8
            && digits.len().is_multiple_of(2)
            && let Ok(text) = hex::decode(&digits)
        {
            out.runs(&at("PDF properties"), &text, SHORT);
        }
    }
}

/// The signs of PDF strings: `\101` is A, a line may go on behind `\`.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'\\' {
            out.push(*first);
            continue;
        }
        let digits = rest.iter().take(3).take_while(|b| (b'0'..=b'7').contains(*b)).count();
        if digits > 0 {
            let code = rest[..digits].iter().fold(0_u32, |n, b| (n << 3) | u32::from(b - b'0'));
            out.extend(u8::try_from(code & 0xFF));
            rest = &rest[digits..];
        } else if let Some((sign, after)) = rest.split_first() {
            if !matches!(sign, b'\r' | b'\n') {
                out.push(*sign);
            }
            rest = after;
        }
    }
    out
}

/// What a stream holds, where its form is one that text is put in.
fn decoded(data: &[u8], has: &dyn Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
    let mut bytes = data.to_vec();
    if has(b"/ASCII85Decode") || has(b"/A85") {
        bytes = ascii85(&bytes);
    } else if has(b"/ASCIIHexDecode") || has(b"/AHx") {
        let digits: Vec<u8> = bytes.iter().copied().filter(u8::is_ascii_hexdigit).collect();
        bytes = hex::decode(digits.get(..digits.len() & !1)?).ok()?;
    } else if !has(b"/FlateDecode") && !has(b"/Fl ") {
        return inflated(data);
    }
    inflated(&bytes).or(Some(bytes))
}

/// Five signs for four bytes, `z` for four zeros, up to `~>`.
fn ascii85(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() * 4 / 5);
    let mut group: Vec<u8> = Vec::with_capacity(5);
    let value =
        |group: &[u8]| group.iter().fold(0_u32, |n, b| n.wrapping_mul(85).wrapping_add(u32::from(b - b'!')));
    for byte in data.iter().copied().take_while(|b| *b != b'~') {
        match byte {
            b'z' if group.is_empty() => out.extend([0; 4]),
            b'!'..=b'u' => group.push(byte),
            _ => {}
        }
        if group.len() == 5 {
            out.extend(value(&group).to_be_bytes());
            group.clear();
        }
    }
    if group.len() > 1 {
        let whole = group.len() - 1;
        group.resize(5, b'u');
        out.extend(&value(&group).to_be_bytes()[..whole]);
    }
    out
}

/// The strings that a page shows, those of one array together: a name may be cut by the distances between its letters.
fn words(page: &[u8]) -> String {
    let mut out = String::new();
    let (mut pos, mut depth, mut in_array) = (0, 0_u32, false);
    let mut string: Vec<u8> = Vec::new();
    while let Some(byte) = page.get(pos) {
        pos += 1;
        match (byte, depth) {
            (b'(', 0) => depth = 1,
            (b'[', 0) => in_array = true,
            (b']', 0) => {
                in_array = false;
                out.push('\n');
            }
            (_, 0) => {}
            (b'\\', _) => {
                string.push(b'\\');
                string.extend(page.get(pos));
                pos += 1;
            }
            (b')', 1) => {
                depth = 0;
                out.push_str(&String::from_utf8_lossy(&unescaped(&string)));
                string.clear();
                if !in_array {
                    out.push('\n');
                }
            }
            (sign, _) => {
                depth = match sign {
                    b'(' => depth + 1,
                    b')' => depth - 1,
                    _ => depth,
                };
                string.push(*sign);
            }
        }
    }
    if out.trim().is_empty() { String::new() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_shows_its_strings() {
        let page = b"BT /F1 12 Tf [(Quil) -20 (lon)] TJ (9 \\(new\\)) Tj ET";
        assert_eq!(words(page), "Quillon\n9 (new)\n", "pieces of one array belong together");
        assert_eq!(words(b"0 0 m 10 10 l S"), "", "a drawing says nothing");
    }

    #[test]
    fn signs_for_bytes() {
        // From the description of the form: "Man " is 9jqo^, and "." alone is /c.
        assert_eq!(ascii85(b"9jqo^/c~>"), b"Man .", "four bytes, and one");
    }
}
