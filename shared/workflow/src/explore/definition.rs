//! Sentences that say what something is.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::{Definition, Term};
use crate::block::{Form, blocks};
use crate::document::Chunk;
use crate::evidence::{Passage, Source};
use crate::sentence::sentences;
use crate::strategy::Evidence;
use crate::term::stems;
use crate::topic::Topic;
use uuid::Uuid;

/// What stands between a term and what it is.
static VERBS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(VERB_WORDS)
        .unwrap_or_else(|error| panic!("the verbs make an automaton: {error}"))
});

const VERB_WORDS: [&str; 26] = [
    " is a ",
    " is an ",
    " is the ",
    " are a ",
    " are the ",
    " are ",
    " is any ",
    " means ",
    " mean ",
    " refers to ",
    " refer to ",
    " is defined as ",
    " are defined as ",
    " describes ",
    " describe ",
    " is designed to ",
    " is used to ",
    " occurs when ",
    " occur when ",
    " consists of ",
    " set out ",
    " sets out ",
    " shows that ",
    " is when ",
    " stands for ",
    " is one of ",
];

/// A term has at most this many words.
const LONGEST_TERM: usize = 9;

/// Words that a sentence begins with whose subject is nothing that it defines.
const NO_SUBJECT: &str = " this that these those it its there they he she we you i what which who when where why how if as in on at for with to from \
    and but or so because although while since after before once here each every all some many most one another such other our your their his her \
    your not only both ";

/// Headings below which labelled lines are definitions.
const GLOSSARY: [&str; 7] =
    ["glossary", "definition", "terminolog", "vocabulary", "terms", "what is", "what are"];

/// A sentence that defines a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Defining {
    /// The whole sentence, by its bytes in the passage.
    pub sentence: Range<usize>,
    /// The term, likewise.
    pub term: Range<usize>,
}

/// What passages define, by the passages' ids.
pub(super) type Definings = HashMap<Uuid, Vec<Defining>>;

/// Finds the sentences of a passage that define something.
pub(super) fn defining(chunk: &Chunk) -> Vec<Defining> {
    let text = &chunk.text;
    let is_glossary = [&chunk.section, &chunk.title].iter().any(|heading| {
        let heading = heading.to_lowercase();
        GLOSSARY.iter().any(|word| heading.contains(word))
    });
    // A line break may stand between any two words.
    let flat = text.replace(['\n', '\t'], " ");
    let mut found = Vec::new();
    if !is_glossary && !VERBS.is_match(&flat) {
        return found;
    }
    for block in
        blocks(text).into_iter().filter(|block| !matches!(block.form, Form::Code | Form::Heading))
    {
        let before = found.len();
        if is_glossary {
            found.extend(entries(text, block.range.clone()));
        }
        if found.len() > before {
            continue;
        }
        for sentence in sentences(&text[block.range.clone()]) {
            let sentence = block.range.start + sentence.start..block.range.start + sentence.end;
            if let Some(term) = subject(&flat[sentence.clone()]) {
                let term = sentence.start + term.start..sentence.start + term.end;
                found.push(Defining { sentence, term });
            }
        }
    }
    found
}

/// The entries of a glossary's block: each begins with a line that has a label.
fn entries(text: &str, block: Range<usize>) -> Vec<Defining> {
    let mut found: Vec<Defining> = Vec::new();
    let mut at = block.start;
    for line in text[block.clone()].split_inclusive('\n') {
        if let Some(term) = label(line) {
            let term = at + term.start..at + term.end;
            found.push(Defining { sentence: at..at + line.trim_end().len(), term });
        } else if let Some(last) = found.last_mut() {
            last.sentence.end = at + line.trim_end().len();
        }
        at += line.len();
    }
    found
}

/// `Term: what it is`, `**Term** what it is`, `| term | what it is`.
fn label(block: &str) -> Option<Range<usize>> {
    let start = block.len() - block.trim_start_matches(['*', '_', '|', ' ', '`']).len();
    let end = start + block[start..].find([':', '|', '*', '–', '—'])?;
    let term = block[start..end].trim_end();
    let is_term =
        term.split_whitespace().count() <= LONGEST_TERM && term.contains(char::is_alphabetic);
    let rest = block[end..].trim_start_matches([':', '|', '*', '–', '—', ' ', '_']);
    (is_term && rest.len() > 20).then(|| start..start + term.len())
}

