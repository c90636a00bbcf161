//! Rows of a table of a page: the lines of each, and the text of each cell.

use pdf_oxide::geometry::Rect;

use super::aligned::{COLUMNS, Column};
use super::line::{LABEL, Line, Rules, is_number, words_of};

/// Upper bound for the distance of two lines of a cell, in sizes of the letters.
const LEADING: f32 = 1.5;

/// Upper bound for the bytes of a text that stands in each of the columns that it covers.
const COPIED: usize = 500;

/// Returns the text of each column in a line. What covers several columns stands in each.
pub(super) fn cells(line: &Line, columns: &[Column]) -> Vec<String> {
    let mut cells = vec![String::new(); columns.len()];
    for segment in &line.segments {
        let (left, right, text) = (segment.left, segment.right, segment.text());
        let distance = |place: &usize| {
            let Column { left: from, right: to } = columns[*place];
            (f32::midpoint(from, to) - f32::midpoint(left, right)).abs()
        };
        let mut held: Vec<usize> =
            (0..columns.len()).filter(|place| columns[*place].holds(left, right)).collect();
        if held.is_empty() {
            held.extend(
                (0..columns.len()).min_by(|one, other| distance(one).total_cmp(&distance(other))),
            );
        }
        let most = if text.len() > COPIED { 1 } else { COLUMNS };
        for place in held.into_iter().take(most) {
            push(&mut cells[place], &text);
        }
    }
    cells
}

fn push(cell: &mut String, text: &str) {
    if !cell.is_empty() && !text.is_empty() {
        cell.push(' ');
    }
    cell.push_str(text);
}

/// Returns true if these cells are none of a table: columns of running text, or entries of a list.
pub(super) fn are_text(cells: &[Vec<String>]) -> bool {
    is_text(cells) || is_list(cells)
}

/// Returns true if the columns are those of a page: all but those with few cells have running text.
fn is_text(cells: &[Vec<String>]) -> bool {
    let is_text = |column: usize| {
        let texts = || cells.iter().map(|row| &row[column]).filter(|text| !text.is_empty());
        let long = texts().filter(|text| words_of(text) > LABEL).count();
        long * 2 > texts().count() || texts().count() * 4 < cells.len()
    };
    (0..cells.first().map_or(0, Vec::len)).all(is_text)
}

/// Returns true for the entries of a list: a mark or a number, and words beside it.
fn is_list(cells: &[Vec<String>]) -> bool {
    let is_label = |text: &&str| {
        let name = text.trim_matches(|letter: char| !letter.is_alphanumeric());
        let is_number = name.chars().all(|letter| letter == '.' || letter.is_ascii_digit());
        name.is_empty()
            || (is_number || name.chars().count() <= 3) && text.ends_with(['.', ')', ']'])
    };
    let first = || cells.iter().map(|row| row[0].as_str()).filter(|text| !text.is_empty());
    cells.first().is_some_and(|row| row.len() == 2)
        && first().filter(is_label).count() * 2 > first().count()
}

/// Joins the lines of each row.
pub(super) fn rows(
    lines: &[Line],
    cells: Vec<Vec<String>>,
    rules: &Rules,
    place: &Rect,
) -> Vec<Vec<String>> {
    let heads = heads(&cells);
    let parted: Vec<bool> =
        lines.windows(2).map(|pair| rules.lie_between(&pair[0], &pair[1], place)).collect();
    let are_rows_ruled = are_rows(&cells, &parted);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut first = &lines[0];
    for (number, (line, cells)) in lines.iter().zip(cells).enumerate() {
        let goes_on = |row: &Vec<String>| {
            let distance = lines[number - 1].middle - line.middle;
            let hangs = line.left() > first.left() + 0.5 * line.size;
            number < heads
                || are_rows_ruled && !parted[number - 1]
                || number > heads
                    && !are_rows_ruled
                    && distance < LEADING * line.size
                    && goes_on(row, &cells, hangs)
        };
        match rows.last_mut() {
            Some(row) if goes_on(row) => {
                row.iter_mut().zip(&cells).for_each(|(cell, more)| push(cell, more));
            }
            _ => {
                first = line;
                rows.push(cells);
            }
        }
    }
    rows
}

/// Returns true if rules part all rows: two at least are drawn, and no column has two numbers
/// between two of them.
fn are_rows(cells: &[Vec<String>], parted: &[bool]) -> bool {
    let mut numbers = vec![0; cells.first().map_or(0, Vec::len)];
    for (number, row) in cells.iter().enumerate() {
        if number > 0 && parted[number - 1] {
            numbers.fill(0);
        }
        for (count, cell) in numbers.iter_mut().zip(row) {
            *count += usize::from(is_number(cell));
            if *count > 1 {
                return false;
            }
        }
    }
    parted.iter().filter(|parted| **parted).count() > 1
}

/// Returns the number of lines above the first one with numbers in the columns of numbers.
fn heads(cells: &[Vec<String>]) -> usize {
    let are_numbers = |column: &usize| {
        let texts = || cells.iter().map(|row| &row[*column]).filter(|text| !text.is_empty());
        let numbers = texts().filter(|text| is_number(text)).count();
        numbers > 1 && numbers * 2 > texts().count()
    };
    let columns: Vec<usize> = (0..cells.first().map_or(0, Vec::len)).filter(are_numbers).collect();
    let has_numbers = |row: &Vec<String>| {
        let found = columns.iter().filter(|column| is_number(&row[**column])).count();
        found > 0 && found * 2 >= columns.len()
    };
    // Above heads that are years stand those of several columns each.
    let are_above = cells.first().is_some_and(|row| {
        row[0].is_empty() && row.iter().filter(|cell| !cell.is_empty()).count() * 2 <= row.len()
    });
    let first = if are_above { 2 } else { 1 };
    let heads = cells.iter().position(has_numbers).unwrap_or(first).max(first).min(cells.len());
    // A title of rows is none of the heads.
    let is_title =
        |row: &Vec<String>| !row[0].is_empty() && row.iter().skip(1).all(String::is_empty);
    let titles = cells[1..heads].iter().rev().take_while(|row| is_title(row)).count();
    if cells[0].iter().skip(1).all(String::is_empty) { heads } else { heads - titles }
}

/// Returns true if a line goes on with the row above it: the first cell is empty and few others
/// are full, or it goes on with the words of the first cell.
fn goes_on(row: &[String], cells: &[String], hangs: bool) -> bool {
    let full = cells.iter().filter(|cell| !cell.is_empty()).count();
    if cells[0].is_empty() {
        return full * 2 <= cells.len()
            && !row[0].is_empty()
            && !cells.iter().any(|cell| is_number(cell));
    }
    full == 1 && (hangs || cells[0].starts_with(char::is_lowercase))
}
