//! What several screens share: views of prompts and responses, histories, undo, what changed.

use super::made_under::{self, Now};
use crate::{App, Code, Failure, app::View, wire};
use domain::{Modality, Prompt, PromptId, Response, ResponseId, Role, StatementId, StatementKind, counted};
use store::{AuditorView, AuthorView, JudgeView, Record, payload, settlement_subject};

/// A page's size.
pub(super) fn limit(asked: Option<u32>, usual: u32) -> u32 {
    asked.unwrap_or(usual).clamp(1, 1000)
}

/// A position in a queue.
pub(super) fn cursor(after: Option<&str>) -> Result<u64, Failure> {
    after.map_or(Ok(0), |text| {
        text.parse().map_err(|_| Failure::new(Code::BadRequest, format!("{text:?} is no place in this list")))
    })
}

/// Which tasks a filter wants, by whether they are done.
pub(super) const fn wanted(filter: wire::TaskFilter) -> Option<bool> {
    match filter {
        wire::TaskFilter::All => None,
        wire::TaskFilter::Open => Some(false),
        wire::TaskFilter::Done => Some(true),
    }
}

/// How many tasks there are with that filter, and where the page after `tasks` begins if there may be one.
pub(super) fn page_ends(
    tasks: &[store::Task],
    counts: store::TaskCounts,
    done: Option<bool>,
    limit: u32,
) -> (u64, Option<String>) {
    let total = match done {
        None => counts.total,
        Some(true) => counts.done,
        Some(false) => counts.total - counts.done,
    };
    let full = tasks.len() == limit as usize;
    (total, tasks.last().filter(|_| full).map(|task| task.position.to_string()))
}

/// The first words of a prompt.
pub(crate) fn prompt_start(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    line.join(" ").chars().take(120).collect()
}

pub(crate) fn prompt_view(prompt: Prompt) -> wire::PromptView {
    wire::PromptView {
        id: prompt.id,
        version: prompt.version,
        key: prompt.key,
        text: prompt.text,
        language: prompt.language,
        input_modalities: prompt.input_modalities.iter().collect(),
        gold: prompt.gold.iter().collect(),
        inputs: prompt.inputs,
    }
}

/// A response whose prompt is not in the dataset (quirk Q17).
pub(super) fn unknown_prompt() -> wire::PromptView {
    wire::PromptView {
        id: PromptId::from_bytes([0; 16]),
        version: 0,
        key: String::new(),
        text: String::new(),
        language: "und".to_owned(),
        input_modalities: Vec::new(),
        gold: Vec::new(),
        inputs: Vec::new(),
    }
}

pub(crate) fn response_view(response: Response) -> wire::ResponseView {
    wire::ResponseView {
        expected: response.expected.iter().collect(),
        text: response.text,
        failed: response.failed,
        assets: response.assets,
    }
}

/// The guidelines that the app brings along.
const JUDGING: &str = include_str!("../../../../../assets/guidelines/judging.md");
const AUTHORING: &str = include_str!("../../../../../assets/guidelines/authoring.md");

pub(crate) fn guidelines(app: &App, _: wire::Nothing) -> Result<wire::Guidelines, Failure> {
    app.with_session(|session| {
        let own = match &mut session.view {
            View::Judge(view) => view.guidelines()?,
            View::Author(view) => view.guidelines()?,
            View::Auditor(view) => view.guidelines()?.map(|own| (own.version, own.markdown)),
            View::Lead(view) => view.guidelines()?.map(|own| (own.version, own.markdown)),
        };
        let built_in = if session.role == Role::Author { AUTHORING } else { JUDGING };
        let (version, markdown) = own.unwrap_or_default();
        let (rules, body) = domain::JudgingRules::read(&markdown)
            .unwrap_or((domain::JudgingRules::default(), markdown.as_str()));
        let shown = if body.trim().is_empty() { built_in } else { body };
        Ok(wire::Guidelines { version, markdown: shown.to_owned(), rules })
    })
}

