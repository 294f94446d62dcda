//! The leak scanner: opens what a person's session or package reaches, all of it, and looks for everything that must not
//! be there. It trusts nothing that keeps it out elsewhere: files are read cell by cell and byte by byte, whatever
//! form they have, and blobs for what they say about themselves.
//!
//! A *leak* is what the app could have kept back. A *warning* is what it cannot: a model that names itself in its own
//! words, in a text or in the body of a document.

mod blobs;
mod encoded;
mod letters;
mod names;
mod needed;
mod order;
mod report;
mod secrets;
mod tasks;

pub use report::report_text;

use crate::App;
use crate::{Code, Failure, command_line, handlers::person, packages, wire};
use domain::{PersonName, Role};
use media::worker::Pool;
use secrets::{Kind, Secrets, plain};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use store::{Folder, LeadView, ReachedCell, ReachedFile};
use tasks::Cell;

/// Findings beyond this many of one kind are not listed one by one.
const MOST: usize = 2_000;

/// What a text is to the person who reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Names, marks, properties: nothing that anybody wrote for them to read.
    Form,
    /// A model's own words.
    Answer,
    /// The prompt, which is the same for all models.
    Prompt,
    /// What the person wrote.
    Own,
    /// A task: a mark on it tells something.
    Task,
}

/// How bad it is that a text of this kind is in such a place; none if it is not.
fn severity(kind: Kind, place: Place) -> Option<&'static str> {
    match (kind, place) {
        (_, Place::Own)
        | (Kind::Gold, Place::Answer | Place::Prompt | Place::Form)
        | (Kind::Maker, Place::Prompt) => None,
        (Kind::Model | Kind::Maker, Place::Answer) | (Kind::Model, Place::Prompt) => Some("warning"),
        _ => Some("leak"),
    }
}

/// What is being found.
struct Search {
    secrets: Secrets,
    leaks: BTreeSet<wire::LeakView>,
    warnings: BTreeSet<wire::LeakView>,
    reached: BTreeMap<String, u64>,
    /// Secrets that were met in the cells of the file at hand.
    met: BTreeSet<String>,
    /// Ids of audits' draws, and of what was found good: whoever met one would know what was looked at.
    audits: BTreeSet<String>,
}

impl Search {
    fn new(secrets: Secrets) -> Self {
        Self {
            secrets,
            leaks: BTreeSet::new(),
            warnings: BTreeSet::new(),
            reached: BTreeMap::new(),
            met: BTreeSet::new(),
            audits: BTreeSet::new(),
        }
    }
    fn add(&mut self, what: String, place: &str, severity: &str) {
        let list = if severity == "leak" { &mut self.leaks } else { &mut self.warnings };
        if list.len() < MOST {
            list.insert(wire::LeakView { what, place: place.to_owned(), severity: severity.to_owned() });
        }
    }
    fn leak(&mut self, what: impl Into<String>, place: &str) {
        self.add(what.into(), place, "leak");
    }
    fn count(&mut self, kind: &str, n: u64) {
        *self.reached.entry(kind.to_owned()).or_default() += n;
    }
    /// Looks through one text. JSON is read as what it says, not as it is written.
    fn text(&mut self, text: &str, place: Place, at: &dyn Fn() -> String) {
        if text.is_empty() {
            return;
        }
        if text.starts_with(['{', '['])
            && let Ok(value) = serde_json::from_str::<serde_json::Value>(text)
        {
            let mut strings = Vec::new();
            leaves(&value, &mut strings);
            for text in strings {
                self.plain_text(&text, place, at);
            }
            return;
        }
        self.plain_text(text, place, at);
    }
    fn plain_text(&mut self, text: &str, place: Place, at: &dyn Fn() -> String) {
        let found: Vec<(Kind, String)> =
            self.secrets.within(text).into_iter().map(|(kind, shown)| (kind, shown.to_owned())).collect();
        for (kind, shown) in found {
            self.met.insert(plain(&shown));
            if let Some(severity) = severity(kind, place) {
                self.add(format!("{}: {shown}", kind.name()), &at(), severity);
            }
        }
    }
}

