//! Texts that are cut so that they fit.

use serde_json::Value;

/// A text of fewer bytes is not worth showing.
const LEAST: usize = 80;

/// Cuts the longest text in a value by at least `over` bytes of its JSON, at the end of a sentence where there is one, else
/// of a word. False, and nothing is changed, where less than [`LEAST`] bytes of it would be left.
pub(super) fn longest(value: &mut Value, over: usize) -> bool {
    let Some(text) = longest_text(value) else { return false };
    // An escaped byte has up to six.
    let is_escaped = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=31);
    let escaped = text.bytes().filter(is_escaped).count();
    let Some(most) = text.len().checked_sub(over + escaped + '…'.len_utf8() + 1) else {
        return false;
    };
    let whole = &text[..text.floor_char_boundary(most)];
    let end =
        whole.rfind(['.', '!', '?', '\n']).map(|at| at + 1).filter(|end| *end >= whole.len() / 2);
    let end = end.or_else(|| whole.rfind(char::is_whitespace)).unwrap_or(whole.len());
    if end < LEAST {
        return false;
    }
    let cut = format!("{} …", whole[..end].trim_end());
    *text = cut;
    true
}

fn longest_text(value: &mut Value) -> Option<&mut String> {
    match value {
        Value::String(text) => Some(text),
        Value::Object(fields) => {
            fields.values_mut().filter_map(longest_text).max_by_key(|text| text.len())
        }
        _ => None,
    }
}