/// The term that a sentence in one line begins with, where it goes on to say what that is.
fn subject(flat: &str) -> Option<Range<usize>> {
    let verb = VERBS.find(flat)?.start();
    let start = flat.len() - flat.trim_start_matches(['*', '_', '"', '`', '“', ' ']).len();
    let mut term = start..verb;
    for article in ["A ", "An ", "The ", "a ", "an ", "the "] {
        if flat.get(term.clone()).is_some_and(|own| own.starts_with(article)) {
            term.start += article.len();
            break;
        }
    }
    let own = flat.get(term.clone())?;
    let first =
        own.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?.to_lowercase();
    let is_term = own.split_whitespace().count() <= LONGEST_TERM
        && !NO_SUBJECT.contains(&format!(" {first} "))
        && !own.contains([';', '?'])
        && !own.contains(": ")
        && flat.len() > verb + 10;
    is_term.then_some(term)
}

/// How strongly the passage defines the question's subject, `0.0..=1.0`: whole where a defined term has all words of
/// the subject, less where it has fewer. What it defines on the way ("A salt is a ...", an entry of
/// a glossary with one of the words) counts half.
pub(super) fn strength(chunk: &Chunk, defining: &[Defining], topic: &Topic) -> f64 {
    let best = defining
        .iter()
        .map(|defining| {
            let sentence = &chunk.text[defining.sentence.clone()];
            let is_general =
                ["A ", "An ", "**", "_"].iter().any(|start| sentence.starts_with(start));
            let share = topic.share(&[&chunk.text[defining.term.clone()]]);
            let behind = chunk.text[defining.term.end..].trim_start().chars().next();
            let is_entry = share > 0.0 && behind.is_some_and(|c| matches!(c, ':' | '|' | '*'));
            let on_the_way = if is_general || is_entry { 0.5 } else { 0.0 };
            if share >= MOST_OF_IT { 0.2 + 0.8 * share } else { on_the_way }
        })
        .fold(0.0, f64::max);
    let heading = chunk.heading().to_lowercase();
    let is_headed = GLOSSARY[..4].iter().chain(&GLOSSARY[5..]).any(|word| heading.contains(word));
    if best > 0.0 && is_headed { (best + 0.3_f64).min(1.0) } else { best }
}

/// A term with this share of the subject's words is the subject.
const MOST_OF_IT: f64 = 0.6;

/// The most terms that stand side by side.
const MOST_TERMS: usize = 5;

/// Terms of the subject that several documents define, the most often defined first.
pub(super) fn terms(evidence: &[Evidence], definings: &Definings, topic: &Topic) -> Vec<Term> {
    let mut groups: Vec<Term> = Vec::new();
    let mut places: HashMap<Vec<String>, usize> = HashMap::new();
    for Evidence { chunk, .. } in evidence {
        for Defining { sentence, term } in definings.get(&chunk.id).into_iter().flatten() {
            let term = &chunk.text[term.clone()];
            let bare = term.split('(').next().unwrap_or(term).trim();
            if topic.share(&[bare]) <= 0.0 {
                continue;
            }
            let place = *places.entry(stems(bare)).or_insert(groups.len());
            if place == groups.len() {
                let name = bare.split_whitespace().collect::<Vec<_>>().join(" ");
                groups.push(Term { term: name, definitions: Vec::new() });
            }
            let definitions = &mut groups[place].definitions;
            if definitions.iter().all(|own| own.source.document_id != chunk.document_id) {
                let passage = Passage::of(chunk, sentence.clone());
                definitions.push(Definition { passage, source: Source::of(chunk) });
            }
        }
    }
    groups.retain(|term| {
        let texts: HashSet<&str> =
            term.definitions.iter().map(|own| own.passage.text.as_str()).collect();
        texts.len() > 1
    });
    groups.sort_by_key(|term| std::cmp::Reverse(term.definitions.len()));
    groups.truncate(MOST_TERMS);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(sentence: &str) -> Option<&str> {
        subject(sentence).map(|range| &sentence[range])
    }

    #[test]
    fn a_definition_names_its_term_before_what_it_is() {
        assert_eq!(term("A salt is a unique, random string added to a password."), Some("salt"));
        assert_eq!(
            term("**Cross site scripting**, or XSS, is a form of attack."),
            Some("Cross site scripting**, or XSS,")
        );
        assert_eq!(
            term("Interface management is a process to assist in controlling it."),
            Some("Interface management")
        );
        assert_eq!(term("This is a list of the things we do."), None);
        assert_eq!(term("When the pump is a danger, it is stopped at once."), None);
        assert_eq!(term("We pumped."), None);
    }

    #[test]
    fn a_labelled_line_is_a_definition_only_in_a_glossary() {
        assert_eq!(
            label("**Retry budget**: the share of requests that may be retries"),
            Some(2..14)
        );
        assert_eq!(label("Verification (of a product): Proof of compliance with it"), Some(0..27));
        assert_eq!(label("Note: short"), None);
    }
}
