//! Plumbline on the command line. It talks to the deployed API like everyone else.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod answer;
mod api;
mod ask;
mod evaluate;
mod ingest;
mod status;
mod wording;

/// What failed like this before, which option, what is known: cited answers from indexed documents.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The API's address.
    #[arg(long, env = "PLUMBLINE_URL", global = true, default_value = "")]
    url: String,
    /// A bearer token for it.
    #[arg(
        long,
        env = "PLUMBLINE_TOKEN",
        hide_env_values = true,
        global = true,
        default_value = ""
    )]
    token: String,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Brings a folder's documents in. Run again, it goes on where it stopped: what is there already stays.
    Ingest {
        /// The folder, or one file.
        folder: PathBuf,
        /// Among whose documents: `global`, `user`, `case:ID` or `team:ID`.
        #[arg(long, default_value = "global")]
        knowledge: api::Knowledge,
    },
    /// Asks a question.
    #[command(subcommand)]
    Ask(Workflow),
    /// Asks questions whose answers are known, and tells how many were answered right.
    #[command(subcommand)]
    Evaluate(Evaluation),
    /// Tells how far the documents have come.
    Status {
        /// Whose documents: `global`, `user`, `case:ID` or `team:ID`.
        #[arg(long, default_value = "global")]
        knowledge: api::Knowledge,
    },
}

#[derive(Debug, Subcommand)]
enum Workflow {
    /// What failed like this before, and why?
    Rcca(ask::rcca::Question),
    /// Which of these alternatives, and what speaks for each?
    Trade(ask::trade::Question),
    /// What is known of this, facet by facet?
    Explore(ask::explore::Question),
    /// Asks by a strategy of your own; without arguments, lists them.
    Custom(ask::custom::Question),
}

#[derive(Debug, Subcommand)]
enum Evaluation {
    /// Past failures: the right document first, among the first five, and what its fields quote.
    Rcca(evaluate::rcca::Questions),
    /// Alternatives: known facts under the right alternative and criterion, and how many values are right.
    Trade(evaluate::trade::Questions),
    /// Subjects: known quotes under their facet, and whether the best passage is on the subject.
    Explore(evaluate::explore::Questions),
}

impl Workflow {
    fn run(&self, api: &api::Api) -> anyhow::Result<()> {
        match self {
            Workflow::Rcca(question) => ask::rcca::ask(api, question),
            Workflow::Trade(question) => ask::trade::ask(api, question),
            Workflow::Explore(question) => ask::explore::ask(api, question),
            Workflow::Custom(question) => ask::custom::ask(api, question),
        }
    }
}

impl Evaluation {
    fn run(&self, api: &api::Api) -> anyhow::Result<()> {
        match self {
            Evaluation::Rcca(questions) => evaluate::rcca::run(api, questions),
            Evaluation::Trade(questions) => evaluate::trade::run(api, questions),
            Evaluation::Explore(questions) => evaluate::explore::run(api, questions),
        }
    }
}

fn main() -> ExitCode {
    let Arguments { url, token, command } = Arguments::parse();
    let done = api::Api::new(&url, &token).and_then(|api| match command {
        Command::Ingest { folder, knowledge } => ingest::run(&api, &folder, &knowledge),
        Command::Ask(workflow) => workflow.run(&api),
        Command::Evaluate(evaluation) => evaluation.run(&api),
        Command::Status { knowledge } => status::run(&api, &knowledge),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A closed pipe, as with `| head`, is no failure to tell of.
            let _ = console::Term::stderr().write_line(&format!("plumbline: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
