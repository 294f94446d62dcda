//! docx and pptx: their words, in order, with headings, lists, tables, links and looks. Read as a stream of tags, so
//! that nesting of any depth needs no stack.

use super::{
    Block, Cell, DocumentView, Item, NotShown, Part, Room, Run, holds,
    package::{Package, Relation, attribute, beside, each, text_of},
};
use crate::worker::Input;
use base64::Engine;
use quick_xml::events::{BytesStart, Event};
use std::collections::{BTreeMap, BTreeSet};

/// The most bytes of one picture, and of all pictures of a document.
const PICTURE: u64 = 4 << 20;
const PICTURES: usize = 16 << 20;

pub(super) fn docx(input: &Input, room: &mut Room) -> Result<DocumentView, String> {
    let mut package = Package::open(input)?;
    let body = package.main("word/document.xml");
    let links = package.relations(&body);
    let xml = package.text(&body)?;
    let mut view = DocumentView { not_shown: vec![NotShown::Layout], ..DocumentView::default() };
    let mut blocks = walk(&xml, &links, room, &mut view.not_shown)?;
    holds_tag(&xml, &body, "body")?;
    holds::word(&mut package, &xml, &mut view);
    let mut left = PICTURES;
    if !pictures(&mut package, &body, &mut blocks, &mut left) {
        view.not_shown.push(NotShown::Images);
    }
    view.parts.push(Part { blocks, ..Part::default() });
    Ok(view)
}

pub(super) fn pptx(input: &Input, room: &mut Room) -> Result<DocumentView, String> {
    let mut package = Package::open(input)?;
    let show = package.main("ppt/presentation.xml");
    let targets = package.relations(&show);
    let order = package.text(&show)?;
    holds_tag(&order, &show, "presentation")?;
    let mut slides = Vec::new();
    super::package::each_tag(&order, |tag| {
        if tag.local_name().as_ref() == "sldId"
            && let Some(target) = attribute(tag, "r:id").and_then(|id| targets.get(&id))
        {
            slides.push(beside(&show, &target.target));
        }
    })?;
    let mut view = DocumentView { not_shown: vec![NotShown::Layout], ..DocumentView::default() };
    let mut fonts = BTreeSet::new();
    let mut left = PICTURES;
    for slide in slides {
        if room.over {
            break;
        }
        let Ok(xml) = package.text(&slide) else { continue };
        let links = package.relations(&slide);
        let mut blocks = walk(&xml, &links, room, &mut view.not_shown)?;
        let hidden = holds::slide(&xml, &mut view.not_shown, &mut fonts);
        if !pictures(&mut package, &slide, &mut blocks, &mut left) {
            view.not_shown.push(NotShown::Images);
        }
        let title = match blocks.iter().position(|block| matches!(block, Block::Heading { .. })) {
            Some(at) => match blocks.remove(at) {
                Block::Heading { text, .. } => text,
                _ => String::new(),
            },
            None => String::new(),
        };
        let notes = links.values().find(|relation| relation.kind == "notesSlide");
        if let Some(notes) = notes
            && let Ok(xml) = package.text(&beside(&slide, &notes.target))
        {
            let spoken = walk(&xml, &BTreeMap::new(), room, &mut Vec::new())?;
            let text = Part { blocks: spoken, ..Part::default() };
            let text = DocumentView { parts: vec![text], ..DocumentView::default() }.text();
            if !text.trim().is_empty() {
                blocks.push(Block::Notes { text: text.trim().to_owned() });
            }
        }
        view.parts.push(Part { title, blocks, hidden });
    }
    holds::show(&mut package, &mut view);
    view.fonts = holds::named(fonts);
    Ok(view)
}

/// Refuses a part without the tag that its words or slides stand in: it is XML, and no document.
pub(super) fn holds_tag(xml: &str, part: &str, wanted: &str) -> Result<(), String> {
    let mut found = false;
    each(xml, |event| {
        found |=
            matches!(event, Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == wanted);
        !found
    })?;
    found.then_some(()).ok_or_else(|| format!("{part} is no document: it holds no {wanted}"))
}

