//! Verdicts and settlements in CSV (MMI-FORMAT 11): RFC 4180, columns found by their header in any order, a bad
//! row rejected with the line it starts at.

use crate::{
    Event, Format, FormatError, Options, Position, ReadReport, Sink,
    breaks::Noted,
    feed::{Feed, Seen, quoted},
    unguard,
};
use csv::ByteRecord;
use domain::{Adjudication, Anchor, Cause, HumanVerdict, Modality, Verdict, VerdictDetails, VerdictFlags};
use std::{
    collections::HashMap,
    io::{Read, Seek, SeekFrom},
};

/// Reads `human_verdicts.csv`.
pub fn read_verdicts<R: Read + Seek>(
    input: R,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let needed = ["annotator", "prompt_id", "model", "modality", "verdict"];
    read(input, Format::HumanVerdicts, "a table of human verdicts", &needed, options, sink, |row, line| {
        let verdict = verdict(row)?;
        let key =
            [&verdict.annotator, &verdict.prompt_key, &verdict.model, verdict.modality.name()].join("\u{1f}");
        Ok((key, Event::Verdict { line, verdict }))
    })
}

/// Reads `adjudications.csv`.
pub fn read_adjudications<R: Read + Seek>(
    input: R,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<ReadReport, FormatError> {
    let needed = ["prompt_id", "model", "modality", "judge", "final", "cause"];
    read(input, Format::Adjudications, "a table of adjudications", &needed, options, sink, |row, line| {
        let adjudication = adjudication(row)?;
        let key =
            [&adjudication.prompt_key, &adjudication.model, adjudication.modality.name()].join("\u{1f}");
        Ok((key, Event::Adjudication { line, adjudication }))
    })
}

/// A row, its cells found by column name.
struct Row<'a> {
    columns: &'a HashMap<String, usize>,
    cells: &'a ByteRecord,
}
impl Row<'_> {
    fn cell(&self, column: &str) -> String {
        let bytes = self.columns.get(column).and_then(|&at| self.cells.get(at)).unwrap_or_default();
        unguard(&String::from_utf8_lossy(bytes)).to_owned()
    }
    fn needed(&self, column: &str) -> Result<String, String> {
        let text = self.cell(column).trim().to_owned();
        if text.is_empty() { Err(format!("{column} is empty")) } else { Ok(text) }
    }
    fn modality(&self) -> Result<Modality, String> {
        self.needed("modality")?.parse().map_err(|error| format!("modality: {error}"))
    }
    fn flag(&self, column: &str) -> Result<bool, String> {
        let text = self.cell(column);
        match text.trim().to_ascii_lowercase().as_str() {
            "yes" | "true" | "1" => Ok(true),
            "" | "no" | "false" | "0" => Ok(false),
            _ => Err(format!("{column} is {}; write yes or no", quoted(&text))),
        }
    }
    fn verdict(&self, column: &str) -> Result<Verdict, String> {
        self.needed(column)?.parse().map_err(|error| format!("{column}: {error}"))
    }
}

/// What the table says of a verdict beyond MMI's columns; any of them may be missing.
fn details(row: &Row) -> Result<VerdictDetails, String> {
    let version = |column: &str| -> Result<Option<u32>, String> {
        let text = row.cell(column);
        match text.trim() {
            "" => Ok(None),
            number => number.parse().map(Some).map_err(|_| {
                format!("{column} is {}; write a version's number or leave it empty", quoted(&text))
            }),
        }
    };
    let anchors = row.cell("anchors");
    let anchors: Vec<Anchor> = if anchors.trim().is_empty() {
        Vec::new()
    } else {
        serde_json::from_str(&anchors).map_err(|error| format!("anchors is no list of places: {error}"))?
    };
    if let Some(why) = anchors.iter().find_map(Anchor::problem) {
        return Err(format!("anchors: a place {why}"));
    }
    Ok(VerdictDetails {
        flags: VerdictFlags {
            ai_background: false,
            broken_link: row.flag("broken_link")?,
            cannot_show: row.flag("cannot_show")?,
            doubt: row.flag("doubt")?,
            misaligned: row.flag("misaligned")?,
        },
        anchors,
        ai_asked: row.cell("ai_asked"),
        perceived: row.cell("perceived"),
        prompt_version: version("prompt_version")?,
        guidelines_version: version("guidelines_version")?,
    })
}

