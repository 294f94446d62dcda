//! What follows from reviews: the author's next task from two that agree or one that settles, a settler's task from two that
//! differ, the reviewers' next tasks from a rubric that was handed in again, and the rubric that is handed out once it is
//! accepted. Every task has an id that follows from its cause, so that doing this again adds nothing.

use super::reviewing::{ReviewedNote, ReviewedTask, SettleNote, SettledReview, review_subject, round};
use super::{LeadView, Submission};
use crate::content::rubrics;
use crate::inbox::{Inbox, NewTask, TaskKind};
use crate::journal::payload;
use crate::{Result, StoreError};
use domain::{
    PersonName, PromptId, Review, ReviewDecision, Role, RubricDraft, Statement, StatementId, StatementKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// The reviews of one rubric as they stand, with what they say.
type Given = Vec<(Statement, Review)>;

/// How a rubric's review stands.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewRound {
    /// Who reviews it, settlers aside.
    pub reviewers: BTreeSet<PersonName>,
    /// What was decided; none while somebody is still to speak.
    pub decision: Option<ReviewDecision>,
    /// Do two differ, so that a third is to settle?
    pub is_disputed: bool,
}

/// What was decided, and by which statement.
fn outcome(
    reviewers: usize,
    first: &[&(Statement, Review)],
    settled: Option<&(Statement, Review)>,
) -> Outcome {
    if let Some((statement, review)) = settled {
        return Outcome::Decided(review.decision, statement.id);
    }
    let Some((_, one)) = first.first() else { return Outcome::Open };
    if first.len() < reviewers.max(1) {
        return Outcome::Open;
    }
    if first.iter().any(|(_, review)| review.decision != one.decision) {
        return Outcome::Disputed;
    }
    let last = first.iter().map(|(statement, _)| statement.id).max();
    last.map_or(Outcome::Open, |cause| Outcome::Decided(one.decision, cause))
}

enum Outcome {
    Open,
    Disputed,
    Decided(ReviewDecision, StatementId),
}

