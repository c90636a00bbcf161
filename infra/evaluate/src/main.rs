//! Measures the quality of answers to questions with known answers.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use plumbline::access::Access;
use plumbline::api::Api;
use serde::Deserialize;

mod answer;
mod explore;
mod judge;
mod mtrag;
mod plan;
mod rcca;
mod trade;

/// Asks questions whose answers are known, and prints how many were answered right.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    access: Access,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Past failures: the right document first, among the first five, and what its fields quote.
    Rcca(rcca::Questions),
    /// Alternatives: known facts under the right alternative and criterion, and how many values are
    /// right.
    Trade(trade::Questions),
    /// Subjects: known quotes under their facet, and whether the best passage is on the subject.
    Explore(explore::Questions),
    /// Answers with citations: the right document, line, quote and count, and abstention where
    /// there is no answer.
    Answer(answer::Questions),
    /// Conversations of MTRAG: right passages read for a last turn in three forms, and abstention.
    Mtrag(mtrag::Conversations),
    /// Trails of decisions, recorded as projects: known quotes in the answers, and how each
    /// decision stands.
    Plan(plan::Questions),
}

/// A verbatim quote from a document.
#[derive(Debug, Deserialize)]
struct Quote {
    doc: String,
    quote: String,
}

impl Command {
    fn run(&self, api: &Api) -> Result<()> {
        match self {
            Command::Rcca(questions) => rcca::run(api, questions),
            Command::Trade(questions) => trade::run(api, questions),
            Command::Explore(questions) => explore::run(api, questions),
            Command::Answer(questions) => answer::run(api, questions),
            Command::Mtrag(conversations) => mtrag::run(api, conversations),
            Command::Plan(questions) => plan::run(api, questions),
        }
    }
}

fn run(Arguments { access, command }: &Arguments) -> Result<()> {
    command.run(&access.api()?)
}

fn main() -> ExitCode {
    plumbline::end("evaluate", run(&Arguments::parse()))
}

#[cfg(test)]
mod tests;
