//! Further ways in which a file or a text can say whose it is, each planted once, and a twin of the same study in which the
//! same places hold something harmless: a scanner that cries at everything proves nothing.

use crate::leaks::{boxed, jpeg, leaks, list, png, utf16, zip};
use acceptance::{Place, harness};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The model's name, as it stands in the run; planted in other spellings.
const MODEL: &str = "quillon-9-ultra";

pub(crate) struct Plant {
    /// Where the report says that it is.
    pub place: &'static str,
    pub modality: &'static str,
    pub mime: &'static str,
    pub ending: &'static str,
    pub bytes: Vec<u8>,
}

pub(crate) fn riff(form: &[u8], chunks: &[(&[u8], Vec<u8>)]) -> Vec<u8> {
    let mut body = form.to_vec();
    for (kind, data) in chunks {
        body.extend(*kind);
        body.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        body.extend(data);
        body.extend(vec![0; data.len() & 1]);
    }
    [b"RIFF".as_slice(), &u32::try_from(body.len()).unwrap().to_le_bytes(), &body].concat()
}
/// A Vorbis comment block with one comment.
fn vorbis(text: &str) -> Vec<u8> {
    let length = |text: &str| u32::try_from(text.len()).unwrap().to_le_bytes();
    let comment = format!("ENCODER={text}");
    [&length("lib")[..], b"lib", &1_u32.to_le_bytes(), &length(&comment), comment.as_bytes()].concat()
}
fn flac(text: &str) -> Vec<u8> {
    // A picture block of 100,000 bytes lies before the comment.
    let block = |kind: u8, data: &[u8]| {
        let size = u32::try_from(data.len()).unwrap().to_be_bytes();
        [&[kind][..], &size[1..], data].concat()
    };
    [
        b"fLaC".as_slice(),
        &block(0, &[0; 34]),
        &block(6, &vec![1; 100_000]),
        &block(0x84, &vorbis(text)),
        &[0xFF; 64],
    ]
    .concat()
}
fn ogg(text: &str) -> Vec<u8> {
    let page = |body: &[u8]| {
        let mut page = b"OggS\0\0".to_vec();
        page.extend([0; 20]);
        page.push(1);
        page.push(u8::try_from(body.len()).unwrap());
        page.extend(body);
        page
    };
    let tags = [b"OpusTags".as_slice(), &vorbis(text)].concat();
    [page(b"OpusHead\x01\x02\0\0\x80\xbb\0\0\0\0\0"), page(&tags)].concat()
}
fn avif(text: &str) -> Vec<u8> {
    let exif = [b"Exif\0\0II*\0".as_slice(), text.as_bytes(), &[0]].concat();
    [boxed(b"ftyp", b"avif\0\0\0\0mif1"), boxed(b"meta", &[0; 20]), boxed(b"mdat", &exif)].concat()
}
fn office(properties: &str, editor: &str) -> Vec<u8> {
    zip(&[
        ("[Content_Types].xml", "<Types/>".to_owned()),
        (
            "docProps/core.xml",
            format!("<cp:coreProperties><dc:creator>{properties}</dc:creator></cp:coreProperties>"),
        ),
        (
            "word/document.xml",
            format!(
                "<w:document><w:body><w:p><w:ins w:author=\"{editor}\"><w:r><w:t>Text.</w:t></w:r></w:ins></w:p></w:body></w:document>"
            ),
        ),
    ])
}
/// An archive with a comment at its end.
fn commented(text: &str) -> Vec<u8> {
    let mut bytes = zip(&[("notes.txt", "nothing".to_owned())]);
    let at = bytes.len() - 2;
    bytes[at..].copy_from_slice(&u16::try_from(text.len()).unwrap().to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}
/// Bytes between the last member and the list of members, which nothing names.
fn between(text: &str) -> Vec<u8> {
    let mut bytes = zip(&[("notes.txt", "nothing".to_owned())]);
    let at = bytes.len() - 6;
    let list = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let moved = list + u32::try_from(text.len()).unwrap();
    bytes[at..at + 4].copy_from_slice(&moved.to_le_bytes());
    let list = list as usize;
    bytes.splice(list..list, text.bytes());
    bytes
}

/// Every plant with these words in it; `words` spells the model's name in some way, or says nothing.
fn plants(words: &str) -> Vec<Plant> {
    let letters: Vec<String> = words.chars().map(String::from).collect();
    let hidden = letters.join("\u{200b}");
    let wide: String = words
        .chars()
        .map(|c| if c.is_ascii_graphic() { char::from_u32(u32::from(c) + 0xfee0).unwrap() } else { c })
        .collect();
    let octal: String = words.bytes().fold(String::new(), |mut text, b| {
        use std::fmt::Write;
        write!(text, "\\{b:03o}").unwrap();
        text
    });
    let soft = |text: &str| [b"Comment\0".as_slice(), text.as_bytes()].concat();
    let joined: String = words.split(' ').collect();
    let plant = |place, modality, mime, ending, bytes| Plant { place, modality, mime, ending, bytes };
    let png_with = |text: &str| png(&[(b"tEXt", soft(text))]);
    let docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    let wav_head: (&[u8], Vec<u8>) = (b"fmt ", b"\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0".to_vec());
    let rtf = format!("{{\\rtf1{{\\info{{\\author {words}}}}}\\pard Text.\\par}}");
    vec![
        plant("RIFF EXIF", "Image", "image/webp", "webp", riff(b"WEBP", &[
            (b"VP8L", vec![0x2f, 0, 0, 0, 0, 0]),
            (b"EXIF", [b"II*\0".as_slice(), words.as_bytes()].concat()),
        ])),
        plant("RIFF XMP", "Image", "image/webp", "webp", riff(b"WEBP", &[
            (b"VP8L", vec![0x2f, 0, 0, 0, 0, 0]),
            (b"XMP ", format!("<x:xmpmeta><CreatorTool>{words}</CreatorTool></x:xmpmeta>").into_bytes()),
        ])),
        plant("MP4 mdat", "Image", "image/avif", "avif", avif(words)),
        plant("FLAC", "Audio", "audio/flac", "flac", flac(words)),
        plant("Ogg", "Audio", "audio/ogg", "opus", ogg(words)),
        plant("RIFF id3", "Audio", "audio/wav", "wav", riff(b"WAVE", &[
            (wav_head.0, wav_head.1.clone()),
            (b"id3 ", [b"ID3\x04\0\0\0\0\0\x40TENC".as_slice(), &utf16(words)].concat()),
            (b"data", vec![0; 8]),
        ])),
        plant("MP4 moov", "Video", "video/mp4", "mp4", [
            boxed(b"ftyp", b"isom\0\0\0\0"),
            boxed(b"moov", &boxed(b"udta", &boxed(b"\xa9too", &boxed(b"data", words.as_bytes())))),
        ].concat()),
        plant("docProps/core.xml", "Document", docx, "docx", office(words, "somebody")),
        plant("word/document.xml attributes", "Document", docx, "docx", office("somebody", words)),
        plant("archive comment", "Document", docx, "docx", commented(words)),
        plant("between the members", "Document", docx, "docx", between(words)),
        plant("PDF properties", "Document", "application/pdf", "pdf",
            format!("%PDF-1.4\n1 0 obj <</Author ({octal})>> endobj\n%%EOF").into_bytes()),
        plant("PDF", "Document", "application/pdf", "pdf", format!(
            "%PDF-1.4\n2 0 obj <</Type /Metadata /Subtype /XML /Length 99>>\nstream\n<xmp:CreatorTool>{words}</xmp:CreatorTool>\nendstream endobj\n%%EOF"
        ).into_bytes()),
        plant("RTF properties", "Document", "application/rtf", "rtf", rtf.into_bytes()),
        plant("attributes", "Document", "text/html", "html",
            format!("<html><body><p data-by=\"{words}\">Text.</p></body></html>").into_bytes()),
        plant("attributes", "Image", "image/svg+xml", "svg",
            format!("<svg xmlns=\"http://www.w3.org/2000/svg\" inkscape:export=\"{words}\"><rect/></svg>").into_bytes()),
        plant("PNG tEXt", "Image", "image/png", "png", png_with(&words.to_uppercase().replace(' ', "::"))),
        plant("PNG tEXt", "Image", "image/png", "png", png_with(&joined)),
        plant("PNG tEXt", "Image", "image/png", "png", png_with(&encoded(words))),
        plant("PNG iTXt", "Image", "image/png", "png", png(&[(b"iTXt", soft(&format!("\0\0\0\0{hidden}")))])),
        plant("PNG iTXt", "Image", "image/png", "png", png(&[(b"iTXt", soft(&format!("\0\0\0\0{wide}")))])),
        plant("JPEG comment", "Image", "image/jpeg", "jpg",
            jpeg(&[(0xFE, words.bytes().flat_map(|b| format!("{b:02x}").into_bytes()).collect())], b"")),
    ]
}
/// Base64, written here once more so that the scanner is not asked to prove itself.
pub(crate) fn encoded(text: &str) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in text.as_bytes().chunks(3) {
        let mut bits = 0_u32;
        for n in 0..3 {
            bits = (bits << 8) | u32::from(three.get(n).copied().unwrap_or(0));
        }
        for n in 0..4 {
            let sign = SIGNS[((bits >> (18 - 6 * n)) & 63) as usize];
            out.push(if n <= three.len() { char::from(sign) } else { '=' });
        }
    }
    out
}

