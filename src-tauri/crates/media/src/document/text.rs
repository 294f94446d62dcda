//! Plain text of any encoding: the mark at its start, else UTF-8 if it is that, else a guess from the bytes; or the
//! encoding that somebody chose.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

/// Text, and how it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// As the WHATWG names it.
    pub(crate) encoding: &'static str,
    /// Were there bytes that this encoding cannot hold?
    pub(crate) damaged: bool,
}

/// The text of bytes, in the chosen encoding (a label of the WHATWG) or in the one that the bytes suggest.
pub(crate) fn decode(bytes: &[u8], chosen: Option<&str>) -> Decoded {
    let chosen = chosen.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    if chosen.is_none()
        && let Some(decoded) = utf32(bytes)
    {
        return decoded;
    }
    let encoding = chosen.unwrap_or_else(|| encoding_of(bytes));
    let (text, damaged) = encoding.decode_with_bom_removal(bytes);
    Decoded { text: text.into_owned(), encoding: encoding.name(), damaged }
}

/// The name of the encoding that these bytes suggest.
pub(crate) fn name_of(bytes: &[u8]) -> &'static str {
    utf32_mark(bytes).unwrap_or_else(|| encoding_of(bytes).name())
}

/// Is it text of two or four bytes a character? The mark alone is not enough, a frame of MPEG audio may begin like it:
/// hardly anything of what follows may be no character. Without a mark nearly all of it has to be ASCII.
pub(crate) fn is_wide(head: &[u8]) -> bool {
    let head = head.get(..LOOKED).unwrap_or(head);
    let (units, wrong) = if utf32_mark(head).is_some() {
        let found = utf32(head).map(|decoded| decoded.text).unwrap_or_default();
        (found.chars().count(), found.chars().filter(|c| strange(*c)).count())
    } else if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        let little = head.starts_with(b"\xff\xfe");
        let units = head.as_chunks::<2>().0.iter().skip(1);
        let units = units.map(|two| if little { u16::from_le_bytes(*two) } else { u16::from_be_bytes(*two) });
        let found: Vec<char> = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
        (found.len(), found.iter().filter(|c| strange(**c)).count())
    } else {
        return unmarked(head).is_some();
    };
    wrong * 50 <= units.max(50)
}

/// How much is looked at to tell whether it is UTF-16 or UTF-32; a multiple of four.
const LOOKED: usize = 4096;

/// What hardly any text holds, and other bytes read as UTF-16 do: controls, private characters, halves of pairs.
fn strange(c: char) -> bool {
    matches!(c, '\u{fffd}' | '\u{fffe}' | '\u{ffff}' | '\u{e000}'..='\u{f8ff}')
        || (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1b}' | '\u{85}'))
}

/// UTF-16 without a mark, where nearly all of it is ASCII. It is sound UTF-8 as well, full of zeros.
fn unmarked(bytes: &[u8]) -> Option<&'static Encoding> {
    let pairs = bytes.get(..LOOKED).unwrap_or(bytes).as_chunks::<2>().0;
    let text = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let little = pairs.iter().filter(|[low, high]| *high == 0 && text(*low)).count();
    let big = pairs.iter().filter(|[high, low]| *high == 0 && text(*low)).count();
    let nearly_all = |count: usize| pairs.len() >= 4 && count * 10 >= pairs.len() * 9;
    if nearly_all(little) {
        Some(UTF_16LE)
    } else if nearly_all(big) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// UTF-32 by its mark (The Unicode Standard, 23.8), whose first half in one order is that of UTF-16.
fn utf32_mark(bytes: &[u8]) -> Option<&'static str> {
    match bytes.get(..4)? {
        [0xff, 0xfe, 0, 0] => Some("UTF-32LE"),
        [0, 0, 0xfe, 0xff] => Some("UTF-32BE"),
        _ => None,
    }
}

/// The text of UTF-32, which the WHATWG does not know; none without its mark.
fn utf32(bytes: &[u8]) -> Option<Decoded> {
    let encoding = utf32_mark(bytes)?;
    let little = encoding == "UTF-32LE";
    let (units, rest) = bytes.as_chunks::<4>();
    let found: Vec<Option<char>> = units
        .iter()
        .skip(1)
        .map(|four| if little { u32::from_le_bytes(*four) } else { u32::from_be_bytes(*four) })
        .map(char::from_u32)
        .collect();
    let damaged = !rest.is_empty() || found.contains(&None);
    let text = found.into_iter().map(|c| c.unwrap_or('\u{fffd}')).collect();
    Some(Decoded { text, encoding, damaged })
}

/// Japanese in seven bits (RFC 1468), which is sound UTF-8 as well: escapes switch to two bytes a character and back. Colours of
/// a terminal begin alike and go on in another way.
fn is_jis(bytes: &[u8]) -> bool {
    let switches = [&b"\x1b$B"[..], b"\x1b$@"].iter().any(|to| memchr::memmem::find(bytes, to).is_some());
    switches && !ISO_2022_JP.decode_without_bom_handling(bytes).1
}

