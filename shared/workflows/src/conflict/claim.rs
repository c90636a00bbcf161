//! Reads the claims of statements: a value or a version.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::civil::Date;
use quantity::{Comparison, Quantity};
use wire::search::ConflictKind;

use model::document::Passage;
use model::facts::{Statement, range};
use text::stop::is_common;
use text::term::stem;

use super::words::{Kind, apart, is_of, opposite};

/// The content of a claim.
pub(super) enum What {
    Quantity(Quantity),
    Version(String),
}

/// A claim of a statement.
pub(super) struct Claim<'a> {
    pub(super) passage: &'a Passage,
    /// The statement, verbatim.
    pub(super) text: &'a str,
    pub(super) what: What,
    /// The stems of the words that carry meaning, without values.
    pub(super) words: BTreeSet<String>,
    /// The same stems with the words themselves, in order.
    pub(super) spelled: Vec<(String, &'a str)>,
    /// The stems of the headings above it.
    pub(super) heads: BTreeSet<String>,
    /// Names and numbers that distinguish things of a kind: "A", "v2", "db-1".
    pub(super) marks: BTreeSet<String>,
    /// Words that distinguish things, each after its kind.
    pub(super) apart: BTreeSet<(Kind, &'static str)>,
    /// Other values of the statement, because a statement about 20 °C may not apply at 80 °C.
    pub(super) beside: Vec<Quantity>,
    /// All versions that the statement names.
    pub(super) versions: Vec<&'a str>,
}

impl Claim<'_> {
    pub(super) fn kind(&self) -> ConflictKind {
        match self.what {
            What::Quantity(_) => ConflictKind::Quantity,
            What::Version(_) => ConflictKind::Version,
        }
    }

    /// Returns the value as it is shown.
    pub(super) fn value(&self) -> String {
        match &self.what {
            What::Quantity(quantity) => quantity.text.clone(),
            What::Version(version) => version.clone(),
        }
    }
}

/// Upper bound for the claims of a passage.
const MOST: usize = 60;

/// Returns the claims of a passage.
pub(super) fn claims(passage: &Passage) -> Vec<Claim<'_>> {
    let statements = &passage.facts.statements;
    let prose = statements.list.iter().filter(|statement| !statement.is_code);
    prose.flat_map(|p| of_statement(passage, p)).take(MOST).collect()
}

fn of_statement<'a>(passage: &'a Passage, statement: &Statement) -> Vec<Claim<'a>> {
    let focus = statement.focus();
    let texts = passage.text.get(range(statement.quote)).zip(passage.text.get(focus.clone()));
    let is_cell = statement.cell.is_some();
    let Some((text, phrase)) = texts.filter(|(_, phrase)| is_cell || !is_of_links(phrase)) else {
        return Vec::new();
    };
    let values: Vec<Range<usize>> = statement.values.iter().map(|value| range(value.at)).collect();
    let versions = versions(phrase, focus.start, &values);
    if values.is_empty() && versions.is_empty() {
        return Vec::new();
    }
    let heads = heads(passage, statement);
    let mut spelled = words(phrase, focus.start, &values);
    for head in &heads.of_cell {
        spelled.extend(words(head, usize::MAX / 2, &[]));
    }
    let quantities: Vec<Quantity> =
        statement.values.iter().map(|value| value.quantity.clone()).collect();
    let whole = [phrase, heads.of_cell.join(" ").as_str()].join(" ");
    let base = |what: What, beside: Vec<Quantity>| Claim {
        passage,
        text,
        what,
        words: spelled.iter().map(|(stem, _)| stem.clone()).collect(),
        spelled: spelled.clone(),
        heads: heads.stems.clone(),
        marks: marks(&whole, &versions),
        apart: apart(&whole),
        beside,
        versions: versions.clone(),
    };
    let mut claims = Vec::new();
    for (place, quantity) in quantities.iter().enumerate() {
        let others = quantities.iter().enumerate().filter(|(other, _)| *other != place);
        let beside = others.map(|(_, other)| other.clone()).collect();
        claims.push(base(What::Quantity(quantity.clone()), beside));
    }
    for version in &versions {
        claims.push(base(What::Version((*version).to_owned()), quantities.clone()));
    }
    claims
}

/// Returns true for a line of links, which claims nothing: most of its words belong to Markdown
/// links.
pub(super) fn is_of_links(text: &str) -> bool {
    let count = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let (mut linked, mut plain, mut rest) = (0, 0, text);
    while let Some((before, link)) = rest.split_once('[') {
        plain += count(before);
        let (label, after) = link.split_once(']').unwrap_or((link, ""));
        rest = after;
        if let Some(target) = after.strip_prefix('(') {
            linked += count(label);
            rest = target.split_once(')').map_or("", |(_, rest)| rest);
        } else if after.starts_with(": http") {
            return true;
        } else {
            plain += count(label);
        }
    }
    linked > plain + count(rest)
}

/// The headings and labels above a statement.
pub(super) struct Heads<'a> {
    /// The heads of a cell's row and column.
    pub(super) of_cell: Vec<&'a str>,
    /// The stems of headings and labels.
    pub(super) stems: BTreeSet<String>,
}

