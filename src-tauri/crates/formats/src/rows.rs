//! Result rows (MMI-FORMAT 3): one line, one response of one model to one prompt, with what the LLM judges made of it.
//!
//! Keys are read one by one and only those that are wanted are built; `raw_response` is passed over and looked into
//! only when the row has no text of its own (quirks Q29, Q30).

use crate::{
    Event, Format, FormatError, Options, ReadReport, RunFile, Sink,
    feed::{Feed, Notes, Seen, quoted},
    json::{Fault, Json, Scanner},
    lines::{Lines, is_blank},
    raw, row_parts,
};
use domain::{Failure, JudgedRow, ModalityList, Presence, StoredScores};
use std::{
    collections::HashSet,
    io::{Read, Seek},
};

/// How a fresh row begins; where a line holds more than one, each is found by this.
const ROW_STARTS: [&[u8]; 2] = [b"{\"prompt_id\": ", b"{\"prompt_id\":"];
/// How often a line that does not parse is tried again from a later place.
const ATTEMPTS: usize = 16;

/// Reads the rows of a result file.
pub fn read_rows<R: Read + Seek>(
    input: R,
    run: &RunFile,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let mut lines = Lines::new(input, options)?;
    let mut feed = Feed::new(Format::ResultRows(run.clone()), options, lines.total, sink);
    let mut seen = Seen::default();
    while let Some(line) = lines.next_line()? {
        feed.report.lines += 1;
        if line.too_long {
            ReadReport::list(&mut feed.report.bad, line.number);
            feed.reject(line.number, format!("the line is longer than {} bytes", options.max_line));
        } else if is_blank(line.bytes) {
            feed.report.blank += 1;
        } else {
            let place = Place { line: line.number, offset: line.offset, run };
            read_line(&place, line.bytes, line.terminated, &mut feed, &mut seen);
        }
        let next = lines.next;
        if !feed.reached(next, next.offset) {
            return Ok(feed.report);
        }
    }
    Ok(feed.finish(lines.next.offset))
}

struct Place<'a> {
    line: u64,
    offset: u64,
    run: &'a RunFile,
}

/// Reads a line, which holds one row, or, after an interruption, a fragment and a row, or several.
fn read_line(place: &Place, bytes: &[u8], terminated: bool, feed: &mut Feed, seen: &mut Seen<u64>) {
    let (mut at, mut attempts, mut rows) = (0, 0, 0_u32);
    let mut fault: Option<Fault> = None;
    let mut fragments = false;
    loop {
        let mut notes = Notes::default();
        match read_row(place, bytes, at, &mut notes) {
            Ok((Parsed::Row(row), end)) => {
                rows += 1;
                send_row(*row, notes, feed, seen);
                if is_blank(&bytes[end..]) {
                    break;
                }
                // Another row, or what is left of one, stands behind this one.
                fragments = true;
                fault = None;
                if let Some(next) = row_start(bytes, end) {
                    at = next;
                } else {
                    break;
                }
            }
            Ok((Parsed::Without(why), end)) if is_blank(&bytes[end..]) && at == 0 => {
                ReadReport::list(&mut feed.report.no_id, place.line);
                feed.reject(place.line, why);
                return;
            }
            Ok((_, end)) => {
                fault.get_or_insert(Fault { at: end, ended: false });
                let Some(next) = retry(bytes, at + 1, &mut attempts) else { break };
                (at, fragments) = (next, true);
            }
            Err(stopped) => {
                fault = Some(Fault { at: stopped.at + at, ended: stopped.ended });
                let Some(next) = retry(bytes, at + 1, &mut attempts) else { break };
                (at, fragments) = (next, true);
            }
        }
        if feed.report.stopped {
            return;
        }
    }
    let cut = !terminated && fault.is_some_and(|fault| fault.ended);
    feed.report.truncated_last |= cut;
    if rows > 0 {
        if fragments {
            ReadReport::list(&mut feed.report.recovered, place.line);
            let what = if rows == 1 { "a row was recovered" } else { "several rows were recovered" };
            feed.warn(place.line, format!("the line holds fragments of other rows; {what} from it"));
        }
        if cut {
            feed.warn(place.line, "1 incomplete row: the file ends inside it".to_owned());
        }
        return;
    }
    ReadReport::list(&mut feed.report.bad, place.line);
    if cut {
        feed.reject(place.line, "1 incomplete row: the file ends inside it");
    } else {
        let at = fault.map_or(0, |fault| fault.at) + 1;
        feed.reject(place.line, format!("the line is no JSON (at its byte {at}) and holds no whole row"));
    }
}

fn row_start(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    ROW_STARTS.iter().filter_map(|start| memchr::memmem::find(rest, start)).min().map(|n| n + from)
}
fn retry(bytes: &[u8], from: usize, attempts: &mut usize) -> Option<usize> {
    *attempts += 1;
    (*attempts <= ATTEMPTS).then(|| row_start(bytes, from)).flatten()
}

