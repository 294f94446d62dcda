//! One function per row of the command table. Role checks are done before a handler is called.
#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "every handler has the shape that the table calls: request by value, reply or failure"
)]

mod agreement;
mod agreement_parts;
mod audits;
mod authoring;
mod common;
mod curation;
mod disagreements;
mod grading;
mod home;
mod impact;
mod judging;
mod made_under;
mod media_view;
mod overview;
mod packages;
mod people;
mod qualification;
mod quiz;
mod results;
mod reviewing;
mod rubrics;
mod settling;
mod structured;

pub(crate) use agreement::*;
pub(crate) use agreement_parts::*;
pub(crate) use audits::*;
pub(crate) use authoring::*;
pub(crate) use common::*;
pub(crate) use curation::*;
pub(crate) use disagreements::*;
pub(crate) use grading::*;
pub(crate) use home::*;
pub(crate) use impact::*;
pub(crate) use judging::*;
pub(crate) use media_view::*;
pub(crate) use overview::*;
pub(crate) use packages::*;
pub(crate) use people::*;
pub(crate) use qualification::*;
pub(crate) use quiz::*;
pub(crate) use results::*;
pub(crate) use reviewing::*;
pub(crate) use rubrics::*;
pub(crate) use settling::*;
pub(crate) use structured::*;
