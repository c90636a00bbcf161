use super::*;
use model::document::{DocumentType, Origin};
use model::format::OFFICE_DOCUMENT;
use model::scope::Scope;

mod foreign;
mod foreign_documents;

/// An upload of 2026-11-20T18:10:00Z.
const VERSION: &str = "01M7X2DA600000000000000000";

fn read_as(name: &str, bytes: &[u8]) -> Result<Reading, String> {
    let record = Record::announced(Scope::Global, name, "text/plain", bytes.len() as u64, VERSION);
    read(&record, VERSION, bytes)
}

fn passages(name: &str, text: &str) -> Vec<Passage> {
    read_as(name, text.as_bytes()).unwrap().passages()
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
    assert!(reason("pump.txt", b"%PDF-1.5\n").starts_with("is no PDF that can be read"));
    assert_eq!(reason("pump.txt", b"a\0b"), "is not text: byte 1 is NUL");
    assert_eq!(reason("pump.txt", b" \n"), "holds no text");
    assert!(reason("pump.pdf", b"pump").starts_with("is no PDF that can be read"));
    assert_eq!(reason("bundle.zip", b"PK"), format!("`bundle.zip` {archive}"));
}

#[test]
fn code_pages_and_objects_in_lines_are_told_apart() {
    let code = &passages("src/pump.rs", "/// Runs.\nfn run() {}\n")[0];
    assert_eq!((code.document_type, code.source), (DocumentType::Code, Origin::Code));
    assert_eq!((code.section.as_str(), code.lines), ("fn run", Some((1, 2))));
    let page = &passages("guide.html", "<title>Pump guide</title><h2>Why</h2>Worn.")[0];
    assert_eq!(
        (page.title.as_str(), page.section.as_str(), page.lines),
        ("Pump guide", "Why", None)
    );
    let lines = "{\"ts\":1767323047,\"level\":\"error\"}\n{\"ts\":1767323048,\"level\":\"info\"}\n";
    let log = &passages("journal.json", lines)[0];
    assert_eq!(
        (log.document_type, log.severity.join(" ")),
        (DocumentType::Log, "ERROR INFO".into())
    );
    let config = &passages("pump.json", "{\n  \"speed\": 1\n}\n")[0];
    assert_eq!(config.document_type, DocumentType::Config);
}

#[test]
fn a_year_that_a_log_does_not_tell_is_that_of_its_upload() {
    let log = &passages("pump.log.1", "Nov 19 10:00:00 web-1 pump: dry\n")[0];
    assert_eq!(log.assumed.as_deref(), Some("UTC, 2026"));
    let log = &passages("pump.log.1", "Dec 19 10:00:00 web-1 pump: dry\n")[0];
    assert_eq!(log.assumed.as_deref(), Some("UTC, 2025"));
}

/// Returns the header of a file's records.
fn header(name: &str, text: &str) -> model::record::Header {
    let reading = read_as(name, text.as_bytes()).unwrap();
    model::record::RecordFile::open(reading.records.unwrap().bytes).unwrap().header
}

#[test]
fn a_text_in_another_encoding_is_read_and_the_encoding_told() {
    let (text, _, _) = encoding_rs::WINDOWS_1252.encode("Größe der Prüfung: 40 °C, über Maß.\n");
    let reading = read_as("pump.txt", &text).unwrap();
    let passage = &reading.entries[1].passage;
    assert_eq!(passage.text, "Größe der Prüfung: 40 °C, über Maß.");
    assert_eq!((passage.assumed.as_deref(), passage.lines), (Some("windows-1252"), Some((1, 1))));
    let log = encoding_rs::WINDOWS_1252.encode("2026-03-12 14:32:15 ERROR Prüfung über Maß\n").0;
    let reading = read_as("pump.log", &log).unwrap();
    assert_eq!(reading.entries[1].passage.assumed.as_deref(), Some("UTC, windows-1252"));
    assert_eq!(read_as("a.md", b"# A\n\nB.\n").unwrap().entries[1].passage.assumed, None);
}

#[test]
fn a_year_that_was_assumed_is_told_in_the_file_of_records() {
    let syslog = header("sys.log", "Dec  1 10:00:00 web-1 sshd[12]: error: too many\n");
    assert_eq!(syslog.assumed.as_deref(), Some("UTC, 2025"));
    let table = header("a.csv", "day,flow\n2026-11-20,7\n2026-11-21,8\n");
    assert_eq!(table.assumed.as_deref(), Some("UTC"));
    assert_eq!(header("a.csv", "name,flow\nP1,7\n").assumed, None);
}

#[test]
fn rows_that_do_not_fit_are_told_in_the_file_of_records() {
    let header = header("a.csv", "id,flow\n1,7\n2,8,9\n3,9\n");
    assert_eq!((header.records, header.misfits), (2, 1));
    assert_eq!(header.columns.len(), 2);
}

#[test]
fn a_table_in_a_text_or_a_log_has_columns_and_passages() {
    for name in ["a.txt", "a.log"] {
        let reading =
            read_as(name, b"id | state\n---+------\n 1 | on\n 2 | off\n(2 rows)\n").unwrap();
        assert!(!reading.passages().is_empty(), "{name}");
        assert_eq!(reading.records.unwrap().count, 2, "{name}");
    }
}

#[test]
fn a_table_of_failures_reports_none_of_its_own() {
    let row = "2026-05-03,The belt tore since its splice was old. It was sewn.\n";
    let report = |name: &str, head: &str| {
        let text = format!("{head}{}", row.repeat(3));
        read_as(name, text.as_bytes()).unwrap().entries[0].passage.facts.report.clone()
    };
    assert!(report("failures.md", "# Failures\n\n").is_some(), "the same words as a text");
    assert_eq!(report("failures.csv", "day,what\n"), None);
}

