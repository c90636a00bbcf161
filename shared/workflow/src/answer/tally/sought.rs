//! The words of a question that records must have.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::answer::intent::Intent;
use crate::answer::mention::has_word;
use crate::answer::unit::Unit;
use crate::answer::words::{Mask, Words, parts, pattern, stems};
use crate::document::Chunk;
use crate::term::stem;
use crate::topic::is_common;

/// A record must have this share of the question's words, weighed by how rare they are.
const ENOUGH: f64 = 0.5;

/// Words for what is searched and not for what is sought there.
const OF_THE_PLACE: &str = " \
    sent send request requests made make asked called visited accessed issued server defined produced log logs file \
    files case evidence system occurred appear value entries there happened happen occur seen written fetched \
    downloaded loaded hit hits total whole between time day see find present contain come comes came mention \
    mentions mentioned say says said tell tells told get got gets went report reported reports raise raised recorded \
    shown list listed did visit visits views please hello hi somebody someone anybody anyone people write wrote \
    serve served end ended return returned answered handled ";

/// The methods of HTTP, as they are asked for and logged. In small letters they are words.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];

/// Leaves only the records with a method that is sought; gives those methods, which then are sought no more.
pub(super) fn by_method(fitting: &mut Vec<Unit<'_>>, sought: &mut Vec<String>) -> Vec<String> {
    let methods: Vec<String> =
        sought.extract_if(.., |word| METHODS.contains(&word.as_str())).collect();
    if !methods.is_empty() {
        let is_method = |word: &str| methods.iter().any(|method| method == word);
        fitting.retain(|unit| unit.text().split(|c: char| !c.is_alphanumeric()).any(is_method));
    }
    methods
}

/// The words that a record must have.
pub(in super::super) fn sought(
    intent: &Intent,
    known: &HashSet<String>,
    is_named: bool,
) -> Vec<String> {
    let rest = CLOCK.replace_all(asked(&intent.rest), " ");
    let counted = intent.counted.as_deref().unwrap_or_default();
    let counted: HashSet<String> = stems(counted).collect();
    // A document's name may be written as no word is: "uWSGI".
    let is_known = |token: &&str| known.contains(&stem(&token.to_lowercase()));
    let rest: Vec<&str> = rest.split_whitespace().filter(|token| !is_known(token)).collect();
    let words = Words::of(&rest.join(" ")).own.into_iter();
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    words
        .filter(|word| is_sought(word, known) && !counted.contains(&stem(word)))
        .filter(|word| {
            !(is_named && (is_number(word) || NUMBERED.contains(&word.to_lowercase().as_str())))
        })
        .collect()
}

/// Without the statements before what is asked: they greet, or tell what happened.
fn asked(text: &str) -> &str {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')');
    STATEMENT.find_iter(text).last().map_or(text, |found| &text[found.end()..])
}

static STATEMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"[.!]\s+"));

/// A time of day in a name of something: "the log of 10:20".
static CLOCK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\b"));

/// What is told apart by a number.
const NUMBERED: [&str; 8] =
    ["broker", "node", "server", "controller", "host", "replica", "instance", "worker"];

fn is_sought(word: &str, known: &HashSet<String>) -> bool {
    !is_idle(word) && !known.contains(&stem(word))
}

/// Whether a word says where is searched and not what.
pub(super) fn is_idle(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_common(&lower) || OF_THE_PLACE.contains(&format!(" {lower} "))
}

/// Leaves only the records with the names in `text` that are written as no word is, such as `ts-travel-service` or
/// `10.0.0.1`, where any record has them; gives those names, whose parts then are sought no more.
pub(super) fn by_name(
    fitting: &mut Vec<Unit<'_>>,
    sought: &mut Vec<String>,
    text: &str,
) -> Vec<String> {
    let mut names = Vec::new();
    for token in text.split_whitespace() {
        let name = token.trim_matches(|c: char| !c.is_alphanumeric());
        let count =
            name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).count();
        let is_word = !name.contains(['-', '_', '.', '/', ':', '@']);
        let is_name = !is_word && (count > 1 && name.contains(char::is_alphabetic) || count > 3);
        let has = |unit: &Unit<'_>| has_word(unit.text(), name);
        if is_name && fitting.iter().any(has) {
            fitting.retain(has);
            sought.retain(|word| !parts(name).any(|range| &name[range] == word.as_str()));
            names.push(name.to_owned());
        }
    }
    names
}

/// What a log is called: "in the shop log of 08:53".
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:in|from|of)\s+(?:the\s+)?((?:[\w.-]+\s+){1,3}?)(?:logs?|files?)\b")
});

/// Leaves out what the question calls the log, or who writes it, where nothing in it tells of that.
pub(super) fn leave_place(sought: &mut Vec<String>, text: &str, chunks: &[&Chunk]) {
    let place = PLACE.captures(text);
    let place = place.as_ref().map_or("", |found| &found[1]);
    let words = Words::of(&format!("{place} {}", NUMBERED.join(" ")));
    if !sought.iter().any(|word| words.own.contains(word)) {
        return;
    }
    let mut seen = HashMap::new();
    let masks = chunks.iter().map(|chunk| words.mask(&chunk.text, &mut seen));
    let told = masks.fold(Mask::default(), Mask::with);
    let is_told = |word: &String| {
        words.own.iter().position(|own| own == word).is_none_or(|number| told.has(number))
    };
    sought.retain(is_told);
}

/// Leaves the units that have the words which the best of them has, and gives these words. What is a number must be of
/// what is asked: where `all_count`, no unit is left that lacks a word. Else, where they are told apart by more than
/// words, they `may_be_all`.
pub(super) fn having(
    units: &mut Vec<Unit<'_>>,
    words: &Words,
    (all_count, may_be_all): (bool, bool),
) -> Vec<String> {
    let mut seen = HashMap::new();
    let masks: Vec<Mask> = units.iter().map(|unit| words.mask(unit.text(), &mut seen)).collect();
    let found = masks.iter().fold(Mask::default(), |all, own| all.with(*own));
    let mut weights = words.weights(&masks);
    // What stands nowhere tells no record from another.
    for (word, weight) in weights.iter_mut().enumerate() {
        if !found.has(word) {
            *weight = 0.0;
        }
    }
    let lacks = |mask: &Mask| (0..words.own.len()).filter(|word| !mask.has(*word)).count();
    let share = |mask: &Mask| Words::share(*mask, &weights);
    let by_rank = |a: &&Mask, b: &&Mask| {
        let by_share = share(a).total_cmp(&share(b));
        if all_count { lacks(b).cmp(&lacks(a)).then(by_share) } else { by_share }
    };
    let best = masks.iter().max_by(by_rank).copied().unwrap_or_default();
    if all_count && lacks(&best) > 0 || share(&best) < ENOUGH {
        if all_count || !may_be_all {
            units.clear();
        }
        return Vec::new();
    }
    let has = |own: &Mask| {
        let either = own.own | own.alike;
        own.own & best.own == best.own && either & best.alike == best.alike
    };
    let mut masks = masks.iter();
    units.retain(|_| masks.next().is_some_and(has));
    let held = (0..words.own.len()).filter(|word| best.has(*word));
    held.map(|word| words.own[word].clone()).collect()
}
