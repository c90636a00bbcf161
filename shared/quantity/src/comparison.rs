//! Comparison words around a quantity: "up to", "at least", "or more".

use super::Comparison::{self, About, Ge, Gt, Le, Lt};
use super::edge::{
    back, before as last, begins, byte, ends, gap, is_digit, letters_before, spaced,
};
use super::prefix;

const SIGNS: &[(&str, Comparison)] = &[
    ("<=", Le),
    (">=", Ge),
    ("≤", Le),
    ("⩽", Le),
    ("≥", Ge),
    ("⩾", Ge),
    ("&lt;=", Le),
    ("&gt;=", Ge),
    ("&lt;", Lt),
    ("&gt;", Gt),
    ("<", Lt),
    (">", Gt),
    ("~", About),
    ("≈", About),
    ("∼", About),
    ("≃", About),
];

const BEFORE: &[(&str, Comparison)] = &[
    ("under", Lt),
    ("below", Lt),
    ("beneath", Lt),
    ("less than", Lt),
    ("fewer than", Lt),
    ("lower than", Lt),
    ("smaller than", Lt),
    ("shorter than", Lt),
    ("no more than", Le),
    ("not more than", Le),
    ("never more than", Le),
    ("no greater than", Le),
    ("not greater than", Le),
    ("no larger than", Le),
    ("no longer than", Le),
    ("no higher than", Le),
    ("at most", Le),
    ("up to", Le),
    ("max", Le),
    ("max.", Le),
    ("max of", Le),
    ("maximum", Le),
    ("maximum of", Le),
    ("not exceeding", Le),
    ("not exceed", Le),
    ("never exceeds", Le),
    ("within", Le),
    ("capped at", Le),
    ("limited to", Le),
    ("as much as", Le),
    ("as many as", Le),
    ("over", Gt),
    ("above", Gt),
    ("more than", Gt),
    ("greater than", Gt),
    ("higher than", Gt),
    ("larger than", Gt),
    ("longer than", Gt),
    ("bigger than", Gt),
    ("exceeds", Gt),
    ("exceeding", Gt),
    ("exceed", Gt),
    ("in excess of", Gt),
    ("at least", Ge),
    ("no less than", Ge),
    ("not less than", Ge),
    ("no fewer than", Ge),
    ("min", Ge),
    ("min.", Ge),
    ("min of", Ge),
    ("minimum", Ge),
    ("minimum of", Ge),
    ("starting at", Ge),
    ("starts at", Ge),
    ("upwards of", Ge),
    ("about", About),
    ("around", About),
    ("approximately", About),
    ("approx", About),
    ("approx.", About),
    ("roughly", About),
    ("circa", About),
    ("ca.", About),
    ("almost", About),
    ("nearly", About),
    ("close to", About),
    ("on the order of", About),
];

const AFTER: &[(&str, Comparison)] = &[
    ("or less", Le),
    ("or fewer", Le),
    ("or lower", Le),
    ("or below", Le),
    ("or under", Le),
    ("or smaller", Le),
    ("or shorter", Le),
    ("and below", Le),
    ("at most", Le),
    ("max", Le),
    ("maximum", Le),
    ("or more", Ge),
    ("or greater", Ge),
    ("or higher", Ge),
    ("or above", Ge),
    ("or over", Ge),
    ("or longer", Ge),
    ("or larger", Ge),
    ("and above", Ge),
    ("and up", Ge),
    ("at least", Ge),
    ("minimum", Ge),
];

/// Returns the comparison before `start` and where it begins, no further back than `floor`.
pub(super) fn before(text: &str, start: usize, floor: usize) -> Option<(Comparison, usize)> {
    let end = back(text, start);
    if end < floor {
        return None;
    }
    if byte(text, end.saturating_sub(1)) == b'-'
        && end > 3
        && end - 4 >= floor
        && prefix::ends_with_sub(text, end - 1)
    {
        return Some((Lt, end - 4));
    }
    let sign = SIGNS.iter().find(|(sign, _)| text[floor..end].ends_with(sign));
    if let Some((sign, comparison)) = sign {
        let begin = end - sign.len();
        return compares(text, sign, begin, end < start).then_some((*comparison, begin));
    }
    let found = BEFORE.iter().filter_map(|(phrase, comparison)| {
        let begin = phrase_before(text, end, phrase)?;
        (begin >= floor && begin < end).then_some((*comparison, begin))
    });
    found.filter(|_| end < start).min_by_key(|(_, begin)| *begin)
}

/// Returns the comparison after `end` and where it ends.
pub(super) fn after(text: &str, end: usize) -> Option<(Comparison, usize)> {
    if byte(text, end) == b'+' && ends(text, end + 1) && byte(text, end + 1) != b'/' {
        return Some((Ge, end + 1));
    }
    let at = spaced(text, end).filter(|_| !text[end..].starts_with('\n'))?;
    let (phrase, comparison) = AFTER.iter().find(|(phrase, _)| {
        let head = text.as_bytes().get(at..at + phrase.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(phrase.as_bytes()))
            && ends(text, at + phrase.len())
    })?;
    let end = at + phrase.len();
    let next = gap(text, end);
    // A comparison before another number belongs to that number: "5 pods at least 10 ms apart".
    let belongs = phrase.starts_with("or")
        || !(is_digit(text, next) || byte(text, next) == b'$' || text[next..].starts_with("of "));
    belongs.then_some((*comparison, end))
}

/// Returns true if the sign at `begin` is a comparison, and not an arrow, a tag, the mark of a
/// quoted line or a strikeout.
fn compares(text: &str, sign: &str, begin: usize, is_spaced: bool) -> bool {
    let previous = last(text, begin);
    let tag = begin - letters_before(text, begin).len();
    match sign {
        ">" if previous == Some('\n') => !is_spaced,
        ">" => {
            !previous.is_some_and(|mark| "-=>\"'/".contains(mark))
                && !matches!(last(text, tag), Some('<' | '/'))
        }
        "<" => previous != Some('<'),
        "~" => previous != Some('~'),
        _ => true,
    }
}

/// Returns the start of `phrase` if it ends at `end` and consists of whole words. A space in
/// `phrase` matches any white space.
pub(super) fn phrase_before(text: &str, end: usize, phrase: &str) -> Option<usize> {
    let begin = end.checked_sub(phrase.len())?;
    let same = |(byte, wanted): (&u8, u8)| match wanted {
        b' ' => byte.is_ascii_whitespace(),
        _ => byte.to_ascii_lowercase() == wanted,
    };
    let matches = text.as_bytes()[begin..end].iter().rev().zip(phrase.bytes().rev()).all(same);
    (matches && begins(text, begin) && last(text, begin) != Some('-')).then_some(begin)
}
