//! Which format the bytes are, by what they begin with; a zip is looked into; names decide only among plain texts.

use super::{Kind, boxes::be32, iso, mpeg, mpeg_ts};
use crate::{document::text, worker::Input};
use std::io::{Read, Seek, SeekFrom};

/// How a compound file of OLE begins: old Office documents, and new ones behind a password.
pub(super) const COMPOUND: [u8; 8] = *b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// What the first bytes tell. The name is asked only where bytes cannot tell csv, txt and md apart.
pub(crate) fn format_of(input: &Input, name: &str) -> Result<&'static str, String> {
    let head = input.head(64 << 10)?;
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Ok(zip_format(input).or_else(|| cut_zip_format(&head)).unwrap_or("zip"));
    }
    if head.starts_with(&COMPOUND) {
        return Ok(locked_office(input, name).unwrap_or("bin"));
    }
    if mpeg::begins_with_tag(behind_zeros(&head)) {
        return Ok(behind_tag(input).unwrap_or("mp3"));
    }
    // What may stand before the first box that says something, in the way of QuickTime.
    let head = behind_free_boxes(&head);
    let format = by_head(head, name);
    // Programs for telephones write sound in boxes of their own brands, and another codec.
    if format == "mp4" && head.get(8..10) != Some(b"3g") && iso::only_sound(input) {
        return Ok("m4a");
    }
    Ok(format)
}

/// Is it an image, sound, …?
pub(crate) fn kind_of(format: &str) -> Kind {
    match format {
        "png" | "jpeg" | "gif" | "webp" | "tiff" | "bmp" | "svg" | "heic" | "avif" => Kind::Image,
        "wav" | "mp3" | "ogg" | "flac" | "m4a" | "opus" | "aac" => Kind::Audio,
        "mp4" | "webm" | "mkv" | "mov" | "avi" | "ts" => Kind::Video,
        "pdf" | "docx" | "xlsx" | "pptx" | "rtf" | "odt" => Kind::Document,
        "csv" | "txt" | "md" | "html" => Kind::Text,
        _ => Kind::Unknown,
    }
}

/// Is a file of this format a picture?
pub fn is_picture(format: &str) -> bool {
    kind_of(format) == Kind::Image
}

fn by_head(head: &[u8], name: &str) -> &'static str {
    let at = |from: usize, what: &[u8]| head.get(from..).is_some_and(|rest| rest.starts_with(what));
    if at(0, b"\x89PNG\r\n\x1a\n") {
        "png"
    } else if at(0, b"\xff\xd8\xff") {
        "jpeg"
    } else if at(0, b"GIF87a") || at(0, b"GIF89a") {
        "gif"
    } else if at(0, b"RIFF") && at(8, b"WEBP") {
        "webp"
    } else if (at(0, b"RIFF") || at(0, b"RF64")) && at(8, b"WAVE") {
        "wav"
    } else if at(0, b"RIFF") && at(8, b"AVI ") {
        "avi"
    } else if at(0, b"II*\0") || at(0, b"MM\0*") || at(0, b"II+\0\x08\0\0\0") || at(0, b"MM\0+\0\x08\0\0") {
        "tiff"
    } else if at(0, b"BM") && at(6, b"\0\0\0\0") {
        "bmp"
    } else if at(4, b"ftyp") {
        iso_brand(head)
    } else if at(4, b"moov") || at(4, b"mdat") || at(4, b"wide") {
        "mov"
    } else if at(0, b"OggS") {
        if find(head, b"OpusHead").is_some_and(|at| at < 512) { "opus" } else { "ogg" }
    } else if at(0, b"fLaC") {
        "flac"
    } else if at(0, b"\x1aE\xdf\xa3") {
        if find(&head[..head.len().min(4096)], b"webm").is_some() { "webm" } else { "mkv" }
    } else if text::is_wide(head) {
        // Before the sync words of sound, one of which begins like the mark of UTF-16.
        text_format(head, name)
    } else if adts(head) {
        "aac"
    } else if mpeg_ts::begins(head).is_some() {
        "ts"
    } else if mpeg::begins(head) || mpeg::begins(behind_zeros(head)) {
        "mp3"
    } else if find(&head[..head.len().min(1024)], b"%PDF-").is_some() {
        "pdf"
    } else if at(0, b"{\\rtf") {
        "rtf"
    } else {
        text_format(head, name)
    }
}

