//! The sheets of Excel's files.

use std::collections::HashMap;

use office_oxide::xls::{CellValue as OldValue, Sheet as OldSheet, XlsDocument};
use office_oxide::xlsx::cell::{Cell as NewCell, CellRef, CellValue};
use office_oxide::xlsx::date::is_date_cell;
use office_oxide::xlsx::{Worksheet, XlsxDocument};

use super::sheet::{Cell, Row, Sheet};

/// Upper bound for the bytes of the cells that get the value of a merged range.
const MERGED: usize = 16 << 20;

/// Returns the sheets of an xlsx or xlsm file, and the number of formulas without a value.
pub(super) fn xlsx(workbook: &XlsxDocument) -> (Vec<Sheet>, usize) {
    let mut formulas = 0;
    let mut merged = MERGED;
    let sheet = |worksheet: &Worksheet| {
        let mut rows = Vec::new();
        for row in &worksheet.rows {
            let mut cells: Vec<Cell> =
                row.cells.iter().filter_map(|cell| new_cell(workbook, cell)).collect();
            let is_bare = |cell: &&NewCell| {
                matches!(cell.value, CellValue::Empty) && cell.formula().is_some()
            };
            formulas += row.cells.iter().filter(is_bare).count();
            cells.sort_by_key(|cell| cell.column);
            cells.dedup_by_key(|cell| cell.column);
            rows.push(Row { number: row.index, cells });
        }
        let ranges = worksheet.merged_cells.iter().filter_map(|range| {
            let (first, last) = range.split_once(':')?;
            let (first, last) = (CellRef::parse(first)?, CellRef::parse(last)?);
            Some((first.row + 1, last.row + 1, first.col))
        });
        fill(&mut rows, ranges, &mut merged);
        let comments =
            worksheet.comments.iter().map(|note| format!("{}: {}", note.cell_ref, note.text));
        let shapes = worksheet.text_shapes.iter().map(|shape| shape.text.clone());
        let charts = worksheet.chart_text.iter().map(ToString::to_string);
        let notes = comments.chain(shapes).chain(charts).collect();
        Sheet { name: worksheet.name.clone(), rows: with_content(rows), notes }
    };
    let sheets = workbook.worksheets.iter().map(sheet).collect();
    (sheets, formulas)
}

/// Returns the sheets of an xls file.
pub(super) fn xls(workbook: &XlsDocument) -> Vec<Sheet> {
    let mut merged = MERGED;
    let sheet = |sheet: &OldSheet| {
        let row = |(number, row): (usize, &Vec<OldValue>)| {
            let cells = row.iter().enumerate().filter_map(|(column, value)| {
                let shown = sheet.display_text(number, column)?.into_owned();
                let value = match value {
                    OldValue::Number(number) => precise(*number, &shown),
                    _ => None,
                };
                Some(Cell { column: u32::try_from(column).ok()?, shown, value })
            });
            let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
            Row { number, cells: cells.filter(|cell| !cell.shown.trim().is_empty()).collect() }
        };
        let mut rows = sheet.rows.iter().enumerate().map(row).collect();
        let ranges = sheet.merged_cells.iter();
        let ranges = ranges.map(|(first, last, left, _)| {
            (u32::from(*first) + 1, u32::from(*last) + 1, u32::from(*left))
        });
        fill(&mut rows, ranges, &mut merged);
        let notes = sheet.comments.iter().map(|note| {
            format!("{}: {}", CellRef { col: note.col.into(), row: note.row.into() }, note.text)
        });
        let notes = notes.chain(sheet.chart_text.iter().cloned()).collect();
        Sheet { name: sheet.name.clone(), rows: with_content(rows), notes }
    };
    workbook.sheets.iter().map(sheet).collect()
}

fn new_cell(workbook: &XlsxDocument, cell: &NewCell) -> Option<Cell> {
    if matches!(cell.value, CellValue::Empty) {
        return None;
    }
    let mut shown = workbook.format_cell_value(cell);
    if let CellValue::Number(number) = cell.value
        && (0.0..1.0).contains(&number)
        && is_date_cell(cell.style_index, workbook.styles.as_ref())
    {
        shown = time_of_day(number);
    }
    let value = match cell.value {
        CellValue::Number(number) => precise(number, &shown),
        _ => None,
    };
    (!shown.trim().is_empty()).then_some(Cell { column: cell.reference.col, shown, value })
}

/// Returns a part of a day as a time of day.
#[expect(clippy::cast_possible_truncation, reason = "a day has 86,400 seconds")]
fn time_of_day(part: f64) -> String {
    let seconds = (part * 86_400.0).round() as i64 % 86_400;
    format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// Returns a number with the 15 digits that a sheet keeps, if it is shown with fewer or in another
/// form. A date, which is a number to the file, and a number with leading zeros are as they are
/// shown.
fn precise(number: f64, shown: &str) -> Option<String> {
    let digits = |from: usize, count: usize| {
        shown.as_bytes().get(from..from + count).is_some_and(|it| it.iter().all(u8::is_ascii_digit))
    };
    // `2026-05-03`, `09:30:00`.
    let is_date = digits(0, 4) && digits(5, 2) && shown.as_bytes()[4] == b'-'
        || digits(0, 2) && digits(3, 2) && shown.as_bytes()[2] == b':';
    let is_code = shown.len() > 1
        && shown.starts_with('0')
        && shown.bytes().all(|byte| byte.is_ascii_digit());
    if is_date || is_code {
        return None;
    }
    let kept: f64 = format!("{number:.14e}").parse().ok()?;
    Some(kept.to_string()).filter(|value| value != shown)
}

/// Gives the cells below the first one of a merged range its value. Cells to the right of it stay
/// empty: they are the rest of a title.
fn fill(rows: &mut Vec<Row>, ranges: impl Iterator<Item = (u32, u32, u32)>, left: &mut usize) {
    let mut places: HashMap<u32, usize> =
        rows.iter().enumerate().map(|(place, row)| (row.number, place)).collect();
    for (first, last, column) in ranges {
        let cell = |row: &Row| row.cells.iter().find(|cell| cell.column == column).cloned();
        let Some(cell) = places.get(&first).and_then(|place| cell(&rows[*place])) else { continue };
        for number in first + 1..=last {
            let Some(rest) = left.checked_sub(cell.bytes()) else { return };
            *left = rest;
            let place = *places.entry(number).or_insert_with(|| {
                rows.push(Row { number, cells: Vec::new() });
                rows.len() - 1
            });
            let cells = &mut rows[place].cells;
            if let Err(at) = cells.binary_search_by_key(&column, |cell| cell.column) {
                cells.insert(at, cell.clone());
            }
        }
    }
}

/// Returns the rows that have content, from above.
fn with_content(mut rows: Vec<Row>) -> Vec<Row> {
    rows.retain(|row| !row.cells.is_empty());
    rows.sort_by_key(|row| row.number);
    rows
}