/// The encoding of these bytes.
fn encoding_of(bytes: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    if let Some(encoding) = unmarked(bytes) {
        return encoding;
    }
    match std::str::from_utf8(bytes) {
        Ok(_) if is_jis(bytes) => return ISO_2022_JP,
        Ok(_) => return UTF_8,
        // The bytes may have been cut inside a character.
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => return UTF_8,
        Err(_) => {}
    }
    // Many bytes zero, in every other place: UTF-16 without a mark.
    let zeros = |from: usize| bytes.iter().skip(from).step_by(2).take(2000).filter(|b| **b == 0).count() * 3;
    let half = bytes.len().min(4000) / 2;
    if half > 2 && zeros(1) > half {
        return UTF_16LE;
    }
    if half > 2 && zeros(0) > half {
        return UTF_16BE;
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, chardetng::Utf8Detection::Deny)
}

#[cfg(test)]
mod tests {
    use super::{decode, is_wide, name_of};

    #[test]
    fn each_encoding_is_named_and_read() {
        let read = |bytes: &[u8]| {
            let found = decode(bytes, None);
            assert!(!found.damaged, "every byte is a character: {found:?}");
            (found.text, found.encoding)
        };
        assert_eq!(read("żółw".as_bytes()), ("żółw".to_owned(), "UTF-8"), "valid UTF-8 is UTF-8");
        assert_eq!(read(b"\xff\xfea\0b\0"), ("ab".to_owned(), "UTF-16LE"), "its mark says so");
        assert_eq!(read(b"\xfe\xff\0a\0b"), ("ab".to_owned(), "UTF-16BE"), "its mark says so");
        assert_eq!(read(b"\xef\xbb\xbfab"), ("ab".to_owned(), "UTF-8"), "the mark is no part of the text");
        assert_eq!(
            read(b"caf\xe9 cr\xe8me"),
            ("café crème".to_owned(), "windows-1252"),
            "a lone 0xe9 is no UTF-8"
        );
    }

    #[test]
    fn japanese_in_seven_bits_is_told_by_its_escapes() {
        // 日本 as RFC 1468 writes it.
        let found = decode(b"JIS: \x1b$BF|K\\\x1b(B.\n", None);
        assert_eq!((found.text.as_str(), found.encoding), ("JIS: 日本.\n", "ISO-2022-JP"));
        let colours = decode(b"\x1b[31mred\x1b[0m costs \x1b$B", None);
        assert_eq!(colours.encoding, "UTF-8", "what does not decode is not it");
        assert_eq!(decode(b"\x1b[31mred\x1b[0m", None).encoding, "UTF-8", "colours of a terminal");
    }

    #[test]
    fn wide_text_is_told_from_other_bytes() {
        let units = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        for text in ["", "a", "Hello world", "żółw", "日本語", "smile 😀"] {
            let marked = [b"\xff\xfe".to_vec(), units(text)].concat();
            assert!(is_wide(&marked), "{text:?} behind its mark");
        }
        let plain = units("no mark\n");
        assert!(is_wide(&plain), "nearly all ASCII");
        assert_eq!(
            (decode(&plain, None).text.as_str(), name_of(&plain)),
            ("no mark\n", "UTF-16LE"),
            "and read so, though it is sound UTF-8"
        );
        assert!(!is_wide(b"Hello world"), "bytes of one letter each");
        assert!(!is_wide(b"\x05\0\x06\0\x07\0\x08\0\x09\0"), "small numbers are no letters");
        // A sequence that repeats after 2^32 steps, in place of chance.
        let mut state = 1_u32;
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        });
        let noise: Vec<u8> = b"\xff\xfe".iter().copied().chain(noise.take(3000)).collect();
        assert!(!is_wide(&noise), "halves of pairs and private characters all over");
    }

    #[test]
    fn utf_32_is_read_by_its_mark() {
        let text = "Hi 😀";
        let little: Vec<u8> = std::iter::once('\u{feff}')
            .chain(text.chars())
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        let big: Vec<u8> = std::iter::once('\u{feff}')
            .chain(text.chars())
            .flat_map(|c| u32::from(c).to_be_bytes())
            .collect();
        for (bytes, name) in [(little, "UTF-32LE"), (big, "UTF-32BE")] {
            let found = decode(&bytes, None);
            assert_eq!((found.text.as_str(), found.encoding, found.damaged), (text, name, false), "read");
            assert_eq!(name_of(&bytes), name, "and named");
            assert!(is_wide(&bytes), "text");
            assert!(decode(&bytes[..bytes.len() - 1], None).damaged, "half a character is at the end");
        }
    }

    #[test]
    fn a_chosen_encoding_is_obeyed_and_what_it_cannot_hold_is_told() {
        let cyrillic = decode(b"\xcf\xf0\xe8\xe2\xe5\xf2", Some("windows-1251"));
        assert_eq!((cyrillic.text.as_str(), cyrillic.encoding), ("Привет", "windows-1251"), "as chosen");
        let wrong = decode(b"caf\xe9", Some("utf-8"));
        assert_eq!((wrong.text.as_str(), wrong.damaged), ("caf\u{fffd}", true), "0xe9 alone is no UTF-8");
        assert_eq!(decode(b"ab", Some("no such")).encoding, "UTF-8", "an unknown name chooses nothing");
    }
}
