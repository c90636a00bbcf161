//! Cases: evidence that is kept together, asked together, and gone when the case is closed.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use ulid::Ulid;

use crate::address::part;
use crate::api::{Api, Knowledge};
use crate::project::member::{self, Action};
use crate::{ingest, page};

mod close;
mod render;

/// A command on cases.
#[derive(Debug, Args)]
pub(crate) struct Cases {
    /// Print the API's answer as it is.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open a case.
    New {
        /// What it is about.
        title: String,
        /// The team that it belongs to, a group of your token; to you alone where absent.
        #[arg(long)]
        team: Option<String>,
    },
    /// List the cases that you belong to.
    List {
        /// How many at most.
        #[arg(long, default_value_t = 100, value_parser = crate::project::at_least_one)]
        limit: usize,
    },
    /// Show a case and its members; of a closed one, how much is gone.
    Show(Named),
    /// Ingest evidence. Run again, it goes on where it stopped: what is there already stays.
    Add {
        #[command(flatten)]
        named: Named,
        /// Folders and files; what begins with a dot is left out.
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<PathBuf>,
    },
    /// Join a case to which you are invited (`plumbline invitations`).
    Join(Named),
    /// Leave a case, or decline an invitation to it.
    Leave(Named),
    /// Invite or remove a member, or make one the owner; the owner may.
    Member {
        #[command(flatten)]
        named: Named,
        /// What to do.
        action: Action,
        /// The token's subject.
        user: String,
    },
    /// Close a case for good: its documents, passages, files and cached answers are deleted. The
    /// owner may.
    Close {
        #[command(flatten)]
        named: Named,
        /// Waits until everything is gone.
        #[arg(long)]
        wait: bool,
        /// Closes it without asking.
        #[arg(long)]
        yes: bool,
    },
}

/// A case by its id.
#[derive(Debug, Args)]
struct Named {
    /// The case.
    #[arg(value_name = "ID")]
    case: String,
}

impl Named {
    fn path(&self) -> String {
        format!("/v1/cases/{}", part(&self.case))
    }

    fn present(&self, api: &Api) -> Result<Value> {
        api.get(&self.path())
    }
}

impl Cases {
    pub(crate) fn run(&self, api: &Api) -> Result<()> {
        let is_json = self.json;
        match &self.command {
            Command::New { title, team } => create(api, is_json, title, team.as_deref()),
            Command::List { limit } => {
                let cases = page::list(api, "/v1/cases", &[], "cases", *limit)?;
                page::print(cases, is_json, render::list)
            }
            Command::Show(named) => page::print(named.present(api)?, is_json, render::with_members),
            Command::Add { named, paths } => {
                let knowledge = Knowledge::Case(named.case.clone());
                let target = ingest::Target { knowledge: &knowledge, source: None, commit: None };
                ingest::run(api, paths, target, is_json)
            }
            Command::Member { named, action, user } => {
                page::print(action.done(api, &named.path(), user)?, is_json, render::with_members)
            }
            Command::Join(named) => {
                page::print(member::join(api, &named.path())?, is_json, render::with_members)
            }
            Command::Leave(named) => member::leave(api, &named.path(), is_json),
            Command::Close { named, wait, yes } => close::close(api, is_json, named, *wait, *yes),
        }
    }
}

fn create(api: &Api, is_json: bool, title: &str, team: Option<&str>) -> Result<()> {
    let key = Ulid::generate().to_string();
    let case = api.post_once("/v1/cases", &json!({"title": title, "team": team}), &key)?;
    page::print(case.map_err(anyhow::Error::from)?, is_json, render::case)
}
