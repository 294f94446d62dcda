//! The one door to the readers: a format, a file, a sink.

use crate::{
    Format, FormatError, Options, ReadReport, Sink, read_adjudications, read_check_grades, read_dataset,
    read_main_config, read_manifest, read_parquet, read_predictions, read_rows, read_samples, read_triples,
    read_verdicts, rubrics::send_rubrics,
};
use std::{fs::File, path::Path};

/// Reads a file of a known format, sending what it says to `sink`. A row that is bad is an event; an error means that
/// the file as a whole could not be read, and that what was sent must not be kept.
pub fn read_file(
    path: &Path,
    format: &Format,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    read_open(File::open(path)?, format, options, sink)
}

/// [`read_file`] on a file that is open, at its start.
pub fn read_open(
    file: File,
    format: &Format,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    match format {
        Format::DatasetJsonl => read_dataset(file, options, sink),
        Format::DatasetParquet => read_parquet(file, options, sink),
        Format::ResultRows(run) => read_rows(file, run, options, sink),
        Format::RunManifest => read_manifest(file, options, sink),
        Format::Summary => Ok(ReadReport { format: Some(Format::Summary), ..ReadReport::default() }),
        Format::HumanVerdicts => read_verdicts(file, options, sink),
        Format::Adjudications => read_adjudications(file, options, sink),
        Format::Triples => read_triples(file, options, sink),
        Format::Samples => read_samples(file, options, sink),
        Format::Predictions => read_predictions(file, options, sink),
        Format::CheckGrades => read_check_grades(file, options, sink),
        Format::Rubrics(found) => send_rubrics(file, found.rubrics, options, sink),
        Format::MainConfig => read_main_config(file, options, sink),
        Format::Archive => Err(FormatError::Refused(
            "the file is an archive, which is not imported as it is; unpack it and import the folder"
                .to_owned(),
        )),
    }
}