/// What follows in the UI from a kind of statement.
fn made_stale(kind: &StatementKind) -> Vec<wire::Stale> {
    use wire::Stale::{
        Agreement, AuthorQueue, Disagreements, Grading, History, JudgeQueue, Overview, Results,
    };
    match kind {
        StatementKind::Judgement | StatementKind::QuizAttempt => vec![JudgeQueue, History],
        StatementKind::RubricRevision
        | StatementKind::RubricSubmission
        | StatementKind::Review
        | StatementKind::Curation => {
            vec![AuthorQueue, History]
        }
        StatementKind::Settlement => vec![Disagreements, Agreement, Overview, History],
        StatementKind::GoldMark => vec![Disagreements, Overview, History],
        StatementKind::ChecklistGrade => vec![Grading, Results, Overview, History],
        _ => vec![Overview, History],
    }
}

/// What undo needs of a view; every view has it.
trait Undoable {
    fn own(&self, id: Option<StatementId>) -> store::Result<Option<domain::Statement>>;
    fn take_back(&mut self, id: StatementId) -> store::Result<domain::Statement>;
    /// Leaves what was taken back where it is typed again; answers the task it belongs to.
    fn hand_back(&mut self, statement: &domain::Statement) -> Result<Option<domain::TaskId>, Failure>;
}

macro_rules! undoable {
    ($view:ty, $self:ident, $statement:ident, $hand_back:block) => {
        impl Undoable for $view {
            fn own(&self, id: Option<StatementId>) -> store::Result<Option<domain::Statement>> {
                match id {
                    Some(id) => self.own_statement(id),
                    None => self.newest_undoable(),
                }
            }
            fn take_back(&mut self, id: StatementId) -> store::Result<domain::Statement> {
                self.retract(id)
            }
            fn hand_back(&mut $self, $statement: &domain::Statement) -> Result<Option<domain::TaskId>, Failure> $hand_back
        }
    };
}
undoable!(JudgeView, self, statement, {
    let Some(task) = self.task_of(&statement.subject)? else { return Ok(None) };
    let item = self.item(task.id)?;
    // Where an earlier judgement stands again, that is what is shown; else the judge goes on from what was said.
    if item.standing.heads.is_empty()
        && item.draft.is_none()
        && let Ok(judgement) = payload::<domain::Judgement>(statement)
    {
        let draft = wire::JudgementDraft {
            active_ms: judgement.active_ms.into(),
            idle_ms: judgement.idle_ms.into(),
            exposures: judgement.exposures,
            cards: judgement
                .verdicts
                .into_iter()
                .map(|given| wire::CardDraft {
                    modality: given.modality,
                    verdict: Some(given.verdict),
                    comment: given.comment,
                    flags: given.flags,
                    anchors: given.anchors,
                    ai_asked: given.ai_asked,
                    perceived: given.perceived,
                })
                .chain(judgement.noted.into_iter().map(|note| wire::CardDraft {
                    modality: note.modality,
                    verdict: None,
                    comment: note.comment,
                    flags: domain::VerdictFlags::default(),
                    anchors: note.anchors,
                    ai_asked: String::new(),
                    perceived: String::new(),
                }))
                .collect(),
        };
        self.save_draft(task.id, &serde_json::to_string(&draft).map_err(internal)?)?;
    }
    Ok(Some(task.id))
});
undoable!(AuthorView, self, statement, {
    if statement.kind == StatementKind::Review {
        return super::reviewing::hand_back(self, statement);
    }
    if statement.kind == StatementKind::Curation {
        return super::curation::hand_back(self, statement);
    }
    let Some(task) = self.task_of(&statement.subject)? else { return Ok(None) };
    if statement.kind == StatementKind::RubricRevision && self.item(task.id)?.draft.is_none() {
        self.save_draft(task.id, &statement.payload)?;
    }
    Ok(Some(task.id))
});
undoable!(AuditorView, self, statement, {
    match statement.kind {
        StatementKind::ChecklistGrade => super::grading::hand_back(self, statement),
        _ => Ok(None),
    }
});

fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::new(Code::Internal, error.to_string())
}

fn take_back(
    view: &mut impl Undoable,
    id: Option<StatementId>,
) -> Result<wire::Written<wire::Undone>, Failure> {
    let statement = view
        .own(id)?
        .ok_or_else(|| Failure::new(Code::NothingToUndo, "there is nothing of yours to take back"))?;
    let retraction = view.take_back(statement.id)?;
    let task = view.hand_back(&statement)?;
    Ok(wire::Written {
        stale: made_stale(&statement.kind),
        value: wire::Undone {
            retraction: retraction.id,
            statement: statement.id,
            kind: statement.kind.name().to_owned(),
            subject: statement.subject,
            task,
        },
    })
}

