//! Reads the records of real cases as an ingest does.

use std::path::Path;

use model::document::Attributes;
use model::entry::Reading;
use ports::scope::Scope;
use ports::{Live, Record, Status};
use records::{Loaded, Recorded};
use serde_json::Value;

pub(crate) fn text(path: &str) -> String {
    std::fs::read_to_string(path).unwrap()
}

pub(crate) fn case(value: &Value) -> &str {
    value["case"].as_str().or(value["case_id"].as_str()).unwrap()
}

pub(crate) fn load(cases: &Path, case: &str) -> Loaded {
    let mut documents = Vec::new();
    for entry in std::fs::read_dir(cases.join(case)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name == "SOURCES.json" {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let mut document = record(&name, bytes.len());
        let Ok(Reading { records: Some(records), hash, .. }) =
            reading::read(&document, VERSION, &bytes)
        else {
            continue;
        };
        let live = Live {
            version: VERSION.into(),
            hash,
            attributes: Attributes::default(),
            passages: 1,
            records: records.count,
            bytes: 0,
            indexing: model::item::Indexing::default(),
            embedded: 3,
            assumed: None,
            model_reading: None,
            about: None,
        };
        document.live = Some(live);
        let file = model::record::RecordFile::open(records.bytes).unwrap();
        documents.push(Recorded { document, version: VERSION.into(), file });
    }
    documents.sort_by(|a, b| a.document.name.cmp(&b.document.name));
    let listed = documents.iter().map(|recorded| recorded.document.clone()).collect();
    Loaded { documents, listed, is_whole: true, ..Loaded::default() }
}

/// The version of an upload at 2026-11-20T18:10:00Z.
const VERSION: &str = "01M7X2DA600000000000000000";

fn record(name: &str, bytes: usize) -> Record {
    Record {
        status: Status::Indexed,
        ..Record::announced(Scope::Global, name, "text/plain", bytes as u64, VERSION)
    }
}
