//! Passwords, keys and tokens in a text: found by the names that they stand behind, or by their own form, and masked.
//!
//! A mask has as many bytes as what it hides, so that spans of the text still hold. The forms are those that services
//! publish for their tokens; the names are those of settings, headers, options and query parameters.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

mod value;

/// The words that the name of a secret ends in, with marks between their parts or without.
const NAMES: &str = r"(?:pass(?:word|wd|phrase|wort)?|pwd|(?:\b|_)pw|kennwort|contraseña|mot[ _-]de[ _-]passe|secret|token|credentials?|(?:api|access|secret|private|account|signing|signature|encryption|shared|master|auth|license|storage|app|session|service)[_-]?(?:access)?[_-]?key)";

#[expect(clippy::unwrap_used, reason = "the patterns are constants, and the tests compile them")]
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// What stands as it is: a form of a token, or a value that its surroundings show. The group `own` is the secret.
static FORMS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let forms = [
        // Keys between their lines, or cut off.
        r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s)*(?<own>(?s:.{20,}?))(?:-----END|\z)".to_owned(),
        // The end of one that was cut in two.
        r"(?<own>(?:[A-Za-z0-9+/=]{16,}\s+)+)-----END [A-Z ]*PRIVATE KEY".to_owned(),
        // AWS, GitHub, GitLab, Slack, Stripe, OpenAI, Google, npm, SendGrid, Hugging Face, Shopify, DigitalOcean.
        r"\b(?<own>(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9_-]{10,}|[srp]k_(?:live|test)_[A-Za-z0-9_]{10,}|sk-[A-Za-z0-9_-]{20,}|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9_]{20,}|SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}|hf_[A-Za-z0-9_]{20,}|shpat_[A-Za-z0-9_]{20,}|dop_v1_[A-Za-z0-9_]{20,}|whsec_[A-Za-z0-9+/=]{16,})".to_owned(),
        // An incoming webhook of Slack.
        r"\bhooks\.slack\.com/services/(?<own>[A-Za-z0-9]+/[A-Za-z0-9]+/[A-Za-z0-9]{16,})".to_owned(),
        // JSON Web Tokens (RFC 7519).
        r"\b(?<own>eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*)".to_owned(),
        // The password of an address (RFC 3986, 3.2.1).
        r#"://[^\s:/@"'<>]*:(?<own>[^\s/"'<>]+)@"#.to_owned(),
        // Headers of HTTP (RFC 6750, RFC 7617).
        r#"(?i)\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|digest)\s+(?<own>[^\s"',]{6,})"#.to_owned(),
        r"(?i)\bbearer\s+(?<own>[A-Za-z0-9._~+/=-]{16,})".to_owned(),
        r#"(?i)\b(?:session(?:[_-]?id)?|jsessionid|phpsessid|connect\.sid|sid)=(?<own>[^\s;"'&]{12,})"#.to_owned(),
        r#"(?i)[?&;](?:sig|signature|x-amz-signature|code|key)=(?<own>[^\s&;"'<>]{12,})"#.to_owned(),
        // Options of programs.
        r#"(?:^|\s)(?:-u|--user)[ =]["']?[^\s:"']+:(?<own>[^\s"']+)"#.to_owned(),
        r#"\b(?:mysql|mariadb)\w*\b[^\n|]*?\s-p["']?(?<own>[^\s"']+)"#.to_owned(),
        r#"\b(?:sshpass|login)\b[^\n|]*?\s-p[ =]?["']?(?<own>[^\s"']+)"#.to_owned(),
        r#"(?i)\s--(?:[a-z-]*-)?(?:password|passwd|token|api-key)[ =]["']?(?<own>[^\s"'-][^\s"']*)"#.to_owned(),
        // The password after the name of a user in Redis and others.
        r#"(?i)\b(?:requirepass|masterauth)\s+["']?(?<own>[^\s"';]+)"#.to_owned(),
        r#"(?i)\bidentified by\s+["'](?<own>[^"'\n]+)"#.to_owned(),
        // An entry of an environment, in two lines.
        format!(r#"(?i)name:\s*["']?[\w.-]*{NAMES}["']?\s*\n\s*-?\s*value:\s*["']?(?<own>[^\s"']+)"#),
        // An element of XML.
        format!(r"(?i)<[\w:.-]*{NAMES}>(?<own>[^<\s]+)</"),
    ];
    forms.iter().map(|form| pattern(form)).collect()
});

/// A name with its value behind a mark, up to the first blank or mark; `quote` is what the value stands in.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r#"(?i)(?<name>[\w.$/-]*{NAMES})(?:\[[^\]\n]*\])?\\?["']?\s*(?::=|=>|:|=)\s*(?<quote>\\?["'`]?)(?<own>[^\s"'`,;]*[^\s"'`,;&\\])"#
    ))
});

