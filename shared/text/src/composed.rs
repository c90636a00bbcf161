//! Converts texts to one form (NFC), in which a letter and its marks are one character if there is
//! one. Texts that look the same are then the same word, name and document, whatever keyboard or
//! file system wrote them.
//!
//! Texts are composed at the entry points: a document when it is read, a request when it is parsed,
//! a name on the command line.

use std::borrow::Cow;

use serde_json::{Map, Value};
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Returns the composed text.
pub fn text(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// Returns the text itself if it is composed, or else its composed form.
pub fn owned(all: String) -> String {
    match text(&all) {
        Cow::Borrowed(_) => all,
        Cow::Owned(composed) => composed,
    }
}

/// Returns the value with all its texts and field names composed.
pub fn value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(owned(text)),
        Value::Array(values) => values.into_iter().map(self::value).collect(),
        Value::Object(fields) => {
            let composed = |(name, field)| (owned(name), self::value(field));
            Value::Object(fields.into_iter().map(composed).collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_letter_and_its_mark_become_the_letter_that_has_it() {
        assert_eq!(text("Ku\u{308}hlung, cafe\u{301}"), "K\u{fc}hlung, caf\u{e9}");
        assert_eq!(text("\u{1112}\u{1161}\u{11ab}"), "\u{d55c}", "syllables of Hangul, too");
        assert!(matches!(text("K\u{fc}hlung"), Cow::Borrowed(_)));
    }

    #[test]
    fn what_only_resembles_a_letter_stays_what_it_is() {
        for other in ["\u{fb01}", "x\u{b2}", "\u{ff21}", "q\u{301}"] {
            assert_eq!(text(other), other);
        }
    }

    #[test]
    fn all_texts_of_a_value_are_composed_and_nothing_else() {
        let decomposed = json!({"gro\u{308}\u{df}e": ["u\u{308}", 1.5, null, {"a\u{308}": true}]});
        assert_eq!(
            value(decomposed),
            json!({"gr\u{f6}\u{df}e": ["\u{fc}", 1.5, null, {"\u{e4}": true}]})
        );
    }
}
