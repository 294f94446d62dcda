//! Plain text of any encoding: the mark at its start, else UTF-8 if it is that, else a guess from the bytes; or the
//! encoding that somebody chose.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

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
    let encoding = chosen.unwrap_or_else(|| encoding_of(bytes));
    let (text, damaged) = encoding.decode_with_bom_removal(bytes);
    Decoded { text: text.into_owned(), encoding: encoding.name(), damaged }
}

/// The encoding of these bytes.
pub(crate) fn encoding_of(bytes: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => return UTF_8,
        // The bytes may have been cut inside a character.
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => return UTF_8,
        Err(_) => {}
    }
    // Every other byte zero: UTF-16 without a mark.
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
    use super::decode;

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
    fn a_chosen_encoding_is_obeyed_and_what_it_cannot_hold_is_told() {
        let cyrillic = decode(b"\xcf\xf0\xe8\xe2\xe5\xf2", Some("windows-1251"));
        assert_eq!((cyrillic.text.as_str(), cyrillic.encoding), ("Привет", "windows-1251"), "as chosen");
        let wrong = decode(b"caf\xe9", Some("utf-8"));
        assert_eq!((wrong.text.as_str(), wrong.damaged), ("caf\u{fffd}", true), "0xe9 alone is no UTF-8");
        assert_eq!(decode(b"ab", Some("no such")).encoding, "UTF-8", "an unknown name chooses nothing");
    }
}
