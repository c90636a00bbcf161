//! Times that a question names: "between 18:10 and 18:20", "on 19 December", "after 2026-11-20 07:00 CET".

use std::sync::LazyLock;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use regex::Regex;

use crate::words::pattern;

mod point;

use point::{Point, point};

/// When something happened, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// The first instant that counts, where there is one.
    from: Option<Bound>,
    /// The first one after it that does not.
    until: Option<Bound>,
}

/// A year that has every day.
const LEAP: i16 = 2024;

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

    /// The day, in `year` where it has none of its own; after 28 February comes 1 March where no 29th does.
    fn date(self, year: i16) -> Option<Date> {
        let year = self.year.unwrap_or(year);
        let date = Date::new(year, self.month, self.of_month);
        date.or_else(|_| Date::new(year, self.month + 1, 1)).ok()
    }
}

impl Bound {
    /// So much later; of a time of every day `None` where that day is over.
    fn later(self, by: SignedDuration) -> Option<Bound> {
        let Some(day) = self.day else {
            return Some(Bound { time: self.time.checked_add(by).ok()?, ..self });
        };
        let later = DateTime::from_parts(day.date(LEAP)?, self.time).checked_add(by).ok()?;
        Some(Bound { day: Some(Day::of(later.date(), day.year.is_some())), time: later.time() })
    }

    /// The instant, in `year` where the day has none of its own; `None` for a time of every day.
    fn instant(self, year: i16) -> Option<Timestamp> {
        let date = self.day?.date(year)?;
        let zoned = DateTime::from_parts(date, self.time).to_zoned(TimeZone::UTC);
        zoned.ok().map(|zoned| zoned.timestamp())
    }
}

impl Moment {
    /// The first instant, and the first one after the last: RFC 3339, or times of every day. A day without a year is in
    /// `year`.
    pub(crate) fn ends(&self, year: i16) -> [Option<String>; 2] {
        let to_text = |bound: Bound, year| match bound.instant(year) {
            Some(instant) => instant.to_string(),
            None => bound.time.to_string(),
        };
        let from = self.from.map(|from| to_text(from, year));
        let until = self.until.map(|until| to_text(until, year));
        // The day after 31 December is in the next year.
        let is_next = !self.is_daily() && from.is_some() && until.is_some() && until < from;
        let until = if is_next { self.until.map(|until| to_text(until, year + 1)) } else { until };
        [from, until]
    }

    /// Whether it is a span of every day.
    pub(crate) fn is_daily(&self) -> bool {
        self.days().next().is_none()
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
            moment = clocks.on(days.from.and_then(|from| from.day));
            all.push(words);
        }
    }
    Some((moment, all))
}

fn between(question: &str) -> Option<(Moment, String)> {
    let found = BETWEEN.captures(question)?;
    let (from, to) = (Point::read(&found, 1)?, Point::read(&found, 2)?);
    // "From 2026-11-20 07:00 to 09:00" ends on the same day.
    let is_same_day = to.day.is_none() && to.clock.is_some();
    let to = Point { day: to.day.or(from.day.filter(|_| is_same_day)), ..to };
    // "From 07:00 to 09:00" ends as the last minute begins; a second that is named still counts.
    let ends_early = to.clock.is_some_and(|(_, lasts)| lasts >= SignedDuration::from_mins(1));
    let until = if ends_early { Some(to.first()) } else { to.end() };
    let moment = Moment { from: Some(from.first()), until };
    let moment = if is_same_day { moment.on(from.day) } else { moment };
    Some((moment, found[0].to_owned()))
}

/// A single time with the word that says on which side of it.
fn beside(question: &str) -> Option<(Moment, String)> {
    let Some(found) = SIDE.captures(question) else {
        let found = DAY.captures(question)?;
        let day = Point::read(&found, 1)?;
        // A time of day alone may be part of a name: "the log of 08:53".
        day.day?;
        let moment = Moment { from: Some(day.first()), until: day.end() };
        return Some((moment, found[0].to_owned()));
    };
    let point = Point::read(&found, 1)?;
    let (first, end) = (Some(point.first()), point.end());
    let about = SignedDuration::from_mins(ABOUT);
    let moved = |bound: Option<Bound>, by: SignedDuration| bound.and_then(|bound| bound.later(by));
    let (from, until) = match found[1].to_lowercase().as_str() {
        "since" | "from" => (first, None),
        "after" if point.clock.is_some() => (first, None),
        "after" => (end, None),
        "until" | "till" | "by" => (None, end),
        "before" => (None, first),
        "shortly before" => (moved(first, -2 * about), first),
        "shortly after" | "right after" => (first, moved(end, 2 * about)),
        "at" | "on" => (first, end),
        _ => (moved(first, -about), moved(end, about)),
    };
    Some((Moment { from, until }, found[0].to_owned()))
}

impl Moment {
    fn days(&self) -> impl Iterator<Item = Day> {
        self.from.into_iter().chain(self.until).filter_map(|f| f.day)
    }

    fn is_whole_day(&self) -> bool {
        let times = [self.from, self.until].map(|end| end.map(|bound| bound.time));
        times == [Some(Time::midnight()); 2]
    }

    /// The same span of this day alone; one over midnight ends on the next.
    fn on(self, day: Option<Day>) -> Moment {
        let Some(day) = day else { return self };
        let at = |time: Time| Bound { day: Some(day), time };
        let from = at(self.from.map_or(Time::midnight(), |from| from.time));
        let next = |bound: Bound| bound.later(SignedDuration::from_hours(24));
        let until = match self.until.map(|until| at(until.time)) {
            Some(end) if end.time > from.time => Some(end),
            Some(end) => next(end),
            None => next(at(Time::midnight())),
        };
        Moment { from: Some(from), until }
    }
}

#[cfg(test)]
mod tests;