/// A study in which one model's answers have these plants, one each.
pub(crate) fn study(place: &Place, name: &str, plants: &[Plant]) -> PathBuf {
    study_of(place, name, &[(MODEL, plants), ("tamsin-2", &[])])
}
/// A study of two models, each with these plants in its answers.
pub(crate) fn study_of(place: &Place, name: &str, models: &[(&str, &[Plant]); 2]) -> PathBuf {
    let count = models.iter().map(|(_, plants)| plants.len()).max().unwrap();
    let prompts: Vec<Value> = (0..count)
        .map(|n| {
            harness::prompt(
                &format!("p{n}"),
                "Text",
                &[("text", "The text names the architect of the tower.")],
            )
        })
        .collect();
    place.write(&format!("{name}/dataset.jsonl"), harness::lines(&prompts));
    for ((model, plants), time) in models.iter().zip(["20260612_093015", "20260613_093015"]) {
        let rows: Vec<Value> = (0..count)
            .map(|n| {
                let mut row = harness::row(&format!("p{n}"), model, &["Text"]);
                if let Some(plant) = plants.get(n) {
                    let path = format!("{time}_{model}_assets/p{n}/out.{}", plant.ending);
                    place.write(&format!("{name}/results/main/{path}"), &plant.bytes);
                    let path = format!("main/{path}");
                    row["output_assets"] =
                        json!([harness::asset(1, &format!("p{n}"), plant.modality, plant.mime, &path)]);
                }
                row
            })
            .collect();
        place.write(&format!("{name}/results/main/{time}_{model}.jsonl"), harness::lines(&rows));
    }
    let study = place.study(name);
    place.import(&study, &[&place.path(name)]);
    let plan = json!({"people": [{"name": "sam", "role": "judge"}], "tasks": [{"kind": "judge", "who": ["sam"], "seed": 3}]});
    let plan = place.write("plan.json", plan.to_string());
    place.json(["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), plan.as_os_str()]);
    study
}
pub(crate) fn blob(plant: &Plant, report: &[(&str, &str)]) -> bool {
    let hash = sha256(&plant.bytes);
    report
        .iter()
        .any(|(what, at)| what.starts_with("model name") && at.contains(&hash) && at.contains(plant.place))
}
/// As `sha256sum` says it.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let done = std::process::Command::new("sha256sum").arg(file.path()).output().unwrap();
    String::from_utf8(done.stdout).unwrap()[..64].to_owned()
}

#[test]
fn a_name_is_found_in_whatever_form_it_is_hidden() {
    let place = Place::new();
    let plants = plants("Quillon 9 Ultra");
    let study = study(&place, "planted", &plants);
    let report = leaks(&place, &study, "sam");
    let found = list(&report, "leaks");
    for (n, plant) in plants.iter().enumerate() {
        assert!(blob(plant, &found), "plant {n}, {} of a .{} file: {found:#?}", plant.place, plant.ending);
    }
}

#[test]
fn the_same_places_with_harmless_words_are_clean() {
    let place = Place::new();
    let study = study(&place, "harmless", &plants("Vessel sketch studio 4"));
    let report = leaks(&place, &study, "sam");
    assert_eq!(list(&report, "leaks"), [], "nothing tells of a model");
    assert!(report["reached"]["blobs"].as_u64().unwrap() >= 20, "and all of it was looked at");
}

fn pack(place: &Place, study: &Path) -> PathBuf {
    let file = place.path("sam.assizepack");
    place.text([
        "pack".as_ref(),
        study.as_os_str(),
        "--for".as_ref(),
        "sam".as_ref(),
        "--role".as_ref(),
        "judge".as_ref(),
        "-o".as_ref(),
        file.as_os_str(),
    ]);
    file
}

#[test]
fn what_a_package_does_not_need_is_found() {
    let place = Place::new();
    let study = study(&place, "planted", &plants("Vessel sketch studio 4")[..3]);
    let file = pack(&place, &study);
    let away = Place::new();
    let folder = PathBuf::from(away.json(["open".as_ref(), file.as_os_str()])["path"].as_str().unwrap());
    assert_eq!(list(&leaks(&away, &folder, "sam"), "leaks"), [], "as it was made it is clean");
    // The study's own response file holds both models' answers; the package's tasks name all of them. One task less,
    // and one answer is too much: so it is put under the inbox of a package with fewer tasks.
    let fewer = json!({"people": [{"name": "kim", "role": "judge"}], "tasks": [{"kind": "judge", "who": ["kim"], "share": 0.5, "seed": 3}]});
    let plan = place.write("plan.json", fewer.to_string());
    place.json(["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), plan.as_os_str()]);
    let small = place.path("kim.assizepack");
    place.text([
        "pack".as_ref(),
        study.as_os_str(),
        "--for".as_ref(),
        "kim".as_ref(),
        "--role".as_ref(),
        "judge".as_ref(),
        "-o".as_ref(),
        small.as_os_str(),
    ]);
    let kims = PathBuf::from(away.json(["open".as_ref(), small.as_os_str()])["path"].as_str().unwrap());
    assert_eq!(list(&leaks(&away, &kims, "kim"), "leaks"), [], "so is the smaller one");
    std::fs::copy(folder.join("content/responses.sqlite"), kims.join("content/responses.sqlite")).unwrap();
    let report = leaks(&away, &kims, "kim");
    let found = list(&report, "leaks");
    assert_eq!(
        found.iter().filter(|(what, _)| *what == "a response that no task needs").count(),
        3,
        "half of six answers are not kim's: {found:#?}"
    );
}
