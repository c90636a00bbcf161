//! The severity that a record of a log tells.

/// The words of loggers, and the severity that each stands for.
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

/// The severity that a logger's word stands for, whatever its case: `warning` is `WARN`.
pub fn severity(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(w, _)| w.eq_ignore_ascii_case(word)).map(|(_, severity)| *severity)
}

/// Severities, the least severe first.
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

/// A level's severity, from 0; `None` for a word that is none.
pub fn rank(word: &str) -> Option<usize> {
    let severity = severity(word)?;
    RANKED.iter().position(|level| *level == severity)
}
