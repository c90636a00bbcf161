//! Time zones by the names that logs and people use.

use jiff::tz::Offset;

/// Zones by name. Names with different meanings in different places are left out.
const ZONES: [(&str, i8); 23] = [
    ("Z", 0),
    ("UTC", 0),
    ("GMT", 0),
    ("WET", 0),
    ("WEST", 1),
    ("CET", 1),
    ("CEST", 2),
    ("EET", 2),
    ("EEST", 3),
    ("MSK", 3),
    ("SGT", 8),
    ("HKT", 8),
    ("JST", 9),
    ("KST", 9),
    ("AEST", 10),
    ("AEDT", 11),
    ("NZST", 12),
    ("EST", -5),
    ("EDT", -4),
    ("CDT", -5),
    ("MST", -7),
    ("PST", -8),
    ("PDT", -7),
];

/// Returns the known names of zones, as alternatives of a pattern.
pub fn zone_names() -> String {
    ZONES.map(|(name, _)| name).join("|")
}

/// Returns the offset from UTC of `zone`, which is a name, or hours and minutes.
pub fn offset(zone: &str) -> Option<Offset> {
    if let Some((_, hours)) = ZONES.iter().find(|(name, _)| *name == zone) {
        return Offset::from_hours(*hours).ok();
    }
    let digits = zone.get(1..)?.replace(':', "");
    let digits = if digits.len() % 2 == 1 { format!("0{digits}") } else { digits };
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = if minutes.is_empty() { "0" } else { minutes };
    let seconds = hours.parse::<i32>().ok()? * 3600 + minutes.parse::<i32>().ok()? * 60;
    Offset::from_seconds(if zone.starts_with('-') { -seconds } else { seconds }).ok()
}