fn verdict(row: &Row) -> Result<HumanVerdict, String> {
    let seconds = row.cell("seconds");
    let seconds = seconds.trim();
    Ok(HumanVerdict {
        annotator: row.needed("annotator")?,
        prompt_key: row.needed("prompt_id")?,
        model: row.needed("model")?,
        modality: row.modality()?,
        verdict: row.verdict("verdict")?,
        comment: row.cell("comment"),
        ai_assisted: row.flag("ai_assisted")?,
        seconds: if seconds.is_empty() {
            None
        } else {
            let number = seconds.parse::<f64>().ok().filter(|s| s.is_finite() && *s >= 0.0);
            Some(
                number.ok_or_else(|| {
                    format!("seconds is {}; write a number or leave it empty", quoted(seconds))
                })?,
            )
        },
        details: details(row)?,
    })
}

fn adjudication(row: &Row) -> Result<Adjudication, String> {
    let majority = row.cell("human_majority");
    let majority = match majority.trim().to_ascii_lowercase().as_str() {
        "" | "tie" | "none" => None,
        other => Some(other.parse::<Verdict>().map_err(|error| format!("human_majority: {error}"))?),
    };
    Ok(Adjudication {
        prompt_key: row.needed("prompt_id")?,
        model: row.needed("model")?,
        modality: row.modality()?,
        judge: row.verdict("judge")?,
        human_majority: majority,
        verdict: row.verdict("final")?,
        cause: row
            .needed("cause")?
            .to_ascii_lowercase()
            .parse::<Cause>()
            .map_err(|error| format!("cause: {error}"))?,
        note: row.cell("note"),
        adjudicator: row.cell("adjudicator").trim().to_owned(),
        date: row.cell("date").trim().to_owned(),
    })
}

fn read<R: Read + Seek>(
    mut input: R,
    format: Format,
    wanted: &'static str,
    needed: &[&str],
    options: &Options,
    sink: &mut dyn Sink,
    parse: impl Fn(&Row, u64) -> Result<(String, Event), String>,
) -> Result<ReadReport, FormatError> {
    let total = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(0))?;
    let (input, breaks) = Noted::new(input);
    let mut reader = csv::ReaderBuilder::new().has_headers(true).flexible(true).from_reader(input);
    let header = reader.byte_headers().map_err(|error| broken(wanted, &error))?.clone();
    let columns: HashMap<String, usize> = header
        .iter()
        .enumerate()
        .map(|(at, name)| {
            (String::from_utf8_lossy(name).trim_matches(['\u{feff}', ' ']).to_ascii_lowercase(), at)
        })
        .collect();
    for column in needed {
        if !columns.contains_key(*column) {
            return Err(FormatError::Unlike { wanted, why: format!("its header has no column {column}") });
        }
    }
    let mut feed = Feed::new(format, options, total, sink);
    if options.start.offset > 0 {
        let mut place = csv::Position::new();
        place.set_byte(options.start.offset).set_line(options.start.line).set_record(1);
        breaks.restart(options.start);
        reader.seek(place).map_err(|error| broken(wanted, &error))?;
    }
    let mut seen: Seen<u64> = Seen::default();
    let mut cells = ByteRecord::new();
    while reader.read_byte_record(&mut cells).map_err(|error| broken(wanted, &error))? {
        feed.report.lines += 1;
        let line = breaks.record_line(cells.position().map_or(0, csv::Position::byte));
        if cells.iter().all(|cell| cell.trim_ascii().is_empty()) {
            feed.report.blank += 1;
        } else if cells.len() != header.len() {
            let why = format!("the row has {} cells, the header {}", cells.len(), header.len());
            feed.reject(line, why);
        } else {
            match parse(&Row { columns: &columns, cells: &cells }, line) {
                Ok((key, event)) => {
                    feed.report.rows += 1;
                    feed.send(event);
                    if let Some(earlier) = seen.insert(&[&key], line) {
                        feed.report.superseded += 1;
                        feed.send(Event::Superseded {
                            line: earlier,
                            by: line,
                            key: key.replace('\u{1f}', ", "),
                        });
                    }
                }
                Err(why) => feed.reject(line, why),
            }
            if cells.iter().any(|cell| std::str::from_utf8(cell).is_err()) {
                feed.warn(line, "the row is not in UTF-8; what could not be read is shown as \u{fffd}");
            }
        }
        let offset = reader.position().byte();
        let next = Position { offset, line: breaks.line_of(offset) };
        if !feed.reached(next, next.offset) {
            return Ok(feed.report);
        }
    }
    Ok(feed.finish(total))
}

fn broken(what: &'static str, error: &csv::Error) -> FormatError {
    FormatError::Broken { what, why: error.to_string() }
}
