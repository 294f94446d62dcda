//! Numbers and dates of a sheet as its number formats show them.

use super::CellKind;
use calamine::Style;
use ssfmt::{DateSystem, FormatOptions, NumberFormat};
use std::collections::HashMap;

/// The number formats of a workbook, each read once.
pub(super) struct Formats {
    by_style: HashMap<usize, Option<(NumberFormat, bool)>>,
    options: FormatOptions,
}

impl Formats {
    pub(super) fn new(since_1904: bool) -> Self {
        let date_system = if since_1904 { DateSystem::Date1904 } else { DateSystem::Date1900 };
        Self { by_style: HashMap::new(), options: FormatOptions { date_system, ..FormatOptions::default() } }
    }

    /// What a number shows in a style, and whether it is a date. A format that cannot be read shows the plain number.
    pub(super) fn show(&mut self, value: f64, style: usize, styles: &[Style]) -> (String, CellKind) {
        let format = self.by_style.entry(style).or_insert_with(|| {
            let code = &styles.get(style)?.number_format.as_ref()?.format_code;
            if code.eq_ignore_ascii_case("general") || code == "@" {
                return None;
            }
            let format = NumberFormat::parse(code).ok()?;
            let date = format.is_date_format();
            Some((format, date))
        });
        let Some((format, date)) = format else { return (plain(value), CellKind::Number) };
        let shown = format.try_format(value, &self.options);
        // Padding of a column's width means nothing without that width.
        let shown = shown.map_or_else(|_| plain(value), |text| text.trim().to_owned());
        (shown, if *date { CellKind::Date } else { CellKind::Number })
    }
}

/// A number as the format "General" shows it: at most 11 digits, no trailing zeros.
pub(super) fn plain(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    ssfmt::format_default(value, "General").unwrap_or_else(|_| value.to_string())
}

/// The value itself, with all its digits.
pub(super) fn exact(value: f64) -> String {
    value.to_string()
}
