//! Conditions on a record's time, and on the clock of its writer.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;
use model::record::Moment;
use wire::records::{Condition, ConditionForm, Scalar};

use crate::{Error, Result};

/// Microseconds of a second.
const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Half-open ranges, one of which a time must be in.
#[derive(Debug, Clone)]
pub(super) struct When {
    ranges: Vec<(i64, i64)>,
    excepted: Vec<(i64, i64)>,
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
        read: impl Fn(&str) -> Option<(i64, i64)>,
    ) -> Result<When> {
        let wanted = match field {
            "time" => "must be a time such as 2026-11-20T18:10:00Z, or a day",
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

    /// Returns true if this time is wanted.
    pub(super) fn has(&self, micros: i64) -> bool {
        let is_in = |range: &(i64, i64)| range.0 <= micros && micros < range.1;
        self.ranges.iter().any(is_in) && !self.excepted.iter().any(is_in)
    }

    /// Returns true if some moment of a span may be wanted.
    pub(super) fn may_have(&self, (first, last): (i64, i64)) -> bool {
        self.ranges.iter().any(|range| range.0 <= last && first < range.1)
    }
}

/// Returns the time of day on the clock of a record's writer, in microseconds since midnight.
pub(super) fn time_of_day(moment: Moment) -> i64 {
    let ahead = i64::from(moment.ahead.unwrap_or_default()) * SECOND;
    (moment.micros + ahead).rem_euclid(DAY)
}

/// Reads a moment, or the second, minute or day that a shorter form means.
fn moment(text: &str) -> Option<(i64, i64)> {
    let text = text.trim();
    let from =
        |civil: DateTime| Offset::UTC.to_timestamp(civil).ok().map(Timestamp::as_microsecond);
    if let Ok(time) = text.parse::<Timestamp>() {
        let is_whole = !text.contains('.');
        let micros = time.as_microsecond();
        return Some((micros, micros + if is_whole { SECOND } else { 1 }));
    }
    if text.len() > 10
        && let Ok(civil) = text.trim_end_matches('Z').parse::<DateTime>()
    {
        let length = if text.matches(':').count() >= 2 { SECOND } else { 60 * SECOND };
        return from(civil).map(|micros| (micros, micros + length));
    }
    let day = from(text.parse::<Date>().ok()?.to_datetime(Time::midnight()))?;
    Some((day, day + DAY))
}

fn clock(text: &str) -> Option<(i64, i64)> {
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
