//! The time of a row: from a column of moments, or from one of dates and one of times of day.

use model::record::{ColumnKind, DateOrder, Moment, Record};
use smol_str::SmolStr;

use super::layout::Layout;

/// The name of the column that all records have.
const TIME: &str = "time";

/// The names of the column that states the time of a row.
const TIMES: [&str; 4] = [TIME, "timestamp", "date", "datetime"];

/// The length of a day in microseconds.
const DAY: i64 = 86_400_000_000;

/// An arbitrary day, for values that are only a time of day.
const ANY_DAY: &str = "2000-01-01";

/// Returns true if a cell is a time of day.
pub(super) fn is_clock(cell: &str) -> bool {
    let kind = ColumnKind::Date { order: DateOrder::YearFirst };
    cell.contains(':')
        && cell.starts_with(|c: char| c.is_ascii_digit())
        && kind.moment(&format!("{ANY_DAY} {cell}")).is_some()
}

/// Sets the moment of each row: from the column with the name of a time, else from the only column
/// with dates. If these are days, the column of times of day is added. Returns true if any moment
/// was taken as UTC because its zone is unknown.
pub(super) fn assign(records: &mut [Record<'_>], heads: &[SmolStr], layout: &Layout) -> bool {
    let is_named = |place: &&usize| heads.get(**place).is_some_and(|head| is_time(head));
    let only = |places: &[usize]| (places.len() == 1).then(|| places[0]);
    let date = layout.dates.iter().find(is_named).copied().or_else(|| only(&layout.dates));
    let date = date.or_else(|| heads.iter().position(|head| is_time(head)));
    let Some(date) = date.and_then(|place| heads.get(place)) else { return false };
    let kind = ColumnKind::of_dates(records.iter().filter_map(|record| record.cell(date)))
        .unwrap_or(ColumnKind::Date { order: DateOrder::YearFirst });
    let mut moments = records.iter().filter_map(|record| kind.moment(record.cell(date)?));
    let is_day = moments.all(|micros| micros % DAY == 0);
    let clock = layout.clocks.iter().find(is_named).copied().or_else(|| only(&layout.clocks));
    let clock = clock.filter(|_| is_day).and_then(|place| heads.get(place));
    let is_read = date == TIME || clock.is_some_and(|clock| clock == TIME);
    let mut is_assumed = false;
    for record in records {
        record.moment = moment(record, kind, date, clock);
        is_assumed |= record.moment.is_some_and(|moment| moment.ahead.is_none());
        if is_read && record.moment.is_some() {
            // The record's moment replaces the column `time`.
            record.cells.retain(|(name, _)| name != TIME);
        }
    }
    is_assumed
}

fn is_time(head: &str) -> bool {
    TIMES.contains(&head)
}

fn moment(
    record: &Record<'_>,
    kind: ColumnKind,
    date: &str,
    clock: Option<&SmolStr>,
) -> Option<Moment> {
    let date = record.cell(date)?;
    let with_clock = clock.and_then(|clock| record.cell(clock));
    with_clock.and_then(|clock| kind.told(&format!("{date} {clock}"))).or_else(|| kind.told(date))
}
