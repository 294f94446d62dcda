//! Import and export of files, one module per format: bytes in, domain types out. No store, no network.
//!
//! Reading is streaming: [`recognise`] says what a file is, [`read_file`] sends what it says to a [`Sink`] one
//! [`Event`] at a time and answers with a [`ReadReport`]. What a row got wrong is mended or reported by line, as
//! MMI-FORMAT's list of quirks (section 10) says; only a file that cannot be read at all is an error.
#![deny(missing_docs)]

mod breaks;
mod check_grades;
mod dataset;
mod documents;
mod embedded;
mod error;
mod event;
mod evidence;
mod export;
mod export_rows;
mod export_scores;
mod feed;
mod guard;
mod json;
mod lines;
mod link;
mod parquet_dataset;
mod parquet_table;
mod path;
mod quiz;
mod ratings;
mod raw;
mod read;
mod recognise;
mod row_parts;
mod rows;
pub mod rubrics;
mod samples;
mod shapes;
mod sheets;
mod table;

pub use check_grades::read_check_grades;
pub use dataset::read_dataset;
pub use documents::{prompt_id_hash, read_main_config, read_manifest, read_triples};
pub use error::FormatError;
pub use event::{Event, Flow, Media, Options, Position, ReadReport, Sink};
pub use evidence::{mime_modality, payload_status};
pub use export::{
    PlacedGrade, anchors_json, rubric_json, write_adjudications, write_dataset, write_grades, write_verdicts,
};
pub use export_rows::write_row;
pub use export_scores::{write_check_grades, write_predictions, write_samples};
pub use guard::{guard, unguard};
pub use link::{Link, classify_url, links};
pub use parquet_dataset::read_parquet;
pub use path::{PathRefusal, asset_tail, check_input_name, join_within, safe_prompt_folder};
pub use quiz::read_quiz;
pub use ratings::read_ratings;
pub use read::{read_file, read_open};
pub use recognise::{Format, HEAD, RubricFile, RunFile, recognise};
pub use rows::read_rows;
pub use samples::{read_predictions, read_samples};
pub use shapes::{JudgeProfile, ManifestModel, Rating, RatingTable, RunManifest, Triple};
pub use sheets::{read_adjudications, read_verdicts};
pub(crate) use table::Sheet;
pub use table::{Cell, Table, TableForm};
