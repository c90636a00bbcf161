//! Ranks the passages that contain a string of the question, if few documents have it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use model::document::{Passage, passage_id};
use model::evidence::RetrieverKind;
use ports::{Hit, Ranked};
use text::exact::Exact;
use uuid::Uuid;

use crate::fuse::Ranking;
use crate::lookup::{Literal, Lookup, PASSAGES};

/// Upper bound for the documents that a string identifies. A string in more documents, or in all
/// passages that were examined, identifies none of them.
const FEW: usize = 3;

impl Lookup {
    /// Ranks the passages with a string of the question that few documents have. `found` are the
    /// results of the searches for the strings, and `rankings` those of the evidence, with the
    /// total weight `weights`: a search does not repeat the passages of an earlier one.
    pub fn exact_ranking<'r>(
        &self,
        found: &[[Ranked; 2]],
        rankings: impl Iterator<Item = &'r Ranking>,
        weights: f64,
        excluded: &BTreeSet<Uuid>,
    ) -> Option<Ranking> {
        let hits = found.iter().flatten().flat_map(|ranked| &ranked.hits);
        let hits = hits.chain(rankings.flat_map(|ranking| &ranking.hits));
        let brought = hits.filter_map(|hit| Some((hit.passage_id, hit.passage.as_deref()?)));
        let passages = brought.filter(|(_, passage)| !excluded.contains(&passage.document_id));
        ranking(&self.literals, found, &passages.collect(), weights)
    }
}

/// Ranks the passages that contain a string that few documents have, by the share of the question
/// that the string makes up. `found` are the results of [`Literal::searches`], and `passages` holds
/// the passages of the hits that count. All other rankings have the total weight `weights`; the new
/// ranking's share of the whole weight is the string's share of the question.
fn ranking(
    literals: &[Literal],
    found: &[[Ranked; 2]],
    passages: &HashMap<Uuid, &Passage>,
    weights: f64,
) -> Option<Ranking> {
    let mut hits: BTreeMap<Uuid, (Hit, f64)> = BTreeMap::new();
    for (literal, found) in literals.iter().zip(found) {
        let of_literal = found.iter().flat_map(|ranked| &ranked.hits).filter_map(|hit| {
            let passage = passages.get(&hit.passage_id)?;
            literal.forms.iter().any(|form| has(passage, form)).then(|| exact(hit, passage))
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

/// Returns a hit of a passage. A document with the string in its name is represented by its first
/// passage.
fn exact(hit: &Hit, passage: &Passage) -> Hit {
    if passage.text.is_empty() {
        let passage_id = passage_id(hit.document_id, &hit.version, 0);
        return Hit { passage_id, passage: None, ..hit.clone() };
    }
    Hit { passage: Some(Box::new(passage.clone())), ..hit.clone() }
}

/// Returns true if a passage, its headings, its title or its name contains the string.
fn has(passage: &Passage, string: &Exact) -> bool {
    [&passage.text, &passage.section, &passage.title, &passage.name]
        .into_iter()
        .any(|text| string.is_in(text))
}

#[cfg(test)]
mod tests;
