//! Derives moments from times that do not state their zone or their year.

use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::stamp::Stamp;

/// The time at which a log was written, as far as it is known from outside the log.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Near {
    /// Nothing is known.
    #[default]
    Unknown,
    /// The log was written around this time.
    About(Timestamp),
    /// The log was not written after this time.
    Before(Timestamp),
}

/// The assumptions that were made about a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Assumed {
    /// True if the time was taken as UTC.
    pub(super) zone: bool,
    /// The year in which the time was placed.
    pub(super) year: Option<i16>,
    /// The seconds by which the record's own clock is ahead of UTC, if the record states its
    /// offset.
    pub(super) ahead: Option<i32>,
}

/// A moment, and the assumptions that led to it.
pub(super) type Moment = (Timestamp, Assumed);

/// The largest offset between a zone and UTC. A time without a zone may seem this much later than
/// it is.
const ZONES: SignedDuration = SignedDuration::from_hours(14);

/// Returns the moment of each stamp, in order. Each stamp comes with another time of the same line,
/// if there is one. A missing year is taken from that other time, else from the neighbors, else
/// from `near`. Without any of these there is no moment.
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

/// Returns true if the stamp, placed in the closest year, is within 48 hours of `time`.
fn is_close(stamp: Option<Stamp>, time: Timestamp) -> bool {
    let near = stamp.and_then(|stamp| closest(stamp, time));
    near.is_some_and(|(near, _)| near.duration_since(time).abs() <= SignedDuration::from_hours(48))
}

/// Returns the stamp, placed in the year that brings it closest to `time`.
fn closest(stamp: Stamp, time: Timestamp) -> Option<Moment> {
    in_years(stamp, time).min_by_key(|(in_year, _)| in_year.duration_since(time).abs())
}

/// Returns the stamp, placed in the last year that does not make it later than `time`.
fn latest(stamp: Stamp, time: Timestamp) -> Option<Moment> {
    in_years(stamp, time)
        .filter(|(in_year, _)| in_year.duration_since(time) <= ZONES)
        .max_by_key(|(in_year, _)| *in_year)
}

/// Returns the stamp in each year around `time`. Four years on each side include a leap year.
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
