//! The part of a passage that is nearest to a question.

use std::collections::HashSet;

use workflow::sentence;
use workflow::term::stem;

use super::shortened;

/// The words of a question, as stems.
pub(super) struct Asked(HashSet<String>);

impl Asked {
    pub(super) fn of(question: &str) -> Asked {
        Asked(stems(question).collect())
    }

    /// The sentences from the one that has most of the question's words, in one line of at most `most` characters. What was cut
    /// off before it is shown by `…`.
    pub(super) fn excerpt(&self, text: &str, most: usize) -> String {
        if text.len() <= most {
            return shortened(text, most);
        }
        let shared = |sentence: &str| {
            stems(sentence).filter(|stem| self.0.contains(stem)).collect::<HashSet<_>>().len()
        };
        let mut best = (0, 0);
        for range in sentence::sentences(text) {
            let count = shared(&text[range.clone()]);
            if count > best.0 {
                best = (count, range.start);
            }
        }
        // Where the rest is short, what stands before it fits, too.
        let latest = text.floor_char_boundary(text.len().saturating_sub(most));
        let start = if best.1 > latest { latest } else { best.1 };
        let words = shortened(&text[start..], most);
        if start == 0 { words } else { format!("… {words}") }
    }
}

fn stems(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| word.len() > 2).map(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_begins_with_the_sentence_that_is_asked_for() {
        let before = "The station has two pumps. ".repeat(10);
        let after = " It was replaced within the day.".repeat(10);
        let text = format!("{before}The seal of pump 7 wore out.{after}");
        let asked = Asked::of("Why did the seals wear?");
        let excerpt = asked.excerpt(&text, 100);
        assert!(excerpt.starts_with("… The seal of pump 7 wore out."), "{excerpt}");
        assert_eq!(asked.excerpt("Short\nas it is.", 100), "Short as it is.");
        assert!(Asked::of("").excerpt(&text, 100).starts_with("The station"));
    }
}
