//! The formula guard of CSV. A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a line end as a
//! formula, so such a text is written with an apostrophe before it. So that nothing is lost on the way back, a text
//! that already begins with apostrophes before such a character gets one more; reading takes exactly one away from
//! a text of that form. Every other text, and every number, is written as it is.

use std::borrow::Cow;

fn runs(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
}

/// The text as a CSV cell holds it.
pub fn guard(text: &str) -> Cow<'_, str> {
    if runs(text.trim_start_matches('\'')) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// The text that a CSV cell stands for; undoes [`guard`].
pub fn unguard(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if runs(rest.trim_start_matches('\'')) => rest,
        _ => cell,
    }
}
