//! Media that a dataset carries in itself (MMI-FORMAT 1.3). The harness unpacks only jpg, mp3 and mp4; here every
//! payload is unpacked, and matched with a name of `input_files` by its path first, then by kind and order.

use crate::{Media, feed::Notes, json::Json};
use domain::PromptRecord;

const COLUMNS: [&str; 4] = ["input_images", "input_audio", "input_video", "input_document"];
const IMAGES: [&str; 11] = ["jpg", "jpeg", "png", "webp", "gif", "bmp", "svg", "tif", "tiff", "avif", "heic"];
const SOUNDS: [&str; 8] = ["mp3", "wav", "ogg", "oga", "m4a", "flac", "aac", "opus"];
const VIDEOS: [&str; 6] = ["mp4", "webm", "mov", "mkv", "avi", "m4v"];

/// The embedded media of a record.
pub(crate) fn media(line: u64, record: &Json, prompt: &PromptRecord, notes: &mut Notes) -> Vec<Media> {
    let mut found = Vec::new();
    for column in COLUMNS {
        let Some(value) = record.get(column).filter(|value| !value.is_missing()) else { continue };
        // A list is a list of payloads, except that JSON may write one payload's bytes as a list of numbers.
        let items = match value {
            Json::List(items) if !items.iter().any(|item| matches!(item, Json::Number(_))) => {
                items.as_slice()
            }
            one => std::slice::from_ref(one),
        };
        for (index, item) in (0_u32..).zip(items) {
            if item.is_missing() {
                continue;
            }
            let (content, path) = match item {
                Json::Object(_) => (item.get("bytes"), item.get("path").and_then(Json::text)),
                raw => (Some(raw), None),
            };
            let path = path.map(std::borrow::Cow::into_owned).filter(|path| !path.is_empty());
            match content.filter(|content| !content.is_missing()).map(bytes) {
                Some(Some(bytes)) => found.push(Media {
                    line,
                    prompt_key: prompt.key.clone(),
                    column: column.to_owned(),
                    index,
                    path,
                    name: None,
                    bytes,
                }),
                Some(None) => notes.add(format!("{column}: entry {index} holds no readable bytes")),
                None => {} // a mere path: the file is looked for in the media folder
            }
        }
    }
    name(&mut found, &prompt.input_files);
    found
}

/// Gives each medium its name.
fn name(media: &mut [Media], names: &[String]) {
    let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let mut free = vec![true; names.len()];
    let mut claim = |medium: &mut Media, fits: &dyn Fn(&str, &Media) -> bool| {
        if medium.name.is_none()
            && let Some(at) = (0..names.len()).find(|&at| free[at] && fits(&names[at], medium))
        {
            free[at] = false;
            medium.name = Some(names[at].clone());
        }
    };
    for medium in &mut *media {
        claim(medium, &|name, medium| medium.path.as_deref() == Some(name));
    }
    for medium in &mut *media {
        claim(medium, &|name, medium| medium.path.as_deref().is_some_and(|path| last(path) == last(name)));
    }
    for medium in media {
        claim(medium, &|name, medium| column_of(name) == medium.column);
    }
}

/// The column that a file of this name belongs to.
fn column_of(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase()).unwrap_or_default();
    let is_in = |all: &[&str]| all.contains(&extension.as_str());
    if is_in(&IMAGES) {
        COLUMNS[0]
    } else if is_in(&SOUNDS) {
        COLUMNS[1]
    } else if is_in(&VIDEOS) {
        COLUMNS[2]
    } else {
        COLUMNS[3]
    }
}

/// The bytes of a payload: as they are (parquet), as base64 or as a list of numbers (JSON).
fn bytes(value: &Json) -> Option<Vec<u8>> {
    match value {
        Json::Bytes(bytes) => Some(bytes.to_vec()),
        Json::Text(text) => base64(text.rsplit_once(";base64,").map_or(&**text, |(_, payload)| payload)),
        Json::List(numbers) => {
            numbers.iter().map(|number| number.finite().and(u8::try_from(number.count()).ok())).collect()
        }
        _ => None,
    }
}

/// Standard base64 (RFC 4648), white space and missing padding allowed.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0_u32);
    let body = text.trim_end_matches(|c: char| c == '=' || c.is_ascii_whitespace());
    for byte in body.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((bits >> held) & 0xFF).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_reads_the_vectors_of_rfc_4648() {
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")]
        {
            assert_eq!(base64(text).as_deref(), Some(bytes.as_bytes()), "RFC 4648, section 10: {text}");
        }
        assert_eq!(base64("not base64!"), None, "a character outside the alphabet is no base64");
    }
}
