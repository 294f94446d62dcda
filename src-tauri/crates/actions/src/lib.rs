//! Everything a user can do, in one place: the command table ([`for_each_command`]), its request and reply types
//! ([`wire`]), its error codes ([`Code`]). The window, the loopback host and the command line call the same
//! functions; none of them holds a rule. Wire shapes stop here, domain types go down.
#![deny(missing_docs)]

mod app;
mod audits;
mod check_agreement;
mod checklists;
pub mod command_line;
mod compared;
mod curation;
mod dataset_folder;
mod demo;
mod dictionary;
mod effects;
mod error;
mod export;
mod export_content;
mod export_scores;
pub mod figures;
pub mod files;
mod gamut_scores;
mod gold;
mod handlers;
mod handout;
mod home;
mod import;
mod interaction;
mod jobs;
mod kept;
pub mod leaks;
mod lints;
pub mod packages;
mod pictures;
mod progress;
mod qualification;
mod regrading;
mod report;
mod rubric_export;
mod rubric_forms;
mod score_details;
mod scores;
mod server;
mod sound;
mod table;
mod traits;
mod units;
pub mod wire;
mod worker;

pub use app::{App, FileChooser, Settings};
pub use error::{Code, Failure};
pub use home::default_data_folder;
pub use server::{MediaServer, random_token, serve_media};
pub use table::{
    AUTHOR, Allowed, BLIND, COMMANDS, Command, EVERY_ROLE, JUDGE, LEAD, RUBRIC_READERS, SIGHTED, Shape, call,
    dispatch,
};
pub use worker::worker_registry;
