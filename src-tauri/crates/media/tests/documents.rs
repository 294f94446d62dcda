//! Documents: what their views hold, what they say is not shown, and their text, against what LibreOffice, pdftotext and
//! the sources of the fixtures say.
#![allow(clippy::unwrap_used, reason = "a test may stop where it finds nothing")]

mod support;

use media::{
    DocumentView, Reading,
    document::{Block, CellKind, Grid, NotShown},
    pages::{Pages, PagesError},
    worker::Input,
};
use std::{fmt::Write as _, io::Write, time::Duration};
use support::{fixture, input, pool};

fn view_of(name: &str) -> DocumentView {
    media::document(&pool(), input(&format!("documents/{name}")), name, Reading::default()).unwrap()
}

fn grid(view: &DocumentView, sheet: usize) -> &Grid {
    match &view.parts[sheet].blocks[0] {
        Block::Grid(grid) => grid,
        other => panic!("a sheet is a grid, not {other:?}"),
    }
}

/// The cell at `(row, column)`, from 0: what it shows, its value if that is another, its formula.
fn cell(grid: &Grid, row: u32, column: u32) -> (String, Option<String>, Option<String>, CellKind) {
    let found = grid.rows.iter().find(|r| r.index == row);
    let found = found.and_then(|r| r.cells.iter().find(|c| c.column == column));
    found.map_or_else(
        || (String::new(), None, None, CellKind::Text),
        |c| (c.text.clone(), c.value.clone(), c.formula.clone(), c.kind),
    )
}

fn shows(grid: &Grid, row: u32, column: u32) -> String {
    cell(grid, row, column).0
}

#[test]
fn a_workbook_shows_what_libreoffice_prints() {
    let view = view_of("sheets.xlsx");
    let titles: Vec<(&str, bool)> = view.parts.iter().map(|p| (p.title.as_str(), p.hidden)).collect();
    assert_eq!(
        titles,
        [("Stock", false), ("Zweites Blatt, ü", false), ("Hidden", true)],
        "three sheets, the last hidden"
    );
    let stock = grid(&view, 0);
    // As `soffice --convert-to pdf` and pdftotext show them.
    for (row, column, shown) in [
        (2, 1, "12"),
        (3, 1, "1,234,567.89"),
        (3, 2, "2469135.782"),
        (4, 1, "1,234,579.89"),
        (4, 2, "#DIV/0!"),
        (5, 1, "2026-02-28"),
        (5, 2, "1 March 2026"),
        (6, 1, "09:05:07"),
        (6, 2, "7.5%"),
        (7, 1, "$1,999.50"),
        (7, 2, "1.23E-05"),
        (8, 1, "00420"),
        (8, 2, "TRUE"),
        (9, 0, "Two\nlines"),
        (9, 2, "Apple & Plum"),
        (10, 1, "1900-03-01"),
        (10, 2, "0.1"),
    ] {
        assert_eq!(shows(stock, row, column), shown, "row {row}, column {column}");
    }
    let sum = cell(stock, 4, 1);
    assert_eq!(
        (sum.1.as_deref(), sum.2.as_deref(), sum.3),
        (Some("1234579.891"), Some("SUM(B3:B4)"), CellKind::Number),
        "the value and the formula behind it"
    );
    assert_eq!(cell(stock, 5, 1).3, CellKind::Date, "a day");
    assert_eq!(cell(stock, 4, 2).3, CellKind::Error, "a division by zero");
    let merged = stock.merged[0];
    assert_eq!((merged.top, merged.left, merged.bottom, merged.right), (0, 0, 0, 2), "A1:C1");
    assert_eq!((stock.row_count, stock.column_count), (11, 3), "A1:C11, says the sheet");
    let second = grid(&view, 1);
    assert_eq!(shows(second, 4, 4), "far off, in E5", "an empty stretch before it");
    assert_eq!(second.rows.len(), 2, "rows without cells are not listed");
    for what in [NotShown::HiddenSheets, NotShown::Charts, NotShown::Links] {
        assert!(view.not_shown.contains(&what), "{what:?} stands in the file: {:?}", view.not_shown);
    }
    assert!(!view.not_shown.contains(&NotShown::NumberFormats), "number formats are shown");
}