/// A name that is a secret's.
static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("(?i){NAMES}$")));

/// Prose that tells a password.
static TOLD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)\b(?:password|passphrase|passwd|passwort|kennwort|contraseña|mot de passe|token|secret|credentials?|api[_-]key)\b(?:\s+\(|[^.\n]{0,60}?\b(?:is|was|to|with|as|ist|lautet|est|es)\b(?: now| jetzt)?:?\s+)(?<quote>["'`]?)(?<own>[^\s"'`]+)"#,
    )
});

/// A text in which each byte of a secret is a `*`; the text itself where it has none.
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

/// Whether a text has a secret.
pub fn is_in(text: &str) -> bool {
    !secrets(text).is_empty()
}

/// Whether `value` is a secret that `name`, the path of a setting or of a field, has.
pub fn is_value(name: &str, value: &str) -> bool {
    (NAME.is_match(name) && value::is_secret(name, value, 0..value.len(), "\"")) || is_in(value)
}

/// Parts of names, forms and options without one of which there is no secret: nearly all passages have none of them, and are
/// looked through in microseconds.
const HINTS: [&str; 62] = [
    "pass",
    ";key=",
    "-u=",
    "-----end",
    "pwd",
    "secret",
    "token",
    "credential",
    "_key",
    "-key",
    "ikey",
    "skey",
    "tkey",
    "ekey",
    "gkey",
    "nkey",
    "dkey",
    "rkey",
    "hkey",
    "pkey",
    "&key=",
    "?key=",
    "private key",
    "akia",
    "asia",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xox",
    "k_live_",
    "k_test_",
    "sk-",
    "aiza",
    "ya29.",
    "npm_",
    "sg.",
    "hf_",
    "shpat_",
    "dop_v1_",
    "eyj",
    "authorization",
    "bearer",
    "session",
    "sessid=",
    "sid=",
    "sig=",
    "signature=",
    "code=",
    "-u ",
    "-u'",
    "--user",
    "requirepass",
    "masterauth",
    "pw",
    "kennwort",
    "contrase",
    "whsec_",
    "hooks.slack.com",
];

#[expect(clippy::unwrap_used, reason = "the hints are constants, and the tests build it")]
static MAY_HAVE: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let hints = HINTS.iter().chain(&["login", "mysql", "mariadb", "identified by", "\"-u"]);
    AhoCorasick::builder().ascii_case_insensitive(true).build(hints).unwrap()
});

/// The bytes of secrets, in order, none within another.
pub fn secrets(text: &str) -> Vec<Range<usize>> {
    if is_key_body(text) {
        return std::iter::once(0..text.len()).collect();
    }
    let has_address = text.contains('@') && text.contains("://");
    if !has_address && !MAY_HAVE.is_match(text) {
        return Vec::new();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for form in FORMS.iter() {
        let own = form.captures_iter(text).filter_map(|parts| parts.name("own"));
        found.extend(own.filter(|own| !value::is_placeholder(own.as_str())).map(|own| own.range()));
    }
    named(text, &mut found);
    for parts in TOLD.captures_iter(text) {
        let quote = parts.name("quote").map_or("", |part| part.as_str());
        let Some(own) = parts.name("own") else { continue };
        let told = own.as_str().trim_end_matches(['.', ',', ';', ')', ':']);
        if value::is_told(told, quote) {
            found.push(own.start()..own.start() + told.len());
        }
    }
    joined(found)
}

/// The most bytes of a value within which another name with its value is looked for.
const NESTED: usize = 400;

/// Finds values behind the names of secrets.
fn named(text: &str, found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(parts) = NAMED.captures_at(text, at) {
        let (Some(name), Some(own)) = (parts.name("name"), parts.name("own")) else { break };
        let quote = parts.name("quote").map_or("", |part| part.as_str());
        let own = value::of_query(text, name.start(), own.range());
        let range = value::whole(text, own.clone(), quote);
        let is_secret = value::is_secret(name.as_str(), text, range.clone(), quote);
        // A name may stand within what seems to be the value of another.
        at = if is_secret || own.len() > NESTED { own.end } else { own.start.max(at + 1) };
        at = text.ceil_char_boundary(at);
        found.extend(is_secret.then_some(range));
    }
}

/// Whether a text is nothing but lines of base64: the middle of a key that was cut into passages.
fn is_key_body(text: &str) -> bool {
    let is_base64 = |line: &str| {
        (40..=76).contains(&line.len())
            && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
    };
    let mut lines = text.lines();
    lines.clone().count() > 2 && lines.all(|line| is_base64(line.trim()))
}

fn joined(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|own| own.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for own in found {
        match joined.last_mut() {
            Some(last) if own.start <= last.end => last.end = last.end.max(own.end),
            _ => joined.push(own),
        }
    }
    joined
}

#[cfg(test)]
mod foreign;
#[cfg(test)]
mod tests;
