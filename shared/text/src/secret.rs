//! Finds passwords, keys and tokens in a text, by the names before them or by their own form, and
//! masks them.
//!
//! A mask has as many bytes as the secret that it hides, so that spans of the text stay valid. The
//! forms are those that services publish for their tokens. The names are those of settings,
//! headers, options and query parameters.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use form::pattern;

mod form;
mod value;

/// The version of these rules. It rises with every change of what is masked: passages that were
/// masked by an older one are masked again when they are read, until they are indexed again.
pub const MASKER: u32 = 3;

/// A name, a mark, and the value up to the next white space or mark; `quote` is the quotation mark
/// before the value.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r#"(?i)(?<name>[\w.$/-]*{})(?:\[[^\]\n]*\])?\\?["']?\s*(?::=|=>|:|=)\s*(?<quote>\\?["'`]?)(?<secret>[^\s"'`,;]*[^\s"'`,;&\\])"#,
        form::names()
    ))
});

/// The name of a secret.
static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("(?i){}$", form::names())));

/// A sentence that contains a password.
static IN_PROSE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)\b(?:password|passphrase|passwd|passwort|kennwort|contraseña|mot de passe|token|secret|credentials?|api[_-]key)\b(?:\s+\(|[^.\n]{0,60}?\b(?:is|was|to|with|as|ist|lautet|est|es)\b(?: now| jetzt)?:?\s+)(?<quote>["'`]?)(?<secret>[^\s"'`]+)"#,
    )
});

/// Returns a text in which each byte of a secret is a `*`; the text itself if it has no secret.
pub fn mask(text: &str) -> Cow<'_, str> {
    let found = secrets(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for Range { start, end } in found {
        masked.push_str(&text[at.min(start)..start]);
        masked.extend(std::iter::repeat_n('*', end - start));
        at = end;
    }
    masked.push_str(&text[at..]);
    Cow::Owned(masked)
}

/// Returns true if a text has a secret.
pub fn is_in(text: &str) -> bool {
    !secrets(text).is_empty()
}

/// Returns true if `value` is the secret that belongs to `name`, which is the path of a setting or
/// of a field.
pub fn is_value(name: &str, value: &str) -> bool {
    (NAME.is_match(name) && value::is_secret(name, value, 0..value.len(), "\"")) || is_in(value)
}

/// Returns the byte ranges of secrets, in order and without overlaps.
pub fn secrets(text: &str) -> Vec<Range<usize>> {
    if is_key_body(text) {
        return std::iter::once(0..text.len()).collect();
    }
    let (forms, may_name) = form::looked_for(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    for form in forms {
        let hits = form.captures_iter(text).filter_map(|parts| parts.name("secret"));
        let hits = hits.filter(|hit| !value::is_placeholder(hit.as_str()));
        let hits = hits.filter(|hit| !value::is_of_words(hit.as_str()));
        found.extend(hits.map(|hit| hit.range()));
    }
    if may_name {
        named(text, &mut found);
        in_prose(text, &mut found);
    }
    joined(found)
}

/// Finds passwords in sentences.
fn in_prose(text: &str, found: &mut Vec<Range<usize>>) {
    for parts in IN_PROSE.captures_iter(text) {
        let quote = parts.name("quote").map_or("", |part| part.as_str());
        let Some(hit) = parts.name("secret") else { continue };
        let password = hit.as_str().trim_end_matches(['.', ',', ';', ')', ':']);
        if value::is_password_in_prose(password, quote) {
            found.push(hit.start()..hit.start() + password.len());
        }
    }
}

/// Upper bound for the bytes of a value within which another name with its value is searched.
const NESTED: usize = 400;

/// Finds values after the names of secrets.
fn named(text: &str, found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(parts) = NAMED.captures_at(text, at) {
        let (Some(name), Some(hit)) = (parts.name("name"), parts.name("secret")) else { break };
        let quote = parts.name("quote").map_or("", |part| part.as_str());
        let hit = value::of_query(text, name.start(), hit.range());
        let range = value::whole(text, hit.clone(), quote);
        let is_secret = value::is_secret(name.as_str(), text, range.clone(), quote);
        // The apparent value of one name may contain another name.
        at = if is_secret || hit.len() > NESTED { hit.end } else { hit.start.max(at + 1) };
        at = text.ceil_char_boundary(at);
        found.extend(is_secret.then_some(range));
    }
}

/// Returns true if a text consists of lines of base64 alone: the middle of a key that was split
/// into passages.
fn is_key_body(text: &str) -> bool {
    let is_base64 = |line: &str| {
        (40..=76).contains(&line.len())
            && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
    };
    let mut lines = text.lines();
    lines.clone().count() > 2 && lines.all(|line| is_base64(line.trim()))
}

fn joined(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|hit| hit.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for hit in found {
        match joined.last_mut() {
            Some(last) if hit.start <= last.end => last.end = last.end.max(hit.end),
            _ => joined.push(hit),
        }
    }
    joined
}

#[cfg(test)]
mod foreign;
#[cfg(test)]
mod tests;
