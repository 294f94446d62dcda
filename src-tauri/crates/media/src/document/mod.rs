//! The readable view of docx, xlsx, pptx, csv, txt, md, html and the text of a PDF.

mod view;

pub use view::{Block, Cell, DocumentView, Item, NotShown, Part, Run};

use crate::worker::Registry;

pub(crate) fn register(registry: Registry) -> Registry {
    registry
}
