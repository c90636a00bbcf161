//! Plumbline on the command line. It talks to the deployed API like everyone else.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

mod address;
mod answer;
mod api;
mod ask;
mod case;
mod evaluate;
mod forget;
mod ingest;
mod page;
mod project;
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
    /// Asks a question: one knowledge base for an answer with citations, or all by a workflow.
    Ask(Ask),
    /// Shows an answer that was given before, as it was given.
    Answer(ask::answer::Stored),
    /// Keeps cases: evidence that is asked together, and gone when the case is closed.
    Case(case::Cases),
    /// Keeps projects: their profile, their members, what was decided and why.
    Project(project::Projects),
    /// Asks questions whose answers are known, and tells how many were answered right.
    #[command(subcommand)]
    Evaluate(Evaluation),
    /// Deletes a document: its passages, its file and the answers that were kept of it.
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
    /// Tells how far the documents have come.
    Status {
        /// Whose documents: `global`, `user`, `case:ID` or `team:ID`.
        #[arg(long, default_value = "global")]
        knowledge: api::Knowledge,
    },
}

/// Either a knowledge base and a question, or a workflow.
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
            Evaluation::Plan(questions) => evaluate::plan::run(api, questions),
        }
    }
}

fn main() -> ExitCode {
    let Arguments { url, token, command } = Arguments::parse();
    let done = api::Api::new(&url, &token).and_then(|api| match command {
        Command::Ingest { paths, knowledge } => ingest::run(&api, &paths, &knowledge),
        Command::Ask(ask) => ask.run(&api),
        Command::Answer(stored) => ask::answer::again(&api, &stored),
        Command::Case(cases) => cases.run(&api),
        Command::Forget { document, knowledge, json } => {
            forget::run(&api, json, &document, &knowledge)
        }
        Command::Project(projects) => projects.run(&api),
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn is_understood(line: &str) -> bool {
        Arguments::try_parse_from(line.split(' ')).is_ok()
    }

    #[test]
    fn no_argument_stands_in_the_way_of_another() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_plan_is_asked_for_a_project() {
        assert!(is_understood("plumbline ask plan --project 01J how?"));
        assert!(!is_understood("plumbline ask plan how?"));
        assert!(is_understood("plumbline ask rcca how?"));
    }

    #[test]
    fn a_knowledge_base_is_asked_by_its_name_and_a_workflow_by_its_own() {
        for line in [
            "plumbline ask case:01J why?",
            "plumbline ask user why? --effort minimal --top-k 3 --filter severity=ERROR --json",
            "plumbline ask --effort standard team:01T why? --follow-up-of when? --follow-up-of where?",
            "plumbline ask global why? --conversation said.json --project 01J",
            "plumbline --url http://x ask rcca why?",
            "plumbline ask rcca why? --url http://x",
            "plumbline ask global rcca --url http://x",
            "plumbline answer 01A --json",
        ] {
            assert!(is_understood(line), "{line}");
        }
        for line in [
            "plumbline ask",
            "plumbline ask user",
            "plumbline ask everyone why?",
            "plumbline ask user why? --conversation said.json --follow-up-of when?",
            "plumbline ask user why? --effort most",
            "plumbline ask --effort minimal rcca why?",
            "plumbline ask --json rcca why?",
        ] {
            assert!(!is_understood(line), "{line}");
        }
    }

    #[test]
    fn a_question_to_a_knowledge_base_comes_with_its_terms() {
        let line = "plumbline ask --effort standard team:01T why? --top-k 3";
        let Command::Ask(ask) = Arguments::try_parse_from(line.split(' ')).unwrap().command else {
            panic!("{line} asks");
        };
        assert!(ask.workflow.is_none());
        let told = format!("{:?} {:?}", ask.question.unwrap(), ask.terms);
        for part in ["Team(\"01T\")", "Standard", "\"why?\"", "top_k: Some(3)"] {
            assert!(told.contains(part), "{told}");
        }
    }

    #[test]
    fn cases_and_documents_are_spoken_to_as_documented() {
        for line in [
            "plumbline case new Pump",
            "plumbline case list --limit 5 --json",
            "plumbline case show 01J",
            "plumbline case add 01J logs app.log.1",
            "plumbline case member 01J add ana",
            "plumbline case close 01J --wait",
            "plumbline ingest logs app.log.1 --knowledge case:01J",
            "plumbline forget logs/app.log --knowledge case:01J",
        ] {
            assert!(is_understood(line), "{line}");
        }
        for line in ["plumbline case add 01J", "plumbline forget app.log", "plumbline ingest"] {
            assert!(!is_understood(line), "{line}");
        }
    }

    #[test]
    fn projects_are_spoken_to_as_documented() {
        for line in [
            "plumbline project new Pump --domain water --standard API-610 --standard ISO-10816 --constraint cheap",
            "plumbline project list",
            "plumbline project show 01J --json",
            "plumbline project status 01J active --reason begun --version 2",
            "plumbline project edit 01J --name Pump --standard API-610",
            "plumbline project member 01J add ana",
            "plumbline project member 01J remove ana",
            "plumbline project decide 01J Dry --rationale cheaper --alternative Wet --source 0b:0.5 --source 0c --yes",
            "plumbline project decide 01J Dry --rationale cheaper --supersedes 01D --decided-at 2026-01-02T03:04:05Z",
            "plumbline project accept 01J 01D",
            "plumbline project reject 01J 01D --reason costs",
            "plumbline project trail 01J --as-of 2026-01-02T03:04:05Z --format html --out trail.html",
            "plumbline project queries 01J",
            "plumbline project digest 01J",
            "plumbline project decision 01J 01D --madr",
            "plumbline evaluate plan trails.jsonl plan.jsonl --corpus-prefix trade/ --verbose",
        ] {
            assert!(is_understood(line), "{line}");
        }
        for line in [
            "plumbline project status 01J done",
            "plumbline project decide 01J Dry",
            "plumbline project decide 01J Dry --rationale cheaper --source 0b:2",
            "plumbline project decide 01J Dry --rationale cheaper --decided-at yesterday",
        ] {
            assert!(!is_understood(line), "{line}");
        }
    }
}
