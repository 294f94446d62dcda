//! Sheets: csv, xlsx and ods as sparse grids of what their cells show, with the values and formulas behind.
//!
//! Cells are read as a stream and kept by their place, so that one cell in the last row of a sheet costs one cell.

use super::{
    Block, CellKind, DocumentView, Grid, GridCell, GridColumns, GridRow, Merged, NotShown, Part, Room,
    number::{self, Formats},
    package::{Package, attribute, beside, each_tag},
    text,
};
use crate::worker::{Input, ReadSeek};
use calamine::{Data, DataRef, Ods, Reader, SheetVisible, Xlsx};
use std::collections::{BTreeMap, BTreeSet};

/// What a cell takes of the room besides its words: its place and kind, so that a view of small cells can be sent.
const CELL: usize = 8;

/// The records of a text.
fn records(text: &str) -> impl Iterator<Item = csv::StringRecord> {
    let reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .from_reader(text.as_bytes());
    // The text is UTF-8 and any count of cells is taken, so no record fails.
    reader.into_records().map_while(Result::ok)
}

/// The text of a csv: cells parted by tabs, records by lines.
pub(super) fn csv_text(bytes: &[u8], encoding: Option<&str>) -> String {
    let decoded = text::decode(bytes, encoding);
    let mut text = String::with_capacity(decoded.text.len());
    for record in records(&decoded.text) {
        if !text.is_empty() {
            text.push('\n');
        }
        for (column, cell) in record.iter().enumerate() {
            if column > 0 {
                text.push('\t');
            }
            text.push_str(cell);
        }
    }
    text
}

pub(super) fn csv(bytes: &[u8], encoding: Option<&str>, room: &mut Room) -> DocumentView {
    let decoded = text::decode(bytes, encoding);
    let mut grid = Grid::default();
    for (index, record) in (0_u32..).zip(records(&decoded.text)) {
        let cells = record.iter().filter(|cell| !cell.is_empty()).count();
        if !room.take(record.as_slice().len() + record.len() + cells * CELL) {
            break;
        }
        let cells: Vec<GridCell> = (0_u32..)
            .zip(record.iter())
            .filter(|(_, cell)| !cell.is_empty())
            .map(|(column, cell)| GridCell {
                column,
                text: cell.to_owned(),
                kind: if is_number(cell) { CellKind::Number } else { CellKind::Text },
                ..GridCell::default()
            })
            .collect();
        grid.row_count = index + 1;
        grid.column_count = grid.column_count.max(u32::try_from(record.len()).unwrap_or(u32::MAX));
        grid.rows.push(GridRow { index, hidden: false, cells });
    }
    let part = Part { blocks: vec![Block::Grid(grid)], ..Part::default() };
    DocumentView {
        parts: vec![part],
        encoding: Some(decoded.encoding.to_owned()),
        not_shown: if decoded.damaged { vec![NotShown::Undecodable] } else { Vec::new() },
        ..DocumentView::default()
    }
}

/// The mark between cells: that of comma, semicolon, tab and bar which splits the first lines most evenly.
fn delimiter(text: &str) -> u8 {
    let lines: Vec<&str> = text.lines().take(20).filter(|line| !line.is_empty()).collect();
    let count = |line: &str, mark: char| {
        let mut quoted = false;
        line.chars()
            .filter(|&c| {
                quoted ^= c == '"';
                c == mark && !quoted
            })
            .count()
    };
    let rank = |mark: char| {
        let first = lines.first().map_or(0, |line| count(line, mark));
        let alike = lines.iter().filter(|line| count(line, mark) == first).count();
        if first == 0 { (0, 0) } else { (alike, first) }
    };
    // Of equals, the one named last wins: the comma.
    let best = ['|', '\t', ';', ','].into_iter().max_by_key(|mark| rank(*mark)).unwrap_or(',');
    u8::try_from(best).unwrap_or(b',')
}

fn is_number(cell: &str) -> bool {
    // "inf" and "nan" parse too, and are words here.
    cell.trim().parse::<f64>().is_ok_and(f64::is_finite)
}

