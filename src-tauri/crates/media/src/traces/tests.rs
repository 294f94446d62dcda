//! What belongs here: files made by hand, each with a text where only the file's form says it is.

use super::*;
use std::io::Write;

const NAME: &str = "Quillon-9";

fn places(bytes: &[u8]) -> Vec<(String, bool)> {
    let texts = of_bytes(bytes).texts.into_iter();
    let mut places: Vec<(String, bool)> =
        texts.filter(|t| t.text.contains(NAME)).map(|t| (t.place, t.shown)).collect();
    places.dedup();
    places
}
/// Does the name end a line of a text, with no letter of what stands behind it in the file?
fn apart(bytes: &[u8]) -> bool {
    of_bytes(bytes).texts.iter().any(|t| t.text.lines().any(|line| line.ends_with(NAME)))
}
fn zlib(text: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    out.write_all(text).unwrap();
    out.finish().unwrap()
}
fn chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [&length[..], kind, data, &[0; 4]].concat()
}
fn utf16(text: &str, big: bool) -> Vec<u8> {
    text.encode_utf16().flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() }).collect()
}

#[test]
fn jpeg_segments_comments_and_what_follows_the_end() {
    let segment = |marker: u8, data: &[u8]| {
        let length = u16::try_from(data.len() + 2).unwrap().to_be_bytes();
        [&[0xFF, marker][..], &length, data].concat()
    };
    let with = |middle: Vec<u8>, after: &[u8]| {
        [&[0xFF, 0xD8][..], &middle, &[0xFF, 0xDA, 0, 2, 1, 2, 3, 0xFF, 0xD9], after].concat()
    };
    let exif = [b"Exif\0\0".as_slice(), &utf16(NAME, false)].concat();
    assert_eq!(places(&with(segment(0xE1, &exif), b"")), [("JPEG APP1".to_owned(), false)], "UTF-16 in EXIF");
    assert_eq!(
        places(&with(segment(0xFE, NAME.as_bytes()), b"")),
        [("JPEG comment".to_owned(), false)],
        "a comment"
    );
    assert_eq!(
        places(&with(Vec::new(), NAME.as_bytes())),
        [("after the picture's end".to_owned(), false)],
        "appended bytes"
    );
}

#[test]
fn png_text_plain_and_compressed() {
    let with = |chunks: Vec<u8>| [b"\x89PNG\r\n\x1a\n".as_slice(), &chunks, &chunk(b"IEND", b"")].concat();
    let plain = [b"Software\0".as_slice(), NAME.as_bytes()].concat();
    assert_eq!(places(&with(chunk(b"tEXt", &plain))), [("PNG tEXt".to_owned(), false)], "plain");
    let packed = [b"Software\0\0".as_slice(), &zlib(NAME.repeat(3).as_bytes())].concat();
    assert_eq!(places(&with(chunk(b"zTXt", &packed))), [("PNG zTXt".to_owned(), false)], "compressed");
}

#[test]
fn pdf_properties_hexadecimal_and_compressed() {
    let hexed = format!("%PDF-1.7\n1 0 obj <</Producer <FEFF{}>>> endobj", hex::encode(utf16(NAME, true)));
    assert_eq!(
        places(hexed.as_bytes()),
        [("PDF properties".to_owned(), false)],
        "a hexadecimal UTF-16 string"
    );
    let packed = zlib(format!("1 0 <</Creator ({NAME})>>").as_bytes());
    let pdf = [
        b"%PDF-1.7\n4 0 obj <</Type /ObjStm /Filter /FlateDecode>>\nstream\n".as_slice(),
        &packed,
        b"\nendstream endobj",
    ]
    .concat();
    assert_eq!(places(&pdf), [("PDF properties".to_owned(), false)], "properties in an object stream");
}

#[test]
fn office_properties_are_told_from_what_the_document_shows() {
    let mut zip = ::zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = ::zip::write::SimpleFileOptions::default();
    zip.start_file("docProps/app.xml", options).unwrap();
    write!(zip, "<Application>{NAME}</Application>").unwrap();
    zip.start_file("word/document.xml", options).unwrap();
    write!(zip, "<w:p><w:t>I am Quil</w:t><w:t>lon-9</w:t></w:p>").unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    assert_eq!(
        places(&bytes),
        [("docProps/app.xml".to_owned(), false), ("word/document.xml".to_owned(), true)],
        "properties, and text that formatting cut in two"
    );
}

#[test]
fn tags_of_sound_and_video() {
    let body = [&[3_u8][..], NAME.as_bytes()].concat();
    let frame = [b"TENC".as_slice(), &[0, 0, 0, 10, 0, 0], &body].concat();
    let id3 = [b"ID3\x04\0\0\0\0\0".as_slice(), &[u8::try_from(frame.len()).unwrap()], &frame, &[0xFF; 300]]
        .concat();
    assert_eq!(places(&id3), [("ID3".to_owned(), false)], "ID3v2");
    let old = [&[0xFF_u8; 300][..], b"TAG", NAME.as_bytes(), &[0; 116]].concat();
    assert!(places(&old).iter().any(|(place, _)| place == "tag at the end"), "ID3v1");
    let boxed = |kind: &[u8; 4], data: &[u8]| {
        [&u32::try_from(data.len() + 8).unwrap().to_be_bytes()[..], kind, data].concat()
    };
    let mp4 =
        [boxed(b"ftyp", b"isom\0\0\0\0"), boxed(b"moov", NAME.as_bytes()), boxed(b"mdat", &[7; 50])].concat();
    assert_eq!(places(&mp4), [("MP4 moov".to_owned(), false)], "MP4");
}

