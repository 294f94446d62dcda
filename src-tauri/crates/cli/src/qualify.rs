//! `assize qualify`: who may judge what.

use actions::{
    App, Failure, call,
    command_line::{open_as_lead, publish_quiz, qualification_rules, state_golds},
    wire::{ChangeQualificationRequest, GiveQuizRequest, Nothing, QualificationView},
};
use clap::Subcommand;
use domain::{Modality, QualificationMove};
use std::path::PathBuf;

#[derive(Subcommand)]
pub enum QualifyCommand {
    /// Where everybody stands, by modality.
    Status {
        /// The study.
        study: PathBuf,
    },
    /// State what the study asks of those who judge.
    Rules {
        /// The study.
        study: PathBuf,
        /// What is to change (JSON): quiz, quiz_pass, entry_golds, window, keep_accuracy …; see `docs/cli.md`.
        file: PathBuf,
    },
    /// Publish a quiz, or the one that comes along.
    Quiz {
        /// The study.
        study: PathBuf,
        /// The quiz with its answers (Markdown or JSON).
        file: Option<PathBuf>,
    },
    /// Give people the quiz.
    Give {
        /// The study.
        study: PathBuf,
        /// Whom; every judge who has not passed it if nobody is named.
        people: Vec<String>,
    },
    /// Say which answers are known.
    Gold {
        /// The study.
        study: PathBuf,
        /// JSON lines: prompt_id, model, modality, verdict, why.
        #[arg(required_unless_present = "settled")]
        file: Option<PathBuf>,
        /// Take every case that auditors settled.
        #[arg(long)]
        settled: bool,
        /// The results folder; the main one if none.
        #[arg(long)]
        folder: Option<String>,
    },
    /// Admit, pause or recertify somebody by hand.
    Change {
        /// The study.
        study: PathBuf,
        /// Whom.
        person: String,
        /// For which modality.
        modality: Modality,
        /// What.
        #[arg(value_parser = change)]
        change: QualificationMove,
        /// Why.
        #[arg(long)]
        reason: String,
    },
}

fn change(name: &str) -> Result<QualificationMove, String> {
    [QualificationMove::Admit, QualificationMove::Pause, QualificationMove::Recertify]
        .into_iter()
        .find(|change| change.name() == name)
        .ok_or_else(|| "write admit, pause or recertify".to_owned())
}

/// Does it, and answers with where everybody stands then.
pub fn run(app: &App, command: QualifyCommand) -> Result<QualificationView, Failure> {
    match command {
        QualifyCommand::Status { study } => {
            open_as_lead(app, &study)?;
            call::qualification(app, Nothing {})
        }
        QualifyCommand::Rules { study, file } => {
            open_as_lead(app, &study)?;
            qualification_rules(app, &file)
        }
        QualifyCommand::Quiz { study, file } => {
            open_as_lead(app, &study)?;
            publish_quiz(app, file.as_deref())
        }
        QualifyCommand::Give { study, people } => {
            open_as_lead(app, &study)?;
            Ok(call::give_quiz(app, GiveQuizRequest { people })?.value)
        }
        QualifyCommand::Gold { study, file, settled, folder } => {
            open_as_lead(app, &study)?;
            state_golds(app, file.as_deref(), settled, folder.as_deref())
        }
        QualifyCommand::Change { study, person, modality, change, reason } => {
            open_as_lead(app, &study)?;
            let request = ChangeQualificationRequest { person, modality, change, reason };
            Ok(call::change_qualification(app, request)?.value)
        }
    }
}