/// Does a frame of AAC begin here (ISO 13818-7, 6.2)? The layer, which MPEG audio says in the same place, is 0.
fn adts(head: &[u8]) -> bool {
    matches!(head, [0xff, second, ..] if second & 0xf6 == 0xf0)
}

/// Some leave room before the first frame of MPEG audio.
fn behind_zeros(head: &[u8]) -> &[u8] {
    &head[head.iter().take_while(|byte| **byte == 0).count()..]
}

/// Without the boxes at the start that hold nothing, where boxes follow that tell what the file is.
fn behind_free_boxes(head: &[u8]) -> &[u8] {
    let mut rest = head;
    while let (Some(length), Some(b"free" | b"skip")) = (be32(rest, 0), rest.get(4..8)) {
        match rest.get(length.max(8) as usize..) {
            Some(next) if next.get(4..8).is_some() => rest = next,
            _ => return head,
        }
    }
    match rest.get(4..8) {
        Some(b"ftyp" | b"moov" | b"mdat" | b"wide") => rest,
        _ => head,
    }
}

/// What stands behind ID3 tags: they belong to mp3, but some write them before other sound too.
fn behind_tag(input: &Input) -> Option<&'static str> {
    let mut from = input.open().ok()?;
    mpeg::skip_tags(&mut from);
    let mut start = [0_u8; 4];
    from.read_exact(&mut start).ok()?;
    if &start == b"fLaC" {
        Some("flac")
    } else if adts(&start) {
        Some("aac")
    } else {
        None
    }
}

fn iso_brand(head: &[u8]) -> &'static str {
    let length = head.get(..4).map_or(0, |n| u32::from_be_bytes([n[0], n[1], n[2], n[3]]) as usize);
    let all = head.get(8..length.clamp(12, head.len().max(12))).unwrap_or_default();
    let has = |brand: &[u8]| all.chunks(4).any(|found| found == brand);
    match all.get(..4).unwrap_or_default() {
        b"avif" | b"avis" => "avif",
        b"mif1" | b"msf1" if has(b"avif") => "avif",
        b"heic" | b"heix" | b"hevc" | b"heim" | b"mif1" | b"msf1" => "heic",
        b"M4A " | b"M4B " => "m4a",
        b"qt  " => "mov",
        _ => "mp4",
    }
}

fn text_format(head: &[u8], name: &str) -> &'static str {
    let wide = text::is_wide(head);
    // A bell, a backspace or an escape may stand in what a terminal said.
    let control = head.iter().filter(|b| matches!(b, 0..=6 | 14..=26 | 28..=31)).count();
    // A text may hold a stray control character, but then all of it is sound UTF-8.
    let stray = control * 20 < head.len() && sound_utf8(head);
    if head.is_empty() || (!wide && control > 0 && !stray) {
        return "bin";
    }
    // A comment of any length may stand before what tells a page or a picture.
    let start = if head.trim_ascii_start().starts_with(b"<") { head } else { &head[..head.len().min(4096)] };
    let text = if wide {
        text::decode(start, None).text.to_ascii_lowercase()
    } else {
        String::from_utf8_lossy(start).to_ascii_lowercase()
    };
    let mut text = text.trim_start_matches('\u{feff}').trim_start();
    let html = |text: &str| {
        text.starts_with("<!doctype html") || text.starts_with("<html") || text.starts_with("<head")
    };
    // A declaration, comments or another doctype may stand before the root.
    while text.starts_with("<?") || text.starts_with("<!--") || (text.starts_with("<!doctype") && !html(text))
    {
        let end = if text.starts_with("<!--") { "-->" } else { ">" };
        match text.find(end) {
            Some(at) => text = text[at + end.len()..].trim_start(),
            None => break,
        }
    }
    if text.starts_with("<svg") {
        return "svg";
    }
    if html(text) {
        return "html";
    }
    match suffix(name).as_str() {
        // A page may begin with any of its elements; so may Markdown.
        "html" | "htm"
            if text.starts_with('<') && text[1..].starts_with(|c: char| c.is_ascii_alphabetic()) =>
        {
            "html"
        }
        "csv" | "tsv" => "csv",
        "md" | "markdown" => "md",
        _ => "txt",
    }
}

