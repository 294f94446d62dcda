//! More ways in which a file says whose it is, deeper in its form: compressed and coded parts, what documents hide, letters that
//! only look alike. Each is planted once, and a twin holds something harmless in the same places.

use crate::leaks::{boxed, crc, jpeg, leaks, list, png, utf16, zip};
use crate::planted::{Plant, blob, encoded, riff, study};
use acceptance::Place;
use std::{
    path::Path,
    time::{Duration, SystemTime},
};

fn be32(n: usize) -> [u8; 4] {
    u32::try_from(n).unwrap().to_be_bytes()
}
/// zlib, stored and not compressed.
fn zlib(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap();
    let (a, b) = bytes.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    let sum = (b << 16) | a;
    [&[0x78, 0x01, 0x01], &length.to_le_bytes()[..], &(!length).to_le_bytes(), bytes, &sum.to_be_bytes()]
        .concat()
}
/// An ID3v2.4 tag with one frame.
fn id3(frame: &[u8], flags: u16, data: &[u8]) -> Vec<u8> {
    let synchsafe = |n: usize| {
        [(n >> 21) & 127, (n >> 14) & 127, (n >> 7) & 127, n & 127].map(|b| u8::try_from(b).unwrap())
    };
    let frame = [frame, &synchsafe(data.len()), &flags.to_be_bytes(), data].concat();
    [b"ID3\x04\0\0".as_slice(), &synchsafe(frame.len()), &frame, &[0xFF, 0xFB, 0x90, 0], &[0; 400]].concat()
}
/// An APE tag behind a sound.
fn ape(words: &str) -> Vec<u8> {
    let item =
        [&u32::try_from(words.len()).unwrap().to_le_bytes()[..], &[0; 4], b"Comment\0", words.as_bytes()]
            .concat();
    let size = u32::try_from(item.len() + 32).unwrap();
    let foot = [
        b"APETAGEX".as_slice(),
        &2000_u32.to_le_bytes(),
        &size.to_le_bytes(),
        &1_u32.to_le_bytes(),
        &[0; 12],
    ]
    .concat();
    [&[0xFF, 0xFB, 0x90, 0], &[0x55; 600][..], &item, &foot].concat()
}
fn matroska(words: &str) -> Vec<u8> {
    let element = |id: &[u8], data: &[u8]| [id, &[0x80 | u8::try_from(data.len()).unwrap()], data].concat();
    let tag = element(&[0x44, 0x87], words.as_bytes());
    let simple = element(&[0x67, 0xC8], &[element(&[0x45, 0xA3], b"ENCODER"), tag].concat());
    [
        element(&[0x1A, 0x45, 0xDF, 0xA3], &element(&[0x42, 0x82], b"webm")),
        element(&[0x12, 0x54, 0xC3, 0x67], &simple),
    ]
    .concat()
}
fn aiff(words: &str) -> Vec<u8> {
    let chunk = |kind: &[u8], data: &[u8]| [kind, &be32(data.len()), data, &[0][..data.len() & 1]].concat();
    let body = [
        b"AIFF".as_slice(),
        &chunk(b"COMM", &[0; 18]),
        &chunk(b"ANNO", words.as_bytes()),
        &chunk(b"SSND", &[0; 16]),
    ]
    .concat();
    [b"FORM".as_slice(), &be32(body.len()), &body].concat()
}
fn gif(extension: &[u8], words: &str) -> Vec<u8> {
    [
        b"GIF89a\x01\0\x01\0\0\0\0".as_slice(),
        extension,
        &[u8::try_from(words.len()).unwrap()],
        words.as_bytes(),
        &[0, 0x3B],
    ]
    .concat()
}
/// A TIFF picture without a picture, with one text at 38.
fn tiff(tag: u16, words: &[u8]) -> Vec<u8> {
    let entry = [
        &tag.to_le_bytes()[..],
        &7_u16.to_le_bytes(),
        &u32::try_from(words.len()).unwrap().to_le_bytes(),
        &26_u32.to_le_bytes(),
    ]
    .concat();
    [b"II*\0\x08\0\0\0\x01\0".as_slice(), &entry, &[0; 4], words].concat()
}
/// A PDF with a stream.
fn stream(dictionary: &str, data: &[u8], more: &str) -> Vec<u8> {
    let head = format!("%PDF-1.7\n3 0 obj <<{dictionary} /Length {}>>\nstream\n", data.len());
    [head.as_bytes(), data, b"\nendstream endobj\n", more.as_bytes(), b"%%EOF"].concat()
}
fn ascii85(bytes: &[u8]) -> String {
    let mut out = String::new();
    for four in bytes.chunks(4) {
        let mut whole = [0; 4];
        whole[..four.len()].copy_from_slice(four);
        let mut n = u32::from_be_bytes(whole);
        let mut signs = [0; 5];
        for at in (0..5).rev() {
            signs[at] = b'!' + u8::try_from(n % 85).unwrap();
            n /= 85;
        }
        out += std::str::from_utf8(&signs[..=four.len()]).unwrap();
    }
    out + "~>"
}

