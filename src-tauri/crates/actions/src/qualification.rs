//! Qualification: where everybody stands, computed from what was recorded. Nothing of it is kept, so that it cannot lie.
//!
//! A judge's quiz is marked here and not where it is answered: its key lies in `audit.sqlite`, which no judge's session opens, and a
//! hash of the answers in their files would be tried out in a few steps. What came of it reaches them as a task.
//!
//! What somebody says of a job with a known answer, or of one that they had before, measures them: it is no annotation, enters no
//! coefficient and no count of finished work, and is left out of audits (METRICS: only annotators enter n). A response with a known
//! answer is nobody's ordinary work.

mod setting;

pub(crate) use setting::{change, give_quiz, state_golds};

use crate::{Failure, wire};
use agreement::{
    Doubt, GoldAccuracy, Qualification, QualificationEvent, qualification as machine, retest_agreement,
};
use domain::{
    GoldAnswer, HiddenJob, HiddenJobKind, Judgement, Modality, ModalityVerdict, PersonName,
    QualificationChange, QualificationMove, QualificationRules, QualificationState, QuizAttempt, QuizResult,
    ResponseId, Role, Statement, StatementId, StatementKind, Verdict,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{AuditorView, payload};

/// The place of a statement among those of its person: by the time and the device they were made on, then as they were made.
type Place = (String, String, u64);

fn place(statement: &Statement) -> Place {
    (statement.made_at.clone(), statement.device.clone(), statement.seq)
}

/// A judgement that stands.
pub(crate) struct Given {
    place: Place,
    statement: StatementId,
    response: ResponseId,
    verdicts: Vec<ModalityVerdict>,
}
impl Given {
    fn of(&self, modality: Modality) -> Option<&ModalityVerdict> {
        self.verdicts.iter().find(|given| given.modality == modality)
    }
}

/// One event with where it stands.
struct Placed {
    event: QualificationEvent,
    place: Place,
    statement: StatementId,
}

/// What comes of an attempt, and the items of which one part or both are wrong.
struct Marked {
    result: QuizResult,
    wrong: Vec<String>,
}

/// Everything that was recorded.
pub(crate) struct Records {
    /// What the study asks for; none while it asks for nothing.
    pub rules: Option<QualificationRules>,
    rules_since: String,
    golds: HashMap<(ResponseId, Modality), GoldAnswer>,
    hidden: HashMap<(PersonName, ResponseId), HiddenJob>,
    given: BTreeMap<PersonName, Vec<Given>>,
    attempts: BTreeMap<PersonName, Vec<(Statement, QuizAttempt, Marked)>>,
    changes: Vec<(Statement, QualificationChange)>,
}

impl Records {
    /// Reads them all.
    pub fn read(view: &mut AuditorView) -> Result<Self, Failure> {
        let stated = view.qualification_rules()?;
        let (rules_since, rules) = match stated {
            Some((statement, rules)) => (statement.made_at, Some(rules)),
            None => (String::new(), None),
        };
        let in_force = rules.unwrap_or_default();
        let mut given: BTreeMap<PersonName, Vec<Given>> = BTreeMap::new();
        view.each_standing(&StatementKind::Judgement, |statement| {
            let Ok(response) = statement.subject.parse() else { return Ok(()) };
            if !statement.payload.is_empty() {
                let verdicts = payload::<Judgement>(&statement)?.verdicts;
                let (place, id) = (place(&statement), statement.id);
                let own = given.entry(statement.person).or_default();
                own.push(Given { place, statement: id, response, verdicts });
            }
            Ok(())
        })?;
        for own in given.values_mut() {
            own.sort_by(|a, b| a.place.cmp(&b.place));
        }
        let mut attempts: BTreeMap<PersonName, Vec<_>> = BTreeMap::new();
        for (statement, attempt) in view.quiz_attempts()? {
            // A quiz without a key cannot be marked, and counts for nothing.
            let Some(key) = view.quiz_key(attempt.version)? else { continue };
            let wrong = key
                .answers
                .iter()
                .filter(|right| !attempt.answers.iter().any(|answer| answer.is_right(right)))
                .map(|right| right.item.clone())
                .collect();
            let marked = Marked { result: key.result(&attempt.answers, in_force.quiz_pass), wrong };
            attempts.entry(statement.person.clone()).or_default().push((statement, attempt, marked));
        }
        Ok(Self {
            rules,
            rules_since,
            golds: view
                .gold_answers()?
                .into_iter()
                .map(|gold| ((gold.response, gold.modality), gold))
                .collect(),
            hidden: view
                .hidden_jobs()?
                .into_iter()
                .map(|job| ((job.person.clone(), job.response), job))
                .collect(),
            given,
            attempts,
            changes: view.qualification_changes()?,
        })
    }

    fn in_force(&self) -> QualificationRules {
        self.rules.unwrap_or_default()
    }
    /// Responses with a known answer.
    pub fn gold_responses(&self) -> BTreeSet<ResponseId> {
        self.golds.keys().map(|(response, _)| *response).collect()
    }
    /// The modalities of a response whose answer is known.
    pub fn known_for(&self, response: ResponseId) -> Vec<Modality> {
        let all = self.golds.keys().filter(|(id, _)| *id == response);
        all.map(|(_, modality)| *modality).collect()
    }
    /// What somebody judged, oldest first.
    fn given(&self, person: &PersonName) -> &[Given] {
        self.given.get(person).map_or(&[], Vec::as_slice)
    }
    /// The responses of it that are their own work.
    pub fn own_work(&self, person: &PersonName) -> Vec<ResponseId> {
        let all = self.given(person).iter().map(|given| given.response);
        all.filter(|response| self.hidden(person, *response).is_none()).collect()
    }
    /// Is this job one that measures its person, and which?
    pub fn hidden(&self, person: &PersonName, response: ResponseId) -> Option<&HiddenJob> {
        self.hidden.get(&(person.clone(), response))
    }
    /// Was somebody given this response a second time?
    pub fn is_repeated(&self, person: &PersonName, original: ResponseId) -> bool {
        self.hidden
            .values()
            .any(|job| job.kind == HiddenJobKind::Repeat && job.person == *person && job.original == original)
    }
    /// Known jobs that somebody was given and has not answered.
    fn open_golds(&self, person: &PersonName, modality: Modality) -> usize {
        let answered: BTreeSet<ResponseId> = self.given(person).iter().map(|given| given.response).collect();
        self.hidden
            .values()
            .filter(|job| {
                job.kind == HiddenJobKind::Gold
                    && job.person == *person
                    && !answered.contains(&job.response)
                    && self.golds.contains_key(&(job.response, modality))
            })
            .count()
    }

    /// What somebody said of known jobs: the statement, their verdict, and what is known.
    fn known<'a>(
        &'a self,
        person: &'a PersonName,
        modality: Modality,
    ) -> impl Iterator<Item = (&'a Given, &'a ModalityVerdict, &'a GoldAnswer)> {
        self.given(person).iter().filter_map(move |given| {
            let job = self.hidden(person, given.response)?;
            let gold = self.golds.get(&(given.response, modality))?;
            (job.kind == HiddenJobKind::Gold).then_some((given, given.of(modality)?, gold))
        })
    }

    /// What somebody said twice: the second statement, its verdict, and the first.
    fn twice<'a>(
        &'a self,
        person: &'a PersonName,
        modality: Modality,
    ) -> impl Iterator<Item = (&'a Given, &'a ModalityVerdict, &'a HiddenJob, Verdict)> {
        self.given(person).iter().filter_map(move |given| {
            let job = self.hidden(person, given.response)?;
            if job.kind != HiddenJobKind::Repeat {
                return None;
            }
            let first = self.given(person).iter().find(|other| other.response == job.original)?;
            Some((given, given.of(modality)?, job, first.of(modality)?.verdict))
        })
    }

    /// The person's last statement of those that count here.
    fn last_of(&self, person: &PersonName) -> Option<StatementId> {
        let judged = self.given(person).last().map(|given| (given.place.clone(), given.statement));
        let quiz = self.attempts.get(person).and_then(|own| own.last());
        let quiz = quiz.map(|(statement, ..)| (place(statement), statement.id));
        judged.into_iter().chain(quiz).max().map(|(_, statement)| statement)
    }

    fn place_of(&self, person: &PersonName, id: StatementId) -> Option<Place> {
        let judged = self.given(person).iter().find(|given| given.statement == id);
        let quiz = || {
            let own = self.attempts.get(person)?;
            own.iter().find(|(statement, ..)| statement.id == id).map(|(statement, ..)| place(statement))
        };
        judged.map(|given| given.place.clone()).or_else(quiz)
    }

    /// The events of one person and modality in their order: their own, and a lead's behind what the lead knew of.
    fn events(&self, person: &PersonName, modality: Modality) -> Vec<Placed> {
        let mut own: Vec<Placed> = self
            .known(person, modality)
            .map(|(given, said, gold)| Placed {
                event: QualificationEvent::Gold { correct: said.verdict == gold.verdict },
                place: given.place.clone(),
                statement: given.statement,
            })
            .collect();
        own.extend(self.attempts.get(person).into_iter().flatten().map(|(statement, _, marked)| Placed {
            event: QualificationEvent::Quiz { passed: marked.result.passed },
            place: place(statement),
            statement: statement.id,
        }));
        own.sort_by(|a, b| a.place.cmp(&b.place));
        let mut all = Vec::with_capacity(own.len());
        let mut own = own.into_iter().peekable();
        let mut changes: Vec<(Place, &Statement, QualificationMove)> = self
            .changes
            .iter()
            .filter(|(_, change)| change.person == *person && change.modality == modality)
            .map(|(statement, change)| {
                let behind = match change.after {
                    None => (String::new(), String::new(), 0),
                    // What it names may have been replaced since; then the clock is all there is.
                    Some(id) => self
                        .place_of(person, id)
                        .unwrap_or_else(|| (statement.made_at.clone(), String::new(), 0)),
                };
                (behind, statement, change.change)
            })
            .collect();
        changes.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        for (behind, statement, change) in changes {
            while let Some(event) = own.next_if(|event| event.place <= behind) {
                all.push(event);
            }
            let event = QualificationEvent::Change(change);
            all.push(Placed { event, place: behind, statement: statement.id });
        }
        all.extend(own);
        all
    }

    /// Where somebody stands with a modality, and the statements of the events that it follows from.
    fn stands(&self, person: &PersonName, modality: Modality) -> (Qualification, Vec<Placed>) {
        let placed = self.events(person, modality);
        let events: Vec<QualificationEvent> = placed.iter().map(|placed| placed.event).collect();
        (machine(&events, &self.in_force()), placed)
    }

    /// Somebody's own work that is in doubt.
    fn doubted(&self, person: &PersonName, modality: Modality) -> Vec<(&Given, &ModalityVerdict)> {
        let (stands, placed) = self.stands(person, modality);
        let since = match stands.doubt {
            Doubt::Nothing => return Vec::new(),
            Doubt::Everything => (String::new(), String::new(), 0),
            Doubt::Since(at) => placed.get(at).map(|placed| placed.place.clone()).unwrap_or_default(),
        };
        self.given(person)
            .iter()
            .filter(|given| given.place > since && self.hidden(person, given.response).is_none())
            .filter_map(|given| Some((given, given.of(modality)?)))
            .collect()
    }

    /// Why somebody gets no work of this modality, when so many known jobs of it are mixed in; none if they get it.
    pub fn held_back(
        &self,
        person: &PersonName,
        modality: Modality,
        mixed_in: usize,
    ) -> Option<(QualificationState, String)> {
        let rules = self.rules?;
        let (stands, _) = self.stands(person, modality);
        let state = stands.state;
        let why = match state {
            QualificationState::Live => return None,
            QualificationState::Paused => {
                format!("{person} is paused for {modality}; have them recertify, or admit them")
            }
            _ if !stands.quiz_passed => format!("{person} has not passed the quiz yet"),
            _ => {
                let ahead = self.open_golds(person, modality) + mixed_in;
                let (since, wanted) = (stands.since as usize, rules.entry_golds as usize);
                let missing = wanted.saturating_sub(since + ahead).max(usize::from(ahead == 0));
                if missing == 0 {
                    return None;
                }
                format!(
                    "{person} is not qualified for {modality} yet, and has too few jobs with a known answer ahead to become so; \
                     mix in {missing} more"
                )
            }
        };
        Some((state, why))
    }

    /// Is somebody paused, or without the quiz, so that nothing that is mixed in helps?
    pub fn is_shut(&self, person: &PersonName, modality: Modality) -> bool {
        let Some(_) = self.rules else { return false };
        let (stands, _) = self.stands(person, modality);
        stands.state == QualificationState::Paused
            || (stands.state != QualificationState::Live && !stands.quiz_passed)
    }
    /// Has somebody passed the quiz, as far as they have to now?
    fn needs_quiz(&self, person: &PersonName, modalities: &[Modality]) -> bool {
        let rules = self.in_force();
        rules.quiz
            && (!self.attempts.get(person).into_iter().flatten().any(|(_, _, marked)| marked.result.passed)
                || modalities.iter().any(|modality| !self.stands(person, *modality).0.quiz_passed))
    }
    /// The modalities that anything is known of, for one person.
    fn modalities(&self, person: &PersonName) -> Vec<Modality> {
        let mut all: BTreeSet<Modality> = self.golds.keys().map(|(_, modality)| *modality).collect();
        for given in self.given(person) {
            all.extend(given.verdicts.iter().map(|said| said.modality));
        }
        let changed = self.changes.iter().filter(|(_, change)| change.person == *person);
        all.extend(changed.map(|(_, change)| change.modality));
        all.into_iter().collect()
    }

    fn modality(&self, person: &PersonName, modality: Modality) -> wire::ModalityQualification {
        let rules = self.in_force();
        let (stands, _) = self.stands(person, modality);
        let answers: Vec<bool> =
            self.known(person, modality).map(|(_, said, gold)| said.verdict == gold.verdict).collect();
        let twice: Vec<bool> =
            self.twice(person, modality).map(|(_, said, _, first)| said.verdict == first).collect();
        let same = twice.iter().filter(|same| **same).count() as u64;
        wire::ModalityQualification {
            modality,
            state: stands.state,
            reason: stands.reason,
            quiz_passed: stands.quiz_passed,
            since: u64::from(stands.since).into(),
            window: stands.window,
            all: GoldAccuracy::of(&answers, rules.confidence),
            open_golds: self.open_golds(person, modality).into(),
            repeated: twice.len().into(),
            retest: retest_agreement(same, twice.len() as u64, rules.confidence),
            doubted: self.doubted(person, modality).len().into(),
            changes: self
                .changes
                .iter()
                .filter(|(_, change)| change.person == *person && change.modality == modality)
                .map(|(statement, change)| wire::ChangeView {
                    change: change.change,
                    reason: change.reason.clone(),
                    by: statement.person.to_string(),
                    made_at: statement.made_at.clone(),
                })
                .collect(),
        }
    }
}

