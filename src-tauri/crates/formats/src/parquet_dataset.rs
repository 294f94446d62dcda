//! MMI datasets in parquet, media and all. Only the known columns are read, a few rows at a time; each row becomes the
//! same tree that a line of JSON gives, so that both files are read by one rule (quirks Q46, Q47).

use crate::{
    Format, FormatError, Options, Position, ReadReport, Sink,
    dataset::{COLUMNS, Prompts, take},
    feed::Feed,
    json::Json,
};
use arrow_array::{Array, RecordBatch, cast::AsArray, types as t};
use arrow_schema::DataType;
use parquet::{
    arrow::{ProjectionMask, arrow_reader::ParquetRecordBatchReaderBuilder},
    file::reader::ChunkReader,
};
use std::borrow::Cow;

/// Rows per batch: media are large, and all of a batch is held.
const BATCH: usize = 8;

/// Reads the prompts of a `.parquet` dataset. To resume, rows before `options.start.line` are passed over.
pub fn read_parquet<R: ChunkReader + 'static>(
    input: R,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let broken = |why: String| FormatError::Broken { what: "the parquet file", why };
    let total = input.len();
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(input).map_err(|error| broken(error.to_string()))?;
    let schema = builder.parquet_schema();
    let names = schema.root_schema().get_fields();
    for needed in &COLUMNS[..3] {
        if !names.iter().any(|field| field.name() == *needed) {
            return Err(FormatError::Unlike {
                wanted: "an MMI dataset",
                why: format!("it has no column {needed}"),
            });
        }
    }
    let wanted = names.iter().enumerate().filter(|(_, f)| COLUMNS.contains(&f.name())).map(|(at, _)| at);
    let mask = ProjectionMask::roots(schema, wanted);
    let rows = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
    let skipped = options.start.line.saturating_sub(1);
    let reader = builder
        .with_projection(mask)
        .with_batch_size(BATCH)
        .with_offset(usize::try_from(skipped).unwrap_or(usize::MAX))
        .build()
        .map_err(|error| broken(error.to_string()))?;
    let mut feed = Feed::new(Format::DatasetParquet, options, total, sink);
    let mut seen = Prompts::default();
    let mut line = options.start.line.max(1);
    for batch in reader {
        let batch = batch.map_err(|error| broken(error.to_string()))?;
        for row in 0..batch.num_rows() {
            feed.report.lines += 1;
            take(line, &record(&batch, row), &mut feed, &mut seen);
            line += 1;
            let done = estimate(total, line - 1, rows);
            if !feed.reached(Position { offset: 0, line }, done) {
                return Ok(feed.report);
            }
        }
    }
    Ok(feed.finish(total))
}

/// Bytes that so many of all rows stand for.
fn estimate(total: u64, done: u64, rows: u64) -> u64 {
    u64::try_from(u128::from(total) * u128::from(done) / u128::from(rows.max(1))).unwrap_or(total)
}

fn record(batch: &RecordBatch, row: usize) -> Json<'_> {
    let schema = batch.schema_ref();
    Json::Object(
        schema
            .fields()
            .iter()
            .zip(batch.columns())
            .map(|(field, column)| (Cow::Owned(field.name().clone()), cell(column.as_ref(), row)))
            .collect(),
    )
}

macro_rules! number {
    ($array:expr, $row:expr, $kind:ty) => {
        Json::Number(Cow::Owned($array.as_primitive::<$kind>().value($row).to_string()))
    };
}

/// One cell as a JSON value; what no dataset holds is null.
fn cell(array: &dyn Array, row: usize) -> Json<'_> {
    if array.is_null(row) {
        return Json::Null;
    }
    let text = |text| Json::Text(Cow::Borrowed(text));
    let bytes = |bytes| Json::Bytes(Cow::Borrowed(bytes));
    match array.data_type() {
        DataType::Boolean => Json::Bool(array.as_boolean().value(row)),
        DataType::Utf8 => text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => text(array.as_string_view().value(row)),
        DataType::Binary => bytes(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => bytes(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => bytes(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => bytes(array.as_fixed_size_binary().value(row)),
        DataType::Int8 => number!(array, row, t::Int8Type),
        DataType::Int16 => number!(array, row, t::Int16Type),
        DataType::Int32 => number!(array, row, t::Int32Type),
        DataType::Int64 => number!(array, row, t::Int64Type),
        DataType::UInt8 => number!(array, row, t::UInt8Type),
        DataType::UInt16 => number!(array, row, t::UInt16Type),
        DataType::UInt32 => number!(array, row, t::UInt32Type),
        DataType::UInt64 => number!(array, row, t::UInt64Type),
        DataType::Float32 => number!(array, row, t::Float32Type),
        DataType::Float64 => number!(array, row, t::Float64Type),
        DataType::Dictionary(_, _) => match array.as_any_dictionary_opt() {
            Some(dictionary) => {
                let key = dictionary.keys();
                index(key, row).map_or(Json::Null, |at| owned(cell(dictionary.values().as_ref(), at)))
            }
            None => Json::Null,
        },
        DataType::List(_) => list(array.as_list::<i32>().value(row).as_ref()),
        DataType::LargeList(_) => list(array.as_list::<i64>().value(row).as_ref()),
        DataType::FixedSizeList(_, _) => list(array.as_fixed_size_list().value(row).as_ref()),
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let members = fields.iter().zip(columns);
            Json::Object(
                members
                    .map(|(f, column)| (Cow::Owned(f.name().clone()), cell(column.as_ref(), row)))
                    .collect(),
            )
        }
        _ => Json::Null,
    }
}

/// The members of a list, copied, since the slice that holds them ends here.
fn list(array: &dyn Array) -> Json<'static> {
    Json::List((0..array.len()).map(|row| owned(cell(array, row))).collect())
}

/// A dictionary key as an index.
fn index(keys: &dyn Array, row: usize) -> Option<usize> {
    cell(keys, row).finite().filter(|n| *n >= 0.0).and_then(|_| usize::try_from(cell(keys, row).count()).ok())
}

fn owned(value: Json<'_>) -> Json<'static> {
    match value {
        Json::Null => Json::Null,
        Json::Bool(b) => Json::Bool(b),
        Json::Number(n) => Json::Number(Cow::Owned(n.into_owned())),
        Json::Text(t) => Json::Text(Cow::Owned(t.into_owned())),
        Json::Bytes(b) => Json::Bytes(Cow::Owned(b.into_owned())),
        Json::List(items) => Json::List(items.into_iter().map(owned).collect()),
        Json::Object(members) => {
            Json::Object(members.into_iter().map(|(k, v)| (Cow::Owned(k.into_owned()), owned(v))).collect())
        }
    }
}
