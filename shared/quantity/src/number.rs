//! Numbers: separators, decimals, powers, ratios, and chains of digits that are not numbers.

use super::edge::{after, before, byte, digits, gap, is_digit, is_space};

/// Upper bound for the length of a number, in bytes; a longer one is an id.
const LONGEST: usize = 40;

/// A number as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    /// The value, always finite.
    pub(super) value: f64,
    /// The byte offset of its end.
    pub(super) end: usize,
    /// True if it has a fraction.
    pub(super) decimal: bool,
    /// True if it is written as an amount: with separators, a power of ten or a multiplier.
    pub(super) grouped: bool,
    /// True if it begins with a zero, as ids do: "007".
    pub(super) padded: bool,
}

/// The meaning of a run of digits.
pub(super) enum Reading {
    /// A number.
    Number(Number),
    /// A ratio such as "3:1", with its value.
    Ratio(Number),
    /// A date, time, version, address or id, with the byte offset of its end.
    Chain(usize),
}

/// Reads the run of digits at `at`, which is its first digit or the point of ".5".
pub(super) fn read(text: &str, at: usize) -> Reading {
    let whole = digits(text, at);
    if let Some(number) = european(text, at, whole).or_else(|| decimal_comma(text, at, whole)) {
        return Reading::Number(number);
    }
    let Some(grouped) = group(text, at, whole) else {
        return Reading::Chain(chain(text, at));
    };
    let end = if byte(text, grouped) == b'.' { fraction(text, grouped) } else { grouped };
    if end == grouped && byte(text, end) == b':' && is_digit(text, end + 1) {
        return ratio(text, at, end);
    }
    if end - at > LONGEST || is_chain(text, at, end) {
        return Reading::Chain(chain(text, end));
    }
    let plain: String =
        text[at..end].chars().filter(|it| it.is_ascii_digit() || *it == '.').collect();
    let Ok(value) = plain.parse::<f64>() else { return Reading::Chain(end) };
    let padded = whole - at > 1 && byte(text, at) == b'0';
    let number = Number { value, end, decimal: end > grouped, grouped: grouped > whole, padded };
    Reading::Number(power(text, number))
}

/// Returns the end of the fraction whose point is at `at`; `at` itself if no digit follows.
fn fraction(text: &str, at: usize) -> usize {
    if is_digit(text, at + 1) { digits(text, at + 1) } else { at }
}

/// Returns the end of the groups of three digits that follow the digits up to `whole`; `None` if
/// the groups may be several numbers.
fn group(text: &str, at: usize, whole: usize) -> Option<usize> {
    let Some(separator) = after(text, whole).filter(|it| is_space(*it) || matches!(it, ',' | '_'))
    else {
        return Some(whole);
    };
    let leading = (1..=3).contains(&(whole - at)) && byte(text, at) != b'0';
    let next = |end: usize| {
        let start = end + separator.len_utf8();
        (after(text, end) == Some(separator) && digits(text, start.min(text.len())) == start + 3)
            .then_some(start + 3)
    };
    let mut end = whole;
    while let Some(further) = next(end).filter(|_| leading) {
        end = further;
    }
    match separator {
        '_' if end == whole && is_digit(text, whole + 1) => None,
        // "1 000" is one thousand, but "2 256" may be two numbers.
        ' ' | '\t' if end > whole && byte(text, whole + 1) != b'0' => None,
        _ => Some(end),
    }
}

/// Reads "1.200,50", in which the two separators are unambiguous.
fn european(text: &str, at: usize, whole: usize) -> Option<Number> {
    let mut end = whole;
    while byte(text, end) == b'.' && digits(text, end + 1) == end + 4 {
        end += 4;
    }
    let point = end;
    let cents = (byte(text, end) == b',').then(|| digits(text, end + 1))?;
    if whole - at > 3 || point == whole || !(2..=3).contains(&(cents - point)) || end - at > LONGEST
    {
        return None;
    }
    let plain = format!("{}.{}", text[at..point].replace('.', ""), &text[point + 1..cents]);
    Some(Number {
        value: plain.parse().ok()?,
        end: cents,
        decimal: true,
        grouped: true,
        padded: false,
    })
}

/// Reads "19,99" next to a euro sign, and "99,9%".
fn decimal_comma(text: &str, at: usize, whole: usize) -> Option<Number> {
    let end = (byte(text, whole) == b',')
        .then(|| digits(text, whole + 1))
        .filter(|it| (2..=3).contains(&(it - whole)))?;
    let euros = before(text, at) == Some('€') || after(text, gap(text, end)) == Some('€');
    let share = byte(text, end) == b'%';
    if !(euros && end - whole == 3 || share) || whole - at > LONGEST {
        return None;
    }
    let plain = format!("{}.{}", &text[at..whole], &text[whole + 1..end]);
    Some(Number { value: plain.parse().ok()?, end, decimal: true, grouped: true, padded: false })
}

