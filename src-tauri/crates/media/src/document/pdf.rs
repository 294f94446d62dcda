//! What a PDF holds that its pages, drawn by pdf.js without scripts and without links, do not show; and its text.

use super::{DocumentView, NotShown, direction::reading_order, mend};
use crate::worker::without_panic;
use pdf_extract::{Dictionary, Document, Object, ObjectId, PlainTextOutput, output_doc_page};
use std::collections::BTreeSet;

/// What the view leaves out. A PDF that cannot be read has an empty list: the view says so itself.
pub(super) fn holds(bytes: &[u8]) -> DocumentView {
    let mut view = DocumentView::default();
    let Ok((pdf, _)) = load(bytes) else { return view };
    let mut fonts = BTreeSet::new();
    for object in pdf.objects.values() {
        match object {
            Object::Dictionary(found) => look(&pdf, found, &mut view.not_shown, &mut fonts),
            Object::Stream(found) => look(&pdf, &found.dict, &mut view.not_shown, &mut fonts),
            _ => {}
        }
    }
    view.fonts = fonts.into_iter().take(50).collect();
    view
}

fn look(pdf: &Document, found: &Dictionary, not_shown: &mut Vec<NotShown>, fonts: &mut BTreeSet<String>) {
    let has = |key: &[u8]| found.has(key);
    let is = |key: &[u8], name: &[u8]| found.get(key).and_then(Object::as_name).is_ok_and(|n| n == name);
    let mut note = |found: bool, what: NotShown| {
        if found {
            not_shown.push(what);
        }
    };
    note(has(b"JS") || has(b"JavaScript") || is(b"S", b"Launch"), NotShown::Scripts);
    note(has(b"EF") || is(b"Type", b"EmbeddedFile"), NotShown::Attachments);
    note(
        is(b"Subtype", b"RichMedia") || is(b"Subtype", b"Movie") || is(b"Subtype", b"Screen"),
        NotShown::Media,
    );
    note(is(b"Subtype", b"Link"), NotShown::Links);
    note(is(b"Subtype", b"Text") && is(b"Type", b"Annot"), NotShown::Comments);
    note(is(b"Subtype", b"Widget") || has(b"XFA"), NotShown::Forms);
    note(has(b"OCProperties"), NotShown::Layers);
    note(is(b"FT", b"Sig") && has(b"V"), NotShown::Signatures);
    note(is(b"S", b"Transition") || has(b"Trans"), NotShown::Animations);
    // A font with a descriptor and no file in it is asked of the machine; Type 3 and composite fonts have theirs elsewhere.
    if is(b"Type", b"Font")
        && !is(b"Subtype", b"Type3")
        && !is(b"Subtype", b"Type0")
        && let Ok(name) = found.get(b"BaseFont").and_then(Object::as_name)
    {
        let descriptor = found.get_deref(b"FontDescriptor", pdf).and_then(Object::as_dict);
        let inside = descriptor
            .is_ok_and(|d| [&b"FontFile"[..], b"FontFile2", b"FontFile3"].iter().any(|key| d.has(key)));
        let name = String::from_utf8_lossy(name).into_owned();
        if !inside && !base(&name) {
            fonts.insert(name);
        }
    }
}

/// Is it one of the fonts that every viewer brings (PDF 32000-1, 9.6.2.2)?
fn base(name: &str) -> bool {
    ["Helvetica", "Times", "Courier", "Symbol", "ZapfDingbats", "Arial", "TimesNewRoman"]
        .iter()
        .any(|known| name.starts_with(known))
}

/// The text of the pages, and those that could not be read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pages {
    /// In order; empty where a page cannot be read.
    pub(super) texts: Vec<String>,
    /// Their numbers, counted from 1.
    pub(super) unread: Vec<u32>,
}

/// The text of each page. What one page holds that cannot be read costs that page alone.
///
/// # Errors
/// The file has no page, asks for a password, or no page can be read.
pub(super) fn pages(bytes: &[u8]) -> Result<Pages, String> {
    let (mut pdf, _) = load(bytes).map_err(|e| format!("the text of the PDF cannot be read: {e}"))?;
    if pdf.is_encrypted() {
        pdf.decrypt("").map_err(|e| format!("the text of the PDF cannot be read: {e}"))?;
    }
    let numbers: Vec<(u32, ObjectId)> = pdf.get_pages().into_iter().collect();
    if numbers.is_empty() {
        return Err("the PDF has no page that can be found".to_owned());
    }
    for (_, page) in &numbers {
        set_box(&mut pdf, *page);
    }
    let (mut pages, mut last) = (Pages::default(), String::new());
    for (number, _) in numbers {
        let read = without_panic(|| {
            let mut text = String::new();
            let mut output = PlainTextOutput::new(&mut text);
            output_doc_page(&pdf, &mut output, number).map(|()| text).map_err(|e| e.to_string())
        });
        match read.and_then(|read| read) {
            Ok(text) => pages.texts.push(reading_order(&text)),
            Err(why) => {
                pages.texts.push(String::new());
                pages.unread.push(number);
                last = why;
            }
        }
    }
    if pages.unread.len() == pages.texts.len() {
        return Err(format!("the text of the PDF cannot be read: {last}"));
    }
    Ok(pages)
}

/// Gives a page that has no box, of its own or of those above it, one of letter size, as viewers do.
fn set_box(pdf: &mut Document, page: ObjectId) {
    let whole = |found: &Dictionary| {
        let numbers = found.get_deref(b"MediaBox", pdf).and_then(Object::as_array);
        let number = |one: &Object| pdf.dereference(one).is_ok_and(|(_, one)| one.as_float().is_ok());
        numbers.is_ok_and(|numbers| numbers.len() >= 4 && numbers.iter().all(number))
    };
    let mut at = pdf.get_dictionary(page).ok();
    // The tree of pages is flat in any real file, and may be a circle in another.
    for _ in 0..64 {
        let Some(found) = at else { break };
        if found.has(b"MediaBox") {
            if whole(found) {
                return;
            }
            break;
        }
        at = found.get_deref(b"Parent", pdf).and_then(Object::as_dict).ok();
    }
    if let Ok(found) = pdf.get_object_mut(page).and_then(Object::as_dict_mut) {
        found.set("MediaBox", [0, 0, 612, 792].into_iter().map(Object::from).collect::<Vec<Object>>());
    }
}

/// From the head on: places in the file count from there (ISO 32000-1, annex H.3, 13), and other bytes may stand before it.
fn from_head(bytes: &[u8]) -> &[u8] {
    let at = memchr::memmem::find(&bytes[..bytes.len().min(1024)], b"%PDF-");
    &bytes[at.unwrap_or(0)..]
}

/// The objects of a PDF, and whether its table of them had to be made anew.
pub(crate) fn load(bytes: &[u8]) -> Result<(Document, bool), String> {
    let bytes = from_head(bytes);
    Document::load_mem(bytes).map(|pdf| (pdf, false)).or_else(|error| {
        let mended = mend::mended(bytes).and_then(|mended| Document::load_mem(&mended).ok());
        mended.map(|pdf| (pdf, true)).ok_or_else(|| error.to_string())
    })
}
