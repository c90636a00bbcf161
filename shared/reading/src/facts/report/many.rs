//! Tells a document that reports one failure from one that lists many.

use std::collections::HashSet;

use model::document::{Passage, SECTION_SEPARATOR};
use text::day;
use text::sentence::after_marker;

use super::kind::Kind;

/// Lower bounds for the entries of a list, and for the share of lines that begin one. Of 344
/// reports on one failure none has more than five headings with a day.
const LEAST_ENTRIES: usize = 10;
const LEAST_SHARE: f64 = 0.5;

/// Lower bound for the sections that each have a heading for a cause below them.
const LEAST_CAUSES: usize = 3;

/// Returns true if a document tells of many failures: half of its lines begin with a link to a
/// report elsewhere, many of its headings name a day or a version, or several of its sections have
/// a heading for a cause, each one of its own.
pub(super) fn reports(document: &[&Passage]) -> bool {
    is_list_of_links(document)
        || entries(document) >= LEAST_ENTRIES
        || causes(document) >= LEAST_CAUSES
}

/// Returns the number of sections whose heading names a day or a version: `Outage of 2024-09-20`,
/// `Version 4.0.2`.
fn entries(document: &[&Passage]) -> usize {
    let paths = document.iter().flat_map(|passage| {
        let section = passage.section.as_str();
        let ends = section.match_indices(SECTION_SEPARATOR).map(|(end, _)| end);
        ends.chain([section.len()]).map(|end| &section[..end])
    });
    let is_entry = |path: &&str| {
        let heading = path.rsplit(SECTION_SEPARATOR).next().unwrap_or_default();
        day::named(heading).next().is_some() || is_version(heading)
    };
    paths.filter(is_entry).collect::<HashSet<_>>().len()
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

/// Returns the number of sections that have a heading for a cause below them.
fn causes(document: &[&Passage]) -> usize {
    let sections = document.iter().filter_map(|passage| {
        let (above, heading) = passage.section.rsplit_once(SECTION_SEPARATOR)?;
        (Kind::of(heading) == Some(Kind::Cause)).then_some(above)
    });
    sections.collect::<HashSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::named;

    fn is_of_many(text: &str) -> bool {
        reports(&named("postmortem.md", text).iter().collect::<Vec<_>>())
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
        assert!(!is_of_many(
            "# Mill\n\n## Root cause\n\nA belt tore.\n\n## Resolution\n\nIt was sewn.\n"
        ));
    }
}
