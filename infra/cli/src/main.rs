//! Plumbline on the command line. It talks to the deployed API like everyone else.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

mod address;
mod answer;
mod api;
mod ask;
mod case;
mod consent;
mod doctor;
mod evaluate;
mod forget;
mod ingest;
mod knowledge;
mod login;
mod page;
mod passage;
mod project;
mod records;
mod refusal;
mod reindex;
mod session;
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
        /// Folders and files; what begins with a dot is left out.
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<PathBuf>,
        /// Among whose documents: `global`, `user`, `case:ID` or `team:ID`.
        #[arg(long, default_value = "global")]
        knowledge: api::Knowledge,
    },
    /// Asks a question: of one knowledge base, for an answer whose claims are cited, or by a workflow.
    Ask(Ask),
    /// Shows an answer that was given before, as it was given.
    Answer(ask::answer::Stored),
    /// Queries the records of logs and settings: how many, which, per what, the largest; exactly.
    Records(records::Query),
    /// Keeps cases: evidence that is asked together, and gone when the case is closed.
    Case(case::Cases),
    /// Keeps projects: their profile, their members, what was decided and why.
    Project(project::Projects),
    /// Asks questions whose answers are known, and tells how many were answered right.
    #[command(subcommand)]
    Evaluate(Evaluation),
    /// Deletes a document: its passages and its file. Answers that quoted it are not given again.
    Forget {
        /// The document's name, the end of it, or its id.
        #[arg(value_name = "NAME_OR_ID")]
        document: String,
        /// Whose document: `global`, `user`, `case:ID` or `team:ID`.
        #[arg(long)]
        knowledge: api::Knowledge,
        /// Prints the API's answer as it is.
        #[arg(long)]
        json: bool,
    },
    /// Indexes documents again that another version of Plumbline, another embedding model or another collection of the
    /// index would hold otherwise. Run again, it goes on where it stopped; searches go on meanwhile.
    Reindex(reindex::Wanted),
    /// Signs in through the browser: later commands need neither `PLUMBLINE_URL` nor `PLUMBLINE_TOKEN`.
    Login(login::Login),
    /// Forgets the token of a sign-in.
    Logout,
    /// Checks the address, the token, the groups, the models and the collection, and says what to do about what fails.
    Doctor,
    /// Shows a passage that an answer cites.
    Passage(passage::Wanted),
    /// Tells how far the documents have come.
    Status {
        /// Whose documents: `global`, `user`, `case:ID` or `team:ID`.
        #[arg(long, default_value = "global")]
        knowledge: api::Knowledge,
    },
}

/// Either a knowledge base and a question, or a workflow.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  \
        plumbline ask case:ID \"What failed first between 18:10 and 18:20?\"\n  \
        plumbline ask user \"How do I restart the pump?\" --mode extractive\n  \
        plumbline ask global \"And on a Sunday?\" --follow-up-of \"Who is on call?\"\n  \
        plumbline ask rcca \"requests hang\""
)]
struct Ask {
    #[command(flatten)]
    question: Option<ask::answer::Question>,
    #[command(flatten)]
    terms: ask::Terms,
    #[command(subcommand)]
    workflow: Option<Workflow>,
}

#[derive(Debug, Subcommand)]
enum Workflow {
    /// What failed like this before, and why?
    Rcca(ask::rcca::Question),
    /// Which of these alternatives, and what speaks for each?
    Trade(ask::trade::Question),
    /// What is known of this, facet by facet?
    Explore(ask::explore::Question),
    /// What is there for this plan: templates, risks, lessons, precedents and the project's own decisions?
    Plan(ask::plan::Question),
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
    /// Answers with citations: the right document, line, quote and count, and abstention where there is no answer.
    Answer(evaluate::answer::Questions),
    /// Conversations of MTRAG: right passages read for a last turn in three forms, and abstention.
    Mtrag(evaluate::mtrag::Conversations),
    /// Trails of decisions, recorded as projects: known quotes in the answers, and how each decision stands.
    Plan(evaluate::plan::Questions),
}

impl Ask {
    fn run(&self, api: &api::Api) -> anyhow::Result<()> {
        match (&self.workflow, &self.question) {
            (Some(workflow), None) => workflow.run(api),
            (None, Some(question)) => ask::answer::ask(api, question, &self.terms),
            _ => anyhow::bail!("either a knowledge base and a question are given, or a workflow"),
        }
    }
}

impl Workflow {
    fn run(&self, api: &api::Api) -> anyhow::Result<()> {
        match self {
            Workflow::Rcca(question) => ask::rcca::ask(api, question),
            Workflow::Trade(question) => ask::trade::ask(api, question),
            Workflow::Explore(question) => ask::explore::ask(api, question),
            Workflow::Plan(question) => ask::plan::ask(api, question),
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
            Evaluation::Answer(questions) => evaluate::answer::run(api, questions),
            Evaluation::Mtrag(conversations) => evaluate::mtrag::run(api, conversations),
            Evaluation::Plan(questions) => evaluate::plan::run(api, questions),
        }
    }
}

fn run(Arguments { url, token, command }: Arguments) -> anyhow::Result<()> {
    let api = || api::Api::new(&url, &token);
    match command {
        Command::Ingest { paths, knowledge } => ingest::run(&api()?, &paths, &knowledge),
        Command::Ask(ask) => ask.run(&api()?),
        Command::Answer(stored) => ask::answer::again(&api()?, &stored),
        Command::Case(cases) => cases.run(&api()?),
        Command::Doctor => doctor::run(&url, &token),
        Command::Evaluate(evaluation) => evaluation.run(&api()?),
        Command::Forget { document, knowledge, json } => {
            forget::run(&api()?, json, &document, &knowledge)
        }
        Command::Login(login) => login::run(&url, &login),
        Command::Logout => login::forget(),
        Command::Passage(wanted) => passage::run(&api()?, &wanted),
        Command::Project(projects) => projects.run(&api()?),
        Command::Records(query) => records::run(&api()?, &query),
        Command::Reindex(wanted) => reindex::run(&api()?, &wanted),
        Command::Status { knowledge } => status::run(&api()?, &knowledge),
    }
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A closed pipe, as with `| head`, is no failure.
            let is_closed = |cause: &std::io::Error| cause.kind() == std::io::ErrorKind::BrokenPipe;
            if error.chain().filter_map(|own| own.downcast_ref()).any(is_closed) {
                return ExitCode::SUCCESS;
            }
            let _ = console::Term::stderr()
                .write_line(&wording::printable(&format!("plumbline: {error:#}")));
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests;