fn leaves(value: &serde_json::Value, out: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => out.push(text.clone()),
        serde_json::Value::Array(list) => list.iter().for_each(|value| leaves(value, out)),
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                out.push(key.clone());
                leaves(value, out);
            }
        }
        _ => {}
    }
}

/// Everything that the sessions of `person` in this study reach.
pub(crate) fn of_session(
    lead: &mut LeadView,
    pool: &Pool,
    person: &PersonName,
) -> Result<wire::LeakReport, Failure> {
    let folder = lead.study_folder();
    let roles: Vec<Role> = folder
        .person(person)?
        .roles
        .into_iter()
        .filter(|role| matches!(role, Role::Judge | Role::Author))
        .collect();
    if roles.is_empty() {
        return Err(Failure::new(
            Code::BadRequest,
            format!("{person} is neither judge nor author: an auditor or lead sees everything"),
        ));
    }
    let mut report = wire::LeakReport::default();
    for role in roles {
        let files = folder.reached_by_session(person, role)?;
        add(&mut report, search(Some(&mut *lead), pool, &folder, &files, person, role, Whole::Session)?);
    }
    Ok(report)
}

/// Everything that is in the folder of a package for `person`. With the lead of its study, all that is secret there is
/// looked for; without, what no package may hold.
fn of_package(
    lead: Option<&mut LeadView>,
    pool: &Pool,
    folder: &Folder,
    person: &PersonName,
    whole: Whole,
) -> Result<wire::LeakReport, Failure> {
    let mark = folder.package()?.ok_or_else(|| Failure::new(Code::BadRequest, "this is no package"))?;
    let mut report = wire::LeakReport::default();
    let files = folder.reached_in_package(&mark.person, mark.role)?;
    let mut done = search(lead, pool, folder, &files, &mark.person, mark.role, whole)?;
    if mark.person != *person {
        done.leak(format!("package of another person: {}", mark.person), "package.json");
    }
    add(&mut report, done);
    Ok(report)
}

fn add(report: &mut wire::LeakReport, found: Search) {
    report.leaks.extend(found.leaks);
    report.warnings.extend(found.warnings);
    for (kind, n) in found.reached {
        let sum = report.reached.get(&kind).map_or(0, |n| n.get()) + n;
        report.reached.insert(kind, sum.into());
    }
    for (kind, n) in found.secrets.counts() {
        let sum = report.looked_for.get(&kind).map_or(0, |n| n.get()).max(n.get());
        report.looked_for.insert(kind, sum.into());
    }
}

/// What the files are that are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whole {
    /// Those of a session in a study, beside others.
    Session,
    /// A package as it was sealed.
    Package,
    /// A folder that packages were unsealed into, one after the other.
    Folder,
}

fn search(
    mut lead: Option<&mut LeadView>,
    pool: &Pool,
    folder: &Folder,
    files: &[ReachedFile],
    person: &PersonName,
    role: Role,
    whole: Whole,
) -> Result<Search, Failure> {
    let secrets = match &mut lead {
        Some(lead) => Secrets::of(lead, person, role)?,
        None => Secrets::of_nothing()?,
    };
    let mut search = Search::new(secrets);
    if let Some(lead) = &mut lead {
        search.audits = secrets::audits(lead)?;
    }
    let mut tasks = Vec::new();
    let mut named = blobs::Named::default();
    let mut needed = needed::Needed::default();
    for file in files {
        search.count("files", 1);
        if !file.granted {
            search.leak(format!("a file that no {role} may see"), &file.name);
        }
        search.met.clear();
        let beyond = store::each_cell(file, |cell| {
            look_at(&mut search, file, cell, person);
            named.take(file, cell);
            needed.take(file, cell);
            if file.name.starts_with("inbox/") && cell.table == "tasks" {
                tasks.push(Cell::of(cell));
            }
            Ok(())
        });
        match beyond {
            Ok(beyond) => {
                for what in beyond {
                    search.leak(format!("not part of such a file: {what}"), &file.name);
                }
            }
            Err(error) => search.leak(format!("cannot be looked through: {error}"), &file.name),
        }
        bytes(&mut search, lead.as_deref(), file)?;
    }
    tasks::marks(&mut search, &tasks);
    if whole != Whole::Session {
        needed.look(&mut search);
    }
    if whole == Whole::Package {
        needed::unnamed(&mut search, folder, &named);
    }
    let lead = lead.as_deref();
    if let Some(lead) = lead.filter(|_| role == Role::Judge) {
        tasks::in_order(&mut search, lead, &tasks)?;
        tasks::hidden_jobs(&mut search, lead, person)?;
    }
    blobs::look(&mut search, lead, pool, folder, &named, role, whole != Whole::Session)?;
    Ok(search)
}

