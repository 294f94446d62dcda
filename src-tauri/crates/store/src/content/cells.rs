//! What agreement is computed from: each expected modality of each response with the judge's grades and what people say.
//!
//! Content changes with an import alone, statements one by one. So what content says is read once and kept
//! ([`Cells`]), and what people state here ([`Live`]) is laid over it when it is asked for.

use super::encode;
use super::packed::{Packer, Unpacker};
use super::scores::{self, Cell, Judging, RunKey};
use crate::Result;
use domain::{Detection, Modality, ResponseId, Verdict};
use rusqlite::{Connection, OptionalExtension, params};
use std::{collections::HashMap, sync::Arc};

/// One (prompt, run, modality) that the judge graded or a person judged. Of a name that many cells share there is one copy.
#[derive(Debug, Clone, PartialEq)]
pub struct AgreementCell {
    /// Prompt key: the cluster.
    pub prompt_key: Arc<str>,
    /// The prompt as a number: the same for the same key, from 0 on.
    pub prompt: u32,
    /// Results folder.
    pub folder: Arc<str>,
    /// `run_name`.
    pub run_name: Arc<str>,
    /// The run's timestamp.
    pub timestamp: Arc<str>,
    /// The response.
    pub response: ResponseId,
    /// An expected modality of it.
    pub modality: Modality,
    /// How it was detected.
    pub detection: Detection,
    /// The judge's grades; none where it gave none.
    pub judge: Option<Cell>,
    /// What people say, at most once each, by name.
    pub verdicts: Vec<CellVerdict>,
}

/// One person's verdict on one modality of one response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellVerdict {
    /// Who.
    pub annotator: Arc<str>,
    /// What.
    pub verdict: Verdict,
    /// Given in this study, not read from a file.
    pub live: bool,
}

/// What people state in this study, by response: the person and their verdicts. None for a person whose
/// statements fork: such a verdict is never guessed, and does not fall back to an imported one.
pub(crate) type Live = HashMap<ResponseId, Vec<Said>>;

/// A person, and their verdicts on one response.
pub(crate) type Said = (String, Option<Vec<(Modality, Verdict)>>);

/// What content says of the outputs of some runs.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Cells {
    prompts: Vec<String>,
    runs: Vec<RunKey>,
    people: Vec<String>,
    outputs: Vec<Output>,
    /// What files say of one output after the other, each by name: who, as a place in `people`, and whether it is correct.
    said: Vec<(u32, bool)>,
}

/// One expected modality of one response.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Output {
    prompt: u32,
    run: u32,
    response: ResponseId,
    modality: Modality,
    detection: Detection,
    judge: Option<Cell>,
    /// How many of `said` are about it.
    said: u32,
}

/// The verdicts from files of one results folder, by prompt and run name.
type FromFiles = HashMap<(String, String), Vec<(Modality, u32, bool)>>;

/// Names with a number each.
#[derive(Default)]
struct Numbers(HashMap<String, u32>, Vec<String>);
impl Numbers {
    fn of(&mut self, name: &str) -> u32 {
        if let Some(n) = self.0.get(name) {
            return *n;
        }
        let n = u32::try_from(self.1.len()).unwrap_or(u32::MAX);
        self.0.insert(name.to_owned(), n);
        self.1.push(name.to_owned());
        n
    }
}

