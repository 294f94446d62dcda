//! Rubrics, as pure functions: the scores that follow from a judged run and the lints that follow from a rubric's
//! words. No clock, no files, no randomness; everything that a figure or a finding depends on is an argument.
#![deny(missing_docs)]

pub mod graded;
pub mod lints;
pub mod scores;
