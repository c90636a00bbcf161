//! Times and days as ISO 8601 writes them, with the word that says on which side of them: "after 2026-11-20 07:00".

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use wire::records::{Condition, ConditionForm, Scalar};

use text::words::pattern;

const DAY: &str =
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?";
const CLOCK: &str = r"\d{1,2}:\d{2}(?::\d{2})?";
/// What makes a time another one, and is not read.
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

/// A condition where it stands in the question, with its column: `time`, or `clock` for a time of every day.
pub(super) type Read = (Range<usize>, &'static str, Condition);

/// Reads the first time that is named.
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
    // "From 07:00 to 09:00" ends as the last minute begins; a day or a second that is named still counts.
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

/// `7:05` as `07:05`.
fn padded(clock: &str) -> String {
    if clock.find(':') == Some(1) { format!("0{clock}") } else { clock.to_owned() }
}

/// Returns a condition with its ends.
pub(super) fn bounds(gte: Option<Scalar>, lte: Option<Scalar>) -> Condition {
    Condition::Bounds(ConditionForm { gte, lte, ..ConditionForm::default() })
}

/// Returns a condition on all of several texts.
pub(super) fn all_of(all: Vec<Scalar>) -> Condition {
    Condition::Bounds(ConditionForm { all, ..ConditionForm::default() })
}
