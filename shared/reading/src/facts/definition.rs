//! Sentences that say what something is.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use model::block::{Form, blocks};
use model::document::Chunk;
use model::facts::Defining;
use model::sentence::sentences;

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
                found.push(spans(sentence, term));
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
            found.push(spans(at..at + line.trim_end().len(), term));
        } else if let Some(last) = found.last_mut() {
            last.sentence.1 = byte(at + line.trim_end().len());
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

/// Whether the passage's own heading announces definitions.
pub(super) fn is_headed(chunk: &Chunk) -> bool {
    let heading = chunk.heading().to_lowercase();
    GLOSSARY.iter().any(|word| *word != "terms" && heading.contains(word))
}

fn spans(sentence: Range<usize>, term: Range<usize>) -> Defining {
    let span = |own: Range<usize>| (byte(own.start), byte(own.end));
    Defining { sentence: span(sentence), term: span(term) }
}

fn byte(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
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
