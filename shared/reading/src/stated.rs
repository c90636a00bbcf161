//! What a document says of itself in its first lines and its name: date, version, and what became
//! of it.

use std::sync::LazyLock;

use jiff::Timestamp;
use model::document::Attributes;
use model::record::ColumnKind;
use regex::Regex;

use crate::limit::{TAG, label};

mod state;

use state::in_title;
pub(crate) use state::lifecycle;

/// The lines in which a document speaks of itself.
const LINES: usize = 40;

/// The first of them, in which a sentence may be a field: `Status: accepted. Date: 2026-06-09`.
const TOP: usize = 6;

/// Upper bound for the bytes of a line that says a field.
const LONGEST: usize = 200;

/// The words of the fields, in lower case.
const STATE: [&str; 3] = ["status", "state", "lifecycle"];
const EDITION: [&str; 3] = ["version", "revision", "revnumber"];
const TIME: [&str; 7] =
    ["date", "revdate", "last updated", "updated", "last modified", "published", "created"];
const AUTHOR: [&str; 2] = ["author", "authors"];

/// A sentence that says what became of the document, at the beginning of a line or behind another
/// one. "If this page is outdated" says nothing.
static SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[.!] )[>*_#!\[\]\s]*(?:(?:note|warning|important|caution|deprecated)[\]:*_\s]*)?this (?:document|page|guide|runbook|article|procedure|report|policy|version|standard|proposal|decision) (?:is|has been) (?:an? |now )?(draft|superseded|replaced|deprecated|obsolete|outdated|archived|retracted|withdrawn|rejected)\b",
    )
});

/// A folder that is a version: `v3`, `v3.4`, `3.4.1`; or the end of a file's stem: `-v3.4`.
static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|[/_-])v(\d{1,3}(?:\.\d+){0,3})(?:/|\.[A-Za-z]+$)|(?:^|/)(\d{1,3}\.\d+(?:\.\d+)?)/",
    )
});

/// Who wrote a page of a wiki, and when: `Created by Ann, last modified by Bob on Mar 02, 2026`.
static EDITED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:created|added) by ([^,]{1,60}?)(?:, | on )(?:last (?:modified|updated) (?:by .{1,60}? )?on )?(.{6,20})$",
    )
});

static DAY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:^|[/_-])((?:19|20)\d\d-[01]\d-[0-3]\d)(?:[/._-]|$)"));

#[expect(clippy::unwrap_used, reason = "the patterns are constant, and the tests compile them")]
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// Returns what the title and the first lines of a text say of it.
pub(super) fn by(title: &str, text: &str) -> Attributes {
    let mut stated = Attributes { lifecycle: in_title(title), ..Attributes::default() };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(LINES).peekable();
    let mut is_code = false;
    let mut number = 0;
    while let Some(line) = lines.next() {
        number += 1;
        is_code ^= line.starts_with("```") || line.starts_with("~~~");
        if is_code || line.starts_with("    ") || line.starts_with('\t') {
            continue;
        }
        let line = &line[..line.floor_char_boundary(LONGEST)];
        let whole = field(line).into_iter();
        let sentences = line.split(". ").filter(|_| number < TOP).filter_map(field);
        let sentences = sentences.filter(|(name, _)| !AUTHOR.contains(&name.as_str()));
        for (name, value) in whole.chain(sentences) {
            stated = stated.or(of_field(&name, value));
        }
        let is_heading =
            line.starts_with(['#', '=', '*']) || lines.peek().is_some_and(|l| is_rule(l));
        if is_heading
            && STATE.contains(&&*bare(line).to_lowercase())
            && let Some(next) = lines.clone().find(|line| !is_rule(line))
        {
            // A heading, and the state below it.
            stated.lifecycle = stated.lifecycle.or_else(|| lifecycle(next));
        }
        if let Some(found) = EDITED.captures(line.trim()) {
            let time = time(&found[2]).map(|time| time.to_string());
            stated = stated.or(Attributes {
                author: Some(found[1].into()),
                time,
                ..Attributes::default()
            });
        }
        if stated.lifecycle.is_none()
            && let Some(found) = SENTENCE.captures(line)
        {
            stated.lifecycle = lifecycle(&found[1]);
        }
    }
    stated
}

