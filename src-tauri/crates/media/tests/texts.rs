//! Text, tables and sheets against the answers of pdftotext, LibreOffice and iconv (tests/fixtures/media/answers.json).
#![allow(clippy::unwrap_used, reason = "a test may stop where it finds nothing")]
#![allow(clippy::case_sensitive_file_extension_comparisons, reason = "the names of fixtures")]

mod support;

use media::{
    Reading,
    document::{Block, Grid},
};
use serde_json::Value;
use std::collections::HashMap;
use support::{fixture, input, pool};

fn answers() -> serde_json::Map<String, Value> {
    let text = std::fs::read_to_string(fixture("answers.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn text_of(name: &str) -> String {
    media::text(&pool(), input(name), name).unwrap().text
}

/// How many of the expected words are found, each as often as it is expected.
fn recall<'a>(text: &str, expected: impl Iterator<Item = &'a str>) -> f64 {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in text.split_whitespace() {
        *left.entry(word).or_default() += 1;
    }
    let (mut found, mut all) = (0_u32, 0_u32);
    for word in expected {
        all += 1;
        if let Some(count) = left.get_mut(word).filter(|count| **count > 0) {
            *count -= 1;
            found += 1;
        }
    }
    f64::from(found) / f64::from(all.max(1))
}

#[test]
fn the_words_of_pdfs_are_those_of_pdftotext() {
    let mut seen = 0;
    for (name, answer) in answers() {
        // One needs a password; the other's fonts are not in it and name their codes by a CMap of Adobe's, which
        // pdf-extract gives up on. Both end in a typed failure.
        let unread = ["documents/user-password.pdf", "documents/cjk-not-embedded.pdf"];
        if !name.ends_with(".pdf") {
            continue;
        }
        if unread.contains(&name.as_str()) {
            media::text(&pool(), input(&name), &name).unwrap_err();
            continue;
        }
        let words = answer["words"].as_array().unwrap();
        let found = recall(&text_of(&name), words.iter().map(|word| word.as_str().unwrap()));
        assert!(words.is_empty() || found >= 0.98, "{name}: {found} of pdftotext's words");
        seen += words.len();
    }
    assert!(seen > 1000, "the answers hold words: {seen}");
}

#[test]
fn the_words_of_office_files_are_those_of_libreoffice() {
    let mut seen = 0;
    for (name, answer) in answers() {
        let ending = name.rsplit('.').next().unwrap();
        if !["docx", "odt", "rtf", "pptx", "odp"].contains(&ending) || name.contains("password") {
            continue;
        }
        // The body where LibreOffice gives it by itself, else all that it prints.
        let mut expected: Vec<&str> = match answer["text"].as_str() {
            Some(text) => text.split_whitespace().collect(),
            None => answer["words"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect(),
        };
        // The last four words of the slides stand in a chart, which the view says it leaves out.
        if name.starts_with("documents/slides.") {
            assert_eq!(
                expected.split_off(expected.len() - 4),
                ["Harvest", "by", "year", "Tonnes"],
                "the chart's"
            );
        }
        // Bullets are drawn, not written.
        expected.retain(|word| word.contains(char::is_alphanumeric));
        let found = recall(&text_of(&name), expected.iter().copied());
        // Of 43 words, the deleted one and the one with the mark of a footnote are read otherwise, on purpose.
        assert!(found >= 0.95, "{name}: {found} of {} words", expected.len());
        seen += expected.len();
    }
    assert!(seen > 250, "the answers hold words: {seen}");
}

fn grid(name: &str) -> Grid {
    let view = media::document(&pool(), input(name), name, Reading::default()).unwrap();
    match view.parts.into_iter().next().and_then(|part| part.blocks.into_iter().next()) {
        Some(Block::Grid(grid)) => grid,
        other => panic!("{name} is a grid, not {other:?}"),
    }
}

#[test]
fn tables_have_the_cells_that_libreoffice_reads() {
    let mut seen = 0;
    for (name, answer) in answers() {
        // A quote that never closes: RFC 4180 says nothing, and readers differ.
        let Some(rows) = answer["rows"].as_array().filter(|_| name != "documents/uneven.csv") else {
            continue;
        };
        let grid = grid(&name);
        for (row, cells) in (0_u32..).zip(rows) {
            for (column, cell) in (0_u32..).zip(cells.as_array().unwrap()) {
                let found = grid.rows.iter().find(|r| r.index == row);
                let found = found.and_then(|r| r.cells.iter().find(|c| c.column == column));
                let found = found.map_or("", |cell| cell.text.as_str());
                assert_eq!(found, cell.as_str().unwrap(), "{name}, row {row}, column {column}");
                seen += 1;
            }
        }
    }
    assert!(seen > 30, "the answers hold cells: {seen}");
}

#[test]
fn texts_read_as_iconv_reads_them() {
    let mut seen = 0;
    for (name, answer) in answers() {
        let Some(text) = answer["text"].as_str().filter(|_| name.ends_with(".txt") || name.ends_with(".md"))
        else {
            continue;
        };
        // Zero bytes make it no text, and an empty file is none; both are told by the probe.
        if name.contains("nuls") || text.is_empty() {
            continue;
        }
        // iconv keeps the mark of the encoding, which is no part of the text.
        let text = text.trim_start_matches('\u{feff}').trim_end_matches('\n');
        assert_eq!(text_of(&name).trim_end_matches('\n'), text, "{name}");
        seen += 1;
    }
    assert!(seen >= 8, "the answers hold texts: {seen}");
}
