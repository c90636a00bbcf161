//! Decides when an answer is right.

/// Returns true if the passage contains the quote, or at least eight in ten of its words.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
pub(super) fn covers(passage: &str, quote: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (present, wanted) = (words(passage), words(quote));
    let held = wanted.iter().filter(|word| present.contains(word)).count();
    !wanted.is_empty() && held as f64 >= 0.8 * wanted.len() as f64
}

/// A letter, and whether it follows the one before it without white space.
type Letter = (char, bool);

/// Returns true if the passage contains the value, regardless of white space, Markdown marks and
/// case. A part of a longer number does not count: "16 ns" does not contain "6ns".
pub(super) fn holds(passage: &str, value: &str) -> bool {
    let (passage, value) = (letters(passage), letters(value));
    let (Some(first), Some(last)) = (value.first(), value.last()) else { return false };
    passage.windows(value.len()).enumerate().any(|(start, window)| {
        let is_same = window.iter().zip(&value).all(|(letter, wanted)| letter.0 == wanted.0);
        let (before, after) = (&passage[..start], &passage[start + value.len()..]);
        let is_cut_before = first.0.is_ascii_digit() && window[0].1 && ends_in_number(before);
        let is_cut_after = last.0.is_ascii_digit() && goes_on_as_number(after);
        is_same && !is_cut_before && !is_cut_after
    })
}

fn letters(text: &str) -> Vec<Letter> {
    let mut letters = Vec::new();
    let mut is_joined = false;
    for letter in text.chars().filter(|letter| !"*_`".contains(*letter)) {
        if letter.is_whitespace() {
            is_joined = false;
        } else {
            for letter in letter.to_lowercase() {
                letters.push((letter, is_joined));
                is_joined = true;
            }
        }
    }
    letters
}

fn ends_in_number(before: &[Letter]) -> bool {
    match before {
        [.., (last, _)] if last.is_ascii_digit() => true,
        [.., (digit, _), ('.' | ',', true)] => digit.is_ascii_digit(),
        _ => false,
    }
}

fn goes_on_as_number(after: &[Letter]) -> bool {
    match after {
        [(first, true), ..] if first.is_ascii_digit() => true,
        [('.' | ',', true), (digit, true), ..] => digit.is_ascii_digit(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_in_ten_words_cover_a_quote() {
        assert!(covers("It is Hard to learn, they say", "hard to learn"));
        assert!(covers("a b c d", "a b c d e"));
        assert!(!covers("a b c", "a b c d e"));
        assert!(!covers("anything", ""));
    }

    #[test]
    fn a_value_is_held_whatever_its_white_space_and_marks() {
        assert!(holds("priced (**$199/mo** for all)", "$199/mo"));
        assert!(holds("~10k * 5000 = 50 MB", "50MB"));
        assert!(holds("No EBS\nsupport", "no ebs"));
        assert!(holds("1.044273782  2.19%", "2.19%"));
    }

    #[test]
    fn a_value_is_not_held_by_a_longer_number() {
        assert!(!holds("takes 16ns", "6ns"));
        assert!(!holds("ranked #10", "#1"));
        assert!(!holds("costs 1,200 MB", "200 MB"));
        assert!(!holds("version 3.6.1", "3.6"));
        assert!(holds("version 3.6.", "3.6"));
        assert!(!holds("anything", " "));
    }
}
