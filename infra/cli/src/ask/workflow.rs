//! The workflows with a function of their own: each is a subcommand of `ask`.

use anyhow::Result;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};
use serde_json::{Value, json};
use wire::request::Workflow as _;
use wire::{WORKFLOWS, for_workflow};
use workflows::Workflow;

use super::{Options, explore, request, trade};
use crate::api::Api;

/// A question to a workflow.
#[derive(Debug)]
pub(crate) struct Asked {
    name: &'static str,
    question: Question,
    own: Own,
}

#[derive(Debug, Args)]
struct Question {
    /// The question, in your own words.
    #[arg(value_name = "QUESTION")]
    text: String,
    #[command(flatten)]
    options: Options,
}

/// The options that only one workflow has.
#[derive(Debug)]
enum Own {
    None,
    Trade(trade::Own),
    Explore(explore::Own),
}

impl Own {
    fn augment(name: &str, command: Command) -> Command {
        match name {
            "trade" => trade::Own::augment_args(command),
            "explore" => explore::Own::augment_args(command),
            _ => command,
        }
    }

    fn parse(name: &str, matches: &ArgMatches) -> Result<Own, Error> {
        Ok(match name {
            "trade" => Own::Trade(trade::Own::from_arg_matches(matches)?),
            "explore" => Own::Explore(explore::Own::from_arg_matches(matches)?),
            _ => Own::None,
        })
    }

    fn put(&self, body: &mut Value) {
        match self {
            Own::None => {}
            Own::Trade(own) => own.put(body),
            Own::Explore(own) => own.put(body),
        }
    }
}

/// The number of results that are asked for where the caller does not say; otherwise the API's own.
fn results(name: &str) -> Option<u32> {
    match name {
        "rcca" => Some(super::RESULTS),
        "trade" => Some(trade::RESULTS),
        _ => None,
    }
}

impl Asked {
    /// Makes a question of nothing but its text; `None` where no workflow has this name.
    pub(super) fn of(name: &str, text: &str, options: Options) -> Option<Asked> {
        let name = WORKFLOWS.iter().find(|known| **known == name)?;
        let question = Question { text: text.into(), options };
        Some(Asked { name, question, own: Own::None })
    }

    pub(crate) fn run(&self, api: &Api) -> Result<()> {
        let Asked { name, question: Question { text, options }, own } = self;
        let mut body = options.body(text, results(name));
        own.put(&mut body);
        for_workflow!(name, W => ask::<W>(api, name, options, body)).unwrap_or(Ok(()))
    }
}

fn ask<W: Workflow>(api: &Api, name: &str, options: &Options, body: Value) -> Result<()> {
    options.ask::<W::Request, W::Report>(api, &format!("/v1/{name}"), body, &W::VIEW)
}

/// Returns true if a question without a project is no request of the workflow.
pub fn needs_project(name: &str) -> bool {
    let bare = || json!({"question": "?"});
    for_workflow!(name, W => request::<<W as wire::request::Workflow>::Request>(bare()).is_err())
        .unwrap_or_default()
}

impl Subcommand for Asked {
    fn augment_subcommands(command: Command) -> Command {
        WORKFLOWS.iter().fold(command, |command, name| {
            let about = for_workflow!(name, W => W::SUMMARY).unwrap_or_default();
            let asked = Own::augment(name, Question::augment_args(Command::new(*name)));
            let asked = asked.mut_arg("project", |it| it.required(needs_project(name)));
            command.subcommand(asked.about(about.trim_end_matches('.')))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Asked::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        WORKFLOWS.contains(&name)
    }
}

impl FromArgMatches for Asked {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Asked, Error> {
        let missing = || Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let name = WORKFLOWS.iter().find(|known| **known == name).ok_or_else(missing)?;
        let question = Question::from_arg_matches(matches)?;
        Ok(Asked { name, question, own: Own::parse(name, matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Asked::from_arg_matches(matches)?;
        Ok(())
    }
}
