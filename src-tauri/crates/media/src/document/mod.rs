//! The readable view of docx, xlsx, pptx, csv, txt, md, html (as its source) and the text of a PDF.
//!
//! One neutral shape for all, [`DocumentView`], in place of HTML: it can hold no markup, so nothing of a document can
//! run or load in the window. What a document holds and the view leaves out is named in it. All of this runs in the
//! worker.

mod office;
mod tables;
pub(crate) mod text;
mod view;

pub use view::{Block, Cell, DocumentView, Item, NotShown, Part, Run};

use crate::{
    probe::format_of,
    worker::{Input, Registry},
};
use serde::{Deserialize, Serialize};

/// Arguments of the job `document`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct DocumentArgs {
    /// The file's name, which tells csv, txt and md apart.
    pub(crate) name: String,
}

/// The most bytes of text and cells in a view.
const ROOM: usize = 8 << 20;
/// The largest file that is read whole.
const FILE: u64 = 256 << 20;

/// What is left of the view's size.
pub(crate) struct Room {
    left: usize,
    over: bool,
}

impl Room {
    fn take(&mut self, bytes: usize) -> bool {
        if bytes > self.left {
            self.over = true;
            self.left = 0;
            return false;
        }
        self.left -= bytes;
        true
    }
}

pub(crate) fn register(registry: Registry) -> Registry {
    registry.with_reply("document", |args: DocumentArgs, input| view(input, &args.name))
}

/// The view of a file.
pub(crate) fn view(input: &Input, name: &str) -> Result<DocumentView, String> {
    let format = format_of(input, name)?;
    let mut room = Room { left: ROOM, over: false };
    let mut view = match format {
        "csv" => tables::csv(&input.head(FILE)?, &mut room),
        "txt" | "md" | "html" | "svg" => plain(&input.head(ROOM as u64 + 4)?, &mut room),
        "xlsx" => tables::xlsx(input, &mut room)?,
        "docx" => office::docx(input, &mut room)?,
        "pptx" => office::pptx(input, &mut room)?,
        "pdf" => pdf(&input.read(FILE)?, &mut room)?,
        other => return Err(format!("there is no readable view of {other}")),
    };
    format.clone_into(&mut view.format);
    view.truncated = room.over;
    view.not_shown.sort_unstable();
    view.not_shown.dedup();
    Ok(view)
}

fn plain(bytes: &[u8], room: &mut Room) -> DocumentView {
    let (mut text, encoding) = text::decode(bytes);
    if !room.take(text.len()) {
        text.truncate(text.floor_char_boundary(ROOM));
    }
    DocumentView {
        parts: vec![Part { title: String::new(), blocks: vec![Block::Code { text }] }],
        encoding: Some(encoding.to_owned()),
        ..DocumentView::default()
    }
}

fn pdf(bytes: &[u8], room: &mut Room) -> Result<DocumentView, String> {
    let pages = pdf_extract::extract_text_from_mem_by_pages(bytes)
        .map_err(|e| format!("the text of the PDF cannot be read: {e}"))?;
    let mut view =
        DocumentView { not_shown: vec![NotShown::Images, NotShown::Layout], ..DocumentView::default() };
    for (at, page) in pages.iter().enumerate() {
        if !room.take(page.len()) {
            break;
        }
        let text = page.trim_matches('\n').to_owned();
        view.parts.push(Part { title: (at + 1).to_string(), blocks: vec![Block::Code { text }] });
    }
    Ok(view)
}
