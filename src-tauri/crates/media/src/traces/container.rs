//! Containers, taken apart into what they say about themselves and what they show.

use super::{Out, markup, pdf::pdf, tagged};
use base64::Engine;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use std::io::{Cursor, Read};

/// Metadata yield runs of this length.
pub(super) const SHORT: usize = 3;
/// Bytes that are not understood yield runs of this length.
const LONG: usize = 10;
/// No more than this is inflated of one part, in bytes.
const INFLATED: u64 = 8 << 20;
/// A container in a container, and no deeper.
const DEEPEST: u32 = 1;

pub(super) fn take_apart(bytes: &[u8], within: &str, depth: u32, out: &mut Out) {
    let at = |place: &str| format!("{within}{place}");
    match bytes {
        [0xFF, 0xD8, ..] => jpeg(bytes, &at, out),
        [0x89, b'P', b'N', b'G', ..] => png(bytes, &at, out),
        [b'R', b'I', b'F', b'F', ..] => riff(bytes, &at, out),
        [b'F', b'O', b'R', b'M', ..] => iff(bytes, &at, out),
        [b'I', b'D', b'3', ..] => id3(bytes, &at, out),
        [b'f', b'L', b'a', b'C', ..] => flac(bytes, &at, out),
        [b'O', b'g', b'g', b'S', ..] => {
            tagged::ogg(bytes, &at("Ogg"), out);
            ends(bytes, "Ogg", &at, out);
        }
        [0x1A, 0x45, 0xDF, 0xA3, ..] => {
            tagged::matroska(bytes, &at("Matroska"), out);
            ends(bytes, "Matroska", &at, out);
        }
        [b'G', b'I', b'F', b'8', ..] => {
            tagged::gif(bytes, &at("GIF"), out);
            out.runs(&at("GIF"), bytes, 6);
        }
        [b'%', b'P', b'D', b'F', ..] => pdf(bytes, &at, out),
        [b'P', b'K', 3, 4, ..] if depth <= DEEPEST => zip(bytes, within, depth, out),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => boxes(bytes, &at, out),
        [0x1F, 0x8B, 8, ..] if depth <= DEEPEST => gzip(bytes, within, depth, out),
        [0xD0, 0xCF, 0x11, 0xE0, ..] => {
            // An office document that is encrypted is one part of an older container.
            let sealed: Vec<u8> = "EncryptedPackage".bytes().flat_map(|b| [b, 0]).collect();
            if memchr::memmem::find(bytes, &sealed).is_some() {
                out.unread(at("the document is encrypted"));
            }
            plain(bytes, &at, out);
        }
        _ => {
            plain(bytes, &at, out);
            addresses(bytes, within, depth, out);
        }
    }
    // ID3v1 and APE tags of sound, and whatever else was put behind: the end of any file is read closely.
    if let Some(end) = bytes.len().checked_sub(128).map(|start| &bytes[start..])
        && (end.starts_with(b"TAG") || end.windows(8).any(|w| w == b"APETAGEX"))
    {
        out.runs(&at("tag at the end"), &bytes[bytes.len().saturating_sub(8192)..], SHORT);
    }
}

fn jpeg(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    let mut pos = 2;
    while let Some([0xFF, marker, high, low]) = bytes.get(pos..pos + 4) {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        let end = (pos + 2 + length).min(bytes.len());
        match marker {
            0xDA => break,
            0xE0..=0xEF | 0xFE => {
                let name = if *marker == 0xFE {
                    "JPEG comment".to_owned()
                } else {
                    format!("JPEG APP{}", marker - 0xE0)
                };
                out.runs(&at(&name), &bytes[(pos + 4).min(end)..end], SHORT);
            }
            _ => {}
        }
        pos = end;
    }
    let rest = &bytes[pos.min(bytes.len())..];
    if let Some(last) = rest.windows(2).rposition(|pair| pair == [0xFF, 0xD9]) {
        out.runs(&at("after the picture's end"), &rest[last + 2..], SHORT);
        out.runs(&at("JPEG data"), &rest[..last], LONG);
    } else {
        out.runs(&at("JPEG data"), rest, LONG);
    }
}

