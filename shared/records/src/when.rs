//! Conditions on a record's time and on its author's clock, and the parts of time.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;
use model::record::Moment;
use wire::records::{Condition, ConditionForm, Scalar};

use model::{Error, Result};

/// Formats a moment as in RFC 3339.
pub fn instant(micros: i64) -> String {
    Timestamp::from_microsecond(micros).map(|time| time.to_string()).unwrap_or_default()
}

/// The length of a second in microseconds.
const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// A span from one moment up to, but not including, another, in microseconds.
pub(super) type Span = (i64, i64);

/// A part of time by which records are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Minute,
    Hour,
    Day,
    Month,
    Year,
}

impl Part {
    const ALL: [(&str, Part); 5] = [
        ("minute", Part::Minute),
        ("hour", Part::Hour),
        ("day", Part::Day),
        ("month", Part::Month),
        ("year", Part::Year),
    ];

    pub(super) fn named(name: &str) -> Option<Part> {
        Part::ALL.iter().find(|(part, _)| *part == name).map(|(_, part)| *part)
    }

    /// Returns the beginning of the part that contains a moment, in UTC. In a condition it stands
    /// for the whole part.
    pub(super) fn beginning(self, micros: i64) -> String {
        let time = Timestamp::from_microsecond(micros).unwrap_or_default();
        let form = match self {
            Part::Minute => "%Y-%m-%dT%H:%MZ",
            Part::Hour => "%Y-%m-%dT%H:00Z",
            Part::Day => "%Y-%m-%d",
            Part::Month => "%Y-%m",
            Part::Year => "%Y",
        };
        time.strftime(form).to_string()
    }
}

/// Half-open ranges. A time must be in one of them.
#[derive(Debug, Clone)]
pub(super) struct When {
    ranges: Vec<Span>,
    excepted: Vec<Span>,
}

impl When {
    /// Reads a condition on moments, in microseconds since 1970.
    pub(super) fn of_moments(condition: &Condition) -> Result<When> {
        When::of("time", condition, moment)
    }

    /// Reads a condition on times of day, in microseconds since midnight.
    pub(super) fn of_clocks(condition: &Condition) -> Result<When> {
        When::of("clock", condition, clock)
    }

    fn of(
        field: &'static str,
        condition: &Condition,
        read: impl Fn(&str) -> Option<Span>,
    ) -> Result<When> {
        let wanted = match field {
            "time" => "must be a time such as 2026-11-20T18:10:00Z, or a day, a month or a year",
            _ => "must be a time of day such as 18:10 or 18:10:00",
        };
        let read = |scalar: &Scalar| {
            read(&scalar.text()).ok_or_else(|| Error::invalid(format!("where.{field}"), wanted))
        };
        let all = |scalars: &[Scalar]| scalars.iter().map(read).collect::<Result<Vec<_>>>();
        Ok(match condition {
            Condition::Is(one) => When { ranges: vec![read(one)?], excepted: Vec::new() },
            Condition::AnyOf(scalars) => When { ranges: all(scalars)?, excepted: Vec::new() },
            Condition::Bounds(ConditionForm { gte, gt, lte, lt, not, .. }) => {
                let (mut first, mut end) = (i64::MIN, i64::MAX);
                if let Some(bound) = gte {
                    first = first.max(read(bound)?.0);
                }
                if let Some(bound) = gt {
                    first = first.max(read(bound)?.1);
                }
                if let Some(bound) = lte {
                    end = end.min(read(bound)?.1);
                }
                if let Some(bound) = lt {
                    end = end.min(read(bound)?.0);
                }
                let is_around_midnight = field == "clock" && first > end;
                let ranges = if is_around_midnight {
                    vec![(first, DAY), (0, end)]
                } else {
                    vec![(first, end)]
                };
                When { ranges, excepted: all(not)? }
            }
        })
    }

    /// Returns true if this time satisfies the condition.
    pub(super) fn has(&self, micros: i64) -> bool {
        let is_in = |range: &(i64, i64)| range.0 <= micros && micros < range.1;
        self.ranges.iter().any(is_in) && !self.excepted.iter().any(is_in)
    }

    /// Returns true if a moment of a span may satisfy the condition.
    pub(super) fn may_have(&self, (first, last): (i64, i64)) -> bool {
        self.ranges.iter().any(|range| range.0 <= last && first < range.1)
    }
}

/// Returns the time of day on the author's clock, in microseconds since midnight.
pub(super) fn time_of_day(moment: Moment) -> i64 {
    let ahead = i64::from(moment.ahead.unwrap_or_default()) * SECOND;
    (moment.micros + ahead).rem_euclid(DAY)
}

/// Parses a moment, or the second, minute, day, month or year of a shorter form.
pub(super) fn moment(text: &str) -> Option<Span> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        let micros = time.as_microsecond();
        return Some((micros, micros + if text.contains('.') { 1 } else { SECOND }));
    }
    if text.len() > 10
        && let Ok(civil) = text.trim_end_matches('Z').parse::<DateTime>()
    {
        return around(micros(civil)?, text);
    }
    let (first, end) = match text.parse::<Date>() {
        Ok(day) => (day, day.tomorrow().ok()?),
        Err(_) => month_or_year(text)?,
    };
    let midnight = |day: Date| micros(day.to_datetime(Time::midnight()));
    midnight(first).zip(midnight(end))
}

/// Returns the instant, second, minute or day that begins at a moment with this written form.
pub(super) fn around(micros: i64, text: &str) -> Option<Span> {
    let length = match text.matches(':').count() {
        0 => DAY,
        1 => 60 * SECOND,
        _ if text.rsplit(':').next().is_some_and(|seconds| seconds.contains('.')) => 1,
        _ => SECOND,
    };
    Some((micros, micros.checked_add(length)?))
}

fn micros(civil: DateTime) -> Option<i64> {
    Offset::UTC.to_timestamp(civil).ok().map(Timestamp::as_microsecond)
}

/// Parses `2026-11` or `2026`: its first day, and the day after its last.
fn month_or_year(text: &str) -> Option<(Date, Date)> {
    let (year, month) = text.split_once('-').map_or((text, None), |(a, b)| (a, Some(b)));
    let number = |text: &str, length: usize| {
        let is_number = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i16>().ok().filter(|_| is_number)
    };
    let year = number(year, 4)?;
    let Some(month) = month else {
        return Some((Date::new(year, 1, 1).ok()?, Date::new(year + 1, 1, 1).ok()?));
    };
    let month = i8::try_from(number(month, 2)?).ok()?;
    let first = Date::new(year, month, 1).ok()?;
    Some((first, first.last_of_month().tomorrow().ok()?))
}

fn clock(text: &str) -> Option<Span> {
    let time = text.trim().parse::<Time>().ok()?;
    let seconds =
        i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second());
    let micros = seconds * SECOND + i64::from(time.subsec_nanosecond()) / 1_000;
    let length = match (text.contains('.'), text.matches(':').count()) {
        (true, _) => 1,
        (_, 1) => 60 * SECOND,
        _ => SECOND,
    };
    Some((micros, micros + length))
}
