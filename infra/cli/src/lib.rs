//! Plumbline on the command line: the API as a caller has it, what it answers, and the commands of
//! `plumbline`. What is public is what the binaries need.

use std::process::ExitCode;

pub mod access;
pub mod address;
mod alert;
pub mod api;
pub mod ask;
mod case;
mod catalog;
pub mod command;
mod consent;
mod delete;
mod doctor;
pub mod evaluate;
pub mod follow;
mod ingest;
mod key;
mod knowledge;
mod leaver;
pub mod local;
mod login;
pub mod page;
mod passage;
mod progress;
mod project;
mod records;
mod refusal;
mod reindex;
mod session;
mod status;
mod terminal;
mod token;
mod verify;
pub mod wording;

/// Returns the exit code of `program`; why it fails is told on standard error.
pub fn end(program: &str, result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    // A closed pipe, as with `| head`, is no failure.
    let is_closed = |cause: &std::io::Error| cause.kind() == std::io::ErrorKind::BrokenPipe;
    if error.chain().filter_map(|e| e.downcast_ref()).any(is_closed) {
        return ExitCode::SUCCESS;
    }
    let _ =
        console::Term::stderr().write_line(&wording::printable(&format!("{program}: {error:#}")));
    ExitCode::FAILURE
}
