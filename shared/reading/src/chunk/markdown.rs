//! Markdown: cut along its headings.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::{Cut, Extract, pieces, table};
use crate::limit::{NAME, label};

/// A heading of a text.
pub(super) struct Heading {
    /// The byte at which the heading begins.
    pub(super) start: usize,
    /// The first byte after the heading.
    pub(super) end: usize,
    pub(super) level: HeadingLevel,
    /// The words of the heading.
    pub(super) text: String,
}

pub(super) fn cut(text: &str) -> Cut {
    along(text, &headings(text))
}

/// Returns a text that was written as Markdown, with its passages and tables.
pub(super) fn extract(text: &str) -> Extract {
    let mut extract = table::with_heads(text);
    extract.cut = cut(&extract.text);
    extract
}

/// Returns a text whose headings are its own matter, with its passages.
pub(super) fn plain(text: &str) -> Extract {
    let cut = Cut { pieces: pieces(text, 0..text.len(), &[]), ..Cut::default() };
    Extract { text: text.into(), cut, ..Extract::default() }
}

/// Cuts `text` along its `headings`, which are in order.
pub(super) fn along(text: &str, headings: &[Heading]) -> Cut {
    let title = own_title(headings);
    let mut path: Vec<(HeadingLevel, String)> = Vec::new();
    let mut cut = Cut { title: title.clone(), ..Cut::default() };
    let first = headings.first().map_or(text.len(), |heading| heading.start);
    cut.pieces.extend(pieces(text, 0..first, &[]));
    let mut pending: Option<usize> = None;
    for (number, heading) in headings.iter().enumerate() {
        path.retain(|(level, _)| *level < heading.level);
        if !(number == 0 && title.is_some()) {
            path.push((heading.level, heading.text.clone()));
        }
        let end = headings.get(number + 1).map_or(text.len(), |next| next.start);
        let start = *pending.get_or_insert(heading.start);
        if text[heading.end..end].trim().is_empty()
            && end < text.len()
            && end - start < super::split::LARGEST / 2
        {
            continue; // a heading alone belongs to the text after it
        }
        pending = None;
        let section: Vec<String> = path.iter().map(|(_, text)| text.clone()).collect();
        cut.pieces.extend(pieces(text, start..end, &section));
    }
    cut
}

/// Returns the first heading if it is the only one of the outermost level.
fn own_title(headings: &[Heading]) -> Option<String> {
    let first = headings
        .first()
        .filter(|first| first.level == HeadingLevel::H1 && !first.text.is_empty())?;
    let alone = headings.iter().filter(|heading| heading.level == HeadingLevel::H1).count() == 1;
    alone.then(|| first.text.clone())
}

fn headings(text: &str) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut inside = false;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                inside = true;
                headings.push(Heading {
                    start: range.start,
                    end: range.end,
                    level,
                    text: String::new(),
                });
            }
            Event::End(TagEnd::Heading(_)) => inside = false,
            Event::Text(words) | Event::Code(words) if inside => {
                if let Some(heading) = headings.last_mut() {
                    heading.text.push_str(&words);
                }
            }
            _ => {}
        }
    }
    for heading in &mut headings {
        heading.text = label(&heading.text, NAME);
    }
    headings
}

/// Upper bound for the bytes in which the first words are searched. The parser keeps a tree of all
/// its input.
const FIRST: usize = 1 << 16;

pub(super) fn first_words(text: &str, count: usize) -> String {
    let text = &text[..text.floor_char_boundary(FIRST)];
    let mut words: Vec<String> = Vec::new();
    let mut inside_heading = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => inside_heading = true,
            Event::End(TagEnd::Heading(_)) => inside_heading = false,
            Event::Text(text) | Event::Code(text) if !inside_heading => {
                words.extend(
                    text.split_whitespace().filter(|word| !word.contains("://")).map(str::to_owned),
                );
            }
            _ => {}
        }
        if words.len() >= count {
            break;
        }
    }
    words.truncate(count);
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Vec<(String, String)> {
        cut(text)
            .pieces
            .iter()
            .map(|piece| (piece.section.join(" > "), text[piece.range.clone()].into()))
            .collect()
    }

    #[test]
    fn passages_know_the_headings_above_them_and_the_first_one_is_the_title() {
        let text =
            "# Pump\n\nIt failed.\n\n## Cause\n\n### Deep `x`\n\nWear.\n\n## Fix\n\nNew seal.";
        assert_eq!(cut(text).title.as_deref(), Some("Pump"));
        assert_eq!(
            outline(text),
            [
                (String::new(), "# Pump\n\nIt failed.".into()),
                ("Cause > Deep x".into(), "## Cause\n\n### Deep `x`\n\nWear.".into()),
                ("Fix".into(), "## Fix\n\nNew seal.".into()),
            ]
        );
    }

    #[test]
    fn a_hash_in_a_code_block_is_no_heading() {
        assert_eq!(outline("a\n\n```\n# no\n```\n").len(), 1);
    }
}
