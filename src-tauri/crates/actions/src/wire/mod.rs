//! Request and reply types of every command: the shapes that cross to TypeScript and to scripts. Wire shapes
//! stop here; domain types go down.

mod agreement_parts;
mod agreement_view;
mod audits;
mod authoring;
mod common;
mod curation;
mod disagreements;
mod gamut;
mod grading;
mod home;
mod impact;
mod interaction;
mod judging;
mod media_view;
mod overview;
mod packages;
mod people;
mod result_details;
mod results;
mod reviewing;
mod rubrics;
mod structured;

pub use agreement_parts::*;
pub use agreement_view::*;
pub use audits::*;
pub use authoring::*;
pub use common::*;
pub use curation::*;
pub use disagreements::*;
pub use gamut::*;
pub use grading::*;
pub use home::*;
pub use impact::*;
pub use interaction::*;
pub use judging::*;
pub use media_view::*;
pub use overview::*;
pub use packages::*;
pub use people::*;
pub use result_details::*;
pub use results::*;
pub use reviewing::*;
pub use rubrics::*;
pub use structured::*;