impl Cells {
    /// Reads every expected modality of every row of the judging. A verdict from a file names no timestamp: of several runs
    /// of one model in one folder it is about the newest that has the prompt.
    pub fn read(audit: &Connection, judging: Judging<'_>) -> Result<Self> {
        let runs = scores::run_names(audit)?;
        let (mut cells, mut places) = (Self::default(), HashMap::new());
        let (mut prompts, mut people) = (Numbers::default(), Numbers::default());
        let mut of_folder: Option<(String, FromFiles)> = None;
        for file in scores::files(audit, judging.folder)?.iter().filter(|f| f.variant == judging.variant) {
            // Read once a folder: a look per row would be most of the work.
            if of_folder.as_ref().is_none_or(|(folder, _)| *folder != file.folder) {
                of_folder =
                    Some((file.folder.clone(), verdicts_of_folder(audit, &file.folder, &mut people)?));
            }
            let Some((_, from_files)) = &of_folder else { continue };
            scores::walk(audit, file.id, &mut |number, row| {
                let (Some(response), Some(run)) = (row.response, runs.get(&number)) else { return Ok(()) };
                let place = *places.entry(number).or_insert_with(|| {
                    cells.runs.push(run.clone());
                    u32::try_from(cells.runs.len() - 1).unwrap_or(u32::MAX)
                });
                let mut said = from_files.get(&(row.prompt_key.clone(), run.run_name.clone()));
                let newer = said.is_some() && runs.values().any(|other| other.is_newer_than(run));
                if newer && has_newer_run(audit, run, &row.prompt_key)? {
                    said = None;
                }
                let prompt = prompts.of(&row.prompt_key);
                for modality in row.expected.iter() {
                    let own = said.into_iter().flatten().filter(|(of, ..)| *of == modality);
                    let before = cells.said.len();
                    cells.said.extend(own.map(|(_, who, correct)| (*who, *correct)));
                    cells.said[before..].sort_by(|a, b| people.1[a.0 as usize].cmp(&people.1[b.0 as usize]));
                    cells.outputs.push(Output {
                        prompt,
                        run: place,
                        response,
                        modality,
                        detection: row.presence.of(modality),
                        judge: row.cells[modality.index()],
                        said: u32::try_from(cells.said.len() - before).unwrap_or(u32::MAX),
                    });
                }
                Ok(())
            })?;
        }
        (cells.prompts, cells.people) = (prompts.1, people.1);
        Ok(cells)
    }

    /// Every output that the judge graded or a person judged. What a person states here takes the place of what files say of
    /// them about the whole response.
    pub fn each(&self, live: &Live, each: &mut dyn FnMut(AgreementCell) -> Result<()>) -> Result<()> {
        let prompts: Vec<Arc<str>> = self.prompts.iter().map(|key| Arc::from(key.as_str())).collect();
        let runs: Vec<[Arc<str>; 3]> = self
            .runs
            .iter()
            .map(|run| [&run.folder, &run.run_name, &run.timestamp].map(|name| Arc::from(name.as_str())))
            .collect();
        let mut people = People::new(&self.people);
        let mut rest = self.said.as_slice();
        for output in &self.outputs {
            let (said, after) = rest.split_at((output.said as usize).min(rest.len()));
            rest = after;
            let verdicts = people.verdicts(said, live.get(&output.response), output.modality);
            if output.judge.is_none() && verdicts.is_empty() {
                continue;
            }
            let (Some(prompt_key), Some([folder, run_name, timestamp])) =
                (prompts.get(output.prompt as usize), runs.get(output.run as usize))
            else {
                continue;
            };
            each(AgreementCell {
                prompt_key: prompt_key.clone(),
                prompt: output.prompt,
                folder: folder.clone(),
                run_name: run_name.clone(),
                timestamp: timestamp.clone(),
                response: output.response,
                modality: output.modality,
                detection: output.detection,
                judge: output.judge,
                verdicts,
            })?;
        }
        Ok(())
    }

    /// As bytes, to be kept.
    pub fn pack(&self, to: &mut Packer) {
        to.texts(&self.prompts);
        to.count(self.runs.len());
        for run in &self.runs {
            for text in [&run.folder, &run.run_name, &run.timestamp] {
                to.text(text);
            }
        }
        to.texts(&self.people);
        to.count(self.outputs.len());
        for output in &self.outputs {
            to.number(output.prompt);
            to.number(output.run);
            to.bytes(output.response.as_bytes());
            to.byte(output.modality as u8);
            let Detection { native, via_url, via_judge } = output.detection;
            to.byte(u8::from(native) | (u8::from(via_url) << 1) | (u8::from(via_judge) << 2));
            to.number(output.said);
            to.byte(u8::from(output.judge.is_some()));
            if let Some(judge) = output.judge {
                to.number(judge.grades);
                to.bytes(&judge.mean.to_le_bytes());
                to.bytes(&judge.min.to_le_bytes());
                to.number(judge.evaluator_errors);
                to.byte(u8::from(judge.gradeable));
            }
        }
        to.count(self.said.len());
        for (who, correct) in &self.said {
            to.number(*who);
            to.byte(u8::from(*correct));
        }
    }

