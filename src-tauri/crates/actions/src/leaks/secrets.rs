//! What must not be reached: every text of the study that tells of a model, a rubric, a grade or another person's
//! decision, in a form that is found however it is spaced and capitalised.

use super::{
    encoded::decoded,
    letters::{is_unseen, looks_like},
    names::{MAKERS, MARKS},
};
use crate::Failure;
use aho_corasick::AhoCorasick;
use domain::{
    ChecklistGrade, Judgement, PersonName, Role, RubricDraft, Settlement, Statement, StatementKind,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use store::{Judging, LeadView, TaskKind, payload};

/// What a text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// The name of a model, run or provider of the study.
    Model,
    /// A name that the makers of models use.
    Maker,
    /// The file or time of a run.
    Run,
    /// A criterion of a rubric.
    Rubric,
    /// What an LLM judge said.
    Grade,
    /// What another person said.
    Statement,
    /// What a model answered.
    Response,
    /// A mark on a job whose answer is known.
    Gold,
    /// What is right in the quiz, or of a job whose answer is known, and why.
    Key,
}
impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Model => "model name",
            Self::Maker => "name of a model's maker",
            Self::Run => "file or time of a run",
            Self::Rubric => "rubric text",
            Self::Grade => "grade of an LLM judge",
            Self::Statement => "another person's statement",
            Self::Response => "response text",
            Self::Gold => "mark of a known answer",
            Self::Key => "a known answer",
        }
    }
}

/// Shorter texts are said by chance.
const SENTENCE: usize = 20;

/// The texts, ready to be looked for.
pub(super) struct Secrets {
    automaton: AhoCorasick,
    /// By pattern: what it tells, and how it is shown.
    told: Vec<(Kind, String)>,
    /// Names however they are cut, with the same.
    cut: AhoCorasick,
    told_cut: Vec<(Kind, String)>,
    /// Texts as they are written, for looking through bytes.
    pub raw: Vec<(Kind, String)>,
}

/// Lower case, and one space for whatever keeps words apart. Signs that nobody sees are left out, and letters are those that
/// they look like.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars().filter(|c| !is_unseen(*c)).map(looks_like) {
        if c.is_alphanumeric() {
            if gap {
                out.push(' ');
                gap = false;
            }
            out.extend(c.to_lowercase());
        } else {
            gap = !out.is_empty();
        }
    }
    out
}

/// Letters and digits alone, in lower case, each with whether a word can begin there: behind another sign, at a capital
/// behind a small letter, and where digits and letters meet.
fn squeezed(text: &str) -> (String, Vec<bool>) {
    let (mut out, mut begins) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    let mut before: Option<char> = None;
    for c in text.chars().filter(|c| !is_unseen(*c)).map(looks_like) {
        if !c.is_alphanumeric() {
            before = None;
            continue;
        }
        let apart =
            before.is_none_or(|b| (b.is_lowercase() && c.is_uppercase()) || b.is_numeric() != c.is_numeric());
        for (n, small) in c.to_lowercase().enumerate() {
            out.push(small);
            begins.extend((0..small.len_utf8()).map(|byte| apart && n == 0 && byte == 0));
        }
        before = Some(c);
    }
    begins.push(true);
    (out, begins)
}

#[derive(Default)]
struct Collected {
    all: BTreeMap<String, (Kind, String)>,
    raw: BTreeMap<String, Kind>,
    /// Names without what keeps their words apart.
    squeezed: BTreeMap<String, (Kind, String)>,
}
impl Collected {
    fn add(&mut self, kind: Kind, text: &str, shortest: usize) {
        let needle = plain(text);
        if needle.chars().count() >= shortest && needle.chars().any(char::is_alphabetic) {
            let long_enough = if kind == Kind::Model { 4 } else { 8 };
            if text.len() >= long_enough && kind != Kind::Maker && kind != Kind::Gold {
                self.raw.entry(text.to_owned()).or_insert(kind);
            }
            let shown: String = text.chars().take(80).collect();
            let (whole, _) = squeezed(text);
            // Shorter ones are said by chance.
            let length = whole.chars().count();
            let telling = length >= 8 || (length >= 6 && whole.chars().any(char::is_numeric));
            if telling && matches!(kind, Kind::Model | Kind::Run | Kind::Maker) {
                self.squeezed.entry(whole).or_insert_with(|| (kind, shown.clone()));
            }
            self.all.entry(needle).or_insert((kind, shown));
        }
    }
    fn time(&mut self, text: &str) {
        let needle = plain(text);
        if needle.len() >= 10 {
            self.all.entry(needle).or_insert((Kind::Run, text.to_owned()));
        }
    }
}

