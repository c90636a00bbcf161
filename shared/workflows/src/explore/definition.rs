//! Finds definitions of the question's subject, and terms that several documents define.

use std::collections::{HashMap, HashSet};

use wire::explore::{DefinedTerm, Definition};

use ask::evidence::Evidence;
use model::document::Passage;
use model::evidence::{Place, Quote};
use model::facts::Defining;
use text::question::QuestionTerms;
use text::term::stems;

/// Returns how strongly the passage defines the question's subject, `0.0..=1.0`: 1 if a defined
/// term has all words of the subject, less if it has fewer. A definition in passing ("A salt is a
/// ...", a glossary entry with one of the words) counts half.
pub(super) fn strength(passage: &Passage, topic: &QuestionTerms) -> f64 {
    let text = |(start, end): (u32, u32)| passage.text.get(start as usize..end as usize);
    let best = passage
        .facts
        .defines
        .iter()
        .filter_map(|define| Some((text(define.sentence)?, text(define.term)?, define.term.1)))
        .map(|(sentence, term, end)| {
            let is_general =
                ["A ", "An ", "**", "_"].iter().any(|start| sentence.starts_with(start));
            let share = topic.share(&[term]);
            let behind = passage.text[end as usize..].trim_start().chars().next();
            let is_entry = share > 0.0 && behind.is_some_and(|c| matches!(c, ':' | '|' | '*'));
            let on_the_way = if is_general || is_entry { 0.5 } else { 0.0 };
            if share >= MOST_OF_IT { 0.2 + 0.8 * share } else { on_the_way }
        })
        .fold(0.0, f64::max);
    if best > 0.0 && passage.facts.is_glossary { (best + 0.3_f64).min(1.0) } else { best }
}

/// Lower bound for the share of the subject's words in a term that counts as the subject.
const MOST_OF_IT: f64 = 0.6;

/// Upper bound for the terms that are shown with several definitions.
const MOST_TERMS: usize = 5;

/// Returns the terms of the subject that several documents define, those with the most definitions
/// first.
pub(super) fn terms(evidence: &[Evidence], topic: &QuestionTerms) -> Vec<DefinedTerm> {
    let mut groups: Vec<DefinedTerm> = Vec::new();
    let mut places: HashMap<Vec<String>, usize> = HashMap::new();
    for Evidence { passage, .. } in evidence {
        for Defining { sentence, term } in &passage.facts.defines {
            let sentence = sentence.0 as usize..sentence.1 as usize;
            let span = term.0 as usize..term.1 as usize;
            let (Some(term), Some(_)) =
                (passage.text.get(span), passage.text.get(sentence.clone()))
            else {
                continue;
            };
            let bare = term.split('(').next().unwrap_or(term).trim();
            if topic.share(&[bare]) <= 0.0 {
                continue;
            }
            let place = *places.entry(stems(bare)).or_insert(groups.len());
            if place == groups.len() {
                let name = bare.split_whitespace().collect::<Vec<_>>().join(" ");
                groups.push(DefinedTerm { term: name, definitions: Vec::new() });
            }
            let definitions = &mut groups[place].definitions;
            if definitions
                .iter()
                .all(|definition| definition.passage.document_id != passage.document_id)
            {
                let quote = Quote::of(passage, sentence);
                definitions.push(Definition { quote, passage: Place::of(passage) });
            }
        }
    }
    groups.retain(|term| {
        let texts: HashSet<&str> =
            term.definitions.iter().map(|definition| definition.quote.text.as_str()).collect();
        texts.len() > 1
    });
    groups.sort_by_key(|term| std::cmp::Reverse(term.definitions.len()));
    groups.truncate(MOST_TERMS);
    groups
}