fn office(members: &[(&str, String)]) -> Vec<u8> {
    let mut all = vec![("[Content_Types].xml", "<Types/>".to_owned())];
    all.extend(members.iter().cloned());
    zip(&all)
}
const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const PPTX: &str = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const PAGE: &str = "<w:document><w:body><w:p/></w:body></w:document>";

fn pictures(words: &str) -> Vec<Plant> {
    let plant = |place, mime, ending, bytes| Plant { place, modality: "Image", mime, ending, bytes };
    let png_with = |kind: &[u8; 4], data: Vec<u8>| png(&[(kind, data)]);
    let text = |value: &str| [b"Comment\0".as_slice(), value.as_bytes()].concat();
    let exif = |value: &[u8]| [b"Exif\0\0MM\0*\0\0\0\x08".as_slice(), value].concat();
    let wide_big: Vec<u8> = words.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let iptc = [
        b"Photoshop 3.0\08BIM\x04\x04\0\0\0\0".as_slice(),
        &[0x1C, 2, 0x50, 0, u8::try_from(words.len()).unwrap()],
        words.as_bytes(),
    ]
    .concat();
    let xmp = format!(
        "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><xmp:CreatorTool>{words}</xmp:CreatorTool></x:xmpmeta>"
    );
    let alike: String = words
        .chars()
        .map(|c| match c {
            'i' => 'і',
            'o' => 'о',
            'e' => 'е',
            'a' => 'а',
            other => other,
        })
        .collect();
    let drawn = |c: char| match c {
        'a'..='z' => char::from_u32(0x1d41a + u32::from(c) - u32::from('a')).unwrap(),
        'A'..='Z' => char::from_u32(0x1d400 + u32::from(c) - u32::from('A')).unwrap(),
        '0'..='9' => char::from_u32(0x1d7ce + u32::from(c) - u32::from('0')).unwrap(),
        other => other,
    };
    let script: String = words.chars().map(drawn).collect();
    let tags: String = words.chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
    let pairs = words.bytes().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ");
    let percent: String = words.bytes().map(|b| format!("%{b:02X}")).collect::<Vec<_>>().concat();
    let url = "image/svg+xml";
    vec![
        plant("PNG zTXt", "image/png", "png", png_with(b"zTXt", [b"Software\0\0".as_slice(), &zlib(words.as_bytes())].concat())),
        plant("PNG eXIf", "image/png", "png", png_with(b"eXIf", [b"II*\0\x08\0\0\0".as_slice(), words.as_bytes()].concat())),
        plant("PNG tEXt", "image/png", "png", png_with(b"tEXt", text(&encoded(&encoded(words))))),
        plant("PNG tEXt", "image/png", "png", png_with(b"tEXt", text(&pairs))),
        plant("PNG tEXt", "image/png", "png", png_with(b"tEXt", text(&percent))),
        plant("PNG iTXt", "image/png", "png", png_with(b"iTXt", text(&format!("\0\0\0\0{alike}")))),
        plant("PNG iTXt", "image/png", "png", png_with(b"iTXt", text(&format!("\0\0\0\0{script}")))),
        plant("PNG iTXt", "image/png", "png", png_with(b"iTXt", text(&format!("\0\0\0\0a picture{tags}")))),
        plant("JPEG APP1", "image/jpeg", "jpg", jpeg(&[(0xE1, xmp.into_bytes())], b"")),
        plant("JPEG APP13", "image/jpeg", "jpg", jpeg(&[(0xED, iptc)], b"")),
        plant("JPEG APP1", "image/jpeg", "jpg", jpeg(&[(0xE1, exif(&[b"UNICODE\0".as_slice(), &wide_big].concat()))], b"")),
        plant("bytes", "image/tiff", "tiff", tiff(0x927C, &[b"MAKER\x01\x02".as_slice(), words.as_bytes(), &[0]].concat())),
        plant("GIF", "image/gif", "gif", gif(&[0x21, 0xFE], words)),
        plant("GIF", "image/gif", "gif", gif(b"\x21\xFF\x0BXMP DataXMP", words)),
        plant("title element", url, "svg", format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><title>{words}</title><rect/></svg>").into_bytes()),
        plant("desc element", url, "svg", format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><desc>{words}</desc><rect/></svg>").into_bytes()),
        plant("metadata element", url, "svg", format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata><dc:creator>{words}</dc:creator></metadata></svg>").into_bytes()),
    ]
}
fn sounds(words: &str) -> Vec<Plant> {
    let plant = |place, modality, mime, ending, bytes| Plant { place, modality, mime, ending, bytes };
    let (audio, video) = ("Audio", "Video");
    let atom = |kind: &[u8], data: &[u8]| boxed(kind, data);
    let ilst = atom(
        b"ilst",
        &atom(b"\xa9xyz", &atom(b"data", &[&[0, 0, 0, 1, 0, 0, 0, 0], words.as_bytes()].concat())),
    );
    let keys = atom(b"keys", &[&[0, 0, 0, 0, 0, 0, 0, 1][..], &atom(b"mdta", words.as_bytes())].concat());
    let mp4 = |inner: &[u8]| {
        [atom(b"ftyp", b"isom\0\0\0\0"), atom(b"moov", &atom(b"udta", &atom(b"meta", inner)))].concat()
    };
    let block = |kind: u8, data: &[u8]| [&[kind][..], &be32(data.len())[1..], data].concat();
    let picture =
        [&be32(3)[..], &be32(9), b"image/png", &be32(words.len()), words.as_bytes(), &[0; 20]].concat();
    let flac = [b"fLaC".as_slice(), &block(0, &[0; 34]), &block(0x86, &picture), &[0xFF; 64]].concat();
    let fmt: (&[u8], Vec<u8>) = (b"fmt ", b"\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0".to_vec());
    let wide = [&[1, 0xFF, 0xFE][..], &utf16("Encoded"), &[0, 0, 0xFF, 0xFE], &utf16(words)].concat();
    vec![
        plant("MP4 moov", video, "video/mp4", "mp4", mp4(&ilst)),
        plant("MP4 moov", video, "video/mp4", "mp4", mp4(&keys)),
        plant("Matroska", video, "video/webm", "webm", matroska(words)),
        plant("IFF ANNO", audio, "audio/aiff", "aiff", aiff(words)),
        plant("tag at the end", audio, "audio/mpeg", "mp3", ape(words)),
        plant("ID3", audio, "audio/mpeg", "mp3", id3(b"TXXX", 0, &wide)),
        plant(
            "ID3",
            audio,
            "audio/mpeg",
            "mp3",
            id3(
                b"TENC",
                0x0009,
                &[&be32(words.len() + 1)[..], &zlib(&[&[3][..], words.as_bytes()].concat())].concat(),
            ),
        ),
        plant("FLAC", audio, "audio/flac", "flac", flac),
        plant(
            "RIFF bext",
            audio,
            "audio/wav",
            "wav",
            riff(
                b"WAVE",
                &[
                    (fmt.0, fmt.1.clone()),
                    (b"bext", [words.as_bytes(), &[0; 300]].concat()),
                    (b"data", vec![0; 8]),
                ],
            ),
        ),
    ]
}
fn documents(words: &str) -> Vec<Plant> {
    let plant = |place, mime, ending, bytes| Plant { place, modality: "Document", mime, ending, bytes };
    let pdf = "application/pdf";
    let hidden = format!(
        "<w:document><w:body><w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{words}</w:t></w:r></w:p></w:body></w:document>"
    );
    let drawn = format!(
        "<w:document><w:body><w:drawing><wp:docPr id=\"1\" name=\"{words}\"/></w:drawing></w:body></w:document>"
    );
    let book = |inner: &str| {
        format!("<workbook><sheets><sheet name=\"Seen\" sheetId=\"1\"/></sheets>{inner}</workbook>")
    };
    vec![
        plant("PDF properties", pdf, "pdf", stream("", b"BT ET", &format!("4 0 obj <</Type /Annot /Contents ({words})>> endobj\n"))),
        plant("PDF properties", pdf, "pdf", stream("/Type /EmbeddedFile /Filter /FlateDecode", &zlib(words.as_bytes()), "")),
        plant("PDF properties", pdf, "pdf", stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &zlib(format!("9 0 <</Producer ({words})>>").as_bytes()), "")),
        plant("PDF properties", pdf, "pdf", stream("/Type /Metadata /Subtype /XML /Filter /ASCII85Decode", ascii85(format!("<xmp:CreatorTool>{words}</xmp:CreatorTool>").as_bytes()).as_bytes(), "")),
        plant("docProps/custom.xml", DOCX, "docx", office(&[("docProps/custom.xml", format!("<Properties><property name=\"by\"><vt:lpwstr>{words}</vt:lpwstr></property></Properties>")), ("word/document.xml", PAGE.to_owned())])),
        plant("word/comments.xml", DOCX, "docx", office(&[("word/document.xml", PAGE.to_owned()), ("word/comments.xml", format!("<w:comments><w:comment w:author=\"x\"><w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:comment></w:comments>"))])),
        plant("word/document.xml hidden text", DOCX, "docx", office(&[("word/document.xml", hidden)])),
        plant("word/document.xml names", DOCX, "docx", office(&[("word/document.xml", drawn)])),
        plant("word/settings.xml", DOCX, "docx", office(&[("word/document.xml", PAGE.to_owned()), ("word/settings.xml", format!("<w:settings><w:docVars><w:docVar w:name=\"x\" w:val=\"{words}\"/></w:docVars></w:settings>"))])),
        plant("word/_rels/document.xml.rels", DOCX, "docx", office(&[("word/document.xml", PAGE.to_owned()), ("word/_rels/document.xml.rels", format!("<Relationships><Relationship Target=\"file:///{words}.dotx\"/></Relationships>"))])),
        plant("xl/workbook.xml names", XLSX, "xlsx", office(&[("xl/workbook.xml", book(&format!("<definedNames><definedName name=\"{}\">Seen!A1</definedName></definedNames>", words.replace(' ', "_"))))])),
        plant("xl/workbook.xml names", XLSX, "xlsx", office(&[("xl/workbook.xml", format!("<workbook><sheets><sheet name=\"{words}\" sheetId=\"2\" state=\"veryHidden\"/></sheets></workbook>"))])),
        plant("xl/comments1.xml", XLSX, "xlsx", office(&[("xl/workbook.xml", book("")), ("xl/comments1.xml", format!("<comments><authors><author>{words}</author></authors></comments>"))])),
        plant("ppt/notesSlides/notesSlide1.xml", PPTX, "pptx", office(&[("ppt/presentation.xml", "<p:presentation/>".to_owned()), ("ppt/notesSlides/notesSlide1.xml", format!("<p:notes><a:p><a:r><a:t>{words}</a:t></a:r></a:p></p:notes>"))])),
        plant("ppt/commentAuthors.xml", PPTX, "pptx", office(&[("ppt/presentation.xml", "<p:presentation/>".to_owned()), ("ppt/commentAuthors.xml", format!("<p:cmAuthorLst><p:cmAuthor id=\"1\" name=\"{words}\"/></p:cmAuthorLst>"))])),
        plant("name in the archive", DOCX, "docx", office(&[("word/document.xml", PAGE.to_owned()), (&format!("word/media/{words}.txt"), "x".to_owned())])),
        plant("script", "text/html", "html", format!("<html><script type=\"application/ld+json\">{{\"author\":\"{words}\"}}</script><body>Text.</body></html>").into_bytes()),
        plant("comment", "text/html", "html", format!("<html><body>Text.<!-- {words} --></body></html>").into_bytes()),
        plant("title element", "text/html", "html", format!("<html><title>{words}</title><body>Text.</body></html>").into_bytes()),
    ]
}
fn plants(words: &str) -> Vec<Plant> {
    [pictures(words), sounds(words), documents(words)].into_iter().flatten().collect()
}

#[test]
fn a_name_is_found_however_deep_it_lies() {
    let place = Place::new();
    let plants = plants("Quillon 9 Ultra");
    assert!(plants.len() >= 40, "{}", plants.len());
    let study = study(&place, "planted", &plants);
    let report = leaks(&place, &study, "sam");
    let found = list(&report, "leaks");
    let missed: Vec<String> = plants
        .iter()
        .enumerate()
        .filter(|(_, plant)| !blob(plant, &found))
        .map(|(n, plant)| format!("plant {n}, {} of a .{} file", plant.place, plant.ending))
        .collect();
    assert_eq!(missed, Vec::<String>::new(), "{found:#?}");
}

#[test]
fn as_deep_and_harmless_is_clean() {
    let place = Place::new();
    let study = study(&place, "harmless", &plants("Vessel sketch studio 4"));
    let report = leaks(&place, &study, "sam");
    assert_eq!(
        (list(&report, "leaks"), list(&report, "warnings")),
        (vec![], vec![]),
        "nothing tells of a model"
    );
}

#[test]
fn what_a_page_shows_is_a_warning() {
    let place = Place::new();
    let page = |words: &str| zlib(format!("BT [({}) -20 ({})] TJ ET", &words[..4], &words[4..]).as_bytes());
    let plant = |bytes| Plant {
        place: "PDF page",
        modality: "Document",
        mime: "application/pdf",
        ending: "pdf",
        bytes,
    };
    let plants = [plant(stream("/Filter /FlateDecode", &page("Quillon 9 Ultra"), ""))];
    let study = study(&place, "planted", &plants);
    let report = leaks(&place, &study, "sam");
    assert_eq!(list(&report, "leaks"), [], "it is the model's own word");
    assert!(blob(&plants[0], &list(&report, "warnings")), "which may give it away: {report:#}");
}

#[test]
fn when_files_were_written_tells_nothing_and_is_looked_at() {
    let place = Place::new();
    let plants: Vec<Plant> = (0..8)
        .map(|n| {
            let bytes = png(&[(b"tEXt", format!("Comment\0sketch {n}").into_bytes())]);
            assert_ne!(crc(&bytes), 0);
            Plant { place: "", modality: "Image", mime: "image/png", ending: "png", bytes }
        })
        .collect();
    let study = crate::planted::study_of(
        &place,
        "times",
        &[("quillon-9-ultra", &plants[..4]), ("tamsin-2", &plants[4..])],
    );
    let blobs = walk(&study.join("blobs"));
    let written = |path: &Path| std::fs::metadata(path).unwrap().modified().unwrap();
    assert_eq!(blobs.len(), 8, "each picture once");
    assert!(
        blobs.iter().all(|path| written(path) == written(&blobs[0])),
        "all were written in the same second"
    );
    assert_eq!(leaks(&place, &study, "sam")["warnings"], serde_json::json!([]), "so nothing is told");
    for plant in &plants[..4] {
        let hash = crate::planted::sha256(&plant.bytes);
        let path = blobs.iter().find(|path| path.ends_with(&hash)).unwrap();
        let file = std::fs::File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_hours(250_000)).unwrap();
    }
    let report = leaks(&place, &study, "sam");
    let warnings = list(&report, "warnings");
    assert!(
        warnings.iter().any(|(what, _)| what.contains("written before")),
        "now they are apart: {warnings:?}"
    );
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(walk(&path)) } else { files.push(path) }
    }
    files
}
