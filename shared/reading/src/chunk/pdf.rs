//! PDF: the text of its pages.

use lopdf::{Document, LoadOptions};

use super::{Cut, Extract, pieces};
use model::object::LARGEST;
use text::composed;

mod objects;

/// Upper bound for the pages of a PDF.
const PAGES: usize = 5_000;

/// Upper bounds for the bytes of one unpacked stream, which are those of all streams of objects
/// together, and of one page's content. Reading takes many times that memory.
const UNPACKED: usize = 64 << 20;
const PAGE: usize = 4 << 20;

/// Upper bound for the bytes of all pages' contents. Pages may share their contents.
const PAGES_TOGETHER: usize = 100 << 20;

/// The text that the reader inserts for a font whose letters are unknown.
const UNKNOWN_LETTERS: &str = "?Identity-H Unimplemented?";

const LIGATURES: [(char, &str); 7] = [
    ('\u{FB00}', "ff"),
    ('\u{FB01}', "fi"),
    ('\u{FB02}', "fl"),
    ('\u{FB03}', "ffi"),
    ('\u{FB04}', "ffl"),
    ('\u{FB05}', "st"),
    ('\u{FB06}', "st"),
];

/// Reads the pages, or returns the reason why nothing can be read.
pub(super) fn read(bytes: &[u8]) -> Result<Extract, String> {
    if objects::grow_beyond(bytes, UNPACKED) {
        return Err(format!("grows to more than {UNPACKED} bytes; split it"));
    }
    let options = LoadOptions { max_decompressed_size: Some(UNPACKED), ..LoadOptions::default() };
    let document =
        Document::load_mem_with_options(bytes, options).map_err(|error| refusal(&error))?;
    if document.is_encrypted() {
        return Err(ENCRYPTED.into());
    }
    let pages = document.get_pages();
    if pages.len() > PAGES {
        return Err(format!("has {} pages; at most {PAGES} are taken", pages.len()));
    }
    let mut extract = Extract { text: String::new(), cut: Cut::default() };
    let size =
        |id| document.get_page_content_with_limit(id, PAGE).map_or(PAGE, |content| content.len());
    let sizes = pages.values().scan(0, |sum, id| {
        *sum += size(*id);
        Some(*sum)
    });
    if sizes.into_iter().any(|sum| sum > PAGES_TOGETHER) {
        return Err(format!("grows to more than {PAGES_TOGETHER} bytes; split it"));
    }
    for number in pages.into_keys() {
        let start = extract.text.len();
        extract.text.push_str(&page(&document, number));
        extract.text.push('\n');
        if extract.text.len() as u64 > LARGEST {
            return Err(format!("has more than {LARGEST} bytes of text"));
        }
        let section = [format!("page {number}")];
        let range = start..extract.text.len();
        extract.cut.pieces.extend(pieces(&extract.text, range, &section));
    }
    if extract.cut.pieces.is_empty() {
        return Err("holds no text, only images: have its text recognized (OCR) first".into());
    }
    Ok(extract)
}

const ENCRYPTED: &str = "is encrypted: save it without a password";

fn refusal(error: &lopdf::Error) -> String {
    match error {
        lopdf::Error::InvalidPassword | lopdf::Error::Decryption(_) => ENCRYPTED.into(),
        _ => "is no PDF that can be read: it is damaged or something else".into(),
    }
}

/// Returns the readable text of a page; unreadable parts are left out.
fn page(document: &Document, number: u32) -> String {
    let parts = document.extract_text_chunks_with_limit(&[number], PAGE);
    let text: String = parts.into_iter().flatten().collect();
    let text = text.replace(UNKNOWN_LETTERS, "").replace('\0', "");
    // Printers join letters into ligatures; people search for the separate letters.
    let text = LIGATURES.iter().fold(text, |text, (joined, apart)| text.replace(*joined, apart));
    composed::owned(text)
}

#[cfg(test)]
mod tests;
