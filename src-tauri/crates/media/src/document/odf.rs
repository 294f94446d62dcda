//! Open documents: the words of odt and odp, in order. (The sheets of ods are in `grid`.)

use super::{
    Block, Cell, DocumentView, Item, NotShown, Part, Room, Run, holds,
    package::{Package, attribute, each, text_of},
};
use crate::worker::Input;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeSet;

/// Which open document a zip is, by what it says of itself: `odt`, `ods`, `odp`.
pub(super) fn kind(input: &Input) -> Option<&'static str> {
    let bytes = Package::open(input).ok()?.bytes("mimetype", 200).ok()?;
    match bytes.trim_ascii().strip_prefix(b"application/vnd.oasis.opendocument.")? {
        b"text" => Some("odt"),
        b"spreadsheet" => Some("ods"),
        b"presentation" => Some("odp"),
        _ => None,
    }
}

/// The words of a text or a presentation; each slide is a part.
pub(super) fn view(input: &Input, room: &mut Room) -> Result<DocumentView, String> {
    let mut package = Package::open(input)?;
    let xml = package.text("content.xml")?;
    super::office::holds_tag(&xml, "content.xml", "body")?;
    let mut view = DocumentView { not_shown: vec![NotShown::Layout], ..DocumentView::default() };
    let mut walk = Walk { parts: vec![Part::default()], ..Walk::default() };
    each(&xml, |event| {
        match event {
            Event::Start(tag) => walk.start(tag, &mut view.not_shown, false),
            Event::Empty(tag) => walk.start(tag, &mut view.not_shown, true),
            Event::End(tag) => walk.end(tag.name().as_ref()),
            event if walk.depth > 0 && walk.skipped == 0 => {
                if let Some(text) = text_of(event)
                    && room.take(text.len())
                {
                    walk.say(&text);
                }
            }
            _ => {}
        }
        !room.over
    })?;
    for (start, what) in [
        ("Object ", NotShown::EmbeddedObjects),
        ("Basic/", NotShown::Scripts),
        ("Scripts/", NotShown::Scripts),
        ("META-INF/documentsignatures", NotShown::Signatures),
    ] {
        if package.has(start) {
            view.not_shown.push(what);
        }
    }
    if let Ok(styles) = package.text("styles.xml")
        && (styles.contains("<style:header>") || styles.contains("<style:footer>"))
    {
        view.not_shown.push(NotShown::Headers);
    }
    view.fonts = holds::named(walk.fonts);
    view.parts = walk.parts;
    if view.parts.len() > 1 && view.parts.first().is_some_and(|part| part.blocks.is_empty()) {
        view.parts.remove(0);
    }
    Ok(view)
}

#[derive(Default)]
struct Walk {
    parts: Vec<Part>,
    fonts: BTreeSet<String>,
    text: String,
    /// Open paragraphs and headings.
    depth: u32,
    heading: Option<u8>,
    lists: u8,
    skipped: u32,
    tables: u32,
    rows: Vec<Vec<Cell>>,
    cell: Option<String>,
    notes: bool,
    /// The style whose properties come next, and those styles that hide their slides.
    style: String,
    hiding: BTreeSet<String>,
}

