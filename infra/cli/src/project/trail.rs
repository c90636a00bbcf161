//! The trail: a project's questions and decisions, the newest first.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use console::{Term, style};
use jiff::Timestamp;
use wire::decisions::Decided;
use wire::trail::{TrailEntry, TrailPage};

use super::{Named, decision, profile, query, review};
use crate::address::with_query;
use crate::api::Api;
use crate::page;
use crate::wording::{flat, minute, pretty, printable, quoted, remark, titled, wrapped};

/// Which trail, and in which form.
#[derive(Debug, Args)]
pub(super) struct Asked {
    #[command(flatten)]
    named: Named,
    /// As it stood then: `2026-05-31T09:00:00Z`.
    #[arg(long, value_name = "TIME", value_parser = time)]
    as_of: Option<Timestamp>,
    /// In which form.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Writes it into this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many entries at most: 100 where the form is text or json, else as the API has it.
    #[arg(long, value_parser = super::at_least_one)]
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For the terminal.
    Text,
    /// For a text editor.
    Markdown,
    /// A page for a browser.
    Html,
    /// As the API has it.
    Json,
}

/// The number of entries that are told where the caller does not say.
const ENTRIES: usize = 100;

/// The most lines of a rationale.
const LINES: usize = 4;

/// The width of a page in a file.
const WIDTH: usize = 100;

/// A time with its zone.
pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "must be a time like 2026-05-31T09:00:00Z".into())
}

pub(super) fn tell(api: &Api, is_json: bool, asked: &Asked) -> Result<()> {
    let path = format!("{}/trail", asked.named.path());
    let as_of = asked.as_of.map(|time| time.to_string());
    let as_of = ("as_of", as_of.as_deref());
    let limit = asked.limit.map(|limit| limit.to_string());
    let written = with_query(&path, &[as_of, ("limit", limit.as_deref())]);
    let whole = || page::list(api, &path, &[as_of], "entries", asked.limit.unwrap_or(ENTRIES));
    let text = match asked.format {
        Format::Json => pretty(&whole()?)?,
        Format::Text if is_json => pretty(&whole()?)?,
        Format::Markdown => printable(&api.text(&written, "text/markdown")?),
        Format::Html => printable(&api.text(&written, "text/html")?),
        Format::Text => {
            let out = Term::stdout();
            let width = if asked.out.is_some() { WIDTH } else { page::width(&out) };
            lines(&page::read(whole()?)?, width).join("\n")
        }
    };
    match &asked.out {
        None => Term::stdout().write_line(text.trim_end())?,
        Some(file) => {
            let text = format!("{}\n", console::strip_ansi_codes(text.trim_end()));
            std::fs::write(file, text)
                .with_context(|| format!("{} cannot be written", file.display()))?;
        }
    }
    Ok(())
}

fn lines(trail: &TrailPage, width: usize) -> Vec<String> {
    let mut lines = profile::head(&trail.project, width);
    if let Some(time) = &trail.as_of {
        lines.extend(remark(&format!("as it stood {}", minute(*time)), width));
    }
    if trail.entries.is_empty() {
        lines.extend([String::new(), "Nothing was asked or decided yet.".into()]);
    }
    for entry in &trail.entries {
        lines.push(String::new());
        lines.extend(match entry {
            TrailEntry::Question(asked) => query::asked_lines(asked, width),
            TrailEntry::Decision(decided) => decision_lines(decided, width),
        });
    }
    if trail.cursor.is_some() {
        lines.extend([String::new(), "There are older entries; --limit shows them.".into()]);
    }
    if !trail.needs_review.is_empty() {
        lines.extend([String::new(), style("To review").bold().to_string()]);
    }
    for Decided { decision: decided, .. } in &trail.needs_review {
        let text = format!("{}, {}", flat(&decided.decision), decided.decision_id);
        lines.extend(wrapped(&text, "  - ", "    ", width));
        lines.extend(decided.needs_review.iter().flat_map(|review| review::lines(review, width)));
    }
    lines
}

/// Tells when it was recorded, what was decided and why, and what it rests on.
fn decision_lines(entry: &Decided, width: usize) -> Vec<String> {
    let Decided { decision: decided, sources: rests_on } = entry;
    let standing = format!("decision, {}", decided.status.name());
    let mut lines = vec![titled(&minute(decided.recorded_at), &standing)];
    lines.extend(wrapped(&flat(&decided.decision), "    ", "    ", width));
    lines.extend(quoted(&decided.rationale, "    ", "    ", LINES, width));
    if !decided.alternatives.is_empty() {
        let others: Vec<String> =
            decided.alternatives.iter().map(|alternative| flat(alternative)).collect();
        lines.extend(wrapped(&format!("among: {}", others.join("; ")), "    ", "    ", width));
    }
    let mut sources: Vec<String> = Vec::new();
    for source in rests_on {
        let place = decision::place(source);
        if !sources.contains(&place) {
            sources.push(place);
        }
    }
    if !sources.is_empty() {
        lines.extend(wrapped(&format!("rests on {}", sources.join("; ")), "    ", "    ", width));
    }
    let mut facts = decision::places(decided);
    facts.extend([format!("by {}", decided.by), decided.decision_id.clone()]);
    lines.extend(remark(&facts.join(", "), width));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::testing::reply;

    #[test]
    fn questions_and_decisions_are_told_the_newest_first() {
        let mut decided = decision::tests::decided();
        let review = decided.clone();
        decided["kind"] = json!("decision");
        let asked = json!({
            "kind": "question", "query_id": "01Q", "question": "One cluster or several?", "workflow": "plan",
            "results": [{"passage_id": "c", "score": 0.8}], "by": "ben", "at": "2026-11-20T13:55:00Z",
        });
        let trail = json!({
            "project": {
                "project_id": "01J", "name": "Hosting", "domain": null, "standards": [], "constraints": [], "status": "active", "version": 2,
                "created_at": "2026-11-01T08:00:00Z", "updated_at": "2026-11-20T08:00:00Z", "history": [], "needs_review": ["01D"],
            },
            "as_of": "2026-11-22T00:00:00Z", "entries": [decided, asked], "needs_review": [review], "cursor": "c",
        });
        console::set_colors_enabled(false);
        insta::assert_snapshot!(lines(&reply(trail), 80).join("\n"), @r#"
        Hosting  active
            01J, version 2, created 2026-11-01, changed 2026-11-20, 1 decision to review
            as it stood 2026-11-22 00:00

        2026-11-20 14:02  decision, superseded
            One cluster for dev, staging and prod
            "It keeps the overhead at a minimum. Namespaces keep workloads apart."
            among: A cluster for each
            rests on adr/one.md:20-24, "Decision"
            in the place of 01C, 01E took its place, by ana, 01D

        2026-11-20 13:55  question, plan
            One cluster or several?
            1 result, by ben, 01Q

        There are older entries; --limit shows them.

        To review
          - One cluster for dev, staging and prod, 01D
            - adr/one.md: changed since 2026-11-21
              was "we went with one cluster"
              now "we went with two clusters"
        "#);
    }

    #[test]
    fn a_time_has_a_zone() {
        let time_of = |text: &str| time(text).map(|time| time.to_string());
        assert_eq!(time_of("2026-05-31T09:00:00+02:00"), Ok("2026-05-31T07:00:00Z".into()));
        assert!(time("2026-05-31").is_err());
    }
}
