//! What a reader tells its caller, one event at a time, so that a file of any size is read in constant memory.
//!
//! Events are serde shapes because the reading happens in a worker process: they cross its pipe as frames
//! (`frame`), each a JSON header and, for [`Media`], the bytes beside it rather than inside it.

use crate::{Format, RunManifest, Triple};
use domain::{Adjudication, HumanVerdict, ImportedCheckGrade, JudgedRow, Prediction, PromptRecord, Sample};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, ops::ControlFlow};

/// Go on, or stop: `ControlFlow::Break(())` cancels the reading after the event that was answered with it.
pub type Flow = ControlFlow<()>;

/// Where events go. Any `FnMut(Event) -> Flow` is a sink.
pub trait Sink {
    /// Takes one event; [`ControlFlow::Break`] cancels.
    fn event(&mut self, event: Event) -> Flow;
}
impl<F: FnMut(Event) -> Flow> Sink for F {
    fn event(&mut self, event: Event) -> Flow {
        self(event)
    }
}

/// A place in a file from which reading can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// Bytes from the start of the file. In a parquet file always 0: there `line` alone counts.
    pub offset: u64,
    /// 1-based number of the next line (of the next row, in parquet).
    pub line: u64,
}
impl Default for Position {
    fn default() -> Self {
        Self { offset: 0, line: 1 }
    }
}

/// How a file is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Where to start; the `next` of the last [`Event::Progress`] that was kept.
    pub start: Position,
    /// A line longer than this many bytes is rejected without being held (default 512 MiB).
    pub max_line: u64,
    /// A [`Event::Progress`] is sent at least every so many bytes (default 1 MiB), and at the end.
    pub progress_every: u64,
}
impl Default for Options {
    fn default() -> Self {
        Self { start: Position::default(), max_line: 512 << 20, progress_every: 1 << 20 }
    }
}

/// One thing that a file says. `line` is 1-based: of the file in JSONL, of the line a record starts at in CSV, of
/// the row in parquet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A prompt of a dataset. Each key comes once: an identical repetition is dropped and counted, a different one
    /// is rejected (quirk Q16).
    Prompt {
        /// Line.
        line: u64,
        /// The prompt.
        record: PromptRecord,
    },
    /// A row of a result file. A prompt key may come again: the last one wins (quirk Q15), so the caller replaces
    /// what it has for (`run_name`, `prompt_key`); [`Event::Superseded`] follows such a row.
    Row(Box<JudgedRow>),
    /// A human verdict. For a repeated (annotator, prompt, model, modality) the last one wins.
    Verdict {
        /// Line.
        line: u64,
        /// The verdict.
        verdict: HumanVerdict,
    },
    /// A settlement. For a repeated (prompt, model, modality) the last one wins.
    Adjudication {
        /// Line.
        line: u64,
        /// The settlement.
        adjudication: Adjudication,
    },
    /// A finished judgement (`agreement --triples`).
    Triple {
        /// Line.
        line: u64,
        /// The triple.
        triple: Triple,
    },
    /// A sample of an interaction benchmark; its images are named, and not looked at.
    Sample {
        /// Line.
        line: u64,
        /// The sample.
        sample: Box<Sample>,
    },
    /// A prediction. For a repeated (sample, model, context) the last one wins.
    Prediction {
        /// Line.
        line: u64,
        /// The prediction.
        prediction: Prediction,
    },
    /// A verdict on a check of a checklist. For a repeated (question, model, judge, variant, check) the last one wins.
    CheckGrade {
        /// Line.
        line: u64,
        /// The verdict.
        grade: ImportedCheckGrade,
    },
    /// A rubric of a rubric file.
    Rubric {
        /// Line; position of the record in a list.
        line: u64,
        /// The rubric.
        record: Box<crate::rubrics::RubricRecord>,
    },
    /// What the rubrics of the file do not hold of it, by kind.
    Lost(crate::rubrics::Loss),
    /// A `run_manifest.json`.
    Manifest(Box<RunManifest>),
    /// A `main_config.txt`: the results folder that the verdict files beside it belong to.
    MainConfig {
        /// Name of the folder.
        folder: String,
    },
    /// Media embedded in a dataset; follows the prompt it belongs to.
    Media(Media),
    /// A row that was not taken.
    Rejected {
        /// Line.
        line: u64,
        /// What is wrong, and with which field.
        why: String,
    },
    /// A row that was taken although something about it is odd.
    Warning {
        /// Line; 0 for the file as a whole.
        line: u64,
        /// What is odd and what was made of it.
        why: String,
    },
    /// The row of `line` is replaced by the one of `by`, which has just been sent.
    Superseded {
        /// Line of the earlier row.
        line: u64,
        /// Line of the later row.
        by: u64,
        /// The key that both have, for showing.
        key: String,
    },
    /// All events of everything before `next` have been sent: what was kept so far is complete up to there.
    Progress {
        /// Where to resume.
        next: Position,
        /// Bytes read (parquet: estimated from the rows read).
        bytes_done: u64,
        /// Size of the file in bytes, 0 if not known.
        bytes_total: u64,
    },
}

