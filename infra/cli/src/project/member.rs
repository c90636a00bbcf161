//! The members of a project.

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use wire::projects::{Invitation, InvitationList, Member, MemberList};

use super::Named;
use crate::address::part;
use crate::api::Api;
use crate::page;
use crate::wording::{name, printable};

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
    /// Invites them: they read and write once they have joined.
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

/// Joins the project or case at `path`, to which the caller is invited.
pub(crate) fn join(api: &Api, path: &str) -> Result<Value> {
    api.post(&format!("{path}/members/me"), &json!({}))?.map_err(anyhow::Error::from)
}

/// Leaves the project or case at `path`, or declines the invitation to it.
pub(crate) fn leave(api: &Api, path: &str, is_json: bool) -> Result<()> {
    let left: Value = api.delete(&format!("{path}/members/me"))?;
    page::print(left, is_json, |_: &Value, _| vec!["You are no member of it.".into()])
}

/// Lists the invitations to the caller.
pub(crate) fn invitations(api: &Api, is_json: bool) -> Result<()> {
    let list: Value = api.get("/v1/invitations")?;
    page::print(list, is_json, |list: &InvitationList, _| match list.invitations.as_slice() {
        [] => vec!["Nobody has invited you.".into()],
        some => some.iter().flat_map(invitation).collect(),
    })
}

fn invitation(one: &Invitation) -> [String; 2] {
    let Invitation { to, id, title, by, at } = one;
    let kind = name(to);
    [
        format!("{kind} {id}: {} (invited by {} on {at})", printable(title), printable(by)),
        format!("  Join: plumbline {kind} join {id}; decline: plumbline {kind} leave {id}"),
    ]
}

pub(super) fn change(api: &Api, is_json: bool, change: &Change) -> Result<()> {
    let members = change.action.done(api, &change.named.path(), &change.user)?;
    page::print(members, is_json, |list: &MemberList, _| list.members.iter().map(wording).collect())
}

/// Tells a member as in `ana (owner)`.
pub(crate) fn wording(member: &Member) -> String {
    format!("{} ({})", member.user, name(&member.role))
}