pub(crate) fn undo(app: &App, request: wire::UndoRequest) -> Result<wire::Written<wire::Undone>, Failure> {
    app.with_session(|session| match &mut session.view {
        View::Judge(view) => take_back(&mut **view, request.statement),
        View::Author(view) => take_back(&mut **view, request.statement),
        View::Auditor(view) => take_back(&mut **view, request.statement),
        View::Lead(view) => {
            let auditor: &mut AuditorView = view;
            take_back(auditor, request.statement)
        }
    })
}

/// Opens a link in the system's browser, at the user's request and by no other way.
pub(crate) fn open_link(app: &App, request: wire::OpenLinkRequest) -> Result<wire::Saved, Failure> {
    let web = request.url.starts_with("https://") || request.url.starts_with("http://");
    if !web || request.url.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(Failure::new(Code::BadRequest, "only http and https addresses are opened"));
    }
    let open = app
        .opener()
        .ok_or_else(|| Failure::new(Code::NotFound, "this host opens no browser; copy the address"))?;
    open(&request.url)
        .map_err(|why| Failure::new(Code::Internal, format!("the browser could not be started: {why}")))?;
    Ok(wire::Saved {})
}

pub(crate) fn changes(app: &App, request: wire::ChangesRequest) -> Result<wire::Changes, Failure> {
    app.with_session(|session| {
        let changed = match &mut session.view {
            View::Judge(view) => view.changes()?.any(),
            View::Author(view) => view.changes()?.any(),
            View::Auditor(view) => differs(&mut session.versions, view.changes()?),
            View::Lead(view) => differs(&mut session.versions, view.changes()?),
        };
        if changed {
            session.changes += 1;
        }
        let token = session.changes.to_string();
        let stale = if request.since.is_empty() || request.since == token {
            Vec::new()
        } else {
            use wire::Stale::{
                Agreement, AuthorQueue, Disagreements, Grading, History, JudgeQueue, Overview, Results,
            };
            match session.role {
                Role::Judge => vec![JudgeQueue, History],
                Role::Author => vec![AuthorQueue, History],
                Role::Auditor | Role::Lead => {
                    vec![Overview, Grading, Disagreements, Agreement, Results, History]
                }
            }
        };
        Ok(wire::Changes { token, stale })
    })
}

/// Are these other versions than the ones seen before? The first ones seen are no change.
fn differs(seen: &mut Vec<i64>, now: Vec<i64>) -> bool {
    let differs = !seen.is_empty() && *seen != now;
    *seen = now;
    differs
}

