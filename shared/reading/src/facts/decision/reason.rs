//! The reasons that a decision gives.

use model::document::{Chunk, SECTION_SEPARATOR};
use model::facts::{Fact, Reason, Side, Statement, Statements, range};

use super::{PHRASES, SHORT, Tells};

/// The most reasons of a document.
const MOST: usize = 8;

/// The shortest and the longest reason, in words.
const LEAST_WORDS: usize = 3;
const MOST_WORDS: usize = 60;

/// Reads the arguments listed for and against the options, and what stands below a heading for reasons or below the
/// choice itself.
pub(super) fn given(
    document: &[&Chunk],
    statements: &[&Statements],
    (chosen, options): (Option<&Fact>, &[String]),
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for (chunk, statements) in document.iter().zip(statements) {
        let is_for_reasons = is_for_reasons(chunk.heading());
        for own in &statements.list {
            let listed = own.side.filter(|side| *side != Side::Either);
            let is_of_choice = is_for_reasons || stands_below(chunk, statements, own, chosen);
            let Some(side) = listed.or(is_of_choice.then_some(Side::For)) else { continue };
            let fact = chunk.fact(range(own.quote));
            let words = fact.text.split_whitespace().count();
            let is_sentence = (LEAST_WORDS..=MOST_WORDS).contains(&words) && own.cell.is_none();
            if is_sentence && !own.is_code && chosen.is_none_or(|chosen| chosen.text != fact.text) {
                let option = listed.and_then(|_| option(chunk, statements, own, options));
                reasons.push(Reason { fact, side, option });
            }
        }
    }
    reasons.truncate(MOST);
    reasons
}

/// Whether a statement stands below the sentence that says what was chosen: "Chosen: Nx, because:".
fn stands_below(
    chunk: &Chunk,
    statements: &Statements,
    own: &Statement,
    chosen: Option<&Fact>,
) -> bool {
    let above = own.below.map(|number| statements.place(number, &chunk.text).0.trim());
    chosen.is_some_and(|chosen| above == Some(chosen.text.trim()))
}

fn is_for_reasons(heading: &str) -> bool {
    let lower = heading.trim_end_matches(':').to_lowercase();
    let is_short = heading.split_whitespace().count() <= SHORT;
    is_short && PHRASES.find(&lower).any(|found| found.class.tells == Tells::Reasons)
}

/// The option that a statement is on: the one that the nearest place above it names, else the nearest heading.
fn option(
    chunk: &Chunk,
    statements: &Statements,
    own: &Statement,
    options: &[String],
) -> Option<u16> {
    let mut below = own.below;
    while let Some(number) = below {
        let (text, next) = statements.place(number, &chunk.text);
        if let Some(found) = named(text, options) {
            return Some(found);
        }
        below = next;
    }
    chunk.section.rsplit(SECTION_SEPARATOR).find_map(|heading| named(heading, options))
}

/// The longest option whose name a text has.
fn named(text: &str, options: &[String]) -> Option<u16> {
    let lower = text.to_lowercase();
    let has = |(_, name): &(usize, &String)| lower.contains(&name.to_lowercase());
    let best = options.iter().enumerate().filter(has).max_by_key(|(_, name)| name.len());
    best.and_then(|(place, _)| u16::try_from(place).ok())
}
