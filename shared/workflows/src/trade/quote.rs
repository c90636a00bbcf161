//! Shortens quotes.

use std::ops::Range;

/// Upper bound for the characters of a quote.
pub(super) const LONGEST: usize = 400;

/// Returns the part of `text[quote]` that is shown: all of it, or at most 400 characters around
/// `center`, cut between words.
pub(super) fn shorten(text: &str, quote: Range<usize>, center: &Range<usize>) -> Range<usize> {
    if text[quote.clone()].chars().count() <= LONGEST {
        return quote;
    }
    let needed = text[center.clone()].chars().count().min(LONGEST);
    let spare = (LONGEST - needed) / 2;
    let start = text[quote.start..center.start].char_indices().rev().take(spare).last();
    let start = start.map_or(center.start, |(byte, _)| quote.start + byte);
    let end = text[start..quote.end].char_indices().nth(LONGEST);
    let end = end.map_or(quote.end, |(byte, _)| start + byte);
    let start = if start == quote.start { start } else { next_word(text, start, center.start) };
    let end = if end == quote.end { end } else { last_word(text, end, center.end.min(end)) };
    start..end.max(start)
}

/// Returns the beginning of the first whole word after `from`.
fn next_word(text: &str, from: usize, limit: usize) -> usize {
    let blank = text[from..limit].find(char::is_whitespace);
    blank.map_or(from, |blank| limit - text[from + blank..limit].trim_start().len())
}

/// Returns the end of the last whole word before `to`.
fn last_word(text: &str, to: usize, limit: usize) -> usize {
    if text[to..].starts_with(char::is_whitespace) {
        return to;
    }
    let blank = text[limit..to].rfind(char::is_whitespace);
    blank.map_or(to, |blank| limit + text[limit..limit + blank].trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_quote_is_short_whole_words_and_holds_its_center(before in "[a-zé]{1,9}( [a-zé]{1,9}){0,60}", after in "[a-zé]{1,9}( [a-zé]{1,9}){0,60}") {
            let text = format!("{before} 199 USD {after}");
            let center = before.len() + 1..before.len() + 8;
            let range = shorten(&text, 0..text.len(), &center);
            let quote = &text[range.clone()];
            prop_assert!(quote.contains("199 USD"), "{quote}");
            prop_assert!(quote.chars().count() <= LONGEST);
            let cut_begins = range.start == 0 || text[..range.start].ends_with(' ');
            let cut_ends = range.end == text.len() || text[range.end..].starts_with(' ');
            prop_assert!(cut_begins && cut_ends && quote.trim() == quote);
        }
    }
}