    /// What [`Self::pack`] wrote; none of anything else.
    pub fn unpack(from: &mut Unpacker<'_>) -> Option<Self> {
        let prompts = from.texts()?;
        let mut runs = Vec::new();
        for _ in 0..from.count()? {
            runs.push(RunKey { folder: from.text()?, run_name: from.text()?, timestamp: from.text()? });
        }
        let people = from.texts()?;
        let mut outputs = Vec::new();
        for _ in 0..from.count()? {
            let (prompt, run) = (from.number()?, from.number()?);
            let response = ResponseId::from_bytes(from.array()?);
            let modality = *Modality::ALL.get(usize::from(from.byte()?))?;
            let flags = from.byte()?;
            let has = |bit: u8| flags & bit != 0;
            let detection = Detection { native: has(1), via_url: has(2), via_judge: has(4) };
            let said = from.number()?;
            let judge = if from.byte()? == 0 {
                None
            } else {
                Some(Cell {
                    grades: from.number()?,
                    mean: f64::from_le_bytes(from.array()?),
                    min: f64::from_le_bytes(from.array()?),
                    evaluator_errors: from.number()?,
                    gradeable: from.byte()? != 0,
                })
            };
            outputs.push(Output { prompt, run, response, modality, detection, judge, said });
        }
        let mut said = Vec::new();
        for _ in 0..from.count()? {
            said.push((from.number()?, from.byte()? != 0));
        }
        Some(Self { prompts, runs, people, outputs, said })
    }
}

/// The names of people, one copy of each.
struct People {
    /// Those of files, by their number.
    of_files: Vec<Arc<str>>,
    by_name: HashMap<String, Arc<str>>,
}

impl People {
    fn new(of_files: &[String]) -> Self {
        let of_files: Vec<Arc<str>> = of_files.iter().map(|name| Arc::from(name.as_str())).collect();
        let by_name = of_files.iter().map(|name| (name.to_string(), name.clone())).collect();
        Self { of_files, by_name }
    }

    fn named(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.by_name.get(name) {
            return known.clone();
        }
        let new: Arc<str> = Arc::from(name);
        self.by_name.insert(name.to_owned(), new.clone());
        new
    }

    fn verdicts(&mut self, said: &[(u32, bool)], live: Option<&Vec<Said>>, of: Modality) -> Vec<CellVerdict> {
        let from_files = said.iter().filter_map(|(who, correct)| {
            let annotator = self.of_files.get(*who as usize)?;
            let taken = live.is_some_and(|live| live.iter().any(|(person, _)| **person == **annotator));
            let verdict = Verdict::from_bool(*correct);
            (!taken).then(|| CellVerdict { annotator: annotator.clone(), verdict, live: false })
        });
        let mut all: Vec<CellVerdict> = from_files.collect();
        let Some(live) = live else { return all };
        for (person, said) in live {
            for (_, verdict) in said.iter().flatten().filter(|(modality, _)| *modality == of) {
                all.push(CellVerdict { annotator: self.named(person), verdict: *verdict, live: true });
            }
        }
        all.sort_by(|a, b| a.annotator.cmp(&b.annotator));
        all
    }
}

fn verdicts_of_folder(audit: &Connection, folder: &str, people: &mut Numbers) -> Result<FromFiles> {
    let mut query = audit.prepare_cached(
        "SELECT prompt_key, run_name, modality, annotator, verdict FROM human_verdicts
         WHERE +folder = ?1 AND +state = 1",
    )?;
    let mut rows = query.query([folder])?;
    let mut all = FromFiles::new();
    while let Some(row) = rows.next()? {
        let verdict: Verdict = row
            .get_ref(4)?
            .as_str()
            .unwrap_or_default()
            .parse()
            .map_err(|e: String| encode::damaged("verdict", e))?;
        let who = people.of(row.get_ref(3)?.as_str().unwrap_or_default());
        let modality = encode::read_modality(row.get_ref(2)?.as_str().unwrap_or_default())?;
        let said = (modality, who, verdict == Verdict::Correct);
        all.entry((row.get(0)?, row.get(1)?)).or_default().push(said);
    }
    Ok(all)
}

