//! The ids of what a trail records.

use jiff::Timestamp;

/// Returns the lowest ULID of `time`. Records of that time or later have no lower one.
pub fn ulid_at(time: Timestamp) -> String {
    let since_1970 = u64::try_from(time.as_millisecond()).unwrap_or_default();
    ulid::Ulid::from_parts(since_1970, 0).to_string()
}
