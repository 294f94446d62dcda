//! A PDF whose table of objects is broken or missing, with the table made anew, as viewers do.

use memchr::memmem;
use std::collections::BTreeMap;

/// More objects than this are not looked for.
const MOST: usize = 1_000_000;

/// The same bytes with a new table behind them, or nothing where no object or no root is found. Of objects with one
/// number the last counts, as with changes that are appended (ISO 32000-1, 7.5.4 to 7.5.6).
pub(crate) fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    let objects = objects(bytes);
    let root = reference(bytes, b"/Root").or_else(|| catalog(bytes, &objects))?;
    let last = *objects.last_key_value()?.0;
    let mut out = bytes.to_vec();
    out.push(b'\n');
    let start = out.len();
    out.extend_from_slice(b"xref\n0 1\n0000000000 65535 f \n");
    for (number, (generation, at)) in &objects {
        out.extend_from_slice(format!("{number} 1\n{at:010} {generation:05} n \n").as_bytes());
    }
    out.extend_from_slice(format!("trailer\n<< /Size {} /Root {root} R", u64::from(last) + 1).as_bytes());
    if let Some(key) = reference(bytes, b"/Encrypt") {
        out.extend_from_slice(format!(" /Encrypt {key} R").as_bytes());
    }
    if let Some(at) = memmem::rfind(bytes, b"/ID")
        && let Some(array) = bytes.get(at..).and_then(|rest| rest.get(..=memchr::memchr(b']', rest)?))
        && array.len() < 400
    {
        out.push(b' ');
        out.extend_from_slice(array);
    }
    out.extend_from_slice(format!(" >>\nstartxref\n{start}\n%%EOF\n").as_bytes());
    Some(out)
}

/// Where each object begins, by its number: `7 0 obj`.
fn objects(bytes: &[u8]) -> BTreeMap<u32, (u16, usize)> {
    let mut objects = BTreeMap::new();
    for at in memmem::find_iter(bytes, b"obj") {
        if objects.len() >= MOST {
            break;
        }
        let before = bytes[..at].trim_ascii_end();
        let Some((generation, rest)) = number_at_end(before) else { continue };
        let Some((number, rest)) = number_at_end(rest.trim_ascii_end()) else { continue };
        if let (Ok(number), Ok(generation)) = (u32::try_from(number), u16::try_from(generation)) {
            objects.insert(number, (generation, rest.len()));
        }
    }
    objects
}

/// The number that the bytes end with, at most ten digits, and what stands before it.
fn number_at_end(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let digits = bytes.iter().rev().take(11).take_while(|byte| byte.is_ascii_digit()).count();
    let (rest, number) = bytes.split_at(bytes.len() - digits);
    if !(1..=10).contains(&digits) {
        return None;
    }
    std::str::from_utf8(number).ok()?.parse().ok().map(|number| (number, rest))
}

/// The last reference with this key: `7 0` of `/Root 7 0 R`.
fn reference(bytes: &[u8], key: &[u8]) -> Option<String> {
    memmem::rfind_iter(bytes, key).find_map(|at| {
        let end = bytes.len().min(at + key.len() + 40);
        let words = std::str::from_utf8(&bytes[at + key.len()..end]).map_or_else(
            |error| std::str::from_utf8(&bytes[at + key.len()..at + key.len() + error.valid_up_to()]).ok(),
            Some,
        )?;
        let mut words = words.split_ascii_whitespace();
        let (number, generation) = (words.next()?.parse::<u32>().ok()?, words.next()?.parse::<u16>().ok()?);
        words.next()?.starts_with('R').then(|| format!("{number} {generation}"))
    })
}

/// The object that says that it is the catalogue.
fn catalog(bytes: &[u8], objects: &BTreeMap<u32, (u16, usize)>) -> Option<String> {
    let holds = |at: usize| {
        let part = &bytes[at..bytes.len().min(at + 2000)];
        let part = &part[..memmem::find(part, b"endobj").unwrap_or(part.len())];
        memmem::find(part, b"/Type /Catalog").is_some() || memmem::find(part, b"/Type/Catalog").is_some()
    };
    let found = objects.iter().rev().find(|(_, (_, at))| holds(*at));
    found.map(|(number, (generation, _))| format!("{number} {generation}"))
}

#[cfg(test)]
mod tests {
    use super::{mended, number_at_end};
    use pdf_extract::Document;

    /// One page, no table at all; the page is written twice, the second time with a turn.
    const BARE: &[u8] = b"%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n\
        2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n\
        3 0 obj << /Type /Page /Parent 2 0 R >> endobj\n3 0 obj << /Type /Page /Parent 2 0 R /Rotate 90 >> endobj\n";

    #[test]
    fn a_pdf_without_its_table_has_its_pages() {
        assert!(Document::load_mem(BARE).is_err(), "as it is it cannot be read");
        let pdf = Document::load_mem(&mended(BARE).unwrap()).unwrap();
        let pages = pdf.get_pages();
        assert_eq!(pages.len(), 1, "its one page is found");
        let page = pdf.get_dictionary(pages[&1]).unwrap();
        assert_eq!(page.get(b"Rotate").unwrap().as_i64().unwrap(), 90, "the later of two counts");
    }

    #[test]
    fn what_holds_no_object_is_not_mended() {
        assert_eq!(mended(b"%PDF-1.4 nothing"), None, "no object");
        assert_eq!(mended(b"1 0 obj << >> endobj"), None, "no root");
        assert_eq!(mended(b"99999999999999 0 obj /Root 1 0 R"), None, "a number that is none");
        assert_eq!(number_at_end(b"a 12"), Some((12, &b"a "[..])), "a number");
        assert_eq!(number_at_end(b""), None, "nothing");
    }
}
