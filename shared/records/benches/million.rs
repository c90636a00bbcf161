//! Measures a million records: the time for reading them and for each kind of query, and the peak
//! memory: `cargo bench -p records --bench million -- FILES`, of 100,000 records each.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it prints its figures, and may stop at the first surprise"
)]

use std::fmt::Write;
use std::time::Instant;

use model::document::Attributes;
use model::record::{About, RecordFile};
use ports::scope::Scope;
use ports::{Live, Record, Status};
use records::{Loaded, Recorded, query};
use serde_json::{Value, json};

const RECORDS: usize = 100_000;

/// An upload of 2026-11-20T18:10:00Z.
const VERSION: &str = "01M7X2DA600000000000000000";

fn main() {
    let files = std::env::args().skip(1).find_map(|arg| arg.parse::<usize>().ok());
    let Some(files) = files else {
        println!("skipped: no number of FILES was given");
        return;
    };
    let begun = Instant::now();
    let (mut bytes, mut deflated) = (0, 0);
    let documents: Vec<Recorded> = (0..files)
        .map(|number| {
            let text = log(number);
            bytes += text.len();
            let document = recorded(&format!("web{number}-access.log"), &text, &mut deflated);
            drop(text);
            document
        })
        .collect();
    let loaded = Loaded { documents, is_whole: true, ..Loaded::default() };
    println!(
        "{} records, {bytes} bytes of log, {deflated} bytes of record files, read in {:.1} s; peak {} MB",
        loaded.totals().of,
        begun.elapsed().as_secs_f64(),
        peak()
    );
    for (name, request) in [
        ("count by code", json!({"where": {"code": 404}})),
        ("count by text", json!({"where": {"text": "needle"}})),
        ("count in a span", json!({"where": {"time": "2026-11-20"}})),
        ("group by client (10,000)", json!({"group_by": ["client"]})),
        ("group by path and code", json!({"group_by": ["path", "code"]})),
        ("group by minute", json!({"group_by": ["minute"]})),
        ("group by agent (each its own)", json!({"group_by": ["agent"]})),
        ("group by template", json!({"group_by": ["template"]})),
        (
            "percentile of bytes by code",
            json!({"group_by": ["code"], "select": "percentile", "percentile": 99, "of": "bytes"}),
        ),
        ("list the largest", json!({"select": "list", "order": "-bytes", "limit": 100})),
        ("last", json!({"select": "last"})),
    ] {
        timed(name, &loaded, request);
    }
}

fn timed(name: &str, loaded: &Loaded, request: Value) {
    let begun = Instant::now();
    let request = serde_json::from_value(request).unwrap();
    let reply = query(loaded, &Scope::Global, request, &|| true).unwrap();
    let (records, groups) = (reply.totals.records, reply.totals.groups.unwrap_or_default());
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{name:30} {seconds:6.2} s  {records:>9} records {groups:>9} groups  peak {} MB",
        peak()
    );
}

fn log(number: usize) -> String {
    let mut random = fastrand::Rng::with_seed(number as u64);
    let mut text = String::new();
    for line in 0..RECORDS {
        let second = number * RECORDS + line;
        let (hour, minute, second) = (second / 3600 % 24, second / 60 % 60, second % 60);
        let day = 20 + number % 10;
        let (a, b, path) = (random.u8(..100), random.u8(..100), random.u16(..500));
        let code = ["200", "200", "200", "304", "404", "500"][random.usize(..6)];
        let word = if random.usize(..1_000) == 0 { "needle" } else { "hay" };
        let (bytes, id) = (random.u32(..1_000_000), random.u64(..));
        let _ = writeln!(
            text,
            r#"10.0.{a}.{b} - - [{day}/Nov/2026:{hour:02}:{minute:02}:{second:02} +0000] "GET /page/{path} HTTP/1.1" {code} {bytes} "-" "Agent {word} id={id:016x}""#
        );
    }
    text
}

fn recorded(name: &str, text: &str, deflated: &mut usize) -> Recorded {
    let mut document = Record {
        status: Status::Indexed,
        ..Record::announced(Scope::Global, name, "text/plain", text.len() as u64, VERSION)
    };
    let format = model::format::Format::of(name, "text/plain").unwrap();
    let found =
        reading::records::of_file(format, name, text, reading::chunk::Near::Unknown).unwrap();
    let count = found.records.len() as u64;
    let about = About { templates: found.templates, ..About::default() };
    let bytes = model::record::write(&found.records, about);
    *deflated += bytes.len();
    document.live = Some(Live {
        version: VERSION.into(),
        hash: String::new(),
        attributes: Attributes::default(),
        passages: 1,
        records: count,
        bytes: 0,
        indexing: model::item::Indexing::default(),
        embedded: 3,
        assumed: None,
        model_reading: None,
        about: None,
    });
    Recorded { document, version: VERSION.into(), file: RecordFile::open(bytes).unwrap() }
}

/// Returns the peak memory of this process, in MB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or_default() / 1024
}
