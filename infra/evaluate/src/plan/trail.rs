//! A trail of decisions from a file, and the words in which they are recorded.

use anyhow::{Context, Result, bail};
use jiff::civil::Date;
use serde::Deserialize;

/// A project and its decisions, in order.
#[derive(Debug, Deserialize)]
pub(super) struct Trail {
    pub(super) project: String,
    pub(super) description: Option<String>,
    pub(super) decisions: Vec<StatedDecision>,
}

/// A decision as its document states it.
#[derive(Debug, Deserialize)]
pub(super) struct StatedDecision {
    pub(super) doc: String,
    pub(super) title: String,
    #[serde(default)]
    date: String,
    #[serde(default)]
    status: String,
}

/// A decision to be recorded.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Step<'a> {
    pub(super) doc: &'a str,
    pub(super) title: &'a str,
    /// The time in the form of the API.
    pub(super) decided_at: Option<String>,
    /// The status with which it is recorded.
    pub(super) status: &'static str,
    /// The status that it has after all decisions are recorded.
    pub(super) standing: &'static str,
    /// The document of the decision that it supersedes.
    pub(super) supersedes: Option<&'a str>,
}

impl Trail {
    /// Returns the decisions in order, and notes about what cannot be recorded as the file states
    /// it.
    pub(super) fn steps(&self) -> Result<(Vec<Step<'_>>, Vec<String>)> {
        let mut steps = Vec::new();
        for decision in &self.decisions {
            let day =
                day(&decision.date).with_context(|| format!("the date of {}", decision.doc))?;
            let status = status(&decision.status);
            steps.push(Step {
                doc: &decision.doc,
                title: decision.title.trim(),
                decided_at: day.map(|day| format!("{day}T00:00:00Z")),
                status,
                standing: status,
                supersedes: None,
            });
        }
        let mut notes = Vec::new();
        for (place, decision) in self.decisions.iter().enumerate() {
            if !decision.status.to_lowercase().contains("superseded by") {
                continue;
            }
            match self.successor(&decision.status) {
                // A decision supersedes only if it is accepted, comes later and supersedes no
                // other.
                Some(later)
                    if later > place
                        && steps[later].status == "accepted"
                        && steps[later].supersedes.is_none() =>
                {
                    steps[later].supersedes = Some(&decision.doc);
                    steps[place].standing = "superseded";
                }
                _ => {
                    notes
                        .push(format!("stays accepted: {}, \"{}\"", decision.doc, decision.status));
                }
            }
        }
        Ok((steps, notes))
    }

    /// Returns the index of the decision to whose file the words link.
    fn successor(&self, words: &str) -> Option<usize> {
        let (_, link) = words.split_once("](")?;
        let (link, _) = link.split_once(')')?;
        let file = link.rsplit('/').next()?.to_lowercase();
        self.decisions.iter().position(|decision| {
            // The names of the files have a prefix with the owner's name.
            let doc = decision.doc.to_lowercase();
            let before = doc.strip_suffix(&file);
            before.is_some_and(|before| before.is_empty() || before.ends_with(['/', '-']))
        })
    }
}

/// Returns the status with which words like "✅ Accepted" are recorded. A superseded decision is
/// first recorded as accepted, and a decision that nobody accepted as proposed.
fn status(words: &str) -> &'static str {
    let words = words.to_lowercase();
    let has = |part: &str| words.contains(part);
    if has("reject") {
        "rejected"
    } else if has("accept") || has("approv") || has("supersed") {
        "accepted"
    } else {
        "proposed"
    }
}

