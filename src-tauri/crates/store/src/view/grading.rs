//! Grading by people against a checklist. Who grades sees response and rubric, so that only auditors and leads do, and
//! what they state is in their audit journal, which nobody who is blind opens.

use super::{AuditorView, LeadView, Submission};
use crate::content::{checklists, rubrics};
use crate::inbox::{Inbox, NewTask, Task, TaskKind};
use crate::journal::payload;
use crate::standing::Standing;
use crate::{ImportedChecklist, Result, StoreError};
use domain::{
    ChecklistGrade, Criterion, ImportedCheckGrade, PersonName, Prompt, Response, Statement, StatementId,
    StatementKind, StructuredRubric, TaskId,
};

const DRAFT: &str = "checklist_grade";

/// What a prompt's answers are graded by.
#[derive(Debug, Clone, PartialEq)]
pub enum RubricInForce {
    /// A structured rubric of an author, handed in.
    Structured {
        /// Who wrote it.
        author: PersonName,
        /// The revision.
        revision: StatementId,
        /// The rubric.
        rubric: Box<StructuredRubric>,
    },
    /// A checklist from a file.
    Imported(ImportedChecklist),
    /// Numbered criteria.
    Flat(Vec<Criterion>),
}

/// One response to grade.
#[derive(Debug, Clone, PartialEq)]
pub struct GradingItem {
    /// The task.
    pub task: Task,
    /// What was asked; none when the study has no such prompt.
    pub prompt: Option<Prompt>,
    /// What came back.
    pub response: Response,
    /// What it is graded by; none when the prompt has no rubric.
    pub rubric: Option<RubricInForce>,
    /// The grader's own statement as it stands: [`ChecklistGrade`] payloads.
    pub standing: Standing,
    /// What they were typing, as they left it.
    pub draft: Option<String>,
}

impl AuditorView {
    /// The rubric that a prompt's answers are graded by: a structured one that its author handed in (of several, the
    /// one handed in last by its statement's time), else a checklist from a file, else the criteria handed out.
    pub fn rubric_in_force(&mut self, prompt: &Prompt) -> Result<Option<RubricInForce>> {
        let subject = prompt.id.to_string();
        let mut submissions = self.standing(&StatementKind::RubricSubmission, &subject)?;
        submissions.sort_by(|a, b| (&b.made_at, b.id).cmp(&(&a.made_at, a.id)));
        for submission in submissions.iter().filter(|s| !s.payload.is_empty()) {
            let revision = payload::<Submission>(submission)?.revision;
            let about = self.about(&subject)?;
            let Some(held) = about.iter().find(|s| s.id == revision && !s.payload.is_empty()) else {
                continue;
            };
            let draft = payload::<domain::RubricDraft>(held)?;
            if let Some(rubric) = draft.as_structured() {
                return Ok(Some(RubricInForce::Structured {
                    author: held.person.clone(),
                    revision,
                    rubric: Box::new(rubric.clone()),
                }));
            }
        }
        if let Some(imported) = checklists::of_prompt(&self.content.audit, &prompt.key)? {
            return Ok(Some(RubricInForce::Imported(imported)));
        }
        Ok(rubrics::newest(&self.content.rubrics, prompt.id)?
            .filter(|rubric| !rubric.criteria.is_empty())
            .map(|rubric| RubricInForce::Flat(rubric.criteria)))
    }

    /// Every verdict on a check that was read from a file and stands, by question, model, judge and variant.
    pub fn each_check_grade(&self, mut each: impl FnMut(ImportedCheckGrade) -> Result<()>) -> Result<()> {
        checklists::each_grade(&self.content.audit, &mut each)
    }

    /// The person's grading tasks in their order, with their state.
    pub fn grading_tasks(&mut self) -> Result<Vec<Task>> {
        let mut tasks = Vec::new();
        Inbox::open(&self.folder, &self.me().person)?.each_task(TaskKind::Grade, |task| {
            tasks.push(task);
            Ok(())
        })?;
        let index = self.index()?;
        for task in &mut tasks {
            task.done = index.is_answered(&task.subject, task.id)?;
        }
        Ok(tasks)
    }

    /// One grading task of the person's own.
    pub fn grading_task(&mut self, id: TaskId) -> Result<Task> {
        let missing = || StoreError::NotFound { what: "task", id: id.to_string() };
        let mut task = Inbox::open(&self.folder, &self.me().person)?.task(id)?;
        if task.kind != TaskKind::Grade {
            return Err(missing());
        }
        task.done = self.index()?.is_answered(&task.subject, task.id)?;
        Ok(task)
    }

