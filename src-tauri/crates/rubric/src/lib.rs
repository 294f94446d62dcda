//! Rubrics, as pure functions: the checklists that meta-rubrics compile to, the scores that follow from a judged run or a
//! judged checklist, and the lints that follow from a rubric's words. No clock, no files, no randomness; everything that a
//! figure or a finding depends on is an argument.
#![deny(missing_docs)]

pub mod compare;
pub mod compile;
pub mod gamut;
pub mod graded;
pub mod impact;
pub mod interaction;
pub mod lints;
pub mod patches;
pub mod precedents;
pub mod revisions;
pub mod scores;
