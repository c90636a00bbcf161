//! Forgets a user.

use anyhow::{Result, bail};
use clap::Args;
use console::Term;
use serde_json::Value;
use wire::documents::ForgettingUser;

use crate::address::part;
use crate::api::Api;
use crate::wording::printable;
use crate::{consent, page};

/// A user to forget.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// The subject (`sub`) of the user's tokens.
    user: String,
    /// Does not ask before.
    #[arg(long)]
    yes: bool,
    /// Print the API's answer as it is.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(api: &Api, wanted: &Wanted) -> Result<()> {
    let Wanted { user, yes, json } = wanted;
    let name = printable(user);
    let question = format!(
        "Erase all documents of `{name}`, and the cases and projects that nobody else belongs to?"
    );
    if !*yes && !consent::is_given(&Term::stdout(), &question)? {
        bail!("nobody was forgotten");
    }
    let forgetting: Value = api.delete(&format!("/v1/users/{}", part(user)))?;
    page::print(forgetting, *json, |forgetting: &ForgettingUser, _| {
        vec![format!("{}: being forgotten", printable(&forgetting.user))]
    })
}
