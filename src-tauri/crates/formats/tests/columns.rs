//! Parquet as various writers make it (quirks Q46, Q47).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it finds nothing")]

use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, Float64Array, Int64Array, LargeStringArray, NullArray,
    RecordBatch, StringArray, StringViewArray, StructArray,
    builder::{BinaryBuilder, ListBuilder, StringBuilder, StructBuilder},
    types::Int32Type,
};
use arrow_schema::{DataType, Field};
use formats::{Event, FormatError, Options, read_parquet};
use parquet::arrow::ArrowWriter;
use std::{ops::ControlFlow, sync::Arc};

fn written(columns: Vec<(&str, ArrayRef)>) -> bytes::Bytes {
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true))).unwrap();
    let mut file = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    file.into()
}
fn read(file: bytes::Bytes) -> Vec<Event> {
    let mut events = Vec::new();
    read_parquet(file, &Options::default(), &mut |event| {
        if !matches!(event, Event::Progress { .. }) {
            events.push(event);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    events
}
fn strings(texts: [Option<&str>; 2]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}
fn needed(mut more: Vec<(&'static str, ArrayRef)>) -> bytes::Bytes {
    let mut columns = vec![
        ("prompt_id", strings([Some("p1"), Some("p2")])),
        ("prompt_text", strings([Some("a"), Some("b")])),
        ("output_modalities", strings([Some("Text"), Some("Image, Text")])),
    ];
    columns.retain(|(name, _)| !more.iter().any(|(n, _)| n == name));
    columns.append(&mut more);
    written(columns)
}

#[test]
fn text_columns_of_every_kind_say_the_same() {
    let plain = read(needed(vec![]));
    assert_eq!(plain.len(), 2, "two prompts and nothing else");
    let texts = [Some("a"), Some("b")];
    let kinds: [ArrayRef; 4] = [
        Arc::new(LargeStringArray::from(texts.to_vec())),
        Arc::new(StringViewArray::from(texts.to_vec())),
        Arc::new(BinaryArray::from(vec![&b"a"[..], b"b"])),
        Arc::new(texts.into_iter().collect::<DictionaryArray<Int32Type>>()),
    ];
    for column in kinds {
        let kind = column.data_type().clone();
        assert_eq!(read(needed(vec![("prompt_text", column)])), plain, "{kind} is text all the same");
    }
    let mut list = ListBuilder::new(StringBuilder::new());
    list.append_value([Some("Text")]);
    list.append_value([Some("Image"), Some("Text")]);
    let events = read(needed(vec![("output_modalities", Arc::new(list.finish()))]));
    assert_eq!(events, plain, "a list of modalities is taken as its names");
    let ids = read(needed(vec![("prompt_id", Arc::new(Int64Array::from(vec![1, 2])))]));
    assert!(
        matches!(&ids[0], Event::Prompt { record, .. } if record.key == "1"),
        "a number is turned into text"
    );
}

#[test]
fn null_and_nan_are_missing() {
    let plain = read(needed(vec![]));
    for column in ["input_files", "rubrics", "input_modalities", "input_images", "input_audio"] {
        let kinds: [ArrayRef; 3] = [
            Arc::new(Float64Array::from(vec![f64::NAN, f64::NAN])),
            Arc::new(NullArray::new(2)),
            strings([None, None]),
        ];
        for values in kinds {
            let kind = values.data_type().clone();
            assert_eq!(read(needed(vec![(column, values)])), plain, "{column} of {kind} says nothing");
        }
    }
    let events = read(needed(vec![("prompt_text", strings([None, Some("b")]))]));
    assert!(
        matches!(&events[0], Event::Rejected { line: 1, .. }),
        "a needed value that is null rejects its row"
    );
    assert!(matches!(&events[1], Event::Prompt { line: 2, .. }), "and no other");
}

#[test]
fn media_are_structs_lists_or_bytes() {
    let parts = |bytes: Vec<Option<&[u8]>>, paths: Vec<Option<&str>>| {
        StructArray::from(vec![
            (
                Arc::new(Field::new("bytes", DataType::Binary, true)),
                Arc::new(BinaryArray::from(bytes)) as ArrayRef,
            ),
            (
                Arc::new(Field::new("path", DataType::Utf8, true)),
                Arc::new(StringArray::from(paths)) as ArrayRef,
            ),
        ])
    };
    let fields = parts(vec![], vec![]).fields().clone();
    let mut images = ListBuilder::new(StructBuilder::from_fields(fields, 3));
    for (bytes, path) in [(Some(b"one"), None), (Some(b"two"), Some("a.jpg")), (None, Some("c.png"))] {
        let image = images.values();
        image.field_builder::<BinaryBuilder>(0).unwrap().append_option(bytes);
        image.field_builder::<StringBuilder>(1).unwrap().append_option(path);
        image.append(true);
    }
    images.append(true);
    images.append(true); // the second prompt has an empty list
    let images = images.finish();
    let events = read(needed(vec![
        ("input_files", strings([Some("a.jpg\nb.png"), Some("s.mp3")])),
        ("input_images", Arc::new(images)),
        ("input_audio", Arc::new(BinaryArray::from(vec![None, Some(&b"mp3"[..])]))),
        ("input_video", Arc::new(parts(vec![None, None], vec![None, None]))),
    ]));
    let media: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Media(m) => {
                Some((m.prompt_key.as_str(), m.name.as_deref().unwrap_or("-"), m.bytes.as_slice()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        media,
        [("p1", "b.png", &b"one"[..]), ("p1", "a.jpg", b"two"), ("p2", "s.mp3", b"mp3")],
        "every payload is unpacked, null ones are none"
    );
}

#[test]
fn another_table_or_a_broken_file_is_refused_whole() {
    let other = written(vec![("a", strings([Some("x"), None]))]);
    let silent = &mut |_: Event| ControlFlow::Continue(());
    let refused = read_parquet(other, &Options::default(), silent);
    assert!(
        matches!(refused, Err(FormatError::Unlike { .. })),
        "a table without the needed columns is no dataset"
    );
    let whole = needed(vec![]);
    for length in [4, 12, whole.len() / 2, whole.len() - 1] {
        let cut = read_parquet(whole.slice(..length), &Options::default(), silent);
        assert!(matches!(cut, Err(FormatError::Broken { .. })), "a file cut to {length} bytes is no parquet");
    }
}