fn look_at(search: &mut Search, file: &ReachedFile, cell: &ReachedCell<'_>, person: &PersonName) {
    let name = file.name.as_str();
    let at = || format!("{name}: {}.{} of {}", cell.table, cell.column, cell.row);
    let own_file = name.starts_with("journals/") || name.starts_with("cache/");
    let place = match (name, cell.table, cell.column) {
        ("content/responses.sqlite", "responses", "text") => Place::Answer,
        ("content/study.sqlite", "prompts", "text" | "key")
        | ("content/rubrics.sqlite", "rubrics", "criteria")
        | ("content/rubrics.sqlite", "samples", "body") => Place::Prompt,
        (_, "statements", "payload") | (_, "drafts" | "heads", "body") if own_file => Place::Own,
        (_, "tasks", _) => Place::Task,
        _ => Place::Form,
    };
    let counted = match (name, cell.table, cell.column) {
        ("content/study.sqlite", "prompts", "id") => Some("prompts"),
        ("content/responses.sqlite", "responses", "id") => Some("responses"),
        ("content/rubrics.sqlite", "rubrics", "prompt") => Some("rubrics"),
        ("content/rubrics.sqlite", "samples", "id") => Some("samples"),
        (_, "tasks", "id") if name.starts_with("inbox/") => Some("tasks"),
        (_, "statements", "id") if name.starts_with("journals/") => Some("statements"),
        _ => None,
    };
    if let Some(kind) = counted {
        search.count(kind, 1);
    }
    if search.audits.contains(cell.text) {
        search.leak("what tells that something was audited", &at());
    }
    if (name, cell.table, cell.column) == ("content/study.sqlite", "quizzes", "body")
        && serde_json::from_str::<domain::Quiz>(cell.text).is_err()
    {
        search.leak("a quiz that tells more than its questions", &at());
    }
    if cell.column == "person" && cell.text != person.as_str() {
        search.leak(format!("another person's statement or inbox: {}", cell.text), &at());
    }
    search.text(cell.text, place, &at);
}

/// The file byte by byte: what lies in unused pages, in a log beside it, or in no table at all.
fn bytes(search: &mut Search, lead: Option<&LeadView>, file: &ReachedFile) -> Result<(), Failure> {
    let found = fs::read(&file.path);
    let Ok(found) = found else { return Ok(()) };
    if let Some(lead) = lead
        && lead.holds_secret(&file.path)?
    {
        search.leak("the study's secret, from which opaque ids follow", &file.name);
    }
    if !file.name.ends_with(".sqlite") && !file.name.ends_with("-wal") && !file.name.ends_with("-journal") {
        let text = String::from_utf8_lossy(&found).into_owned();
        search.text(&text, Place::Form, &|| file.name.clone());
        return Ok(());
    }
    let own = file.name.starts_with("journals/") || file.name.starts_with("cache/");
    if own || search.secrets.raw.is_empty() {
        return Ok(());
    }
    let mut patterns: Vec<Vec<u8>> = Vec::new();
    let mut of: Vec<usize> = Vec::new();
    for (n, (kind, text)) in search.secrets.raw.iter().enumerate() {
        let all = match kind {
            Kind::Model | Kind::Run => encoded::spellings(text),
            _ => vec![text.clone().into_bytes()],
        };
        for pattern in all.into_iter().filter(|pattern| pattern.len() >= 4) {
            patterns.push(pattern);
            of.push(n);
        }
    }
    let automaton = aho_corasick::AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .build(&patterns)
        .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
    let mut left = BTreeSet::new();
    for hit in automaton.find_overlapping_iter(&found) {
        let pattern = hit.pattern().as_usize();
        let (kind, text) = &search.secrets.raw[of[pattern]];
        // In code, what lies around belongs to it.
        let in_code = patterns[pattern].len() >= 8
            && !text.eq_ignore_ascii_case(&String::from_utf8_lossy(&patterns[pattern]));
        let word = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphanumeric);
        let apart =
            !word(hit.start().checked_sub(1).and_then(|n| found.get(n))) && !word(found.get(hit.end()));
        if (apart || in_code) && !search.met.contains(&plain(text)) {
            left.insert((*kind, text.chars().take(80).collect::<String>()));
        }
    }
    for (kind, text) in left {
        search.leak(format!("{} left over in unused space: {text}", kind.name()), &file.name);
    }
    Ok(())
}