#[test]
fn an_open_workbook_has_the_same_sheets_and_says_what_it_shows_plainly() {
    let view = view_of("sheets.ods");
    assert_eq!(view.format, "ods", "by what the zip says of itself");
    let stock = grid(&view, 0);
    assert_eq!(shows(stock, 3, 1), "1234567.891", "the plain value");
    assert_eq!(cell(stock, 4, 1).2.as_deref(), Some("SUM([.B3:.B4])"), "the formula in its own dialect");
    assert!(view.not_shown.contains(&NotShown::NumberFormats), "and the banner says so");
}

#[test]
fn tables_of_every_encoding_and_separator_are_grids() {
    for (name, encoding) in [
        ("plain.csv", "UTF-8"),
        ("semicolon.csv", "UTF-8"),
        ("table.tsv", "UTF-8"),
        ("utf-8-bom.csv", "UTF-8"),
        ("utf-16le.csv", "UTF-16LE"),
        ("latin-1.csv", "windows-1252"),
    ] {
        let view = view_of(name);
        assert_eq!(view.encoding.as_deref(), Some(encoding), "the encoding of {name}");
        let grid = grid(&view, 0);
        assert!(grid.column_count > 1, "{name} has columns: {:?}", grid.rows.first());
        assert!(!grid.rows[0].cells[0].text.starts_with('\u{feff}'), "the mark is no part of {name}");
    }
    let csv = |text: &str| {
        let reading = Reading::default();
        media::document(&pool(), Input::Bytes(text.as_bytes().to_vec()), "x.csv", reading).unwrap()
    };
    let quoted = csv("name,n\n\"a, \"\"b\"\"\nc\",-3\n");
    assert_eq!(shows(grid(&quoted, 0), 1, 0), "a, \"b\"\nc", "RFC 4180: quotes hold commas and line breaks");
    assert_eq!(cell(grid(&quoted, 0), 1, 1).3, CellKind::Number, "-3 is a number");
    let reading = Reading { source: true, ..Reading::default() };
    let source = media::document(&pool(), Input::Bytes(b"a;b\n".to_vec()), "x.csv", reading).unwrap();
    assert_eq!(source.parts[0].blocks, [Block::Code { text: "a;b\n".to_owned() }], "as it was written");
}

#[test]
fn texts_are_read_in_their_encoding_or_in_the_chosen_one() {
    for (name, encoding) in [
        ("utf-8.txt", "UTF-8"),
        ("utf-8-bom.txt", "UTF-8"),
        ("utf-16le.txt", "UTF-16LE"),
        ("utf-16be.txt", "UTF-16BE"),
        ("windows-1252.txt", "windows-1252"),
        ("shift-jis.txt", "Shift_JIS"),
        // The two differ in letters of Ukrainian alone, which this text has none of.
        ("koi8-r.txt", "KOI8-U"),
    ] {
        let view = view_of(name);
        assert_eq!(view.encoding.as_deref(), Some(encoding), "iconv wrote {name}");
        assert_eq!(view.not_shown, [], "every byte of {name} is a character");
    }
    let reading = Reading { encoding: Some("windows-1251".to_owned()), ..Reading::default() };
    let chosen = media::document(&pool(), Input::Bytes(vec![0xcf, 0xf0]), "x.txt", reading).unwrap();
    assert_eq!(chosen.text(), "Пр\n", "0xcf 0xf0 of windows-1251");
    let reading = Reading { encoding: Some("UTF-8".to_owned()), ..Reading::default() };
    let wrong = media::document(&pool(), Input::Bytes(vec![b'a', 0xcf]), "x.txt", reading).unwrap();
    assert_eq!(wrong.not_shown, [NotShown::Undecodable], "a byte that UTF-8 has no place for");
}

