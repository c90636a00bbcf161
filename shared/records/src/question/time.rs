//! Times and days in ISO 8601, with the word before them: "after 2026-11-20 07:00".

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use wire::records::{Condition, ConditionForm, Scalar};

use text::words::pattern;

const DAY: &str =
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?";
const CLOCK: &str = r"\d{1,2}:\d{2}(?::\d{2})?";
/// Text after a time that changes its meaning; such a time is not read.
const OTHER: &str = r"(\s?(?:(?i:[ap]\.?m\b)|[A-Z]{3,5}\b|[+-]\d))?";

static BETWEEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"\b(?i:between|from)\s+({DAY}|{CLOCK})\s*(?i:and|to|until|till|-|–)\s*({DAY}|{CLOCK}){OTHER}"
    ))
});
static SIDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"\b(?i:(after|since|from|before|until|till|at|on|in|during))\s+({DAY}|{CLOCK}){OTHER}"
    ))
});
static ALONE: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"\b({DAY}){OTHER}")));

/// A condition with its range in the question and its column: `time`, or `clock` for a time of
/// every day.
pub(super) type Read = (Range<usize>, &'static str, Condition);

/// Reads the first time in the text.
pub(super) fn read(text: &str) -> Option<Read> {
    if let Some(found) = BETWEEN.captures(text) {
        return between(&found);
    }
    if let Some(found) = SIDE.captures(text) {
        return beside(&found);
    }
    // A time of day alone may be part of a name: "the log of 08:53".
    let found = ALONE.captures(text).filter(|found| found.get(2).is_none())?;
    Some((found.get(0)?.range(), "time", Condition::Is(point(&found[1]))))
}

fn between(found: &Captures<'_>) -> Option<Read> {
    let (first, second) = (&found[1], &found[2]);
    // "Between 2026-11-20 07:00 and 09:00" ends on the same day.
    let same_day = (is_day(first) && first.len() > 10 && !is_day(second)).then(|| &first[..10]);
    let (first, last) = (
        point(first),
        same_day.map_or_else(
            || point(second),
            |day| format!("{day} {}", padded(second)).as_str().into(),
        ),
    );
    let are_alike = is_day(&found[1]) == is_day(second) || same_day.is_some();
    if found.get(3).is_some() || !are_alike {
        return None;
    }
    // "From 07:00 to 09:00" ends when the last minute begins. A day or a second is included whole.
    let is_minute = second.matches(':').count() == 1;
    let form = ConditionForm { gte: Some(first), ..ConditionForm::default() };
    let form = if is_minute {
        ConditionForm { lt: Some(last), ..form }
    } else {
        ConditionForm { lte: Some(last), ..form }
    };
    Some((found.get(0)?.range(), column(&found[1]), Condition::Bounds(form)))
}

fn beside(found: &Captures<'_>) -> Option<Read> {
    let text = &found[2];
    if found.get(3).is_some() {
        return None;
    }
    let point = Some(point(text));
    let none = ConditionForm::default();
    let form = match found[1].to_lowercase().as_str() {
        "after" if !text.contains(':') => ConditionForm { gt: point, ..none },
        "after" | "since" | "from" => ConditionForm { gte: point, ..none },
        "before" => ConditionForm { lt: point, ..none },
        "until" | "till" => ConditionForm { lte: point, ..none },
        _ => return Some((found.get(0)?.range(), column(text), Condition::Is(point?))),
    };
    Some((found.get(0)?.range(), column(text), Condition::Bounds(form)))
}

fn is_day(text: &str) -> bool {
    text.contains('-')
}

fn column(text: &str) -> &'static str {
    if is_day(text) { "time" } else { "clock" }
}

fn point(text: &str) -> Scalar {
    if is_day(text) { text.replace(',', ".").as_str().into() } else { padded(text).as_str().into() }
}

/// Returns a time with a two-digit hour: `07:05` for `7:05`.
fn padded(clock: &str) -> String {
    if clock.find(':') == Some(1) { format!("0{clock}") } else { clock.to_owned() }
}

/// Returns a condition with these bounds.
pub(super) fn bounds(gte: Option<Scalar>, lte: Option<Scalar>) -> Condition {
    Condition::Bounds(ConditionForm { gte, lte, ..ConditionForm::default() })
}

/// Returns the condition that all of these texts occur.
pub(super) fn all_of(all: Vec<Scalar>) -> Condition {
    Condition::Bounds(ConditionForm { all, ..ConditionForm::default() })
}
