//! Finds statements of different documents that cannot all be true: two values of one quantity, or
//! two versions of one subject. Rules find them among facts and prefer none of them. Only a
//! language model finds that one statement denies another (`confirm`).

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use wire::search::{Conflict, ConflictSide};

use model::document::Passage;
use model::evidence::Place;

mod candidate;
mod claim;
mod compare;
mod confirm;
mod words;

use claim::{Claim, claims};
pub(crate) use confirm::{Judge, PAIRS_OF_CALL, confirmed};

/// Upper bound for the claims with which a claim is compared.
const NEIGHBORS: usize = 200;

/// The number of words by which a claim finds others on the same subject. They are its rarest ones.
const KEYS: usize = 3;

/// Finds conflicts between passages of different documents, at most `most`, starting with those
/// that share the most words. Passages of one document are not compared, because they may be about
/// two things.
pub(crate) fn conflicts(passages: &[&Passage], most: usize) -> Vec<Conflict> {
    let claims: Vec<Claim<'_>> = passages.iter().flat_map(|passage| claims(passage)).collect();
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

/// Upper bound for the values of a disagreement. More values occur in a field that each document of
/// a kind fills in for itself, such as "Time to recovery".
const VALUES: usize = 3;

fn is_field(group: &Group, claims: &[Claim<'_>]) -> bool {
    let values: BTreeSet<String> =
        group.claims.iter().map(|number| claims[*number].value()).collect();
    values.len() > VALUES
}

/// Upper bound for the sides of a conflict that are shown.
const SIDES: usize = 8;

/// Claims that contradict each other.
struct Group {
    first: usize,
    claims: BTreeSet<usize>,
    likeness: f64,
}

/// Adds a pair to a group of the same kind that has one of the two, and whose first claim is about
/// the same subject as the other; or makes a new group.
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
    let sides = sides(claims.iter().map(|claim| (claim.passage, claim.text, claim.value())));
    Conflict { kind: claims[0].kind(), subject: subject(&claims), sides }
}

/// Returns the sides of a conflict, each with a statement of a passage and its value. Each document
/// is listed once for each value. Each value comes once before any value comes again, so that none
/// is cut off.
fn sides<'a>(
    statements: impl Iterator<Item = (&'a Passage, &'a str, String)>,
) -> Vec<ConflictSide> {
    let mut seen: BTreeSet<(Uuid, String)> = BTreeSet::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut sides: Vec<(usize, ConflictSide)> = Vec::new();
    for (passage, text, value) in statements {
        if !seen.insert((passage.document_id, value.clone())) {
            continue;
        }
        let count = counts.entry(value.clone()).or_default();
        *count += 1;
        let side = ConflictSide {
            value,
            statement: text.trim().to_owned(),
            passage: Place::of(passage),
            is_newest: false,
            has_most_authority: false,
        };
        sides.push((*count, side));
    }
    sides.sort_by_key(|(count, _)| *count);
    sides.into_iter().map(|(_, side)| side).take(SIDES).collect()
}

/// Returns the words that the statements share, as the first one writes them.
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
