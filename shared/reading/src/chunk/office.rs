//! Documents of word processors, slides and sheets: their text as Markdown, with headings, lists
//! and tables. Macros, pictures and linked files are not read.

use std::io::Cursor;

use office_oxide::options::ParseOptions;
use office_oxide::{Document, DocumentFormat};

use super::{Extract, markdown};

/// Upper bound for the bytes of all parts of a file that are read, unpacked.
const UNPACKED: u64 = 64 * 1024 * 1024;

/// Upper bound for one part of documents and slides, which take 27 times its bytes of memory
/// (measured: 400,000 paragraphs of a number each), and of sheets, which take three times.
const PART: u64 = 16 * 1024 * 1024;
const SHEET: u64 = 64 * 1024 * 1024;

/// Upper bound for the parts of a file.
const PARTS: usize = 10_000;

/// Upper bound for the letters of the text: what a cell says may be named by a million cells.
const LETTERS: usize = 16 * 1024 * 1024;

/// Upper bound for the memory that little of a file can fill, such as the empty cells between two.
const MEMORY: u64 = 64 * 1024 * 1024;

fn options(format: DocumentFormat) -> ParseOptions {
    let mut options = ParseOptions::strict();
    options.limits.package_entries = PARTS;
    options.limits.package_bytes = UNPACKED;
    let is_sheet = matches!(format, DocumentFormat::Xlsx | DocumentFormat::Xls);
    options.limits.part_bytes = if is_sheet { SHEET } else { PART };
    options.limits.text_chars = LETTERS;
    options.limits.memory_bytes = MEMORY;
    options
}

/// Reads a document; the ending of its name tells the format.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Extract, String> {
    let ending = name.rsplit('.').next().unwrap_or_default();
    let format = DocumentFormat::from_extension(ending);
    let format = format.ok_or_else(|| format!("has an unknown ending, `{ending}`"))?;
    let document =
        Document::from_reader_with(Cursor::new(bytes.to_vec()), format, &options(format));
    let document =
        document.map_err(|error| format!("is no .{ending} document that can be read: {error}"))?;
    let text = document.to_markdown();
    let cut = markdown::cut(&text);
    Ok(Extract { text, cut })
}

#[cfg(test)]
mod tests {
    use office_oxide::docx::write::DocxWriter;

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
        let Extract { text, cut } = read("pump.docx", &bytes).unwrap();
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
}
