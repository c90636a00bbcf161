//! Tells a document that reports one failure from one that lists many, and reads each of these.

use std::collections::{HashMap, HashSet};

use model::document::{Passage, SECTION_SEPARATOR};
use model::facts::FailureReport;
use text::day;
use text::sentence::after_marker;

use super::kind::Kind;
use super::{genre, one};

/// Lower bounds for the entries of a list, and for the share of lines that begin one. Of 344
/// reports on one failure none has more than five headings with a day.
const LEAST_ENTRIES: usize = 10;
const LEAST_SHARE: f64 = 0.5;

/// Lower bound for the sections that each have a heading for a cause below them.
const LEAST_CAUSES: usize = 3;

/// Reads the report of each failure of a document that tells of many. Each passage has the report
/// of its section; `None` where a document tells of one failure, or of none.
pub(crate) fn of_entries(document: &[&Passage]) -> Vec<Option<FailureReport>> {
    let entries = Some(document).filter(|document| genre::reports(document)).and_then(entries);
    let Some(entries) = entries else { return vec![None; document.len()] };
    let mut passages: HashMap<&str, Vec<&Passage>> = HashMap::new();
    for (passage, entry) in document.iter().zip(&entries) {
        if let Some(entry) = entry {
            passages.entry(entry).or_default().push(passage);
        }
    }
    let reports: HashMap<&str, FailureReport> =
        passages.into_iter().map(|(entry, passages)| (entry, one::read(&passages))).collect();
    entries.iter().map(|entry| reports.get((*entry)?).cloned()).collect()
}

/// Returns the section of each passage that tells of one failure, where a document tells of many:
/// many of its headings name a day or a version, several of its sections have a heading for a cause
/// each, or half of its lines begin with a link to a report elsewhere, and then there are no such
/// sections. Returns `None` for a document of one failure.
pub(super) fn entries<'p>(document: &[&'p Passage]) -> Option<Vec<Option<&'p str>>> {
    let count = |entries: &[Option<&str>]| entries.iter().flatten().collect::<HashSet<_>>().len();
    let dated = dated(document);
    if count(&dated) >= LEAST_ENTRIES {
        return Some(dated);
    }
    let explained = explained(document);
    if count(&explained) >= LEAST_CAUSES {
        return Some(explained);
    }
    is_list_of_links(document).then(|| vec![None; document.len()])
}

/// Returns the outermost section of each passage whose heading names a day or a version: `Outage of
/// 2024-09-20`, `Version 4.0.2`. A heading above the whole document is none.
fn dated<'p>(document: &[&'p Passage]) -> Vec<Option<&'p str>> {
    let is_of_all = |path: &&str| document.iter().all(|other| paths(other).any(|p| p == *path));
    let above = document.first().and_then(|first| paths(first).take_while(is_of_all).last());
    let is_entry = |path: &&str| {
        let heading = path.rsplit(SECTION_SEPARATOR).next().unwrap_or_default();
        let is_below = path.len() > above.map_or(0, str::len);
        is_below && (day::named(heading).next().is_some() || is_version(heading))
    };
    document.iter().map(|passage| paths(passage).find(is_entry)).collect()
}

/// Returns the innermost section of each passage that has a heading for a cause below it.
fn explained<'p>(document: &[&'p Passage]) -> Vec<Option<&'p str>> {
    let causes = document.iter().filter_map(|passage| {
        let (above, heading) = passage.section.rsplit_once(SECTION_SEPARATOR)?;
        (Kind::of(heading) == Some(Kind::Cause)).then_some(above)
    });
    let causes: HashSet<&str> = causes.collect();
    let entry = |passage: &&'p Passage| paths(passage).filter(|path| causes.contains(path)).last();
    document.iter().map(entry).collect()
}

/// Returns the sections of a passage, outermost first.
fn paths(passage: &Passage) -> impl Iterator<Item = &str> {
    let section = passage.section.as_str();
    let ends = section.match_indices(SECTION_SEPARATOR).map(|(end, _)| end);
    ends.chain([section.len()]).map(|end| &section[..end])
}

/// Returns true if a heading is a version and nothing else: `4.0.2`, `Release v4.0.2`. A number
/// with words behind it is that of a section.
fn is_version(heading: &str) -> bool {
    let is_number = |word: &str| {
        let parts = word.trim_start_matches('v').split('.');
        parts.clone().count() > 1
            && parts
                .clone()
                .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut words = heading.split_whitespace();
    let last = words.next_back();
    let is_said =
        |word: &str| ["version", "release"].iter().any(|said| word.eq_ignore_ascii_case(said));
    last.is_some_and(is_number) && words.all(is_said)
}

#[expect(clippy::cast_precision_loss, reason = "counts of lines")]
fn is_list_of_links(document: &[&Passage]) -> bool {
    let lines = document.iter().flat_map(|passage| passage.text.lines());
    let (mut entries, mut all) = (0_usize, 0_usize);
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let line = line.trim_start();
        all += 1;
        entries += usize::from(begins_with_link(&line[after_marker(line)..]));
    }
    entries >= LEAST_ENTRIES && entries as f64 >= LEAST_SHARE * all as f64
}

