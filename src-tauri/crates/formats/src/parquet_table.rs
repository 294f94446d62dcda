//! A table as Parquet: each column has the narrowest type that holds all its cells; what is missing is null.

use crate::{Cell, Table};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use std::{
    io::{self, Write},
    sync::Arc,
};

/// The type of a column. Counts beyond what a signed number holds make it one of numbers; a column of several kinds, or of
/// nothing but missing cells, is text.
fn type_of(table: &Table, column: usize) -> DataType {
    let mut found: Option<DataType> = None;
    for row in &table.rows {
        let own = match row.get(column) {
            None | Some(Cell::Missing) => continue,
            Some(Cell::Text(_)) => DataType::Utf8,
            Some(Cell::Flag(_)) => DataType::Boolean,
            Some(Cell::Count(n)) if i64::try_from(*n).is_ok() => DataType::Int64,
            Some(Cell::Count(_) | Cell::Number(_)) => DataType::Float64,
        };
        found = Some(match found {
            None => own,
            Some(known) if known == own => own,
            Some(DataType::Int64 | DataType::Float64)
                if matches!(own, DataType::Int64 | DataType::Float64) =>
            {
                DataType::Float64
            }
            Some(_) => return DataType::Utf8,
        });
    }
    found.unwrap_or(DataType::Utf8)
}

fn array(table: &Table, column: usize, kind: &DataType) -> ArrayRef {
    let cells = || table.rows.iter().map(|row| row.get(column).unwrap_or(&Cell::Missing));
    match kind {
        DataType::Boolean => Arc::new(
            cells()
                .map(|cell| if let Cell::Flag(flag) = cell { Some(*flag) } else { None })
                .collect::<BooleanArray>(),
        ),
        DataType::Int64 => Arc::new(
            cells()
                .map(|cell| if let Cell::Count(n) = cell { i64::try_from(*n).ok() } else { None })
                .collect::<Int64Array>(),
        ),
        DataType::Float64 => Arc::new(
            cells()
                .map(|cell| match cell {
                    Cell::Number(n) => Some(*n),
                    Cell::Count(n) => Some(*n as f64),
                    _ => None,
                })
                .collect::<Float64Array>(),
        ),
        _ => Arc::new(
            cells()
                .map(|cell| if *cell == Cell::Missing { None } else { Some(cell.plain()) })
                .collect::<StringArray>(),
        ),
    }
}

/// Writes the table.
pub(crate) fn write(table: &Table, output: &mut dyn Write) -> io::Result<()> {
    let kinds: Vec<DataType> = (0..table.columns.len()).map(|column| type_of(table, column)).collect();
    let fields: Vec<Field> =
        table.columns.iter().zip(&kinds).map(|(name, kind)| Field::new(name, kind.clone(), true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let arrays = kinds.iter().enumerate().map(|(column, kind)| array(table, column, kind)).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, schema, None).map_err(io::Error::other)?;
    writer.write(&batch).map_err(io::Error::other)?;
    writer.close().map_err(io::Error::other)?;
    output.write_all(&bytes)
}

#[cfg(test)]
mod tests {
    //! What was written is read back with its types.
    use super::*;
    use arrow_array::{Array, cast::AsArray, types as t};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    #[test]
    fn a_table_comes_back_with_its_types_and_nulls() {
        let mut table = Table::new(["name", "count", "share", "is", "mixed", "nothing"]);
        table.rows.push(vec!["a".into(), 3_u64.into(), 0.5.into(), true.into(), 1_u64.into(), Cell::Missing]);
        table.rows.push(vec![
            "=b, “c”".into(),
            Cell::Missing,
            2_u64.into(),
            false.into(),
            "x".into(),
            Cell::Missing,
        ]);
        let mut bytes = Vec::new();
        write(&table, &mut bytes).unwrap();
        let mut reader =
            ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap().build().unwrap();
        let batch = reader.next().unwrap().unwrap();
        assert_eq!(batch.num_rows(), 2, "both rows are there");
        let text = |at: usize| batch.column(at).as_string::<i32>().clone();
        assert_eq!(text(0).value(1), "=b, “c”", "a text is itself: no guard against formulas, no quotes");
        let counts = batch.column(1).as_primitive::<t::Int64Type>();
        assert_eq!((counts.value(0), counts.is_null(1)), (3, true), "whole numbers, and a null");
        let shares = batch.column(2).as_primitive::<t::Float64Type>();
        assert_eq!((shares.value(0), shares.value(1)), (0.5, 2.0), "counts among numbers are numbers");
        assert!(batch.column(3).as_boolean().value(0), "yes is true");
        assert_eq!((text(4).value(0), text(4).value(1)), ("1", "x"), "a column of several kinds is text");
        assert!(text(5).is_null(0) && text(5).is_null(1), "a column of nothing is all null");
    }
}
