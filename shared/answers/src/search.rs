//! Runs the searches for a question, and reads documents for it.

use std::collections::HashMap;

use uuid::Uuid;

use super::knowledge::{KnowledgeBase, Style};
use super::understand::Understood;
use super::{Services, key};
use ask::embed;
use ask::evidence::{Evidence, best_first};
use ask::lookup::Lookup;
use ask::plan::{Plan, Probe, shared};
use ask::question::Asked;
use ask::read::by_document;
use ask::search::{Found, or_words_alone};
use model::Result;
use model::document::{Passage, file_name};
use model::evidence::{PointKind, RankingScore, RetrieverKind};
use ports::degraded::Degraded;
use ports::filter::Filters;
use ports::scope::{Grant, Scope};
use ports::{CacheRead, Purpose, Record, Status};
use text::question::{Mask, QuestionTerms};

/// The number of passages that a search finds for each one to read, and its lower bound.
const OVERSAMPLING: usize = 3;
const LEAST_DEPTH: usize = 30;

/// The factor for the weight of the question as asked, if it is searched beside its rewritten form.
const ASKED: f64 = 0.4;

/// Upper bound for the documents that are listed.
const LISTED: u32 = 1_000;

/// The boost if the question names the passage's document: the share of the gap to 1.
const NAMED: f64 = 0.25;

/// Returns the embeddings of `texts`, and the new ones among them with the keys for the cache. If
/// the embedding model fails, there are none, and the failure is recorded in `degraded`.
pub(super) async fn embed(
    services: &Services<'_>,
    base: &KnowledgeBase,
    texts: &[String],
    read: &mut CacheRead,
    degraded: &mut Vec<Degraded>,
) -> Result<(Vec<Vec<f32>>, Vec<(String, Vec<f32>)>)> {
    let keys: Vec<String> =
        texts.iter().map(|text| key::embedding(services.embed_model, text)).collect();
    let mut new: Vec<(&String, &String)> = Vec::new();
    for (key, text) in keys.iter().zip(texts) {
        // A repeated text is embedded once.
        if !read.vectors.contains_key(key) && new.iter().all(|(n, _)| *n != key) {
            new.push((key, text));
        }
    }
    if new.is_empty() {
        let known = keys.iter().filter_map(|key| read.vectors.get(key).cloned());
        return Ok((known.collect(), Vec::new()));
    }
    let wanted: Vec<String> = new.iter().map(|(_, text)| (*text).clone()).collect();
    let made = embed::embed(services.ask.embedder, &wanted, Purpose::Question).await;
    let ways = std::iter::once(base.searches.as_slice());
    let made = or_words_alone(made, ways, degraded)?;
    if made.is_empty() {
        return Ok((made, Vec::new()));
    }
    let new = new.into_iter().map(|(key, _)| key.clone());
    let made: Vec<(String, Vec<f32>)> = new.zip(made).collect();
    let find = |key: &String| {
        let vector = made.iter().find(|(m, _)| m == key).map(|(_, vector)| vector.clone());
        vector.or_else(|| read.vectors.get(key).cloned())
    };
    Ok((keys.iter().filter_map(find).collect(), made))
}

/// Finds the passages nearest to `texts` and to the caller's queries, best first. `texts` are the
/// question as asked and in its rewritten form. The vectors of the queries follow those of the
/// texts.
pub(super) async fn passages(
    services: &Services<'_>,
    base: &KnowledgeBase,
    texts: &[String],
    mut vectors: Vec<Vec<f32>>,
    asked: &Asked,
) -> Result<Found> {
    let depth = LEAST_DEPTH.max(OVERSAMPLING * asked.top_k.value());
    let queries = asked.queries.iter().chain(&asked.written);
    let ways = shared(&base.searches, queries.clone().count());
    let probe = |text: &str, query: Option<usize>| Probe {
        text: text.to_owned(),
        ways: ways.clone(),
        depth,
        query,
    };
    let mut probes: Vec<Probe> = texts.iter().map(|text| probe(text, None)).collect();
    if texts.len() > 1 {
        probes[0].ways.iter_mut().for_each(|(.., weight)| *weight *= ASKED);
    }
    let queries = queries.enumerate().map(|(place, query)| probe(query.as_str(), Some(place)));
    probes.extend(queries);
    // Cases are not checked for unknown words, because their records are examined. Neither are
    // follow-ups, because they leave words to the earlier turns.
    let says_all = base.style != Style::Forensic && texts.len() == 1;
    let lookup = if says_all { Lookup::of(asked) } else { Lookup::exact(&asked.question) };
    let mut plan = Plan::of_probes(probes).looking_up(lookup);
    let vector = vectors.first_mut().map(Vec::as_mut_slice).unwrap_or_default();
    services.ask.lean_on_examples(asked, &mut plan, vector).await?;
    services.ask.found(asked, plan, &vectors).await
}

