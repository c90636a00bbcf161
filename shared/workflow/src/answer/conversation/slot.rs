//! The parts of a question that a later turn replaces, each by one of its own kind: a time by a time, a file by a file.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::topic::is_common;
use crate::words::{names, pattern};

/// Kinds of parts, by their forms; what an earlier form has taken a later one does not see.
static FORMS: LazyLock<[Regex; 9]> = LazyLock::new(|| {
    let clock = r"\d{1,2}(?::\d{2}){1,2}(?: ?[ap]\.?m\.?)?";
    let month = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*";
    let day = format!(
        r"\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {month}|{month} \d{{1,2}}(?:st|nd|rd|th)?"
    );
    let named = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today|tomorrow|(?:in the |at )?(?:morning|afternoon|evening|night|noon|midnight)";
    [
        // Files before times and versions, whose digits their names may have.
        r"(?i)\b[\w/-]+(?:\.[\w-]+)*\.(?:log|txt|out|err|ya?ml|jsonl?|conf|cfg|ini|toml|md|csv|xml|\d{1,3})\b".to_owned(),
        format!(r"(?i)\b(?:between {clock} and {clock}|(?:(?:before|after|since|until|at|around|about|by) )*{clock})"),
        format!(r"(?i)\b(?:(?:before|after|since|until) )?(?:{day}|{named})\b"),
        r"(?i)\bv?\d+\.\d+(?:\.\d+)*\b".to_owned(),
        r"(?i)\b(?:an? )?(?:[1-5]\d\ds?|[a-z]{1,6}-?\d{3,6})\b".to_owned(),
        r"(?i)\b(?:broker|node|server|host|machine|instance|worker|connection|replica|shard|kafka|web|db|pod|step|line)[ -]?\d{1,4}\b".to_owned(),
        r"(?i)\b(?:errors?|warn(?:ing)?s?|critical|fatals?|debug|info|notices?|exceptions?)\b".to_owned(),
        r"(?i)\b(?:first|last|latest|earliest|next|previous|slowest|fastest|longest|shortest|largest|biggest|smallest|highest|lowest|busiest|most|least)\b".to_owned(),
        r"(?i)\b[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+\b".to_owned(),
    ]
    .map(|form| pattern(&form))
});

/// The number of the kind "name": words with a capital, which have no form.
const NAME: usize = 9;

/// A part of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Slot {
    kind: usize,
    range: Range<usize>,
}

fn slots(text: &str) -> Vec<Slot> {
    let mut slots: Vec<Slot> = Vec::new();
    let is_free = |slots: &[Slot], range: &Range<usize>| {
        slots.iter().all(|slot| slot.range.end <= range.start || range.end <= slot.range.start)
    };
    for (kind, form) in FORMS.iter().enumerate() {
        for found in form.find_iter(text) {
            if is_free(&slots, &found.range()) {
                slots.push(Slot { kind, range: found.range() });
            }
        }
    }
    for name in names(text).into_iter().filter(|name| !is_common(name)) {
        let start = name.as_ptr() as usize - text.as_ptr() as usize;
        let range = start..start + name.trim_end_matches("'s").len();
        if is_free(&slots, &range) {
            slots.push(Slot { kind: NAME, range });
        }
    }
    slots
}

/// The question with each part that `turn` has put into the place of the one of its kind; `None` where a part has no
/// place, or where `turn` says more than such parts.
pub(super) fn replaced(question: &str, turn: &str) -> Option<String> {
    let (old, mut new) = (slots(question), slots(turn));
    new.sort_by_key(|n| n.range.start);
    if new.is_empty() || !is_all(turn, &new) {
        return None;
    }
    let mut places: Vec<(Range<usize>, &str)> = Vec::new();
    for slot in &new {
        let is_free = |range: &Range<usize>| places.iter().all(|(place, _)| place != range);
        let is_place = |other: &&Slot| is_kin(other.kind, slot.kind) && is_free(&other.range);
        let place = old.iter().find(is_place)?.range.clone();
        places.push((place, &turn[slot.range.clone()]));
    }
    Some(with(question, places))
}

/// Times of day and days are of one kind, and so are names with and without a form.
fn is_kin(old: usize, new: usize) -> bool {
    let family = |kind: usize| match kind {
        1 | 2 => 1,
        8 | NAME => NAME,
        other => other,
    };
    family(old) == family(new)
}

/// Whether nothing of weight is left of a turn besides its slots.
fn is_all(turn: &str, slots: &[Slot]) -> bool {
    let mut rest = turn.to_owned();
    for slot in slots.iter().rev() {
        rest.replace_range(slot.range.clone(), " ");
    }
    let mut words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1);
    words.all(|word| is_common(word) || word.eq_ignore_ascii_case("course"))
}

fn with(text: &str, mut places: Vec<(Range<usize>, &str)>) -> String {
    places.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = text.to_owned();
    for (range, new) in places {
        text.replace_range(range, new);
    }
    text
}

/// "in staging" and "for the seat service": a preposition and what follows it.
static PREPOSITION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(in|on|for|of|with|from|at|to|via|during) ((?:the |an? )?[\w.'/-]+(?: [\w.'/-]+)?)$",
    )
});