#[test]
fn each_document_names_what_its_view_leaves_out() {
    for (name, wanted) in [
        (
            "full.docx",
            &[
                NotShown::Comments,
                NotShown::TrackedChanges,
                NotShown::Charts,
                NotShown::Headers,
                NotShown::Footnotes,
                NotShown::Links,
            ][..],
        ),
        ("external-image.docx", &[NotShown::ExternalContent, NotShown::Links]),
        ("full.odt", &[NotShown::Comments, NotShown::TrackedChanges, NotShown::Headers, NotShown::Footnotes]),
        ("full.rtf", &[NotShown::Headers, NotShown::Footnotes, NotShown::Images]),
        ("slides.pptx", &[NotShown::Charts, NotShown::Layout]),
        (
            "page.html",
            &[NotShown::Scripts, NotShown::ExternalContent, NotShown::EmbeddedObjects, NotShown::Forms],
        ),
        ("javascript.pdf", &[NotShown::Scripts]),
        ("links.pdf", &[NotShown::Links]),
        ("attachment.pdf", &[NotShown::Attachments]),
    ] {
        let view = view_of(name);
        for what in wanted {
            assert!(view.not_shown.contains(what), "{name} holds {what:?}: {:?}", view.not_shown);
        }
    }
    let plain = view_of("plain.docx");
    assert_eq!(plain.not_shown, [NotShown::Layout], "a plain document loses its layout alone");
    assert_eq!(view_of("text.pdf").not_shown, [], "a plain PDF loses nothing");
    let fonts = view_of("cjk-not-embedded.pdf").fonts;
    assert!(!fonts.is_empty(), "a font that the PDF names and does not hold");
}