/// Returns true if a line of Markdown begins with a link, which text follows.
fn begins_with_link(line: &str) -> bool {
    let address = line.strip_prefix('[').and_then(|rest| rest.split_once("](http"));
    address
        .and_then(|(_, rest)| rest.split_once(')'))
        .is_some_and(|(_, text)| text.trim().len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::named;

    fn is_of_many(text: &str) -> bool {
        entries(&named("postmortem.md", text).iter().collect::<Vec<_>>()).is_some()
    }

    #[test]
    fn a_list_of_links_to_reports_is_of_many() {
        let entry = |number| {
            format!(
                "[Mill {number}](https://mills.example/{number}). A belt tore, and the mill stood still for a day.\n\n"
            )
        };
        let list = |count| (0..count).map(entry).collect::<String>();
        assert!(is_of_many(&format!("# Mills\n\n{}", list(10))));
        assert!(is_of_many(&list(10).replace("[Mill", "* [Mill")));
        assert!(!is_of_many(&list(9)));
        let told = "The belt of the mill tore at noon since its splice was old.\n\n".repeat(11);
        assert!(
            !is_of_many(&format!("# A belt\n\n{told}{}", list(10))),
            "it has a list of its own"
        );
        let sources =
            (0..12).map(|number| format!("- [Source {number}](https://mills.example/{number})\n"));
        assert!(
            !is_of_many(&format!("# A belt\n\n{}", sources.collect::<String>())),
            "no line tells of anything"
        );
    }

    #[test]
    fn sections_under_days_or_versions_are_of_many() {
        let file = |headings: &dyn Fn(usize) -> String, count: usize| {
            let section = |number| format!("## {}\n\nThe mill stood still.\n\n", headings(number));
            (10..10 + count).map(section).collect::<String>()
        };
        let day = |number| format!("Outage of 2024-09-{number}");
        assert!(is_of_many(&file(&day, 10)));
        assert!(!is_of_many(&file(&day, 9)));
        assert!(is_of_many(&file(&|number| format!("Version 1.{number}.0"), 10)));
        assert!(!is_of_many(&file(&|number| format!("1.{number} Impact"), 10)));
        let title = "# Outages as of 2024-10-01\n\n";
        assert!(is_of_many(&format!("{title}{}", file(&day, 10))));
        assert!(!is_of_many(&format!("{title}{}", file(&day, 9))));
    }

    #[test]
    fn an_entry_of_a_list_is_a_report_of_its_own() {
        let entry = |number| {
            format!(
                "## Outage of 2024-09-{number}\n\nThe mill stood still.\n\n### Root cause\n\nBelt {number} tore.\n\n### Resolution\n\nBelt {number} was sewn.\n\n"
            )
        };
        let file =
            format!("# Outages\n\nBelow are all.\n\n{}", (10..20).map(entry).collect::<String>());
        let document = named("postmortem.md", &file);
        let document: Vec<&Passage> = document.iter().collect();
        for (passage, report) in document.iter().zip(of_entries(&document)) {
            let cause = report.and_then(|report| report.root_cause).map(|cause| cause.text);
            let number = passage.section.split("2024-09-").nth(1).map(|rest| &rest[..2]);
            assert_eq!(cause, number.map(|number| format!("Belt {number} tore.")));
        }
        let one = named("postmortem.md", "# Mill\n\n## Root cause\n\nA belt tore.\n");
        assert_eq!(of_entries(&one.iter().collect::<Vec<_>>()), [None]);
    }

    #[test]
    fn sections_that_each_have_a_cause_are_of_many() {
        let failure = |name: &str| {
            format!(
                "## {name}\n\nThe mill stood still on May 3rd.\n\n### Root cause\n\nThe belt of {name} tore.\n\n"
            )
        };
        let file = |names: &[&str]| names.iter().map(|name| failure(name)).collect::<String>();
        assert!(is_of_many(&file(&["Mill", "Kiln", "Crane"])));
        assert!(!is_of_many(&file(&["Mill", "Kiln"])));
        let general = "# Outages\n\n## Root causes\n\nBelts tear.\n\n";
        assert!(is_of_many(&format!("{general}{}", file(&["Mill", "Kiln", "Crane"]))));
        assert!(!is_of_many(
            "# Mill\n\n## Root cause\n\nA belt tore.\n\n## Resolution\n\nIt was sewn.\n"
        ));
    }
}