/// The question with what follows a preposition at its end replaced by what follows the same one in `turn`.
pub(super) fn after_preposition(question: &str, turn: &str) -> Option<String> {
    let new = PREPOSITION
        .captures(turn)
        .filter(|found| found.get(0).is_some_and(|hit| hit.start() == 0))?;
    let old = PREPOSITION.captures(question).filter(|old| old[1].eq_ignore_ascii_case(&new[1]))?;
    Some(with(question, vec![(old.get(2)?.range(), new.get(2)?.as_str())]))
}

/// A noun phrase without its article.
static NOUN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^(?:the |an? |that )?((?:[\w'-]+ ){0,2}?)([\w'-]+)$"));
/// What is asked for, up to its verb: "which microservices", "how many records", "top user agents".
static ASKED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:which|what|how many|top|list(?: all)?(?: the)?|show(?: me)?(?: all)?(?: the)?)\s+((?:[a-z]+ )??)([a-z]+s|[a-z]+)(?:\s+(?:had|has|have|did|does|do|is|are|was|were|of|in|on|per|for)\b|$)",
    )
});
/// A noun with the word that tells it apart, behind an article: "the seat service".
static APART: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:the|an?) ([\w'-]+) ([\w'-]+)\b"));
static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\w'-]+"));

/// The word that tells a noun apart in `question`: before the same noun, or of any where the noun is "one".
fn apart(question: &str, noun: &str) -> Option<Range<usize>> {
    if noun.eq_ignore_ascii_case("one") || noun.eq_ignore_ascii_case("ones") {
        let mut all = APART.captures_iter(question);
        let found = all.find(|a| !is_common(&a[1]) && !is_common(&a[2]))?;
        return found.get(1).map(|x| x.range());
    }
    let words: Vec<Range<usize>> = WORD.find_iter(question).map(|found| found.range()).collect();
    let at = words.iter().position(|word| question[word.clone()].eq_ignore_ascii_case(noun))?;
    let before = words.get(at.checked_sub(1)?)?.clone();
    (!is_common(&question[before.clone()])).then_some(before)
}

/// The question with a noun put into the place of the one of its kind: of "the station one" what tells it apart, of "the
/// slow log" beside "the error log" too, else what is asked for.
pub(super) fn noun(question: &str, turn: &str) -> Option<String> {
    let found = NOUN.captures(turn)?;
    let (apart, head) = (found[1].trim(), &found[2]);
    if !apart.is_empty() {
        return Some(with(question, vec![(self::apart(question, head)?, apart)]));
    }
    let old = ASKED.captures(question)?;
    let (before, asked) = (old.get(1)?, old.get(2)?);
    // "Memory limit" and "cpu" make "cpu limit", "user agents" and "referrers" make "referrers".
    let is_of_limit = !before.is_empty() && !head.ends_with('s') && !asked.as_str().ends_with('s');
    let place =
        if is_of_limit { before.start()..before.end() - 1 } else { before.start()..asked.end() };
    Some(with(question, vec![(place, head)]))
}

/// "Not the limit but the request", "the request, not the limit".
static NOT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:(?:the |an? )?(?P<new>[\w.:-]+),? (?:and )?not (?:the |an? )?(?P<old>[\w.:-]+)|not (?:the |an? )?(?P<gone>[\w.:-]+),? but (?:the |an? )?(?P<put>[\w.:-]+))$",
    )
});

/// The question with one word corrected into another.
pub(super) fn corrected(question: &str, turn: &str) -> Option<String> {
    let found = NOT.captures(turn)?;
    let old = found.name("old").or(found.name("gone"))?.as_str();
    let new = found.name("new").or(found.name("put"))?.as_str();
    let at = question.to_lowercase().find(&old.to_lowercase())?;
    question
        .is_char_boundary(at + old.len())
        .then(|| with(question, vec![(at..at + old.len(), new)]))
}

/// What stands in a list by its place: "the second one", "the latter".
static PLACED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:(?:number|step|option|point|item) (\d)|the (first|second|third|fourth|fifth|last|former|latter)(?: (?:one|step|option|point|item|of them))?)\b",
    )
});
static NUMBERS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:^|\s)\d[.)] "));
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i),? (?:and|or) |, |; "));

/// The item of the list in `text` that `turn` means by its place.
pub(super) fn placed<'s>(text: &'s str, turn: &str) -> Option<&'s str> {
    let found = PLACED.captures(turn)?;
    let is_numbered = NUMBERS.is_match(text);
    let form: &Regex = if is_numbered { &NUMBERS } else { &BETWEEN };
    let items: Vec<&str> = form
        .split(text)
        .map(|part| part.trim().trim_end_matches('.'))
        .filter(|f| !f.is_empty())
        .collect();
    let word = found.get(1).or(found.get(2))?.as_str().to_lowercase();
    let place = match word.as_str() {
        "first" | "former" | "1" => 0,
        "second" | "2" => 1,
        "third" | "3" => 2,
        "fourth" | "4" => 3,
        "fifth" | "5" => 4,
        "latter" | "last" => items.len().checked_sub(1)?,
        _ => return None,
    };
    (items.len() > 1).then(|| items.get(place).copied()).flatten()
}
