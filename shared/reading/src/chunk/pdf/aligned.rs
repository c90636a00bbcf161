//! Tables of a page, found by how its words stand in columns.
//!
//! Lines whose segments leave the same blanks free are rows of a table, after the analysis of white
//! space of Nurminen (2013), "Algorithmic extraction of data in tables in PDF documents". Rules,
//! where they are drawn, part cells and rows.

use std::ops::Range;

use pdf_oxide::geometry::Rect;

use super::super::table::Table;
use super::line::{Line, Rules, Segment, is_number};
use super::rows::{are_text, cells, rows};

/// Upper bound for the distance of two lines of a table, in sizes of the letters.
const APART: f32 = 3.0;

/// The distance within which two segments begin or end at one place, in points.
const NEAR: f32 = 3.0;

/// Bounds: the most lines of a page with tables, of a table its most lines and columns and its
/// fewest rows.
const PAGE: usize = 1_000;
const LINES: usize = 150;
pub(super) const COLUMNS: usize = 50;
const ROWS: usize = 3;

/// A table and what its words cover.
pub(super) struct Aligned {
    pub(super) table: Table,
    pub(super) place: Rect,
    /// The lines that it takes.
    lines: Range<usize>,
}

impl Aligned {
    /// Returns the words of the next line below it that is of none of these tables.
    pub(super) fn next(&self, lines: &[Line], tables: &[Aligned]) -> Option<String> {
        let is_below = |segment: &&Segment| {
            segment.left < self.place.x + self.place.width && self.place.x < segment.right
        };
        let is_free = |number: &usize| !tables.iter().any(|table| table.lines.contains(number));
        (self.lines.end..lines.len())
            .filter(is_free)
            .find_map(|number| lines[number].segments.iter().find(is_below))
            .map(Segment::text)
    }
}

/// Returns the tables of these lines, from the top on.
pub(super) fn tables(lines: &[Line], rules: &Rules) -> Vec<Aligned> {
    let (mut found, mut start, mut free) = (Vec::new(), 0, 0);
    // A page with more lines is a drawing.
    while start < lines.len() && lines.len() <= PAGE {
        let run = run(lines, start, free, rules);
        start += 1;
        let mut columns = columns(&lines[run.clone()]);
        if !(2..=COLUMNS).contains(&columns.len()) {
            continue;
        }
        let mut own = lines[run.clone()].to_vec();
        while let Some(place) = text_beside(lines, &run, &own, &columns) {
            let column = columns.remove(place);
            own.retain_mut(|line| line.leave_out(column.left, column.right));
        }
        let taken = taken(&own, &columns);
        let own = &own[taken];
        let Some((table, place)) = table(own, &columns, rules) else { continue };
        // Words within its place that stand in no cell would be lost.
        if within(lines, &place) == within(own, &place) {
            free = own.last().map_or(start, |last| last.number + 1);
            start = start.max(free);
            found.push(Aligned { table, place, lines: run.start..free });
        }
    }
    found
}

/// Returns the number of segments with their middle in `place`.
fn within(lines: &[Line], place: &Rect) -> usize {
    let is_within = |line: &Line, segment: &Segment| {
        let middle = f32::midpoint(segment.left, segment.right);
        (place.x..place.x + place.width).contains(&middle)
            && (place.y..place.y + place.height).contains(&line.middle)
    };
    let count = |line: &Line| line.segments.iter().filter(|it| is_within(line, it)).count();
    lines.iter().map(count).sum()
}

/// Returns the lines from `start` on that may be of one table. It begins and ends with lines of
/// several segments, or with lines whose cells rules part; lines before `free` are taken.
fn run(lines: &[Line], start: usize, free: usize, rules: &Rules) -> Range<usize> {
    let (mut begin, mut end) = (start, start);
    let (mut left, mut right) = (lines[start].left(), lines[start].right());
    for (number, line) in lines.iter().enumerate().skip(start).take(LINES) {
        let is_cell = number > start && rules.part(left, right, line.middle);
        let is_near = number == start || lines[number - 1].middle - line.middle < APART * line.size;
        let has_cells = line.segments.len() > 1 && !line.is_text();
        if is_cell || has_cells && is_near {
            end = number + 1;
            (left, right) = (left.min(line.left()), right.max(line.right()));
        } else if end == start || !is_near || line.is_text() || number > end + 2 {
            break;
        }
    }
    let first = free.max((start + 1).saturating_sub(LINES));
    while begin > first && end > start && rules.part(left, right, lines[begin - 1].middle) {
        begin -= 1;
    }
    begin..end
}

/// A column: where its segments begin and end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Column {
    pub(super) left: f32,
    pub(super) right: f32,
}

impl Column {
    pub(super) fn holds(self, left: f32, right: f32) -> bool {
        left < self.right && self.left < right
    }
}