/// Splits a line, or a sentence of one, into a field and its value: `* **Status:** accepted`,
/// `:revnumber: 2`, `#+DATE: 2026-03-02`, `| Version | 2 |`.
fn field(line: &str) -> Option<(String, &str)> {
    // A row of more cells is no field.
    if line.matches('|').count() > 3 {
        return None;
    }
    let line = line.trim_start_matches([' ', '*', '-', '+', '#', '>', '|', ':', '_']);
    let (name, value) = line.split_once([':', '|'])?;
    let name = bare(name).to_lowercase();
    let value = value.trim_matches([' ', '*', '|', ':', '_', '`', '"']);
    (name.len() < 20 && !value.is_empty()).then_some((name, value))
}

/// Returns true for the rule below a heading.
fn is_rule(line: &str) -> bool {
    line.trim().len() > 2 && line.trim().chars().all(|c| "-=~".contains(c))
}

fn bare(text: &str) -> &str {
    text.trim_matches([' ', '*', '#', '=', '_', '|', ':'])
}

fn of_field(name: &str, value: &str) -> Attributes {
    let mut stated = Attributes::default();
    if STATE.contains(&name) {
        stated.lifecycle = lifecycle(value);
    } else if EDITION.contains(&name) {
        stated.edition = edition(value);
    } else if TIME.contains(&name) {
        stated.time = time(value).map(|time| time.to_string());
    } else if AUTHOR.contains(&name) {
        stated.author = Some(label(value, TAG)).filter(|author| !author.contains("://"));
    }
    stated
}

fn edition(value: &str) -> Option<String> {
    let word = value.split_whitespace().next()?.trim_end_matches([',', ';']);
    let word = word.strip_prefix(['v', 'V']).unwrap_or(word);
    let is_version = word.len() <= 20 && word.starts_with(|c: char| c.is_ascii_digit());
    is_version.then(|| word.to_owned())
}

/// Returns the moment that begins a value, a day or a time; `None` for other texts, and for days
/// that may be months.
pub(super) fn time(value: &str) -> Option<Timestamp> {
    if let Ok(time) = value.parse::<Timestamp>() {
        return Some(time);
    }
    let whole = |value: &str| {
        let micros = ColumnKind::of_dates(std::iter::once(value))?.moment(value)?;
        Timestamp::from_microsecond(micros).ok()
    };
    whole(value).or_else(|| whole(value.split_whitespace().next()?))
}

/// Returns the version and the day in the name of a file.
pub(super) fn by_name(name: &str) -> Attributes {
    let version = VERSION.captures(name).and_then(|found| found.get(1).or(found.get(2)));
    let mut days = DAY.captures_iter(name).map(|found| found[1].to_owned());
    let day = days.next().filter(|day| days.all(|other| other == *day));
    Attributes {
        edition: version.map(|version| version.as_str().to_owned()),
        time: day.and_then(|day| time(&day)).map(|time| time.to_string()),
        ..Attributes::default()
    }
}

