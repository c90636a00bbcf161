//! A project's profile: what it is called, what holds for it and how far it has come.

use anyhow::{Result, bail};
use clap::Args;
use console::style;
use serde_json::json;
use ulid::Ulid;
use wire::projects::{
    Member, Move, NewMove, NewProject, Project, ProjectChange, ProjectList, ProjectReply, Status,
};

use super::{Named, member};
use crate::api::Api;
use crate::page;
use crate::wording::{count, day, flat, remark, titled, wrapped};

/// A project to be.
#[derive(Debug, Args)]
pub(super) struct New {
    /// What it is called.
    name: String,
    #[command(flatten)]
    terms: Terms,
}

/// What holds for a project.
#[derive(Debug, Args)]
struct Terms {
    /// The field it works in.
    #[arg(long)]
    domain: Option<String>,
    /// A standard that holds for it; may be given several times.
    #[arg(long = "standard", value_name = "STANDARD")]
    standards: Vec<String>,
    /// What it must respect; may be given several times.
    #[arg(long = "constraint", value_name = "CONSTRAINT")]
    constraints: Vec<String>,
}

/// Which projects.
#[derive(Debug, Args)]
pub(super) struct List {
    /// How many at most.
    #[arg(long, default_value_t = 100, value_parser = super::at_least_one)]
    limit: usize,
}

/// A move.
#[derive(Debug, Args)]
pub(super) struct Advance {
    #[command(flatten)]
    named: Named,
    /// The status from now on; `completed` and `abandoned` are final.
    #[arg(value_name = "planning|active|completed|abandoned", value_parser = status)]
    to: Status,
    /// Why.
    #[arg(long)]
    reason: Option<String>,
    /// The profile's version that you know; where it changed since, nothing happens. Otherwise the
    /// present one.
    #[arg(long)]
    version: Option<u64>,
}

/// A change.
#[derive(Debug, Args)]
pub(super) struct Edit {
    #[command(flatten)]
    named: Named,
    /// What it is called from now on.
    #[arg(long)]
    name: Option<String>,
    /// All standards and all constraints are replaced by those given; `--standard ''` leaves none.
    #[command(flatten)]
    terms: Terms,
}

/// Returns what a list becomes: `None` leaves it as it is, and one empty word empties it.
fn replaced(all: &[String]) -> Option<Vec<String>> {
    let named = all.iter().filter(|a| !a.is_empty()).cloned().collect();
    (!all.is_empty()).then_some(named)
}

fn status(text: &str) -> Result<Status, String> {
    serde_json::from_value(json!(text))
        .map_err(|_| "must be planning, active, completed or abandoned".into())
}

pub(super) fn create(api: &Api, is_json: bool, new: &New) -> Result<()> {
    let Terms { domain, standards, constraints } = &new.terms;
    let body = NewProject {
        name: new.name.clone(),
        domain: domain.clone(),
        standards: replaced(standards).unwrap_or_default(),
        constraints: replaced(constraints).unwrap_or_default(),
    };
    let key = Ulid::generate().to_string();
    let project = api.post_once("/v1/projects", &body, &key)?.map_err(anyhow::Error::from)?;
    page::print(project, is_json, profile_lines)
}

pub(super) fn list(api: &Api, is_json: bool, list: &List) -> Result<()> {
    let projects = page::list(api, "/v1/projects", &[], "projects", list.limit)?;
    page::print(projects, is_json, list_lines)
}

pub(super) fn show(api: &Api, is_json: bool, named: &Named) -> Result<()> {
    page::print(named.profile(api)?, is_json, reply_lines)
}

pub(super) fn advance(api: &Api, is_json: bool, status: &Advance) -> Result<()> {
    let Advance { named, to, reason, version } = status;
    let version = version.map_or_else(|| version_of(api, named), Ok)?;
    let body = NewMove { to: *to, reason: reason.clone(), version };
    let project = api.post(&format!("{}/status", named.path()), &body)?;
    page::print(project.map_err(anyhow::Error::from)?, is_json, profile_lines)
}

pub(super) fn edit(api: &Api, is_json: bool, edit: &Edit) -> Result<()> {
    let Edit { named, name, terms: Terms { domain, standards, constraints } } = edit;
    let (standards, constraints) = (replaced(standards), replaced(constraints));
    if name.is_none() && domain.is_none() && standards.is_none() && constraints.is_none() {
        bail!("nothing is changed: give --name, --domain, --standard or --constraint");
    }
    let version = version_of(api, named)?;
    let body = ProjectChange {
        version,
        name: name.clone(),
        domain: domain.clone(),
        standards,
        constraints,
    };
    page::print(api.patch(&edit.named.path(), &body)?, is_json, profile_lines)
}

fn version_of(api: &Api, named: &Named) -> Result<u64> {
    let present: Project = serde_json::from_value(named.profile(api)?)?;
    Ok(present.version)
}

