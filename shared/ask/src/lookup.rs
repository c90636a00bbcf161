//! What of a question is looked up beside what is searched: names and words, to tell whether they stand anywhere, and strings that few
//! documents have.

use std::collections::{BTreeSet, HashMap};

use model::document::Chunk;
use model::evidence::PointKind;
use ports::filter::Filters;
use ports::question::Question;
use ports::{Ranked, Search, SearchBy};
use text::language::Language;
use text::name::{self, Name};
use text::topic::telling;
use uuid::Uuid;

use crate::fuse::Ranking;
use crate::groups::Groups;
use crate::literal::{self, Literal};

/// The most words that are looked up.
const MOST: usize = 32;

/// How many passages are looked at for a name.
const NAMED: usize = 5;

/// What of a question is looked up, to tell whether anything can fit.
#[derive(Debug, Default)]
pub struct Lookup {
    /// The names that the question and all of its queries have.
    pub names: Vec<Name>,
    /// The words that carry the meaning of the question and its queries.
    pub words: Vec<String>,
    /// The one of these that begins the question, and may be a name.
    pub first: Option<String>,
    /// What may stand in few documents as it is.
    pub literals: Vec<Literal>,
}

/// Which names and words of a [`Lookup`] stand nowhere.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Unknown {
    /// The names.
    pub names: Vec<String>,
    /// The words.
    pub words: Vec<String>,
    /// How many words were looked up.
    pub of: usize,
}

impl Lookup {
    /// What to look up for a question; nothing under filters, since they narrow what is read to where words may be missing.
    /// A query says the question in other words, which count as well as its own.
    pub fn of(question: &Question, queries: &[Question], filters: &Filters) -> Lookup {
        if !filters.0.is_empty() {
            return Lookup::exact(question);
        }
        let queries: Vec<&str> = queries.iter().map(Question::as_str).collect();
        let all = format!("{}\n{}", question.as_str(), queries.join("\n"));
        // Which words carry meaning is known of English alone. The index leaves stop words out, and finds none of them.
        let is_english = Language::of(&all) == Language::English;
        let words = if is_english { telling(&all) } else { Vec::new() };
        let words = words.into_iter().filter(|word| !Language::English.is_stop_word(word));
        let words = words.take(MOST).map(str::to_owned).collect();
        let (names, first) = (
            name::essential(question.as_str(), &queries),
            name::first(question.as_str(), &queries),
        );
        Lookup { names, words, first, ..Lookup::exact(question) }
    }

    /// Only what may stand in few documents as it is.
    pub fn exact(question: &Question) -> Lookup {
        Lookup { literals: literal::of(question), ..Lookup::default() }
    }

    /// One search for each name and word, and two for each string. A passage with a name is looked at, since it may have it in parts.
    pub(crate) fn searches(&self, language: Language) -> Groups<Search> {
        let search = |text: String, depth: usize, brings_chunks: bool| Search {
            of: PointKind::Passage,
            by: SearchBy::Bm25(text, language),
            depth,
            brings_chunks,
        };
        Groups {
            names: self.names.iter().map(|name| search(name.searched(), NAMED, true)).collect(),
            words: self.words.iter().map(|word| search(word.clone(), 1, false)).collect(),
            exact: self.literals.iter().map(|literal| literal.searches(language)).collect(),
            ..Groups::default()
        }
    }

    /// What stands nowhere, by what its searches found. A passage may have come with one of the `rankings`.
    pub fn unknown<'r>(
        &mut self,
        found: &Groups<Ranked>,
        rankings: impl Iterator<Item = &'r Ranking>,
    ) -> Unknown {
        let hits = found.all().map(|ranked| &ranked.hits);
        let hits = hits.chain(rankings.map(|ranking| &ranking.hits)).flatten();
        let chunks = hits.filter_map(|hit| hit.chunk.as_deref());
        let chunks: HashMap<Uuid, &Chunk> = chunks.map(|chunk| (chunk.id, chunk)).collect();
        let mut names = Vec::new();
        for name in &mut self.names {
            if !chunks.values().any(|chunk| has_name(chunk, name)) {
                names.push(name.as_str().to_owned());
            }
        }
        let words = self.words.iter().zip(&found.words).filter(|(_, found)| found.hits.is_empty());
        let words: Vec<String> = words.map(|(word, _)| word.clone()).collect();
        let is_new = |first: &String| words.contains(first) && !names.contains(first);
        names.extend(self.first.clone().filter(is_new));
        Unknown { names, words, of: self.words.len() }
    }

    /// Ranks passages by strings that few documents have as the question has them, beside rankings that weigh `weights` together.
    pub fn ranking<'r>(
        &self,
        found: &Groups<Ranked>,
        rankings: impl Iterator<Item = &'r Ranking>,
        (weights, excluded): (f64, &BTreeSet<Uuid>),
    ) -> Option<Ranking> {
        if self.literals.is_empty() {
            return None;
        }
        // A search brings no passage that one before it brought.
        let hits = found.all().map(|ranked| &ranked.hits);
        let hits = hits.chain(rankings.map(|ranking| &ranking.hits)).flatten();
        let brought = hits.filter_map(|hit| Some((hit.passage_id, hit.chunk.as_deref()?)));
        let chunks: HashMap<Uuid, &Chunk> =
            brought.filter(|(_, chunk)| !excluded.contains(&chunk.document_id)).collect();
        literal::ranking(&self.literals, &found.exact, &chunks, weights)
    }
}

/// Whether a passage, its headings, its title or its name has the name.
fn has_name(chunk: &Chunk, name: &mut Name) -> bool {
    [&chunk.text, &chunk.section, &chunk.title, &chunk.name]
        .into_iter()
        .any(|text| name.stands_in(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_word_is_not_looked_up_and_is_no_name() {
        let question = Question::parse("Just after launch it is down again. Why?").unwrap();
        let lookup = Lookup::of(&question, &[], &Filters::default());
        assert_eq!((lookup.words, lookup.first), (vec!["launch".to_owned()], None));
    }

    #[test]
    fn words_of_another_language_are_not_looked_up() {
        let question = Question::parse("Warum ist die Pumpe nach dem Start ausgefallen?").unwrap();
        assert!(Lookup::of(&question, &[], &Filters::default()).words.is_empty());
    }

    #[test]
    fn queries_say_a_question_in_other_words() {
        let question = Question::parse("Why do the robots of Keycloak quarrel?").unwrap();
        let query = Question::parse("manipulator collision").unwrap();
        let lookup = Lookup::of(&question, &[query], &Filters::default());
        assert_eq!(lookup.words, ["robots", "Keycloak", "quarrel", "manipulator", "collision"]);
        assert!(lookup.names.is_empty());
    }
}
