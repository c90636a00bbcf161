//! Times that a question names: "between 18:10 and 18:20", "on 19 December", "after 2026-11-20 07:00".

use std::sync::LazyLock;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use regex::Regex;

/// When something happened, in UTC: a span of the day, of a day or of every day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// The day, with the year where it was named.
    pub day: Option<(Option<i16>, i8, i8)>,
    /// The first and the last instant of the day that count.
    pub clock: (Time, Time),
}

impl Moment {
    /// Whether `time` is within.
    pub(super) fn has(&self, time: Timestamp) -> bool {
        let civil = time.to_zoned(TimeZone::UTC).datetime();
        let is_day = self.day.is_none_or(|(year, month, day)| {
            year.is_none_or(|year| civil.year() == year)
                && (civil.month(), civil.day()) == (month, day)
        });
        is_day && self.clock.0 <= civil.time() && civil.time() <= self.clock.1
    }

    /// The instants, where the day is known with its year.
    pub(super) fn range(&self) -> Option<(Timestamp, Timestamp)> {
        let (year, month, day) = self.day?;
        let date = Date::new(year?, month, day).ok()?;
        let at = |time: Time| {
            let civil = DateTime::from_parts(date, time);
            civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
        };
        Some((at(self.clock.0)?, at(self.clock.1)?))
    }
}

#[expect(clippy::unwrap_used, reason = "the patterns are constants, and the tests compile them")]
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

const CLOCK: &str = r"(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s*(?:Z|UTC|h|hrs?|o'clock)?";

static BETWEEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)\b(?:between|from)\s+(?:about\s+)?{CLOCK}\s*(?:and|to|until|till|-|–)\s*{CLOCK}"
    ))
});
static SIDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)\b(at about|at around|at approximately|shortly before|shortly after|right after|around|about|near|at|after|since|from|before|until|till|by)\s+{CLOCK}"
    ))
});
static ISO: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)Z?)?")
});
static DAY: LazyLock<Regex> = LazyLock::new(|| {
    let month = r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
    pattern(&format!(
        r"(?i)\b(?:on\s+)?(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{month}|{month}\s+(\d{{1,2}})(?:st|nd|rd|th)?)\b(?:,?\s+(\d{{4}}))?"
    ))
});

/// How far "about 18:10" reaches, in minutes to either side.
const ABOUT: i64 = 5;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Reads the time that `question` names, and the words for it.
pub(super) fn read(question: &str) -> Option<(Moment, Vec<String>)> {
    let day = day(question);
    let clock = clock(question);
    let words = [day.as_ref().map(|(_, words)| *words), clock.map(|(_, words)| words)];
    let words = words.into_iter().flatten().map(str::to_owned).collect();
    let whole = (Time::midnight(), Time::MAX);
    let (day, own) = match day {
        Some(((day, own), _)) => (Some(day), own),
        None => (None, None),
    };
    let clock = clock.map(|(clock, _)| clock).or(own);
    if day.is_none() && clock.is_none() {
        return None;
    }
    Some((Moment { day, clock: clock.unwrap_or(whole) }, words))
}

type Clock = (Time, Time);
type Day = (Option<i16>, i8, i8);

fn day(question: &str) -> Option<((Day, Option<Clock>), &str)> {
    if let Some(found) = ISO.captures(question) {
        let words = found.get(0)?.as_str();
        let date =
            Date::new(found[1].parse().ok()?, found[2].parse().ok()?, found[3].parse().ok()?);
        let date = date.ok()?;
        let clock = found.get(4).and_then(|own| minute(own.as_str()));
        return Some((((Some(date.year()), date.month(), date.day()), clock), words));
    }
    let found = DAY.captures(question)?;
    let part = |number| found.get(number).map(|part| part.as_str());
    let month = part(2).or(part(3))?.to_lowercase();
    let month = MONTHS.iter().position(|own| month.starts_with(own))?;
    let day: i8 = part(1).or(part(4))?.parse().ok()?;
    let month = i8::try_from(month + 1).ok()?;
    Date::new(2024, month, day).ok()?;
    let year = part(5).and_then(|year| year.parse().ok());
    Some((((year, month, day), None), found.get(0)?.as_str()))
}

fn clock(question: &str) -> Option<(Clock, &str)> {
    if let Some(found) = BETWEEN.captures(question) {
        let (from, to) = (minute(&found[1])?, minute(&found[2])?);
        return Some(((from.0, to.1), found.get(0)?.as_str())).filter(|((from, to), _)| from <= to);
    }
    let found = SIDE.captures(question)?;
    let own = minute(&found[2])?;
    let clock = match found[1].to_lowercase().as_str() {
        "after" | "since" | "from" | "right after" => (own.0, Time::MAX),
        "before" | "until" | "till" | "by" => (Time::midnight(), own.0),
        "shortly before" => (earlier(own.0, 2 * ABOUT), own.0),
        "shortly after" => (own.0, later(own.1, 2 * ABOUT)),
        "at" => (earlier(own.0, 1), later(own.1, 1)),
        _ => (earlier(own.0, ABOUT), later(own.1, ABOUT)),
    };
    Some((clock, found.get(0)?.as_str()))
}

/// The instants that a time of day stands for: a minute, a second, or a part of one.
fn minute(text: &str) -> Option<Clock> {
    let text = text.replace(',', ".");
    let text = if text.find(':') == Some(1) { format!("0{text}") } else { text };
    let from: Time = text.parse().ok()?;
    let lasts = match text.len() {
        0..=5 => SignedDuration::from_mins(1),
        6..=8 => SignedDuration::from_secs(1),
        _ => SignedDuration::from_millis(10),
    };
    Some((from, from.saturating_add(lasts - SignedDuration::from_nanos(1))))
}

fn earlier(time: Time, minutes: i64) -> Time {
    time.saturating_sub(SignedDuration::from_mins(minutes))
}

fn later(time: Time, minutes: i64) -> Time {
    time.saturating_add(SignedDuration::from_mins(minutes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(question: &str, time: &str) -> bool {
        read(question).unwrap().0.has(time.parse().unwrap())
    }

    #[test]
    fn spans_of_the_day_hold_on_every_day() {
        let question = "What happened between 18:10 and 18:20?";
        assert!(has(question, "2026-11-20T18:10:00Z") && has(question, "2016-01-02T18:20:59.9Z"));
        assert!(!has(question, "2026-11-20T18:21:00Z"));
        assert!(has("errors after 07:30?", "2026-11-20T23:00:00Z"));
        assert!(!has("errors before 07:30?", "2026-11-20T07:30:01Z"));
        assert!(has("what failed at about 20:45?", "2026-11-20T20:41:00Z"));
        assert_eq!(read("the log of 08:53"), None);
        assert_eq!(read("how do I drain a node"), None);
    }

    #[test]
    fn days_are_read_with_and_without_a_year() {
        assert!(has("errors on 19 December", "2016-12-19T05:00:00Z"));
        assert!(!has("errors on December 19th, 2017", "2016-12-19T05:00:00Z"));
        let (moment, words) = read("What failed on 2026-11-20 between 10:00 and 10:05?").unwrap();
        let (from, to) = moment.range().unwrap();
        assert_eq!(from.to_string(), "2026-11-20T10:00:00Z");
        assert_eq!(to.to_string(), "2026-11-20T10:05:59.999999999Z");
        assert_eq!(words, ["2026-11-20", "between 10:00 and 10:05"]);
        assert!(read("on 2026-13-40").is_none());
    }
}
