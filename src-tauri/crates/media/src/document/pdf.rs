//! What a PDF holds that its pages, drawn by pdf.js without scripts and without links, do not show; and its text.

use super::{DocumentView, NotShown, mend};
use pdf_extract::{Dictionary, Document, Object};
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

/// The text of each page, in order.
pub(super) fn pages(bytes: &[u8]) -> Result<Vec<String>, String> {
    let bytes = from_head(bytes);
    let bad = |e: pdf_extract::OutputError| format!("the text of the PDF cannot be read: {e}");
    let texts = pdf_extract::extract_text_from_mem_by_pages(bytes).map_err(bad);
    match (texts, Document::load_mem(bytes).is_err().then(|| mend::mended(bytes)).flatten()) {
        (Err(_), Some(mended)) => pdf_extract::extract_text_from_mem_by_pages(&mended).map_err(bad),
        (texts, _) => texts,
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
