//! Projects: who works on what under which standards, what was decided, and why.

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::Value;
use wire::decisions::DecisionStatus;

use crate::address::part;
use crate::api::Api;

mod decide;
mod decision;
mod digest;
mod export;
pub(crate) mod member;
mod profile;
mod query;
pub(crate) mod related;
mod review;
mod trail;

/// A command on projects.
#[derive(Debug, Args)]
pub(crate) struct Projects {
    /// Print the API's answer as it is.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a project.
    New(profile::New),
    /// List the projects that you belong to.
    List(profile::List),
    /// Show a project's profile, members and moves.
    Show(Named),
    /// Move a project on: from planning to active or abandoned, from active to completed or
    /// abandoned.
    Status(profile::Advance),
    /// Change a project's profile; what is not named stays.
    Edit(profile::Edit),
    /// Invite or remove a member, or make one the owner; the owner may.
    Member(member::Change),
    /// Join a project to which you are invited (`plumbline invitations`).
    Join(Named),
    /// Leave a project, or decline an invitation to it.
    Leave(Named),
    /// Record a decision, after a look at what was decided on it before.
    Decide(decide::Draft),
    /// Accept a proposed decision, or confirm an accepted one whose evidence changed.
    Accept(decision::Verdict),
    /// Reject a proposed decision.
    Reject(decision::Verdict),
    /// Show a decision, its alternatives and what it rests on.
    Decision(decision::DecisionView),
    /// Write all decisions as Markdown records (MADR), a file each.
    Export(export::Target),
    /// Show a project's questions and decisions, the newest first.
    Trail(trail::Asked),
    /// List the questions that were asked for a project, the newest first.
    Queries(Listed),
    /// Show what changed from period to period, the newest first.
    Digest(Listed),
}

/// A project by its id.
#[derive(Debug, Args)]
struct Named {
    /// The project.
    #[arg(value_name = "ID")]
    project: String,
}

/// A list of a project.
#[derive(Debug, Args)]
struct Listed {
    #[command(flatten)]
    named: Named,
    /// How many at most.
    #[arg(long, default_value_t = 20, value_parser = at_least_one)]
    limit: usize,
}

pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or("must be a number from 1".into())
}

impl Named {
    fn path(&self) -> String {
        format!("/v1/projects/{}", part(&self.project))
    }

    /// The project as the API has it.
    fn profile(&self, api: &Api) -> Result<Value> {
        api.get(&self.path())
    }
}

impl Projects {
    pub(crate) fn run(&self, api: &Api) -> Result<()> {
        let is_json = self.json;
        match &self.command {
            Command::New(new) => profile::create(api, is_json, new),
            Command::List(list) => profile::list(api, is_json, list),
            Command::Show(named) => profile::show(api, is_json, named),
            Command::Status(status) => profile::advance(api, is_json, status),
            Command::Edit(edit) => profile::edit(api, is_json, edit),
            Command::Member(change) => member::change(api, is_json, change),
            Command::Join(named) => {
                let joined = member::join(api, &named.path())?;
                crate::page::print(joined, is_json, profile::reply_lines)
            }
            Command::Leave(named) => member::leave(api, &named.path(), is_json),
            Command::Decide(draft) => decide::decide(api, is_json, draft),
            Command::Accept(verdict) => {
                decision::settle(api, is_json, verdict, DecisionStatus::Accepted)
            }
            Command::Reject(verdict) => {
                decision::settle(api, is_json, verdict, DecisionStatus::Rejected)
            }
            Command::Decision(view) => decision::show(api, is_json, view),
            Command::Export(target) => export::export(api, target),
            Command::Trail(asked) => trail::tell(api, is_json, asked),
            Command::Queries(listed) => query::list(api, is_json, listed),
            Command::Digest(listed) => digest::list(api, is_json, listed),
        }
    }
}