fn list_lines(list: &ProjectList, width: usize) -> Vec<String> {
    if list.projects.is_empty() {
        return vec!["You belong to no project; `plumbline project new` creates one.".into()];
    }
    let mut lines: Vec<String> =
        list.projects.iter().flat_map(|project| head(project, width)).collect();
    if list.cursor.is_some() {
        lines.extend([String::new(), "There are more; --limit shows them.".into()]);
    }
    lines
}

/// Its name and status, and below them its id and dates.
pub(super) fn head(project: &Project, width: usize) -> Vec<String> {
    let mut facts = vec![
        project.project_id.clone(),
        format!("version {}", project.version),
        format!("created {}", day(project.created_at)),
        format!("changed {}", day(project.updated_at)),
    ];
    if !project.needs_review.is_empty() {
        facts.push(format!("{} to review", count(project.needs_review.len(), "decision")));
    }
    let mut lines = vec![titled(&flat(&project.name), project.status.name())];
    lines.extend(remark(&facts.join(", "), width));
    lines
}

fn profile_lines(project: &Project, width: usize) -> Vec<String> {
    lines_with(project, &[], width)
}

pub(super) fn reply_lines(reply: &ProjectReply, width: usize) -> Vec<String> {
    lines_with(&reply.project, &reply.members, width)
}

fn lines_with(project: &Project, members: &[Member], width: usize) -> Vec<String> {
    let mut lines = head(project, width);
    let fields = [
        ("Domain", project.domain.iter().map(|domain| flat(domain)).collect()),
        ("Standards", project.standards.iter().map(|standard| flat(standard)).collect()),
        ("Constraints", project.constraints.iter().map(|constraint| flat(constraint)).collect()),
        ("Members", members.iter().map(member::wording).collect::<Vec<_>>()),
        ("To review", project.needs_review.clone()),
    ];
    for (label, values) in fields.iter().filter(|(_, values)| !values.is_empty()) {
        let label = format!("    {label:<13}");
        lines.extend(wrapped(&values.join("; "), &label, &" ".repeat(17), width));
    }
    if !project.history.is_empty() {
        lines.extend([String::new(), style("Moves").bold().to_string()]);
    }
    lines.extend(project.history.iter().flat_map(|change| move_lines(change, width)));
    lines
}

/// Tells from where to where, when, by whom and why.
pub(super) fn move_lines(change: &Move, width: usize) -> Vec<String> {
    let Move { from, to, by, at, reason } = change;
    let reason = reason.as_deref().map(|reason| format!(": {}", flat(reason))).unwrap_or_default();
    let text = format!("{} {} to {}, by {by}{reason}", day(*at), from.name(), to.name());
    wrapped(&text, "  - ", "    ", width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use wire::testing::reply;

    fn project() -> Value {
        json!({
            "project_id": "01J", "name": "Pump\nupgrade", "domain": "water supply", "standards": ["API 610", "ISO 10816-3"],
            "constraints": ["no stop longer than four hours", "within the present foundations and pipes"], "status": "active", "version": 3,
            "created_at": "2026-10-01T08:00:00Z", "updated_at": "2026-11-20T08:00:00Z", "needs_review": ["01D"],
            "history": [{"from": "planning", "to": "active", "by": "ana", "at": "2026-11-01T08:00:00Z", "reason": "funds are there"}],
            "members": [{"user": "ana", "role": "owner"}, {"user": "ben", "role": "member"}],
        })
    }

    #[test]
    fn a_project_is_shown_with_its_members_and_moves() {
        console::set_colors_enabled(false);
        let lines = reply_lines(&reply(project()), 72);
        insta::assert_snapshot!(lines.join("\n"), @r"
        Pump upgrade  active
            01J, version 3, created 2026-10-01, changed 2026-11-20, 1 decision
              to review
            Domain       water supply
            Standards    API 610; ISO 10816-3
            Constraints  no stop longer than four hours; within the present
                         foundations and pipes
            Members      ana (owner); ben (member)
            To review    01D

        Moves
          - 2026-11-01 planning to active, by ana: funds are there
        ");
    }

    #[test]
    fn projects_are_listed_in_short() {
        console::set_colors_enabled(false);
        let mut other = project();
        other["name"] = json!("Archive");
        other["needs_review"] = json!([]);
        let list = json!({"projects": [project(), other], "cursor": "c"});
        insta::assert_snapshot!(list_lines(&reply(list), 100).join("\n"), @r"
        Pump upgrade  active
            01J, version 3, created 2026-10-01, changed 2026-11-20, 1 decision to review
        Archive  active
            01J, version 3, created 2026-10-01, changed 2026-11-20

        There are more; --limit shows them.
        ");
        let none = list_lines(&reply(json!({"projects": []})), 100);
        assert_eq!(none, ["You belong to no project; `plumbline project new` creates one."]);
    }

    #[test]
    fn only_what_is_given_is_changed_and_an_empty_word_empties_a_list() {
        let words = |all: &[&str]| replaced(&all.iter().map(|a| (*a).into()).collect::<Vec<_>>());
        assert_eq!(words(&[]), None);
        assert_eq!(words(&["API 610"]), Some(vec!["API 610".into()]));
        assert_eq!(words(&[""]), Some(Vec::new()));
    }
}