impl Walk {
    fn start(&mut self, tag: &BytesStart, not_shown: &mut Vec<NotShown>, empty: bool) {
        match tag.name().as_ref() {
            "text:p" | "text:h" if !empty => {
                self.depth += 1;
                if tag.name().as_ref() == "text:h" {
                    let level = attribute(tag, "text:outline-level").and_then(|n| n.parse().ok());
                    self.heading = Some(level.unwrap_or(1));
                }
            }
            "text:s" => {
                let count = attribute(tag, "text:c").and_then(|n| n.parse::<usize>().ok()).unwrap_or(1);
                self.say(&" ".repeat(count.min(100)));
            }
            "text:tab" => self.say("\t"),
            "text:line-break" => self.say("\n"),
            "text:list" if !empty => self.lists = self.lists.saturating_add(1),
            "table:table" if !empty => self.tables += 1,
            "table:table-row" if !empty && self.tables == 1 => self.rows.push(Vec::new()),
            "table:table-cell" if !empty && self.tables == 1 => self.cell = Some(String::new()),
            "draw:page" => {
                let title = attribute(tag, "draw:name").unwrap_or_default();
                let hidden =
                    attribute(tag, "draw:style-name").is_some_and(|style| self.hiding.contains(&style));
                if hidden {
                    not_shown.push(NotShown::HiddenSlides);
                }
                self.parts.push(Part { title, hidden, ..Part::default() });
            }
            "presentation:notes" if !empty => self.notes = true,
            "text:tracked-changes" | "office:annotation" | "text:note-body" if !empty => self.skipped += 1,
            "draw:image" => not_shown.push(NotShown::Images),
            "style:style" => self.style = attribute(tag, "style:name").unwrap_or_default(),
            "style:drawing-page-properties"
                if attribute(tag, "presentation:visibility").is_some_and(|seen| seen == "hidden") =>
            {
                self.hiding.insert(self.style.clone());
            }
            "style:font-face" => {
                self.fonts.extend(attribute(tag, "svg:font-family").map(|f| f.replace('\'', "")));
            }
            _ => {}
        }
        match tag.name().as_ref() {
            "text:tracked-changes" => not_shown.push(NotShown::TrackedChanges),
            "office:annotation" => not_shown.push(NotShown::Comments),
            "text:note" => not_shown.push(NotShown::Footnotes),
            "draw:object" => not_shown.push(NotShown::EmbeddedObjects),
            "draw:plugin" => not_shown.push(NotShown::Media),
            "anim:par" | "presentation:animations" => not_shown.push(NotShown::Animations),
            "draw:custom-shape" | "draw:text-box" => not_shown.push(NotShown::Shapes),
            "text:page-number" | "text:date" | "text:table-of-content" => not_shown.push(NotShown::Fields),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "text:p" | "text:h" => {
                self.depth = self.depth.saturating_sub(1);
                self.end_paragraph();
            }
            "text:list" => self.lists = self.lists.saturating_sub(1),
            "table:table-cell" => {
                if let (Some(text), Some(row)) = (self.cell.take(), self.rows.last_mut()) {
                    let text = text.trim_end().to_owned();
                    row.push(Cell { number: text.parse::<f64>().is_ok(), text, ..Cell::default() });
                }
            }
            "table:table" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    let rows = std::mem::take(&mut self.rows);
                    self.push(Block::Table { rows });
                }
            }
            "presentation:notes" => self.notes = false,
            "text:tracked-changes" | "office:annotation" | "text:note-body" => {
                self.skipped = self.skipped.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn say(&mut self, text: &str) {
        if self.skipped == 0 && self.depth > 0 {
            self.text.push_str(text);
        }
    }

    fn push(&mut self, block: Block) {
        if let Some(part) = self.parts.last_mut() {
            part.blocks.push(block);
        }
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.text);
        let heading = self.heading.take();
        if let Some(cell) = &mut self.cell {
            cell.push_str(&text);
            cell.push('\n');
            return;
        }
        if text.trim().is_empty() {
            return;
        }
        if self.notes {
            return self.push(Block::Notes { text });
        }
        if let Some(level) = heading {
            return self.push(Block::Heading { level, text });
        }
        let runs = vec![Run { text, ..Run::default() }];
        if self.lists == 0 {
            return self.push(Block::Paragraph { runs });
        }
        let item = Item { depth: self.lists - 1, runs };
        match self.parts.last_mut().and_then(|part| part.blocks.last_mut()) {
            Some(Block::List { items, .. }) => items.push(item),
            _ => self.push(Block::List { ordered: false, items: vec![item] }),
        }
    }
}
