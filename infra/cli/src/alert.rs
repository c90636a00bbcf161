//! Sends alerts as a monitoring system does, and shows what came of them.

use std::path::PathBuf;

use alerts::Vendors;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::Value;
use ulid::Ulid;
use wire::alerts::{AlertCase, ReceivedAlerts, TeamCases};
use wire::fit;
use wire::meta::Reply;

use crate::address::part;
use crate::api::Api;
use crate::page;
use crate::terminal::{self, Detail};
use crate::wording::{count, remark, wrapped};

/// The variable with the secret of the route.
const SECRET: &str = "PLUMBLINE_ALERT_SECRET";

/// A command on alerts.
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
    /// Send a file to a route as its vendor would, with the secret in `PLUMBLINE_ALERT_SECRET`, and
    /// show the cases.
    Test {
        /// The route.
        route: String,
        /// A payload of the vendor, JSON.
        file: PathBuf,
        /// The vendor that signs; a key is sent where absent.
        #[arg(long, value_name = "NAME")]
        sign: Option<String>,
    },
    /// List the open cases of a team, with what was found.
    List {
        /// The team, a group of your token.
        #[arg(long)]
        team: String,
        /// How many at most.
        #[arg(long, default_value_t = 100, value_parser = crate::project::at_least_one)]
        limit: usize,
    },
    /// Show a case with its alerts, and what was found for them.
    Show {
        /// The case.
        #[arg(value_name = "ID")]
        case: String,
        /// Shows all that was found.
        #[arg(long)]
        all: bool,
    },
}

impl Command {
    pub(crate) fn run(&self, api: &Api) -> Result<()> {
        match &self.action {
            Action::Test { route, file, sign } => self.test(api, route, file, sign.as_deref()),
            Action::List { team, limit } => {
                let path = format!("/v1/teams/{}/cases", part(team));
                let cases = page::list(api, &path, &[], "cases", *limit)?;
                page::print(cases, self.json, listed)
            }
            Action::Show { case, all } => {
                self.show(api, case, if *all { Detail::All } else { Detail::Short })
            }
        }
    }

    fn show(&self, api: &Api, case: &str, detail: Detail) -> Result<()> {
        let path = format!("/v1/cases/{}/alerts?max_bytes={}", part(case), fit::MOST);
        let reply: Value = api.get(&path)?;
        page::print(reply, self.json, |reply: &Reply<AlertCase>, width| {
            let view = alerts::view(&reply.report).flagging(&reply.meta.flagged);
            let mut lines = wrapped(&reply.report.case.title, "", "", width);
            lines.push(String::new());
            lines.extend(terminal::lines(&view, detail, width));
            lines
        })
    }

    fn test(&self, api: &Api, route: &str, file: &PathBuf, sign: Option<&str>) -> Result<()> {
        let body = std::fs::read(file).with_context(|| file.display().to_string())?;
        let secret = secret()?;
        let headers = match sign {
            None => [("authorization".to_owned(), format!("Bearer {secret}"))].into(),
            Some(vendor) => {
                let vendors = Vendors::parse(&Vendors::carried())?;
                let id = Ulid::generate().to_string();
                alerts::signed(&vendors, vendor, &secret, &id, &body, Timestamp::now())?
            }
        };
        let path = format!("/v1/alerts/{}", part(route));
        let reply: Value = api.post_as(&path, &headers, &body)?.map_err(anyhow::Error::from)?;
        page::print(reply, self.json, |received: &ReceivedAlerts, _| told(received))
    }
}

#[expect(clippy::disallowed_methods, reason = "a secret is no argument, which others see")]
fn secret() -> Result<String> {
    match std::env::var(SECRET) {
        Ok(secret) if !secret.is_empty() => Ok(secret),
        _ => bail!("{SECRET} is not set: it has the secret of the route"),
    }
}

fn told(received: &ReceivedAlerts) -> Vec<String> {
    if received.cases.is_empty() {
        return vec!["Taken; nothing of it is an alert of a case.".into()];
    }
    let line = |group: &wire::alerts::ReceivedGroup| {
        let how = if group.is_new { "opened" } else { "open" };
        format!(
            "{}: {how}, {} added, {} repeated, {} over; `plumbline alert show {}`",
            group.case_id, group.added, group.repeated, group.resolved, group.case_id
        )
    };
    received.cases.iter().map(line).collect()
}

fn listed(list: &TeamCases, width: usize) -> Vec<String> {
    if list.cases.is_empty() {
        return vec!["The team has no open case.".into()];
    }
    let mut lines = Vec::new();
    for case in &list.cases {
        lines.extend(wrapped(&case.case.title, "", "  ", width));
        let alerts = count(case.alerts, "alert");
        lines
            .extend(remark(&format!("{}, {alerts}, {} on", case.case.case_id, case.firing), width));
        let runbooks = case.runbooks.iter().map(|place| format!("Runbook: {}", place.title));
        let past = case.past.iter().map(|past| format!("Like it: {}", past.passage.title));
        for line in runbooks.chain(past) {
            lines.extend(wrapped(&line, "    ", "      ", width));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::alerts::ReceivedGroup;

    #[test]
    fn what_became_of_alerts_is_told_by_case() {
        let group = ReceivedGroup {
            case_id: "01A".into(),
            is_new: true,
            added: 2,
            repeated: 0,
            resolved: 0,
            left_out: 0,
        };
        let lines = told(&ReceivedAlerts { cases: vec![group] });
        assert_eq!(lines, ["01A: opened, 2 added, 0 repeated, 0 over; `plumbline alert show 01A`"]);
        let nothing = told(&ReceivedAlerts { cases: Vec::new() });
        assert_eq!(nothing, ["Taken; nothing of it is an alert of a case."]);
    }
}
