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
}

/// One part: a sheet, a slide, a page, or the whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// The name of the sheet, the title of the slide; empty where there is none.
    pub title: String,
    /// What it holds, in order.
    pub blocks: Vec<Block>,
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
    /// A table or the grid of a sheet.
    Table {
        /// Rows of cells.
        rows: Vec<Vec<Cell>>,
    },
    /// A picture stands here.
    Image {
        /// Its name inside the document.
        name: String,
        /// Its description, where the document has one.
        alt: String,
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
    /// Formulas of cells: their last values are shown.
    Formulas,
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
            Self::Image { alt, .. } if alt.is_empty() => {}
            Self::Image { alt, .. } => {
                to.push_str(alt);
                to.push('\n');
            }
        }
    }
}
