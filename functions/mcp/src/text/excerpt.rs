//! The part of a passage that a text shows.

use text::question::QuestionTerms;

use super::shortened;

/// The words from the sentence that is nearest to the question on, in one line of at most `most` characters; `…` stands for the
/// words before it. Near the end of a short rest it begins earlier.
pub(super) fn excerpt(text: &str, asked: &QuestionTerms, most: usize) -> String {
    if text.len() <= most {
        return shortened(text, most);
    }
    let nearest = asked.nearest(text).map_or(0, |nearest| nearest.start);
    let start = nearest.min(text.floor_char_boundary(text.len() - most));
    let words = shortened(&text[start..], most);
    if start == 0 { words } else { format!("… {words}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_begins_with_the_sentence_that_is_asked_for() {
        let before = "The station has two pumps. ".repeat(10);
        let after = " It was replaced within the day.".repeat(10);
        let text = format!("{before}The seal of pump 7 wore out.{after}");
        let asked = QuestionTerms::of("Why did the seals wear?");
        let shown = excerpt(&text, &asked, 100);
        assert!(shown.starts_with("… The seal of pump 7 wore out."), "{shown}");
        assert_eq!(excerpt("Short\nas it is.", &asked, 100), "Short as it is.");
        assert!(excerpt(&text, &QuestionTerms::of(""), 100).starts_with("The station"));
    }
}