/// The share of the question's words in a passage's score; the rest is the score of the searches.
/// Words are weighted by their rarity among the results.
const BY_WORDS: f64 = 0.35;

/// The share of the title in the words' part of the score.
const BY_TITLE: f64 = 0.2;

/// Adds the question's words as one more ranking of the passages. Returns the words' part of the
/// best passage, `0.0..=1.0`.
pub(super) fn rank(found: &mut Found, words: &QuestionTerms) -> f64 {
    let evidence = &mut found.evidence;
    let titles: Vec<Mask> = evidence
        .iter()
        .map(|e| words.mask(&format!("{}\n{}", e.passage.title, file_name(&e.passage.name))))
        .collect();
    let text =
        |evidence: &Evidence| format!("{}\n{}", evidence.passage.section, evidence.passage.text);
    let masks: Vec<Mask> =
        evidence.iter().zip(&titles).map(|(e, title)| words.mask(&text(e)).with(*title)).collect();
    let (counts, weight) = (words.weights(&masks), found.weights * BY_WORDS / (1.0 - BY_WORDS));
    let mut shares: HashMap<Uuid, f64> = HashMap::new();
    for (passage, (mask, title)) in evidence.iter_mut().zip(masks.into_iter().zip(titles)) {
        let (all, title) = (mask.share(&counts), title.share(&counts));
        let score = (1.0 - BY_TITLE) * all + BY_TITLE * title;
        passage.parts.add(by_words(score, weight), found.weights);
        shares.insert(passage.passage.id, score);
    }
    best_first(evidence);
    evidence.first().and_then(|best| shares.remove(&best.passage.id)).unwrap_or_default()
}

fn by_words(score: f64, weight: f64) -> RankingScore {
    RankingScore {
        probe: 0,
        query: None,
        retriever: RetrieverKind::Bm25,
        of: PointKind::Passage,
        rank: None,
        raw: None,
        z_score: None,
        score,
        weight,
    }
}

/// Raises the passages of documents that the question names.
pub(super) fn weigh(evidence: &mut [Evidence], named: &[String]) {
    for passage in evidence.iter_mut() {
        if named.contains(&passage.passage.name) {
            passage.parts.boost("named in the question", NAMED);
        }
    }
    best_first(evidence);
}

/// Returns the documents of a scope, at most the first thousand, which are one page of the table.
pub(super) async fn documents(services: &Services<'_>, scope: &Scope) -> Result<Vec<Record>> {
    Ok(services.documents.documents(scope, LISTED, None).await?.items)
}

/// Returns true if documents are still to be read, and true if some could not be read.
pub(super) fn unread(records: &[Record]) -> (bool, bool) {
    let is = |check: fn(&Status) -> bool| records.iter().any(|record| check(&record.status));
    let waits = |status: &Status| matches!(status, Status::Waiting | Status::Indexing);
    (is(waits), is(|i| matches!(i, Status::Failed { .. })))
}

/// Returns all passages of the best document that the filters allow, because steps may continue
/// beyond the passage that was found. Returns none for other styles than procedures.
pub(super) async fn whole(
    services: &Services<'_>,
    understood: &Understood<'_>,
    style: Style,
    evidence: &[Evidence],
) -> Result<Vec<Passage>> {
    let Some(best) = evidence.first().filter(|_| style == Style::Procedural) else {
        return Ok(Vec::new());
    };
    let document = best.passage.document_id;
    let passages: Vec<Uuid> = evidence.iter().map(|e| e.passage.id).collect();
    let whole = services.ask.index.documents(understood.grant, &[document], &passages).await?;
    let mut whole = by_document(whole).remove(&document).unwrap_or_default();
    whole.retain(|w| understood.filters.allow(w) && !w.is_summary());
    Ok(whole)
}

/// Returns all passages that the filters allow, up to about `limit`, with true if these are all. Of
/// a document that is being replaced it returns the later version alone.
pub(super) async fn scan(
    services: &Services<'_>,
    grant: &Grant,
    filters: &Filters,
    limit: usize,
) -> Result<(Vec<Passage>, bool)> {
    let (passages, is_all) = services.ask.index.scan(grant, filters, limit).await?;
    Ok((by_document(passages).into_values().flatten().collect(), is_all))
}
