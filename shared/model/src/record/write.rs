//! Writes a record file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::{
    About, BLOCK, BLOCK_TEXT, BlockHead, ColumnHead, ColumnKind, Decimal, Header, KEY, LISTED,
    Part, READER, Record, VALUE, kind,
};
use text::secret;

/// Writes records in their order.
pub fn write(records: &[Record<'_>], about: About) -> Vec<u8> {
    let About { mut templates, passages, assumed, misfits, decimal } = about;
    for template in &mut templates {
        template.text = secret::mask(&template.text).into_owned();
    }
    let mut header = Header {
        reader: READER,
        records: records.len() as u64,
        span: span(records),
        zones: zones(records),
        columns: columns(records, decimal),
        templates,
        passages,
        assumed,
        misfits,
        blocks: Vec::new(),
    };
    let places: HashMap<&str, u32> =
        (0..).zip(&header.columns).map(|(place, z)| (z.name.as_str(), place)).collect();
    let mut bytes = Vec::new();
    let mut blocks = Vec::new();
    let mut rest = records;
    while !rest.is_empty() {
        let (block, others) = rest.split_at(block_length(rest));
        blocks.push(write_block(block, &header.zones, &places, &mut bytes));
        rest = others;
    }
    drop(places);
    header.blocks = blocks;
    let head = packed(&header);
    let mut file = u32::try_from(head.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    file.extend(head);
    file.extend(bytes);
    file
}

/// Returns the number of records of the next block. A block is read whole, so the size of its texts
/// is limited, too.
fn block_length(records: &[Record<'_>]) -> usize {
    let mut left = BLOCK_TEXT;
    let fits = records.iter().take(BLOCK).take_while(|record| {
        let had = left;
        left = left.saturating_sub(record.text.len());
        had > 0
    });
    fits.count().max(1)
}

fn span(records: &[Record<'_>]) -> Option<(i64, i64)> {
    let times = records.iter().filter_map(|record| record.moment).map(|r| r.micros);
    times.clone().min().zip(times.max())
}

fn zones(records: &[Record<'_>]) -> Vec<Option<i32>> {
    let mut zones: Vec<Option<i32>> =
        records.iter().filter_map(|record| record.moment).map(|r| r.ahead).collect();
    zones.sort_unstable();
    zones.dedup();
    zones
}

fn columns(records: &[Record<'_>], decimal: Decimal) -> Vec<ColumnHead> {
    let mut counts: BTreeMap<&str, HashMap<&str, u64>> = BTreeMap::new();
    for (name, value) in records.iter().flat_map(|record| &record.cells) {
        *counts.entry(name).or_default().entry(value).or_default() += 1;
    }
    let keys = if counts.contains_key(KEY) { secret_values(records) } else { HashSet::new() };
    let kinds = kind::of_columns(counts.values().map(|values| values.keys().copied()), decimal);
    let head = |((name, values), kind): ((&str, HashMap<&str, u64>), ColumnKind)| {
        let is_whole = values.len() <= LISTED;
        let records = values.values().sum();
        let is_shown = |value: &str| {
            !(secret::is_value(name, value) || (name == VALUE && keys.contains(value)))
        };
        let mut values: Vec<(&str, u64)> =
            values.into_iter().filter(|(value, _)| is_shown(value)).collect();
        values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        values.truncate(LISTED);
        let values = values.into_iter().map(|(value, count)| (value.to_owned(), count)).collect();
        ColumnHead { name: name.into(), records, values, is_whole, kind }
    };
    counts.into_iter().zip(kinds).map(head).collect()
}

/// Returns the values of settings whose keys name a secret.
fn secret_values<'r>(records: &'r [Record<'_>]) -> HashSet<&'r str> {
    let pairs = records.iter().filter_map(|record| record.cell(KEY).zip(record.cell(VALUE)));
    pairs.filter(|(key, value)| secret::is_value(key, value)).map(|(_, value)| value).collect()
}

/// Returns true if a record contains a secret in its text, or as the value of a column whose name
/// is that of a secret.
fn has_secret(record: &Record<'_>) -> bool {
    secret::is_in(record.text)
        || record.cells.iter().any(|(name, value)| secret::is_value(name, value))
        || record.cell(KEY).zip(record.cell(VALUE)).is_some_and(|(key, r)| secret::is_value(key, r))
}

fn write_block(
    records: &[Record<'_>],
    zones: &[Option<i32>],
    places: &HashMap<&str, u32>,
    bytes: &mut Vec<u8>,
) -> BlockHead {
    let lines: Vec<(u32, u32)> = records.iter().map(|record| record.lines).collect();
    let zone = |ahead: Option<i32>| {
        let place = zones.iter().position(|zone| *zone == ahead).unwrap_or_default();
        u16::try_from(place).unwrap_or(u16::MAX)
    };
    let moments: Vec<Option<(i64, u16)>> = records
        .iter()
        .map(|record| record.moment.map(|moment| (moment.micros, zone(moment.ahead))))
        .collect();
    let templates: Vec<Option<u32>> = records.iter().map(|record| record.template).collect();
    let texts: Vec<&str> = records.iter().map(|record| record.text).collect();
    let fixed = [
        append(&lines, bytes),
        append(&moments, bytes),
        append(&templates, bytes),
        append(&texts, bytes),
    ];
    let columns = split(records, places);
    let columns =
        columns.into_iter().map(|(place, column)| (place, append(&column, bytes))).collect();
    let records_count = u32::try_from(records.len()).unwrap_or(u32::MAX);
    let has_secrets = records.iter().any(has_secret);
    BlockHead { records: records_count, span: span(records), fixed, columns, has_secrets }
}

/// A column's distinct values, and for each record the place of its value among them, counted from
/// 1; 0 if it has none.
type Values<'r> = (Vec<&'r str>, Vec<u32>);

fn split<'r>(records: &'r [Record<'_>], places: &HashMap<&str, u32>) -> BTreeMap<u32, Values<'r>> {
    let mut columns: BTreeMap<u32, Values<'r>> = BTreeMap::new();
    let mut seen: HashMap<(u32, &str), u32> = HashMap::new();
    for (row, record) in records.iter().enumerate() {
        for (name, value) in &record.cells {
            let Some(place) = places.get(name.as_str()).copied() else { continue };
            let (values, rows) =
                columns.entry(place).or_insert_with(|| (Vec::new(), vec![0; records.len()]));
            rows[row] = *seen.entry((place, value)).or_insert_with(|| {
                values.push(value);
                u32::try_from(values.len()).unwrap_or(u32::MAX)
            });
        }
    }
    columns
}

fn append(value: &impl Serialize, bytes: &mut Vec<u8>) -> Part {
    let packed = packed(value);
    let part = Part { start: bytes.len() as u64, length: packed.len() as u64 };
    bytes.extend(packed);
    part
}

/// Returns a value in postcard's format, deflated. This cannot fail: both write to memory, and all
/// lengths are known.
fn packed(value: &impl Serialize) -> Vec<u8> {
    let plain = postcard::to_allocvec(value).unwrap_or_default();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    let _ = encoder.write_all(&plain);
    encoder.finish().unwrap_or_default()
}
