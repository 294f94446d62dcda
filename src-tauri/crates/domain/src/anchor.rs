//! Where a comment points: a place in a response or in the inputs of its prompt that can be shown again.

use crate::{BlobHash, Count};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Longest quote of a text anchor, in characters.
const LONGEST_QUOTE: usize = 2_000;

/// One piece of evidence for a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Anchor {
    /// The asset that it lies in; none for the response's own text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asset: Option<BlobHash>,
    /// Where in it.
    pub at: AnchorPlace,
}

/// A place in a text, picture, sound, video, document or sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AnchorPlace {
    /// A span of text as it was shown, formatted: characters (Unicode code points) from 0, the end not included.
    Text {
        /// The first character.
        start: Count,
        /// Behind the last one.
        end: Count,
        /// The words themselves: they find the span again where the counting differs.
        quote: String,
    },
    /// A box on a picture, in its own pixels, upright.
    Box {
        /// Frame or page of the picture, from 1.
        frame: Count,
        /// Left edge.
        x: Count,
        /// Upper edge.
        y: Count,
        /// Width.
        width: Count,
        /// Height.
        height: Count,
    },
    /// A moment (`from_ms` = `to_ms`) or a stretch of a sound or video.
    Time {
        /// Where it begins, ms.
        from_ms: Count,
        /// Where it ends, ms.
        to_ms: Count,
    },
    /// A region of a page, in thousandths of the page's width and height.
    Page {
        /// The page, from 1.
        page: Count,
        /// Left edge.
        left: Count,
        /// Upper edge.
        top: Count,
        /// Width.
        width: Count,
        /// Height.
        height: Count,
    },
    /// Cells of a sheet.
    Cells {
        /// The sheet, from 1.
        sheet: Count,
        /// `B4`, or `B4:C7`.
        cells: String,
    },
}

impl Anchor {
    /// What is wrong with it, as a sentence's end; none when it can be shown.
    pub fn problem(&self) -> Option<&'static str> {
        match &self.at {
            AnchorPlace::Text { start, end, quote } => {
                if end <= start || quote.trim().is_empty() {
                    Some("marks no text")
                } else if quote.chars().count() > LONGEST_QUOTE {
                    Some("quotes more than 2,000 characters")
                } else {
                    None
                }
            }
            _ if self.asset.is_none() => Some("names no asset"),
            AnchorPlace::Box { frame, width, height, .. } => {
                (frame.get() == 0 || width.get() == 0 || height.get() == 0).then_some("marks no box")
            }
            AnchorPlace::Time { from_ms, to_ms } => (to_ms < from_ms).then_some("ends before it begins"),
            AnchorPlace::Page { page, left, top, width, height } => {
                let outside = left.get().saturating_add(width.get()) > 1_000
                    || top.get().saturating_add(height.get()) > 1_000
                    || page.get() == 0;
                (outside || width.get() == 0 || height.get() == 0).then_some("marks no part of a page")
            }
            AnchorPlace::Cells { sheet, cells } => {
                (sheet.get() == 0 || !are_cells(cells)).then_some("marks no cell")
            }
        }
    }
}

/// `B4` or `B4:C7`.
fn are_cells(text: &str) -> bool {
    let one = |cell: &str| {
        let digits = cell.trim_start_matches(|c: char| c.is_ascii_uppercase());
        (1..=3).contains(&(cell.len() - digits.len()))
            && (1..=7).contains(&digits.len())
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !digits.starts_with('0')
    };
    match text.split_once(':') {
        Some((first, last)) => one(first) && one(last),
        None => one(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(asset: Option<u8>, at: &str) -> Option<&'static str> {
        let asset = asset.map(|byte| BlobHash::from_bytes([byte; 32]));
        Anchor { asset, at: serde_json::from_str(at).expect("a place") }.problem()
    }

    #[test]
    fn what_cannot_be_shown_is_said() {
        let text = r#"{"kind":"text","start":4,"end":9,"quote":"boats"}"#;
        assert_eq!(problem(None, text), None, "the response's own text is no asset");
        assert_eq!(problem(Some(1), text), None, "a document has text too");
        let empty = r#"{"kind":"text","start":4,"end":4,"quote":"boats"}"#;
        assert_eq!(problem(None, empty), Some("marks no text"), "a caret is no span");
        let moment = r#"{"kind":"time","from_ms":1500,"to_ms":1500}"#;
        assert_eq!(problem(Some(1), moment), None, "a moment");
        assert_eq!(problem(None, moment), Some("names no asset"), "a time without a sound");
        let back = r#"{"kind":"time","from_ms":2,"to_ms":1}"#;
        assert_eq!(problem(Some(1), back), Some("ends before it begins"), "a stretch has a direction");
        let page = r#"{"kind":"page","page":3,"left":600,"top":0,"width":401,"height":10}"#;
        assert_eq!(problem(Some(1), page), Some("marks no part of a page"), "it reaches over the edge");
        let flat = r#"{"kind":"box","frame":1,"x":0,"y":0,"width":0,"height":9}"#;
        assert_eq!(problem(Some(1), flat), Some("marks no box"), "a line is no box");
        for (cells, fine) in [
            ("B4", true),
            ("B4:C7", true),
            ("AAA1048576", true),
            ("4B", false),
            ("B0", false),
            ("b4", false),
            ("B4:", false),
            ("", false),
        ] {
            let at = format!(r#"{{"kind":"cells","sheet":1,"cells":"{cells}"}}"#);
            assert_eq!(problem(Some(1), &at).is_none(), fine, "{cells:?}");
        }
    }
}
