//! Splits text into sentences, and finds list markers and times at its beginning.

use std::ops::Range;

/// Abbreviations: words whose full stop does not end the sentence.
const ABBREVIATIONS: [&str; 14] =
    ["e.g", "i.e", "etc", "vs", "approx", "dr", "mr", "ms", "st", "fig", "no", "ref", "al", "cf"];

/// The months, because the full stop in "On 5. January" does not end the sentence.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Splits a block into sentences, without the numbers before them ("2. Use steel").
pub fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = trimmed(text, start..text.len());
            if rest.is_empty() {
                return None;
            }
            let begin = rest.start + after_marker(&text[rest.clone()]);
            let end = sentence_end(text, begin.max(rest.start));
            start = end;
            let sentence = trimmed(text, begin..end);
            if !sentence.is_empty() {
                return Some(sentence);
            }
        }
    })
}

fn sentence_end(text: &str, start: usize) -> usize {
    let mut quoted = false;
    for (at, c) in text[start..].char_indices() {
        if c == '`' {
            quoted = !quoted;
        }
        if quoted || !matches!(c, '.' | '!' | '?' | '。' | '！' | '？') {
            continue;
        }
        let at = start + at;
        let end = at + closing(&text[at..]);
        if !c.is_ascii() || ends_here(text, start, at, end) {
            return end;
        }
    }
    text.len()
}

/// Returns the number of bytes of a mark with the closing brackets and quotes after it.
fn closing(text: &str) -> usize {
    let mut behind = text.chars();
    let mark = behind.next().map_or(0, char::len_utf8);
    let is_closing = |c: &char| "\"')*_!?」』”）！？".contains(*c);
    mark + behind.take_while(is_closing).map(char::len_utf8).sum::<usize>()
}

fn ends_here(text: &str, start: usize, mark: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    if end == bytes.len() {
        return true;
    }
    if !bytes[end].is_ascii_whitespace() {
        return false;
    }
    let next = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
    if next.is_none_or(|byte| byte.is_ascii_lowercase() || matches!(byte, b',' | b';')) {
        return false;
    }
    if bytes[mark] != b'.' {
        return true;
    }
    let word = text[start..mark].rsplit([' ', '\n', '(']).next().unwrap_or_default();
    let is_number = !word.is_empty()
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && word.len() + start == mark;
    let before = text[start..mark - word.len()].trim_end().bytes().next_back();
    let is_unit = before.is_some_and(|byte| byte.is_ascii_digit()); // "4.5 V."
    let is_initial =
        word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_uppercase()) && !is_unit;
    let is_date = word.bytes().all(|byte| byte.is_ascii_digit())
        && MONTHS.iter().any(|month| text[end..].trim_start().starts_with(month));
    !is_number
        && !is_date
        && !is_initial
        && !ABBREVIATIONS.iter().any(|short| word.eq_ignore_ascii_case(short))
}

/// Removes white space at both ends.
pub fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    start..start + piece.trim().len()
}

/// Returns the number of bytes of a list marker, with its tick box and the white space after it; 0
/// without a marker.
pub fn after_marker(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match text.as_bytes().get(digits) {
        Some(b'.' | b')') if (1..=3).contains(&digits) => digits + 1,
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        _ if digits == 0 => ["•", "–", "·"]
            .iter()
            .find(|mark| text.starts_with(**mark))
            .map_or(0, |mark| mark.len()),
        _ => 0,
    };
    let rest = &text[marker..];
    if marker == 0 || !rest.starts_with([' ', '\t']) {
        return 0;
    }
    let body = rest.trim_start();
    let body =
        ["[ ] ", "[x] ", "[X] "].iter().find_map(|tick| body.strip_prefix(tick)).unwrap_or(body);
    text.len() - body.len()
}

/// Returns the number of bytes of a date and time at the beginning of a record; 0 without one.
pub fn after_time(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_stamp = |at: &usize| match bytes[*at] {
        b'-' | b':' | b'.' | b' ' | b'/' | b'[' | b']' | b'?' => true,
        b'T' => bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
        b'Z' => *at > 0 && bytes[at - 1].is_ascii_digit(),
        byte => byte.is_ascii_digit(),
    };
    let stamp = (0..bytes.len()).take_while(is_stamp).count();
    let digits = bytes[..stamp].iter().filter(|byte| byte.is_ascii_digit()).count();
    let separators =
        bytes[..stamp].iter().filter(|byte| matches!(byte, b':' | b'-' | b'.')).count();
    // "14:32" and "2023-09-18 15.26" are times. A bare number is content.
    let ends_word = stamp > 0 && matches!(bytes[stamp - 1], b' ' | b':');
    if digits < 3 || separators == 0 || !ends_word || stamp == text.len() {
        return 0;
    }
    let stamp = stamp - usize::from(bytes[..stamp].ends_with(b"["));
    let zone = ["UTC", "CET", "CEST", "EDT", "EST", "PST", "PDT", "GMT"]
        .iter()
        .find(|zone| text[stamp..].starts_with(**zone));
    let end = stamp + zone.map_or(0, |zone| zone.len());
    end + (text[end..].len() - text[end..].trim_start_matches([' ', ':', '-', '–']).len())
}

/// Returns true for a date or time alone: "13:42 UTC", "2023-09-18 13:42".
pub fn is_time(text: &str) -> bool {
    let before = format!("{} ", text.trim());
    after_time(&format!("{before}x")) == before.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn sentences_end_at_full_stops_but_not_within_numbers_code_and_abbreviations() {
        assert_eq!(
            cut("It rose to 4.5 V. Then `x. Y` burned, e.g. B. \"Off.\" Why?"),
            ["It rose to 4.5 V.", "Then `x. Y` burned, e.g. B. \"Off.\"", "Why?"]
        );
        assert_eq!(
            cut("水泵停了。原因是什么？「坏了。」v1.5"),
            ["水泵停了。", "原因是什么？", "「坏了。」", "v1.5"]
        );
        assert_eq!(cut("1. Use steel. 2. Ask first."), ["Use steel.", "Ask first."]);
        assert_eq!(cut(""), [""; 0]);
    }

    #[test]
    fn times_before_a_record_are_not_its_content() {
        assert_eq!(after_time("2023-09-18 13:42 Team noticed"), 17);
        assert_eq!(after_time("14:01 UTC: It"), 11);
        assert_eq!(after_time("504 errors"), 0);
        assert_eq!(after_time("2 nodes"), 0);
        assert!(is_time("13:42 UTC") && is_time(" 2023-09-18 13:42 ") && is_time("21:30"));
        assert!(!is_time("404 errors") && !is_time("13") && !is_time(""));
    }
}