fn text(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// How much a rubric holds.
fn rubric_summary(draft: &domain::RubricDraft) -> String {
    match draft.as_structured() {
        Some(rubric) => counted(rubric.meta_rubric.items.len(), "item", "items") + ", structured",
        None => counted(draft.criteria.len(), "criterion", "criteria"),
    }
}

/// What a statement says, in one line.
pub(crate) fn statement_summary(statement: &domain::Statement) -> String {
    use domain::{Judgement, RubricDraft, Settlement};
    if statement.payload.is_empty() {
        return "its content was removed on request".to_owned();
    }
    match &statement.kind {
        StatementKind::Judgement => payload::<Judgement>(statement).map_or_else(
            |_| String::new(),
            |judgement| {
                let all: Vec<String> = judgement
                    .verdicts
                    .iter()
                    .map(|given| format!("{} {}", given.modality, given.verdict))
                    .collect();
                let anchors: usize = judgement.verdicts.iter().map(|given| given.anchors.len()).sum();
                let places = match anchors {
                    0 => String::new(),
                    n => format!(", {} marked", counted(n, "place", "places")),
                };
                all.join(", ") + &places
            },
        ),
        StatementKind::RubricRevision => {
            payload::<RubricDraft>(statement).map_or_else(|_| String::new(), |draft| rubric_summary(&draft))
        }
        StatementKind::RubricSubmission => "handed in".to_owned(),
        StatementKind::Review => payload::<domain::Review>(statement).map_or_else(
            |_| String::new(),
            |review| {
                let settles = if review.settles.is_empty() { "" } else { ", settled" };
                format!(
                    "{}{settles}, {}",
                    review.decision.code(),
                    counted(review.comments.len(), "comment", "comments")
                )
            },
        ),
        StatementKind::Curation => payload::<domain::Curation>(statement).map_or_else(
            |_| String::new(),
            |said| {
                let settles = if said.settles.is_empty() { "" } else { ", settled" };
                format!("{}{settles}", said.decision.name())
            },
        ),
        StatementKind::AuditDraw => payload::<domain::AuditDraw>(statement).map_or_else(
            |_| String::new(),
            |draw| format!("{} of {} drawn", draw.items.len(), draw.finished),
        ),
        StatementKind::AuditFinding => payload::<domain::AuditFinding>(statement).map_or_else(
            |_| String::new(),
            |found| if found.accepted { "accepted" } else { "returned" }.to_owned(),
        ),
        StatementKind::Settlement => payload::<Settlement>(statement).map_or_else(
            |_| String::new(),
            |settled| {
                format!(
                    "{} {}: {}",
                    settled.modality,
                    settled.verdict,
                    settled.cause.code().replace('_', " ")
                )
            },
        ),
        StatementKind::GoldMark => payload::<domain::GoldMark>(statement).map_or_else(
            |_| String::new(),
            |mark| {
                let wrong: Vec<&str> = mark.wrong.iter().map(|modality| modality.name()).collect();
                if wrong.is_empty() {
                    "right after all".to_owned()
                } else {
                    format!("wrong: {}", wrong.join(", "))
                }
            },
        ),
        StatementKind::ChecklistGrade => payload::<domain::ChecklistGrade>(statement).map_or_else(
            |_| String::new(),
            |grade| {
                let count = |verdict| grade.grades.iter().filter(|given| given.verdict == verdict).count();
                let said =
                    domain::CheckVerdict::ALL.map(|verdict| format!("{} {}", count(verdict), verdict.name()));
                format!("{}: {}", counted(grade.grades.len(), "check", "checks"), said.join(", "))
            },
        ),
        StatementKind::Assignment => payload::<store::Assignment>(statement).map_or_else(
            |_| String::new(),
            |work| match work.released.len() {
                0 => format!("{} to {}", counted(work.handouts.len(), "task", "tasks"), work.kind),
                n => {
                    format!("{} to {} taken back: the time was over", counted(n, "task", "tasks"), work.kind)
                }
            },
        ),
        StatementKind::QuizAttempt => payload::<domain::QuizAttempt>(statement)
            .map_or_else(|_| String::new(), |quiz| format!("quiz handed in, {} items", quiz.answers.len())),
        StatementKind::QualificationRules => "what is asked of those who judge".to_owned(),
        StatementKind::QualificationChange => payload::<domain::QualificationChange>(statement).map_or_else(
            |_| String::new(),
            |said| format!("{} {} for {}: {}", said.change.name(), said.person, said.modality, said.reason),
        ),
        StatementKind::AskAgain => payload::<store::AskAgain>(statement).map_or_else(
            |_| String::new(),
            |asked| format!("judge again under guidelines {}", asked.guidelines_version),
        ),
        StatementKind::ImportSeal => payload::<store::ImportSeal>(statement).map_or_else(
            |_| String::new(),
            |seal| {
                format!(
                    "{} imported",
                    if seal.rows == 1 { "1 row".to_owned() } else { format!("{} rows", seal.rows) }
                )
            },
        ),
        StatementKind::Retraction => "taken back".to_owned(),
        StatementKind::Other(_) => String::new(),
    }
}

fn entry(record: Record, about: String, mine: bool, now: Now) -> wire::HistoryEntry {
    let statement = record.statement;
    let detail =
        serde_json::from_str(&statement.payload).map_or_else(|_| String::new(), |value| text(&value));
    wire::HistoryEntry {
        summary: statement_summary(&statement),
        under: made_under::of(&statement, now),
        about,
        person: statement.person.to_string(),
        replaces: statement.parents.clone(),
        in_force: record.stands,
        can_undo: mine
            && record.stands
            && !matches!(
                statement.kind,
                StatementKind::Retraction
                    | StatementKind::Assignment
                    | StatementKind::AskAgain
                    | StatementKind::ImportSeal
                    | StatementKind::AuditDraw
                    | StatementKind::QuizAttempt
                    | StatementKind::QualificationRules
                    | StatementKind::QualificationChange
            ),
        kind: statement.kind.name().to_owned(),
        made_at: statement.made_at,
        statement: Some(statement.id),
        detail,
    }
}

pub(crate) fn history(
    app: &App,
    request: wire::HistoryRequest,
) -> Result<wire::Page<wire::HistoryEntry>, Failure> {
    let wanted = limit(request.limit, 50).min(500) as usize;
    let before = match request.after.as_deref() {
        None | Some("") => None,
        Some(id) => Some(
            id.parse().map_err(|error: domain::IdError| Failure::new(Code::BadRequest, error.to_string()))?,
        ),
    };
    let kind = request.kind.as_deref().filter(|kind| !kind.is_empty());
    app.with_session(|session| {
        let me = session.person.to_string();
        match &mut session.view {
            View::Judge(view) => {
                let records = view.recent(before, wanted + 1)?;
                let (guidelines, _) = view.rules()?;
                page(records, wanted, kind, |record| {
                    // A prompt has several responses: the place in the queue tells them apart, and says nothing else.
                    Ok(match view.task_of(&record.statement.subject)? {
                        Some(task) => {
                            let prompt = view.item(task.id)?.prompt;
                            let now = Now {
                                prompt: prompt.as_ref().map_or(0, |prompt| prompt.version),
                                guidelines,
                                rubric: 0,
                            };
                            let key = prompt.map_or_else(|| "a response".to_owned(), |prompt| prompt.key);
                            (format!("{key} · item {}", task.position), now)
                        }
                        None => ("a response".to_owned(), Now { guidelines, ..Now::default() }),
                    })
                })
            }
            View::Author(view) => {
                let records = view.recent(before, wanted + 1)?;
                page(records, wanted, kind, |record| {
                    let subject = &record.statement.subject;
                    if let Some(key) = view.curated_key(subject)? {
                        return Ok((key, Now::default()));
                    }
                    if let Some(key) = view.reviewed_key(subject)? {
                        return Ok((key, Now::default()));
                    }
                    Ok(match view.task_of(subject)? {
                        Some(task) => {
                            let prompt = view.item(task.id)?.prompt;
                            (prompt.key, Now { prompt: prompt.version, ..Now::default() })
                        }
                        None => ("a prompt".to_owned(), Now::default()),
                    })
                })
            }
            View::Auditor(view) => sighted(view, &request, before, wanted, &me),
            View::Lead(view) => sighted(view, &request, before, wanted, &me),
        }
    })
}

fn page(
    records: Vec<Record>,
    wanted: usize,
    kind: Option<&str>,
    mut about: impl FnMut(&Record) -> Result<(String, Now), Failure>,
) -> Result<wire::Page<wire::HistoryEntry>, Failure> {
    let more = records.len() > wanted;
    let records: Vec<Record> = records.into_iter().take(wanted).collect();
    let next = more.then(|| records.last().map(|record| record.statement.id.to_string())).flatten();
    let mut rows = Vec::new();
    for record in records {
        if kind.is_none_or(|kind| record.statement.kind.name() == kind) {
            let (about, now) = about(&record)?;
            rows.push(entry(record, about, true, now));
        }
    }
    let total = rows.len();
    Ok(wire::Page { rows, next, total: total.into() })
}

/// What an auditor or lead sees: everything about a prompt, or everything that was ever stated, newest first.
fn sighted(
    view: &mut AuditorView,
    request: &wire::HistoryRequest,
    before: Option<StatementId>,
    wanted: usize,
    me: &str,
) -> Result<wire::Page<wire::HistoryEntry>, Failure> {
    let mut rows: Vec<wire::HistoryEntry> = Vec::new();
    if let Some(id) = request.prompt {
        let Some(prompt) = view.prompt(id)? else {
            return Err(Failure::new(Code::NotFound, format!("there is no prompt {id}")));
        };
        let now = made_under::now(view, Some(&prompt))?;
        for record in view.history(&id.to_string())? {
            let mine = record.statement.person.as_str() == me;
            rows.push(entry(record, prompt.key.clone(), mine, now));
        }
        for person in view.people()? {
            for record in view.history(&store::review_subject(&id.to_string(), &person.name))? {
                rows.push(entry(record, format!("{} · {}", prompt.key, person.name), false, now));
            }
        }
        for answer in view.answers_to(&prompt.key)? {
            let name = format!("{} · {}", prompt.key, answer.run_name);
            let mut subjects = vec![(answer.response.to_string(), name.clone())];
            subjects.extend(
                Modality::ALL.map(|m| (settlement_subject(answer.response, m), format!("{name} · {m}"))),
            );
            for (subject, about) in subjects {
                for record in view.history(&subject)? {
                    let mine = record.statement.person.as_str() == me;
                    rows.push(entry(record, about.clone(), mine, now));
                }
            }
            for imported in view.imported_verdicts(answer.response)? {
                let said = imported.verdict;
                rows.push(wire::HistoryEntry {
                    statement: None,
                    kind: "imported_verdict".to_owned(),
                    about: format!("{name} · {}", said.modality),
                    person: said.annotator,
                    made_at: String::new(),
                    summary: format!("{} {}", said.modality, said.verdict),
                    replaces: Vec::new(),
                    in_force: true,
                    can_undo: false,
                    under: None,
                    detail: text(&serde_json::json!({
                        "comment": said.comment, "ai_assisted": said.ai_assisted, "seconds": said.seconds,
                        "source": imported.source, "line": imported.line,
                    })),
                });
            }
            for modality in Modality::ALL {
                for imported in view.settled(answer.response, modality)?.imported {
                    let said = imported.adjudication;
                    rows.push(wire::HistoryEntry {
                        statement: None,
                        kind: "imported_settlement".to_owned(),
                        about: format!("{name} · {modality}"),
                        person: said.adjudicator,
                        made_at: said.date,
                        summary: format!(
                            "{modality} {}: {}",
                            said.verdict,
                            said.cause.code().replace('_', " ")
                        ),
                        replaces: Vec::new(),
                        in_force: true,
                        can_undo: false,
                        under: None,
                        detail: text(&serde_json::json!({
                            "note": said.note, "source": imported.source, "line": imported.line,
                        })),
                    });
                }
            }
        }
    } else {
        for statement in
            view.newest(before, request.person.as_deref(), request.kind.as_deref(), wanted + 1)?
        {
            let about = statement_about(view, &statement)?;
            let mine = statement.person.as_str() == me;
            let found = view
                .history(&statement.subject)?
                .into_iter()
                .find(|record| record.statement.id == statement.id);
            let prompt = made_under::prompt_of(view, &statement)?;
            let now = made_under::now(view, prompt.as_ref())?;
            rows.extend(found.map(|record| entry(record, about, mine, now)));
        }
        let more = rows.len() > wanted;
        rows.truncate(wanted);
        let next = more.then(|| rows.last().and_then(|row| row.statement).map(|id| id.to_string())).flatten();
        let total = rows.len();
        return Ok(wire::Page { rows, next, total: total.into() });
    }
    rows.retain(|row| {
        request.person.as_ref().is_none_or(|person| person.is_empty() || row.person == *person)
            && request.kind.as_ref().is_none_or(|kind| kind.is_empty() || row.kind == *kind)
    });
    rows.sort_by(|a, b| b.made_at.cmp(&a.made_at));
    let total = rows.len();
    Ok(wire::Page { rows, next: None, total: total.into() })
}

/// What a statement is about, in words.
pub(crate) fn statement_about(view: &AuditorView, statement: &domain::Statement) -> Result<String, Failure> {
    let (id, modality) = match statement.subject.split_once('/') {
        Some((id, modality)) => (id, Some(modality)),
        None => (statement.subject.as_str(), None),
    };
    if matches!(
        statement.kind,
        StatementKind::RubricRevision | StatementKind::RubricSubmission | StatementKind::Review
    ) && let Some(prompt) = id.parse().ok().map(|id| view.prompt(id)).transpose()?.flatten()
    {
        return Ok(prompt.key);
    }
    if let Ok(response) = id.parse::<ResponseId>() {
        if let Some(answer) = view.answer(response)? {
            let name = format!("{} · {}", answer.prompt_key, answer.run_name);
            return Ok(modality.map_or_else(|| name.clone(), |modality| format!("{name} · {modality}")));
        }
        if let Some(prompt) = id.parse::<PromptId>().ok().map(|id| view.prompt(id)).transpose()?.flatten() {
            return Ok(prompt.key);
        }
    }
    Ok(statement.subject.clone())
}
