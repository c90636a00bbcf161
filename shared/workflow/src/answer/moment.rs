//! Times that a question names: "between 18:10 and 18:20", "on 19 December", "after 2026-11-20 07:00 CET".

use std::sync::LazyLock;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use regex::Regex;

use super::words::pattern;

mod point;

use point::{Point, point};

/// When something happened, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// The first instant that counts, where there is one.
    from: Option<Bound>,
    /// The last one.
    to: Option<Bound>,
}

/// A time of day, of a day or of every day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bound {
    day: Option<Day>,
    time: Time,
}

/// A day, with its year where that was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Day {
    year: Option<i16>,
    month: i8,
    of_month: i8,
}

impl Day {
    fn of(date: Date, has_year: bool) -> Day {
        let year = has_year.then_some(date.year());
        Day { year, month: date.month(), of_month: date.day() }
    }

    /// The day, in `year` where it has none of its own.
    fn date(self, year: i16) -> Option<Date> {
        Date::new(self.year.unwrap_or(year), self.month, self.of_month).ok()
    }
}

impl Bound {
    /// The instant, on the day and in the year of `near` where it has none of its own.
    fn at(self, near: DateTime) -> Option<DateTime> {
        let date = self.day.map_or(Some(near.date()), |day| day.date(near.year()));
        date.map(|date| DateTime::from_parts(date, self.time))
    }

    /// The instant, where the year is known.
    fn instant(self) -> Option<Timestamp> {
        let date = self.day.and_then(|day| day.date(day.year?))?;
        let own = DateTime::from_parts(date, self.time).to_zoned(TimeZone::UTC);
        own.ok().map(|own| own.timestamp())
    }
}

impl Moment {
    /// Whether `time` is within.
    pub(super) fn has(&self, time: Timestamp) -> bool {
        let time = time.to_zoned(TimeZone::UTC).datetime();
        let is_after = self.from.and_then(|own| own.at(time)).is_none_or(|from| from <= time);
        let is_before = self.to.and_then(|own| own.at(time)).is_none_or(|to| time <= to);
        if self.is_over_midnight() { is_after || is_before } else { is_after && is_before }
    }

    /// Whether it begins on every evening and ends on the morning after.
    fn is_over_midnight(&self) -> bool {
        let daily = |own: Option<Bound>| own.filter(|own| own.day.is_none()).map(|own| own.time);
        daily(self.from).zip(daily(self.to)).is_some_and(|(from, to)| from > to)
    }

    /// The instants, where the years are known.
    pub(super) fn range(&self) -> Option<(Timestamp, Timestamp)> {
        let from = self.from.map_or(Some(Timestamp::MIN), Bound::instant)?;
        Some((from, self.to.map_or(Some(Timestamp::MAX), Bound::instant)?))
    }

    /// The first and the last instant as they are told: dates where the years are known, else times of day.
    pub(super) fn ends(&self) -> [Option<String>; 2] {
        [self.from, self.to].map(|own| {
            let own = own?;
            let day = || {
                own.day.map(|day| format!("--{:02}-{:02}T{}", day.month, day.of_month, own.time))
            };
            let instant = own.instant().map(|own| own.to_string());
            Some(instant.or_else(day).unwrap_or_else(|| own.time.to_string()))
        })
    }
}

static BETWEEN: LazyLock<Regex> = LazyLock::new(|| {
    let (one, two) = (point(1), point(2));
    pattern(&format!(
        r"(?i)\b(?:between|from)\s+(?:about\s+)?{one}\s*(?:and|to|until|till|-|–)\s*{two}"
    ))
});
static SIDE: LazyLock<Regex> = LazyLock::new(|| {
    let one = point(1);
    pattern(&format!(
        r"(?i)\b(at about|at around|at approximately|shortly before|shortly after|right after|around|about|near|at|on|after|since|from|before|until|till|by)\s+{one}"
    ))
});
static DAY: LazyLock<Regex> = LazyLock::new(|| {
    let one = point(1);
    pattern(&format!(r"(?i)\b{one}"))
});

/// How far "about 18:10" reaches, in minutes to either side.
const ABOUT: i64 = 5;

