//! docx and pptx: their words, in order, with headings, lists, tables, links and looks. Read as a stream of tags, so
//! that nesting of any depth needs no stack.

use super::{Block, Cell, DocumentView, Item, NotShown, Part, Room, Run};
use crate::worker::{Input, ReadSeek};
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};
use std::{collections::BTreeMap, io::Read};
use zip::ZipArchive;

type Archive = ZipArchive<Box<dyn ReadSeek>>;

/// The most that is unpacked of one entry.
const ENTRY: u64 = 64 << 20;

pub(super) fn docx(input: &Input, room: &mut Room) -> Result<DocumentView, String> {
    let mut zip = open(input)?;
    let links = relations(&mut zip, "word/_rels/document.xml.rels");
    let xml = entry(&mut zip, "word/document.xml")?;
    let mut view = DocumentView::default();
    let blocks = walk(&xml, &links, room, &mut view.not_shown)?;
    let names: Vec<String> = zip.file_names().flatten().map(std::borrow::Cow::into_owned).collect();
    let has = |start: &str| names.iter().any(|name| name.starts_with(start));
    let notes = |name: &str| names.iter().any(|found| found == name);
    for (found, what) in [
        (has("word/comments"), NotShown::Comments),
        (has("word/header") || has("word/footer"), NotShown::Headers),
        (xml.contains("<w:footnoteReference") && notes("word/footnotes.xml"), NotShown::Footnotes),
        (xml.contains("<w:endnoteReference") && notes("word/endnotes.xml"), NotShown::Footnotes),
        (has("word/charts/"), NotShown::Charts),
        (has("word/vbaProject"), NotShown::Scripts),
        (true, NotShown::Layout),
    ] {
        if found {
            view.not_shown.push(what);
        }
    }
    view.parts.push(Part { title: String::new(), blocks });
    Ok(view)
}

pub(super) fn pptx(input: &Input, room: &mut Room) -> Result<DocumentView, String> {
    let mut zip = open(input)?;
    let targets = relations(&mut zip, "ppt/_rels/presentation.xml.rels");
    let order = entry(&mut zip, "ppt/presentation.xml")?;
    let mut slides = Vec::new();
    each(&order, |event| {
        if let Event::Start(tag) | Event::Empty(tag) = event
            && tag.local_name().as_ref() == "sldId"
            && let Some(target) = attribute(tag, "r:id").and_then(|id| targets.get(&id).cloned())
        {
            slides.push(target.trim_start_matches("/ppt/").to_owned());
        }
        true
    })?;
    let mut view = DocumentView { not_shown: vec![NotShown::Layout], ..DocumentView::default() };
    for slide in slides {
        if room.over {
            break;
        }
        let Ok(xml) = entry(&mut zip, &format!("ppt/{slide}")) else { continue };
        let name = slide.rsplit('/').next().unwrap_or_default().to_owned();
        let links = relations(&mut zip, &format!("ppt/slides/_rels/{name}.rels"));
        let mut blocks = walk(&xml, &links, room, &mut view.not_shown)?;
        let title = match blocks.iter().position(|block| matches!(block, Block::Heading { .. })) {
            Some(at) => match blocks.remove(at) {
                Block::Heading { text, .. } => text,
                _ => String::new(),
            },
            None => String::new(),
        };
        let notes = links.values().find(|target| target.contains("notesSlides/"));
        if let Some(notes) = notes
            && let Ok(xml) = entry(&mut zip, &format!("ppt/{}", notes.trim_start_matches("../")))
        {
            let spoken = walk(&xml, &BTreeMap::new(), room, &mut Vec::new())?;
            let text = Part { title: String::new(), blocks: spoken };
            let text = DocumentView { parts: vec![text], ..DocumentView::default() }.text();
            if !text.trim().is_empty() {
                blocks.push(Block::Notes { text: text.trim().to_owned() });
            }
        }
        for (part, what) in [("charts/", NotShown::Charts), ("media/media", NotShown::Media)] {
            if links.values().any(|target| target.contains(part)) {
                view.not_shown.push(what);
            }
        }
        view.parts.push(Part { title, blocks });
    }
    Ok(view)
}

