//! Documents whose bytes are no text of their own, damaged.

use std::io::{Cursor, Write};
use std::sync::LazyLock;

use office_oxide::docx::write::DocxWriter;
use office_oxide::xlsx::write::{CellData, XlsxWriter};
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::damage::quarter;
use model::record::RecordFile;

const MAIL: &str = "From ann Mon Mar  2 09:00:00 2026\nFrom: Ann <a@b.c>\nSubject: =?utf-8?q?P=C3=BCmp?=\nDate: Mon, 2 Mar 2026 09:00:00 +0000\n\
    MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>It l=C3=A4uft dry.</p>\n\
    --b\nContent-Disposition: attachment; filename=\"../a.csv\"\n\nPump,Flow\nP-1,3\nP-2,4\n--b--\n";
const NOTEBOOK: &str = r##"{"cells": [{"cell_type": "markdown", "source": ["# Pump\n", "dry"]}, {"cell_type": "code", "source": "f()",
    "outputs": [{"data": {"text/plain": "3"}}, {"ename": "E", "evalue": "v"}]}], "metadata": {"language_info": {"name": "python"}}}"##;
const CHAT: &str = r#"[{"type": "message", "user": "U1", "ts": "1772442000.000100", "thread_ts": "1772442000.000100", "text": "<https://a.b|dry>"},
    {"type": "message", "user": "U2", "ts": "1772442060.000100", "thread_ts": "1772442000.000100", "text": "shut"}]"#;
const ISSUES: &str = r#"<rss><channel><item><key id="1">OPS-7</key><summary>Pump &amp; valve</summary><description>&lt;p&gt;dry&lt;/p&gt;</description>
    <comments><comment author="ann" created="2026">x</comment></comments></item></channel></rss>"#;
const SHEETS: &str = r#"<a><table:table table:name="S"><table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell>
    <table:table-cell office:value="1.5" table:number-rows-spanned="2"><text:p>2</text:p></table:table-cell></table:table-row></table:table><text:h text:outline-level="2">b</text:h></a>"#;

fn zipped(content: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file("content.xml", stored).unwrap();
    archive.write_all(content.as_bytes()).unwrap();
    archive.finish().unwrap().into_inner()
}

fn docx() -> Vec<u8> {
    let (mut writer, mut bytes) = (DocxWriter::new(), Cursor::new(Vec::new()));
    writer.add_heading("Pump", 1);
    writer.add_paragraph("It ran dry.");
    writer.add_table(&[vec!["Part", "State"], vec!["Valve", "shut"]]);
    writer.write_to(&mut bytes).unwrap();
    bytes.into_inner()
}

fn xlsx() -> Vec<u8> {
    let (mut writer, mut bytes) = (XlsxWriter::new(), Cursor::new(Vec::new()));
    let mut sheet = writer.add_sheet("Pumps");
    sheet.add_row(vec![CellData::String("Pump".into()), CellData::String("Flow".into())]);
    for number in 0..5_u32 {
        sheet.add_row(vec![
            CellData::String(format!("P-{number}")),
            CellData::Number(number.into()),
        ]);
    }
    sheet.merge_cells(1, 0, 2, 1);
    writer.write_to(&mut bytes).unwrap();
    bytes.into_inner()
}

static FILES: LazyLock<Vec<(&str, Vec<u8>)>> = LazyLock::new(|| {
    vec![
        ("plan.docx", docx()),
        ("plan.xlsx", xlsx()),
        ("plan.ods", zipped(SHEETS)),
        ("plan.odt", zipped(SHEETS)),
        ("plan.eml", MAIL.split_once('\n').unwrap().1.into()),
        ("plan.mbox", MAIL.repeat(2).into()),
        ("plan.ipynb", NOTEBOOK.into()),
        ("plan.json", CHAT.into()),
        ("plan.xml", ISSUES.into()),
        ("plan", MAIL.into()),
    ]
});

#[test]
fn foreign_documents_are_read_whole() {
    for (name, bytes) in FILES.iter() {
        let reading = read_as(name, bytes);
        assert!(reading.is_ok(), "{name}: {reading:?}");
    }
}

proptest! {
    #![proptest_config(quarter())]

    #[test]
    fn damaged_foreign_documents_are_read_or_refused_with_a_reason(
        file in any::<Index>(),
        name in any::<Index>(),
        is_renamed in any::<bool>(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 0..8),
        end in any::<Index>(),
        is_cut in any::<bool>(),
    ) {
        let (own, bytes) = file.get(&FILES);
        let name = if is_renamed { name.get(&FILES).0 } else { own };
        let mut bytes = bytes.clone();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        match read_as(name, &bytes) {
            Ok(Reading { entries, records, .. }) => {
                let fits = |text: &str| !text.trim().is_empty() && text.len() <= 1_000;
                let all_fit = entries.iter().skip(1).all(|entry| fits(&entry.passage.text));
                prop_assert!(all_fit);
                if let Some(records) = records {
                    prop_assert_eq!(RecordFile::open(records.bytes).unwrap().header.records, records.count);
                }
            }
            Err(reason) => prop_assert!(!reason.is_empty()),
        }
    }
}
