//! Ids of what a trail records.

use jiff::Timestamp;

/// The lowest ULID of `time`: what was recorded at that time or later has none below it.
pub fn ulid_at(time: Timestamp) -> String {
    let since_1970 = u64::try_from(time.as_millisecond()).unwrap_or_default();
    ulid::Ulid::from_parts(since_1970, 0).to_string()
}
