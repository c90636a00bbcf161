//! Tables of comma or tab separated values: a record for each row, a column for each head.

use std::borrow::Cow;

use model::record::{Moment, Record};

use super::{Cells, value};

/// Reads a table by its name's ending; `None` where the name is of no table, or the text has no head with columns.
pub(super) fn records<'t>(name: &str, text: &'t str) -> Option<Vec<Record<'t>>> {
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let delimiter = match ending.as_str() {
        "csv" => b',',
        "tsv" => b'\t',
        _ => return None,
    };
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let heads: Vec<String> =
        reader.headers().ok()?.iter().map(|head| head.trim().to_lowercase()).collect();
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
        let own = whole.trim_matches(['\r', '\n']);
        // A row may begin behind the line break of the one before, or behind empty lines.
        let above = &whole[..whole.len() - whole.trim_start_matches(['\r', '\n']).len()];
        let above = above.bytes().filter(|byte| *byte == b'\n').count();
        let line = line + u32::try_from(above).ok()?;
        let breaks = own.bytes().filter(|byte| *byte == b'\n').count();
        let last = line + u32::try_from(breaks).ok()?;
        let (cells, moment) = cells(&heads, &row);
        records.push(Record { lines: (line, last), moment, cells, template: None, text: own });
    }
    Some(records)
}

fn cells<'t>(heads: &[String], row: &csv::StringRecord) -> (Cells<'t>, Option<Moment>) {
    let mut cells = Cells::new();
    let mut moment = None;
    for (head, own) in heads.iter().zip(row) {
        let is_time = ["time", "timestamp", "date", "datetime"].contains(&head.as_str());
        if is_time && let Ok(time) = own.trim().parse::<jiff::Timestamp>() {
            moment.get_or_insert(Moment { micros: time.as_microsecond(), ahead: Some(0) });
            continue;
        }
        if let Some(own) = value(own) {
            let level =
                (head == "level" || head == "severity").then(|| model::level::severity(&own));
            match level.flatten() {
                Some(level) => cells.push(("level".into(), Cow::Borrowed(level))),
                None => cells.push((head.clone(), Cow::Owned(own.into_owned()))),
            }
        }
    }
    (cells, moment)
}
