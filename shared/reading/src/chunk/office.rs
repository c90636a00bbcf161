//! Documents of word processors, slides and sheets: their text as Markdown, with headings, lists
//! and tables. Macros, pictures and linked files are not read.

use std::io::Cursor;

use office_oxide::options::ParseOptions;
use office_oxide::{Document, DocumentFormat};

use model::document::Attributes;
use model::format::Format;
use office_oxide::core::properties::CoreProperties;
use zip::ZipArchive;

use super::{Extract, html, markdown};
use crate::limit::{NAME, label};
use crate::stated;

mod open_document;
mod sheet;
mod workbook;

/// The endings of the formats before OOXML.
const OLD: [&str; 3] = ["doc", "xls", "ppt"];

/// The endings of `OpenDocument`.
const OPEN_DOCUMENT: [&str; 3] = ["odt", "ods", "odp"];

/// Upper bound for the bytes of all cells of a file, each counted as often as it is repeated.
const CELL_BYTES: usize = 64 * 1024 * 1024;

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

/// The parts by which the formats of an archive are known.
const KNOWN_BY: [(&str, &str); 3] =
    [("word/document.xml", "docx"), ("xl/workbook.xml", "xlsx"), ("ppt/presentation.xml", "pptx")];

/// Returns the ending of the office format that the bytes have, whatever their name is; `None` for
/// other bytes.
pub(super) fn told(bytes: &[u8]) -> Option<&'static str> {
    let by_parts = || {
        if !bytes.starts_with(b"PK") {
            return None;
        }
        let archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
        let has = |part: &str| archive.index_for_name(part).is_some();
        KNOWN_BY.iter().find(|(part, _)| has(part)).map(|(_, ending)| *ending)
    };
    let by_magic =
        infer::get(bytes).map(|kind| kind.extension()).filter(|it| Format::is_office(it));
    by_magic.or_else(by_parts)
}

/// Returns the ending of the format: of old files, which are all alike, that of the name.
fn ending(name: &str, bytes: &[u8]) -> String {
    let named = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match told(bytes) {
        Some(told) if !OLD.contains(&told) || !Format::is_office(&named) => told.into(),
        _ => named,
    }
}

/// Keeps the footers of a document. Those of a page on the web are left out.
fn with_footers(html: String) -> String {
    if !html.contains("<footer>") {
        return html;
    }
    html.replace("<footer>", "<div>").replace("</footer>", "</div>")
}

/// Reads a document; its bytes tell the format, else the ending of its name.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Extract, String> {
    let ending = ending(name, bytes);
    let unreadable = |error: String| format!("is no .{ending} document that can be read: {error}");
    if OPEN_DOCUMENT.contains(&&*ending) {
        let document = open_document::read(bytes, ending == "ods").map_err(unreadable)?;
        return Ok(if ending == "ods" {
            sheet::written(&document.sheets)
        } else {
            markdown::extract(&document.text)
        });
    }
    let format = DocumentFormat::from_extension(&ending);
    let format = format.ok_or_else(|| format!("has an unknown ending, `{ending}`"))?;
    let document =
        Document::from_reader_with(Cursor::new(bytes.to_vec()), format, &options(format));
    let document = document.map_err(|error| unreadable(error.to_string()))?;
    let (mut extract, formulas) = if let Some(workbook) = document.as_xlsx() {
        let (sheets, formulas) = workbook::xlsx(workbook);
        (sheet::written(&sheets), formulas)
    } else if let Some(workbook) = document.as_xls() {
        (sheet::written(&workbook::xls(workbook)), 0)
    } else {
        (html::read(&with_footers(document.to_html())), 0)
    };
    let properties = match (document.as_docx(), document.as_pptx(), document.as_xlsx()) {
        (Some(document), ..) => document.core_properties.as_ref(),
        (_, Some(slides), _) => slides.core_properties.as_ref(),
        (.., Some(sheets)) => sheets.core_properties.as_ref(),
        _ => None,
    };
    extract.stated = properties.map(stated).unwrap_or_default();
    if formulas > 0 {
        extract.left_out.push(format!("{formulas} formulas without a value"));
    }
    Ok(extract)
}

/// Returns the properties of a document that tell of its text. Its title is left out: it is often
/// that of a template.
fn stated(properties: &CoreProperties) -> Attributes {
    let short = |text: &String| Some(label(text, NAME)).filter(|text| !text.is_empty());
    let author = properties.creator.as_ref().or(properties.last_modified_by.as_ref());
    Attributes {
        author: author.and_then(short),
        time: properties.modified.as_ref().or(properties.created.as_ref()).and_then(short),
        lifecycle: properties.content_status.as_ref().and_then(|it| stated::lifecycle(it)),
        ..Attributes::default()
    }
}

#[cfg(test)]
mod tests;
