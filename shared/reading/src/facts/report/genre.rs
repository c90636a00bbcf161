//! Which documents report a failure that happened, and not what may happen.

use model::document::{Chunk, DocumentType};

/// Words of headings that only a report on a failure has.
const HEADINGS: [&str; 6] =
    ["root cause", "contributing", "went wrong", "timeline", "postmortem", "driving event"];

/// Verbs by which a text tells what happened, and those by which it tells what is or ought to be.
const PAST: [&str; 8] = ["was", "were", "had", "did", "wasn't", "weren't", "hadn't", "didn't"];
const PRESENT: [&str; 19] = [
    "is", "are", "has", "have", "can", "may", "should", "must", "will", "shall", "might", "could",
    "would", "do", "does", "if", "isn't", "aren't", "don't",
];

/// The least share of the past among these verbs. Of 344 real reports 267 have it, of 1,788 decisions, guides and
/// runbooks 33.
const LEAST_PAST: f64 = 0.2;

/// Whether the document reports a failure: it is said to be a report, has a report's headings, or is told in the past.
pub(super) fn reports(document: &[&Chunk]) -> bool {
    match document.first().map(|chunk| chunk.document_type) {
        None | Some(DocumentType::Config | DocumentType::Code | DocumentType::Log) => false,
        Some(DocumentType::Postmortem) => true,
        Some(DocumentType::Other) => {
            past(document) >= LEAST_PAST || document.iter().any(|chunk| is_headed(chunk))
        }
        Some(_) => past(document) >= LEAST_PAST && document.iter().any(|chunk| is_headed(chunk)),
    }
}

fn is_headed(chunk: &Chunk) -> bool {
    let section = chunk.section.to_ascii_lowercase().replace('-', "");
    HEADINGS.iter().any(|word| section.contains(word))
}

/// The share of past verbs.
fn past(document: &[&Chunk]) -> f64 {
    let (mut past, mut all) = (0_u32, 0_u32);
    for chunk in document {
        for word in chunk.text.split(|c: char| !c.is_alphanumeric() && c != '\'') {
            let is = |own: &&str| own.eq_ignore_ascii_case(word);
            let is_past = PAST.iter().any(&is);
            past += u32::from(is_past);
            all += u32::from(is_past || PRESENT.iter().any(is));
        }
    }
    f64::from(past) / f64::from(all.max(1))
}