/// Who stands where.
pub(crate) fn of_everybody(view: &mut AuditorView) -> Result<wire::QualificationView, Failure> {
    let records = Records::read(view)?;
    let mut golds: BTreeMap<Modality, u64> = BTreeMap::new();
    for (_, modality) in records.golds.keys() {
        *golds.entry(*modality).or_default() += 1;
    }
    let mut people = Vec::new();
    for person in view.people()? {
        let attempts = records.attempts.get(&person.name);
        if !person.roles.contains(&Role::Judge)
            && attempts.is_none()
            && records.given(&person.name).is_empty()
        {
            continue;
        }
        people.push(wire::PersonQualification {
            attempts: attempts
                .into_iter()
                .flatten()
                .map(|(statement, attempt, marked)| wire::AttemptView {
                    statement: statement.id,
                    made_at: statement.made_at.clone(),
                    version: attempt.version,
                    result: marked.result.clone(),
                    wrong: marked.wrong.clone(),
                    practised: attempt.practised.len().into(),
                })
                .collect(),
            modalities: records
                .modalities(&person.name)
                .into_iter()
                .map(|modality| records.modality(&person.name, modality))
                .collect(),
            person: person.name.to_string(),
            display: person.display,
        });
    }
    Ok(wire::QualificationView {
        rules: records.rules,
        rules_since: records.rules_since,
        defaults: QualificationRules::default(),
        quiz: view.quiz()?.map(|(version, quiz, _)| wire::QuizSummary {
            version,
            title: quiz.title,
            items: quiz.items.len().into(),
            practice: quiz.practice.len().into(),
        }),
        golds: golds.into_iter().map(|(modality, n)| (modality.name().to_owned(), n.into())).collect(),
        people,
    })
}