/// Puts the pictures themselves where blocks name them; `false` where one is missing, of a kind that no browser draws,
/// or too large.
fn pictures(package: &mut Package, part: &str, blocks: &mut [Block], left: &mut usize) -> bool {
    let mut all = true;
    for block in blocks {
        let Block::Image { name, data, .. } = block else { continue };
        let bytes = package.bytes(&beside(part, name), PICTURE.min(*left as u64)).ok();
        *data = bytes.and_then(|bytes| {
            let kind = picture_kind(&bytes)?;
            *left -= bytes.len();
            Some(format!("data:{kind};base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes)))
        });
        all &= data.is_some();
    }
    all
}

/// The content type of a picture that a browser draws and that cannot hold a script.
fn picture_kind(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [b'B', b'M', ..] => Some("image/bmp"),
        _ => None,
    }
}

type Links = BTreeMap<String, Relation>;

#[derive(Default)]
struct Walk {
    blocks: Vec<Block>,
    runs: Vec<Run>,
    look: Run,
    heading: Option<u8>,
    item: Option<u8>,
    in_text: bool,
    skipped: u32,
    in_run: u32,
    tables: u32,
    rows: Vec<Vec<Cell>>,
    cell: Option<Cell>,
    /// The description of the picture that comes next.
    alt: String,
}

/// Reads `w:` and `a:` tags alike: both call a paragraph `p`, a run `r`, its text `t`, a table `tbl`, `tr`, `tc`.
fn walk(
    xml: &str,
    links: &Links,
    room: &mut Room,
    not_shown: &mut Vec<NotShown>,
) -> Result<Vec<Block>, String> {
    let mut walk = Walk::default();
    each(xml, |event| {
        match event {
            Event::Start(tag) => walk.start(tag, links, not_shown, false),
            Event::Empty(tag) => walk.start(tag, links, not_shown, true),
            Event::End(tag) => walk.end(tag.local_name().as_ref()),
            event if walk.in_text => {
                if let Some(text) = text_of(event) {
                    walk.say(&text, room);
                }
            }
            _ => {}
        }
        !room.over
    })?;
    walk.end_paragraph();
    if walk.tables > 0 {
        walk.blocks.push(Block::Table { rows: std::mem::take(&mut walk.rows) });
    }
    Ok(walk.blocks)
}

impl Walk {
    fn start(&mut self, tag: &BytesStart, links: &Links, not_shown: &mut Vec<NotShown>, empty: bool) {
        let local = tag.local_name();
        let name: &str = local.as_ref();
        let value = || attribute(tag, "w:val");
        let on = || !matches!(value().as_deref(), Some("0" | "false" | "off"));
        match name {
            "t" => self.in_text = !empty,
            "r" if !empty => {
                self.in_run += 1;
                (self.look.bold, self.look.italic) = (false, false);
            }
            "b" if self.in_run > 0 => self.look.bold = on(),
            "i" if self.in_run > 0 => self.look.italic = on(),
            "rPr" if self.in_run > 0 => {
                self.look.bold |= attribute(tag, "b").is_some_and(|b| b == "1");
                self.look.italic |= attribute(tag, "i").is_some_and(|i| i == "1");
            }
            "tab" if self.in_run > 0 => self.add("\t"),
            "br" | "cr" => self.add("\n"),
            "pStyle" => self.heading = value().as_deref().and_then(heading_level),
            "ph" if attribute(tag, "type").is_some_and(|t| t == "title" || t == "ctrTitle") => {
                self.heading = Some(1);
            }
            "sp" => self.heading = None,
            "ilvl" => self.item = value().and_then(|v| v.parse().ok()).or(self.item),
            "numPr" => self.item = self.item.or(Some(0)),
            "hyperlink" if !empty => {
                self.look.link =
                    attribute(tag, "r:id").and_then(|id| links.get(&id)).map(|l| l.target.clone());
            }
            "hlinkClick" => {
                self.look.link =
                    attribute(tag, "r:id").and_then(|id| links.get(&id)).map(|l| l.target.clone());
            }
            "tbl" => {
                if self.tables == 0 {
                    self.end_paragraph();
                }
                self.tables += 1;
            }
            "tr" if self.tables == 1 => self.rows.push(Vec::new()),
            "tc" if self.tables == 1 => {
                let span = attribute(tag, "gridSpan").and_then(|n| n.parse().ok());
                self.cell = Some(Cell { colspan: span, ..Cell::default() });
            }
            "gridSpan" => {
                if let Some(cell) = &mut self.cell {
                    cell.colspan = value().and_then(|n| n.parse().ok());
                }
            }
            "blip" => {
                let embedded = attribute(tag, "r:embed").and_then(|id| links.get(&id));
                let name = embedded.map(|relation| relation.target.clone()).unwrap_or_default();
                let alt = std::mem::take(&mut self.alt);
                self.blocks.push(Block::Image { name, alt, data: None });
            }
            "docPr" | "cNvPr" => self.alt = attribute(tag, "descr").unwrap_or_default(),
            "ins" | "moveTo" => not_shown.push(NotShown::TrackedChanges),
            "del" | "moveFrom" => {
                not_shown.push(NotShown::TrackedChanges);
                self.skipped += u32::from(!empty);
            }
            "oMath" => not_shown.push(NotShown::Equations),
            // The same content again, for older readers.
            "Fallback" => self.skipped += u32::from(!empty),
            "txbxContent" => not_shown.push(NotShown::Shapes),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "r" => {
                self.in_run = self.in_run.saturating_sub(1);
                (self.look.bold, self.look.italic) = (false, false);
            }
            "hyperlink" => self.look.link = None,
            "del" | "moveFrom" | "Fallback" => self.skipped = self.skipped.saturating_sub(1),
            "p" => self.end_paragraph(),
            "tc" if self.tables == 1 => {
                if let (Some(mut cell), Some(row)) = (self.cell.take(), self.rows.last_mut()) {
                    cell.text.truncate(cell.text.trim_end().len());
                    cell.number = cell.text.parse::<f64>().is_ok();
                    row.push(cell);
                }
            }
            "tbl" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.blocks.push(Block::Table { rows: std::mem::take(&mut self.rows) });
                }
            }
            _ => {}
        }
    }

    fn say(&mut self, text: &str, room: &mut Room) {
        if self.skipped == 0 && room.take(text.len()) {
            self.add(text);
        }
    }

    fn add(&mut self, text: &str) {
        match self.runs.last_mut() {
            Some(last)
                if (last.bold, last.italic, &last.link)
                    == (self.look.bold, self.look.italic, &self.look.link) =>
            {
                last.text.push_str(text);
            }
            _ => self.runs.push(Run { text: text.to_owned(), ..self.look.clone() }),
        }
    }

    fn end_paragraph(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        let item = self.item.take();
        self.look = Run::default();
        let text: String = runs.iter().map(|run| run.text.as_str()).collect();
        if let Some(cell) = &mut self.cell {
            cell.text.push_str(&text);
            cell.text.push('\n');
            return;
        }
        let heading = self.heading.take();
        if text.trim().is_empty() {
            self.heading = heading;
            return;
        }
        match (heading, item) {
            (Some(level), _) => self.blocks.push(Block::Heading { level, text }),
            (None, Some(depth)) => match self.blocks.last_mut() {
                Some(Block::List { items, .. }) => items.push(Item { depth, runs }),
                _ => self.blocks.push(Block::List { ordered: false, items: vec![Item { depth, runs }] }),
            },
            (None, None) => self.blocks.push(Block::Paragraph { runs }),
        }
    }
}

fn heading_level(style: &str) -> Option<u8> {
    if style.eq_ignore_ascii_case("title") {
        return Some(1);
    }
    let digits = style.to_ascii_lowercase();
    let digits = digits.strip_prefix("heading")?.trim();
    digits.parse().ok().filter(|level| (1..=9).contains(level))
}
