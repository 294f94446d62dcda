//! Documents and plain texts: pages, sheets, slides, encoding; passwords, programs and links in them.

use super::{
    DocumentFacts, Probe, ProblemCode as Code, active,
    sniff::{find, suffix},
};
use crate::{
    document::{package, pdf, text},
    worker::Input,
};
use pdf_extract::Object;
use std::io::Read;

/// The most of a document that is looked through.
const LOOKED: u64 = 256 << 20;
/// The most of one part of a zip.
const PART: u64 = 16 << 20;

pub(super) fn document(probe: &mut Probe, input: &Input) {
    let mut facts = DocumentFacts::default();
    match probe.format.as_str() {
        "pdf" => pdf(probe, &mut facts, input),
        "docx" | "xlsx" | "pptx" | "odt" => office(probe, &mut facts, input),
        "rtf" => rtf(probe, input),
        _ => {
            let bytes = input.head(4 << 20).unwrap_or_default();
            facts.encoding = Some(text::name_of(&bytes).to_owned());
            if probe.format == "html" {
                let text = text::decode(&bytes, None).text;
                active::markup(probe, &text);
                facts.links = Some(active::links(&text)).filter(|links| *links > 0);
            }
        }
    }
    probe.document = Some(facts);
}

fn rtf(probe: &mut Probe, input: &Input) {
    let bytes = input.head(LOOKED).unwrap_or_default();
    if find(&bytes, b"\\objdata").is_some() || find(&bytes, b"\\objupdate").is_some() {
        probe.problem(Code::ActiveContent, "the document holds embedded programs (OLE)");
    }
    let depth =
        bytes.iter().fold(0_i64, |depth, byte| depth + i64::from(*byte == b'{') - i64::from(*byte == b'}'));
    if depth > 0 && !bytes.trim_ascii_end().ends_with(b"}") {
        probe.problem(Code::Truncated, "the end of the document is missing");
    }
}

fn pdf(probe: &mut Probe, facts: &mut DocumentFacts, input: &Input) {
    let bytes = input.head(LOOKED).unwrap_or_default();
    if find(&bytes[bytes.len().saturating_sub(2048)..], b"%%EOF").is_none() {
        probe.problem(Code::Truncated, "the PDF's end mark is missing");
    }
    facts.encrypted = find(&bytes, b"/Encrypt").is_some();
    let mut found = Found {
        runs: [&b"/JavaScript"[..], b"/JS", b"/Launch", b"/RichMedia"]
            .iter()
            .any(|mark| find(&bytes, mark).is_some()),
        links: 0,
    };
    match pdf::load(&bytes) {
        Ok((pdf, mended)) => {
            if mended {
                probe.problem(Code::Damaged, "the PDF's table of objects is broken; it was made anew");
            }
            facts.encrypted |= pdf.is_encrypted();
            facts.pages = u32::try_from(pdf.get_pages().len()).ok().filter(|pages| *pages > 0);
            if facts.pages.is_none() && !facts.encrypted {
                probe.problem(Code::Undecodable, "the PDF has no readable page");
            }
            // Objects may lie in compressed streams, where no search finds their names.
            pdf.objects.values().for_each(|object| found.look(object, 0));
        }
        Err(why) => probe.problem(Code::Undecodable, &why),
    }
    if found.runs {
        probe.problem(Code::ActiveContent, "the PDF holds scripts or actions");
    }
    facts.links = Some(found.links).filter(|links| *links > 0);
    if facts.encrypted {
        probe.problem(Code::Encrypted, "the PDF is encrypted");
    }
}

struct Found {
    runs: bool,
    links: u32,
}

impl Found {
    fn look(&mut self, object: &Object, depth: u8) {
        if depth > 32 {
            return;
        }
        match object {
            Object::Array(all) => all.iter().for_each(|one| self.look(one, depth + 1)),
            Object::Stream(stream) => self.dictionary(&stream.dict, depth),
            Object::Dictionary(dictionary) => self.dictionary(dictionary, depth),
            _ => {}
        }
    }
    fn dictionary(&mut self, dictionary: &pdf_extract::Dictionary, depth: u8) {
        for (key, value) in dictionary {
            if let (b"S", Object::Name(kind)) = (key.as_slice(), value) {
                self.runs |= matches!(
                    kind.as_slice(),
                    b"JavaScript"
                        | b"Launch"
                        | b"SubmitForm"
                        | b"ImportData"
                        | b"Rendition"
                        | b"RichMediaExecute"
                );
                self.links += u32::from(kind == b"URI");
            }
            self.runs |= matches!(key.as_slice(), b"JS" | b"JavaScript");
            self.look(value, depth + 1);
        }
    }
}

