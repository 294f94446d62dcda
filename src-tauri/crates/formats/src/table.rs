//! A table of results, and its three forms: CSV (RFC 4180, UTF-8, guarded against formulas), Markdown, JSON.

use crate::guard;
use serde::Serialize;
use std::io::{self, Write};

/// One cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A number; one that is not finite is written as missing.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// No value: empty in CSV and Markdown, null in JSON.
    Missing,
}
impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
impl From<u64> for Cell {
    fn from(n: u64) -> Self {
        Self::Count(n)
    }
}
impl From<f64> for Cell {
    fn from(n: f64) -> Self {
        if n.is_finite() { Self::Number(n) } else { Self::Missing }
    }
}
impl From<bool> for Cell {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}
impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

impl Cell {
    /// The cell as text, numbers with as many digits as they need to be read back the same.
    fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(n) => n.to_string(),
            Self::Number(n) if n.is_finite() => n.to_string(),
            Self::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Self::Number(_) | Self::Missing => String::new(),
        }
    }
}

/// Columns and rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

/// A form of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableForm {
    /// Comma-separated values.
    Csv,
    /// A Markdown table.
    Markdown,
    /// `{"columns":[…],"rows":[[…]]}`.
    Json,
}

impl Table {
    /// An empty table.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }
    /// Writes the table in a form.
    pub fn write(&self, form: TableForm, output: &mut dyn Write) -> io::Result<()> {
        match form {
            TableForm::Csv => self.csv(output),
            TableForm::Markdown => self.markdown(output),
            TableForm::Json => {
                serde_json::to_writer(&mut *output, self)?;
                output.write_all(b"\n")
            }
        }
    }
    fn csv(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut sheet = Sheet::new(output, &self.columns)?;
        self.rows.iter().try_for_each(|row| sheet.row(row))
    }
    fn markdown(&self, output: &mut dyn Write) -> io::Result<()> {
        let is_number = |at: usize| {
            self.rows.iter().all(|row| !matches!(row.get(at), Some(Cell::Text(_) | Cell::Flag(_))))
                && self.rows.iter().any(|row| !matches!(row.get(at), None | Some(Cell::Missing)))
        };
        let columns: Vec<String> = self.columns.iter().map(|name| escaped(name)).collect();
        writeln!(output, "| {} |", columns.join(" | "))?;
        let rules: Vec<&str> =
            (0..columns.len()).map(|at| if is_number(at) { "---:" } else { "---" }).collect();
        writeln!(output, "| {} |", rules.join(" | "))?;
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| escaped(&cell.plain())).collect();
            writeln!(output, "| {} |", cells.join(" | "))?;
        }
        Ok(())
    }
}

/// A text that stays one cell of a Markdown table and brings no markup of its own.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' => out.extend(['\\', c]),
            '\n' => out.push_str("<br>"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A CSV file being written, row by row.
pub(crate) struct Sheet<W: Write> {
    writer: csv::Writer<W>,
}
impl<W: Write> Sheet<W> {
    pub(crate) fn new<S: AsRef<str>>(output: W, columns: &[S]) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(output);
        writer.write_record(columns.iter().map(|name| guard(name.as_ref()).into_owned()))?;
        Ok(Self { writer })
    }
    pub(crate) fn row(&mut self, cells: &[Cell]) -> io::Result<()> {
        self.writer.write_record(cells.iter().map(|cell| match cell {
            Cell::Text(text) => guard(text).into_owned(),
            other => other.plain(),
        }))?;
        self.writer.flush()
    }
}