/// What `assize leaks` is asked.
#[derive(Debug, Clone)]
pub struct LeaksOptions {
    /// The study of a lead, or a package (sealed, or unsealed into its folder).
    pub study: PathBuf,
    /// Whom.
    pub person: String,
    /// Look into this package, made from the study, instead of the person's session.
    pub package: Option<PathBuf>,
}

/// Looks for what a person must not reach.
pub fn scan(app: &App, options: &LeaksOptions, ask: packages::Ask<'_>) -> Result<wire::LeakReport, Failure> {
    let name = person(&options.person)?;
    if let Some(package) = &options.package {
        command_line::open_as_lead(app, &options.study)?;
        return of_sealed(app, package, &name, ask);
    }
    if store::is_package(&options.study) {
        return unsealed(app, &options.study, ask, |folder| {
            of_package(None, &app.pool, folder, &name, Whole::Package)
        });
    }
    let folder = Folder::open(&options.study, None)?;
    if folder.package()?.is_some() {
        return of_package(None, &app.pool, &folder, &name, Whole::Folder);
    }
    command_line::open_as_lead(app, &options.study)?;
    app.lead(|lead| of_session(lead, &app.pool, &name))
}

/// Everything that is in a sealed package for `person`, looked through with all that is secret in the open study.
pub(crate) fn of_sealed(
    app: &App,
    package: &Path,
    person: &PersonName,
    ask: packages::Ask<'_>,
) -> Result<wire::LeakReport, Failure> {
    if !store::is_package(package) {
        return Err(Failure::new(
            Code::BadRequest,
            format!("{}: this is no sealed package", package.display()),
        ));
    }
    unsealed(app, package, ask, |folder| {
        app.lead(|lead| of_package(Some(lead), &app.pool, folder, person, Whole::Package))
    })
}

/// Works with what is in a package, which is unsealed for that and thrown away again.
fn unsealed(
    app: &App,
    package: &Path,
    ask: packages::Ask<'_>,
    work: impl FnOnce(&Folder) -> Result<wire::LeakReport, Failure>,
) -> Result<wire::LeakReport, Failure> {
    let random = crate::random_token()?;
    let place = app.settings.data_folder.join("packages").join(format!(".looked-at-{random}"));
    let given = packages::passphrase_of(package, ask)?;
    let opened = store::open_package(package, given.as_ref(), &packages::device_key(app)?, &place);
    let done = opened.map_err(Failure::from).and_then(|path| work(&Folder::open(&path, None)?));
    let _ = fs::remove_dir_all(&place);
    done
}

#[cfg(test)]
mod tests {
    //! What belongs here: how names are found.
    use super::*;

    #[test]
    fn a_name_is_found_however_it_is_spaced_and_only_as_a_word() {
        let secrets = Secrets::of_nothing().unwrap();
        let kinds = |text: &str| secrets.within(text).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
        assert_eq!(kinds("made with GPT_4o!"), [Kind::Maker], "another separator, another case");
        assert_eq!(kinds("Stable\u{a0}Diffusion"), [Kind::Maker], "a space that does not break");
        assert!(kinds("the clauded sky, a golden sorath").is_empty(), "parts of words are no names");
    }
}