fn send_row(row: JudgedRow, mut notes: Notes, feed: &mut Feed, seen: &mut Seen<u64>) {
    let (line, key) = (row.line, row.prompt_key.clone());
    let mut ids = HashSet::new();
    if row.assets.iter().any(|asset| !asset.asset_id.is_empty() && !ids.insert(asset.asset_id.as_str())) {
        ReadReport::list(&mut feed.report.duplicate_asset_ids, key.clone());
        notes.add("an asset id is used twice; assets are told apart by their position and SHA-256");
    }
    if !feed.report.run_names.contains(&row.run_name) {
        ReadReport::list(&mut feed.report.run_names, row.run_name.clone());
    }
    let earlier = seen.insert(&[&row.run_name, &row.prompt_key], line);
    feed.report.rows += 1;
    feed.send(Event::Row(Box::new(row)));
    if let Some(earlier) = earlier {
        feed.report.superseded += 1;
        feed.send(Event::Superseded { line: earlier, by: line, key });
    }
    feed.notes(line, notes);
}

enum Parsed {
    Row(Box<JudgedRow>),
    /// JSON, but no row: why.
    Without(&'static str),
}

/// Reads the row that starts at `at`; gives where it ends.
fn read_row(place: &Place, line: &[u8], at: usize, notes: &mut Notes) -> Result<(Parsed, usize), Fault> {
    let bytes = &line[at..];
    let mut scanner = Scanner::new(bytes);
    if scanner.next_token() != Some(b'{') {
        scanner.skip()?;
        return Ok((Parsed::Without("the line is JSON but no object"), at + scanner.at()));
    }
    let start = scanner.at();
    let mut fields = Fields::default();
    scanner.enter_object()?;
    let mut first = true;
    while let Some(key) = scanner.key(&mut first)? {
        if key == "raw_response" {
            fields.raw = &bytes[scanner.skip()?];
        } else if let Some(slot) = fields.slot(&key) {
            *slot = scanner.value()?;
        } else {
            scanner.skip()?;
        }
    }
    let end = scanner.at();
    let key = fields.prompt_id.string();
    if key.trim().is_empty() {
        return Ok((Parsed::Without("the row has no prompt_id"), at + end));
    }
    let mut row = fields.row(key, place.run, notes);
    row.line = place.line;
    row.offset = place.offset + (at + start) as u64;
    row.length = (end - start) as u64;
    Ok((Parsed::Row(Box::new(row)), at + end))
}

macro_rules! fields {
    ($($name:ident),* $(,)?) => {
        /// The keys of a row that are wanted, each null until met.
        struct Fields<'a> { raw: &'a [u8], $($name: Json<'a>),* }
        impl Default for Fields<'_> {
            fn default() -> Self { Self { raw: &[], $($name: Json::Null),* } }
        }
        impl<'a> Fields<'a> {
            fn slot(&mut self, key: &str) -> Option<&mut Json<'a>> {
                match key { $(stringify!($name) => Some(&mut self.$name),)* _ => None }
            }
        }
    };
}
fields!(
    prompt_id,
    run_name,
    provider,
    model,
    expected_modalities,
    per_modality,
    precision,
    recall,
    f1,
    f1_strict,
    judge_used,
    judge_model,
    judge_reasoning,
    is_error,
    error_message,
    error_type,
    response_text,
    output_assets,
    rubric_used,
    rubric_score,
    rubric_grades,
    rubric_judge_model,
);

impl Fields<'_> {
    fn row(&self, prompt_key: String, run: &RunFile, notes: &mut Notes) -> JudgedRow {
        let mut run_name = self.run_name.string();
        if run_name.is_empty() {
            run_name.clone_from(&run.run_name);
            notes.add(format!("run_name is missing; the file's {} is taken", quoted(&run_name)));
        }
        let failure = self.is_error.truth().then(|| {
            let kind = self.error_type.string();
            let kind = if kind.is_empty() { "provider_error".to_owned() } else { kind };
            Failure { kind, message: self.error_message.string() }
        });
        let mut response_text = self.response_text.string();
        if response_text.trim().is_empty() && failure.is_none() && !self.raw.is_empty() {
            response_text = raw::text(self.raw).unwrap_or(response_text);
        }
        let assets: Vec<_> =
            self.output_assets.items().iter().map(|asset| row_parts::asset(asset, notes)).collect();
        let stated = self.response_text.string();
        let grades = row_parts::grades(&self.rubric_grades, &stated, &assets, notes);
        JudgedRow {
            line: 0,
            offset: 0,
            length: 0,
            prompt_key,
            run_name,
            provider: self.provider.string(),
            model: self.model.string(),
            expected: self.expected(notes),
            presence: self.presence(notes),
            judge_used: self.judge_used.truth(),
            judge_model: self.judge_model.string(),
            judge_reasoning: self.judge_reasoning.string(),
            failure,
            response_text,
            assets,
            rubric_used: self.rubric_used.truth(),
            rubric_judge_model: self.rubric_judge_model.string(),
            grades,
            stored: StoredScores {
                precision: self.precision.finite(),
                recall: self.recall.finite(),
                f1: self.f1.finite(),
                f1_strict: self.f1_strict.finite(),
                rubric_score: self.rubric_score.finite(),
            },
        }
    }
    fn expected(&self, notes: &mut Notes) -> ModalityList {
        row_parts::modalities("expected_modalities", &self.expected_modalities, notes)
    }
    fn presence(&self, notes: &mut Notes) -> Presence {
        row_parts::presence(&self.per_modality, notes)
    }
}
