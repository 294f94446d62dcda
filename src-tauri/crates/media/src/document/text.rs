//! Plain text of any encoding: the mark at its start, else UTF-8 if it is that, else a guess from the bytes.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The text and the name of its encoding, as the WHATWG lists it.
pub(crate) fn decode(bytes: &[u8]) -> (String, &'static str) {
    let encoding = encoding_of(bytes);
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    (text.into_owned(), encoding.name())
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
        assert_eq!(decode("żółw".as_bytes()), ("żółw".to_owned(), "UTF-8"), "valid UTF-8 is UTF-8");
        assert_eq!(decode(b"\xff\xfea\0b\0"), ("ab".to_owned(), "UTF-16LE"), "its mark says so");
        assert_eq!(decode(b"\xef\xbb\xbfab"), ("ab".to_owned(), "UTF-8"), "the mark is no part of the text");
        assert_eq!(
            decode(b"caf\xe9 cr\xe8me"),
            ("café crème".to_owned(), "windows-1252"),
            "a lone 0xe9 is no UTF-8"
        );
    }
}