/// Returns the days that a document gives itself, if two of them differ: `of 2026-04-20 (front
/// matter) or 2026-04-21 (text)`.
pub(super) fn disagreement(dates: &[(&str, &Option<String>)]) -> Option<String> {
    let day = |(place, time): &(&str, &Option<String>)| {
        let time = self::time(time.as_ref()?)?;
        Some(format!("{} ({place})", time.strftime("%Y-%m-%d")))
    };
    let days: Vec<String> = dates.iter().filter_map(day).collect();
    let first = days.first()?.split_once(' ')?.0;
    let differ = days.iter().any(|day| !day.starts_with(first));
    differ.then(|| format!("of {}", days.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::document::Lifecycle;

    #[test]
    fn fields_of_the_first_lines_are_read_in_every_markup() {
        for text in [
            "# Pump\n\n* Status: Superseded by [ADR-12](12.md)\n* Date: 2026-03-02\n* Version: v2.1\n",
            "= Pump\n:revnumber: 2.1\n:revdate: 2026-03-02\n:status: superseded\n",
            "Pump\n====\n\n:Date: March 2, 2026\n:Version: 2.1\n:Status: Superseded\n",
            "#+TITLE: Pump\n#+DATE: 2026-03-02\n#+VERSION: 2.1\n#+STATUS: superseded\n",
            "# Pump\n\n| Version | 2.1 |\n|---|---|\n| Date | 2026-03-02 |\n\n## Status\n\nSuperseded by 12\n",
        ] {
            let stated = by("Pump", text);
            assert_eq!(stated.edition.as_deref(), Some("2.1"), "{text}");
            assert_eq!(stated.time.as_deref(), Some("2026-03-02T00:00:00Z"), "{text}");
            assert_eq!(stated.lifecycle, Some(Lifecycle::Superseded), "{text}");
        }
    }

    #[test]
    fn a_line_may_have_several_fields_and_a_heading_a_rule() {
        let stated =
            by("Broker", "# Broker\n\nIntake. Status: accepted. Date: 2026-06-09. Deciders: all\n");
        assert_eq!(stated.lifecycle, Some(Lifecycle::Accepted));
        assert_eq!(stated.time.as_deref(), Some("2026-06-09T00:00:00Z"));
        let stated =
            by("Pump", "Author: J. R. Smith\nDate: Mar. 2, 2026\n\nStatus\n------\n\nDeclined\n");
        assert_eq!(stated.author.as_deref(), Some("J. R. Smith"));
        assert_eq!(stated.time.as_deref(), Some("2026-03-02T00:00:00Z"));
        assert_eq!(stated.lifecycle, Some(Lifecycle::Rejected));
        let later = "It has fields.\n".repeat(6) + "One says more. Status: archived or active.\n";
        assert_eq!(by("Pumps", &later).lifecycle, None);
    }

    #[test]
    fn titles_and_sentences_tell_what_became_of_a_document() {
        let of = |title: &str, text: &str| by(title, text).lifecycle;
        assert_eq!(of("[DRAFT] Pumps", ""), Some(Lifecycle::Draft));
        assert_eq!(of("RETRACTED: Pumps", ""), Some(Lifecycle::Retracted));
        assert_eq!(of("Pumps", "> This runbook is deprecated."), Some(Lifecycle::Deprecated));
        for (title, text) in [
            ("Migration (deprecated endpoints)", "If this page is outdated, open an issue."),
            ("Valve seats (replaced 2025)", "The proposal was rejected by procurement."),
            ("Compose", "```yaml\nstatus: deprecated\n```"),
            ("Proposal: pumps", ""),
            ("Pumps (and valves)", "The pump was replaced. This document is new."),
            ("Final drafts: how to", "Status: green"),
        ] {
            assert_eq!(of(title, text), None, "{title}");
        }
    }

    #[test]
    fn a_page_of_a_wiki_tells_its_author_and_day() {
        let stated =
            by("Pump", "Created by Ann Lee, last modified by Bob on Mar 02, 2026\n\nText.");
        assert_eq!(stated.author.as_deref(), Some("Ann Lee"));
        assert_eq!(stated.time.as_deref(), Some("2026-03-02T00:00:00Z"));
    }

    #[test]
    fn a_name_tells_a_version_or_a_day() {
        let of = by_name;
        assert_eq!(of("docs/v3.4/pump.md").edition.as_deref(), Some("3.4"));
        assert_eq!(of("docs/3.4/pump.md").edition.as_deref(), Some("3.4"));
        assert_eq!(of("manual-v2.pdf").edition.as_deref(), Some("2"));
        for name in ["docs/pump-7.md", "pump_2026.05.03.pdf", "meeting-12.05.md", "2026.05/a.md"] {
            assert_eq!(of(name).edition, None, "{name}");
        }
        assert_eq!(of("logs/10.0.0.1/a.md").edition, None);
        let day = of("incidents/2026-05-03-pump.md").time;
        assert_eq!(day.as_deref(), Some("2026-05-03T00:00:00Z"));
        assert_eq!(of("2026-05-03-to-2026-05-04.md").time, None);
    }

    #[test]
    fn days_that_differ_are_told() {
        let time = |time: &str| Some(time.to_owned());
        let (one, other) = (time("2026-04-20"), time("2026-04-21T13:30:00Z"));
        let told = disagreement(&[("front matter", &one), ("text", &other)]);
        let expected = "of 2026-04-20 (front matter) or 2026-04-21 (text)";
        assert_eq!(told.as_deref(), Some(expected));
        assert_eq!(disagreement(&[("front matter", &one), ("text", &None)]), None);
    }
}
