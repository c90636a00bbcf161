//! The spellings by which texts name alternatives.

use std::collections::{HashMap, HashSet};

use super::wanted::Alternative;
use text::term::stems;

/// Names with the places of their alternatives.
#[derive(Default)]
pub(super) struct Spellings {
    /// Names that a text may write with other endings and in another case.
    pub names: Vec<(usize, String)>,
    /// Initials, which a text must write in capitals.
    pub initials: Vec<(usize, String)>,
}

/// Returns all names of the alternatives: those that the caller gives, the part before brackets,
/// words written as two or as one, and the initials of several words. A derived name that would
/// belong to two alternatives, or that a caller gave to one, is left out.
pub(super) fn spellings(alternatives: &[Alternative]) -> Spellings {
    let mut given: Vec<(usize, String)> = Vec::new();
    let mut derived: Vec<(usize, String, bool)> = Vec::new();
    for (number, alternative) in alternatives.iter().enumerate() {
        for name in &alternative.names {
            given.push((number, name.clone()));
            let bare = name.split(" (").next().unwrap_or_default().trim();
            derived
                .extend((!bare.is_empty() && bare != name).then(|| (number, bare.into(), false)));
            derived.extend(respelled(name).into_iter().map(|spelling| (number, spelling, false)));
            derived.extend(initials(name).into_iter().map(|letters| (number, letters, true)));
        }
    }
    let taken: HashSet<Vec<String>> = given.iter().map(|(_, name)| stems(name)).collect();
    let mut owners: HashMap<Vec<String>, HashSet<usize>> = HashMap::new();
    for (number, name, _) in &derived {
        owners.entry(stems(name)).or_default().insert(*number);
    }
    let mut all = Spellings { names: given, initials: Vec::new() };
    for (number, name, are_initials) in derived {
        let key = stems(&name);
        if taken.contains(&key) || owners[&key].len() > 1 {
            continue;
        }
        let list = if are_initials { &mut all.initials } else { &mut all.names };
        list.push((number, name));
    }
    all
}

/// Returns the initials of every three to five successive words of a name.
fn initials(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let letters: Vec<char> = words.filter_map(|word| word.chars().next()).collect();
    let mut all = Vec::new();
    for length in 3..=letters.len().min(5) {
        all.extend(
            letters.windows(length).map(|window| window.iter().collect::<String>().to_uppercase()),
        );
    }
    all
}

/// Lower bound for the bytes of each part of a word that is also written as two: "auto" of
/// "autoscaler".
const SHORTEST_PART: usize = 4;

/// Returns a name with one word written as two, or two as one: "cluster auto scaler" for "cluster
/// autoscaler".
fn respelled(name: &str) -> Vec<String> {
    let words: Vec<&str> = name.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let mut all = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let parts = word.char_indices().map(|(at, _)| word.split_at(at));
        let parts = parts.filter(|(head, tail)| head.len().min(tail.len()) >= SHORTEST_PART);
        let around = |part: &str, behind: usize| {
            [&words[..place], &[part], &words[behind..]].concat().join(" ")
        };
        all.extend(parts.map(|(head, tail)| around(&format!("{head} {tail}"), place + 1)));
        if let Some(next) = words.get(place + 1) {
            all.push(around(&format!("{word}{next}"), place + 2));
        }
    }
    all
}
