//! What agreement is computed from, kept up statement by statement. What content says of each output is read once an import;
//! what people state here is brought up to date with the responses that something was stated about since. Both are kept beside
//! the index, as disposable as that: a new session of a study with a million verdicts reads two files and not the verdicts.

use super::AuditorView;
use crate::content::audit;
use crate::content::cells::{Cells, Live, Said};
use crate::content::packed::{Packer, Unpacker};
use crate::index::Index;
use crate::journal::{Journal, payload};
use crate::{AgreementCell, Judging, Result};
use domain::{Judgement, Modality, ResponseId, Statement, StatementKind, Verdict};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// What the two files begin with; another version of the program that reads them otherwise has another mark.
const FORM: &[u8] = concat!("assize units 1 ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();
/// Judgings that a session holds in memory.
const JUDGINGS: usize = 4;
/// Rows of a journal that are read at once.
const CHUNK: u32 = 5_000;

/// What a session knows.
#[derive(Default)]
pub(super) struct Known {
    cells: BTreeMap<String, Arc<Cells>>,
    /// Which imports `cells` were read from.
    imports: [u8; 32],
    stated: Option<Stated>,
}

/// What people state in this study, and how far each journal was read for it.
#[derive(Default)]
struct Stated {
    ends: BTreeMap<String, (u64, [u8; 32])>,
    live: Arc<Live>,
}

/// What stands about one response: each person with their verdicts. Two statements of one person that stand side by side are a
/// fork: then that person has no verdict. The same for one whose content was removed on request.
fn said(heads: impl IntoIterator<Item = Statement>) -> Result<Vec<Said>> {
    let mut people: Vec<Said> = Vec::new();
    for statement in heads {
        let said = if statement.payload.is_empty() {
            None
        } else {
            let judgement: Judgement = payload(&statement)?;
            Some(judgement.verdicts.iter().map(|v| (v.modality, v.verdict)).collect())
        };
        let person = statement.person.to_string();
        match people.iter_mut().find(|(name, _)| *name == person) {
            Some((_, earlier)) => *earlier = None,
            None => people.push((person, said)),
        }
    }
    Ok(people)
}

impl Stated {
    /// Reads everything that stands.
    fn of(index: &Index) -> Result<Self> {
        let mut live = Live::new();
        let mut open: Option<(ResponseId, Vec<Statement>)> = None;
        index.each_head(&StatementKind::Judgement, |statement| {
            let Ok(response) = statement.subject.parse::<ResponseId>() else { return Ok(()) };
            match &mut open {
                Some((of, heads)) if *of == response => heads.push(statement),
                _ => {
                    if let Some((of, heads)) = open.replace((response, vec![statement])) {
                        live.insert(of, said(heads)?);
                    }
                }
            }
            Ok(())
        })?;
        if let Some((of, heads)) = open {
            live.insert(of, said(heads)?);
        }
        Ok(Self { ends: ends(index)?, live: Arc::new(live) })
    }

    /// Do the journals still begin with what was read of them?
    fn fits(&self, journals: &HashMap<String, &Journal>) -> Result<bool> {
        for (name, (seq, hash)) in &self.ends {
            let Some(journal) = journals.get(name) else { return Ok(false) };
            if journal.hash_at(*seq)? != Some(*hash) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Looks again at the responses that something was stated about since. Answers whether anything came.
    fn catch_up(&mut self, index: &Index, journals: &HashMap<String, &Journal>) -> Result<bool> {
        let now = ends(index)?;
        if now == self.ends {
            return Ok(false);
        }
        let mut touched: BTreeSet<String> = BTreeSet::new();
        for (name, (last, _)) in &now {
            let mut seq = self.ends.get(name).map_or(0, |(seq, _)| *seq);
            while let Some(journal) = journals.get(name).filter(|_| seq < *last) {
                let rows = journal.rows_after(seq, CHUNK)?;
                let Some(end) = rows.last() else { break };
                seq = end.statement.seq;
                touched.extend(rows.into_iter().map(|row| row.statement.subject));
            }
        }
        let live = Arc::make_mut(&mut self.live);
        for subject in touched {
            let Ok(response) = subject.parse::<ResponseId>() else { continue };
            let said = said(index.heads(&StatementKind::Judgement, &subject)?)?;
            if said.is_empty() {
                live.remove(&response);
            } else {
                live.insert(response, said);
            }
        }
        self.ends = now;
        Ok(true)
    }

    fn pack(&self, to: &mut Packer) {
        to.count(self.ends.len());
        for (name, (seq, hash)) in &self.ends {
            to.text(name);
            to.bytes(&seq.to_le_bytes());
            to.bytes(hash);
        }
        let names: BTreeSet<&str> = self.live.values().flatten().map(|(person, _)| person.as_str()).collect();
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let places: HashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
        to.texts(&names);
        to.count(self.live.len());
        for (response, people) in &*self.live {
            to.bytes(response.as_bytes());
            to.count(people.len());
            for (person, said) in people {
                to.number(places.get(person.as_str()).copied().unwrap_or_default());
                to.byte(u8::from(said.is_some()));
                let said = said.as_deref().unwrap_or_default();
                to.count(said.len());
                for (modality, verdict) in said {
                    to.byte(*modality as u8);
                    to.byte(u8::from(*verdict == Verdict::Correct));
                }
            }
        }
    }

    fn unpack(from: &mut Unpacker<'_>) -> Option<Self> {
        let mut ends = BTreeMap::new();
        for _ in 0..from.count()? {
            ends.insert(from.text()?, (u64::from_le_bytes(from.array()?), from.array()?));
        }
        let names = from.texts()?;
        let responses = from.count()?;
        let mut live = Live::with_capacity(responses);
        for _ in 0..responses {
            let response = ResponseId::from_bytes(from.array()?);
            let mut people = Vec::new();
            for _ in 0..from.count()? {
                let person = names.get(from.number()? as usize)?.clone();
                let is_there = from.byte()? != 0;
                let mut said = Vec::new();
                for _ in 0..from.count()? {
                    let modality = *Modality::ALL.get(usize::from(from.byte()?))?;
                    said.push((modality, Verdict::from_bool(from.byte()? != 0)));
                }
                people.push((person, is_there.then_some(said)));
            }
            live.insert(response, people);
        }
        Some(Self { ends, live: Arc::new(live) })
    }
}

fn ends(index: &Index) -> Result<BTreeMap<String, (u64, [u8; 32])>> {
    Ok(index.journal_ends()?.into_iter().map(|(name, seq, hash)| (name, (seq, hash))).collect())
}

impl AuditorView {
    /// The file beside the index for what has this name.
    fn kept_beside(&self, name: &str) -> PathBuf {
        let hash = hex::encode(&Sha256::digest(name.as_bytes())[..8]);
        self.kept.with_extension(format!("units-{hash}.numbers"))
    }

    fn read_kept<T>(
        &self,
        name: &str,
        about: &[u8],
        read: impl FnOnce(&mut Unpacker<'_>) -> Option<T>,
    ) -> Option<T> {
        let bytes = std::fs::read(self.kept_beside(name)).ok()?;
        let mut rest = Unpacker(bytes.strip_prefix(FORM)?.strip_prefix(about)?);
        read(&mut rest).filter(|_| rest.0.is_empty())
    }

    /// What cannot be kept is read again; nobody has to be told.
    fn write_kept(&self, name: &str, about: &[u8], write: impl FnOnce(&mut Packer)) {
        let mut packer = Packer([FORM, about].concat());
        write(&mut packer);
        let path = self.kept_beside(name);
        let part = path.with_extension(format!("{}.numbers-part", std::process::id()));
        if std::fs::write(&part, &packer.0).is_ok() && std::fs::rename(&part, &path).is_err() {
            let _ = std::fs::remove_file(&part);
        }
    }

    /// What people state in this study, by response, up to date. What is said of jobs that measure their person is no annotation.
    pub(super) fn live(&mut self) -> Result<Arc<Live>> {
        const NAME: &str = "stated";
        self.index()?;
        let journals: HashMap<String, &Journal> = (self.own.all().into_iter().chain(&self.others))
            .map(|journal| (journal.name().to_string(), journal))
            .collect();
        let known = self.known.stated.take();
        let known = known.or_else(|| self.read_kept(NAME, b"", Stated::unpack));
        let (stated, is_new) = match known {
            Some(mut known) if known.fits(&journals)? => {
                let is_new = known.catch_up(self.index_as_it_is(), &journals)?;
                (known, is_new)
            }
            _ => (Stated::of(self.index_as_it_is())?, true),
        };
        if is_new {
            self.write_kept(NAME, b"", |to| stated.pack(to));
        }
        let mut live = Arc::clone(&stated.live);
        self.known.stated = Some(stated);
        for (person, subject) in self.measuring()? {
            let Ok(response) = subject.parse::<ResponseId>() else { continue };
            if live
                .get(&response)
                .is_some_and(|people| people.iter().any(|(name, _)| *name == person.as_str()))
            {
                let all = Arc::make_mut(&mut live);
                if let Some(people) = all.get_mut(&response) {
                    people.retain(|(name, _)| *name != person.as_str());
                    if people.is_empty() {
                        all.remove(&response);
                    }
                }
            }
        }
        Ok(live)
    }

    fn cells(&mut self, judging: Judging<'_>) -> Result<Arc<Cells>> {
        let imports = audit::imports_hash(&self.content.audit)?;
        if self.known.imports != imports {
            self.known.cells.clear();
            self.known.imports = imports;
        }
        let name = format!("{:?} {:?}", judging.folder, judging.variant);
        if let Some(known) = self.known.cells.get(&name) {
            return Ok(Arc::clone(known));
        }
        let cells = if let Some(cells) = self.read_kept(&name, &imports, Cells::unpack) {
            cells
        } else {
            let cells = Cells::read(&self.content.audit, judging)?;
            self.write_kept(&name, &imports, |to| cells.pack(to));
            cells
        };
        if self.known.cells.len() >= JUDGINGS {
            self.known.cells.clear();
        }
        let cells = Arc::new(cells);
        self.known.cells.insert(name, Arc::clone(&cells));
        Ok(cells)
    }

    /// Every (prompt, run, expected modality) that the judge graded or a person judged, file by file.
    pub fn agreement_cells(
        &mut self,
        judging: Judging<'_>,
        mut each: impl FnMut(AgreementCell) -> Result<()>,
    ) -> Result<()> {
        let live = self.live()?;
        self.cells(judging)?.each(&live, &mut each)
    }
}
