//! The readable view of docx, xlsx, pptx, odt, ods, odp, csv, txt, md, html; what a view leaves out, found in the file
//! itself; and the text of all of these and of PDF and rtf.
//!
//! One neutral shape for all, [`DocumentView`], in place of HTML: it can hold no markup, so nothing of a document can
//! run or load in the window. All of this runs in the worker.

mod direction;
mod grid;
mod holds;
mod html;
mod mend;
mod number;
mod odf;
mod office;
pub(crate) mod package;
pub(crate) mod pdf;
mod rtf;
pub(crate) mod text;
mod view;

pub use view::{
    Block, Cell, CellKind, DocumentText, DocumentView, Grid, GridCell, GridColumns, GridRow, Item, Merged,
    NotShown, Part, Run,
};

pub(crate) use mend::mended;

use crate::{
    probe::format_of,
    worker::{Input, Registry},
};
use serde::{Deserialize, Serialize};

/// Arguments of the jobs `document` and `text`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct DocumentArgs {
    /// The file's name, which tells csv, txt and md apart.
    pub(crate) name: String,
    /// The encoding of a plain text, by a label of the WHATWG, where somebody chose one.
    #[serde(default)]
    pub(crate) encoding: Option<String>,
    /// Give a csv as the text that it is.
    #[serde(default)]
    pub(crate) source: bool,
}

/// The most bytes of text and cells in a view.
const ROOM: usize = 8 << 20;
/// The most bytes of text in an answer to `text`.
const TEXT: usize = 32 << 20;
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
    registry
        .with_reply("document", |args: DocumentArgs, input| view(input, &args))
        .with_reply("text", |args: DocumentArgs, input| document_text(input, &args))
}

/// The format, with the kinds of open documents told apart. What is locked has none.
fn format_within(input: &Input, name: &str) -> Result<&'static str, String> {
    if locked(input) {
        return Err("the document is encrypted and asks for a password".to_owned());
    }
    let format = format_of(input, name)?;
    Ok(if format == "zip" || format == "odt" { odf::kind(input).unwrap_or(format) } else { format })
}

/// The view of a file. For a PDF it has no parts, only what its pages leave out.
pub(crate) fn view(input: &Input, args: &DocumentArgs) -> Result<DocumentView, String> {
    let format = format_within(input, &args.name)?;
    let mut room = Room { left: ROOM, over: false };
    let encoding = args.encoding.as_deref();
    let mut view = match format {
        "csv" if !args.source => grid::csv(&input.head(FILE)?, encoding, &mut room),
        "csv" | "txt" | "md" | "html" | "svg" => plain(&input.head(ROOM as u64 + 4)?, encoding, &mut room),
        "xlsx" => grid::xlsx(input, &mut room)?,
        "ods" => grid::ods(input, &mut room)?,
        "docx" => office::docx(input, &mut room)?,
        "pptx" => office::pptx(input, &mut room)?,
        "odt" | "odp" => odf::view(input, &mut room)?,
        "rtf" => rtf::view(&input.read(FILE)?, &mut room),
        "pdf" => pdf::holds(&input.read(FILE)?),
        other => return Err(format!("there is no readable view of {other}")),
    };
    if format == "html"
        && let Some(Block::Code { text }) = view.parts.first().and_then(|part| part.blocks.first())
    {
        let page = text.clone();
        html::holds(&page, &mut view);
    }
    format.clone_into(&mut view.format);
    view.truncated = room.over;
    view.not_shown.sort_unstable();
    view.not_shown.dedup();
    Ok(view)
}

/// Is it an office document in the envelope that an encrypted one has (MS-OFFCRYPTO, 2.3.4.4)?
fn locked(input: &Input) -> bool {
    let head = input.head(1 << 20).unwrap_or_default();
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    head.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") && head.windows(name.len()).any(|w| w == name)
}

fn plain(bytes: &[u8], encoding: Option<&str>, room: &mut Room) -> DocumentView {
    let decoded = text::decode(bytes, encoding);
    let mut text = decoded.text;
    if !room.take(text.len()) {
        text.truncate(text.floor_char_boundary(ROOM));
    }
    DocumentView {
        parts: vec![Part { blocks: vec![Block::Code { text }], ..Part::default() }],
        encoding: Some(decoded.encoding.to_owned()),
        not_shown: if decoded.damaged { vec![NotShown::Undecodable] } else { Vec::new() },
        ..DocumentView::default()
    }
}

/// The text of a file of any of these formats. Pages of a PDF are parted by a form feed, cells of a sheet by a tab.
pub(crate) fn document_text(input: &Input, args: &DocumentArgs) -> Result<DocumentText, String> {
    let format = format_within(input, &args.name)?;
    let mut found = DocumentText { format: format.to_owned(), ..DocumentText::default() };
    match format {
        "pdf" => {
            let pages = pdf::pages(&input.read(FILE)?)?;
            found.unread_pages = pages.unread;
            found.text = pages.texts.join("\n\u{c}");
        }
        "html" => found.text = html::text(&text::decode(&input.head(FILE)?, args.encoding.as_deref()).text),
        "txt" | "md" | "svg" => {
            found.text = text::decode(&input.head(TEXT as u64)?, args.encoding.as_deref()).text;
            found.truncated = input.length()? > TEXT as u64;
        }
        "csv" => found.text = grid::csv_text(&input.head(FILE)?, args.encoding.as_deref()),
        _ => {
            let view = view(input, args)?;
            (found.text, found.truncated) = (view.text(), view.truncated);
        }
    }
    found.truncated |= found.text.len() > TEXT;
    found.text.truncate(found.text.floor_char_boundary(TEXT));
    Ok(found)
}