/// A zip of these entries, each a name and its text, not packed.
fn zipped(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, text) in entries {
        zip.start_file(*name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn what_is_no_document_inside_is_refused_and_not_empty() {
    let refusal = |entries: &[(&str, &str)], name: &str| {
        media::text(&pool(), Input::Bytes(zipped(entries)), name).unwrap_err().to_string()
    };
    let own = "<!DOCTYPE x [<!ENTITY a \"b\">]><w:document><w:body><w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:body></w:document>";
    let entries = [("[Content_Types].xml", "<Types/>"), ("word/document.xml", own)];
    assert_eq!(refusal(&entries, "x.docx"), "the XML refers to an entity of its own, &a;");
    let entries = [("[Content_Types].xml", "<Types/>"), ("word/document.xml", "<a/>")];
    assert_eq!(refusal(&entries, "x.docx"), "word/document.xml is no document: it holds no body");
    let entries = [("[Content_Types].xml", "<Types/>"), ("ppt/presentation.xml", "<a/>")];
    assert_eq!(refusal(&entries, "x.pptx"), "ppt/presentation.xml is no document: it holds no presentation");
    let entries = [("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", "<a/>")];
    assert_eq!(refusal(&entries, "x.odt"), "content.xml is no document: it holds no body");
}

/// A PDF of pages with this text each, in Helvetica; `entry` is what every page says besides.
fn pdf(pages: &[&str], entry: &str) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    for (at, says) in pages.iter().enumerate() {
        let content = 5 + 2 * at;
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /Contents {content} 0 R /Resources << /Font << /F 3 0 R >> >> {entry} >>"
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{says}\nendstream", says.len()));
    }
    let (mut out, mut table) = ("%PDF-1.4\n".to_owned(), String::new());
    for (at, object) in objects.iter().enumerate() {
        writeln!(table, "{:010} 00000 n ", out.len()).unwrap();
        write!(out, "{} 0 obj\n{object}\nendobj\n", at + 1).unwrap();
    }
    let (start, size) = (out.len(), objects.len() + 1);
    write!(out, "xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n")
        .unwrap();
    write!(out, "startxref\n{start}\n%%EOF\n").unwrap();
    out.into_bytes()
}

#[test]
fn pages_without_a_box_and_beside_a_bad_one_have_their_text() {
    let says = |word: &str| format!("BT /F 12 Tf 72 700 Td ({word}) Tj ET");
    let (one, three) = (says("one"), says("three"));
    let text = |bytes: Vec<u8>| media::text(&pool(), Input::Bytes(bytes), "x.pdf");
    for entry in ["/MediaBox [0 0 200 200]", "", "/MediaBox [0 0]", "/MediaBox /None"] {
        let found = text(pdf(&[&one, &three], entry)).unwrap();
        let words: Vec<&str> = found.text.split_whitespace().collect();
        assert_eq!((words, found.unread_pages), (vec!["one", "three"], vec![]), "a page with {entry:?}");
    }
    // A font that the page does not name: the parser gives up on that page.
    let found = text(pdf(&[&one, "BT /No 12 Tf (two) Tj ET", &three], "/MediaBox [0 0 9 9]")).unwrap();
    let pages: Vec<&str> = found.text.split('\u{c}').map(str::trim).collect();
    assert_eq!(
        (pages, found.unread_pages),
        (vec!["one", "", "three"], vec![2]),
        "the second page alone is lost"
    );
    let none = text(pdf(&["BT /No 12 Tf (two) Tj ET"], "")).unwrap_err().to_string();
    assert!(none.starts_with("the text of the PDF cannot be read"), "no page at all: {none}");
    let none = text(pdf(&[], "")).unwrap_err().to_string();
    assert_eq!(none, "the PDF has no page that can be found");
}

#[test]
fn a_text_document_names_its_shapes_wherever_they_stand() {
    let says = "<w:p><w:r><w:t>words</w:t></w:r></w:p>";
    let body = |inner: &str| format!("<w:document><w:body>{says}{inner}</w:body></w:document>");
    let held = |parts: &[(&str, &str)]| {
        let mut entries = vec![("[Content_Types].xml", "<Types/>")];
        entries.extend_from_slice(parts);
        media::document(&pool(), Input::Bytes(zipped(&entries)), "x.docx", Reading::default())
            .unwrap()
            .not_shown
    };
    let plain = body("");
    assert!(
        !held(&[("word/document.xml", plain.as_str())]).contains(&NotShown::Shapes),
        "none where there is none"
    );
    let boxed = body(
        "<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent/></v:textbox></v:shape></w:pict></w:r></w:p>",
    );
    assert!(held(&[("word/document.xml", boxed.as_str())]).contains(&NotShown::Shapes), "a text box");
    let drawn = body("<w:p><w:r><w:drawing><wps:wsp><wps:spPr/></wps:wsp></w:drawing></w:r></w:p>");
    assert!(
        held(&[("word/document.xml", drawn.as_str())]).contains(&NotShown::Shapes),
        "a shape without words"
    );
    let head = "<w:hdr><w:p><w:r><w:pict><w:txbxContent/></w:pict></w:r></w:p></w:hdr>";
    let parts = [("word/document.xml", plain.as_str()), ("word/header1.xml", head)];
    assert!(held(&parts).contains(&NotShown::Shapes), "a text box of a header");
}

#[test]
fn an_open_presentation_names_its_hidden_slides() {
    let content = r#"<office:document-content><office:automatic-styles>
        <style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties/></style:style>
        <style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>
        </office:automatic-styles><office:body><office:presentation>
        <draw:page draw:name="one" draw:style-name="dp1"><text:p>seen</text:p></draw:page>
        <draw:page draw:name="two" draw:style-name="dp2"><text:p>unseen</text:p></draw:page>
        </office:presentation></office:body></office:document-content>"#;
    let bytes = zipped(&[
        ("mimetype", "application/vnd.oasis.opendocument.presentation"),
        ("content.xml", content),
        ("META-INF/manifest.xml", "<manifest:manifest/>"),
    ]);
    let view = media::document(&pool(), Input::Bytes(bytes), "x.odp", Reading::default()).unwrap();
    let slides: Vec<(&str, bool)> = view.parts.iter().map(|p| (p.title.as_str(), p.hidden)).collect();
    assert_eq!(slides, [("one", false), ("two", true)], "the second is hidden by its style");
    assert!(view.not_shown.contains(&NotShown::HiddenSlides), "and named: {:?}", view.not_shown);
    assert!(!view_of("slides.odp").not_shown.contains(&NotShown::HiddenSlides), "none where none is");
}

#[test]
fn slides_have_their_titles_pictures_and_notes() {
    let view = view_of("slides.pptx");
    assert_eq!(view.parts.len(), 3, "three slides");
    assert!(view.text().contains("The first slide"), "the words of the first");
    let pictures: Vec<&String> = view
        .parts
        .iter()
        .flat_map(|part| &part.blocks)
        .filter_map(|block| match block {
            Block::Image { data, .. } => data.as_ref(),
            _ => None,
        })
        .collect();
    assert!(
        pictures.iter().any(|data| data.starts_with("data:image/png;base64,iVBOR")),
        "the picture itself, a PNG: {} pictures",
        pictures.len()
    );
}

#[test]
fn the_text_of_every_kind_comes_through_one_call() {
    let text = |name: &str| media::text(&pool(), input(&format!("documents/{name}")), name).unwrap().text;
    assert!(text("page.html").contains("Its text is bold & plain."), "without markup: {}", text("page.html"));
    assert!(!text("page.html").contains("document.title"), "and without scripts");
    assert!(text("sheets.xlsx").contains("1,234,567.89"), "cells as they show");
    assert!(text("slides.odp").contains("The first slide"), "slides of an open document");
    let first = text("text.pdf");
    assert_eq!(first.matches('\u{c}').count(), 4, "five pages, parted by four form feeds");
}

#[test]
fn a_locked_document_is_refused_with_a_reason() {
    for name in ["password.docx", "password.xlsx", "password.ods", "user-password.pdf"] {
        let failure = media::text(&pool(), input(&format!("documents/{name}")), name).unwrap_err();
        let said = failure.to_string().to_lowercase();
        assert!(["encrypted", "password"].iter().any(|word| said.contains(word)), "{name} says why: {said}");
    }
}

/// A stand-in for LibreOffice: a script that does what the test wants.
#[cfg(unix)]
fn office(folder: &std::path::Path, script: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("office");
    let mut file = std::fs::File::create(&path).unwrap();
    // The last two words are the folder for the PDF and the document.
    writeln!(file, "#!/bin/sh\nwhile [ $# -gt 2 ]; do shift; done\n{script}").unwrap();
    drop(file);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[cfg(unix)]
#[test]
fn pages_are_printed_once_and_kept_and_an_office_that_hangs_is_ended() {
    let place = tempfile::tempdir().unwrap();
    let kept = place.path().join("pages");
    let document = fixture("documents/plain.docx");
    let program = office(
        place.path(),
        "echo run >> \"$1/../../runs\"; test \"${2##*/}\" = document.docx && printf '%%PDF-1.7 x' > \"$1/document.pdf\"",
    );
    let pages = Pages::with_program(kept.clone(), program, Duration::from_secs(20));
    let (hash, other) = ("a".repeat(64), "b".repeat(64));
    assert_eq!(pages.kept(&hash), None, "nothing was printed yet");
    let pdf = pages.of(&document, "docx", &hash).unwrap();
    assert_eq!(std::fs::read(&pdf).unwrap(), b"%PDF-1.7 x", "what the program wrote");
    assert_eq!(pages.of(&document, "docx", &hash).unwrap(), pdf, "the second time it is kept");
    assert_eq!(std::fs::read_to_string(place.path().join("runs")).unwrap(), "run\n", "it ran once");
    let left: Vec<_> = std::fs::read_dir(&kept).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, [std::ffi::OsString::from(format!("{hash}.pdf"))], "nothing else is left behind");

    let fails = office(place.path(), "echo 'no such filter'; exit 0");
    let pages = Pages::with_program(kept.clone(), fails, Duration::from_secs(20));
    let error = pages.of(&document, "docx", &other).unwrap_err();
    assert_eq!(error, PagesError::Failed { said: "no such filter".to_owned() }, "it wrote no PDF");

    let hangs = office(place.path(), "exec sleep 60");
    let pages = Pages::with_program(kept, hangs, Duration::from_millis(300));
    let error = pages.of(&document, "docx", &other).unwrap_err();
    assert_eq!(error, PagesError::Timeout { after_ms: 300 }, "it never ends");
}

/// Elsewhere nothing limits it.
#[cfg(target_os = "linux")]
#[test]
fn an_office_that_takes_too_much_memory_fails_before_its_time_is_over() {
    let place = tempfile::tempdir().unwrap();
    // The shell holds 40 MB before it prints.
    let hungry = office(
        place.path(),
        "held=$(head -c 40000000 /dev/zero | tr '\\0' x) && test ${#held} = 40000000 && printf '%%PDF-1.7 x' > \"$1/document.pdf\"",
    );
    let document = fixture("documents/plain.docx");
    let (kept, wall, hash) = (place.path().join("pages"), Duration::from_mins(1), "a".repeat(64));
    let began = std::time::Instant::now();
    let small = Pages::with_program(kept.clone(), hungry.clone(), wall).within(16 << 20);
    let error = small.of(&document, "docx", &hash).unwrap_err();
    assert!(matches!(error, PagesError::Failed { .. }), "the failure has a type: {error:?}");
    assert!(began.elapsed() < wall, "and nobody waited for the clock");
    assert_eq!(small.kept(&hash), None, "nothing is kept of it");
    let large = Pages::with_program(kept, hungry, wall);
    assert!(large.of(&document, "docx", &hash).is_ok(), "with the memory it usually has it prints");
}
