//! What an auditor sees: everything that content and journals hold. Reads of content take `&self`; what depends on
//! statements takes `&mut self`, because the index is brought up to date first. What auditors state is in
//! [`super::settling`].

use super::Readable;
use crate::content::{
    self, Content, answers, audit, guidelines, import, prompts, responses, rubrics, samples, scores,
};
use crate::device::Device;
use crate::folder::Folder;
use crate::history::{Record, records};
use crate::inbox::{Inbox, Me};
use crate::index::Index;
use crate::journal::{Journal, Own};
use crate::sqlite::Access;
use crate::{
    Answer, Blobs, Guidelines, Imported, ImportedVerdict, JudgedFile, Judging, JudgingRecord, Person, Result,
    Rubric, Run, ScoreRow, StoreError,
};
use domain::{
    BlobHash, Count, JournalKind, ModalityList, PersonName, Prompt, PromptId, Response, ResponseId, Role,
    Statement, StatementId, StatementKind,
};

/// An auditor's session.
pub struct AuditorView {
    pub(super) folder: Folder,
    pub(super) me: Me,
    pub(super) content: Content,
    pub(super) blobs: Blobs,
    /// The auditor's own settlements.
    pub(super) own: Own,
    /// Every other journal, for reading.
    pub(super) others: Vec<Journal>,
    index: Index,
    versions: Vec<i64>,
    pub(super) behind: bool,
    /// The file of [`super::kept`].
    pub(super) kept: std::path::PathBuf,
    /// See [`super::cells`].
    pub(super) known: super::cells::Known,
}

/// How far the study is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// Prompts.
    pub prompts: Count,
    /// Responses that stand.
    pub responses: Count,
    /// Verdicts read from files, by annotator (one for each modality).
    pub imported_verdicts: Vec<(String, Count)>,
    /// Responses judged in this study, by person.
    pub judged: Vec<(PersonName, Count)>,
    /// Rubrics handed in, by person.
    pub submitted: Vec<(PersonName, Count)>,
    /// Disagreements settled in this study, by person.
    pub settled: Vec<(PersonName, Count)>,
}

/// How much there is of one results folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FolderCounts {
    /// Responses that stand.
    pub responses: Count,
    /// Verdicts from files that stand.
    pub verdicts: Count,
}

impl Folder {
    /// Opens an auditor's session.
    pub fn auditor(&self, person: &PersonName, device: &Device) -> Result<AuditorView> {
        AuditorView::open(self, person, device, Role::Auditor, Access::Read)
    }
}

/// Opens the content. Files of an older version are brought up to date first, also by who only reads: a study that was
/// made before stays one that an auditor can open.
fn up_to_date(folder: &Folder, access: Access) -> Result<Content> {
    match Content::open(folder.root(), access) {
        Err(StoreError::OlderFile { .. }) => {
            Content::open(folder.root(), Access::Write)?.close()?;
            Content::open(folder.root(), access)
        }
        opened => opened,
    }
}

impl AuditorView {
    pub(super) fn open(
        folder: &Folder,
        person: &PersonName,
        device: &Device,
        role: Role,
        access: Access,
    ) -> Result<Self> {
        let me = Inbox::open(folder, person)?.me()?;
        if !me.roles.contains(&role) {
            return Err(StoreError::NoRole { person: person.clone(), role });
        }
        Ok(Self {
            folder: folder.clone(),
            me,
            content: up_to_date(folder, access)?,
            blobs: Blobs::of(folder.root()),
            own: Own::open(folder, person, device, JournalKind::Audit)?,
            others: Vec::new(),
            index: Index::open(folder, &format!("{person}.{role}"))?,
            versions: Vec::new(),
            behind: true,
            kept: folder.kept_path(&format!("{person}.{role}")),
            known: super::cells::Known::default(),
        })
    }

    /// Who the person is.
    pub fn me(&self) -> &Me {
        &self.me
    }
    /// The study's blobs.
    pub fn blobs(&self) -> Blobs {
        self.blobs.clone()
    }

