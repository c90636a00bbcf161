//! Whether what stands behind the name of a secret is one, or only says where it is.

/// Beginnings of what stands for a secret, or refers to one.
const REFERS: [&str; 17] = [
    "$", "<", "{", "[", "*", "%", "@", "!", "&", "(", "/", "./", "~", "arn:", "vault:", "file:",
    "env",
];

/// Words that are no secret; letters only, in small ones.
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

/// What programs call, or read from, where a value would stand.
const CODE: [&str; 9] =
    ["(", "[", "environ", "getenv", "process.", "config.", "settings.", "self.", "::"];

/// Whether a value is a placeholder, a reference or a word.
pub(super) fn is_placeholder(value: &str) -> bool {
    let small = value.to_ascii_lowercase();
    let letters = small.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let is_one_mark =
        small.bytes().all(|byte| matches!(byte, b'x' | b'*' | b'.' | b'-' | b'_' | b'#'));
    REFERS.iter().any(|own| small.starts_with(own))
        || WORDS.contains(&letters)
        || is_one_mark
        || ["your", "example", "placeholder", "changeme", "change-me", "change_me", "dummy", "xxxx"]
            .iter()
            .any(|own| small.contains(own))
}

/// Whether the value behind a name is a secret.
pub(super) fn is_secret(name: &str, value: &str, (quote, rest): (&str, &str)) -> bool {
    let is_quoted = !quote.is_empty();
    if value.len() < 4 || is_placeholder(value) || CODE.iter().any(|own| value.contains(own)) {
        return false;
    }
    if value.contains("://") || has_file_ending(value) {
        return false;
    }
    let is_password =
        name.to_ascii_lowercase().contains("pass") || name.to_ascii_lowercase().contains("pwd");
    if value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return is_password && value.len() >= 6;
    }
    if is_quoted || is_mixed(value) {
        return is_quoted || !is_path(value);
    }
    // A word without a quote is a password where nothing else stands on its line.
    let is_alone = rest.trim_matches([' ', '"', '\'', ',', ';', '}']).is_empty();
    is_password && is_alone && value.len() >= 6 && !value.contains('.')
}

/// Whether what prose says behind "the password is" is one.
pub(super) fn is_told(value: &str, quote: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let is_marked = !quote.is_empty() && value.len() >= 5 && !value.contains([',', '(']);
    let is_odd = value.len() >= 8 && has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase);
    let is_address =
        value.contains('/') || value.rsplit_once('@').is_some_and(|own| own.1.contains('.'));
    (is_marked || is_odd)
        && is_mixed(value)
        && !is_address
        && !is_placeholder(value)
        && !is_time(value)
}

/// Whether a value has letters, and a digit or a mark that words do not have.
fn is_mixed(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    has(u8::is_ascii_alphabetic)
        && (has(u8::is_ascii_digit) || has(|byte| b"!#%^+=@$".contains(byte)))
}

fn is_path(value: &str) -> bool {
    value.contains('/') && !value.contains(['+', '=']) && value.split('/').all(|own| own.len() < 20)
}

fn is_time(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit() || b":-.TZ".contains(&byte))
}

fn has_file_ending(value: &str) -> bool {
    [".pem", ".key", ".crt", ".json", ".yaml", ".yml", ".txt", ".env", ".p12", ".jks"]
        .iter()
        .any(|own| value.ends_with(own))
}
