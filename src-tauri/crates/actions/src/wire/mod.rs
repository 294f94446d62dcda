//! Request and reply types of every command: the shapes that cross to TypeScript and to scripts. Wire shapes
//! stop here; domain types go down.

mod agreement_parts;
mod agreement_view;
mod authoring;
mod common;
mod disagreements;
mod gamut;
mod grading;
mod home;
mod impact;
mod judging;
mod media_view;
mod overview;
mod packages;
mod result_details;
mod results;
mod reviewing;
mod rubrics;
mod structured;

pub use agreement_parts::*;
pub use agreement_view::*;
pub use authoring::*;
pub use common::*;
pub use disagreements::*;
pub use gamut::*;
pub use grading::*;
pub use home::*;
pub use impact::*;
pub use judging::*;
pub use media_view::*;
pub use overview::*;
pub use packages::*;
pub use result_details::*;
pub use results::*;
pub use reviewing::*;
pub use rubrics::*;
pub use structured::*;
