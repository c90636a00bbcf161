//! Words for what is shown.

use console::style;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use textwrap::{Options, WordSeparator, WordSplitter};

pub(crate) use views::wording::listed;
pub use views::wording::{count, flat};

/// A value's name on the wire, `as_quoted` as `as quoted`.
pub fn name(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}

/// A heading with what is to be known of it in short.
pub(crate) fn titled(title: &str, remark: &str) -> String {
    format!("{}  {}", style(title).bold(), style(remark).dim())
}

/// The text with what would steer a terminal or turn the reading direction replaced; line breaks
/// and tabs stay.
pub(crate) fn printable(text: &str) -> String {
    text.replace("\r\n", "\n").replace(steers, "\u{fffd}")
}

/// The value as JSON to read; what would steer a terminal is escaped, so that it is the same value.
pub(crate) fn pretty(value: &Value) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    let escaped = |letter| match letter {
        letter if steers(letter) => format!("\\u{:04x}", u32::from(letter)),
        letter => letter.to_string(),
    };
    Ok(if text.contains(steers) { text.chars().map(escaped).collect() } else { text })
}

fn steers(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        letter => letter.is_control(),
    }
}

/// The day of a time, in UTC.
pub(crate) fn day(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d").to_string()
}

/// A time up to its minutes, in UTC.
pub(crate) fn minute(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M").to_string()
}

/// A line in the background, below what it belongs to.
pub(crate) fn remark(text: &str, width: usize) -> Vec<String> {
    wrapped(&style(text).dim().to_string(), "    ", "      ", width)
}

pub(crate) fn wrapped(text: &str, first: &str, rest: &str, width: usize) -> Vec<String> {
    let options = Options::new(width)
        .initial_indent(first)
        .subsequent_indent(rest)
        // Paths and dates stay whole, so that they can be copied.
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::wrap(text, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// Returns at most `most` lines of the text as a quote; an ellipsis tells that it goes on.
pub(crate) fn quoted(
    text: &str,
    first: &str,
    rest: &str,
    most: usize,
    width: usize,
) -> Vec<String> {
    let text = format!("\"{}\"", flat(text));
    let mut lines = wrapped(&text, first, rest, width.saturating_sub(5));
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            last.push_str(" ...\"");
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_steer_a_terminal_is_replaced() {
        assert_eq!(printable("a\tb\r\nc\n"), "a\tb\nc\n");
        assert_eq!(
            printable("\u{1b}[2Jgone\rhere\u{9b}0m\u{7}"),
            "\u{fffd}[2Jgone\u{fffd}here\u{fffd}0m\u{fffd}"
        );
        assert_eq!(printable("exe\u{202e}txt.naïve"), "exe\u{fffd}txt.naïve");
    }

    #[test]
    fn json_cannot_steer_a_terminal_and_is_the_same_value() {
        let value = serde_json::json!({"a": "\u{1b}[2J\u{9b}0m\u{202e}é\n"});
        let text = pretty(&value).unwrap();
        assert_eq!(text, "{\n  \"a\": \"\\u001b[2J\\u009b0m\\u202eé\\n\"\n}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn a_time_is_told_up_to_its_day_or_its_minutes() {
        let time: Timestamp = "2019-06-01T08:30:12.5Z".parse().unwrap();
        assert_eq!((day(time), minute(time)), ("2019-06-01".into(), "2019-06-01 08:30".into()));
    }

    #[test]
    fn paths_and_dates_stay_whole() {
        let text = "changed 2026-11-25 in postmortems/gateway-timeout.md:31-35";
        let lines = ["changed", "  2026-11-25 in", "  postmortems/gateway-timeout.md:31-35"];
        assert_eq!(wrapped(text, "", "  ", 16), lines);
    }

    #[test]
    fn a_quote_tells_that_the_text_goes_on() {
        let text = "one two three\nfour five six";
        assert_eq!(quoted(text, "- ", "  ", 2, 19), ["- \"one two", "  three four ...\""]);
        assert_eq!(quoted("one", "- ", "  ", 2, 19), ["- \"one\""]);
    }
}