fn office(probe: &mut Probe, facts: &mut DocumentFacts, input: &Input) {
    if input.head(8).is_ok_and(|head| head.starts_with(&super::sniff::COMPOUND)) {
        facts.encrypted = true;
        return probe.problem(Code::Encrypted, "the document needs a password");
    }
    let mut zip = match input.open().and_then(|file| zip::ZipArchive::new(file).map_err(|e| e.to_string())) {
        Ok(zip) => zip,
        Err(why) => {
            probe.problem(Code::Truncated, "the index at the end of the file is missing");
            return probe.problem(Code::Undecodable, &format!("the zip inside cannot be read: {why}"));
        }
    };
    let names: Vec<String> = zip.file_names().flatten().map(std::borrow::Cow::into_owned).collect();
    let any = |what: &dyn Fn(&str) -> bool| names.iter().any(|name| what(&name.to_ascii_lowercase()));
    if any(&|name| {
        name.ends_with("vbaproject.bin")
            || ["basic/", "scripts/", "xl/macrosheets/"].iter().any(|start| name.starts_with(start))
    }) {
        probe.problem(Code::ActiveContent, "the document holds macros");
    }
    if any(&|name| name.contains("activex") || (name.contains("oleobject") && suffix(name) == "bin")) {
        probe.problem(Code::ActiveContent, "the document holds embedded programs (OLE, ActiveX)");
    }
    let mut part = |entry: &str| -> Option<String> {
        let mut xml = Vec::new();
        zip.by_name(entry).ok()?.take(PART).read_to_end(&mut xml).ok()?;
        Some(text::decode(&xml, None).text)
    };
    let usual = match probe.format.as_str() {
        "xlsx" => "xl/workbook.xml",
        "pptx" => "ppt/presentation.xml",
        "docx" => "word/document.xml",
        _ => "content.xml",
    };
    let mut body = part(usual);
    if body.is_none()
        && let Some(named) = part("_rels/.rels").and_then(|relations| package::main_part(&relations))
    {
        body = part(&named);
    }
    // Whatever prefix the program that wrote it gives to its names.
    let count = |xml: &str, name: &str| {
        let mut count = 0_u32;
        let _ = package::each_tag(xml, |tag| count += u32::from(tag.local_name().as_ref() == name));
        count
    };
    match (probe.format.as_str(), &body) {
        ("xlsx", Some(xml)) => facts.sheets = Some(count(xml, "sheet")),
        ("pptx", Some(xml)) => facts.slides = Some(count(xml, "sldId")),
        _ => {}
    }
    if body.is_none() {
        probe.problem(Code::Undecodable, "the main part of the document cannot be read");
    }
    let mut links = 0;
    if probe.format == "odt" {
        let text = body.unwrap_or_default();
        links = u32::try_from(text.matches("xlink:href=\"http").count()).unwrap_or(u32::MAX);
        if part("META-INF/manifest.xml").is_some_and(|xml| xml.contains("encryption-data")) {
            facts.encrypted = true;
            probe.problem(Code::Encrypted, "the document needs a password");
        }
    }
    for name in names.iter().filter(|name| suffix(name) == "rels").take(1000) {
        let Some(xml) = part(name) else { continue };
        let _ = package::each_tag(&xml, |tag| {
            if package::attribute(tag, "TargetMode").is_none_or(|mode| mode != "External") {
                return;
            }
            if package::attribute(tag, "Type").is_some_and(|kind| kind.ends_with("/hyperlink")) {
                links += 1;
            } else {
                probe.problem(
                    Code::ExternalContent,
                    "it names pictures or parts elsewhere; they are not loaded",
                );
            }
        });
    }
    facts.links = Some(links).filter(|links| *links > 0);
}
