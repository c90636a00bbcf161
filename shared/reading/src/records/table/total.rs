//! The row below a table's rows that sums them up.

use model::record::{Amount, ColumnKind, Decimal, Record};

/// Whether the last record is the sum of those above it, and no row of its own: it leaves a cell empty that all of them have,
/// and one of its numbers is a sum; or all of its numbers are, two at least.
pub(super) fn is_last(records: &[Record<'_>], decimal: Decimal) -> bool {
    let Some((last, above)) = records.split_last().filter(|(_, above)| above.len() > 1) else {
        return false;
    };
    let kind = ColumnKind::Number { decimal };
    let numbers = last.cells.iter().enumerate().filter_map(|(place, (name, value))| {
        let total = kind.number(value)?;
        Some(is_sum(above, (place, name), total, kind))
    });
    let (sums, others): (Vec<bool>, Vec<bool>) = numbers.partition(|is_sum| *is_sum);
    match (sums.len(), others.len()) {
        (0, _) => false,
        // The numbers of rows are a sum, too, if there are three of them.
        (2.., 0) if above.len() > 2 => true,
        _ => has_gap(last, above),
    }
}

/// Whether a number is the sum of its column, which has nothing but numbers from 0 on.
fn is_sum(above: &[Record<'_>], column: (usize, &str), total: Amount, kind: ColumnKind) -> bool {
    let error = total.value.abs() * 1e-9;
    let mut sum = 0.0;
    for record in above {
        let Some(value) = cell(record, column) else { continue };
        let Some(number) = kind.number(value) else { return false };
        sum += number.value;
        if sum > total.value + error {
            return false;
        }
    }
    sum > 0.0 && (sum - total.value).abs() <= error
}

/// Whether all rows above have a value in a column where the last has none.
fn has_gap(last: &Record<'_>, above: &[Record<'_>]) -> bool {
    let first = above.first().map_or(&[][..], |first| &first.cells);
    let gaps = first.iter().enumerate().filter(|(_, (name, _))| last.cell(name).is_none());
    let mut gaps = gaps.map(|(place, (name, _))| (place, name.as_str()));
    gaps.any(|column| above.iter().all(|record| cell(record, column).is_some()))
}

/// A record's value in a column, which mostly has the same place in each.
fn cell<'r>(record: &'r Record<'_>, (place, name): (usize, &str)) -> Option<&'r str> {
    let there = record.cells.get(place).filter(|(cell, _)| cell == name);
    there.map(|(_, value)| value.as_ref()).or_else(|| record.cell(name))
}
