//! The members of a project.

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::Value;
use wire::projects::{Member, MemberList};

use super::Named;
use crate::address::part;
use crate::api::Api;
use crate::page;
use crate::wording::name;

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
    /// Makes a member the owner; you stay in as a member.
    Owner,
}

impl Action {
    /// Does so with `user` in the project or case at `path`; gives what the API says of them all.
    pub(crate) fn done(self, api: &Api, path: &str, user: &str) -> Result<Value> {
        let user = part(user);
        match self {
            Action::Add => api.put(&format!("{path}/members/{user}")),
            Action::Remove => api.delete(&format!("{path}/members/{user}")),
            Action::Owner => api.put(&format!("{path}/owner/{user}")),
        }
    }
}

pub(super) fn change(api: &Api, is_json: bool, change: &Change) -> Result<()> {
    let members = change.action.done(api, &change.named.path(), &change.user)?;
    page::print(members, is_json, |list: &MemberList, _| list.members.iter().map(wording).collect())
}

/// Tells a member as in `ana (owner)`.
pub(crate) fn wording(member: &Member) -> String {
    format!("{} ({})", member.user, name(&member.role))
}
