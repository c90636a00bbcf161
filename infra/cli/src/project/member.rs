//! Who belongs to a project.

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Deserialize;
use serde_json::Value;

use super::Named;
use crate::address::part;
use crate::answer::project::Member;
use crate::api::Api;
use crate::page;

/// A change among the members.
#[derive(Debug, Args)]
pub(super) struct Change {
    #[command(flatten)]
    named: Named,
    /// What to do.
    action: Action,
    /// The token's subject.
    user: String,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Action {
    /// Reads and writes from now on.
    Add,
    /// Neither reads nor writes any more.
    Remove,
}

#[derive(Debug, Deserialize)]
struct Members {
    members: Vec<Member>,
}

impl Action {
    /// Adds or removes the member at `path`; gives what the API says of them all.
    pub(crate) fn done(self, api: &Api, path: &str) -> Result<Value> {
        match self {
            Action::Add => api.put(path),
            Action::Remove => api.delete(path),
        }
    }
}

pub(super) fn change(api: &Api, is_json: bool, change: &Change) -> Result<()> {
    let path = format!("{}/members/{}", change.named.path(), part(&change.user));
    page::print(change.action.done(api, &path)?, is_json, |list: &Members, _| {
        list.members.iter().map(wording).collect()
    })
}

/// `ana (owner)`.
pub(crate) fn wording(member: &Member) -> String {
    format!("{} ({})", member.user, member.role)
}
