//! Scores by a binary checklist (GAMUT, section 3.3), and what follows from what was found in an answer.
//!
//! A judge is asked what was found: which options, which steps in which order. Verdicts on threshold and sequence
//! checks are computed from that ([`extraction`]), verdicts that cannot all be true are shown ([`coherence`]), and
//! control answers show whether the checks can tell good from bad at all ([`controls`]).

pub mod coherence;
pub mod controls;
pub mod extraction;
mod leverage;
mod score;
mod set;

pub use leverage::{Leverage, leverage, leverage_when_missing};
pub use score::{
    GamutScore, ScoreRange, ScoringRule, ScoringRuleError, TierCounts, TierScore, score, score_counts,
};
pub use set::{ScoredQuestion, SetScore, VerdictMix, score_set};
