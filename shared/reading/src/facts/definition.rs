//! Sentences that define a term.

use std::ops::Range;
use std::sync::LazyLock;

use model::document::Passage;
use model::facts::Defining;
use serde::Deserialize;
use text::block::{Form, blocks};
use text::lexicon::Lexicon;
use text::sentence::sentences;
use text::stop::{Texts, is_common_in};

/// A group of `definition.toml`.
#[derive(Deserialize)]
struct Phrase {
    tells: Tells,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tells {
    Verb,
    Glossary,
    Terms,
}

static PHRASES: LazyLock<Lexicon<Phrase>> =
    LazyLock::new(|| Lexicon::new(text::lexicon::DEFINITION));

/// Upper bound for the words of a term.
const LONGEST_TERM: usize = 9;

/// Lower bound for the bytes after a term, including the verb.
const LEAST_BEHIND: usize = 10;

/// Finds the sentences of a passage that define a term.
pub(super) fn defining(passage: &Passage) -> Vec<Defining> {
    let text = &passage.text;
    let is_glossary = [&passage.section, &passage.title]
        .iter()
        .any(|heading| announces(heading, &[Tells::Glossary, Tells::Terms]));
    // Any two words may be separated by a line break.
    let flat = text.replace(['\n', '\t'], " ").to_ascii_lowercase();
    let mut found = Vec::new();
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
                found.push(spans(sentence, term));
            }
        }
    }
    found
}

/// Returns the entries of a block in a glossary. Each entry begins with a line that has a label.
fn entries(text: &str, block: Range<usize>) -> Vec<Defining> {
    let mut found: Vec<Defining> = Vec::new();
    let mut at = block.start;
    for line in text[block.clone()].split_inclusive('\n') {
        if let Some(term) = label(line) {
            let term = at + term.start..at + term.end;
            found.push(spans(at..at + line.trim_end().len(), term));
        } else if let Some(last) = found.last_mut() {
            last.sentence.1 = byte(at + line.trim_end().len());
        }
        at += line.len();
    }
    found
}

/// Returns the label of a block: `Term: what it is`, `**Term** what it is`, `| term | what it is`.
fn label(block: &str) -> Option<Range<usize>> {
    let start = block.len() - block.trim_start_matches(['*', '_', '|', ' ', '`']).len();
    let end = start + block[start..].find([':', '|', '*', '–', '—'])?;
    let term = block[start..end].trim_end();
    let is_term =
        term.split_whitespace().count() <= LONGEST_TERM && term.contains(char::is_alphabetic);
    let rest = block[end..].trim_start_matches([':', '|', '*', '–', '—', ' ', '_']);
    (is_term && rest.len() > 20).then(|| start..start + term.len())
}

/// Returns the term at the beginning of a sentence that defines it. `flat` is the sentence in lower
/// case on one line.
fn subject(flat: &str) -> Option<Range<usize>> {
    let verb = PHRASES.find(flat).find(|found| found.class.tells == Tells::Verb)?.start;
    let start = flat.len() - flat.trim_start_matches(['*', '_', '"', '`', '“', ' ']).len();
    let words = flat.get(start..verb)?.trim_end();
    let articles = ["a ", "an ", "the "];
    let term = articles.iter().find_map(|article| words.strip_prefix(article)).unwrap_or(words);
    let first = term.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?;
    // A sentence that begins with a pronoun or a similar word refers to something else.
    let is_term = !is_common_in(first, Texts::Any)
        && term.split_whitespace().count() <= LONGEST_TERM
        && !term.contains([';', '?'])
        && !term.contains(": ")
        && flat.len() > verb + LEAST_BEHIND;
    let start = start + words.len() - term.len();
    is_term.then(|| start..start + term.len())
}

/// Returns true if the passage's own heading announces definitions.
pub(super) fn is_headed(passage: &Passage) -> bool {
    announces(passage.heading(), &[Tells::Glossary])
}

fn announces(heading: &str, definitions: &[Tells]) -> bool {
    PHRASES
        .find(&heading.to_ascii_lowercase())
        .any(|found| definitions.contains(&found.class.tells))
}

fn spans(sentence: Range<usize>, term: Range<usize>) -> Defining {
    let span = |range: Range<usize>| (byte(range.start), byte(range.end));
    Defining { sentence: span(sentence), term: span(term) }
}

fn byte(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(sentence: &str) -> Option<&str> {
        subject(&sentence.to_ascii_lowercase()).map(|range| &sentence[range])
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
