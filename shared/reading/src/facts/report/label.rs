//! Labels before a text: "**Root cause:** wear", "Impact: none".

use super::kind::Kind;

/// A label that was found at the beginning of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// The meaning of the label; `None` if it is marked as a label and its words are unknown.
    pub kind: Option<Kind>,
    /// The byte after the label and its colon.
    pub end: usize,
    /// True if the label is set in bold or italics.
    pub is_marked: bool,
}

/// Upper bounds for the length of a label, and for the words of a label without markup.
const LONGEST: usize = 60;
const MOST_WORDS: usize = 5;

/// Finds the label that `text` begins with.
pub(super) fn label(text: &str) -> Option<Label> {
    let marks = text.bytes().take_while(|byte| matches!(byte, b'*' | b'_')).count();
    let line = &text[..text.find('\n').unwrap_or(text.len())];
    let window = &line[..line.floor_char_boundary(marks + LONGEST)];
    if marks > 0 { marked(window, marks) } else { plain(window) }
}

/// Finds a label with markup: `**Cause**: x`, `**Cause:** x`, `_Cause_: x`.
fn marked(window: &str, marks: usize) -> Option<Label> {
    let close = marks + window[marks..].find(&window[..marks])?;
    let after = close + marks;
    let inner = window[marks..close].trim();
    let colon_inside = inner.ends_with(':');
    let end = match window.as_bytes().get(after) {
        Some(b':') => after + 1,
        _ if colon_inside => after,
        _ => return None,
    };
    Some(Label { kind: Kind::of(inner), end, is_marked: true })
}

/// Finds a label without markup, `Cause: x`, if its words are known.
fn plain(window: &str) -> Option<Label> {
    let colon = window.find(':')?;
    let (words, rest) = (&window[..colon], &window[colon + 1..]);
    let ends_word = rest.is_empty() || rest.starts_with([' ', '\t', '\r']);
    let announces = rest.trim().is_empty()
        && ["factors", "causes", "reasons"].iter().any(|word| words.ends_with(word));
    let is_short = words.split(' ').count() <= MOST_WORDS;
    if !ends_word || !(is_short || announces) || words.contains(['.', ',', '`', '"', '/', '[']) {
        return None;
    }
    Some(Label { kind: Some(Kind::of(words)?), end: colon + 1, is_marked: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(text: &str) -> Option<(Option<Kind>, &str)> {
        label(text).map(|label| (label.kind, &text[label.end..]))
    }

    #[test]
    fn labels_are_read_with_and_without_marks() {
        assert_eq!(rest("**Root cause:** wear"), Some((Some(Kind::Cause), " wear")));
        assert_eq!(rest("**Impact**: none"), Some((Some(Kind::Impact), " none")));
        assert_eq!(
            rest("Symptoms on the machine: no alarm"),
            Some((Some(Kind::Symptoms), " no alarm"))
        );
        assert_eq!(rest("**Lock the door**: it blew open"), Some((None, " it blew open")));
    }

    #[test]
    fn a_colon_within_a_sentence_makes_no_label() {
        assert_eq!(rest("They said: it burned"), None);
        assert_eq!(rest("The cause, they said: wear"), None);
        assert_eq!(rest("**It burned** at noon"), None);
        assert_eq!(rest("fix:x"), None);
    }
}
