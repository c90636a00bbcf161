//! Finds the definitions of symbols that a question names, in any spelling: `rateLimiter`, "rate
//! limiter".

use std::collections::BTreeMap;

use wire::search::Intent;

use super::Services;
use super::route::Route;
use ask::fuse::Ranking;
use ask::plan::Plan;
use ask::question::Asked;
use model::Result;
use model::document::Passage;
use model::evidence::{PointKind, RetrieverKind};
use model::facts::symbol_key;
use ports::filter::{Condition, Field, Filters};
use ports::{Brings, Hit, Search, SearchBy};
use text::question::telling;
use text::stop::is_common;

/// Upper bound for the words of a question that form one name, and lower bound for the letters of a
/// name.
const WORDS: usize = 8;
const LETTERS: usize = 4;

/// Upper bounds for the names that are searched for, and for the passages that are examined.
const NAMES: usize = 100;
const DEPTH: usize = 40;

/// Ranks passages that define a symbol of the question, by the share of the question that its name
/// makes up. Returns `None` if there are none, and for questions that do not ask for a place in the
/// code.
pub(super) async fn ranking(
    services: &Services<'_>,
    asked: &Asked,
    plan: &Plan,
    vectors: &[Vec<f32>],
    route: &Route,
) -> Result<Option<Ranking>> {
    let names = names(asked.question.as_str());
    let is_meant = route.intent.is_none_or(|intent| intent == Intent::Locate)
        || names.values().any(|value| value.is_identifier);
    let all = services.sources.all();
    let has_code = route.chosen.iter().any(|place| all[*place].name == "code");
    let Some(vector) = vectors.first().filter(|_| is_meant && has_code && !names.is_empty()) else {
        return Ok(None);
    };
    let defining = Condition::AnyOf(Field::Symbol, names.keys().cloned().collect());
    let filters = Filters(asked.filters.0.iter().cloned().chain([defining]).collect());
    let search = Search {
        of: PointKind::Passage,
        by: SearchBy::Dense(vector.clone()),
        depth: DEPTH,
        brings: Brings::Passages,
    };
    let found = services.ask.index.search(&asked.grant, &filters, vec![search]).await?;
    let mut hits: Vec<Hit> = found.into_iter().flat_map(|ranked| ranked.hits).collect();
    hits.retain(|hit| !plan.excluded.contains(&hit.document_id));
    Ok(ranked(hits, &names, plan.weights()))
}

/// Scores passages by the names of the question that they define. The longest name that is defined
/// anywhere is the wanted one: "the event stream sender" is not `EventStream`.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a share")]
fn ranked(hits: Vec<Hit>, names: &BTreeMap<String, Name>, weights: f64) -> Option<Ranking> {
    let defined = |passage: &Passage| -> Vec<String> {
        let keys = passage.facts.symbols.iter().map(|symbol| symbol_key(&symbol.name));
        keys.filter(|key| names.contains_key(key)).collect()
    };
    let all = hits.iter().filter_map(|hit| hit.passage.as_deref()).flat_map(defined);
    let longest = all.map(|key| key.len()).max().unwrap_or(1) as f64;
    let score = |key: &String| {
        let name = &names[key];
        if name.is_identifier { name.share } else { name.share * key.len() as f64 / longest }
    };
    let share = |passage: &Passage| defined(passage).iter().map(score).fold(0.0, f64::max);
    let mut hits: Vec<Hit> = hits
        .into_iter()
        .filter_map(|hit| {
            let raw = share(hit.passage.as_deref()?) as f32;
            (raw > 0.0).then_some(Hit { raw, ..hit })
        })
        .collect();
    // Passages with the same score stay in the order of nearness in meaning.
    hits.sort_by(|a, b| b.raw.total_cmp(&a.raw));
    Ranking::of_shares(RetrieverKind::Symbol, hits, weights)
}

/// A name to which a question may refer.
struct Name {
    /// The share of the question's meaningful words that the name makes up.
    share: f64,
    is_identifier: bool,
}

/// Returns the names to which a question may refer, by their keys: each meaningful word, and runs
/// of up to eight words.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn names(question: &str) -> BTreeMap<String, Name> {
    let all = telling(question).len().max(1) as f64;
    let is_between = |c: char| !(c.is_alphanumeric() || c == '_');
    let words: Vec<&str> = question.split(is_between).filter(|word| !word.is_empty()).collect();
    let mut names: BTreeMap<String, Name> = BTreeMap::new();
    // Identifiers come first, because a long question has more names than are searched for.
    let runs = (1..=WORDS).rev().flat_map(|length| words.windows(length));
    let identifiers = words.windows(1).filter(|run| is_identifier(run[0]));
    for run in identifiers.chain(runs) {
        let says = |word: &&&str| !is_common(word) || word.contains('_');
        let telling = run.iter().filter(says).count();
        let key = symbol_key(&run.concat());
        if telling < run.len().min(2) || key.len() < LETTERS || names.len() >= NAMES {
            continue;
        }
        let is_identifier = run.len() == 1 && is_identifier(run[0]);
        // An identifier is the subject, whatever the other words are.
        let share = if is_identifier { 1.0 } else { (telling as f64 / all).min(1.0) };
        names.entry(key).or_insert(Name { share, is_identifier });
    }
    names
}

fn is_identifier(word: &str) -> bool {
    let mut pairs = word.chars().zip(word.chars().skip(1));
    word.trim_matches('_').contains('_') || pairs.any(|(a, b)| a.is_lowercase() && b.is_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::facts::Symbol;
    use testing::passages;

    #[test]
    fn the_longest_name_that_is_defined_is_meant() {
        let passage = |text: &str, symbol: &str| {
            let mut passage = passages(text).swap_remove(0);
            let kind = "struct".to_owned();
            passage.facts.symbols = vec![Symbol { name: symbol.into(), kind, line: 1 }];
            let (passage_id, document_id) = (passage.id, passage.document_id);
            let version = passage.version.clone();
            Hit { passage_id, document_id, version, raw: 0.5, passage: Some(passage.into()) }
        };
        let names = names("Where is the event stream sender once defined?");
        let hits =
            vec![passage("a", "EventStreamSender"), passage("b", "event_stream_sender_once")];
        let ranking = ranked(hits, &names, 1.0).unwrap();
        let first = ranking.hits[0].passage.as_deref().unwrap();
        assert_eq!(first.facts.symbols[0].name, "event_stream_sender_once");
        assert!(ranking.hits[0].raw > ranking.hits[1].raw);
    }

    #[test]
    fn neighbors_are_names_and_common_words_are_none() {
        let names = names("Where is the rate limiter of `open_port` implemented?");
        assert!(names.contains_key("ratelimiter") && names["openport"].is_identifier);
        assert!(!names.contains_key("where") && !names.contains_key("isthe"));
        assert!((names["openport"].share - 1.0).abs() < 1e-9 && names["ratelimiter"].share < 0.7);
    }
}
