//! Extracts the facts of a document once, at ingest: see [`model::facts`].

use model::document::{DocumentType, Passage};
use model::facts::{Facts, READER, Statements};
use text::language::Language;

mod decision;
mod definition;
mod explore;
mod plan;
mod report;
mod requirement;
mod statement;
#[cfg(test)]
mod testing;

/// Reads the facts of a whole document from its passages, which are in order.
pub(crate) fn of_document(passages: &[&Passage]) -> Facts {
    let report = passages.first().filter(|passage| has_lexicons(passage));
    let report = report.and_then(|_| report::read(passages));
    Facts { reader: READER, report, ..Facts::default() }
}

/// Returns true if there are phrase lists for the language of a passage.
fn has_lexicons(passage: &Passage) -> bool {
    let language = passage.language.as_deref().and_then(Language::of_tag);
    language.unwrap_or_default().has_lexicons()
}

/// Reads the facts of each passage of a document. A passage of a log is the first record of a
/// template and yields nothing else. The rows of a table are no entries of a list of failures.
pub(crate) fn of_passages(passages: &[&Passage], is_table: bool) -> Vec<Facts> {
    let statements = statement::read(passages).into_iter();
    let facts = passages.iter().zip(statements);
    let mut facts: Vec<Facts> =
        facts.map(|(fact, statements)| of_passage(fact, statements)).collect();
    let statements: Vec<&Statements> = facts.iter().map(|fact| &fact.statements).collect();
    let readable = passages.first().is_some_and(|passage| has_lexicons(passage));
    if let Some(decision) = readable.then(|| decision::read(passages, &statements)).flatten() {
        let tells = decision.chosen.as_ref().map_or(0, |fact| fact.position as usize);
        if let Some(fact) = facts.get_mut(tells) {
            fact.decision = Some(decision);
        }
    }
    if readable && !is_table {
        for (fact, report) in facts.iter_mut().zip(report::of_entries(passages)) {
            fact.report = report;
        }
    }
    facts
}

fn of_passage(passage: &Passage, statements: Statements) -> Facts {
    if passage.document_type == DocumentType::Log {
        return Facts { reader: READER, ..Facts::default() };
    }
    if !has_lexicons(passage) {
        return Facts { reader: READER, statements, ..Facts::default() };
    }
    Facts {
        reader: READER,
        report: None,
        decision: None,
        statements,
        plan: plan::strengths(passage),
        explore: explore::strengths(passage),
        is_glossary: definition::is_headed(passage),
        defines: definition::defining(passage),
        requires: requirement::read(passage),
        symbols: Vec::new(),
    }
}
