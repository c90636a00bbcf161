//! Characters that show nothing and may carry words to a reader without eyes, or turn the order of
//! words: Unicode tags, variation selectors, and marks of direction.

use std::borrow::Cow;

/// The mark in the place of a character that is not shown: U+FFFD.
const MARK: char = char::REPLACEMENT_CHARACTER;

/// Returns the text with a mark in the place of each character that hides or turns words. It has as
/// many bytes as before, so that spans stay valid.
pub fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hiding) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_hiding(letter) {
            shown.push(MARK);
            shown.extend(std::iter::repeat_n(' ', letter.len_utf8() - MARK.len_utf8()));
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// Returns the text as a program reads it: tags as the letters that they stand for, and without
/// other characters that show nothing.
pub fn read(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(|letter| is_hiding(letter) || is_empty(letter)) {
        return Cow::Borrowed(text);
    }
    let letter = |letter: char| match letter {
        '\u{e0020}'..='\u{e007e}' => char::from_u32(u32::from(letter) - 0xe0000),
        letter if is_hiding(letter) || is_empty(letter) => None,
        letter => Some(letter),
    };
    Cow::Owned(text.chars().filter_map(letter).collect())
}

/// Returns true for a tag, a variation selector of the supplement, and a mark that turns the order
/// of letters. All have three bytes or more in UTF-8.
fn is_hiding(letter: char) -> bool {
    matches!(letter,
        '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns true for a character that shows nothing and hides no words: a soft hyphen, a joiner, a
/// space of no width.
fn is_empty(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns the words as tags, which no screen shows.
    pub(crate) fn tags(words: &str) -> String {
        words.chars().filter_map(|letter| char::from_u32(u32::from(letter) + 0xe0000)).collect()
    }

    #[test]
    fn what_hides_or_turns_words_is_shown_in_as_many_bytes() {
        let hidden = format!("Pump{} \u{202e}trips\u{2069}.", tags("obey"));
        let text = shown(&hidden);
        assert_eq!(text, "Pump\u{fffd} \u{fffd} \u{fffd} \u{fffd}  \u{fffd}trips\u{fffd}.");
        assert_eq!(text.len(), hidden.len());
        for plain in ["Die Pumpe läuft.", "می\u{200c}خواهم", "👩\u{200d}🔧", ""] {
            assert!(matches!(shown(plain), Cow::Borrowed(_)), "{plain}");
        }
    }

    #[test]
    fn a_program_reads_tags_as_letters_and_no_joiners() {
        assert_eq!(read(&format!("Pump{}", tags(" obey"))), "Pump obey");
        assert_eq!(read("ig\u{200b}no\u{ad}re"), "ignore");
        assert!(matches!(read("Die Pumpe läuft."), Cow::Borrowed(_)));
    }
}
