//! The forms of secrets and the names before them. Each has hints, and does not occur in a text
//! without one of its hints.
//!
//! Nearly all texts contain no hint, and are checked within microseconds.

use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::Regex;

/// A form of a token, or a value that its surroundings mark as a secret.
struct Form {
    /// The hints in lower case. A text without any of them, in any case, has no secret of this
    /// form.
    hints: &'static [&'static str],
    /// The pattern. Its group `secret` is masked; `NAMES` stands for the names of secrets.
    pattern: &'static str,
}

const fn form(hints: &'static [&'static str], pattern: &'static str) -> Form {
    Form { hints, pattern }
}

#[rustfmt::skip]
const FORMS: [Form; 33] = [
    // Private keys (RFC 7468) between their lines, or cut off; and the end of a key that was split.
    form(&["private key"], r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s)*(?<secret>(?s:.{20,}?))(?:-----END|\z)"),
    form(&["-----end"], r"(?<secret>(?:[A-Za-z0-9+/=]{16,}\s+)+)-----END [A-Z ]*PRIVATE KEY"),
    // Tokens in the forms that their services publish: AWS.
    form(&["akia", "asia"], r"\b(?<secret>(?:AKIA|ASIA)[0-9A-Z]{16})"),
    // GitHub and GitLab.
    form(&["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"\b(?<secret>gh[pousr]_[A-Za-z0-9]{20,})"),
    form(&["github_pat_"], r"\b(?<secret>github_pat_[A-Za-z0-9_]{20,})"),
    form(&["glpat-"], r"\b(?<secret>glpat-[A-Za-z0-9_-]{16,})"),
    // Slack: its tokens, and the path of an incoming webhook.
    form(&["xox"], r"\b(?<secret>xox[abeoprs]-[A-Za-z0-9_-]{10,})"),
    form(&["hooks.slack.com"], r"\bhooks\.slack\.com/services/(?<secret>[A-Za-z0-9]+/[A-Za-z0-9]+/[A-Za-z0-9]{16,})"),
    // Stripe: keys, and the signing secrets of its webhooks.
    form(&["k_live_", "k_test_"], r"\b(?<secret>[srp]k_(?:live|test)_[A-Za-z0-9_]{10,})"),
    form(&["whsec_"], r"\b(?<secret>whsec_[A-Za-z0-9+/=]{16,})"),
    // OpenAI, Google, npm, SendGrid, Hugging Face, Shopify, DigitalOcean.
    form(&["sk-"], r"\b(?<secret>sk-[A-Za-z0-9_-]{20,})"),
    form(&["aiza"], r"\b(?<secret>AIza[A-Za-z0-9_-]{30,})"),
    form(&["ya29."], r"\b(?<secret>ya29\.[A-Za-z0-9_-]{20,})"),
    form(&["npm_"], r"\b(?<secret>npm_[A-Za-z0-9_]{20,})"),
    form(&["sg."], r"\b(?<secret>SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})"),
    form(&["hf_"], r"\b(?<secret>hf_[A-Za-z0-9_]{20,})"),
    form(&["shpat_"], r"\b(?<secret>shpat_[A-Za-z0-9_]{20,})"),
    form(&["dop_v1_"], r"\b(?<secret>dop_v1_[A-Za-z0-9_]{20,})"),
    // Plumbline's own keys.
    form(&["plumbline_"], r"\b(?<secret>plumbline_[A-Za-z0-9]{26}_[A-Za-z0-9_-]{20,})"),
    // JSON Web Tokens (RFC 7519).
    form(&["eyj"], r"\b(?<secret>eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*)"),
    // The password in an address (RFC 3986, 3.2.1).
    form(&["@"], r#"://[^\s:/@"'<>]*:(?<secret>[^\s/"'<>]+)@"#),
    // HTTP headers (RFC 6750, RFC 7617, RFC 6265).
    form(&["authorization"], r#"(?i)\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|digest)\s+(?<secret>[^\s"',]{6,})"#),
    form(&["bearer"], r"(?i)\bbearer\s+(?<secret>[A-Za-z0-9._~+/=-]{16,})"),
    form(&["session", "sessid=", "sid="], r#"(?i)\b(?:session(?:[_-]?id)?|jsessionid|phpsessid|connect\.sid|sid)=(?<secret>[^\s;"'&]{12,})"#),
    // Addresses and connection strings with a signature or a key.
    form(&["sig=", "signature=", "code=", "key="], r#"(?i)[?&;](?:sig|signature|x-amz-signature|code|key)=(?<secret>[^\s&;"'<>]{12,})"#),
    // Options of programs.
    form(&["-u"], r#"(?:^|\s)(?:-u|--user)[ =]["']?[^\s:"']+:(?<secret>[^\s"']+)"#),
    form(&["mysql", "mariadb"], r#"\b(?:mysql|mariadb)\w*\b[^\n|]*?\s-p["']?(?<secret>[^\s"']+)"#),
    form(&["sshpass", "login"], r#"\b(?:sshpass|login)\b[^\n|]*?\s-p[ =]?["']?(?<secret>[^\s"']+)"#),
    form(&["password", "passwd", "token", "api-key"], r#"(?i)\s--(?:[a-z-]*-)?(?:password|passwd|token|api-key)[ =]["']?(?<secret>[^\s"'-][^\s"']*)"#),
    // Settings and statements without a mark between the name and the value: Redis, SQL.
    form(&["requirepass", "masterauth"], r#"(?i)\b(?:requirepass|masterauth)\s+["']?(?<secret>[^\s"';]+)"#),
    form(&["identified by"], r#"(?i)\bidentified by\s+["'](?<secret>[^"'\n]+)"#),
    // An entry of a container's environment, on two lines.
    form(&["value:"], r#"(?i)name:\s*["']?[\w.-]*NAMES["']?\s*\n\s*-?\s*value:\s*["']?(?<secret>[^\s"']+)"#),
    // An element of XML.
    form(&["</"], r"(?i)<[\w:.-]*NAMES>(?<secret>[^<\s]+)</"),
];

/// The endings of the names of secrets, each with its hint.
const ENDINGS: [(&str, &str); 9] = [
    ("pass", "pass(?:word|wd|phrase|wort)?"),
    ("pwd", "pwd"),
    ("pw", r"(?:\b|_)pw"),
    ("kennwort", "kennwort"),
    ("contrase", "contraseña"),
    ("passe", "mot[ _-]de[ _-]passe"),
    ("secret", "secret"),
    ("token", "token"),
    ("credential", "credentials?"),
];

/// The words before `key` in the names of secrets. Other keys are not secret.
const KEYS: [&str; 16] = [
    "api",
    "access",
    "secret",
    "private",
    "account",
    "signing",
    "signature",
    "encryption",
    "shared",
    "master",
    "auth",
    "license",
    "storage",
    "app",
    "session",
    "service",
];

/// Returns the pattern of the names of secrets. Their parts may have marks between them.
pub(super) fn names() -> String {
    let endings = ENDINGS.map(|(_, ending)| ending).join("|");
    format!("(?:{endings}|(?:{})[_-]?(?:access)?[_-]?key)", KEYS.join("|"))
}

#[expect(clippy::unwrap_used, reason = "the patterns are constants, and the tests compile them")]
pub(super) fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// The hints of all forms and names. `forms` has the place of the form of each hint; `None` for a
/// name.
struct Hints {
    automaton: AhoCorasick,
    forms: Vec<Option<usize>>,
}

#[expect(clippy::unwrap_used, reason = "the hints are constants, and the tests build it")]
static HINTS: LazyLock<Hints> = LazyLock::new(|| {
    let of_forms = FORMS.iter().enumerate();
    let of_forms = of_forms.flat_map(|(at, of_form)| {
        of_form.hints.iter().map(move |hint| (Some(at), (*hint).to_owned()))
    });
    let endings = ENDINGS.iter().map(|(hint, _)| (None, (*hint).to_owned()));
    let keys =
        KEYS.iter().flat_map(|key| ["", "_", "-"].map(|mark| (None, format!("{key}{mark}key"))));
    let (forms, hints): (Vec<_>, Vec<String>) = of_forms.chain(endings).chain(keys).unzip();
    // Every passage that leaves the index is checked. A DFA takes a third of the time.
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
    let automaton = builder.build(hints).unwrap();
    Hints { automaton, forms }
});

static COMPILED: [OnceLock<Regex>; FORMS.len()] = [const { OnceLock::new() }; FORMS.len()];

/// Returns the forms that a text may have, with true if it may have the name of a secret.
pub(super) fn looked_for(text: &str) -> (Vec<&'static Regex>, bool) {
    let mut is_due = [false; FORMS.len()];
    let mut may_name = false;
    for hint in HINTS.automaton.find_overlapping_iter(text) {
        match HINTS.forms[hint.pattern().as_usize()] {
            Some(at) => is_due[at] = true,
            None => may_name = true,
        }
    }
    let compiled = |at: usize| {
        COMPILED[at].get_or_init(|| pattern(&FORMS[at].pattern.replace("NAMES", &names())))
    };
    ((0..FORMS.len()).filter(|at| is_due[*at]).map(compiled).collect(), may_name)
}
