//! Reads the fields of a passage by a label, a pattern or a fact, verbatim.

use std::collections::BTreeMap;
use std::ops::Range;

use regex::Regex;
use serde::Deserialize;

use model::document::Passage;
use model::evidence::Quote;
use model::facts::range;
use text::block::{Block, Form, blocks, cells};
use text::sentence::{sentences, trimmed};
use text::term::Terms;

/// A field to read from passages.
#[derive(Debug)]
pub(super) struct Field {
    pub name: String,
    pub rule: Rule,
}

/// The kinds of facts that a field may have.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FactKind {
    /// A requirement: something that shall, must or should be.
    Requirement,
}

/// The rule by which a field is read.
#[derive(Debug)]
pub(super) enum Rule {
    /// The text after the label, below the heading or in the table column of this name.
    Label(Terms),
    /// The text that matches; its first group, if the pattern has one.
    Pattern(Regex),
    /// The sentences that demand or recommend something, as the ingest read them.
    Requirement,
}

/// Upper bound for the values of one field in a passage.
const MOST: usize = 5;

/// Upper bound for the bytes of a value.
const LONGEST: usize = 300;

/// Reads the fields that the passage has.
pub(super) fn read(fields: &[Field], passage: &Passage) -> BTreeMap<String, Vec<Quote>> {
    let blocks = blocks(&passage.text);
    let mut found = BTreeMap::new();
    for field in fields {
        let mut ranges: Vec<Range<usize>> = match &field.rule {
            Rule::Pattern(pattern) => matches(pattern, &passage.text),
            Rule::Label(label) => labelled(label, passage, &blocks),
            Rule::Requirement => {
                passage.facts.requires.iter().map(|require| range(require.sentence)).collect()
            }
        };
        ranges.retain(|range| !range.is_empty());
        ranges.dedup();
        let mut values: Vec<Quote> = Vec::new();
        for range in ranges {
            let passage = Quote::of(passage, shortened(&passage.text, range));
            if values.len() < MOST && values.iter().all(|value| value.text != passage.text) {
                values.push(passage);
            }
        }
        if !values.is_empty() {
            found.insert(field.name.clone(), values);
        }
    }
    found
}

fn matches(pattern: &Regex, text: &str) -> Vec<Range<usize>> {
    let range = |found: regex::Captures<'_>| found.get(1).or(found.get(0)).map(|part| part.range());
    pattern.captures_iter(text).filter_map(range).collect()
}

fn labelled(label: &Terms, passage: &Passage, blocks: &[Block]) -> Vec<Range<usize>> {
    let text = &passage.text;
    let mut found = Vec::new();
    let mut columns: Vec<usize> = Vec::new();
    let mut is_headed = is_label(label, passage.heading());
    for block in blocks {
        let range = block.range.clone();
        if block.form != Form::Row {
            columns.clear();
        }
        match block.form {
            Form::Heading => is_headed = is_label(label, &text[range]),
            Form::Row => found.extend(row(label, text, range, &mut columns)),
            Form::Paragraph | Form::Item(_) | Form::Code => {
                let values = after_labels(label, text, range.clone());
                if values.is_empty() && is_headed {
                    let first = sentences(&text[range.clone()]).next();
                    found.extend(
                        first.map(|first| range.start + first.start..range.start + first.end),
                    );
                    is_headed = matches!(block.form, Form::Item(_));
                }
                found.extend(values);
            }
        }
    }
    found
}

/// Returns true if a text is the label alone.
fn is_label(label: &Terms, text: &str) -> bool {
    label.find(text).first().is_some_and(|mention| {
        let around = [&text[..mention.start], &text[mention.end..]];
        !around.iter().any(|rest| rest.contains(char::is_alphanumeric))
    })
}

/// Returns the cells of a row that belong to the label: those in its columns, or the one after it.
/// The first row of a table determines the columns.
fn row(
    label: &Terms,
    text: &str,
    range: Range<usize>,
    columns: &mut Vec<usize>,
) -> Vec<Range<usize>> {
    let cells = cells(text, range);
    if !columns.is_empty() {
        return columns.iter().filter_map(|place| cells.get(*place).cloned()).collect();
    }
    let is_labelled = |place: &usize| is_label(label, &text[cells[*place].clone()]);
    *columns = (0..cells.len()).filter(is_labelled).collect();
    if *columns == [0] && cells.len() == 2 && !heads_a_table(&text[cells[1].end..]) {
        columns.clear();
        return vec![cells[1].clone()];
    }
    Vec::new()
}

/// Returns true if the line after a row divides a table's head from its body.
fn heads_a_table(behind: &str) -> bool {
    let next = behind.lines().nth(1).unwrap_or_default().trim();
    next.starts_with('|') && next.contains("--")
}

/// Returns the text after "Severity:" up to the end of the line or the next semicolon.
fn after_labels(label: &Terms, text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let block = &text[range.clone()];
    let value = |end: usize| {
        let rest = &block[end..];
        let marks = rest.len() - rest.trim_start_matches(['*', '_', '`', ' ']).len();
        let colon = rest[marks..].strip_prefix(':')?;
        let start = block.len() - colon.trim_start_matches(['*', '_', '`', ' ']).len();
        let stop = block[start..].find(['\n', ';']).map_or(block.len(), |stop| start + stop);
        Some(trimmed(text, range.start + start..range.start + stop))
    };
    label.find(block).iter().filter_map(|mention| value(mention.end)).collect()
}

fn shortened(text: &str, range: Range<usize>) -> Range<usize> {
    if range.len() <= LONGEST {
        return range;
    }
    let end = text.floor_char_boundary(range.start + LONGEST);
    let end = text[range.start..end].rfind(' ').map_or(end, |blank| range.start + blank);
    range.start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::passage;

    fn severity(text: &str) -> Vec<String> {
        let rule = Rule::Label(Terms::new([(0, "severity")]));
        let fields = [Field { name: "severity".into(), rule }];
        let found = read(&fields, &passage(text));
        found.get("severity").into_iter().flatten().map(|passage| passage.text.clone()).collect()
    }

    #[test]
    fn a_label_is_read_in_lines_items_tables_and_below_headings() {
        assert_eq!(severity("Severity: high\nOwner: Ann"), ["high"]);
        assert_eq!(severity("- **Severity:** catastrophic; likelihood: low"), ["catastrophic"]);
        assert_eq!(
            severity("| Hazard | Severity |\n|---|---|\n| fall | high |\n| burn | low |"),
            ["high", "low"]
        );
        assert_eq!(severity("| Severity | high |\n| Owner | Ann |"), ["high"]);
        assert_eq!(severity("| Severity | Meaning |\n|---|---|\n| high | injury |"), ["high"]);
        assert_eq!(severity("### Severity\n\nCritical. It hurts people."), ["Critical."]);
    }

    #[test]
    fn the_word_alone_is_no_label() {
        assert_eq!(severity("The severity of storms was high."), [""; 0]);
        assert_eq!(severity("## Severity of storms\n\nHigh."), [""; 0]);
    }
}