impl Secrets {
    /// What `person` in `role` must not reach.
    pub fn of(lead: &mut LeadView, person: &PersonName, role: Role) -> Result<Self, Failure> {
        let mut found = Collected::default();
        models(lead, &mut found)?;
        judgings(lead, &mut found, role)?;
        statements(lead, &mut found, person, role)?;
        known_answers(lead, &mut found)?;
        match role {
            Role::Author => responses(lead, &mut found)?,
            _ => rubrics(lead, &mut found)?,
        }
        Self::build(found)
    }

    /// What no package may hold, as far as that can be known without its study.
    pub fn of_nothing() -> Result<Self, Failure> {
        Self::build(Collected::default())
    }

    fn build(mut found: Collected) -> Result<Self, Failure> {
        for name in MAKERS {
            found.add(Kind::Maker, name, 3);
        }
        for mark in MARKS {
            found.add(Kind::Gold, mark, 3);
        }
        let (patterns, told): (Vec<String>, Vec<(Kind, String)>) = found.all.into_iter().unzip();
        let build = |patterns: &[String]| {
            AhoCorasick::new(patterns).map_err(|error| Failure::new(crate::Code::Internal, error.to_string()))
        };
        let automaton = build(&patterns)?;
        let (names, told_cut): (Vec<String>, Vec<(Kind, String)>) = found.squeezed.into_iter().unzip();
        let cut = build(&names)?;
        let raw = found.raw.into_iter().map(|(text, kind)| (kind, text)).collect();
        Ok(Self { automaton, told, cut, told_cut, raw })
    }

