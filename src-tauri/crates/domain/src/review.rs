//! Reviews of rubrics: two authors look at a rubric apart from each other, a third settles what they say differently.

use crate::{Criterion, StatementId, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a reviewer says of a rubric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// It is good as it is.
    Accept,
    /// It is good once the comments are followed.
    Revise,
    /// It is to be written anew.
    SendBack,
}
impl ReviewDecision {
    /// The name in files: `accept`, `revise`, `send_back`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Revise => "revise",
            Self::SendBack => "send_back",
        }
    }
}

/// A comment on one criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewComment {
    /// The criterion as it was when it was commented on.
    pub criterion: Criterion,
    /// What is said of it.
    pub comment: String,
}

/// One person's review of a rubric that was handed in: the payload of a `review`; subject = `<prompt id>/<author>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// The task that it answers.
    pub task: TaskId,
    /// The submission that was reviewed: a later one asks for another review.
    pub submission: StatementId,
    /// What the reviewer says.
    pub decision: ReviewDecision,
    /// On single criteria, in their order.
    #[serde(default)]
    pub comments: Vec<ReviewComment>,
    /// On the whole.
    #[serde(default)]
    pub note: String,
    /// The reviews that it settles; none for one of the first two.
    #[serde(default)]
    pub settles: Vec<StatementId>,
}
