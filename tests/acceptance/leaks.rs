//! The leak scanner, from outside: a study in which twenty and more things are planted where a judge must not meet
//! them, one by one, and studies in which nothing is.

use crate::at_work::{demo, hand_out, study};
use acceptance::{Host, Place, harness};
use serde_json::{Value, json};
use std::{
    ffi::OsStr,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// The model's name, as it stands in the run; written otherwise where it is planted.
const MODEL: &str = "quillon-9-ultra";
const PLANTED: &str = "Quillon 9 Ultra";

pub(crate) fn leaks(place: &Place, study: &Path, person: &str) -> Value {
    place.json([OsStr::new("leaks"), study.as_os_str(), OsStr::new("--for"), OsStr::new(person)])
}
pub(crate) fn list<'a>(report: &'a Value, name: &str) -> Vec<(&'a str, &'a str)> {
    let rows = report[name].as_array().unwrap().iter();
    rows.map(|row| (row["what"].as_str().unwrap(), row["where"].as_str().unwrap())).collect()
}

pub(crate) fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}
pub(crate) fn jpeg(segments: &[(u8, Vec<u8>)], after: &[u8]) -> Vec<u8> {
    let mut out = vec![0xFF, 0xD8];
    for (marker, data) in segments {
        out.extend([0xFF, *marker]);
        out.extend(u16::try_from(data.len() + 2).unwrap().to_be_bytes());
        out.extend(data);
    }
    out.extend([0xFF, 0xDA, 0, 2, 17, 99, 0xFF, 0xD9]);
    out.extend(after);
    out
}
pub(crate) fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { (c >> 1) ^ 0xEDB8_8320 } else { c >> 1 })
    })
}
pub(crate) fn png(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let head = (b"IHDR", vec![0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    for (kind, data) in [&[head][..], chunks, &[(b"IEND", Vec::new())]].concat() {
        out.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        let body = [kind.as_slice(), &data].concat();
        out.extend(&body);
        out.extend(crc(&body).to_be_bytes());
    }
    out
}
pub(crate) fn boxed(kind: &[u8], data: &[u8]) -> Vec<u8> {
    [&u32::try_from(data.len() + 8).unwrap().to_be_bytes()[..], kind, data].concat()
}
fn id3(text: &str) -> Vec<u8> {
    let body = [&[0][..], text.as_bytes()].concat();
    let size = u8::try_from(body.len()).unwrap();
    let frame = [b"TSSE".as_slice(), &[0, 0, 0, size, 0, 0], &body].concat();
    [b"ID3\x03\0\0\0\0\0".as_slice(), &[u8::try_from(frame.len()).unwrap()], &frame, &[0xFF; 400]].concat()
}
/// An archive whose members are stored as they are.
pub(crate) fn zip(members: &[(&str, String)]) -> Vec<u8> {
    let (mut out, mut list) = (Vec::new(), Vec::new());
    for (name, text) in members {
        let at = u32::try_from(out.len()).unwrap();
        let size = u32::try_from(text.len()).unwrap();
        let mut facts = vec![20, 0, 0, 0, 0, 0, 0, 0, 33, 0];
        facts.extend(crc(text.as_bytes()).to_le_bytes());
        facts.extend([size.to_le_bytes(), size.to_le_bytes()].concat());
        facts.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        facts.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&facts);
        out.extend(name.as_bytes());
        out.extend(text.as_bytes());
        list.extend(b"PK\x01\x02\x14\0");
        list.extend(&facts);
        list.extend([0; 10]);
        list.extend(at.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let (at, n) = (u32::try_from(out.len()).unwrap(), u16::try_from(members.len()).unwrap());
    out.extend(&list);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([n.to_le_bytes(), n.to_le_bytes()].concat());
    out.extend(u32::try_from(list.len()).unwrap().to_le_bytes());
    out.extend(at.to_le_bytes());
    out.extend([0, 0]);
    out
}

/// Files that say their model's name: how it is told, modality, mime, ending, bytes.
fn planted_files() -> Vec<(&'static str, &'static str, &'static str, &'static str, Vec<u8>)> {
    let exif = |text: &[u8]| [b"Exif\0\0II*\0\x08\0\0\0".as_slice(), text].concat();
    let soft = |text: &str| [b"Software\0".as_slice(), text.as_bytes()].concat();
    let hexed = format!("\u{feff}{PLANTED}").encode_utf16().fold(String::new(), |mut hexed, unit| {
        let _ = write!(hexed, "{unit:04X}");
        hexed
    });
    let docx = |properties: &str| {
        zip(&[
            ("[Content_Types].xml", "<Types/>".to_owned()),
            ("docProps/app.xml", format!("<Properties><Application>{properties}</Application></Properties>")),
            ("word/document.xml", "<w:document><w:body><w:p/></w:body></w:document>".to_owned()),
        ])
    };
    let wav = |text: &str| {
        let info =
            [b"INFOISFT".as_slice(), &u32::try_from(text.len()).unwrap().to_le_bytes(), text.as_bytes()]
                .concat();
        let list = [b"LIST".as_slice(), &u32::try_from(info.len()).unwrap().to_le_bytes(), &info].concat();
        let body = [
            b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0".as_slice(),
            &list,
            b"data\x04\0\0\0\0\0\0\0",
        ]
        .concat();
        [b"RIFF".as_slice(), &u32::try_from(body.len()).unwrap().to_le_bytes(), &body].concat()
    };
    vec![
        ("JPEG APP1", "Image", "image/jpeg", "jpg", jpeg(&[(0xE1, exif(PLANTED.as_bytes()))], b"")),
        ("JPEG APP1", "Image", "image/jpeg", "jpg", jpeg(&[(0xE1, exif(&utf16(PLANTED)))], b"")),
        ("JPEG comment", "Image", "image/jpeg", "jpg", jpeg(&[(0xFE, PLANTED.as_bytes().to_vec())], b"")),
        ("after the picture's end", "Image", "image/jpeg", "jpg", jpeg(&[], PLANTED.as_bytes())),
        ("PNG tEXt", "Image", "image/png", "png", png(&[(b"tEXt", soft(PLANTED))])),
        ("PNG iTXt", "Image", "image/png", "png", png(&[(b"iTXt", soft(&format!("\0\0\0\0{PLANTED}")))])),
        ("ID3", "Audio", "audio/mpeg", "mp3", id3(PLANTED)),
        (
            "tag at the end",
            "Audio",
            "audio/mpeg",
            "mp3",
            [&id3("x")[..], b"TAG", PLANTED.as_bytes(), &[0; 110]].concat(),
        ),
        ("RIFF LIST", "Audio", "audio/wav", "wav", wav(&format!("{PLANTED} "))),
        (
            "MP4 moov",
            "Video",
            "video/mp4",
            "mp4",
            [boxed(b"ftyp", b"isom\0\0\0\0"), boxed(b"moov", &boxed(b"udta", PLANTED.as_bytes()))].concat(),
        ),
        (
            "PDF properties",
            "Document",
            "application/pdf",
            "pdf",
            format!("%PDF-1.4\n1 0 obj <</Producer ({PLANTED})>> endobj\ntrailer <</Info 1 0 R>>\n%%EOF")
                .into_bytes(),
        ),
        (
            "PDF properties",
            "Document",
            "application/pdf",
            "pdf",
            format!("%PDF-1.4\n1 0 obj <</Creator <{hexed}>>> endobj\n%%EOF").into_bytes(),
        ),
        (
            "docProps/app.xml",
            "Document",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "docx",
            docx(PLANTED),
        ),
        (
            "meta element",
            "Document",
            "text/html",
            "html",
            format!("<html><meta name=\"generator\" content=\"{PLANTED}\"><body>Text.</body></html>")
                .into_bytes(),
        ),
    ]
}

const RUBRIC: &str = "The text names the architect who designed the northern tower.";
const EXPLANATION: &str = "The answer omits the architect and so fails the criterion wholly.";
const COMMENT: &str = "The kettle in the corner is plainly drawn twice, by the window and the door.";

/// One response for each planted file, then three with something in their words, and half as many of another model.
fn planted(place: &Place) -> PathBuf {
    let files = planted_files();
    let count = files.len() + 3;
    let prompts: Vec<Value> = (0..count)
        .map(|n| {
            let mut prompt = harness::prompt(&format!("p{n}"), "Text", &[("text", RUBRIC)]);
            if n == 0 {
                prompt["prompt_text"] = json!(format!("Describe the tower. {RUBRIC}"));
                prompt["input_files"] = json!("quillon_9_ultra sketch.txt");
            }
            prompt
        })
        .collect();
    place.write("run/dataset.jsonl", harness::lines(&prompts));
    place.write("run/input_files/quillon_9_ultra sketch.txt", "a tower");
    let folder = "20260612_093015_quillon-9-ultra_assets";
    let rows: Vec<Value> = (0..count)
        .map(|n| {
            let mut row = harness::row(&format!("p{n}"), MODEL, &["Text"]);
            row["rubric_grades"][0]["rubric"] = json!(RUBRIC);
            row["rubric_grades"][0]["explanation"] = json!(EXPLANATION);
            if let Some((_, modality, mime, ending, bytes)) = files.get(n) {
                let path = format!("{folder}/p{n}/out.{ending}");
                place.write(&format!("run/results/first/{path}"), bytes);
                let path = format!("first/{path}");
                row["output_assets"] = json!([harness::asset(1, &format!("p{n}"), modality, mime, &path)]);
            }
            match n - files.len().min(n) {
                _ if n < files.len() => {}
                0 => row["response_text"] = json!(format!("As asked: {RUBRIC}")),
                1 => row["response_text"] = json!(format!("I note: {EXPLANATION}")),
                _ => {
                    row["response_text"] = json!(format!("I am {PLANTED}, and glad to help."));
                    let mut link = harness::asset(1, "l", "Image", "image/png", "x");
                    link["local_path"] = json!("");
                    link["source_url"] = json!("https://files.example/quillon-9-ultra/out.png");
                    link["capture_status"] = json!("reference_only");
                    link["delivery"] = json!("external_url");
                    row["output_assets"] = json!([link]);
                }
            }
            row
        })
        .collect();
    place.write("run/results/first/20260612_093015_quillon-9-ultra.jsonl", harness::lines(&rows));
    let rows: Vec<Value> =
        (0..count).map(|n| harness::row(&format!("p{n}"), "tamsin-2", &["Text"])).collect();
    place.write("run/results/second/20260613_093015_tamsin-2.jsonl", harness::lines(&rows));
    let study = place.path("planted.assize");
    place.text([
        OsStr::new("new"),
        study.as_os_str(),
        OsStr::new("--name"),
        OsStr::new("Tower, Quillon-9-Ultra"),
    ]);
    place.import(&study, &[&place.path("run")]);
    study
}

/// Hands out one model after the other, has another judge say something, and lets it into the guidelines.
fn spoiled(place: &Place, study: &Path) {
    let host = Host::as_person(place, study, "lead", "lead");
    for name in ["sam", "kim"] {
        host.call("add_person", &json!({"name": name, "display": "", "roles": ["judge"]}));
        for folder in ["first", "second"] {
            let request = json!({"kind": "judge", "people": [name], "share": 1.0, "overlap": 1, "seed": 1, "folder": folder});
            host.call("hand_out", &request);
        }
    }
    let kim = Host::as_person(place, study, "kim", "judge");
    let item = kim.call("judge_item", &json!({}))["item"].clone();
    let verdicts = json!([{"modality": "Text", "verdict": "incorrect", "comment": COMMENT}]);
    kim.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
    kim.stop();
    host.call("publish_guidelines", &json!({"markdown": format!("# Judge\nAs one of you said: {COMMENT}")}));
    host.stop();
}

#[test]
fn every_planted_leak_is_found() {
    let place = Place::new();
    let study = planted(&place);
    spoiled(&place, &study);
    // A log that SQLite would throw away still holds bytes.
    place.write("planted.assize/content/responses.sqlite-wal", format!("rows of {MODEL}"));
    let report = leaks(&place, &study, "sam");
    let (found, warnings) = (list(&report, "leaks"), list(&report, "warnings"));
    let has =
        |what: &str, at: &str| found.iter().any(|(w, p)| w.to_lowercase().contains(what) && p.contains(at));
    let files = planted_files();
    let mut planted = 0;
    for (at, ..) in &files {
        assert!(has("model name", &format!(": {at}")), "the model's name in {at}: {found:#?}");
        planted += 1;
    }
    // Of two plants in one place both files are named.
    for at in ["JPEG APP1", "PDF properties"] {
        let files =
            found.iter().filter(|(what, p)| what.starts_with("model name") && p.ends_with(at)).count();
        assert_eq!(files, 2, "both files with something in {at}: {found:#?}");
    }
    for (what, at, why) in [
        ("rubric text", "prompts.text", "a criterion in a prompt"),
        ("rubric text", "responses.text", "a criterion in a response"),
        ("grade of an llm judge", "responses.text", "what the LLM judge said, in a response"),
        ("model name", "inputs.name", "the name of an input file"),
        ("model name", "assets.link", "the address of an asset"),
        ("another person's statement", "guidelines.markdown", "another judge's comment in the guidelines"),
        ("model name", "study.assize", "the study's own name"),
        ("order of the tasks", "position", "one model after the other"),
        ("model name", "responses.sqlite-wal", "bytes beside a database"),
    ] {
        assert!(has(what, at), "{why}: {found:#?}");
        planted += 1;
    }
    assert!(planted >= 20, "twenty leaks and more: {planted}");
    assert!(
        warnings.iter().any(|(what, at)| what.starts_with("model name") && at.contains("responses.text")),
        "a model that names itself in its own words is a warning: {warnings:#?}"
    );
    assert!(
        !found.iter().any(|(what, at)| what.starts_with("model name") && at.contains("responses.text")),
        "and no leak"
    );
    let reached = &report["reached"];
    assert_eq!(reached["tasks"], 2 * (files.len() + 3), "what is reached is counted: {reached}");
    let text = place.text([OsStr::new("leaks"), study.as_os_str(), OsStr::new("--for"), OsStr::new("sam")]);
    assert!(
        text.starts_with("Blindness report for sam\n") && text.contains("LEAKS"),
        "it can be read: {text}"
    );
}

#[test]
fn files_that_do_not_belong_into_a_package_are_found() {
    let place = Place::new();
    let study = study(&place, "clean", &[&demo()]);
    hand_out(&place, &study);
    let kim = Host::as_person(&place, &study, "kim", "judge");
    let item = kim.call("judge_item", &json!({}))["item"].clone();
    let verdicts: Value = item["response"]["expected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| json!({"modality": m, "verdict": "correct", "comment": "fine"}))
        .collect();
    kim.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
    kim.stop();
    let file = place.path("sam.assizepack");
    place.text([
        OsStr::new("pack"),
        study.as_os_str(),
        OsStr::new("--for"),
        OsStr::new("sam"),
        OsStr::new("--role"),
        OsStr::new("judge"),
        OsStr::new("-o"),
        file.as_os_str(),
    ]);
    let in_package = |person: &str| {
        place.json([
            OsStr::new("leaks"),
            study.as_os_str(),
            OsStr::new("--for"),
            OsStr::new(person),
            OsStr::new("--package"),
            file.as_os_str(),
        ])
    };
    let report = in_package("sam");
    assert_eq!(list(&report, "leaks"), [], "the package as it was made is clean");
    assert!(
        report["reached"]["blobs"].as_u64().unwrap() > 10,
        "and was looked through: {}",
        report["reached"]
    );
    assert!(report["looked_for"]["model name"].as_u64().unwrap() >= 3, "for all three models");
    assert_eq!(list(&in_package("kim"), "leaks").len(), 1, "for anybody else the package itself is a leak");

    // The person's own device knows nothing of the study, but what a package may hold is known there too.
    let away = Place::new();
    let folder = PathBuf::from(away.json([OsStr::new("open"), file.as_os_str()])["path"].as_str().unwrap());
    assert_eq!(list(&leaks(&away, &folder, "sam"), "leaks"), [], "clean on the person's own device");
    fs::copy(study.join("content/rubrics.sqlite"), folder.join("content/rubrics.sqlite")).unwrap();
    let journal = fs::read_dir(study.join("journals"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .find(|name| name.starts_with("kim.") && name.ends_with("judge.sqlite"))
        .unwrap();
    fs::copy(study.join("journals").join(&journal), folder.join("journals").join(&journal)).unwrap();
    let renamed = journal.replace("kim.", "sam.");
    fs::copy(study.join("journals").join(&journal), folder.join("journals").join(&renamed)).unwrap();
    fs::write(folder.join("notes.txt"), "nothing much").unwrap();
    let report = leaks(&away, &folder, "sam");
    let found = list(&report, "leaks");
    for name in ["content/rubrics.sqlite", "notes.txt", &format!("journals/{journal}")] {
        assert!(
            found.iter().any(|(what, at)| what.contains("no judge may see") && *at == name),
            "{name}: {found:#?}"
        );
    }
    assert!(
        found
            .iter()
            .any(|(what, at)| what.contains("another person")
                && at.starts_with(&format!("journals/{renamed}"))),
        "a journal that was renamed is another person's still: {found:#?}"
    );
}

#[test]
fn a_clean_study_is_clean_for_judge_and_author() {
    let place = Place::new();
    let study = study(&place, "clean", &[&demo()]);
    hand_out(&place, &study);
    for person in ["sam", "noor"] {
        let report = leaks(&place, &study, person);
        assert_eq!(list(&report, "leaks"), [], "{person} reaches nothing that is hidden");
        assert!(report["reached"]["prompts"].as_u64().unwrap() >= 24, "{person}: {}", report["reached"]);
    }
    let refused =
        place.run([OsStr::new("leaks"), study.as_os_str(), OsStr::new("--for"), OsStr::new("lead")]);
    assert_eq!(refused.status.code(), Some(1), "nothing is hidden from a lead");
}
