//! The spellings by which texts name alternatives.

use std::collections::HashSet;

use super::ask::Alternative;
use crate::strategy::Evidence;
use crate::term::{Terms, stems};

/// All names of the alternatives with their places: those that the caller gives, what stands before brackets, and the
/// initials of several words and words written as two or as one, where the evidence has them. A name that would stand for
/// two of them stands for none, unless a caller gave it to one.
pub(super) fn whole(alternatives: &[Alternative], evidence: &[Evidence]) -> Vec<(usize, String)> {
    let mut names: Vec<(usize, String)> = Vec::new();
    let mut derived: Vec<(usize, String)> = Vec::new();
    let mut possible: Vec<(usize, String)> = Vec::new();
    for (number, alternative) in alternatives.iter().enumerate() {
        for name in &alternative.names {
            names.push((number, name.clone()));
            let bare = name.split(" (").next().unwrap_or_default().trim();
            derived.extend((!bare.is_empty() && bare != name).then(|| (number, bare.to_owned())));
            let other = initials(name).into_iter().chain(spellings(name));
            possible.extend(other.map(|own| (number, own)));
        }
    }
    derived.extend(known(possible, evidence));
    let given: HashSet<Vec<String>> = names.iter().map(|(_, name)| stems(name)).collect();
    let is_clear = |(number, name): &&(usize, String)| {
        let own = stems(name);
        let is_shared = derived.iter().any(|(other, name)| other != number && stems(name) == own);
        !given.contains(&own) && !is_shared
    };
    names.extend(derived.iter().filter(is_clear).cloned());
    names
}

/// The names that the evidence has, initials in capitals only.
fn known(possible: Vec<(usize, String)>, evidence: &[Evidence]) -> Vec<(usize, String)> {
    if possible.is_empty() {
        return possible;
    }
    let terms = Terms::new(possible.iter().enumerate().map(|(place, own)| (place, own.1.as_str())));
    let mut seen = HashSet::new();
    for own in evidence {
        for text in [&own.chunk.title, &own.chunk.text] {
            let found = terms.find(text).into_iter().filter(|found| {
                let name = &possible[found.number].1;
                let is_short = !name.contains(' ') && name.chars().all(char::is_uppercase);
                !is_short || text[found.start..found.end] == *name
            });
            seen.extend(found.map(|own| own.number));
        }
    }
    let known = possible.into_iter().enumerate().filter(|(place, _)| seen.contains(place));
    known.map(|(_, own)| own).collect()
}

/// The initials of every three or more words of a name that follow one another.
fn initials(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let letters: Vec<char> = words.filter_map(|word| word.chars().next()).collect();
    let mut all = Vec::new();
    for length in 3..=letters.len().min(5) {
        all.extend(
            letters.windows(length).map(|own| own.iter().collect::<String>().to_uppercase()),
        );
    }
    all
}

/// The shortest part of a word that is also written as two: "auto" of "autoscaler".
const SHORTEST_PART: usize = 4;

/// A name with one word written as two, or two as one: "cluster auto scaler" for "cluster autoscaler".
fn spellings(name: &str) -> Vec<String> {
    let words: Vec<&str> = name.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let mut all = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let parts = word.char_indices().map(|(at, _)| word.split_at(at));
        let parts = parts.filter(|(head, tail)| head.len().min(tail.len()) >= SHORTEST_PART);
        let around = |own: &str, behind: usize| {
            [&words[..place], &[own], &words[behind..]].concat().join(" ")
        };
        all.extend(parts.map(|(head, tail)| around(&format!("{head} {tail}"), place + 1)));
        if let Some(next) = words.get(place + 1) {
            all.push(around(&format!("{word}{next}"), place + 2));
        }
    }
    all
}