fn png(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    let mut pos = 8;
    while let Some(head) = bytes.get(pos..pos + 8) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let kind = String::from_utf8_lossy(&head[4..8]).into_owned();
        let end = (pos + 8).saturating_add(length).min(bytes.len());
        let data = &bytes[pos + 8..end];
        if kind == "IDAT" {
            out.runs(&at("PNG data"), data, LONG);
        } else {
            let place = at(&format!("PNG {kind}"));
            out.runs(&place, data, SHORT);
            // Compressed text: behind a name, wherever it begins.
            if matches!(kind.as_str(), "zTXt" | "iTXt" | "iCCP") {
                for start in 0..data.len().min(256) {
                    if let Some(text) = inflated(&data[start..]) {
                        out.runs(&place, &text, SHORT);
                        break;
                    }
                }
            }
        }
        pos = end.saturating_add(4);
        if kind == "IEND" {
            break;
        }
    }
    out.runs(&at("after the picture's end"), &bytes[pos.min(bytes.len())..], SHORT);
}

/// zlib data; none for anything else.
pub(super) fn inflated(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.first()? & 0x0F != 8 || bytes.len() < 6 {
        return None;
    }
    let mut text = Vec::new();
    let read = ZlibDecoder::new(bytes).take(INFLATED).read_to_end(&mut text);
    (read.is_ok() && !text.is_empty()).then_some(text)
}

fn riff(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    let mut pos = 12;
    while let Some(head) = bytes.get(pos..pos + 8) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let end = (pos + 8).saturating_add(length).min(bytes.len());
        let shown = matches!(&head[..4], b"data" | b"VP8 " | b"VP8L" | b"ALPH" | b"ANMF");
        let place = format!("RIFF {}", String::from_utf8_lossy(&head[..4]).trim_end());
        out.runs(&at(&place), &bytes[pos + 8..end], if shown { LONG } else { SHORT });
        pos = end + (length & 1);
    }
}

/// AIFF and its relatives: as RIFF, lengths the other way round.
fn iff(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    let mut pos = 12;
    while let Some(head) = bytes.get(pos..pos + 8) {
        let length = u32::from_be_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let end = (pos + 8).saturating_add(length).min(bytes.len());
        let shown = matches!(&head[..4], b"SSND" | b"BODY");
        let place = format!("IFF {}", String::from_utf8_lossy(&head[..4]).trim_end());
        out.runs(&at(&place), &bytes[pos + 8..end], if shown { LONG } else { SHORT });
        pos = end + (length & 1);
    }
}

fn id3(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    let size = bytes.get(6..10).map_or(0, |s| s.iter().fold(0, |n, b| (n << 7) | usize::from(b & 0x7F)));
    let end = (10 + size).min(bytes.len());
    out.runs(&at("ID3"), &bytes[..end], SHORT);
    tagged::id3(&bytes[..end], &at("ID3"), out);
    // Frames may be compressed.
    let begins = |start: &usize| bytes[*start] == 0x78 && bytes.get(start + 1).is_some_and(|b| b & 0x20 == 0);
    for start in (10..end).filter(begins).take(64) {
        if let Some(text) = inflated(&bytes[start..end]) {
            out.runs(&at("ID3"), &text, SHORT);
        }
    }
    out.runs(&at("sound data"), &bytes[end..], LONG);
}

/// Metadata blocks, however long, and then sound.
fn flac(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    let mut pos = 4;
    while let Some([kind, a, b, c]) = bytes.get(pos..pos + 4) {
        let length = u32::from_be_bytes([0, *a, *b, *c]) as usize;
        let end = (pos + 4 + length).min(bytes.len());
        out.runs(&at("FLAC"), &bytes[pos + 4..end], SHORT);
        if kind & 0x7F == 4 {
            tagged::vorbis(&bytes[pos + 4..end], &at("FLAC"), out);
        }
        pos = end;
        if kind & 0x80 != 0 {
            break;
        }
    }
    out.runs(&at("FLAC data"), &bytes[pos.min(bytes.len())..], LONG);
}

