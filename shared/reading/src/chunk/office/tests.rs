use office_oxide::docx::write::{DocxWriter, HfType};
use office_oxide::ir;

use super::*;

fn written(write: impl FnOnce(&mut DocxWriter)) -> Vec<u8> {
    let (mut writer, mut bytes) = (DocxWriter::new(), Cursor::new(Vec::new()));
    write(&mut writer);
    writer.write_to(&mut bytes).unwrap();
    bytes.into_inner()
}

#[test]
fn a_document_is_cut_along_its_headings_and_its_tables_stay() {
    let bytes = written(|writer| {
        writer.add_heading("Pump 7 stopped", 1);
        writer.add_heading("Root cause", 2);
        writer.add_paragraph("The valve was stuck by rust.");
        writer.add_table(&[vec!["Part", "State"], vec!["Valve", "stuck"]]);
    });
    let Extract { text, cut, .. } = read("pump.docx", &bytes).unwrap();
    assert_eq!(cut.title.as_deref(), Some("Pump 7 stopped"));
    let piece = cut.pieces.last().unwrap();
    assert_eq!(piece.section, ["Root cause"]);
    assert!(text[piece.range.clone()].contains("The valve was stuck by rust."));
    assert!(text.contains("| Valve | stuck |"), "{text}");
}

#[test]
fn what_little_unpacks_to_much_is_refused() {
    let bytes = written(|writer| {
        for _ in 0..500_000 {
            writer.add_paragraph("a");
        }
    });
    assert!(bytes.len() < 256 * 1024);
    let told = read("pump.docx", &bytes).unwrap_err();
    assert!(told.contains("limit exceeded"), "{told}");
}

#[test]
fn what_is_no_document_of_its_kind_is_refused() {
    for bytes in [&b"PK\x03\x04broken"[..], b"text", b""] {
        let told = read("a/pump.docx", bytes).unwrap_err();
        assert!(told.starts_with("is no .docx document that can be read: "), "{told}");
    }
}

#[test]
fn a_document_under_another_ending_is_read() {
    let bytes = written(|writer| {
        writer.add_paragraph("The valve was stuck by rust.");
    });
    assert_eq!(read("a/pump.doc", &bytes).unwrap().text.trim(), "The valve was stuck by rust.");
}

#[test]
fn what_stands_at_the_foot_of_the_pages_is_read() {
    let text = ir::TextSpan::plain("Document P-7, revision C");
    let paragraph =
        ir::Paragraph { content: vec![ir::InlineContent::Text(text)], ..Default::default() };
    let bytes = written(|writer| {
        writer.add_paragraph("The valve was stuck by rust.");
        let elements = vec![ir::Element::Paragraph(paragraph)];
        writer.add_section_header(HfType::default_footer(), elements);
    });
    let text = read("pump.docx", &bytes).unwrap().text;
    assert!(text.contains("Document P-7, revision C"), "{text}");
}
