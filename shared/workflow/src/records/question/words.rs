//! Finds what the words of a question stand for in the records.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::form::Asked;
use crate::answer::asked::{Intent, Mentioned};
use crate::document::file_name;
use crate::records::Recorded;
use crate::term::stem;
use crate::topic::is_common;
use crate::words::pattern;

/// Columns that a word may be a value of, the surest first.
const COLUMNS: [&str; 13] = [
    "code", "method", "level", "service", "pod", "host", "process", "client", "user", "path",
    "thread", "logger", "agent",
];

/// Columns whose values are names, a part of which may stand for them.
const PARTS: [&str; 5] = ["service", "pod", "host", "user", "agent"];

/// A token of a question: a name with its marks, or a word.
static TOKEN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#""[^"]+"|'[^']{3,}'|`[^`]+`|[\w/@][\w./:@#-]*[\w/]|\w"#));

static CLOCK: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\d{1,2}:\d{2}(?::\d{2})?$"));

/// A class of the codes of HTTP.
static CLASS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^([1-5])xxs?$"));

/// Words that say how something is asked, and not what about.
const OF_THE_FORM: &str = " overall altogether together roughly approximately about around far total exactly please \
    customers customer users anybody somebody someone people times time once twice often each every per much many \
    different distinct unique most least more less than any some all both only just ever still really actually \
    records record lines line entries entry messages message requests request events event logs log logged hits \
    number count list show tell give name which what who whom whose when where why how value values set setting \
    errors error warnings warning day days hour hours minute minutes second seconds morning evening night today \
    yesterday during within first last earliest latest single same whole entire also there here come came coming \
    happen happened happens occurred occur see seen saw get got had has have did does done do was were be been is \
    are am it its they them their our we us you i my me in on at of to for from by with and or but not no the a an \
    that this these those so if as into out up down over under after before between until since then very per \
    kind sort type types kinds broken split grouped group asked ask answered answer responses response sent send \
    returned return ended end resulted result request made make called visited accessed issued server defined \
    produced file files case evidence system appear value there written fetched downloaded loaded hit total between \
    find present mention mentions mentioned say says said tells told gets went report reported reports raise \
    raised recorded shown listed visit visits views hello hi people write wrote serve served handled ";

/// Returns true if a word says how something is asked, or where it is sought, and not what.
fn is_of_the_form(lower: &str) -> bool {
    is_common(lower) || FORM.contains(&stem(lower))
}

/// The stems of [`OF_THE_FORM`].
static FORM: LazyLock<HashSet<String>> =
    LazyLock::new(|| OF_THE_FORM.split_whitespace().map(stem).collect());

/// The methods of HTTP: a question about one that no record has is about no record.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];

/// The meaning of a word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    /// A value of a column, with `*` where it is a part of one.
    Value(String, String),
    /// The codes of a hundred, such as 5 for `5xx`.
    Class(u16),
    /// A text that stands in records.
    Text(String),
}

/// The words of a question that may be conditions.
pub(super) struct Words {
    pub(super) all: Vec<(String, Option<Meaning>)>,
}

impl Words {
    pub(super) fn of(
        intent: &Intent,
        asked: &Asked,
        mentioned: &Mentioned,
        loaded: &[&Recorded],
    ) -> Words {
        let vocabulary = Vocabulary::of(loaded);
        let read: HashSet<&str> = asked.words.iter().map(String::as_str).collect();
        let of_files: HashSet<String> = mentioned
            .named
            .iter()
            .flat_map(|name| file_name(name).split(|c: char| !c.is_alphanumeric()))
            .map(str::to_lowercase)
            .collect();
        let is_named = !mentioned.named.is_empty();
        let mut all = Vec::new();
        for found in TOKEN.find_iter(&intent.rest) {
            let token = found.as_str().trim_end_matches(['.', ':', '/', '#', '-']);
            let lower = token.to_lowercase();
            if let Some(quoted) = quoted(token) {
                all.push((token.to_owned(), Some(Meaning::Text(quoted.to_owned()))));
                continue;
            }
            let is_of_file = is_named
                && (of_files.contains(lower.strip_suffix('s').unwrap_or(&lower))
                    || of_files.contains(&lower)
                    || lower.bytes().all(|byte| byte.is_ascii_digit()) && lower.len() < 3
                    || ["broker", "node", "server", "controller"].contains(&lower.as_str()));
            let is_method = METHODS.contains(&token) && vocabulary.columns.contains("method");
            let is_form = !is_method && is_of_the_form(&lower) || lower.len() < 2;
            if read.contains(lower.as_str()) || is_of_file || is_form {
                continue;
            }
            all.push((token.to_owned(), vocabulary.meaning(token)));
        }
        Words { all }
    }
}

