//! The order of a trail: by the times of the events, which may precede the times of their
//! recording.

use std::cmp::Reverse;

use jiff::Timestamp;
use wire::decisions::Decision;
use wire::trail::{TrailEntry, TrailPage};

/// Upper bound for the seconds of a page that is grouped by days; a longer one is grouped by
/// months.
const DAYS_UP_TO: i64 = 31 * 24 * 60 * 60;

/// The entries of one day or month, newest first. Days are in UTC.
pub(super) struct Period<'a> {
    /// The period in machine-readable form: `2026-11` or `2026-11-21`.
    pub(super) key: String,
    /// The period in words.
    pub(super) title: String,
    /// The entries of the period.
    pub(super) entries: Vec<&'a TrailEntry>,
}

/// Another decision of the same line of succession.
#[derive(Debug, PartialEq)]
pub(super) enum SuccessionLink<'a> {
    /// The decision is on this page.
    Here(&'a Decision),
    /// The decision is on another page, and only its id is known.
    Elsewhere(&'a str),
}

/// Returns the time of an entry's event.
pub(super) fn happened_at(entry: &TrailEntry) -> Timestamp {
    match entry {
        TrailEntry::Question(asked) => asked.at,
        TrailEntry::Decision(decided) => decided.decision.decided_at,
    }
}

/// Returns a page's entries by day or by month, newest first. Entries of the same time keep their
/// order.
pub(super) fn periods(page: &TrailPage) -> Vec<Period<'_>> {
    let mut entries: Vec<&TrailEntry> = page.entries.iter().collect();
    entries.sort_by_key(|entry| Reverse(happened_at(entry)));
    let seconds =
        |entry: Option<&&TrailEntry>| entry.map_or(0, |entry| happened_at(entry).as_second());
    let is_by_day = seconds(entries.first()) - seconds(entries.last()) <= DAYS_UP_TO;
    let (key, title) = if is_by_day { ("%Y-%m-%d", "%A, %-d %B %Y") } else { ("%Y-%m", "%B %Y") };
    let mut periods: Vec<Period<'_>> = Vec::new();
    for entry in entries {
        let at = happened_at(entry);
        let date = at.strftime(key).to_string();
        match periods.last_mut() {
            Some(period) if period.key == date => period.entries.push(entry),
            _ => periods.push(Period {
                key: date,
                title: at.strftime(title).to_string(),
                entries: vec![entry],
            }),
        }
    }
    periods
}

/// Returns the decision with that id, if it is on the page.
pub(super) fn decision_on<'a>(page: &'a TrailPage, id: &str) -> Option<&'a Decision> {
    page.entries.iter().find_map(|entry| match entry {
        TrailEntry::Decision(decided) if decided.decision.decision_id == id => {
            Some(&decided.decision)
        }
        _ => None,
    })
}

/// Returns the line of succession that contains `decision`, oldest first, as far as the page
/// contains it.
pub(super) fn succession<'a>(
    page: &'a TrailPage,
    decision: &'a Decision,
) -> Vec<SuccessionLink<'a>> {
    let mut line = follow(page, decision, |decision| decision.supersedes.as_deref());
    line.reverse();
    line.push(SuccessionLink::Here(decision));
    line.extend(follow(page, decision, |decision| decision.superseded_by.as_deref()));
    line
}

fn follow<'a>(
    page: &'a TrailPage,
    from: &'a Decision,
    next: impl Fn(&'a Decision) -> Option<&'a str>,
) -> Vec<SuccessionLink<'a>> {
    let mut line = Vec::new();
    let mut last = from;
    // No line is longer than the page, so that a cycle in the data ends the loop.
    while line.len() < page.entries.len() {
        let Some(id) = next(last) else { break };
        let Some(decision) = decision_on(page, id) else {
            line.push(SuccessionLink::Elsewhere(id));
            break;
        };
        line.push(SuccessionLink::Here(decision));
        last = decision;
    }
    line
}

/// The replacement for a text that not every member may read.
pub(super) const ELSEWHERE: &str =
    "Something like it is there now, in a document that is not everyone's to read.";

/// Returns a count with its noun: `1 source`, `2 sources`.
pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns a range of lines: `line 4`, `lines 4-9`.
pub(super) fn lines((first, last): (u32, u32)) -> String {
    if first == last { format!("line {first}") } else { format!("lines {first}-{last}") }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{decided, page, question};
    use super::*;

    fn titles(entries: Vec<TrailEntry>) -> Vec<(String, usize)> {
        let page = page(entries);
        periods(&page).into_iter().map(|period| (period.title, period.entries.len())).collect()
    }

    #[test]
    fn a_month_is_told_by_days_and_more_by_months() {
        let short =
            titles(vec![question("2026-03-02T10:00:00Z"), question("2026-03-01T10:00:00Z")]);
        assert_eq!(short, [("Monday, 2 March 2026".into(), 1), ("Sunday, 1 March 2026".into(), 1)]);
        let long = titles(vec![
            question("2026-03-02T10:00:00Z"),
            question("2026-03-01T10:00:00Z"),
            question("2025-03-01T10:00:00Z"),
        ]);
        assert_eq!(long, [("March 2026".into(), 2), ("March 2025".into(), 1)]);
        assert_eq!(titles(vec![]), []);
    }

    #[test]
    fn a_decision_recorded_late_stands_where_it_was_made() {
        let mut late = decided("LATE");
        late.decision.decided_at = "2025-01-01T00:00:00Z".parse().unwrap();
        let page = page(vec![TrailEntry::Decision(late), question("2026-03-02T10:00:00Z")]);
        let order: Vec<&str> =
            periods(&page).iter().flat_map(|period| &period.entries).map(|p| p.id()).collect();
        assert_eq!(order, ["Q-2026-03-02T10:00:00Z", "LATE"]);
    }

    fn linked(id: &str, supersedes: Option<&str>, superseded_by: Option<&str>) -> TrailEntry {
        let mut decided = decided(id);
        decided.decision.supersedes = supersedes.map(Into::into);
        decided.decision.superseded_by = superseded_by.map(Into::into);
        TrailEntry::Decision(decided)
    }

    fn line(page: &TrailPage, id: &str) -> Vec<String> {
        succession(page, decision_on(page, id).unwrap())
            .iter()
            .map(|link| match link {
                SuccessionLink::Here(decision) => decision.decision_id.clone(),
                SuccessionLink::Elsewhere(id) => format!("({id})"),
            })
            .collect()
    }

    #[test]
    fn a_line_of_succession_is_the_same_from_each_of_its_decisions() {
        let page = page(vec![
            linked("C", Some("B"), None),
            linked("B", Some("A"), Some("C")),
            linked("A", Some("0"), Some("B")),
        ]);
        for id in ["A", "B", "C"] {
            assert_eq!(line(&page, id), ["(0)", "A", "B", "C"]);
        }
    }

    #[test]
    fn a_circle_of_successions_ends() {
        let page = page(vec![linked("A", Some("B"), Some("B")), linked("B", Some("A"), Some("A"))]);
        assert_eq!(line(&page, "A").len(), 5);
    }
}
