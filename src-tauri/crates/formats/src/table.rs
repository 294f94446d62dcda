//! A table of results, and its forms: CSV (RFC 4180, UTF-8, guarded against formulas), Markdown, LaTeX, JSON, lines of JSON,
//! Parquet.

use crate::{guard, parquet_table};
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
    pub(crate) fn plain(&self) -> String {
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
    /// One object a line; what is missing is null.
    Jsonl,
    /// A LaTeX `tabular` with the rules of the booktabs package.
    Latex,
    /// Apache Parquet.
    Parquet,
}
impl TableForm {
    /// The forms that a file can have, by the ending of its name.
    pub const ENDINGS: [(&'static str, Self); 6] = [
        ("csv", Self::Csv),
        ("jsonl", Self::Jsonl),
        ("parquet", Self::Parquet),
        ("md", Self::Markdown),
        ("tex", Self::Latex),
        ("json", Self::Json),
    ];
    /// The ending of a file's name, without the dot.
    pub fn ending(self) -> &'static str {
        Self::ENDINGS.iter().find(|(_, form)| *form == self).map_or("txt", |(ending, _)| ending)
    }
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
            TableForm::Jsonl => self.lines(output),
            TableForm::Latex => self.latex(output),
            TableForm::Parquet => parquet_table::write(self, output),
        }
    }
    fn lines(&self, output: &mut dyn Write) -> io::Result<()> {
        for row in &self.rows {
            let line: Line<'_> = Line { columns: &self.columns, row };
            serde_json::to_writer(&mut *output, &line)?;
            output.write_all(b"\n")?;
        }
        Ok(())
    }
    fn is_of_numbers(&self, at: usize) -> bool {
        self.rows.iter().all(|row| !matches!(row.get(at), Some(Cell::Text(_) | Cell::Flag(_))))
            && self.rows.iter().any(|row| !matches!(row.get(at), None | Some(Cell::Missing)))
    }
    fn latex(&self, output: &mut dyn Write) -> io::Result<()> {
        let rules: String =
            (0..self.columns.len()).map(|at| if self.is_of_numbers(at) { 'r' } else { 'l' }).collect();
        writeln!(output, "\\begin{{tabular}}{{{rules}}}\n\\toprule")?;
        let line = |cells: Vec<String>| format!("{} \\\\", cells.join(" & "));
        writeln!(output, "{}", line(self.columns.iter().map(|name| tex(name)).collect()))?;
        writeln!(output, "\\midrule")?;
        for row in &self.rows {
            writeln!(output, "{}", line(row.iter().map(|cell| tex(&cell.plain())).collect()))?;
        }
        writeln!(output, "\\bottomrule\n\\end{{tabular}}")
    }
    fn csv(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut sheet = Sheet::new(output, &self.columns)?;
        self.rows.iter().try_for_each(|row| sheet.row(row))
    }
    fn markdown(&self, output: &mut dyn Write) -> io::Result<()> {
        let columns: Vec<String> = self.columns.iter().map(|name| escaped(name)).collect();
        writeln!(output, "| {} |", columns.join(" | "))?;
        let rules: Vec<&str> =
            (0..columns.len()).map(|at| if self.is_of_numbers(at) { "---:" } else { "---" }).collect();
        writeln!(output, "| {} |", rules.join(" | "))?;
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| escaped(&cell.plain())).collect();
            writeln!(output, "| {} |", cells.join(" | "))?;
        }
        Ok(())
    }
}

/// A row as an object, its keys in the order of the columns.
struct Line<'t> {
    columns: &'t [String],
    row: &'t [Cell],
}
impl Serialize for Line<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.columns.iter().zip(self.row))
    }
}

/// A text that LaTeX prints as it is.
fn tex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
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
