//! Composes claims and their citations into the text of an answer.

use std::ops::Range;

use jiff::Timestamp;
use uuid::Uuid;
use wire::answer::{Citation, Claim};

use super::citation::Place;
use super::excerpt::{self, Excerpt};
use super::knowledge::KnowledgeBase;

use ask::claim::Source;
use model::document::{DocumentType, Passage};

/// Upper bound for the citations that the text shows for one claim.
pub(super) const SHOWN: usize = 8;

/// Words of a passage, with the time of their record.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quote<'c> {
    /// The passage.
    pub passage: &'c Passage,
    /// The byte range in the passage.
    pub range: Range<usize>,
    /// The time, if the record has one.
    pub time: Option<Timestamp>,
}

impl<'c> Quote<'c> {
    /// Quotes a whole excerpt.
    pub(super) fn of(excerpt: &Excerpt<'c>) -> Quote<'c> {
        Quote { passage: excerpt.passage, range: excerpt.range.clone(), time: excerpt.time }
    }

    /// Returns the words.
    pub(super) fn text(&self) -> &'c str {
        &self.passage.text[self.range.clone()]
    }
}

/// The author of a draft's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wording {
    /// The documents: all words occur in the quotes or above them.
    Documents,
    /// The service, for a text with computed numbers. The string has the numbers and the words of
    /// the query that occur in no quote.
    Service(String),
    /// A language model.
    Model,
}

/// A statement and the quotes on which it rests.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft<'c> {
    /// The text.
    pub text: String,
    /// The author of the words.
    pub wording: Wording,
    /// The quotes on which it rests, at least one.
    pub quotes: Vec<Quote<'c>>,
    /// The number of quotes that are cited, the first ones; the others are the keys above a
    /// setting. If it is 0, all are cited, but only the claims below the text show where.
    pub shown: usize,
}

impl<'c> Draft<'c> {
    /// Makes a draft of the words of a document.
    pub(super) fn verbatim(quote: Quote<'c>) -> Draft<'c> {
        let text = quote.text().into();
        Draft { text, wording: Wording::Documents, quotes: vec![quote], shown: 1 }
    }
}

/// The visible form of drafts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Composed {
    /// The claims.
    pub claims: Vec<Claim>,
    /// The citations of the claims, each place once.
    pub citations: Vec<Citation>,
    /// The whole answer as a text.
    pub answer: String,
}

/// Composes `drafts` in the form of the knowledge base.
pub(super) fn compose(drafts: &[Draft<'_>], base: &KnowledgeBase) -> Composed {
    let mut composed = Composed::default();
    // Records of one template are in one passage, each at its lines.
    let mut seen = Vec::new();
    for draft in drafts {
        let mut ids = Vec::new();
        let cited = if draft.shown == 0 { draft.quotes.len() } else { draft.shown };
        for quote in draft.quotes.iter().take(cited) {
            let key = (quote.passage.id, quote.passage.lines, quote.range.clone());
            let place = seen.iter().position(|s| *s == key).unwrap_or_else(|| {
                seen.push(key);
                let id = format!("c{}", seen.len());
                composed.citations.push(citation(id, quote, base));
                seen.len() - 1
            });
            ids.push(place);
        }
        let displays =
            ids.iter().take(draft.shown).map(|place| composed.citations[*place].display.as_str());
        let line = line(&draft.text, displays.collect());
        if !composed.answer.is_empty() {
            composed.answer.push_str(if line.contains('\n') { "\n\n" } else { "\n" });
        }
        composed.answer.push_str(&line);
        let citations = ids.iter().map(|place| composed.citations[*place].id.clone()).collect();
        composed.claims.push(Claim { text: draft.text.clone(), citations });
    }
    composed
}

/// Returns a claim with its citations in brackets, each display once.
fn line(text: &str, mut displays: Vec<&str>) -> String {
    if displays.is_empty() {
        return text.to_owned();
    }
    let mut seen = std::collections::HashSet::new();
    displays.retain(|display| seen.insert(*display));
    let more = displays.len().saturating_sub(SHOWN);
    displays.truncate(SHOWN);
    let rest = if more > 0 { format!("; +{more} more") } else { String::new() };
    let gap = if text.contains('\n') { "\n" } else { " " };
    format!("{text}{gap}[{}{rest}]", displays.join("; "))
}

fn citation(id: String, quote: &Quote<'_>, base: &KnowledgeBase) -> Citation {
    let passage = quote.passage;
    let lines = excerpt::lines(passage, &quote.range);
    let display = base.citation.show(&Place { passage, lines, time: quote.time });
    let time = quote.time.map(|time| (time, time)).or(passage.time);
    Citation {
        id,
        display,
        passage: model::evidence::Place::of(passage),
        article_id: passage.article.clone(),
        lines,
        time: time.map(|(first, last)| (first.to_string(), last.to_string())),
        assumed: passage.assumed.clone(),
        quote: quote.text().into(),
        hash: passage.hash(),
        now: None,
    }
}

/// Returns `Sources: server.log (3 passages, 94% relevance), …, +2 more`: each cited document with
/// the number of its cited passages and the best score among its ranked passages.
pub(super) fn sources_line(
    citations: &[Citation],
    scores: &[(Uuid, f64)],
    base: &KnowledgeBase,
    passages: &[&Passage],
) -> String {
    let mut documents: Vec<(Uuid, Vec<Uuid>)> = Vec::new();
    for Citation { passage, .. } in citations {
        match documents.iter_mut().find(|(document, _)| *document == passage.document_id) {
            Some((_, passages)) if passages.contains(&passage.passage_id) => {}
            Some((_, passages)) => passages.push(passage.passage_id),
            None => documents.push((passage.document_id, vec![passage.passage_id])),
        }
    }
    let score = |document: &Uuid| {
        let relevances = scores.iter().filter(|(id, _)| id == document).map(|(_, score)| *score);
        relevances.reduce(f64::max)
    };
    documents.sort_by(|a, b| score(&b.0).unwrap_or(1.0).total_cmp(&score(&a.0).unwrap_or(1.0)));
    let named = documents.iter().take(base.sources).filter_map(|(document, cited)| {
        let passage = passages.iter().find(|passage| passage.document_id == *document)?;
        let name = base.source.show(&Place { passage, lines: None, time: None });
        let count = cited.len();
        let plural = if count == 1 { "" } else { "s" };
        let relevance = score(document).map_or_else(
            || "read line by line".to_owned(),
            |score| format!("{:.0}% relevance", score * 100.0),
        );
        Some(format!("{name} ({count} passage{plural}, {relevance})"))
    });
    let mut named: Vec<String> = named.collect();
    if named.is_empty() {
        return String::new();
    }
    let more = documents.len().saturating_sub(base.sources);
    if more > 0 {
        named.push(format!("+{more} more"));
    }
    format!("Sources: {}", named.join(", "))
}

/// Returns the passages that a draft cites, each below its header, with the computed text.
pub(super) fn cited(draft: &Draft<'_>, base: &KnowledgeBase, computed: Option<&str>) -> Source {
    let passages = draft.quotes.iter().map(|quote| quote.passage);
    let headers: Vec<String> = passages.clone().map(|passage| base.header(passage)).collect();
    let cited = passages.zip(&headers);
    let cited = cited.map(|(c, header)| (header.as_str(), c.text.as_str(), c.document_type));
    Source::of(cited.chain(computed.map(|computed| ("", computed, DocumentType::Log))))
}
