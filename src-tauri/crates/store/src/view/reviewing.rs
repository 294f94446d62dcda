//! What an author sees of another author's rubric that they review: the revision that was handed in and, for who settles two
//! reviews that differ, those two. Journals of other people are opened for these alone, and never a response.

use super::{AuthorView, Submission};
use crate::inbox::{Task, TaskKind};
use crate::index::TaskCounts;
use crate::journal::payload;
use crate::standing::Standing;
use crate::{Result, StoreError};
use domain::{
    JournalKind, PersonName, Prompt, Review, ReviewComment, ReviewDecision, RubricDraft, Statement,
    StatementId, StatementKind, TaskId,
};
use serde::{Deserialize, Serialize};

/// The subject of a review: whose rubric for which prompt.
pub fn review_subject(prompt: &str, author: &PersonName) -> String {
    format!("{prompt}/{author}")
}

/// One review that is to be settled with others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledReview {
    /// Who reviewed.
    pub person: PersonName,
    /// What they stated.
    pub statement: StatementId,
}

/// The note of a review task that settles: the reviews that differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettleNote {
    /// The reviews.
    pub settles: Vec<SettledReview>,
}

/// What reviewers said, as the author gets it: in the note of the author's task. Not who said it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewedNote {
    /// What was decided.
    pub decision: ReviewDecision,
    /// How often the rubric was handed in before.
    pub round: u32,
    /// On single criteria.
    pub comments: Vec<ReviewComment>,
    /// On the whole, one of each reviewer who wrote one.
    pub notes: Vec<String>,
}

/// The wrapper that tells such a note from that of a settlement.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewedTask {
    pub reviewed: ReviewedNote,
}

/// A review, and who gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenReview {
    /// The statement.
    pub statement: StatementId,
    /// Who.
    pub person: PersonName,
    /// What.
    pub review: Review,
}

/// Another author's rubric, for review.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewItem {
    /// The task.
    pub task: Task,
    /// Whose rubric.
    pub author: PersonName,
    /// What is asked.
    pub prompt: Prompt,
    /// What was handed in, and its revision; none when it was taken back.
    pub handed_in: Option<(Statement, RubricDraft)>,
    /// How often it was handed in, this time included.
    pub round: u32,
    /// The reviews that differ; empty for one of the first reviewers.
    pub settles: Vec<GivenReview>,
    /// The reviewer's own review as it stands: [`Review`] payloads.
    pub mine: Standing,
    /// What they were typing, as they left it.
    pub draft: Option<String>,
}

impl Task {
    /// What reviewers said, if a review caused this author's task.
    pub fn reviewed(&self) -> Option<ReviewedNote> {
        if self.kind != TaskKind::Author {
            return None;
        }
        serde_json::from_str::<ReviewedTask>(&self.note).ok().map(|task| task.reviewed)
    }
}

impl AuthorView {
    /// One rubric to review, whole.
    pub fn review_item(&mut self, task: TaskId) -> Result<ReviewItem> {
        let task = self.session.task(task, TaskKind::Review)?;
        let missing = || StoreError::NotFound { what: "review", id: task.subject.clone() };
        let (prompt_id, author) = task.subject.split_once('/').ok_or_else(missing)?;
        let author: PersonName = author.parse().map_err(|_| missing())?;
        let prompt = self.prompt(prompt_id, task.subject_version)?;
        let statements = self.statements_of(&author, JournalKind::Author, prompt_id)?;
        let submission = Standing::of(&StatementKind::RubricSubmission, &statements);
        let handed_in = match submission.current() {
            Some(submission) => {
                let revision = payload::<Submission>(submission)?.revision;
                let rubric =
                    statements.iter().find(|s| s.id == revision).map(payload::<RubricDraft>).transpose()?;
                rubric.map(|rubric| (submission.clone(), rubric))
            }
            None => None,
        };
        let mut settles = Vec::new();
        if let Ok(note) = serde_json::from_str::<SettleNote>(&task.note) {
            for one in note.settles {
                let all = self.statements_of(&one.person, JournalKind::Review, &task.subject)?;
                if let Some(statement) = all.iter().find(|s| s.id == one.statement) {
                    let review = payload::<Review>(statement)?;
                    settles.push(GivenReview { statement: one.statement, person: one.person, review });
                }
            }
        }
        Ok(ReviewItem {
            round: round(&statements),
            mine: self.session.own_reviews(&StatementKind::Review, &task.subject)?,
            draft: self.session.review_draft(&StatementKind::Review, &task.subject)?,
            author,
            prompt,
            handed_in,
            settles,
            task,
        })
    }

    /// Says what is to become of a rubric. `expected`: the own reviews of it that the person saw standing.
    pub fn review(
        &mut self,
        task: TaskId,
        decision: ReviewDecision,
        comments: Vec<ReviewComment>,
        note: String,
        expected: &[StatementId],
    ) -> Result<Statement> {
        let item = self.review_item(task)?;
        let Some((submission, _)) = item.handed_in else {
            return Err(StoreError::Refused(format!(
                "the rubric of {} was taken back; there is nothing to review until it is handed in again",
                item.author
            )));
        };
        let review = Review {
            task,
            submission: submission.id,
            decision,
            comments,
            note,
            settles: item.settles.iter().map(|given| given.statement).collect(),
        };
        let body = serde_json::to_string(&review).map_err(StoreError::json("review"))?;
        let statement =
            self.session.state_review(StatementKind::Review, &item.task.subject, body, expected)?;
        // The review is kept; a draft that stays behind would only be shown again.
        let _ = self.session.drop_review_draft(&StatementKind::Review, &item.task.subject);
        Ok(statement)
    }

    /// Keeps what is being typed about a rubric.
    pub fn save_review_draft(&mut self, task: TaskId, body: &str) -> Result<()> {
        let task = self.session.task(task, TaskKind::Review)?;
        self.session.save_review_draft(&StatementKind::Review, &task.subject, body)
    }

    /// How many rubrics there are to review, and how many are reviewed.
    pub fn review_counts(&mut self) -> Result<TaskCounts> {
        self.session.counts(TaskKind::Review)
    }

    /// The key of the prompt that a review is about.
    pub fn reviewed_key(&mut self, subject: &str) -> Result<Option<String>> {
        let Some((prompt, _)) = subject.split_once('/') else { return Ok(None) };
        match self.prompt(prompt, 0) {
            Ok(prompt) => Ok(Some(prompt.key)),
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// The newest task to review this subject.
    pub fn review_task_of(&mut self, subject: &str) -> Result<Option<Task>> {
        self.session.task_of(TaskKind::Review, subject)
    }
}

/// How often a rubric was handed in: submissions among an author's statements about a prompt that were not taken back.
pub(super) fn round(statements: &[Statement]) -> u32 {
    let taken_back = |id: StatementId| {
        statements.iter().any(|s| s.kind == StatementKind::Retraction && s.parents.contains(&id))
    };
    let submissions =
        statements.iter().filter(|s| s.kind == StatementKind::RubricSubmission && !taken_back(s.id)).count();
    u32::try_from(submissions).unwrap_or(u32::MAX)
}