#[test]
fn a_long_document_ends_in_its_summary() {
    let section = |number: usize| {
        let sentence =
            format!("The pump of hall {number} ran dry because its seal wore out early. ");
        format!("## Hall {number}\n\n{}\n\n", sentence.repeat(15))
    };
    let text: String = (0..80).map(section).collect();
    let passages = passages("pump.md", &text);
    let (last, others) = passages.split_last().unwrap();
    assert_eq!((last.section.as_str(), last.lines), ("Summary", None));
    assert_eq!(last.tags, ["summary"]);
    assert_eq!(last.position as usize, others.len());
    assert!(others.iter().all(|passage| passage.tags.is_empty() && passage.lines.is_some()));
}

#[test]
fn a_log_has_a_passage_for_each_template_and_loses_no_word() {
    let line = |number: usize| {
        let (minute, level) = (number / 60, if number == 700 { "ERROR" } else { "INFO" });
        format!(
            "2026-11-20T14:{minute:02}:{:02}Z {level} pump {number} ran for its hour\n",
            number % 60
        )
    };
    let mut log: String = (0..1_000).map(line).collect();
    log.push_str("2026-11-20T15:00:00Z ERROR E7001 seal gone\n\tat a.b.C\n");
    let reading = read_as("pump.log", log.as_bytes()).unwrap();
    let passages = reading.passages();
    assert_eq!(passages.len(), 2);
    assert_eq!(passages[0].text, "2026-11-20T14:00:00Z INFO pump 0 ran for its hour");
    assert_eq!((passages[0].lines, passages[1].lines), (Some((1, 1)), Some((1001, 1002))));
    assert_eq!(
        (passages[0].severity.join(" "), passages[1].code.join(" ")),
        ("INFO ERROR".into(), "E7001".into())
    );
    let (first, last) = passages[0].time.unwrap();
    assert_eq!(
        (first.to_string(), last.to_string()),
        ("2026-11-20T14:00:00Z".into(), "2026-11-20T14:16:39Z".into())
    );
    let words = &reading.entries[1].words;
    assert!(words.contains(" 999 ") && !reading.entries[2].words.contains(" 999 "));
    let file = model::record::RecordFile::open(reading.records.unwrap().bytes).unwrap();
    assert_eq!((file.header.passage(1001, Some(1)), file.header.passage(1, None)), (Some(1), None));
}

#[test]
fn a_record_of_a_megabyte_is_shown_by_its_first_lines() {
    let trace = "\tat a.b.C(E1042)\n".repeat(60_000);
    let log = format!("2026-11-20T14:32:15Z ERROR gone\n{trace}2026-11-20T14:32:16Z INFO end\n");
    let passages = passages("pump.log", &log);
    assert!(passages[0].text.len() <= 1_000 && passages[0].text.ends_with("(E1042)"));
    let lines = u32::try_from(passages[0].text.lines().count()).unwrap();
    assert_eq!((passages[0].lines, passages[1].lines), (Some((1, lines)), Some((60_002, 60_002))));
}

#[test]
fn a_setting_stands_in_the_passage_that_has_its_line() {
    let setting = |number: u32| format!("pump{number}:\n  speed: {number}\n");
    let settings: String = (0..200).map(setting).collect();
    let reading = read_as("pumps.yaml", settings.as_bytes()).unwrap();
    let passages = reading.passages();
    let file = model::record::RecordFile::open(reading.records.unwrap().bytes).unwrap();
    for passage in &passages {
        let (first, last) = passage.lines.unwrap();
        assert_eq!(file.header.passage(first, None), Some(passage.position));
        assert_eq!(file.header.passage(last, None), Some(passage.position));
    }
}

#[test]
fn a_word_of_a_megabyte_is_no_part_of_the_document_point() {
    let reading = read_as("pump.log", "p".repeat(1 << 20).as_bytes()).unwrap();
    assert!(reading.entries.iter().all(|entry| entry.meaning.len() <= MEANING));
}

#[test]
fn what_is_embedded_of_a_passage_has_all_of_it_and_fits_every_model() {
    let long = "pumps ".repeat(2_000);
    let text = format!("# {long}\n\n## {long}\n\nThe seal broke.\n\n{long}\n");
    let reading = read_as("pump.md", text.as_bytes()).unwrap();
    let passages = reading.entries.iter().filter(|entry| entry.kind == PointKind::Passage);
    assert!(passages.clone().count() > 10);
    for passage in passages {
        assert!(
            passage.meaning.ends_with(&passage.passage.text) && passage.meaning.len() <= MEANING
        );
    }
}

#[test]
fn decomposed_letters_are_read_as_composed_ones_on_the_lines_that_they_stand_on() {
    let text =
        "# Ku\u{308}hlung\n\nThe pump was hot.\n\n## Ma\u{308}ngel\n\nThe cafe\u{301} had none.\n";
    let decomposed = read_as("a.md", text.as_bytes()).unwrap();
    assert_eq!(decomposed.hash, hexadecimal(&Sha256::digest(text.as_bytes())), "of what was sent");
    let composed =
        "# K\u{fc}hlung\n\nThe pump was hot.\n\n## M\u{e4}ngel\n\nThe caf\u{e9} had none.\n";
    assert_eq!(decomposed.passages(), passages("a.md", composed));
    assert_eq!(decomposed.passages().last().unwrap().lines, Some((5, 7)));
}
