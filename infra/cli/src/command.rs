//! Plumbline on the command line. It talks to the deployed API like everyone else.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use model::document::Origin;

use crate::access::Access;
use crate::local::{Local, Place, Serve};
use crate::{
    api, ask, case, catalog, delete, doctor, evaluate, ingest, leaver, login, passage, progress,
    project, records, reindex, status, token, verify,
};

/// What failed like this before, which option, what is known: cited answers from indexed documents.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 done, also where documents answer nothing (`abstained` in JSON); 1 refused by the API, not found, \
        not current, or a service failed, with the reason on standard error; 2 arguments that this program does not know."
)]
struct Arguments {
    #[command(flatten)]
    access: Access,
    /// Shows no progress; results and errors stay.
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one of it in a run")]
enum Command {
    /// Answers over HTTP on this machine, from the documents of a folder: no cloud, no account.
    #[command(after_help = "Examples:\n  \
        plumbline serve ~/postmortems\n  \
        plumbline serve ~/postmortems --port 0 --state /tmp/plumbline")]
    Serve(Serve),
    /// Speaks the Model Context Protocol on standard input and output, over the documents of a
    /// folder.
    #[command(after_help = "Example:\n  \
        claude mcp add plumbline -- plumbline mcp ~/postmortems")]
    Mcp(Place),
    /// Brings a folder's documents in. Run again, it goes on where it stopped: what is there
    /// already stays.
    Ingest {
        /// Folders and files; what begins with a dot is left out.
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<PathBuf>,
        /// Among whose documents: `global`, `user`, `case:ID` or `team:ID`.
        #[arg(long, default_value = "global")]
        knowledge: api::Knowledge,
        /// The source that they belong to: code, textbook, docs, guide, forum, runtime; otherwise
        /// told by what they are. `code` takes git work trees: what git tracks, of a tree that was
        /// ingested before what changed since, and takes away what is gone.
        #[arg(long, value_parser = ingest::source)]
        source: Option<Origin>,
        /// Sends nothing: tells how many documents there are, and what a language model that reads
        /// them at ingest would cost.
        #[arg(long)]
        dry_run: bool,
        /// Dollars for a million tokens that the model reads, and for a million that it writes.
        #[arg(long, value_name = "IN,OUT", default_value = "0.06,0.24", requires = "dry_run")]
        token_prices: ingest::estimate::Prices,
        /// Does not ask before more than 20 documents are deleted that a work tree does not have.
        #[arg(long)]
        yes: bool,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Asks a question: of one knowledge base, for an answer whose claims are cited, or by a
    /// workflow.
    Ask(Ask),
    /// Shows an answer that was given before, as it was given.
    Answer(ask::answer::Stored),
    /// Queries the records of logs and settings: how many, which, per what, the largest; exactly.
    Records(records::Query),
    /// Keeps cases: evidence that is asked together, and gone when the case is closed.
    Case(case::Cases),
    /// Keeps projects: their profile, their members, what was decided and why.
    Project(project::Projects),
    /// Lists the projects and cases to which you are invited.
    Invitations {
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Deletes a document. It can be restored for a time, unless it is of a case. Answers that
    /// quoted it are not given again.
    Delete(delete::Wanted),
    /// Forgets a user who left: erases their documents, and the cases and projects that nobody else
    /// belongs to. Needs the admin group.
    ForgetUser(leaver::Wanted),
    /// Restores a deleted document: its last version is indexed again.
    Restore(delete::Meant),
    /// Indexes documents again that another version of Plumbline, another embedding model or
    /// another collection of the index would hold otherwise. Run again, it goes on where it
    /// stopped; searches go on meanwhile.
    Reindex(reindex::Wanted),
    /// Signs in through the browser: later commands need neither `PLUMBLINE_URL` nor
    /// `PLUMBLINE_TOKEN`.
    Login(login::Login),
    /// Prints a token for a program, such as a CI job: by client credentials, with the secret in
    /// `PLUMBLINE_CLIENT_SECRET`.
    Token(token::Wanted),
    /// Deletes the token of a sign-in.
    Logout,
    /// Checks the address, the token, the groups, the models and the collection, and says what to
    /// do about what fails.
    Doctor(doctor::Wanted),
    /// Lists the knowledge bases that may be searched, with what they hold.
    Knowledge {
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Finds documents by words of their name, title or type.
    Documents(catalog::Wanted),
    /// Lists where the documents of a knowledge base disagree, as a job found last.
    Conflicts(ask::search::Conflicts),
    /// Asks questions whose passages you know, and counts how many are found; with an earlier run,
    /// fails where it was better.
    #[command(after_help = evaluate::HELP)]
    Evaluate(evaluate::Wanted),
    /// Shows a passage that an answer cites.
    Passage(passage::Wanted),
    /// Checks the evidence pack of a decision (`project decision --pack`): computes the hash of
    /// every source again, offline.
    Verify {
        /// The pack.
        #[arg(value_name = "PACK")]
        file: PathBuf,
    },
    /// Prints completions for a shell: `plumbline completions bash >
    /// /etc/bash_completion.d/plumbline`.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Writes a manual page for each command into a folder.
    Man {
        /// The folder.
        folder: PathBuf,
    },
    /// Tells how far the documents have come.
    Status {
        /// Whose documents: `global`, `user`, `case:ID` or `team:ID`.
        #[arg(long, default_value = "global")]
        knowledge: api::Knowledge,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
}

/// A question, a knowledge base and a question, or a workflow.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  \
        plumbline ask case:ID \"What failed first between 18:10 and 18:20?\"\n  \
        plumbline ask user \"How do I restart the pump?\" --mode extractive\n  \
        plumbline ask global \"And on a Sunday?\" --follow-up-of \"Who is on call?\"\n  \
        plumbline ask rcca \"requests hang\"\n  \
        plumbline ask \"Halyard or Tidewire for order events?\""
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
    #[command(flatten)]
    Named(ask::workflow::Asked),
    /// Where is it: in code, textbooks, documentation, guides, exported forum threads, uploaded
    /// logs and settings?
    Search(ask::search::Question),
    /// Asks by a strategy of your own; without arguments, lists them.
    Custom(ask::custom::Question),
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
            Workflow::Named(asked) => asked.run(api),
            Workflow::Search(question) => ask::search::ask(api, question),
            Workflow::Custom(question) => ask::custom::ask(api, question),
        }
    }
}

fn carry_out(
    Arguments { access, quiet, command }: Arguments,
    local: &dyn Local,
) -> anyhow::Result<()> {
    progress::set_quiet(quiet);
    let access = access.or_local()?;
    let api = || access.api();
    match command {
        Command::Serve(wanted) => local.serve(&wanted),
        Command::Mcp(place) => local.mcp(&place),
        Command::Ingest { paths, dry_run: true, token_prices, json, .. } => {
            ingest::estimate::run(&paths, token_prices, json)
        }
        Command::Ingest { paths, knowledge, source: Some(Origin::Code), yes, json, .. } => {
            ingest::tree::run(&api()?, &paths, &knowledge, yes, json)
        }
        Command::Ingest { paths, knowledge, source, json, .. } => {
            let target = ingest::Target { knowledge: &knowledge, source, commit: None };
            ingest::run(&api()?, &paths, target, json)
        }
        Command::Ask(ask) => ask.run(&api()?),
        Command::Answer(stored) => ask::answer::again(&api()?, &stored),
        Command::Case(cases) => cases.run(&api()?),
        Command::Doctor(wanted) => doctor::run(&access.url, &access.token, &wanted),
        Command::Invitations { json } => project::member::invitations(&api()?, json),
        Command::Delete(wanted) => delete::run(&api()?, &wanted),
        Command::ForgetUser(wanted) => leaver::run(&api()?, &wanted),
        Command::Restore(wanted) => delete::restore(&api()?, &wanted),
        Command::Login(login) => login::run(&access.url, &login),
        Command::Token(wanted) => token::run(&wanted),
        Command::Logout => login::logout(),
        Command::Conflicts(wanted) => ask::search::conflicts(&api()?, &wanted),
        Command::Knowledge { json } => catalog::knowledge(&api()?, json),
        Command::Documents(wanted) => catalog::documents(&api()?, &wanted),
        Command::Evaluate(wanted) => evaluate::run(&api()?, &wanted),
        Command::Passage(wanted) => passage::run(&api()?, &wanted),
        Command::Project(projects) => projects.run(&api()?),
        Command::Records(query) => records::run(&api()?, &query),
        Command::Reindex(wanted) => reindex::run(&api()?, &wanted),
        Command::Completions { shell } => {
            let mut command = Arguments::command();
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "plumbline", &mut script);
            Ok(std::io::stdout().write_all(&script)?)
        }
        Command::Man { folder } => {
            std::fs::create_dir_all(&folder)?;
            Ok(clap_mangen::generate_to(Arguments::command(), folder)?)
        }
        Command::Verify { file } => verify::run(&file),
        Command::Status { knowledge, json } => status::run(&api()?, &knowledge, json),
    }
}

/// Carries out what the command line says; `local` is what runs on this machine.
pub fn run(local: &dyn Local) -> ExitCode {
    crate::end("plumbline", carry_out(Arguments::parse(), local))
}

#[cfg(test)]
mod tests;