/// Returns true if the text after the number shows that it is a part of a version, date, fraction
/// or id.
fn is_chain(text: &str, at: usize, end: usize) -> bool {
    match byte(text, end) {
        b'/' if matches!(before(text, at), Some('$' | '€' | '£')) => false,
        b'.' | b'/' | b':' => is_digit(text, end + 1),
        b'-' if is_digit(text, end + 1) => {
            let second = digits(text, end + 1);
            byte(text, second) == b'-' && is_digit(text, second + 1)
        }
        _ => false,
    }
}

/// Returns the end of the digits that start at `at`, including all digits joined to them by points,
/// dashes, colons and similar signs.
fn chain(text: &str, at: usize) -> usize {
    let mut end = digits(text, at);
    while matches!(byte(text, end), b'.' | b',' | b':' | b'/' | b'-' | b'_' | b' ')
        && is_digit(text, end + 1)
    {
        if byte(text, end) == b' ' && digits(text, end + 1) != end + 4 {
            break;
        }
        end = digits(text, end + 1);
    }
    end
}

/// Reads "3:1", or "16:9" near the word "ratio". Any other digits with a colon are a time or an
/// address.
fn ratio(text: &str, at: usize, colon: usize) -> Reading {
    let end = digits(text, colon + 1);
    let parts = text[at..colon].parse::<f64>().ok().zip(text[colon + 1..end].parse::<f64>().ok());
    let joined = matches!(byte(text, end), b':' | b'.' | b'/' | b'-') && is_digit(text, end + 1);
    match parts {
        Some((value, over)) if !joined && end - at < 12 && value > 0.0 && over > 0.0 => {
            if &text[colon + 1..end] != "1" && !near_ratio(text, at, end) {
                return Reading::Chain(end);
            }
            Reading::Ratio(Number {
                value: value / over,
                end,
                decimal: false,
                grouped: false,
                padded: false,
            })
        }
        _ => Reading::Chain(chain(text, at)),
    }
}

/// Returns true if one of the few words around the number mentions a ratio.
fn near_ratio(text: &str, at: usize, end: usize) -> bool {
    let around =
        &text[text.floor_char_boundary(at.saturating_sub(24))..text.floor_char_boundary(end + 24)];
    around.contains("ratio") || around.contains("aspect")
}

/// Applies the power that follows a number: "1e-6", "10^6", "2 × 10⁶".
fn power(text: &str, number: Number) -> Number {
    let raised =
        exponent(text, number).or_else(|| caret(text, number)).or_else(|| times_ten(text, number));
    raised.filter(|it| it.value.is_finite()).unwrap_or(number)
}

fn exponent(text: &str, number: Number) -> Option<Number> {
    if !matches!(byte(text, number.end), b'e' | b'E') {
        return None;
    }
    let (power, end) = signed(text, number.end + 1)?;
    Some(Number { value: scale(number.value, power), end, grouped: true, ..number })
}

fn caret(text: &str, number: Number) -> Option<Number> {
    if number.decimal || ![2.0, 10.0].contains(&number.value) {
        return None;
    }
    let (power, end) = raised(text, number.end)?;
    let value = if number.value > 2.0 { scale(1.0, power) } else { number.value.powi(power) };
    Some(Number { value, end, grouped: true, ..number })
}

fn times_ten(text: &str, number: Number) -> Option<Number> {
    let at = gap(text, number.end);
    let sign = after(text, at).filter(|it| matches!(it, '×' | 'x' | '*' | '·' | '⋅'))?;
    let ten = gap(text, at + sign.len_utf8());
    let (power, end) = text[ten..].starts_with("10").then(|| raised(text, ten + 2))??;
    Some(Number { value: scale(number.value, power), end, grouped: true, ..number })
}

/// Multiplies by a power of ten without the rounding error of a reciprocal.
fn scale(value: f64, power: i32) -> f64 {
    if power < 0 { value / 10_f64.powi(-power) } else { value * 10_f64.powi(power) }
}

/// Reads "^6", "^-6" or "⁶".
fn raised(text: &str, at: usize) -> Option<(i32, usize)> {
    if byte(text, at) == b'^' {
        return signed(text, at + 1);
    }
    let raised = |it: char| "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".chars().position(|digit| digit == it);
    let signs: Vec<usize> = text[at..].chars().take(4).map_while(raised).collect();
    let plain: String = signs.iter().map(|it| char::from(b"0123456789-"[*it])).collect();
    let length: usize = text[at..].chars().take(signs.len()).map(char::len_utf8).sum();
    Some((plain.parse().ok().filter(|it: &i32| it.abs() < 100)?, at + length))
}

/// Reads one or two digits with an optional sign.
fn signed(text: &str, at: usize) -> Option<(i32, usize)> {
    let sign = usize::from(matches!(byte(text, at), b'+' | b'-'));
    let end = digits(text, (at + sign).min(text.len()));
    if !(1..=2).contains(&(end - at - sign)) {
        return None;
    }
    Some((text[at..end].parse().ok()?, end))
}
