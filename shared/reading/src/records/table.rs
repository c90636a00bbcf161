//! Tables of comma or tab separated values: a record for each row, a column for each head.

use std::borrow::Cow;

use model::record::{Moment, Record};
use smol_str::SmolStr;

use super::{Cells, value};

/// The most columns of a table that are read.
const HEADS: usize = 1_000;

/// The byte between the values of a table, by its name's ending; `None` where the name is of no table.
pub(crate) fn delimiter(name: &str) -> Option<u8> {
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "csv" => Some(b','),
        "tsv" => Some(b'\t'),
        _ => None,
    }
}

/// Reads a table by its name's ending; `None` where the name is of no table, or the text has no head with columns.
pub(super) fn records<'t>(name: &str, text: &'t str) -> Option<Vec<Record<'t>>> {
    let delimiter = delimiter(name)?;
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let heads = reader.headers().ok()?.iter().take(HEADS);
    let heads: Vec<SmolStr> = heads.map(|head| head.trim().to_lowercase().into()).collect();
    if heads.len() < 2 {
        return None;
    }
    let mut records = Vec::new();
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).ok()? {
        let start = usize::try_from(row.position()?.byte()).ok()?;
        let end = usize::try_from(reader.position().byte()).ok()?;
        let line = u32::try_from(row.position()?.line()).ok()?;
        let whole = text.get(start..end)?;
        let trimmed = whole.trim_matches(['\r', '\n']);
        // A row may begin behind the line break of the one before, or behind empty lines.
        let above = &whole[..whole.len() - whole.trim_start_matches(['\r', '\n']).len()];
        let above = above.bytes().filter(|byte| *byte == b'\n').count();
        let line = line + u32::try_from(above).ok()?;
        let breaks = trimmed.bytes().filter(|byte| *byte == b'\n').count();
        let last = line + u32::try_from(breaks).ok()?;
        let (cells, moment) = cells(&heads, &row, trimmed);
        records.push(Record { lines: (line, last), moment, cells, template: None, text: trimmed });
    }
    Some(records)
}

/// The values of a row whose text is `text`: nearly all stand in it as they are, and take no memory of their own.
fn cells<'t>(
    heads: &[SmolStr],
    row: &csv::StringRecord,
    text: &'t str,
) -> (Cells<'t>, Option<Moment>) {
    let mut cells = Cells::new();
    let (mut moment, mut rest) = (None, text);
    for (head, field) in heads.iter().zip(row) {
        let is_time = ["time", "timestamp", "date", "datetime"].contains(&head.as_str());
        if is_time && let Ok(time) = field.trim().parse::<jiff::Timestamp>() {
            moment.get_or_insert(Moment { micros: time.as_microsecond(), ahead: Some(0) });
            continue;
        }
        if let Some(cell) = value(field) {
            let found = rest.find(cell.as_ref()).map(|at| rest.split_at(at).1);
            rest = found.map_or(rest, |from| &from[cell.len()..]);
            let level =
                (head == "level" || head == "severity").then(|| model::level::severity(&cell));
            let text = match found {
                Some(from) => Cow::Borrowed(&from[..cell.len()]),
                None => Cow::Owned(cell.into_owned()),
            };
            cells.push(match level.flatten() {
                Some(level) => ("level".into(), Cow::Borrowed(level)),
                None => (head.clone(), text),
            });
        }
    }
    cells.shrink_to_fit();
    (cells, moment)
}
