//! The quiz as a judge answers it: questions and practice from the study's file, attempts from the own journal, and what came of
//! them from the own inbox. Its key is in none of these.

use super::{JudgeView, QuizNote};
use crate::content::qualification;
use crate::inbox::{Task, TaskKind};
use crate::journal::payload;
use crate::{Result, StoreError};
use domain::{Quiz, QuizAttempt, Statement, StatementKind, TaskId};

const DRAFT: &str = "quiz";
/// More than one is ever asked.
const MOST: u32 = 1_000;

/// One task of the quiz.
#[derive(Debug, Clone, PartialEq)]
pub struct QuizTask {
    /// The task; done once it is handed in, or when there is nothing to hand in.
    pub task: Task,
    /// What came of the attempt before, if one made this task.
    pub note: Option<QuizNote>,
    /// What was handed in for it, and when.
    pub attempt: Option<(Statement, QuizAttempt)>,
}

impl JudgeView {
    /// A version of the quiz.
    pub fn quiz(&self, version: u32) -> Result<Option<Quiz>> {
        qualification::quiz(&self.study, version)
    }

    /// The own tasks of the quiz, in their order.
    pub fn quiz_tasks(&mut self) -> Result<Vec<QuizTask>> {
        let tasks = self.session.tasks(TaskKind::Quiz, None, 0, MOST)?;
        let mut all = Vec::with_capacity(tasks.len());
        for task in tasks {
            let mut attempt = None;
            for statement in self.session.standing(&StatementKind::QuizAttempt, &task.subject)?.heads {
                let said: QuizAttempt = payload(&statement)?;
                if said.task == task.id {
                    attempt = Some((statement, said));
                }
            }
            all.push(QuizTask { note: QuizNote::of(&task), task, attempt });
        }
        Ok(all)
    }

    /// What was being answered, as it was left.
    pub fn quiz_draft(&mut self, task: TaskId) -> Result<Option<String>> {
        let task = self.session.task(task, TaskKind::Quiz)?;
        self.session.own.mine.draft(DRAFT, &task.subject)
    }
    /// Keeps what is being answered.
    pub fn save_quiz_draft(&mut self, task: TaskId, body: &str) -> Result<()> {
        let task = self.session.task(task, TaskKind::Quiz)?;
        self.session.own.mine.save_draft(DRAFT, &task.subject, body)
    }

    /// Hands the quiz in; it is on disk when this returns. Once for each task.
    pub fn hand_in_quiz(&mut self, attempt: &QuizAttempt) -> Result<Statement> {
        let task = self.session.task(attempt.task, TaskKind::Quiz)?;
        if task.done || attempt.version != task.subject_version {
            return Err(StoreError::Refused("this quiz was handed in already".to_owned()));
        }
        let payload = serde_json::to_string(attempt).map_err(StoreError::json("quiz"))?;
        let statement = self.session.state(StatementKind::QuizAttempt, &task.subject, payload, &[])?;
        // It is handed in; a draft that stays behind would only be shown again.
        let _ = self.session.own.mine.drop_draft(DRAFT, &task.subject);
        Ok(statement)
    }
}