pub(super) fn xlsx(input: &Input, room: &mut Room) -> Result<DocumentView, String> {
    let bad = |e: calamine::XlsxError| format!("the workbook cannot be read: {e}");
    let mut book: Xlsx<Box<dyn ReadSeek>> = Xlsx::new(input.open()?).map_err(bad)?;
    let mut package = Package::open(input)?;
    let mut view = DocumentView::default();
    let paths = sheet_paths(&mut package);
    let mut formats = Formats::new(book.has_1904_epoch());
    let sheets: Vec<(String, bool)> =
        book.sheets_metadata().iter().map(|s| (s.name.clone(), s.visible != SheetVisible::Visible)).collect();
    for (title, hidden) in sheets {
        if hidden {
            view.not_shown.push(NotShown::HiddenSheets);
        }
        let Ok(mut cells) = cells_of(&mut book, &title, &mut formats, room) else {
            // A sheet that is a chart has no cells.
            view.not_shown.push(NotShown::Charts);
            continue;
        };
        formulas(&mut book, &title, &mut cells, room);
        let mut grid = assemble(cells);
        // A sheet that unpacks to more than an entry may is shown by its first cells alone.
        if let Some(path) = paths.get(&title)
            && let Ok(xml) = package.text(path)
        {
            let merged = book.merge_cells_by_sheet_name(&title).unwrap_or_default();
            grid.merged = merged
                .iter()
                .take(100_000)
                .map(|m| Merged { top: m.start.0, left: m.start.1, bottom: m.end.0, right: m.end.1 })
                .collect();
            looks(&xml, &mut grid, &mut view.not_shown);
        }
        view.parts.push(Part { title, hidden, blocks: vec![Block::Grid(grid)] });
    }
    super::holds::workbook(&mut package, &mut view);
    Ok(view)
}

type Cells = BTreeMap<(u32, u32), GridCell>;

fn cells_of(
    book: &mut Xlsx<Box<dyn ReadSeek>>,
    sheet: &str,
    formats: &mut Formats,
    room: &mut Room,
) -> Result<Cells, calamine::XlsxError> {
    let mut reader = book.worksheet_cells_reader(sheet)?;
    let mut cells = Cells::new();
    while let Some((cell, style)) = reader.next_cell_with_style_id()? {
        let (row, column) = cell.get_position();
        let Some(mut shown) = shown(cell.get_value(), style, reader.styles(), formats) else { continue };
        shown.column = column;
        if !room.take(shown.text.len() + shown.value.as_ref().map_or(0, String::len) + CELL) {
            break;
        }
        cells.insert((row, column), shown);
    }
    Ok(cells)
}

/// Adds the formulas; a formula without a saved value gets a cell too. Of a sheet that was cut, only those up to the cut.
fn formulas(book: &mut Xlsx<Box<dyn ReadSeek>>, sheet: &str, cells: &mut Cells, room: &mut Room) {
    let Ok(mut reader) = book.worksheet_cells_reader(sheet) else { return };
    let cut = cells.last_key_value().filter(|_| room.over).map(|(place, _)| *place);
    // What cannot be read of a formula costs the formula; its value was read before.
    while let Ok(Some(cell)) = reader.next_formula() {
        if cut.is_some_and(|cut| cell.get_position() > cut) {
            break;
        }
        let formula = cell.get_value();
        if formula.is_empty() {
            continue;
        }
        if !room.take(formula.len()) {
            break;
        }
        let (row, column) = cell.get_position();
        let found = cells.entry((row, column)).or_insert_with(|| GridCell { column, ..GridCell::default() });
        found.formula = Some(formula.clone());
    }
}

