//! Headings of reStructuredText, `AsciiDoc` and Org.

use std::ops::Range;

use model::format::Markup;
use pulldown_cmark::HeadingLevel;

use super::lines;
use super::markdown::Heading;
use crate::limit::{NAME, label};

/// Returns the headings of a text, in order. Those in blocks of code are none.
pub(super) fn headings(language: Markup, text: &str) -> Vec<Heading> {
    match language {
        Markup::Rest => underlined(text),
        Markup::AsciiDoc => marked(text, '=', &["----", "....", "++++", "////"]),
        Markup::Org => marked(text, '*', &["#+begin_", "#+end_"]),
    }
}

fn heading(range: Range<usize>, level: usize, title: &str) -> Option<Heading> {
    let level = HeadingLevel::try_from(level.clamp(1, 6)).ok()?;
    let text = label(title, NAME);
    (!text.is_empty()).then_some(Heading { start: range.start, end: range.end, level, text })
}

/// Returns headings that begin with a row of `mark`, one for each level. A line that begins with a
/// fence opens a block or closes it.
fn marked(text: &str, mark: char, fences: &[&str]) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut open: Option<String> = None;
    for range in lines(text) {
        let line = text[range.clone()].trim_end();
        let lower = line.to_ascii_lowercase();
        if let Some(fence) = fences.iter().find(|fence| lower.starts_with(**fence)) {
            open = match &open {
                // `AsciiDoc` ends a block with the line that began it, Org with one of its own.
                Some(opened) if *opened == lower || fence.starts_with("#+end") => None,
                Some(opened) => Some(opened.clone()),
                None => Some(lower),
            };
            continue;
        }
        let title = line.trim_start_matches(mark);
        let level = line.len() - title.len();
        if open.is_none() && level > 0 && title.starts_with(' ') {
            headings.extend(heading(range, level, title));
        }
    }
    headings
}

/// Returns headings of reStructuredText: a line above a row of one mark that is at least as long,
/// also below one. Their levels are in the order in which the marks first come.
fn underlined(text: &str) -> Vec<Heading> {
    let ranges: Vec<Range<usize>> = lines(text).collect();
    let line = |at: usize| ranges.get(at).map_or("", |range| text[range.clone()].trim_end());
    let mut styles: Vec<(char, bool)> = Vec::new();
    let mut headings = Vec::new();
    // The first line that is no part of an earlier heading.
    let mut free = 0;
    let mut at = 0;
    while at + 1 < ranges.len() {
        let (title, rule) = (line(at), line(at + 1));
        let mark = row(rule)
            .filter(|_| is_title(title) && rule.chars().count() >= title.trim().chars().count());
        let Some(mark) = mark else {
            at += 1;
            continue;
        };
        let is_between = at > free && line(at - 1) == rule;
        // A row above and none around is the end of a table.
        if !is_between && title.starts_with(' ') {
            at += 1;
            continue;
        }
        let style = (mark, is_between);
        let level = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
            styles.push(style);
            styles.len() - 1
        });
        let start = if is_between { ranges[at - 1].start } else { ranges[at].start };
        headings.extend(heading(start..ranges[at + 1].end, level + 1, title));
        at += 2;
        free = at;
    }
    headings
}

/// Returns the mark of which a line is a row.
fn row(line: &str) -> Option<char> {
    let first = line.chars().next().filter(char::is_ascii_punctuation)?;
    (line.len() > 2 && line.chars().all(|c| c == first)).then_some(first)
}

fn is_title(line: &str) -> bool {
    line.contains(char::is_alphanumeric) && !line.starts_with("..") && !line.starts_with(['|', '+'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(language: Markup, text: &str) -> Vec<(usize, String)> {
        headings(language, text).into_iter().map(|it| (it.level as usize, it.text)).collect()
    }

    #[test]
    fn headings_of_rest_are_known_by_their_rows() {
        let text = "=====\nPumps\n=====\n\nText.\n\nStart\n-----\n\nOpen::\n\n    Valve\n    -----\n\nDeep\n~~~~\n\nStop\n----\n\n===  ===\na    b\n===  ===\n";
        let expected = [(1, "Pumps"), (2, "Start"), (3, "Deep"), (2, "Stop")];
        assert_eq!(outline(Markup::Rest, text), expected.map(|(level, it)| (level, it.into())));
    }

    #[test]
    fn a_row_below_a_heading_is_not_above_the_next() {
        let text = "Pumps\n-----\nValve\n-----\nText.\n";
        let found = headings(Markup::Rest, text);
        assert_eq!(found.iter().map(|it| it.start..it.end).collect::<Vec<_>>(), [0..12, 12..24]);
    }

    #[test]
    fn headings_of_asciidoc_and_org_are_not_those_in_code() {
        let text = "= Pumps\n\n== Start\n\n----\n== no\n----\n\n=== Valve\n";
        let expected =
            [(1, "Pumps"), (2, "Start"), (3, "Valve")].map(|(level, it)| (level, it.to_owned()));
        assert_eq!(outline(Markup::AsciiDoc, text), expected);
        let text = "* Pumps\n** Start\n#+BEGIN_SRC sh\n* no\n#+END_SRC\n*** Valve\n*bold* no\n";
        assert_eq!(outline(Markup::Org, text), expected);
    }
}
