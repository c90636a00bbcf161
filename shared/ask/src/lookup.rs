//! The parts of a question that are looked up: names and words, to find out whether they occur
//! anywhere, and strings that few documents may contain exactly as the question has them.
//!
//! BM25 splits `PM2022-009` into two words and treats a log line as a bag of words. If few
//! documents contain such a string whole, the question is about these documents, whatever its other
//! words are.

use model::evidence::PointKind;
use ports::question::Question;
use ports::{Brings, Search, SearchBy};
use text::day;
use text::exact::Exact;
use text::language::Language;
use text::name::{self, Name};
use text::question::telling;

use crate::question::Asked;

/// Upper bound for the words that are looked up.
const MOST_WORDS: usize = 32;

/// The names, words and strings of a question that are looked up, to decide whether anything can
/// fit.
#[derive(Debug, Default)]
pub struct Lookup {
    /// The language of the question and its queries.
    pub language: Language,
    /// The names that occur in the question and in all of its queries.
    pub names: Vec<Name>,
    /// The words of the question and its queries that carry meaning.
    pub words: Vec<String>,
    /// The word that begins the question, if it may be a name. It is one of `words`.
    pub first: Option<String>,
    /// The strings that few documents may contain as they are.
    pub literals: Vec<Literal>,
}

/// Upper bound for the strings of a question that are looked up.
const MOST_STRINGS: usize = 6;

/// The number of passages that are examined for each string, and of documents that have it in their
/// title or name.
pub(crate) const PASSAGES: usize = 20;
const LEADS: usize = 5;

/// Upper bound for the bytes of a text that one passage can contain whole.
const LONGEST: usize = 1_000;

/// Lower bounds for the characters of a quote without a space, and of a number without letters.
const QUOTE: usize = 8;
const NUMBER: usize = 5;

/// A string of the question, in the forms in which documents may write it.
#[derive(Debug)]
pub struct Literal {
    pub(crate) forms: Vec<Exact>,
    /// The share of the question that the string makes up, in words that carry meaning,
    /// `0.0..=1.0`.
    pub(crate) share: f64,
}

impl Lookup {
    /// Returns the names, words and strings of a question and its queries. Under filters it returns
    /// strings alone, because the remaining passages may lack words that others have. A query of
    /// the caller's counts as a paraphrase of the question, with equal rank. The queries that a
    /// model invents show nothing about the contents of the index.
    pub fn of(asked: &Asked) -> Lookup {
        if !asked.filters.0.is_empty() {
            return Lookup::exact(&asked.question);
        }
        let question = asked.question.as_str();
        let queries: Vec<&str> = asked.queries.iter().map(Question::as_str).collect();
        let all = format!("{question}\n{}", queries.join("\n"));
        // The meaningful words are known for English only. The index drops stop words, so a search
        // for one finds nothing.
        let language = Language::of(&all);
        let words = if language == Language::English { telling(&all) } else { Vec::new() };
        let words = words.into_iter().filter(|word| !Language::English.is_stop_word(word));
        let words = words.take(MOST_WORDS).map(str::to_owned).collect();
        let (names, first) = (name::essential(question, &queries), name::first(question, &queries));
        Lookup { language, names, words, first, ..Lookup::exact(&asked.question) }
    }

    /// Returns only the strings that few documents may contain as they are.
    pub fn exact(question: &Question) -> Lookup {
        Lookup { literals: literals(question), ..Lookup::default() }
    }
}

/// Returns the strings of a question that documents may contain as they are. Pasted text comes
/// first, then quotes, days and identifiers.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn literals(question: &Question) -> Vec<Literal> {
    let text = question.as_str();
    let without_days =
        day::named(text).fold(text.to_owned(), |rest, named| rest.replace(named.words, " "));
    let identifiers = without_days.split(is_between).map(bare).filter(|t| is_identifier(t));
    let quotes =
        quoted(text).filter(|quoted| quoted.contains(' ') || quoted.chars().count() >= QUOTE);
    // Text that is not a question may be pasted, with or without an introduction.
    let pasted = (!text.ends_with(['?', '？'])).then_some(text).into_iter();
    let pasted = pasted.chain(text.split_once(": ").map(|(_, rest)| rest));
    let pasted = pasted.filter(|pasted| pasted.trim().contains(' ') && pasted.len() <= LONGEST);
    let all = telling(text).len().max(1) as f64;
    let literal = |text: &str, forms: Vec<Exact>| Literal {
        forms,
        share: (telling(text).len() as f64 / all).min(1.0),
    };
    let as_it_is = |text: &str| literal(text, vec![Exact::of(bare(text))]);
    let days = day::named(text).map(|named| {
        let forms = day::spellings(named.day);
        let forms = forms.iter().map(String::as_str).chain([named.words]);
        literal(named.words, forms.map(Exact::of).collect())
    });
    let mut found: Vec<Literal> = Vec::new();
    let strings = pasted.chain(quotes).map(as_it_is);
    for literal in strings.chain(days).chain(identifiers.map(as_it_is)) {
        let first = literal.forms[0].as_str();
        let is_new = |there: &Literal| there.forms.iter().all(|form| form.as_str() != first);
        if !first.is_empty() && found.iter().all(is_new) {
            found.push(literal);
        }
    }
    found.truncate(MOST_STRINGS);
    found
}