fn shown(
    value: &DataRef,
    style: usize,
    styles: &[calamine::Style],
    formats: &mut Formats,
) -> Option<GridCell> {
    let of_text = |text: String, kind| Some(GridCell { text, kind, ..GridCell::default() });
    let mut of_number = |number: f64| {
        let (text, kind) = formats.show(number, style, styles);
        let exact = number::exact(number);
        Some(GridCell { value: (exact != text).then_some(exact), text, kind, ..GridCell::default() })
    };
    match value {
        DataRef::Empty => None,
        #[allow(clippy::cast_precision_loss, reason = "a sheet's numbers are doubles")]
        DataRef::Int(number) => of_number(*number as f64),
        DataRef::Float(number) => of_number(*number),
        DataRef::DateTime(when) => of_number(when.as_f64()),
        DataRef::Bool(yes) => of_text(if *yes { "TRUE" } else { "FALSE" }.to_owned(), CellKind::Boolean),
        DataRef::Error(error) => of_text(error.to_string(), CellKind::Error),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => of_text(text.clone(), CellKind::Date),
        DataRef::String(text) => of_text(text.clone(), CellKind::Text),
        DataRef::SharedString(text) => of_text((*text).to_owned(), CellKind::Text),
    }
}

fn assemble(cells: Cells) -> Grid {
    let mut grid = Grid::default();
    for ((index, column), cell) in cells {
        grid.column_count = grid.column_count.max(column.saturating_add(1));
        match grid.rows.last_mut() {
            Some(row) if row.index == index => row.cells.push(cell),
            _ => grid.rows.push(GridRow { index, hidden: false, cells: vec![cell] }),
        }
    }
    grid.row_count = grid.rows.last().map_or(0, |row| row.index.saturating_add(1));
    grid
}

/// The part of each sheet, by its name.
fn sheet_paths(package: &mut Package) -> BTreeMap<String, String> {
    let book = "xl/workbook.xml";
    let relations = package.relations(book);
    let mut paths = BTreeMap::new();
    if let Ok(xml) = package.text(book) {
        // Without the paths, widths and what is hidden are not known; the cells are read all the same.
        let _ = each_tag(&xml, |tag| {
            if tag.local_name().as_ref() == "sheet"
                && let (Some(name), Some(id)) = (attribute(tag, "name"), attribute(tag, "r:id"))
                && let Some(relation) = relations.get(&id)
            {
                paths.insert(name, beside(book, &relation.target));
            }
        });
    }
    paths
}

/// Widths, what is hidden, and what the sheet holds besides cells.
fn looks(xml: &str, grid: &mut Grid, not_shown: &mut Vec<NotShown>) {
    let number = |tag: &quick_xml::events::BytesStart, name: &str| -> Option<u32> {
        attribute(tag, name).and_then(|n| n.parse().ok())
    };
    let mut hidden_rows = BTreeSet::new();
    let mut next = 0;
    // A sheet whose end is broken keeps what was found until there.
    let _ = each_tag(xml, |tag| match tag.local_name().as_ref() {
        "row" => {
            let index = number(tag, "r").map_or(next, |r| r.saturating_sub(1));
            next = index.saturating_add(1);
            if yes(attribute(tag, "hidden")) {
                hidden_rows.insert(index);
            }
        }
        "col" => {
            let (Some(first), Some(last)) = (number(tag, "min"), number(tag, "max")) else { return };
            let width = attribute(tag, "width").and_then(|w| w.parse::<f64>().ok());
            let hidden = yes(attribute(tag, "hidden"));
            if hidden {
                not_shown.push(NotShown::HiddenRows);
            }
            if grid.columns.len() < 20_000 {
                let (first, last) = (first.saturating_sub(1), last.saturating_sub(1));
                let width = width.filter(|w| w.is_finite() && *w >= 0.0);
                grid.columns.push(GridColumns { first, last, width, hidden });
            }
        }
        "pane" if attribute(tag, "state").is_some_and(|state| state.starts_with("frozen")) => {
            grid.frozen_rows = attribute(tag, "ySplit").and_then(|y| y.parse().ok()).unwrap_or(0).min(50);
        }
        "conditionalFormatting" => not_shown.push(NotShown::ConditionalFormats),
        "sparkline" => not_shown.push(NotShown::Charts),
        "hyperlink" => not_shown.push(NotShown::Links),
        "oleObject" => not_shown.push(NotShown::EmbeddedObjects),
        "picture" => not_shown.push(NotShown::Images),
        _ => {}
    });
    if !hidden_rows.is_empty() {
        not_shown.push(NotShown::HiddenRows);
        for row in &mut grid.rows {
            row.hidden = hidden_rows.contains(&row.index);
        }
    }
}