/// The jobs behind a number, oldest first.
pub(crate) fn items(
    view: &mut AuditorView,
    person: &PersonName,
    request: &wire::QualificationItemsRequest,
) -> Result<wire::QualificationItemsView, Failure> {
    let records = Records::read(view)?;
    let modality = request.modality;
    let mut rows: Vec<wire::QualificationItem> = Vec::new();
    let row = |given: &Given, said: &ModalityVerdict, response, against, why: &str| wire::QualificationItem {
        statement: given.statement,
        made_at: given.place.0.clone(),
        response,
        prompt: None,
        asked: String::new(),
        verdict: said.verdict,
        comment: said.comment.clone(),
        against,
        why: why.to_owned(),
        in_window: false,
    };
    match request.items {
        wire::QualificationItems::Golds => {
            let (stands, placed) = records.stands(person, modality);
            let gold = |placed: &&Placed| matches!(placed.event, QualificationEvent::Gold { .. });
            let answered = usize::try_from(stands.window.answered.get()).unwrap_or(0);
            let window: BTreeSet<StatementId> =
                placed.iter().rev().filter(gold).take(answered).map(|placed| placed.statement).collect();
            for (given, said, gold) in records.known(person, modality) {
                let mut shown = row(given, said, given.response, Some(gold.verdict), &gold.why);
                shown.in_window = window.contains(&given.statement);
                rows.push(shown);
            }
        }
        wire::QualificationItems::Repeats => {
            for (given, said, job, first) in records.twice(person, modality) {
                rows.push(row(given, said, job.original, Some(first), ""));
            }
        }
        wire::QualificationItems::Doubted => {
            for (given, said) in records.doubted(person, modality) {
                rows.push(row(given, said, given.response, None, ""));
            }
        }
    }
    for row in &mut rows {
        let prompt = view.response(row.response)?.and_then(|response| response.prompt);
        row.prompt = prompt;
        if let Some(prompt) = prompt.map(|id| view.prompt(id)).transpose()?.flatten() {
            row.asked = crate::handlers::prompt_start(&prompt.text);
        }
    }
    Ok(wire::QualificationItemsView { rows })
}
