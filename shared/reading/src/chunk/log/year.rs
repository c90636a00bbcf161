//! Moments out of times that do not tell their zone or their year.

use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::stamp::Stamp;

/// What is known of when a log was written, besides what it says.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Near {
    /// Nothing.
    #[default]
    Unknown,
    /// It was around this time.
    About(Timestamp),
    /// It was not later than this.
    Before(Timestamp),
}

/// What was assumed of a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Assumed {
    /// It was taken as UTC.
    pub(super) zone: bool,
    /// The year it was taken to be in.
    pub(super) year: Option<i16>,
    /// Seconds that the record's own clock is ahead of UTC, where it says so.
    pub(super) ahead: Option<i32>,
}

/// A moment, and what was assumed to know it.
pub(super) type Moment = (Timestamp, Assumed);

/// The furthest that zones lie apart: a time without one may seem this much later than it is.
const ZONES: SignedDuration = SignedDuration::from_hours(14);

/// The moments that `stamps` tell, in order, each with a time that its own line has besides it. A year that is not
/// told is the one of that, else of the neighbors, else by `near`; where none of these is there, it is no moment.
pub(super) fn moments(
    stamps: impl Iterator<Item = (Option<Stamp>, Option<Stamp>)> + Clone,
    near: Near,
) -> impl Iterator<Item = Option<Moment>> {
    let with_year = |stamp: Option<Stamp>| stamp.and_then(moment).map(|(time, _)| time);
    let mut known = stamps.clone().find_map(|(stamp, beside)| {
        with_year(stamp).or_else(|| with_year(beside).filter(|time| is_close(stamp, *time)))
    });
    stamps.map(move |(stamp, beside)| {
        let stamp = stamp?;
        let moment = moment(stamp);
        let beside = with_year(beside).filter(|time| is_close(Some(stamp), *time));
        if let Some(time) = moment.map(|(time, _)| time).or(beside) {
            known = Some(time);
        }
        moment.or_else(|| match known {
            Some(time) => closest(stamp, time),
            None => match near {
                Near::About(time) => closest(stamp, time),
                Near::Before(time) => latest(stamp, time),
                Near::Unknown => None,
            },
        })
    })
}

fn moment(stamp: Stamp) -> Option<Moment> {
    match stamp {
        Stamp::Instant(time) => Some((time, Assumed { ahead: Some(0), ..Assumed::default() })),
        Stamp::Civil { civil, has_year: true, offset } => {
            let time = offset.unwrap_or(Offset::UTC).to_timestamp(civil).ok()?;
            Some((
                time,
                Assumed { zone: offset.is_none(), year: None, ahead: offset.map(Offset::seconds) },
            ))
        }
        Stamp::Civil { has_year: false, .. } | Stamp::Clock => None,
    }
}

/// Whether `time` is the same day as the stamp's, or the one before or after it.
fn is_close(stamp: Option<Stamp>, time: Timestamp) -> bool {
    let near = stamp.and_then(|stamp| closest(stamp, time));
    near.is_some_and(|(near, _)| near.duration_since(time).abs() <= SignedDuration::from_hours(48))
}

/// The stamp in the year that brings it closest to `time`.
fn closest(stamp: Stamp, time: Timestamp) -> Option<Moment> {
    in_years(stamp, time).min_by_key(|(in_year, _)| in_year.duration_since(time).abs())
}

/// The stamp in the last year that does not put it after `time`.
fn latest(stamp: Stamp, time: Timestamp) -> Option<Moment> {
    in_years(stamp, time)
        .filter(|(in_year, _)| in_year.duration_since(time) <= ZONES)
        .max_by_key(|(in_year, _)| *in_year)
}

/// The stamp in the years around `time`; every leap day is within four.
fn in_years(stamp: Stamp, time: Timestamp) -> impl Iterator<Item = Moment> {
    let around = Offset::UTC.to_datetime(time).year();
    (around.saturating_sub(4)..=around.saturating_add(4)).filter_map(move |year| {
        let Stamp::Civil { civil, has_year: false, offset } = stamp else { return None };
        let dated: DateTime = civil.with().year(year).build().ok()?;
        let time = offset.unwrap_or(Offset::UTC).to_timestamp(dated).ok()?;
        let ahead = offset.map(Offset::seconds);
        Some((time, Assumed { zone: offset.is_none(), year: Some(year), ahead }))
    })
}