    /// The newest grading task with this subject.
    pub fn grading_task_of(&self, subject: &str) -> Result<Option<TaskId>> {
        Inbox::open(&self.folder, &self.me().person)?.id_of(TaskKind::Grade, subject)
    }

    /// One response to grade, whole.
    pub fn grading_item(&mut self, id: TaskId) -> Result<GradingItem> {
        let task = self.grading_task(id)?;
        let missing = || StoreError::NotFound { what: "response", id: task.subject.clone() };
        let response = self.response(task.subject.parse().map_err(|_| missing())?)?.ok_or_else(missing)?;
        let prompt = match response.prompt {
            Some(prompt) => self.prompt(prompt)?,
            None => None,
        };
        let rubric = match &prompt {
            Some(prompt) => self.rubric_in_force(prompt)?,
            None => None,
        };
        let standing = self.own.standing(&StatementKind::ChecklistGrade, &task.subject)?;
        let draft = self.own.mine.draft(DRAFT, &task.subject)?;
        Ok(GradingItem { task, prompt, response, rubric, standing, draft })
    }

    /// Keeps what is being typed about a response; nothing drops it.
    pub fn save_grading_draft(&mut self, id: TaskId, body: Option<&str>) -> Result<()> {
        let task = self.grading_task(id)?;
        match body {
            Some(body) => self.own.mine.save_draft(DRAFT, &task.subject, body),
            None => self.own.mine.drop_draft(DRAFT, &task.subject),
        }
    }

    /// States the grades of a response; they are on disk when this returns. `expected`: the own statements that the
    /// grader saw standing ([`Standing::ids`]).
    pub fn grade(&mut self, grade: &ChecklistGrade, expected: &[StatementId]) -> Result<Statement> {
        let task = self.grading_task(grade.task)?;
        if task.subject != grade.response.to_string() {
            return Err(StoreError::NotAssigned {
                person: self.me().person.clone(),
                subject: grade.response.to_string(),
            });
        }
        let text = serde_json::to_string(grade).map_err(StoreError::json("grades"))?;
        let statement = self.own.state(StatementKind::ChecklistGrade, &task.subject, text, expected, &[])?;
        self.behind = true;
        // It is graded; a draft that stays behind would only be shown again.
        let _ = self.own.mine.drop_draft(DRAFT, &task.subject);
        Ok(statement)
    }

    /// Every person's grades that stand. Two of one person side by side are a fork: then that person has graded
    /// nothing.
    pub fn each_checklist_grade(
        &mut self,
        mut each: impl FnMut(Statement, ChecklistGrade) -> Result<()>,
    ) -> Result<()> {
        let mut standing: Vec<Statement> = Vec::new();
        self.index()?.each_head(&StatementKind::ChecklistGrade, |statement| {
            standing.push(statement);
            Ok(())
        })?;
        let same = |a: &Statement, b: &Statement| (&a.subject, &a.person) == (&b.subject, &b.person);
        for (at, statement) in standing.iter().enumerate() {
            // By subject and person, so that a fork's statements are neighbours.
            let before = at.checked_sub(1).is_some_and(|other| same(&standing[other], statement));
            let after = standing.get(at + 1).is_some_and(|other| same(other, statement));
            if before || after || statement.payload.is_empty() {
                continue;
            }
            let grade = payload::<ChecklistGrade>(statement)?;
            each(statement.clone(), grade)?;
        }
        Ok(())
    }
}

impl LeadView {
    /// Has responses graded again by whoever made these statements, which stay as they are. Asking twice for the same
    /// statement adds nothing. Answers how many tasks are new.
    pub fn grade_again(&mut self, overtaken: &[Statement]) -> Result<u64> {
        let mut added = 0;
        for statement in overtaken {
            let answer = statement.subject.parse().ok().map(|id| self.answer(id)).transpose()?.flatten();
            let prompt = answer.map(|answer| self.prompt_with_key(&answer.prompt_key)).transpose()?.flatten();
            let task = NewTask {
                kind: TaskKind::Grade,
                subject: statement.subject.clone(),
                subject_version: prompt.map_or(0, |prompt| prompt.version),
                cause: statement.id,
                note: String::new(),
            };
            match Inbox::open_to_write(self.folder(), &statement.person) {
                Ok(mut inbox) => added += inbox.add_tasks(&[task])?,
                Err(StoreError::NoSuchPerson(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(added)
    }
}
