use super::*;
use crate::chunk::OFFICE_DOCUMENT;
use crate::document::{DocumentType, Origin, document_id};
use crate::ports::Status;
use crate::scope::Scope;

/// An upload of 2026-11-20T18:10:00Z.
const VERSION: &str = "01M7X2DA600000000000000000";

fn read_as(name: &str, bytes: &[u8]) -> Result<Reading, String> {
    let record = Record {
        scope: Scope::Global,
        document_id: document_id(&Scope::Global, name),
        name: name.into(),
        content_type: "text/plain".into(),
        bytes: bytes.len() as u64,
        attributes: Attributes::default(),
        status: Status::Waiting,
        version: VERSION.into(),
        live: None,
        deleted: None,
        first: "01A".into(),
        prior: "01A".into(),
        updated_at: String::new(),
    };
    read(&record, VERSION, bytes)
}

fn chunks(name: &str, text: &str) -> Vec<Chunk> {
    read_as(name, text.as_bytes()).unwrap().chunks()
}

#[test]
fn a_number_or_date_in_front_of_a_title_says_nothing_of_its_subject() {
    assert_eq!(subject("Incident on 2023-09-18 - Lack of disk space"), "Lack of disk space");
    assert_eq!(subject("2018-04-18, Culler flood"), "Culler flood");
    assert_eq!(subject("Lesson 10: Repairing a failed part"), "Repairing a failed part");
    assert_eq!(subject("Pump P-203: bearing"), "Pump P-203: bearing");
    assert_eq!(subject("Certificates, expired"), "Certificates, expired");
}

#[test]
fn what_is_no_text_is_refused_by_its_content_whatever_it_is_called() {
    let reason = |name: &str, bytes: &[u8]| read_as(name, bytes).unwrap_err();
    let archive = "is an archive: unpack it and upload the files in it";
    let mut tar = vec![0; 600];
    tar[..8].copy_from_slice(b"pump.log");
    tar[257..263].copy_from_slice(b"ustar\0");
    for bytes in
        [&b"PK\x03\x04\x14\0\0\0"[..], b"\x1f\x8b\x08\0\xff", b"7z\xbc\xaf\x27\x1c\0", &tar]
    {
        assert_eq!(reason("server.log", bytes), archive);
    }
    assert_eq!(
        reason("pump.md", b"\x89PNG\r\n\x1a\n\0"),
        "is an image: no text can be read in it; upload the text itself"
    );
    assert_eq!(reason("pump.txt", br"{\rtf1 Worn}"), OFFICE_DOCUMENT);
    assert_eq!(reason("pump.txt", b"%PDF-1.5\n"), "is a PDF: give its name the ending pdf");
    assert_eq!(reason("pump.txt", b"a\xffb"), "is not UTF-8 text: byte 1 is wrong");
    assert_eq!(reason("pump.txt", b"a\0b"), "is not text: byte 1 is NUL");
    assert_eq!(reason("pump.txt", b" \n"), "holds no text");
    assert!(reason("pump.pdf", b"pump").starts_with("is no PDF that can be read"));
    assert_eq!(reason("bundle.zip", b"PK"), format!("`bundle.zip` {archive}"));
}

#[test]
fn code_pages_and_objects_in_lines_are_told_apart() {
    let code = &chunks("src/pump.rs", "/// Runs.\nfn run() {}\n")[0];
    assert_eq!((code.document_type, code.source), (DocumentType::Code, Origin::Code));
    assert_eq!((code.section.as_str(), code.lines), ("fn run", Some((1, 2))));
    let page = &chunks("guide.html", "<title>Pump guide</title><h2>Why</h2>Worn.")[0];
    assert_eq!(
        (page.title.as_str(), page.section.as_str(), page.lines),
        ("Pump guide", "Why", None)
    );
    let lines = "{\"ts\":1767323047,\"level\":\"error\"}\n{\"ts\":1767323048,\"level\":\"info\"}\n";
    let log = &chunks("journal.json", lines)[0];
    assert_eq!(
        (log.document_type, log.severity.join(" ")),
        (DocumentType::Log, "ERROR INFO".into())
    );
    let config = &chunks("pump.json", "{\n  \"speed\": 1\n}\n")[0];
    assert_eq!(config.document_type, DocumentType::Config);
}

#[test]
fn a_year_that_a_log_does_not_tell_is_that_of_its_upload() {
    let log = &chunks("pump.log.1", "Nov 19 10:00:00 web-1 pump: dry\n")[0];
    assert_eq!(log.assumed.as_deref(), Some("UTC, 2026"));
    let log = &chunks("pump.log.1", "Dec 19 10:00:00 web-1 pump: dry\n")[0];
    assert_eq!(log.assumed.as_deref(), Some("UTC, 2025"));
}

#[test]
fn a_long_document_ends_in_its_summary() {
    let lines: Vec<String> = (0..2_000)
        .map(|number| format!("2026-11-20T14:00:00Z INFO pump {number} ran for its usual hour\n"))
        .collect();
    let chunks = chunks("pump.log", &lines.concat());
    let (last, others) = chunks.split_last().unwrap();
    assert_eq!((last.section.as_str(), last.lines), ("Summary", None));
    assert_eq!(last.tags, ["summary"]);
    assert_eq!(last.position as usize, others.len());
    assert!(last.text.starts_with("2000 records from 2026-11-20T14:00:00Z"), "{}", last.text);
    assert!(others.iter().all(|chunk| chunk.tags.is_empty() && chunk.lines.is_some()));
}

#[test]
fn a_word_of_a_megabyte_is_no_part_of_the_lead() {
    let reading = read_as("pump.log", "p".repeat(1 << 20).as_bytes()).unwrap();
    assert!(reading.entries.iter().all(|entry| entry.meaning.len() <= 4_000));
}
