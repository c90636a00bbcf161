//! The part of a passage that is nearest to a question.

use std::collections::HashSet;
use std::ops::Range;

use crate::sentence;
use crate::term::stem;
use crate::topic::telling;

/// The words of a question and its queries that carry their meaning, as stems.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedWords(HashSet<String>);

impl AskedWords {
    /// The words of these texts.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> AskedWords {
        AskedWords(texts.into_iter().flat_map(stems).collect())
    }

    /// The sentence of `text` that has most of the words, the first of equal ones; `None` where none has any. Headings and rows of
    /// tables are no sentences.
    pub fn nearest(&self, text: &str) -> Option<Range<usize>> {
        let is_prose =
            |range: &Range<usize>| !text[range.clone()].trim_start().starts_with(['#', '|']);
        let shared =
            |range: &Range<usize>| stems(&text[range.clone()]).intersection(&self.0).count();
        let mut best: Option<(usize, Range<usize>)> = None;
        for range in sentence::sentences(text).filter(is_prose) {
            let count = shared(&range);
            if count > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((count, range));
            }
        }
        best.map(|(_, range)| range)
    }
}

/// The stems of the words that carry a text's meaning.
pub fn stems(text: &str) -> HashSet<String> {
    telling(text).into_iter().map(stem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_with_most_of_the_words_is_nearest_and_a_heading_is_none() {
        let text = "# Why seals wear\n\nThe station has two pumps. The seal of pump 7 wore out. It was replaced.";
        let asked = AskedWords::of(["Why did the seals wear?", "pump seal"]);
        let nearest = asked.nearest(text).unwrap();
        assert_eq!(text[nearest].trim(), "The seal of pump 7 wore out.");
        assert_eq!(AskedWords::of(["certificate"]).nearest(text), None);
        assert_eq!(AskedWords::default().nearest(text), None);
    }
}