    /// How many texts of each kind there are.
    pub fn counts(&self) -> BTreeMap<String, domain::Count> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for (kind, _) in &self.told {
            *counts.entry(kind.name().to_owned()).or_default() += 1;
        }
        counts.into_iter().map(|(kind, n)| (kind, n.into())).collect()
    }

    /// What a text tells: each secret once, where it stands as a word of its own, also in code, and names also where they
    /// are cut or joined.
    pub fn within(&self, text: &str) -> Vec<(Kind, &str)> {
        let mut found = Vec::new();
        self.look(text, &mut found);
        for text in decoded(text) {
            self.look(&text, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn look<'a>(&'a self, text: &str, found: &mut Vec<(Kind, &'a str)>) {
        let (whole, begins) = squeezed(text);
        for hit in self.cut.find_overlapping_iter(&whole) {
            if begins[hit.start()] && begins[hit.end()] {
                let (kind, shown) = &self.told_cut[hit.pattern().as_usize()];
                found.push((*kind, shown.as_str()));
            }
        }
        let text = plain(text);
        let mut seen = HashSet::new();
        for hit in self.automaton.find_overlapping_iter(&text) {
            let before = text[..hit.start()].chars().next_back();
            let after = text[hit.end()..].chars().next();
            let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let pattern = hit.pattern().as_usize();
            if !word(before) && !word(after) && seen.insert(pattern) {
                let (kind, shown) = &self.told[pattern];
                found.push((*kind, shown.as_str()));
            }
        }
    }
}

fn models(lead: &LeadView, found: &mut Collected) -> Result<(), Failure> {
    for run in lead.runs()? {
        for name in [&run.run_name, &run.model, &run.provider] {
            found.add(Kind::Model, name, 2);
        }
        // A plain word, such as `main`, tells nothing.
        if run.folder.contains(|c: char| c.is_ascii_digit() || c == '_' || c == '-') {
            found.add(Kind::Run, &run.folder, 6);
        }
        found.time(&run.timestamp);
    }
    for name in lead.predicting_models()? {
        found.add(Kind::Model, &name, 2);
    }
    for file in lead.judged_files(None)? {
        let stem = file.file.rsplit_once('.').map_or(file.file.as_str(), |(stem, _)| stem);
        found.add(Kind::Run, stem, 8);
    }
    Ok(())
}

fn judgings(lead: &LeadView, found: &mut Collected, role: Role) -> Result<(), Failure> {
    let mut variants: Vec<String> = lead.judged_files(None)?.into_iter().map(|file| file.variant).collect();
    variants.sort();
    variants.dedup();
    for variant in variants {
        lead.each_judging(Judging { folder: None, variant: &variant }, |_, _, _, record| {
            for judge in [&record.judge_model, &record.rubric_judge_model] {
                found.add(Kind::Grade, judge, 6);
            }
            found.add(Kind::Grade, &record.judge_reasoning, SENTENCE);
            if let Some(failure) = &record.failure {
                found.add(Kind::Run, &failure.message, SENTENCE);
            }
            for grade in &record.grades {
                found.add(Kind::Grade, &grade.explanation, SENTENCE);
                if role != Role::Author {
                    found.add(Kind::Rubric, &grade.criterion, SENTENCE);
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn rubrics(lead: &LeadView, found: &mut Collected) -> Result<(), Failure> {
    let mut after = String::new();
    loop {
        let page = lead.prompts(&after, 500, None)?;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.key);
        for prompt in &page {
            for version in 1..=prompt.version {
                for criterion in lead.rubric(prompt.id, version)?.into_iter().flat_map(|r| r.criteria) {
                    found.add(Kind::Rubric, &criterion.criterion, SENTENCE);
                }
            }
        }
    }
}

/// What other people stated here, and what was read from files.
fn statements(
    lead: &mut LeadView,
    found: &mut Collected,
    person: &PersonName,
    role: Role,
) -> Result<(), Failure> {
    let mut said: Vec<Statement> = Vec::new();
    for kind in [
        StatementKind::Judgement,
        StatementKind::Settlement,
        StatementKind::ChecklistGrade,
        StatementKind::RubricRevision,
        StatementKind::Curation,
        StatementKind::AuditFinding,
        StatementKind::GoldMark,
        StatementKind::QualificationChange,
    ] {
        lead.each_standing(&kind, |statement| {
            if statement.person != *person && !statement.payload.is_empty() {
                said.push(statement);
            }
            Ok(())
        })?;
    }
    let mut granted = HashSet::new();
    if role == Role::Author {
        let mut after = String::new();
        loop {
            let page = lead.prompts(&after, 500, None)?;
            let Some(last) = page.last() else { break };
            after.clone_from(&last.key);
            for prompt in &page {
                let rubric = lead.rubric(prompt.id, prompt.version)?;
                granted.extend(rubric.into_iter().flat_map(|r| r.criteria).map(|c| plain(&c.criterion)));
            }
        }
    }
    // An author who reviews sees the rubrics that they review.
    let reviewed = lead.subjects_of(TaskKind::Review, person)?;
    for statement in said {
        match statement.kind {
            StatementKind::RubricRevision
                if role == Role::Author
                    && reviewed.contains(&store::review_subject(&statement.subject, &statement.person)) => {}
            StatementKind::Judgement => {
                for verdict in payload::<Judgement>(&statement)?.verdicts {
                    found.add(Kind::Statement, &verdict.comment, SENTENCE);
                }
            }
            StatementKind::Curation => {
                found.add(Kind::Statement, &payload::<domain::Curation>(&statement)?.note, SENTENCE);
            }
            StatementKind::AuditFinding => {
                let finding = payload::<domain::AuditFinding>(&statement)?;
                // What is returned comes to its person with these words.
                if finding.accepted {
                    found.add(Kind::Statement, &finding.feedback, SENTENCE);
                }
            }
            // The modalities come to the rubric's author, the reason never.
            StatementKind::GoldMark => {
                found.add(Kind::Statement, &payload::<domain::GoldMark>(&statement)?.reason, SENTENCE);
            }
            StatementKind::QualificationChange => {
                let reason = payload::<domain::QualificationChange>(&statement)?.reason;
                found.add(Kind::Statement, &reason, SENTENCE);
            }
            StatementKind::Settlement => {
                found.add(Kind::Statement, &payload::<Settlement>(&statement)?.note, SENTENCE);
            }
            StatementKind::ChecklistGrade => {
                for grade in payload::<ChecklistGrade>(&statement)?.grades {
                    found.add(Kind::Statement, &grade.reason, SENTENCE);
                }
            }
            _ => {
                let kind = if role == Role::Author { Kind::Statement } else { Kind::Rubric };
                let draft = payload::<RubricDraft>(&statement)?;
                let structured = draft.structured.iter().flat_map(domain::StructuredRubric::texts);
                for text in draft.criteria.iter().map(|c| c.criterion.as_str()).chain(structured) {
                    if !granted.contains(&plain(text)) {
                        found.add(kind, text, SENTENCE);
                    }
                }
            }
        }
    }
    lead.each_check_grade(|grade| {
        found.add(Kind::Statement, &grade.explanation, SENTENCE);
        Ok(())
    })?;
    lead.each_imported_verdict(None, |imported| {
        found.add(Kind::Statement, &imported.verdict.comment, SENTENCE);
        Ok(())
    })?;
    for settled in lead.imported_adjudications(None)? {
        found.add(Kind::Statement, &settled.adjudication.note, SENTENCE);
    }
    Ok(())
}

/// The ids of audits' draws, and of findings that returned nothing. What was returned tells its person of itself.
pub(super) fn audits(lead: &mut LeadView) -> Result<BTreeSet<String>, Failure> {
    let mut ids: BTreeSet<String> =
        lead.audit_draws()?.into_iter().map(|(statement, _)| statement.id.to_string()).collect();
    lead.each_standing(&StatementKind::AuditFinding, |statement| {
        if !statement.payload.is_empty() && payload::<domain::AuditFinding>(&statement)?.accepted {
            ids.insert(statement.id.to_string());
        }
        Ok(())
    })?;
    Ok(ids)
}

/// Why answers are right: of the quiz's items, and of jobs whose answers are known. What the guidelines or the practice say in the same
/// words is no secret.
fn known_answers(lead: &LeadView, found: &mut Collected) -> Result<(), Failure> {
    let mut open = lead.guidelines()?.map_or_else(String::new, |now| plain(&now.markdown));
    if let Some((_, quiz, _)) = lead.quiz()? {
        for practice in &quiz.practice {
            open = format!("{open} {}", plain(&practice.answer.explanation));
        }
    }
    let golds = lead.gold_answers()?.into_iter().map(|gold| gold.why);
    let quizzes = lead.quiz_keys()?.into_iter().flat_map(|key| key.answers).map(|answer| answer.explanation);
    for text in golds.chain(quizzes).filter(|text| !open.contains(&plain(text))) {
        found.add(Kind::Key, &text, SENTENCE);
    }
    Ok(())
}

/// The longer lines of every response, unless its prompt says the same.
fn responses(lead: &LeadView, found: &mut Collected) -> Result<(), Failure> {
    const LINES: usize = 3;
    const LINE: usize = 40;
    let mut asked: HashMap<String, String> = HashMap::new();
    let mut answers = Vec::new();
    lead.each_answer(None, |answer| {
        answers.push(answer);
        Ok(())
    })?;
    for answer in answers {
        let Some(response) = lead.response(answer.response)? else { continue };
        if !asked.contains_key(&answer.prompt_key) {
            let text = lead.prompt_with_key(&answer.prompt_key)?.map_or_else(String::new, |p| plain(&p.text));
            asked.insert(answer.prompt_key.clone(), text);
        }
        let prompt = asked.get(&answer.prompt_key).map_or("", String::as_str);
        for line in response.text.lines().filter(|line| line.len() >= LINE).take(LINES) {
            let start: String = line.chars().take(120).collect();
            if !prompt.contains(&plain(&start)) {
                found.add(Kind::Response, &start, LINE / 2);
            }
        }
    }
    Ok(())
}