/// Metadata at either end.
fn ends(bytes: &[u8], name: &str, at: &dyn Fn(&str) -> String, out: &mut Out) {
    const NEAR: usize = 64 << 10;
    let head = bytes.len().min(NEAR);
    out.runs(&at(name), &bytes[..head], 6);
    let tail = bytes.len().saturating_sub(NEAR).max(head);
    out.runs(&at(name), &bytes[tail..], 6);
    out.runs(&at(&format!("{name} data")), &bytes[head..tail], LONG);
}

fn boxes(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    let brand = bytes.get(8..12).unwrap_or_default();
    // Pictures keep their EXIF and XMP among their data.
    let picture = matches!(brand, b"avif" | b"avis" | b"heic" | b"heix" | b"mif1" | b"msf1");
    let mut pos = 0;
    while let Some(head) = bytes.get(pos..pos + 8) {
        let short = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let length = match (short, bytes.get(pos + 8..pos + 16)) {
            (0, _) => bytes.len() - pos,
            (1, Some(long)) => {
                let long: [u8; 8] = long.try_into().unwrap_or_default();
                usize::try_from(u64::from_be_bytes(long)).unwrap_or(usize::MAX)
            }
            _ => short.max(8),
        };
        let end = pos.saturating_add(length).min(bytes.len());
        let kind = String::from_utf8_lossy(&head[4..8]).into_owned();
        let shortest = if kind == "mdat" && !picture { LONG } else { 4 };
        out.runs(&at(&format!("MP4 {kind}")), &bytes[pos..end], shortest);
        pos = end;
    }
}

/// Parts of office documents that speak about the document, or hold what people remarked on it.
const ABOUT: [&str; 7] =
    ["docProps/", "_rels/", "customXml/", "meta.xml", "comment", "word/settings.xml", "externalLinks/"];

fn zip(bytes: &[u8], within: &str, depth: u32, out: &mut Out) {
    let Ok(mut archive) = ::zip::ZipArchive::new(Cursor::new(bytes)) else {
        return out.runs(&format!("{within}archive"), bytes, 6);
    };
    out.runs(&format!("{within}archive comment"), archive.comment(), SHORT);
    let mut members = Vec::new();
    for n in 0..archive.len() {
        let mut member = match archive.by_index(n) {
            Ok(member) => member,
            Err(error) => {
                // Its name stands in the list, which is looked through below.
                out.unread(format!("{within}member {} of the archive: {error}", n + 1));
                continue;
            }
        };
        let start = member.data_start().and_then(|start| usize::try_from(start).ok());
        let length = usize::try_from(member.compressed_size()).unwrap_or(usize::MAX);
        members.extend(start.map(|start| (start, start.saturating_add(length))));
        // A name that is in no known encoding is still searched, as far as it can be read.
        let name = match member.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(member.name_raw()).into_owned(),
        };
        out.text(&format!("{within}name in the archive"), name.clone(), false);
        out.text(&format!("{within}{name} comment"), member.comment().to_owned(), false);
        let mut text = Vec::new();
        if (&mut member).take(INFLATED).read_to_end(&mut text).is_err() && text.is_empty() {
            continue;
        }
        // What a document shows is in its parts; what it says of itself in properties, relations and comments.
        let ends = |suffix: &str| {
            let found = std::path::Path::new(&name).extension();
            found.is_some_and(|found| found.eq_ignore_ascii_case(suffix))
        };
        if ABOUT.iter().any(|part| name.contains(part)) || ends("rels") {
            out.runs(&format!("{within}{name}"), &text, SHORT);
        } else if ends("xml") {
            let text = String::from_utf8_lossy(&text);
            out.text(&format!("{within}{name} attributes"), markup::attributes(&text), false);
            out.text(&format!("{within}{name} names"), markup::names(&text), false);
            out.text(&format!("{within}{name} hidden text"), markup::hidden(&text), false);
            let notes = name.contains("notesSlides/") || name.contains("notesMasters/");
            out.text(&format!("{within}{name}"), markup::without_tags(&text), !notes);
        } else {
            take_apart(&text, &format!("{within}{name}: "), depth + 1, out);
        }
    }
    // What lies between the members, before and behind them: heads, further fields, and what nothing lists.
    members.sort_unstable();
    let mut pos = 0;
    for (start, end) in members {
        out.runs(&format!("{within}between the members"), bytes.get(pos..start).unwrap_or_default(), SHORT);
        pos = pos.max(end);
    }
    out.runs(&format!("{within}between the members"), bytes.get(pos..).unwrap_or_default(), SHORT);
}

