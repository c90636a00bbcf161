//! Whether anything that was searched can fit what is asked.
//!
//! How near the nearest passage is does not tell: in a large collection something is always near. Words do: a question
//! about something else has a name, or many words, that stand nowhere.

use std::collections::HashMap;

use uuid::Uuid;
use wire::common::{Abstained, AbstainedReason};

use crate::evidence::Evidence;
use crate::fuse::Ranking;
use crate::literal::{self, Literal};
use model::document::Chunk;
use model::evidence::{Place, PointKind};
use ports::filter::Filters;
use ports::question::Question;
use ports::{Ranked, Search, SearchBy};
use text::language::Language;
use text::name;
use text::name::Name;
use text::topic::telling;

/// From this share of unknown words on nothing fits. Of questions that have an answer it holds 1 of 403 back, see
/// `tests/bench/README.md`.
const MANY: f64 = 0.4;

/// The most words that are looked up.
const MOST: usize = 32;

/// How many passages are looked at for a name.
const NAMED: usize = 5;

/// How many of what came nearest are named.
const NEAREST: usize = 3;

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

    /// How many names and words are looked up.
    pub(crate) fn count(&self) -> usize {
        self.names.len() + self.words.len()
    }

    /// One search for each name and word, and then those for literals; a passage with a name is looked at, since it may have it
    /// in parts.
    pub fn searches(&self, language: Language) -> impl Iterator<Item = Search> {
        let names = self.names.iter().map(|name| (name.searched(), NAMED, true));
        let words = self.words.iter().map(|word| (word.clone(), 1, false));
        let searches = names.chain(words).map(move |(text, depth, brings_chunks)| Search {
            of: PointKind::Passage,
            by: SearchBy::Bm25(text, language),
            depth,
            brings_chunks,
        });
        searches.chain(literal::searches(&self.literals, language))
    }

    /// What stands nowhere, by what these searches found. A passage may have come with one of the `rankings`.
    pub fn unknown(&mut self, found: &[Ranked], rankings: &[Ranking]) -> Unknown {
        let hits = found
            .iter()
            .map(|ranked| &ranked.hits)
            .chain(rankings.iter().map(|ranking| &ranking.hits));
        let chunks = hits.flatten().filter_map(|hit| hit.chunk.as_deref());
        let chunks: HashMap<Uuid, &Chunk> = chunks.map(|chunk| (chunk.id, chunk)).collect();
        let (_, of_words) = found.split_at(self.names.len().min(found.len()));
        let mut names = Vec::new();
        for name in &mut self.names {
            if !chunks.values().any(|chunk| has_name(chunk, name)) {
                names.push(name.as_str().to_owned());
            }
        }
        let words = self.words.iter().zip(of_words).filter(|(_, z)| z.hits.is_empty());
        let words: Vec<String> = words.map(|(word, _)| word.clone()).collect();
        let is_new = |first: &String| words.contains(first) && !names.contains(first);
        names.extend(self.first.clone().filter(is_new));
        Unknown { names, words, of: self.words.len() }
    }
}

/// Whether a passage, its headings, its title or its name has the name.
fn has_name(chunk: &Chunk, name: &mut Name) -> bool {
    [&chunk.text, &chunk.section, &chunk.title, &chunk.name]
        .into_iter()
        .any(|text| name.stands_in(text))
}

/// Says that nothing fits, where that is so. `evidence` is best first; a reranker may have found that none of it
/// `is_relevant`.
#[expect(clippy::cast_precision_loss, reason = "at most 32 words")]
pub fn abstained(evidence: &[Evidence], unknown: Unknown, is_relevant: bool) -> Option<Abstained> {
    let share = unknown.words.len() as f64 / unknown.of.max(1) as f64;
    // In a few passages most words stand nowhere; a z-score needs some as well.
    let mut rankings = evidence.iter().flat_map(|e| &e.parts.rankings);
    let are_many_read = rankings.any(|ranking| ranking.z_score.is_some());
    // A document in another language has none of the words, and may answer all the same.
    let english = Language::English.tag();
    let is_english =
        |evidence: &Evidence| evidence.chunk.language.as_deref().is_none_or(|tag| tag == english);
    let are_english = evidence.iter().take(NEAREST).all(is_english);
    let (reason, unknown) = if evidence.is_empty() {
        (AbstainedReason::NoEvidence, Vec::new())
    } else if !unknown.names.is_empty() {
        (AbstainedReason::UnknownName, unknown.names)
    } else if share >= MANY && are_many_read && are_english {
        (AbstainedReason::UnknownWords, unknown.words)
    } else if !is_relevant {
        (AbstainedReason::NotRelevant, Vec::new())
    } else {
        return None;
    };
    Some(Abstained { reason, unknown, nearest: nearest(evidence) })
}

/// What came nearest, each document once.
pub(crate) fn nearest(evidence: &[Evidence]) -> Vec<Place> {
    let mut nearest: Vec<Place> = Vec::new();
    for passage in evidence {
        if nearest.iter().all(|source| source.document_id != passage.chunk.document_id) {
            nearest.push(Place::of(&passage.chunk));
        }
    }
    nearest.truncate(NEAREST);
    nearest
}

/// Says that a report tells nothing, and what came nearest all the same.
pub(crate) fn untold(nearest: Vec<Place>) -> Abstained {
    let is_none = nearest.is_empty();
    let reason = if is_none { AbstainedReason::NoEvidence } else { AbstainedReason::NotRelevant };
    Abstained { reason, unknown: Vec::new(), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::evidence::ScoreParts;
    use testing::{chunks, ranking_at};

    fn why(names: &[&str], words: &[&str], is_relevant: bool) -> Option<AbstainedReason> {
        let chunk = chunks("# Valkey\n\nThe pump of the pool ran dry.\n").swap_remove(0);
        let parts = ScoreParts::new(vec![ranking_at(6.0)], 0.9);
        let evidence = [Evidence::of(chunk, parts)];
        let owned = |texts: &[&str]| texts.iter().map(|texts| (*texts).to_owned()).collect();
        let unknown = Unknown { names: owned(names), words: owned(words), of: 4 };
        let abstained = abstained(&evidence, unknown, is_relevant)?;
        assert_eq!(abstained.nearest.len(), 1);
        Some(abstained.reason)
    }

    #[test]
    fn nothing_fits_a_question_on_what_stands_nowhere_however_near_it_is() {
        assert_eq!(why(&["Keycloak"], &[], true), Some(AbstainedReason::UnknownName));
        assert_eq!(why(&[], &["knit", "scarf"], true), Some(AbstainedReason::UnknownWords));
        assert_eq!(why(&[], &[], false), Some(AbstainedReason::NotRelevant));
        assert_eq!(why(&[], &["robot"], true), None, "an asker may use another word");
    }

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
