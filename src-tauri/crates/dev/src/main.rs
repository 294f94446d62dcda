//! `cargo dev …`: makes the generated files, checks that they are fresh, and serves the UI over loopback HTTP on
//! the same actions that the window uses (for browser tests, and for work on the UI without a window).

mod generate;
mod host;
mod typescript;

use clap::{Parser, Subcommand};
use std::{path::PathBuf, process::ExitCode};

#[derive(Parser)]
#[command(name = "cargo dev", about = "Generate, check, and serve")]
struct Args {
    #[command(subcommand)]
    command: DevCommand,
}

#[derive(Subcommand)]
enum DevCommand {
    /// Write schemas/, the TypeScript types and client, and the shell's list of commands.
    Generate,
    /// Fail if a generated file is not what `generate` would write.
    Check,
    /// Serve ui/dist and the command table on 127.0.0.1.
    Serve(host::ServeArgs),
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn main() -> ExitCode {
    let done = match Args::parse().command {
        DevCommand::Generate => generate::write(&root()),
        DevCommand::Check => generate::check(&root()),
        DevCommand::Serve(args) => host::serve(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}
