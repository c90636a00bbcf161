//! Strings that few documents have exactly as the question has them: identifiers, quotes, lines of a log.
//!
//! BM25 takes `PM2022-009` for two words and a log's line for a bag of them. Where one stands whole in few documents, they are
//! what is meant, however the rest of the question reads.

use std::collections::{BTreeMap, HashMap, HashSet};

use uuid::Uuid;

use crate::fuse::Ranking;
use model::document::{Chunk, passage_id};
use model::evidence::{PointKind, RetrieverKind};
use ports::question::Question;
use ports::{Hit, Ranked, Search, SearchBy};
use text::exact::Exact;
use text::language::Language;
use text::question::telling;

/// The most strings of a question that are looked for.
const MOST: usize = 6;

/// How many passages, and how many documents by their names, are looked at for each.
const PASSAGES: usize = 20;
const LEADS: usize = 5;

/// What stands in more documents, or in all passages that were looked at, tells none of them.
const FEW: usize = 3;

/// The longest text that one passage can have whole, in bytes.
const LONGEST: usize = 1_000;

/// The shortest quote without a space, and the shortest bare number, in characters.
const QUOTE: usize = 8;
const NUMBER: usize = 5;

/// A string of the question.
#[derive(Debug)]
pub struct Literal {
    string: Exact,
    /// How much of the question it is, by the words that carry meaning, `0.0..=1.0`.
    share: f64,
}

/// The strings of a question that may stand in documents as they are, the longest first.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
pub(crate) fn of(question: &Question) -> Vec<Literal> {
    let text = question.as_str();
    let identifiers = text.split(is_between).map(bare).filter(|t| is_identifier(t));
    let quotes =
        quoted(text).filter(|quoted| quoted.contains(' ') || quoted.chars().count() >= QUOTE);
    // What is not asked may be pasted, with or without an introduction.
    let pasted = (!text.ends_with('?')).then_some(text).into_iter();
    let pasted = pasted.chain(text.split_once(": ").map(|(_, rest)| rest));
    let pasted = pasted.filter(|pasted| pasted.trim().contains(' ') && pasted.len() <= LONGEST);
    let all = telling(text).len().max(1) as f64;
    let literal = |text: &str| Literal {
        string: Exact::of(bare(text)),
        share: (telling(text).len() as f64 / all).min(1.0),
    };
    let mut found: Vec<Literal> = Vec::new();
    for literal in pasted.chain(quotes).chain(identifiers).map(literal) {
        let is_new = found.iter().all(|there| there.string.as_str() != literal.string.as_str());
        if is_new && !literal.string.as_str().is_empty() {
            found.push(literal);
        }
    }
    found.truncate(MOST);
    found
}

impl Literal {
    /// Two searches: of passages, and of documents by their titles and names.
    pub(crate) fn searches(&self, language: Language) -> [Search; 2] {
        [(PointKind::Passage, PASSAGES), (PointKind::Document, LEADS)].map(|(of, depth)| Search {
            of,
            by: SearchBy::Bm25(self.string.as_str().to_owned(), language),
            depth,
            brings_chunks: true,
        })
    }
}

/// Ranks the passages that have a string which few documents have, by how much of the question that is. `found` are the results
/// of [`Literal::searches`], and `chunks` has the passages of those hits that count. The ranking weighs as much beside all others,
/// which weigh `weights` together, as the string is of the question.
pub(crate) fn ranking(
    literals: &[Literal],
    found: &[[Ranked; 2]],
    chunks: &HashMap<Uuid, &Chunk>,
    weights: f64,
) -> Option<Ranking> {
    let mut hits: BTreeMap<Uuid, (Hit, f64)> = BTreeMap::new();
    for (literal, found) in literals.iter().zip(found) {
        let of_literal = found.iter().flat_map(|ranked| &ranked.hits).filter_map(|hit| {
            let chunk = chunks.get(&hit.passage_id)?;
            has(chunk, &literal.string).then(|| exact(hit, chunk))
        });
        let of_literal: BTreeMap<Uuid, Hit> = of_literal.map(|hit| (hit.passage_id, hit)).collect();
        let documents: HashSet<Uuid> = of_literal.values().map(|hit| hit.document_id).collect();
        if documents.len() > FEW || of_literal.len() >= PASSAGES {
            continue;
        }
        for (id, hit) in of_literal {
            let (_, share) = hits.entry(id).or_insert((hit, 0.0));
            *share = share.max(literal.share);
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "a share")]
    let ranked = |(hit, share): (Hit, f64)| Hit { raw: share as f32, ..hit };
    let mut hits: Vec<Hit> = hits.into_values().map(ranked).collect();
    hits.sort_by(|a, b| b.raw.total_cmp(&a.raw).then_with(|| a.passage_id.cmp(&b.passage_id)));
    Ranking::of_shares(RetrieverKind::Exact, hits, weights)
}

/// A hit of a passage; a document that has the string in its name is found by its first one.
fn exact(hit: &Hit, chunk: &Chunk) -> Hit {
    if chunk.text.is_empty() {
        let passage_id = passage_id(hit.document_id, &hit.version, 0);
        return Hit { passage_id, chunk: None, ..hit.clone() };
    }
    Hit { chunk: Some(Box::new(chunk.clone())), ..hit.clone() }
}

/// Returns true if a passage, its headings, its title or its name has the string.
fn has(chunk: &Chunk, string: &Exact) -> bool {
    [&chunk.text, &chunk.section, &chunk.title, &chunk.name]
        .into_iter()
        .any(|text| string.is_in(text))
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || ",;()\"'`\u{201c}\u{201d}".contains(c)
}

/// Without what stands around it.
fn bare(text: &str) -> &str {
    text.trim().trim_matches(|c: char| !c.is_alphanumeric())
}

/// Tells a word that is none of a language: it has digits and letters, a long number that is no time of day, or signs inside.
fn is_identifier(word: &str) -> bool {
    let has_digit = word.contains(|c: char| c.is_numeric());
    let has_letter = word.contains(char::is_alphabetic);
    let is_number = word.chars().count() >= NUMBER && !word.contains(':');
    // "e.g" has a point inside, too.
    let has_point = word.contains('.') && word.split('.').all(|part| part.chars().count() > 1);
    let has_sign = word.contains(['_', ':', '@', '=']) || has_point;
    (has_digit && (has_letter || is_number)) || (has_letter && has_sign)
}

/// What stands between two quotation marks of a kind.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    [('"', '"'), ('`', '`'), ('\u{201c}', '\u{201d}')].into_iter().flat_map(move |(open, close)| {
        let mut rest = text;
        std::iter::from_fn(move || {
            let (_, after) = rest.split_once(open)?;
            let (quote, behind) = after.split_once(close)?;
            rest = behind;
            Some(quote)
        })
    })
}

#[cfg(test)]
mod tests;
