//! Pieces of a page: escaped text, tables, numbers as people read them. Everything that comes from a study goes through
//! [`esc`]; nothing of it is ever markup.

use crate::figures;
pub(super) use crate::figures::NONE;
use ::agreement::Coefficient;
use std::fmt::Write as _;

/// A text as HTML prints it.
pub(super) fn esc(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() && c != '\n' && c != '\t' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// With a true minus, as print has it.
fn printed(text: &str) -> String {
    text.replace('-', "−")
}

/// A share in per cent with one decimal.
pub(super) fn percent(value: Option<f64>) -> String {
    printed(&figures::percent(value))
}

/// A coefficient with two decimals.
pub(super) fn two(value: Option<f64>) -> String {
    printed(&figures::two(value))
}

/// A coefficient or its error with three decimals.
pub(super) fn three(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| printed(&figures::fixed(value, 3)))
}

/// An interval by `show`, or nothing.
pub(super) fn ends(interval: Option<[f64; 2]>, show: fn(Option<f64>) -> String) -> String {
    figures::interval(interval, show).unwrap_or_else(|| NONE.to_owned())
}

/// The value, or why there is none.
pub(super) fn or_reason(coefficient: &Coefficient, show: fn(Option<f64>) -> String) -> String {
    match (&coefficient.value, &coefficient.undefined) {
        (Some(value), _) => show(Some(*value)),
        (None, Some(reason)) => format!("undefined: {reason}"),
        (None, None) => NONE.to_owned(),
    }
}

/// A number with commas.
pub(super) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A table to be shown: a caption, heads, rows of text. The first column names the row; the others are figures unless `words`.
pub(super) struct Shown {
    pub caption: String,
    pub heads: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Places of columns of words besides the first.
    pub words: Vec<usize>,
    /// Is the last row a total?
    pub total: bool,
}

impl Shown {
    pub fn new<const N: usize>(caption: impl Into<String>, heads: [&str; N]) -> Self {
        Self {
            caption: caption.into(),
            heads: heads.map(str::to_owned).to_vec(),
            rows: Vec::new(),
            words: Vec::new(),
            total: false,
        }
    }

    /// The table as HTML; nothing without rows.
    pub fn html(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let class = |at: usize| if at == 0 || self.words.contains(&at) { "" } else { " class=\"n\"" };
        let mut out =
            format!("<div class=\"scroll\"><table><caption>{}</caption><thead><tr>", esc(&self.caption));
        for (at, head) in self.heads.iter().enumerate() {
            let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(at), esc(head));
        }
        out.push_str("</tr></thead><tbody>\n");
        for (row, cells) in self.rows.iter().enumerate() {
            let sum = self.total && row + 1 == self.rows.len();
            out.push_str(if sum { "<tr class=\"sum\">" } else { "<tr>" });
            for (at, cell) in cells.iter().enumerate() {
                let _ = if at == 0 {
                    write!(out, "<th scope=\"row\">{}</th>", esc(cell))
                } else {
                    write!(out, "<td{}>{}</td>", class(at), esc(cell))
                };
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></div>\n");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_study_is_markup() {
        let mut table = Shown::new("<b>", ["model", "n"]);
        table.rows.push(vec!["<script>alert('x')</script>".to_owned(), "1".to_owned()]);
        let html = table.html();
        assert!(!html.contains("<script") && !html.contains("<b>"), "names are shown as they are: {html}");
        assert!(html.contains("&lt;script&gt;alert(&#39;x&#39;)"), "wholly");
    }

    #[test]
    fn figures_read_as_in_papers() {
        assert_eq!((two(Some(-0.001)), two(Some(-0.053))), ("0.00".to_owned(), "−0.05".to_owned()), "minus");
        assert_eq!((percent(Some(0.732)), percent(None)), ("73.2".to_owned(), "–".to_owned()), "per cent");
        assert_eq!(
            (percent(Some(-0.037)), three(Some(-0.0205))),
            ("−3.7".to_owned(), "−0.021".to_owned()),
            "minus"
        );
        assert_eq!((count(999), count(1_234_567)), ("999".to_owned(), "1,234,567".to_owned()), "commas");
    }
}
