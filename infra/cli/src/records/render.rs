//! Results of records queries as people read them.

use std::io::Write;

use anyhow::Result;
use wire::records::{ColumnsReply, RecordShown, RecordsReply, RecordsRequest, RecordsRow, Select};

use crate::wording::{count, printable};

/// The most records of a row that are shown.
const EXAMPLES: usize = 5;

/// The most characters of a record that are shown.
const LONGEST: usize = 240;

/// Shows the query that a question was read as, and the words that were not read.
pub(super) fn read(reply: &RecordsReply) -> Result<String> {
    let all = [Some(&reply.query), reply.also.as_deref()];
    let mut lines = Vec::new();
    for query in all.into_iter().flatten().filter(|a| **a != RecordsRequest::default()) {
        lines.push(format!("Read as: {}", printable(&serde_json::to_string(query)?)));
    }
    if let Some(hint) = &reply.hint {
        lines.push(printable(hint));
    }
    if !reply.columns.is_empty() {
        let names = reply.columns.iter().map(|column| column.name.as_str());
        lines.push(format!("Columns: {}", printable(&names.collect::<Vec<_>>().join(", "))));
    }
    if !reply.unread.is_empty() {
        lines.push(format!("Not read, and no condition: {}", printable(&reply.unread.join(", "))));
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}

/// The result as a reader wants it: the number first, then examples, then how many more there are.
pub(super) fn render(reply: &RecordsReply) -> String {
    let mut lines = Vec::new();
    let totals = &reply.totals;
    // A question that is of no records has no rows, and no number.
    let is_count = reply.query.group_by.is_empty() && reply.query.select == Select::Count;
    if is_count && (reply.unread.is_empty() || !reply.rows.is_empty()) {
        lines.push(format!("{} of {}", totals.records, counted(totals.of)));
    }
    for row in &reply.rows {
        lines.extend(row_lines(row, reply));
    }
    let of_groups = totals.groups.map(|groups| format!("{groups} groups of "));
    if !reply.query.group_by.is_empty() || reply.query.select != Select::Count {
        let found = format!("{}{}", of_groups.unwrap_or_default(), counted(totals.records));
        let more = reply.rows_left;
        let more =
            if more > 0 { format!("; {more} more rows, see --limit") } else { String::new() };
        lines.push(format!("({found}{more})"));
    }
    lines.extend(missing(reply));
    if totals.records == 0
        && let Some((first, last)) = &totals.span
    {
        lines.push(format!("The records run from {first} to {last}."));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Tells what was assumed, and which records are missing.
fn missing(reply: &RecordsReply) -> Vec<String> {
    let totals = &reply.totals;
    let assumed =
        reply.assumed.iter().map(|what| format!("Times are read as {}.", printable(what)));
    let mut lines: Vec<String> = assumed.collect();
    if !reply.all_records_read && totals.scanned < totals.of {
        lines.push(format!(
            "Not complete: {} of {} were looked at. Ask for less, with --where.",
            totals.scanned,
            counted(totals.of)
        ));
    }
    let files = reply.not_read.iter();
    lines.extend(files.map(|lacks| {
        format!("Not complete: {}: {}", printable(&lacks.file), printable(&lacks.reason))
    }));
    if reply.not_read_left > 0 {
        lines.push(format!("Not complete: {} more files", reply.not_read_left));
    }
    lines
}

fn counted(records: u64) -> String {
    count(usize::try_from(records).unwrap_or(usize::MAX), "record")
}

fn row_lines(row: &RecordsRow, reply: &RecordsReply) -> Vec<String> {
    let mut lines = Vec::new();
    let number = row.value.map(|value| {
        let unit = row.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
        format!("{value}{unit}")
    });
    let number = number.or_else(|| row.text.as_deref().map(printable));
    if !reply.query.group_by.is_empty() {
        let names = &reply.query.group_by;
        let value = |name: &String| row.group.get(name).cloned().flatten().unwrap_or("-".into());
        let group = names.iter().map(value).collect::<Vec<_>>().join("  ");
        let number = number.unwrap_or_else(|| counted(row.count));
        lines.push(format!("{number:>10}  {}", printable(&group)));
        return lines;
    }
    if reply.query.select.is_of_numbers()
        && let Some(number) = number
    {
        lines.push(number);
    }
    let most = if reply.query.select == Select::List { row.records.len() } else { EXAMPLES };
    lines.extend(row.records.iter().take(most).flat_map(record_lines));
    let more = row.count.saturating_sub(row.records.len() as u64);
    if reply.query.select == Select::Count && more > 0 {
        lines.push(format!("  ... {more} more, see --select list"));
    }
    lines
}

fn record_lines(record: &RecordShown) -> Vec<String> {
    let (first, last) = record.lines;
    let place = if first == last { first.to_string() } else { format!("{first}-{last}") };
    let time = record.time.as_deref().map(|time| format!("  {time}")).unwrap_or_default();
    let quote: String = record.quote.chars().take(LONGEST).collect();
    let cut = if quote.len() < record.quote.len() { " ..." } else { "" };
    let path = record.path.as_deref().map(|path| format!("  {}", printable(path)));
    let head = format!("  {}:{place}{time}{}", printable(&record.file), path.unwrap_or_default());
    let body = printable(&format!("{quote}{cut}"));
    std::iter::once(head).chain(body.lines().map(|line| format!("    {line}"))).collect()
}

pub(super) fn columns(out: &mut impl Write, reply: &ColumnsReply) -> Result<()> {
    let totals = &reply.totals;
    write!(out, "{}", counted(totals.of))?;
    if let Some((first, last)) = &totals.span {
        write!(out, " from {first} to {last}")?;
    }
    writeln!(out)?;
    for column in &reply.columns {
        let examples = printable(&column.examples.join(" | "));
        let examples: String = examples.chars().take(100).collect();
        let kinds: Vec<&str> = column.kinds.iter().map(|kind| kind.plural()).collect();
        let (name, kinds) = (printable(&column.name), kinds.join(", "));
        writeln!(out, "{:>10}  {name:<24}  {kinds:<8}  {examples}", column.records)?;
    }
    if reply.columns_left > 0 {
        writeln!(out, "({} more columns, see --pattern)", reply.columns_left)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_comes_first_and_then_examples() {
        let record = RecordShown {
            file: "a.log".into(),
            lines: (2, 3),
            time: Some("2026-11-20T18:10:00Z".into()),
            quote: "no pump\n  at Pump".into(),
            ..RecordShown::default()
        };
        let mut reply = RecordsReply { all_records_read: true, ..RecordsReply::default() };
        reply.totals.records = 7;
        reply.totals.of = 10;
        reply.rows = vec![RecordsRow {
            value: Some(7.0),
            count: 7,
            records: vec![record],
            ..RecordsRow::default()
        }];
        assert_eq!(
            render(&reply),
            "7 of 10 records\n  a.log:2-3  2026-11-20T18:10:00Z\n    no pump\n      at Pump\n  ... 6 more, see --select list\n"
        );
    }
}