/// Is it UTF-8, but for a character that the end of the head cuts in two?
fn sound_utf8(head: &[u8]) -> bool {
    std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true)
}

fn zip_format(input: &Input) -> Option<&'static str> {
    let mut zip = zip::ZipArchive::new(input.open().ok()?).ok()?;
    let has = |name: &str| zip.index_for_name(name).is_some();
    if has("word/document.xml") {
        return Some("docx");
    }
    if has("xl/workbook.xml") {
        return Some("xlsx");
    }
    if has("ppt/presentation.xml") {
        return Some("pptx");
    }
    let mut kind = String::new();
    zip.by_name("mimetype").ok()?.take(100).read_to_string(&mut kind).ok()?;
    (kind.trim() == "application/vnd.oasis.opendocument.text").then_some("odt")
}

/// A zip whose index is cut off: the heads of its first files still have names.
fn cut_zip_format(head: &[u8]) -> Option<&'static str> {
    let parts: [(&[u8], _); 3] = [(b"word/", "docx"), (b"xl/", "xlsx"), (b"ppt/", "pptx")];
    find(head, b"[Content_Types].xml").or_else(|| find(head, b"_rels/.rels"))?;
    parts
        .iter()
        .filter_map(|(part, format)| Some((find(head, part)?, *format)))
        .min()
        .map(|(_, format)| format)
}

/// An Office document behind a password: the name of the stream that holds it is in the compound file's directory. The
/// bytes do not tell which of the three it is; the name does.
fn locked_office(input: &Input, name: &str) -> Option<&'static str> {
    let head = input.head(64).ok()?;
    let shift = u32::from(u16::from_le_bytes([*head.get(30)?, *head.get(31)?])).min(16);
    let first = u32::from_le_bytes([*head.get(48)?, *head.get(49)?, *head.get(50)?, *head.get(51)?]);
    let mut from = input.open().ok()?;
    from.seek(SeekFrom::Start((u64::from(first) + 1) << shift)).ok()?;
    let mut directory = Vec::new();
    from.take(4096).read_to_end(&mut directory).ok()?;
    let stream: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    find(&directory, &stream)?;
    Some(match suffix(name).as_str() {
        "xlsx" | "xlsm" => "xlsx",
        "pptx" | "pptm" => "pptx",
        _ => "docx",
    })
}

/// The ending of a name, in lower case; a bare `csv` is its own ending.
pub(crate) fn suffix(name: &str) -> String {
    name.rsplit(['.', '/']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Does the ending promise another format than the bytes keep?
pub(crate) fn suffix_lies(name: &str, format: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or_default();
    if !base.contains('.') {
        return false;
    }
    let promised = match suffix(base).as_str() {
        "jpg" | "jpeg" => "jpeg",
        "tif" | "tiff" => "tiff",
        "htm" | "html" => "html",
        "heif" | "heic" => "heic",
        "markdown" | "md" => "md",
        "oga" | "ogg" => "ogg",
        "mp4" | "m4v" => "mp4",
        "tsv" => "csv",
        "bin" | "dat" | "tmp" | "ts" | "mts" | "m2ts" => return false,
        other => {
            return kind_of(other) != Kind::Unknown && other != format;
        }
    };
    !matches!((promised, format), ("ogg", "opus") | ("mp4", "m4a")) && promised != format
}

pub(crate) fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    hay.windows(needle.len()).position(|window| window == needle)
}
