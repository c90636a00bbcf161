//! A day or a time of day as a question writes it.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use regex::Captures;

use super::{Bound, Day, LEAP};
use model::zone;

const MONTH: &str = "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?\
                     |oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A day or a time of day or both; `n` tells the groups of two of them apart.
pub(super) fn point(n: u8) -> String {
    let day = format!(
        r"(?:(?P<iso{n}>\d{{4}}-\d{{2}}-\d{{2}})|(?P<d{n}>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m{n}>{MONTH})\b(?:,?\s+(?P<y{n}>\d{{4}})\b)?|(?P<em{n}>{MONTH})\s+(?P<ed{n}>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<ey{n}>\d{{4}})\b)?)"
    );
    let zones = zone::zone_names();
    let clock = |side: &str| {
        format!(
            r"(?P<{side}clock{n}>\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d{{1,9}})?)?)(?:\s*(?P<{side}half{n}>[ap]\.?m\b\.?))?(?:\s*(?P<{side}zone{n}>(?-i:{zones})\b|[+-]\d{{2}}:?\d{{2}}\b))?"
        )
    };
    let (after, alone) = (clock("a"), clock("b"));
    format!(r"(?:{day}(?:(?:T|,?\s+(?:at\s+)?){after})?|{alone})")
}

/// A day or a time of day that was read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) day: Option<Day>,
    /// The time of day that was named, and how long it lasts.
    pub(super) clock: Option<(Time, SignedDuration)>,
}

impl Point {
    pub(super) fn read(found: &Captures<'_>, n: u8) -> Option<Point> {
        let part = |name: &str| found.name(&format!("{name}{n}")).map(|name| name.as_str());
        let day = match part("iso") {
            Some(iso) => Some(Day::of(iso.parse().ok()?, true)),
            None => match part("m").or(part("em")) {
                None => None,
                Some(month) => {
                    let parts =
                        [part("d").or(part("ed"))?, month, part("y").or(part("ey")).unwrap_or("")];
                    Some(named_day(parts)?)
                }
            },
        };
        let either = |name: &str| part(&format!("a{name}")).or(part(&format!("b{name}")));
        let Some(clock) = either("clock") else { return day.map(|_| Point { day, clock: None }) };
        let clock = minute(clock, either("half"))?;
        let point = Point { day, clock: Some(clock) };
        either("zone").map_or(Some(point), |zone| point.to_utc(zone))
    }

    /// The same where clocks go by `zone`; `None` for letters that are none.
    fn to_utc(self, zone: &str) -> Option<Point> {
        let offset = zone::offset(&zone.to_uppercase())?;
        let (time, lasts) = self.clock?;
        let has_year = self.day.is_some_and(|day| day.year.is_some());
        let date = self.day.map_or(Date::new(LEAP, 6, 15).ok(), |day| day.date(LEAP))?;
        let local = DateTime::from_parts(date, time).to_zoned(TimeZone::fixed(offset)).ok()?;
        let utc = local.with_time_zone(TimeZone::UTC).datetime();
        let day = self.day.map(|_| Day::of(utc.date(), has_year));
        Some(Point { day, clock: Some((utc.time(), lasts)) })
    }

    pub(super) fn first(self) -> Bound {
        Bound { day: self.day, time: self.clock.map_or(Time::midnight(), |clock| clock.0) }
    }

    /// The first instant after it; `None` where that is the end of every day.
    pub(super) fn end(self) -> Option<Bound> {
        let lasts = self.clock.map_or(SignedDuration::from_hours(24), |clock| clock.1);
        self.first().later(lasts)
    }
}

fn named_day([day, month, year]: [&str; 3]) -> Option<Day> {
    // "It may 3 times": a month begins with a capital.
    if month == "may" {
        return None;
    }
    let month = month.to_lowercase();
    let month = MONTHS.iter().position(|m| month.starts_with(m))?;
    let date = Date::new(LEAP, i8::try_from(month + 1).ok()?, day.parse().ok()?).ok()?;
    Some(Day { year: year.parse().ok(), month: date.month(), of_month: date.day() })
}

/// A time of day, and how long it lasts: a minute, a second, or a part of one.
fn minute(text: &str, half: Option<&str>) -> Option<(Time, SignedDuration)> {
    let text = text.replace(',', ".");
    let text = if text.find(':') == Some(1) { format!("0{text}") } else { text };
    let mut from: Time = text.parse().ok()?;
    if let Some(half) = half {
        let is_late = half.starts_with(['p', 'P']);
        let hour = from.hour() % 12 + if is_late { 12 } else { 0 };
        from = from.with().hour(hour).build().ok()?;
    }
    let lasts = match text.len() {
        0..=5 => SignedDuration::from_mins(1),
        6..=8 => SignedDuration::from_secs(1),
        _ => SignedDuration::from_millis(10),
    };
    Some((from, lasts))
}