/// Parses a day with the year first, or with the day first and possibly a year without its century.
fn day(text: &str) -> Result<Option<Date>> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let parts: Vec<&str> = text.split(['-', '/', '.']).collect();
    let (year, month, day) = match parts[..] {
        [year, month, day] if year.len() == 4 => (year.parse()?, month, day),
        [day, month, year] if year.len() == 4 => (year.parse()?, month, day),
        [day, month, year] if year.len() == 2 => (2000 + year.parse::<i16>()?, month, day),
        _ => bail!("`{text}` is no day that can be read"),
    };
    let date = Date::new(year, month.parse()?, day.parse()?);
    Ok(Some(date.with_context(|| format!("`{text}` is no day"))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn trail(decisions: &[(&str, &str, &str)]) -> Trail {
        let entry = |(doc, date, status): &(&str, &str, &str)| json!({"doc": doc, "title": doc, "date": date, "status": status});
        let decisions: Vec<_> = decisions.iter().map(entry).collect();
        serde_json::from_value(json!({"project": "p", "description": "d", "decisions": decisions}))
            .unwrap()
    }

    #[test]
    fn the_day_comes_before_the_month_where_the_year_comes_last() {
        let read = |text: &str| day(text).unwrap().map(|day| day.to_string());
        assert_eq!(read("2019-05-01").unwrap(), "2019-05-01");
        assert_eq!(read("05/02/2018").unwrap(), "2018-02-05");
        assert_eq!(read("10/04/18").unwrap(), "2018-04-10");
        assert_eq!(read("01.06.2020").unwrap(), "2020-06-01");
        assert_eq!(read(" "), None);
        assert!(day("05/13/2018").is_err());
        assert!(day("soon").is_err());
        assert!(day("2019-05").is_err());
    }

    #[test]
    fn a_status_is_read_from_its_words() {
        for (words, expected) in [
            ("✅ Accepted (documenting an existing thing)", "accepted"),
            ("Approved", "accepted"),
            ("Partly superseded", "accepted"),
            ("⌛️ Superseded by [036. Multi-cluster](036-multi-cluster.md)", "accepted"),
            ("❌ Rejected (see [019](019-Shared-Ingress-Controllers.md))", "rejected"),
            ("🤔 Incomplete", "proposed"),
            ("Pending", "proposed"),
            ("", "proposed"),
        ] {
            assert_eq!(status(words), expected, "{words}");
        }
    }

    #[test]
    fn what_is_superseded_is_accepted_until_the_later_one_takes_its_place() {
        let trail = trail(&[
            ("trade/moj-adr-021-multi.md", "2021-05-11", "Superseded by [36](../036-Multi.md)"),
            ("trade/moj-adr-0036-multi.md", "", "Accepted"),
            ("trade/moj-adr-036-multi.md", "2022-09-16", "Accepted"),
        ]);
        let (steps, notes) = trail.steps().unwrap();
        assert!(notes.is_empty(), "{notes:?}");
        let standing: Vec<_> =
            steps.iter().map(|step| (step.status, step.standing, step.supersedes)).collect();
        let earlier = Some("trade/moj-adr-021-multi.md");
        let expected = [
            ("accepted", "superseded", None),
            ("accepted", "accepted", None),
            ("accepted", "accepted", earlier),
        ];
        assert_eq!(standing, expected);
        assert_eq!(steps[2].decided_at.as_deref(), Some("2022-09-16T00:00:00Z"));
        assert_eq!(steps[1].decided_at, None);
    }

    #[test]
    fn what_cannot_be_superseded_is_told_of() {
        let cases = [
            [("a/1-x.md", "", "Superseded by [y](2-y.md)"), ("a/2-y.md", "", "Proposed")],
            [("a/2-y.md", "", "Accepted"), ("a/1-x.md", "", "Superseded by [y](2-y.md)")],
            [("a/1-x.md", "", "Superseded by [z](3-z.md)"), ("a/2-y.md", "", "Accepted")],
            [("a/1-x.md", "", "Superseded by 2"), ("a/2-y.md", "", "Accepted")],
        ];
        for case in cases {
            let trail = trail(&case);
            let (steps, notes) = trail.steps().unwrap();
            assert!(steps.iter().all(|step| step.standing == step.status), "{case:?}");
            assert_eq!(notes.len(), 1, "{case:?}");
        }
    }

    #[test]
    fn every_date_and_status_of_the_corpus_is_read() {
        let file =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/plan/decision_trails.jsonl");
        let file = std::path::Path::new(file);
        if !file.exists() {
            // A plain checkout of the repository has no corpus.
            eprintln!("SKIPPED: {} is not there, its dates are not read", file.display());
            return;
        }
        let trails: Vec<Trail> = plumbline::evaluate::read_lines(file).unwrap();
        let mut lines = Vec::new();
        for trail in &trails {
            let (steps, notes) = trail.steps().unwrap();
            let number = |standing| steps.iter().filter(|step| step.standing == standing).count();
            lines.push(format!(
                "{}: {} accepted, {} proposed, {} rejected, {} superseded, {} without a day",
                trail.project,
                number("accepted"),
                number("proposed"),
                number("rejected"),
                number("superseded"),
                steps.iter().filter(|step| step.decided_at.is_none()).count()
            ));
            lines.extend(notes);
            let pairs = steps.iter().filter_map(|step| Some((step.doc, step.supersedes?)));
            lines.extend(
                pairs.map(|(later, earlier)| format!("  {later} takes the place of {earlier}")),
            );
        }
        insta::assert_snapshot!(lines.join("\n"), @r"
        moj-cloud-platform: 34 accepted, 9 proposed, 2 rejected, 1 superseded, 1 without a day
          trade/moj-adr-036-multi-cluster.md takes the place of trade/moj-adr-021-multi-cluster.md
        govuk-aws-migration: 30 accepted, 7 proposed, 0 rejected, 1 superseded, 0 without a day
          trade/govuk-aws-adr-0015-dns-infrastructure.md takes the place of trade/govuk-aws-adr-0004-dns-definitions-for-hosts-and-services.md
        island-is: 11 accepted, 1 proposed, 0 rejected, 0 superseded, 0 without a day
        ");
    }
}
