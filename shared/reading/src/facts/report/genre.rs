//! Decides which documents report a failure that happened, and not one that may happen.

use std::sync::LazyLock;

use model::document::{DocumentType, Passage};
use regex::Regex;
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

/// Lower bound for the share of past forms among these verbs.
const LEAST_PAST: f64 = 0.2;

/// A day or a time of day. What happened has one: of 344 real reports 331 are dated and in the past
/// tense, or have the headings; of 1,490 decisions, guides and runbooks 10, and 36 if dates do not
/// count.
#[expect(clippy::unwrap_used, reason = "the pattern is constant, and the tests compile it")]
static WHEN: LazyLock<Regex> = LazyLock::new(|| {
    let month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*";
    let day = r"[0-9]{1,2}(?:st|nd|rd|th)?";
    let forms = [
        r"(?:19|20)[0-9]{2}[-/][0-9]{2}[-/][0-9]{2}".to_owned(),
        "[0-9]{1,2}:[0-9]{2}".to_owned(),
        format!("{month} {day}"),
        format!("{day} {month}"),
    ];
    Regex::new(&format!(r"(?i)\b(?:{})\b", forms.join("|"))).unwrap()
});

/// Returns true if the document reports a failure: it is declared a report, has a report's
/// headings, or is dated and written in the past tense. A document that is declared to be of
/// another kind needs the headings and the tense.
pub(super) fn reports(document: &[&Passage]) -> bool {
    match document.first().map(|passage| passage.document_type) {
        None | Some(DocumentType::Config | DocumentType::Code | DocumentType::Log) => false,
        Some(DocumentType::Postmortem) => true,
        Some(DocumentType::Other) => {
            let is_dated = || document.iter().any(|passage| WHEN.is_match(&passage.text));
            (past(document) >= LEAST_PAST && is_dated())
                || document.iter().any(|passage| is_headed(passage))
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
