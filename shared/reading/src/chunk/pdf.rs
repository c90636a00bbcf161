//! PDF: the text of its pages in reading order, with headings and tables.
//!
//! `lopdf` loads a file first, since it can be bounded; `pdf_oxide` lays out what is within bounds.

use std::sync::LazyLock;

use lopdf::{Document, LoadOptions, Object};
use pdf_oxide::PdfDocument;
use pdf_oxide::converters::ConversionOptions;
use pdf_oxide::layout::{RectFilterMode, Word};
use regex::Regex;

use self::line::Rules;
use super::{Extract, markdown};
use crate::limit::{NAME, label};
use model::document::Attributes;
use model::object::LARGEST;
use text::{cjk, composed};

mod aligned;
mod line;
mod objects;
mod rows;

/// Upper bound for the pages of a PDF.
const PAGES: usize = 5_000;

/// Upper bounds for the bytes of one unpacked stream, which are those of all streams of objects
/// together, and of one page's content. Reading takes many times that memory.
const UNPACKED: usize = 64 << 20;
const PAGE: usize = 4 << 20;

/// Upper bound for the bytes of all pages' contents. Pages may share their contents.
const PAGES_TOGETHER: usize = 100 << 20;

/// The first words of a line by which it is found.
const FIRST: usize = 5;

/// Marks of bold and italic letters that `pdf_oxide` adds.
static EMPHASIS: LazyLock<Regex> = LazyLock::new(emphasis);

#[expect(clippy::unwrap_used, reason = "the pattern is constant, and the tests compile it")]
fn emphasis() -> Regex {
    Regex::new(r"\*\*([^*\n]+)\*\*|\*([^*\s](?:[^*\n]*[^*\s])?)\*").unwrap()
}

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
    let mut document =
        Document::load_mem_with_options(bytes, options).map_err(|error| refusal(&error))?;
    if document.is_encrypted() {
        return Err(ENCRYPTED.into());
    }
    let pages = document.get_pages();
    if pages.len() > PAGES {
        return Err(format!("has {} pages; at most {PAGES} are taken", pages.len()));
    }
    let size =
        |id| document.get_page_content_with_limit(id, PAGE).map_or(PAGE, |content| content.len());
    let sizes = pages.values().scan(0, |sum, id| {
        *sum += size(*id);
        Some(*sum)
    });
    if sizes.into_iter().any(|sum| sum > PAGES_TOGETHER) {
        return Err(format!("grows to more than {PAGES_TOGETHER} bytes; split it"));
    }
    let stated = stated(&document);
    // Writing the file again leaves out its damaged parts.
    let mut whole = Vec::with_capacity(bytes.len());
    document.save_to(&mut whole).map_err(|_| UNREADABLE)?;
    drop(document);
    let laid_out = PdfDocument::from_bytes(whole).map_err(|_| UNREADABLE)?;
    let mut extract = Extract { stated, ..Extract::default() };
    for number in pages.into_keys() {
        let Some(mut read) = page(&laid_out, number) else {
            extract.left_out.push(format!("page {number}: it is damaged"));
            continue;
        };
        for (table, grid) in (1..).zip(&mut read.grids) {
            grid.name = format!("page {number}, table {table}");
        }
        extract.append(&[format!("page {number}")], read);
        if extract.text.len() as u64 > LARGEST {
            return Err(format!("has more than {LARGEST} bytes of text"));
        }
    }
    if extract.cut.pieces.is_empty() {
        return Err("holds no text, only images: have its text recognized (OCR) first".into());
    }
    Ok(extract)
}

const UNREADABLE: &str = "is no PDF that can be read: it is damaged or something else";
const ENCRYPTED: &str = "is encrypted: save it without a password";

fn refusal(error: &lopdf::Error) -> String {
    match error {
        lopdf::Error::InvalidPassword | lopdf::Error::Decryption(_) => ENCRYPTED.into(),
        _ => UNREADABLE.into(),
    }
}