/// Does a newer run of the same model in the same folder answer this prompt?
fn has_newer_run(audit: &Connection, run: &RunKey, prompt_key: &str) -> Result<bool> {
    Ok(audit
        .prepare_cached(
            "SELECT 1 FROM runs r JOIN slots s ON s.run = r.id
             WHERE r.folder = ?1 AND r.run_name = ?2 AND r.timestamp > ?3 AND s.prompt_key = ?4
               AND s.response IS NOT NULL LIMIT 1",
        )?
        .query_row(params![run.folder, run.run_name, run.timestamp, prompt_key], |_| Ok(()))
        .optional()?
        .is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells() -> Cells {
        let output = |prompt: u32, modality: Modality, judge: Option<Cell>, said: u32| Output {
            prompt,
            run: 0,
            response: ResponseId::from_bytes([u8::try_from(prompt).unwrap_or(0); 16]),
            modality,
            detection: Detection { native: false, via_url: true, via_judge: false },
            judge,
            said,
        };
        let judge = Cell { grades: 2, mean: 0.75, min: 0.5, evaluator_errors: 1, gradeable: true };
        Cells {
            prompts: ["p", "q"].map(str::to_owned).to_vec(),
            runs: vec![RunKey { folder: "f".to_owned(), run_name: "m".to_owned(), timestamp: String::new() }],
            people: ["ana", "ben"].map(str::to_owned).to_vec(),
            outputs: vec![
                output(0, Modality::Text, Some(judge), 2),
                output(0, Modality::Video, None, 0),
                output(1, Modality::Image, None, 1),
            ],
            said: vec![(0, true), (1, false), (1, true)],
        }
    }

    /// Prompt, modality, and who said what, live or not.
    type Told = (String, Modality, Vec<(String, Verdict, bool)>);

    fn told(cells: &Cells, live: &Live) -> Vec<Told> {
        let mut all = Vec::new();
        cells
            .each(live, &mut |cell| {
                let said =
                    cell.verdicts.into_iter().map(|v| (v.annotator.to_string(), v.verdict, v.live)).collect();
                all.push((cell.prompt_key.to_string(), cell.modality, said));
                Ok(())
            })
            .expect("nothing can go wrong in memory");
        all
    }

    #[test]
    fn what_a_person_states_takes_the_place_of_what_files_say_of_them() {
        use Verdict::{Correct, Incorrect};
        let of = |name: &str, verdict, live| (name.to_owned(), verdict, live);
        let plain = told(&cells(), &Live::new());
        assert_eq!(
            plain[0],
            ("p".to_owned(), Modality::Text, vec![of("ana", Correct, false), of("ben", Incorrect, false)]),
            "as files say"
        );
        assert_eq!((plain.len(), plain[1].1), (2, Modality::Image), "what nobody speaks of is no unit");
        let mut live = Live::new();
        live.insert(
            ResponseId::from_bytes([0; 16]),
            vec![
                ("ben".to_owned(), Some(vec![(Modality::Video, Correct)])),
                ("ana".to_owned(), None),
                ("cai".to_owned(), Some(vec![(Modality::Text, Incorrect)])),
            ],
        );
        let now = told(&cells(), &live);
        assert_eq!(
            now[0].2,
            vec![of("cai", Incorrect, true)],
            "ana's fork and ben's silence count as said here"
        );
        assert_eq!(now[1].2, vec![of("ben", Correct, true)], "and what was no unit becomes one");
        assert_eq!(now[2].2, vec![of("ben", Correct, false)], "another response stays as it was");
    }

    #[test]
    fn what_is_kept_comes_back_and_what_is_cut_does_not() {
        let mut packer = Packer::default();
        cells().pack(&mut packer);
        let bytes = packer.0;
        let read = |bytes: &[u8]| {
            let mut rest = Unpacker(bytes);
            Cells::unpack(&mut rest).filter(|_| rest.0.is_empty())
        };
        assert_eq!(read(&bytes), Some(cells()), "whole");
        for length in 0..bytes.len() {
            assert_eq!(read(&bytes[..length]), None, "{length} bytes of it are not it");
        }
        for at in 0..bytes.len() {
            let mut spoilt = bytes.clone();
            spoilt[at] ^= 0xff;
            // Another count or name may still be one; it is only never to end in a panic or a huge claim of memory.
            let _ = read(&spoilt);
        }
    }
}
