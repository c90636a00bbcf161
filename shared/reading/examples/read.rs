//! Prints how files are read, one JSON object a line: passages with their sections, and records.
//!
//! `cargo run --release -p reading --example read -- FILE...`

#![expect(clippy::print_stdout, reason = "it prints what is read")]

use model::document::Passage;
use model::item::Record;
use model::record::{Damaged, RecordFile};
use model::scope::Scope;
use serde_json::{Map, Value, json};

fn main() {
    for path in std::env::args().skip(1) {
        let read = std::fs::read(&path).map_err(|error| error.to_string());
        let read = read.and_then(|bytes| shown(&path, &bytes));
        println!("{}", read.unwrap_or_else(|reason| json!({"file": path, "refused": reason})));
    }
}

fn shown(path: &str, bytes: &[u8]) -> Result<Value, String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let record = Record::announced(
        Scope::Global,
        name,
        "",
        bytes.len() as u64,
        "01M7X2DA600000000000000000",
    );
    let reading = reading::read(&record, &record.version, bytes)?;
    let passage = |passage: &Passage| json!({"section": passage.section, "lines": passage.lines, "text": passage.text});
    let passages = reading.passages();
    let records = reading.records.map(|records| rows(records.bytes)).transpose();
    let records = records.map_err(|error| error.to_string())?.unwrap_or_default();
    let first = passages.first();
    Ok(json!({
        "file": path,
        "title": first.map(|first| &first.title),
        "time": first.and_then(|first| first.time),
        "edition": first.and_then(|first| first.edition.as_ref()),
        "lifecycle": first.and_then(|first| first.lifecycle),
        "left_out": reading.read_as.left_out,
        "language": first.and_then(|first| first.language.as_ref()),
        "passages": passages.iter().filter(|it| !it.is_summary()).map(passage).collect::<Vec<_>>(),
        "records": records,
    }))
}

/// Returns the records of a record file.
fn rows(bytes: Vec<u8>) -> Result<Vec<Value>, Damaged> {
    let file = RecordFile::open(bytes)?;
    let mut rows = Vec::new();
    for block in file.blocks() {
        let (lines, times) = (block.lines()?, block.moments()?);
        let mut records: Vec<Map<String, Value>> = vec![Map::new(); block.records()];
        for (place, head) in file.header.columns.iter().enumerate() {
            let Some(column) = block.column(place)? else { continue };
            for (record, value) in records.iter_mut().zip(column.rows) {
                if let Some(value) = (value as usize).checked_sub(1) {
                    record.insert(head.name.clone(), json!(column.values[value]));
                }
            }
        }
        for ((record, lines), time) in records.into_iter().zip(lines).zip(times) {
            rows.push(
                json!({"lines": lines, "time": time.map(|time| time.micros), "cells": record}),
            );
        }
    }
    Ok(rows)
}