pub(super) fn heads<'a>(passage: &'a Passage, statement: &Statement) -> Heads<'a> {
    let statements = &passage.facts.statements;
    let place = |number: u16| statements.place(number, &passage.text);
    let of_cell =
        statement.heads.iter().flat_map(|(row, column)| [place(*row).0, place(*column).0]);
    let mut above = vec![passage.heading(), passage.title.as_str()];
    let mut next = statement.below;
    while let Some(number) = next {
        let (text, outer) = place(number);
        above.push(text);
        next = outer.filter(|outer| *outer < number);
    }
    let stems = above.into_iter().flat_map(|text| words(text, usize::MAX / 2, &[]));
    Heads { of_cell: of_cell.collect(), stems: stems.map(|(stem, _)| stem).collect() }
}

/// Returns the words of `text`, which begins at byte `at`, that carry meaning and belong to no
/// value; each after its stem.
pub(super) fn words<'a>(
    text: &'a str,
    at: usize,
    values: &[Range<usize>],
) -> Vec<(String, &'a str)> {
    let mut words: Vec<(String, &'a str)> = Vec::new();
    let has_links = text.contains("](");
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    for word in parts {
        let within = word.as_ptr() as usize - text.as_ptr() as usize;
        let start = at + within;
        let is_value = values.iter().any(|value| value.contains(&start));
        let is_target = has_links && is_in_target(text, within);
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        if is_value || is_target || is_number || is_common(word) {
            continue;
        }
        let stem = stem(opposite(word).unwrap_or(word));
        if words.iter().all(|(word, _)| *word != stem) {
            words.push((stem, word));
        }
    }
    words
}

/// Returns the versions in a text: numbers with points after a name, and any number after "version"
/// or "v". A whole number after a name may be a day, a year or a place.
fn versions<'a>(text: &'a str, at: usize, values: &[Range<usize>]) -> Vec<&'a str> {
    let words = text.split(|c: char| c.is_whitespace() || ",;()`\"".contains(c));
    let mut before = "";
    let mut versions = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let digits = bare.trim_start_matches(['v', 'V']);
        let has_form = digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
        let is_named = before.starts_with(char::is_uppercase) && digits.contains('.')
            || ["version", "release"].contains(&before.to_lowercase().as_str());
        let start = at + (bare.as_ptr() as usize - text.as_ptr() as usize);
        let has_unit =
            values.iter().any(|value| value.contains(&start) && value.len() > bare.len());
        let is_place = is_of(before, Kind::Place);
        let is_day = Date::strptime("%d.%m.%Y", bare).is_ok();
        let is_version =
            has_form && !has_unit && !is_place && !is_day && (is_named || bare != digits);
        if is_version && digits.len() <= 12 {
            versions.push(bare);
        }
        before = bare;
    }
    versions
}

/// Returns single capitals, years, and names with digits, except for versions.
fn marks(text: &str, versions: &[&str]) -> BTreeSet<String> {
    let words = text.split(|c: char| c.is_whitespace() || ",;:()`\"|*".contains(c));
    let is_mark = |word: &&str| {
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        let has_letter = word.contains(char::is_alphabetic);
        let is_single = word.chars().count() == 1
            && word.starts_with(|c: char| c.is_ascii_uppercase())
            && !["A", "I"].contains(word);
        let is_year = word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
        is_single
            || is_year
            || word.eq_ignore_ascii_case("non")
            || has_digit && has_letter && word.len() <= 12
    };
    let bare = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let prefix = |word: &str| word.split_once('-').map_or("", |(first, _)| first).len();
    let bare = bare.flat_map(|word| [word, &word[..prefix(word)]]);
    let others = bare.filter(|word| !versions.contains(word)).filter(is_mark);
    others.map(str::to_lowercase).collect()
}

/// Returns true if a byte belongs to the target of a Markdown link.
fn is_in_target(text: &str, at: usize) -> bool {
    text[..at].rfind("](").is_some_and(|open| !text[open..at].contains(')'))
}

/// Returns the denying word of a clause; `None` if two of them cancel each other. A word with a
/// negative meaning counts like "not": "not enabled" and "disabled" deny, "not disabled" does not.
pub(super) fn denial(clause: &str, denies: Option<&str>) -> Option<String> {
    let words = clause.split(|c: char| !c.is_alphanumeric());
    let mut found: Vec<&str> = words.filter(|word| opposite(word).is_some()).collect();
    found.extend(denies);
    (found.len() % 2 == 1).then(|| found[0].to_lowercase())
}

/// Returns the ends of a quantity's range, in base units if it has them.
pub(super) fn interval(quantity: &Quantity) -> (f64, f64) {
    let (number, low, high) = match &quantity.si {
        Some(si) => (si.number, si.low, si.high),
        None => (quantity.number, quantity.low, quantity.high),
    };
    let (low, high) = (low.unwrap_or(number), high.unwrap_or(number));
    match quantity.comparison {
        Some(Comparison::About) => (low - 0.15 * low.abs(), high + 0.15 * high.abs()),
        _ => (low, high),
    }
}
