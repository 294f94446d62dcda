//! What an office document holds besides what its view shows, found in the file itself.

use super::{
    DocumentView, NotShown,
    package::{Package, attribute, each_tag},
};
use std::collections::BTreeSet;

/// Entries whose mere presence tells something, by how their names begin.
const WORD: [(&str, NotShown); 9] = [
    ("word/comments", NotShown::Comments),
    ("word/header", NotShown::Headers),
    ("word/footer", NotShown::Headers),
    ("word/charts/", NotShown::Charts),
    ("word/diagrams/", NotShown::SmartArt),
    ("word/embeddings/", NotShown::EmbeddedObjects),
    ("word/vbaProject", NotShown::Scripts),
    ("word/activeX/", NotShown::Forms),
    ("_xmlsignatures/", NotShown::Signatures),
];
const BOOK: [(&str, NotShown); 11] = [
    ("xl/comments", NotShown::Comments),
    ("xl/threadedComments/", NotShown::Comments),
    ("xl/charts/", NotShown::Charts),
    ("xl/diagrams/", NotShown::SmartArt),
    ("xl/embeddings/", NotShown::EmbeddedObjects),
    ("xl/media/", NotShown::Images),
    ("xl/pivotTables/", NotShown::PivotTables),
    ("xl/externalLinks/", NotShown::ExternalLinks),
    ("xl/vbaProject", NotShown::Scripts),
    ("xl/macrosheets/", NotShown::Scripts),
    ("_xmlsignatures/", NotShown::Signatures),
];
const SHOW: [(&str, NotShown); 7] = [
    ("ppt/comments/", NotShown::Comments),
    ("ppt/charts/", NotShown::Charts),
    ("ppt/diagrams/", NotShown::SmartArt),
    ("ppt/embeddings/", NotShown::EmbeddedObjects),
    ("ppt/media/media", NotShown::Media),
    ("ppt/vbaProject", NotShown::Scripts),
    ("_xmlsignatures/", NotShown::Signatures),
];

fn entries(package: &Package, known: &[(&str, NotShown)], to: &mut Vec<NotShown>) {
    to.extend(known.iter().filter(|(start, _)| package.has(start)).map(|(_, what)| *what));
}

/// Text documents: what else is in the package, and in the fonts of its styles.
pub(super) fn word(package: &mut Package, xml: &str, view: &mut DocumentView) {
    entries(package, &WORD, &mut view.not_shown);
    let mut fonts = BTreeSet::new();
    let mut notes = false;
    let mut look = |xml: &str, body: bool| {
        let not_shown = &mut view.not_shown;
        // Broken XML costs the rest of this list; the view itself says when the text breaks off.
        let _ = each_tag(xml, |tag| match tag.local_name().as_ref() {
            "rFonts" => {
                fonts.extend(["w:ascii", "w:eastAsia", "w:cs"].iter().filter_map(|a| attribute(tag, a)));
            }
            "latin" => fonts.extend(attribute(tag, "typeface")),
            "footnoteReference" | "endnoteReference" if body => notes = true,
            "fldSimple" | "instrText" if body => not_shown.push(NotShown::Fields),
            "ffData" if body => not_shown.push(NotShown::Forms),
            "OLEObject" | "altChunk" => not_shown.push(NotShown::EmbeddedObjects),
            "rPrChange" | "pPrChange" => not_shown.push(NotShown::TrackedChanges),
            // Shapes without words, and text boxes of headers, which the body's own walk does not meet.
            "wsp" | "wgp" | "txbxContent" => not_shown.push(NotShown::Shapes),
            _ => {}
        });
    };
    look(xml, true);
    let mut parts = vec!["word/styles.xml".to_owned(), "word/theme/theme1.xml".to_owned()];
    for edge in ["word/header", "word/footer"] {
        parts.extend(package.starting(edge).take(50).map(str::to_owned));
    }
    for part in &parts {
        if let Ok(xml) = package.text(part) {
            look(&xml, false);
        }
    }
    if notes {
        view.not_shown.push(NotShown::Footnotes);
    }
    let parts: Vec<String> =
        package.starting("word/").filter(|name| !name.contains("_rels")).map(str::to_owned).collect();
    external(package, &parts, &mut view.not_shown);
    // Fonts that travel with the document are obfuscated and not loaded, so they count as asked for too.
    view.fonts = named(fonts);
}

/// Workbooks.
pub(super) fn workbook(package: &mut Package, view: &mut DocumentView) {
    entries(package, &BOOK, &mut view.not_shown);
    if let Ok(xml) = package.text("xl/styles.xml") {
        let mut fills = 0;
        let mut borders = false;
        // As above: broken styles cost this line of the banner.
        let _ = each_tag(&xml, |tag| match tag.local_name().as_ref() {
            "fgColor" => fills += 1,
            "left" | "right" | "top" | "bottom" => borders |= attribute(tag, "style").is_some(),
            _ => {}
        });
        if fills > 0 || borders {
            view.not_shown.push(NotShown::CellStyles);
        }
    }
}

/// Presentations: the package; each slide is looked at by [`slide`].
pub(super) fn show(package: &mut Package, view: &mut DocumentView) {
    entries(package, &SHOW, &mut view.not_shown);
    let parts: Vec<String> = package.starting("ppt/slides/slide").map(str::to_owned).collect();
    external(package, &parts, &mut view.not_shown);
}

/// One slide; is it hidden?
pub(super) fn slide(xml: &str, not_shown: &mut Vec<NotShown>, fonts: &mut BTreeSet<String>) -> bool {
    let mut hidden = false;
    // As above: what is broken here shows in the slide's text.
    let _ = each_tag(xml, |tag| match tag.local_name().as_ref() {
        "sld" => hidden = attribute(tag, "show").is_some_and(|show| show == "0" || show == "false"),
        "set" | "anim" | "animEffect" | "animMotion" | "animClr" | "animRot" | "animScale" | "transition" => {
            not_shown.push(NotShown::Animations);
        }
        "latin" => fonts.extend(attribute(tag, "typeface")),
        "videoFile" | "audioFile" => not_shown.push(NotShown::Media),
        _ => {}
    });
    if hidden {
        not_shown.push(NotShown::HiddenSlides);
    }
    hidden
}

/// Pictures and the like that lie outside. Links outside are only named, not fetched, and count as links.
fn external(package: &mut Package, parts: &[String], not_shown: &mut Vec<NotShown>) {
    for part in parts.iter().take(2000) {
        for relation in package.relations(part).values().filter(|relation| relation.external) {
            let what = if relation.kind == "hyperlink" { NotShown::Links } else { NotShown::ExternalContent };
            not_shown.push(what);
        }
    }
}

/// Fonts by name; `+mn-lt` and the like stand for the theme's own.
pub(super) fn named(fonts: BTreeSet<String>) -> Vec<String> {
    fonts.into_iter().filter(|name| !name.is_empty() && !name.starts_with('+')).take(50).collect()
}
