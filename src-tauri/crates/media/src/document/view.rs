//! The one shape in which any document reaches the window: neutral, inert, and honest about what it leaves out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A readable view of a document. No markup: the window draws it from its own components.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentView {
    /// The format, as [`crate::probe::Probe::format`].
    pub format: String,
    /// The whole of a text, a sheet, a slide or a page: in order.
    pub parts: Vec<Part>,
    /// Was the rest left out because it is too long?
    pub truncated: bool,
    /// The encoding that the text was read in, for plain text of any kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// What the document holds and this view does not show, each once.
    pub not_shown: Vec<NotShown>,
    /// Fonts that the document asks for and does not bring along. The window says which of them this machine lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fonts: Vec<String>,
}

/// One part: a sheet, a slide, a page, or the whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// The name of the sheet, the title of the slide; empty where there is none.
    pub title: String,
    /// What it holds, in order.
    pub blocks: Vec<Block>,
    /// Does the document hide it (a sheet, a slide)?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// One block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "block", rename_all = "snake_case")]
pub enum Block {
    /// A heading, level 1 to 9.
    Heading {
        /// 1 is the highest.
        level: u8,
        /// Its words.
        text: String,
    },
    /// Words.
    Paragraph {
        /// Stretches of equal looks.
        runs: Vec<Run>,
    },
    /// A list.
    List {
        /// Numbered, not bulleted?
        ordered: bool,
        /// Its items, with their depth.
        items: Vec<Item>,
    },
    /// A table in running text.
    Table {
        /// Rows of cells.
        rows: Vec<Vec<Cell>>,
    },
    /// The cells of a sheet.
    Grid(Grid),
    /// A picture stands here.
    Image {
        /// Its name inside the document.
        name: String,
        /// Its description, where the document has one.
        alt: String,
        /// The picture itself as a `data:` address, where a browser can draw it and there is room.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data: Option<String>,
    },
    /// Text with its line breaks and spaces kept.
    Code {
        /// The text.
        text: String,
    },
    /// The speaker's notes of a slide.
    Notes {
        /// The text.
        text: String,
    },
}

/// A stretch of text of one look.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The text.
    pub text: String,
    /// Bold?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bold: bool,
    /// Italic?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub italic: bool,
    /// Where it points; to be shown, never followed by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// An item of a list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// 0 is the outermost level.
    pub depth: u8,
    /// Stretches of equal looks.
    pub runs: Vec<Run>,
}

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// What it shows.
    pub text: String,
    /// Columns that it spans, where more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colspan: Option<u32>,
    /// Is it a number (and so stands at the right)?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub number: bool,
}

/// A sheet. Only rows and cells that hold something are listed, so that a far cell costs no empty ones.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Grid {
    /// Up to the last row that holds something.
    pub row_count: u32,
    /// Up to the last column that holds something.
    pub column_count: u32,
    /// Rows with cells, by number.
    pub rows: Vec<GridRow>,
    /// Cells that are one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<Merged>,
    /// Columns with a width of their own, or hidden.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<GridColumns>,
    /// Rows at the top that do not scroll.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub frozen_rows: u32,
}

/// A row of a sheet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GridRow {
    /// From 0.
    pub index: u32,
    /// Does the document hide it?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Its cells, by column.
    pub cells: Vec<GridCell>,
}

/// A cell of a sheet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GridCell {
    /// From 0.
    pub column: u32,
    /// What it shows, in its number format.
    pub text: String,
    /// Its value, where it shows something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Its formula, without the equals sign; the value is the one that was saved last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// What kind of value it is.
    #[serde(default, skip_serializing_if = "CellKind::is_text")]
    pub kind: CellKind,
}

/// What kind of value a cell holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    /// Text.
    #[default]
    Text,
    /// A number.
    Number,
    /// A date, a time, or a length of time.
    Date,
    /// True or false.
    Boolean,
    /// An error such as `#DIV/0!`.
    Error,
}