    /// Opens journals that came since.
    pub(super) fn look_around(&mut self) -> Result<()> {
        self.own.look_around()?;
        let own: Vec<_> = self.own.all().iter().map(|j| j.name().clone()).collect();
        for name in self.folder.journals(|name| !own.contains(name))? {
            if self.others.iter().any(|journal| *journal.name() == name) {
                continue;
            }
            match Journal::open_to_read(&self.folder, name) {
                Ok(journal) => self.others.push(journal),
                // Another program is just making it.
                Err(StoreError::MissingFile(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// The index over all journals, up to date with what any program has written.
    pub(super) fn index(&mut self) -> Result<&Index> {
        self.look_around()?;
        let mut journals = self.own.all();
        journals.extend(&self.others);
        let versions = journals.iter().map(|j| j.data_version()).collect::<Result<Vec<_>>>()?;
        if self.behind || versions != self.versions {
            self.index.refresh(&journals, None)?;
            self.versions = versions;
            self.behind = false;
        }
        Ok(&self.index)
    }

    /// The index as [`Self::index`] left it.
    pub(super) const fn index_as_it_is(&self) -> &Index {
        &self.index
    }

    /// Every statement about a subject, of all people.
    pub(super) fn about(&mut self, subject: &str) -> Result<Vec<Statement>> {
        self.look_around()?;
        let mut all = self.own.about(subject)?;
        for journal in &self.others {
            all.extend(journal.about(subject)?);
        }
        Ok(all)
    }

    /// Every record about a subject: a response, a prompt, `<response>/<Modality>`, a person.
    pub fn history(&mut self, subject: &str) -> Result<Vec<Record>> {
        Ok(records(self.about(subject)?))
    }

    /// Everything that was ever stated, by whomever, newest first: up to `limit` of what came before `before`, by one
    /// person, of one kind.
    pub fn newest(
        &mut self,
        before: Option<StatementId>,
        person: Option<&str>,
        kind: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Statement>> {
        self.look_around()?;
        let journals: Vec<&Journal> = self.own.all().into_iter().chain(&self.others).collect();
        let (mut made_at, mut from) = ("~".to_owned(), None);
        if let Some(id) = before {
            for journal in &journals {
                if let Some(last) = journal.find(id)? {
                    made_at.clone_from(&last.made_at);
                    from = Some((journal.name().clone(), last.seq));
                }
            }
        }
        let wanted = |s: &Statement| {
            person.is_none_or(|person| person.is_empty() || s.person.as_str() == person)
                && kind.is_none_or(|kind| kind.is_empty() || s.kind.name() == kind)
        };
        let mut all = Vec::new();
        for journal in journals {
            let (mut made_at, mut seq) = (
                made_at.clone(),
                match &from {
                    Some((name, seq)) if name == journal.name() => *seq,
                    Some((name, _)) if name > journal.name() => i64::MAX.unsigned_abs(),
                    _ => 0,
                },
            );
            let mut found = 0;
            while found < limit {
                let page = journal.rows_before(&made_at, seq, 500)?;
                let Some(last) = page.last() else { break };
                (made_at, seq) = (last.made_at.clone(), last.seq);
                for statement in page.into_iter().filter(|s| wanted(s)) {
                    found += 1;
                    all.push((journal.name().clone(), statement));
                }
            }
        }
        all.sort_by(|(a_name, a), (b_name, b)| (&b.made_at, b_name, b.seq).cmp(&(&a.made_at, a_name, a.seq)));
        all.truncate(limit);
        Ok(all.into_iter().map(|(_, statement)| statement).collect())
    }

    /// What stands of `kind` about a subject, of all people.
    pub fn standing(&mut self, kind: &StatementKind, subject: &str) -> Result<Vec<Statement>> {
        self.index()?.heads(kind, subject)
    }

    /// Everything of `kind` that stands, by subject and person, one after the other.
    pub fn each_standing(
        &mut self,
        kind: &StatementKind,
        each: impl FnMut(Statement) -> Result<()>,
    ) -> Result<()> {
        self.index()?.each_head(kind, each)
    }

    /// How far the study is.
    pub fn overview(&mut self) -> Result<Overview> {
        let (prompts, responses) = answers::counts(&self.content.audit)?;
        let imported_verdicts = answers::imported_tally(&self.content.audit)?;
        let index = self.index()?;
        let tally = |kind| -> Result<Vec<(PersonName, Count)>> {
            Ok(index.tally(&kind)?.into_iter().map(|(person, n)| (person, Count::from(n))).collect())
        };
        Ok(Overview {
            prompts,
            responses,
            imported_verdicts,
            judged: tally(StatementKind::Judgement)?,
            submitted: tally(StatementKind::RubricSubmission)?,
            settled: tally(StatementKind::Settlement)?,
        })
    }

    /// Each journal with how many statements it holds and the hash of the last, which stands for all before it.
    pub fn journal_ends(&mut self) -> Result<Vec<(String, u64, [u8; 32])>> {
        self.index()?.journal_ends()
    }

    /// Everyone in the study.
    pub fn people(&self) -> Result<Vec<Person>> {
        audit::people(&self.content.audit)
    }
    /// Every file that was imported, or whose import was begun.
    pub fn imports(&self) -> Result<Vec<Imported>> {
        audit::imports(&self.content.audit)
    }
    /// The newest guidelines.
    pub fn guidelines(&self) -> Result<Option<Guidelines>> {
        guidelines::current(&self.content.study)
    }

    /// Up to `limit` prompts after `key` (empty: from the start), by key; with `search`, those whose key or text
    /// has it, whatever the case.
    pub fn prompts(&self, after: &str, limit: u32, search: Option<&str>) -> Result<Vec<Prompt>> {
        let wanted = search.map(str::to_lowercase).filter(|s| !s.is_empty());
        let (mut found, mut after) = (Vec::new(), after.to_owned());
        loop {
            let page = answers::prompt_page(
                &self.content.audit,
                &after,
                if wanted.is_some() { 500 } else { limit },
            )?;
            let Some((last, ..)) = page.last() else { return Ok(found) };
            after.clone_from(last);
            for (_, id, version) in page {
                let Some(prompt) = prompts::get(&self.content.study, id, Some(version))? else { continue };
                let fits = wanted.as_ref().is_none_or(|wanted| {
                    prompt.key.to_lowercase().contains(wanted) || prompt.text.to_lowercase().contains(wanted)
                });
                if fits {
                    found.push(prompt);
                    if found.len() as u64 >= u64::from(limit) {
                        return Ok(found);
                    }
                }
            }
            if wanted.is_none() {
                return Ok(found);
            }
        }
    }
    /// A prompt in the version that stands.
    pub fn prompt(&self, id: PromptId) -> Result<Option<Prompt>> {
        match answers::prompt_version(&self.content.audit, id)? {
            Some(version) => prompts::get(&self.content.study, id, Some(version)),
            None => Ok(None),
        }
    }
    /// The prompt with this key, in the version that stands.
    pub fn prompt_with_key(&self, key: &str) -> Result<Option<Prompt>> {
        match answers::prompt_with_key(&self.content.audit, key)? {
            Some((id, version)) => prompts::get(&self.content.study, id, Some(version)),
            None => Ok(None),
        }
    }
    /// The rubric handed out for a version of a prompt.
    pub fn rubric(&self, prompt: PromptId, prompt_version: u32) -> Result<Option<Rubric>> {
        rubrics::handed_out(&self.content.rubrics, prompt, prompt_version)
    }

    /// Every version of a prompt's rubric, oldest first.
    pub fn rubric_versions(&self, prompt: PromptId) -> Result<Vec<Rubric>> {
        rubrics::versions(&self.content.rubrics, prompt)
    }

    /// The runs that have responses.
    pub fn runs(&self) -> Result<Vec<Run>> {
        answers::runs(&self.content.audit)
    }
    /// The results folders.
    pub fn folders(&self) -> Result<Vec<String>> {
        import::folders(&self.content.audit)
    }
    /// How much there is of one results folder.
    pub fn folder_counts(&self, folder: &str) -> Result<FolderCounts> {
        let (responses, verdicts) = answers::folder_counts(&self.content.audit, folder)?;
        Ok(FolderCounts { responses, verdicts })
    }
    /// The results folders in which every one of these (prompt key, `run_name`) pairs has a response.
    pub fn folders_holding(&self, pairs: &[(String, String)]) -> Result<Vec<String>> {
        import::folders_holding(&self.content.audit, pairs)
    }
    /// The run manifests, as (folder, run timestamp, manifest).
    pub fn manifests(&self) -> Result<Vec<(String, String, serde_json::Value)>> {
        answers::manifests(&self.content.audit)
    }
    /// A response. Also one that no longer stands, since statements may be about it.
    pub fn response(&self, id: ResponseId) -> Result<Option<Response>> {
        responses::get(&self.content.responses, id)
    }
    /// The modalities that are judged of a response under its prompt's gold list as it stands.
    pub fn judged_modalities(&self, response: &Response) -> Result<ModalityList> {
        match response.prompt.map(|id| self.prompt(id)).transpose()?.flatten() {
            Some(prompt) => prompts::expected(&self.content.study, &prompt, &response.expected),
            None => Ok(response.expected.clone()),
        }
    }
    /// Which model gave a standing response, in which run, to which prompt.
    pub fn answer(&self, id: ResponseId) -> Result<Option<Answer>> {
        answers::get(&self.content.audit, id)
    }
    /// The standing responses to a prompt.
    pub fn answers_to(&self, prompt_key: &str) -> Result<Vec<Answer>> {
        answers::to_prompt(&self.content.audit, prompt_key)
    }
    /// Every standing response (of one folder), for choosing what to hand out.
    pub fn each_answer(
        &self,
        folder: Option<&str>,
        mut each: impl FnMut(Answer) -> Result<()>,
    ) -> Result<()> {
        answers::each(&self.content.audit, folder, &mut each)
    }
    /// What the LLM judge made of a response, base file first, then variants, with grades and explanations.
    pub fn judgings(&self, response: ResponseId) -> Result<Vec<JudgingRecord>> {
        answers::judgings(&self.content.audit, response)
    }
    /// The verdicts from files on a response.
    pub fn imported_verdicts(&self, response: ResponseId) -> Result<Vec<ImportedVerdict>> {
        match self.answer(response)? {
            Some(answer) => answers::imported_verdicts(&self.content.audit, &answer),
            None => Ok(Vec::new()),
        }
    }

    /// The result files with rows, by folder and name (of one folder).
    pub fn judged_files(&self, folder: Option<&str>) -> Result<Vec<JudgedFile>> {
        scores::files(&self.content.audit, folder)
    }
    /// Which rubric judge graded each standing row of a result file, by line.
    pub fn judges_of_rows(&self, file: &JudgedFile) -> Result<Vec<(u64, String)>> {
        scores::judges(&self.content.audit, file)
    }
    /// The rows of a result file that stand, as scores need them.
    pub fn score_rows(&self, file: &JudgedFile, mut each: impl FnMut(ScoreRow) -> Result<()>) -> Result<()> {
        scores::rows(&self.content.audit, file, &mut each)
    }
    /// Every judging of base files, or of a variant, wholly: prompt key, `run_name`, timestamp, record. For export.
    pub fn each_judging(
        &self,
        judging: Judging<'_>,
        mut each: impl FnMut(&str, &str, &str, JudgingRecord) -> Result<()>,
    ) -> Result<()> {
        answers::each_judging(&self.content.audit, judging, &mut each)
    }
    /// Every verdict from files that stands (of one folder).
    pub fn each_imported_verdict(
        &self,
        folder: Option<&str>,
        mut each: impl FnMut(ImportedVerdict) -> Result<()>,
    ) -> Result<()> {
        answers::each_imported_verdict(&self.content.audit, folder, &mut each)
    }

    /// The path and format of a blob that content names; none for any other.
    pub fn readable(&self, blob: &BlobHash) -> Result<Option<Readable>> {
        let format = match responses::format_of(&self.content.responses, *blob)? {
            Some(format) => Some(format),
            None => match prompts::format_of(&self.content.study, *blob)? {
                Some(format) => Some(format),
                None => samples::format_of(&self.content.rubrics, *blob)?,
            },
        };
        let path = self.blobs.path(blob);
        Ok(format.filter(|_| path.is_file()).map(|format| Readable { path, format }))
    }

    /// A token that differs when content or any journal changed since.
    pub fn changes(&mut self) -> Result<Vec<i64>> {
        self.look_around()?;
        let Content { study, responses, rubrics, audit, .. } = &self.content;
        let mut versions = [study, responses, rubrics, audit]
            .into_iter()
            .map(crate::sqlite::data_version)
            .collect::<Result<Vec<_>>>()?;
        for journal in self.own.all().into_iter().chain(&self.others) {
            versions.push(journal.data_version()?);
        }
        Ok(versions)
    }

    /// Ends the session; what it wrote is whole in its files afterwards.
    pub fn close(self) -> Result<()> {
        self.own.close()?;
        self.content.close()
    }
}

impl content::Content {
    fn close(self) -> Result<()> {
        for connection in [&self.study, &self.responses, &self.rubrics, &self.audit] {
            if !connection.is_readonly("main")? {
                crate::sqlite::checkpoint(connection)?;
            }
        }
        Ok(())
    }
}
