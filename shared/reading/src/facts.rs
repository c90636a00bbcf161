//! What a document says, read once: see [`model::facts`].

use model::document::{Chunk, DocumentType};
use model::facts::{Facts, READER, Statements};

mod decision;
mod definition;
mod explore;
mod plan;
mod report;
mod statement;
#[cfg(test)]
mod testing;

/// Reads what a document says, given its passages in order.
pub(crate) fn of_document(passages: &[&Chunk]) -> Facts {
    Facts { reader: READER, report: report::read(passages), ..Facts::default() }
}

/// Reads what each passage of a document gives. One of a log is a template's first record and gives nothing but itself.
pub(crate) fn of_passages(passages: &[&Chunk]) -> Vec<Facts> {
    let statements = statement::read(passages).into_iter();
    let facts = passages.iter().zip(statements);
    let mut facts: Vec<Facts> =
        facts.map(|(own, statements)| of_passage(own, statements)).collect();
    if let Some(decision) = decision::read(passages) {
        let tells = decision.chosen.as_ref().map_or(0, |fact| fact.position as usize);
        if let Some(own) = facts.get_mut(tells) {
            own.decision = Some(decision);
        }
    }
    facts
}

fn of_passage(passage: &Chunk, statements: Statements) -> Facts {
    if passage.document_type == DocumentType::Log {
        return Facts { reader: READER, ..Facts::default() };
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
    }
}
