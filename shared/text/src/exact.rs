//! Finds strings as they are: whole, in any case, and with any white space for a space.

use aho_corasick::AhoCorasick;

/// A string to search for.
#[derive(Debug, Clone)]
pub struct Exact {
    /// The string in lower case and with single spaces.
    string: String,
    may_be_plural: bool,
    may_be_longer: bool,
    /// The search for the string's longest ASCII word, with the byte at which that word begins.
    word: Option<(AhoCorasick, usize)>,
}

impl Exact {
    /// Takes a string in any case and with any white space. An empty string occurs in no text.
    pub fn of(string: &str) -> Exact {
        let spaced = string.split_whitespace().collect::<Vec<_>>().join(" ");
        let string: String = spaced.chars().flat_map(char::to_lowercase).collect();
        let words = string.split(' ').filter(|word| word.is_ascii() && !word.is_empty());
        let word = words.max_by_key(|word| word.len()).and_then(|word| {
            let finder = AhoCorasick::builder().ascii_case_insensitive(true).build([word]).ok()?;
            Some((finder, string.find(word)?))
        });
        Exact { string, may_be_plural: false, may_be_longer: false, word }
    }

    /// Also finds the string with an "s" after it.
    #[must_use]
    pub fn or_plural(self) -> Exact {
        Exact { may_be_plural: true, ..self }
    }

    /// Also finds words that begin with the string: "mongodb" for "Mongo".
    #[must_use]
    pub fn or_longer(self) -> Exact {
        Exact { may_be_longer: true, ..self }
    }

    /// Returns the string in lower case and with single spaces.
    pub fn as_str(&self) -> &str {
        &self.string
    }

    /// Returns true if a text contains the string, and not as a part of a word.
    pub fn is_in(&self, text: &str) -> bool {
        if self.string.is_empty() {
            return false;
        }
        match &self.word {
            Some((word, begin)) => word.find_iter(text).any(|hit| {
                let (before, after) = (&self.string[..*begin], &self.string[begin + hit.len()..]);
                let begins = rest(before.chars().rev(), text[..hit.start()].chars().rev());
                begins.is_some_and(is_free) && self.ends(after, &text[hit.end()..])
            }),
            None => text.char_indices().any(|(at, _)| {
                is_free(text[..at].chars().rev()) && self.ends(&self.string, &text[at..])
            }),
        }
    }

    /// Returns true if the text begins with the end of the string and no word continues after it.
    fn ends(&self, end: &str, text: &str) -> bool {
        let Some(mut behind) = rest(end.chars(), text.chars()) else { return false };
        self.may_be_longer
            || is_free(behind.clone())
            || self.may_be_plural && matches!(behind.next(), Some('s' | 'S')) && is_free(behind)
    }
}

/// Returns the text after a string with which it begins, in any case and with any white space for a
/// space; `None` if the text begins otherwise.
fn rest<T: Iterator<Item = char> + Clone>(
    string: impl Iterator<Item = char>,
    mut text: T,
) -> Option<T> {
    for wanted in string {
        if wanted != ' ' {
            text.next().filter(|next| next.to_lowercase().eq([wanted]))?;
            continue;
        }
        text.next().filter(|next| next.is_whitespace())?;
        while text.clone().next().is_some_and(char::is_whitespace) {
            text.next();
        }
    }
    Some(text)
}

fn is_free(mut text: impl Iterator<Item = char>) -> bool {
    text.next().is_none_or(|c| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_in(string: &str, text: &str) -> bool {
        Exact::of(string).is_in(text)
    }

    #[test]
    fn a_string_is_found_whole_in_capitals_and_over_a_line_break() {
        assert!(is_in("no  space left", "It said: NO SPACE\nleft on it."));
        assert!(is_in("übergröße am ende", "ÜBERGRÖSSE, no: Übergröße am Ende."));
        assert!(is_in("übergröße", "# Übergröße\n\nText."), "no word of it is ASCII");
        assert!(!is_in("no space left", "No space was left."));
        assert!(!is_in("ab-12", "AB-123 broke.") && !is_in("ab-12", "CAB-12 broke."));
        assert!(!is_in(" ", "a text"), "an empty string stands in no text");
    }

    #[test]
    fn a_plural_is_found_where_it_may_be() {
        let pump = Exact::of("Pump").or_plural();
        assert!(pump.is_in("two pumps") && pump.is_in("THE PUMPS") && !pump.is_in("pumpsets"));
        assert!(!is_in("pump", "two pumps"));
    }

    #[test]
    fn a_short_form_is_found_in_the_names_that_begin_with_it() {
        let mongo = Exact::of("Mongo").or_longer();
        assert!(mongo.is_in("mongodb.log") && !mongo.is_in("a comongo"));
    }
}
