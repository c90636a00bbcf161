//! Statements of different documents that cannot all be true of one subject: two values of one quantity, or two versions. They are
//! found among facts; none is taken for right. That one denies what the other says a language model alone tells (`confirm`).

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use wire::search::{Conflict, ConflictSide};

use model::document::Chunk;
use model::evidence::Place;

mod candidate;
mod claim;
mod compare;
mod confirm;
mod words;

use claim::{Claim, claims};
pub(crate) use confirm::{Judge, PAIRS_OF_CALL, confirmed};

/// The most claims that a claim is compared with.
const NEIGHBORS: usize = 200;

/// The words by which a claim finds those on the same subject: its rarest ones.
const KEYS: usize = 3;

/// Finds conflicts between passages of different documents, at most `most`, those with the most words in common first.
/// The passages of one document never contradict each other here: what one says in two places may be of two things.
pub(crate) fn conflicts(chunks: &[&Chunk], most: usize) -> Vec<Conflict> {
    let claims: Vec<Claim<'_>> = chunks.iter().flat_map(|chunk| claims(chunk)).collect();
    let mut having: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, claim) in claims.iter().enumerate() {
        for word in &claim.words {
            having.entry(word).or_default().push(number);
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    for (number, claim) in claims.iter().enumerate() {
        let mut keys: Vec<&Vec<usize>> =
            claim.words.iter().filter_map(|word| having.get(word.as_str())).collect();
        keys.sort_by_key(|places| places.len());
        let near = keys.into_iter().take(KEYS).flat_map(|places| places.iter().take(NEIGHBORS));
        let near: BTreeSet<usize> = near.copied().filter(|other| *other > number).collect();
        for other in near {
            if let Some(likeness) = compare::conflict(claim, &claims[other]) {
                add(&mut groups, (number, other), likeness, &claims);
            }
        }
    }
    groups.retain(|group| !is_field(group, &claims));
    groups.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then_with(|| a.claims.cmp(&b.claims)));
    groups.truncate(most);
    groups.iter().map(|group| to_conflict(group, &claims)).collect()
}

/// The most values of a disagreement. A field that each document of a kind fills for itself, such as "Time to recovery", has more.
const VALUES: usize = 3;

fn is_field(group: &Group, claims: &[Claim<'_>]) -> bool {
    let values: BTreeSet<String> =
        group.claims.iter().map(|number| claims[*number].value()).collect();
    values.len() > VALUES
}

/// The most sides of a conflict that are shown.
const SIDES: usize = 8;

/// Claims that contradict each other.
struct Group {
    first: usize,
    claims: BTreeSet<usize>,
    likeness: f64,
}

/// Puts a pair to a group of the same kind that has one of the two and whose first claim is of one subject with the other, else
/// into a group of its own.
fn add(groups: &mut Vec<Group>, pair: (usize, usize), likeness: f64, claims: &[Claim<'_>]) {
    let kind = claims[pair.0].kind();
    let has = |group: &&mut Group| {
        let is_of = |number: usize| {
            group.claims.contains(&number)
                || compare::of_one_subject(&claims[group.first], &claims[number]).is_some()
        };
        let has_one = group.claims.contains(&pair.0) || group.claims.contains(&pair.1);
        has_one && claims[group.first].kind() == kind && is_of(pair.0) && is_of(pair.1)
    };
    match groups.iter_mut().find(has) {
        Some(group) => {
            group.claims.extend([pair.0, pair.1]);
            group.likeness = group.likeness.max(likeness);
        }
        None => groups.push(Group { first: pair.0, claims: [pair.0, pair.1].into(), likeness }),
    }
}

fn to_conflict(group: &Group, claims: &[Claim<'_>]) -> Conflict {
    let claims: Vec<&Claim<'_>> = group.claims.iter().map(|number| &claims[*number]).collect();
    let sides = sides(claims.iter().map(|claim| (claim.chunk, claim.text, claim.value())));
    Conflict { kind: claims[0].kind(), subject: subject(&claims), sides }
}

/// The sides of a conflict, each a statement of a passage with its value: each value once before any comes again, so that none is cut
/// off, and each document and value once.
fn sides<'a>(statements: impl Iterator<Item = (&'a Chunk, &'a str, String)>) -> Vec<ConflictSide> {
    let mut seen: BTreeSet<(Uuid, String)> = BTreeSet::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut sides: Vec<(usize, ConflictSide)> = Vec::new();
    for (chunk, text, value) in statements {
        if !seen.insert((chunk.document_id, value.clone())) {
            continue;
        }
        let count = counts.entry(value.clone()).or_default();
        *count += 1;
        let side = ConflictSide {
            value,
            statement: text.trim().to_owned(),
            passage: Place::of(chunk),
            is_newest: false,
            has_most_authority: false,
        };
        sides.push((*count, side));
    }
    sides.sort_by_key(|(count, _)| *count);
    sides.into_iter().map(|(_, side)| side).take(SIDES).collect()
}

/// The words that the statements share, as the first one writes them.
fn subject(claims: &[&Claim<'_>]) -> String {
    let Some((first, others)) = claims.split_first() else { return String::new() };
    let is_shared = |stem: &str| {
        others.iter().all(|other| other.words.contains(stem) || other.heads.contains(stem))
    };
    let words: Vec<&str> =
        first.spelled.iter().filter(|(stem, _)| is_shared(stem)).map(|(_, word)| *word).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests;
