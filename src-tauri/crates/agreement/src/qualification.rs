//! Where a person stands with one modality: a machine over what was recorded, in its order. Pure: the same records and rules give
//! the same state, so that nothing about it is kept anywhere.
//!
//! *Learning* ends when the quiz is passed (where it is asked for) and the last `entry_golds` known jobs are right to
//! `entry_accuracy`. *Live* ends when the rolling accuracy over the last `window` known jobs, a full window, is below
//! `keep_accuracy`: the entry jobs count into it. *Paused* ends by a lead's word alone, and *recertify* as learning does, with known
//! jobs answered since. The mark is compared with the accuracy itself, not with its interval: an interval over twenty jobs
//! reaches from 68 to 99 % at 18 right, and a rule that waits for it would never pause anybody. The interval is shown beside it.

use crate::{Coefficient, Reason, share_interval};
use domain::{Count, QualificationMove, QualificationRules, QualificationState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QualificationEvent {
    /// A quiz was handed in.
    Quiz {
        /// Were enough items right?
        passed: bool,
    },
    /// A known job was answered.
    Gold {
        /// As it is known?
        correct: bool,
    },
    /// A lead decided.
    Change(QualificationMove),
}

/// Why the state is what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QualificationReason {
    /// The quiz is not passed.
    QuizOpen,
    /// Too few known jobs are answered.
    FewGolds,
    /// Enough are answered, and too few are right.
    EntryMissed,
    /// The known jobs are right.
    GoldsRight,
    /// The rolling accuracy fell below the mark.
    BelowMark,
    /// A lead's word.
    ByHand,
}

/// Which of somebody's work is in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// None.
    Nothing,
    /// All of it.
    Everything,
    /// What came behind this event, by its place.
    Since(usize),
}

/// Right ones among known jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoldAccuracy {
    /// Answered.
    pub answered: Count,
    /// As they are known.
    pub right: Count,
    /// Share of the right ones, with its exact interval (Clopper and Pearson) at the rules' confidence.
    pub accuracy: Coefficient,
}
impl GoldAccuracy {
    /// Of these answers.
    pub fn of(answers: &[bool], confidence: f64) -> Self {
        let right = answers.iter().filter(|right| **right).count() as u64;
        Self {
            answered: answers.len().into(),
            right: right.into(),
            accuracy: share(right, answers.len() as u64, confidence, Reason::NoKnownJob),
        }
    }
}

fn share(hits: u64, n: u64, confidence: f64, empty: Reason) -> Coefficient {
    let value = if n == 0 { Err(empty) } else { Ok(hits as f64 / n as f64) };
    Coefficient { ci95: share_interval(hits, n, confidence).ok(), ..Coefficient::from(value) }
}

/// How often somebody says the same of a job that they had before, with the exact interval at this confidence.
pub fn retest_agreement(same: u64, repeated: u64, confidence: f64) -> Coefficient {
    share(same, repeated, confidence, Reason::NothingRepeated)
}

/// Where somebody stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Qualification {
    /// The state.
    pub state: QualificationState,
    /// Why.
    pub reason: QualificationReason,
    /// Is the quiz passed, or not asked for?
    pub quiz_passed: bool,
    /// Known jobs that were answered since this began: with learning, with being admitted, or with recertifying.
    pub since: u32,
    /// The last of these, at most a window of them.
    pub window: GoldAccuracy,
    /// The work in doubt.
    pub doubt: Doubt,
}

struct Machine<'a> {
    rules: &'a QualificationRules,
    state: QualificationState,
    reason: QualificationReason,
    quiz_passed: bool,
    /// Places and outcomes of the known jobs since this began.
    golds: Vec<(usize, bool)>,
    /// What lies before them.
    before: Option<usize>,
    doubt: Doubt,
}

