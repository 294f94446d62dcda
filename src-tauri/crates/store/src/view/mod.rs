//! One typed view per role. A view opens only the files that its role may open.

mod again;
mod auditing;
mod auditor;
mod author;
mod cells;
mod curating;
mod curation_rounds;
mod gold;
mod grading;
mod judge;
mod kept;
mod lead;
mod qualifying;
mod quiz;
mod review_rounds;
mod reviewing;
mod sent_back;
mod session;
mod settling;

pub use again::{AskAgain, JudgeNote};
pub use auditing::{ReturnedWork, finding_subject, returned_note};
pub use auditor::{AuditorView, FolderCounts, Overview};
pub use author::{AuthorItem, AuthorView, Submission};
pub use curating::{CurationItem, CurationSubject, GivenCuration};
pub use curation_rounds::CurationRound;
pub use grading::{GradingItem, RubricInForce};
pub use judge::{JudgeItem, JudgeView};
pub use lead::{Assignment, Expired, Handout, LeadView, Progress};
pub use qualifying::QuizNote;
pub use quiz::QuizTask;
pub use review_rounds::ReviewRound;
pub use reviewing::{GivenReview, ReviewItem, ReviewedNote, SettleNote, SettledReview, review_subject};
pub use sent_back::SentBack;
pub use settling::{Settled, VerdictRow, settlement_subject};

/// What other programs changed since this was last asked: what to show anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changes {
    /// Prompts, responses, rubrics or guidelines.
    pub content: bool,
    /// Tasks handed out.
    pub tasks: bool,
    /// Statements in the journals of this session.
    pub statements: bool,
}
impl Changes {
    /// Did anything change?
    pub const fn any(self) -> bool {
        self.content || self.tasks || self.statements
    }
}

/// A blob that a session may read: where it is, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readable {
    /// The file.
    pub path: std::path::PathBuf,
    /// What the content is (`png`, `mp4` …), as content names it.
    pub format: String,
}