fn open(input: &Input) -> Result<Archive, String> {
    ZipArchive::new(input.open()?).map_err(|e| format!("the file is no whole zip: {e}"))
}

fn entry(zip: &mut Archive, name: &str) -> Result<String, String> {
    let file = zip.by_name(name).map_err(|e| format!("{name}: {e}"))?;
    let mut bytes = Vec::new();
    file.take(ENTRY + 1).read_to_end(&mut bytes).map_err(|e| format!("{name}: {e}"))?;
    if bytes.len() as u64 > ENTRY {
        return Err(format!("{name} unpacks to more than {ENTRY} bytes"));
    }
    Ok(super::text::decode(&bytes).0)
}

/// Targets by relation id; empty where there are none.
fn relations(zip: &mut Archive, name: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    if let Ok(xml) = entry(zip, name) {
        // A broken list of relations costs links and pictures, not the text.
        let _ = each(&xml, |event| {
            if let Event::Start(tag) | Event::Empty(tag) = event
                && let (Some(id), Some(target)) = (attribute(tag, "Id"), attribute(tag, "Target"))
            {
                all.insert(id, target);
            }
            true
        });
    }
    all
}

fn each(xml: &str, mut take: impl FnMut(&Event) -> bool) -> Result<(), String> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event().map_err(|e| format!("broken XML: {e}"))? {
            Event::Eof => return Ok(()),
            event if take(&event) => {}
            _ => return Ok(()),
        }
    }
}

fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let local = name.rsplit(':').next().unwrap_or(name);
    tag.attributes()
        .flatten()
        .find(|a| {
            a.key.as_ref() == name
                || (name.contains(':')
                    && a.key.as_ref().contains(':')
                    && a.key.local_name().as_ref() == local)
        })
        .and_then(|a| {
            a.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
        })
}

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
}

/// Reads `w:` and `a:` tags alike: both call a paragraph `p`, a run `r`, its text `t`, a table `tbl`, `tr`, `tc`.
fn walk(
    xml: &str,
    links: &BTreeMap<String, String>,
    room: &mut Room,
    not_shown: &mut Vec<NotShown>,
) -> Result<Vec<Block>, String> {
    let mut walk = Walk::default();
    each(xml, |event| {
        match event {
            Event::Start(tag) => walk.start(tag, links, not_shown, false),
            Event::Empty(tag) => walk.start(tag, links, not_shown, true),
            Event::End(tag) => walk.end(tag.local_name().as_ref()),
            Event::Text(text) if walk.in_text => walk.say(&text.xml10_content(), room),
            Event::GeneralRef(name) if walk.in_text => {
                let meant = match name.resolve_char_ref() {
                    Ok(Some(c)) => c.to_string(),
                    _ => quick_xml::escape::resolve_xml_entity(&name.xml10_content())
                        .unwrap_or_default()
                        .to_owned(),
                };
                walk.say(&meant, room);
            }
            Event::CData(text) if walk.in_text => walk.say(&text.xml10_content(), room),
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
    fn start(
        &mut self,
        tag: &BytesStart,
        links: &BTreeMap<String, String>,
        not_shown: &mut Vec<NotShown>,
        empty: bool,
    ) {
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
                self.look.link = attribute(tag, "r:id").and_then(|id| links.get(&id).cloned());
            }
            "hlinkClick" => self.look.link = attribute(tag, "r:id").and_then(|id| links.get(&id).cloned()),
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
                let target =
                    attribute(tag, "r:embed").and_then(|id| links.get(&id).cloned()).unwrap_or_default();
                self.blocks.push(Block::Image { name: target, alt: String::new() });
                not_shown.push(NotShown::Images);
            }
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
