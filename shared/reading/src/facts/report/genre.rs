//! Decides which documents report a failure that happened, and not one that may happen.

use std::sync::LazyLock;

use model::document::{DocumentType, Passage};
use serde::Deserialize;
use text::lexicon::Lexicon;

/// A group of `genre.toml`.
#[derive(Deserialize)]
struct Word {
    shows: Shows,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shows {
    Heading,
    Past,
    Present,
}

static WORDS: LazyLock<Lexicon<Word>> = LazyLock::new(|| Lexicon::new(text::lexicon::GENRE));

/// Lower bound for the share of past forms among these verbs. Of 344 real reports 267 reach it, of
/// 1,788 decisions, guides and runbooks 33.
const LEAST_PAST: f64 = 0.2;

/// Returns true if the document reports a failure: it is declared a report, has a report's
/// headings, or is written in the past tense. A document that is declared to be of another kind
/// needs the headings and the tense.
pub(super) fn reports(document: &[&Passage]) -> bool {
    match document.first().map(|passage| passage.document_type) {
        None | Some(DocumentType::Config | DocumentType::Code | DocumentType::Log) => false,
        Some(DocumentType::Postmortem) => true,
        Some(DocumentType::Other) => {
            past(document) >= LEAST_PAST || document.iter().any(|passage| is_headed(passage))
        }
        Some(_) => {
            past(document) >= LEAST_PAST && document.iter().any(|passage| is_headed(passage))
        }
    }
}

fn is_headed(passage: &Passage) -> bool {
    let section = passage.section.to_ascii_lowercase().replace('-', "");
    WORDS.find(&section).any(|found| found.class.shows == Shows::Heading)
}

/// Returns the share of past forms among the verbs.
fn past(document: &[&Passage]) -> f64 {
    let (mut past, mut present) = (0_u32, 0_u32);
    for passage in document {
        for found in WORDS.find(&passage.text.to_ascii_lowercase()) {
            past += u32::from(found.class.shows == Shows::Past);
            present += u32::from(found.class.shows == Shows::Present);
        }
    }
    f64::from(past) / f64::from((past + present).max(1))
}