impl Literal {
    /// Returns two searches: for passages, and for documents by their titles and names.
    pub(crate) fn searches(&self, language: Language, brings: Brings) -> [Search; 2] {
        let forms: Vec<&str> = self.forms.iter().map(Exact::as_str).collect();
        [(PointKind::Passage, PASSAGES), (PointKind::Document, LEADS)].map(|(of, depth)| Search {
            of,
            by: SearchBy::Bm25(forms.join(" "), language),
            depth,
            brings,
        })
    }
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || ",;()\"'`\u{201c}\u{201d}".contains(c)
}

/// Returns the text without the marks around it.
fn bare(text: &str) -> &str {
    text.trim().trim_matches(|c: char| !c.is_alphanumeric())
}

/// Returns true for a word that belongs to no language: it has digits and letters, is a long number
/// that is not a time of day, or has signs inside.
fn is_identifier(word: &str) -> bool {
    let has_digit = word.contains(|c: char| c.is_numeric());
    let has_letter = word.contains(char::is_alphabetic);
    let is_number = word.chars().count() >= NUMBER && !word.contains(':');
    // "e.g" has a point inside, but it is not an identifier.
    let has_point = word.contains('.') && word.split('.').all(|part| part.chars().count() > 1);
    let has_sign = word.contains(['_', ':', '@', '=']) || has_point;
    (has_digit && (has_letter || is_number)) || (has_letter && has_sign)
}

/// Returns the texts between two quotation marks of a kind.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    [('"', '"'), ('`', '`'), ('\u{201c}', '\u{201d}')].into_iter().flat_map(move |(open, close)| {
        let mut rest = text;
        std::iter::from_fn(move || {
            let (_, after) = rest.split_once(open)?;
            let (quote, behind) = after.split_once(close)?;
            rest = behind;
            Some(quote)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ports::scope::{Grant, Scope};

    fn lookup(text: &str, queries: &[&str]) -> Lookup {
        let question = |text: &str| Question::parse(text).unwrap();
        let queries = queries.iter().map(|text| question(text)).collect();
        let asked = Asked::of(question(text), Grant::unchecked(&[Scope::Global]));
        Lookup::of(&Asked { queries, ..asked })
    }

    #[test]
    fn a_stop_word_is_not_looked_up_and_is_no_name() {
        let lookup = lookup("Just after launch it is down again. Why?", &[]);
        assert_eq!((lookup.words, lookup.first), (vec!["launch".to_owned()], None));
    }

    #[test]
    fn words_of_another_language_are_not_looked_up() {
        let lookup = lookup("Warum ist die Pumpe nach dem Start ausgefallen?", &[]);
        assert!(lookup.words.is_empty());
    }

    #[test]
    fn queries_say_a_question_in_other_words() {
        let lookup = lookup("Why do the robots of Keycloak quarrel?", &["manipulator collision"]);
        assert_eq!(lookup.words, ["robots", "Keycloak", "quarrel", "manipulator", "collision"]);
        assert!(lookup.names.is_empty());
    }

    fn texts(question: &str) -> Vec<String> {
        literals(&Question::parse(question).unwrap())
            .into_iter()
            .map(|literal| literal.forms[0].as_str().to_owned())
            .collect()
    }

    #[test]
    fn identifiers_quotes_and_what_is_pasted_may_stand_in_a_document() {
        assert_eq!(texts("What happened in PM2022-009?"), ["pm2022-009"]);
        assert_eq!(
            texts("Who owns spawn_kwargs or attack.mitre.org?"),
            ["spawn_kwargs", "attack.mitre.org"]
        );
        assert_eq!(texts("Why is \"no space left\" told?"), ["no space left"]);
        assert_eq!(texts("What failed on September 3rd, 2024?"), ["2024-09-03"]);
        assert_eq!(texts("What failed on 2024-09-03?"), ["2024-09-03"], "once");
        assert_eq!(texts("What was INC-2024-09-03-7?"), ["inc-2024-09-03-7"]);
        let pasted = texts("The log says: disk  Full, code 7781234");
        assert_eq!(
            pasted,
            ["the log says: disk full, code 7781234", "disk full, code 7781234", "7781234"]
        );
        assert_eq!(texts("Why do the pumps of the intake station stop at 24 bar?"), [""; 0]);
        assert_eq!(
            texts("Do reads and/or writes, e.g. of 14:05, hang on read/write disks?"),
            [""; 0]
        );
        assert_eq!(texts(&"the pump stopped ".repeat(70)), [""; 0], "no passage is so long");
    }
}
