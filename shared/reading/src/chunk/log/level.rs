//! The severity that a record states.

use std::sync::LazyLock;

use model::level::severity;
use regex::Regex;

use super::stamp::pattern;

/// The severities of syslog by number; journals and GELF use the same numbers.
const SYSLOG: [&str; 8] =
    ["EMERGENCY", "ALERT", "CRITICAL", "ERROR", "WARN", "NOTICE", "INFO", "DEBUG"];

/// Upper bound for the words of a head that are examined.
const FIELDS: usize = 12;

/// Upper bound for the plain words before the level, such as a host and a logger.
const PLAIN: usize = 2;

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[A-Za-z]{3,13}[1-3]?"));
static KEYED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"^(?i:level|lvl|severity|log_?level|levelname|log\.level)[=:]"?(\w+)"#)
});

/// Returns the severity for one letter, as in `E1219` or `"s": "W"`.
pub(super) fn letter(letter: &str) -> Option<&'static str> {
    Some(match letter {
        "F" => "FATAL",
        "E" => "ERROR",
        "W" => "WARN",
        "I" => "INFO",
        "D" | "V" => "DEBUG",
        "T" => "TRACE",
        _ => return None,
    })
}

/// Returns the severity of a syslog number.
pub(super) fn syslog(number: u64) -> Option<&'static str> {
    SYSLOG.get(usize::try_from(number).ok()?).copied()
}

/// Returns the severity before a record's time, as in `ERROR 2026-11-20 ...`,
/// `worker::INFO::2026-...` or `E1120`.
pub(super) fn before(head: &str) -> Option<&'static str> {
    // The priority in syslog is the facility times eight plus the severity.
    if let Some((number, _)) = head.strip_prefix('<').and_then(|rest| rest.split_once('>'))
        && let Ok(number) = number.parse::<u64>()
    {
        return syslog(number % 8);
    }
    let fields = head.split([' ', '\t']).flat_map(|field| field.split("::"));
    fields.filter(|field| !field.is_empty()).find_map(|field| {
        let word = field.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_lone = field.starts_with(['[', '<']) || word == field;
        let by_letter = || letter(word).filter(|_| field.starts_with('['));
        keyed(field)
            .or_else(|| severity(word).filter(|_| is_lone && is_upper(word)))
            .or_else(by_letter)
    })
}

/// Returns the severity in the fields after a record's time. The search ends at the message, whose
/// words do not state the severity.
pub(super) fn after(rest: &str) -> Option<&'static str> {
    let mut plain = 0;
    let mut is_first = true;
    let mut begins_message = false;
    let mut is_numbered = false;
    let mut fields = rest.split_whitespace().take(FIELDS).peekable();
    while let Some(field) = fields.next() {
        if let Some(level) =
            keyed(field).or_else(|| read_level(field, is_first)).or_else(|| numbered(field))
        {
            return Some(level);
        }
        let next_is_upper = fields.peek().is_some_and(|next| next.len() >= 3 && is_upper(next));
        if let Some(level) = letter(field).filter(|_| is_numbered || is_first && next_is_upper) {
            return Some(level);
        }
        plain += usize::from(is_plain(field));
        if begins_message || plain >= PLAIN || field.contains("=\"") {
            return None;
        }
        let is_mark = !field.chars().any(char::is_alphanumeric);
        is_numbered = field.bytes().all(|byte| byte.is_ascii_digit());
        is_first = is_first && is_mark && field != "*";
        begins_message = !is_mark && field.ends_with(':');
    }
    None
}

/// Returns the severity of a text that begins with its level: `ERROR: no pump`, `[warn] no pump`,
/// `INFO:root:no pump`.
pub(super) fn opening(head: &str) -> Option<&'static str> {
    let field = head.split_whitespace().next()?;
    keyed(field).or_else(|| read_level(field, true))
}

/// Returns the severity of a head such as `E1120 18:10:00.5`.
pub(super) fn numbered(head: &str) -> Option<&'static str> {
    let field = head.split([' ', '\t']).next()?;
    let (initial, date) = field.split_at_checked(1)?;
    let is_date = date.len() == 4 && date.bytes().all(|byte| byte.is_ascii_digit());
    letter(initial).filter(|_| is_date)
}

fn keyed(field: &str) -> Option<&'static str> {
    let word = KEYED.captures(field)?.get(1)?.as_str();
    severity(word).or_else(|| letter(word))
}

/// Returns the level in a field. A level in capitals counts anywhere between marks; any other level
/// counts only in certain places.
fn read_level(field: &str, is_first: bool) -> Option<&'static str> {
    if field.contains("://") || field.len() > 60 {
        return None;
    }
    if field == "LOG:" {
        return severity(field);
    }
    WORD.find_iter(field).find_map(|found| {
        let (before, after) = (&field[..found.start()], &field[found.end()..]);
        if before.ends_with(|c: char| c.is_alphanumeric() || "_-=".contains(c) && before.len() > 1)
            || after.starts_with(|c: char| c.is_alphanumeric() || "_=-".contains(c))
        {
            return None;
        }
        let is_alone = before.is_empty() && after.chars().all(|c| ":,".contains(c));
        let is_marked = is_alone && (is_first || after.starts_with(':'))
            || before.starts_with(['[', '<']) && after.starts_with([']', '>'])
            || before.starts_with('|')
            || after.starts_with('|');
        let is_place = is_upper(found.as_str()) && !before.contains('/') || is_marked;
        severity(found.as_str()).filter(|_| is_place)
    })
}

fn is_upper(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

fn is_plain(field: &str) -> bool {
    let word = field.trim_end_matches([',', '.', ';', '!', '?']);
    word.len() > 1 && !is_upper(word) && word.chars().all(|c| c.is_alphabetic() || c == '\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_is_the_records_own_and_no_word_of_its_message() {
        for (rest, level) in [
            (" INFO 0 errors, no ERROR at all", Some("INFO")),
            (" [main thread] WARN c.e.Pool - ERROR rate 0", Some("WARN")),
            (" - pump.control - ERROR - dry", Some("ERROR")),
            (" info pump[12]: ERROR count 0", Some("INFO")),
            (" 17 [Warning] [MY-010068] [Server] self signed", Some("WARN")),
            (" [core:error] [pid 12] denied", Some("ERROR")),
            (": ERROR/MainProcess] task", Some("ERROR")),
            (" laravel.EMERGENCY: no logger", Some("EMERGENCY")),
            (" web-1 sshd[12]: error: too many", Some("ERROR")),
            (" 1702  2395 D WindowManager: drawn", Some("DEBUG")),
            (" CEST [12] LOG:  ready", Some("INFO")),
            (" level=warn msg=\"an ERROR\"", Some("WARN")),
            (" R02-M1 RAS KERNEL FATAL parity", Some("FATAL")),
            (" |ERROR|pump|dry", Some("ERROR")),
            (" pump sshd[12]: Failed after an ERROR", None),
            (" Checking for ERROR", None),
            ("  * Debug mode: on", None),
            (" I am here", None),
            (" GET /info HTTP/1.1", None),
            (" 7 Query SELECT error FROM t", None),
            (" 7 no-error", None),
        ] {
            assert_eq!(after(rest), level, "{rest}");
        }
    }

    #[test]
    fn a_level_may_stand_before_the_time() {
        assert_eq!(before("ERROR "), Some("ERROR"));
        assert_eq!(before("worker-3::DEBUG::"), Some("DEBUG"));
        assert_eq!(before("[W "), Some("WARN"));
        assert_eq!(before("level=info "), Some("INFO"));
        assert_eq!(before("nova-api.log.1 "), None);
    }
}