/// Returns the columns of these lines, from left to right: those of the lines with numbers if
/// these are many, since heads and titles may cover several.
fn columns(lines: &[Line]) -> Vec<Column> {
    let has_number = |line: &&Line| {
        line.segments.len() > 1 && line.segments.iter().any(|it| is_number(&it.text()))
    };
    let numbers: Vec<&Line> = lines.iter().filter(has_number).collect();
    if numbers.len() >= ROWS && numbers.len() * 2 >= lines.len() {
        return blanks(&numbers);
    }
    blanks(&lines.iter().collect::<Vec<_>>())
}

/// Returns the columns between the blanks of these lines: places that more segments cover than
/// those of a few lines, whose cells cover several columns.
fn blanks(lines: &[&Line]) -> Vec<Column> {
    let few = if lines.len() > ROWS { (lines.len() / 7).max(1) } else { 0 };
    let segments = || lines.iter().flat_map(|line| &line.segments);
    let mut columns = covered(segments(), few);
    if columns.len() > COLUMNS {
        return columns;
    }
    // A column with few cells stands in a blank of the others.
    let is_alone = |it: &&Segment| !columns.iter().any(|column| column.holds(it.left, it.right));
    let alone: Vec<&Segment> = segments().filter(is_alone).collect();
    columns.extend(covered(alone.into_iter(), 1));
    columns.sort_by(|one, other| one.left.total_cmp(&other.left));
    columns
}

/// Returns the outer column that is a column of the page and not of a table: running text that
/// goes on above or below the lines of `run`.
fn text_beside(
    lines: &[Line],
    run: &Range<usize>,
    own: &[Line],
    columns: &[Column],
) -> Option<usize> {
    let above = &lines[run.start.saturating_sub(2)..run.start];
    let below = lines[run.end..].iter().take(2);
    let outside: Vec<&Segment> =
        above.iter().chain(below).flat_map(|line| &line.segments).collect();
    let goes_on = |place: &usize| {
        let column = columns[*place];
        let all = || own.iter().flat_map(|line| &line.segments);
        let inside = || all().filter(|it| column.holds(it.left, it.right));
        let long = inside().filter(|it| it.has_text()).count();
        let is_part = |it: &&Segment| {
            let is_within = it.right < column.right + NEAR;
            it.has_text() && (it.left - column.left).abs() < NEAR && is_within
        };
        long * 2 > inside().count() && outside.iter().any(is_part)
    };
    (columns.len() > 1).then_some([columns.len() - 1, 0])?.into_iter().find(goes_on)
}

/// Returns the lines of a run that are of its first table: without what stands above, and up to
/// the first line that covers most columns, unless rules part its cells.
fn taken(lines: &[Line], columns: &[Column]) -> Range<usize> {
    let covers = |it: &Segment| columns.iter().filter(|c| c.holds(it.left, it.right)).count();
    let is_across = |line: &Line| {
        let most = (columns.len() / 2).max(1);
        line.segments.iter().any(|it| covers(it) > most)
    };
    let start = lines.iter().take_while(|line| is_across(line)).count();
    if is_ruled(lines) {
        return start..lines.len();
    }
    let end = (start..lines.len()).find(|number| is_across(&lines[*number]));
    start..end.unwrap_or(lines.len())
}

/// Returns true if rules part the cells of half of the lines.
fn is_ruled(lines: &[Line]) -> bool {
    let has_rule = |line: &&Line| line.segments.iter().any(|segment| segment.is_ruled);
    lines.iter().filter(has_rule).count() * 2 >= lines.len()
}

/// Returns the places that more than `few` segments cover.
fn covered<'s>(segments: impl Iterator<Item = &'s Segment>, few: usize) -> Vec<Column> {
    let mut bounds: Vec<(f32, bool)> =
        segments.flat_map(|it| [(it.left, true), (it.right, false)]).collect();
    bounds.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut columns, mut open): (Vec<Column>, usize) = (Vec::new(), 0);
    for (at, begins) in bounds {
        let was = open;
        open = if begins { open + 1 } else { open.saturating_sub(1) };
        if was <= few && open > few {
            columns.push(Column { left: at, right: at });
        } else if was > few
            && let Some(column) = columns.last_mut()
        {
            column.right = at;
        }
    }
    columns
}

/// Returns the table of these lines, if they are one, and what their words cover.
fn table(lines: &[Line], columns: &[Column], rules: &Rules) -> Option<(Table, Rect)> {
    if columns.len() < 2 {
        return None;
    }
    let place = lines.iter().map(|line| line.place).reduce(|all, one| all.union(&one))?;
    let cells: Vec<Vec<String>> = lines.iter().map(|line| cells(line, columns)).collect();
    if !is_ruled(lines) && are_text(&cells) {
        return None;
    }
    let rows = rows(lines, cells, rules, &place);
    let full = rows.iter().flatten().filter(|cell| !cell.is_empty()).count();
    if rows.len() < ROWS || full * 2 <= rows.len() * columns.len() {
        return None;
    }
    let mut rows = rows.into_iter();
    let table = Table { heads: rows.next()?, rows: rows.collect(), ..Table::default() };
    Some((table, place))
}