/// One embedded medium.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    /// Line of its prompt.
    pub line: u64,
    /// The prompt's key.
    pub prompt_key: String,
    /// `input_images`, `input_audio`, `input_video`, `input_document`.
    pub column: String,
    /// 0-based position in the column.
    pub index: u32,
    /// The `path` that stood beside the bytes; for display and matching only.
    pub path: Option<String>,
    /// The one of the prompt's `input_files` that these bytes are: the one with that path, else the next of this
    /// kind (MMI-FORMAT 1.3); none if no name is left.
    pub name: Option<String>,
    /// The bytes. Not part of the JSON: they travel beside it.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// What a whole reading came to. Lists of lines hold at most [`ReadReport::LISTED`] entries each; the counts are
/// exact. After a resume the counts are those of the part read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadReport {
    /// The format that was read.
    pub format: Option<Format>,
    /// Lines (parquet: rows) seen, blank ones too.
    pub lines: u64,
    /// Records sent.
    pub rows: u64,
    /// Blank lines.
    pub blank: u64,
    /// Rows rejected, for whatever reason.
    pub rejected: u64,
    /// Lines that could not be parsed.
    pub bad: Vec<u64>,
    /// Lines from which a row was recovered behind a fragment (quirk Q4).
    pub recovered: Vec<u64>,
    /// Lines that are JSON but no object, or lack the key (quirk Q5).
    pub no_id: Vec<u64>,
    /// The file ends inside a row (quirk Q3).
    pub truncated_last: bool,
    /// Rows that a later row of the same key replaces (quirk Q15).
    pub superseded: u64,
    /// Prompt keys repeated with the same content (quirk Q16); at most [`ReadReport::LISTED`].
    pub repeated: Vec<String>,
    /// Prompt keys repeated with other content; the first was kept.
    pub conflicting: Vec<String>,
    /// The `run_name`s met, in the order met.
    pub run_names: Vec<String>,
    /// Prompt keys of rows in which an asset id is used twice (quirk Q14).
    pub duplicate_asset_ids: Vec<String>,
    /// Names that are none of the five modalities, with how often they were met (quirk Q12).
    pub unknown_modalities: BTreeMap<String, u64>,
    /// The sink stopped the reading.
    pub stopped: bool,
    /// Where reading ended.
    pub next: Position,
}
impl ReadReport {
    /// The most entries that a list of the report holds.
    pub const LISTED: usize = 10_000;

    /// Adds to a list unless it is full.
    pub(crate) fn list<T>(list: &mut Vec<T>, entry: T) {
        if list.len() < Self::LISTED {
            list.push(entry);
        }
    }
    /// Counts a name that is no modality.
    pub(crate) fn unknown_modality(&mut self, name: &str) {
        let name: String = name.chars().take(80).collect();
        if self.unknown_modalities.len() < Self::LISTED || self.unknown_modalities.contains_key(&name) {
            *self.unknown_modalities.entry(name).or_default() += 1;
        }
    }
}
