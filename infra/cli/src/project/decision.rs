//! One decision: why it was taken, from what, and on what evidence.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use console::{Term, style};
use views::wording::file_at;
use wire::decisions::{
    Decided, Decision, DecisionMove, DecisionSource, DecisionStatus, NewDecisionMove,
};

use super::{Named, review};
use crate::address::{part, with_query};
use crate::api::Api;
use crate::page;
use crate::wording::{day, flat, minute, quoted, remark, titled, wrapped};

/// A decision by its id.
#[derive(Debug, Args)]
struct Identified {
    #[command(flatten)]
    named: Named,
    /// The decision.
    #[arg(value_name = "DECISION_ID")]
    decision: String,
}

/// What becomes of a proposed decision.
#[derive(Debug, Args)]
pub(super) struct Verdict {
    #[command(flatten)]
    identified: Identified,
    /// Why.
    #[arg(long)]
    reason: Option<String>,
    /// The accepted decision whose place it takes when it is accepted.
    #[arg(long, value_name = "DECISION_ID")]
    supersedes: Option<String>,
}

/// A decision and its form.
#[derive(Debug, Args)]
pub(super) struct DecisionView {
    #[command(flatten)]
    identified: Identified,
    /// As a Markdown record (MADR).
    #[arg(long)]
    madr: bool,
    /// Writes an evidence pack: one page with all that the decision rests on, which `plumbline
    /// verify` checks offline.
    #[arg(long, value_name = "FILE", conflicts_with = "madr")]
    pack: Option<PathBuf>,
}

/// The most lines of a source's quote.
const LINES: usize = 4;

impl Identified {
    fn path(&self) -> String {
        format!("{}/decisions/{}", self.named.path(), part(&self.decision))
    }
}

pub(super) fn settle(
    api: &Api,
    is_json: bool,
    verdict: &Verdict,
    to: DecisionStatus,
) -> Result<()> {
    let path = verdict.identified.path();
    let present: Decided = api.get(&path)?;
    let body = NewDecisionMove {
        to,
        reason: verdict.reason.clone(),
        version: present.decision.version,
        supersedes: verdict.supersedes.clone(),
    };
    let decided = api.post(&format!("{path}/status"), &body)?.map_err(anyhow::Error::from)?;
    page::print(decided, is_json, lines)
}

pub(super) fn show(api: &Api, is_json: bool, view: &DecisionView) -> Result<()> {
    let path = view.identified.path();
    if let Some(file) = &view.pack {
        let pack = api.text(&with_query(&path, &[("format", Some("pack"))]), "text/html")?;
        return page::write(file, &pack);
    }
    if view.madr {
        let record = api.text(&path, "text/markdown")?;
        return Ok(Term::stdout().write_line(record.trim_end())?);
    }
    page::print(api.get(&path)?, is_json, lines)
}

/// Tells what was decided and why, from what, on which sources, and how it came to stand as it
/// does.
pub(super) fn lines(reply: &Decided, width: usize) -> Vec<String> {
    let Decided { decision: decided, sources } = reply;
    let mut lines =
        wrapped(&titled(&flat(&decided.decision), decided.status.name()), "", "  ", width);
    lines.extend(facts(decided, width));
    lines.extend(section("Why"));
    for paragraph in decided.rationale.split("\n\n").map(flat) {
        lines.extend(wrapped(&paragraph, "  ", "  ", width));
    }
    if !decided.alternatives.is_empty() {
        lines.extend(section("Alternatives"));
    }
    for alternative in &decided.alternatives {
        lines.extend(wrapped(&flat(alternative), "  - ", "    ", width));
    }
    lines.extend(section("Sources"));
    if sources.is_empty() {
        lines.push("  It rests on no source.".into());
    }
    for (place, source) in sources.iter().enumerate() {
        lines.extend(source_lines(place + 1, source, width));
    }
    if !decided.needs_review.is_empty() {
        lines.extend(section("To review"));
    }
    lines.extend(decided.needs_review.iter().flat_map(|review| review::lines(review, width)));
    if !decided.history.is_empty() {
        lines.extend(section("Moves"));
    }
    for (step, change) in decided.steps() {
        lines.extend(move_lines(step, change, width));
    }
    lines
}

fn section(title: &str) -> [String; 2] {
    [String::new(), style(title).bold().to_string()]
}

/// Its id, when it was decided and by whom, and the decisions before and after it.
fn facts(decided: &Decision, width: usize) -> Vec<String> {
    let mut facts = vec![
        decided.decision_id.clone(),
        format!("version {}", decided.version),
        format!("decided {}", day(decided.decided_at)),
        format!("recorded {} by {}", day(decided.recorded_at), decided.by),
    ];
    facts.extend(places(decided));
    remark(&facts.join(", "), width)
}