impl Machine<'_> {
    /// Are the last `n` right to this share? None while there are fewer.
    fn reached(&self, n: u32, share: f64) -> Option<bool> {
        let from = self.golds.len().checked_sub(n as usize)?;
        let right = self.golds[from..].iter().filter(|(_, right)| *right).count();
        Some(right as f64 >= share * f64::from(n) - 1e-9)
    }

    fn behind(place: Option<usize>) -> Doubt {
        place.map_or(Doubt::Everything, Doubt::Since)
    }

    /// What lies before the window that ends now: the last good window that has no job in common with it ends there.
    fn before_window(&self) -> Option<usize> {
        let first = self.golds.len().saturating_sub(self.rules.window as usize);
        first.checked_sub(1).map_or(self.before, |place| Some(self.golds[place].0))
    }

    fn enter(&mut self) {
        if !self.quiz_passed {
            self.reason = QualificationReason::QuizOpen;
            return;
        }
        match self.reached(self.rules.entry_golds, self.rules.entry_accuracy) {
            None => self.reason = QualificationReason::FewGolds,
            Some(false) => self.reason = QualificationReason::EntryMissed,
            Some(true) => {
                self.state = QualificationState::Live;
                self.reason = QualificationReason::GoldsRight;
                self.doubt = Doubt::Nothing;
                self.keep();
            }
        }
    }

    fn keep(&mut self) {
        match self.reached(self.rules.window, self.rules.keep_accuracy) {
            Some(false) => {
                self.state = QualificationState::Paused;
                self.reason = QualificationReason::BelowMark;
                self.doubt = Self::behind(self.before_window());
            }
            Some(true) => self.reason = QualificationReason::GoldsRight,
            None => {}
        }
    }

    fn begin(&mut self, place: usize) {
        self.golds.clear();
        self.before = Some(place);
    }

    fn take(&mut self, place: usize, event: QualificationEvent) {
        use QualificationState::{Learning, Live, Paused, Recertify};
        match (event, self.state) {
            (QualificationEvent::Quiz { passed }, Learning | Recertify) => {
                self.quiz_passed |= passed;
                self.enter();
            }
            (QualificationEvent::Quiz { .. }, Live | Paused) => {}
            (QualificationEvent::Gold { correct }, state) => {
                self.golds.push((place, correct));
                match state {
                    Learning | Recertify => self.enter(),
                    Live => self.keep(),
                    Paused => {}
                }
            }
            (QualificationEvent::Change(QualificationMove::Admit), _) => {
                (self.state, self.reason, self.doubt) = (Live, QualificationReason::ByHand, Doubt::Nothing);
                self.quiz_passed = true;
                self.begin(place);
            }
            (QualificationEvent::Change(QualificationMove::Pause), state) => {
                if state != Paused {
                    self.doubt = Self::behind(self.before_window());
                }
                (self.state, self.reason) = (Paused, QualificationReason::ByHand);
            }
            (QualificationEvent::Change(QualificationMove::Recertify), state) => {
                if state == Live {
                    self.doubt = Self::behind(self.before_window());
                }
                self.state = Recertify;
                self.quiz_passed = !(self.rules.quiz && self.rules.quiz_again);
                self.begin(place);
                self.enter();
            }
        }
    }
}

/// Where somebody stands after these events.
pub fn qualification(events: &[QualificationEvent], rules: &QualificationRules) -> Qualification {
    let mut machine = Machine {
        rules,
        state: QualificationState::Learning,
        reason: QualificationReason::QuizOpen,
        quiz_passed: !rules.quiz,
        golds: Vec::new(),
        before: None,
        doubt: Doubt::Everything,
    };
    machine.enter();
    for (place, event) in events.iter().enumerate() {
        machine.take(place, *event);
    }
    let answers: Vec<bool> = machine.golds.iter().map(|(_, right)| *right).collect();
    let from = answers.len().saturating_sub(rules.window as usize);
    Qualification {
        state: machine.state,
        reason: machine.reason,
        quiz_passed: machine.quiz_passed,
        since: u32::try_from(answers.len()).unwrap_or(u32::MAX),
        window: GoldAccuracy::of(&answers[from..], rules.confidence),
        doubt: machine.doubt,
    }
}