/// Returns the text of a page in reading order, with its headings and tables; `None` if it cannot
/// be read.
fn page(document: &PdfDocument, number: u32) -> Option<Extract> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    let rules = Rules::of(&document.extract_paths(index).unwrap_or_default());
    let words = document.extract_words(index).unwrap_or_default();
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let is_level = !is_right_to_left(&texts) && !is_upright(&words);
    let lines = line::lines(&words, &rules);
    let tables = if is_level { aligned::tables(&lines, &rules) } else { Vec::new() };
    let options = ConversionOptions {
        detect_headings: true,
        extract_tables: !is_level,
        include_images: false,
        exclude_regions: tables.iter().map(|table| table.place).collect(),
        exclude_regions_mode: RectFilterMode::MinOverlap(0.5),
        ..ConversionOptions::default()
    };
    let text = document.to_markdown(index, &options).ok()?;
    let text = letters(&text);
    // A page that has asterisks of its own keeps all.
    let has_marks = text.contains('*') && document.extract_text(index).ok()?.contains('*');
    let mut text = if has_marks { text } else { EMPHASIS.replace_all(&text, "$1$2").into_owned() };
    let mut end = 0;
    for table in &tables {
        let below =
            table.next(&lines, &tables).and_then(|words| found(&text, end, &letters(&words)));
        let (above, below) = text.split_at(below.unwrap_or(text.len()));
        let above = [above.trim_end(), letters(&table.table.markdown()).trim_end()].join("\n\n");
        end = above.len();
        text = [&above, below.trim_start()].join("\n\n");
    }
    Some(markdown::extract(&composed::owned(text)))
}

/// Returns true if most words with letters are of Hebrew, Arabic or a script beside these.
fn is_right_to_left(words: &[&str]) -> bool {
    let is = |letter| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fefc}');
    let with = |is: fn(char) -> bool| words.iter().filter(|word| word.contains(is)).count();
    with(is) * 2 > with(char::is_alphabetic)
}

/// Returns true if most words are turned, or are letters below each other.
fn is_upright(words: &[Word]) -> bool {
    let is = |word: &&Word| {
        let mut letters = word.text.chars();
        let is_letter = letters.next().is_some_and(cjk::is_letter) && letters.next().is_none();
        is_letter || line::is_turned(word)
    };
    words.iter().filter(is).count() * 2 > words.len()
}

/// Returns the line of a text that begins with these words, from the byte `start` on.
fn found(text: &str, start: usize, words: &str) -> Option<usize> {
    let words: Vec<String> = words.split(' ').take(FIRST).map(regex::escape).collect();
    let words = words.join(r"[*\s]*");
    let line = Regex::new(&format!(r"(?m)^[-#*\s]*{words}(?:[*\s]|$)")).ok()?;
    line.find_at(text, start).map(|line| line.start())
}

/// Returns a text without NUL, and with the letters apart that printers join: people search for
/// these.
fn letters(text: &str) -> String {
    let text = text.replace('\0', "");
    LIGATURES.iter().fold(text, |text, (joined, apart)| text.replace(*joined, apart))
}

/// Returns what a file says of itself. Titles that are file names are none.
fn stated(document: &Document) -> Attributes {
    let information = document.trailer.get(b"Info").and_then(|info| document.dereference(info));
    let Ok((_, Object::Dictionary(information))) = information else {
        return Attributes::default();
    };
    let text = |name: &[u8]| {
        let text = lopdf::decode_text_string(information.get(name).ok()?).ok()?;
        Some(label(&text, NAME)).filter(|text| !text.is_empty())
    };
    let is_title =
        |title: &String| title.contains(' ') && !title.contains(" - ") && !title.contains(".doc");
    Attributes {
        title: text(b"Title").filter(is_title),
        author: text(b"Author"),
        time: text(b"ModDate").or_else(|| text(b"CreationDate")).and_then(|time| day(&time)),
        ..Attributes::default()
    }
}

/// Returns the day of a date of PDF, such as `D:20260503120000+02'00'` (ISO 32000-1, 7.9.4).
fn day(date: &str) -> Option<String> {
    let digits = date.strip_prefix("D:").unwrap_or(date).get(..8)?;
    let is_day = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_day.then(|| format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]))
}

#[cfg(test)]
mod tests;
