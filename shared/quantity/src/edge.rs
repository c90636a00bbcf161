//! The text around a number: emphasis, gaps, words and their ends.

/// Upper bound for the length of a word that is looked up, in bytes.
const LONGEST_WORD: usize = 32;

/// Returns the character before `at`.
pub(super) fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// Returns the character at `at`.
pub(super) fn after(text: &str, at: usize) -> Option<char> {
    text[at..].chars().next()
}

/// Returns the byte at `at`, or 0 past the end.
pub(super) fn byte(text: &str, at: usize) -> u8 {
    text.as_bytes().get(at).copied().unwrap_or(0)
}

/// Returns true if the byte at `at` is a digit.
pub(super) fn is_digit(text: &str, at: usize) -> bool {
    byte(text, at).is_ascii_digit()
}

/// Returns the end of the ASCII digits that start at `at`.
pub(super) fn digits(text: &str, at: usize) -> usize {
    at + text.as_bytes()[at..].iter().take_while(|it| it.is_ascii_digit()).count()
}

/// Returns true if a word may end at `at`: no character that belongs to a word follows.
pub(super) fn ends(text: &str, at: usize) -> bool {
    let mut rest = text[at..].chars();
    match rest.next() {
        Some('_') => !rest.next().is_some_and(char::is_alphanumeric),
        Some(next) => !next.is_alphanumeric(),
        None => true,
    }
}

/// Returns true if a word may begin at `at`: no character that belongs to a word precedes.
pub(super) fn begins(text: &str, at: usize) -> bool {
    let mut rest = text[..at].chars().rev();
    match rest.next() {
        Some('_') => !rest.next().is_some_and(char::is_alphanumeric),
        Some(last) => !last.is_alphanumeric(),
        None => true,
    }
}

/// Returns true if `it` is a mark of Markdown emphasis or code.
pub(super) fn is_mark(it: char) -> bool {
    matches!(it, '*' | '`' | '_')
}

/// Returns true if `it` is a space within a line.
pub(super) fn is_space(it: char) -> bool {
    matches!(it, ' ' | '\t' | '\u{a0}' | '\u{2009}' | '\u{202f}')
}

/// Returns the end of the marks that start at `at`; at most four are read.
pub(super) fn marks(text: &str, at: usize) -> usize {
    at + text.as_bytes()[at..].iter().take_while(|it| is_mark(char::from(**it))).take(4).count()
}

/// Returns the place at which the next word may begin: after marks and at most one space or line
/// break.
pub(super) fn gap(text: &str, at: usize) -> usize {
    let at = marks(text, at);
    let rest = &text[at..];
    let space = match rest.chars().next() {
        Some(first) if is_space(first) => first.len_utf8(),
        Some('\n' | '\r') => {
            let line = rest.strip_prefix('\r').unwrap_or(rest);
            let line = line.strip_prefix('\n').unwrap_or(line);
            rest.len() - line.trim_start_matches(' ').len()
        }
        _ => 0,
    };
    marks(text, at + space)
}

/// Returns the start of the next word if white space precedes it; [`gap`] also accepts no gap or
/// marks alone.
pub(super) fn spaced(text: &str, at: usize) -> Option<usize> {
    let next = gap(text, at);
    text[at..next].contains(char::is_whitespace).then_some(next)
}

/// Returns the end of the word before `at`. This is [`gap`] read backwards.
pub(super) fn back(text: &str, at: usize) -> usize {
    let bare = |at: usize| {
        let marks =
            text.as_bytes()[..at].iter().rev().take_while(|it| is_mark(char::from(**it))).take(4);
        at - marks.count()
    };
    let at = bare(at);
    let line = text[..at].trim_end_matches(' ');
    let at = match (line.ends_with('\n'), before(text, at)) {
        (true, _) => line.trim_end_matches(['\n', '\r']).len(),
        (false, Some(last)) if is_space(last) => at - last.len_utf8(),
        _ => at,
    };
    bare(at)
}

/// Returns the ASCII letters that start at `at`.
pub(super) fn letters(text: &str, at: usize) -> &str {
    let count = text.as_bytes()[at..]
        .iter()
        .take(LONGEST_WORD)
        .take_while(|it| it.is_ascii_alphabetic())
        .count();
    &text[at..at + count]
}

/// Returns the ASCII letters that end at `end`.
pub(super) fn letters_before(text: &str, end: usize) -> &str {
    let letters = text.as_bytes()[..end].iter().rev().take(LONGEST_WORD);
    &text[end - letters.take_while(|it| it.is_ascii_alphabetic()).count()..end]
}

/// Returns the word before `at`, without the gap; empty if no word precedes.
pub(super) fn word_before(text: &str, at: usize) -> &str {
    letters_before(text, back(text, at))
}

/// Removes the rounding error of one conversion, so that 99.9 % is 0.999. A number with more digits
/// is unchanged.
pub(super) fn snap(value: f64) -> f64 {
    let tidy = tidy(value);
    if (tidy - value).abs() <= value.abs() * 1e-15 { tidy } else { value }
}

/// Rounds to 12 significant digits, so that 0.3 - 0.1 is 0.2.
pub(super) fn tidy(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}