/// Compressed as a whole: its head may name the file, what it holds is a file of its own.
fn gzip(bytes: &[u8], within: &str, depth: u32, out: &mut Out) {
    out.runs(&format!("{within}gzip"), bytes, 6);
    let mut inner = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(INFLATED).read_to_end(&mut inner);
    if read.is_err() || inner.len() as u64 == INFLATED {
        out.unread(format!("{within}gzip: not all of it could be unpacked"));
    }
    take_apart(&inner, &format!("{within}gzip: "), depth + 1, out);
}

/// Files that stand in a text as addresses of their own, `data:image/png;base64,…`.
fn addresses(bytes: &[u8], within: &str, depth: u32, out: &mut Out) {
    const MARK: &[u8] = b";base64,";
    if depth > DEEPEST {
        return;
    }
    let forgiving = base64::engine::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::general_purpose::NO_PAD.with_decode_allow_trailing_bits(true),
    );
    for start in memchr::memmem::find_iter(bytes, MARK) {
        let data: Vec<u8> = bytes[start + MARK.len()..]
            .iter()
            .copied()
            .filter(|b| !b.is_ascii_whitespace())
            .take_while(|b| b.is_ascii_alphanumeric() || b"+/".contains(b))
            .collect();
        // One sign of four alone says nothing.
        let whole = if data.len() % 4 == 1 { data.len() - 1 } else { data.len() };
        if let Ok(file) = forgiving.decode(&data[..whole])
            && !file.is_empty()
        {
            take_apart(&file, &format!("{within}data address: "), depth + 1, out);
        }
    }
}

/// Text, in which comments and declarations speak about the file, or bytes that are not understood.
fn plain(bytes: &[u8], at: &dyn Fn(&str) -> String, out: &mut Out) {
    if bytes.is_empty() {
        return;
    }
    // Bytes that happen to be letters with zeros between them are no text.
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let Some(text) = text else {
        let zeros = bytes.iter().take(4096).filter(|b| **b == 0).count();
        let odd =
            bytes.iter().take(4096).filter(|b| b.is_ascii_control() && !b"\t\r\n\x0c".contains(b)).count();
        if zeros == 0 && odd == 0 {
            // Text in an older encoding.
            return out.text(&at("text"), String::from_utf8_lossy(bytes).into_owned(), true);
        }
        return out.runs(&at("bytes"), bytes, 6);
    };
    let lower = text.to_ascii_lowercase();
    if lower.contains("<svg") || lower.contains("<html") || lower.contains("<!doctype html") {
        for (start, end, name) in [
            ("<!--", "-->", "comment"),
            ("<meta", ">", "meta element"),
            ("<metadata", "</metadata>", "metadata element"),
            ("<desc", "</desc>", "desc element"),
            ("<?", "?>", "instruction"),
            ("<title", "</title>", "title element"),
            ("<script", "</script>", "script"),
            ("<style", "</style>", "style sheet"),
        ] {
            let mut pos = 0;
            while let Some(found) = lower[pos..].find(start).map(|n| pos + n) {
                let stop = lower[found..].find(end).map_or(lower.len(), |n| found + n + end.len());
                out.text(&at(name), text[found..stop].to_owned(), false);
                pos = stop;
            }
        }
        out.text(&at("attributes"), markup::attributes(text), false);
    }
    if lower.starts_with("{\\rtf") {
        for group in ["{\\info", "{\\*\\generator", "{\\*\\userprops", "{\\*\\company"] {
            if let Some(found) = lower.find(group) {
                out.text(&at("RTF properties"), group_at(&text[found..]).to_owned(), false);
            }
        }
    }
    out.text(&at("text"), text.to_owned(), true);
}

/// The group that begins at the text's first brace.
fn group_at(text: &str) -> &str {
    let mut depth = 0_u32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return text.get(..=at).unwrap_or(text),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    text
}