#[test]
fn a_page_shows_its_text_and_says_the_rest() {
    let html = format!("<html><meta name=generator content=\"{NAME}\"><body>by {NAME}</body></html>");
    assert_eq!(
        places(html.as_bytes()),
        [("meta element".to_owned(), false), ("attributes".to_owned(), false), ("text".to_owned(), true)],
        "the generator is no text of the page"
    );
}

#[test]
fn a_text_ends_where_its_tag_does() {
    let le = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
    // The length of the next comment, 65, is the letter A.
    let next = "B".repeat(65);
    let comments =
        [&le(3)[..], b"lib", &le(2), &le(NAME.len()), NAME.as_bytes(), &le(65), next.as_bytes()].concat();
    assert!(apart(&[b"OggS\0\x02OpusTags".as_slice(), &comments].concat()), "Ogg");
    let block = [&[0x84_u8, 0, 0, u8::try_from(comments.len()).unwrap()][..], &comments].concat();
    assert!(apart(&[b"fLaC".as_slice(), &block].concat()), "FLAC");
    let element = |id: &[u8], data: &[u8]| [id, &[0x80 | u8::try_from(data.len()).unwrap()], data].concat();
    let tag = |value: &[u8]| element(&[0x67, 0xC8], &element(&[0x44, 0x87], value));
    let tags = element(&[0x73, 0x73], &[tag(NAME.as_bytes()), tag(b"x")].concat());
    let webm = [element(&[0x1A, 0x45, 0xDF, 0xA3], b""), element(&[0x12, 0x54, 0xC3, 0x67], &tags)].concat();
    assert!(apart(&webm), "Matroska, where the next tag begins with g");
    let frame = |name: &[u8], text: &[u8]| {
        [name, &[0, 0, 0, u8::try_from(text.len() + 1).unwrap(), 0, 0, 0], text].concat()
    };
    let frames = [frame(b"TENC", NAME.as_bytes()), frame(b"TIT2", b"A song")].concat();
    let head = [b"ID3\x03\0\0\0\0\0".as_slice(), &[u8::try_from(frames.len()).unwrap()]].concat();
    assert!(apart(&[head, frames].concat()), "ID3");
    let pieces = [&[6_u8][..], &NAME.as_bytes()[..6], &[3], &NAME.as_bytes()[6..], &[0, 0x41]].concat();
    assert!(apart(&[b"GIF89a\x21\xFE".as_slice(), &pieces].concat()), "a comment of a GIF, in pieces");
}

#[test]
fn files_in_files() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(format!("{{\"by\":\"{NAME}\"}}").as_bytes()).unwrap();
    assert_eq!(places(&gzip.finish().unwrap()), [("gzip: text".to_owned(), true)], "packed");
    let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &chunk(b"tEXt", NAME.as_bytes())].concat();
    let address = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, png);
    let svg = format!("<svg><image href=\"data:image/png;base64,{address}\"/></svg>");
    assert_eq!(
        places(svg.as_bytes()),
        [("data address: PNG tEXt".to_owned(), false)],
        "a picture in a picture"
    );
}

/// A PDF whose producer is the name, encrypted so that this password opens it.
fn encrypted(password: &str) -> Vec<u8> {
    use pdf_extract::{Dictionary, Document, EncryptionState, EncryptionVersion, Object, Permissions};
    let mut pdf = Document::with_version("1.5");
    let mut about = Dictionary::new();
    about.set("Producer", Object::string_literal(NAME));
    let about = pdf.add_object(about);
    let mut root = Dictionary::new();
    root.set("Type", Object::Name(b"Catalog".to_vec()));
    let root = pdf.add_object(root);
    pdf.trailer.set("Root", root);
    pdf.trailer.set("Info", about);
    pdf.trailer.set("ID", vec![Object::string_literal("0123456789abcdef"); 2]);
    let version = EncryptionVersion::V2 {
        document: &pdf,
        owner_password: "owner",
        user_password: password,
        key_length: 128,
        permissions: Permissions::all(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    pdf.encrypt(&state).unwrap();
    let mut bytes = Vec::new();
    pdf.save_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn what_is_encrypted_is_opened_or_said_to_be() {
    let open = encrypted("");
    assert!(memchr::memmem::find(&open, NAME.as_bytes()).is_none(), "as it lies there it is not readable");
    assert_eq!(places(&open), [("PDF properties".to_owned(), false)], "anybody can open it");
    let closed = of_bytes(&encrypted("secret"));
    assert_eq!(closed.unread, ["the PDF is encrypted"], "this one nobody can, and it says so");
    let office = [b"\xD0\xCF\x11\xE0".as_slice(), &utf16("EncryptedPackage", false)].concat();
    assert_eq!(of_bytes(&office).unread, ["the document is encrypted"], "so does an office document");
}

#[test]
fn more_text_than_is_looked_through_is_cut_and_said() {
    let long = format!("{NAME} {}", "word ".repeat(MOST / 5));
    let found = of_bytes(long.as_bytes());
    assert!(found.texts.iter().any(|t| t.text.contains(NAME)), "its beginning is looked through");
    assert_eq!(found.unread, ["text: more text than is looked through"], "and that it goes on is said");
}
