//! Names and words of a question, looked up to tell whether they stand anywhere, and strings that few documents have.

use std::collections::{BTreeSet, HashMap};

use model::document::Chunk;
use ports::Ranked;
use ports::question::Question;
use text::language::Language;
use text::name::{self, Name};
use text::question::telling;
use uuid::Uuid;

use crate::fuse::Ranking;
use crate::groups::Groups;
use crate::question::Asked;

mod literal;

use literal::Literal;

/// The most words that are looked up.
const MOST: usize = 32;

/// Names, words and strings of a question that are looked up, to tell whether anything can fit.
#[derive(Debug, Default)]
pub struct Lookup {
    /// The names that the question and all of its queries have.
    pub names: Vec<Name>,
    /// The words that carry the meaning of the question and its queries.
    pub words: Vec<String>,
    /// The one of these that begins the question, and may be a name.
    pub first: Option<String>,
    /// The strings that may stand in few documents as they are.
    pub literals: Vec<Literal>,
}

/// The names and words of a [`Lookup`] that stand nowhere.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Unknown {
    /// The names.
    pub names: Vec<String>,
    /// The words.
    pub words: Vec<String>,
    /// The number of words that were looked up.
    pub of: usize,
}

impl Lookup {
    /// Of a question and its queries: names, words, and strings that may stand in few documents as they are. No names and words under
    /// filters, since they narrow what is read to where words may be missing. A query of the caller's says the question in other words,
    /// which count as well as its own; what a model thinks of says nothing of what there is.
    pub fn of(asked: &Asked) -> Lookup {
        if !asked.filters.0.is_empty() {
            return Lookup::exact(&asked.question);
        }
        let question = asked.question.as_str();
        let queries: Vec<&str> = asked.queries.iter().map(Question::as_str).collect();
        let all = format!("{question}\n{}", queries.join("\n"));
        // Which words carry meaning is known of English alone. The index leaves stop words out, and finds none of them.
        let is_english = Language::of(&all) == Language::English;
        let words = if is_english { telling(&all) } else { Vec::new() };
        let words = words.into_iter().filter(|word| !Language::English.is_stop_word(word));
        let words = words.take(MOST).map(str::to_owned).collect();
        let (names, first) = (name::essential(question, &queries), name::first(question, &queries));
        Lookup { names, words, first, ..Lookup::exact(&asked.question) }
    }

    /// Only strings that may stand in few documents as they are.
    pub fn exact(question: &Question) -> Lookup {
        Lookup { literals: literal::of(question), ..Lookup::default() }
    }

    /// Evaluates what its searches found: what stands nowhere, and the ranking of passages that have a string of the question which few
    /// documents have. `rankings` are of what answers, and weigh `weights` together; a name may stand in decisions, too. A string that is
    /// found whole is known, whatever its parts.
    pub fn evaluated<'r>(
        &self,
        found: &Groups<Ranked>,
        rankings: impl Iterator<Item = &'r Ranking>,
        decisions: &[Ranking],
        (weights, excluded): (f64, &BTreeSet<Uuid>),
    ) -> (Option<Ranking>, Unknown) {
        // A search brings no passage that one before it brought.
        let hits = found.all().map(|ranked| &ranked.hits);
        let hits = hits.chain(rankings.map(|ranking| &ranking.hits)).flatten();
        let brought = hits.filter_map(|hit| Some((hit.passage_id, hit.chunk.as_deref()?)));
        let mut chunks: HashMap<Uuid, &Chunk> = brought.collect();
        let of_decisions = decisions.iter().flat_map(|ranking| &ranking.hits);
        let known = chunks.values().copied();
        let known = known.chain(of_decisions.filter_map(|hit| hit.chunk.as_deref()));
        let known: Vec<&Chunk> = known.collect();
        let mut unknown = self.unknown(found, &known);
        chunks.retain(|_, chunk| !excluded.contains(&chunk.document_id));
        let exact = literal::ranking(&self.literals, &found.exact, &chunks, weights);
        if exact.is_some() {
            unknown.words.clear();
        }
        (exact, unknown)
    }

    fn unknown(&self, found: &Groups<Ranked>, chunks: &[&Chunk]) -> Unknown {
        let mut names = Vec::new();
        for name in &self.names {
            if !chunks.iter().any(|chunk| has_name(chunk, name)) {
                names.push(name.as_str().to_owned());
            }
        }
        let words = self.words.iter().zip(&found.words).filter(|(_, found)| found.hits.is_empty());
        let words: Vec<String> = words.map(|(word, _)| word.clone()).collect();
        let is_new = |first: &String| words.contains(first) && !names.contains(first);
        names.extend(self.first.clone().filter(is_new));
        Unknown { names, words, of: self.words.len() }
    }
}

/// Returns true if a passage, its headings, its title or its name has the name.
fn has_name(chunk: &Chunk, name: &Name) -> bool {
    [&chunk.text, &chunk.section, &chunk.title, &chunk.name]
        .into_iter()
        .any(|text| name.stands_in(text))
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
}
