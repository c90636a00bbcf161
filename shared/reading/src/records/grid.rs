//! The rows of tables in documents: of sheets, pages, slides, and of Markdown.

use std::borrow::Cow;

use model::record::Decimal;
use smol_str::format_smolstr;

use super::{Records, add, keep_frequent_columns, table};
use crate::chunk::{Extract, Piece};

/// The columns of the sheet or table of a row, and of its place.
const TABLE: &str = "table";
const PLACE: &str = "place";

/// Returns one record for each row below the head of a table; `None` if there are none. Its line is
/// the number of the row, and its passage is the one that shows the row.
pub(crate) fn of_grids<'t>(extract: &'t Extract, pieces: &[Piece]) -> Option<Records<'t>> {
    let mut all = Records::default();
    let mut assumed = false;
    for grid in &extract.grids {
        let Some(Records { records, assumed: utc, .. }) = table::of_tabs(&grid.tsv) else {
            continue;
        };
        assumed |= utc.is_some();
        for mut record in records {
            let line = usize::try_from(record.lines.0).unwrap_or_default();
            // The first line has the heads.
            let number = line.saturating_sub(1);
            let Some(row) = grid.rows.get(number) else { continue };
            record.lines = (row.number, row.number);
            record.text = extract.text.get(row.range.clone()).unwrap_or_default();
            let after = pieces.partition_point(|piece| piece.range.start <= row.range.start);
            record.template = after.checked_sub(1).and_then(|piece| u32::try_from(piece).ok());
            for (name, _) in &mut record.cells {
                if [TABLE, PLACE].contains(&name.as_str()) {
                    *name = format_smolstr!("field.{name}");
                }
            }
            add(&mut record.cells, TABLE, Some(Cow::Borrowed(&grid.name)));
            add(&mut record.cells, PLACE, Some(Cow::Owned(grid.place(number, row))));
            all.records.push(record);
        }
    }
    keep_frequent_columns(&mut all.records);
    all.assumed = assumed.then(|| "UTC".to_owned());
    all.decimal = Decimal::Point;
    (!all.is_empty()).then_some(all)
}