impl CellKind {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    fn is_text(&self) -> bool {
        *self == Self::Text
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Cells of a sheet that are one; both corners belong to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Merged {
    /// First row.
    pub top: u32,
    /// First column.
    pub left: u32,
    /// Last row.
    pub bottom: u32,
    /// Last column.
    pub right: u32,
}

/// Neighbouring columns of one width.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GridColumns {
    /// The first, from 0.
    pub first: u32,
    /// The last.
    pub last: u32,
    /// In characters of the sheet's font.
    pub width: Option<f64>,
    /// Does the document hide them?
    pub hidden: bool,
}

/// The text of a document, as it can be searched and read aloud.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentText {
    /// The format, as [`crate::probe::Probe::format`].
    pub format: String,
    /// All of it, in reading order.
    pub text: String,
    /// Was the rest left out because it is too long?
    pub truncated: bool,
    /// The pages of a PDF, counted from 1, whose text cannot be read. They are empty in `text`.
    pub unread_pages: Vec<u32>,
}

/// What a view can leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotShown {
    /// Comments in the margin.
    Comments,
    /// Insertions and deletions under review; the text is shown as if all were accepted.
    TrackedChanges,
    /// Charts and diagrams.
    Charts,
    /// Formulas of mathematics.
    Equations,
    /// Headers and footers.
    Headers,
    /// Footnotes and endnotes.
    Footnotes,
    /// Pictures: their places are shown, not the pictures.
    Images,
    /// Number formats, where a value is shown plainly.
    NumberFormats,
    /// Where things stand on the page or slide.
    Layout,
    /// Text boxes and shapes.
    Shapes,
    /// Hidden sheets.
    HiddenSheets,
    /// Embedded sound or video.
    Media,
    /// Scripts and macros.
    Scripts,
    /// SmartArt diagrams.
    SmartArt,
    /// Files of other programs inside the document.
    EmbeddedObjects,
    /// Pictures, styles or fonts that lie outside and are not fetched.
    ExternalContent,
    /// Hidden rows or columns.
    HiddenRows,
    /// Looks that depend on values.
    ConditionalFormats,
    /// Colours, borders and fonts of cells.
    CellStyles,
    /// Pivot tables: their saved cells are shown.
    PivotTables,
    /// Values that come from other workbooks: the saved ones are shown.
    ExternalLinks,
    /// Movement and transitions of slides.
    Animations,
    /// Hidden slides.
    HiddenSlides,
    /// Fields such as page numbers and contents: their last values are shown.
    Fields,
    /// Forms: what was filled in is drawn, nothing can be filled in.
    Forms,
    /// Files attached to the document.
    Attachments,
    /// Layers that can be switched on and off.
    Layers,
    /// Links, which do not act here.
    Links,
    /// Digital signatures, which are not verified.
    Signatures,
    /// Characters that the encoding cannot hold; they show as a replacement mark.
    Undecodable,
}

impl DocumentView {
    /// All text, in reading order, a block on a line, cells separated by tabs.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            if !part.title.is_empty() {
                text.push_str(&part.title);
                text.push('\n');
            }
            for block in &part.blocks {
                block.write_text(&mut text);
            }
        }
        text
    }
}

impl Block {
    fn write_text(&self, to: &mut String) {
        let runs = |to: &mut String, runs: &[Run]| {
            for run in runs {
                to.push_str(&run.text);
            }
            to.push('\n');
        };
        match self {
            Self::Heading { text, .. } | Self::Code { text } | Self::Notes { text } => {
                to.push_str(text);
                to.push('\n');
            }
            Self::Paragraph { runs: all } => runs(to, all),
            Self::List { items, .. } => items.iter().for_each(|item| runs(to, &item.runs)),
            Self::Table { rows } => {
                for row in rows {
                    let cells: Vec<&str> = row.iter().map(|cell| cell.text.as_str()).collect();
                    to.push_str(&cells.join("\t"));
                    to.push('\n');
                }
            }
            Self::Grid(grid) => grid.write_text(to),
            Self::Image { alt, .. } if alt.is_empty() => {}
            Self::Image { alt, .. } => {
                to.push_str(alt);
                to.push('\n');
            }
        }
    }
}

impl Grid {
    fn write_text(&self, to: &mut String) {
        for row in &self.rows {
            let mut column = 0;
            for cell in &row.cells {
                // A far cell needs no thousands of tabs before it.
                let gap = cell.column.saturating_sub(column).min(64) as usize;
                to.extend(std::iter::repeat_n('\t', gap));
                to.push_str(&cell.text);
                column = cell.column;
            }
            to.push('\n');
        }
    }
}
