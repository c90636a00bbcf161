//! Merges equal passages of several documents, and relates passages about the same things.
//!
//! Broder: On the resemblance and containment of documents, 1997 (shingles).

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use wire::search::RelatedResult;

use ask::evidence::Evidence;
use model::document::Passage;
use model::evidence::Place;
use text::stop::is_common;

/// The number of words in a shingle.
const SHINGLE: usize = 4;

/// Lower bound for the resemblance of two passages that count as equal.
const SAME: f64 = 0.7;

/// A passage, with the equal ones of other documents.
#[derive(Debug, Clone)]
pub(super) struct Merged {
    pub(super) best: Evidence,
    /// The equal passages, in the order in which they were found.
    pub(super) others: Vec<Passage>,
}

/// Merges passages of `evidence`, best first, that differ in hardly more than white space and case.
/// The score is that of the best one, so that a duplicate raises nothing.
pub(super) fn merged(evidence: Vec<Evidence>) -> Vec<Merged> {
    let mut all: Vec<(Vec<u64>, Merged)> = Vec::new();
    for passage in evidence {
        let shingles = shingles(&passage.passage.text);
        let same = |(other, merged): &&mut (Vec<u64>, Merged)| {
            merged.best.passage.document_id != passage.passage.document_id
                && resemblance(&shingles, other) >= SAME
        };
        match all.iter_mut().find(same) {
            Some((_, merged)) => merged.others.push(passage.passage),
            None => all.push((shingles, Merged { best: passage, others: Vec::new() })),
        }
    }
    all.into_iter().map(|(_, merged)| merged).collect()
}

impl Merged {
    /// Returns the other places of the passage.
    pub(super) fn also_at(&self) -> Vec<Place> {
        self.others.iter().map(Place::of).collect()
    }
}

/// Returns the sorted hashes of all runs of four words, each once; for a shorter text, the hash of
/// all its words.
fn shingles(text: &str) -> Vec<u64> {
    let hash = FixedState::default();
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<u64> = words.map(|word| hash.hash_one(word.to_lowercase())).collect();
    let length = SHINGLE.min(words.len()).max(1);
    let mut all: Vec<u64> = words.windows(length).map(|run| hash.hash_one(run)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the share of common shingles among all shingles of both; 0 if either has none.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn resemblance(a: &[u64], b: &[u64]) -> f64 {
    let (least, most) = (a.len().min(b.len()), a.len().max(b.len()));
    // Texts of such different lengths cannot be equal.
    if least == 0 || (least as f64) < SAME * most as f64 {
        return 0.0;
    }
    let (mut i, mut j, mut common) = (0, 0, 0usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    common as f64 / (a.len() + b.len() - common) as f64
}

/// Upper bound for the results with a key. A key of more results relates none of them.
const RARE: usize = 4;

/// Upper bounds for the keys that a relation names, and for the relations of a result.
const NAMED: usize = 5;
const RELATED: usize = 5;

/// Relates results that share identifiers, headings or defined terms which few of the results have.
/// Returns the relations in the order of the results.
pub(super) fn related(results: &[Merged]) -> Vec<Vec<RelatedResult>> {
    let keys: Vec<BTreeSet<String>> =
        results.iter().map(|result| keys(&result.best.passage)).collect();
    let mut having: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, terms) in keys.iter().enumerate() {
        for key in terms {
            having.entry(key).or_default().push(place);
        }
    }
    let mut shared: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for (key, places) in having.into_iter().filter(|(_, h)| (2..=RARE).contains(&h.len())) {
        for (at, one) in places.iter().enumerate() {
            for other in places.iter().skip(at + 1) {
                shared.entry((*one, *other)).or_default().push(key.to_owned());
            }
        }
    }
    let mut all = vec![Vec::new(); results.len()];
    for ((one, other), mut by) in shared {
        let documents = [one, other].map(|place| results[place].best.passage.document_id);
        if documents[0] == documents[1] {
            continue;
        }
        by.truncate(NAMED);
        for (from, to) in [(one, other), (other, one)] {
            let result = Place::of(&results[to].best.passage);
            all[from].push(RelatedResult { result, by: by.clone() });
        }
    }
    for relations in &mut all {
        relations.sort_by_key(|related: &RelatedResult| std::cmp::Reverse(related.by.len()));
        relations.truncate(RELATED);
    }
    all
}

/// Returns the identifiers of a passage, its heading, and the terms and symbols that it defines, in
/// lower case.
fn keys(passage: &Passage) -> BTreeSet<String> {
    let words = passage.text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let identifiers = words.filter(|word| is_identifier(word)).map(str::to_lowercase);
    let defined = passage.facts.defines.iter().filter_map(|define| {
        let (start, end) = define.term;
        passage.text.get(start as usize..end as usize).map(str::to_lowercase)
    });
    let symbols = passage.facts.symbols.iter().map(|symbol| symbol.name.to_lowercase());
    let heading = passage.heading().to_lowercase();
    let is_telling = |text: &String| {
        text.len() > 3 && text.split(|c: char| !c.is_alphanumeric()).any(|word| !is_common(word))
    };
    identifiers.chain(defined).chain(symbols).chain([heading]).filter(is_telling).collect()
}

/// Returns true for a word with an underscore, or with a capital after a lower-case letter.
fn is_identifier(word: &str) -> bool {
    let has_letters = word.chars().filter(|c| c.is_alphabetic()).count() > 2;
    let mut pairs = word.chars().zip(word.chars().skip(1));
    let is_joined = word.trim_matches('_').contains('_');
    has_letters && (is_joined || pairs.any(|(a, b)| a.is_lowercase() && b.is_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::evidence::ScoreParts;
    use proptest::prelude::*;
    use testing::passages;

    fn evidence(texts: &[&str]) -> Vec<Evidence> {
        let passage = |(number, text): (u128, &&str)| {
            let passage = passages(text).swap_remove(0);
            let passage = Passage { document_id: uuid::Uuid::from_u128(number), ..passage };
            Evidence::of(passage, ScoreParts::new(Vec::new(), 0.5))
        };
        (1..).zip(texts).map(passage).collect()
    }

    #[test]
    fn the_same_passage_of_several_documents_is_one() {
        let text = "# Pool\n\nThe pool has ten connections, and each request takes one until it commits.\n";
        let spaced = text.replace(' ', "  ").replace("The", "THE");
        let other =
            "# Pool\n\nThe pool of the club is open from ten, and each guest takes a towel home.\n";
        let merged = merged(evidence(&[text, &spaced, other]));
        let others: Vec<usize> = merged.iter().map(|m| m.others.len()).collect();
        assert_eq!(others, [1, 0]);
    }

    #[test]
    fn passages_with_the_same_rare_identifier_are_related() {
        let texts = [
            "# A\n\nCall `open_port` first.\n",
            "# B\n\nThe function open_port returns it.\n",
            "# C\n\nNothing here.\n",
        ];
        let related = related(&merged(evidence(&texts)));
        assert_eq!(related[0][0].by, ["open_port"]);
        assert!(related[2].is_empty());
    }

    proptest! {
        #[test]
        fn resemblance_is_symmetric_and_whole_of_itself(a in "[a-d ]{0,60}", b in "[a-d ]{0,60}") {
            let (one, other) = (shingles(&a), shingles(&b));
            prop_assert!((resemblance(&one, &other) - resemblance(&other, &one)).abs() < 1e-12);
            if !one.is_empty() {
                prop_assert!((resemblance(&one, &one) - 1.0).abs() < 1e-12);
            }
        }
    }
}
