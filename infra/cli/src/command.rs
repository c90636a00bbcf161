//! Plumbline on the command line. It talks to the deployed API like everyone else.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use model::document::Origin;

use crate::access::Access;
use crate::local::{Local, Place, Serve};
use crate::{
    alert, api, ask, case, catalog, delete, doctor, evaluate, ingest, key, leaver, login, passage,
    progress, project, records, reindex, status, token, verify,
};

mod examples;

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
    /// Answer on this machine, from the documents of a folder: no cloud, no account.
    Serve(Serve),
    /// Serve an assistant on standard input and output (Model Context Protocol), from the documents
    /// of a folder.
    Mcp(Place),
    /// Ingest files and folders. Run again, it goes on where it stopped: what is there already
    /// stays.
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
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Ask a question: of one knowledge base, for an answer whose claims are cited, or by a
    /// workflow.
    Ask(Ask),
    /// Show a saved answer, as it was given.
    Answer(ask::answer::Stored),
    /// Query the records of logs and tables exactly: how many, which, per what, the largest.
    Records(records::Query),
    /// Send alerts as a monitoring system does, and show the cases of a team with what helps.
    Alert(alert::Command),
    /// Manage cases: the logs and settings of one incident, asked together; closing a case deletes
    /// them.
    Case(case::Cases),
    /// Manage projects: their profile, their members, what was decided and why.
    Project(project::Projects),
    /// List the projects and cases to which you are invited.
    Invitations {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Delete a document. It can be restored for a time, unless it is of a case. Answers that
    /// quoted it are not given again.
    Delete(delete::Wanted),
    /// Forget a user who left: erase their documents, and the cases and projects that nobody else
    /// belongs to. Needs the admin group.
    ForgetUser(leaver::Wanted),
    /// Restore a deleted document: its last version is indexed again.
    Restore(delete::Meant),
    /// Index documents again that another version of Plumbline, another embedding model or
    /// another collection of the index would hold otherwise. Run again, it goes on where it
    /// stopped; searches go on meanwhile.
    Reindex(reindex::Wanted),
    /// Sign in through the browser: later commands need neither `PLUMBLINE_URL` nor
    /// `PLUMBLINE_TOKEN`.
    Login(login::Login),
    /// Print a token for a program, such as a CI job: by client credentials, with the secret in
    /// `PLUMBLINE_CLIENT_SECRET`.
    Token(token::Wanted),
    /// Make, list and revoke API keys of programs. Needs the admin group.
    Key(key::Command),
    /// Sign out: delete the token of the sign-in.
    Logout,
    /// Check the address, the token, the groups, the models and the index, and say what to do about
    /// what fails.
    Doctor(doctor::Wanted),
    /// List the knowledge bases that may be searched, with what they hold.
    Knowledge {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Find documents by words of their name, title or type.
    Documents(catalog::Wanted),
    /// List where the documents of a knowledge base disagree, as a job found last.
    Conflicts(ask::search::Conflicts),
    /// Measure: ask questions whose passages you know, count how many are found, and fail where an
    /// earlier run was better.
    Evaluate(evaluate::Wanted),
    /// Show a passage that an answer cites.
    Passage(passage::Wanted),
    /// Verify the evidence pack of a decision (`project decision --pack`): compute the hash of each
    /// source again, offline.
    Verify {
        /// The pack.
        #[arg(value_name = "PACK")]
        file: PathBuf,
    },
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write a manual page for each command into a folder.
    Man {
        /// The folder.
        folder: PathBuf,
    },
    /// Show how far the documents have come, or one of them.
    Status(status::Wanted),
}

/// A question, a knowledge base and a question, or a workflow.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
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
        Command::Alert(alerts) => alerts.run(&api()?),
        Command::Case(cases) => cases.run(&api()?),
        Command::Doctor(wanted) => doctor::run(&access.url, &access.token, &wanted),
        Command::Invitations { json } => project::member::invitations(&api()?, json),
        Command::Delete(wanted) => delete::run(&api()?, &wanted),
        Command::ForgetUser(wanted) => leaver::run(&api()?, &wanted),
        Command::Restore(wanted) => delete::restore(&api()?, &wanted),
        Command::Login(login) => login::run(&access.url, &login),
        Command::Token(wanted) => token::run(&wanted),
        Command::Key(keys) => keys.run(&api()?),
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
            let mut command = examples::with_all(Arguments::command());
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "plumbline", &mut script);
            Ok(std::io::stdout().write_all(&script)?)
        }
        Command::Man { folder } => {
            std::fs::create_dir_all(&folder)?;
            Ok(clap_mangen::generate_to(examples::with_all(Arguments::command()), folder)?)
        }
        Command::Verify { file } => verify::run(&file),
        Command::Status(wanted) => status::run(&api()?, &wanted),
    }
}

/// Carries out what the command line says; `local` is what runs on this machine.
pub fn run(local: &dyn Local) -> ExitCode {
    let arguments =
        Arguments::from_arg_matches(&examples::with_all(Arguments::command()).get_matches());
    crate::end("plumbline", carry_out(arguments.unwrap_or_else(|error| error.exit()), local))
}

#[cfg(test)]
mod tests;