impl LeadView {
    /// Makes what follows from reviews. Answers how many tasks are new.
    pub(super) fn review_rounds(&mut self) -> Result<u64> {
        let reviewers = self.reviewers()?;
        if reviewers.is_empty() {
            return Ok(0);
        }
        let mut given: BTreeMap<String, Given> = BTreeMap::new();
        self.each_standing(&StatementKind::Review, |statement| {
            if !statement.payload.is_empty() {
                let review = payload::<Review>(&statement)?;
                given.entry(statement.subject.clone()).or_default().push((statement, review));
            }
            Ok(())
        })?;
        let mut wanted: Vec<(PersonName, NewTask)> = Vec::new();
        for (subject, reviews) in given {
            let who = reviewers.get(&subject).cloned().unwrap_or_default();
            self.follow(&subject, &reviews, &who, &mut wanted)?;
        }
        let mut added = 0;
        for (person, task) in wanted {
            match Inbox::open_to_write(self.folder(), &person) {
                Ok(mut inbox) => added += inbox.add_tasks(&[task])?,
                // Reviews of somebody who has no inbox here wait for them.
                Err(StoreError::NoSuchPerson(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(added)
    }

    /// Who reviews what, settlers aside: the people with a task for it, by subject.
    fn reviewers(&self) -> Result<BTreeMap<String, BTreeSet<PersonName>>> {
        let mut all: BTreeMap<String, BTreeSet<PersonName>> = BTreeMap::new();
        for person in self.people()?.into_iter().filter(|p| p.roles.contains(&Role::Author)) {
            let inbox = match Inbox::open(self.folder(), &person.name) {
                Ok(inbox) => inbox,
                Err(StoreError::NoSuchPerson(_)) => continue,
                Err(e) => return Err(e),
            };
            inbox.each_task(TaskKind::Review, |task| {
                if task.note.is_empty() {
                    all.entry(task.subject).or_default().insert(person.name.clone());
                }
                Ok(())
            })?;
        }
        Ok(all)
    }

    fn follow(
        &mut self,
        subject: &str,
        reviews: &Given,
        reviewers: &BTreeSet<PersonName>,
        wanted: &mut Vec<(PersonName, NewTask)>,
    ) -> Result<()> {
        let Some((prompt_id, author)) = subject.split_once('/') else { return Ok(()) };
        let Ok(author) = author.parse::<PersonName>() else { return Ok(()) };
        let mut standing = self.standing(&StatementKind::RubricSubmission, prompt_id)?;
        standing.retain(|statement| statement.person == author && !statement.payload.is_empty());
        let [submission] = standing.as_slice() else { return Ok(()) };
        let made = payload::<Submission>(submission)?;
        let task = |kind, subject: &str, cause, note| NewTask {
            kind,
            subject: subject.to_owned(),
            subject_version: made.prompt_version,
            cause,
            note,
        };
        let current: Vec<&(Statement, Review)> =
            reviews.iter().filter(|(_, review)| review.submission == submission.id).collect();
        // Who spoke of an earlier submission is asked again.
        for (statement, _) in reviews {
            let spoke = current.iter().any(|(s, _)| s.person == statement.person);
            if !spoke && reviewers.contains(&statement.person) {
                let again = task(TaskKind::Review, subject, submission.id, String::new());
                wanted.push((statement.person.clone(), again));
            }
        }
        let first: Vec<&(Statement, Review)> =
            current.iter().copied().filter(|(_, review)| review.settles.is_empty()).collect();
        let settled = current.iter().copied().find(|(_, review)| {
            !review.settles.is_empty()
                && review.settles.iter().all(|id| first.iter().any(|(s, _)| s.id == *id))
        });
        match outcome(reviewers.len(), &first, settled) {
            Outcome::Open => {}
            Outcome::Disputed => {
                if let Some(third) = self.settler(&author, reviewers)? {
                    let settles = first
                        .iter()
                        .map(|(s, _)| SettledReview { person: s.person.clone(), statement: s.id })
                        .collect();
                    let note =
                        serde_json::to_string(&SettleNote { settles }).map_err(StoreError::json("note"))?;
                    let cause = first.iter().map(|(s, _)| s.id).max().unwrap_or(submission.id);
                    wanted.push((third, task(TaskKind::Review, subject, cause, note)));
                }
            }
            Outcome::Decided(ReviewDecision::Accept, _) => self.hand_out_accepted(submission, &made)?,
            Outcome::Decided(decision, cause) => {
                let said = settled.into_iter().chain(first.iter().copied().filter(|_| settled.is_none()));
                let (mut comments, mut notes) = (Vec::new(), Vec::new());
                for (_, review) in said {
                    comments.extend(review.comments.iter().cloned());
                    notes.extend(Some(review.note.trim().to_owned()).filter(|note| !note.is_empty()));
                }
                let round = round(
                    &self.about(prompt_id)?.into_iter().filter(|s| s.person == author).collect::<Vec<_>>(),
                );
                let note = ReviewedTask { reviewed: ReviewedNote { decision, round, comments, notes } };
                let note = serde_json::to_string(&note).map_err(StoreError::json("note"))?;
                wanted.push((author, task(TaskKind::Author, prompt_id, cause, note)));
            }
        }
        Ok(())
    }

    /// Who settles what reviewers say differently: of the authors who have nothing to do with it the one with the fewest
    /// reviews to do, then by name.
    fn settler(&self, author: &PersonName, reviewers: &BTreeSet<PersonName>) -> Result<Option<PersonName>> {
        let mut able = Vec::new();
        for person in self.people()?.into_iter().filter(|p| p.roles.contains(&Role::Author)) {
            if person.name == *author || reviewers.contains(&person.name) {
                continue;
            }
            match Inbox::open(self.folder(), &person.name) {
                Ok(inbox) => able.push((inbox.count(TaskKind::Review)?, person.name)),
                Err(StoreError::NoSuchPerson(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(able.into_iter().min().map(|(_, name)| name))
    }

    /// Hands out a rubric that was accepted, unless something newer came for its prompt meanwhile.
    fn hand_out_accepted(&mut self, submission: &Statement, made: &Submission) -> Result<()> {
        let Ok(prompt) = submission.subject.parse::<PromptId>() else { return Ok(()) };
        let newest = rubrics::newest(&self.content().rubrics, prompt)?.map_or(0, |rubric| rubric.version);
        if newest != made.rubric_version || made.prompt_version == 0 {
            return Ok(());
        }
        let about = self.about(&submission.subject)?;
        let Some(revision) = about.iter().find(|s| s.id == made.revision && !s.payload.is_empty()) else {
            return Ok(());
        };
        let draft = payload::<RubricDraft>(revision)?;
        // A structured rubric has no criteria to hand out: it is in force as it was handed in.
        if !draft.form.is_flat() {
            return Ok(());
        }
        self.publish_rubric(prompt, made.prompt_version, &draft.criteria)?;
        Ok(())
    }

    /// How the review of an author's rubric for a prompt stands; none while nobody reviews it.
    pub fn review_round(&mut self, prompt: PromptId, author: &PersonName) -> Result<Option<ReviewRound>> {
        let subject = review_subject(&prompt.to_string(), author);
        let Some(reviewers) = self.reviewers()?.remove(&subject) else { return Ok(None) };
        let standing = self.standing(&StatementKind::RubricSubmission, &prompt.to_string())?;
        let submission = standing.iter().find(|statement| statement.person == *author).map(|s| s.id);
        let mut given = Given::new();
        for statement in self.standing(&StatementKind::Review, &subject)? {
            if !statement.payload.is_empty() {
                let review = payload::<Review>(&statement)?;
                given.push((statement, review));
            }
        }
        given.retain(|(_, review)| Some(review.submission) == submission);
        let first: Vec<&(Statement, Review)> = given.iter().filter(|(_, r)| r.settles.is_empty()).collect();
        let settled = given.iter().find(|(_, r)| !r.settles.is_empty());
        let (decision, is_disputed) = match outcome(reviewers.len(), &first, settled) {
            Outcome::Open => (None, false),
            Outcome::Disputed => (None, true),
            Outcome::Decided(decision, _) => (Some(decision), false),
        };
        Ok(Some(ReviewRound { reviewers, decision, is_disputed }))
    }
}