/// Is a flag of XML set?
fn yes(value: Option<String>) -> bool {
    value.is_some_and(|v| v == "1" || v == "true")
}

pub(super) fn ods(input: &Input, room: &mut Room) -> Result<DocumentView, String> {
    let bad = |e: calamine::OdsError| format!("the workbook cannot be read: {e}");
    let mut book: Ods<Box<dyn ReadSeek>> = Ods::new(input.open()?).map_err(bad)?;
    let mut view = DocumentView {
        not_shown: vec![NotShown::NumberFormats, NotShown::CellStyles],
        ..DocumentView::default()
    };
    let sheets: Vec<(String, bool)> =
        book.sheets_metadata().iter().map(|s| (s.name.clone(), s.visible != SheetVisible::Visible)).collect();
    for (title, hidden) in sheets {
        if hidden {
            view.not_shown.push(NotShown::HiddenSheets);
        }
        let range = book.worksheet_range(&title).map_err(bad)?;
        let formulas = book.worksheet_formula(&title).unwrap_or_default();
        let (top, left) = range.start().unwrap_or_default();
        let mut cells = Cells::new();
        for (y, x, value) in range.used_cells() {
            let place = (top + u32::try_from(y).unwrap_or(0), left + u32::try_from(x).unwrap_or(0));
            let Some(mut cell) = ods_cell(value) else { continue };
            cell.column = place.1;
            cell.formula = formulas.get_value(place).filter(|f| !f.is_empty()).map(|f| bare(f).to_owned());
            if !room.take(cell.text.len() + cell.formula.as_ref().map_or(0, String::len) + CELL) {
                break;
            }
            cells.insert(place, cell);
        }
        view.parts.push(Part { title, hidden, blocks: vec![Block::Grid(assemble(cells))] });
    }
    Ok(view)
}

/// `of:=SUM([.A1:.A2])` without what stands before the formula.
fn bare(formula: &str) -> &str {
    formula.split_once('=').map_or(formula, |(_, rest)| rest)
}

fn ods_cell(value: &Data) -> Option<GridCell> {
    let of_text = |text: String, kind| Some(GridCell { text, kind, ..GridCell::default() });
    match value {
        Data::Empty => None,
        Data::Int(n) => of_text(n.to_string(), CellKind::Number),
        Data::Float(n) => of_text(number::plain(*n), CellKind::Number),
        Data::Bool(yes) => of_text(if *yes { "TRUE" } else { "FALSE" }.to_owned(), CellKind::Boolean),
        Data::Error(error) => of_text(error.to_string(), CellKind::Error),
        Data::DateTime(when) => of_text(number::plain(when.as_f64()), CellKind::Number),
        Data::DateTimeIso(text) | Data::DurationIso(text) => of_text(text.clone(), CellKind::Date),
        Data::String(text) => of_text(text.clone(), CellKind::Text),
    }
}

#[cfg(test)]
mod tests {
    use super::{bare, delimiter};

    #[test]
    fn the_mark_that_splits_lines_evenly_is_the_delimiter() {
        assert_eq!(delimiter("a,b\n1,2\n"), b',', "commas");
        assert_eq!(delimiter("a;b\n1,5;2,5\n3,5;1\n"), b';', "decimal commas do not split evenly");
        assert_eq!(delimiter("a\tb\n1\t2\n"), b'\t', "tabs");
        assert_eq!(delimiter("\"x;y;z\",b\n1,2\n"), b',', "what is quoted does not count");
        assert_eq!(delimiter("word\n"), b',', "nothing to split");
    }

    #[test]
    fn an_open_formula_is_shown_without_its_dialect() {
        assert_eq!(bare("of:=SUM([.A1:.A2])"), "SUM([.A1:.A2])", "the dialect is dropped");
    }
}
