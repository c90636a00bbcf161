//! Chinese, Japanese and Korean, whose words no blanks part, or end in particles. Two letters side
//! by side count as a word there, and pairs overlap.
//!
//! Source: Nie and Ren, "Chinese information retrieval: using characters or words?" (1999), where
//! overlapping pairs find about as well as the words of a dictionary.

use std::borrow::Cow;

/// Chinese letters of questions and grammar. A pair with one of them says nothing about a subject.
const GRAMMAR: &str = "的了是和与或吗呢吧么什怎哪谁何";

/// Pairs of questions whose letters stand in other words, too.
const QUESTIONS: [&str; 3] = ["多久", "多少", "请问"];

/// Returns true for a Han letter, a Japanese syllable or a Korean one.
pub fn is_letter(c: char) -> bool {
    c >= '\u{3005}' && (is_han(c) || is_kana(c) || is_hangul(c))
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// Returns true for a Japanese syllable.
pub(crate) fn is_kana(c: char) -> bool {
    is_hiragana(c) || is_katakana(c)
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}')
}

fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
        | '\u{ff66}'..='\u{ff9d}')
}

/// Returns true for a Korean syllable.
pub(crate) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// Returns the words of a text, without what stands between them. Of a run of these letters they
/// are the pairs; of a run of one letter it is the letter.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    runs(text).flat_map(|run| {
        let is_of_these = run.starts_with(is_letter);
        let second =
            if is_of_these { run.chars().next().map_or(0, char::len_utf8) } else { run.len() };
        let ends = run[second..].char_indices().map(move |(at, c)| second + at + c.len_utf8());
        let ends = std::iter::once(second).filter(move |end| *end == run.len()).chain(ends);
        let begins = run.char_indices().map(|(at, _)| at);
        begins.zip(ends).map(move |(begin, end)| &run[begin..end])
    })
}

/// Returns a text with blanks between its words, for a search engine that splits at blanks.
pub fn spaced(text: &str) -> Cow<'_, str> {
    if !text.contains(is_letter) {
        return text.into();
    }
    let mut spaced = String::with_capacity(2 * text.len());
    let mut at = 0;
    for run in runs(text).filter(|run| run.starts_with(is_letter)) {
        let start = run.as_ptr().addr() - text.as_ptr().addr();
        spaced.push_str(&text[at..start]);
        for word in words(run) {
            spaced.push(' ');
            spaced.push_str(word);
        }
        spaced.push(' ');
        at = start + run.len();
    }
    spaced.push_str(&text[at..]);
    spaced.into()
}

/// Returns true for a pair that says nothing about a subject: with a letter of grammar or of a
/// Japanese ending, or of a question.
pub fn is_common(word: &str) -> bool {
    QUESTIONS.contains(&word) || word.chars().any(|c| GRAMMAR.contains(c) || is_hiragana(c))
}

/// Returns the longest parts of a text that are letters of these languages, or letters and digits
/// of others.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty());
    pieces.flat_map(|piece| {
        let mut rest = piece;
        std::iter::from_fn(move || {
            let is_of_these = is_letter(rest.chars().next()?);
            let end = rest.find(|c| is_letter(c) != is_of_these).unwrap_or(rest.len());
            let (run, behind) = rest.split_at(end);
            rest = behind;
            Some(run)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_side_by_side_are_words() {
        let read = |text| words(text).collect::<Vec<&str>>();
        assert_eq!(read("Kubernetes集群，v2"), ["Kubernetes", "集群", "v2"]);
        assert_eq!(read("保存期間 90日"), ["保存", "存期", "期間", "90", "日"]);
        assert_eq!(read("서버는"), ["서버", "버는"]);
        assert_eq!(spaced("the pump, 1.5 V"), "the pump, 1.5 V");
        assert_eq!(spaced("用kubectl查看日志。"), " 用 kubectl 查看 看日 日志 。");
    }

    #[test]
    fn grammar_says_nothing() {
        assert!(is_common("限是") && is_common("ログは") && !is_common("日志"));
    }
}