/// Reads the time that `question` names, and the words for it.
pub(super) fn read(question: &str) -> Option<(Moment, Vec<String>)> {
    if let Some((moment, words)) = between(question) {
        // "On 19 December between 18:10 and 18:20."
        let rest = question.replace(&words, " ");
        let day =
            DAY.captures(&rest).and_then(|found| Some((Point::read(&found, 1)?, found.get(0)?)));
        return Some(match day.filter(|(day, _)| day.clock.is_none() && moment.is_daily()) {
            Some((day, on)) => (moment.on(day.day), vec![on.as_str().to_owned(), words]),
            None => (moment, vec![words]),
        });
    }
    let (mut moment, words) = beside(question)?;
    let rest = question.replace(&words, " ");
    let mut all = vec![words];
    // "On 19 December, what happened at about 20:45?"
    if let Some((other, words)) = beside(&rest) {
        let (days, clocks) = if moment.is_daily() { (other, moment) } else { (moment, other) };
        if clocks.is_daily() && !days.is_daily() && days.is_whole_day() {
            moment = clocks.on(days.from.and_then(|own| own.day));
            all.push(words);
        }
    }
    Some((moment, all))
}

fn between(question: &str) -> Option<(Moment, String)> {
    let found = BETWEEN.captures(question)?;
    let (from, to) = (Point::read(&found, 1)?, Point::read(&found, 2)?);
    // "From 2026-11-20 07:00 to 09:00" ends on the same day.
    let day = to.day.or(from.day.filter(|_| to.clock.is_some()));
    let (from, to) = (from.first(), Bound { day, ..to.last() });
    Some((Moment { from: Some(from), to: Some(to) }, found[0].to_owned()))
}

/// A single time with the word that says on which side of it.
fn beside(question: &str) -> Option<(Moment, String)> {
    let Some(found) = SIDE.captures(question) else {
        let found = DAY.captures(question)?;
        let day = Point::read(&found, 1)?;
        // A time of day alone may be part of a name: "the log of 08:53".
        day.day?;
        return Some((
            Moment { from: Some(day.first()), to: Some(day.last()) },
            found[0].to_owned(),
        ));
    };
    let own = Point::read(&found, 1)?;
    let (first, last) = (own.first(), own.last());
    let (from, to) = match found[1].to_lowercase().as_str() {
        "since" | "from" => (Some(first), None),
        "after" if own.clock.is_some() => (Some(first), None),
        "after" => (Some(last), None),
        "until" | "till" | "by" => (None, Some(last)),
        "before" => (None, Some(first)),
        "shortly before" => (Some(first.moved(-2 * ABOUT)), Some(first)),
        "shortly after" | "right after" => (Some(first), Some(last.moved(2 * ABOUT))),
        "at" | "on" => (Some(first), Some(last)),
        _ => (Some(first.moved(-ABOUT)), Some(last.moved(ABOUT))),
    };
    // "After 18:10" of every day lasts to its end.
    let daily = |time: Time| Some(Bound { day: own.day.filter(|_| own.clock.is_none()), time });
    let (from, to) = match (own.day, from, to) {
        (None, from, None) => (from, daily(Time::MAX)),
        (None, None, to) => (daily(Time::midnight()), to),
        (_, from, to) => (from, to),
    };
    Some((Moment { from, to }, found[0].to_owned()))
}

impl Bound {
    /// So many minutes later, within the same day.
    fn moved(self, minutes: i64) -> Bound {
        Bound { time: self.time.saturating_add(SignedDuration::from_mins(minutes)), ..self }
    }
}

impl Moment {
    fn days(&self) -> impl Iterator<Item = Day> {
        self.from.into_iter().chain(self.to).filter_map(|own| own.day)
    }

    /// Whether it is a span of every day.
    fn is_daily(&self) -> bool {
        self.days().next().is_none()
    }

    fn is_whole_day(&self) -> bool {
        let times = [self.from, self.to].map(|own| own.map(|own| own.time));
        times == [Some(Time::midnight()), Some(Time::MAX)]
    }

    /// The same span of this day alone.
    fn on(self, day: Option<Day>) -> Moment {
        let own = |bound: Option<Bound>| bound.map(|bound| Bound { day, ..bound });
        Moment { from: own(self.from), to: own(self.to) }
    }
}

#[cfg(test)]
mod tests;
