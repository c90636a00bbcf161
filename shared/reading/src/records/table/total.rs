//! The total below the rows of a table.

use model::record::{Amount, ColumnKind, Decimal, Record};

/// Returns true if the last record is a total of those above and not a row of its own: all of its
/// numbers are sums, and there are at least two of them or the record leaves a cell empty that all
/// others fill. The third of the rows 1, 2 and 3 has a sum by coincidence.
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
        (0, _) | (_, 1..) => false,
        // With fewer than three rows above, sums may be coincidence.
        (2.., 0) if above.len() > 2 => true,
        _ => has_gap(last, above),
    }
}

/// Returns true if a number is the sum of its column. The column must contain only numbers, which
/// add up without exceeding the total.
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

/// Returns true if all rows above have a value in a column in which the last has none.
fn has_gap(last: &Record<'_>, above: &[Record<'_>]) -> bool {
    let first = above.first().map_or(&[][..], |first| &first.cells);
    let gaps = first.iter().enumerate().filter(|(_, (name, _))| last.cell(name).is_none());
    let mut gaps = gaps.map(|(place, (name, _))| (place, name.as_str()));
    gaps.any(|column| above.iter().all(|record| cell(record, column).is_some()))
}

/// Returns a record's value in a column, which has mostly the same place in each record.
fn cell<'r>(record: &'r Record<'_>, (place, name): (usize, &str)) -> Option<&'r str> {
    let there = record.cells.get(place).filter(|(cell, _)| cell == name);
    there.map(|(_, value)| value.as_ref()).or_else(|| record.cell(name))
}
