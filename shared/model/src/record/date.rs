//! Dates in columns, with or without a time of day.

use std::sync::LazyLock;

use jiff::civil::{Date, Time};
use jiff::tz::Offset;
use regex::{Captures, Regex};
use serde::{Deserialize, Serialize};

use super::Moment;
use crate::zone;

/// The order of the parts of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DateOrder {
    /// `2015-05-17`.
    YearFirst,
    /// `17.05.2015`, `17 May 2015`.
    DayFirst,
    /// `05/17/2015`, `May 17, 2015`.
    MonthFirst,
}

/// All orders.
pub(super) const ORDERS: [DateOrder; 3] =
    [DateOrder::YearFirst, DateOrder::DayFirst, DateOrder::MonthFirst];

/// Upper bound for the length of a text that is examined.
const LONGEST: usize = 60;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

static FORM: LazyLock<Regex> = LazyLock::new(form);

#[expect(clippy::unwrap_used, reason = "the pattern is constant, and the tests compile it")]
fn form() -> Regex {
    let date = concat!(
        r"(?<a>[0-9]{1,4})(?<s>[-/.])(?<b>[0-9]{1,2})(?<t>[-/.])(?<c>[0-9]{1,4})",
        r"|(?<d>[0-9]{1,2})\.?[ /-](?<m>[A-Za-z]{3,9})\.?,?[ /-](?<y>[0-9]{4})",
        r"|(?<n>[A-Za-z]{3,9})\.? (?<e>[0-9]{1,2}),? (?<z>[0-9]{4})",
    );
    let time = r"(?<h>[0-9]{1,2}):(?<i>[0-9]{2})(?::(?<k>[0-9]{2})(?:[.,](?<f>[0-9]{1,9}))?)?(?: ?(?<half>[AaPp])\.?[Mm]\.?)?(?: ?(?<o>[A-Z]{1,4}|[+-][0-9]{2}:?(?:[0-9]{2})?))?";
    let day = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?";
    Regex::new(&format!(r"^{day}(?:{date})(?:(?:[T:]|,? +){time})?$")).unwrap()
}

/// A date as written; it may be valid in more than one order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    parts: [i16; 3],
    /// For each order, true if the date is valid in it.
    orders: [bool; 3],
    time: Time,
    /// The offset of its clock from UTC, if it is stated.
    offset: Option<Offset>,
}

impl Written {
    /// Parses a whole value; `None` if it is not a date.
    pub(super) fn parse(text: &str) -> Option<Written> {
        let text = text.trim();
        let has_digits = text.bytes().filter(u8::is_ascii_digit).take(5).count() == 5;
        let found = (has_digits && text.len() <= LONGEST).then(|| FORM.captures(text)).flatten()?;
        let (parts, forms) = written(&found)?;
        let written =
            Written { parts, orders: forms, time: time(&found)?, offset: offset(&found).ok()? };
        let orders = ORDERS.map(|order| written.date(order).is_some());
        let orders = std::array::from_fn(|place| forms[place] && orders[place]);
        orders.contains(&true).then_some(Written { orders, ..written })
    }

    /// Returns true if the date is valid in this order.
    pub(super) fn is_in(&self, order: DateOrder) -> bool {
        self.orders[order as usize]
    }

    /// Returns the moment of the date, in UTC if it states no zone. The date is read in `order`, or
    /// in the only order in which it is valid.
    pub(super) fn moment(&self, order: DateOrder) -> Option<Moment> {
        let mut possible = ORDERS.into_iter().filter(|order| self.is_in(*order));
        let only = possible.next().filter(|_| possible.next().is_none());
        let order = Some(order).filter(|order| self.is_in(*order)).or(only)?;
        let civil = self.date(order)?.to_datetime(self.time);
        let time = self.offset.unwrap_or(Offset::UTC).to_timestamp(civil).ok()?;
        Some(Moment { micros: time.as_microsecond(), ahead: self.offset.map(Offset::seconds) })
    }

    fn date(&self, order: DateOrder) -> Option<Date> {
        let [a, b, c] = self.parts;
        let (year, month, day) = match order {
            DateOrder::YearFirst => (a, b, c),
            DateOrder::DayFirst => (c, b, a),
            DateOrder::MonthFirst => (c, a, b),
        };
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    }
}

/// Returns the three parts of a date as written, and the orders that its form allows.
fn written(found: &Captures<'_>) -> Option<([i16; 3], [bool; 3])> {
    let number = |name: &str| found.name(name).and_then(|part| part.as_str().parse::<i16>().ok());
    if let Some((name, (day, year))) = found.name("m").zip(number("d").zip(number("y"))) {
        return Some(([day, month(name.as_str())?, year], [false, true, false]));
    }
    if let Some((name, (day, year))) = found.name("n").zip(number("e").zip(number("z"))) {
        return Some(([month(name.as_str())?, day, year], [false, false, true]));
    }
    let mark = found.name("s")?.as_str();
    if found.name("t")?.as_str() != mark {
        return None;
    }
    let length = |name: &str| found.name(name).map_or(0, |part| part.len());
    let forms = match (length("a"), length("c")) {
        (4, 1 | 2) => [true, false, false],
        // Before a dot, the month is never first.
        (1 | 2, 4) => [false, true, mark != "."],
        _ => return None,
    };
    Some(([number("a")?, number("b")?, number("c")?], forms))
}

/// Returns the number of a month by its name, or by its first three letters or more.
fn month(name: &str) -> Option<i16> {
    let lower = name.to_ascii_lowercase();
    (1..).zip(MONTHS).find(|(_, month)| lower.starts_with(month)).map(|(number, _)| number)
}

fn time(found: &Captures<'_>) -> Option<Time> {
    let Some(hour) = found.name("h") else { return Some(Time::midnight()) };
    let number = |name: &str| found.name(name).map_or(Some(0), |part| part.as_str().parse().ok());
    let mut hour: i8 = hour.as_str().parse().ok()?;
    if let Some(half) = found.name("half") {
        let half = if half.as_str().eq_ignore_ascii_case("p") { 12 } else { 0 };
        hour = (1..=12).contains(&hour).then_some(hour % 12 + half)?;
    }
    let fraction = found.name("f").map_or("", |part| part.as_str());
    let nanoseconds = format!("{fraction:0<9}").parse().ok()?;
    Time::new(hour, number("i")?, number("k")?, nanoseconds).ok()
}

/// Returns the zone that a time states, if any.
///
/// # Errors
/// Returns an error if the zone is unknown.
fn offset(found: &Captures<'_>) -> Result<Option<Offset>, ()> {
    let Some(zone) = found.name("o") else { return Ok(None) };
    zone::offset(zone.as_str()).map(Some).ok_or(())
}
