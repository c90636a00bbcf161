//! When a document was written.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use model::item::Record;
use model::object::announced;

use crate::chunk::{FrontMatter, Near};

/// When the document was written, as far as it is known: around the time it is said to tell of, else before its upload.
pub(super) fn near(record: &Record, version: &str, front: &FrontMatter) -> Near {
    let time = record.attributes.time.as_ref().or(front.attributes.time.as_ref());
    match time.and_then(|time| moment(time)) {
        Some(time) => Near::About(time),
        None => Near::Before(announced(version)),
    }
}

/// A time as people write one in front matter: to the second with its zone, or a day.
pub(super) fn moment(time: &str) -> Option<Timestamp> {
    let day = || time.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok();
    let civil = || time.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok();
    let whole = time.parse::<Timestamp>().ok();
    whole.or_else(|| civil().or_else(day).map(|zoned| zoned.timestamp()))
}
