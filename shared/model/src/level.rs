//! The severity of a log record.

/// The words of loggers, each with its severity.
const WORDS: [(&str, &str); 33] = [
    ("EMERGENCY", "EMERGENCY"),
    ("EMERG", "EMERGENCY"),
    ("ALERT", "ALERT"),
    ("FATAL", "FATAL"),
    ("PANIC", "FATAL"),
    ("CRITICAL", "CRITICAL"),
    ("CRIT", "CRITICAL"),
    ("ERROR", "ERROR"),
    ("ERR", "ERROR"),
    ("EROR", "ERROR"),
    ("SEVERE", "ERROR"),
    ("FAILURE", "ERROR"),
    ("WARNING", "WARN"),
    ("WARN", "WARN"),
    ("WRN", "WARN"),
    ("NOTICE", "NOTICE"),
    ("NOTE", "NOTICE"),
    ("INFORMATIONAL", "INFO"),
    ("INFORMATION", "INFO"),
    ("INFO", "INFO"),
    ("INF", "INFO"),
    ("DEBUG", "DEBUG"),
    ("DBG", "DEBUG"),
    ("VERBOSE", "DEBUG"),
    ("FINE", "DEBUG"),
    ("DEBUG1", "DEBUG"),
    ("DEBUG2", "DEBUG"),
    ("DEBUG3", "DEBUG"),
    ("FINER", "TRACE"),
    ("FINEST", "TRACE"),
    ("TRACE", "TRACE"),
    ("TRC", "TRACE"),
    ("LOG:", "INFO"),
];

/// Returns the severity of a logger's word, in any case: `warning` is `WARN`.
pub fn severity(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(w, _)| w.eq_ignore_ascii_case(word)).map(|(_, severity)| *severity)
}

/// The severities, the least severe first.
const RANKED: [&str; 10] = [
    "TRACE",
    "DEBUG",
    "INFO",
    "NOTICE",
    "WARN",
    "ERROR",
    "CRITICAL",
    "FATAL",
    "ALERT",
    "EMERGENCY",
];

/// Returns the levels from `least` on, the least severe first; all if it is no level.
pub fn from(least: &str) -> &'static [&'static str] {
    &RANKED[rank(least).unwrap_or_default()..]
}

/// Returns the rank of a level, counted from 0; `None` if the word is not a level.
pub fn rank(word: &str) -> Option<usize> {
    let severity = severity(word)?;
    RANKED.iter().position(|level| *level == severity)
}