/// Tells whose place it took, and which one took its own.
pub(super) fn places(decided: &Decision) -> Vec<String> {
    let earlier = decided.supersedes.as_ref().map(|earlier| format!("in the place of {earlier}"));
    let later = decided.superseded_by.as_ref().map(|later| format!("{later} took its place"));
    earlier.into_iter().chain(later).collect()
}

fn source_lines(number: usize, source: &DecisionSource, width: usize) -> Vec<String> {
    let number = style(format!("[{number}]")).cyan();
    let DecisionSource { relevance, quote, .. } = source;
    let text = format!("{number} {}, {}  {relevance:.2}", source.title, place(source));
    let mut lines = wrapped(&text, "  ", "      ", width);
    lines.extend(quoted(quote, "      ", "      ", LINES, width));
    lines
}

/// Returns the place of a source as in `pumps/pump-7.md:3-9, "Cause"`.
pub(super) fn place(source: &DecisionSource) -> String {
    let section = source.section.as_ref().map(|section| format!(", \"{section}\""));
    format!("{}{}", file_at(&source.file, source.lines), section.unwrap_or_default())
}

fn move_lines(step: &str, change: &DecisionMove, width: usize) -> Vec<String> {
    let DecisionMove { by, at, reason, .. } = change;
    let reason = reason.as_deref().map(|reason| format!(": {}", flat(reason))).unwrap_or_default();
    wrapped(&format!("{} {step}, by {by}{reason}", minute(*at)), "  - ", "    ", width)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use serde_json::{Value, json};
    use wire::testing::reply;

    /// A decision with a source that changed since.
    pub(in crate::project) fn decided() -> Value {
        json!({
            "decision_id": "01D", "decision": "One cluster for\ndev, staging and prod", "alternatives": ["A cluster for each"],
            "rationale": "It keeps the overhead\nat a minimum.\n\nNamespaces keep workloads apart.", "status": "superseded",
            "decided_at": "2019-06-01T00:00:00Z", "recorded_at": "2026-11-20T14:02:03Z", "by": "ana",
            "supersedes": "01C", "superseded_by": "01E", "source_count": 1, "version": 2,
            "history": [
                {"to": "accepted", "by": "ana", "at": "2026-11-20T14:02:03Z"},
                {"to": "superseded", "by": "ben", "at": "2026-11-21T09:00:00Z", "reason": "it grew too large"},
            ],
            "needs_review": [{
                "passage_id": "c", "document_id": "d", "file": "adr/one.md", "was": "we went with\none cluster",
                "nearest": {"passage_id": "e", "text": "we went with two clusters"}, "since": "2026-11-21T02:00:00Z",
            }],
            "sources": [{
                "passage_id": "c", "relevance": 0.8, "document_id": "d", "file": "adr/one.md", "title": "One cluster",
                "section": "Decision", "lines": [20, 24], "quote": "we went with\none cluster", "hash": "00",
            }],
        })
    }

    #[test]
    fn a_decision_is_told_with_its_reasons_and_what_became_of_it() {
        console::set_colors_enabled(false);
        insta::assert_snapshot!(lines(&reply(decided()), 72).join("\n"), @r#"
        One cluster for dev, staging and prod  superseded
            01D, version 2, decided 2019-06-01, recorded 2026-11-20 by ana, in
              the place of 01C, 01E took its place

        Why
          It keeps the overhead at a minimum.
          Namespaces keep workloads apart.

        Alternatives
          - A cluster for each

        Sources
          [1] One cluster, adr/one.md:20-24, "Decision"  0.80
              "we went with one cluster"

        To review
            - adr/one.md: changed since 2026-11-21
              was "we went with one cluster"
              now "we went with two clusters"

        Moves
          - 2026-11-20 14:02 accepted, by ana
          - 2026-11-21 09:00 superseded, by ben: it grew too large
        "#);
    }

    #[test]
    fn a_decision_without_sources_says_so() {
        console::set_colors_enabled(false);
        let bare = json!({
            "decision_id": "01D", "decision": "Dry pumps", "rationale": "No seal.", "status": "proposed", "decided_at": "2026-11-20T14:02:03Z",
            "recorded_at": "2026-11-20T14:02:03Z", "by": "ana", "source_count": 0, "version": 1, "history": [],
        });
        insta::assert_snapshot!(lines(&reply(bare), 72).join("\n"), @r"
        Dry pumps  proposed
            01D, version 1, decided 2026-11-20, recorded 2026-11-20 by ana

        Why
          No seal.

        Sources
          It rests on no source.
        ");
    }
}
