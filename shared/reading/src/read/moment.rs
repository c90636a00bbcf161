//! The time at which a document was written.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use model::item::Record;
use model::object::announced;

use crate::chunk::{FrontMatter, Near};

/// Returns the time at which the document was written, as far as it is known: around the time that
/// its metadata states, else before its upload.
pub(super) fn near(record: &Record, version: &str, front: &FrontMatter) -> Near {
    let time = record.attributes.time.as_ref().or(front.attributes.time.as_ref());
    match time.and_then(|time| moment(time)) {
        Some(time) => Near::About(time),
        None => Near::Before(announced(version)),
    }
}

/// Returns a time in one of the forms that people write in front matter: to the second with its
/// zone, or a day.
pub(super) fn moment(time: &str) -> Option<Timestamp> {
    let day = || time.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok();
    let civil = || time.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok();
    let whole = time.parse::<Timestamp>().ok();
    whole.or_else(|| civil().or_else(day).map(|zoned| zoned.timestamp()))
}
