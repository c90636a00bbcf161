//! Texts that are cut so that they fit.

use serde_json::Value;

/// A text of fewer bytes is not worth showing.
const LEAST: usize = 80;

/// A text of so many bytes can be cut and is still worth showing.
pub(super) const ROOM: usize = 2 * LEAST;

/// Cuts the longest text in a value by at least `over` bytes of its JSON, see [`text`].
pub(super) fn longest(value: &mut Value, over: usize) -> bool {
    longest_text(value).is_some_and(|longest| text(longest, over))
}

/// Cuts a text by at least `over` bytes of its JSON, at the end of a sentence where there is one,
/// else of a word. False, and nothing is changed, where less than [`LEAST`] bytes of it would be
/// left, or nothing is to be cut.
pub(super) fn text(text: &mut String, over: usize) -> bool {
    // An escaped byte has up to six.
    let is_escaped = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=31);
    let escaped = text.bytes().filter(is_escaped).count();
    let most = text.len().checked_sub(over + escaped + '…'.len_utf8() + 1);
    let Some(most) = most.filter(|_| over > 0) else { return false };
    let whole = &text[..text.floor_char_boundary(most)];
    let sentence = whole.rfind(['.', '!', '?', '\n']).map(|at| at + 1);
    let end = sentence.filter(|end| *end >= whole.len() / 2);
    let end = end.or_else(|| whole.rfind(char::is_whitespace)).unwrap_or(whole.len());
    if end < LEAST {
        return false;
    }
    let cut = format!("{} …", whole[..end].trim_end());
    *text = cut;
    true
}

/// The longest text in a value that is no list.
pub(super) fn longest_text(value: &mut Value) -> Option<&mut String> {
    match value {
        Value::String(text) => Some(text),
        Value::Object(fields) => {
            fields.values_mut().filter_map(longest_text).max_by_key(|text| text.len())
        }
        _ => None,
    }
}