fn quoted(token: &str) -> Option<&str> {
    let first = token.chars().next().filter(|c| "\"'`".contains(*c))?;
    token.strip_prefix(first)?.strip_suffix(first)
}

/// The words and values that stand in the records of a scope.
struct Vocabulary<'l> {
    /// Those of [`COLUMNS`] that exist.
    columns: HashSet<&'static str>,
    /// Their values.
    values: Vec<(&'static str, &'l str)>,
    /// The words of all templates and values, by their stems.
    stems: HashSet<String>,
    words: BTreeSet<String>,
}

impl<'l> Vocabulary<'l> {
    fn of(loaded: &[&'l Recorded]) -> Vocabulary<'l> {
        let mut vocabulary = Vocabulary {
            columns: HashSet::new(),
            values: Vec::new(),
            stems: HashSet::new(),
            words: BTreeSet::new(),
        };
        for document in loaded {
            let header = &document.file.header;
            for name in COLUMNS {
                let column = header.columns.iter().find(|head| head.name == name);
                vocabulary.columns.extend(column.map(|_| name));
                let values = column.into_iter().flat_map(|head| &head.values);
                vocabulary.values.extend(values.map(|(value, _)| (name, value.as_str())));
            }
            let values = header.columns.iter().flat_map(|head| &head.values);
            let texts = header.templates.iter().map(|template| template.text.as_str());
            let names = header.columns.iter().map(|head| head.name.as_str());
            for text in texts.chain(values.map(|(value, _)| value.as_str())).chain(names) {
                vocabulary.words.extend(words(text));
            }
        }
        vocabulary.stems = vocabulary.words.iter().map(|word| stem(word)).collect();
        vocabulary
    }

    fn meaning(&self, token: &str) -> Option<Meaning> {
        // A time of day that states no time names something: "the log of 08:53".
        if CLOCK.is_match(token) {
            return None;
        }
        if let Some(class) = CLASS.captures(token) {
            return Some(Meaning::Class(class[1].parse().ok()?));
        }
        let lower = token.to_lowercase();
        let is_name = token.contains(|c: char| !c.is_alphabetic()) || token.len() > 3;
        let exact = COLUMNS.iter().find_map(|column| {
            let mut values = self.values.iter().filter(|(name, _)| name == column);
            values.find(|(_, value)| value.eq_ignore_ascii_case(token)).map(|_| *column)
        });
        if let Some(column) = exact.filter(|_| is_name || token.chars().all(char::is_uppercase)) {
            return Some(Meaning::Value(column.to_owned(), lower));
        }
        let has_methods = self.values.iter().any(|(name, _)| *name == "method");
        if has_methods && METHODS.contains(&token) {
            return Some(Meaning::Value("method".into(), lower));
        }
        let singular = lower.strip_suffix('s').unwrap_or(&lower);
        // "Services" says what is meant and not which of them.
        if self.columns.contains(singular) {
            return None;
        }
        let part = PARTS.iter().find_map(|column| {
            let mut values = self.values.iter().filter(|(name, _)| name == column);
            let has = |value: &str| words(value).any(|word| word == lower || word == singular);
            values.find(|(_, value)| has(value)).map(|_| *column)
        });
        if let Some(column) = part.filter(|_| lower.len() > 2) {
            return Some(Meaning::Value(column.to_owned(), format!("*{singular}*")));
        }
        let stemmed = stem(&lower);
        if self.words.contains(&lower) || token.contains(|c: char| !c.is_alphanumeric()) {
            return Some(Meaning::Text(lower));
        }
        self.stems.contains(&stemmed).then(|| {
            // The shortest word of that stem is contained in all, or nearly all, of the others.
            let mut related = self.words.iter().filter(|word| stem(word) == stemmed);
            let shortest = related.next().cloned().unwrap_or(lower);
            Meaning::Text(if shortest.starts_with(&stemmed) { stemmed } else { shortest })
        })
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).map(str::to_lowercase)
}
