//! Finds the names and words of a question that occur nowhere.
//!
//! The passages that were read for a question have most of its names and words. The index is
//! searched for the others only if nothing could fit without them.

use model::Result;
use model::document::Passage;
use model::evidence::PointKind;
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Brings, Index, Ranked, Search, SearchBy};
use text::name::Name;
use text::term::Terms;

use crate::groups::results;
use crate::lookup::Lookup;

/// Lower bound for the share of unknown words at which nothing fits. It withholds the answer to 1
/// of 403 questions that have one, see `tests/bench/README.md`.
const MANY: f64 = 0.4;

/// The number of passages that are examined for a name, because they may contain it in parts.
const NAMED: usize = 5;

/// The names and words of a [`Lookup`] that occur nowhere, if nothing can fit without them.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Unknown {
    /// The names.
    pub names: Vec<String>,
    /// The words.
    pub words: Vec<String>,
    /// The number of words that were looked up.
    pub of: usize,
}

impl Unknown {
    fn of(lookup: &Lookup, names: &[&Name], words: &[&String]) -> Unknown {
        let mut names: Vec<String> = names.iter().map(|name| name.as_str().to_owned()).collect();
        let is_new = |first: &&String| words.contains(first) && !names.contains(first);
        let first = lookup.first.iter().find(is_new).cloned();
        names.extend(first);
        let words = words.iter().map(|word| (*word).clone()).collect();
        Unknown { names, words, of: lookup.words.len() }
    }

    /// Returns true if so many words are unknown that nothing fits.
    #[expect(clippy::cast_precision_loss, reason = "at most 32 words")]
    pub(crate) fn has_many_words(&self) -> bool {
        self.words.len() as f64 / self.of.max(1) as f64 >= MANY
    }
}

/// Returns the names and words that occur neither in `read`, the passages and decisions that were
/// read for the question, nor elsewhere in the index. None is returned if an answer may fit all the
/// same. Where a string of the question is found whole, its words count as known.
///
/// # Errors
/// Fails as [`results`] does.
pub async fn unknown(
    lookup: &Lookup,
    read: &[&Passage],
    is_string_found: bool,
    index: &dyn Index,
    grant: &Grant,
) -> Result<Unknown> {
    let has_name = |name: &Name| read.iter().any(|passage| has_name(passage, name));
    let mut names: Vec<&Name> = lookup.names.iter().filter(|name| !has_name(name)).collect();
    let mut words = if is_string_found { Vec::new() } else { unread(&lookup.words, read) };
    let unread = Unknown::of(lookup, &names, &words);
    if read.is_empty() || (unread.names.is_empty() && !unread.has_many_words()) {
        return Ok(Unknown::default());
    }
    let search = |text: String, depth: usize, brings: Brings| Search {
        of: PointKind::Passage,
        by: SearchBy::Bm25(text, lookup.language),
        depth,
        brings,
    };
    let of_names = names.iter().map(|name| search(name.searched(), NAMED, Brings::Passages));
    let of_words = words.iter().map(|word| search((*word).clone(), 1, Brings::Ids));
    let searches = of_names.chain(of_words).collect();
    let mut found = results(index, grant, &Filters::default(), searches).await?;
    let of_words = found.split_off(names.len());
    // A passage that several searches find is brought once.
    let passages =
        || found.iter().flat_map(|ranked| &ranked.hits).filter_map(|hit| hit.passage.as_deref());
    names.retain(|name| !passages().any(|passage| self::has_name(passage, name)));
    let mut is_found = of_words.iter().map(|ranked: &Ranked| !ranked.hits.is_empty());
    words.retain(|_| is_found.next() == Some(false));
    Ok(Unknown::of(lookup, &names, &words))
}

/// Returns the words that no passage has in any form.
fn unread<'w>(words: &'w [String], passages: &[&Passage]) -> Vec<&'w String> {
    let terms = Terms::new(words.iter().map(String::as_str).enumerate());
    let mut unread: Vec<Option<&String>> = words.iter().map(Some).collect();
    for text in passages.iter().copied().flat_map(texts) {
        for number in terms.numbers_in(text, words.len()) {
            unread[number] = None;
        }
        if unread.iter().all(Option::is_none) {
            break;
        }
    }
    unread.into_iter().flatten().collect()
}

fn has_name(passage: &Passage, name: &Name) -> bool {
    texts(passage).into_iter().any(|text| name.stands_in(text))
}

/// Returns the text of a passage, its headings, its title and its name.
fn texts(passage: &Passage) -> [&str; 4] {
    [&passage.text, &passage.section, &passage.title, &passage.name]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::question::Asked;
    use ports::question::Question;
    use ports::scope::Scope;
    use testing::{Corpus, LateIndex, passage};

    const READ: &str = "# Pump\n\nThe seal of the pump leaked after the restart.\n";

    /// Returns what is unknown of a question for which [`READ`] was read, where the index has one
    /// more document, and the number of calls of the index.
    fn unknown(question: &str, is_string_found: bool) -> (Unknown, usize) {
        let other = ("valve.md", "# Valve\n\nKeycloak closed the valves at night.\n");
        let corpus = pollster::block_on(Corpus::of(&[("pump.md", READ), other]));
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let wait = Box::new(move |_: &Filters| {
            counted.fetch_add(1, Ordering::Relaxed);
            Box::pin(async {}) as _
        });
        let index = LateIndex { inner: &corpus.index, wait, once: None };
        let grant = Grant::unchecked(&[Scope::Global]);
        let lookup = Lookup::of(&Asked::of(Question::parse(question).unwrap(), grant.clone()));
        let read = [&passage(READ)];
        let unknown = super::unknown(&lookup, &read, is_string_found, &index, &grant);
        let unknown = pollster::block_on(unknown).unwrap();
        (unknown, calls.load(Ordering::Relaxed))
    }

    #[test]
    fn words_that_were_read_are_not_searched() {
        assert_eq!(unknown("Why did the seals of a pump leak?", false), (Unknown::default(), 0));
        let one_of_four = unknown("Which gasket of the pump leaked after a restart?", false);
        assert_eq!(one_of_four, (Unknown::default(), 0), "an answer may fit without it");
    }

    #[test]
    fn words_and_names_that_were_not_read_are_searched_in_one_call() {
        let (found, calls) = unknown("Why has Keycloak closed valves?", false);
        assert_eq!((found.names.len(), found.words.len(), calls), (0, 0, 1));
        let (found, calls) = unknown("Why has Fastly closed valves by crowbar?", false);
        assert_eq!(
            (found.names, found.words.as_slice(), calls),
            (vec!["Fastly".into()], ["Fastly".into(), "crowbar".into()].as_slice(), 1)
        );
    }

    #[test]
    fn many_words_that_occur_nowhere_are_unknown_unless_a_string_is_found() {
        let question = "How do I knit a scarf for the pump?";
        let (found, calls) = unknown(question, false);
        assert_eq!((found.words, found.of, calls), (vec!["knit".into(), "scarf".into()], 3, 1));
        assert_eq!(unknown(question, true), (Unknown::default(), 0));
    }
}
