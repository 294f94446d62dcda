//! Workbooks and csv: sheets as grids of what their cells show.

use super::{Block, Cell, DocumentView, NotShown, Part, Room, text};
use crate::worker::{Input, ReadSeek};
use calamine::{Data, Dimensions, Reader, SheetVisible, Xlsx};

pub(super) fn csv(bytes: &[u8], room: &mut Room) -> DocumentView {
    let (text, encoding) = text::decode(bytes);
    let first = text.lines().next().unwrap_or_default();
    let count = |c: char| first.matches(c).count();
    let delimiter = [';', '\t'].into_iter().filter(|c| count(*c) > count(',')).max_by_key(|c| count(*c));
    let delimiter = delimiter.map_or(b',', |c| if c == ';' { b';' } else { b'\t' });
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        // The text is UTF-8 and any count of cells is taken, so no record fails.
        let Ok(record) = record else { break };
        if !room.take(record.as_slice().len() + record.len()) {
            break;
        }
        rows.push(
            record
                .iter()
                .map(|cell| Cell {
                    text: cell.to_owned(),
                    number: cell.trim().parse::<f64>().is_ok(),
                    colspan: None,
                })
                .collect(),
        );
    }
    DocumentView {
        parts: vec![Part { title: String::new(), blocks: vec![Block::Table { rows }] }],
        encoding: Some(encoding.to_owned()),
        ..DocumentView::default()
    }
}

pub(super) fn xlsx(input: &Input, room: &mut Room) -> Result<DocumentView, String> {
    let bad = |e: calamine::XlsxError| format!("the workbook cannot be read: {e}");
    let mut book: Xlsx<Box<dyn ReadSeek>> = Xlsx::new(input.open()?).map_err(bad)?;
    let mut view = DocumentView { not_shown: vec![NotShown::NumberFormats], ..DocumentView::default() };
    let sheets: Vec<(String, bool)> =
        book.sheets_metadata().iter().map(|s| (s.name.clone(), s.visible == SheetVisible::Visible)).collect();
    for (name, visible) in sheets {
        if !visible {
            view.not_shown.push(NotShown::HiddenSheets);
            continue;
        }
        let Ok(range) = book.worksheet_range(&name) else {
            view.not_shown.push(NotShown::Charts);
            continue;
        };
        if book.worksheet_formula(&name).is_ok_and(|all| all.used_cells().next().is_some()) {
            view.not_shown.push(NotShown::Formulas);
        }
        let merged = book.merge_cells_by_sheet_name(&name).unwrap_or_default();
        let mut rows = Vec::new();
        if let (Some((top, left)), Some((bottom, right))) = (range.start(), range.end()) {
            for y in 0..=bottom {
                let mut row = Vec::new();
                let mut x = 0;
                while x <= right && y >= top {
                    let cell = if x < left { Cell::default() } else { cell(range.get_value((y, x))) };
                    let span = colspan(&merged, y, x).min(right - x + 1);
                    let fits = room.take(cell.text.len() + 1);
                    row.push(Cell { colspan: (span > 1).then_some(span), ..cell });
                    if !fits {
                        break;
                    }
                    x += span;
                }
                rows.push(row);
                if room.over || !room.take(1) {
                    break;
                }
            }
        }
        view.parts.push(Part { title: name, blocks: vec![Block::Table { rows }] });
    }
    Ok(view)
}

fn colspan(merged: &[Dimensions], y: u32, x: u32) -> u32 {
    merged.iter().find(|m| m.start == (y, x)).map_or(1, |m| m.end.1.saturating_sub(x).saturating_add(1))
}

fn cell(value: Option<&Data>) -> Cell {
    let plain = |text: String| Cell { text, ..Cell::default() };
    match value {
        None | Some(Data::Empty) => Cell::default(),
        Some(value @ (Data::Int(_) | Data::Float(_))) => {
            Cell { text: value.to_string(), number: true, colspan: None }
        }
        Some(Data::DateTime(when)) => plain(date(when)),
        Some(Data::Bool(yes)) => plain(if *yes { "TRUE" } else { "FALSE" }.to_owned()),
        Some(other) => plain(other.to_string()),
    }
}

fn date(when: &calamine::ExcelDateTime) -> String {
    if when.is_duration() {
        return when.as_f64().to_string();
    }
    let (year, month, day, hour, minute, second, _) = when.to_ymd_hms_milli();
    if (hour, minute, second) == (0, 0, 0) {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }
}
