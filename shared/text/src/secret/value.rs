//! Decides whether the value after the name of a secret is one, or only refers to it.

use std::ops::Range;

/// The beginnings of placeholders for a secret and of references to one.
const REFERS: [&str; 15] = [
    "${", "$(", "{", "<", "[", "(", "%(", "@{", "./", "~/", "arn:", "vault:", "file:", "env:",
    "env.",
];

/// Words that are not secrets, in lower-case letters.
const WORDS: [&str; 26] = [
    "none",
    "null",
    "nil",
    "true",
    "false",
    "yes",
    "no",
    "on",
    "off",
    "string",
    "str",
    "text",
    "bytes",
    "required",
    "optional",
    "disabled",
    "enabled",
    "undefined",
    "empty",
    "redacted",
    "hidden",
    "prompt",
    "changeme",
    "password",
    "secret",
    "token",
];

/// Parts of code that computes or reads a value.
const CODE: [&str; 9] =
    ["(", "[", "environ", "getenv", "process.", "config.", "settings.", "self.", "::"];

/// Returns true if a value is a placeholder, a reference or a word.
pub(super) fn is_placeholder(value: &str) -> bool {
    let small = value.to_ascii_lowercase();
    let letters = small.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let is_one_mark =
        small.bytes().all(|byte| matches!(byte, b'x' | b'*' | b'.' | b'-' | b'_' | b'#'));
    refers(value, &small)
        || WORDS.contains(&letters)
        || is_one_mark
        || ["your", "example", "placeholder", "changeme", "change-me", "change_me", "dummy", "xxxx"]
            .iter()
            .any(|a| small.len() < SHORT && small.contains(a))
}

/// Lower bound for the parts of a name with dashes, and upper bound for the bytes of one.
const PARTS: usize = 3;
const PART: usize = 15;

/// Returns true for a name of words and numbers behind `sk-`, such as that of a file:
/// `sk-adr-0038-completion-service`. A key of the form mixes letters and digits.
pub(super) fn is_of_words(value: &str) -> bool {
    let Some(name) = value.strip_prefix("sk-") else { return false };
    let is_word = |part: &str| {
        let of = |is: fn(&u8) -> bool| !part.is_empty() && part.bytes().all(|byte| is(&byte));
        part.len() <= PART && (of(u8::is_ascii_lowercase) || of(u8::is_ascii_digit))
    };
    name.split('-').count() >= PARTS && name.split('-').all(is_word)
}

/// Lower bound for the bytes of a value that may contain a word such as "example" by chance.
const SHORT: usize = 40;

/// Returns true if a value refers to the place of the secret: a variable, a YAML anchor or tag, or
/// a path.
fn refers(value: &str, small: &str) -> bool {
    let is_word = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    REFERS.iter().any(|refer| small.starts_with(refer))
        || value.strip_prefix(['$', '*']).is_some_and(is_word)
        || value.strip_prefix('!').is_some_and(is_letters)
        || value.strip_prefix('%').is_some_and(|rest| rest.ends_with('%'))
        || (value.starts_with('/') && is_path(value))
}

/// Returns the value after a name. In a query string it ends at the next parameter.
pub(super) fn of_query(text: &str, name: usize, range: Range<usize>) -> Range<usize> {
    let is_query = text[..name].ends_with(['?', '&']);
    let end = text[range.clone()].find('&').filter(|_| is_query);
    range.start..end.map_or(range.end, |end| range.start + end)
}

/// Returns the whole value of which `range` was found: up to its closing quote on the same line, if
/// the value is in quotes.
pub(super) fn whole(text: &str, range: Range<usize>, quote: &str) -> Range<usize> {
    let Some(mark) = quote.chars().last() else { return range };
    let line = &text[range.start..text.floor_char_boundary(range.start + LONGEST)];
    let line = line.lines().next().unwrap_or_default();
    match line.find(mark) {
        Some(end) if end > range.len() => {
            range.start..range.start + line[..end].trim_end_matches('\\').len()
        }
        _ => range,
    }
}

/// Upper bound for the bytes of a value in quotes.
const LONGEST: usize = 4_096;

/// Returns true if the value after a name is a secret.
pub(super) fn is_secret(name: &str, text: &str, range: Range<usize>, quote: &str) -> bool {
    let (value, rest) = (&text[range.clone()], &text[range.end..]);
    let is_quoted = !quote.is_empty();
    if value.len() < 4 || is_placeholder(value) {
        return false;
    }
    if is_call(value) || (!is_quoted && CODE.iter().any(|range| value.contains(range))) {
        return false;
    }
    if value.contains("://") || has_file_ending(value) {
        return false;
    }
    let name = name.to_lowercase();
    let is_password =
        ["pass", "pwd", "kennwort", "contraseña"].iter().any(|range| name.contains(range))
            || name.ends_with("pw");
    if value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return is_password && value.len() >= 6;
    }
    if is_quoted || is_mixed(value) {
        return is_quoted || !is_path(value);
    }
    // A word without quotes is a password if nothing else follows on its line.
    let rest = rest.trim_start_matches([' ', '"', '\'', ',', ';', '}', '\r']);
    let is_alone = rest.is_empty() || rest.starts_with('\n');
    is_password && is_alone && value.len() >= 6 && !value.contains('.')
}

/// Returns true if a value contains a call, such as `hash(password`.
fn is_call(value: &str) -> bool {
    let is_name = |before: &str| before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    value.match_indices('(').any(|(at, _)| is_name(&value[..at]))
}

/// Returns true if the word after "the password is" in a sentence is a password.
pub(super) fn is_password_in_prose(value: &str, quote: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let is_marked = !quote.is_empty() && value.len() >= 5 && !value.contains([',', '(']);
    let is_odd = value.len() >= 8 && has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase);
    let is_address = value.contains('/')
        || value.rsplit_once('@').is_some_and(|(_, domain)| domain.contains('.'));
    (is_marked || is_odd)
        && is_mixed(value)
        && !is_address
        && !is_placeholder(value)
        && !is_time(value)
}

/// Returns true if a value has letters, and a digit or a mark that words do not have.
fn is_mixed(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    has(u8::is_ascii_alphabetic)
        && (has(u8::is_ascii_digit) || has(|byte| b"!#%^+=@$".contains(byte)))
}

fn is_path(value: &str) -> bool {
    value.contains('/')
        && !value.contains(['+', '='])
        && value.split('/').all(|part| part.len() < 20)
}

fn is_time(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit() || b":-.TZ".contains(&byte))
}

fn has_file_ending(value: &str) -> bool {
    [".pem", ".key", ".crt", ".json", ".yaml", ".yml", ".txt", ".env", ".p12", ".jks"]
        .iter()
        .any(|a| value.ends_with(a))
}
