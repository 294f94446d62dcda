//! What a person or a script sees of the whole program, from outside: the command line and the loopback host are run
//! as processes on studies in temporary folders. Rooms test their own insides; here stands what holds across them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it finds nothing")]

mod arrows;
mod at_work;
mod audits;
mod canary;
mod checks;
mod curation;
mod effects;
mod golden;
mod grading;
mod handing;
mod installing;
mod judging;
mod kills;
mod leaks;
mod malformed;
mod numbers;
mod overtaken;
mod packages;
mod planted;
mod planted_deeper;
mod qualification;
mod rubrics;
mod samples;
mod settling;
mod stories;
mod structured;
mod tampering;
