//! API keys of programs.

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use wire::keys::{Key, KeyList, KeyScope, MadeKey, NewKey};

use crate::address::part;
use crate::api::Api;
use crate::page;
use crate::wording::{flat, listed, minute, remark, titled, wrapped};

/// A command on API keys.
#[derive(Debug, Args)]
pub(crate) struct Command {
    /// Print the API's answer as it is.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a key, and print the token of its program once.
    New {
        /// The purpose.
        name: String,
        /// A scope besides reading; several by repeating it.
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<Scope>,
        /// A group of yours that it stands for; several by repeating it.
        #[arg(long = "group", value_name = "GROUP")]
        groups: Vec<String>,
        /// The days for which it is good, at most 366.
        #[arg(long, default_value_t = NewKey::usual_days())]
        days: u16,
    },
    /// List the keys: what each allows, when it ends, when it was used last.
    List,
    /// Revoke a key.
    Revoke {
        /// The key.
        #[arg(value_name = "ID")]
        key: String,
    },
}

/// A scope besides reading.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Scope {
    /// Adding, changing and deleting.
    Write,
    /// Seeing secrets in passages.
    Reveal,
}

impl Command {
    pub(crate) fn run(&self, api: &Api) -> Result<()> {
        match &self.action {
            Action::New { name, scopes, groups, days } => {
                let scopes = scopes.iter().map(|scope| match scope {
                    Scope::Write => KeyScope::Write,
                    Scope::Reveal => KeyScope::Reveal,
                });
                let new = NewKey {
                    name: name.clone(),
                    scopes: scopes.collect(),
                    groups: groups.clone(),
                    days: *days,
                };
                let reply = api.post("/v1/keys", &new)?.map_err(anyhow::Error::from)?;
                page::print(reply, self.json, made)
            }
            Action::List => page::print(api.get("/v1/keys")?, self.json, all),
            Action::Revoke { key } => {
                page::print(api.delete(&format!("/v1/keys/{}", part(key)))?, self.json, one)
            }
        }
    }
}

/// A key that was just made. Its token has a line of its own, which a script can cut out.
fn made(made: &MadeKey, width: usize) -> Vec<String> {
    let mut lines = one(&made.key, width);
    let advice = "Its token, shown now and never again; the program sends it to the output KeyUrl of the stack:";
    lines.extend(wrapped(advice, "    ", "    ", width));
    lines.push(made.token.clone());
    lines
}

fn all(list: &KeyList, width: usize) -> Vec<String> {
    if list.keys.is_empty() {
        return vec!["There are no keys; `plumbline key new` makes one.".into()];
    }
    list.keys.iter().flat_map(|key| one(key, width)).collect()
}

fn one(key: &Key, width: usize) -> Vec<String> {
    lines(key, Timestamp::now(), width)
}

/// The name of a key and whether it is good, and below it what it allows, who made it, and when it
/// was used.
fn lines(key: &Key, now: Timestamp, width: usize) -> Vec<String> {
    let state = match key.revoked_at {
        Some(at) => format!("revoked {}", minute(at)),
        None if key.is_good(now) => format!("good until {}", minute(key.ends_at)),
        None => format!("ended {}", minute(key.ends_at)),
    };
    let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.name()).collect();
    let mut facts = vec![key.key_id.clone(), format!("may {}", listed(&scopes))];
    if !key.groups.is_empty() {
        facts.push(format!("as a member of {}", flat(&key.groups.join(", "))));
    }
    facts.push(format!("made {} by {}", minute(key.made_at), flat(&key.made_by)));
    facts.push(match key.last_used_at {
        Some(at) => format!("used last {}", minute(at)),
        None => "never used".into(),
    });
    let mut lines = wrapped(&titled(&flat(&key.name), &state), "", "  ", width);
    lines.extend(remark(&facts.join("; "), width));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_whether_it_is_good_what_it_allows_and_when_it_was_used() {
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        let key = Key {
            key_id: "01KEY".into(),
            name: "nightly".into(),
            scopes: vec![KeyScope::Read, KeyScope::Write],
            groups: vec!["ops".into()],
            made_by: "ann".into(),
            made_at: time("2026-03-01T00:00:00Z"),
            ends_at: time("2026-04-01T00:00:00Z"),
            last_used_at: None,
            revoked_at: None,
        };
        let told = |key: &Key, now: &str| lines(key, time(now), 200).join("\n");
        let good = told(&key, "2026-03-02T00:00:00Z");
        for part in [
            "nightly",
            "good until 2026-04-01",
            "may read and write",
            "member of ops",
            "never used",
        ] {
            assert!(good.contains(part), "{part}: {good}");
        }
        assert!(told(&key, "2026-04-01T00:00:00Z").contains("ended 2026-04-01"));
        let used = Key { last_used_at: Some(time("2026-03-03T10:00:00Z")), ..key };
        let revoked = Key { revoked_at: Some(time("2026-03-04T00:00:00Z")), ..used };
        let told = told(&revoked, "2026-03-05T00:00:00Z");
        assert!(
            told.contains("revoked 2026-03-04") && told.contains("used last 2026-03-03"),
            "{told}"
        );
    }
}
